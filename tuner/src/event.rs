//! Events: the deterministic things that happen to a run. The journal is their list and the truth
//! of a run; equal jobs and seeds give equal lists, whatever the threads, kills and resumptions.

mod legs;

use std::fmt;

pub use legs::{Drift, Extrapolation, LegSummary};

use crate::space::Vector;
use crate::trial::{Trial, TrialResult};

pub use crate::trial::{EditPath, RoundSummary};

/// What happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The run began.
    RunStarted {
        /// Digest of the job as resolved.
        job_digest: String,
    },
    /// A trial was played and told to the learner.
    TrialFinished {
        /// The edit path that led to the trial's A. None of a learner without a tree.
        path: Option<EditPath>,
        /// What was played.
        trial: Trial,
        /// What came of it.
        result: TrialResult,
    },
    /// A round was over and its incumbent in force.
    RoundFinished(RoundSummary),
    /// The tuning at one of several budgets was over.
    LegFinished(LegSummary),
    /// The values for the budget of matches, extrapolated from all legs.
    Extrapolated(Extrapolation),
    /// The learner's part was over.
    TuningFinished {
        /// Why.
        reason: StopReason,
        /// Rounds finished.
        rounds: u32,
        /// Games that counted.
        games: u64,
    },
    /// A verification began.
    VerificationStarted {
        /// Attempt, from 1.
        attempt: u32,
        /// The values under verification.
        tuned: Vector,
    },
    /// A batch of a verification's games was played.
    MatchBatch {
        /// Attempt, from 1.
        attempt: u32,
        /// Who played whom.
        contest: Contest,
        /// Batch of this contest, from 0.
        batch: u32,
        /// Seen from the contest's first name.
        result: TrialResult,
    },
    /// A verification came to its end.
    VerificationFinished {
        /// Attempt, from 1.
        attempt: u32,
        /// What the sequential test said.
        verdict: Verdict,
        /// Games of the attempt, all contests together.
        games: u64,
    },
}

impl fmt::Display for Event {
    /// The event in a few words, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::RunStarted { job_digest } => write!(f, "the start of job {job_digest}"),
            Event::TrialFinished { trial, result, .. } => {
                let points = result.wdl.points();
                write!(f, "{trial} with {points} points of {}", result.wdl.games())
            }
            Event::RoundFinished(round) => {
                write!(f, "the end of round {}", round.round)?;
                match round.greedy_path {
                    Some(path) => write!(f, " with path {path:?}"),
                    None => Ok(()),
                }
            }
            Event::LegFinished(LegSummary { leg, budget, .. }) => {
                write!(f, "the end of leg {leg}, at the budget {budget}")
            }
            Event::Extrapolated(Extrapolation { budget, values, .. }) => {
                write!(f, "{:?} extrapolated to the budget {budget}", values.0)
            }
            Event::TuningFinished { rounds, games, .. } => {
                write!(
                    f,
                    "the end of the tuning after {rounds} rounds and {games} games"
                )
            }
            Event::VerificationStarted { attempt, .. } => {
                write!(f, "the start of verification {attempt}")
            }
            Event::MatchBatch {
                attempt,
                contest,
                batch,
                result,
            } => write!(
                f,
                "batch {batch} of {contest:?} in verification {attempt} with {} games",
                result.wdl.games()
            ),
            Event::VerificationFinished {
                attempt, verdict, ..
            } => {
                write!(f, "the end of verification {attempt}: {verdict:?}")
            }
        }
    }
}

/// What ended the tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The job's rounds were played.
    Rounds,
    /// The job's games were used up.
    Games,
    /// The learner had nothing more to gain.
    Converged,
    /// Less was still to be gained than the job asks for.
    SmallGain,
}

impl StopReason {
    /// The word for programs.
    pub const fn word(self) -> &'static str {
        match self {
            StopReason::Rounds => "rounds",
            StopReason::Games => "games",
            StopReason::Converged => "converged",
            StopReason::SmallGain => "small_gain",
        }
    }
}

/// Who plays whom in a verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contest {
    /// The sequential test: the tuned values against those the run started from.
    Decision,
    /// The measurement: the same two, over a number of games that was fixed beforehand.
    TunedAgainstStart,
    /// The start against the fixed reference engine.
    StartAgainstReference,
    /// The tuned values against the fixed reference engine.
    TunedAgainstReference,
}

impl Contest {
    /// All of them, in the order in which a verification plays them.
    pub const ALL: [Contest; 4] = [
        Contest::Decision,
        Contest::TunedAgainstStart,
        Contest::StartAgainstReference,
        Contest::TunedAgainstReference,
    ];

    /// The word for command lines, files and people.
    pub const fn word(self) -> &'static str {
        match self {
            Contest::Decision => "decision",
            Contest::TunedAgainstStart => "measured",
            Contest::StartAgainstReference => "start-reference",
            Contest::TunedAgainstReference => "tuned-reference",
        }
    }
}

/// What a verification says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The improvement is accepted.
    Accepted,
    /// The improvement is rejected.
    Rejected,
    /// The cap on games was reached before either.
    Undecided,
}
