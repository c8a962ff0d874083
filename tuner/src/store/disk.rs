//! The store on disk: the journal, and the checkpoint beside it.

use std::path::PathBuf;

use serde_json::Value;

use super::atomic::folder_of;
use super::checkpoint::Checkpoint;
use super::journal::Journal;
use super::{Store, StoreError};
use crate::event::Event;

/// Stores a run in its folder. Hold the run's lock.
#[derive(Debug)]
pub struct DiskStore {
    journal: Journal,
    checkpoint: PathBuf,
    job_digest: String,
    results_version: u32,
}

impl DiskStore {
    /// A store that goes on with `journal` and keeps its checkpoint at `checkpoint`.
    pub fn new(
        journal: Journal,
        checkpoint: PathBuf,
        job_digest: String,
        results_version: u32,
    ) -> Self {
        Self {
            journal,
            checkpoint,
            job_digest,
            results_version,
        }
    }

    /// The journal.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }
}

impl Store for DiskStore {
    fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        Ok(self.journal.append(event)?)
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        Ok(self.journal.sync()?)
    }

    fn checkpoint(&mut self, state: Value) -> Result<(), StoreError> {
        // A checkpoint must never stand for more than a power cut would leave of the journal.
        self.journal.sync()?;
        let checkpoint = Checkpoint {
            results_version: self.results_version,
            job_digest: self.job_digest.clone(),
            journal: self.journal.position(),
            state,
        };
        Ok(checkpoint.save(&self.checkpoint)?)
    }

    fn room(&self) -> Option<(PathBuf, u64)> {
        let folder = folder_of(&self.checkpoint);
        // A file system that does not tell is none to warn of.
        let free = fs4::available_space(folder).ok()?;
        Some((folder.to_owned(), free))
    }
}
