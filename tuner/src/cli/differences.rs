//! How two engine configurations differ, for people: setting by setting, what is another stage's
//! followed to its value.

use std::collections::BTreeMap;

use sixfold_engine::config::{CHOICE_KEYS, EngineConfig};
use sixfold_engine::stage::{Stage, Start};

/// What differs between the configuration that was tuned, `ours`, and `theirs`, a sentence each.
pub(super) fn differences(ours: &EngineConfig, theirs: &EngineConfig) -> Vec<String> {
    let mut list = Vec::new();
    compare(&own_settings(ours), &own_settings(theirs), &mut list);
    for stage in &ours.stages {
        match theirs.stages.iter().find(|other| other.name == stage.name) {
            Some(other) => compare(&stage_settings(stage), &stage_settings(other), &mut list),
            None => list.push(format!("stage {} of the run is missing there", stage.name)),
        }
    }
    let is_new = |stage: &&Stage| ours.stages.iter().all(|own| own.name != stage.name);
    for stage in theirs.stages.iter().filter(is_new) {
        list.push(format!(
            "stage {} is there and was not in the run",
            stage.name
        ));
    }
    list
}

/// Settings by their paths, as a person reads them.
type Settings = BTreeMap<String, String>;

fn compare(ours: &Settings, theirs: &Settings, list: &mut Vec<String>) {
    for (path, own) in ours {
        match theirs.get(path) {
            Some(other) if other == own => {}
            Some(other) => list.push(format!("{path} is {other} there and was {own} in the run")),
            None => list.push(format!("{path} was {own} in the run and is missing there")),
        }
    }
    for (path, other) in theirs {
        if !ours.contains_key(path) {
            list.push(format!(
                "{path} is {other} there and was not set in the run"
            ));
        }
    }
}

fn own_settings(config: &EngineConfig) -> Settings {
    let mut settings = Settings::new();
    settings.insert("budget".to_owned(), config.budget.to_string());
    settings.insert("solver.table_mib".to_owned(), config.table_mib.to_string());
    settings
}

fn stage_settings(stage: &Stage) -> Settings {
    let mut settings = Settings::new();
    let mut add = |name: &str, value: String| {
        settings.insert(format!("stages.{}.{name}", stage.name), value);
    };
    match stage.start {
        Start::Ply(ply) => add("from.ply", ply.to_string()),
        Start::EdgesLeft(edges) => add("from.edges_left", edges.to_string()),
        Start::Filled(share) => add("from.filled", share.to_string()),
        Start::ProgressBelow(limit) => add("from.progress_below", limit.to_string()),
        Start::Solvable => add("from.solvable", "true".to_owned()),
    }
    add("searcher", stage.searcher.word().to_owned());
    add("share", stage.share.to_string());
    add("takes_savings", stage.takes_savings.to_string());
    // What is another stage's counts with its value: it is what plays.
    let resolved = Stage {
        same_as: Vec::new(),
        ..stage.clone()
    };
    for (row, value) in resolved.rows() {
        add(row.spec.name, value.to_string());
    }
    for key in CHOICE_KEYS {
        if let Some(word) = stage.choice(key) {
            add(key, word.to_owned());
        }
    }
    settings
}
