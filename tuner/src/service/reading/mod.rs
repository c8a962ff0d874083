//! A run opened for looking: without its lock, beside whoever works on it, and kept up to date by
//! reading only what its journal has grown by.
//!
//! Of a trial only the place of its line is kept, so that a run of any length is small in memory;
//! pages of trials are read from the journal. What the events add up to is folded as they come.
//! The learner is asked again ([`replay`]) only where its tree is looked at: its fits can cost far
//! more than reading.

mod folds;
mod replay;
mod shelf;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::outlook::Outlook;
use sixfold_tuner::space::Vector;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::follow::{JournalReader, ReadOn};
use sixfold_tuner::store::identity::RunIdentity;
use sixfold_tuner::store::journal::TornTail;

use crate::workspace::exit::{Failure, refused};
use crate::workspace::session::{check_belongs, read_plan};

pub(crate) use folds::Folds;
pub(crate) use replay::Trees;
pub(crate) use shelf::Shelf;

/// An outlook takes a share of the time at most: after one that took long, it is some time until
/// the next.
const OUTLOOK_SHARE: u32 = 10;

/// A run as far as its journal tells.
pub(crate) struct Reading {
    folder: RunFolder,
    identity: RunIdentity,
    job: Job,
    job_text: String,
    journal: JournalReader,
    torn: Option<TornTail>,
    folds: Folds,
    trees: Trees,
    outlook: Option<Seen>,
}

/// An outlook, and when it was made.
struct Seen {
    outlook: Arc<Option<Outlook>>,
    /// Games and rounds that it knows.
    of: (u64, usize),
    at: Instant,
    took: Duration,
}

impl Reading {
    /// Reads all of a run.
    ///
    /// # Errors
    /// A run that this program cannot read: damaged, of another version, or begun by another job.
    pub(crate) fn open(folder: &RunFolder) -> Result<Reading, Failure> {
        let (identity, job, job_text) = read_plan(folder)?;
        let mut reading = Reading {
            journal: JournalReader::new(&folder.journal()),
            torn: None,
            folds: Folds::default(),
            trees: Trees::default(),
            outlook: None,
            folder: folder.clone(),
            identity,
            job,
            job_text,
        };
        reading.read_on()?;
        Ok(reading)
    }

    /// Reads what was appended since; all of it again where the journal is not the one it was.
    ///
    /// # Errors
    /// As [`Reading::open`].
    pub(crate) fn advance(&mut self) -> Result<(), Failure> {
        if !self.read_on()? {
            *self = Reading::open(&self.folder)?;
        }
        Ok(())
    }

    /// Whether the journal is still the one that was read.
    fn read_on(&mut self) -> Result<bool, Failure> {
        let (folds, job) = (&mut self.folds, &self.job);
        let mut first: Option<Event> = None;
        let read = self.journal.read_on(|at, event| {
            folds.take(at, &event, job);
            if folds.lines() == 1 {
                first = Some(event);
            }
        });
        if let Some(first) = first {
            check_belongs(&self.folder, &[first], &self.job_text)?;
        }
        match read.map_err(refused)? {
            ReadOn::Changed => Ok(false),
            ReadOn::New { torn, .. } => {
                self.torn = torn;
                Ok(true)
            }
        }
    }

    /// The run's folder.
    pub(crate) fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// What its `run.json` says.
    pub(crate) fn identity(&self) -> &RunIdentity {
        &self.identity
    }

    /// Its job.
    pub(crate) fn job(&self) -> &Job {
        &self.job
    }

    /// The text of its `job.toml`.
    pub(crate) fn job_text(&self) -> &str {
        &self.job_text
    }

    /// What its events add up to.
    pub(crate) fn folds(&self) -> &Folds {
        &self.folds
    }

    /// Whole lines of its journal that were read.
    pub(crate) fn lines(&self) -> u64 {
        self.journal.position().lines
    }

    /// What stood after them: a line being written, or one that never was written whole.
    pub(crate) fn torn(&self) -> Option<TornTail> {
        self.torn
    }

    /// The values in force: those of the start before the first round's end.
    pub(crate) fn incumbent(&self) -> Vector {
        let found = self.folds.summary.incumbent();
        found.cloned().unwrap_or_else(|| self.job.space.start())
    }

    /// Trials from an index on, at most so many.
    ///
    /// # Errors
    /// A journal that is not there any more as it was read.
    pub(crate) fn trials(&self, first: usize, count: usize) -> Result<Vec<Event>, Failure> {
        let mut found: Vec<Event> = Vec::new();
        let wanted = count.min(self.folds.trial_count().saturating_sub(first));
        while found.len() < wanted {
            let place = self.folds.trial_place(first + found.len());
            // Ends of rounds stand between the trials.
            let more = wanted - found.len();
            let (events, _) = self.journal.events_from(place, more).map_err(refused)?;
            let before = found.len();
            let is_trial = |event: &Event| matches!(event, Event::TrialFinished { .. });
            found.extend(events.into_iter().filter(is_trial));
            if found.len() == before {
                break;
            }
        }
        Ok(found)
    }

    /// What the games of the tuning say. While a run grows it may be of somewhat fewer games: one
    /// that takes long to compute is not made anew for each.
    pub(crate) fn outlook(&mut self, now: Instant) -> Arc<Option<Outlook>> {
        let summary = &self.folds.summary;
        let of = (summary.games, summary.rounds.len());
        if let Some(seen) = &self.outlook {
            let rests = now.duration_since(seen.at) < OUTLOOK_SHARE * seen.took;
            let is_over = summary.stop_reason.is_some();
            if seen.of == of || (rests && !is_over) {
                return Arc::clone(&seen.outlook);
            }
        }
        let outlook = Arc::new(summary.outlook(&self.job.space));
        self.outlook = Some(Seen {
            outlook: Arc::clone(&outlook),
            of,
            at: now,
            took: now.elapsed(),
        });
        outlook
    }

    /// The learner's trees, as far as they could be computed again until `enough` says so; call
    /// again for the rest.
    ///
    /// # Errors
    /// A journal that does not follow from its job, or cannot be read any more.
    pub(crate) fn trees(&mut self, enough: &dyn Fn() -> bool) -> Result<(), Failure> {
        let run = replay::Run {
            folder: &self.folder,
            job: &self.job,
            job_text: &self.job_text,
            journal: &self.journal,
        };
        self.trees.advance(&run, enough)
    }

    /// The trees as far as [`Reading::trees`] has come.
    pub(crate) fn trees_so_far(&self) -> &Trees {
        &self.trees
    }
}

/// A file of a run's folder by a name from outside: one of the plain names that are listed there,
/// so that no name leads anywhere else.
pub(crate) fn listed_names(folder: &Path) -> std::io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && is_plain(&name)
            && entry.file_type()?.is_file()
        {
            names.push(name);
        }
    }
    // Numbers beyond the padding are longer, and larger.
    names.sort_by_key(|name| (name.len(), name.clone()));
    Ok(names)
}

/// Whether a name has only the characters that the run's own names have.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-')
    };
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain)
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
