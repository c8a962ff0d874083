//! Jobs that cannot be used: refused with file, line, key and what is allowed; nothing is written.

use crate::support::{ENGINE, JOB, Place, edited};

/// `check` and `run` refuse the place's job, name all of these, and write nothing.
#[track_caller]
fn refuses(place: &Place, job: &str, parts: &[&str]) {
    let before = place.files(".");
    for command in ["check", "run"] {
        place.tuner(&[command, job]).ended(3).names(parts);
    }
    assert_eq!(place.files("."), before);
}

/// The job with this change is refused.
#[track_caller]
fn job(from: &str, to: &str, parts: &[&str]) {
    let text = edited(JOB, from, to);
    let place = Place::with_job(&text);
    refuses(&place, "job.toml", parts);
}

/// The job is refused for this change of its engine.
#[track_caller]
fn engine(from: &str, to: &str, parts: &[&str]) {
    let place = Place::new();
    place.write("engine.toml", edited(ENGINE, from, to));
    refuses(&place, "job.toml", parts);
}

#[test]
fn unknown_keys_are_refused_with_their_line() {
    job(
        "seed = 7",
        "seed = 7\nsede = 8",
        &["job.toml:3", "`sede`", "known keys"],
    );
    job(
        "rounds = 3",
        "rounds = 3\nrouns = 1",
        &["`run.rouns`", "known keys"],
    );
    job(
        "kind = \"pooled\"",
        "kind = \"pooled\"\nreward = 2.0",
        &["`learner.reward`"],
    );
    job(
        "alpha = 0.05",
        "alpha = 0.05\ngamma = 1",
        &["`verification.gamma`"],
    );
    job(
        "config = \"engine.toml\"",
        "config = \"engine.toml\"\nx = 1",
        &["`engine.x`"],
    );
    job(
        "alpha = 0.05",
        "alpha = 0.05\nreference_games = 2",
        &["`verification.reference_games`"],
    );
    engine(
        "exploration = 1.0 ",
        "explorations = 1.0",
        &["engine.toml:18", "explorations"],
    );
}

#[test]
fn wrong_types_are_refused_with_what_is_expected() {
    job(
        "seed = 7",
        "seed = \"7\"",
        &["job.toml:2", "`seed`", "whole number"],
    );
    job("seed = 7", "seed = 7.5", &["`seed`", "whole number"]);
    job(
        "rounds = 3",
        "rounds = true",
        &["`run.rounds`", "whole number"],
    );
    job(
        "alpha = 0.05",
        "alpha = []",
        &["`verification.alpha`", "number"],
    );
    job("[budget]\n", "[[budget]]\n", &["`budget`"]);
    job(
        "config = \"engine.toml\"",
        "config = 1",
        &["`engine.config`", "string"],
    );
    job(
        "kind = \"pooled\"",
        "kind = 1",
        &["`learner.kind`", "pooled"],
    );
    engine(
        "table_mib = 1",
        "table_mib = 1.5",
        &["engine.toml", "`solver.table_mib`", "65536"],
    );
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    job(
        "seed = 7",
        "seed = -1",
        &["`seed`", "from 0 to 9007199254740991"],
    );
    job(
        "seed = 7",
        "seed = 9007199254740992",
        &["`seed`", "from 0 to 9007199254740991"],
    );
    job("rounds = 3", "rounds = 0", &["`run.rounds`", "from 1 to"]);
    job(
        "trials_in_flight = 3",
        "trials_in_flight = 0",
        &["from 1 to 4096"],
    );
    job(
        "simulations = 20",
        "simulations = 0",
        &["`budget.simulations`", "from 1 to"],
    );
    job(
        "simulations = 20",
        "work_units = 99",
        &["`budget.work_units`", "from 100 to"],
    );
    job(
        "alpha = 0.05",
        "alpha = 0.5",
        &["`verification.alpha`", "to 0.4"],
    );
    job(
        "nelo_high = -100.0",
        "nelo_high = -200.0",
        &["`verification.nelo_high`"],
    );
    job(
        "kind = \"pooled\"",
        "kind = \"pooled\"\nepsilon = 1.1",
        &["`learner.epsilon`", "[0, 1]"],
    );
    job(
        "episodes = 12",
        "episodes = 0",
        &["`learner.episodes`", "[1, "],
    );
    let first = "bias.capture\"\nstep = 0.2";
    let with = |more: &str| format!("{first}\n{more}");
    job(
        first,
        &with("min = -9.0"),
        &["`parameters", "min`", "-2 to 2"],
    );
    job(
        first,
        &with("min = 1.0\nmax = 1.0"),
        &["max`", "more than min"],
    );
    job(first, &with("start = 1.5\nmax = 1.0"), &["start`", "to 1"]);
    job(first, "bias.capture\"\nstep = 0.0", &["step`", "0.000001"]);
    engine(
        "rows = 3",
        "rows = 0",
        &["engine.toml:6", "`game.rows`", "from 1 to"],
    );
    engine("rows = 3", "rows = 12", &["`game.rows`", "at most 64"]);
    engine(
        "exploration = 1.0 ",
        "exploration = -1.0",
        &["exploration`", "from 0"],
    );
}

#[test]
fn what_is_not_finite_is_refused() {
    for word in ["nan", "inf", "-inf"] {
        job(
            "alpha = 0.05",
            &format!("alpha = {word}"),
            &["`verification.alpha`"],
        );
        job(
            "nelo_high = -100.0",
            &format!("nelo_high = {word}"),
            &["`verification.nelo_high`"],
        );
        job(
            "episodes = 12",
            &format!("episodes = 12\ngamma = {word}"),
            &["`learner.gamma`"],
        );
        engine(
            "exploration = 1.0 ",
            &format!("exploration = {word}"),
            &["exploration`"],
        );
    }
}

#[test]
fn what_no_float_can_hold_is_refused_with_its_line() {
    job(
        "alpha = 0.05",
        "alpha = 1e999",
        &["job.toml:30", "not valid TOML"],
    );
    job(
        "seed = 7",
        "seed = 99999999999999999999",
        &["job.toml:2", "not valid TOML"],
    );
}

#[test]
fn missing_and_double_keys_are_refused() {
    job("seed = 7\n", "", &["`seed` is missing"]);
    job(
        "seed = 7",
        "seed = 7\nseed = 8",
        &["job.toml:3", "duplicate key"],
    );
    job("kind = \"pooled\"\n", "", &["`learner.kind` is missing"]);
    job(
        "config = \"engine.toml\"\n",
        "",
        &["`engine.config` is missing"],
    );
    job("[budget]\nsimulations = 20\n", "", &["`budget` is missing"]);
    job(
        "simulations = 20",
        "simulations = 20\nwork_units = 4000",
        &["exclude each other"],
    );
    engine(
        "rows = 3",
        "rows = 3\nrows = 3",
        &["engine.toml:7", "duplicate key"],
    );
    engine("[solver]\ntable_mib = 1\n", "", &["`solver` is missing"]);
}

#[test]
fn another_version_of_the_format_is_refused_naming_both() {
    job(
        "format = 1",
        "format = 2",
        &["job.toml:1", "`format` is 2", "version 1"],
    );
    job("format = 1", "format = \"1\"", &["`format`"]);
    engine(
        "format = 1",
        "format = 3",
        &["engine.toml", "`format` is 3", "version 1"],
    );
}

#[test]
fn files_that_are_no_texts_are_refused() {
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
        ("engine.toml", "engine.toml"),
    ] {
        refuses(&place, file, &[part]);
        place.write(
            "job2.toml",
            edited(JOB, "\"engine.toml\"", &format!("\"{file}\"")),
        );
        if file != "engine.toml" {
            refuses(&place, "job2.toml", &[file, part]);
        }
    }
}

#[test]
fn a_parameter_must_exist_have_a_value_of_its_own_and_be_listed_once() {
    let gives = "stages.opening.bias.gives";
    job(
        gives,
        "stages.opening.bias.give",
        &["no parameter", "stages.opening.bias.gives"],
    );
    job(
        gives,
        "stages.layout.bias.gives",
        &["stages.opening.bias.gives", "same as"],
    );
    job(gives, "stages.endgame.exploration", &["no parameter"]);
    job(gives, "", &["no parameter"]);
    job(gives, "stages.opening.bias.capture", &["a second time"]);
    let second = "[[parameters]]\npath = \"stages.opening.bias.gives\"\nstep = 0.2\n";
    job(second, "", &["`parameters`", "at least two"]);
}

#[test]
fn rules_between_parameters_hold_at_the_start() {
    let gives = "path = \"stages.opening.bias.gives\"\nstep = 0.2";
    let later = "path = \"stages.layout.from.ply\"\nstep = 1\nstart = 0";
    job(gives, later, &["layout"]);
}

#[test]
fn games_come_in_pairs() {
    job(
        "games_max = 200",
        "games_max = 201",
        &["`verification.games_max`", "even"],
    );
    job(
        "batch_games = 20",
        "batch_games = 7",
        &["`verification.batch_games`", "even"],
    );
    job(
        "measured_games = 20",
        "measured_games = 1",
        &["`verification.measured_games`"],
    );
    job(
        "games_per_episode = 4",
        "games_per_episode = 5",
        &["games_per_episode`", "even"],
    );
}

#[test]
fn a_reference_must_play_the_same_game() {
    let text = edited(
        JOB,
        "[budget]",
        "[reference]\nconfig = \"other.toml\"\n\n[budget]",
    );
    let text = edited(
        &text,
        "games_max = 200",
        "games_max = 200\nreference_games = 20",
    );
    let place = Place::with_job(&text);
    place.write("other.toml", ENGINE.replace("cols = 3", "cols = 2"));
    refuses(&place, "job.toml", &["`reference`", "another game"]);
    place.write("other.toml", "");
    refuses(&place, "job.toml", &["other.toml"]);
}

#[test]
fn a_folder_of_runs_that_cannot_be_one_is_an_error_and_no_panic() {
    let place = Place::new();
    for runs in ["engine.toml", "engine.toml/runs"] {
        let said = place.tuner(&["run", "job.toml", "--runs", runs]);
        assert!(matches!(said.code, Some(1 | 3)), "{said:?}");
        assert!(!said.err.contains("panicked"), "{}", said.err);
        said.names(&["engine.toml"]);
    }
}

#[test]
fn commands_that_need_a_run_refuse_what_is_none() {
    let place = Place::new();
    for command in ["resume", "verify", "status"] {
        for run in ["nobody", "../nobody", ".", "", "job.toml"] {
            let said = place.tuner(&[command, run]);
            assert_eq!(said.code, Some(3), "{command} {run:?}: {said:?}");
        }
    }
    place.tuner(&["export", ".", "--to", "x.toml"]).ended(3);
    assert!(!place.path("runs").exists() && !place.path("x.toml").exists());
}

#[test]
fn a_parameter_without_a_place_in_the_configuration_is_refused_before_the_first_game() {
    job(
        "path = \"stages.opening.bias.gives\"",
        "path = \"stages.opening.margin_weight\"",
        &["margin_weight", "leaves at its default"],
    );
}

#[test]
fn starts_of_stages_whose_ranges_overlap_are_refused() {
    let overlapping = "path = \"stages.layout.from.ply\"\nmin = 0\nmax = 9\nstart = 6\n";
    job(
        "path = \"stages.opening.bias.gives\"\nstep = 0.2\n",
        overlapping,
        &["stages out of order", "narrow min and max"],
    );
}

#[test]
fn the_start_of_the_first_stage_is_no_parameter() {
    job(
        "path = \"stages.opening.bias.gives\"\nstep = 0.2",
        "path = \"stages.opening.from.ply\"",
        &["stages.opening.from.ply", "no parameter"],
    );
}

#[test]
fn budgets_that_no_trial_or_batch_fits_into_are_refused() {
    job(
        "rounds = 3",
        "rounds = 3\ngames = 2",
        &["run.games", "from 4"],
    );
    job(
        "games_max = 200",
        "games_max = 10",
        &["games_max", "at least batch_games"],
    );
    job(
        "games_max = 200",
        "games_max = 210",
        &["games_max", "whole batches", "200 or 220"],
    );
    for (first, part) in [("7", "even"), ("202", "at most games_max"), ("0", "from 2")] {
        let key = format!("batch_games = 20\nfirst_look_games = {first}");
        job("batch_games = 20", &key, &["first_look_games", part]);
    }
}

#[test]
fn a_stage_that_starts_before_the_board_has_so_many_edges_is_refused() {
    engine(
        "from = { edges_left = 10 }",
        "from = { edges_left = 25 }",
        &["endgame", "25", "24"],
    );
}
