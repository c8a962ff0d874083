//! The space that a learner searches: parameters with ranges and steps, and vectors of their values.

/// Significant decimal digits that every value is quantised to when an edit is made: what is
/// played, journaled and exported is the same number.
pub const SIGNIFICANT_DIGITS: usize = 6;

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

impl Parameter {
    /// The value after an edit of `steps` steps: clamped to the range, whole where it must be, and
    /// quantised to [`SIGNIFICANT_DIGITS`].
    pub fn edited(&self, value: f64, steps: f64) -> f64 {
        let moved = match self.scale {
            Scale::Linear => value + steps * self.step,
            Scale::Log => value * libm::pow(self.step, steps),
        };
        let whole = if self.integer {
            libm::round(moved)
        } else {
            moved
        };
        quantised(whole.clamp(self.min, self.max))
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
}
