//! `solve`, `params`, `perft`, `check` and `bench --signature`.

use serde_json::Value;

use crate::support::{Place, configurations, json_lines};

#[test]
fn the_weights_of_work_are_measured_beside_those_in_force() {
    let said = Place::new()
        .engine(&["bench", "--weights", "--json"])
        .ended(0);
    let costs = &json_lines(&said.out)[0];
    let costs = costs.as_array().unwrap();
    assert_eq!(costs.len(), 6);
    for cost in costs {
        assert!(cost["ns"].as_f64().unwrap() >= 0.0, "{cost}");
        assert!(cost["weight"].as_u64().unwrap() >= 1, "{cost}");
    }
    assert_eq!(costs[0]["measured_weight"], 1.0);
}

#[test]
fn a_solution_has_value_best_moves_and_nodes() {
    let place = Place::new();
    let said = place.engine(&["solve", "1x1:7", "--json"]).ended(0);
    let solution = &json_lines(&said.out)[0];
    assert_eq!(solution["position"], "1x1:7");
    assert_eq!(solution["value"], 1);
    assert_eq!(solution["best_moves"], serde_json::json!([3]));
    assert!(solution["nodes"].is_u64());
    let text = place.engine(&["solve", "1x1:7"]).ended(0).out;
    assert!(text.contains("value       +1"), "{text}");
    assert!(text.contains("best moves  3 ("), "{text}");
}

#[test]
fn a_finished_position_is_solved_and_has_no_best_move() {
    let said = Place::new().engine(&["solve", "1x1:f", "--json"]).ended(0);
    let solution = &json_lines(&said.out)[0];
    assert_eq!(
        [&solution["value"], &solution["best_moves"]],
        [&0.into(), &Value::Array(vec![])]
    );
    Place::new().engine(&["solve", "1x1:f"]).ended(0);
}

#[test]
fn many_positions_are_answered_in_the_order_of_the_input() {
    let place = Place::new();
    let positions = ["2x2:0", "1x1:7", "1x2:0", "3x3:fff", "1x1:f", "2x2:0"];
    let lines = positions
        .map(|position| format!("{{\"position\":\"{position}\"}}\n"))
        .concat();
    // Empty lines, other line ends and a last line without an end are read too.
    place.write(
        "input.jsonl",
        format!("\n{lines}\r\n{{\"position\":\"1x1:0\"}}"),
    );
    let said = place.engine(&["solve", "--input", "input.jsonl"]).ended(0);
    let answers = json_lines(&said.out);
    let named: Vec<&Value> = answers.iter().map(|answer| &answer["position"]).collect();
    assert_eq!(named, [&positions[..], &["1x1:0"]].concat());
    for answer in &answers {
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 4, "{keys:?}");
        for key in ["position", "value", "best_moves", "nodes"] {
            assert!(!answer[key].is_null(), "{key} in {answer}");
        }
    }
    // Every position is solved as if alone.
    assert_eq!(answers[0], answers[5]);
    let piped = place
        .engine_with(&["solve", "--input", "-"], &lines)
        .ended(0);
    assert_eq!(json_lines(&piped.out), answers[..6]);
}

#[test]
fn threads_change_no_answer_but_nodes() {
    let place = Place::new();
    let lines = ["2x3:0", "3x3:1", "1x1:f"]
        .map(|position| format!("{{\"position\":\"{position}\"}}\n"))
        .concat();
    for more in [&[][..], &["--all-moves"], &["--win-loss"]] {
        let said = |threads: &str| {
            let mut arguments = vec!["solve", "--input", "-", "--threads", threads];
            arguments.extend(more);
            let mut answers = json_lines(&place.engine_with(&arguments, &lines).ended(0).out);
            for answer in &mut answers {
                assert!(answer.as_object_mut().unwrap().remove("nodes").is_some());
            }
            answers
        };
        let alone = said("1");
        assert_eq!(alone.len(), 3);
        assert_eq!([said("2"), said("3")], [alone.clone(), alone]);
    }
    for wrong in ["0", "257", "1.5", "two"] {
        let said = place.engine(&["solve", "2x2:0", "--threads", wrong]);
        let said = said.ended(2);
        assert!(
            said.err.contains("--threads") && said.err.contains("256"),
            "{said:?}"
        );
    }
}

#[test]
fn win_loss_says_who_wins_with_the_boxes_taken_so_far() {
    let place = Place::new();
    let said = |position: &str| {
        let arguments = ["solve", position, "--win-loss", "--json"];
        json_lines(&place.engine(&arguments).ended(0).out)[0].clone()
    };
    assert_eq!(said("1x2:0")["result"], "draw");
    assert_eq!(said("1x2:0")["best_move"], 5);
    assert_eq!(said("1x1:7")["result"], "win");
    assert_eq!(said("1x1:0")["result"], "loss");
    assert_eq!(said("1x1:0")["best_move"], serde_json::Value::Null);
    assert_eq!(said("1x1:f:1-0:2")["result"], "loss");
    let text = place.engine(&["solve", "1x2:0", "--win-loss"]).ended(0).out;
    assert!(
        text.contains("result      draw") && text.contains("best move   5"),
        "{text}"
    );
    place
        .engine(&["solve", "1x2:0", "--win-loss", "--all-moves"])
        .ended(2);
}

#[test]
fn all_moves_lists_every_optimal_move() {
    let place = Place::new();
    let best = |more: &[&str]| {
        let said = place
            .engine(&[&["solve", "1x2:0", "--json"], more].concat())
            .ended(0);
        json_lines(&said.out)[0]["best_moves"]
            .as_array()
            .unwrap()
            .clone()
    };
    let (some, all) = (best(&[]), best(&["--all-moves"]));
    assert!(all.len() >= some.len());
    assert!(
        some.iter().all(|edge| all.contains(edge)),
        "{some:?} {all:?}"
    );
}

#[test]
fn every_parameter_has_a_default_in_its_range_and_a_meaning() {
    let said = Place::new().engine(&["params", "--json"]).ended(0);
    let rows: Vec<Value> = serde_json::from_str(&said.out).unwrap();
    assert!(rows.len() >= 8);
    let is_choice = |row: &&Value| row["type"] == "choice";
    let choices: Vec<&Value> = rows.iter().filter(is_choice).collect();
    // Four of Dots and Boxes, three of the Amazons.
    assert_eq!(choices.len(), 7);
    for row in choices {
        assert!(
            row["words"]
                .as_array()
                .is_some_and(|words| words.len() >= 2),
            "{row}"
        );
    }
    for row in rows.iter().filter(|row| !is_choice(row)) {
        let number = |key: &str| {
            row[key]
                .as_f64()
                .unwrap_or_else(|| panic!("{key} in {row}"))
        };
        assert!(number("min") < number("max"), "{row}");
        assert!(
            (number("min")..=number("max")).contains(&number("default")),
            "{row}"
        );
        assert!(number("step") > 0.0, "{row}");
        for key in ["name", "type", "scale", "unit", "meaning"] {
            assert!(
                row[key].as_str().is_some_and(|text| !text.is_empty()),
                "{key} in {row}"
            );
        }
    }
}

#[test]
fn the_parameters_of_a_configuration_have_its_paths_and_values() {
    let place = Place::new();
    let said = place
        .engine(&["params", "--config", "small.toml", "--json"])
        .ended(0);
    let rows: Vec<Value> = serde_json::from_str(&said.out).unwrap();
    let row = |path: &str| rows.iter().find(|row| row["path"] == path);
    assert_eq!(row("stages.opening.exploration").unwrap()["value"], 0.5);
    assert_eq!(row("stages.opening.bias.capture").unwrap()["value"], 0.2);
    assert_eq!(row("stages.endgame.from.edges_left").unwrap()["value"], 3.0);
    assert!(
        row("stages.layout.exploration").is_none(),
        "a shared value is its owner's alone"
    );
    let rollout = row("stages.opening.rollout").unwrap();
    assert_eq!(rollout["words"], serde_json::json!(["uniform", "safe"]));
    assert!(
        rollout["words"]
            .as_array()
            .unwrap()
            .contains(&rollout["value"])
    );
    place.engine(&["params"]).ended(0);
    place.engine(&["params", "--config", "small.toml"]).ended(0);
}

#[test]
fn perft_counts_sequences_of_moves() {
    let place = Place::new();
    for (position, depth, count) in [
        ("2x2:0", "0", "1"),
        ("2x2:0", "1", "12"),
        ("2x2:0", "3", "1320"),
        ("1x1:0", "4", "24"),
        ("1x1:0", "9", "0"),
        ("1x1:f", "1", "0"),
    ] {
        let said = place.engine(&["perft", position, depth]).ended(0);
        assert_eq!(said.out.trim(), count, "{position} {depth}");
    }
    place
        .engine(&["perft", "5x5:0", "20"])
        .ended(3)
        .names(&["depth 20", "at most"]);
    place.engine(&["perft", "5x5:0", "65"]).ended(2);
    place.engine(&["perft", "5x5:0", "-1"]).ended(2);
}

#[test]
fn a_configuration_that_is_checked_is_shown_resolved() {
    let place = Place::new();
    let said = place.engine(&["check", "small.toml"]).ended(0);
    for part in [
        "is valid",
        "1x2 boxes",
        "20 simulations",
        "[exploration as opening]",
        "alpha-beta",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
}

#[test]
fn every_configuration_of_the_house_is_valid() {
    let place = Place::new();
    let mut count = 0;
    for entry in std::fs::read_dir(configurations()).unwrap() {
        place
            .engine(&["check", entry.unwrap().path().to_str().unwrap()])
            .ended(0);
        count += 1;
    }
    assert!(count >= 3);
}

/// A change of behaviour is a decision: whoever makes one writes the new signature into the file.
#[test]
fn the_signature_of_the_behaviour_is_the_committed_one() {
    let said = Place::new().engine(&["bench", "--signature"]).ended(0);
    let committed = include_str!("../signature.txt");
    assert_eq!(
        said.out, committed,
        "if the change is meant: engine/tests/signature.txt"
    );
}

#[test]
fn bench_measures_the_game_of_the_configuration() {
    let place = Place::new();
    let file = configurations().join("amazons-small.toml");
    let options = ["--seconds", "0.01", "--json"];
    let said =
        place.engine(&[&["bench", "--config", file.to_str().unwrap()], &options[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&said.ended(0).out).expect("JSON");
    for figure in [
        "evaluations_per_s",
        "evaluations_to_naive",
        "search_nodes_per_s",
        "uct_simulations_per_s",
        "solver_nodes_per_s",
        "games_per_s",
    ] {
        assert!(report[figure].as_f64() > Some(0.0), "{figure}: {report}");
    }
    let sides = report["seconds_per_game"].as_array().expect("boards");
    assert_eq!(sides.len(), 3);
    let committed = include_str!("../signature.txt");
    let signature = report["signature"].as_str().expect("a number");
    assert!(
        committed.contains(&format!("amazons={signature}")),
        "{signature}"
    );
}

#[test]
fn bench_measures_whole_searches_of_uct_alone_when_asked() {
    let place = Place::new();
    for rollout in ["uniform", "safe"] {
        let options = ["--simulations", "30", "--seconds", "0.01"];
        let said = place.engine(&[&["bench", "--uct", rollout], &options[..]].concat());
        let said = said.ended(0);
        let speed: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let made = speed["simulations"].as_u64().expect("a number");
        assert!(made > 0 && made.is_multiple_of(30), "{speed}");
        assert!(speed["simulations_per_s"].as_f64() > Some(0.0), "{speed}");
    }
    for refused in [
        &["bench", "--uct", "random"][..],
        &["bench", "--uct", "safe", "--simulations", "0"],
        &["bench", "--simulations", "30"],
        &["bench", "--uct", "safe", "--signature"],
    ] {
        place.engine(refused).ended(2);
    }
}
