//! Tickets of runs: what somebody asks for, on disk. The service does the same behind its
//! dispatcher, and commands do it where no service is there.

use std::path::{Path, PathBuf};

use sixfold_tuner::job::Job;
use sixfold_tuner::queue::{Refusal, State, Step, Ticket, TicketError};
use sixfold_tuner::store::folder::{FolderError, RunFolder, list_runs};
use sixfold_tuner::store::lock::RunLock;

use super::session::has_finished;

/// Why a run did not take a step.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StepError {
    /// Its state does not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Its ticket cannot be read or written; nothing has changed.
    #[error(transparent)]
    Ticket(#[from] TicketError),
    /// There is no such run.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It is in the hands of somebody else.
    #[error("process {pid} has the run in hand: stop it there (Ctrl-C), and nothing is lost")]
    Held {
        /// Who.
        pid: String,
    },
    /// What it has stored cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// What the queue says of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    pub(crate) ticket: Ticket,
    /// Its place among those that wait, from 1.
    pub(crate) place: Option<usize>,
    /// Whether a worker of this service has it in hand.
    pub(crate) has_worker: bool,
}

/// Who knows how runs stand in the queue.
pub(crate) trait Standings: Send + Sync {
    /// What the queue says of a run; None where it was never handed in.
    fn standing(&self, run: &str) -> Option<Standing>;
}

/// The tickets in a folder of runs, as they are on disk.
pub(crate) struct TicketsOnDisk {
    /// The folder.
    pub(crate) runs: PathBuf,
    /// Whether a service has it in hand: then runs that are held are so by its workers.
    pub(crate) is_served: bool,
}

impl Standings for TicketsOnDisk {
    fn standing(&self, run: &str) -> Option<Standing> {
        let folder = RunFolder::open_named(&self.runs, run).ok()?;
        let mut ticket = match Ticket::load(&folder.ticket()) {
            Ok(ticket) => ticket?,
            Err(error) => {
                tracing::warn!(%error, "a ticket cannot be read");
                return None;
            }
        };
        if ticket.state == State::Running && !self.is_served {
            // Its worker went with its service.
            ticket.step(Step::Return).ok()?;
        }
        Some(Standing {
            ticket,
            place: None,
            has_worker: self.is_served && matches!(RunLock::holder(&folder.lock()), Ok(Some(_))),
        })
    }
}

/// Refuses steps with a run that somebody else has in hand.
///
/// # Errors
/// It is held.
pub(crate) fn check_free(folder: &RunFolder, step: Step) -> Result<(), StepError> {
    let holder = RunLock::holder(&folder.lock());
    let holder = holder.map_err(|error| StepError::Unreadable(error.to_string()))?;
    match (holder, step) {
        (Some(pid), Step::Pause | Step::Cancel | Step::Verify) => Err(StepError::Held { pid }),
        _ => Ok(()),
    }
}

/// The ticket of a run after a step, still to be saved. `known` is its ticket, where it has one;
/// `next_order` is that of the end of the queue.
///
/// # Errors
/// A step that its state does not allow, or a run that cannot be read.
pub(crate) fn asked(
    folder: &RunFolder,
    known: Option<Ticket>,
    step: Step,
    next_order: u64,
) -> Result<Ticket, StepError> {
    let mut ticket = match known {
        Some(ticket) => ticket,
        None => ticket_of_stranger(folder, next_order)?,
    };
    if matches!(ticket.state, State::Waiting | State::Paused) && step == Step::Verify {
        // In a terminal it may have finished what the queue still waits for.
        let finished = attempts_of(folder)?;
        if finished >= ticket.verifications {
            ticket.step(Step::Complete)?;
        }
    }
    ticket.step(step)?;
    if step == Step::Verify {
        ticket.verifications = attempts_of(folder)? + 1;
        ticket.order = next_order;
    }
    Ok(ticket)
}

/// Takes a step with a run, where no service has the folder in hand.
///
/// # Errors
/// As the service's: a step that the state does not allow, a run in other hands, a ticket that
/// cannot be read or written.
pub(crate) fn step_on_disk(
    runs: &Path,
    folder: &RunFolder,
    step: Step,
) -> Result<Ticket, StepError> {
    check_free(folder, step)?;
    let mut known = Ticket::load(&folder.ticket())?;
    if let Some(ticket) = known.as_mut().filter(|it| it.state == State::Running) {
        ticket.step(Step::Return)?;
    }
    let ticket = asked(folder, known, step, next_order(runs)?)?;
    ticket.save(&folder.ticket())?;
    Ok(ticket)
}

/// The order of a ticket at the end of the queue.
///
/// # Errors
/// A folder that cannot be listed, or a ticket that cannot be read.
pub(crate) fn next_order(runs: &Path) -> Result<u64, StepError> {
    let mut last = 0;
    for run in list_runs(runs)? {
        let folder = RunFolder::open_named(runs, &run)?;
        let ticket = Ticket::load(&folder.ticket())?;
        last = last.max(ticket.map_or(0, |ticket| ticket.order));
    }
    Ok(last + 1)
}

/// A ticket for a run that was never handed in, as its journal says.
fn ticket_of_stranger(folder: &RunFolder, order: u64) -> Result<Ticket, StepError> {
    let unreadable = |problem: String| StepError::Unreadable(problem);
    let (job, attempts) = has_finished(folder).map_err(|failure| unreadable(failure.text()))?;
    let name = folder.name();
    let mut ticket = Ticket::new(&name, order, plays_alone(&job));
    ticket.verifications = attempts.max(1);
    let step = if attempts > 0 {
        Step::Complete
    } else {
        Step::Pause
    };
    ticket.step(step)?;
    Ok(ticket)
}

/// Whether a job's runs play alone, because a budget of theirs is a time.
pub(crate) fn plays_alone(job: &Job) -> bool {
    let of_legs = job.legs.iter().map(|leg| leg.budget);
    let mut budgets = of_legs.chain([job.budget]);
    budgets.any(|budget| !budget.is_reproducible())
}

fn attempts_of(folder: &RunFolder) -> Result<u32, StepError> {
    match has_finished(folder) {
        Ok((_, attempts)) => Ok(attempts),
        Err(failure) => Err(StepError::Unreadable(failure.text())),
    }
}
