//! Whether a tuning shall go on: what is still to be gained, looked at between rounds.

use serde::{Deserialize, Serialize};

use crate::outlook::{Played, PlayedPair, remaining_gain};
use crate::space::{Space, Vector};
use crate::stats::Wdl;
use crate::trial::{Trial, TrialResult};

/// It is looked at again once the games have grown by this part: all looks together then cost
/// about twenty times the last, however many games there are.
const GROWTH: f64 = 0.05;
/// Before so many games nothing is expected of a look.
const GAMES_MIN: u64 = 200;

/// When a tuning at one budget, or a leg of one at several, has found enough.
#[derive(Clone, PartialEq, Debug)]
pub struct GainStop {
    /// The tuning stops once less than so many Elo are still to be gained; above 0.
    pub below_elo: f64,
    /// What is tuned.
    pub space: Space,
}

/// The games so far, and when they were last looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct GainWatch {
    played: Played,
    games: u64,
    looked_at: u64,
}

/// A watch as a checkpoint keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchState {
    looked_at: u64,
    /// Who played whom, and what A won, drew and lost.
    pairs: Vec<(Vec<f64>, Vec<f64>, [u64; 3])>,
}

impl GainWatch {
    /// Takes a trial.
    pub(super) fn add(&mut self, trial: &Trial, result: &TrialResult) {
        self.played.add(trial, result);
        self.games += result.wdl.games();
    }

    /// Looks, where it is time to, and tells whether the tuning shall stop. Asked again before the
    /// next game it looks no more.
    pub(super) fn says_stop(&mut self, stop: &GainStop, incumbent: &Vector) -> bool {
        let due = (1.0 + GROWTH) * self.looked_at as f64;
        if self.games < GAMES_MIN || (self.games as f64) < due {
            return false;
        }
        self.looked_at = self.games;
        let gain = remaining_gain(&stop.space, &self.played, incumbent);
        gain.is_some_and(|gain| gain.expected < stop.below_elo)
    }

    pub(super) fn state(&self) -> WatchState {
        let pairs = self.played.pairs().iter().map(|pair| {
            let Wdl {
                wins,
                draws,
                losses,
            } = pair.wdl;
            (pair.a.0.clone(), pair.b.0.clone(), [wins, draws, losses])
        });
        WatchState {
            looked_at: self.looked_at,
            pairs: pairs.collect(),
        }
    }

    /// The watch that had this state.
    ///
    /// # Errors
    /// A state that cannot be of this space; the text says why.
    pub(super) fn restored(state: WatchState, space: &Space) -> Result<Self, String> {
        let pair = |(a, b, [wins, draws, losses]): (Vec<f64>, Vec<f64>, [u64; 3])| PlayedPair {
            a: Vector(a),
            b: Vector(b),
            wdl: Wdl {
                wins,
                draws,
                losses,
            },
        };
        let pairs: Vec<PlayedPair> = state.pairs.into_iter().map(pair).collect();
        let games = pairs.iter().map(|pair| pair.wdl.games()).sum();
        let fits = |pair: &PlayedPair| space.contains(&pair.a) && space.contains(&pair.b);
        if !pairs.iter().all(fits) || state.looked_at > games {
            return Err("the games of its gain watch do not fit".to_owned());
        }
        let played = Played::of(pairs).ok_or("its gain watch has two vectors twice")?;
        Ok(Self {
            played,
            games,
            looked_at: state.looked_at,
        })
    }
}
