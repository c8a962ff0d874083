//! What a run's folder of failures says of a dropped attempt.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::report::FailedGame;
use sixfold_tuner::run::failures::file_of;
use sixfold_tuner::run::place::Place;

use super::exit::Failure;

/// A dropped attempt of a pair.
#[derive(Debug, Serialize)]
pub(crate) struct DroppedAttempt {
    /// What happened then, as the evidence says it, or why that is not known.
    pub(crate) why: String,
    /// The file of evidence; null where there is none.
    pub(crate) evidence: Option<PathBuf>,
}

impl DroppedAttempt {
    /// What the folder of failures has of an attempt; None where it has no file of it.
    pub(crate) fn find(folder: &Path, place: &Place, pair: u32, attempt: u32) -> Option<Self> {
        let path = file_of(folder, place, pair, attempt);
        let why = match fs::read_to_string(&path) {
            Ok(text) => said(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => format!("its evidence cannot be read: {error}"),
        };
        Some(Self {
            why,
            evidence: Some(path),
        })
    }

    /// An attempt that was dropped and whose evidence is gone.
    pub(crate) fn without_evidence() -> Self {
        Self {
            why: "its evidence is not there any more".to_owned(),
            evidence: None,
        }
    }

    /// The sentence for people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("This attempt was dropped in the run: {}", self.why);
        if let Some(path) = &self.evidence {
            text.push_str(&format!(" (evidence: {})", path.display()));
        }
        text
    }
}

/// Files of evidence in a folder, which need not be there.
pub(crate) fn count(folder: &Path) -> Result<usize, Failure> {
    Ok(files(folder)?.len())
}

/// The files of evidence in a folder by their names, and what they say.
pub(crate) fn list(folder: &Path) -> Result<Vec<FailedGame>, Failure> {
    let read = |file: String| {
        let said = match fs::read_to_string(folder.join(&file)) {
            Ok(text) => said(&text),
            Err(error) => format!("it cannot be read: {error}"),
        };
        FailedGame { file, said }
    };
    Ok(files(folder)?.into_iter().map(read).collect())
}

/// Names of the files of evidence in a folder, sorted.
fn files(folder: &Path) -> Result<Vec<String>, Failure> {
    let failed = || format!("cannot read {}", folder.display());
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(failed)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let name = entry.with_context(failed)?.file_name();
        if Path::new(&name).extension().is_some_and(|it| it == "json") {
            files.push(name.to_string_lossy().into_owned());
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn said(evidence: &str) -> String {
    let value: Value = match serde_json::from_str(evidence) {
        Ok(value) => value,
        Err(error) => return format!("its evidence is damaged: {error}"),
    };
    let text = |key: &str| value[key].as_str();
    match (text("what"), text("by"), text("reason"), &value["game"]) {
        (Some(what), Some(by), Some(reason), Value::Number(game)) => {
            format!("game {game} failed: {what} by {by}: {reason}")
        }
        _ => "its evidence is damaged: what, by, reason or game is missing".to_owned(),
    }
}
