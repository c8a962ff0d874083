//! The loop of a run on a disk that is full now and then, and its checkpoints in time: with a
//! clock that the test moves, and a store that fails when it is told to.

#[path = "common/fixed.rs"]
mod fixed;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sixfold_tuner::evaluator::{EvaluationError, Evaluator};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::observer::{Notice, Observer};
use sixfold_tuner::run::course::Course;
use sixfold_tuner::run::room::{Clock, SystemClock};
use sixfold_tuner::run::{
    CHECKPOINT_INTERVAL, Ended, Evaluators, LOW_ROOM_BYTES, Outlets, Pace, RunError, drive,
};
use sixfold_tuner::store::atomic::AtomicWriteError;
use sixfold_tuner::store::{Store, StoreError};
use sixfold_tuner::trial::{Trial, TrialResult};

fn job() -> Job {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/course-job.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("episodes = 60", "episodes = 10");
    let text = text.replace("rounds = 8", "rounds = 3");
    Job::parse(&file, &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Stands still but for waits and for what the evaluator takes.
#[derive(Default)]
struct TestClock {
    now: Cell<Duration>,
    waits: RefCell<Vec<u64>>,
    /// The wait, from 1, in which somebody asks the run to stop.
    stop_in_wait: Option<usize>,
}

impl TestClock {
    fn pass(&self, time: Duration) {
        self.now.set(self.now.get() + time);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn wait(&self, time: Duration, stop: &AtomicBool) {
        self.pass(time);
        self.waits.borrow_mut().push(time.as_secs());
        if self.stop_in_wait == Some(self.waits.borrow().len()) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// What the store is asked for; each kind fails for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Call {
    Append,
    Sync,
    Checkpoint,
}

/// Keeps everything in memory, and fails as often as it is told.
#[derive(Default)]
struct TestStore {
    events: Vec<Event>,
    synced: usize,
    checkpoints: usize,
    /// For each kind of call: how many succeed first, and the failures after them.
    failures: VecDeque<(Call, usize, io::ErrorKind)>,
    free: VecDeque<u64>,
    clock: Rc<TestClock>,
    /// When the oldest event that is not synced was stored.
    unsynced_since: Option<Duration>,
    longest_unsynced: Duration,
}

impl TestStore {
    fn called(&mut self, call: Call) -> Result<(), StoreError> {
        let Some((kind, before, error)) = self.failures.front_mut() else {
            return Ok(());
        };
        if *kind != call {
            return Ok(());
        }
        if *before > 0 {
            *before -= 1;
            return Ok(());
        }
        let source = io::Error::from(*error);
        self.failures.pop_front();
        Err(StoreError::Checkpoint(AtomicWriteError {
            action: "write",
            path: PathBuf::from("the run"),
            bytes: 123,
            replaced: false,
            source,
        }))
    }
}

impl Store for TestStore {
    fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        self.called(Call::Append)?;
        self.unsynced_since.get_or_insert(self.clock.now());
        self.events.push(event.clone());
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.called(Call::Sync)?;
        if let Some(since) = self.unsynced_since.take() {
            self.longest_unsynced = self.longest_unsynced.max(self.clock.now() - since);
        }
        self.synced = self.events.len();
        Ok(())
    }

    fn checkpoint(&mut self, _state: serde_json::Value) -> Result<(), StoreError> {
        self.called(Call::Checkpoint)?;
        self.checkpoints += 1;
        self.sync()
    }

    fn room(&self) -> Option<(PathBuf, u64)> {
        let free = *self
            .free
            .get(self.checkpoints.min(self.free.len().max(1) - 1))?;
        Some((PathBuf::from("the run"), free))
    }
}

#[derive(Default)]
struct Notices {
    notices: Vec<Notice>,
    events: usize,
}

impl Observer for Notices {
    fn on_event(&mut self, _event: &Event) {
        self.events += 1;
    }

    fn on_notice(&mut self, notice: &Notice) {
        self.notices.push(notice.clone());
    }
}

/// Results that depend on the trial alone; each batch takes the same time.
struct Scores {
    clock: Rc<TestClock>,
    batch: Duration,
}

impl Evaluator for Scores {
    fn evaluate(
        &mut self,
        trials: &[Trial],
        _stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError> {
        self.clock.pass(self.batch);
        Ok(trials.iter().map(fixed::fixed_result).collect())
    }
}

struct Driven {
    ended: Result<Ended, RunError>,
    store: TestStore,
    seen: Notices,
    clock: Rc<TestClock>,
}

fn driven(mut store: TestStore, clock: TestClock, batch: Duration) -> Driven {
    let (job, clock) = (job(), Rc::new(clock));
    store.clock = Rc::clone(&clock);
    let mut course = Course::new(job.course_plan("the job's text"), job.learner());
    let mut scores = Scores {
        clock: Rc::clone(&clock),
        batch,
    };
    let mut evaluators = Evaluators {
        own: &mut scores,
        legs: Vec::new(),
        reference: None,
    };
    let mut seen = Notices::default();
    let mut outlets = Outlets {
        store: &mut store,
        tuned: None,
        games: None,
        failures: None,
        observers: vec![&mut seen],
    };
    let pace = Pace {
        clock: &*clock,
        checkpoint_interval: CHECKPOINT_INTERVAL,
    };
    let stop = AtomicBool::new(false);
    let ended = drive(&mut course, &mut evaluators, &mut outlets, &pace, &stop);
    Driven {
        ended,
        store,
        seen,
        clock,
    }
}

fn undisturbed() -> Vec<Event> {
    let run = driven(
        TestStore::default(),
        TestClock::default(),
        Duration::from_secs(1),
    );
    assert_eq!(run.ended.unwrap(), Ended::Finished);
    assert!(run.seen.notices.is_empty());
    assert_eq!(run.store.synced, run.store.events.len());
    run.store.events
}

fn failing(call: Call, before: usize, times: usize, kind: io::ErrorKind) -> TestStore {
    let first = std::iter::once((call, before, kind));
    let more = std::iter::repeat_n((call, 0, kind), times - 1);
    TestStore {
        failures: first.chain(more).collect(),
        ..TestStore::default()
    }
}

#[test]
fn a_full_disk_pauses_the_run_which_goes_on_by_itself_and_loses_nothing() {
    let expected = undisturbed();
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        for (call, before) in [
            (Call::Append, 0),
            (Call::Append, 5),
            (Call::Append, expected.len() - 1),
            (Call::Checkpoint, 0),
            (Call::Sync, 1),
        ] {
            let store = failing(call, before, 7, kind);
            let run = driven(store, TestClock::default(), Duration::from_secs(1));
            assert_eq!(run.ended.unwrap(), Ended::Finished, "{call:?} {before}");
            assert!(run.store.failures.is_empty(), "{call:?} {before}");
            assert_eq!(run.store.events, expected, "{call:?} {before}");
            assert_eq!(run.store.synced, expected.len());
            assert_eq!(run.seen.events, expected.len());
            assert_eq!(*run.clock.waits.borrow(), [1, 2, 4, 8, 10, 10, 10]);
            let paused = Notice::DiskFull {
                path: PathBuf::from("the run"),
                bytes: 123,
                longest_wait: Duration::from_secs(10),
            };
            let on = Notice::RoomAgain {
                paused: Duration::from_secs(45),
            };
            assert_eq!(run.seen.notices, [paused, on], "{call:?} {before}");
        }
    }
}

#[test]
fn a_run_that_waits_for_room_can_be_stopped_and_shows_nothing_that_is_not_stored() {
    let expected = undisturbed();
    for before in 0..expected.len() {
        let clock = TestClock {
            stop_in_wait: Some(3),
            ..TestClock::default()
        };
        let store = failing(Call::Append, before, 100, io::ErrorKind::StorageFull);
        let run = driven(store, clock, Duration::from_secs(1));
        assert_eq!(run.ended.unwrap(), Ended::Interrupted);
        assert_eq!(run.store.events, expected[..before]);
        assert_eq!(run.seen.events, before);
        assert_eq!(run.store.synced, before);
        assert_eq!(*run.clock.waits.borrow(), [1, 2, 4]);
    }
}

#[test]
fn every_other_failure_ends_the_run_with_what_was_kept() {
    let expected = undisturbed();
    for kind in [
        io::ErrorKind::Other,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::FileTooLarge,
    ] {
        let store = failing(Call::Append, 9, 1, kind);
        let run = driven(store, TestClock::default(), Duration::from_secs(1));
        assert!(matches!(run.ended, Err(RunError::Store(_))));
        assert_eq!(run.store.events, expected[..9]);
        assert_eq!(run.store.synced, 9);
        assert!(run.clock.waits.borrow().is_empty());
    }
}

#[test]
fn no_event_waits_longer_than_the_interval_to_be_synced() {
    for batch in [1, 7, 14, 29, 30, 31, 3600] {
        let clock = TestClock::default();
        let run = driven(TestStore::default(), clock, Duration::from_secs(batch));
        assert_eq!(run.ended.unwrap(), Ended::Finished);
        let longest = run.store.longest_unsynced;
        assert!(longest <= CHECKPOINT_INTERVAL, "{batch} s: {longest:?}");
        let few = run.clock.now().as_secs() / 10 + 5;
        assert!(batch >= 15 || run.store.checkpoints as u64 <= few);
    }
}

#[test]
fn little_room_is_said_once_and_again_after_there_was_enough() {
    let (low, enough) = (LOW_ROOM_BYTES - 1, LOW_ROOM_BYTES);
    let store = TestStore {
        free: [enough, low, low, low, enough, low, low].into(),
        ..TestStore::default()
    };
    let run = driven(store, TestClock::default(), Duration::from_secs(40));
    assert!(run.store.checkpoints >= 7, "{}", run.store.checkpoints);
    let notice = Notice::DiskLow {
        path: PathBuf::from("the run"),
        free: low,
        limit: LOW_ROOM_BYTES,
    };
    assert_eq!(run.seen.notices, [notice.clone(), notice]);
}

#[test]
fn the_wait_of_the_system_clock_ends_when_it_is_asked_to() {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| SystemClock::start().wait(Duration::MAX / 4, &stop));
        stop.store(true, Ordering::Relaxed);
        waiting.join().unwrap();
    });
}
