//! Both programs together: what one writes, the other reads. Their paths come from the variables
//! SIXFOLD_ENGINE and SIXFOLD_TUNER, which `tests/run` sets; without them they are built first.

mod programs;

use std::fs;
use std::path::Path;

use programs::{Said, engine, tuner};

const JOB: &str = r#"format = 1
seed = 12

[engine]
config = "engine.toml"

[budget]
simulations = 20

[[parameters]]
path = "stages.opening.bias.capture"
step = 0.2

[[parameters]]
path = "stages.opening.bias.gives"
step = 0.2

[learner]
kind = "pooled"
episodes = 12
games_per_episode = 4

[run]
rounds = 3
trials_in_flight = 3

[verification]
nelo_low = -200.0
nelo_high = -100.0
alpha = 0.05
beta = 0.05
games_max = 200
batch_games = 20
measured_games = 20
"#;

fn configurations() -> std::path::PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .parent()
        .expect("a folder of the workspace")
        .join("configs")
}

/// The default configuration of the house on a small board.
fn small_engine() -> String {
    let text = fs::read_to_string(configurations().join("engines/dots-default.toml")).unwrap();
    let text = text
        .replace("rows = 5", "rows = 3")
        .replace("cols = 5", "cols = 3");
    text.replace("edges_left = 38", "edges_left = 8")
        .replace("table_mib = 64", "table_mib = 1")
        .replace("work_units = 500_000_000", "work_units = 500_000")
}

fn value_of(parameters: &Said, path: &str) -> f64 {
    let rows = parameters.json();
    let row = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["path"] == path);
    row.unwrap_or_else(|| panic!("{path} in {rows}"))["value"]
        .as_f64()
        .unwrap()
}

#[test]
fn the_engine_plays_with_what_the_tuner_exports() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("engine.toml"), small_engine()).unwrap();
    fs::write(place.join("mine.toml"), small_engine()).unwrap();
    fs::write(place.join("job.toml"), JOB).unwrap();
    tuner(place, &["run", "job.toml"]).done();
    for target in ["mine.toml", "new.toml"] {
        tuner(place, &["export", "job", "--to", target, "--force"]).done();
        engine(place, &["check", target]).done();
        let said = engine(
            place,
            &["play", "--config", target, "--against", "engine.toml"],
        )
        .done();
        assert!(said.out.ends_with(".\n"), "{}", said.out);
        let view = tuner(place, &["status", "job", "--json"]).done().json();
        let parameters = engine(place, &["params", "--config", target, "--json"]).done();
        for parameter in view["parameters"].as_array().unwrap() {
            assert_ne!(
                parameter["before"], parameter["now"],
                "an export must show a change"
            );
            let path = parameter["path"].as_str().unwrap();
            assert_eq!(
                value_of(&parameters, path),
                parameter["now"].as_f64().unwrap(),
                "{path}"
            );
        }
    }
    // What a run keeps is a configuration as well.
    engine(place, &["check", "runs/job/tuned.toml"]).done();
}

#[test]
fn every_parameter_that_the_engine_lists_can_be_tuned_once_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("engine.toml"), small_engine()).unwrap();
    let said = engine(place, &["params", "--config", "engine.toml", "--json"]).done();
    let rows = said.json();
    let paths: Vec<&str> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["path"].as_str().unwrap())
        .collect();
    assert!(paths.len() >= 8, "{paths:?}");
    let entry = |path: &str| {
        let row = rows
            .as_array()
            .unwrap()
            .iter()
            .find(|row| row["path"] == path);
        format!("{path}\"\n{}", range_of(row.unwrap()))
    };
    let mut tuned = 0;
    for pair in paths.windows(2) {
        let (first, second) = (entry(pair[0]), entry(pair[1]));
        let job = JOB
            .replace("stages.opening.bias.capture\"\nstep = 0.2", &first)
            .replace("stages.opening.bias.gives\"\nstep = 0.2", &second);
        fs::write(place.join("job.toml"), job).unwrap();
        // An export replaces values: a key that the file leaves out has to be written first.
        match tuner(place, &["check", "job.toml"]).refused() {
            None => tuned += 1,
            Some(error) => {
                let hint = "which engine.toml leaves at its default; write the key there";
                assert!(error.contains(hint), "{error}");
                let is_left_out = |path: &&str| error.contains(&format!("`{path}`"));
                let left_out = pair.iter().find(|path| is_left_out(path));
                let name = left_out.unwrap().rsplit('.').next().unwrap();
                let key = format!("{name} =");
                let stage = stage_text(&small_engine(), left_out.unwrap());
                assert!(!stage.contains(&key), "{error}: {stage}");
            }
        }
    }
    assert!(tuned >= 8, "{tuned} pairs");
}

/// What the job says of a parameter besides its path. Stages must stay in order wherever their
/// starts are edited to: those get a narrow range. Of a choice, the word in force and another.
fn range_of(row: &serde_json::Value) -> String {
    if let Some(words) = row["words"].as_array() {
        let other = words.iter().find(|&word| *word != row["value"]).unwrap();
        return format!("words = [{}, {other}]", row["value"]);
    }
    if !row["path"].as_str().unwrap().contains(".from.") {
        return String::new();
    }
    let value = row["value"].as_f64().unwrap();
    format!("min = {value}\nmax = {}", value + 1.0)
}

/// The table of the stage that a path names.
fn stage_text(text: &str, path: &str) -> String {
    let name = path.split('.').nth(1).unwrap();
    let (_, behind) = text.split_once(&format!("[stages.{name}]")).unwrap();
    let table = behind.split("\n[").next().unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_configuration_of_the_house_is_accepted_by_the_programs() {
    let folder = tempfile::tempdir().unwrap();
    let list = |name: &str| {
        let entries = fs::read_dir(configurations().join(name)).unwrap();
        entries.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
    };
    for file in list("engines") {
        engine(folder.path(), &["check", &file]).done();
    }
    for file in list("jobs") {
        tuner(folder.path(), &["check", &file]).done();
    }
}

#[test]
fn help_of_both_programs_lists_their_exit_codes() {
    let here = Path::new(".");
    for said in [engine(here, &["--help"]), tuner(here, &["--help"])] {
        let out = said.done().out;
        assert!(
            out.contains("Exit codes: 0 done; 1 failed; 2 wrong usage; 3"),
            "{out}"
        );
    }
}

/// The promise of the README, on its own job. Minutes of games, so only among the slow tests.
#[test]
fn the_first_job_ends_accepted_for_five_seeds() {
    if std::env::var_os("SIXFOLD_SLOW").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let job = configurations().join("jobs/dots-quick.toml");
    let job = job.to_str().unwrap();
    for seed in ["1", "2", "3", "4", "5"] {
        let view = tuner(folder.path(), &["run", job, "--seed", seed, "--json"])
            .done()
            .json();
        assert_eq!(view["verdict"], "accepted", "seed {seed}: {view}");
        assert!(
            view["elo_95"][0].as_f64().unwrap() > 100.0,
            "seed {seed}: {view}"
        );
    }
}

/// The source's experiment in small, from its job file to its report.
#[test]
fn the_small_job_of_the_amazons_ends_with_its_figures() {
    let folder = tempfile::tempdir().unwrap();
    let job = configurations().join("jobs/amazons-small.toml");
    let view = tuner(folder.path(), &["run", job.to_str().unwrap(), "--json"]).json();
    assert_eq!(view["state"], "completed", "{view}");
    assert_eq!(view["rounds"], 2, "{view}");
    let page = folder.path().join("runs/amazons-small/report.html");
    let page = std::fs::read_to_string(page).expect("a report");
    assert!(page.contains("id=\"source-figures\""));
}
