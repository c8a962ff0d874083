//! How far a run has come: what can be claimed, and what cannot yet.

use crate::event::Verdict;
use crate::run::state::RunState;
use crate::run::summary::Summary;
use crate::space::Vector;

/// What can be said of the values in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::report) enum Standing {
    /// No round has finished: there are only the values of the start.
    Begun,
    /// Rounds have finished, and the tuning is not over.
    Tuning,
    /// The tuning is over, and no verification is.
    Unverified,
    /// The tuning has led back to the start, or never left it.
    Unchanged,
    /// A verification has accepted the values.
    Accepted,
    /// The last verification has rejected them, and none accepted.
    Rejected,
    /// The last verification has not decided, and none accepted.
    Undecided,
}

impl Standing {
    /// Of a run that `summary` tells of and that began with `start`.
    pub(in crate::report) fn of(summary: &Summary, start: &Vector) -> Self {
        let verdict = summary.last_attempt().and_then(|attempt| attempt.verdict);
        let unchanged = summary.last_attempt().is_some_and(|it| it.tuned == *start);
        match verdict {
            _ if summary.is_verified() => Standing::Accepted,
            Some(_) if unchanged => Standing::Unchanged,
            Some(Verdict::Rejected) => Standing::Rejected,
            Some(Verdict::Undecided) => Standing::Undecided,
            Some(Verdict::Accepted) => Standing::Accepted,
            None if summary.stop_reason.is_some() => Standing::Unverified,
            None if summary.rounds.is_empty() => Standing::Begun,
            None => Standing::Tuning,
        }
    }

    /// The word beside the run's name, and how it is coloured.
    pub(in crate::report) fn badge(self, state: RunState) -> (&'static str, &'static str) {
        match self {
            Standing::Accepted => ("verified", "good"),
            Standing::Rejected => ("rejected", "bad"),
            Standing::Undecided => ("undecided", "bad"),
            Standing::Unchanged => ("unchanged", ""),
            Standing::Begun | Standing::Tuning | Standing::Unverified => (state.word(), ""),
        }
    }
}
