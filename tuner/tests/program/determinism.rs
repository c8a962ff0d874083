//! Same job and seed, same bytes: on any number of threads, and however often the run was killed
//! or interrupted on the way.

use sixfold_tuner::stream::{Purpose, StreamKey};

use crate::support::{JOB, Place, edited, finish, slow, wait_until};

/// A job that takes about a second, with a verification of several batches and a reference.
fn longer() -> String {
    let job = edited(
        JOB,
        "[budget]\nsimulations = 20",
        "[budget]\nsimulations = 300",
    );
    let job = edited(
        &job,
        "[budget]",
        "[reference]\nconfig = \"engine.toml\"\n\n[budget]",
    );
    let job = edited(&job, "games_per_episode = 4", "games_per_episode = 10");
    let job = edited(
        &job,
        "games_max = 200",
        "games_max = 200\nreference_games = 60",
    );
    edited(&job, "measured_games = 20", "measured_games = 100")
}

fn paper() -> String {
    let job = edited(&longer(), "kind = \"pooled\"", "kind = \"paper\"");
    edited(&job, "games_per_episode = 10", "games_per_episode = 5")
}

/// The tuning ends in the middle of the second round, and of a batch.
fn by_games() -> String {
    edited(&longer(), "rounds = 3", "rounds = 3\ngames = 175")
}

fn one_at_a_time() -> String {
    edited(&longer(), "trials_in_flight = 3", "trials_in_flight = 1")
}

/// A short job of a learner with a schedule, of so many games.
fn scheduled(kind: &str, games: u32) -> String {
    let job = edited(
        &longer(),
        "kind = \"pooled\"",
        &format!("kind = \"{kind}\""),
    );
    let job = edited(&job, "episodes = 12\ngames_per_episode = 10\n", "");
    edited(&job, "rounds = 3", &format!("games = {games}"))
}

fn schedules() -> [String; 6] {
    let random = scheduled("random", 170);
    let q_tree = scheduled("q-tree", 160);
    [
        edited(&q_tree, "\"q-tree\"", "\"q-tree\"\ndirections = \"pairs\""),
        q_tree,
        scheduled("surface-argmax", 161),
        // Odd: the last game is left over.
        scheduled("spsa", 161),
        edited(
            &scheduled("rspsa", 160),
            "\"rspsa\"",
            "\"rspsa\"\niterations = 10",
        ),
        edited(&random, "\"random\"", "\"random\"\nvectors = 9"),
    ]
}

#[test]
fn the_number_of_threads_changes_nothing_for_a_schedule() {
    for job in schedules() {
        let place = Place::with_job(&job);
        for (threads, name) in [("1", "one"), ("2", "two")] {
            place.tuner(&["run", "job.toml", "--threads", threads, "--name", name]);
        }
        assert_eq!(place.result("one"), place.result("two"), "{job}");
    }
}

#[test]
fn a_run_with_a_schedule_that_is_killed_five_times_ends_with_the_same_bytes() {
    for job in schedules() {
        killed_runs_end_the_same(&job, 1);
    }
}

fn undisturbed(job: &str) -> (String, String) {
    Place::after_run(job).result("job")
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for job in [longer(), paper(), by_games(), one_at_a_time()] {
        let place = Place::with_job(&job);
        for (threads, name) in [("1", "one"), ("2", "two"), ("5", "five")] {
            place.tuner(&["run", "job.toml", "--threads", threads, "--name", name]);
        }
        assert_eq!(place.result("one"), place.result("two"), "{job}");
        assert_eq!(place.result("one"), place.result("five"), "{job}");
    }
}

#[test]
fn another_seed_changes_the_run() {
    let place = Place::new();
    for seed in ["1", "2"] {
        place.tuner(&["run", "job.toml", "--seed", seed, "--name", seed]);
    }
    assert_ne!(place.result("1").0, place.result("2").0);
}

/// Kills the run at `lines` lines of its journal, one after the other, resuming in between, then
/// lets it finish; how many kills met a living process.
fn kill_at(place: &Place, lines: &[usize], threads: &str) -> usize {
    let mut kills = 0;
    for (round, &target) in lines.iter().enumerate() {
        let (command, run) = if round == 0 {
            ("run", "job.toml")
        } else {
            ("resume", "job")
        };
        let mut child = place.start(&[command, run, "--threads", threads]);
        kills += usize::from(wait_until(&mut child, || {
            place.journal_lines("job") >= target
        }));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let code = place.tuner(&["resume", "job", "--threads", threads]).code;
    assert!(matches!(code, Some(0 | 6)), "{code:?}");
    kills
}

fn killed_runs_end_the_same(job: &str, seed: u64) {
    let expected = undisturbed(job);
    let total = expected.0.lines().count() as u32;
    let mut stream = StreamKey::new(seed, Purpose::Scripted).stream();
    let mut lines: Vec<usize> = (0..5)
        .map(|_| 1 + stream.below(total - 1) as usize)
        .collect();
    lines.sort_unstable();
    // Always once in the verification.
    let verifying = expected
        .0
        .lines()
        .position(|line| line.contains("verification_started"));
    lines[4] = lines[4].max(verifying.unwrap() + 3);
    let place = Place::with_job(job);
    let kills = kill_at(&place, &lines, "2");
    assert!(
        kills >= 3,
        "seed {seed}: only {kills} of 5 kills met a living process"
    );
    assert_eq!(
        place.result("job"),
        expected,
        "seed {seed}, killed at lines {lines:?}"
    );
}

#[test]
fn a_run_that_is_killed_five_times_ends_with_the_same_bytes() {
    let seeds = if slow() { 1..=6 } else { 1..=1 };
    for seed in seeds {
        for job in [longer(), paper(), by_games(), one_at_a_time()] {
            killed_runs_end_the_same(&job, seed);
        }
    }
}

#[cfg(unix)]
mod signals {
    use super::*;
    use crate::support::signal;
    use std::process::Command;

    fn interrupted_runs_end_the_same(name: &str, moments: &[usize]) {
        let expected = undisturbed(&longer());
        let place = Place::with_job(&longer());
        for (round, &lines) in moments.iter().enumerate() {
            let (command, run) = if round == 0 {
                ("run", "job.toml")
            } else {
                ("resume", "job")
            };
            let mut child = place.start(&[command, run, "--threads", "2"]);
            let alive = wait_until(&mut child, || place.journal_lines("job") >= lines);
            assert!(alive, "the run ended before line {lines}");
            signal(&child, name);
            let said = finish(child).ended(5);
            assert!(said.out.contains("Next: tuner resume job"), "{}", said.out);
            assert!(said.out.contains("interrupted"), "{}", said.out);
            let view = place.tuner(&["status", "job", "--json"]).ended(0).json();
            assert_eq!(view["state"], "interrupted");
        }
        place.tuner(&["resume", "job"]);
        assert_eq!(place.result("job"), expected);
    }

    #[test]
    fn ctrl_c_says_how_to_go_on_and_loses_nothing() {
        interrupted_runs_end_the_same("INT", &[1, 12, 42]);
    }

    #[test]
    fn a_request_to_terminate_says_how_to_go_on_and_loses_nothing() {
        interrupted_runs_end_the_same("TERM", &[5, 30]);
    }

    #[test]
    fn a_run_elsewhere_is_resumed_as_the_message_says() {
        let place = Place::with_job(&longer());
        let mut child = place.start(&["run", "job.toml", "--runs", "else where"]);
        let journal = place.path("else where/job/journal.jsonl");
        assert!(wait_until(&mut child, || std::fs::metadata(&journal)
            .is_ok_and(|m| m.len() > 99)));
        signal(&child, "INT");
        let said = finish(child).ended(5);
        let next = said
            .out
            .lines()
            .find_map(|line| line.strip_prefix("Next: tuner "));
        let line = format!("exec \"$0\" {}", next.unwrap());
        let resumed = Command::new("sh")
            .args(["-c", &line, env!("CARGO_BIN_EXE_tuner")])
            .current_dir(place.path("."))
            .output()
            .unwrap();
        assert!(
            matches!(resumed.status.code(), Some(0 | 6)),
            "{line}: {resumed:?}"
        );
    }
}
