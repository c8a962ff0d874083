//! The response surface: what all games of a run say together about how strong a vector is.
//!
//! Strength is a function F of the parameters in unit coordinates, on the logistic scale: A beats B
//! with probability 1 / (1 + exp(F(b) - F(a))). F is a polynomial, or one under a Gaussian window,
//! on a bowl that is believed before a game. [`fit`] finds the most probable coefficients for any
//! number of matches between any two vectors, under a normal prior that pulls each towards 0 and so
//! makes the fit safe where the games say little. This is the Bradley-Terry model with strengths
//! that are linear in features: logistic regression on differences. Differences of strength are all
//! that games show, so F is 0 at the centre of its basis.
//!
//! Every sum has a fixed order, and draws come from a stream that the caller keys.

mod basis;
mod cholesky;
mod coordinates;
mod curvature;
mod design;
mod fit;
mod optimum;
mod prospect;

pub use basis::{Basis, MAX_ORDER, Shape, Surface};
pub use coordinates::Coordinates;
pub use curvature::Curvature;
pub use design::Design;
pub use fit::{Difference, Fit, fit, fit_design, fit_nearly};
pub use prospect::{Gain, Prospect};

/// Elo of one unit of F: 400 / ln 10.
pub const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Matches between two vectors, in unit coordinates.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The vector whose points count.
    pub a: Vec<f64>,
    /// Its opponent.
    pub b: Vec<f64>,
    /// Points of A: a win 1, a draw one half; in [0, `games`].
    pub score: f64,
    /// Games played, at least 0.
    pub games: f64,
    /// How much each of the games counts, at least 0: 1 is as much as it says.
    pub weight: f64,
}
