//! What the dispatcher knows of each run: its ticket, its worker, and how often that died.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use sixfold_tuner::queue::{Entry, State, Step, Ticket};
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::lock::RunLock;

use super::Disk;
use crate::service::worker::Worker;

/// Deaths of workers one after the other, without a line of progress, after which a run fails.
const DEATHS_MAX: u32 = 5;
/// Rest after a worker was interrupted by somebody else.
const SHORT_REST: Duration = Duration::from_secs(2);

/// Why a run rests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// Somebody else interrupted its worker, or has it in hand.
    Interrupted,
    /// Its worker died so many times.
    Died(u32),
}

/// All runs with tickets.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) of_runs: BTreeMap<String, Slot>,
    pub(super) disk: Disk,
}

impl Slots {
    /// The order of a ticket at the end of the queue.
    pub(super) fn next_order(&self) -> u64 {
        let orders = self.of_runs.values().map(|slot| slot.ticket.order);
        orders.max().map_or(1, |last| last + 1)
    }

    /// The slot of a run, made from `ticket` where there is none.
    pub(super) fn slot(&mut self, run: &str, ticket: &Ticket) -> &mut Slot {
        self.of_runs
            .entry(run.to_owned())
            .or_insert_with(|| Slot::new(ticket.clone()))
    }

    /// A run's place among those that wait, from 1.
    pub(super) fn place(&self, run: &str) -> Option<usize> {
        let own = self.of_runs.get(run)?;
        let is_waiting = |slot: &Slot| slot.ticket.state == State::Waiting;
        let before = |(name, slot): &(&String, &Slot)| {
            is_waiting(slot) && (slot.ticket.order, name.as_str()) < (own.ticket.order, run)
        };
        is_waiting(own).then(|| self.of_runs.iter().filter(before).count() + 1)
    }

    /// The runs as the queue sees them.
    pub(super) fn entries(&self, runs: &Path) -> Vec<Entry> {
        let now = Instant::now();
        let entry = |(run, slot): (&String, &Slot)| Entry {
            run: run.clone(),
            ticket: slot.ticket.clone(),
            is_held: slot.worker.is_some()
                || (slot.ticket.state == State::Waiting && is_held(runs, run)),
            is_resting: slot.rests_until.is_some_and(|end| now < end),
        };
        self.of_runs.iter().map(entry).collect()
    }
}

/// Whether some process holds the lock of a run; one that cannot be looked at counts as held.
pub(super) fn is_held(runs: &Path, run: &str) -> bool {
    let folder = RunFolder::open_named(runs, run);
    folder.is_ok_and(|folder| !matches!(RunLock::holder(&folder.lock()), Ok(None)))
}

/// A run with a ticket.
pub(super) struct Slot {
    pub(super) ticket: Ticket,
    pub(super) worker: Option<Worker>,
    /// The ticket on disk is an older one.
    is_unsaved: bool,
    rests_until: Option<Instant>,
    deaths: u32,
    /// Bytes of the journal when its worker began.
    journal_bytes: u64,
}

impl Slot {
    pub(super) fn new(ticket: Ticket) -> Self {
        Self {
            ticket,
            worker: None,
            is_unsaved: false,
            rests_until: None,
            deaths: 0,
            journal_bytes: 0,
        }
    }

    /// Somebody asked for something: what happened before does not count any more.
    pub(super) fn forgive(&mut self) {
        (self.deaths, self.rests_until) = (0, None);
    }

    pub(super) fn rest(&mut self, course: Course) {
        let time = match course {
            Course::Interrupted => SHORT_REST,
            Course::Died(times) => Duration::from_secs(1 << times.min(DEATHS_MAX)),
        };
        self.rests_until = Some(Instant::now() + time);
    }

    /// Takes a step and stores it; where that fails it is tried again later. A step that the state
    /// does not allow says that somebody was quicker, whose word stands.
    pub(super) fn take(&mut self, step: Step, reason: Option<String>, runs: &Path, run: &str) {
        if let Err(refusal) = self.ticket.step(step) {
            tracing::debug!(run, %refusal, "a step is not taken");
            return;
        }
        if reason.is_some() {
            self.ticket.reason = reason;
        }
        self.is_unsaved = true;
        self.save_if_due(runs, run);
    }

    pub(super) fn begun(&mut self, worker: Worker, runs: &Path, run: &str) {
        self.worker = Some(worker);
        self.journal_bytes = journal_bytes(runs, run);
        self.take(Step::Begin, None, runs, run);
    }

    /// A worker died; whether another one shall try.
    pub(super) fn died(&mut self, runs: &Path, run: &str) -> bool {
        if journal_bytes(runs, run) > self.journal_bytes {
            self.deaths = 0;
        }
        self.deaths += 1;
        self.rest(Course::Died(self.deaths));
        self.deaths <= DEATHS_MAX
    }

    pub(super) fn save_if_due(&mut self, runs: &Path, run: &str) {
        if !self.is_unsaved {
            return;
        }
        let saved = RunFolder::open_named(runs, run)
            .map_err(|error| error.to_string())
            .and_then(|folder| {
                let saved = self.ticket.save(&folder.ticket());
                saved.map_err(|error| error.to_string())
            });
        match saved {
            Ok(()) => self.is_unsaved = false,
            Err(error) => tracing::warn!(error, "a ticket is written again later"),
        }
    }

    /// Stands still for a reason, or goes on.
    pub(super) fn stand_still(&mut self, reason: Option<&str>) {
        match self.ticket.state {
            State::Running if reason.is_some() => {
                self.ticket
                    .step(Step::Return)
                    .expect("what runs can return");
                if let Some(worker) = &mut self.worker {
                    worker.stop();
                }
            }
            State::Waiting => {}
            _ => return,
        }
        self.ticket.reason = reason.map(str::to_owned);
        self.is_unsaved = true;
    }
}

fn journal_bytes(runs: &Path, run: &str) -> u64 {
    let folder = RunFolder::open_named(runs, run);
    let found = folder.ok().and_then(|it| fs::metadata(it.journal()).ok());
    found.map_or(0, |it| it.len())
}
