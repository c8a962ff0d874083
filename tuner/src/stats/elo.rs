//! Elo of a match: logistic and normalised, with a 95 % interval and the likelihood of superiority.
//!
//! Logistic Elo maps a score s to -400 log10(1/s - 1). Normalised Elo (M. Van den Bergh, as
//! fishtest uses it) is (s - 1/2) / sigma * 800 / ln 10 with sigma the standard deviation of a
//! single game; without draws and near equality both agree. Pairs are measured by the variance of
//! pairs, so what two games with the same opening share is not counted twice.

use super::counts::{Pentanomial, Wdl};
use super::law::Law;
use super::normal;

/// 800 / ln 10: normalised Elo per standard deviation of a single game.
pub const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Scores are kept this far from 0 and 1 before they become Elo: at most about 1,200 either way.
const SCORE_MARGIN: f64 = 0.001;

/// Expected score in [0, 1] of a side that is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// Logistic Elo of a score; scores outside [0.001, 0.999] count as the nearer of these.
pub fn elo_of_score(score: f64) -> f64 {
    let inside = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    // Adding zero turns the -0 of an even score into 0.
    -400.0 * libm::log10(1.0 / inside - 1.0) + 0.0
}

/// Elo of a match with its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloEstimate {
    /// Logistic Elo of the score.
    pub elo: f64,
    /// 95 % interval of `elo`, for a number of games that was fixed beforehand.
    pub elo_95: [f64; 2],
    /// Normalised Elo.
    pub nelo: f64,
    /// Likelihood of superiority: probability in [0, 1] that the true score is above one half.
    pub los: f64,
}

impl EloEstimate {
    /// Half the width of the 95 % interval, in Elo.
    pub fn half_width_95(&self) -> f64 {
        0.5 * (self.elo_95[1] - self.elo_95[0])
    }
}

/// What a match says about Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MatchElo {
    /// Nothing: no game was played.
    Empty,
    /// All observations were alike, so their spread, and with it any interval, is unknown.
    NoVariance {
        /// Points per game in [0, 1].
        score: f64,
        /// What comes out when each result that did not occur counts 0.001 times. A convention
        /// that keeps sequential tests going, not an interval to report.
        regularised: EloEstimate,
    },
    /// An estimate that can be reported.
    Estimate(EloEstimate),
}

impl MatchElo {
    /// The estimate, when there is one to report.
    pub fn estimate(&self) -> Option<EloEstimate> {
        match self {
            Self::Estimate(estimate) => Some(*estimate),
            Self::Empty | Self::NoVariance { .. } => None,
        }
    }
}

impl Wdl {
    /// Elo from single games, as independent observations.
    pub fn elo(&self) -> MatchElo {
        match_elo(self.score(), self.is_without_variance(), &self.law())
    }
}

impl Pentanomial {
    /// Elo from game pairs.
    pub fn elo(&self) -> MatchElo {
        match_elo(self.score(), self.is_without_variance(), &self.law())
    }
}

fn match_elo<const K: usize>(score: Option<f64>, without_variance: bool, law: &Law<K>) -> MatchElo {
    let Some(score) = score else {
        return MatchElo::Empty;
    };
    let estimate = estimate(law);
    if without_variance {
        MatchElo::NoVariance {
            score,
            regularised: estimate,
        }
    } else {
        MatchElo::Estimate(estimate)
    }
}

fn estimate<const K: usize>(law: &Law<K>) -> EloEstimate {
    let mean = law.mean();
    let variance = law.variance();
    let standard_error = (variance / law.observations).sqrt();
    let game_deviation = (law.games_per_observation * variance).sqrt();
    EloEstimate {
        elo: elo_of_score(mean),
        elo_95: [-normal::Z_95, normal::Z_95].map(|z| elo_of_score(mean + z * standard_error)),
        nelo: (mean - 0.5) / game_deviation * NELO_PER_SIGMA,
        los: normal::cdf((mean - 0.5) / standard_error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!(
            (got - want).abs() <= tolerance,
            "{got} is not {want} ± {tolerance}"
        );
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-800.0, -400.0, -1.0, 0.0, 12.5, 400.0, 1199.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-15);
        assert!(elo_of_score(0.5).is_sign_positive());
    }

    #[test]
    fn extreme_scores_stay_finite() {
        close(elo_of_score(1.0), 1199.83, 0.01);
        close(elo_of_score(0.0), -1199.83, 0.01);
    }

    #[test]
    fn an_empty_match_says_so() {
        assert_eq!(Wdl::default().elo(), MatchElo::Empty);
        assert_eq!(Pentanomial::default().elo(), MatchElo::Empty);
    }

    #[test]
    fn a_match_without_variance_says_so_and_stays_finite() {
        let matches = [
            Pentanomial([0, 0, 0, 0, 50]).elo(),
            Pentanomial([1, 0, 0, 0, 0]).elo(),
            Wdl {
                wins: 9,
                ..Wdl::default()
            }
            .elo(),
        ];
        for (found, want) in matches.into_iter().zip([1.0, 0.0, 1.0]) {
            let MatchElo::NoVariance { score, regularised } = found else {
                panic!("{found:?} claims a variance");
            };
            assert_eq!(score, want);
            assert_eq!(found.estimate(), None);
            let numbers = [regularised.elo, regularised.nelo, regularised.los];
            assert!(
                numbers
                    .iter()
                    .chain(&regularised.elo_95)
                    .all(|n| n.is_finite())
            );
        }
    }

    #[test]
    fn one_pair_is_no_estimate() {
        assert!(matches!(
            Pentanomial([0, 0, 0, 1, 0]).elo(),
            MatchElo::NoVariance { score: 0.75, .. }
        ));
    }

    #[test]
    fn games_alone_give_the_textbook_interval() {
        // 60 wins, 40 losses: s = 0.6, standard error sqrt(0.24 / 100).
        let wdl = Wdl {
            wins: 60,
            draws: 0,
            losses: 40,
        };
        let estimate = wdl.elo().estimate().unwrap();
        close(estimate.elo, 70.437, 0.01);
        let error = (0.24f64 / 100.0).sqrt();
        close(estimate.elo_95[0], elo_of_score(0.6 - 1.96 * error), 0.02);
        close(estimate.elo_95[1], elo_of_score(0.6 + 1.96 * error), 0.02);
        close(estimate.nelo, 0.1 / 0.24f64.sqrt() * 347.4356, 0.01);
        close(estimate.los, 0.97939, 1e-4);
    }

    #[test]
    fn uncorrelated_pairs_and_their_games_agree() {
        let games = Wdl {
            wins: 500,
            draws: 0,
            losses: 500,
        };
        let pairs = Pentanomial([125, 0, 250, 0, 125]);
        let (games, pairs) = (
            games.elo().estimate().unwrap(),
            pairs.elo().estimate().unwrap(),
        );
        close(games.half_width_95(), pairs.half_width_95(), 0.01);
        close(games.los, pairs.los, 1e-9);
    }

    #[test]
    fn swapping_the_sides_negates() {
        let ahead = Pentanomial([3, 8, 40, 12, 9]).elo().estimate().unwrap();
        let behind = Pentanomial([9, 12, 40, 8, 3]).elo().estimate().unwrap();
        close(ahead.elo, -behind.elo, 1e-9);
        close(ahead.nelo, -behind.nelo, 1e-9);
        close(ahead.los, 1.0 - behind.los, 1e-12);
    }
}
