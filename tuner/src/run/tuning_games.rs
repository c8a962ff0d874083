//! The games of the tuning in progress, or of the leg in progress, by who played whom: what they
//! leave open tells whether it shall go on, and how well its values are known at its end.

use serde::{Deserialize, Serialize};

use crate::outlook::{Played, PlayedPair, optimum_deviations, remaining_gain};
use crate::space::{Space, Vector};
use crate::stats::Wdl;
use crate::trial::{Trial, TrialResult};

/// What is still to be gained is looked at again once the games have grown by this part: all looks
/// together then cost about twenty times the last, however many games there are.
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

/// The games so far, and how many there were when they were last looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct TuningGames {
    played: Played,
    looked_at: u64,
}

/// The same as a checkpoint keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TuningGamesState {
    looked_at: u64,
    /// Who played whom, and what A won, drew and lost.
    pairs: Vec<(Vec<f64>, Vec<f64>, [u64; 3])>,
}

impl TuningGames {
    /// Takes a trial.
    pub(super) fn add(&mut self, trial: &Trial, result: &TrialResult) {
        self.played.add(trial, result);
    }

    /// Looks, where it is time to, and tells whether the tuning shall stop. Asked again before the
    /// next game it looks no more.
    pub(super) fn say_stop(&mut self, stop: &GainStop, incumbent: &Vector) -> bool {
        let games = games_of(self.played.pairs());
        let due = (1.0 + GROWTH) * self.looked_at as f64;
        if games < GAMES_MIN || (games as f64) < due {
            return false;
        }
        self.looked_at = games;
        let gain = remaining_gain(&stop.space, &self.played, incumbent);
        gain.is_some_and(|gain| gain.expected < stop.below_elo)
    }

    /// Standard deviations of these values in unit coordinates, as far as the games tell.
    pub(super) fn deviations(&self, space: &Space, values: &Vector) -> Option<Vec<f64>> {
        optimum_deviations(space, &self.played, values)
    }

    pub(super) fn state(&self) -> TuningGamesState {
        let pairs = self.played.pairs().iter().map(|pair| {
            let Wdl {
                wins,
                draws,
                losses,
            } = pair.wdl;
            (pair.a.0.clone(), pair.b.0.clone(), [wins, draws, losses])
        });
        TuningGamesState {
            looked_at: self.looked_at,
            pairs: pairs.collect(),
        }
    }

    /// The games that had this state.
    ///
    /// # Errors
    /// A state that cannot be of this space; the text says why.
    pub(super) fn restored(state: TuningGamesState, space: &Space) -> Result<Self, String> {
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
        let fits = |pair: &PlayedPair| space.contains(&pair.a) && space.contains(&pair.b);
        if !pairs.iter().all(fits) {
            return Err("a game of its tuning is outside the space".to_owned());
        }
        if state.looked_at > games_of(&pairs) {
            return Err("it has looked at more games than it has".to_owned());
        }
        let played = Played::of(pairs).ok_or("the games of its tuning have two vectors twice")?;
        Ok(Self {
            played,
            looked_at: state.looked_at,
        })
    }
}

fn games_of(pairs: &[PlayedPair]) -> u64 {
    pairs.iter().map(|pair| pair.wdl.games()).sum()
}
