//! The queue: what runs when, and what can be asked of a run.

use std::time::Duration;

use crate::support::{Place, Served, job};

#[test]
fn a_job_that_is_handed_in_ends_as_in_a_terminal() {
    let place = Place::new();
    std::fs::write(place.path("job.toml"), job(4, 20)).unwrap();
    place.said(&["run", "job.toml", "--name", "by-hand"]);
    let served = Served::start(&place);
    let run = served.submit(
        &job(4, 20),
        "?label=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    );
    let row = served.wait_for_state(&run, "completed");
    assert_eq!(row["label"], "<img src=x onerror=alert(1)>");
    assert_eq!(run, "img-src-x-onerror-alert-1");
    assert!(place.bytes(&run) == place.bytes("by-hand"));
    let by_hand = served.row("by-hand");
    assert_eq!(by_hand["state"], "completed");
    for key in [
        "elo",
        "elo_95",
        "verdict",
        "games_all",
        "parameters",
        "events",
    ] {
        assert_eq!(row[key], by_hand[key], "{key}");
    }
}

#[test]
fn a_paused_run_stands_still_until_it_is_resumed_also_over_a_restart() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(5, 3000), "");
    served.wait_for(&run, |row| row["events"].as_u64() > Some(3));
    assert_eq!(served.ask(&run, "pause")["state"], "paused");
    assert_eq!(
        served.ask(&run, "pause")["state"],
        "paused",
        "twice is once"
    );
    let stood = served.wait_for(&run, |row| row["driver"].is_null());
    served.terminate();
    let served = Served::start(&place);
    std::thread::sleep(Duration::from_millis(700));
    let still = served.row(&run);
    assert_eq!(
        (&still["state"], &still["events"]),
        (&"paused".into(), &stood["events"])
    );
    served.ask(&run, "resume");
    let done = served.wait_for_state(&run, "completed");
    assert!(done["events"].as_u64() > still["events"].as_u64());
}

#[test]
fn a_cancelled_run_never_begins_and_loses_nothing() {
    let place = Place::new();
    let served = Served::start_with(&place, &["--running", "1"]);
    let first = served.submit(&job(6, 3000), "");
    let second = served.submit(&job(7, 20), "");
    assert_eq!(served.row(&second)["place"], 1);
    assert_eq!(served.ask(&second, "cancel")["state"], "cancelled");
    served.ask(&first, "cancel");
    served.wait_for(&first, |row| {
        row["state"] == "cancelled" && row["driver"].is_null()
    });
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(served.row(&second)["events"], 0);
    // Whoever thinks better of it goes on.
    served.ask(&second, "resume");
    served.wait_for_state(&second, "completed");
}

#[test]
fn runs_begin_in_their_order_and_no_more_than_allowed_at_a_time() {
    let place = Place::new();
    let served = Served::start_with(&place, &["--running", "1"]);
    let runs: Vec<String> = (0..3)
        .map(|seed| served.submit(&job(seed, 600), ""))
        .collect();
    let mut order = Vec::new();
    while order.len() < 3 {
        std::thread::sleep(Duration::from_millis(30));
        let rows: Vec<_> = runs.iter().map(|run| served.row(run)).collect();
        let running = rows.iter().filter(|row| row["state"] == "running").count();
        assert!(running <= 1);
        for (run, row) in runs.iter().zip(&rows) {
            if row["state"] == "completed" && !order.contains(run) {
                order.push(run.clone());
            }
        }
    }
    assert_eq!(order, runs);
}

#[test]
fn a_completed_run_is_verified_again_and_takes_no_other_step() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(8, 20), "");
    served.wait_for_state(&run, "completed");
    for action in ["pause", "resume", "cancel"] {
        let refused = served
            .post(&format!("/api/v1/runs/{run}/{action}"), "")
            .is(409);
        assert!(
            refused.json()["detail"]
                .as_str()
                .unwrap()
                .contains("completed")
        );
    }
    let before = served.row(&run)["games_all"].as_u64().unwrap();
    served.ask(&run, "verify");
    let done = served.wait_for(&run, |row| {
        row["state"] == "completed" && row["games_all"].as_u64().unwrap() > before
    });
    assert_eq!(done["phase"], "finished");
}

#[test]
fn a_run_that_cannot_go_on_fails_with_the_reason_and_others_go_on() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(9, 20), "?start=paused");
    let journal = place.path("runs").join(&run).join("journal.jsonl");
    std::fs::write(&journal, "nonsense\nnonsense\n").unwrap();
    served.ask(&run, "resume");
    let failed = served.wait_for_state(&run, "failed");
    assert!(
        failed["reason"].as_str().unwrap().contains("line 1"),
        "{failed}"
    );
    let other = served.submit(&job(10, 20), "");
    served.wait_for_state(&other, "completed");
}

#[test]
fn a_run_in_a_terminal_is_shown_and_not_touched() {
    let place = Place::new();
    std::fs::write(place.path("job.toml"), job(11, 3000)).unwrap();
    let served = Served::start(&place);
    let mut terminal = place
        .command(&["run", "job.toml", "--name", "by-hand"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !place.path("runs/by-hand").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let row = served.wait_for("by-hand", |row| row["state"] == "running");
    assert_eq!(row["driver"], "terminal");
    let refused = served.post("/api/v1/runs/by-hand/pause", "").is(409);
    assert!(
        refused.text.contains(&terminal.id().to_string()),
        "{refused:?}"
    );
    crate::support::signal(&terminal, "TERM");
    terminal.wait().unwrap();
    assert_eq!(
        served.wait_for_state("by-hand", "paused")["driver"],
        serde_json::Value::Null
    );
    served.ask("by-hand", "resume");
    served.wait_for_state("by-hand", "completed");
}

#[test]
fn nothing_runs_while_the_disk_is_nearly_full() {
    let place = Place::new();
    // No disk has so much.
    let served = Served::start_with(&place, &["--disk-reserve-mib", "1000000000"]);
    let refused = served.post("/api/v1/runs", &job(12, 20)).is(507);
    assert!(refused.text.contains("nearly full"));
    served.terminate();
    std::fs::write(place.path("job.toml"), job(12, 20)).unwrap();
    place.said(&["submit", "job.toml"]);
    let served = Served::start_with(&place, &["--disk-reserve-mib", "1000000000"]);
    let row = served.wait_for("job", |row| !row["reason"].is_null());
    assert_eq!(row["state"], "waiting");
    assert!(
        row["reason"]
            .as_str()
            .unwrap()
            .contains("--disk-reserve-mib"),
        "{row}"
    );
    served.terminate();
    Served::start(&place).wait_for_state("job", "completed");
}
