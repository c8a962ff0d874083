//! Positions, input lines and configurations that cannot be used: refused with their place.

use crate::support::{Place, SMALL};

#[test]
fn a_malformed_position_is_refused_with_what_is_expected() {
    let place = Place::new();
    let long = format!("5x5:{}", "0".repeat(10_000));
    for (position, part) in [
        ("5x5:zz", "hexadecimal"),
        ("1x1:ff", "from 0 to f"),
        ("0x5:0", "rows"),
        ("5x0:0", "columns"),
        ("99999x99999:0", "rows"),
        ("99999999999999999999x1:0", "rows"),
        ("21x21:0", "at most 64"),
        ("", "ROWSxCOLS"),
        (" ", "ROWSxCOLS"),
        ("5x5", "HEXMASK"),
        ("5x5:", "hexadecimal"),
        ("5x5:0x1", "hexadecimal"),
        ("5x5:-1", "hexadecimal"),
        ("+5x5:0", "rows"),
        ("5x5:0:0-0", ""),
        ("5x5:0:0-0:3", "neither 1 nor 2"),
        ("5x5:0:1-0:1", ""),
        ("1x1:f:1-0:1:1:1", ""),
        ("５x5:0", "rows"),
        (&long, "hexadecimal"),
    ] {
        for command in [&["solve", position][..], &["perft", position, "1"]] {
            let said = place.engine(command).ended(3).names(&["position", part]);
            assert!(said.err.len() < 500, "{}", said.err);
            assert!(said.out.is_empty(), "{}", said.out);
        }
    }
}

#[test]
fn an_endless_position_is_not_repeated_in_the_error() {
    let long = format!("5x5:{}", "0".repeat(10_000));
    let said = Place::new().engine(&["solve", &long]).ended(3);
    assert!(said.err.len() < 500, "{} bytes", said.err.len());
    let said = Place::new().engine(&["solve", "5x5:\u{1b}[2J"]).ended(3);
    assert!(!said.err.contains('\u{1b}'), "{:?}", said.err);
}

#[test]
fn a_bad_input_line_is_refused_with_its_number_before_anything_is_answered() {
    let place = Place::new();
    let good = "{\"position\":\"1x1:0\"}\n";
    for (bad, part) in [
        ("{\"position\":\"1x1:ff\"}", "from 0 to f"),
        ("{\"position\":\"1x1:0\"", "no request"),
        ("{\"position\":\"1x", "no request"),
        ("{\"position\":1}", "no request"),
        ("{\"positions\":\"1x1:0\"}", "no request"),
        ("{\"position\":\"1x1:0\",\"depth\":1}", "no request"),
        (
            "{\"position\":\"1x1:0\"}{\"position\":\"1x1:0\"}",
            "no request",
        ),
        (
            "{\"position\":\"1x1:0\",\"position\":\"1x1:1\"}",
            "no request",
        ),
        ("[]", "no request"),
        ("1x1:0", "no request"),
        ("null", "no request"),
        (&" ".repeat(5000), "at most 4096"),
    ] {
        for end in ["", "\n"] {
            place.write("input.jsonl", format!("{good}\n{bad}{end}"));
            let said = place.engine(&["solve", "--input", "input.jsonl"]).ended(3);
            let said = said.names(&["input.jsonl:3", part]);
            assert!(said.out.is_empty(), "{}", said.out);
            let said = place.engine_with(&["solve", "--input", "-"], bad).ended(3);
            said.names(&["1: "]);
        }
    }
}

#[test]
fn an_input_that_is_no_text_or_no_file_is_refused() {
    let place = Place::new();
    place.write("binary.jsonl", [0u8, 255, 1, 10]);
    place
        .engine(&["solve", "--input", "binary.jsonl"])
        .ended(3)
        .names(&["binary.jsonl:1"]);
    place
        .engine(&["solve", "--input", "nobody.jsonl"])
        .ended(3)
        .names(&["nobody.jsonl"]);
    place.engine(&["solve", "--input", "."]).ended(3);
    place.write("empty.jsonl", "");
    place
        .engine(&["solve", "--input", "empty.jsonl"])
        .ended(3)
        .names(&["empty.jsonl:1", "no request"]);
    place.engine(&["solve"]).ended(2);
    place
        .engine(&["solve", "1x1:0", "--input", "empty.jsonl"])
        .ended(2);
    place
        .engine(&["solve", "1x1:0", "--table-mib", "0"])
        .ended(2)
        .names(&["1..=65536"]);
}

/// The small configuration with this change is refused, naming all of these.
#[track_caller]
fn configuration(from: &str, to: &str, parts: &[&str]) {
    assert_eq!(SMALL.matches(from).count(), 1, "{from}");
    let place = Place::new();
    place.write("bad.toml", SMALL.replace(from, to));
    for command in [
        &["check", "bad.toml"][..],
        &["params", "--config", "bad.toml"],
        &["play", "--config", "bad.toml"],
        &["play", "--config", "small.toml", "--against", "bad.toml"],
        &["bench", "--config", "bad.toml"],
    ] {
        let said = place
            .engine(command)
            .ended(3)
            .names(parts)
            .names(&["bad.toml"]);
        assert!(said.out.is_empty(), "{}", said.out);
    }
}

#[test]
fn a_configuration_that_cannot_be_used_is_refused_with_line_key_and_range() {
    configuration(
        "format = 1",
        "format = 2",
        &["bad.toml:2", "`format` is 2", "version 1"],
    );
    configuration(
        "rows = 1",
        "rows = 0",
        &["bad.toml:6", "`game.rows`", "from 1 to 21"],
    );
    configuration("rows = 1", "rows = 99", &["`game.rows`", "from 1 to 21"]);
    configuration("rows = 1", "rows = 21", &["`game.rows`", "at most 64"]);
    configuration("rows = 1", "rows = \"1\"", &["`game.rows`", "whole number"]);
    configuration(
        "rows = 1",
        "rows = 1\nrows = 2",
        &["bad.toml:7", "duplicate key"],
    );
    configuration(
        "\"dots_and_boxes\"",
        "\"chess\"",
        &["`game.name`", "dots_and_boxes"],
    );
    configuration("simulations = 20", "simulation = 20", &["`budget."]);
    configuration(
        "simulations = 20",
        "simulations = 0",
        &["`budget.simulations`", "from 1"],
    );
    configuration(
        "table_mib = 1",
        "table_mib = 65537",
        &["`solver.table_mib`", "65536"],
    );
    configuration(
        "exploration = 0.5 ",
        "exploration = nan",
        &["bad.toml:18", "NaN", "from 0"],
    );
    configuration(
        "exploration = 0.5 ",
        "exploration = inf",
        &["bad.toml:18", "from 0"],
    );
    configuration(
        "exploration = 0.5 ",
        "exploration = \"late\"",
        &["late", "the stages are"],
    );
    configuration(
        "exploration = \"opening\"",
        "exploration = \"layout\"",
        &["its own stage"],
    );
    configuration(
        "exploration = \"opening\"",
        "exploration = \"endgame\"",
        &["no such constant"],
    );
    configuration(
        "capture = 0.2",
        "captures = 0.2",
        &["bad.toml:19", "captures", "known keys"],
    );
    configuration(
        "capture = 0.2",
        "capture = 5.0",
        &["capture`", "from -2 to 2"],
    );
    configuration("ply = 0", "ply = 1", &["`stages.opening`", "ply = 0"]);
    configuration("ply = 2", "ply = 0", &["`stages.layout`", "ordered"]);
    configuration(
        "ply = 2",
        "ply = 2, edges_left = 5",
        &["exclude each other"],
    );
    configuration(
        "searcher = \"alpha_beta\"",
        "searcher = \"mcts\"",
        &["uct", "alpha_beta"],
    );
    configuration(
        "searcher = \"alpha_beta\"",
        "",
        &["`stages.endgame.searcher` is missing"],
    );
    configuration("[stages.layout]", "[stages.\"a b\"]", &["no stage name"]);
    configuration(
        "exploration = 0.5 ",
        "exploration = { from = 0.5, to = 0.1 }",
        &["bad.toml:18", "exploration.shape` is missing", "geometric"],
    );
    configuration(
        "exploration = 0.5 ",
        "exploration = { from = 0.5, shape = \"linear\" }",
        &["bad.toml:18", "exploration.to` is missing", "0.001 to 10"],
    );
    configuration(
        "exploration = 0.5 ",
        "exploration = { from = 0.5, to = 0.0, shape = \"linear\" }",
        &["exploration.to` is 0", "from 0.001 to 10"],
    );
    configuration(
        "exploration = 0.5 ",
        "exploration = { from = 0.5, to = 0.1, shape = \"sine\" }",
        &["exploration.shape`", "linear", "geometric"],
    );
    configuration("ply = 2", "filled = 1.5", &["from.filled`", "from 0 to 1"]);
    configuration("ply = 2", "solvable = false", &["from.solvable`", "true"]);
    configuration(
        "searcher = \"alpha_beta\"",
        "searcher = \"iterative_deepening\"\nrollout = \"safe\"",
        &["stages.endgame.rollout`", "known keys"],
    );
    configuration(
        "simulations = 20",
        "simulations = 20\nmilliseconds = 5",
        &["`budget", "exclude each other"],
    );
    configuration(
        "simulations = 20",
        "milliseconds = 0",
        &["milliseconds`", "from 1"],
    );
    configuration(
        "simulations = 20",
        "simulations = 20\nper = \"turn\"",
        &["`budget.per`", "move", "game"],
    );
    configuration(
        "simulations = 20",
        "milliseconds = 5\nmove_overhead_ms = 5",
        &["`budget.move_overhead_ms`", "less than the 5"],
    );
    configuration(
        "searcher = \"alpha_beta\"",
        "searcher = \"leaf_ucb\"\ntranspositions = \"shared\"",
        &["stages.endgame.transpositions`", "known keys"],
    );
    configuration(
        "simulations = 20",
        "simulations = 20\nmove_overhead_ms = 5",
        &["`budget.move_overhead_ms`", "milliseconds"],
    );
    configuration(
        "[stages.layout]",
        "[stages.layout]\nshare = 0.0",
        &["stages.layout.share`", "from 0.001"],
    );
    configuration(
        "[solver]",
        "[solver]\n= 1",
        &["bad.toml:13", "not valid TOML"],
    );
}

#[test]
fn files_that_are_no_configurations_are_refused() {
    let place = Place::new();
    place.write("empty.toml", "");
    place.write("binary.toml", [0u8, 159, 146, 150]);
    place.write("large.toml", vec![b'#'; 2 << 20]);
    std::fs::create_dir(place.path("folder.toml")).unwrap();
    for (file, part) in [
        ("empty.toml", "`format` is missing"),
        ("binary.toml", "UTF-8"),
        ("large.toml", "at most 1048576"),
        ("folder.toml", "not a file"),
        ("nobody.toml", "nobody.toml"),
    ] {
        place.engine(&["check", file]).ended(3).names(&[file, part]);
    }
}
