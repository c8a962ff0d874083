//! The space that a learner searches: parameters with ranges and steps, and vectors of their values.

/// Significant decimal digits that every value is quantised to when an edit is made: what is
/// played, journaled and exported is the same number.
pub const SIGNIFICANT_DIGITS: usize = 6;

/// Parameters that a space has at least: an edit acts on a pair.
pub const MIN_PARAMETERS: usize = 2;

/// How an edit changes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// A step is added.
    Linear,
    /// A step multiplies.
    Log,
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
}

impl Parameter {
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
        };
        moved.clamp(self.min, self.max)
    }

    /// The number that is played for a moved value: whole where it must be, quantised, in range.
    pub fn settled(&self, value: f64) -> f64 {
        let whole = if self.integer {
            libm::round(value)
        } else {
            value
        };
        // Quantising last could leave a range whose ends have more digits than are kept.
        quantised(whole).clamp(self.min, self.max)
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
}

impl Space {
    /// The values that the run starts from.
    pub fn start(&self) -> Vector {
        Vector(
            self.parameters
                .iter()
                .map(|parameter| parameter.start)
                .collect(),
        )
    }

    /// Whether a vector has a value in range for every parameter.
    pub fn contains(&self, vector: &Vector) -> bool {
        vector.0.len() == self.parameters.len()
            && self
                .parameters
                .iter()
                .zip(&vector.0)
                .all(|(parameter, value)| (parameter.min..=parameter.max).contains(value))
    }

    /// Checks that the space can be searched.
    ///
    /// # Errors
    /// Fewer than [`MIN_PARAMETERS`] parameters, one listed twice, or one whose
    /// [`Parameter::validate`] fails.
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn linear() -> Parameter {
        Parameter {
            path: "stages.layout.bias.capture".into(),
            scale: Scale::Linear,
            integer: false,
            step: 0.05,
            min: -1.0,
            max: 1.0,
            start: 0.2,
        }
    }

    fn log() -> Parameter {
        Parameter {
            scale: Scale::Log,
            step: 1.25,
            min: 0.01,
            max: 10.0,
            start: 1.0,
            ..linear()
        }
    }

    fn whole() -> Parameter {
        Parameter {
            integer: true,
            step: 2.0,
            min: 0.0,
            max: 20.0,
            start: 7.0,
            ..linear()
        }
    }

    #[test]
    fn edits_add_multiply_clamp_and_round() {
        let cases = [
            (linear(), 0.2, 1.0, 0.25),
            (linear(), 0.1, 0.2, 0.11),
            (linear(), 0.99, 1.0, 1.0),
            (linear(), -0.99, -3.0, -1.0),
            (log(), 1.0, 1.0, 1.25),
            (log(), 1.0, -2.0, 0.64),
            (log(), 9.0, 1.0, 10.0),
            (log(), 1.0, 0.5, 1.11803),
            (whole(), 7.0, 1.0, 9.0),
            (whole(), 7.0, 0.2, 7.0),
            (whole(), 7.0, 0.25, 8.0),
            (whole(), 1.0, -1.0, 0.0),
        ];
        for (parameter, value, steps, want) in cases {
            assert_eq!(parameter.edited(value, steps), want, "{value} {steps}");
        }
    }

    #[test]
    fn a_range_end_with_many_digits_is_kept_as_it_is() {
        let parameter = Parameter {
            max: 2.0 / 3.0,
            ..linear()
        };
        assert_eq!(parameter.edited(0.65, 1.0), 2.0 / 3.0);
    }

    #[test]
    fn quantising_keeps_six_digits() {
        let cases = [
            (0.123_456_49, 0.123_456),
            (123_456_789.0, 123_457_000.0),
            (0.1 + 0.2, 0.3),
            (-1.0 / 3.0, -0.333_333),
            (0.0, 0.0),
            (5e-324, 5e-324),
        ];
        for (value, want) in cases {
            assert_eq!(quantised(value), want);
        }
        assert!(quantised(-0.0).is_sign_positive());
    }

    #[test]
    fn good_parameters_pass() {
        for parameter in [linear(), log(), whole()] {
            assert_eq!(parameter.validate(), Ok(()));
        }
    }

    #[test]
    fn bad_numbers_are_named_with_what_is_allowed() {
        let check = |parameter: Parameter, want: &str| {
            let message = parameter.validate().unwrap_err().to_string();
            assert!(
                message.starts_with("stages.layout.bias.capture: "),
                "{message}"
            );
            assert!(message.contains(want), "{message} lacks {want}");
        };
        check(
            Parameter {
                step: f64::NAN,
                ..linear()
            },
            "step = NaN: must be a finite",
        );
        check(
            Parameter {
                max: f64::INFINITY,
                ..linear()
            },
            "max = inf: must be a finite",
        );
        check(
            Parameter {
                max: -1.0,
                ..linear()
            },
            "max = -1: must be above min = -1",
        );
        check(
            Parameter {
                start: 1.5,
                ..linear()
            },
            "start = 1.5: must be in [-1, 1]",
        );
        check(
            Parameter {
                step: 0.0,
                ..linear()
            },
            "step = 0: must be above 0",
        );
        check(
            Parameter { step: 1.0, ..log() },
            "step = 1: must be above 1",
        );
        check(Parameter { min: 0.0, ..log() }, "min = 0: must be above 0");
        check(
            Parameter {
                step: 0.5,
                ..whole()
            },
            "step = 0.5: must be a whole number",
        );
        check(
            Parameter {
                start: 7.5,
                ..whole()
            },
            "start = 7.5: must be a whole number",
        );
        check(
            Parameter {
                max: 1_234_567.0,
                ..whole()
            },
            "max = 1234567: must be a whole",
        );
    }

    #[test]
    fn a_space_needs_a_pair_of_different_parameters() {
        let space = |parameters: Vec<Parameter>| Space { parameters };
        assert_eq!(space(vec![linear()]).validate(), Err(SpaceError::TooFew(1)));
        assert_eq!(
            space(vec![linear(), linear()]).validate(),
            Err(SpaceError::Twice(linear().path))
        );
        let other = Parameter {
            path: "stages.layout.exploration".into(),
            ..log()
        };
        let good = space(vec![linear(), other]);
        assert_eq!(good.validate(), Ok(()));
        assert_eq!(good.start(), Vector(vec![0.2, 1.0]));
        assert!(good.contains(&good.start()));
        assert!(!good.contains(&Vector(vec![0.2])));
        assert!(!good.contains(&Vector(vec![1.2, 1.0])));
    }

    proptest! {
        #[test]
        fn quantising_twice_changes_nothing(value in -1e12f64..1e12) {
            let once = quantised(value);
            prop_assert_eq!(once, quantised(once));
            prop_assert!((once - value).abs() <= 5.1e-6 * value.abs());
        }

        #[test]
        fn edits_stay_in_range_and_settled(value in -1.0f64..=1.0, steps in -50.0f64..50.0) {
            for (parameter, value) in [
                (linear(), value),
                (log(), 5.1 + 4.9 * value),
                (whole(), libm::round(10.0 + 10.0 * value)),
            ] {
                let edited = parameter.edited(value, steps);
                prop_assert!((parameter.min..=parameter.max).contains(&edited));
                prop_assert_eq!(edited, parameter.settled(edited));
                prop_assert!(!parameter.integer || libm::trunc(edited) == edited);
            }
        }

        #[test]
        fn opposite_moves_cancel_inside_the_range(value in 0.1f64..5.0, steps in -3.0f64..3.0) {
            let parameter = log();
            let value = quantised(value);
            let there = parameter.moved(value, steps);
            prop_assume!(parameter.min < there && there < parameter.max);
            prop_assert_eq!(parameter.settled(parameter.moved(there, -steps)), value);
        }
    }
}
