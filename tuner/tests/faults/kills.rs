//! Kills at random moments, from seeds: at whatever instruction the process is.

use std::process::Stdio;
use std::time::{Duration, Instant};

use sixfold_tuner::stream::{Purpose, Stream, StreamKey};

use crate::place::{Bytes, ENGINE, JOB, Place, edited, lines};
use crate::tools::{say, slow};

/// Kills of the default suite.
const KILLS: usize = 200;
/// Those of a learner's runs.
const KILLS_OF_EACH: usize = 15;
/// Learners and what limits their runs.
const LEARNERS: [(&str, &str); 6] = [
    ("kind = \"q-tree\"", "games = 200"),
    ("kind = \"surface-argmax\"", "games = 200"),
    ("kind = \"spsa\"", "games = 200"),
    ("kind = \"rspsa\"\niterations = 20", "games = 200"),
    ("kind = \"random\"\nvectors = 8", "games = 200"),
    ("kind = \"paper\"\nepisodes = 20", "rounds = 2"),
];
/// An engine of the Amazons that looks at its own half-moves only.
const AMAZONS: &str = r#"format = 1
game = { name = "amazons", files = 5, ranks = 5 }
budget = { work_units = 1_000_000 }
solver = { table_mib = 1 }

[stages.opening]
from = { ply = 0 }
searcher = "iterative_deepening"
depth_plies = 1
evaluation = { x = 5.0, y = 20.0 }
"#;
/// Longest time until a kill, in milliseconds: a start takes a fifth of it.
const LONGEST_MS: u32 = 120;

/// A job of about half a second.
fn job() -> String {
    let job = edited(
        JOB,
        "[budget]\nsimulations = 20",
        "[budget]\nsimulations = 100",
    );
    let job = edited(&job, "rounds = 2", "rounds = 5");
    edited(&job, "measured_games = 20", "measured_games = 200")
}

/// Starts or resumes the run, kills it after a random time, and checks what is stored; whether
/// the kill met a living process.
fn one_kill(place: &Place, stream: &mut Stream, expected: &Bytes) -> bool {
    let threads = ["1", "2"][stream.below(2) as usize];
    let seconds = ["0", "30"][stream.below(2) as usize];
    let wait = Duration::from_micros(u64::from(stream.below(LONGEST_MS * 1000)));
    let run = place.run();
    let command = match &run {
        Some(run) => ["resume", run.to_str().unwrap()],
        None => ["run", "job.toml"],
    };
    let options = ["--threads", threads, "--checkpoint-seconds", seconds];
    let before = place.stored();
    let mut program = place.command(&[&command[..], &options[..]].concat());
    let mut child = program
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while begun.elapsed() < wait && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    let killed = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    let code = child.wait().unwrap().code();
    assert!(
        killed || matches!(code, None | Some(0)),
        "{command:?}: {code:?}"
    );
    let after = place.stored();
    assert!(
        after.starts_with(&before),
        "a stored line was lost or changed"
    );
    assert!(
        expected.journal().starts_with(&after),
        "a line of another run"
    );
    killed
}

/// Runs the job again and again, killed at random moments, until so many kills have been; how many
/// runs that took.
fn kills_of(job: &str, goal: usize) -> u64 {
    kills_with(ENGINE, job, goal)
}

/// The same with another engine.
fn kills_with(engine: &str, job: &str, goal: usize) -> u64 {
    let expected = Place::with(engine, job).finished();
    let all = lines(expected.journal());
    let (mut kills, mut runs) = (0, 0_u64);
    while kills < goal {
        let place = Place::with(engine, job);
        let mut stream = StreamKey::new(runs, Purpose::Scripted).stream();
        while kills < goal && lines(&place.stored()) < all {
            kills += usize::from(one_kill(&place, &mut stream, &expected));
        }
        runs += 1;
        place.ends_the_same(0, &expected, &format!("seed {}", runs - 1));
    }
    runs
}

#[test]
fn a_run_killed_at_random_moments_ends_with_the_same_bytes() {
    let kills = if slow() { 1000 } else { KILLS };
    let runs = kills_of(&job(), kills);
    assert!(runs >= 3, "{kills} kills of {runs} runs only");
    say(format_args!(
        "{kills} kills at random moments of {runs} runs, 0 losses"
    ));
}

#[test]
fn a_run_of_any_learner_killed_at_random_moments_ends_with_the_same_bytes() {
    let kills = if slow() { 200 } else { KILLS_OF_EACH };
    for (learner, run) in LEARNERS {
        let pooled = "kind = \"pooled\"\nepisodes = 6\ngames_per_episode = 4";
        let job = edited(&edited(JOB, pooled, learner), "rounds = 2", run);
        kills_of(&job, kills);
    }
}

/// The source's learner on the source's game; its games are kept as records of another kind.
#[test]
fn a_run_of_the_amazons_killed_at_random_moments_ends_with_the_same_bytes() {
    let pooled = "kind = \"pooled\"\nepisodes = 6\ngames_per_episode = 4";
    let job = edited(JOB, pooled, "kind = \"paper\"\nepisodes = 60");
    let job = edited(&job, "simulations = 20", "work_units = 1_000_000");
    let job = edited(&job, "measured_games = 20", "measured_games = 200");
    let paths = ["bias.capture", "bias.gives"].map(|path| format!("stages.opening.{path}"));
    let job = edited(&job, &paths[0], "stages.opening.evaluation.x");
    let job = edited(&job, &paths[1], "stages.opening.evaluation.y");
    let games = Place::with(AMAZONS, &job).finished();
    let is_record = |name: &&String| name.ends_with(".pgn");
    assert_eq!(
        games.0.keys().filter(is_record).count(),
        2,
        "{:?}",
        games.0.keys()
    );
    kills_with(AMAZONS, &job, if slow() { 200 } else { 2 * KILLS_OF_EACH });
}

#[test]
fn a_run_that_ends_when_too_little_is_left_to_gain_does_so_after_kills() {
    let pooled = "kind = \"pooled\"\nepisodes = 6\ngames_per_episode = 4";
    let job = edited(JOB, pooled, "kind = \"q-tree\"");
    let job = edited(&job, "rounds = 2", "games = 2000\nstop_gain_elo = 100.0");
    let journal = Place::with_job(&job).finished();
    let journal = String::from_utf8(journal.journal().to_vec()).unwrap();
    assert!(journal.contains("\"reason\":\"small_gain\""), "{journal}");
    kills_of(&job, if slow() { 200 } else { KILLS_OF_EACH });
}
