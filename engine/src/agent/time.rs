//! Where an agent gets the time from. The only place of the engine that reads a clock for a search;
//! a budget in simulations or work never asks.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// A clock that never goes back.
pub trait TimeSource: Debug + Send + Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicTime {
    origin: Instant,
}

impl Default for MonotonicTime {
    fn default() -> Self {
        Self {
            origin: Instant::now(),
        }
    }
}

impl TimeSource for MonotonicTime {
    fn now(&self) -> Duration {
        self.origin.elapsed()
    }
}
