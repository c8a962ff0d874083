//! `tuner experiments`.

use serde_json::Value;

use crate::support::{ENGINE, Place, edited};

const FILE: &str = r#"format = 1
title = "Giving boxes away"
seed = 5
games = 40
budgets = ["simulations=20", "work_units=3000"]

[[match]]
name = "a giver against none"
a = "giver.toml"
b = "engine.toml"

[[match]]
name = "the same by a value"
a = "engine.toml"
b = "engine.toml"
games = 20
budgets = ["simulations=20"]
[match.a_values]
"stages.opening.bias.gives" = 0.3
"#;

const SWEEP: &str = r#"format = 1
title = "Sweeps"
seed = 5
games = 20
budgets = ["simulations=20", "work_units=3000"]

[[match]]
name = "swept"
a = "engine.toml"
b = "giver.toml"
sweep = { path = "stages.opening.bias.gives", values = [-0.1, 0, 0.3], of = "a" }
"#;

/// A place with an engine that likes to give boxes away and an experiment.
fn place(file: &str) -> Place {
    let place = Place::new();
    place.write(
        "giver.toml",
        edited(ENGINE, "gives = 0.0, other", "gives = 0.3, other"),
    );
    place.write("experiment.toml", file);
    place
}

fn play(file: &str, more: &[&str]) -> Value {
    let arguments = [&["experiments", "experiment.toml", "--json"], more].concat();
    place(file).tuner(&arguments).ended(0).json()
}

/// All rows, each with the name of its match and without its time.
fn rows(report: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for experiment in report["experiments"].as_array().unwrap() {
        for played in experiment["matches"].as_array().unwrap() {
            for row in played["rows"].as_array().unwrap() {
                let mut row = row.clone();
                assert!(row["seconds_a_game"].as_f64().unwrap() > 0.0);
                row["seconds_a_game"] = Value::Null;
                row["match"] = played["name"].clone();
                all.push(row);
            }
        }
    }
    all
}

fn count(row: &Value, key: &str) -> u64 {
    row[key]
        .as_u64()
        .unwrap_or_else(|| panic!("{key} in {row}"))
}

#[test]
fn every_match_has_a_row_for_every_budget_and_its_counts_add_up() {
    let report = play(FILE, &[]);
    assert_eq!(report["interrupted"], false);
    let rows = rows(&report);
    let named: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["match"].as_str().unwrap(),
                row["budget"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        named,
        [
            ("a giver against none", "20 simulations a move"),
            ("a giver against none", "3000 units of work a move"),
            ("the same by a value", "20 simulations a move"),
        ]
    );
    for (row, games) in rows.iter().zip([40, 40, 20]) {
        let sum: u64 = ["wins", "draws", "losses"]
            .map(|key| count(row, key))
            .iter()
            .sum();
        assert_eq!((sum, count(row, "games")), (games, games));
        let pairs: u64 = (0..5)
            .map(|i| row["pentanomial"][i].as_u64().unwrap())
            .sum();
        assert_eq!(2 * pairs, games);
        assert!(
            count(row, "wins") < count(row, "losses"),
            "giving loses: {row}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_counts_on_any_number_of_threads() {
    let one = rows(&play(FILE, &["--threads", "1"]));
    assert_eq!(one, rows(&play(FILE, &["--threads", "2"])));
    let other = edited(FILE, "seed = 5", "seed = 6");
    assert_ne!(one, rows(&play(&other, &["--threads", "2"])));
}

#[test]
fn swapping_the_sides_negates_every_count() {
    let ours = rows(&play(FILE, &["--only", "a giver against none"]));
    let swapped = edited(
        FILE,
        "a = \"giver.toml\"\nb = \"engine.toml\"",
        "a = \"engine.toml\"\nb = \"giver.toml\"",
    );
    let theirs = rows(&play(&swapped, &["--only", "a giver against none"]));
    assert_eq!(ours.len(), 2);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let counts = |row: &Value, keys: [&str; 3]| keys.map(|key| count(row, key));
        assert_eq!(
            counts(ours, ["wins", "draws", "losses"]),
            counts(theirs, ["losses", "draws", "wins"])
        );
        let mut reversed = theirs["pentanomial"].as_array().unwrap().clone();
        reversed.reverse();
        assert_eq!(ours["pentanomial"].as_array().unwrap(), &reversed);
    }
}

#[test]
fn a_row_is_what_a_match_of_its_seed_games_and_budget_comes_to() {
    let place = place(FILE);
    let report = place.tuner(&["experiments", "experiment.toml", "--json"]);
    let rows = rows(&report.ended(0).json());
    for (row, budget) in rows.iter().zip(["simulations=20", "work_units=3000"]) {
        let arguments = ["match", "giver.toml", "engine.toml", "--json"];
        let more = ["--seed", "5", "--games", "40", "--budget", budget];
        let played = place
            .tuner(&[&arguments[..], &more].concat())
            .ended(0)
            .json();
        for key in ["wins", "draws", "losses", "pentanomial", "elo", "elo_95"] {
            assert_eq!(row[key], played[key], "{key} at {budget}");
        }
    }
}

#[test]
fn a_value_of_a_match_plays_like_the_same_value_in_the_configuration() {
    let rows = rows(&play(FILE, &["--games", "20"]));
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["pentanomial"], rows[2]["pentanomial"]);
    assert_ne!(rows[0]["pentanomial"], rows[1]["pentanomial"]);
}

#[test]
fn a_sweep_plays_every_value_at_every_budget() {
    let swept = rows(&play(SWEEP, &[]));
    let values: Vec<_> = swept
        .iter()
        .map(|row| row["value"].as_f64().unwrap())
        .collect();
    assert_eq!(values, [-0.1, -0.1, 0.0, 0.0, 0.3, 0.3]);
    // At 0.3 both engines are the same: with common random numbers every pair is even.
    for row in &swept[4..] {
        assert_eq!(row["pentanomial"], serde_json::json!([0, 0, 10, 0, 0]));
    }
    let fixed = edited(
        SWEEP,
        "sweep = { path = \"stages.opening.bias.gives\", values = [-0.1, 0, 0.3], of = \"a\" }",
        "a_values = { \"stages.opening.bias.gives\" = -0.1 }",
    );
    for (swept, fixed) in swept.iter().zip(rows(&play(&fixed, &[]))) {
        assert_eq!(swept["pentanomial"], fixed["pentanomial"]);
    }
}

#[test]
fn a_sweep_of_b_or_of_both_changes_those_sides() {
    let of = |side: &str| rows(&play(&edited(SWEEP, "of = \"a\"", side), &[]));
    let both = of("of = \"both\"");
    assert_eq!(both.len(), 6);
    for row in &both {
        assert_eq!(row["pentanomial"], serde_json::json!([0, 0, 10, 0, 0]));
    }
    // A is the engine that gives nothing away, so at 0 the sides are the same.
    let b = of("of = \"b\"");
    assert_eq!(b[2]["pentanomial"], serde_json::json!([0, 0, 10, 0, 0]));
    assert_ne!(b[4]["pentanomial"], serde_json::json!([0, 0, 10, 0, 0]));
}

/// The text with the seconds a game, which differ from time to time, as `TIME`.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line
        .strip_suffix(" |")
        .and_then(|row| row.rsplit_once("| "))
    {
        Some((row, time)) if time.parse::<f64>().is_ok() => format!("{row}| TIME |\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn markdown_has_a_table_and_a_chart_for_each_budget_of_a_sweep() {
    // Two engines that stay the same tie every pair, and nine boxes cannot be shared evenly.
    let both = edited(SWEEP, "giver.toml", "engine.toml");
    let place = place(&edited(&both, "of = \"a\"", "of = \"both\""));
    let said = place.tuner(&[
        "experiments",
        "experiment.toml",
        "--markdown",
        "--games",
        "2",
    ]);
    let expected = include_str!("../data/experiment.md");
    assert_eq!(without_times(&said.ended(0).out), expected);
}

#[test]
fn the_table_for_a_terminal_names_the_file_and_tells_every_row() {
    let place = place(FILE);
    let said = place
        .tuner(&["experiments", "experiment.toml", "experiment.toml"])
        .ended(0);
    let head = "Giving boxes away (experiment.toml, seed 5)\n  match ";
    assert_eq!(said.out.matches(head).count(), 2, "{}", said.out);
    let row = "  a giver against none  20 simulations a move ";
    assert_eq!(said.out.matches(row).count(), 2, "{}", said.out);
    assert!(
        said.err
            .contains("[6/6] the same by a value, 20 simulations a move: ")
    );
}

#[test]
fn only_plays_the_matches_of_those_names_and_refuses_others() {
    let rows = rows(&play(FILE, &["--only", "the same by a value"]));
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["match"], "the same by a value");
    let said = place(FILE).tuner(&["experiments", "experiment.toml", "--only", "nobody"]);
    said.ended(3).names(&[
        "no match is named \"nobody\"; there are \"a giver against none\", \"the same by a value\"",
    ]);
}

#[cfg(unix)]
#[test]
fn a_request_to_stop_ends_with_what_is_done_so_far() {
    use crate::support::{finish, signal};
    use std::io::{BufRead, BufReader};
    let place = place(&edited(
        FILE,
        "\"work_units=3000\"",
        "\"work_units=3000000\"",
    ));
    let mut child = place.start(&["experiments", "experiment.toml", "--json"]);
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("[1/3] a giver against none"), "{line}");
    signal(&child, "INT");
    let ended = finish(child);
    assert_eq!(ended.code, Some(5), "{}", ended.out);
    let report = ended.json();
    assert_eq!(report["interrupted"], true);
    assert_eq!(rows(&report).len(), 1);
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_tells_the_games_so_far() {
    use crate::support::{finish, signal};
    let place = place(FILE);
    let arguments = [
        "match",
        "engine.toml",
        "engine.toml",
        "--games",
        "10000000",
        "--json",
    ];
    // A slow machine needs longer for its first games; before them nothing is told.
    for seconds in [1, 4, 16, 64] {
        let child = place.start(&arguments);
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        signal(&child, "INT");
        let ended = finish(child);
        assert_eq!(ended.code, Some(5), "{}", ended.out);
        if !ended.out.is_empty() {
            assert!(
                ended.json()["games"].as_u64().unwrap() >= 200,
                "{}",
                ended.out
            );
            return;
        }
    }
    panic!("no games were over in a minute");
}
