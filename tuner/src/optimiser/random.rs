//! Random search with successive halving: the floor that a learner must beat.
//!
//! So many vectors, the start and others at random, play the start for as many rounds as halvings
//! leave one of them. Each round divides its share of the games equally among the vectors that are
//! left and then drops the worse half by the scores of all their games. The start itself scores one
//! half without a game, so a vector that loses to it never outlives it.
//!
//! CITE: K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
//! optimization" (AISTATS 2016), successive halving.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::settings::{LearnerError, SettingError, in_range};
use super::sides::UnitSpace;
use super::{Ask, Optimiser, Proposal, SnapshotError};
use crate::space::{Space, Vector};
use crate::stream::{Purpose, StreamKey};
use crate::trial::{Colours, RoundSummary, TrialResult};

/// Games of a trial: a pair.
pub const GAMES_PER_TRIAL: u32 = 2;
const NAME: &str = "random";
/// Lane of the learner's streams: the values of a vector.
const VECTOR_LANE: u8 = 12;
/// Points of the start against itself, per game.
const EVEN: f64 = 0.5;

/// Settings of the learner.
#[derive(Clone, PartialEq, Debug)]
pub struct RandomSettings {
    /// Vectors, the start included, 2 to 4,096.
    pub vectors: u32,
}

impl Default for RandomSettings {
    fn default() -> Self {
        Self { vectors: 32 }
    }
}

impl RandomSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        in_range("vectors", self.vectors, 2, 4_096)
    }

    /// Halvings until one vector is left, each of them a round.
    fn rounds(&self) -> u32 {
        self.vectors.next_power_of_two().trailing_zeros()
    }

    /// Fewest games that every vector of every round can have a pair of.
    pub fn games_min(&self) -> u64 {
        let others = u64::from(self.vectors - 1);
        u64::from(GAMES_PER_TRIAL) * others * u64::from(self.rounds())
    }
}

/// The learner.
#[derive(Clone, Debug)]
pub struct RandomSearch {
    vectors: Vec<Vector>,
    rounds: u32,
    /// Pairs of the whole tuning.
    pairs: u64,
    state: State,
    /// Vectors of the pairs asked for and not yet told.
    open: VecDeque<usize>,
}

/// What a snapshot holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    learner: String,
    round: u32,
    /// Pairs begun in all, and in this round.
    begun: u64,
    of_round: u64,
    /// Pairs that this round gives each vector.
    share: u64,
    /// Vectors that are left, by number.
    left: Vec<usize>,
    /// Points, in halves, and games of each vector against the start.
    half_points: Vec<u64>,
    games: Vec<u64>,
    /// The vector in force, by number.
    incumbent: usize,
}

impl RandomSearch {
    /// A learner at its start, for a tuning of `games` games; `seed` is below 2^53.
    ///
    /// # Errors
    /// A setting outside its range, fewer games than [`RandomSettings::games_min`], or a space that
    /// cannot be searched.
    pub fn new(
        space: Space,
        settings: &RandomSettings,
        seed: u64,
        games: u64,
    ) -> Result<Self, LearnerError> {
        settings.validate()?;
        space.validate()?;
        in_range("games", games, settings.games_min(), u64::MAX)?;
        let vectors = draw(space, settings.vectors, seed);
        let mut search = Self {
            rounds: settings.rounds(),
            pairs: games / u64::from(GAMES_PER_TRIAL),
            state: State {
                learner: NAME.into(),
                round: 0,
                begun: 0,
                of_round: 0,
                share: 0,
                left: (0..vectors.len()).collect(),
                half_points: vec![0; vectors.len()],
                games: vec![0; vectors.len()],
                incumbent: 0,
            },
            vectors,
            open: VecDeque::new(),
        };
        search.state.share = search.share();
        Ok(search)
    }

    /// Vectors that are left and play: all but the start.
    fn players(&self) -> Vec<usize> {
        let left = self.state.left.iter().copied();
        left.filter(|number| *number != 0).collect()
    }

    /// Pairs of each vector in the round that begins: an equal part of what is left.
    fn share(&self) -> u64 {
        let rounds = u64::from(self.rounds.saturating_sub(self.state.round)).max(1);
        let players = (self.players().len() as u64).max(1);
        self.pairs.saturating_sub(self.state.begun) / rounds / players
    }

    /// Points per game of a vector.
    fn score(&self, number: usize) -> f64 {
        match self.state.games[number] {
            0 => EVEN,
            games => self.state.half_points[number] as f64 / (2.0 * games as f64),
        }
    }

    /// Drops the worse half of the vectors. Among equals the earlier one stays: the start first.
    fn halve(&mut self) {
        let mut left = self.state.left.clone();
        left.sort_by(|one, other| self.score(*other).total_cmp(&self.score(*one)));
        left.truncate(left.len().div_ceil(2));
        self.state.incumbent = left[0];
        left.sort_unstable();
        self.state.left = left;
    }
}

impl Optimiser for RandomSearch {
    fn ask(&mut self, limit: usize) -> Ask {
        assert!(
            self.open.is_empty(),
            "every proposal is told before the next ask"
        );
        if self.state.left.len() == 1 && self.state.of_round == 0 {
            return Ask::Exhausted;
        }
        let players = self.players();
        let of_round = players.len() as u64 * self.state.share;
        let limit = limit.max(1) as u64;
        let due = of_round.saturating_sub(self.state.of_round).min(limit);
        if due == 0 {
            return Ask::RoundFinished(self.finish_round());
        }
        for pair in self.state.of_round..self.state.of_round + due {
            // In turn, so that games that the tuning no longer has are missing everywhere alike.
            self.open
                .push_back(players[(pair % players.len() as u64) as usize]);
        }
        self.state.of_round += due;
        self.state.begun += due;
        let proposal = |number: &usize| Proposal {
            path: None,
            a: self.vectors[*number].clone(),
            b: self.vectors[0].clone(),
            colours: Colours::Paired,
            games: GAMES_PER_TRIAL,
        };
        Ask::Play(self.open.iter().map(proposal).collect())
    }

    fn tell(&mut self, result: &TrialResult) {
        let number = self
            .open
            .pop_front()
            .expect("a proposal waits for its result");
        self.state.half_points[number] += 2 * result.wdl.wins + result.wdl.draws;
        self.state.games[number] += result.wdl.games();
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.open.clear();
        let before = self.state.incumbent;
        self.halve();
        let round = self.state.round;
        self.state.round += 1;
        self.state.of_round = 0;
        self.state.share = self.share();
        let leader = self.state.incumbent;
        let games = self.state.games[leader];
        RoundSummary {
            round,
            greedy_path: None,
            applied: leader != before,
            candidate_score: (games > 0).then(|| self.score(leader)),
            candidate_games: games,
            incumbent: self.incumbent().clone(),
        }
    }

    fn incumbent(&self) -> &Vector {
        &self.vectors[self.state.incumbent]
    }

    fn round(&self) -> u32 {
        self.state.round
    }

    fn snapshot(&self) -> serde_json::Value {
        super::snapshot_of(self.open.is_empty(), &self.state)
    }

    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError> {
        let state: State = super::stored_state(state, NAME)?;
        let count = self.vectors.len();
        let knows = |number: &usize| *number < count;
        let fits = state.half_points.len() == count
            && state.games.len() == count
            && !state.left.is_empty()
            && state.left.is_sorted_by(|one, next| one < next)
            && state.left.iter().all(knows)
            && knows(&state.incumbent)
            && state.of_round <= state.begun
            && state.begun <= self.pairs;
        if !fits {
            let reason = format!("its scores are not those of {count} vectors");
            return Err(SnapshotError { reason });
        }
        self.state = state;
        self.open.clear();
        Ok(())
    }
}

/// The start and vectors that are uniform in unit coordinates. One that is there already is left
/// out: in a space of a few whole numbers there may be fewer than were asked for.
fn draw(space: Space, vectors: u32, seed: u64) -> Vec<Vector> {
    let start = space.start();
    let unit_space = UnitSpace::new(space);
    let mut drawn = vec![start];
    for item in 1..vectors {
        let mut stream = StreamKey {
            lane: VECTOR_LANE,
            item,
            ..StreamKey::new(seed, Purpose::Learner)
        }
        .stream();
        let point: Vec<f64> = (0..unit_space.dimension()).map(|_| stream.unit()).collect();
        let vector = unit_space.vector(&point);
        if !drawn.iter().any(|other| other.same_when_quantised(&vector)) {
            drawn.push(vector);
        }
    }
    drawn
}

#[cfg(test)]
#[path = "random_tests.rs"]
mod tests;
