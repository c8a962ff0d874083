//! Whole runs under bots that misbehave, with the real store.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sixfold_tuner::evaluator::match_play::{MatchPlay, Matches, PairAttempt, Side, Streams};
use sixfold_tuner::evaluator::{EvaluationError, Evaluator};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::course::Course;
use sixfold_tuner::run::failures::Failures;
use sixfold_tuner::run::history::History;
use sixfold_tuner::run::room::SystemClock;
use sixfold_tuner::run::{
    CHECKPOINT_INTERVAL, Ended, Evaluators, Outlets, Pace, RESULTS_VERSION, RunError, drive,
};
use sixfold_tuner::store::disk::DiskStore;
use sixfold_tuner::store::journal::{Journal, read_journal};
use sixfold_tuner::trial::{DroppedPair, Trial, TrialResult};

use crate::bots::{Misconduct, misbehaving};

const JOB_TEXT: &str = "the job's text";
const NEVER: Duration = Duration::from_secs(3_600);
/// About one pair in twelve fails.
const MISCONDUCT: Misconduct = Misconduct {
    seed: 4,
    panics: 2_000,
    illegal: 2_000,
    ..Misconduct::NONE
};

fn job() -> Job {
    let text = r#"
format = 1
seed = 7
[engine]
name = "engine.toml"
text = '''
format = 1
[game]
name = "dots_and_boxes"
rows = 3
cols = 3
[budget]
simulations = 20
[solver]
table_mib = 1
[stages.opening]
from = { ply = 0 }
searcher = "uct"
bias = { capture = 0.0, gives = 0.0 }
[stages.endgame]
from = { edges_left = 10 }
searcher = "alpha_beta"
'''
[budget]
simulations = 20
[[parameters]]
path = "stages.opening.bias.capture"
step = 0.2
[[parameters]]
path = "stages.opening.bias.gives"
step = 0.2
[learner]
kind = "pooled"
episodes = 12
games_per_episode = 4
[run]
rounds = 3
trials_in_flight = 3
[verification]
nelo_low = -200.0
nelo_high = -100.0
alpha = 0.05
beta = 0.05
games_max = 100
batch_games = 20
measured_games = 20
"#;
    Job::parse(Path::new("job.toml"), text).unwrap_or_else(|error| panic!("{error}"))
}

fn players(misconduct: Misconduct, threads: usize) -> MatchPlay {
    let job = job();
    let side = || Side {
        config: job.engine_config(),
        paths: job
            .space
            .parameters
            .iter()
            .map(|it| it.path.clone())
            .collect(),
    };
    MatchPlay::new(side(), side(), job.seed, Streams::Common)
        .expect("two sides of one game")
        .with_bots(misbehaving(misconduct))
        .with_deadline(NEVER)
        .with_threads(threads, NEVER)
}

/// An evaluator that is interrupted after so many batches, as a run is that is stopped.
struct Batches {
    players: MatchPlay,
    left: usize,
}

impl Evaluator for Batches {
    fn evaluate(
        &mut self,
        trials: &[Trial],
        stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError> {
        if self.left == 0 {
            return Err(EvaluationError::Interrupted);
        }
        self.left -= 1;
        self.players.evaluate(trials, stop)
    }

    fn take_dropped(&mut self) -> Vec<DroppedPair> {
        self.players.take_dropped()
    }
}

/// Goes on with the run in a folder for so many batches.
fn go_on(
    folder: &Path,
    (misconduct, threads, batches): (Misconduct, usize, usize),
    percent: f64,
) -> Result<Ended, RunError> {
    let job = job();
    let path = folder.join("journal.jsonl");
    if !path.exists() {
        Journal::create(&path).expect("a new journal");
    }
    let (journal, events, _) = Journal::open(&path).expect("the run's journal");
    let plan = job.course_plan(JOB_TEXT);
    let digest = plan.job_digest.clone();
    let mut course = Course::new(plan, job.learner());
    events
        .iter()
        .for_each(|event| course.apply(event).expect("what the job leads to"));
    let checkpoint = folder.join("checkpoint.json");
    let mut store = DiskStore::new(journal, checkpoint, digest, RESULTS_VERSION);
    let paths = job
        .space
        .parameters
        .iter()
        .map(|it| it.path.clone())
        .collect();
    let mut failures = Failures::new(folder.join("failures"), "test".to_owned(), paths, percent);
    let mut own = Batches {
        players: players(misconduct, threads),
        left: batches,
    };
    let mut evaluators = Evaluators {
        own: &mut own,
        legs: Vec::new(),
        reference: None,
    };
    let mut outlets = Outlets {
        store: &mut store,
        tuned: None,
        games: None,
        failures: Some(&mut failures),
        observers: Vec::new(),
    };
    let pace = Pace {
        clock: &SystemClock::start(),
        checkpoint_interval: CHECKPOINT_INTERVAL,
    };
    let never = AtomicBool::new(false);
    drive(&mut course, &mut evaluators, &mut outlets, &pace, &never)
}

/// The journal and the evidence.
fn bytes_of(folder: &Path) -> (Vec<u8>, BTreeMap<String, Vec<u8>>) {
    let journal = fs::read(folder.join("journal.jsonl")).expect("a journal");
    let mut evidence = BTreeMap::new();
    if let Ok(entries) = fs::read_dir(folder.join("failures")) {
        for entry in entries {
            let entry = entry.expect("an entry");
            let name = entry.file_name().to_string_lossy().into_owned();
            evidence.insert(name, fs::read(entry.path()).expect("evidence"));
        }
    }
    (journal, evidence)
}

fn events_of(folder: &Path) -> Vec<Event> {
    read_journal(&folder.join("journal.jsonl"))
        .expect("a journal")
        .0
}

#[test]
fn a_run_with_failures_ends_with_the_same_bytes_however_it_got_there() {
    let once = tempfile::tempdir().expect("a folder");
    let ended = go_on(once.path(), (MISCONDUCT, 1, usize::MAX), 100.0);
    assert_eq!(ended.expect("an end"), Ended::Finished);
    let expected = bytes_of(once.path());
    assert!(
        expected.1.len() > 5,
        "some pairs have to fail: {:?}",
        expected.1.keys()
    );
    let together = tempfile::tempdir().expect("a folder");
    go_on(together.path(), (MISCONDUCT, 2, usize::MAX), 100.0).expect("an end");
    assert_eq!(bytes_of(together.path()), expected);
    let resumed = tempfile::tempdir().expect("a folder");
    for batches in [1, 2, 3, 4, usize::MAX] {
        go_on(resumed.path(), (MISCONDUCT, 2, batches), 100.0).expect("an end");
    }
    assert_eq!(bytes_of(resumed.path()), expected);
}

#[test]
fn every_dropped_pair_has_evidence_and_the_evidence_its_dropped_pair() {
    let folder = tempfile::tempdir().expect("a folder");
    go_on(folder.path(), (MISCONDUCT, 2, usize::MAX), 100.0).expect("an end");
    let (job, events) = (job(), events_of(folder.path()));
    let course = Course::new(job.course_plan(JOB_TEXT), job.learner());
    let mut expected = Vec::new();
    for played in History::new(course, &events) {
        let played = played.expect("what the job leads to");
        let result = played.result.expect("the run is over");
        for pair in 0..played.trial.pairs() {
            for attempt in 0..result.attempt_of(pair) {
                let stem = played.place.file_stem();
                expected.push(format!("{stem}-pair-{pair}-attempt-{attempt}.json"));
            }
        }
    }
    expected.sort_unstable();
    let (_, evidence) = bytes_of(folder.path());
    assert_eq!(evidence.keys().cloned().collect::<Vec<_>>(), expected);
    assert!(expected.iter().any(|name| name.starts_with("round-")));
    for (name, bytes) in &evidence {
        let value: serde_json::Value = serde_json::from_slice(bytes).expect("JSON");
        assert_eq!(value["seed"], 7, "{name}");
        let a = value["a"].as_object().expect("a vector by names");
        assert!(a.contains_key("stages.opening.bias.gives") && a.len() == 2);
        let command = value["shown_again_by"].as_str().expect("a command");
        assert!(command.starts_with("tuner replay test --") && command.contains("--attempt "));
    }
}

#[test]
fn every_game_of_a_run_replayed_gives_the_stored_results() {
    for misconduct in [Misconduct::NONE, MISCONDUCT] {
        let folder = tempfile::tempdir().expect("a folder");
        go_on(folder.path(), (misconduct, 2, usize::MAX), 100.0).expect("an end");
        let (job, events) = (job(), events_of(folder.path()));
        let course = Course::new(job.course_plan(JOB_TEXT), job.learner());
        // Nobody misbehaves in what counted: the engine itself plays it.
        let mut players = players(Misconduct::NONE, 2);
        let mut trials = 0;
        for played in History::new(course, &events) {
            let played = played.expect("what the job leads to");
            let stored = played.result.expect("the run is over");
            let trial = Arc::new(played.trial);
            let pairs = (0..trial.pairs()).map(|pair| PairAttempt {
                trial: Arc::clone(&trial),
                pair,
                attempt: stored.attempt_of(pair),
                is_timed: false,
            });
            let pairs: Vec<PairAttempt> = pairs.collect();
            let games = players.play_pairs(&pairs, &AtomicBool::new(false));
            let mut found = TrialResult {
                dropped_pairs: stored.dropped_pairs.clone(),
                ..TrialResult::default()
            };
            for records in games.expect("games") {
                let records = records.expect("the engine does not fail");
                // First's margins of both games, turned into A's points by hand.
                let margins = [records[0].summary().margin, -records[1].summary().margin];
                found.add_points(&margins.map(|margin| (1 + margin.signum()) as u8));
            }
            assert_eq!(found, stored, "{}", played.place);
            trials += 1;
        }
        assert!(trials > 30);
    }
}

#[test]
fn too_many_dropped_pairs_stop_the_run_and_nothing_of_the_batch_is_stored() {
    // The first seed with which no pair fails five times, and more than ten do once.
    let found = (0..100).find_map(|seed| {
        let often = Misconduct {
            seed,
            panics: 3_500,
            illegal: 3_500,
            ..MISCONDUCT
        };
        let [whole, folder] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        go_on(whole.path(), (often, 2, usize::MAX), 100.0).ok()?;
        let error = go_on(folder.path(), (often, 2, usize::MAX), 2.0).err()?;
        Some((often, whole, folder, error))
    });
    let (often, whole, folder, error) = found.expect("some seed of a hundred");
    assert!(matches!(error, RunError::Failures(_)), "{error}");
    let text = error.to_string();
    let (_, evidence) = bytes_of(folder.path());
    assert!(evidence.len() > 10, "ten are never too many: {text}");
    let named = evidence.keys().filter(|name| text.contains(*name)).count();
    assert!(
        named > 0 && text.contains("dropped_pairs_max_percent = 2"),
        "{text}"
    );
    assert!(text.contains("stages.opening.bias.gives = "), "{text}");
    // A process that goes on counts anew, and the run can get to its end.
    let stored = events_of(folder.path()).len();
    go_on(folder.path(), (often, 1, usize::MAX), 100.0).expect("an end");
    assert!(events_of(folder.path()).len() > stored);
    assert_eq!(bytes_of(folder.path()), bytes_of(whole.path()));
}

#[test]
fn a_pair_that_fails_every_time_stops_the_run_with_five_files_of_evidence() {
    let folder = tempfile::tempdir().expect("a folder");
    let always = Misconduct {
        panics: 1_000_000,
        ..Misconduct::NONE
    };
    let error = go_on(folder.path(), (always, 1, usize::MAX), 100.0).expect_err("no game ends");
    let text = error.to_string();
    assert!(
        text.contains("pair 0 of round 0, trial 0 failed 5 times"),
        "{text}"
    );
    let (_, evidence) = bytes_of(folder.path());
    assert_eq!(evidence.len(), 5);
    let stored = events_of(folder.path());
    assert!(matches!(stored[..], [Event::RunStarted { .. }]));
}
