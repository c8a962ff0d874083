//! The run: the only place where learner, evaluators, store and observers meet.
//!
//! [`drive`] is the loop. It asks the [`Course`] what comes next, has trials played, and commits
//! every event: stored first, then taken into account, then shown.

pub mod course;
pub mod drift_words;
pub mod extrapolation;
pub mod failures;
pub mod games;
pub mod history;
pub mod ladder;
pub mod place;
pub mod room;
pub mod state;
pub mod summary;
pub mod tuned;
pub mod tuning_games;
pub mod verification;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use crate::evaluator::{EvaluationError, Evaluator};
use crate::event::Event;
use crate::observer::{Notice, Observer};
use crate::store::atomic::AtomicWriteError;
use crate::store::full::MayBeFull;
use crate::store::{Store, StoreError};
use crate::trial::{DroppedPair, Trial};
use course::{Action, Course, Deviation, Opponent};
use failures::{Failures, TooManyFailures};
use games::SampledGames;
use room::{Clock, Waited};
use tuned::{TunedError, TunedFile};

/// Changes whenever the bench signature or a learner's output does: a run of another results
/// version is refused, because continuing it would mix two behaviours.
pub const RESULTS_VERSION: u32 = 3;

/// Longest time between two checkpoints.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// Below so many free bytes a run says that little room is left: hours of a run's own growth, and
/// little enough that another program's files could take it in a moment.
pub const LOW_ROOM_BYTES: u64 = 64 << 20;

/// How [`drive`] came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Nothing is left to do.
    Finished,
    /// The stop flag was raised; the run can be resumed.
    Interrupted,
}

/// Why a run cannot go on. What was stored stays; the run can be resumed once the cause is gone.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// `tuned.toml` could not be written.
    #[error(transparent)]
    Tuned(#[from] TunedError),
    /// A sampled game or the evidence of a failed one could not be written.
    #[error(transparent)]
    Games(#[from] AtomicWriteError),
    /// A trial could not be played.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Games fail too often.
    #[error(transparent)]
    Failures(#[from] TooManyFailures),
    /// A stored event is not what the job leads to.
    #[error(transparent)]
    Deviation(#[from] Deviation),
    /// The job has no such leg, yet a game of it is due.
    #[error("a game of leg {0} is due, and the job has no such leg")]
    NoLeg(u32),
    /// The job has no reference engine, yet a reference game is due.
    #[error("a game against the reference engine is due, and the job names none")]
    NoReference,
}

/// Who plays the trials of a run.
pub struct Evaluators<'a> {
    /// Trials of the tuned engine against itself.
    pub own: &'a mut dyn Evaluator,
    /// The same at the budget of each leg, where the tuning is at several budgets.
    pub legs: Vec<&'a mut dyn Evaluator>,
    /// Trials against the fixed reference engine.
    pub reference: Option<&'a mut dyn Evaluator>,
}

impl<'a> Evaluators<'a> {
    fn of(&mut self, opponent: Opponent) -> Result<&mut (dyn Evaluator + 'a), RunError> {
        match opponent {
            Opponent::Own => Ok(&mut *self.own),
            Opponent::OwnOnLeg(leg) => match self.legs.get_mut(leg as usize) {
                Some(evaluator) => Ok(&mut **evaluator),
                None => Err(RunError::NoLeg(leg)),
            },
            Opponent::Reference => self.reference.as_deref_mut().ok_or(RunError::NoReference),
        }
    }
}

/// Where a run's events go.
pub struct Outlets<'a> {
    /// Stored first.
    pub store: &'a mut dyn Store,
    /// Then written out, when they change the parameters or what is known of them.
    pub tuned: Option<&'a mut TunedFile>,
    /// Then a game of every round is written.
    pub games: Option<&'a mut SampledGames>,
    /// What is known of failed games. Their evidence is written before anything is stored.
    pub failures: Option<&'a mut Failures>,
    /// Then shown.
    pub observers: Vec<&'a mut dyn Observer>,
}

/// When a run brings itself to safety.
pub struct Pace<'a> {
    /// Measures the intervals and waits for room.
    pub clock: &'a dyn Clock,
    /// Longest time between two checkpoints, [`CHECKPOINT_INTERVAL`] at most; where none is
    /// possible, between two syncs. Zero: after every batch.
    pub checkpoint_interval: Duration,
}

/// Drives a run until it is finished or `stop` is raised. While the disk is full, it waits.
///
/// # Errors
/// See [`RunError`]; everything up to the last committed event is stored.
pub fn drive(
    course: &mut Course,
    evaluators: &mut Evaluators<'_>,
    outlets: &mut Outlets<'_>,
    pace: &Pace<'_>,
    stop: &AtomicBool,
) -> Result<Ended, RunError> {
    let mut driver = Driver {
        course,
        outlets,
        pace,
        stop,
        low: false,
    };
    let ended = driver.advance(evaluators);
    // Whatever happened, what was committed shall survive a power cut.
    let synced = driver.sync();
    match ended.and_then(|ended| synced.map(|()| ended)) {
        Ok(ended) => Ok(ended),
        Err(Halt::Stopped) => Ok(Ended::Interrupted),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// Why the loop is left before its end.
enum Halt {
    /// Asked to stop while it waited for room.
    Stopped,
    Failed(RunError),
}

impl<E: Into<RunError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Halt::Failed(error.into())
    }
}

/// A run that is being driven.
struct Driver<'d, 'o> {
    course: &'d mut Course,
    outlets: &'d mut Outlets<'o>,
    pace: &'d Pace<'d>,
    stop: &'d AtomicBool,
    /// Whether it was said that little room is left.
    low: bool,
}

impl Driver<'_, '_> {
    fn advance(&mut self, evaluators: &mut Evaluators<'_>) -> Result<Ended, Halt> {
        let interval = self.pace.checkpoint_interval;
        let mut saved = self.pace.clock.now();
        // What a batch takes is not known yet: the start is saved before the first.
        let mut batch = interval;
        loop {
            let begun = self.pace.clock.now();
            // Between two batches; once the learner has been asked there is no state to save.
            let before_batch = self.course.snapshot();
            match self.course.next_action() {
                Action::Finished => return Ok(Ended::Finished),
                Action::Emit(event) => self.commit(&event)?,
                Action::Evaluate(trials, opponent) => {
                    let evaluator = evaluators.of(opponent)?;
                    let played = evaluator.evaluate(&trials, self.stop);
                    let dropped = evaluator.take_dropped();
                    self.note_failures(&trials, &dropped, played.as_ref().err())?;
                    match played {
                        Ok(results) => {
                            batch = self.pace.clock.now().saturating_sub(begun);
                            for result in results {
                                let event = self.course.event_of(result);
                                self.commit(&event)?;
                            }
                        }
                        Err(EvaluationError::Interrupted) => {
                            // Nothing of the batch was stored: the journal ends where it began.
                            self.checkpoint(before_batch)?;
                            return Ok(Ended::Interrupted);
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            // The next batch may take as long as the last, and what was stored shall not wait.
            let now = self.pace.clock.now();
            if now + batch >= saved + interval {
                saved = now;
                self.save()?;
            }
        }
    }

    /// Writes the evidence of failed games, and stops the run where there are too many. Games of
    /// a batch that was interrupted are played again, and may fail then.
    fn note_failures(
        &mut self,
        trials: &[Trial],
        dropped: &[DroppedPair],
        error: Option<&EvaluationError>,
    ) -> Result<(), Halt> {
        if matches!(error, Some(EvaluationError::Interrupted)) {
            return Ok(());
        }
        for it in dropped {
            let place = self.course.place_of(it.id);
            self.with_room(|outlets| match outlets.failures {
                Some(failures) => failures.write(&place, it),
                None => Ok(()),
            })?;
            if let Some(failures) = &mut self.outlets.failures {
                failures.count(&place, it);
            }
        }
        if let Some(failures) = &mut self.outlets.failures {
            let course = &*self.course;
            failures.check(trials, error, &|it| course.place_of(it.id))?;
        }
        Ok(())
    }

    /// Stored before anything else knows of it.
    fn commit(&mut self, event: &Event) -> Result<(), Halt> {
        self.with_room(|outlets| outlets.store.append(event))?;
        self.course.apply(event)?;
        if let Some(tuned) = &mut self.outlets.tuned
            && tuned.on_event(event)
        {
            let incumbent = self.course.incumbent().clone();
            self.with_room(|outlets| match &mut outlets.tuned {
                Some(tuned) => tuned.write(&incumbent),
                None => Ok(()),
            })?;
        }
        self.with_room(|outlets| match &mut outlets.games {
            Some(games) => games.on_event(event),
            None => Ok(()),
        })?;
        for observer in &mut self.outlets.observers {
            observer.on_event(event);
        }
        if matches!(event, Event::TuningFinished { .. }) {
            self.save()?;
        }
        Ok(())
    }

    /// Takes a checkpoint where the course allows one; otherwise brings the journal to safety.
    fn save(&mut self) -> Result<(), Halt> {
        self.look_at_room();
        let state = self.course.snapshot();
        self.checkpoint(state)
    }

    fn checkpoint(&mut self, state: Option<Value>) -> Result<(), Halt> {
        match state {
            Some(state) => self.with_room(|outlets| outlets.store.checkpoint(state.clone())),
            None => self.sync(),
        }
    }

    fn sync(&mut self) -> Result<(), Halt> {
        self.with_room(|outlets| outlets.store.sync())
    }

    /// Says once that little room is left, and once more after there was enough in between.
    fn look_at_room(&mut self) {
        let Some((path, free)) = self.outlets.store.room() else {
            return;
        };
        let low = free < LOW_ROOM_BYTES;
        if low && !self.low {
            let limit = LOW_ROOM_BYTES;
            let notice = Notice::DiskLow { path, free, limit };
            let observers = &mut self.outlets.observers;
            observers.iter_mut().for_each(|o| o.on_notice(&notice));
        }
        self.low = low;
    }

    /// Has something written, and waits for room where there is none.
    fn with_room<E: MayBeFull + Into<RunError>>(
        &mut self,
        mut write: impl FnMut(&mut Writers<'_, '_>) -> Result<(), E>,
    ) -> Result<(), Halt> {
        let Outlets {
            store,
            tuned,
            games,
            failures,
            observers,
        } = &mut *self.outlets;
        let mut writers = Writers {
            store: &mut **store,
            tuned: tuned.as_deref_mut(),
            games: games.as_deref_mut(),
            failures: failures.as_deref(),
        };
        let write = || write(&mut writers);
        match room::with_room(self.pace.clock, observers, self.stop, write) {
            Ok(Waited::Done) => Ok(()),
            Ok(Waited::Stopped) => Err(Halt::Stopped),
            Err(error) => Err(Halt::Failed(error.into())),
        }
    }
}

/// What of the outlets can find the disk full.
struct Writers<'a, 'o> {
    store: &'a mut (dyn Store + 'o),
    tuned: Option<&'a mut TunedFile>,
    games: Option<&'a mut SampledGames>,
    failures: Option<&'a Failures>,
}
