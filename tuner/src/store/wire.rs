//! What stands in the journal, field by field and in this order, and its translation from and to
//! the plain domain types.
//!
//! Trials and batches, which make up nearly all of a journal, are rows without names (since format
//! 2). Format 1 gave each field its name; it is still read.

mod legs;

use serde::{Deserialize, Serialize};

use legs::{ExtrapolationWire, LegWire};

use super::format::JOURNAL_FORMAT;
use crate::event::{Contest, EditPath, Event, RoundSummary, StopReason, Verdict};
use crate::space::Vector;
use crate::stats::{Pentanomial, Wdl};
use crate::trial::{Colours, Trial, TrialId, TrialResult};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum EventWire {
    RunStarted {
        format: u32,
        job_digest: String,
    },
    Trial(TrialRow),
    RoundFinished {
        round: u32,
        // Null of a learner without a tree, but never left out.
        #[serde(deserialize_with = "Option::deserialize")]
        greedy_path: Option<EditPath>,
        applied: bool,
        candidate_score: Option<f64>,
        candidate_games: u64,
        incumbent: Vec<f64>,
    },
    LegFinished(LegWire),
    Extrapolated(ExtrapolationWire),
    TuningFinished {
        reason: StopReasonWire,
        rounds: u32,
        games: u64,
    },
    VerificationStarted {
        attempt: u32,
        tuned: Vec<f64>,
    },
    Batch(BatchRow),
    VerificationFinished {
        attempt: u32,
        verdict: VerdictWire,
        games: u64,
    },
    /// Format 1, only read.
    #[serde(skip_serializing)]
    TrialFinished {
        path: EditPath,
        trial: TrialWire,
        result: ResultWire,
    },
    /// Format 1, only read.
    #[serde(skip_serializing)]
    MatchBatch {
        attempt: u32,
        contest: ContestWire,
        batch: u32,
        result: ResultWire,
    },
}

/// `[round, trial, path, a, b, colours, games, result]`; the path is null of a learner without a
/// tree.
#[derive(Serialize, Deserialize)]
pub(super) struct TrialRow(
    u32,
    u32,
    Option<EditPath>,
    Vec<f64>,
    Vec<f64>,
    ColoursWire,
    u32,
    ResultRow,
);

/// `[attempt, contest, batch, result]`.
#[derive(Serialize, Deserialize)]
pub(super) struct BatchRow(u32, ContestWire, u32, ResultRow);

/// `[[wins, draws, losses], pentanomial, dropped pairs]`.
#[derive(Serialize, Deserialize)]
pub(super) struct ResultRow([u64; 3], [u64; 5], Vec<u32>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrialWire {
    round: u32,
    trial: u32,
    a: Vec<f64>,
    b: Vec<f64>,
    colours: ColoursWire,
    games: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultWire {
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    failed_pairs: u32,
}

/// An enum of unit variants and its wire twin, with the conversions.
macro_rules! names_on_the_wire {
    ($plain:ident, $wire:ident: $($variant:ident),+) => {
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub(super) enum $wire {
            $($variant),+
        }

        impl From<$plain> for $wire {
            fn from(plain: $plain) -> Self {
                match plain {
                    $($plain::$variant => Self::$variant),+
                }
            }
        }

        impl From<$wire> for $plain {
            fn from(wire: $wire) -> Self {
                match wire {
                    $($wire::$variant => Self::$variant),+
                }
            }
        }
    };
}

names_on_the_wire!(Colours, ColoursWire: Paired, AFirst);
names_on_the_wire!(StopReason, StopReasonWire: Rounds, Games, Converged, SmallGain);
names_on_the_wire!(
    Contest, ContestWire: Decision, TunedAgainstStart, StartAgainstReference, TunedAgainstReference
);
names_on_the_wire!(Verdict, VerdictWire: Accepted, Rejected, Undecided);

impl From<&TrialResult> for ResultRow {
    fn from(result: &TrialResult) -> Self {
        let Wdl {
            wins,
            draws,
            losses,
        } = result.wdl;
        Self(
            [wins, draws, losses],
            result.pentanomial.0,
            result.dropped_pairs.clone(),
        )
    }
}

impl From<ResultRow> for TrialResult {
    fn from(ResultRow([wins, draws, losses], pentanomial, dropped_pairs): ResultRow) -> Self {
        Self {
            wdl: Wdl {
                wins,
                draws,
                losses,
            },
            pentanomial: Pentanomial(pentanomial),
            dropped_pairs,
        }
    }
}

impl TrialRow {
    fn new(path: Option<EditPath>, trial: &Trial, result: &TrialResult) -> Self {
        Self(
            trial.id.round,
            trial.id.trial,
            path,
            trial.a.0.clone(),
            trial.b.0.clone(),
            trial.colours.into(),
            trial.games,
            result.into(),
        )
    }

    fn into_event(self) -> Event {
        let Self(round, trial, path, a, b, colours, games, result) = self;
        let trial = Trial {
            id: TrialId { round, trial },
            a: Vector(a),
            b: Vector(b),
            colours: colours.into(),
            games,
        };
        Event::TrialFinished {
            path,
            trial,
            result: result.into(),
        }
    }
}

impl BatchRow {
    fn into_event(self) -> Event {
        let Self(attempt, contest, batch, result) = self;
        Event::MatchBatch {
            attempt,
            contest: contest.into(),
            batch,
            result: result.into(),
        }
    }
}

impl From<TrialWire> for Trial {
    fn from(wire: TrialWire) -> Self {
        Self {
            id: TrialId {
                round: wire.round,
                trial: wire.trial,
            },
            a: Vector(wire.a),
            b: Vector(wire.b),
            colours: wire.colours.into(),
            games: wire.games,
        }
    }
}

impl From<ResultWire> for TrialResult {
    fn from(wire: ResultWire) -> Self {
        Self {
            wdl: Wdl {
                wins: wire.wins,
                draws: wire.draws,
                losses: wire.losses,
            },
            pentanomial: Pentanomial(wire.pentanomial),
            // Format 1 counted them only. No program that wrote it has met one.
            dropped_pairs: (0..wire.failed_pairs).collect(),
        }
    }
}

impl From<&Event> for EventWire {
    fn from(event: &Event) -> Self {
        match event {
            Event::RunStarted { job_digest } => EventWire::RunStarted {
                format: JOURNAL_FORMAT,
                job_digest: job_digest.clone(),
            },
            Event::TrialFinished {
                path,
                trial,
                result,
            } => EventWire::Trial(TrialRow::new(*path, trial, result)),
            Event::RoundFinished(summary) => EventWire::RoundFinished {
                round: summary.round,
                greedy_path: summary.greedy_path,
                applied: summary.applied,
                candidate_score: summary.candidate_score,
                candidate_games: summary.candidate_games,
                incumbent: summary.incumbent.0.clone(),
            },
            Event::LegFinished(leg) => EventWire::LegFinished(leg.into()),
            Event::Extrapolated(values) => EventWire::Extrapolated(values.into()),
            &Event::TuningFinished {
                reason,
                rounds,
                games,
            } => EventWire::TuningFinished {
                reason: reason.into(),
                rounds,
                games,
            },
            Event::VerificationStarted { attempt, tuned } => EventWire::VerificationStarted {
                attempt: *attempt,
                tuned: tuned.0.clone(),
            },
            Event::MatchBatch {
                attempt,
                contest,
                batch,
                result,
            } => EventWire::Batch(BatchRow(*attempt, (*contest).into(), *batch, result.into())),
            &Event::VerificationFinished {
                attempt,
                verdict,
                games,
            } => EventWire::VerificationFinished {
                attempt,
                verdict: verdict.into(),
                games,
            },
        }
    }
}

impl From<EventWire> for Event {
    fn from(wire: EventWire) -> Self {
        match wire {
            EventWire::RunStarted { job_digest, .. } => Event::RunStarted { job_digest },
            EventWire::Trial(row) => row.into_event(),
            EventWire::Batch(row) => row.into_event(),
            EventWire::TrialFinished {
                path,
                trial,
                result,
            } => Event::TrialFinished {
                path: Some(path),
                trial: trial.into(),
                result: result.into(),
            },
            EventWire::RoundFinished {
                round,
                greedy_path,
                applied,
                candidate_score,
                candidate_games,
                incumbent,
            } => Event::RoundFinished(RoundSummary {
                round,
                greedy_path,
                applied,
                candidate_score,
                candidate_games,
                incumbent: Vector(incumbent),
            }),
            EventWire::LegFinished(leg) => Event::LegFinished(leg.into()),
            EventWire::Extrapolated(values) => Event::Extrapolated(values.into()),
            EventWire::TuningFinished {
                reason,
                rounds,
                games,
            } => Event::TuningFinished {
                reason: reason.into(),
                rounds,
                games,
            },
            EventWire::VerificationStarted { attempt, tuned } => Event::VerificationStarted {
                attempt,
                tuned: Vector(tuned),
            },
            EventWire::MatchBatch {
                attempt,
                contest,
                batch,
                result,
            } => Event::MatchBatch {
                attempt,
                contest: contest.into(),
                batch,
                result: result.into(),
            },
            EventWire::VerificationFinished {
                attempt,
                verdict,
                games,
            } => Event::VerificationFinished {
                attempt,
                verdict: verdict.into(),
                games,
            },
        }
    }
}
