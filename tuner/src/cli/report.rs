//! `tuner report`, and the report that every command leaves which plays a run's games.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::game::GameKind;
use sixfold_engine::protocol::pgn;
use sixfold_tuner::job::Job;
use sixfold_tuner::report::{Material, PAGE_MARK, SampledBoard, html};
use sixfold_tuner::run::state::RunState;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::store::atomic::write_atomically;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::lock::RunLock;

use super::Outcome;
use crate::workspace::evidence;
use crate::workspace::exit::{Exit, Failure, bad_input, refused};
use crate::workspace::session::{find, read_stored};

/// Bytes at the beginning of a file that tell whether it is a report.
const HEAD_BYTES: u64 = 1024;

#[derive(Args)]
pub(super) struct ReportArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    /// The file to write; a report that stands there is replaced [default: report.html in the
    /// run's folder]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
}

pub(super) fn report(arguments: &ReportArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    let own = folder.report();
    let file = arguments.output.as_deref().unwrap_or(&own);
    check_replaceable(file)?;
    let is_held = RunLock::holder(&folder.lock())?.is_some();
    write(&folder, file, is_held)?;
    writeln!(stdout(), "Wrote {}", file.display())?;
    Ok(Exit::Success)
}

/// Writes the report of a run as it stands; `is_held` is whether a process works on it.
pub(super) fn write(folder: &RunFolder, file: &Path, is_held: bool) -> Result<(), Failure> {
    let failures = evidence::list(&folder.failures())?;
    let stored = read_stored(folder)?;
    let material = Material {
        name: &folder.name(),
        state: RunState::of(&Summary::of(&stored.events), is_held),
        job: &stored.job,
        job_text: &stored.job_text,
        identity: &stored.identity,
        events: &stored.events,
        failures: &failures,
        sampled: sampled(folder, &stored.job)?,
        has_torn_tail: stored.has_torn_tail,
    };
    let journal = folder.journal();
    let page = html(&material, stored.course)
        .map_err(|deviation| refused(anyhow!("{}: {deviation}", journal.display())))?;
    Ok(write_atomically(file, page.as_bytes())?)
}

/// The end of the last game that the run kept, where its board can be drawn.
fn sampled(folder: &RunFolder, job: &Job) -> Result<Option<SampledBoard>, Failure> {
    if job.engine.config.game.kind() != GameKind::Amazons {
        return Ok(None);
    }
    let Some(path) = last_record(&folder.games())? else {
        return Ok(None);
    };
    let failed = || format!("cannot read {}", path.display());
    let record = fs::read_to_string(&path).with_context(failed)?;
    let position = match pgn::read(&path.display().to_string(), &record) {
        Ok(game) => game.end(),
        Err(error) => {
            tracing::warn!(%error, "a sampled game cannot be drawn; the report leaves it out");
            return Ok(None);
        }
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let svg = position.to_svg(&format!("Last position of {file}"));
    Ok(Some(SampledBoard {
        file: file.into_owned(),
        record,
        svg,
    }))
}

/// The record of the last round that has one.
fn last_record(games: &Path) -> Result<Option<PathBuf>, Failure> {
    let failed = || format!("cannot list {}", games.display());
    let entries = match fs::read_dir(games) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        entries => entries.with_context(failed)?,
    };
    let mut last: Option<(usize, PathBuf)> = None;
    for entry in entries {
        let path = entry.with_context(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with("round-") {
            continue;
        }
        // Numbers beyond the padding are longer, and larger.
        let found = Some((name.len(), path));
        last = last.max(found);
    }
    Ok(last.map(|(_, path)| path))
}

/// Refuses to replace what is no report, such as a configuration named by mistake.
fn check_replaceable(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let (file, folder) = (file.display(), folder.display());
        return Err(bad_input(anyhow!(
            "cannot create {file}: there is no folder {folder}; create it first, or name a file \
             elsewhere with --output"
        )));
    }
    let head = match head(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        head => head.with_context(|| format!("cannot read {}", file.display()))?,
    };
    if head.is_empty() || head.contains(PAGE_MARK) {
        return Ok(());
    }
    Err(bad_input(anyhow!(
        "{} is no report and was left as it is; name another file with --output",
        file.display()
    )))
}

fn head(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(HEAD_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
