//! The fit: Newton's method on a concave function.

use super::cholesky::{Cholesky, dot};
use super::curvature::Curvature;
use super::design::Slope;
use super::{Basis, Design, ELO_PER_LOGIT, Row, Surface};

/// Largest change of a coefficient in one iteration, in logits. From far out the quadratic model of
/// saturated games is worthless.
const STEP_MAX: f64 = 5.0;
/// An iteration that can gain less than this much log posterior is the last.
const GAIN_MIN: f64 = 1e-9;
const GAIN_MIN_NEARLY: f64 = 1e-4;
/// The second derivatives of a point are used until a step promises more than this share of what
/// the one before promised: steps of Newton's method cost the more, the more features there are.
const SLOW: f64 = 0.1;
/// Log posterior that steps may have gained since the second derivatives were taken that stand for
/// those at the maximum.
const MOVED_MAX: f64 = 1e-4;
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
/// sum w (s ln p + (m - s) ln(1 - p)) - sum beta² / (2 v) over the coefficients. `warm`
/// are coefficients to start from, such as those of the last fit; they change the number of
/// iterations and the last digits of the result.
///
/// The maximum exists for all rows, also when one side won every game, and for no rows. Scores may
/// be fractions of a game: then it is a quasi-likelihood.
///
/// Preconditions: numbers of rows finite and in their ranges; `warm` one a feature.
pub fn fit(basis: &Basis, rows: &[Row], warm: Option<&[f64]>) -> Fit {
    fit_design(basis, &Design::of(basis, rows), warm)
}

/// As [`fit`], for matches whose features are known already: many fits of the same matches, or of
/// a growing number of them, cost that much less.
///
/// Precondition: the design is of a basis with the same features, centre and window; bowl and
/// variances do not matter.
pub fn fit_design(basis: &Basis, design: &Design, warm: Option<&[f64]>) -> Fit {
    let wanted = Wanted {
        gain_min: GAIN_MIN,
        moved_max: MOVED_MAX,
    };
    climbed(basis, design, warm, &mut Curvature::default(), wanted)
}

/// As [`fit_design`], with second derivatives that were taken before and are kept for the next fit:
/// they are taken anew only where the way to the maximum is long with them. Coefficients and
/// precision may be a little off the most probable ones (a seventieth of a standard deviation):
/// good enough for draws and differences, and cheaper.
///
/// Precondition: `curvature` is of the first matches of the design, under any prior.
pub fn fit_nearly(
    basis: &Basis,
    design: &Design,
    warm: Option<&[f64]>,
    curvature: &mut Curvature,
) -> Fit {
    let wanted = Wanted {
        gain_min: GAIN_MIN_NEARLY,
        moved_max: f64::INFINITY,
    };
    climbed(basis, design, warm, curvature, wanted)
}

/// How near to the maximum a fit has to come.
#[derive(Clone, Copy)]
struct Wanted {
    /// Log posterior that another step would gain.
    gain_min: f64,
    /// Log posterior that was gained since the second derivatives were taken.
    moved_max: f64,
}

fn climbed(
    basis: &Basis,
    design: &Design,
    warm: Option<&[f64]>,
    curvature: &mut Curvature,
    wanted: Wanted,
) -> Fit {
    let mut coefficients = warm.map_or_else(|| vec![0.0; basis.features()], <[f64]>::to_vec);
    assert_eq!(coefficients.len(), basis.features());
    let mut here = design.slope(basis, &coefficients);
    let mut is_fresh = curvature.is_empty();
    curvature.extend(basis, design, &here);
    let mut precision = curvature.precision(basis);
    let mut iterations = 0;
    // What the steps promised since the precision was taken, and what the last one did.
    let (mut moved, mut promised) = (0.0, f64::INFINITY);
    loop {
        let mut step = here.gradient.clone();
        precision.solve(&mut step);
        let gain = 0.5 * dot(&step, &here.gradient);
        if gain < wanted.gain_min || iterations == ITERATIONS_MAX {
            break;
        }
        let next = (is_fresh || gain < SLOW * promised)
            .then(|| step_along(basis, design, &coefficients, &here, &step));
        match next.flatten() {
            Some(next) => {
                (coefficients, here) = next;
                (moved, promised) = (moved + gain, gain);
                is_fresh = false;
                iterations += 1;
            }
            None if is_fresh => break,
            None => {
                precision = curvature.renewed(basis, design, &here);
                (moved, promised) = (0.0, f64::INFINITY);
                is_fresh = true;
            }
        }
    }
    if moved > wanted.moved_max {
        precision = curvature.renewed(basis, design, &here);
    }
    Fit {
        surface: Surface::new(basis.clone(), coefficients),
        precision,
        log_posterior: here.log_posterior,
        iterations,
    }
}

/// The first of the step, its half, its quarter... that gains.
fn step_along(
    basis: &Basis,
    design: &Design,
    from: &[f64],
    here: &Slope,
    step: &[f64],
) -> Option<(Vec<f64>, Slope)> {
    let longest = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
    let mut share = (STEP_MAX / longest).min(1.0);
    for _ in 0..HALVINGS_MAX {
        let moved = from.iter().zip(step);
        let moved: Vec<f64> = moved.map(|(value, by)| value + share * by).collect();
        let there = design.slope(basis, &moved);
        if there.log_posterior > here.log_posterior {
            return Some((moved, there));
        }
        share *= 0.5;
    }
    None
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

    /// Steps that the fit took.
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
        self.precision.solve_lower(&mut features);
        Difference {
            elo: self.elo(a) - self.elo(b),
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
