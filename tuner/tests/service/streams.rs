//! Streams of events: nothing is lost and nothing told twice, whoever listens and whenever.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Place, Served, Told, job, journal_lines};

/// Lines that a listener was told, in the order in which it was.
fn lines(told: &[Told]) -> Vec<u64> {
    let lines = told.iter().filter_map(|it| it.id);
    lines.collect()
}

/// Listens until the run's row says that it is completed.
fn until_completed(stream: impl Iterator<Item = Told>) -> Vec<Told> {
    let mut told = Vec::new();
    for event in stream {
        let is_end = event.kind == "state" && event.data.contains("\"state\":\"completed\"");
        told.push(event);
        if is_end {
            break;
        }
    }
    told
}

#[test]
fn every_line_of_a_growing_journal_is_told_once_and_in_order_to_each_listener() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(1, 300), "?start=paused");
    let path = format!("/api/v1/runs/{run}/events?after=0");
    let early: Vec<_> = (0..8).map(|_| served.stream(&path, None)).collect();
    served.ask(&run, "resume");
    let mut listeners: Vec<_> = early
        .into_iter()
        .map(|stream| thread::spawn(move || until_completed(stream)))
        .collect();
    for _ in 0..8 {
        thread::sleep(Duration::from_millis(40));
        let late = served.stream(&path, None);
        listeners.push(thread::spawn(move || until_completed(late)));
    }
    for listener in listeners {
        let told = listener.join().unwrap();
        let all: Vec<u64> = (1..=journal_lines(&place, &run)).collect();
        assert_eq!(lines(&told), all);
    }
}

#[test]
fn a_listener_goes_on_after_the_last_event_that_it_knows() {
    let place = Place::new();
    let served = Served::start(&place);
    let run = served.submit(&job(2, 20), "");
    served.wait_for_state(&run, "completed");
    let count = journal_lines(&place, &run);
    let path = format!("/api/v1/runs/{run}/events");
    for last in [0, 1, count / 2, count - 1] {
        let stream = served.stream(&path, Some(last));
        let told: Vec<Told> = stream.take_while(|it| it.kind != "state").collect();
        let rest: Vec<u64> = (last + 1..=count).collect();
        assert_eq!(lines(&told), rest);
        for event in &told {
            let data: Value = serde_json::from_str(&event.data).unwrap();
            assert_eq!(data["line"].as_u64(), event.id);
        }
    }
    // Nothing new, or more than there is: only how it stands.
    for last in [count, count + 5] {
        let first = served.stream(&path, Some(last)).next().unwrap();
        assert_eq!((first.kind.as_str(), first.id), ("state", None));
    }
    let wrong = served.get(&format!("{path}?after=-1")).is(400);
    assert_eq!(
        wrong.header("content-type"),
        Some("application/problem+json")
    );
}

#[test]
fn the_service_ends_within_ten_seconds_although_streams_are_open_and_runs_at_work() {
    let place = Place::new();
    let served = Served::start(&place);
    let runs = [1, 2].map(|seed| served.submit(&job(seed, 5000), ""));
    for run in &runs {
        served.wait_for_state(run, "running");
    }
    let streams: Vec<_> = (0..20)
        .map(|number| match number % 2 {
            0 => served.stream("/api/v1/events", None),
            _ => served.stream(&format!("/api/v1/runs/{}/events", runs[0]), None),
        })
        .map(|stream| thread::spawn(move || stream.count()))
        .collect();
    thread::sleep(Duration::from_millis(300));
    assert!(served.terminate() < Duration::from_secs(10));
    for stream in streams {
        assert!(
            stream.join().unwrap() > 0,
            "it was told something, and then its end"
        );
    }
    // What was at work goes on by itself.
    let served = Served::start(&place);
    for run in &runs {
        served.wait_for(run, |row| row["driver"] == "service");
    }
}
