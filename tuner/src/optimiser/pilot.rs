//! A pilot: how fast strength falls off around the start, from games before the first step, and the
//! learning rate that follows from it.
//!
//! Near its end SPSA approaches the optimum at a rate of 2 b R E a game, with b = ln 10 / 400, R
//! the learning rate and E the Elo that a parameter loses at the perturbation, and then loses R /
//! (4 b) Elo a parameter. To come from G Elo below the optimum to within R's own noise in N games
//! takes R = 1.5 ln(2 G) / (4 b E N).
//!
//! CITE: M. Van den Bergh's note on SPSA as an Ornstein-Uhlenbeck process (fishtest issue 535).

use serde::{Deserialize, Serialize};

use crate::stats::Wdl;
use crate::stats::elo::elo_of_score;

/// Share of the pairs that the pilot plays.
const SHARE: f64 = 0.1;
/// Elo that a parameter loses at the perturbation, before anything was played: mean and deviation.
const PRIOR: [f64; 2] = [6.0, 6.0];
/// It is believed to be at least this.
const LEAST: f64 = 2.0;
/// 1.5 ln(2 G) / (4 b) of the rule, for a start G = 50 Elo below the optimum.
const RATE: f64 = 300.0;
/// Smallest and largest learning rate. Along a ridge strength falls off far more slowly than the
/// pilot sees from the ridge's foot, and a smaller rate would never come along it.
const RATES: [f64; 2] = [0.006, 0.2];
/// Elo of one standard deviation of a game between equals.
const GAME: f64 = 347.4;

/// Games of the start against sides farther out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pilot {
    half_points: u64,
    games: u64,
}

impl Pilot {
    /// Distance of the sides, in perturbations.
    pub(super) const REACH: f64 = 2.0;

    /// Pairs that a budget of pairs spends on its pilot.
    pub(super) fn pairs_of(pairs: u64) -> u64 {
        libm::floor(SHARE * pairs as f64) as u64
    }

    /// Takes a result of a side against the start.
    pub(super) fn add(&mut self, wdl: &Wdl) {
        self.half_points += 2 * wdl.wins + wdl.draws;
        self.games += wdl.games();
    }

    /// Whether these can be the games of so many pairs.
    pub(super) fn can_be_of(&self, pairs: u64) -> bool {
        self.games <= 2 * pairs && self.half_points <= 2 * self.games
    }

    /// The learning rate at the end of `games` games.
    pub(super) fn rate(&self, dimension: usize, games: u64) -> f64 {
        let [mean, deviation] = PRIOR;
        let scale = Self::REACH * Self::REACH * dimension as f64;
        let mut loss = mean;
        if self.games > 0 {
            let score = self.half_points as f64 / (2.0 * self.games as f64);
            let estimate = -elo_of_score(score) / scale;
            let error = GAME / libm::sqrt(self.games as f64) / scale;
            let (prior, weight) = (1.0 / (deviation * deviation), 1.0 / (error * error));
            loss = (prior * mean + weight * estimate) / (prior + weight);
        }
        (RATE / (f64::max(loss, LEAST) * games as f64)).clamp(RATES[0], RATES[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(wins: u64, losses: u64) -> Pilot {
        let mut pilot = Pilot::default();
        pilot.add(&Wdl {
            wins,
            draws: 0,
            losses,
        });
        pilot
    }

    #[test]
    fn without_games_the_rate_is_that_of_the_prior() {
        assert!((Pilot::default().rate(2, 1_000) - 300.0 / 6_000.0).abs() < 1e-15);
    }

    #[test]
    fn with_many_games_the_rate_is_that_of_the_rule() {
        // 64 % of a million games: 100 Elo at twice the perturbation of two parameters.
        let loss = 400.0 * (0.64_f64 / 0.36).log10() / 8.0;
        let rate = after(360_000, 640_000).rate(2, 1_000);
        let expected = 300.0 / (loss * 1_000.0);
        assert!((rate / expected - 1.0).abs() < 1e-3, "{rate} {expected}");
    }

    #[test]
    fn the_flatter_the_start_the_larger_the_rate_within_its_bounds() {
        let rates: Vec<f64> = [0, 300, 450, 500, 700, 1_000]
            .into_iter()
            .map(|wins| after(wins, 1_000 - wins).rate(2, 2_000))
            .collect();
        assert!(rates.is_sorted(), "{rates:?}");
        assert_eq!(after(1_000, 0).rate(2, 2_000), 0.075);
        assert_eq!(after(0, 1_000).rate(2, 20_000), RATES[0]);
    }

    #[test]
    fn counts_that_no_pilot_has_are_told() {
        assert!(after(3, 1).can_be_of(2));
        assert!(!after(3, 2).can_be_of(2));
        let mut pilot = after(3, 1);
        pilot.half_points = 9;
        assert!(!pilot.can_be_of(2));
    }
}
