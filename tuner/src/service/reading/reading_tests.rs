//! Readings of real runs, against reading all at once and against a replay of their journals.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::Instant;

use serde_json::{Value, json};
use sixfold_tuner::event::Event;
use sixfold_tuner::store::journal::read_journal;

use super::*;
use crate::service::sample_run::{LEARNERS, SampleRun};
use crate::service::views;

fn never() -> bool {
    false
}

/// Everything that views make of a reading.
fn all_views(reading: &mut Reading) -> Value {
    let now = Instant::now();
    let trees: Vec<Value> = (0..reading.folds().summary.rounds.len())
        .map(|round| json!(views::trees::tree_of(reading, round, &never).unwrap()))
        .collect();
    json!({
        "rounds": views::rounds::rounds(reading, 0, 500),
        "trials": views::rounds::trials(reading, 0, 500).unwrap(),
        "trajectories": views::trajectories::trajectories(reading, 50),
        "tree": views::trees::tree(reading, false, &never).unwrap(),
        "trees": trees,
        "q": views::q_values::q_values(reading, &never).unwrap(),
        "surface": views::surface::surface(reading, [0, 1], now),
        "statistics": views::statistics::statistics(reading, now),
        "warnings": views::warnings::warnings(reading, now),
        "configuration": views::configuration::configuration(reading).unwrap(),
        "failures": views::files::failures(reading).unwrap(),
        "lines": reading.lines(),
    })
}

#[test]
fn a_growing_journal_read_on_and_on_is_the_finished_one() {
    for learner in LEARNERS {
        let run = SampleRun::of(learner);
        let expected = all_views(&mut Reading::open(&run.folder).unwrap());
        let bytes = std::fs::read(run.folder.journal()).unwrap();
        // Steps that end within lines, and looks at the tree at some of them.
        for (step, looks) in [(997, true), (411, false), (3001, true)] {
            let copy = run.beginning();
            // Its checkpoint stands for lines that are not there yet.
            let mut reading = Reading::open(&copy).unwrap();
            let mut file = OpenOptions::new()
                .append(true)
                .open(copy.journal())
                .unwrap();
            for (index, part) in bytes.chunks(step).enumerate() {
                file.write_all(part).unwrap();
                reading.advance().unwrap();
                if looks && index % 2 == 0 {
                    let _ = views::trees::tree(&mut reading, true, &never).unwrap();
                }
            }
            // An outlook may be somewhat older than the games.
            reading.outlook = None;
            assert_eq!(all_views(&mut reading), expected, "{learner} by {step}");
            std::fs::remove_dir_all(copy.path()).unwrap();
        }
    }
}

#[test]
fn trees_in_parts_are_the_trees_at_once() {
    let run = SampleRun::of(LEARNERS[1]);
    let expected = all_views(&mut Reading::open(&run.folder).unwrap());
    let mut reading = Reading::open(&run.folder).unwrap();
    let asked = std::cell::Cell::new(0);
    // Enough after every part but the first.
    let enough = || {
        asked.set(asked.get() + 1);
        asked.get() % 2 == 0
    };
    for _ in 0..10_000 {
        let found = views::q_values::q_values(&mut reading, &enough).unwrap();
        if found.behind.is_none() {
            assert_eq!(all_views(&mut reading), expected);
            return;
        }
    }
    panic!("the trees never came to their end");
}

#[test]
fn rounds_and_trials_are_those_of_the_journal() {
    let run = SampleRun::of(LEARNERS[0]);
    let reading = Reading::open(&run.folder).unwrap();
    let (events, _) = read_journal(&run.folder.journal()).unwrap();
    let of_journal: Vec<&Event> = events
        .iter()
        .filter(|event| matches!(event, Event::TrialFinished { .. }))
        .collect();
    assert_eq!(reading.folds().trial_count(), of_journal.len());
    for (first, count) in [
        (0, 1),
        (0, 500),
        (5, 30),
        (of_journal.len() - 1, 9),
        (999, 3),
    ] {
        let found = reading.trials(first, count).unwrap();
        let end = of_journal.len().min(first + count);
        let expected: Vec<Event> = (first..end).map(|at| of_journal[at].clone()).collect();
        assert_eq!(found, expected);
    }
    let rounds = views::rounds::rounds(&reading, 0, 500);
    let mut games = 0;
    let mut ends = rounds.items.iter();
    for event in &events {
        match event {
            Event::TrialFinished { result, .. } => games += result.wdl.games(),
            Event::RoundFinished(summary) => {
                let view = ends.next().unwrap();
                assert_eq!((view.games, view.applied), (games, summary.applied));
                assert_eq!(view.path, summary.greedy_path);
                let first = reading.folds().first_trial_of(view.round);
                let Event::TrialFinished { trial, .. } = of_journal[first] else {
                    unreachable!("only trials were kept")
                };
                assert_eq!(trial.id.round as usize, view.round);
            }
            _ => {}
        }
    }
    assert_eq!(ends.next(), None);
}

#[test]
fn q_values_at_ends_of_rounds_are_those_of_the_course_before_each_end() {
    let run = SampleRun::of(LEARNERS[0]);
    let mut reading = Reading::open(&run.folder).unwrap();
    let view = views::q_values::q_values(&mut reading, &never).unwrap();
    let (events, _) = read_journal(&run.folder.journal()).unwrap();
    let mut course = reading.job().course(reading.job_text());
    let mut ends = 0;
    for event in &events {
        if let Event::RoundFinished(summary) = event {
            let tree = course.tree().unwrap();
            for node in &tree.nodes {
                assert_eq!(view.ends.q[node.number][ends], node.q);
            }
            assert_eq!(view.ends.rounds[ends], summary.round as usize);
            ends += 1;
        }
        course.apply(event).unwrap();
    }
    assert_eq!(view.ends.rounds.len(), ends);
}

#[test]
fn a_torn_end_is_told_and_another_journal_is_read_from_its_beginning() {
    let run = SampleRun::of(LEARNERS[0]);
    let whole = std::fs::read(run.folder.journal()).unwrap();
    let copy = run.beginning();
    let half = whole.len() / 2;
    std::fs::write(copy.journal(), &whole[..half]).unwrap();
    let mut reading = Reading::open(&copy).unwrap();
    assert!(reading.torn().is_some());
    let kinds = |reading: &mut Reading| -> Vec<&'static str> {
        let found = views::warnings::warnings(reading, Instant::now());
        found.items.iter().map(|it| it.kind).collect()
    };
    assert!(kinds(&mut reading).contains(&"torn"));
    std::fs::write(copy.journal(), &whole).unwrap();
    reading.advance().unwrap();
    assert!(!kinds(&mut reading).contains(&"torn"));
    // As after a restoration from an older copy.
    let line = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    std::fs::write(copy.journal(), &whole[..line]).unwrap();
    reading.advance().unwrap();
    assert_eq!(reading.lines(), 1);
}

#[test]
fn only_plain_names_of_files_in_the_folder_are_listed() {
    let place = tempfile::tempdir().unwrap();
    for name in ["round-00002.json", "round-00001.json", "round-100000.json"] {
        std::fs::write(place.path().join(name), "{}").unwrap();
    }
    for name in [
        "<img onerror=alert(1)>",
        ".hidden",
        "a b",
        "UPPER.json",
        "..x",
    ] {
        std::fs::write(place.path().join(name), "x").unwrap();
    }
    std::fs::create_dir(place.path().join("folder")).unwrap();
    let names = ["round-00001.json", "round-00002.json", "round-100000.json"];
    assert_eq!(listed_names(place.path()).unwrap(), names);
    assert_eq!(listed_names(&place.path().join("none")).unwrap(), [""; 0]);
}
