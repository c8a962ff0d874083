//! The run: the only place where learner, evaluators, store and observers meet.
//!
//! [`drive`] is the loop. It asks the [`Course`] what comes next, has trials played, and commits
//! every event: stored first, then taken into account, then shown.

pub mod course;
pub mod games;
pub mod summary;
pub mod tuned;
pub mod verification;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::evaluator::{EvaluationError, Evaluator};
use crate::event::Event;
use crate::observer::Observer;
use crate::store::atomic::AtomicWriteError;
use crate::store::{Store, StoreError};
use course::{Action, Course, Deviation, Opponent};
use games::SampledGames;
use tuned::{TunedError, TunedFile};

/// Changes whenever the bench signature or a learner's output does: a run of another results
/// version is refused, because continuing it would mix two behaviours.
pub const RESULTS_VERSION: u32 = 2;

/// Longest time between two checkpoints.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

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
    /// A sampled game could not be written; it is written at the next start.
    #[error(transparent)]
    Games(#[from] AtomicWriteError),
    /// A trial could not be played.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A stored event is not what the job leads to.
    #[error(transparent)]
    Deviation(#[from] Deviation),
    /// The job has no reference engine, yet a reference game is due.
    #[error("a game against the reference engine is due, and the job names none")]
    NoReference,
}

/// Who plays the trials of a run.
pub struct Evaluators<'a> {
    /// Trials of the tuned engine against itself.
    pub own: &'a mut dyn Evaluator,
    /// Trials against the fixed reference engine.
    pub reference: Option<&'a mut dyn Evaluator>,
}

impl<'a> Evaluators<'a> {
    fn of(&mut self, opponent: Opponent) -> Result<&mut (dyn Evaluator + 'a), RunError> {
        match opponent {
            Opponent::Own => Ok(&mut *self.own),
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
    /// Then shown.
    pub observers: Vec<&'a mut dyn Observer>,
}

/// Drives a run until it is finished or `stop` is raised.
///
/// # Errors
/// See [`RunError`]; everything up to the last committed event is stored.
pub fn drive(
    course: &mut Course,
    evaluators: &mut Evaluators<'_>,
    outlets: &mut Outlets<'_>,
    stop: &AtomicBool,
) -> Result<Ended, RunError> {
    let ended = advance(course, evaluators, outlets, stop);
    // Whatever happened, what was committed shall survive a power cut.
    let synced = outlets.store.sync();
    let ended = ended?;
    synced?;
    Ok(ended)
}

fn advance(
    course: &mut Course,
    evaluators: &mut Evaluators<'_>,
    outlets: &mut Outlets<'_>,
    stop: &AtomicBool,
) -> Result<Ended, RunError> {
    let mut saved = Instant::now();
    loop {
        // Between two batches; once the learner has been asked there is no state to save.
        let before_batch = course.snapshot();
        match course.next_action() {
            Action::Finished => return Ok(Ended::Finished),
            Action::Emit(event) => commit(course, outlets, &event)?,
            Action::Evaluate(trials, opponent) => {
                match evaluators.of(opponent)?.evaluate(&trials, stop) {
                    Ok(results) => {
                        for result in results {
                            let event = course.event_of(result);
                            commit(course, outlets, &event)?;
                        }
                    }
                    Err(EvaluationError::Interrupted) => {
                        // Nothing of the batch was stored: the journal still ends where it began.
                        if let Some(state) = before_batch {
                            outlets.store.checkpoint(state)?;
                        }
                        return Ok(Ended::Interrupted);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        if saved.elapsed() >= CHECKPOINT_INTERVAL {
            saved = Instant::now();
            save(course, outlets)?;
        }
    }
}

/// Stored before anything else knows of it.
fn commit(course: &mut Course, outlets: &mut Outlets<'_>, event: &Event) -> Result<(), RunError> {
    outlets.store.append(event)?;
    course.apply(event)?;
    if let Some(tuned) = &mut outlets.tuned {
        tuned.on_event(event, course.incumbent())?;
    }
    if let Some(games) = &mut outlets.games {
        games.on_event(event)?;
    }
    for observer in &mut outlets.observers {
        observer.on_event(event);
    }
    if matches!(event, Event::TuningFinished { .. }) {
        save(course, outlets)?;
    }
    Ok(())
}

/// Takes a checkpoint where the course allows one; otherwise brings the journal to safety.
fn save(course: &Course, outlets: &mut Outlets<'_>) -> Result<(), RunError> {
    match course.snapshot() {
        Some(state) => Ok(outlets.store.checkpoint(state)?),
        None => Ok(outlets.store.sync()?),
    }
}
