//! The law of games on a surface: win, draw or loss from a difference in Elo.

use crate::stats::elo::score_of_elo;
use crate::stream::{Purpose, StreamKey};
use crate::trial::{Colours, TrialResult};

/// Lane of the streams that decide games.
const GAME_LANE: u8 = 0;
/// Largest share of draws between equals.
const DRAWS_MOST: f64 = 0.9;

/// A share of draws that no law has.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("a share of draws of {0}: must be in [0, {DRAWS_MOST}]")]
pub struct DrawsError(pub f64);

/// The law of games: a side that is `d` Elo stronger wins with probability
/// 1 / (1 + 10^((D - d) / 400)), loses with 1 / (1 + 10^((D + d) / 400)), and draws otherwise.
/// D, the draw margin, is 0 without draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameLaw {
    draw_margin: f64,
}

impl GameLaw {
    /// The law under which equals draw this share of their games, in [0, 0.9].
    ///
    /// # Errors
    /// A share outside this range.
    pub fn with_draws(share: f64) -> Result<Self, DrawsError> {
        if !(0.0..=DRAWS_MOST).contains(&share) {
            return Err(DrawsError(share));
        }
        // Two equals share the rest: 2 / (1 + 10^(D / 400)) = 1 - share.
        Ok(Self {
            draw_margin: 400.0 * libm::log10((1.0 + share) / (1.0 - share)),
        })
    }

    /// Probabilities of a win and of a win or draw for a side that is `difference` Elo stronger.
    pub fn win_and_draw(&self, difference: f64) -> [f64; 2] {
        let win = score_of_elo(difference - self.draw_margin);
        if self.draw_margin == 0.0 {
            // Rounding must not leave room for a draw.
            return [win, win];
        }
        [win, 1.0 - score_of_elo(-difference - self.draw_margin)]
    }
}

/// What names a trial on a surface, and so the streams of its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TrialKey {
    /// Seed of the run, below 2^53.
    pub(super) seed: u64,
    /// Number of the surface, from its name.
    pub(super) surface: u32,
    /// Games of the run.
    pub(super) budget: u32,
    /// Trial of the run, from 0.
    pub(super) trial: u32,
}

impl TrialKey {
    /// The number in [0, 1) that decides a game of the trial.
    fn draw(&self, game: u32) -> f64 {
        StreamKey {
            seed: self.seed,
            purpose: Purpose::Benchmark,
            lane: GAME_LANE,
            round: self.surface,
            item: self.trial,
            pair: self.budget,
            game,
        }
        .stream()
        .unit()
    }

    /// Plays `games` games of a side that wins, or at least draws, with these probabilities.
    /// Precondition: a multiple of two where the colours are paired.
    pub(super) fn play(
        &self,
        [win, win_or_draw]: [f64; 2],
        colours: Colours,
        games: u32,
    ) -> TrialResult {
        let points = |game: u32| {
            let draw = self.draw(game);
            u8::from(draw < win) + u8::from(draw < win_or_draw)
        };
        let mut result = TrialResult::default();
        match colours {
            Colours::Paired => {
                for first in (0..games).step_by(2) {
                    result.add_points(&[points(first), points(first + 1)]);
                }
            }
            Colours::AFirst => (0..games).for_each(|game| result.add_points(&[points(game)])),
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: TrialKey = TrialKey {
        seed: 7,
        surface: 1,
        budget: 1_000,
        trial: 0,
    };

    #[test]
    fn without_draws_the_law_is_the_logistic_one() {
        let law = GameLaw::with_draws(0.0).unwrap();
        for difference in [-700.0, -60.0, 0.0, 12.5, 400.0] {
            let [win, win_or_draw] = law.win_and_draw(difference);
            let logistic = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            assert!((win - logistic).abs() < 1e-12);
            assert_eq!(win_or_draw, win);
        }
    }

    #[test]
    fn equals_draw_the_share_that_was_asked_for_and_sides_are_alike() {
        for share in [0.0, 0.1, 0.4, 0.9] {
            let law = GameLaw::with_draws(share).unwrap();
            let [win, win_or_draw] = law.win_and_draw(0.0);
            assert!((win_or_draw - win - share).abs() < 1e-12, "{share}");
            assert!((1.0 - win_or_draw - win).abs() < 1e-12, "{share}");
            let [win, win_or_draw] = law.win_and_draw(80.0);
            let [theirs, theirs_or_draw] = law.win_and_draw(-80.0);
            assert!((win - (1.0 - theirs_or_draw)).abs() < 1e-12);
            assert!((win_or_draw - (1.0 - theirs)).abs() < 1e-12);
        }
        // The field note's margin for 40 % draws.
        let margin = GameLaw::with_draws(0.4).unwrap().draw_margin;
        assert!((margin - 147.0).abs() < 0.3, "{margin}");
    }

    #[test]
    fn shares_of_draws_have_a_range() {
        for share in [-0.1, 0.91, 1.0, f64::NAN] {
            assert!(GameLaw::with_draws(share).is_err(), "{share}");
        }
        let text = GameLaw::with_draws(1.0).unwrap_err().to_string();
        assert_eq!(text, "a share of draws of 1: must be in [0, 0.9]");
    }

    #[test]
    fn games_follow_the_law_and_pairs_are_two_of_them() {
        let law = GameLaw::with_draws(0.3).unwrap();
        let [win, win_or_draw] = law.win_and_draw(50.0);
        let games = 100_000;
        let result = KEY.play([win, win_or_draw], Colours::Paired, games);
        let near = |count: u64, probability: f64| {
            let expected = probability * f64::from(games);
            let deviation = (expected * (1.0 - probability)).sqrt();
            assert!(
                (count as f64 - expected).abs() < 4.0 * deviation,
                "{count}, expected {expected}"
            );
        };
        near(result.wdl.wins, win);
        near(result.wdl.draws, win_or_draw - win);
        near(result.wdl.losses, 1.0 - win_or_draw);
        assert_eq!(result.pentanomial.0.iter().sum::<u64>(), 50_000);
        // Games of a pair are independent: both are won as often as the product says.
        let both = result.pentanomial.0[4] as f64 / 50_000.0;
        assert!((both - win * win).abs() < 0.01, "{both}");
        let single = KEY.play([win, win_or_draw], Colours::AFirst, games);
        assert_eq!(single.wdl, result.wdl);
        assert_eq!(single.pentanomial.0, [0; 5]);
    }

    #[test]
    fn every_field_of_the_key_and_the_game_count() {
        let keys = [
            KEY,
            TrialKey { seed: 8, ..KEY },
            TrialKey { surface: 2, ..KEY },
            TrialKey {
                budget: 5_000,
                ..KEY
            },
            TrialKey { trial: 1, ..KEY },
        ];
        let mut draws: Vec<f64> = keys.iter().map(|key| key.draw(0)).collect();
        draws.push(KEY.draw(1));
        draws.sort_by(f64::total_cmp);
        draws.dedup();
        assert_eq!(draws.len(), keys.len() + 1);
    }
}
