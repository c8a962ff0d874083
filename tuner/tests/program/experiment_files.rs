//! Experiment files: what is refused, with which words, and that those of the project are whole.

use std::path::Path;

use sixfold_tuner::job::experiment::Experiment;

use crate::support::{ENGINE, Place, edited};

const FILE: &str = r#"format = 1
title = "Two engines"
seed = 5
games = 40
budgets = ["simulations=20", "work_units=3000"]   # of a move

[[match]]
name = "one"
a = "engine.toml"
b = "engine.toml"

[[match]]
name = "two"
a = "engine.toml"
b = "engine.toml"
b_values = { "stages.opening.bias.gives" = 0.3 }
sweep = { path = "stages.opening.exploration", values = [0.5, 1], of = "a" }
"#;

/// The file with one change is refused with exactly this, and nothing is played.
#[track_caller]
fn refuses(from: &str, to: &str, message: &str) {
    let place = Place::new();
    place.write("small.toml", ENGINE.replace("rows = 3", "rows = 2"));
    place.write("x.toml", edited(FILE, from, to));
    let said = place.tuner(&["experiments", "x.toml"]).ended(3);
    assert_eq!(
        (said.out.as_str(), said.err.as_str()),
        ("", format!("error: {message}\n").as_str())
    );
}

const NAME: &str = "is no name; expected 1 to 100 characters without |, \", `, \\ and line ends, \
                    and no space around them";
const BUDGETS: &str = "expected a list such as [\"work_units=40000\", \"milliseconds=2\"]";
const SWEPT: &str = "expected a list of 2 to 100 different numbers";

#[test]
fn unknown_missing_and_doubled_keys_are_refused() {
    refuses(
        "games = 40",
        "games = 40\ngame = 2",
        "x.toml:5: `game` is not known here; known keys are budgets, format, games, match, seed, \
         title",
    );
    refuses(
        "name = \"one\"",
        "name = \"one\"\ngame = 2",
        "x.toml:9: `match[0].game` is not known here; known keys are a, a_values, b, b_values, \
         budgets, games, name, sweep",
    );
    refuses(
        ", of = \"a\" }",
        ", of = \"a\", step = 1 }",
        "x.toml:17: `match[1].sweep.step` is not known here; known keys are of, path, values",
    );
    refuses(
        "seed = 5\n",
        "",
        "x.toml:1: `seed` is missing; expected a whole number below 2^53 (the keys here are \
         format, title, games, budgets, match)",
    );
    refuses(
        "name = \"two\"",
        "name = \"one\"",
        "x.toml:13: `match[1].name` is \"one\" a second time",
    );
}

#[test]
fn numbers_names_and_budgets_out_of_their_ranges_are_refused() {
    refuses(
        "format = 1",
        "format = 2",
        "x.toml:1: `format` is 2; this program reads version 1 of the format",
    );
    refuses(
        "games = 40",
        "games = 41",
        "x.toml:4: `games` is 41; games come in pairs: expected an even number",
    );
    refuses(
        "games = 40",
        "games = 0",
        "x.toml:4: `games` is 0; expected a whole number from 2 to 1000000",
    );
    refuses(
        "\"Two engines\"",
        "\"a|b\"",
        &format!("x.toml:2: `title` {NAME}"),
    );
    refuses(
        "\"two\"",
        "\"two \"",
        &format!("x.toml:13: `match[1].name` {NAME}"),
    );
    let budgets = |list: &str, problem: &str| {
        let old = "[\"simulations=20\", \"work_units=3000\"]";
        refuses(old, list, &format!("x.toml:5: `budgets` {problem}"));
    };
    budgets("[]", &format!("is empty; {BUDGETS}"));
    budgets("\"simulations=20\"", &format!("is no list; {BUDGETS}"));
    budgets("[20]", &format!("holds 20; {BUDGETS}"));
    budgets(
        "[\"20\", \"simulations=20\"]",
        "holds \"simulations=20\" a second time",
    );
    budgets(
        "[\"work_units=99\"]",
        "holds \"work_units=99\"; expected simulations=N from 1, work_units=N from 100, \
         milliseconds=N from 1, or with /game behind it",
    );
}

#[test]
fn engines_and_values_that_cannot_be_used_are_refused() {
    let first = "name = \"one\"\na = \"engine.toml\"\nb = \"engine.toml\"";
    refuses(
        first,
        "name = \"one\"\na = \"engine.toml\"\nb = \"small.toml\"",
        "x.toml:10: `match[0].b` is a configuration of another game than a",
    );
    refuses(
        first,
        "name = \"one\"\na = \"x.toml\"\nb = \"engine.toml\"",
        "x.toml:9: `match[0].a` cannot be used: x.toml:1: `game` is missing; expected a table (the \
         keys here are format, title, seed, games, budgets, match)",
    );
    refuses(
        "gives\" = 0.3",
        "gives\" = 3",
        "x.toml:16: `match[1].b_values.stages.opening.bias.gives` is 3; expected a number from -2 \
         to 2",
    );
    let place = Place::new();
    place.write("x.toml", edited(FILE, "bias.gives", "bias.giv"));
    place.tuner(&["experiments", "x.toml"]).ended(3).names(&[
        "x.toml:16: `match[1].b_values.stages.opening.bias.giv` is no parameter of this engine; ",
        "stages.opening.bias.gives",
    ]);
}

#[test]
fn sweeps_that_cannot_be_played_are_refused() {
    let sweep = |from: &str, to: &str, message: &str| {
        refuses(from, to, &format!("x.toml:17: `match[1].sweep.{message}"));
    };
    refuses(
        ", of = \"a\"",
        "",
        "x.toml:17: `match[1].sweep.of` is missing; expected \"a\", \"b\" or \"both\" \
         (the keys here are path, values)",
    );
    sweep(
        "of = \"a\"",
        "of = \"c\"",
        "of` is \"c\"; expected one of \"a\", \"b\", \"both\"",
    );
    sweep(
        "[0.5, 1]",
        "[1, 1.0]",
        &format!("values` holds 1.0; {SWEPT}"),
    );
    sweep(
        "[0.5, 1]",
        "[1]",
        &format!("values` has 1 of them; {SWEPT}"),
    );
    sweep(
        "[0.5, 1]",
        "[1, nan]",
        &format!("values` holds nan; {SWEPT}"),
    );
    sweep(
        "[0.5, 1]",
        "[1, \"2\"]",
        &format!("values` holds \"2\"; {SWEPT}"),
    );
    sweep(
        "[0.5, 1]",
        "[1, 11]",
        "values` holds a value that is refused: `stages.opening.exploration` is 11; \
         expected a number from 0.001 to 10",
    );
    sweep(
        "path = \"stages.opening.exploration\", values = [0.5, 1], of = \"a\"",
        "path = \"stages.opening.bias.gives\", values = [0.5, 1], of = \"both\"",
        "path` is a parameter that the match gives a value too",
    );
    sweep(
        "path = \"stages.opening.exploration\"",
        "path = \"stages.layout.bias.gives\"",
        "path` names `stages.layout.bias.gives`, which in engine.toml is the same as stage \
         opening's here; tune `stages.opening.bias.gives` instead",
    );
}

#[test]
fn a_wrong_command_line_is_refused_with_what_is_allowed() {
    let place = Place::new();
    place.write("x.toml", FILE);
    for (wrong, part) in [
        (&["experiments"][..], "FILE"),
        (&["experiments", "x.toml", "--games", "3"], "even"),
        (
            &["experiments", "x.toml", "--json", "--markdown"],
            "--markdown",
        ),
        (&["experiments", "x.toml", "--threads", "0"], "1..=1024"),
    ] {
        place.tuner(wrong).ended(2).names(&[part]);
    }
    place
        .tuner(&["experiments", "x.toml", "nobody.toml"])
        .ended(3)
        .names(&["nobody.toml"]);
}

#[test]
fn every_experiment_of_the_project_can_be_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/experiments");
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let read = Experiment::load(&path);
            let experiment = read.unwrap_or_else(|error| panic!("{error}"));
            assert!(!experiment.matches.is_empty());
            files += 1;
        }
    }
    assert!(files > 0, "no experiment in {}", folder.display());
}
