//! `tuner submit`, `pause`, `cancel` and `ls`: the queue, through the service where one runs over
//! the folder of runs, and on the folder where none does.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use clap::Args;
use serde_json::Value;
use sixfold_tuner::job::Job;
use sixfold_tuner::queue::{LABEL_CHARS_MAX, Step, Ticket};

use super::Outcome;
use super::remote::Remote;
use crate::service::ServiceFolder;
use crate::service::rows::Rows;
use crate::service::views::row::RunRow;
use crate::workspace::exit::{Exit, Failure, bad_input, refused};
use crate::workspace::session::{create_folder, find};
use crate::workspace::show::run_name;
use crate::workspace::tickets::{StepError, TicketsOnDisk, next_order, plays_alone, step_on_disk};

#[derive(Args)]
pub(super) struct SubmitArguments {
    /// The job file
    job: PathBuf,
    /// What to call it: free text [default: the job file's name]
    #[arg(long, value_name = "TEXT", value_parser = label)]
    label: Option<String>,
    /// Let it wait until it is resumed
    #[arg(long)]
    paused: bool,
    /// Seed instead of the job's, below 2^53
    #[arg(long, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: Option<u64>,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct StepArguments {
    /// The run: its name under --runs
    run: String,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct ListArguments {
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn label(text: &str) -> Result<String, String> {
    let length = text.chars().count();
    match length {
        1..=LABEL_CHARS_MAX => Ok(text.to_owned()),
        _ => Err(format!(
            "has {length} characters; expected 1 to {LABEL_CHARS_MAX}"
        )),
    }
}

pub(super) fn submit(arguments: &SubmitArguments) -> Outcome {
    let mut job = Job::load(&arguments.job).map_err(bad_input)?;
    if let Some(seed) = arguments.seed {
        job.seed = seed;
    }
    let stem = arguments.job.file_stem().and_then(|stem| stem.to_str());
    let label = arguments.label.as_deref().or(stem).unwrap_or("run");
    let runs = &arguments.runs;
    let (name, whereabouts) = match Remote::find(runs)? {
        Some(remote) => {
            let start = if arguments.paused { "paused" } else { "queued" };
            let path = format!("/runs?start={start}&label={}", encoded(label));
            let row: Value = remote.post(&path, &job.to_toml())?;
            let name = row["id"].as_str().unwrap_or_default().to_owned();
            (name, format!("the service at {} has it", remote.url()))
        }
        None => {
            let name = submit_on_disk(runs, &job, label, arguments.paused)?;
            (name, "it waits for `tuner serve`".to_owned())
        }
    };
    if arguments.json {
        return print_row(runs, &name);
    }
    writeln!(stdout(), "Submitted {name}: {whereabouts}.")?;
    Ok(Exit::Success)
}

fn submit_on_disk(runs: &Path, job: &Job, label: &str, paused: bool) -> Result<String, Failure> {
    let alone = plays_alone(job);
    let order = if runs.is_dir() {
        next_order(runs).map_err(failure)?
    } else {
        1
    };
    let mut ticket = Ticket::new(label, order, alone);
    if paused {
        ticket.step(Step::Pause)?;
    }
    let (folder, _lock) = create_folder(job, runs, &run_name(label), None, Some(&ticket))?;
    Ok(folder.name())
}

/// Text as a part of an address.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let coded = text.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    coded.collect()
}

pub(super) fn pause(arguments: &StepArguments) -> Outcome {
    step(arguments, Step::Pause, "pause", "Paused")
}

pub(super) fn cancel(arguments: &StepArguments) -> Outcome {
    step(arguments, Step::Cancel, "cancel", "Cancelled")
}

fn step(arguments: &StepArguments, step: Step, word: &str, done: &str) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    match Remote::find(&arguments.runs)? {
        Some(remote) => {
            let _: Value = remote.post(&format!("/runs/{}/{word}", folder.name()), "")?;
        }
        None => {
            step_on_disk(&arguments.runs, &folder, step).map_err(failure)?;
        }
    }
    if arguments.json {
        return print_row(&arguments.runs, &folder.name());
    }
    let name = folder.name();
    writeln!(
        stdout(),
        "{done} {name}; `tuner resume {name}` goes on with it."
    )?;
    Ok(Exit::Success)
}

/// Asks the service for a step, where one runs over the folder of runs; whether it did.
pub(super) fn ask_service(runs: &Path, run: &str, word: &str, json: bool) -> Result<bool, Failure> {
    let Some(remote) = Remote::find(runs)? else {
        return Ok(false);
    };
    let folder = find(runs, run)?;
    let name = folder.name();
    let of_service = runs.join(&name).canonicalize().ok();
    if of_service.is_none() || folder.path().canonicalize().ok() != of_service {
        // A folder elsewhere, which was named by its path.
        return Ok(false);
    }
    let _: Value = remote.post(&format!("/runs/{name}/{word}"), "")?;
    if json {
        print_row(runs, &name)?;
        return Ok(true);
    }
    let url = remote.url();
    writeln!(
        stdout(),
        "The service at {url} goes on with {name}; `tuner status {name} --follow` shows how."
    )?;
    Ok(true)
}

/// The rows of runs, as the queue and the folder say.
pub(super) fn rows(runs: &Path) -> Result<Rows, Failure> {
    let tickets = TicketsOnDisk {
        runs: runs.to_owned(),
        is_served: ServiceFolder::of(runs).running()?.is_some(),
    };
    Ok(Rows::new(runs, Arc::new(tickets)))
}

fn print_row(runs: &Path, run: &str) -> Outcome {
    let row = rows(runs)?.row(run)?;
    writeln!(stdout(), "{}", serde_json::to_string_pretty(&row)?)?;
    Ok(Exit::Success)
}

pub(super) fn list(arguments: &ListArguments) -> Outcome {
    let runs = &arguments.runs;
    if !runs.is_dir() {
        let text = format!(
            "{} is no folder; `tuner run JOB` makes the first run",
            runs.display()
        );
        return Err(bad_input(anyhow!(text)));
    }
    let rows = rows(runs)?;
    let names = rows.names()?;
    let all: Vec<RunRow> = names
        .iter()
        .map(|name| rows.row(name))
        .collect::<Result<_, _>>()?;
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(Exit::Success);
    }
    if all.is_empty() {
        writeln!(out, "There are no runs in {} yet.", runs.display())?;
    }
    for row in all {
        writeln!(out, "{}", row.line())?;
    }
    Ok(Exit::Success)
}

pub(super) fn failure(error: StepError) -> Failure {
    match error {
        StepError::Folder(_) => bad_input(error),
        StepError::Refused(_) | StepError::Held { .. } | StepError::Unreadable(_) => refused(error),
        StepError::Ticket(_) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_an_address_keeps_its_bytes() {
        assert_eq!(encoded("a-b_c.9~"), "a-b_c.9~");
        assert_eq!(encoded("a b&c=d/ä"), "a%20b%26c%3Dd%2F%C3%A4");
    }
}
