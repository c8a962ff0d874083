//! The preset `paper`: the source's scheme as printed, its open readings as settings.
//!
//! CITE: Qiu, Wang, Wang, "Q-learning for self-tuning of an Amazons evaluation function",
//! sections 3 and 4: 10,000 episodes a round, five games an episode with the candidate always
//! First, a reward when it wins enough of them, and the greedy path applied whatever it scored. A
//! round costs 50,000 games: this is a reproduction, not a recommendation.

use super::learner::{Scheme, TreeLearner};
use super::settings::{
    LearnerError, SettingError, SixthAction, TreeSettings, in_range, reward_in_range,
};
use super::tree::{RewardTo, UnrewardedLeaf, UpdateRule};
use crate::space::Space;
use crate::trial::{Colours, TrialResult};

/// Settings of the preset; the defaults are the source's where it states them.
#[derive(Clone, PartialEq, Debug)]
pub struct PaperSettings {
    /// What all learners with a Q tree share.
    pub tree: TreeSettings,
    /// Wins of an episode's games that earn the reward, 1 to `games_per_episode`. The source says
    /// "2 or more" and "a higher rate than the old one": 3 of 5 satisfies both.
    pub threshold: u32,
    /// The reward, in (0, 1e6].
    pub reward: f64,
    /// What becomes of a leaf without reward.
    pub unrewarded: UnrewardedLeaf,
    /// Who receives a reward.
    pub reward_to: RewardTo,
}

impl Default for PaperSettings {
    fn default() -> Self {
        Self {
            tree: TreeSettings {
                // Not stated in the source; our choice.
                epsilon: 0.3,
                alpha: 0.1,
                gamma: 0.9,
                episodes: 10_000,
                games_per_episode: 5,
                // "Random" in the source; a tenth of the reward at most, our choice.
                initial_q_min: 0.0,
                initial_q_max: 100.0,
                // Not stated in the source; our choice, which fits its result: X fell by 2, four
                // times C1, and Y by 0.8, four times C2.
                c1: 0.5,
                c2: 0.2,
                sixth_action: SixthAction::Mirrored,
            },
            threshold: 3,
            reward: 1000.0,
            unrewarded: UnrewardedLeaf::Zero,
            reward_to: RewardTo::Leaf,
        }
    }
}

impl PaperSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        self.tree.validate(PaperScheme::COLOURS)?;
        in_range("threshold", self.threshold, 1, self.tree.games_per_episode)?;
        reward_in_range("reward", self.reward)
    }
}

/// How the preset rewards and applies.
#[derive(Clone, Debug)]
pub struct PaperScheme {
    threshold: u32,
    reward: f64,
}

impl Scheme for PaperScheme {
    const NAME: &'static str = "paper";
    const COLOURS: Colours = Colours::AFirst;

    fn reward(&self, result: &TrialResult, _pooled: Option<f64>) -> Option<f64> {
        (result.wdl.wins >= u64::from(self.threshold)).then_some(self.reward)
    }

    fn unplayed_reward(&self) -> Option<f64> {
        None
    }

    fn applies(&self, _pooled: Option<f64>) -> bool {
        true
    }
}

/// The source's learner.
pub type Paper = TreeLearner<PaperScheme>;

impl Paper {
    /// A learner at the start of its first round; `seed` is below 2^53.
    ///
    /// # Errors
    /// A setting outside its range or a space that cannot be searched.
    pub fn new(space: Space, settings: PaperSettings, seed: u64) -> Result<Self, LearnerError> {
        settings.validate()?;
        let scheme = PaperScheme {
            threshold: settings.threshold,
            reward: settings.reward,
        };
        let rule = UpdateRule {
            alpha: settings.tree.alpha,
            gamma: settings.tree.gamma,
            unrewarded: settings.unrewarded,
            reward_to: settings.reward_to,
        };
        Self::build(scheme, space, settings.tree, rule, seed)
    }
}
