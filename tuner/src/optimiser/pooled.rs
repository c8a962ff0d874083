//! The preset `pooled`: the Q tree with games used more than once.
//!
//! The tree, the choice and the update are the source's. An episode's reward is the mean score of
//! all games of its candidate against the incumbent: paths that lead to the same vector share
//! their games, and games are kept over rounds for as long as the incumbent stays. Colours are
//! paired. Edits that change nothing score one half without a game. The greedy path is applied
//! only if it was played and its pooled score is above one half.

use super::learner::{Scheme, TreeLearner};
use super::settings::{LearnerError, SettingError, SixthAction, TreeSettings};
use super::tree::{RewardTo, UnrewardedLeaf, UpdateRule};
use crate::space::Space;
use crate::trial::{Colours, TrialResult};

/// Score of a candidate that equals its opponent.
const EVEN: f64 = 0.5;

/// Settings of the preset.
#[derive(Clone, PartialEq, Debug)]
pub struct PooledSettings {
    /// What all learners with a Q tree share.
    pub tree: TreeSettings,
}

impl Default for PooledSettings {
    fn default() -> Self {
        Self {
            tree: TreeSettings {
                epsilon: 0.3,
                alpha: 0.1,
                gamma: 0.9,
                episodes: 50,
                games_per_episode: 6,
                // Below the even score one half, so an initial value never outweighs a result.
                initial_q_min: 0.0,
                initial_q_max: 0.1,
                c1: 1.0,
                c2: 1.0,
                sixth_action: SixthAction::Mirrored,
            },
        }
    }
}

impl PooledSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.tree.validate(PooledScheme::COLOURS)
    }
}

/// How the preset rewards and applies.
#[derive(Clone, Debug)]
pub struct PooledScheme;

impl Scheme for PooledScheme {
    const NAME: &'static str = "pooled";
    const COLOURS: Colours = Colours::Paired;

    fn reward(&self, _result: &TrialResult, pooled: Option<f64>) -> Option<f64> {
        pooled
    }

    fn unplayed_reward(&self) -> Option<f64> {
        Some(EVEN)
    }

    fn applies(&self, pooled: Option<f64>) -> bool {
        pooled.is_some_and(|score| score > EVEN)
    }
}

/// The learner with pooled rewards.
pub type Pooled = TreeLearner<PooledScheme>;

impl Pooled {
    /// A learner at the start of its first round; `seed` is below 2^53.
    ///
    /// # Errors
    /// A setting outside its range or a space that cannot be searched.
    pub fn new(space: Space, settings: PooledSettings, seed: u64) -> Result<Self, LearnerError> {
        let rule = UpdateRule {
            alpha: settings.tree.alpha,
            gamma: settings.tree.gamma,
            // A result without games teaches nothing about the path.
            unrewarded: UnrewardedLeaf::Unchanged,
            reward_to: RewardTo::Leaf,
        };
        Self::build(PooledScheme, space, settings.tree, rule, seed)
    }
}
