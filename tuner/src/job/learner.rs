//! The learner's table of a job: which learner, with which settings.

use sixfold_engine::config::{ConfigError, Section};
use toml_edit::{Table, value};

use crate::optimiser::Optimiser;
use crate::optimiser::paper::{Paper, PaperSettings};
use crate::optimiser::pooled::{Pooled, PooledSettings};
use crate::optimiser::settings::{SettingError, SixthAction, TreeSettings};
use crate::optimiser::tree::{RewardTo, UnrewardedLeaf};
use crate::space::Space;

const KINDS: [(&str, Kind); 2] = [("pooled", Kind::Pooled), ("paper", Kind::Paper)];
const SIXTH_ACTIONS: [(&str, SixthAction); 2] = [
    ("mirrored", SixthAction::Mirrored),
    ("crossed", SixthAction::Crossed),
];
const UNREWARDED: [(&str, UnrewardedLeaf); 2] = [
    ("zero", UnrewardedLeaf::Zero),
    ("unchanged", UnrewardedLeaf::Unchanged),
];
const REWARD_TO: [(&str, RewardTo); 2] = [("leaf", RewardTo::Leaf), ("path", RewardTo::Path)];

#[derive(Clone, Copy)]
enum Kind {
    Pooled,
    Paper,
}

/// A learner with its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum LearnerSettings {
    /// Rewards are mean scores of all games of a candidate against the incumbent.
    Pooled(PooledSettings),
    /// As the source prints it.
    Paper(PaperSettings),
}

impl LearnerSettings {
    /// Games of each trial.
    pub fn games_per_trial(&self) -> u32 {
        self.tree().games_per_episode
    }

    /// Games of each round, if every episode is played.
    pub fn games_per_round(&self) -> u64 {
        let tree = self.tree();
        u64::from(tree.episodes) * u64::from(tree.games_per_episode)
    }

    /// Rounds that have edited every parameter once: a tree edits a pair a round, in turn.
    pub fn rounds_for_all(&self, space: &Space) -> u32 {
        space.parameters.len().div_ceil(2) as u32
    }

    fn tree(&self) -> &TreeSettings {
        match self {
            LearnerSettings::Pooled(settings) => &settings.tree,
            LearnerSettings::Paper(settings) => &settings.tree,
        }
    }

    /// The learner at its start. `_games` is what the tuning may use in all, if that is limited:
    /// learners with a schedule divide it.
    ///
    /// # Panics
    /// If these settings or the space were not checked; those of a job are.
    pub fn build(&self, seed: u64, space: &Space, _games: Option<u64>) -> Box<dyn Optimiser> {
        let checked = "a job's learner settings and space were checked";
        match self {
            LearnerSettings::Pooled(settings) => {
                Box::new(Pooled::new(space.clone(), settings.clone(), seed).expect(checked))
            }
            LearnerSettings::Paper(settings) => {
                Box::new(Paper::new(space.clone(), settings.clone(), seed).expect(checked))
            }
        }
    }

    fn validate(&self) -> Result<(), SettingError> {
        match self {
            LearnerSettings::Pooled(settings) => settings.validate(),
            LearnerSettings::Paper(settings) => settings.validate(),
        }
    }

    /// The table that [`read`] reads back to the same settings.
    pub(super) fn to_table(&self) -> Table {
        let mut table = Table::new();
        let tree = self.tree();
        let kind = match self {
            LearnerSettings::Pooled(_) => "pooled",
            LearnerSettings::Paper(_) => "paper",
        };
        table.insert("kind", value(kind));
        table.insert("epsilon", value(tree.epsilon));
        table.insert("alpha", value(tree.alpha));
        table.insert("gamma", value(tree.gamma));
        table.insert("episodes", value(i64::from(tree.episodes)));
        table.insert(
            "games_per_episode",
            value(i64::from(tree.games_per_episode)),
        );
        table.insert("initial_q_min", value(tree.initial_q_min));
        table.insert("initial_q_max", value(tree.initial_q_max));
        table.insert("c1", value(tree.c1));
        table.insert("c2", value(tree.c2));
        table.insert(
            "sixth_action",
            value(word(&SIXTH_ACTIONS, &tree.sixth_action)),
        );
        if let LearnerSettings::Paper(settings) = self {
            table.insert("threshold", value(i64::from(settings.threshold)));
            table.insert("reward", value(settings.reward));
            table.insert(
                "unrewarded_leaf",
                value(word(&UNREWARDED, &settings.unrewarded)),
            );
            table.insert("reward_to", value(word(&REWARD_TO, &settings.reward_to)));
        }
        table
    }
}

fn word<T: PartialEq>(words: &[(&'static str, T)], wanted: &T) -> &'static str {
    let found = words.iter().find(|(_, candidate)| candidate == wanted);
    found
        .map(|(word, _)| *word)
        .expect("every variant has a word")
}

/// Reads the table.
pub(super) fn read(section: &Section<'_>) -> Result<LearnerSettings, ConfigError> {
    let kind = section
        .choice("kind", &KINDS)?
        .ok_or_else(|| section.error("kind", "is missing; expected \"pooled\" or \"paper\""))?;
    let settings = match kind {
        Kind::Pooled => {
            let default = PooledSettings::default();
            LearnerSettings::Pooled(PooledSettings {
                tree: read_tree(section, &default.tree)?,
            })
        }
        Kind::Paper => {
            let default = PaperSettings::default();
            LearnerSettings::Paper(PaperSettings {
                tree: read_tree(section, &default.tree)?,
                threshold: whole(section, "threshold", default.threshold)?,
                reward: number(section, "reward", default.reward)?,
                unrewarded: section
                    .choice("unrewarded_leaf", &UNREWARDED)?
                    .unwrap_or(default.unrewarded),
                reward_to: section
                    .choice("reward_to", &REWARD_TO)?
                    .unwrap_or(default.reward_to),
            })
        }
    };
    settings.validate().map_err(|error| {
        section.error(
            error.key,
            format!("is {}; it must be {}", error.value, error.allowed),
        )
    })?;
    section.check_no_strangers()?;
    Ok(settings)
}

fn read_tree(section: &Section<'_>, default: &TreeSettings) -> Result<TreeSettings, ConfigError> {
    Ok(TreeSettings {
        epsilon: number(section, "epsilon", default.epsilon)?,
        alpha: number(section, "alpha", default.alpha)?,
        gamma: number(section, "gamma", default.gamma)?,
        episodes: whole(section, "episodes", default.episodes)?,
        games_per_episode: whole(section, "games_per_episode", default.games_per_episode)?,
        initial_q_min: number(section, "initial_q_min", default.initial_q_min)?,
        initial_q_max: number(section, "initial_q_max", default.initial_q_max)?,
        c1: number(section, "c1", default.c1)?,
        c2: number(section, "c2", default.c2)?,
        sixth_action: section
            .choice("sixth_action", &SIXTH_ACTIONS)?
            .unwrap_or(default.sixth_action),
    })
}

/// A number whose range the settings themselves check; only NaN and infinities are refused here.
fn number(section: &Section<'_>, key: &str, default: f64) -> Result<f64, ConfigError> {
    Ok(section
        .number(key, -f64::MAX..=f64::MAX)?
        .unwrap_or(default))
}

fn whole(section: &Section<'_>, key: &str, default: u32) -> Result<u32, ConfigError> {
    Ok(section
        .integer(key, 0..=u64::from(u32::MAX))?
        .map_or(default, |whole| whole as u32))
}
