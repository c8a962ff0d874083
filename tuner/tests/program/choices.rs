//! Jobs that tune a choice of words and keep rules between parameters, from the job file to the
//! exported configuration.

use serde_json::Value;

use crate::support::{ENGINE, JOB, Place, edited};

const RUN: &str = "runs/job";

/// An engine whose rollouts are a word in its text.
pub(crate) fn engine() -> String {
    edited(
        ENGINE,
        "depth_plies = 255",
        "rollout = \"uniform\"        # a word\nfinal_move = \"visits\"\ndepth_plies = 255",
    )
}

const TUNING: &str = r#"format = 1
seed = 3

[engine]
config = "engine.toml"

[budget]
simulations = 20

[[parameters]]
path = "stages.opening.rollout"
words = ["uniform", "safe"]

[[parameters]]
path = "stages.opening.bias.gives"
min = -1.0
max = 1.0

[[parameters]]
path = "stages.opening.bias.capture"
min = -1.0
max = 1.0

[[rules]]
less_or_equal = ["stages.opening.bias.gives", "stages.opening.bias.capture"]

[[rules]]
sum = ["stages.opening.bias.gives", "stages.opening.bias.capture"]
at_least = -0.5
at_most = 0.5

[learner]
kind = "q-tree"

[run]
games = 120
trials_in_flight = 4
"#;

/// A job with the verification of the others.
pub(crate) fn job() -> String {
    let (_, verification) = JOB.split_once("[verification]").unwrap();
    format!("{TUNING}\n[verification]{verification}")
}

fn place(job: &str) -> Place {
    let place = Place::with_job(job);
    place.write("engine.toml", engine());
    place
}

/// Both vectors of every trial of the journal, and every vector in force.
fn vectors(place: &Place) -> Vec<Vec<f64>> {
    let journal = place.text(&format!("{RUN}/journal.jsonl"));
    let lines = journal.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["event"].clone()
    });
    let found = lines.flat_map(|event| {
        let (trial, round) = (&event["trial"], &event["round_finished"]);
        [&trial[3], &trial[4], &round["incumbent"]].map(Value::clone)
    });
    let numbers = found.filter_map(|value| {
        let values = value.as_array()?.iter();
        Some(values.map(|it| it.as_f64().unwrap()).collect())
    });
    numbers.collect()
}

#[test]
fn what_is_played_stored_and_exported_keeps_rules_and_words() {
    for kind in [
        "\"q-tree\"",
        "\"spsa\"",
        "\"random\"\nvectors = 8",
        "\"pooled\"",
    ] {
        let job = edited(&job(), "kind = \"q-tree\"", &format!("kind = {kind}"));
        let place = place(&job);
        let said = place.tuner(&["run", "job.toml"]);
        // A result that is not accepted is one as well, with a code of its own.
        assert!(
            [Some(0), Some(6)].contains(&said.code),
            "{kind}: {}",
            said.err
        );
        let vectors = vectors(&place);
        assert!(vectors.len() > 30, "{kind}: {}", vectors.len());
        let words = |word: f64| vectors.iter().filter(|it| it[0] == word).count();
        assert!(words(0.0) > 0 && words(1.0) > 0, "{kind}: both words play");
        assert_eq!(words(0.0) + words(1.0), vectors.len());
        for vector in &vectors {
            let [gives, capture] = [vector[1], vector[2]];
            assert!(gives <= capture, "{kind}: {vector:?}");
            assert!((gives + capture).abs() <= 0.5 + 1e-9, "{kind}: {vector:?}");
        }
        let view = place.tuner(&["status", "job", "--json"]).ended(0).json();
        let now = view["parameters"][0]["now"]
            .as_str()
            .expect("a word")
            .to_owned();
        assert_eq!(view["parameters"][0]["before"], "uniform");
        assert_eq!(view["parameters"][0]["at_bound"], false);
        let shipped = match view["keeps_start"].as_bool().unwrap() {
            true => "uniform".to_owned(),
            false => now,
        };
        let line = format!("rollout = \"{shipped}\"");
        let tuned = place.text(&format!("{RUN}/tuned.toml"));
        assert!(tuned.contains(&line), "{kind}: {line} in {tuned}");
        assert!(tuned.contains("# a word"), "comments stay");
        if !view["keeps_start"].as_bool().unwrap() {
            place
                .tuner(&["export", "job", "--to", "mine.toml"])
                .ended(0);
            assert!(place.text("mine.toml").contains(&line));
        }
        place.tuner(&["report", "job"]).ended(0);
        let page = place.text(&format!("{RUN}/report.html"));
        assert!(page.contains("choice of uniform and safe"), "{kind}");
    }
}

#[test]
fn a_check_shows_words_and_rules() {
    let place = place(&job());
    let said = place
        .tuner(&["check", "job.toml", "--no-pilot", "--no-forecast"])
        .ended(0);
    for part in [
        "stages.opening.rollout from uniform, a choice of uniform and safe",
        "rule         stages.opening.bias.gives <= stages.opening.bias.capture",
        "-0.5 <= stages.opening.bias.gives + stages.opening.bias.capture <= 0.5",
    ] {
        assert!(said.out.contains(part), "{part} in {}", said.out);
    }
}

#[test]
fn a_resolved_job_reads_as_the_job_it_was() {
    let place = place(&job());
    place.tuner(&["run", "job.toml"]).ended(0);
    let resolved = place.text(&format!("{RUN}/job.toml"));
    place.write("again.toml", &resolved);
    place.tuner(&["run", "again.toml"]).ended(0);
    assert_eq!(place.text("runs/again/job.toml"), resolved);
    assert_eq!(place.result("job"), place.result("again"));
}
