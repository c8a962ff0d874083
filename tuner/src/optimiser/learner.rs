//! The learner around the Q tree: rounds of episodes, batches, pools, the path at the end.
//!
//! What differs between presets (who sits where, what an episode earns, when a path is applied) is
//! a [`Scheme`]; everything else is here, once.
//!
//! An ask draws up to `limit` episodes from the tree as it is. Episodes whose edits change nothing
//! may need no game; they are rewarded in their turn, between the results of those before and
//! after them, so a batch means the same however its results arrive. All draws come from streams
//! keyed by (seed, round, episode): the state holds no generator.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::pool::Pools;
use super::settings::{LearnerError, TreeSettings};
use super::tree::{Edits, QTree, UpdateRule, nodes_of};
use super::tree_view::TreeView;
use super::{Ask, Optimiser, Proposal, SnapshotError};
use crate::space::{Space, Vector};
use crate::stream::{Purpose, Stream, StreamKey};
use crate::trial::{Colours, TrialResult};
use crate::trial::{EditPath, RoundSummary};

/// Lanes of the learner's streams: what a draw decides.
const EPISODE_LANE: u8 = 0;
const INITIAL_Q_LANE: u8 = 1;
const GREEDY_LANE: u8 = 2;

/// Where the presets differ.
pub trait Scheme: Send {
    /// The preset's name, as stored in snapshots.
    const NAME: &'static str;

    /// Who sits where.
    const COLOURS: Colours;

    /// What a played episode earns. `pooled` is the score in [0, 1] of all games of its candidate
    /// against the incumbent, this episode's included; none without games.
    fn reward(&self, result: &TrialResult, pooled: Option<f64>) -> Option<f64>;

    /// What an episode earns whose edits change nothing, without a game; none when such a
    /// candidate is played like any other.
    fn unplayed_reward(&self) -> Option<f64>;

    /// Whether the greedy path is applied. `pooled` is the score in [0, 1] of its candidate; none
    /// when the path was not played in this round.
    fn applies(&self, pooled: Option<f64>) -> bool;
}

/// A learner with a Q tree.
#[derive(Clone, Debug)]
pub struct TreeLearner<S> {
    scheme: S,
    space: Space,
    settings: TreeSettings,
    edits: Edits,
    rule: UpdateRule,
    seed: u64,
    round: u32,
    /// Episodes drawn in this round.
    episode: u32,
    incumbent: Vector,
    tree: QTree,
    /// Games of candidates against the incumbent in force.
    pools: Pools,
    /// Episodes drawn and not yet learnt from; the first of them is a played one.
    open: VecDeque<Episode>,
}

/// What a snapshot holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// Preset that wrote it.
    learner: String,
    round: u32,
    episode: u32,
    incumbent: Vec<f64>,
    tree: QTree,
    pools: Pools,
}

#[derive(Clone, Debug)]
struct Episode {
    path: EditPath,
    candidate: Vector,
    /// The reward, when it is known without a game.
    unplayed: Option<f64>,
}

impl<S: Scheme> TreeLearner<S> {
    pub(super) fn build(
        scheme: S,
        space: Space,
        settings: TreeSettings,
        rule: UpdateRule,
        seed: u64,
    ) -> Result<Self, LearnerError> {
        settings.validate(S::COLOURS)?;
        space.validate()?;
        Ok(Self {
            edits: settings.edits(),
            round: 0,
            episode: 0,
            incumbent: space.start(),
            tree: new_tree(&settings, seed, 0),
            pools: Pools::default(),
            scheme,
            space,
            settings,
            rule,
            seed,
            open: VecDeque::new(),
        })
    }

    /// Indices of the active pair (X, Y) of the round in progress.
    pub fn active_pair(&self) -> [usize; 2] {
        active_pair(self.space.parameters.len(), self.round)
    }

    fn candidate(&self, path: EditPath) -> Vector {
        self.edits
            .candidate(&self.space, self.active_pair(), &self.incumbent, &path)
    }

    /// Draws the next episode of the round.
    fn draw(&mut self) -> Episode {
        let mut stream = stream(self.seed, EPISODE_LANE, self.round, self.episode);
        self.episode += 1;
        let path = self.tree.choose(self.settings.epsilon, &mut stream);
        let candidate = self.candidate(path);
        let unplayed = self
            .scheme
            .unplayed_reward()
            .filter(|_| candidate.same_when_quantised(&self.incumbent));
        Episode {
            path,
            candidate,
            unplayed,
        }
    }

    /// Learns from the episodes at the front that need no game.
    fn learn_unplayed(&mut self) {
        while let Some(reward) = self.open.front().and_then(|episode| episode.unplayed) {
            let path = self.open[0].path;
            self.open.pop_front();
            self.tree.update(path, Some(reward), &self.rule);
        }
    }

    fn proposals(&self) -> Vec<Proposal> {
        self.open
            .iter()
            .filter(|episode| episode.unplayed.is_none())
            .map(|episode| Proposal {
                path: Some(episode.path),
                a: episode.candidate.clone(),
                b: self.incumbent.clone(),
                colours: S::COLOURS,
                games: self.settings.games_per_episode,
            })
            .collect()
    }

    /// Puts a candidate in force; games against another incumbent no longer count.
    fn apply(&mut self, candidate: Vector) {
        if candidate != self.incumbent {
            self.pools.clear();
        }
        self.incumbent = candidate;
    }

    fn check(&self, state: &State) -> Result<(), SnapshotError> {
        let refuse = |reason: String| Err(SnapshotError { reason });
        if state.learner != S::NAME {
            return refuse(format!(
                "it is of the learner {:?}, not {:?}",
                state.learner,
                S::NAME
            ));
        }
        if state.episode > self.settings.episodes {
            return refuse(format!(
                "episode {} of a round of {}",
                state.episode, self.settings.episodes
            ));
        }
        if !self.space.contains(&Vector(state.incumbent.clone())) {
            return refuse("the incumbent is outside the space".into());
        }
        match state.pools.fault(|vector| self.space.contains(vector)) {
            Some(fault) => refuse(fault.into()),
            None => Ok(()),
        }
    }
}

impl<S: Scheme> Optimiser for TreeLearner<S> {
    fn ask(&mut self, limit: usize) -> Ask {
        assert!(
            self.open.is_empty(),
            "every proposal is told before the next ask"
        );
        while self.episode < self.settings.episodes {
            // All episodes of a batch are drawn before any is learnt from.
            while self.open.len() < limit.max(1) && self.episode < self.settings.episodes {
                let episode = self.draw();
                self.open.push_back(episode);
            }
            self.learn_unplayed();
            if !self.open.is_empty() {
                return Ask::Play(self.proposals());
            }
        }
        Ask::RoundFinished(self.finish_round())
    }

    fn tell(&mut self, result: &TrialResult) {
        let episode = self
            .open
            .pop_front()
            .expect("a proposal waits for its result");
        self.pools.add(&episode.candidate, &result.wdl);
        let pooled = self.pools.of(&episode.candidate);
        let reward = self.scheme.reward(result, pooled.map(|pool| pool.score()));
        self.tree.update(episode.path, reward, &self.rule);
        self.learn_unplayed();
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.open.clear();
        let round = self.round;
        let mut ties = stream(self.seed, GREEDY_LANE, round, 0);
        let greedy_path = self.tree.greedy_path(&mut ties);
        let candidate = self.candidate(greedy_path);
        // Games of earlier rounds count, but not for a path that this tree never tried: its
        // Q-values are still the random initial ones.
        let tried = self.tree.node(nodes_of(greedy_path)[1]).visits > 0;
        let pool = self.pools.of(&candidate).filter(|_| tried);
        let (score, games) = (
            pool.map(|pool| pool.score()),
            pool.map_or(0, |pool| pool.games()),
        );
        let applied = self.scheme.applies(score);
        if applied {
            self.apply(candidate);
        }
        self.round += 1;
        self.episode = 0;
        self.tree = new_tree(&self.settings, self.seed, self.round);
        RoundSummary {
            round,
            greedy_path: Some(greedy_path),
            applied,
            candidate_score: score,
            candidate_games: games,
            incumbent: self.incumbent.clone(),
        }
    }

    fn incumbent(&self) -> &Vector {
        &self.incumbent
    }

    fn round(&self) -> u32 {
        self.round
    }

    fn tree(&self) -> Option<TreeView> {
        let pair = self.active_pair();
        Some(TreeView::new(
            self.round,
            self.edits.in_unit_coordinates(&self.space, pair),
            &self.tree,
            |path| {
                self.edits
                    .candidate(&self.space, pair, &self.incumbent, path)
            },
        ))
    }

    fn snapshot(&self) -> serde_json::Value {
        let state = State {
            learner: S::NAME.into(),
            round: self.round,
            episode: self.episode,
            incumbent: self.incumbent.0.clone(),
            tree: self.tree.clone(),
            pools: self.pools.clone(),
        };
        super::snapshot_of(self.open.is_empty(), &state)
    }

    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError> {
        let state = State::deserialize(state).map_err(|error| SnapshotError {
            reason: error.to_string(),
        })?;
        self.check(&state)?;
        self.round = state.round;
        self.episode = state.episode;
        self.incumbent = Vector(state.incumbent);
        self.tree = state.tree;
        self.pools = state.pools;
        self.open.clear();
        Ok(())
    }
}

/// The pair that a round edits: (0, 1), (2, 3) and so on in the job's order, round by round;
/// with an odd number of parameters the last one is paired with the first and it goes on there.
pub(super) fn active_pair(parameters: usize, round: u32) -> [usize; 2] {
    let count = parameters as u64;
    [0, 1].map(|offset| ((2 * u64::from(round) + offset) % count) as usize)
}

fn stream(seed: u64, lane: u8, round: u32, episode: u32) -> Stream {
    StreamKey {
        lane,
        round,
        item: episode,
        ..StreamKey::new(seed, Purpose::Learner)
    }
    .stream()
}

fn new_tree(settings: &TreeSettings, seed: u64, round: u32) -> QTree {
    let range = [settings.initial_q_min, settings.initial_q_max];
    QTree::new(range, &mut stream(seed, INITIAL_Q_LANE, round, 0))
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
