//! What a tuning at several budgets comes to: one leg for each budget, and what they say together
//! of the budget that the values are for.

use super::StopReason;
use crate::space::Vector;

/// The result of a leg: the tuning at one of several budgets.
#[derive(Clone, PartialEq, Debug)]
pub struct LegSummary {
    /// Leg, from 0, from the cheapest budget to the dearest.
    pub leg: u32,
    /// Its budget, in the unit of the job.
    pub budget: u64,
    /// Why it ended.
    pub reason: StopReason,
    /// Rounds of this leg.
    pub rounds: u32,
    /// Games of this leg that counted.
    pub games: u64,
    /// The values in force at its end, at which the next leg starts.
    pub values: Vector,
    /// Standard deviations of these values in unit coordinates; None where the learner knows none.
    pub deviations: Option<Vec<f64>>,
}

/// Values for the budget of matches, extrapolated from those of the legs.
#[derive(Clone, PartialEq, Debug)]
pub struct Extrapolation {
    /// The budget of matches, in the unit of the job.
    pub budget: u64,
    /// The values for it: in range, whole where they must be, quantised.
    pub values: Vector,
    /// How each parameter drifts with the budget, in the parameters' order.
    pub drifts: Vec<Drift>,
}

/// How a parameter's best value moves with the budget: a straight line of its unit coordinate in
/// the natural logarithm of the budget, fitted to the legs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Drift {
    /// Change of the unit coordinate while the budget grows by the factor e.
    pub slope: f64,
    /// Standard deviation of the slope.
    pub slope_deviation: f64,
    /// Whether the slope is more than its own error. Otherwise the value is that of the dearest
    /// leg.
    pub is_measured: bool,
    /// The unit coordinate at the budget of matches, before it is brought into the range.
    pub coordinate: f64,
    /// Standard deviation of `coordinate`.
    pub deviation: f64,
    /// Root of the mean square of what the line leaves of the legs' unit coordinates; None with
    /// two legs, through which every line goes.
    pub residual: Option<f64>,
}

impl Drift {
    /// Whether the value had to be brought into the parameter's range.
    pub fn is_clipped(&self) -> bool {
        !(0.0..=1.0).contains(&self.coordinate)
    }
}
