//! The default learner: the Q tree plans, a surface fitted to every game of the run rewards it,
//! and self-play decides.
//!
//! A round lays six edits around the incumbent: one towards where the optimum may be, one at right
//! angles to it, both, and their opposites, each so long that a path of two of them loses a stated
//! Elo on the fitted surface. Paths are chosen ε-greedily and play their mirrored path (incumbent
//! plus the edits against incumbent minus the edits); in the last part of a round vectors twice as
//! far away play the incumbent itself.
//! Between the games the tree's Q-values are updated by planning, as in Dyna: the reward of a path
//! is its own score shrunk towards what the surface expects of it. At the end of a round the
//! rewards are taken from a surface that is drawn from the posterior (posterior sampling), so a
//! round explores where the games leave it open what is best; the path of the largest Q-values is
//! applied, as far along as that surface gains. The last round lands: its edits reach the mean of
//! the fitted optima of the last quarter of the run.
//!
//! CITE: R. S. Sutton, "Dyna, an integrated architecture for learning, planning, and reacting"
//! (1991); I. Osband, D. Russo, B. Van Roy, "(More) efficient reinforcement learning via posterior
//! sampling" (2013); R. Coulom, "CLOP: confident local optimization for noisy black-box parameter
//! tuning" (2011), for the logistic surface.

mod axes;
mod model;
mod moves;
mod round;
mod settings;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use self::axes::Axes;
use self::model::{Model, ModelState, drawn};
use self::round::{Leaves, Round, along_pair, composite};
pub use self::settings::{Decision, Directions, QTreeSettings};
use super::settings::{LearnerError, in_range};
use super::sides::UnitSpace;
use super::tail::{TAIL, TailMean};
use super::tree::{RewardTo, UnrewardedLeaf, UpdateRule};
use super::tree_view::TreeView;
use super::{Ask, Optimiser, Proposal, SnapshotError};
use crate::space::{Space, Vector};
use crate::stream::{Purpose, Stream, StreamKey};
use crate::surface::{Fit, Surface};
use crate::trial::{Colours, EditPath, RoundSummary, TrialResult};

/// Games of a trial: a pair.
pub const GAMES_PER_TRIAL: u32 = 2;

/// Shortest round, in games, and a round as a share of the games so far.
const ROUND: (u64, f64) = (32, 0.05);
/// The same for more than two parameters, whose directions change from round to round.
const ROUND_OF_MORE: (u64, f64) = (16, 0.01);
/// Share of a round, at its end, that is played against the incumbent, and how far from it, in
/// lengths of a path. Games between two sides of the incumbent say which is the better one; only
/// games against the incumbent say how much is lost on the way, and the more so from farther away.
const CONFIRMATION: f64 = 0.2;
const CONFIRMATION_REACH: f64 = 2.0;
/// Parts of a round, each of which ends with a fit. Rounds of more than two parameters are short
/// and their fits dear.
const FITS: u64 = 3;
const FITS_OF_MORE: u64 = 1;
/// Planning updates between two fits, at the start of a round, and at its end.
const UPDATES: u32 = 300;
/// The prior's scale is fitted in each of so many first rounds, then in every third.
const SCALE_ROUNDS: u32 = 12;
const SCALE_EVERY: u32 = 3;
/// So many times in each of the first four.
const SCALE_ROUNDS_AT_FIRST: u32 = 4;
const SCALE_TURNS: u32 = 3;
/// Standard deviations of a drawn surface, as a share of those of the posterior: many parameters
/// together leave more open than a round can explore.
const DRAW: f64 = 0.7;
const DRAW_OF_MORE: f64 = 0.3;
/// What a leaf loses falls with the square root of the games from so many on, down to a share.
const LOSS_GAMES: f64 = 1000.0;
const LOSS_SHARE_MIN: f64 = 0.2;
/// Draws of a path that can be played before all are tried in their order.
const REDRAWS: u32 = 200;

/// Lanes of the learner's streams.
const LAY_LANE: u8 = 20;
const PATH_LANE: u8 = 21;
const PLAN_LANE: u8 = 22;
const DRAW_LANE: u8 = 23;

/// The learner.
#[derive(Clone, Debug)]
pub struct QTreeLearner {
    settings: QTreeSettings,
    unit_space: UnitSpace,
    seed: u64,
    budget: u64,
    model: Model,
    state: State,
    incumbent: Vector,
    /// Of the round in progress.
    leaves: Leaves,
    /// Trials asked for and not yet told.
    open: VecDeque<Trial>,
    /// The tree that decided the last round, to look at alone.
    decided: Option<TreeView>,
}

/// What changes, but for the model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// The round in progress.
    number: u32,
    /// Games told.
    games: u64,
    /// How often all games were weighed anew.
    weighings: u32,
    /// Rounds in a row in which no path could be played.
    idle_rounds: u32,
    incumbent: Vec<f64>,
    axes: Axes,
    round: Round,
    tail: TailMean,
}

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    learner: String,
    state: State,
    model: ModelState,
}

#[derive(Clone, Debug)]
struct Trial {
    path: EditPath,
    a: Vector,
    b: Vector,
    /// Whether B is the path's mirror, and not the incumbent.
    mirrored: bool,
}

impl QTreeLearner {
    /// A learner at its start, for a tuning of `games` games; `seed` is below 2^53.
    ///
    /// # Errors
    /// A setting outside its range, fewer games than a pair, or a space that cannot be searched.
    pub fn new(
        space: Space,
        settings: QTreeSettings,
        seed: u64,
        games: u64,
    ) -> Result<Self, LearnerError> {
        settings.validate()?;
        space.validate()?;
        in_range("games", games, u64::from(GAMES_PER_TRIAL), u64::MAX)?;
        let incumbent = space.start();
        let unit_space = UnitSpace::new(space);
        let dimension = unit_space.dimension();
        let axes = Axes::start(dimension);
        let centre = unit_space.start_point();
        let edits = along_pair(&axes, [0, 1]);
        let mut lay = stream(seed, LAY_LANE, 0, 0);
        let state = State {
            number: 0,
            games: 0,
            weighings: 0,
            idle_rounds: 0,
            incumbent: incumbent.0.clone(),
            round: Round::new(&unit_space, centre, edits, &mut lay),
            axes,
            tail: TailMean::new(dimension),
        };
        let mut learner = Self {
            model: Model::new(unit_space.clone()),
            settings,
            seed,
            budget: games,
            leaves: state.round.leaves(&unit_space),
            unit_space,
            state,
            incumbent,
            open: VecDeque::new(),
            decided: None,
        };
        learner.lay(None);
        Ok(learner)
    }

    /// The most probable surface as of the last fit.
    pub fn surface(&self) -> Surface {
        self.model.surface()
    }

    fn dimension(&self) -> usize {
        self.unit_space.dimension()
    }

    fn pick(&self, of_two: f64, of_more: f64) -> f64 {
        if self.dimension() > 2 {
            of_more
        } else {
            of_two
        }
    }

    /// Elo that a leaf shall lose: more at first, when what is far away is worth knowing.
    fn loss(&self) -> f64 {
        let games = self.state.games.max(1) as f64;
        let share = (LOSS_GAMES / games).sqrt().clamp(LOSS_SHARE_MIN, 1.0);
        self.settings.loss_elo * share * (self.dimension() as f64 / 2.0)
    }

    fn rule(&self) -> UpdateRule {
        UpdateRule {
            alpha: self.settings.alpha,
            gamma: self.settings.gamma,
            unrewarded: UnrewardedLeaf::Unchanged,
            reward_to: RewardTo::Leaf,
        }
    }

    fn stream(&self, lane: u8, item: u32) -> Stream {
        stream(self.seed, lane, self.state.number, item)
    }

    fn games_left(&self) -> u64 {
        self.budget.saturating_sub(self.state.games)
    }

    fn view(&self, round: &Round) -> TreeView {
        let edits = round.edits.clone();
        TreeView::new(self.state.number, edits, &round.tree, |path| {
            round.vector(&self.unit_space, path, 1.0)
        })
    }

    /// Begins a round around the incumbent.
    fn lay(&mut self, target: Option<&[f64]>) {
        let mut lay = self.stream(LAY_LANE, 0);
        let centre = self.unit_space.point(&self.incumbent);
        let edits = match self.settings.directions {
            Directions::Composite => composite(&self.state.axes, &centre, target, &mut lay),
            Directions::Pairs => {
                let pair = super::learner::active_pair(self.dimension(), self.state.number);
                along_pair(&self.state.axes, pair)
            }
        };
        let (shortest, share) = if self.dimension() > 2 {
            ROUND_OF_MORE
        } else {
            ROUND
        };
        let length = u64::max(shortest, (share * self.state.games as f64) as u64);
        self.state.round = Round {
            // A rest that is no round of its own belongs to this one.
            length: if self.games_left() < length + shortest / 2 {
                self.games_left()
            } else {
                length
            },
            matches_before: self.model.matches(),
            ..Round::new(&self.unit_space, centre, edits, &mut lay)
        };
        self.leaves = self.state.round.leaves(&self.unit_space);
        if self.has_tree() {
            let surface = self.model.surface();
            self.plan(&surface, UPDATES, 0);
        }
    }

    /// Plans, and gives the rewards that it planned with.
    fn plan(&mut self, surface: &Surface, updates: u32, item: u32) -> Vec<f64> {
        let kappa = self.settings.kappa;
        let rewards = self.state.round.rewards(&self.leaves, surface, kappa);
        let mut stream = self.stream(PLAN_LANE, item);
        let rule = self.rule();
        self.state.round.plan(&rewards, updates, &rule, &mut stream);
        rewards
    }

    fn has_tree(&self) -> bool {
        self.settings.decision == Decision::Tree
    }

    /// Draws the next trial of the round; None where every path leads to the same vector.
    fn draw(&mut self, asked: u64) -> Option<Trial> {
        let games = self.state.round.games + asked * u64::from(GAMES_PER_TRIAL);
        let confirm = games as f64 >= (1.0 - CONFIRMATION) * self.state.round.length as f64;
        let playable = |learner: &Self, path| {
            let trial = learner.trial(path, confirm);
            (!trial.a.same_when_quantised(&trial.b)).then_some(trial)
        };
        for redraw in 0..REDRAWS {
            let mut stream = self.stream(PATH_LANE, self.state.round.draws);
            self.state.round.draws += 1;
            let epsilon = match self.settings.decision {
                Decision::Tree if !confirm => self.settings.epsilon.max(f64::from(redraw) / 100.0),
                _ => 1.0,
            };
            let path = self.state.round.tree.choose(epsilon, &mut stream);
            if let Some(trial) = playable(self, path) {
                return Some(trial);
            }
        }
        // What chance does not find in so many draws may still be there.
        round::paths().find_map(|path| playable(self, path))
    }

    fn trial(&self, path: EditPath, confirm: bool) -> Trial {
        let round = &self.state.round;
        let [a, b] = if confirm {
            let far = round.vector(&self.unit_space, &path, CONFIRMATION_REACH);
            [far, self.incumbent.clone()]
        } else {
            round.pair(&self.unit_space, &path)
        };
        Trial {
            path,
            a,
            b,
            mirrored: !confirm,
        }
    }

    /// Whether there is nothing left to play: no pair of the budget, or no path in any of as many
    /// rounds as edit every parameter.
    fn is_exhausted(&self) -> bool {
        let spent = self.games_left() < u64::from(GAMES_PER_TRIAL);
        let stuck = self.state.idle_rounds as usize >= self.dimension();
        self.state.round.games == 0 && (spent || stuck)
    }

    fn round_is_over(&self) -> bool {
        self.state.round.games + u64::from(GAMES_PER_TRIAL) > self.state.round.length
    }

    /// Fits and plans, once the next part of the round has been played.
    fn learn(&mut self) {
        let fits = if self.dimension() > 2 {
            FITS_OF_MORE
        } else {
            FITS
        };
        let round = &self.state.round;
        if fits * round.games < (round.fits + 1) * round.length || self.round_is_over() {
            return;
        }
        self.state.round.fits += 1;
        self.model.fit();
        if self.has_tree() {
            let item = self.state.round.fits as u32;
            let surface = self.model.surface();
            self.plan(&surface, UPDATES, item);
        }
    }

    /// Fits to all games of the run; in early rounds also the prior's scale.
    fn fit(&mut self) -> Fit {
        if !self.model.is_due() {
            return self.model.fit();
        }
        let centre = self.state.round.centre.clone();
        self.model.weigh(&centre);
        // One turn of the prior's scale after the other, three a time at first.
        let number = self.state.weighings;
        self.state.weighings += 1;
        let turns = match number {
            0..SCALE_ROUNDS_AT_FIRST => SCALE_TURNS,
            _ if number < SCALE_ROUNDS => 1,
            _ if number.is_multiple_of(SCALE_EVERY) => 1,
            _ => return self.model.fit(),
        };
        let first = match number {
            0..SCALE_ROUNDS => number,
            _ => number / SCALE_EVERY,
        };
        (1..turns).fold(self.model.fit_scale(first), |_, turn| {
            self.model.fit_scale(first + turn)
        })
    }
}

impl Optimiser for QTreeLearner {
    fn ask(&mut self, limit: usize) -> Ask {
        assert!(
            self.open.is_empty(),
            "every proposal is told before the next ask"
        );
        if self.is_exhausted() {
            return Ask::Exhausted;
        }
        let pair = u64::from(GAMES_PER_TRIAL);
        let wanted = self
            .state
            .round
            .length
            .saturating_sub(self.state.round.games)
            / pair;
        let wanted = usize::try_from(wanted)
            .unwrap_or(usize::MAX)
            .min(limit.max(1));
        while self.open.len() < wanted {
            let Some(trial) = self.draw(self.open.len() as u64) else {
                break;
            };
            self.open.push_back(trial);
        }
        if self.open.is_empty() {
            return Ask::RoundFinished(self.finish_round());
        }
        let proposal = |trial: &Trial| Proposal {
            // Games from twice as far away are no path's.
            path: (self.has_tree() && trial.mirrored).then_some(trial.path),
            a: trial.a.clone(),
            b: trial.b.clone(),
            colours: Colours::Paired,
            games: GAMES_PER_TRIAL,
        };
        Ask::Play(self.open.iter().map(proposal).collect())
    }

    fn tell(&mut self, result: &TrialResult) {
        let trial = self
            .open
            .pop_front()
            .expect("a proposal waits for its result");
        let (score, games) = (result.wdl.points(), result.wdl.games());
        let before = self.state.round.matches_before;
        self.model
            .add(&trial.a, &trial.b, score, games as f64, before);
        if trial.mirrored {
            self.state.round.add_own(trial.path, score, games as f64);
        }
        self.state.round.games += games;
        self.state.games += games;
        if self.open.is_empty() {
            self.learn();
        }
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.open.clear();
        let fit = self.fit();
        let [low, high] = self.neighbourhood();
        let centre = self.state.round.centre.clone();
        let optimum = fit.surface().optimum(&low, &high, &centre);
        if self.state.games as f64 > (1.0 - TAIL) * self.budget as f64 {
            self.state.tail.add(&optimum);
        }
        let share = self.pick(DRAW, DRAW_OF_MORE);
        let draw = drawn(&fit, share, &mut self.stream(DRAW_LANE, 0));
        let aim = draw.optimum(&low, &high, &centre);
        let landing = self.games_left() < u64::from(GAMES_PER_TRIAL);
        let (path, moved) = if landing {
            let target = self.state.tail.mean().unwrap_or(optimum);
            self.land(fit.surface(), &target)
        } else {
            self.step(&draw, &aim)
        };
        // A path of the landing was never played: its edits are not those of the round.
        let played = path.filter(|_| !landing);
        if !landing {
            self.decided = self.tree();
        }
        let [score, games] = played.map_or([0.0; 2], |path| self.state.round.own(path));
        let applied = moved.as_ref().is_some_and(|moved| *moved != self.incumbent);
        if let Some(moved) = moved {
            self.state.incumbent.clone_from(&moved.0);
            self.incumbent = moved;
        }
        let summary = RoundSummary {
            round: self.state.number,
            greedy_path: path,
            applied,
            candidate_score: (games > 0.0).then(|| score / games),
            candidate_games: games as u64,
            incumbent: self.incumbent.clone(),
        };
        let centre = self.unit_space.point(&self.incumbent);
        let loss = self.loss();
        self.state.axes = match self.settings.directions {
            Directions::Composite => self.state.axes.fitted(fit.surface(), &centre, loss),
            Directions::Pairs => self.state.axes.fitted_along(fit.surface(), &centre, loss),
        };
        self.state.number += 1;
        self.state.idle_rounds = match self.state.round.games {
            0 => self.state.idle_rounds + 1,
            _ => 0,
        };
        self.lay(Some(&aim));
        summary
    }

    fn land(&mut self) -> Option<RoundSummary> {
        self.budget = self.state.games;
        Some(self.finish_round())
    }

    fn incumbent(&self) -> &Vector {
        &self.incumbent
    }

    fn round(&self) -> u32 {
        self.state.number
    }

    fn tree(&self) -> Option<TreeView> {
        self.has_tree().then(|| self.view(&self.state.round))
    }

    fn decided_tree(&self) -> Option<TreeView> {
        self.decided.clone()
    }

    fn snapshot(&self) -> serde_json::Value {
        let snapshot = Snapshot {
            learner: self.settings.name().into(),
            state: self.state.clone(),
            model: self.model.state().clone(),
        };
        super::snapshot_of(self.open.is_empty(), &snapshot)
    }

    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError> {
        let stored: Snapshot = super::stored_state(state, self.settings.name())?;
        let Snapshot { state, model, .. } = stored;
        if state.games > self.budget || state.round.matches_before > model.matches() {
            let reason = format!("{} games of {}", state.games, self.budget);
            return Err(SnapshotError { reason });
        }
        state.axes.check(self.dimension())?;
        state.round.check(&self.unit_space)?;
        state.tail.check(self.dimension())?;
        let incumbent = self.unit_space.stored_incumbent(&state.incumbent)?;
        let mut fresh = Model::new(self.unit_space.clone());
        fresh.restore(model)?;
        self.model = fresh;
        self.incumbent = incumbent;
        self.leaves = state.round.leaves(&self.unit_space);
        self.state = state;
        self.open.clear();
        Ok(())
    }
}

fn stream(seed: u64, lane: u8, round: u32, item: u32) -> Stream {
    StreamKey {
        lane,
        round,
        item,
        ..StreamKey::new(seed, Purpose::Learner)
    }
    .stream()
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
