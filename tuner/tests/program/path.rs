//! The whole path: check, run, status, verify, export, match.

use crate::support::{ENGINE, JOB, Place, edited};

/// The evidence block at the head of an exported file, and the rest.
pub(crate) fn split_evidence(text: &str) -> (String, String) {
    let end = "# --- sixfold: end ---\n";
    let (evidence, rest) = text.split_once(end).expect("an evidence block");
    (format!("{evidence}{end}"), rest.to_owned())
}

/// The lines that differ, in pairs.
pub(crate) fn differences<'a>(before: &'a str, after: &'a str) -> Vec<(&'a str, &'a str)> {
    assert_eq!(before.lines().count(), after.lines().count());
    before
        .lines()
        .zip(after.lines())
        .filter(|(a, b)| a != b)
        .collect()
}

#[test]
fn a_job_becomes_a_verified_configuration_that_plays() {
    let place = Place::new();
    place.tuner(&["check", "job.toml"]).ended(0);
    assert!(!place.path("runs").exists(), "check writes nothing");
    let said = place.tuner(&["run", "job.toml"]).ended(0);
    assert!(said.out.contains("ACCEPTED"), "{}", said.out);
    assert!(
        said.out.contains("tuner export job --to FILE"),
        "{}",
        said.out
    );
    place.tuner(&["status", "job"]).ended(0);
    place.tuner(&["verify", "job"]).ended(0);
    place
        .tuner(&["export", "job", "--to", "tuned.toml"])
        .ended(0);
    let said = place.tuner(&[
        "match",
        "tuned.toml",
        "engine.toml",
        "--games",
        "20",
        "--json",
    ]);
    assert_eq!(said.ended(0).json()["games"], 20);
}

#[test]
fn an_export_into_a_new_file_is_the_runs_engine_with_the_tuned_values() {
    let place = Place::after_run(JOB);
    place.tuner(&["export", "job", "--to", "new.toml"]).ended(0);
    let (evidence, rest) = split_evidence(&place.text("new.toml"));
    assert!(evidence.contains("Run job, seed 7."), "{evidence}");
    for part in [
        "Verification 1: accepted",
        "error rates 0.05 and 0.05",
        "corrected for the test",
    ] {
        assert!(evidence.contains(part), "{part}: {evidence}");
    }
    let changed = differences(ENGINE, &rest);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(
        changed[0].1.starts_with("bias = { capture = "),
        "{changed:?}"
    );
    assert!(changed[0].1.ends_with("other = 0.0 }   # G"), "{changed:?}");
}

#[test]
fn an_export_into_a_configuration_keeps_all_else_and_leaves_a_backup() {
    let place = Place::after_run(JOB);
    let mine = edited(ENGINE, "# A small engine.", "# Mine, with care.");
    let mine = edited(&mine, "exploration = 1.0 ", "exploration = 0.75");
    place.write("mine.toml", &mine);
    let said = place
        .tuner(&["export", "job", "--to", "mine.toml"])
        .ended(0);
    assert!(
        said.out
            .contains("stages.opening.exploration is 0.75 there"),
        "{}",
        said.out
    );
    let (_, rest) = split_evidence(&place.text("mine.toml"));
    assert_eq!(differences(&mine, &rest).len(), 1);
    let backups: Vec<_> = place
        .files(".")
        .into_iter()
        .filter(|(_, bytes)| bytes == mine.as_bytes())
        .collect();
    assert_eq!(backups.len(), 1, "{backups:?}");
    let again = place
        .tuner(&["export", "job", "--to", "mine.toml"])
        .ended(0);
    assert!(again.out.contains("nothing was changed"), "{}", again.out);
}

#[test]
fn what_no_verification_accepted_is_exported_only_by_force() {
    let job = edited(JOB, "nelo_low = -200.0", "nelo_low = 150.0");
    let job = edited(&job, "nelo_high = -100.0", "nelo_high = 200.0");
    let job = edited(&job, "games_max = 200", "games_max = 40");
    let place = Place::with_job(&job);
    place.tuner(&["run", "job.toml"]).ended(6);
    let said = place.tuner(&["export", "job", "--to", "new.toml"]).ended(4);
    assert!(said.err.contains("UNDECIDED") || said.err.contains("REJECTED"));
    said.names(&["--force", "the start's"]);
    assert!(!place.path("new.toml").exists());
    let (head, kept) = split_evidence(&place.text("runs/job/tuned.toml"));
    assert!(head.contains("NOT ACCEPTED: no verification"), "{head}");
    assert!(head.contains("stays; found was"), "{head}");
    assert_eq!(kept, ENGINE);
    place
        .tuner(&["export", "job", "--to", "new.toml", "--force"])
        .ended(0);
    let (evidence, _) = split_evidence(&place.text("new.toml"));
    assert!(
        evidence.contains("UNDECIDED") || evidence.contains("REJECTED"),
        "{evidence}"
    );
}

#[test]
fn an_export_into_what_is_no_engine_of_this_game_changes_nothing() {
    let place = Place::after_run(JOB);
    let other_game = ENGINE.replace("rows = 3", "rows = 2");
    let other_stages = ENGINE.replace("opening", "beginning");
    for (content, part) in [
        (other_game.as_str(), "plays Dots and Boxes on 2x3 boxes"),
        ("not a configuration", "not valid TOML"),
        ("", "`format` is missing"),
        (&other_stages, "stages.opening.bias.capture"),
    ] {
        place.write("target.toml", content);
        let said = place
            .tuner(&["export", "job", "--to", "target.toml"])
            .ended(3);
        said.names(&["target.toml", part]);
        assert_eq!(place.text("target.toml"), content);
    }
    place.tuner(&["export", "job", "--to", "."]).ended(3);
    place
        .tuner(&["export", "nobody", "--to", "new.toml"])
        .ended(3)
        .names(&["nobody"]);
    let missing = place.tuner(&["export", "job", "--to", "no/such/folder/new.toml"]);
    assert!(matches!(missing.code, Some(1 | 3)), "{missing:?}");
    assert!(!missing.err.contains("panicked"), "{}", missing.err);
}

#[test]
fn every_verification_has_a_number_and_games_of_its_own() {
    let place = Place::after_run(JOB);
    place.tuner(&["verify", "job"]).ended(0);
    let view = place.tuner(&["status", "job", "--json"]).ended(0).json();
    let attempts = view["verifications"].as_array().unwrap();
    assert_eq!(attempts.len(), 2);
    assert_eq!([&attempts[0]["attempt"], &attempts[1]["attempt"]], [1, 2]);
    let bound = |attempt: &serde_json::Value| attempt["llr_bounds"][1].as_f64().unwrap();
    assert!(
        bound(&attempts[1]) > bound(&attempts[0]),
        "a second attempt is judged more strictly"
    );
    let journal = place.result("job").0;
    let batches = |attempt: u32| -> Vec<String> {
        let mark = format!("{{\"batch\":[{attempt},");
        let rows = journal.lines().filter_map(|line| line.split_once(&mark));
        rows.map(|(_, row)| row.to_owned()).collect()
    };
    assert!(!batches(1).is_empty());
    assert_ne!(batches(1), batches(2));
    place.tuner(&["export", "job", "--to", "new.toml"]).ended(0);
    let exported = place.text("new.toml");
    assert!(exported.contains("Verification 2:"));
    assert!(exported.contains("error rates 0.025 and 0.025"));
}

#[test]
fn resuming_a_finished_run_changes_nothing() {
    let place = Place::after_run(JOB);
    let before = place.files("runs");
    place.tuner(&["resume", "job"]).ended(0);
    assert_eq!(place.files("runs"), before);
}
