//! Simultaneous perturbation stochastic approximation (SPSA): the state of the art of engine
//! tuning, with a budget of games.
//!
//! A point moves in unit coordinates. Each iteration moves all parameters at once by ±c, plays the
//! two sides against each other (one pair of games), and steps towards the winner. The answer is
//! the mean of the point over the last quarter of the iterations.
//!
//! CITE: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37 (1992); the gains in terms
//! of their values at the end are those of fishtest (official-stockfish/fishtest), the mean over
//! the tail is Polyak's and Ruppert's averaging.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::pilot::Pilot;
use super::settings::{LearnerError, SettingError, above_zero, in_range};
use super::sides::{Sides, UnitSpace};
use super::tail::{TAIL, TailMean};
use super::{Ask, Optimiser, Proposal, SnapshotError};
use crate::space::{Space, Vector};
use crate::stream::{Purpose, Stream, StreamKey};
use crate::trial::{Colours, RoundSummary, TrialResult};

/// Exponent of the step's decay (Spall's recommendation, as fishtest uses it).
const ALPHA: f64 = 0.602;
/// Exponent of the perturbation's decay.
const GAMMA: f64 = 0.101;
/// Stability constant A, as a share of the iterations.
const A_SHARE: f64 = 0.1;
/// A round, as a share of the iterations: where the parameters in force are shown.
const ROUND_SHARE: f64 = 0.02;
/// Games of an iteration: a pair.
pub const GAMES_PER_TRIAL: u32 = 2;
/// The learner's name, as stored in snapshots.
const NAME: &str = "spsa";
/// Lane of the learner's streams: the directions of an iteration.
const DIRECTION_LANE: u8 = 10;
/// And of a pair of the pilot.
const PILOT_LANE: u8 = 13;

/// Settings of the learner.
#[derive(Clone, PartialEq, Debug)]
pub struct SpsaSettings {
    /// Perturbation of each parameter at the end, in units of its range, in [0.001, 0.5].
    pub c: f64,
    /// Learning rate at the end: the step of a parameter after a game won is r c, in (0, 1].
    pub r: f64,
    /// Where the learning rate comes from.
    pub gains: GainsFrom,
}

/// Where the learning rate comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GainsFrom {
    /// From the settings.
    Fixed,
    /// From games of the budget before the first step; `r` is then not used.
    Pilot,
}

impl Default for SpsaSettings {
    /// The best single setting of a comparison on three surfaces at budgets of 1,000 to 20,000
    /// games; fishtest's own defaults (0.05 and 0.002) need more games than a night has.
    fn default() -> Self {
        Self {
            c: 0.1,
            r: 0.02,
            gains: GainsFrom::Fixed,
        }
    }
}

impl SpsaSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        in_range("c", self.c, 0.001, 0.5)?;
        above_zero("r", self.r, 1.0)
    }
}

/// The gains of an iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Gains {
    /// Perturbation, in unit coordinates.
    c: f64,
    /// Step for one point of difference, times the perturbation.
    a: f64,
}

/// Gains over the iterations of a budget.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    iterations: u64,
    stability: f64,
    end: Gains,
}

impl Schedule {
    /// Gains that end at `c` and `r`.
    fn new(c: f64, r: f64, iterations: u64) -> Self {
        let end = Gains { c, a: r * c * c };
        Self {
            iterations,
            stability: libm::floor(A_SHARE * iterations as f64),
            end,
        }
    }

    /// Gains of the iteration `k`, counted from 1.
    fn at(&self, k: u64) -> Gains {
        let (k, last, stability) = (k as f64, self.iterations as f64, self.stability);
        Gains {
            c: self.end.c * libm::pow(last / k, GAMMA),
            a: self.end.a * libm::pow((stability + last) / (stability + k), ALPHA),
        }
    }

    fn of_a_round(&self) -> u64 {
        u64::max(1, libm::rint(ROUND_SHARE * self.iterations as f64) as u64)
    }

    /// Whether an iteration belongs to the tail that is averaged.
    fn is_tail(&self, k: u64) -> bool {
        k as f64 > (1.0 - TAIL) * self.iterations as f64
    }
}

/// The learner.
#[derive(Clone, Debug)]
pub struct Spsa {
    unit_space: UnitSpace,
    schedule: Schedule,
    /// Pairs of the pilot, which precede the schedule.
    pilot_pairs: u64,
    seed: u64,
    state: State,
    incumbent: Vector,
    /// Iterations asked for and not yet told.
    open: VecDeque<Iteration>,
}

/// What a snapshot holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    learner: String,
    round: u32,
    /// Of no pairs where the gains are fixed.
    pilot: Pilot,
    /// Pairs of the pilot begun.
    piloted: u64,
    /// Iterations begun.
    iteration: u64,
    /// Of these in this round.
    of_round: u64,
    /// The point, in unit coordinates.
    point: Vec<f64>,
    tail: TailMean,
    incumbent: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Iteration {
    number: u64,
    gains: Gains,
    sides: Sides,
}

impl Spsa {
    /// A learner at its start, for a tuning of `games` games; `seed` is below 2^53.
    ///
    /// # Errors
    /// A setting outside its range, fewer games than a pair, or a space that cannot be searched.
    pub fn new(
        space: Space,
        settings: &SpsaSettings,
        seed: u64,
        games: u64,
    ) -> Result<Self, LearnerError> {
        settings.validate()?;
        space.validate()?;
        in_range("games", games, u64::from(GAMES_PER_TRIAL), u64::MAX)?;
        let incumbent = space.start();
        let unit_space = UnitSpace::new(space);
        let state = State {
            learner: NAME.into(),
            round: 0,
            pilot: Pilot::default(),
            piloted: 0,
            iteration: 0,
            of_round: 0,
            point: unit_space.start_point(),
            tail: TailMean::new(unit_space.dimension()),
            incumbent: incumbent.0.clone(),
        };
        let pairs = games / u64::from(GAMES_PER_TRIAL);
        let pilot_pairs = match settings.gains {
            GainsFrom::Fixed => 0,
            GainsFrom::Pilot => Pilot::pairs_of(pairs),
        };
        Ok(Self {
            schedule: Schedule::new(settings.c, settings.r, pairs - pilot_pairs),
            pilot_pairs,
            unit_space,
            seed,
            state,
            incumbent,
            open: VecDeque::new(),
        })
    }

    /// A pair of the pilot: the start against a side farther out than any iteration's.
    fn begin_pilot(&mut self) -> Option<Iteration> {
        self.state.piloted += 1;
        let c = self.schedule.end.c * Pilot::REACH;
        let widths = vec![c; self.unit_space.dimension()];
        let mut stream = directions(self.seed, PILOT_LANE, self.state.piloted);
        let mut sides = self
            .unit_space
            .sides(&self.state.point, &widths, &mut stream);
        sides.minus = self.unit_space.vector(&self.state.point);
        let gains = Gains { c, a: 0.0 };
        (!sides.plus.same_when_quantised(&sides.minus)).then_some(Iteration {
            number: 0,
            gains,
            sides,
        })
    }

    /// The schedule with the learning rate that the pilot suggests, once it is over.
    fn learn_rate(&mut self) {
        if self.pilot_pairs > 0 && self.state.piloted == self.pilot_pairs {
            let Schedule {
                iterations, end, ..
            } = self.schedule;
            let games = iterations * u64::from(GAMES_PER_TRIAL);
            let r = self.state.pilot.rate(self.unit_space.dimension(), games);
            self.schedule = Schedule::new(end.c, r, iterations);
        }
    }

    /// Begins the next iteration; None when its two sides would play the same.
    fn begin(&mut self) -> Option<Iteration> {
        self.state.iteration += 1;
        self.state.of_round += 1;
        let number = self.state.iteration;
        let gains = self.schedule.at(number);
        let widths = vec![gains.c; self.unit_space.dimension()];
        let mut stream = directions(self.seed, DIRECTION_LANE, number);
        let sides = self
            .unit_space
            .sides(&self.state.point, &widths, &mut stream);
        (!sides.are_the_same()).then_some(Iteration {
            number,
            gains,
            sides,
        })
    }

    fn round_is_over(&self) -> bool {
        self.state.of_round >= self.schedule.of_a_round()
            || self.state.iteration >= self.schedule.iterations
    }
}

impl Optimiser for Spsa {
    fn ask(&mut self, limit: usize) -> Ask {
        assert!(
            self.open.is_empty(),
            "every proposal is told before the next ask"
        );
        if self.state.iteration >= self.schedule.iterations && self.state.of_round == 0 {
            return Ask::Exhausted;
        }
        self.learn_rate();
        while self.open.len() < limit.max(1) && self.state.piloted < self.pilot_pairs {
            if let Some(pair) = self.begin_pilot() {
                self.open.push_back(pair);
            }
        }
        // A batch does not mix both: the first iteration needs the whole pilot.
        let piloting = !self.open.is_empty();
        while !piloting && self.open.len() < limit.max(1) && !self.round_is_over() {
            if let Some(iteration) = self.begin() {
                self.open.push_back(iteration);
            }
        }
        if self.open.is_empty() {
            return Ask::RoundFinished(self.finish_round());
        }
        let proposal = |Iteration { sides, .. }: &Iteration| Proposal {
            path: None,
            a: sides.plus.clone(),
            b: sides.minus.clone(),
            colours: Colours::Paired,
            games: GAMES_PER_TRIAL,
        };
        Ask::Play(self.open.iter().map(proposal).collect())
    }

    fn tell(&mut self, result: &TrialResult) {
        let iteration = self
            .open
            .pop_front()
            .expect("a proposal waits for its result");
        if iteration.number == 0 {
            self.state.pilot.add(&result.wdl);
            return;
        }
        let difference = result.wdl.wins as f64 - result.wdl.losses as f64;
        let shifts = iteration.sides.shifts.iter().enumerate();
        for (value, (index, shift)) in self.state.point.iter_mut().zip(shifts) {
            if *shift != 0.0 {
                let gains = iteration.gains;
                // The two words of a choice are farther apart than c, and so are its steps.
                let share = match self.unit_space.is_choice(index) {
                    true => (shift / gains.c) * (shift / gains.c),
                    false => 1.0,
                };
                let step = share * (gains.a / shift) * difference;
                *value = (*value + step).clamp(0.0, 1.0);
            }
        }
        self.unit_space.keep_to_rules(&mut self.state.point);
        if self.schedule.is_tail(iteration.number) {
            self.state.tail.add(&self.state.point);
        }
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.open.clear();
        let incumbent = self.state.tail.mean_or(&self.state.point);
        let incumbent = self.unit_space.vector(&incumbent);
        let applied = incumbent != self.incumbent;
        self.state.incumbent.clone_from(&incumbent.0);
        self.incumbent = incumbent;
        self.state.of_round = 0;
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
        if state.iteration > self.schedule.iterations || state.of_round > state.iteration {
            let reason = format!(
                "iteration {} of a schedule of {}",
                state.iteration, self.schedule.iterations
            );
            return Err(SnapshotError { reason });
        }
        if state.piloted > self.pilot_pairs || !state.pilot.can_be_of(state.piloted) {
            let reason = format!("its pilot is none of {} pairs", self.pilot_pairs);
            return Err(SnapshotError { reason });
        }
        self.unit_space.check_point(&state.point)?;
        state.tail.check(self.unit_space.dimension())?;
        self.incumbent = self.unit_space.stored_incumbent(&state.incumbent)?;
        self.state = state;
        self.open.clear();
        Ok(())
    }
}

fn directions(seed: u64, lane: u8, iteration: u64) -> Stream {
    StreamKey {
        lane,
        // Iterations of a budget below 2^32 pairs; more would only share directions.
        item: iteration as u32,
        ..StreamKey::new(seed, Purpose::Learner)
    }
    .stream()
}

#[cfg(test)]
#[path = "spsa_tests.rs"]
mod tests;
