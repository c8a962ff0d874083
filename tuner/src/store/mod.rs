//! Runs on disk: journal, checkpoint, lock, identity and atomic files.
//!
//! The journal is the truth, the checkpoint a shortcut. The order that keeps both right: append
//! events; at a checkpoint first [`journal::Journal::sync`], then
//! [`checkpoint::Checkpoint::save`]; at a resumption take the lock, open the journal (which cuts
//! off a torn last line), load the checkpoint and use it only if [`journal::Journal::holds`] its
//! position.
//!
//! # When bytes are safe
//!
//! - *Stored* means handed to the system: an event is written to the journal, in one call, before
//!   anything else knows of it. No kill of the process loses it.
//! - *Synced* means on stable storage: a power cut does not lose it. The journal is synced before
//!   every checkpoint, when a run ends or stops, and never later than
//!   [`CHECKPOINT_INTERVAL`](crate::run::CHECKPOINT_INTERVAL) after an event where a batch is
//!   shorter than that; where batches are longer, after each of them.
//! - Files that are replaced (checkpoint, `tuned.toml`, games, `run.json`) are synced under a
//!   temporary name, then renamed, then their folder is synced. A folder is synced after every
//!   file that is created in it and every folder that gets its name.
//! - `log.jsonl` is never synced, and a run never fails for it.
//!
//! A power cut so costs the games since the last sync, which are played again to the same results.

pub mod atomic;
pub mod checkpoint;
pub mod disk;
pub mod draft;
mod envelope;
pub mod folder;
pub mod follow;

pub mod format;
pub mod full;
pub mod identity;
pub mod journal;
pub mod lock;
pub mod new_file;
mod scan;
pub mod tail;
mod wire;

use std::path::PathBuf;

use serde_json::Value;

use crate::event::Event;

/// Why a run cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The journal refuses.
    #[error(transparent)]
    Journal(#[from] journal::JournalError),
    /// The checkpoint cannot be replaced.
    #[error(transparent)]
    Checkpoint(#[from] atomic::AtomicWriteError),
}

/// Remembers what happens to a run.
pub trait Store {
    /// Stores an event: when this returns, a crash of this process cannot lose it.
    ///
    /// # Errors
    /// The event is not stored; nothing stored before is lost.
    fn append(&mut self, event: &Event) -> Result<(), StoreError>;

    /// Brings everything stored to where a power cut cannot lose it.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&mut self) -> Result<(), StoreError>;

    /// Replaces the snapshot that a resumption starts from: a shortcut, never the truth.
    ///
    /// # Errors
    /// The snapshot before is kept.
    fn checkpoint(&mut self, state: Value) -> Result<(), StoreError>;

    /// Where the store keeps its files and the bytes that are free there; None where there is
    /// neither.
    fn room(&self) -> Option<(PathBuf, u64)> {
        None
    }
}
