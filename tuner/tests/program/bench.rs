//! `tuner bench`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::messages::transcript::Transcript;
use crate::messages::{add, check};
use crate::support::Place;

const SMALL: [&str; 9] = [
    "bench",
    "--surfaces=QUAD-100,DOTS-B",
    "--learners=pooled:episodes=16,pooled:episodes=16,games_per_episode=8",
    "--baseline=paper:episodes=32",
    "--budgets=400,1200",
    "--seeds=5..14",
    "--draws=0.4",
    "--in-flight=3",
    "--threads=2",
];

/// The output with every time replaced: lines of learners end with one.
fn timeless(out: &str) -> String {
    let replaced = |line: &str| {
        let time = line.rsplit_once(' ').filter(|(_, last)| {
            let digits = last.strip_prefix("0.").unwrap_or_default();
            digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit())
        });
        time.map_or_else(|| line.to_owned(), |(left, _)| format!("{left} 0.0000"))
    };
    out.lines().map(|line| replaced(line) + "\n").collect()
}

#[test]
fn the_tables_are_those_that_people_read() {
    let said = Place::new().tuner(&SMALL).ended(0);
    let text = timeless(&said.out);
    assert!(
        text.lines().all(|line| line.chars().count() <= 100),
        "{text}"
    );
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/golden/bench.txt");
    if std::env::var_os("SIXFOLD_BLESS").is_some_and(|value| value == "1") {
        fs::write(&golden, &text).unwrap();
    }
    let committed = fs::read_to_string(&golden).unwrap_or_default();
    assert_eq!(text, committed, "SIXFOLD_BLESS=1 writes it anew");
    assert!(said.err.ends_with("108 of 108 runs\n"), "{}", said.err);
}

#[test]
fn threads_change_nothing() {
    let place = Place::new();
    let on = |threads: &str| {
        let mut arguments = SMALL.to_vec();
        arguments.extend(["--threads", threads]);
        arguments.retain(|argument| *argument != "--threads=2");
        timeless(&place.tuner(&arguments).ended(0).out)
    };
    assert_eq!(on("1"), on("2"));
}

fn keys(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap_or_else(|| panic!("{value}"));
    object.keys().map(String::as_str).collect()
}

/// Programs read these: a key that goes or changes breaks them.
#[test]
fn keys_for_programs_stay() {
    let arguments = [&SMALL[..], &["--json"]].concat();
    let report = Place::new().tuner(&arguments).ended(0).json();
    assert_eq!(
        keys(&report),
        [
            "baseline",
            "budgets",
            "cells",
            "draws",
            "in_flight",
            "learners",
            "least_regret",
            "means",
            "resamples",
            "seeds",
            "surfaces"
        ]
    );
    assert_eq!(
        keys(&report["surfaces"][0]),
        ["name", "parameters", "start_regret"]
    );
    let cell = [
        "budget",
        "learner",
        "learner_seconds_per_1000_games",
        "median",
        "median_ratio",
        "p90",
        "p90_ratio",
        "regrets",
        "surface",
        "trace",
    ];
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2 * 2 * 3);
    for view in cells {
        assert_eq!(keys(view), cell);
        assert_eq!(view["regrets"].as_array().unwrap().len(), 9);
        assert_eq!(view["trace"].as_array().unwrap().len(), 10);
        let is_baseline = view["learner"] == "paper:episodes=32";
        assert_eq!(view["median_ratio"].is_null(), is_baseline);
    }
    assert_eq!(keys(&cells[0]["p90_ratio"]), ["interval_95", "value"]);
    let mean = [
        "budget",
        "learner",
        "median_ratio",
        "p90_ratio",
        "worst_median_ratio",
        "worst_surface",
    ];
    let means = report["means"].as_array().unwrap();
    assert_eq!(means.len(), 2 * 2);
    means.iter().for_each(|view| assert_eq!(keys(view), mean));
    let documentation = include_str!("../../../docs/bench.md");
    let all = [
        &keys(&report)[..],
        &cell,
        &mean,
        &["interval_95", "parameters"],
    ]
    .concat();
    for key in all {
        assert!(documentation.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn medians_are_those_of_the_regrets() {
    let arguments = [&SMALL[..], &["--json"]].concat();
    let report = Place::new().tuner(&arguments).ended(0).json();
    for cell in report["cells"].as_array().unwrap() {
        let regrets = cell["regrets"].as_array().unwrap().iter();
        let mut regrets: Vec<f64> = regrets.map(|regret| regret.as_f64().unwrap()).collect();
        regrets.sort_by(f64::total_cmp);
        assert_eq!(cell["median"].as_f64().unwrap(), regrets[4]);
        let p90 = regrets[7] + 0.2 * (regrets[8] - regrets[7]);
        assert!((cell["p90"].as_f64().unwrap() - p90).abs() < 1e-9);
        let last = cell["trace"][9].as_f64().unwrap();
        assert_eq!(last, regrets[4], "the trace ends with the run");
    }
}

/// Part of the transcripts of refusals: see `messages.rs`.
#[test]
fn refusals_name_option_and_range() {
    let mut transcript = Transcript::new("tuner: benches");
    let place = Place::new();
    for options in [
        "--surfaces QUAD",
        "--surfaces LOG2,LOG2",
        "--learners annealing",
        "--learners pooled:epsilon=7",
        "--learners pooled:epsilon",
        "--learners pooled,pooled",
        "--baseline pooled:depth=2",
        "--baseline pooled,paper",
        "--budgets 1000,5",
        "--budgets 20 --learners pooled:games_per_episode=30",
        "--budgets 10 --learners random",
        "--seeds 9..3",
        "--draws 1",
        "--draws many",
        "--in-flight 0",
    ] {
        let arguments: Vec<&str> = ["bench"].into_iter().chain(options.split(' ')).collect();
        add(&mut transcript, &place, "", &arguments);
    }
    check(&transcript, "bench");
}
