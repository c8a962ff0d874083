//! RSPSA: simultaneous perturbation whose steps follow the sign of the gradient alone.
//!
//! An iteration is a round: so many pairs of games around one point estimate the gradient, then
//! each parameter moves by its own step in the direction of its component. A component that keeps
//! its sign lengthens its step, one that changes it shortens it (Rprop), and perturbations are as
//! large as steps. Steps so find their own size, whatever the parameter's scale; the price is that
//! noise, too, changes signs. The answer is the mean of the point over the last quarter.
//!
//! CITE: L. Kocsis, C. Szepesvari, M. H. M. Winands, "RSPSA: enhanced parameter optimisation in
//! games", Advances in Computer Games 11 (2006); Rprop without weight-backtracking after C. Igel
//! and M. Huesken, "Improving the Rprop learning algorithm" (2000), there called iRprop-.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::settings::{LearnerError, SettingError, in_range};
use super::sides::{Sides, UnitSpace};
use super::tail::{TAIL, TailMean};
use super::{Ask, Optimiser, Proposal, SnapshotError};
use crate::space::{Space, Vector};
use crate::stream::{Purpose, Stream, StreamKey};
use crate::trial::{Colours, RoundSummary, TrialResult};

/// A step whose component keeps its sign grows by this factor (the value of all the literature).
const GROWTH: f64 = 1.2;
/// A step whose component changes its sign shrinks by this factor.
const SHRINKAGE: f64 = 0.5;
/// Smallest and largest step, in units of the range.
const STEPS: [f64; 2] = [0.002, 0.25];
/// Perturbation in units of the step, where that is larger than the smallest one.
const RATIO: f64 = 2.0;
/// Games of a trial: a pair.
pub const GAMES_PER_TRIAL: u32 = 2;
const NAME: &str = "rspsa";
/// Lane of the learner's streams: the directions of a pair.
const DIRECTION_LANE: u8 = 11;

/// Settings of the learner.
#[derive(Clone, PartialEq, Debug)]
pub struct RspsaSettings {
    /// Iterations that the budget is divided into, 10 to 10,000.
    pub iterations: u32,
    /// First step of each parameter, in units of its range, in [0.002, 0.25].
    pub step: f64,
    /// Smallest perturbation, in units of the range, in [0.001, 0.5].
    pub c: f64,
}

impl Default for RspsaSettings {
    fn default() -> Self {
        Self {
            iterations: 50,
            step: 0.05,
            c: 0.1,
        }
    }
}

impl RspsaSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        in_range("iterations", self.iterations, 10, 10_000)?;
        in_range("step", self.step, STEPS[0], STEPS[1])?;
        in_range("c", self.c, 0.001, 0.5)
    }

    /// Fewest games that the iterations can be played with.
    pub fn games_min(&self) -> u64 {
        u64::from(GAMES_PER_TRIAL) * u64::from(self.iterations)
    }
}

/// The learner.
#[derive(Clone, Debug)]
pub struct Rspsa {
    settings: RspsaSettings,
    unit_space: UnitSpace,
    pairs: u64,
    seed: u64,
    state: State,
    incumbent: Vector,
    /// Pairs asked for and not yet told.
    open: VecDeque<Sides>,
}

/// What a snapshot holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    learner: String,
    round: u32,
    /// Pairs begun in this round.
    begun: u64,
    /// The point, in unit coordinates.
    point: Vec<f64>,
    steps: Vec<f64>,
    /// Sums of this round's estimates of the gradient.
    gradient: Vec<f64>,
    /// What the last iteration followed; 0 where it did not move.
    followed: Vec<f64>,
    tail: TailMean,
    incumbent: Vec<f64>,
}

impl Rspsa {
    /// A learner at its start, for a tuning of `games` games; `seed` is below 2^53.
    ///
    /// # Errors
    /// A setting outside its range, fewer games than [`RspsaSettings::games_min`], or a space that
    /// cannot be searched.
    pub fn new(
        space: Space,
        settings: RspsaSettings,
        seed: u64,
        games: u64,
    ) -> Result<Self, LearnerError> {
        settings.validate()?;
        space.validate()?;
        in_range("games", games, settings.games_min(), u64::MAX)?;
        let incumbent = space.start();
        let unit_space = UnitSpace::new(space);
        let dimension = unit_space.dimension();
        let state = State {
            learner: NAME.into(),
            round: 0,
            begun: 0,
            point: unit_space.start_point(),
            steps: vec![settings.step; dimension],
            gradient: vec![0.0; dimension],
            followed: vec![0.0; dimension],
            tail: TailMean::new(dimension),
            incumbent: incumbent.0.clone(),
        };
        Ok(Self {
            pairs: games / u64::from(GAMES_PER_TRIAL) / u64::from(settings.iterations),
            settings,
            unit_space,
            seed,
            state,
            incumbent,
            open: VecDeque::new(),
        })
    }

    /// Begins the next pair; None when its two sides would play the same.
    fn begin(&mut self) -> Option<Sides> {
        let State {
            round,
            begun,
            point,
            steps,
            ..
        } = &mut self.state;
        let widths: Vec<f64> = steps
            .iter()
            .map(|step| f64::max(RATIO * step, self.settings.c))
            .collect();
        let mut stream = directions(self.seed, *round, *begun);
        *begun += 1;
        let sides = self.unit_space.sides(point, &widths, &mut stream);
        (!sides.are_the_same()).then_some(sides)
    }

    /// Moves each parameter by its step, and adapts the steps to the signs.
    fn step(&mut self) {
        let State {
            point,
            steps,
            gradient,
            followed,
            ..
        } = &mut self.state;
        for index in 0..point.len() {
            let (now, step) = (gradient[index], &mut steps[index]);
            let agreement = now * followed[index];
            if agreement > 0.0 {
                *step = f64::min(*step * GROWTH, STEPS[1]);
            } else if agreement < 0.0 {
                *step = f64::max(*step * SHRINKAGE, STEPS[0]);
            }
            // After a change of sign the step is only shortened: the point is near.
            let follow = if agreement < 0.0 { 0.0 } else { now };
            if follow != 0.0 {
                point[index] = (point[index] + step.copysign(follow)).clamp(0.0, 1.0);
            }
            followed[index] = follow;
            gradient[index] = 0.0;
        }
    }
}

impl Optimiser for Rspsa {
    fn ask(&mut self, limit: usize) -> Ask {
        assert!(
            self.open.is_empty(),
            "every proposal is told before the next ask"
        );
        if self.state.round >= self.settings.iterations {
            return Ask::Exhausted;
        }
        while self.open.len() < limit.max(1) && self.state.begun < self.pairs {
            if let Some(sides) = self.begin() {
                self.open.push_back(sides);
            }
        }
        if self.open.is_empty() {
            return Ask::RoundFinished(self.finish_round());
        }
        let proposal = |sides: &Sides| Proposal {
            path: None,
            a: sides.plus.clone(),
            b: sides.minus.clone(),
            colours: Colours::Paired,
            games: GAMES_PER_TRIAL,
        };
        Ask::Play(self.open.iter().map(proposal).collect())
    }

    fn tell(&mut self, result: &TrialResult) {
        let sides = self
            .open
            .pop_front()
            .expect("a proposal waits for its result");
        let difference = result.wdl.wins as f64 - result.wdl.losses as f64;
        for (sum, shift) in self.state.gradient.iter_mut().zip(&sides.shifts) {
            if *shift != 0.0 {
                *sum += difference / shift;
            }
        }
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.open.clear();
        self.step();
        self.unit_space.keep_to_rules(&mut self.state.point);
        if f64::from(self.state.round) >= (1.0 - TAIL) * f64::from(self.settings.iterations) {
            self.state.tail.add(&self.state.point);
        }
        let incumbent = self.state.tail.mean_or(&self.state.point);
        let incumbent = self.unit_space.vector(&incumbent);
        let applied = incumbent != self.incumbent;
        self.state.incumbent.clone_from(&incumbent.0);
        self.incumbent = incumbent;
        self.state.begun = 0;
        self.state.round += 1;
        RoundSummary::without_path(self.state.round - 1, applied, &self.incumbent)
    }

    fn incumbent(&self) -> &Vector {
        &self.incumbent
    }

    fn round(&self) -> u32 {
        self.state.round
    }

    fn snapshot(&self) -> serde_json::Value {
        super::snapshot_of(self.open.is_empty(), &self.state)
    }

    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError> {
        let state: State = super::stored_state(state, NAME)?;
        let dimension = self.unit_space.dimension();
        let lists = [&state.steps, &state.gradient, &state.followed];
        if state.begun > self.pairs || lists.iter().any(|list| list.len() != dimension) {
            let reason = format!(
                "pair {} of a round of {}, or not {dimension} parameters",
                state.begun, self.pairs
            );
            return Err(SnapshotError { reason });
        }
        self.unit_space.check_point(&state.point)?;
        self.unit_space.check_point(&state.steps)?;
        state.tail.check(dimension)?;
        self.incumbent = self.unit_space.stored_incumbent(&state.incumbent)?;
        self.state = state;
        self.open.clear();
        Ok(())
    }
}

fn directions(seed: u64, round: u32, pair: u64) -> Stream {
    StreamKey {
        lane: DIRECTION_LANE,
        round,
        // Pairs of an iteration of a budget below 2^32 pairs.
        item: pair as u32,
        ..StreamKey::new(seed, Purpose::Learner)
    }
    .stream()
}

#[cfg(test)]
#[path = "rspsa_tests.rs"]
mod tests;
