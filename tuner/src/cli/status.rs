//! `tuner status`: a run, or all of them, without touching anything.

use std::io::{Write, stdout};
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use serde::Serialize;
use sixfold_tuner::store::folder::{RunFolder, list_runs};
use sixfold_tuner::store::lock::RunLock;

use super::{Outcome, StatusArguments};
use crate::workspace::exit::{Exit, Failure, bad_input};
use crate::workspace::session::{find, read};
use crate::workspace::show;

/// Two lines of `--follow` are at least so far apart.
const FOLLOW_APART: Duration = Duration::from_secs(1);

pub(super) fn status(arguments: &StatusArguments) -> Outcome {
    let mut out = stdout().lock();
    let Some(run) = &arguments.run else {
        return list(arguments);
    };
    let folder = find(&arguments.runs, run)?;
    if arguments.follow {
        return follow(arguments, &folder);
    }
    let view = view(&folder)?;
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&view)?)?;
    } else {
        write!(out, "{}", show::text(&view))?;
        if view.state != "running" {
            let next = show::next_command(&view, &folder, &arguments.runs);
            writeln!(out, "Next: {next}")?;
        }
    }
    Ok(Exit::Success)
}

/// Prints the run's row whenever it changes, until nothing is to be expected of it.
fn follow(arguments: &StatusArguments, folder: &RunFolder) -> Outcome {
    let runs = folder.path().parent().unwrap_or(Path::new("."));
    let (rows, name) = (super::queue::rows(runs)?, folder.name());
    let mut out = stdout().lock();
    let mut last = None;
    loop {
        let row = rows.row(&name)?;
        if last.as_ref() != Some(&row) {
            match arguments.json {
                true => writeln!(out, "{}", serde_json::to_string(&row)?)?,
                false => writeln!(out, "{}", row.line())?,
            }
            out.flush()?;
        }
        if !matches!(row.state, "running" | "waiting") {
            return Ok(Exit::Success);
        }
        last = Some(row);
        std::thread::sleep(FOLLOW_APART);
    }
}

/// Reads a run as it stands, also while another process works on it.
pub(super) fn view(folder: &RunFolder) -> Result<show::View, Failure> {
    let (job, summary) = read(folder)?;
    let running = RunLock::holder(&folder.lock())?.is_some();
    show::View::of(folder, &job, &summary, running)
}

/// A run of the list for programs.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed {
    Run(Box<show::View>),
    /// One that cannot be read, and why.
    Unreadable {
        name: String,
        error: String,
    },
}

fn list(arguments: &StatusArguments) -> Outcome {
    let names = names_in(&arguments.runs)?;
    let mut out = stdout().lock();
    let (mut views, mut listed) = (Vec::new(), Vec::new());
    for name in names {
        match find(&arguments.runs, &name).and_then(|folder| view(&folder)) {
            Ok(view) if arguments.json => listed.push(Listed::Run(Box::new(view))),
            Ok(view) => views.push(view),
            Err(failure) if arguments.json => listed.push(Listed::Unreadable {
                error: failure.text(),
                name,
            }),
            Err(failure) => writeln!(out, "{name:<24} unreadable: {}", failure.text())?,
        }
    }
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&listed)?)?;
        return Ok(Exit::Success);
    }
    for view in views {
        let elo = view
            .elo
            .map_or("-".to_owned(), |elo| format!("{elo:+.1} Elo"));
        let verdict = view.verdict.unwrap_or("not verified");
        writeln!(
            out,
            "{:<24} {:<12} round {:>3}{:<7} {:>8} games  {verdict}  {elo}",
            view.name,
            view.state,
            view.rounds,
            view.rounds_planned
                .map_or_else(String::new, |planned| format!(" of {planned}")),
            view.games
        )?;
    }
    Ok(Exit::Success)
}

fn names_in(runs: &Path) -> Result<Vec<String>, Failure> {
    if !runs.is_dir() {
        let text = format!(
            "{} is no folder; `tuner run JOB` makes the first run",
            runs.display()
        );
        return Err(bad_input(anyhow!(text)));
    }
    Ok(list_runs(runs)?)
}
