//! Evaluators: trials in, results out.

pub mod match_play;
pub mod scripted;

use std::sync::atomic::AtomicBool;

use crate::trial::{DroppedPair, Trial, TrialResult};

/// Why trials have no results.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The stop flag was raised; nothing of the batch counts.
    #[error("interrupted")]
    Interrupted,
    /// A pair failed in every attempt; nothing of the batch counts.
    #[error("a pair of games failed {attempts} times; at last in {dropped}")]
    GameFailed {
        /// How often it was played.
        attempts: u32,
        /// The last failure.
        dropped: Box<DroppedPair>,
    },
    /// No threads to play on.
    #[error("cannot start a thread to play on: {0}; nothing of the batch counts")]
    NoThreads(String),
    /// A vector that the engine refuses.
    #[error("the engine refuses a candidate: {0}")]
    Refused(String),
}

/// Plays trials. Results depend on the trials and the run's seed alone, never on threads.
pub trait Evaluator {
    /// Results of `trials`, in their order.
    ///
    /// # Errors
    /// See [`EvaluationError`]; then nothing of the batch counts.
    fn evaluate(
        &mut self,
        trials: &[Trial],
        stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError>;

    /// The pairs that were dropped since this was last asked, in the order of the trials. An
    /// evaluator that drops none need not say so.
    fn take_dropped(&mut self) -> Vec<DroppedPair> {
        Vec::new()
    }
}

/// Replays games.
pub trait Replay {
    /// The first game of a trial's first pair, in this attempt, as a text; None, with a warning in
    /// the log, when it cannot be replayed.
    fn first_game(&mut self, trial: &Trial, attempt: u32) -> Option<String>;

    /// What the names of files with such texts end in, without the dot.
    fn record_extension(&self) -> &'static str;
}
