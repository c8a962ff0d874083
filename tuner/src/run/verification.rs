//! Verification: before anything is written back, the tuned parameters play the start on fresh
//! openings and seeds.
//!
//! Three parts, each with games of its own. The *decision* is a sequential test (GSPRT on
//! normalised Elo), looked at after fixed batches only; attempt n uses error rates a/2^(n-1) and
//! b/2^(n-1), so nobody passes by trying again. The *measurement* is a fixed number of further
//! games: where a sequential test stops depends on its games, so their score would overstate; games
//! of a fixed number do not. The *reference* games place start and result against a fixed engine.

use std::num::NonZeroU64;

use super::course::{Action, Opponent};
use super::place::Place;
use crate::event::{Contest, Event, Verdict};
use crate::space::Vector;
use crate::stats::{EloModel, Looks, Sprt, SprtError, SprtState};
use crate::trial::{Colours, Trial, TrialId, TrialResult};

/// Rounds from here on are verifications: their streams never meet those of the tuning.
const FIRST_ROUND: u32 = 1 << 31;

/// How results are verified.
#[derive(Clone, PartialEq, Debug)]
pub struct VerificationPlan {
    /// Bounds of the test in normalised Elo: what is too little, and what is enough.
    pub bounds_nelo: [f64; 2],
    /// Probability of accepting what is too little, for the first attempt.
    pub alpha: f64,
    /// Probability of rejecting what is enough, for the first attempt.
    pub beta: f64,
    /// Games after which the test ends undecided.
    pub games_max: u32,
    /// Games of a batch; the test is looked at after whole batches only.
    pub batch_games: u32,
    /// Games before the first look at the test; the look itself is after a whole batch.
    pub first_look_games: u32,
    /// Games of the measurement against the start.
    pub measured_games: u32,
    /// Games of start and of result against the reference engine; 0 without a reference.
    pub reference_games: u32,
}

impl VerificationPlan {
    /// The test of an attempt (from 1).
    ///
    /// # Errors
    /// Bounds or error rates that make no test.
    pub fn test(&self, attempt: u32) -> Result<Sprt, SprtError> {
        let share = libm::pow(0.5, f64::from(attempt - 1));
        let (alpha, beta) = (self.alpha * share, self.beta * share);
        Sprt::new(EloModel::Normalized, self.bounds_nelo, alpha, beta)
    }

    /// When the test is looked at, in pairs: after each batch from the first look on, and after
    /// the last of all games.
    pub fn looks(&self) -> Looks {
        let pairs = u64::from(self.batch_games / 2);
        Looks {
            every: NonZeroU64::new(pairs).expect("a batch has a pair of games"),
            not_before: u64::from(self.first_look_games / 2),
        }
    }

    fn games_of(&self, contest: Contest) -> u32 {
        match contest {
            Contest::Decision => self.games_max,
            Contest::TunedAgainstStart => self.measured_games,
            Contest::StartAgainstReference | Contest::TunedAgainstReference => self.reference_games,
        }
    }
}

/// The order of the contests of a verification.
const CONTESTS: [Contest; 4] = Contest::ALL;

/// A verification in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct Verification {
    attempt: u32,
    plan: VerificationPlan,
    tuned: Vector,
    start: Vector,
    begun: bool,
    /// Index into [`CONTESTS`].
    contest: usize,
    /// Batches and games of the contest in progress.
    batches: u32,
    contest_games: u64,
    decision: TrialResult,
    verdict: Option<Verdict>,
    games: u64,
}

impl Verification {
    /// A verification that has not begun.
    pub fn new(attempt: u32, plan: VerificationPlan, tuned: Vector, start: Vector) -> Self {
        // Equal parameters cannot be an improvement, and no game would tell more.
        let verdict = (tuned == start).then_some(Verdict::Rejected);
        Self {
            attempt,
            plan,
            tuned,
            start,
            begun: false,
            contest: 0,
            batches: 0,
            contest_games: 0,
            decision: TrialResult::default(),
            verdict,
            games: 0,
        }
    }

    /// Whether nothing of it has happened yet.
    pub fn is_fresh(&self) -> bool {
        !self.begun
    }

    /// Where the batch that is in play or comes next stands; None once all are played.
    pub fn place(&self) -> Option<Place> {
        let (attempt, batch) = (self.attempt, self.batches);
        CONTESTS
            .get(self.contest)
            .map(|&contest| Place::Verification {
                attempt,
                contest,
                batch,
            })
    }

    /// What comes next.
    pub fn next(&self) -> Action {
        let attempt = self.attempt;
        if !self.begun {
            return Action::Emit(Event::VerificationStarted {
                attempt,
                tuned: self.tuned.clone(),
            });
        }
        match CONTESTS.get(self.contest) {
            Some(&contest) if self.tuned != self.start => self.batch_of(contest),
            _ => Action::Emit(Event::VerificationFinished {
                attempt,
                verdict: self.verdict.unwrap_or(Verdict::Undecided),
                games: self.games,
            }),
        }
    }

    fn batch_of(&self, contest: Contest) -> Action {
        let left = u64::from(self.plan.games_of(contest)) - self.contest_games;
        let games = u64::from(self.plan.batch_games).min(left) as u32;
        let (a, b, opponent, code) = match contest {
            Contest::Decision => (&self.tuned, self.start.clone(), Opponent::Own, 0),
            Contest::TunedAgainstStart => (&self.tuned, self.start.clone(), Opponent::Own, 1),
            // Start and result meet the reference in the same openings, with the same streams.
            Contest::StartAgainstReference => {
                (&self.start, Vector(Vec::new()), Opponent::Reference, 2)
            }
            Contest::TunedAgainstReference => {
                (&self.tuned, Vector(Vec::new()), Opponent::Reference, 2)
            }
        };
        let id = TrialId {
            round: FIRST_ROUND + 4 * self.attempt + code,
            trial: self.batches,
        };
        let trial = Trial {
            id,
            a: a.clone(),
            b,
            colours: Colours::Paired,
            games,
        };
        Action::Evaluate(vec![trial], opponent)
    }

    /// The event that a result of the batch becomes.
    pub fn event_of(&self, result: TrialResult) -> Event {
        let contest = CONTESTS[self.contest];
        Event::MatchBatch {
            attempt: self.attempt,
            contest,
            batch: self.batches,
            result,
        }
    }

    /// Takes an event that [`Verification::next`] led to.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::VerificationStarted { .. } => {
                self.begun = true;
                self.skip_empty_contests();
            }
            Event::MatchBatch { result, .. } => self.take_batch(result),
            _ => {}
        }
    }

    fn take_batch(&mut self, result: &TrialResult) {
        let contest = CONTESTS[self.contest];
        self.batches += 1;
        self.contest_games += result.wdl.games();
        self.games += result.wdl.games();
        let played_out = self.contest_games >= u64::from(self.plan.games_of(contest));
        if contest == Contest::Decision {
            self.decision.add(result);
        }
        let pairs = self.decision.pentanomial.pairs();
        let is_looked_at = played_out || self.plan.looks().is_due(pairs);
        if contest == Contest::Decision && is_looked_at {
            let test = self
                .plan
                .test(self.attempt)
                .expect("a job's test was checked");
            self.verdict = match test.state_of_pairs(&self.decision.pentanomial) {
                SprtState::AcceptH1 => Some(Verdict::Accepted),
                SprtState::AcceptH0 => Some(Verdict::Rejected),
                SprtState::Continue => None,
            };
        }
        if played_out || (contest == Contest::Decision && self.verdict.is_some()) {
            self.contest += 1;
            (self.batches, self.contest_games) = (0, 0);
            self.skip_empty_contests();
        }
    }

    fn skip_empty_contests(&mut self) {
        while CONTESTS
            .get(self.contest)
            .is_some_and(|&contest| self.plan.games_of(contest) == 0)
        {
            self.contest += 1;
        }
    }
}
