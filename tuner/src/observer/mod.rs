//! Observers: who watches a run. An observer cannot fail the run and changes nothing in it.

pub mod log;
pub mod progress;

use std::path::PathBuf;
use std::time::Duration;

use crate::event::Event;

/// What happens to a run without being part of its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// The run waits: the disk is full, or the user's share of it.
    DiskFull {
        /// What was to be written.
        path: PathBuf,
        /// Bytes it needs.
        bytes: u64,
        /// Longest time between two attempts.
        longest_wait: Duration,
    },
    /// The run goes on after such a wait.
    RoomAgain {
        /// How long it waited.
        paused: Duration,
    },
    /// Little room is left; the run goes on.
    DiskLow {
        /// The folder of the run.
        path: PathBuf,
        /// Bytes that are free there.
        free: u64,
        /// Bytes below which this is said.
        limit: u64,
    },
}

/// Told of every event, after it was stored.
pub trait Observer {
    /// Something happened.
    fn on_event(&mut self, event: &Event);

    /// Something happened around the run. Most observers need not know.
    fn on_notice(&mut self, _notice: &Notice) {}
}
