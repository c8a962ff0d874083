//! Exports into configurations that are not quite the one that was tuned.

use crate::support::{ENGINE, JOB, Place, edited};

/// A finished run and a configuration to export into.
fn place_with(target: &str) -> Place {
    let place = Place::after_run(JOB);
    place.write("mine.toml", target);
    place
}

const EXPORT: [&str; 4] = ["export", "job", "--to", "mine.toml"];

/// The export is refused, names these, and changes nothing.
#[track_caller]
fn refused(target: &str, parts: &[&str]) {
    let place = place_with(target);
    let before = place.files(".");
    let said = place.tuner(&EXPORT).ended(3);
    said.names(&["mine.toml was left as it is"]).names(parts);
    assert_eq!(place.files("."), before);
}

/// The export warns with exactly these lines.
#[track_caller]
fn warned(target: &str, expected: &[&str]) {
    let said = place_with(target).tuner(&EXPORT).ended(0);
    let lines = said.out.lines();
    let warnings: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("warning: "))
        .collect();
    assert_eq!(warnings, expected);
}

#[test]
fn another_board_or_what_is_no_engine_is_refused_and_left_alone() {
    let wider = edited(ENGINE, "cols = 3", "cols = 4");
    let parts = ["on 3x4 boxes", "tuned for Dots and Boxes on 3x3 boxes"];
    refused(&wider, &parts);
    refused(JOB, &["mine.toml:", "--to expects an engine configuration"]);
    refused("a = ", &["mine.toml:1", "not valid TOML"]);
    let unnamed = edited(ENGINE, "gives = 0.0, ", "");
    let place = place_with(&unnamed);
    let said = place.tuner(&EXPORT).ended(3);
    said.names(&["no `stages.opening.bias.gives`", "write the key"]);
    assert_eq!(place.text("mine.toml"), unnamed);
}

#[test]
fn values_that_the_target_cannot_take_together_are_refused_and_left_alone() {
    let job = edited(
        JOB,
        "path = \"stages.opening.bias.gives\"\nstep = 0.2",
        "path = \"stages.layout.from.ply\"\nmin = 5\nmax = 9",
    );
    let place = Place::with_job(&job);
    place.tuner(&["run", "job.toml"]);
    let target = edited(ENGINE, "{ edges_left = 10 }", "{ ply = 2 }");
    let target = edited(&target, "{ ply = 6 }", "{ ply = 1 }");
    place.write("mine.toml", &target);
    let said = place.tuner(&["export", "job", "--to", "mine.toml", "--force"]);
    said.ended(3)
        .names(&["`stages.endgame.from`", "mine.toml was left as it is"]);
    assert_eq!(place.text("mine.toml"), target);
}

#[test]
fn whatever_else_differs_from_the_run_is_listed() {
    warned(ENGINE, &[]);
    // A stage with values of its own in place of those it shared in the run.
    let own = "bias = { capture = 0.1, gives = 0.0, other = 0.0 }";
    let target = edited(ENGINE, "bias = \"opening\"             # the same", own);
    let run = Place::after_run(JOB).text("runs/job/tuned.toml");
    let tuned = |name: &str| {
        let (_, rest) = run.split_once(&format!("{name} = ")).unwrap();
        let number: f64 = rest.split([',', ' ']).next().unwrap().parse().unwrap();
        number.to_string()
    };
    let (capture, gives) = (tuned("capture"), tuned("gives"));
    let mut expected = Vec::new();
    if capture != "0.1" {
        let path = "stages.layout.bias.capture";
        expected.push(format!("{path} is 0.1 there and was {capture} in the run"));
    }
    if gives != "0" {
        let path = "stages.layout.bias.gives";
        expected.push(format!("{path} is 0 there and was {gives} in the run"));
    }
    assert!(!expected.is_empty(), "the run changed something: {run}");
    warned(
        &target,
        &expected.iter().map(String::as_str).collect::<Vec<_>>(),
    );

    let target = edited(ENGINE, "simulations = 20", "milliseconds = 5");
    let target = edited(&target, "table_mib = 1", "table_mib = 2");
    let target = edited(&target, "depth_plies = 255", "rollout = \"safe\"");
    let target = edited(&target, "[stages.endgame]", "[stages.late]");
    warned(
        &target,
        &[
            "budget is 5 ms a move there and was 20 simulations a move in the run",
            "solver.table_mib is 2 there and was 1 in the run",
            "stages.opening.rollout is safe there and was uniform in the run",
            "stage endgame of the run is missing there",
            "stage late is there and was not in the run",
        ],
    );
}

#[test]
fn copies_are_numbered_and_a_read_only_file_is_left_alone() {
    let place = place_with(ENGINE);
    place.write("mine.toml.bak", "somebody's");
    let said = place.tuner(&EXPORT).ended(0);
    assert!(said.out.contains("mine.toml.bak-2"), "{}", said.out);
    assert_eq!(place.text("mine.toml.bak"), "somebody's");
    assert_eq!(place.text("mine.toml.bak-2"), ENGINE);

    place.write("mine.toml", ENGINE);
    let mut permissions = std::fs::metadata(place.path("mine.toml"))
        .unwrap()
        .permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(place.path("mine.toml"), permissions).unwrap();
    place
        .tuner(&EXPORT)
        .ended(3)
        .names(&["read-only", "another file"]);
    assert_eq!(place.text("mine.toml"), ENGINE);
    assert!(!place.path("mine.toml.bak-3").exists());
}
