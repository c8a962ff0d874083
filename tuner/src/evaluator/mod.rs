//! Evaluators: trials in, results out.

pub mod match_play;
pub mod scripted;

use std::sync::atomic::AtomicBool;

use crate::trial::{Trial, TrialResult};

/// Why trials have no results.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// The stop flag was raised; nothing of the batch counts.
    #[error("interrupted")]
    Interrupted,
    /// Games failed again after their pair was replayed.
    #[error("trial {trial}, pair {pair}: the game failed twice: {reason}")]
    GameFailed {
        /// Trial of the run.
        trial: u32,
        /// Pair of the trial.
        pair: u32,
        /// What happened in the second attempt.
        reason: String,
    },
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
}

/// Replays games.
pub trait Replay {
    /// The first game of a trial's first pair as a text; None when it cannot be replayed.
    fn first_game(&self, trial: &Trial) -> Option<String>;
}
