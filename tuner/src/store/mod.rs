//! Runs on disk: journal, checkpoint, lock, identity and atomic files.
//!
//! The journal is the truth, the checkpoint a shortcut. The order that keeps both right: append
//! events; at a checkpoint first [`journal::Journal::sync`], then
//! [`checkpoint::Checkpoint::save`]; at a resumption take the lock, open the journal (which cuts
//! off a torn last line), load the checkpoint and use it only if [`journal::Journal::holds`] its
//! position.

pub mod atomic;
pub mod checkpoint;
pub mod disk;
pub mod draft;
mod envelope;
pub mod folder;
pub mod format;
pub mod identity;
pub mod journal;
pub mod lock;
mod scan;
mod wire;

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
}
