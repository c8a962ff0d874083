//! Texts that people write: configurations, jobs, experiments, positions, game records.

use std::path::Path;

use sixfold_engine::agent::{GameRecord, MoveRecord};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::Dots;
use sixfold_engine::protocol::{ccgc, record};
use sixfold_tuner::export::{ExportError, NewValue, apply};
use sixfold_tuner::job::Job;
use sixfold_tuner::job::experiment::Experiment;

use super::{file_with, folder};

/// Largest table that a fuzzed configuration may ask for, in MiB: the reader tries whether the
/// system has that much to give, and 64 GiB are a legitimate wish.
const TABLE_MIB_MAX: i64 = 64;

/// Whether a configuration, or one inside a job, asks for a large table.
fn asks_for_a_large_table(text: &str) -> bool {
    let Ok(document) = toml_edit::Document::parse(text) else {
        return false;
    };
    let table = document
        .get("solver")
        .and_then(|solver| solver.get("table_mib"));
    let own = table.and_then(toml_edit::Item::as_integer);
    let inner = ["engine", "reference"].iter().any(|key| {
        let inner = document.get(key).and_then(|source| source.get("text"));
        inner
            .and_then(toml_edit::Item::as_str)
            .is_some_and(asks_for_a_large_table)
    });
    inner || own.is_some_and(|mib| mib > TABLE_MIB_MAX)
}

/// A job that is read is written as resolved and read back as the same job, which is written in
/// the same bytes. An error names a line of the file or none.
pub fn job_file(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    if asks_for_a_large_table(text) {
        return false;
    }
    match Job::parse(&folder().join("job.toml"), text) {
        Ok(job) => {
            let resolved = job.to_toml();
            let again = Job::parse(Path::new("job.toml"), &resolved);
            let again = again.unwrap_or_else(|error| panic!("{error}\n{resolved}"));
            assert_eq!(again, job);
            assert_eq!(again.to_toml(), resolved);
            // What a run does first with its job.
            drop((job.learner(), job.course_plan(&resolved)));
            true
        }
        Err(error) => check_line(error.line, &error.to_string()),
    }
}

/// A refusal says something, at a line that a file can have.
fn check_line(line: Option<usize>, message: &str) -> bool {
    assert!(line != Some(0) && !message.is_empty(), "{message}");
    false
}

/// A configuration that is read takes each of its own values again, and to export its own values
/// leaves its text as it is.
pub fn engine_configuration(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    if asks_for_a_large_table(text) {
        return false;
    }
    let config = match EngineConfig::parse(Path::new("engine.toml"), text) {
        Ok(config) => config,
        Err(error) => return check_line(error.line, &error.to_string()),
    };
    let mut same = config.clone();
    for parameter in config.parameters() {
        let (path, value) = (parameter.path.as_str(), parameter.value);
        assert_eq!(config.parameter(path).as_ref(), Ok(&parameter));
        same.set(&[(path, value)])
            .unwrap_or_else(|error| panic!("{error}"));
        let new = match parameter.spec.integer {
            true => NewValue::Integer(value as i64),
            false => NewValue::Float(value),
        };
        check_export(text, path, new);
    }
    for choice in config.choices() {
        let (path, place) = (choice.path.as_str(), choice.place);
        assert_eq!(config.choice(path).as_ref(), Some(&choice));
        same.set(&[(path, place as f64)])
            .unwrap_or_else(|error| panic!("{error}"));
        check_export(text, path, NewValue::Word(choice.words[place]));
    }
    assert_eq!(same, config);
    true
}

/// A value that the text has already is exported into the same text.
fn check_export(text: &str, path: &str, new: NewValue) {
    match apply(text, &[(path.to_owned(), new)], &[]) {
        Ok(result) => check_same_text(text, &result),
        Err(ExportError::Missing { .. } | ExportError::UnclosedEvidence { .. }) => {}
        Err(error) => panic!("{path}: {error}"),
    }
}

/// The same text, but for a block of evidence that an export without any takes away.
fn check_same_text(text: &str, result: &str) {
    if !text.contains(sixfold_tuner::export::EVIDENCE_START) {
        assert_eq!(text, result);
    }
}

/// An experiment file that is read is read as the same twice, and has something to play.
pub fn experiment_file(bytes: &[u8]) -> bool {
    let path = file_with("experiment.toml", bytes);
    match Experiment::load(&path) {
        Ok(experiment) => {
            assert!(
                experiment
                    .matches
                    .iter()
                    .all(|each| !each.fixtures.is_empty())
            );
            assert_eq!(Experiment::load(&path).as_ref(), Ok(&experiment));
            true
        }
        Err(error) => check_line(error.line, &error.to_string()),
    }
}

/// The first line is a position, the second a turn in it. What is read is written and read back
/// as the same; a turn that is read is legal move by move.
pub fn position(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let (first, second) = text.split_once('\n').unwrap_or((text, ""));
    let position = match Dots::from_text(first) {
        Ok(position) => position,
        Err(error) => return check_error(&error.to_string()),
    };
    let written = position.to_string();
    assert_eq!(
        Dots::from_text(&written).as_ref(),
        Ok(&position),
        "{written}"
    );
    assert_eq!(position.outcome().is_some(), position.open() == 0);
    assert!(!position.draw().is_empty());
    match position.parse_turn(second) {
        Ok(turn) => {
            assert_eq!(
                position.parse_turn(&position.format_turn(&turn)).as_ref(),
                Ok(&turn)
            );
            let mut after = position;
            for edge in turn {
                assert!(after.is_legal(edge) && after.to_move() == position.to_move());
                after.play(edge);
            }
            assert!(after.outcome().is_some() || after.to_move() != position.to_move());
            true
        }
        Err(error) => check_error(&error.to_string()),
    }
}

/// An error is a line that a terminal can show, however long the input.
fn check_error(message: &str) -> bool {
    assert!(
        !message.is_empty() && message.len() < 1000,
        "{} bytes",
        message.len()
    );
    assert!(!message.contains(char::is_control), "{message:?}");
    false
}

/// A record that is read holds legal moves and, where it has one, a score that its end can have;
/// a finished game is written in the championship's notation and read back as the same game.
pub fn game_record(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let game = match record::read("game.json", text, None) {
        Ok(game) => game,
        Err(error) => return check_line(Some(error.line), &error.problem),
    };
    let mut position = game.start;
    let mut moves = Vec::new();
    for &mv in &game.moves {
        assert!(position.is_legal(mv));
        let player = position.to_move();
        moves.push(MoveRecord {
            player,
            mv,
            stage: 0,
            work_units: 0,
            opinion: None,
        });
        position.play(mv);
    }
    assert_eq!(position, game.end());
    if let Some(score) = game.score {
        let boxes: u32 = score.iter().map(|&boxes| u32::from(boxes)).sum();
        assert!(boxes as usize <= position.board().boxes());
    }
    let Some(outcome) = position.outcome().filter(|_| game.start.drawn() == 0) else {
        return true;
    };
    let finished = GameRecord {
        opening: game.start,
        moves,
        outcome,
        margin: position.margin(),
        adjudication_units: None,
    };
    let written = ccgc::text(&finished, ["a", "b"], &game.event);
    let again = record::read("again.json", &written, Some(position.board()));
    let again = again.unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!((&again.moves, again.start), (&game.moves, game.start));
    assert_eq!(again.event, game.event);
    true
}
