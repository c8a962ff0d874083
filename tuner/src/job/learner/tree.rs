//! The settings of the learners with a Q tree in a job's table.

use sixfold_engine::config::{ConfigError, Section};
use toml_edit::{Table, value};

use super::{number, whole, word};
use crate::optimiser::paper::PaperSettings;
use crate::optimiser::pooled::PooledSettings;
use crate::optimiser::settings::{SixthAction, TreeSettings};
use crate::optimiser::tree::{RewardTo, UnrewardedLeaf};

const SIXTH_ACTIONS: [(&str, SixthAction); 2] = [
    ("mirrored", SixthAction::Mirrored),
    ("crossed", SixthAction::Crossed),
];
const UNREWARDED: [(&str, UnrewardedLeaf); 2] = [
    ("zero", UnrewardedLeaf::Zero),
    ("unchanged", UnrewardedLeaf::Unchanged),
];
const REWARD_TO: [(&str, RewardTo); 2] = [("leaf", RewardTo::Leaf), ("path", RewardTo::Path)];

/// Reads the settings of `pooled`; their ranges are not checked here.
pub(super) fn read_pooled(section: &Section<'_>) -> Result<PooledSettings, ConfigError> {
    let default = PooledSettings::default();
    Ok(PooledSettings {
        tree: read_tree(section, &default.tree)?,
    })
}

/// Reads the settings of `paper`; their ranges are not checked here.
pub(super) fn read_paper(section: &Section<'_>) -> Result<PaperSettings, ConfigError> {
    let default = PaperSettings::default();
    Ok(PaperSettings {
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

/// Writes what all learners with a Q tree share.
pub(super) fn write_tree(table: &mut Table, tree: &TreeSettings) {
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
    let sixth_action = word(&SIXTH_ACTIONS, &tree.sixth_action);
    table.insert("sixth_action", value(sixth_action));
}

/// Writes the settings of `paper`.
pub(super) fn write_paper(table: &mut Table, settings: &PaperSettings) {
    write_tree(table, &settings.tree);
    table.insert("threshold", value(i64::from(settings.threshold)));
    table.insert("reward", value(settings.reward));
    let unrewarded = word(&UNREWARDED, &settings.unrewarded);
    table.insert("unrewarded_leaf", value(unrewarded));
    table.insert("reward_to", value(word(&REWARD_TO, &settings.reward_to)));
}
