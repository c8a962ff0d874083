//! The games of the leg in progress, which tell at its end how well its values are known.

use serde::{Deserialize, Serialize};

use crate::outlook::{Played, PlayedPair, optimum_deviations};
use crate::space::{Space, Vector};
use crate::stats::Wdl;
use crate::trial::{Trial, TrialResult};

/// The games of a leg by who played whom.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct LegGames(Played);

/// The same as a checkpoint keeps it: both vectors, and what the first won, drew and lost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct LegGamesState(Vec<(Vec<f64>, Vec<f64>, [u64; 3])>);

impl LegGames {
    pub(super) fn add(&mut self, trial: &Trial, result: &TrialResult) {
        self.0.add(trial, result);
    }

    /// Standard deviations of these values in unit coordinates, as far as the games tell.
    pub(super) fn deviations(&self, space: &Space, values: &Vector) -> Option<Vec<f64>> {
        optimum_deviations(space, &self.0, values)
    }

    pub(super) fn state(&self) -> LegGamesState {
        let pairs = self.0.pairs().iter().map(|pair| {
            let Wdl {
                wins,
                draws,
                losses,
            } = pair.wdl;
            (pair.a.0.clone(), pair.b.0.clone(), [wins, draws, losses])
        });
        LegGamesState(pairs.collect())
    }

    /// The games that had this state.
    ///
    /// # Errors
    /// Games that cannot be of this space; the text says why.
    pub(super) fn restored(state: LegGamesState, space: &Space) -> Result<Self, String> {
        let pair = |(a, b, [wins, draws, losses]): (Vec<f64>, Vec<f64>, [u64; 3])| PlayedPair {
            a: Vector(a),
            b: Vector(b),
            wdl: Wdl {
                wins,
                draws,
                losses,
            },
        };
        let pairs: Vec<PlayedPair> = state.0.into_iter().map(pair).collect();
        let fits = |pair: &PlayedPair| space.contains(&pair.a) && space.contains(&pair.b);
        if !pairs.iter().all(fits) {
            return Err("a game of its leg is outside the space".to_owned());
        }
        let played = Played::of(pairs).ok_or("the games of its leg have two vectors twice")?;
        Ok(Self(played))
    }
}
