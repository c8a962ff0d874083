//! Runs on disk: journal, checkpoint, lock, identity and atomic files.
//!
//! The journal is the truth, the checkpoint a shortcut. The order that keeps both right: append
//! events; at a checkpoint first [`journal::Journal::sync`], then
//! [`checkpoint::Checkpoint::save`]; at a resumption take the lock, open the journal (which cuts
//! off a torn last line), load the checkpoint and use it only if [`journal::Journal::holds`] its
//! position.

pub mod atomic;
pub mod checkpoint;
pub mod draft;
mod envelope;
pub mod folder;
pub mod format;
pub mod identity;
pub mod journal;
pub mod lock;
mod scan;
mod wire;
