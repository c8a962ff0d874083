//! What a run came to, as a fold over its events: the one reader of run state. `run`, `status`,
//! `export` and the header of `tuned.toml` all show this.

use crate::event::{Contest, Event, StopReason, Verdict};
use crate::space::Vector;
use crate::trial::{RoundSummary, TrialResult};

/// What the events of a run add up to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Rounds finished.
    pub rounds: Vec<RoundSummary>,
    /// Games of the tuning.
    pub games: u64,
    /// Why the tuning ended, once it has.
    pub stop_reason: Option<StopReason>,
    /// Verifications, in order.
    pub attempts: Vec<Attempt>,
    /// Pairs that failed and were replayed.
    pub dropped_pairs: u64,
}

/// One verification.
#[derive(Clone, PartialEq, Debug)]
pub struct Attempt {
    /// Number, from 1.
    pub attempt: u32,
    /// The values under verification.
    pub tuned: Vector,
    /// Games of the sequential test.
    pub decision: TrialResult,
    /// The fixed number of further games against the start.
    pub measured: TrialResult,
    /// The start against the reference engine.
    pub start_against_reference: TrialResult,
    /// The result against the reference engine.
    pub tuned_against_reference: TrialResult,
    /// The verdict, once it is there.
    pub verdict: Option<Verdict>,
}

impl Summary {
    /// The summary of a list of events.
    pub fn of(events: &[Event]) -> Summary {
        let mut summary = Summary::default();
        events.iter().for_each(|event| summary.add(event));
        summary
    }

    /// Takes one more event.
    pub fn add(&mut self, event: &Event) {
        match event {
            Event::RunStarted { .. } => {}
            Event::TrialFinished { result, .. } => {
                self.games += result.wdl.games();
                self.dropped_pairs += result.dropped_pairs.len() as u64;
            }
            Event::RoundFinished(round) => self.rounds.push(round.clone()),
            Event::TuningFinished { reason, .. } => self.stop_reason = Some(*reason),
            Event::VerificationStarted { attempt, tuned } => {
                self.attempts.push(Attempt::new(*attempt, tuned.clone()));
            }
            Event::MatchBatch {
                contest, result, ..
            } => {
                self.dropped_pairs += result.dropped_pairs.len() as u64;
                if let Some(attempt) = self.attempts.last_mut() {
                    attempt.contest_mut(*contest).add(result);
                }
            }
            Event::VerificationFinished { verdict, .. } => {
                if let Some(attempt) = self.attempts.last_mut() {
                    attempt.verdict = Some(*verdict);
                }
            }
        }
    }

    /// The parameters in force, once a round has finished.
    pub fn incumbent(&self) -> Option<&Vector> {
        self.rounds.last().map(|round| &round.incumbent)
    }

    /// The newest verification.
    pub fn last_attempt(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// Whether a verification has accepted the parameters in force. One is enough: each further
    /// attempt has half the error rate of the one before.
    pub fn is_verified(&self) -> bool {
        self.attempts
            .iter()
            .any(|attempt| attempt.verdict == Some(Verdict::Accepted))
    }
}

impl Attempt {
    fn new(attempt: u32, tuned: Vector) -> Self {
        Self {
            attempt,
            tuned,
            decision: TrialResult::default(),
            measured: TrialResult::default(),
            start_against_reference: TrialResult::default(),
            tuned_against_reference: TrialResult::default(),
            verdict: None,
        }
    }

    /// Games of all contests.
    pub fn games(&self) -> u64 {
        let contests = [
            &self.decision,
            &self.measured,
            &self.start_against_reference,
            &self.tuned_against_reference,
        ];
        contests.iter().map(|result| result.wdl.games()).sum()
    }

    fn contest_mut(&mut self, contest: Contest) -> &mut TrialResult {
        match contest {
            Contest::Decision => &mut self.decision,
            Contest::TunedAgainstStart => &mut self.measured,
            Contest::StartAgainstReference => &mut self.start_against_reference,
            Contest::TunedAgainstReference => &mut self.tuned_against_reference,
        }
    }
}
