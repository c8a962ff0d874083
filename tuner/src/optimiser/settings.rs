//! Settings that every learner with a Q tree has, with their ranges.

use super::tree::{ACTIONS, Action, CROSSED_SIXTH, Edits, Steps, WAYS};
use crate::space::SpaceError;
use crate::trial::Colours;

/// Most episodes of a round.
const MAX_EPISODES: u32 = 1_000_000;
/// Most games of an episode.
const MAX_GAMES: u32 = 10_000;
/// Largest initial Q-value and reward, either way.
const MAX_Q: f64 = 1e6;
/// Largest C1 and C2, in steps.
const MAX_STEPS: f64 = 100.0;

/// A setting outside its range.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{key} = {value}: must be {allowed}")]
pub struct SettingError {
    /// Name of the setting.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// What it must be.
    pub allowed: String,
}

/// Why a learner cannot be built.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LearnerError {
    /// A setting outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A space that cannot be searched.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Which reading of action 6 is in force (the source's table is partly lost).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SixthAction {
    /// X − C1, Y − C2: the opposite of action 5.
    Mirrored,
    /// X − C2, Y − C1.
    Crossed,
}

/// What all learners with a Q tree share.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeSettings {
    /// Exploration rate: probability of a random action, in [0, 1].
    pub epsilon: f64,
    /// Learning rate, in (0, 1].
    pub alpha: f64,
    /// Discount, in [0, 1].
    pub gamma: f64,
    /// Episodes of a round, 1 to 1,000,000.
    pub episodes: u32,
    /// Games of an episode, 1 to 10,000; even where colours are paired.
    pub games_per_episode: u32,
    /// Smallest initial Q-value, in units of the reward, within ±1e6.
    pub initial_q_min: f64,
    /// Largest initial Q-value, at least `initial_q_min`, within ±1e6.
    pub initial_q_max: f64,
    /// C1, in units of each parameter's step, in (0, 100].
    pub c1: f64,
    /// C2, in units of each parameter's step, in (0, 100].
    pub c2: f64,
    /// Reading of action 6.
    pub sixth_action: SixthAction,
}

impl TreeSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self, colours: Colours) -> Result<(), SettingError> {
        in_range("epsilon", self.epsilon, 0.0, 1.0)?;
        above_zero("alpha", self.alpha, 1.0)?;
        in_range("gamma", self.gamma, 0.0, 1.0)?;
        in_range("episodes", self.episodes, 1, MAX_EPISODES)?;
        in_range("games_per_episode", self.games_per_episode, 1, MAX_GAMES)?;
        if colours == Colours::Paired && self.games_per_episode % 2 == 1 {
            return Err(error(
                "games_per_episode",
                &self.games_per_episode,
                "even, games are played in pairs".into(),
            ));
        }
        in_range("initial_q_min", self.initial_q_min, -MAX_Q, MAX_Q)?;
        in_range(
            "initial_q_max",
            self.initial_q_max,
            self.initial_q_min,
            MAX_Q,
        )?;
        above_zero("c1", self.c1, MAX_STEPS)?;
        above_zero("c2", self.c2, MAX_STEPS)
    }

    pub(super) fn edits(&self) -> Edits {
        let mut actions: [Action; WAYS] = ACTIONS;
        if self.sixth_action == SixthAction::Crossed {
            actions[WAYS - 1] = CROSSED_SIXTH;
        }
        Edits {
            actions,
            steps: Steps {
                c1: self.c1,
                c2: self.c2,
            },
        }
    }
}

fn error(key: &'static str, value: &impl ToString, allowed: String) -> SettingError {
    SettingError {
        key,
        value: value.to_string(),
        allowed,
    }
}

/// Refuses what is not in [low, high], NaN included.
pub(super) fn in_range<T: PartialOrd + ToString + std::fmt::Display + Copy>(
    key: &'static str,
    value: T,
    low: T,
    high: T,
) -> Result<(), SettingError> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(error(key, &value, format!("in [{low}, {high}]")))
}

/// Refuses what is not in (0, high], NaN included.
pub(super) fn above_zero(key: &'static str, value: f64, high: f64) -> Result<(), SettingError> {
    if value > 0.0 && value <= high {
        return Ok(());
    }
    Err(error(key, &value, format!("above 0 and at most {high}")))
}

/// Refuses a reward outside (0, 1e6].
pub(super) fn reward_in_range(key: &'static str, value: f64) -> Result<(), SettingError> {
    above_zero(key, value, MAX_Q)
}
