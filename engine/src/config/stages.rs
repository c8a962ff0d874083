//! The stage tables of a configuration: reading, sharing, order.

use super::reader::{ConfigError, Section};
use crate::eval::{MoveList, RolloutPolicy};
use crate::params::{FROM_EDGES_LEFT, FROM_PLY, ParamSpec, UCT_ROWS, UctRow, uct_defaults};
use crate::search::uct::{FinalMove, UctConstants};
use crate::stage::{Searcher, Stage, Start};

const MOVE_LISTS: [(&str, MoveList); 2] =
    [("all", MoveList::All), ("sufficient", MoveList::Sufficient)];
const ROLLOUTS: [(&str, RolloutPolicy); 2] = [
    ("uniform", RolloutPolicy::Uniform),
    ("safe", RolloutPolicy::Safe),
];
const FINAL_MOVES: [(&str, FinalMove); 3] = [
    ("visits", FinalMove::Visits),
    ("mean", FinalMove::Mean),
    ("highest_ucb", FinalMove::HighestUcb),
];
/// Keys of a stage whose values are words.
const CHOICE_KEYS: [&str; 3] = ["move_list", "rollout", "final_move"];

impl Stage {
    /// Whether the constant under `key` is another stage's.
    pub(super) fn shares(&self, key: &str) -> bool {
        self.same_as.iter().any(|(shared, _)| shared == key)
    }

    /// How a choice key stands: the word in force.
    pub fn choice(&self, key: &str) -> Option<&'static str> {
        fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> Option<&'static str> {
            words
                .iter()
                .find(|(_, candidate)| candidate == value)
                .map(|(word, _)| *word)
        }
        let Searcher::Uct(constants) = &self.searcher else {
            return None;
        };
        match key {
            "move_list" => word(&MOVE_LISTS, &constants.move_list),
            "rollout" => word(&ROLLOUTS, &constants.rollout),
            "final_move" => word(&FINAL_MOVES, &constants.final_move),
            _ => None,
        }
    }
}

/// Reads the table of stages; resolved and in order.
pub(super) fn read(section: &Section<'_>) -> Result<Vec<Stage>, ConfigError> {
    let names = section.keys();
    if names.is_empty() {
        return Err(section.error("", "has no stage; expected at least one table"));
    }
    let mut stages = Vec::with_capacity(names.len());
    for name in &names {
        check_name(section, name)?;
        stages.push(read_stage(name, &section.required_section(name)?, &names)?);
    }
    check_sharing(section, &stages)?;
    share(&mut stages);
    if stages[0].start != Start::Ply(0) {
        return Err(section.error(&names[0], "is the first stage; expected from = { ply = 0 }"));
    }
    if let Some(late) = out_of_order(&stages) {
        let problem = "starts before the stage above it; stages are ordered by their start \
                       (plies rising, edges left falling)";
        return Err(section.error(&late, problem));
    }
    Ok(stages)
}

fn check_name(section: &Section<'_>, name: &str) -> Result<(), ConfigError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    if !name.bytes().all(plain) || name.is_empty() || name.len() > 32 {
        return Err(section.error(name, "is no stage name; expected 1 to 32 of a-z, 0-9 and _"));
    }
    let words = MOVE_LISTS.iter().map(|(word, _)| *word);
    let words = words.chain(ROLLOUTS.iter().map(|(word, _)| *word));
    let mut words = words.chain(FINAL_MOVES.iter().map(|(word, _)| *word));
    match words.any(|word| word == name) {
        true => Err(section.error(name, "is a word of its own here and cannot name a stage")),
        false => Ok(()),
    }
}

fn read_stage(name: &str, section: &Section<'_>, names: &[String]) -> Result<Stage, ConfigError> {
    let start = read_start(&section.required_section("from")?)?;
    let searchers = [("uct", true), ("alpha_beta", false)];
    let uses_uct = section.choice("searcher", &searchers)?.ok_or_else(|| {
        section.error("searcher", "is missing; expected \"uct\" or \"alpha_beta\"")
    })?;
    let mut same_as = Vec::new();
    let searcher = if uses_uct {
        Searcher::Uct(read_constants(section, names, &mut same_as)?)
    } else {
        Searcher::AlphaBeta
    };
    section.check_no_strangers()?;
    Ok(Stage {
        name: name.to_owned(),
        start,
        searcher,
        same_as,
    })
}

fn read_start(section: &Section<'_>) -> Result<Start, ConfigError> {
    let read = |spec: &ParamSpec, key| section.integer(key, spec.min as u64..=spec.max as u64);
    let start = match (
        read(&FROM_PLY, "ply")?,
        read(&FROM_EDGES_LEFT, "edges_left")?,
    ) {
        (Some(ply), None) => Start::Ply(ply as u16),
        (None, Some(edges)) => Start::EdgesLeft(edges as u16),
        (Some(_), Some(_)) => {
            return Err(section.error("edges_left", "and `ply` exclude each other"));
        }
        (None, None) => {
            return Err(section.error("ply", "is missing; expected ply or edges_left"));
        }
    };
    section.check_no_strangers()?;
    Ok(start)
}

fn read_constants(
    section: &Section<'_>,
    names: &[String],
    same_as: &mut Vec<(String, String)>,
) -> Result<UctConstants, ConfigError> {
    let mut constants = uct_defaults();
    let mut keys: Vec<&str> = UCT_ROWS.iter().map(|row| row.spec.key()).collect();
    keys.dedup();
    for key in keys {
        if section.is_text(key) {
            same_as.push((key.to_owned(), read_stage_name(section, key, names)?));
            continue;
        }
        read_rows(section, key, &mut constants)?;
    }
    for key in CHOICE_KEYS {
        let names_a_stage = section
            .text(key)?
            .is_some_and(|word| names.iter().any(|n| n == word));
        if names_a_stage {
            same_as.push((key.to_owned(), read_stage_name(section, key, names)?));
            continue;
        }
        match key {
            "move_list" => read_choice(section, key, &MOVE_LISTS, &mut constants.move_list)?,
            "rollout" => read_choice(section, key, &ROLLOUTS, &mut constants.rollout)?,
            _ => read_choice(section, key, &FINAL_MOVES, &mut constants.final_move)?,
        }
    }
    Ok(constants)
}

fn read_choice<T: Copy>(
    section: &Section<'_>,
    key: &str,
    choices: &[(&str, T)],
    place: &mut T,
) -> Result<(), ConfigError> {
    if let Some(value) = section.choice(key, choices)? {
        *place = value;
    }
    Ok(())
}

fn read_stage_name(
    section: &Section<'_>,
    key: &str,
    names: &[String],
) -> Result<String, ConfigError> {
    let word = section.required_text(key)?;
    if names.iter().any(|name| name == word) {
        return Ok(word.to_owned());
    }
    let problem = format!(
        "is \"{word}\", which is no stage; the stages are {}",
        names.join(", ")
    );
    Err(section.error(key, problem))
}

/// Reads the rows under one key: a number, or a table of numbers.
fn read_rows(
    section: &Section<'_>,
    key: &str,
    constants: &mut UctConstants,
) -> Result<(), ConfigError> {
    let rows: Vec<&UctRow> = UCT_ROWS
        .iter()
        .filter(|row| row.spec.key() == key)
        .collect();
    let mut read = |table: &Section<'_>, key: &str, row: &UctRow| -> Result<(), ConfigError> {
        let spec = &row.spec;
        let value = if spec.integer {
            table
                .integer(key, spec.min as u64..=spec.max as u64)?
                .map(|whole| whole as f64)
        } else {
            table.number(key, spec.min..=spec.max)?
        };
        if let Some(value) = value {
            (row.set)(constants, value);
        }
        Ok(())
    };
    match rows[..] {
        [row] if row.spec.name == key => read(section, key, row),
        _ => {
            let Some(table) = section.section(key)? else {
                return Ok(());
            };
            for row in rows {
                let (_, name) = row
                    .spec
                    .name
                    .split_once('.')
                    .expect("a grouped row has a point");
                read(&table, name, row)?;
            }
            table.check_no_strangers()
        }
    }
}

/// "Same as" must name another UCT stage that has a value of its own.
fn check_sharing(section: &Section<'_>, stages: &[Stage]) -> Result<(), ConfigError> {
    for stage in stages {
        for (key, owner) in &stage.same_as {
            let owner = stages.iter().find(|candidate| candidate.name == *owner);
            let owner = owner.expect("names of stages were checked while reading");
            let problem = if owner.name == stage.name {
                format!("`{key}` names its own stage; expected another stage or a value")
            } else if owner.shares(key) {
                format!(
                    "`{key}` names {}, which itself names another stage",
                    owner.name
                )
            } else if owner.searcher == Searcher::AlphaBeta {
                format!("`{key}` names {}, which has no such constant", owner.name)
            } else {
                continue;
            };
            return Err(section.error(&stage.name, format!("cannot be resolved: {problem}")));
        }
    }
    Ok(())
}

/// Copies shared constants from their owners.
pub(super) fn share(stages: &mut [Stage]) {
    for index in 0..stages.len() {
        for (key, owner) in stages[index].same_as.clone() {
            let owner = stages.iter().find(|stage| stage.name == owner);
            let Some(Searcher::Uct(source)) = owner.map(|stage| stage.searcher.clone()) else {
                continue;
            };
            if let Searcher::Uct(target) = &mut stages[index].searcher {
                copy_constant(&key, &source, target);
            }
        }
    }
}

fn copy_constant(key: &str, source: &UctConstants, target: &mut UctConstants) {
    match key {
        "move_list" => target.move_list = source.move_list,
        "rollout" => target.rollout = source.rollout,
        "final_move" => target.final_move = source.final_move,
        _ => {
            for row in UCT_ROWS.iter().filter(|row| row.spec.key() == key) {
                (row.set)(target, (row.get)(source));
            }
        }
    }
}

/// The first stage that does not start after those before it.
pub(super) fn out_of_order(stages: &[Stage]) -> Option<String> {
    let (mut ply, mut edges) = (None, None);
    for stage in stages {
        let rises = match stage.start {
            Start::Ply(from) => ply.replace(from).is_none_or(|before| from > before),
            Start::EdgesLeft(limit) => edges.replace(limit).is_none_or(|before| limit < before),
        };
        if !rises {
            return Some(stage.name.clone());
        }
    }
    None
}
