//! Waiting while the disk is full: everything that a run has learnt stays in memory, the write is
//! tried again until there is room or the run is asked to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::observer::{Notice, Observer};
use crate::store::full::MayBeFull;

/// First wait for room; each one after it is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// Longest wait between two attempts.
pub const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How often a wait looks whether it shall end: what people feel as at once.
const GLANCE: Duration = Duration::from_millis(20);

/// Time as a run sees it: when a checkpoint is due, and waiting. No result depends on it.
pub trait Clock {
    /// Time since some fixed moment; it never goes back.
    fn now(&self) -> Duration;

    /// Waits for so long, or until `stop` is raised.
    fn wait(&self, time: Duration, stop: &AtomicBool);
}

/// The system's clock that never goes back, whatever happens to the time of day.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    begun: Instant,
}

impl SystemClock {
    /// A clock that begins now.
    pub fn start() -> Self {
        let begun = Instant::now();
        Self { begun }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn wait(&self, time: Duration, stop: &AtomicBool) {
        let end = self.now() + time;
        while !stop.load(Ordering::Relaxed) {
            let left = end.saturating_sub(self.now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }
}

/// What became of a write that may have waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// It was done.
    Done,
    /// The run was asked to stop before there was room.
    Stopped,
}

/// Tries `write` until it is done, waiting for room while the disk is full.
///
/// # Errors
/// Whatever else the write fails with.
pub fn with_room<E: MayBeFull>(
    clock: &dyn Clock,
    observers: &mut [&mut dyn Observer],
    stop: &AtomicBool,
    mut write: impl FnMut() -> Result<(), E>,
) -> Result<Waited, E> {
    let mut wait = FIRST_WAIT;
    let mut paused = None;
    loop {
        let full = match write() {
            Ok(()) => break,
            Err(error) => error.disk_full().ok_or(error)?,
        };
        if paused.is_none() {
            let notice = Notice::DiskFull {
                path: full.path,
                bytes: full.bytes,
                longest_wait: LONGEST_WAIT,
            };
            observers.iter_mut().for_each(|o| o.on_notice(&notice));
            paused = Some(clock.now());
        }
        clock.wait(wait, stop);
        if stop.load(Ordering::Relaxed) {
            return Ok(Waited::Stopped);
        }
        wait = (wait * 2).min(LONGEST_WAIT);
    }
    if let Some(since) = paused {
        let paused = clock.now().saturating_sub(since);
        let notice = Notice::RoomAgain { paused };
        observers.iter_mut().for_each(|o| o.on_notice(&notice));
    }
    Ok(Waited::Done)
}
