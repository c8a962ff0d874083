//! The fit: Newton's method on a concave function.

use super::cholesky::{Cholesky, dot};
use super::{Basis, ELO_PER_LOGIT, Row, Surface};

/// Largest change of a coefficient in one iteration, in logits. From far out the quadratic model of
/// saturated games is worthless.
const STEP_MAX: f64 = 5.0;
/// An iteration that can gain less than this much log posterior is the last.
const GAIN_MIN: f64 = 1e-9;
/// More than any fit has needed; reaching it leaves a fit a little short of its maximum.
const ITERATIONS_MAX: u32 = 100;
/// A step is halved so often before the maximum counts as found to the last digit.
const HALVINGS_MAX: u32 = 40;

/// What the games say: the most probable surface and how far it may be off.
#[derive(Clone, Debug)]
pub struct Fit {
    surface: Surface,
    /// Factor of the negative second derivatives of the log posterior at its maximum: the
    /// precision of the coefficients in Laplace's approximation.
    precision: Cholesky,
    log_posterior: f64,
    iterations: u32,
}

/// Difference between two vectors, in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Elo of the first over the second.
    pub elo: f64,
    /// Standard deviation of `elo`.
    pub deviation: f64,
}

/// The most probable surface for `rows`: the maximum of
/// sum w (s ln p + (m - s) ln(1 - p)) - sum beta² / (2 v) over the coefficients. `warm` are
/// coefficients to start from, such as those of the last fit; they change the number of iterations
/// and the last digits of the result.
///
/// The maximum exists for all rows, also when one side won every game, and for no rows. Scores may
/// be fractions of a game: then it is a quasi-likelihood.
///
/// Preconditions: numbers of rows finite and in their ranges; `warm` one a feature.
pub fn fit(basis: &Basis, rows: &[Row], warm: Option<&[f64]>) -> Fit {
    let games = Games::new(basis, rows);
    let features = basis.features();
    let mut coefficients = warm.map_or_else(|| vec![0.0; features], <[f64]>::to_vec);
    assert_eq!(coefficients.len(), features);
    let mut here = games.bend(basis, &coefficients);
    let mut iterations = 0;
    let precision = loop {
        let precision = Cholesky::floored(here.curvature.clone(), &games.floors);
        let mut step = here.gradient.clone();
        precision.solve(&mut step);
        let gain = 0.5 * dot(&step, &here.gradient);
        if gain < GAIN_MIN || iterations == ITERATIONS_MAX {
            break precision;
        }
        iterations += 1;
        let longest = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
        let mut share = (STEP_MAX / longest).min(1.0);
        let mut better = None;
        for _ in 0..HALVINGS_MAX {
            let moved = coefficients.iter().zip(&step);
            let moved: Vec<f64> = moved.map(|(value, by)| value + share * by).collect();
            let there = games.bend(basis, &moved);
            if there.log_posterior > here.log_posterior {
                better = Some((moved, there));
                break;
            }
            share *= 0.5;
        }
        match better {
            Some(better) => (coefficients, here) = better,
            None => break precision,
        }
    };
    Fit {
        surface: Surface::new(basis.clone(), coefficients),
        precision,
        log_posterior: here.log_posterior,
        iterations,
    }
}

/// The rows as the fit sees them: differences of features.
struct Games {
    /// Features of A less those of B, row by row.
    differences: Vec<f64>,
    /// Weighted points of A, and weighted games.
    counts: Vec<[f64; 2]>,
    /// Prior precisions.
    floors: Vec<f64>,
}

/// The log posterior around some coefficients.
struct Bend {
    log_posterior: f64,
    gradient: Vec<f64>,
    /// Negative second derivatives; the lower triangle.
    curvature: Vec<f64>,
}

impl Games {
    fn new(basis: &Basis, rows: &[Row]) -> Self {
        let features = basis.features();
        let mut differences = vec![0.0; rows.len() * features];
        let mut z = basis.scratch();
        for (row, line) in rows.iter().zip(differences.chunks_mut(features)) {
            debug_assert!(row.games >= 0.0 && (0.0..=row.games).contains(&row.score));
            debug_assert!(row.weight >= 0.0 && row.weight.is_finite());
            basis.evaluate(&row.a, &mut z, |feature, value| line[feature] = value);
            basis.evaluate(&row.b, &mut z, |feature, value| line[feature] -= value);
        }
        let counts = rows.iter();
        Self {
            differences,
            counts: counts
                .map(|row| [row.weight * row.score, row.weight * row.games])
                .collect(),
            floors: basis.variances().iter().map(|v| 1.0 / v).collect(),
        }
    }

    fn bend(&self, basis: &Basis, coefficients: &[f64]) -> Bend {
        let features = basis.features();
        let mut bend = self.bend_of_prior(coefficients);
        let lines = self.differences.chunks_exact(features);
        for (line, [points, games]) in lines.zip(&self.counts) {
            let difference = dot(line, coefficients);
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

    fn bend_of_prior(&self, coefficients: &[f64]) -> Bend {
        let features = coefficients.len();
        let mut curvature = vec![0.0; features * features];
        let mut log_posterior = 0.0;
        let mut gradient = Vec::with_capacity(features);
        for (feature, (&precision, value)) in self.floors.iter().zip(coefficients).enumerate() {
            curvature[feature * features + feature] = precision;
            log_posterior -= 0.5 * precision * value * value;
            gradient.push(-precision * value);
        }
        Bend {
            log_posterior,
            gradient,
            curvature,
        }
    }
}

impl Fit {
    /// The most probable surface.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Its coefficients, to start the next fit from.
    pub fn coefficients(&self) -> &[f64] {
        self.surface.coefficients()
    }

    /// Newton iterations that the fit took.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The evidence: natural logarithm of the probability of the rows' scores, given their games,
    /// under this basis and its prior, in Laplace's approximation and without the binomial
    /// coefficients, which are the same for every basis.
    pub fn log_evidence(&self) -> f64 {
        let variances = self.surface.basis().variances().iter();
        let ln_variances: f64 = variances.map(|variance| libm::log(*variance)).sum();
        self.log_posterior - 0.5 * (ln_variances + self.precision.ln_determinant())
    }

    /// Elo of a point over the centre.
    pub fn elo(&self, unit: &[f64]) -> f64 {
        self.surface.elo(unit)
    }

    /// How much stronger A is than B, and how sure that is.
    pub fn difference(&self, a: &[f64], b: &[f64]) -> Difference {
        let basis = self.surface.basis();
        let mut features = vec![0.0; basis.features()];
        let mut z = basis.scratch();
        basis.evaluate(a, &mut z, |feature, value| features[feature] = value);
        basis.evaluate(b, &mut z, |feature, value| features[feature] -= value);
        let logits = dot(&features, self.coefficients());
        self.precision.solve_lower(&mut features);
        Difference {
            elo: logits * ELO_PER_LOGIT,
            deviation: dot(&features, &features).sqrt() * ELO_PER_LOGIT,
        }
    }

    /// The surface that standard normal numbers, one a feature, draw from the posterior.
    pub fn drawn(&self, normals: &[f64]) -> Surface {
        assert_eq!(normals.len(), self.precision.size());
        let mut coefficients = normals.to_vec();
        self.precision.solve_upper(&mut coefficients);
        for (value, mean) in coefficients.iter_mut().zip(self.coefficients()) {
            *value += mean;
        }
        Surface::new(self.surface.basis().clone(), coefficients)
    }
}

#[cfg(test)]
#[path = "fit_tests.rs"]
mod tests;
