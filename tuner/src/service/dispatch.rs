//! The dispatcher: one thread that begins waiting runs while there are places, takes back what
//! workers come to, and stands still while the disk is nearly full. What it knows of a run is its
//! ticket, which is on disk before anything is done about it.

mod slots;

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sixfold_tuner::queue::{Entry, State, Step, Ticket, due};
use sixfold_tuner::store::folder::{FolderError, RunFolder, list_runs};

use super::worker::{Ended, Task, Worker};
use crate::workspace::exit::Exit;
use crate::workspace::tickets::{Standing, Standings, StepError, asked, check_free};
use slots::{Course, Slot, Slots};

/// How often the disk and the locks of others are looked at.
const TICK: Duration = Duration::from_millis(500);
/// How long the end of the service waits for its workers before it kills them.
const FAREWELL: Duration = Duration::from_secs(7);

/// What the dispatcher goes by.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Folder of runs.
    pub(super) runs: PathBuf,
    /// Threads of each worker.
    pub(super) threads: u16,
    /// Runs at work at a time.
    pub(super) running_max: usize,
    /// Free bytes below which nothing runs.
    pub(super) reserve: u64,
}

/// The disk as it was last seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Disk {
    /// Free bytes; None where the file system does not tell.
    pub(super) free: Option<u64>,
    /// Whether everything stands still because of it.
    pub(super) low: bool,
}

enum Message {
    /// Look what is due.
    Wake,
    Ended(String, Ended),
    Stop,
}

/// The dispatcher, for whoever asks it.
pub(super) struct Dispatcher {
    rules: Rules,
    slots: Mutex<Slots>,
    messages: Sender<Message>,
}

impl Dispatcher {
    /// Takes up the tickets in the folder of runs, and begins.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub(super) fn start(rules: Rules) -> Result<(Arc<Self>, JoinHandle<()>), FolderError> {
        let (messages, inbox) = channel();
        let slots = Mutex::new(take_up(&rules)?);
        let dispatcher = Arc::new(Self {
            slots,
            messages,
            rules,
        });
        let own = Arc::clone(&dispatcher);
        let thread = std::thread::spawn(move || own.dispatch(&inbox));
        Ok((dispatcher, thread))
    }

    /// The disk as it was last seen.
    pub(super) fn disk(&self) -> Disk {
        self.slots().disk
    }

    /// A ticket for a new run, at the end of the queue; its folder has to be published with it and
    /// then handed to [`Self::take_in`].
    pub(super) fn new_ticket(&self, label: &str, alone: bool, paused: bool) -> Ticket {
        let mut ticket = Ticket::new(label, self.slots().next_order(), alone);
        if paused {
            ticket.step(Step::Pause).expect("what waits can be paused");
        }
        ticket
    }

    /// Takes in a run whose ticket is on disk.
    pub(super) fn take_in(&self, run: &str, ticket: Ticket) {
        self.slots()
            .of_runs
            .insert(run.to_owned(), Slot::new(ticket));
        self.wake();
    }

    /// Takes a step with a run: on disk first.
    ///
    /// # Errors
    /// A step that its state does not allow, a run in other hands, a ticket that cannot be written;
    /// nothing has changed then.
    pub(super) fn step(&self, run: &str, step: Step) -> Result<(), StepError> {
        let folder = RunFolder::open_named(&self.rules.runs, run)?;
        let mut slots = self.slots();
        let slot = slots.of_runs.get(run);
        if slot.is_none_or(|slot| slot.worker.is_none()) {
            check_free(&folder, step)?;
        }
        let known = slot.map(|slot| slot.ticket.clone());
        let ticket = asked(&folder, known, step, slots.next_order())?;
        ticket.save(&folder.ticket())?;
        let slot = slots.slot(run, &ticket);
        slot.ticket = ticket;
        slot.forgive();
        if slot.ticket.state != State::Running
            && let Some(worker) = &mut slot.worker
        {
            worker.stop();
        }
        drop(slots);
        tracing::info!(run, ?step, "asked for");
        self.wake();
        Ok(())
    }

    /// Asks everything to stop and waits for it; the thread that dispatches ends. The tickets stay
    /// as they are: whatever was running goes on when the service is there again.
    pub(super) fn stop(&self) {
        let _ = self.messages.send(Message::Stop);
        let end = Instant::now() + FAREWELL;
        loop {
            let slots = self.slots();
            let working = slots
                .of_runs
                .values()
                .filter_map(|slot| slot.worker.as_ref());
            let (count, is_late) = (working.clone().count(), Instant::now() > end);
            if count == 0 {
                return;
            }
            if is_late {
                working.for_each(Worker::kill);
                tracing::warn!(count, "workers that did not stop were killed");
                return;
            }
            drop(slots);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn wake(&self) {
        // Nobody may dispatch any more: then nothing is to be done.
        let _ = self.messages.send(Message::Wake);
    }

    fn dispatch(self: &Arc<Self>, inbox: &Receiver<Message>) {
        let mut is_stopping = false;
        self.look_at_disk();
        self.begin_due();
        loop {
            match inbox.recv_timeout(TICK) {
                Ok(Message::Wake) => {}
                Ok(Message::Ended(run, ended)) => self.take_back(&run, &ended, is_stopping),
                Ok(Message::Stop) => {
                    is_stopping = true;
                    let mut slots = self.slots();
                    let workers = slots
                        .of_runs
                        .values_mut()
                        .filter_map(|it| it.worker.as_mut());
                    workers.for_each(Worker::stop);
                }
                Err(RecvTimeoutError::Timeout) => self.look_at_disk(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if is_stopping {
                let is_over = self.slots().of_runs.values().all(|it| it.worker.is_none());
                if is_over {
                    return;
                }
                continue;
            }
            self.begin_due();
        }
    }

    /// Begins what is due, writes tickets again that could not be written, kills what hangs.
    fn begin_due(self: &Arc<Self>) {
        let mut slots = self.slots();
        for (run, slot) in &mut slots.of_runs {
            slot.save_if_due(&self.rules.runs, run);
            if let Some(worker) = &slot.worker {
                worker.kill_if_hung();
            }
        }
        if slots.disk.low {
            return;
        }
        let entries: Vec<Entry> = slots.entries(&self.rules.runs);
        for run in due(&entries, self.rules.running_max) {
            self.begin(&mut slots, &run);
        }
    }

    fn begin(self: &Arc<Self>, slots: &mut Slots, run: &str) {
        let Some(slot) = slots.of_runs.get_mut(run) else {
            return;
        };
        let task = Task {
            run,
            runs: &self.rules.runs,
            threads: self.rules.threads,
            verifications: slot.ticket.verifications,
        };
        let (messages, name) = (self.messages.clone(), run.to_owned());
        let started = Worker::start(&task, move |ended| {
            let _ = messages.send(Message::Ended(name, ended));
        });
        match started {
            Ok(worker) => {
                slot.begun(worker, &self.rules.runs, run);
                tracing::info!(run, "begun");
            }
            Err(error) => {
                let problem = format!("a worker cannot be started: {error}");
                slot.take(Step::Fail, Some(problem), &self.rules.runs, run);
            }
        }
    }

    /// Takes back a run from its worker.
    fn take_back(&self, run: &str, ended: &Ended, is_stopping: bool) {
        let mut slots = self.slots();
        let runs = &self.rules.runs;
        let Some(slot) = slots.of_runs.get_mut(run) else {
            return;
        };
        let was_asked = slot
            .worker
            .take()
            .is_some_and(|worker| worker.is_stopping());
        tracing::info!(run, code = ended.code, said = ended.said.trim(), "ended");
        let is_done = ended.code == Some(Exit::Success as i32);
        if is_stopping && !is_done {
            return;
        }
        match ended.code {
            _ if is_done => slot.take(Step::Complete, None, runs, run),
            Some(code) if code == Exit::Interrupted as i32 => {
                slot.take(Step::Return, None, runs, run);
                if !was_asked {
                    slot.rest(Course::Interrupted);
                }
            }
            None | Some(101 | 134) => match slot.died(runs, run) {
                true => slot.take(Step::Return, None, runs, run),
                false => {
                    let problem = format!("{}, again and again", ended.problem());
                    slot.take(Step::Fail, Some(problem), runs, run);
                }
            },
            Some(_) if slots::is_held(runs, run) => {
                slot.take(Step::Return, None, runs, run);
                slot.rest(Course::Interrupted);
            }
            Some(_) => slot.take(Step::Fail, Some(ended.problem()), runs, run),
        }
        drop(slots);
        self.wake();
    }

    /// Lets everything stand still while the disk is nearly full.
    fn look_at_disk(&self) {
        let free = fs4::available_space(&self.rules.runs).ok();
        let mut slots = self.slots();
        let was_low = slots.disk.low;
        // A little more than the reserve ends it: no going to and fro at the mark.
        let mark = self.rules.reserve + if was_low { self.rules.reserve / 8 } else { 0 };
        let low = free.is_some_and(|free| free < mark);
        slots.disk = Disk { free, low };
        if low == was_low {
            return;
        }
        let reason = low.then(|| {
            let mib = |bytes: u64| bytes >> 20;
            format!(
                "the disk has {} MiB left, and {} MiB are kept free (--disk-reserve-mib): it goes \
                 on by itself once there is room",
                mib(free.unwrap_or(0)),
                mib(self.rules.reserve)
            )
        });
        for slot in slots.of_runs.values_mut() {
            slot.stand_still(reason.as_deref());
        }
        drop(slots);
        tracing::warn!(low, free, "the disk");
        self.wake();
    }
}

impl Standings for Dispatcher {
    fn standing(&self, run: &str) -> Option<Standing> {
        let slots = self.slots();
        let slot = slots.of_runs.get(run)?;
        Some(Standing {
            ticket: slot.ticket.clone(),
            place: slots.place(run),
            has_worker: slot.worker.is_some(),
        })
    }
}

/// The slots of all runs that have tickets. What was running when the service ended goes on.
fn take_up(rules: &Rules) -> Result<Slots, FolderError> {
    let mut slots = Slots::default();
    for run in list_runs(&rules.runs)? {
        let folder = RunFolder::open_named(&rules.runs, &run)?;
        match Ticket::load(&folder.ticket()) {
            Ok(Some(mut ticket)) => {
                if ticket.state == State::Running {
                    ticket.step(Step::Return).expect("what runs can return");
                }
                slots.of_runs.insert(run, Slot::new(ticket));
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "a ticket is left as it is"),
        }
    }
    Ok(slots)
}
