//! Matches as a fit sees them.

use super::cholesky::dot;
use super::{Basis, Row};

/// Matches as a fit sees them: the differences of their features, computed once and kept for all
/// fits of a run.
#[derive(Clone, Debug)]
pub struct Design {
    features: usize,
    /// Features of A less those of B, match by match.
    differences: Vec<f64>,
    matches: Vec<Match>,
}

/// What is counted of a match.
#[derive(Clone, Copy, Debug)]
struct Match {
    /// Points of A.
    score: f64,
    games: f64,
    weight: f64,
    /// |z|² of B less that of A: what the bowl gives A.
    inner: f64,
}

/// The log posterior around some coefficients.
pub(super) struct Bend {
    pub(super) log_posterior: f64,
    pub(super) gradient: Vec<f64>,
    /// Negative second derivatives; the lower triangle.
    pub(super) curvature: Vec<f64>,
}

impl Design {
    /// No matches yet.
    pub fn new(basis: &Basis) -> Self {
        Self {
            features: basis.features(),
            differences: Vec::new(),
            matches: Vec::new(),
        }
    }

    /// The matches of `rows`.
    pub fn of(basis: &Basis, rows: &[Row]) -> Self {
        let mut design = Self::new(basis);
        rows.iter().for_each(|row| design.push(basis, row));
        design
    }

    /// Adds a match. Precondition: the basis is the one that the design was made for, but for its
    /// prior.
    pub fn push(&mut self, basis: &Basis, row: &Row) {
        debug_assert!(row.games >= 0.0 && (0.0..=row.games).contains(&row.score));
        debug_assert_eq!(basis.features(), self.features);
        let start = self.differences.len();
        self.differences.resize(start + self.features, 0.0);
        let line = &mut self.differences[start..];
        let mut z = basis.scratch();
        let of_a = basis.evaluate(&row.a, &mut z, |feature, value| line[feature] = value);
        let of_b = basis.evaluate(&row.b, &mut z, |feature, value| line[feature] -= value);
        self.matches.push(Match {
            score: row.score,
            games: row.games,
            weight: 0.0,
            inner: of_b - of_a,
        });
        self.weigh(self.matches.len() - 1, row.weight);
    }

    /// Adds games to a match: points of A, and how many there were.
    pub fn add(&mut self, index: usize, score: f64, games: f64) {
        debug_assert!((0.0..=games).contains(&score));
        self.matches[index].score += score;
        self.matches[index].games += games;
    }

    /// Sets how much each game of a match counts, at least 0.
    pub fn weigh(&mut self, index: usize, weight: f64) {
        debug_assert!(weight >= 0.0 && weight.is_finite());
        self.matches[index].weight = weight;
    }

    pub(super) fn bend(&self, basis: &Basis, coefficients: &[f64]) -> Bend {
        let (features, bowl) = (self.features, basis.shape().bowl);
        let mut bend = bend_of_prior(basis, coefficients);
        let lines = self.differences.chunks_exact(features);
        for (line, it) in lines.zip(&self.matches) {
            let (points, games) = (it.weight * it.score, it.weight * it.games);
            if games == 0.0 {
                continue;
            }
            let difference = dot(line, coefficients) + bowl * it.inner;
            // ln(1 + exp(-|d|)) and the probability of the weaker side share an exponential that
            // cannot overflow.
            let small = libm::exp(-difference.abs());
            let weaker = small / (1.0 + small);
            let score = if difference < 0.0 {
                weaker
            } else {
                1.0 - weaker
            };
            let lost = libm::log1p(small);
            let ln_win = difference.min(0.0) - lost;
            let ln_loss = (-difference).min(0.0) - lost;
            bend.log_posterior += points * ln_win + (games - points) * ln_loss;
            let surplus = points - games * score;
            let certainty = games * weaker * (1.0 - weaker);
            for (row, &feature) in line.iter().enumerate() {
                bend.gradient[row] += surplus * feature;
                let factor = certainty * feature;
                let target = &mut bend.curvature[row * features..=row * features + row];
                for (entry, other) in target.iter_mut().zip(line) {
                    *entry += factor * other;
                }
            }
        }
        bend
    }
}

fn bend_of_prior(basis: &Basis, coefficients: &[f64]) -> Bend {
    let features = coefficients.len();
    let mut curvature = vec![0.0; features * features];
    let mut log_posterior = 0.0;
    let mut gradient = Vec::with_capacity(features);
    for (feature, (variance, value)) in basis.variances().iter().zip(coefficients).enumerate() {
        curvature[feature * features + feature] = 1.0 / variance;
        log_posterior -= 0.5 * value * value / variance;
        gradient.push(-value / variance);
    }
    Bend {
        log_posterior,
        gradient,
        curvature,
    }
}
