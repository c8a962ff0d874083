//! Sequential tests of matches: the generalised sequential probability ratio test.
//!
//! The log-likelihood ratio compares the most likely law of the observations whose strength is
//! exactly the upper bound with the most likely one at the lower bound (M. Van den Bergh, "A
//! practical introduction to the GSPRT"; the iteration for normalised Elo is the one of fishtest's
//! statistics). Both are exponential tilts of the observed law, found by a one-dimensional root.

use super::counts::{Pentanomial, Wdl};
use super::elo::{NELO_PER_SIGMA, score_of_elo};
use super::law::Law;

/// Rounds of the fixed-point iteration of the normalised model, and the change of a probability
/// at which it ends early.
const MAX_ITERATIONS: usize = 10;
const CONVERGED: f64 = 1e-9;

/// Halvings of the root's bracket: more than the bits of a double's fraction.
const MAX_HALVINGS: usize = 128;

/// Bounds wider than this are refused, in Elo: their laws are beyond any match worth testing.
const MAX_BOUND: f64 = 200.0;

/// Unit of the bounds of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EloModel {
    /// Logistic Elo: the mean score is tested.
    Logistic,
    /// Normalised Elo: the mean in standard deviations of a game is tested.
    Normalized,
}

/// A sequential test: which strengths it tells apart, and how often it may err.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Limits of the log-likelihood ratio: the test ends when it leaves them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtBounds {
    /// At or below: H0 is accepted.
    pub lower: f64,
    /// At or above: H1 is accepted.
    pub upper: f64,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtState {
    /// More games are needed.
    Continue,
    /// The strength is at most the lower bound.
    AcceptH0,
    /// The strength is at least the upper bound.
    AcceptH1,
}

/// A test that makes no sense.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// Bounds out of order or out of range.
    #[error("bounds [{elo0}, {elo1}]: the first must be below the second, both within ±200 Elo")]
    Bounds {
        /// Lower bound, in Elo.
        elo0: f64,
        /// Upper bound, in Elo.
        elo1: f64,
    },
    /// An error rate that is none.
    #[error("{key} = {value}: an error rate must be above 0 and below 0.5")]
    ErrorRate {
        /// `alpha` or `beta`.
        key: &'static str,
        /// Its value.
        value: f64,
    },
}

impl SprtBounds {
    /// Wald's limits for the error rates `alpha` (accepting H1 wrongly) and `beta` (accepting H0
    /// wrongly), both in (0, 0.5).
    pub fn from_error_rates(alpha: f64, beta: f64) -> Self {
        Self {
            lower: libm::log(beta / (1.0 - alpha)),
            upper: libm::log((1.0 - beta) / alpha),
        }
    }

    /// What the test says at a log-likelihood ratio.
    pub fn state(&self, llr: f64) -> SprtState {
        if llr >= self.upper {
            SprtState::AcceptH1
        } else if llr <= self.lower {
            SprtState::AcceptH0
        } else {
            SprtState::Continue
        }
    }
}

impl Sprt {
    /// A test of H1 "at least `elo1`" against H0 "at most `elo0`".
    ///
    /// # Errors
    /// Bounds out of order or beyond ±200, error rates outside (0, 0.5).
    pub fn new(
        model: EloModel,
        [elo0, elo1]: [f64; 2],
        alpha: f64,
        beta: f64,
    ) -> Result<Self, SprtError> {
        let in_range = elo0.abs() <= MAX_BOUND && elo1.abs() <= MAX_BOUND;
        if !(in_range && elo0 < elo1) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { key, value });
            }
        }
        Ok(Self {
            model,
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// Unit of the bounds.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// Bounds of the test, in Elo of its model.
    pub fn elo_bounds(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// Error rates: of accepting H1 wrongly, of accepting H0 wrongly.
    pub fn error_rates(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// Limits of the log-likelihood ratio.
    pub fn bounds(&self) -> SprtBounds {
        SprtBounds::from_error_rates(self.alpha, self.beta)
    }

    /// Log-likelihood ratio of game pairs; 0 for an empty match.
    pub fn llr_of_pairs(&self, counts: &Pentanomial) -> f64 {
        if counts.pairs() == 0 {
            return 0.0;
        }
        self.llr(&counts.law())
    }

    /// Log-likelihood ratio of single games; 0 for an empty match.
    pub fn llr_of_games(&self, counts: &Wdl) -> f64 {
        if counts.games() == 0 {
            return 0.0;
        }
        self.llr(&counts.law())
    }

    /// Where the test stands after these game pairs.
    pub fn state_of_pairs(&self, counts: &Pentanomial) -> SprtState {
        self.bounds().state(self.llr_of_pairs(counts))
    }

    /// Where the test stands after these single games.
    pub fn state_of_games(&self, counts: &Wdl) -> SprtState {
        self.bounds().state(self.llr_of_games(counts))
    }

    /// Means of an observation less one half, in its standard deviations, at the two bounds. In the
    /// logistic model the deviation is the law's.
    pub(super) fn ratios<const K: usize>(&self, law: &Law<K>) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => (score_of_elo(elo) - 0.5) / law.variance().sqrt(),
            EloModel::Normalized => law.games_per_observation.sqrt() * elo / NELO_PER_SIGMA,
        })
    }

    /// The law nearest to this one whose mean is so many standard deviations above one half: in the
    /// logistic model deviations of the law that it was.
    pub(super) fn moved<const K: usize>(&self, law: &Law<K>, ratio: f64) -> Law<K> {
        law.with(match self.model {
            EloModel::Logistic => with_mean(law, 0.5 + ratio * law.variance().sqrt()),
            EloModel::Normalized => with_ratio(law, ratio),
        })
    }

    pub(super) fn llr<const K: usize>(&self, law: &Law<K>) -> f64 {
        let most_likely = |elo| match self.model {
            EloModel::Logistic => with_mean(law, score_of_elo(elo)),
            EloModel::Normalized => {
                let game_ratio = elo / NELO_PER_SIGMA;
                with_ratio(law, law.games_per_observation.sqrt() * game_ratio)
            }
        };
        let (law0, law1) = (most_likely(self.elo0), most_likely(self.elo1));
        let mut sum = 0.0;
        for (index, &probability) in law.probabilities.iter().enumerate() {
            sum += probability * libm::log(law1[index] / law0[index]);
        }
        law.observations * sum
    }
}

/// Probabilities of the most likely law with mean `mean`.
fn with_mean<const K: usize>(law: &Law<K>, mean: f64) -> [f64; K] {
    let deviations = law.values.map(|value| value - mean);
    // Bounds within ±200 Elo keep the mean inside (0, 1), so there always is such a law.
    tilted(law, &deviations).unwrap_or(law.probabilities)
}

/// Probabilities of the most likely law whose mean is `ratio` standard deviations of an
/// observation above one half. The side condition depends on the law itself: each iteration
/// linearises it around the current one, starting from the uniform law.
fn with_ratio<const K: usize>(law: &Law<K>, ratio: f64) -> [f64; K] {
    let mut current = [1.0 / K as f64; K];
    for _ in 0..MAX_ITERATIONS {
        let around = law.with(current);
        let mean = around.mean();
        let sigma = around.variance().sqrt();
        let deviations = law.values.map(|value| {
            let z = (mean - value) / sigma;
            value - 0.5 - ratio * sigma * (1.0 + z * z) / 2.0
        });
        // No tilt has the asked for mean: only for laws far beyond the allowed bounds.
        let Some(next) = tilted(law, &deviations) else {
            break;
        };
        let change = current
            .iter()
            .zip(&next)
            .map(|(before, after)| (before - after).abs())
            .fold(0.0, f64::max);
        current = next;
        if change < CONVERGED {
            break;
        }
    }
    current
}

/// The law p_i / (1 + x d_i) in which the deviations d_i have mean zero; none when all deviations
/// have one sign.
fn tilted<const K: usize>(law: &Law<K>, deviations: &[f64; K]) -> Option<[f64; K]> {
    let largest = deviations.iter().copied().fold(f64::MIN, f64::max);
    let smallest = deviations.iter().copied().fold(f64::MAX, f64::min);
    if !(largest > 0.0 && smallest < 0.0) {
        return None;
    }
    let mean_under = |x: f64| -> f64 {
        law.probabilities
            .iter()
            .zip(deviations)
            .map(|(probability, deviation)| probability * deviation / (1.0 + x * deviation))
            .sum()
    };
    // Between the two poles the mean falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..MAX_HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if mean_under(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    Some(std::array::from_fn(|index| {
        law.probabilities[index] / (1.0 + x * deviations[index])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(model: EloModel, bounds: [f64; 2]) -> Sprt {
        Sprt::new(model, bounds, 0.05, 0.05).unwrap()
    }

    #[test]
    fn limits_are_walds() {
        let bounds = SprtBounds::from_error_rates(0.05, 0.05);
        assert!((bounds.upper - 2.944_438_979).abs() < 1e-8);
        assert!((bounds.lower + 2.944_438_979).abs() < 1e-8);
        let uneven = SprtBounds::from_error_rates(0.01, 0.1);
        assert!((uneven.upper - libm::log(90.0)).abs() < 1e-12);
        assert!((uneven.lower - libm::log(0.1 / 0.99)).abs() < 1e-12);
        assert_eq!(bounds.state(0.0), SprtState::Continue);
        assert_eq!(bounds.state(3.0), SprtState::AcceptH1);
        assert_eq!(bounds.state(-3.0), SprtState::AcceptH0);
    }

    #[test]
    fn senseless_tests_are_refused_with_the_reason() {
        let refused = |bounds, alpha, beta| {
            Sprt::new(EloModel::Normalized, bounds, alpha, beta)
                .unwrap_err()
                .to_string()
        };
        assert!(refused([5.0, 5.0], 0.05, 0.05).contains("[5, 5]"));
        assert!(refused([0.0, f64::NAN], 0.05, 0.05).contains("NaN"));
        assert!(refused([0.0, 500.0], 0.05, 0.05).contains("±200"));
        assert!(refused([0.0, 5.0], 0.0, 0.05).contains("alpha = 0"));
        assert!(refused([0.0, 5.0], 0.05, 0.5).contains("beta = 0.5"));
    }

    #[test]
    fn an_empty_match_decides_nothing() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let test = test(model, [0.0, 20.0]);
            assert_eq!(test.llr_of_pairs(&Pentanomial::default()), 0.0);
            assert_eq!(test.llr_of_games(&Wdl::default()), 0.0);
            assert_eq!(
                test.state_of_pairs(&Pentanomial::default()),
                SprtState::Continue
            );
        }
    }

    #[test]
    fn one_sided_matches_stay_finite_and_point_the_right_way() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            for bounds in [[0.0, 20.0], [-200.0, 200.0], [190.0, 200.0]] {
                let test = test(model, bounds);
                for size in [1, 10, 100_000] {
                    let won = test.llr_of_pairs(&Pentanomial([0, 0, 0, 0, size]));
                    let lost = test.llr_of_pairs(&Pentanomial([size, 0, 0, 0, 0]));
                    assert!(won.is_finite() && won > 0.0, "{model:?} {bounds:?} {won}");
                    assert!(
                        lost.is_finite() && lost < 0.0,
                        "{model:?} {bounds:?} {lost}"
                    );
                }
            }
        }
    }

    #[test]
    fn games_follow_the_normal_approximation() {
        // LLR is near N (s1 - s0) (2 mu - s0 - s1) / (2 V) for close bounds.
        let wdl = Wdl {
            wins: 5_300,
            draws: 0,
            losses: 4_700,
        };
        let [s0, s1] = [0.0, 10.0].map(score_of_elo);
        let variance = 0.53 * 0.47;
        let near = 10_000.0 * (s1 - s0) * (2.0 * 0.53 - s0 - s1) / (2.0 * variance);
        let logistic = test(EloModel::Logistic, [0.0, 10.0]).llr_of_games(&wdl);
        assert!((logistic - near).abs() < 0.01 * near, "{logistic} {near}");
        // Without draws and near equality the models agree.
        let normalized = test(EloModel::Normalized, [0.0, 10.0]).llr_of_games(&wdl);
        assert!((normalized - logistic).abs() < 0.02 * logistic);
        assert_eq!(
            test(EloModel::Logistic, [0.0, 10.0]).state_of_games(&wdl),
            SprtState::AcceptH1
        );
    }

    #[test]
    fn swapping_the_sides_negates_under_mirrored_bounds() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let forward = test(model, [-5.0, 15.0]);
            let backward = test(model, [-15.0, 5.0]);
            let a = forward.llr_of_pairs(&Pentanomial([3, 8, 40, 12, 9]));
            let b = backward.llr_of_pairs(&Pentanomial([9, 12, 40, 8, 3]));
            assert!((a + b).abs() < 1e-9, "{model:?} {a} {b}");
        }
    }
}
