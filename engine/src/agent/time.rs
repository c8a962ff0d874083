//! Where an agent gets the time from. The only place of the engine that reads a clock for a search;
//! a budget in simulations or work never asks.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use crate::clock::Amount;
use crate::config::EngineConfig;

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

/// What a move may take where nothing else is said and its budget is not longer.
const DEADLINE: Duration = Duration::from_secs(60);

/// The longest that a move of this engine takes by its budget; zero where that is no time.
pub fn budgeted_time(config: &EngineConfig) -> Duration {
    match config.budget.amount {
        Amount::Milliseconds(number) => Duration::from_millis(number),
        _ => Duration::ZERO,
    }
}

/// How long to wait for a move of any of these engines: a minute, or twice the time that one may
/// plan with, whichever is longer.
pub fn default_deadline(configs: &[&EngineConfig]) -> Duration {
    let budgeted = configs.iter().map(|config| 2 * budgeted_time(config));
    budgeted.fold(DEADLINE, Duration::max)
}
