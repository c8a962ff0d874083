//! Strength from the games of a sequential test, corrected for where it stopped.
//!
//! A test that accepts stops where its games happen to look best, so their score overstates the
//! strength, and the usual interval is centred on it. The outcome as a whole (when the test
//! stopped, where, how far) has a known law for every strength ([`super::stopped`]): the estimate
//! is the strength at which half of all tests would end worse and half better, and the 95 %
//! interval holds the strengths at which the outcome is not among the 2.5 % at either end. (The
//! method of fishtest's sequential statistics by M. Van den Bergh; here with an exact account of
//! looks after batches. One look gives the estimate of a fixed number of games, as it must.)
//!
//! Two approximations: the sum of a batch's observations is normal, and their deviation is the
//! one that was observed.

use super::brownian::Strip;
use super::counts::{Pentanomial, Wdl};
use super::elo::{NELO_PER_SIGMA, elo_of_score};
use super::law::Law;
use super::limits::Limits;
use super::sprt::{EloModel, Sprt, SprtBounds};
use super::stopped::{End, Looks, OutcomeLaw};

/// Shares of tests that end at most so well at the low end of the interval, at the estimate, and
/// at the high end.
const SHARES: [f64; 3] = [0.975, 0.5, 0.025];

/// A last step this much larger than the mean one, in standard deviations, is none of a test that
/// stopped in time.
const LEAP: f64 = 6.0;

/// Equal sides that are further from what was seen, in standard errors, make other walks that
/// have to be followed for themselves.
const FAR: f64 = 6.0;

/// Precision of an estimate, in standard errors.
const PRECISION: f64 = 1e-5;

/// More than enough halvings, or doublings, for any estimate.
const TRIES: usize = 200;

/// Strength from the games of a sequential test, median-unbiased, with intervals that hold the
/// true strength in 95 % of tests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CorrectedElo {
    /// Logistic Elo.
    pub elo: f64,
    /// Its 95 % interval.
    pub elo_95: [f64; 2],
    /// Normalised Elo.
    pub nelo: f64,
    /// Its 95 % interval.
    pub nelo_95: [f64; 2],
    /// Likelihood of superiority: the probability in [0, 1] that the test of equal sides would
    /// have ended at most so well.
    pub los: f64,
}

/// Why the games of a test give no corrected strength.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum NoCorrection {
    /// Nothing was played.
    #[error("no games")]
    Empty,
    /// The spread of the observations is unknown.
    #[error(
        "every {observation} scored {:.0} %: no variance, so no interval", 100.0 * score
    )]
    NoVariance {
        /// Points per game in [0, 1].
        score: f64,
        /// `pair` or `game`.
        observation: &'static str,
    },
    /// The test was decided long before its last game.
    #[error(
        "the LLR of {llr:.2} is further beyond its limit of {limit:.2} than one look can lead: \
         these games were not stopped by this test"
    )]
    RanOn {
        /// Log-likelihood ratio.
        llr: f64,
        /// The limit that it has passed.
        limit: f64,
    },
    /// The limits of the log-likelihood ratio are not those of a walk that could be followed.
    #[error(
        "bounds [{}, {}] are so far from these games that the LLR of {llr:.2} is not near the one \
         of a sum of their results: there is no corrected estimate here", bounds[0], bounds[1]
    )]
    Distant {
        /// Log-likelihood ratio.
        llr: f64,
        /// Bounds of the test, in Elo of its model.
        bounds: [f64; 2],
    },
}

impl Sprt {
    /// Corrected strength from the game pairs of this test, whether it was decided or not.
    ///
    /// # Errors
    /// See [`NoCorrection`].
    pub fn corrected_of_pairs(
        &self,
        counts: &Pentanomial,
        looks: Looks,
    ) -> Result<CorrectedElo, NoCorrection> {
        let score = counts.score().ok_or(NoCorrection::Empty)?;
        if counts.is_without_variance() {
            let observation = "pair";
            return Err(NoCorrection::NoVariance { score, observation });
        }
        let llr = self.llr_of_pairs(counts);
        self.corrected(&counts.law(), counts.pairs(), llr, looks)
    }

    /// Corrected strength from the single games of this test; looks are counted in games.
    ///
    /// # Errors
    /// See [`NoCorrection`].
    pub fn corrected_of_games(
        &self,
        counts: &Wdl,
        looks: Looks,
    ) -> Result<CorrectedElo, NoCorrection> {
        let score = counts.score().ok_or(NoCorrection::Empty)?;
        if counts.is_without_variance() {
            let observation = "game";
            return Err(NoCorrection::NoVariance { score, observation });
        }
        let llr = self.llr_of_games(counts);
        self.corrected(&counts.law(), counts.games(), llr, looks)
    }

    fn corrected<const K: usize>(
        &self,
        law: &Law<K>,
        observations: u64,
        llr: f64,
        looks: Looks,
    ) -> Result<CorrectedElo, NoCorrection> {
        let deviation = law.variance().sqrt();
        let [low, high] = self.ratios(law);
        let middle = 0.5 * (low + high);
        let number = observations as f64;
        let seen = (law.mean() - 0.5) / deviation;
        let spread = ratio_spread(law, seen);
        // What the test is about spreads so much an observation: the unit of the walk.
        let unit = match self.model() {
            EloModel::Normalized => spread,
            EloModel::Logistic => 1.0,
        };
        let drift = (seen - middle) / unit;
        if let Some(limit) = self.has_run_on(law, [middle, unit], observations, looks) {
            return Err(NoCorrection::RanOn { llr, limit });
        }
        let SprtBounds { lower, upper } = self.bounds();
        let half_distance = 0.5 * (high - low) / unit;
        let limits = Limits::fitted(Strip { lower, upper }, half_distance, number, drift, llr);
        let bounds = self.elo_bounds();
        let end = End {
            limits: limits.ok_or(NoCorrection::Distant { llr, bounds })?,
            looks,
            observations,
            value: number * drift,
        };
        let outcomes = OutcomeLaw::new(end, drift);
        let error = 1.0 / number.sqrt();
        let drifts = SHARES.map(|share| drift_of_share(&outcomes, share, drift, error));
        let [low, estimate, high] = drifts;
        let nelo = |at: f64| {
            let ratio = middle + unit * estimate + spread * (at - estimate);
            ratio / law.games_per_observation.sqrt() * NELO_PER_SIGMA
        };
        let elo = |at: f64| elo_of_score(law.mean() + (at - drift) * deviation);
        // Between equal sides the ratio of mean and deviation spreads as the mean alone.
        let equal = drift - seen;
        Ok(CorrectedElo {
            elo: elo(estimate),
            elo_95: [elo(low), elo(high)],
            nelo: nelo(estimate),
            nelo_95: [nelo(low), nelo(high)],
            los: if seen.abs() < FAR * error {
                outcomes.at_most(equal)
            } else {
                OutcomeLaw::new(end, equal).at_most(equal)
            },
        })
    }

    /// The limit beyond which the test already was at the look before the last one, whatever the
    /// last step: by the log-likelihood ratio of the observed law, moved back to where it can have
    /// been.
    fn has_run_on<const K: usize>(
        &self,
        law: &Law<K>,
        [middle, unit]: [f64; 2],
        observations: u64,
        looks: Looks,
    ) -> Option<f64> {
        let before = looks.last_before(observations)?;
        let step = (observations - before) as f64;
        let seen = (law.mean() - 0.5) / law.variance().sqrt();
        let value = (seen - middle) / unit * before as f64;
        // The mean step, and what it can have been more.
        let earlier = value.abs() - LEAP * step.sqrt();
        if earlier <= 0.0 {
            return None;
        }
        let earlier = earlier.copysign(value) / before as f64;
        let back = law.with_observations(before as f64);
        // A ratio that rises and then falls with the strength is least at one of the ends.
        let llrs = [
            self.llr(&back),
            self.llr(&self.moved(&back, middle + unit * earlier)),
        ];
        let limits = self.bounds();
        [limits.lower, limits.upper]
            .into_iter()
            .find(|limit| llrs.iter().all(|llr| llr / limit >= 1.0))
    }
}

/// Standard deviation of an observed ratio of mean and deviation, over what it would be with a
/// known deviation: sqrt(1 - t skewness + t^2 (kurtosis - 1) / 4), by the delta method.
fn ratio_spread<const K: usize>(law: &Law<K>, ratio: f64) -> f64 {
    let (skewness, kurtosis) = law.shape();
    let variance = 1.0 - ratio * skewness + 0.25 * ratio * ratio * (kurtosis - 1.0);
    variance.max(0.0).sqrt()
}

/// The drift at which this share of tests ends at most so well as the one that was.
fn drift_of_share(outcomes: &OutcomeLaw, share: f64, near: f64, error: f64) -> f64 {
    let excess = |drift: f64| outcomes.at_most(drift) - share;
    let (mut low, mut high) = (near - error, near + error);
    let mut width = error;
    let mut tries = 0;
    while excess(low) < 0.0 && tries < TRIES {
        width *= 2.0;
        (low, high) = (low - width, low);
        tries += 1;
    }
    while excess(high) > 0.0 && tries < TRIES {
        width *= 2.0;
        (low, high) = (high, high + width);
        tries += 1;
    }
    falling_root(excess, low, high, PRECISION * error)
}

/// The root of a falling function between `low` and `high`: regula falsi in the Illinois variant
/// (M. Dowell and P. Jarratt, 1971), with a halving wherever that gets on slowly.
fn falling_root(of: impl Fn(f64) -> f64, mut low: f64, mut high: f64, precision: f64) -> f64 {
    let (mut at_low, mut at_high) = (of(low), of(high));
    let mut before = high - low;
    for tries in 0..TRIES {
        if high - low <= precision {
            break;
        }
        let secant = low + (high - low) * at_low / (at_low - at_high);
        let halve = tries % 3 == 2 && high - low > 0.5 * before;
        if tries % 3 == 2 {
            before = high - low;
        }
        let next = if halve || !(secant > low && secant < high) {
            0.5 * (low + high)
        } else {
            secant
        };
        let at_next = of(next);
        if at_next > 0.0 {
            (low, at_low) = (next, at_next);
            at_high *= 0.5;
        } else if at_next < 0.0 {
            (high, at_high) = (next, at_next);
            at_low *= 0.5;
        } else {
            return next;
        }
    }
    0.5 * (low + high)
}
