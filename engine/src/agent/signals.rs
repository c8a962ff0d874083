//! What a search and whoever waits for it say to each other while it runs.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// No move has been published.
const NOTHING: u32 = u32::MAX;

/// Two signals between threads: "stop", to the search, and "the best move so far", from it. Both
/// are plain atomics, so that a search that hangs can be asked for its best move all the same.
#[derive(Debug)]
pub struct Signals {
    stop: AtomicBool,
    /// Place among the legal moves of the searched position.
    best: AtomicU32,
}

impl Default for Signals {
    fn default() -> Self {
        Self {
            stop: AtomicBool::new(false),
            best: AtomicU32::new(NOTHING),
        }
    }
}

impl Signals {
    /// Tells the search to come to its end. Nothing takes that back.
    pub fn raise_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Publishes the best move so far: its place among the legal moves of the position.
    pub fn publish_best(&self, legal_place: usize) {
        // A place that does not fit is no move of any game here.
        let place = u32::try_from(legal_place).unwrap_or(NOTHING);
        self.best.store(place, Ordering::Relaxed);
    }

    /// What was published last.
    pub fn best(&self) -> Option<usize> {
        let place = self.best.load(Ordering::Relaxed);
        (place != NOTHING).then_some(place as usize)
    }

    /// Forgets what was published: another move is searched for.
    pub fn forget_best(&self) {
        self.best.store(NOTHING, Ordering::Relaxed);
    }
}
