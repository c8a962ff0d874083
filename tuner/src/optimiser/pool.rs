//! Pools: all games of each candidate against the same incumbent.

use serde::{Deserialize, Serialize};

use crate::space::Vector;
use crate::stats::Wdl;

/// All games so far of one candidate. Points are counted in halves, so sums are exact and do not
/// depend on their order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pool {
    candidate: Vec<f64>,
    half_points: u64,
    games: u64,
}

impl Pool {
    /// Points per game in [0, 1]. A pool has games.
    pub(super) fn score(&self) -> f64 {
        self.half_points as f64 / (2.0 * self.games as f64)
    }

    /// Games behind the score.
    pub(super) fn games(&self) -> u64 {
        self.games
    }
}

/// Pools by candidate, in the order of their first games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Pools(Vec<Pool>);

impl Pools {
    /// The pool of a candidate; none before its first game.
    pub(super) fn of(&self, candidate: &Vector) -> Option<&Pool> {
        self.0.iter().find(|pool| pool.candidate == candidate.0)
    }

    /// Adds games of a candidate.
    pub(super) fn add(&mut self, candidate: &Vector, wdl: &Wdl) {
        if wdl.games() == 0 {
            return;
        }
        let half_points = 2 * wdl.wins + wdl.draws;
        let known = self.0.iter_mut().find(|pool| pool.candidate == candidate.0);
        match known {
            Some(pool) => {
                pool.half_points += half_points;
                pool.games += wdl.games();
            }
            None => self.0.push(Pool {
                candidate: candidate.0.clone(),
                half_points,
                games: wdl.games(),
            }),
        }
    }

    /// Forgets all games, as when the incumbent changes.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What is wrong with stored pools, if anything.
    pub(super) fn fault(&self, is_vector: impl Fn(&Vector) -> bool) -> Option<&'static str> {
        for pool in &self.0 {
            if !is_vector(&Vector(pool.candidate.clone())) {
                return Some("a pooled candidate is outside the space");
            }
            if pool.games == 0 || pool.half_points / 2 > pool.games {
                return Some("a pool's points and games do not fit each other");
            }
        }
        None
    }
}
