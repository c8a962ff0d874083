//! What it costs that a run survives: the whole loop with a store on disk against the same loop
//! with none, at 5 ms a game, and how many bytes a run leaves.
//!
//! `cargo bench -p sixfold-tuner --bench durability`: four minutes. The games are waits, so that
//! both loops have the same; everything else is the program's own. `runs/README.md` has the
//! figures.
#![allow(clippy::print_stdout)]

#[path = "../tests/common/fixed.rs"]
mod fixed;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::Value;
use sixfold_tuner::evaluator::{EvaluationError, Evaluator};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::course::Course;
use sixfold_tuner::run::room::SystemClock;
use sixfold_tuner::run::tuned::TunedFile;
use sixfold_tuner::run::{CHECKPOINT_INTERVAL, Evaluators, Outlets, Pace, drive};
use sixfold_tuner::store::disk::DiskStore;
use sixfold_tuner::store::journal::Journal;
use sixfold_tuner::store::{Store, StoreError};
use sixfold_tuner::trial::{Trial, TrialResult};

/// What a game takes.
const GAME: Duration = Duration::from_millis(5);
/// Rounds of 600 games: a minute of tuning, so that checkpoints come as often as in a night.
const ROUNDS: &str = "rounds = 20";

/// Forgets everything.
struct Nothing;

impl Store for Nothing {
    fn append(&mut self, _event: &Event) -> Result<(), StoreError> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn checkpoint(&mut self, _state: Value) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Another store, and the time spent in it.
struct Timed<S> {
    inner: S,
    spent: Duration,
}

impl<S> Timed<S> {
    fn time<T>(&mut self, work: impl FnOnce(&mut S) -> T) -> T {
        let begun = Instant::now();
        let result = work(&mut self.inner);
        self.spent += begun.elapsed();
        result
    }
}

impl<S: Store> Store for Timed<S> {
    fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        self.time(|store| store.append(event))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.time(S::sync)
    }

    fn checkpoint(&mut self, state: Value) -> Result<(), StoreError> {
        self.time(|store| store.checkpoint(state))
    }
}

/// Waits as long as the games would take, and makes results up.
struct Waiting;

impl Evaluator for Waiting {
    fn evaluate(
        &mut self,
        trials: &[Trial],
        _stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError> {
        let games: u32 = trials.iter().map(|trial| trial.games).sum();
        std::thread::sleep(GAME * games);
        Ok(trials.iter().map(fixed::fixed_result).collect())
    }
}

fn job() -> Job {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/course-job.toml");
    let text = fs::read_to_string(&file).expect("the job of the tests is there");
    let text = text.replace("rounds = 8", ROUNDS);
    let text = text.replace("games = 6000  ", "games = 12000  ");
    let text = text.replace("games_max = 6000", "games_max = 200");
    Job::parse(&file, &text).expect("the job of the tests is valid")
}

/// Wall time of a whole loop, of it the time in the store, and the games of the tuning; `folder`
/// is where it stores.
fn looped(folder: Option<&Path>, interval: Duration) -> (Duration, Duration, u64) {
    let job = job();
    let mut course = Course::new(job.course_plan("the job's text"), job.learner());
    let mut own = Waiting;
    let mut reference = Waiting;
    let mut evaluators = Evaluators {
        own: &mut own,
        legs: Vec::new(),
        reference: Some(&mut reference),
    };
    let stop = AtomicBool::new(false);
    let clock = SystemClock::start();
    let pace = Pace {
        clock: &clock,
        checkpoint_interval: interval,
    };
    let mut tuned = folder.map(|folder| {
        let engine = job.engine.text.clone();
        TunedFile::new(folder.join("tuned.toml"), engine, job.provenance())
    });
    let inner: Box<dyn Store> = match folder {
        None => Box::new(Nothing),
        Some(folder) => {
            let journal = Journal::create(&folder.join("journal.jsonl")).expect("a new folder");
            let checkpoint = folder.join("checkpoint.json");
            Box::new(DiskStore::new(journal, checkpoint, "digest".to_owned(), 1))
        }
    };
    let spent = Duration::ZERO;
    let mut store = Timed {
        inner: Boxed(inner),
        spent,
    };
    let mut outlets = Outlets {
        store: &mut store,
        tuned: tuned.as_mut(),
        games: None,
        failures: None,
        observers: Vec::new(),
    };
    let begun = Instant::now();
    drive(&mut course, &mut evaluators, &mut outlets, &pace, &stop).expect("nothing fails here");
    (begun.elapsed(), store.spent, course.progress().games)
}

/// A boxed store is a store.
struct Boxed(Box<dyn Store>);

impl Store for Boxed {
    fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        self.0.append(event)
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        self.0.sync()
    }

    fn checkpoint(&mut self, state: Value) -> Result<(), StoreError> {
        self.0.checkpoint(state)
    }
}

fn cost() {
    println!("the whole loop at {} ms a game", GAME.as_millis());
    println!(
        "{:<34} {:>9} {:>7} {:>11} {:>9}",
        "store", "wall s", "games", "in store ms", "share %"
    );
    let rows = [
        ("none", false, CHECKPOINT_INTERVAL),
        ("disk, a checkpoint every 30 s", true, CHECKPOINT_INTERVAL),
        ("disk, a checkpoint every batch", true, Duration::ZERO),
    ];
    for (name, disk, interval) in rows {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.expect("the build folder can be written to");
        let (wall, store, games) = looped(disk.then(|| folder.path()), interval);
        let share = 100.0 * store.as_secs_f64() / wall.as_secs_f64();
        let (wall, store) = (wall.as_secs_f64(), 1000.0 * store.as_secs_f64());
        println!("{name:<34} {wall:>9.2} {games:>7} {store:>11.1} {share:>9.3}");
    }
}

/// Bytes below `path`.
fn bytes(path: &Path) -> u64 {
    let metadata = fs::metadata(path).expect("the run wrote it");
    if !metadata.is_dir() {
        return metadata.len();
    }
    let entries = fs::read_dir(path).expect("the run wrote it");
    entries
        .map(|entry| bytes(&entry.expect("it can be listed").path()))
        .sum()
}

fn growth() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats");
    let job = fs::read_to_string(fixtures.join("job.toml")).expect("the fixture's job is there");
    let job = job.replace("simulations = 20", "simulations = 1");
    let job = job.replace("rounds = 2", "rounds = 30");
    let job = job.replace("episodes = 6", "episodes = 60");
    let job = job.replace("games_per_episode = 4", "games_per_episode = 10");
    let job = job.replace("trials_in_flight = 3", "trials_in_flight = 8");
    fs::write(folder.path().join("job.toml"), job).expect("it is ours");
    let engine = folder.path().join("engine.toml");
    fs::copy(fixtures.join("engine.toml"), engine).expect("it is ours");
    let mut tuner = Command::new(env!("CARGO_BIN_EXE_tuner"));
    let tuner = tuner.args(["run", "job.toml", "--name", "job"]);
    let output = tuner
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let run = folder.path().join("runs/job");
    let journal = fs::read_to_string(run.join("journal.jsonl"));
    let journal = journal.unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let games = 30 * 60 * 10;
    println!("\nbytes of a run of {games} games of tuning: 10 a trial, 600 a round, 2 parameters");
    println!("{:<16} {:>9} {:>16}", "file", "bytes", "MB a million");
    for name in [
        "journal.jsonl",
        "games",
        "log.jsonl",
        "checkpoint.json",
        "tuned.toml",
    ] {
        let bytes = bytes(&run.join(name));
        let per_million = bytes as f64 / f64::from(games);
        match name {
            "checkpoint.json" | "tuned.toml" => println!("{name:<16} {bytes:>9} {:>16}", "-"),
            _ => println!("{name:<16} {bytes:>9} {per_million:>16.2}"),
        }
    }
    println!("{} lines of journal", journal.lines().count());
}

fn main() {
    // `cargo test --benches` starts it too, and has no use for figures.
    if std::env::args().any(|argument| argument == "--bench") {
        cost();
        growth();
    }
}
