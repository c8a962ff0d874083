//! From the tuned budgets to the budget of matches: the best value of a parameter against the
//! logarithm of the budget, a straight line by weighted least squares.
//!
//! Every leg's value has a standard deviation; its weight is one over the square of it. Three legs
//! that scatter about the line by more than their deviations say that these are too small: then
//! all are raised by the same factor (the scale factor of the Particle Data Group, Review of
//! Particle Physics, section 5.2.2). A slope within 1.96 of its own standard deviations is no
//! drift that was measured: the value is then that of the dearest leg, the nearest to a match.

use crate::event::Drift;

/// A slope counts from so many of its standard deviations on: 95 % of a normal law lie within.
pub const SIGNIFICANT: f64 = 1.96;

/// The match budget leaves the tuned ones far behind when it is more than so many times the
/// dearest: a line is then believed about as far again as it was seen.
pub const FAR_FACTOR: f64 = 4.0;

/// What a leg says of one parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sight {
    /// Budget of the leg, above 0.
    pub budget: f64,
    /// Unit coordinate of the value.
    pub coordinate: f64,
    /// Its standard deviation, above 0.
    pub deviation: f64,
}

/// The drift that the legs show, and where it leads at the budget of matches. Precondition: at
/// least two sights, of rising budgets.
pub fn drift(sights: &[Sight], match_budget: f64) -> Drift {
    let line = Line::through(sights);
    let at = libm::log(match_budget);
    let dearest = sights.last().expect("a tuning at several budgets has legs");
    let is_measured = line.slope.abs() > SIGNIFICANT * line.slope_deviation;
    let (coordinate, deviation) = if is_measured {
        (line.at(at), line.deviation_at(at))
    } else {
        (dearest.coordinate, dearest.deviation)
    };
    Drift {
        slope: line.slope,
        slope_deviation: line.slope_deviation,
        is_measured,
        coordinate,
        deviation,
        residual: line.residual,
    }
}

/// How much the value at `match_budget` on the line moves when a leg's value moves by one, leg by
/// leg, while all have the same weight. They sum to one. Precondition: as for [`drift`].
pub fn influences(budgets: &[f64], match_budget: f64) -> Vec<f64> {
    let nudged = |leg: usize| {
        let sights = budgets.iter().enumerate();
        let sights: Vec<Sight> = sights
            .map(|(other, &budget)| Sight {
                budget,
                coordinate: if other == leg { 1.0 } else { 0.0 },
                deviation: 1.0,
            })
            .collect();
        Line::through(&sights).at(libm::log(match_budget))
    };
    (0..budgets.len()).map(nudged).collect()
}

/// A weighted least squares line in the logarithm of the budget.
struct Line {
    /// Weighted means of the logarithms and of the coordinates: the line goes through them.
    middle: [f64; 2],
    slope: f64,
    slope_deviation: f64,
    /// Standard deviation of the line in its middle.
    middle_deviation: f64,
    residual: Option<f64>,
}

impl Line {
    fn through(sights: &[Sight]) -> Line {
        let weight = |sight: &Sight| 1.0 / (sight.deviation * sight.deviation);
        let sum = |of: &dyn Fn(&Sight) -> f64| -> f64 {
            sights.iter().map(|sight| weight(sight) * of(sight)).sum()
        };
        let total = sum(&|_| 1.0);
        let x_middle = sum(&|sight| libm::log(sight.budget)) / total;
        let y_middle = sum(&|sight| sight.coordinate) / total;
        let x = |sight: &Sight| libm::log(sight.budget) - x_middle;
        let spread = sum(&|sight| x(sight) * x(sight));
        let slope = sum(&|sight| x(sight) * (sight.coordinate - y_middle)) / spread;
        let left = |sight: &Sight| sight.coordinate - y_middle - slope * x(sight);
        let freedom = sights.len() - 2;
        let (mut scale, mut residual) = (1.0_f64, None);
        if freedom > 0 {
            let chi_squared = sum(&|sight| left(sight) * left(sight));
            scale = scale.max(libm::sqrt(chi_squared / freedom as f64));
            let squares: f64 = sights.iter().map(|sight| left(sight) * left(sight)).sum();
            residual = Some(libm::sqrt(squares / sights.len() as f64));
        }
        Line {
            middle: [x_middle, y_middle],
            slope,
            slope_deviation: scale / libm::sqrt(spread),
            middle_deviation: scale / libm::sqrt(total),
            residual,
        }
    }

    fn at(&self, logarithm: f64) -> f64 {
        self.middle[1] + self.slope * (logarithm - self.middle[0])
    }

    fn deviation_at(&self, logarithm: f64) -> f64 {
        let far = (logarithm - self.middle[0]) * self.slope_deviation;
        libm::hypot(self.middle_deviation, far)
    }
}

#[cfg(test)]
#[path = "extrapolation_tests.rs"]
mod tests;
