//! What state a run is in, in one word.

use super::summary::Summary;

/// The state of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunState {
    /// A process works on it.
    Running,
    /// It can be gone on with, and nobody does.
    Interrupted,
    /// Its last verification is over.
    Completed,
}

impl RunState {
    /// The state of a run of which `summary` tells; `is_held` is whether a process works on it.
    pub fn of(summary: &Summary, is_held: bool) -> Self {
        let verdict = summary.last_attempt().and_then(|attempt| attempt.verdict);
        match (is_held, verdict) {
            (true, _) => RunState::Running,
            (false, Some(_)) => RunState::Completed,
            (false, None) => RunState::Interrupted,
        }
    }

    /// The word for people and programs.
    pub const fn word(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Interrupted => "interrupted",
            RunState::Completed => "completed",
        }
    }
}
