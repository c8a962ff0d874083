//! How the sequential test of each verification went, batch by batch.

use crate::event::{Contest, Event};
use crate::run::verification::VerificationPlan;
use crate::stats::Pentanomial;

/// The log-likelihood ratios of a run's sequential tests on their way.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LlrTraces {
    attempts: Vec<Vec<[f64; 2]>>,
    /// Pairs of the test in progress.
    decision: Pentanomial,
}

impl LlrTraces {
    /// For each verification: games of its test and LLR after each of its batches.
    pub fn attempts(&self) -> &[Vec<[f64; 2]>] {
        &self.attempts
    }

    /// Takes an event of a run whose verifications have this plan. Precondition: the plan was
    /// checked with its job.
    pub fn add(&mut self, event: &Event, plan: &VerificationPlan) {
        match event {
            Event::VerificationStarted { .. } => {
                self.decision = Pentanomial::default();
                self.attempts.push(Vec::new());
            }
            Event::MatchBatch {
                attempt,
                contest: Contest::Decision,
                result,
                ..
            } => {
                let counts = self.decision.0.iter_mut().zip(result.pentanomial.0);
                counts.for_each(|(count, more)| *count += more);
                let test = plan.test(*attempt).expect("a job's test was checked");
                let games = 2.0 * self.decision.pairs() as f64;
                let point = [games, test.llr_of_pairs(&self.decision)];
                if let Some(points) = self.attempts.last_mut() {
                    points.push(point);
                }
            }
            _ => {}
        }
    }
}
