//! The service killed at random moments: its runs end as if nothing had been.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use sixfold_tuner::stream::{Purpose, StreamKey};

use crate::support::{PATIENCE, Place, Served, job};

/// Kills of the service.
const KILLS: usize = 10;
/// Longest life of a service before it is killed, in milliseconds.
const LONGEST_MS: u32 = 900;

/// What three jobs come to, each in one go in a terminal.
fn expected(jobs: &[String]) -> Vec<Vec<(String, Vec<u8>)>> {
    let place = Place::new();
    let run = |(number, text): (usize, &String)| {
        let file = format!("job-{number}.toml");
        std::fs::write(place.path(&file), text).unwrap();
        let name = format!("run-{number}");
        place.said(&["run", &file, "--name", &name, "--threads", "2"]);
        place.bytes(&name)
    };
    jobs.iter().enumerate().map(run).collect()
}

#[test]
fn three_jobs_end_with_the_same_bytes_although_the_service_is_killed_ten_times() {
    let jobs = [1, 2, 3].map(|seed| job(seed, 1500));
    let expected = expected(&jobs);
    let place = Place::new();
    let served = Served::start(&place);
    let runs: Vec<String> = jobs.iter().map(|text| served.submit(text, "")).collect();
    let mut served = Some(served);
    let mut at_work = 0;
    let mut stream = StreamKey::new(5, Purpose::Scripted).stream();
    for _ in 0..KILLS {
        let alive = served.take().unwrap_or_else(|| Served::start(&place));
        // Somebody listens to everything meanwhile.
        let mut streams = vec![alive.stream("/api/v1/events", None)];
        for run in &runs {
            streams.push(alive.stream(&format!("/api/v1/runs/{run}/events?after=0"), None));
        }
        let listeners: Vec<_> = streams
            .into_iter()
            .map(|stream| thread::spawn(move || stream.count()))
            .collect();
        thread::sleep(Duration::from_millis(u64::from(stream.below(LONGEST_MS))));
        let is_done = |run: &&String| alive.row(run)["state"] == "completed";
        at_work += usize::from(!runs.iter().all(|run| is_done(&run)));
        alive.kill();
        for listener in listeners {
            listener.join().unwrap();
        }
    }
    assert!(
        at_work >= KILLS / 2,
        "only {at_work} kills met a run at work"
    );
    let served = Served::start(&place);
    for (run, expected) in runs.iter().zip(expected) {
        let row = served.wait_for_state(run, "completed");
        assert!(row["reason"].is_null(), "{row}");
        assert!(place.bytes(run) == expected, "{run} ended with other bytes");
    }
}

/// The process number of the run's worker, once it has the run in hand.
fn worker_of(place: &Place, run: &str) -> String {
    let lock = place.path("runs").join(run).join("lock");
    let begun = Instant::now();
    loop {
        let pid = std::fs::read_to_string(&lock).unwrap_or_default();
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if command.split(|&byte| byte == 0).any(|word| word == b"work") {
            return pid;
        }
        assert!(begun.elapsed() < PATIENCE, "no worker took the run in hand");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_worker_that_is_killed_is_followed_by_another() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(9, 6000), "");
    for _ in 0..2 {
        let pid = worker_of(&place, &run);
        let killed = Command::new("kill").args(["-9", &pid]).status();
        assert!(killed.unwrap().success());
        served.wait_for(&run, |row| row["driver"].is_null());
    }
    served.wait_for_state(&run, "completed");
}
