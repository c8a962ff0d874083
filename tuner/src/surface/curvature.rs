//! What the games bend the log posterior by, kept from one fit to the next.

use serde::{Deserialize, Serialize};

use super::Basis;
use super::cholesky::Cholesky;
use super::design::{Design, Slope};

/// Negative second derivatives of the log likelihood: where they were taken hardly matters to what
/// they are, and taking them is what a fit of many features costs. So they are taken now and then,
/// and matches that come are added; games that are added to a match count once they are taken anew.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curvature {
    /// The first matches of the design, which are in it.
    matches: usize,
    /// The lower triangle of a square, row by row.
    entries: Vec<f64>,
}

impl Curvature {
    /// Whether a stored one is of so many features, and of no more than so many matches.
    pub fn is_of(&self, features: usize, matches: usize) -> bool {
        let taken = self.entries.len() == features * features && self.matches <= matches;
        (taken || *self == Self::default()) && self.entries.iter().all(|entry| entry.is_finite())
    }

    /// Forgets all matches.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.matches == 0
    }

    /// Takes all anew, where `slope` was taken, and gives the precision.
    pub(super) fn renewed(&mut self, basis: &Basis, design: &Design, slope: &Slope) -> Cholesky {
        self.clear();
        self.extend(basis, design, slope);
        self.precision(basis)
    }

    /// Adds the matches that are not in it, as they are where `slope` was taken.
    pub(super) fn extend(&mut self, basis: &Basis, design: &Design, slope: &Slope) {
        let size = basis.features();
        self.entries.resize(size * size, 0.0);
        design.bend(&mut self.entries, slope, self.matches);
        self.matches = design.len();
    }

    /// The precision of the coefficients, of which the lower triangle counts: that of the prior and
    /// of all matches.
    pub(super) fn with_prior(&self, basis: &Basis) -> Vec<f64> {
        let mut matrix = self.entries.clone();
        for (feature, variance) in basis.variances().iter().enumerate() {
            matrix[feature * basis.features() + feature] += 1.0 / variance;
        }
        matrix
    }

    /// Its factor.
    pub(super) fn precision(&self, basis: &Basis) -> Cholesky {
        let floors: Vec<f64> = basis.variances().iter().map(|v| 1.0 / v).collect();
        Cholesky::floored(self.with_prior(basis), &floors)
    }
}
