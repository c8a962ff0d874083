//! What a run came to, as a fold over its events: the one reader of run state. `run`, `status`,
//! `export` and the header of `tuned.toml` all show this.

use crate::event::{Contest, Event, Extrapolation, LegSummary, StopReason, Verdict};
use crate::outlook::{Outlook, Played};
use crate::space::{Space, Vector};
use crate::trial::{RoundSummary, TrialResult};

/// What the events of a run add up to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Rounds finished.
    pub rounds: Vec<RoundSummary>,
    /// Games of the tuning.
    pub games: u64,
    /// These games by who played whom; of the newest leg only, where the tuning is at several
    /// budgets: games at another budget are of another surface.
    pub played: Played,
    /// The leg that `played` is of.
    played_on_leg: usize,
    /// Legs that are over, where the tuning is at several budgets.
    pub legs: Vec<LegSummary>,
    /// Their games by who played whom.
    leg_games: Vec<Played>,
    /// The values for the budget of matches, once they are extrapolated.
    pub extrapolation: Option<Extrapolation>,
    /// Why the tuning ended, once it has.
    pub stop_reason: Option<StopReason>,
    /// Verifications, in order.
    pub attempts: Vec<Attempt>,
    /// Pairs that failed and were replayed.
    pub dropped_pairs: u64,
    /// Those pairs by each of the vectors that played in them; see the evidence for who was it.
    pub dropped_by: Vec<DroppedBy>,
}

/// Games that counted, by what they were played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Games of the tuning.
    pub tuning: u64,
    /// Games of sequential tests.
    pub decision: u64,
    /// Games of a fixed number against the start.
    pub measurement: u64,
    /// Games against the reference engine.
    pub reference: u64,
}

impl Spent {
    /// All of them.
    pub const fn total(&self) -> u64 {
        self.tuning + self.decision + self.measurement + self.reference
    }
}

/// Dropped pairs that a vector played in.
#[derive(Clone, PartialEq, Debug)]
pub struct DroppedBy {
    /// The vector; None is the one that the run started from, in a verification.
    pub vector: Option<Vector>,
    /// Pairs.
    pub pairs: u64,
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

/// What a result is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// No verification has been finished.
    Unverified,
    /// A verification has accepted it: it is exported.
    Accepted,
    /// None has, and the last one has rejected it: the start's values stay.
    Rejected,
    /// None has, and the last one could not tell: the start's values stay until one can.
    Undecided,
}

impl Standing {
    /// Whether verifications were played and the start's values stay all the same.
    pub const fn keeps_start(self) -> bool {
        matches!(self, Standing::Rejected | Standing::Undecided)
    }
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
            Event::TrialFinished { trial, result, .. } => {
                self.games += result.wdl.games();
                if self.played_on_leg != self.legs.len() {
                    self.played_on_leg = self.legs.len();
                    self.played = Played::default();
                }
                self.played.add(trial, result);
                self.add_dropped(result, &[Some(&trial.a), Some(&trial.b)]);
            }
            Event::RoundFinished(round) => self.rounds.push(round.clone()),
            Event::LegFinished(leg) => {
                let has_games = self.played_on_leg == self.legs.len();
                let games = has_games.then(|| self.played.clone());
                self.leg_games.push(games.unwrap_or_default());
                self.legs.push(leg.clone());
            }
            Event::Extrapolated(values) => self.extrapolation = Some(values.clone()),
            Event::TuningFinished { reason, .. } => self.stop_reason = Some(*reason),
            Event::VerificationStarted { attempt, tuned } => {
                self.attempts.push(Attempt::new(*attempt, tuned.clone()));
            }
            Event::MatchBatch {
                contest, result, ..
            } => {
                let tuned = self.attempts.last().map(|it| it.tuned.clone());
                let vectors: &[Option<&Vector>] = match contest {
                    Contest::Decision | Contest::TunedAgainstStart => &[tuned.as_ref(), None],
                    Contest::StartAgainstReference => &[None],
                    Contest::TunedAgainstReference => &[tuned.as_ref()],
                };
                self.add_dropped(result, vectors);
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

    fn add_dropped(&mut self, result: &TrialResult, vectors: &[Option<&Vector>]) {
        let pairs = result.dropped_pairs.len() as u64;
        if pairs == 0 {
            return;
        }
        self.dropped_pairs += pairs;
        for (index, vector) in vectors.iter().enumerate() {
            if vectors[..index].contains(vector) {
                continue;
            }
            let known = |it: &&mut DroppedBy| it.vector.as_ref() == *vector;
            match self.dropped_by.iter_mut().find(known) {
                Some(it) => it.pairs += pairs,
                None => self.dropped_by.push(DroppedBy {
                    vector: vector.cloned(),
                    pairs,
                }),
            }
        }
    }

    /// The parameters in force, once a round has finished.
    pub fn incumbent(&self) -> Option<&Vector> {
        let extrapolated = self.extrapolation.as_ref().map(|found| &found.values);
        extrapolated.or(self.rounds.last().map(|round| &round.incumbent))
    }

    /// What the games of the tuning say of the values that they led to; with several budgets, the
    /// games of the newest leg. None where there are none that compare two vectors.
    pub fn outlook(&self, space: &Space) -> Option<Outlook> {
        let start = space.start();
        let led_to = self.rounds.last().map(|round| &round.incumbent);
        Outlook::of(space, &self.played, led_to.unwrap_or(&start))
    }

    /// The same of each leg that is over.
    pub fn leg_outlooks(&self, space: &Space) -> Vec<Option<Outlook>> {
        let legs = self.legs.iter().zip(&self.leg_games);
        legs.map(|(leg, games)| Outlook::of(space, games, &leg.values))
            .collect()
    }

    /// The newest verification.
    pub fn last_attempt(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// What the games so far were played for.
    pub fn spent(&self) -> Spent {
        let mut spent = Spent {
            tuning: self.games,
            ..Spent::default()
        };
        for attempt in &self.attempts {
            spent.decision += attempt.decision.wdl.games();
            spent.measurement += attempt.measured.wdl.games();
            spent.reference += attempt.start_against_reference.wdl.games()
                + attempt.tuned_against_reference.wdl.games();
        }
        spent
    }

    /// What the tuning's result is worth after its verifications so far.
    pub fn standing(&self) -> Standing {
        let mut verdicts = self.attempts.iter().filter_map(|it| it.verdict);
        match verdicts.next_back() {
            _ if self.is_verified() => Standing::Accepted,
            None => Standing::Unverified,
            Some(Verdict::Rejected) => Standing::Rejected,
            Some(_) => Standing::Undecided,
        }
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
