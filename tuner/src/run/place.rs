//! Where a game stands in a run.

use std::fmt;

use crate::event::Contest;
use crate::trial::TrialId;

/// A trial of the tuning, or a batch of a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A trial, by its numbers.
    Tuning(TrialId),
    /// A batch.
    Verification {
        /// Verification, from 1.
        attempt: u32,
        /// Who plays whom.
        contest: Contest,
        /// Batch of the contest, from 0.
        batch: u32,
    },
}

impl Place {
    /// The place as the beginning of a file's name.
    pub fn file_stem(&self) -> String {
        match self {
            Place::Tuning(TrialId { round, trial }) => format!("round-{round}-trial-{trial}"),
            Place::Verification {
                attempt,
                contest,
                batch,
            } => format!("verification-{attempt}-{}-batch-{batch}", contest.word()),
        }
    }

    /// The place as arguments of `tuner replay`.
    pub fn arguments(&self) -> String {
        match self {
            Place::Tuning(TrialId { round, trial }) => format!("--round {round} --trial {trial}"),
            Place::Verification {
                attempt,
                contest,
                batch,
            } => {
                let contest = contest.word();
                format!("--verification {attempt} --contest {contest} --batch {batch}")
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Tuning(TrialId { round, trial }) => write!(f, "round {round}, trial {trial}"),
            Place::Verification {
                attempt,
                contest,
                batch,
            } => write!(
                f,
                "verification {attempt}, {}, batch {batch}",
                contest.word()
            ),
        }
    }
}
