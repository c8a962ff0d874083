//! The report of a run, from what lies in its folder.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use sixfold_engine::game::GameKind;
use sixfold_engine::protocol::pgn;
use sixfold_tuner::job::Job;
use sixfold_tuner::report::{Material, SampledBoard, html};
use sixfold_tuner::run::state::RunState;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::store::folder::RunFolder;

use super::evidence;
use super::exit::{Failure, refused};
use super::session::read_stored;

/// The report as it stands; `is_held` is whether a process works on the run.
pub(crate) fn page(folder: &RunFolder, is_held: bool) -> Result<String, Failure> {
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
    html(&material, stored.course)
        .map_err(|deviation| refused(anyhow!("{}: {deviation}", journal.display())))
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
