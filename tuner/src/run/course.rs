//! The course of a run: what comes next, and what has happened so far. Pure: no files, no games,
//! no clock. The live loop asks [`Course::next_action`], does it, and applies the event; a resumed
//! run applies the journal's events in the same way, so both go through the same states, and a
//! stored event that differs from what the course expects is found at once.

use std::collections::VecDeque;
use std::fmt;

use super::ladder::{FinishedLeg, Ladder};
use super::place::Place;
use super::tuning_games::{GainStop, TuningGames, TuningGamesState};
use super::verification::{Verification, VerificationPlan};
use crate::event::{Event, StopReason};
use crate::optimiser::tree_view::TreeView;
use crate::optimiser::{Ask, Optimiser, SnapshotError};
use crate::space::{Space, Vector};
use crate::trial::{EditPath, RoundSummary, Trial, TrialId, TrialResult};

/// When the tuning ends: whichever comes first. At least one of the two is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// Rounds to play.
    pub rounds: Option<u32>,
    /// Games that the tuning may use; no trial is begun that could exceed them.
    pub games: Option<u64>,
}

impl Stop {
    /// When all of these are over, one after the other. Precondition: they limit the same things.
    pub fn sum(stops: &[Stop]) -> Stop {
        Stop {
            rounds: stops.iter().map(|stop| stop.rounds).sum(),
            games: stops.iter().map(|stop| stop.games).sum(),
        }
    }
}

/// What does not change in the course of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct CoursePlan {
    /// Digest of the job.
    pub job_digest: String,
    /// When the tuning ends.
    pub stop: Stop,
    /// When it, or each leg of a tuning at several budgets, ends earlier, if ever.
    pub gain_stop: Option<GainStop>,
    /// Trials in flight: how many the learner is asked for at once.
    pub batch_trials: usize,
    /// Games of each of the learner's trials.
    pub games_per_trial: u32,
    /// The parameters that the run starts from.
    pub start: Vector,
    /// How results are verified.
    pub verification: VerificationPlan,
}

/// What the run has to do next.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Play these trials; the result of each becomes an event, in order.
    Evaluate(Vec<Trial>, Opponent),
    /// Record this event.
    Emit(Event),
    /// Nothing is left to do.
    Finished,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Emit(event) => event.fmt(f),
            Action::Evaluate(trials, _) => trials[0].fmt(f),
            Action::Finished => f.write_str("the end of the run"),
        }
    }
}

/// Who the B of trials is, and so which evaluator plays them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// The engine that is tuned, with other parameters.
    Own,
    /// The same at the budget of a leg, from 0, where the tuning is at several budgets.
    OwnOnLeg(u32),
    /// The fixed reference engine.
    Reference,
}

/// A stored event that the course does not expect.
#[derive(Debug, thiserror::Error)]
#[error("the journal says {found}, but this job leads to {expected}")]
pub struct Deviation {
    /// What the course expects.
    pub expected: String,
    /// What was stored.
    pub found: String,
}

#[derive(Debug)]
enum Phase {
    Fresh,
    Tuning,
    Verifying(Box<Verification>),
    Idle,
}

/// The state of a run.
pub struct Course {
    plan: CoursePlan,
    learner: Box<dyn Optimiser>,
    /// The legs, where the tuning is at several budgets.
    ladder: Option<Ladder>,
    phase: Phase,
    /// Trials asked for and not yet told.
    pending: VecDeque<(Option<EditPath>, Trial)>,
    /// An event that is due before anything else.
    due: Option<Event>,
    progress: Progress,
    /// Trials finished since the round began.
    trials_of_round: u32,
    /// The games of the tuning or the leg in progress, where they are asked for what they leave
    /// open: by the end of a leg, or by a job that stops when too little is to be gained.
    games: TuningGames,
    /// Whether too little is to be gained, so that only the end of the tuning is due.
    enough: bool,
    attempts: u32,
}

/// Counters of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Rounds finished.
    pub rounds: u32,
    /// Trials finished, also the number of the next one.
    pub trials: u32,
    /// Games of the tuning that counted.
    pub games: u64,
}

/// Snapshot of a course between two batches of its tuning.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    progress: Progress,
    trials_of_round: u32,
    tuning_over: bool,
    learner: serde_json::Value,
    /// The legs that are over, where the tuning is at several budgets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    legs: Vec<FinishedLeg>,
    /// Where games are asked for what they leave open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    games: Option<TuningGamesState>,
}

impl Course {
    /// A run that has not begun.
    pub fn new(plan: CoursePlan, learner: Box<dyn Optimiser>) -> Self {
        Self {
            plan,
            learner,
            ladder: None,
            phase: Phase::Fresh,
            pending: VecDeque::new(),
            due: None,
            progress: Progress::default(),
            trials_of_round: 0,
            games: TuningGames::default(),
            enough: false,
            attempts: 0,
        }
    }

    /// The learner's tree in progress, to look at; None of a learner without one.
    pub fn tree(&self) -> Option<TreeView> {
        self.learner.tree()
    }

    /// The tree that decided the round before, where the learner has changed or replaced the one
    /// in progress for that; None too after a restoration.
    pub fn decided_tree(&self) -> Option<TreeView> {
        self.learner.decided_tree()
    }

    /// The same in legs at several budgets, of which the learner given before is the first one's.
    #[must_use]
    pub fn with_ladder(mut self, ladder: Ladder) -> Self {
        self.ladder = Some(ladder);
        self
    }

    /// Edit paths of the trials that are asked for and not yet told; None of a trial without one.
    pub fn pending_paths(&self) -> impl Iterator<Item = Option<EditPath>> + '_ {
        self.pending.iter().map(|(path, _)| *path)
    }

    /// Counters.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The parameters in force.
    pub fn incumbent(&self) -> &Vector {
        let extrapolation = self.ladder.as_ref().and_then(Ladder::extrapolation);
        extrapolation.map_or(self.learner.incumbent(), |found| &found.values)
    }

    /// Whether the learner's part is over.
    pub fn tuning_is_over(&self) -> bool {
        matches!(self.phase, Phase::Verifying(_) | Phase::Idle)
    }

    /// Begins another verification. Precondition: the run has finished all else.
    pub fn verify_again(&mut self) {
        debug_assert!(matches!(self.phase, Phase::Idle));
        self.begin_verification();
    }

    fn begin_verification(&mut self) {
        let attempt = self.attempts + 1;
        let tuned = self.incumbent().clone();
        let start = self.plan.start.clone();
        let plan = self.plan.verification.clone();
        self.phase = Phase::Verifying(Box::new(Verification::new(attempt, plan, tuned, start)));
    }

    /// What comes next. Asking twice without applying an event gives the same answer.
    pub fn next_action(&mut self) -> Action {
        if let Some(event) = &self.due {
            return Action::Emit(event.clone());
        }
        if !self.pending.is_empty() {
            let trials = self
                .pending
                .iter()
                .map(|(_, trial)| trial.clone())
                .collect();
            let leg = self.ladder.as_ref().and_then(Ladder::leg);
            return Action::Evaluate(trials, leg.map_or(Opponent::Own, Opponent::OwnOnLeg));
        }
        match &mut self.phase {
            Phase::Fresh => Action::Emit(Event::RunStarted {
                job_digest: self.plan.job_digest.clone(),
            }),
            Phase::Tuning => {
                self.ask();
                self.next_action()
            }
            Phase::Verifying(verification) => verification.next(),
            Phase::Idle => Action::Finished,
        }
    }

    /// Asks the learner, which leads to pending trials or to an event that is due.
    fn ask(&mut self) {
        if let Some(event) = self.after_the_legs() {
            self.due = Some(event);
            return;
        }
        let reason = if self.enough {
            Some(StopReason::SmallGain)
        } else if self.rounds_are_over() {
            Some(StopReason::Rounds)
        } else if self.affordable_trials() == 0 {
            // The last round is closed with what it has learnt before the tuning ends.
            if self.trials_of_round > 0 {
                let summary = self.learner.finish_round();
                self.due = Some(self.end_of_round(summary));
                return;
            }
            Some(StopReason::Games)
        } else if self.has_found_enough() {
            self.enough = true;
            if let Some(landing) = self.learner.land() {
                self.due = Some(self.end_of_round(landing));
                return;
            }
            Some(StopReason::SmallGain)
        } else {
            None
        };
        if let Some(reason) = reason {
            self.due = Some(self.end_of_learner(reason));
            return;
        }
        match self
            .learner
            .ask(self.affordable_trials().min(self.plan.batch_trials))
        {
            Ask::RoundFinished(summary) => self.due = Some(self.end_of_round(summary)),
            Ask::Exhausted => {
                assert_eq!(
                    self.trials_of_round, 0,
                    "a learner closes its round before it says that nothing is left"
                );
                self.due = Some(self.end_of_learner(StopReason::Converged));
            }
            Ask::Play(proposals) => {
                for (offset, proposal) in proposals.into_iter().enumerate() {
                    let trial = self.progress.trials + offset as u32;
                    let id = TrialId {
                        round: self.rounds_before_leg() + self.learner.round(),
                        trial,
                    };
                    let (a, b, colours, games) =
                        (proposal.a, proposal.b, proposal.colours, proposal.games);
                    self.pending.push_back((
                        proposal.path,
                        Trial {
                            id,
                            a,
                            b,
                            colours,
                            games,
                        },
                    ));
                }
            }
        }
    }

    /// What is tuned, where the games are asked for what they leave open.
    fn space_of_games(&self) -> Option<&Space> {
        let of_ladder = self.ladder.as_ref().map(Ladder::space);
        let of_stop = self.plan.gain_stop.as_ref().map(|stop| &stop.space);
        of_ladder.or(of_stop)
    }

    /// Whether what is still to be gained is too little to go on, looked at between rounds.
    fn has_found_enough(&mut self) -> bool {
        match &self.plan.gain_stop {
            Some(stop) if self.trials_of_round == 0 => {
                self.games.say_stop(stop, self.learner.incumbent())
            }
            _ => false,
        }
    }

    /// What is due once all legs are over.
    fn after_the_legs(&self) -> Option<Event> {
        let ladder = self
            .ladder
            .as_ref()
            .filter(|ladder| ladder.leg().is_none())?;
        if ladder.extrapolation().is_none() {
            return Some(Event::Extrapolated(ladder.extrapolated()));
        }
        ladder.reason().map(|reason| self.end_of_tuning(reason))
    }

    /// A learner counts its rounds from 0, the run through all legs.
    fn end_of_round(&self, mut summary: RoundSummary) -> Event {
        summary.round += self.rounds_before_leg();
        Event::RoundFinished(summary)
    }

    /// The end of the leg or, where there are no legs, of the tuning.
    fn end_of_learner(&self, reason: StopReason) -> Event {
        match &self.ladder {
            Some(ladder) => {
                let leg = ladder.summary(reason, self.progress, &*self.learner, &self.games);
                Event::LegFinished(leg)
            }
            None => self.end_of_tuning(reason),
        }
    }

    fn end_of_tuning(&self, reason: StopReason) -> Event {
        let Progress { rounds, games, .. } = self.progress;
        Event::TuningFinished {
            reason,
            rounds,
            games,
        }
    }

    fn stop(&self) -> Stop {
        self.ladder.as_ref().map_or(self.plan.stop, Ladder::stop)
    }

    fn rounds_before_leg(&self) -> u32 {
        self.ladder.as_ref().map_or(0, Ladder::rounds_before)
    }

    fn rounds_are_over(&self) -> bool {
        let played = self.progress.rounds - self.rounds_before_leg();
        self.stop().rounds.is_some_and(|most| played >= most)
    }

    fn affordable_trials(&self) -> usize {
        let Some(games) = self.stop().games else {
            return usize::MAX;
        };
        let before = self.ladder.as_ref().map_or(0, Ladder::games_before);
        let left = games.saturating_sub(self.progress.games - before);
        usize::try_from(left / u64::from(self.plan.games_per_trial)).unwrap_or(usize::MAX)
    }

    /// Where a trial that [`Action::Evaluate`] asks for stands in the run.
    pub fn place_of(&self, id: TrialId) -> Place {
        match &self.phase {
            Phase::Verifying(verification) => verification.place(),
            _ => None,
        }
        .unwrap_or(Place::Tuning(id))
    }

    /// The event that a result of the trial at the head of [`Action::Evaluate`] becomes.
    pub fn event_of(&self, result: TrialResult) -> Event {
        match (&self.phase, self.pending.front()) {
            (Phase::Verifying(verification), _) => verification.event_of(result),
            (_, Some((path, trial))) => Event::TrialFinished {
                path: *path,
                trial: trial.clone(),
                result,
            },
            _ => unreachable!("results exist only while trials are asked for"),
        }
    }

    /// Takes an event, whether it just happened or was read from a journal.
    ///
    /// # Errors
    /// An event that the course does not expect here; then nothing has changed that matters: the
    /// run cannot go on.
    pub fn apply(&mut self, event: &Event) -> Result<(), Deviation> {
        // A verification that the user asked for is nothing that a finished run expects.
        if let (Phase::Idle, Event::VerificationStarted { .. }) = (&self.phase, event) {
            self.begin_verification();
        }
        let expected = self.next_action();
        let fits = match (&expected, event) {
            (Action::Emit(due), event) => due == event,
            (Action::Evaluate(trials, _), event) => self.is_result_of(&trials[0], event),
            (Action::Finished, _) => false,
        };
        if !fits {
            return Err(Deviation {
                expected: expected.to_string(),
                found: event.to_string(),
            });
        }
        self.due = None;
        self.advance(event);
        Ok(())
    }

    fn is_result_of(&self, trial: &Trial, event: &Event) -> bool {
        let result = match event {
            Event::TrialFinished { result, .. } | Event::MatchBatch { result, .. } => result,
            _ => return false,
        };
        result.can_be_of(trial) && self.event_of(result.clone()) == *event
    }

    fn advance(&mut self, event: &Event) {
        match event {
            Event::RunStarted { .. } => self.phase = Phase::Tuning,
            Event::TrialFinished { trial, result, .. } => {
                self.pending.pop_front();
                if self.space_of_games().is_some() {
                    self.games.add(trial, result);
                }
                self.learner.tell(result);
                self.progress.trials += 1;
                self.trials_of_round += 1;
                self.progress.games += result.wdl.games();
            }
            Event::RoundFinished(RoundSummary { .. }) => {
                self.progress.rounds += 1;
                self.trials_of_round = 0;
            }
            Event::LegFinished(leg) => {
                // The next leg's games are of another surface.
                (self.games, self.enough) = (TuningGames::default(), false);
                if let Some(next) = self.ladder.as_mut().and_then(|it| it.finish(leg)) {
                    self.learner = next;
                }
            }
            Event::Extrapolated(values) => {
                if let Some(ladder) = &mut self.ladder {
                    ladder.take_extrapolation(values);
                }
            }
            Event::TuningFinished { .. } => self.begin_verification(),
            Event::VerificationFinished { attempt, .. } => {
                self.attempts = *attempt;
                self.phase = Phase::Idle;
            }
            Event::VerificationStarted { .. } | Event::MatchBatch { .. } => {
                if let Phase::Verifying(verification) = &mut self.phase {
                    verification.apply(event);
                }
            }
        }
    }

    /// The state, where a checkpoint may be taken: between two batches of the tuning, or right
    /// after it.
    pub fn snapshot(&self) -> Option<serde_json::Value> {
        let between = self.pending.is_empty() && self.due.is_none() && self.attempts == 0;
        // Between a landing and the end of its tuning nothing is played.
        let landed = self.enough && matches!(self.phase, Phase::Tuning);
        let leg_is_open = |ladder: &Ladder| ladder.leg().is_some();
        let tuning_over = match &self.phase {
            // Between the last leg and the end of the tuning nothing is played.
            Phase::Tuning if self.ladder.as_ref().is_none_or(leg_is_open) => false,
            Phase::Verifying(verification) if verification.is_fresh() => true,
            _ => return None,
        };
        let learner = (between && !landed).then(|| self.learner.snapshot())?;
        let legs = self.ladder.as_ref().map_or(&[][..], Ladder::finished);
        let snapshot = Snapshot {
            progress: self.progress,
            trials_of_round: self.trials_of_round,
            tuning_over,
            learner,
            legs: legs.to_vec(),
            games: self.space_of_games().map(|_| self.games.state()),
        };
        Some(serde_json::to_value(snapshot).expect("a snapshot is plain data"))
    }

    /// Takes over a snapshot. Precondition: the course is new.
    ///
    /// # Errors
    /// A value that is no snapshot of this job; the text says why.
    pub fn restore(&mut self, state: &serde_json::Value) -> Result<(), String> {
        let snapshot: Snapshot =
            serde_json::from_value(state.clone()).map_err(|error| error.to_string())?;
        let refused = |error: SnapshotError| error.to_string();
        if self.ladder.is_none() && !snapshot.legs.is_empty() {
            return Err("it has legs, and the job has one budget".to_owned());
        }
        let games = match (self.space_of_games(), snapshot.games) {
            (Some(space), Some(games)) => TuningGames::restored(games, space)?,
            (None, None) => TuningGames::default(),
            _ => return Err("the job's stop_gain_elo or budgets do not fit it".to_owned()),
        };
        match &mut self.ladder {
            Some(ladder) => {
                let mut learner = ladder.learner_after(&snapshot.legs, snapshot.tuning_over)?;
                learner.restore(&snapshot.learner).map_err(refused)?;
                ladder.restore(snapshot.legs);
                self.learner = learner;
            }
            None => self.learner.restore(&snapshot.learner).map_err(refused)?,
        }
        self.progress = snapshot.progress;
        self.trials_of_round = snapshot.trials_of_round;
        self.games = games;
        self.phase = Phase::Tuning;
        if snapshot.tuning_over {
            self.begin_verification();
        }
        Ok(())
    }
}
