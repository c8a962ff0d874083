//! `tuner experiments`: the matches of experiment files, a table for each file.

use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::anyhow;
use serde::Serialize;
use sixfold_tuner::evaluator::match_play::{Side, Streams, matches};
use sixfold_tuner::job::experiment::{Experiment, Fixture, Match};

use super::stop::stop_flag;
use super::{ExperimentsArguments, Outcome, games, tables, use_threads};
use crate::workspace::exit::{Exit, Failure, bad_input};
use crate::workspace::show;

/// What was played of all files.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// Whether a request to stop came before the last game.
    pub(super) interrupted: bool,
    pub(super) experiments: Vec<ExperimentView>,
}

/// What was played of one file.
#[derive(Debug, Serialize)]
pub(super) struct ExperimentView {
    pub(super) file: String,
    pub(super) title: String,
    pub(super) seed: u64,
    pub(super) matches: Vec<PlayedMatch>,
}

/// What was played of one match.
#[derive(Debug, Serialize)]
pub(super) struct PlayedMatch {
    pub(super) name: String,
    pub(super) a: String,
    pub(super) b: String,
    /// Path of the swept parameter; null where nothing is swept.
    pub(super) sweep: Option<String>,
    pub(super) rows: Vec<Row>,
}

/// One row of a table.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// Value of the swept parameter.
    pub(super) value: Option<f64>,
    pub(super) budget: String,
    #[serde(flatten)]
    pub(super) result: show::MatchView,
    pub(super) dropped_pairs: usize,
    /// Wall-clock seconds a game, on as many threads as there are.
    pub(super) seconds_a_game: f64,
}

pub(super) fn experiments(arguments: &ExperimentsArguments) -> Outcome {
    let planned = load(arguments)?;
    use_threads(arguments.threads)?;
    let stop = stop_flag()?;
    let report = play_all(&planned, &stop)?;
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        for view in &report.experiments {
            let text = if arguments.markdown {
                tables::markdown(view)
            } else {
                tables::text(view)
            };
            writeln!(out, "{text}")?;
        }
    }
    Ok(if report.interrupted {
        Exit::Interrupted
    } else {
        Exit::Success
    })
}

/// Reads every file before the first game, and leaves only what the arguments ask for.
fn load(arguments: &ExperimentsArguments) -> Result<Vec<(&Path, Experiment)>, Failure> {
    let mut planned = Vec::with_capacity(arguments.files.len());
    for file in &arguments.files {
        let experiment = Experiment::load(file).map_err(bad_input)?;
        planned.push((file.as_path(), experiment));
    }
    let matches = |planned: &[(_, Experiment)]| -> Vec<String> {
        let all = planned
            .iter()
            .flat_map(|(_, experiment)| &experiment.matches);
        all.map(|planned| planned.name.clone()).collect()
    };
    let names = matches(&planned);
    if let Some(nobody) = arguments.only.iter().find(|only| !names.contains(only)) {
        let names = names.join("\", \"");
        let problem = format!("--only: no match is named \"{nobody}\"; there are \"{names}\"");
        return Err(bad_input(anyhow!(problem)));
    }
    for (_, experiment) in &mut planned {
        let is_asked_for =
            |planned: &Match| arguments.only.is_empty() || arguments.only.contains(&planned.name);
        experiment.matches.retain(is_asked_for);
        let fixtures = experiment.matches.iter_mut().flat_map(|m| &mut m.fixtures);
        fixtures.for_each(|fixture| fixture.games = arguments.games.unwrap_or(fixture.games));
    }
    planned.retain(|(_, experiment)| !experiment.matches.is_empty());
    Ok(planned)
}

fn play_all(planned: &[(&Path, Experiment)], stop: &AtomicBool) -> Result<Report, Failure> {
    let fixtures = |experiment: &Experiment| -> usize {
        experiment.matches.iter().map(|m| m.fixtures.len()).sum()
    };
    let rows: usize = planned.iter().map(|(_, planned)| fixtures(planned)).sum();
    let mut report = Report {
        interrupted: false,
        experiments: Vec::with_capacity(planned.len()),
    };
    let mut number = 0;
    for (file, experiment) in planned {
        let mut view = ExperimentView {
            file: file.display().to_string(),
            title: experiment.title.clone(),
            seed: experiment.seed,
            matches: Vec::with_capacity(experiment.matches.len()),
        };
        for planned in &experiment.matches {
            let mut played = PlayedMatch {
                name: planned.name.clone(),
                a: planned.a.clone(),
                b: planned.b.clone(),
                sweep: planned.sweep.as_ref().map(|sweep| sweep.path.clone()),
                rows: Vec::with_capacity(planned.fixtures.len()),
            };
            for fixture in &planned.fixtures {
                number += 1;
                if let Some(row) = play(fixture, experiment.seed, stop)? {
                    say(number, rows, &played, &row);
                    played.rows.push(row);
                }
            }
            view.matches.push(played);
        }
        report.experiments.push(view);
    }
    report.interrupted = stop.load(Ordering::Relaxed);
    Ok(report)
}

/// Plays one row; `None` when a request to stop came before its first games were over.
fn play(fixture: &Fixture, seed: u64, stop: &AtomicBool) -> Result<Option<Row>, Failure> {
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let [a, b] = [&fixture.a, &fixture.b].map(|config| Side::fixed(config.clone()));
    let mut players = matches(a, b, seed, Streams::Common, None).map_err(bad_input)?;
    let begun = Instant::now();
    let result = games::play(&mut *players, fixture.games, stop, |_| false)?;
    let played = result.wdl.games();
    if played == 0 {
        return Ok(None);
    }
    Ok(Some(Row {
        value: fixture.value,
        budget: fixture.budget.to_string(),
        result: show::MatchView::of(&result),
        dropped_pairs: result.dropped_pairs.len(),
        seconds_a_game: begun.elapsed().as_secs_f64() / played as f64,
    }))
}

/// Tells on standard error how far things are. Nobody has to listen.
fn say(number: usize, rows: usize, played: &PlayedMatch, row: &Row) {
    let value = row
        .value
        .map(|value| format!(", {value}"))
        .unwrap_or_default();
    let name = &played.name;
    let _ = writeln!(
        stderr(),
        "[{number}/{rows}] {name}{value}, {}: {}, {:.3} s a game",
        row.budget,
        row.result.text(),
        row.seconds_a_game
    );
}
