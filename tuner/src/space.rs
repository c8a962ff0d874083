//! The space that a learner searches: parameters with ranges and steps, and vectors of their
//! values.

mod rules;

pub use rules::Rule;

/// Significant decimal digits that every value is quantised to when an edit is made: what is
/// played, journaled and exported is the same number.
pub const SIGNIFICANT_DIGITS: usize = 6;

/// The last digit of 1.00000.
const LAST_DIGIT: f64 = 1e-5;

/// Parameters that a space has at least: an edit acts on a pair.
pub const MIN_PARAMETERS: usize = 2;

/// How an edit changes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// A step is added.
    Linear,
    /// A step multiplies.
    Log,
    /// There is none: the value is the number of one of two words that have no order. An edit
    /// upwards takes the second word, one downwards the first, whatever its size.
    Choice([&'static str; 2]),
}

/// One tuned parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Path in the engine's configuration, such as `stages.layout.bias.capture`.
    pub path: String,
    /// How an edit changes the value.
    pub scale: Scale,
    /// Whether values are whole numbers.
    pub integer: bool,
    /// One step: a difference above 0 (linear) or a factor above 1 (log).
    pub step: f64,
    /// Smallest allowed value (above 0 when the scale is log).
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
    /// The value that the run starts from.
    pub start: f64,
}

/// A parameter, or a list of them, that cannot be searched.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SpaceError {
    /// A number of a parameter is not what it must be.
    #[error("{path}: {key} = {value}: must be {allowed}")]
    Parameter {
        /// Path of the parameter.
        path: String,
        /// `step`, `min`, `max` or `start`.
        key: &'static str,
        /// What it is.
        value: f64,
        /// What it must be.
        allowed: String,
    },
    /// Too few parameters.
    #[error("{0} parameters: at least {MIN_PARAMETERS} must be tuned, edits act on a pair")]
    TooFew(usize),
    /// The same parameter twice.
    #[error("{0}: listed twice")]
    Twice(String),
    /// A rule that cannot be kept.
    #[error("a rule {0}")]
    Rule(String),
}

impl Parameter {
    /// Whether the value is the number of a word.
    pub fn is_choice(&self) -> bool {
        matches!(self.scale, Scale::Choice(_))
    }

    /// The value as people read and write it: a word or a number.
    pub fn text(&self, value: f64) -> String {
        match self.word(value) {
            Some(word) => word.to_owned(),
            None => value.to_string(),
        }
    }

    /// The word of a value; None where it is a number.
    pub fn word(&self, value: f64) -> Option<&'static str> {
        match self.scale {
            Scale::Choice([_, second]) if value == self.max => Some(second),
            Scale::Choice([first, _]) if value == self.min => Some(first),
            _ => None,
        }
    }

    /// What lies between two neighbouring values where they are whole numbers or words.
    pub fn unit(&self) -> f64 {
        if self.is_choice() {
            self.max - self.min
        } else {
            1.0
        }
    }

    /// The value after an edit of `steps` steps: clamped to the range, whole where it must be, and
    /// quantised to [`SIGNIFICANT_DIGITS`].
    pub fn edited(&self, value: f64, steps: f64) -> f64 {
        self.settled(self.moved(value, steps))
    }

    /// The value `steps` steps away, clamped to the range but neither rounded nor quantised: the
    /// edits of a path are made one after the other and [`Self::settled`] once, so an edit and its
    /// opposite cancel exactly.
    pub fn moved(&self, value: f64, steps: f64) -> f64 {
        let moved = match self.scale {
            Scale::Linear => value + steps * self.step,
            Scale::Log => value * libm::pow(self.step, steps),
            Scale::Choice(_) if steps == 0.0 => value,
            Scale::Choice(_) if steps > 0.0 => self.max,
            Scale::Choice(_) => self.min,
        };
        moved.clamp(self.min, self.max)
    }

    /// One step in units of the range on the parameter's scale: of its logarithm where it is log.
    pub fn step_in_ranges(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.step / (self.max - self.min),
            Scale::Choice(_) => 1.0,
            Scale::Log => libm::log(self.step) / libm::log(self.max / self.min),
        }
    }

    /// Whether the value is one of the range, and of a choice that of a word.
    fn contains(&self, value: f64) -> bool {
        (self.min..=self.max).contains(&value) && (!self.is_choice() || self.word(value).is_some())
    }

    /// Values nearer to zero than this are zero; none on a log scale.
    fn residue(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.step * 1e-9,
            Scale::Log | Scale::Choice(_) => 0.0,
        }
    }

    /// The number that is played for a moved value: whole where it must be, quantised, in range.
    pub fn settled(&self, value: f64) -> f64 {
        if self.is_choice() {
            let is_second = value - self.min > self.max - value;
            return if is_second { self.max } else { self.min };
        }
        let whole = if self.integer {
            // Halves to even: rounding them up would push a parameter upwards, edit by edit.
            libm::rint(value)
        } else if value.abs() < self.residue() {
            // What sums of steps leave where they cancel.
            0.0
        } else {
            value
        };
        // Quantising last could leave a range whose ends have more digits than are kept.
        quantised(whole).clamp(self.min, self.max)
    }

    /// The least by which a value that is played can be changed: a unit or a last digit.
    fn last_digit(&self, value: f64) -> f64 {
        if self.integer {
            return 1.0;
        }
        f64::max(
            value.abs() * LAST_DIGIT,
            (self.max - self.min) * (0.1 * LAST_DIGIT),
        )
    }

    /// Checks that the numbers make a parameter that can be searched.
    ///
    /// # Errors
    /// Names the first number that does not fit and what is allowed: everything finite,
    /// min < max, min <= start <= max, step above 0 (linear) or above 1 with min above 0 (log),
    /// and whole numbers where values are whole.
    pub fn validate(&self) -> Result<(), SpaceError> {
        let numbers = [
            ("step", self.step),
            ("min", self.min),
            ("max", self.max),
            ("start", self.start),
        ];
        for (key, value) in numbers {
            self.require(value.is_finite(), key, value, || "a finite number".into())?;
        }
        self.require(self.min < self.max, "max", self.max, || {
            format!("above min = {}", self.min)
        })?;
        let inside = (self.min..=self.max).contains(&self.start);
        self.require(inside, "start", self.start, || {
            format!("in [{}, {}]", self.min, self.max)
        })?;
        self.validate_scale()?;
        if self.integer {
            self.validate_whole()?;
        }
        Ok(())
    }

    fn validate_scale(&self) -> Result<(), SpaceError> {
        match self.scale {
            Scale::Choice(words) => {
                self.require(words[0] != words[1], "max", self.max, || {
                    "of another word than min".into()
                })?;
                let ends = [self.min, self.max];
                self.require(
                    self.integer && ends.contains(&self.start),
                    "start",
                    self.start,
                    || format!("{} or {}, the number of a word", self.min, self.max),
                )
            }
            Scale::Linear => self.require(self.step > 0.0, "step", self.step, || {
                "above 0 on a linear scale".into()
            }),
            Scale::Log => {
                self.require(self.step > 1.0, "step", self.step, || {
                    "above 1 on a log scale, where it multiplies".into()
                })?;
                self.require(self.min > 0.0, "min", self.min, || {
                    "above 0 on a log scale".into()
                })
            }
        }
    }

    /// A step of a log scale is a factor and need not be whole.
    fn validate_whole(&self) -> Result<(), SpaceError> {
        let step = (self.scale == Scale::Linear).then_some(("step", self.step));
        let ends = [("min", self.min), ("max", self.max), ("start", self.start)];
        for (key, value) in step.into_iter().chain(ends) {
            // Beyond six digits quantising would move the ends of the range.
            let fits = libm::trunc(value) == value && quantised(value) == value;
            self.require(fits, key, value, || {
                format!("a whole number of at most {SIGNIFICANT_DIGITS} significant digits")
            })?;
        }
        Ok(())
    }

    fn require(
        &self,
        holds: bool,
        key: &'static str,
        value: f64,
        allowed: impl FnOnce() -> String,
    ) -> Result<(), SpaceError> {
        if holds {
            return Ok(());
        }
        Err(SpaceError::Parameter {
            path: self.path.clone(),
            key,
            value,
            allowed: allowed(),
        })
    }
}

/// `value` to [`SIGNIFICANT_DIGITS`] decimal digits; the nearest double to that decimal number.
pub fn quantised(value: f64) -> f64 {
    let text = format!("{value:.*e}", SIGNIFICANT_DIGITS - 1);
    let rounded: f64 = text.parse().expect("a formatted number is a number");
    // Negative zero would print as "-0".
    rounded + 0.0
}

/// Values of the tuned parameters, in the order of the job's list.
#[derive(Clone, PartialEq, Debug)]
pub struct Vector(pub Vec<f64>);

impl Vector {
    /// Whether both are the same numbers once quantised. A start value may have more digits than
    /// an edit keeps; that difference is no difference to play for.
    pub fn same_when_quantised(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self
                .0
                .iter()
                .zip(&other.0)
                .all(|(mine, theirs)| quantised(*mine) == quantised(*theirs))
    }
}

/// The tuned parameters of a job, in its order.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    /// The parameters; at least two.
    pub parameters: Vec<Parameter>,
    /// What holds between them, of every vector that is played, stored or exported.
    pub rules: Vec<Rule>,
}

impl Space {
    /// The space of these parameters, without rules between them.
    pub fn new(parameters: Vec<Parameter>) -> Self {
        let rules = Vec::new();
        Self { parameters, rules }
    }

    /// The same with rules. Whether they can be kept, [`Space::validate`] says.
    pub fn with_rules(self, rules: Vec<Rule>) -> Self {
        Self { rules, ..self }
    }

    /// The values that the run starts from.
    pub fn start(&self) -> Vector {
        Vector(
            self.parameters
                .iter()
                .map(|parameter| parameter.start)
                .collect(),
        )
    }

    /// Whether a vector has a value in range, or a word, for every parameter, and every rule holds.
    pub fn contains(&self, vector: &Vector) -> bool {
        vector.0.len() == self.parameters.len()
            && self
                .parameters
                .iter()
                .zip(&vector.0)
                .all(|(parameter, value)| parameter.contains(*value))
            && self.broken_rule(vector).is_none()
    }

    /// Checks that the space can be searched.
    ///
    /// # Errors
    /// Fewer than [`MIN_PARAMETERS`] parameters, one listed twice, one whose
    /// [`Parameter::validate`] fails, or a rule that does not hold at the start.
    pub fn validate(&self) -> Result<(), SpaceError> {
        if self.parameters.len() < MIN_PARAMETERS {
            return Err(SpaceError::TooFew(self.parameters.len()));
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            parameter.validate()?;
            let mut earlier = self.parameters[..index].iter();
            if earlier.any(|other| other.path == parameter.path) {
                return Err(SpaceError::Twice(parameter.path.clone()));
            }
        }
        let mut problems = self.rules.iter().filter_map(|rule| rule.problem(self));
        problems
            .next()
            .map_or(Ok(()), |problem| Err(SpaceError::Rule(problem)))
    }
}

#[cfg(test)]
#[path = "space_tests.rs"]
mod tests;
