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

/// The log posterior at some coefficients.
pub(super) struct Slope {
    pub(super) log_posterior: f64,
    pub(super) gradient: Vec<f64>,
    /// How much the surface would bend with each match: games times the variance of a game.
    certainties: Vec<f64>,
}

/// Matches that are added to the curvature at once: an entry is read and written once for all.
const AT_ONCE: usize = 4;

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

    pub(super) fn slope(&self, basis: &Basis, coefficients: &[f64]) -> Slope {
        let (features, bowl) = (self.features, basis.shape().bowl);
        let mut slope = slope_of_prior(basis, coefficients, self.matches.len());
        let lines = self.differences.chunks_exact(features);
        for (line, it) in lines.zip(&self.matches) {
            let (points, games) = (it.weight * it.score, it.weight * it.games);
            if games == 0.0 {
                slope.certainties.push(0.0);
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
            slope.log_posterior += points * ln_win + (games - points) * ln_loss;
            slope.certainties.push(games * weaker * (1.0 - weaker));
            let surplus = points - games * score;
            for (entry, &feature) in slope.gradient.iter_mut().zip(line) {
                *entry += surplus * feature;
            }
        }
        slope
    }

    /// Matches that it has.
    pub(super) fn len(&self) -> usize {
        self.matches.len()
    }

    /// Adds to `curvature` what the matches from `from` on bend the log posterior by where `slope`
    /// was taken: negative second derivatives, row by row, of which the lower triangle is written.
    pub(super) fn bend(&self, curvature: &mut [f64], slope: &Slope, from: usize) {
        let features = self.features;
        let lines = self.differences[from * features..].chunks(AT_ONCE * features);
        for (lines, certainties) in lines.zip(slope.certainties[from..].chunks(AT_ONCE)) {
            let [a, b, c, d] = certainties else {
                for (line, certainty) in lines.chunks_exact(features).zip(certainties) {
                    add_square(curvature, line, *certainty);
                }
                continue;
            };
            let line = |number: usize| &lines[number * features..(number + 1) * features];
            let [one, two, three, four] = [line(0), line(1), line(2), line(3)];
            for row in 0..features {
                let factors = [a * one[row], b * two[row], c * three[row], d * four[row]];
                let target = &mut curvature[row * features..=row * features + row];
                let others = one.iter().zip(two).zip(three.iter().zip(four));
                for (entry, ((one, two), (three, four))) in target.iter_mut().zip(others) {
                    *entry += (factors[0] * one + factors[1] * two)
                        + (factors[2] * three + factors[3] * four);
                }
            }
        }
    }
}

fn add_square(curvature: &mut [f64], line: &[f64], certainty: f64) {
    for (row, &feature) in line.iter().enumerate() {
        let target = &mut curvature[row * line.len()..=row * line.len() + row];
        for (entry, other) in target.iter_mut().zip(line) {
            *entry += certainty * feature * other;
        }
    }
}

fn slope_of_prior(basis: &Basis, coefficients: &[f64], matches: usize) -> Slope {
    let mut log_posterior = 0.0;
    let mut gradient = Vec::with_capacity(coefficients.len());
    for (variance, value) in basis.variances().iter().zip(coefficients) {
        log_posterior -= 0.5 * value * value / variance;
        gradient.push(-value / variance);
    }
    Slope {
        log_posterior,
        gradient,
        certainties: Vec::with_capacity(matches),
    }
}
