//! Games of a run played again: `replay`, `export-games`, and runs whose games fail.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{JOB, Place, edited, finish};
#[cfg(unix)]
use crate::support::{signal, wait_until};

/// A job with a reference, so that every kind of contest is played.
fn with_reference() -> String {
    let job = edited(
        JOB,
        "[budget]",
        "[reference]\nconfig = \"engine.toml\"\n\n[budget]",
    );
    edited(
        &job,
        "games_max = 200",
        "games_max = 200\nreference_games = 20",
    )
}

/// Wins, draws and losses by place, as the journal has them.
pub(crate) fn stored(place: &Place) -> BTreeMap<String, [u64; 3]> {
    let mut counts = BTreeMap::new();
    for line in place.text("runs/job/journal.jsonl").lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let event = value.get("event").unwrap_or(&value);
        let count = |row: &Value| [0, 1, 2].map(|index| row[0][index].as_u64().unwrap());
        if let Some(row) = event.get("trial") {
            counts.insert(format!("tuning {}", row[1]), count(&row[7]));
        } else if let Some(row) = event.get("batch") {
            let name = format!("{} {}", row[1].as_str().unwrap(), row[2]);
            counts.insert(name, count(&row[3]));
        }
    }
    counts
}

/// The same of the rows of an export.
pub(crate) fn exported(rows: &[Value]) -> BTreeMap<String, [u64; 3]> {
    let mut counts: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for row in rows {
        let name = match row["contest"].as_str().unwrap() {
            "tuning" => format!("tuning {}", row["trial"]),
            contest => {
                let name = match contest {
                    "measured" => "tuned_against_start",
                    "start-reference" => "start_against_reference",
                    "tuned-reference" => "tuned_against_reference",
                    other => other,
                };
                format!("{name} {}", row["batch"])
            }
        };
        let results = ["win", "draw", "loss"];
        let index = results.iter().position(|it| row["result"] == *it).unwrap();
        counts.entry(name).or_default()[index] += 1;
    }
    counts
}

pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn every_game_of_a_run_is_exported_and_gives_the_journals_counts() {
    let place = Place::after_run(&with_reference());
    let said = place
        .tuner(&["export-games", "job", "--format", "jsonl"])
        .ended(0);
    let rows = lines(&said.out);
    assert_eq!(exported(&rows), stored(&place));
    let view = place.tuner(&["status", "job", "--json"]).ended(0).json();
    let tuning = rows.iter().filter(|row| row["contest"] == "tuning").count();
    assert_eq!(view["games"], tuning);
    let one = ["export-games", "job", "--format", "jsonl", "--threads", "1"];
    assert_eq!(
        place.tuner(&one).ended(0).out,
        said.out,
        "threads change nothing"
    );
    let to = [
        "export-games",
        "job",
        "--format",
        "csv",
        "--losses",
        "--to",
        "games.csv",
    ];
    place.tuner(&to).ended(0);
    let text = place.text("games.csv");
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    assert_eq!(text.lines().count(), rows.len() + 1);
    for name in [
        "opening",
        "work_a",
        "mistakes_b",
        "a.stages.opening.bias.gives",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    place
        .tuner(&to)
        .ended(3)
        .names(&["games.csv", "--to", "does not exist"]);
}

#[test]
fn a_replayed_game_is_the_exported_one_and_its_trial_is_the_stored_one() {
    let place = Place::after_run(&with_reference());
    let said = place
        .tuner(&["export-games", "job", "--format", "jsonl"])
        .ended(0);
    let rows = lines(&said.out);
    for row in rows.iter().step_by(23) {
        let text = |name: &str| row[name].to_string().trim_matches('"').to_owned();
        let (trial, batch, contest) = (text("trial"), text("batch"), text("contest"));
        let (round, verification, game) = (text("round"), text("verification"), text("game"));
        let at = if contest == "tuning" {
            vec!["--round", &round, "--trial", &trial]
        } else {
            let contest = contest.as_str();
            vec![
                "--verification",
                &verification,
                "--contest",
                contest,
                "--batch",
                &batch,
            ]
        };
        let wanted = [&["replay", "job", "--json", "--game", &game][..], &at].concat();
        let view = place.tuner(&wanted).ended(0).json();
        for name in [
            "opening", "first", "result", "margin", "proven", "pair", "attempt",
        ] {
            assert_eq!(view[name], row[name], "{name} of {row}");
        }
        let moves = view["moves"].as_array().unwrap();
        assert_eq!(row["moves"], moves.len());
        let work = |side: &str| -> u64 {
            let own = moves.iter().filter(|mv| mv["side"] == side);
            own.map(|mv| mv["work_units"].as_u64().unwrap()).sum()
        };
        assert_eq!([&row["work_a"], &row["work_b"]], [work("a"), work("b")]);
        let check = [&["replay", "job", "--check"][..], &at].concat();
        assert!(
            place
                .tuner(&check)
                .ended(0)
                .out
                .contains("The journal says the same.")
        );
    }
}

#[test]
fn a_replayed_game_is_shown_and_its_record_is_that_of_the_run() {
    let place = Place::after_run(JOB);
    // The first trial's first game is the sampled game of round 0.
    let game = [
        "replay", "job", "--round", "0", "--trial", "0", "--game", "0",
    ];
    let more = [&game[..], &["--record", "game.json"]].concat();
    let out = place.tuner(&more).ended(0).out;
    for part in [
        "round 0, trial 0, game 0",
        "A sits as First",
        "opening 3x3:",
        "result ",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let moves = |name: &str| lines(&place.text(name))[0]["game"].clone();
    assert_eq!(moves("game.json"), moves("runs/job/games/round-00000.json"));
}

#[test]
fn an_export_whose_reader_leaves_is_no_failure() {
    let place = Place::after_run(JOB);
    for format in ["csv", "jsonl"] {
        let mut child = place.start(&["export-games", "job", "--format", format]);
        drop(child.stdout.take());
        assert_eq!(finish(child).ended(0).err, "");
    }
}

#[cfg(unix)]
#[test]
fn an_export_that_was_interrupted_leaves_no_file() {
    let place = Place::after_run(JOB);
    let export = ["export-games", "job", "--format", "csv", "--losses"];
    let export = [&export[..], &["--to", "games.csv", "--threads", "1"]].concat();
    let names = || std::fs::read_dir(place.path(".")).unwrap().count();
    let before = names();
    let mut child = place.start(&export);
    if wait_until(&mut child, || names() > before) {
        assert!(!place.path("games.csv").exists());
        signal(&child, "TERM");
    }
    let code = finish(child).code;
    // The export may have been over first; then it is whole.
    match code {
        Some(0) => assert!(place.text("games.csv").ends_with('\n')),
        _ => assert_eq!((code, names()), (Some(5), before)),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_that_standard_output_does_not_take_names_it() {
    let place = Place::after_run(JOB);
    let full = std::fs::File::create("/dev/full").unwrap();
    let export = ["export-games", "job", "--format", "csv"];
    let child = place.start_writing_to(&export, full.into());
    finish(child).ended(1).names(&["standard output"]);
}

#[test]
fn a_record_overwrites_no_file() {
    let place = Place::after_run(JOB);
    let journal = "runs/job/journal.jsonl";
    let before = place.files(".");
    let game = [
        "replay", "job", "--round", "0", "--trial", "0", "--game", "0",
    ];
    let said = place.tuner(&[&game[..], &["--record", journal]].concat());
    let said = said
        .ended(3)
        .names(&[journal, "--record", "does not exist"]);
    assert_eq!(said.out, "");
    assert_eq!(place.files("."), before);
}

#[test]
fn what_was_not_played_is_not_replayed() {
    let place = Place::after_run(JOB);
    let replay = |more: &[&str]| place.tuner(&[&["replay", "job"], more].concat());
    let trial = ["--round", "0", "--trial", "0"];
    replay(&[&trial[..], &["--game", "4"]].concat())
        .ended(3)
        .names(&["--game 4", "0 to 3"]);
    replay(&["--round", "0", "--trial", "999", "--game", "0"])
        .ended(3)
        .names(&["has not played round 0, trial 999"]);
    replay(&[&trial[..], &["--game", "0", "--attempt", "1"]].concat())
        .ended(3)
        .names(&["--attempt 1", "counted in attempt 0"]);
    replay(&trial).ended(2).names(&["--game"]);
    replay(&["--game", "0"]).ended(2);
    replay(&[
        "--verification",
        "1",
        "--contest",
        "final",
        "--batch",
        "0",
        "--game",
        "0",
    ])
    .ended(2)
    .names(&["expected one of decision, measured, start-reference, tuned-reference"]);
    place
        .tuner(&["export-games", "nobody", "--format", "csv"])
        .ended(3)
        .names(&["nobody"]);
}

/// Every move takes far longer than its deadline.
fn too_slow() -> String {
    let many = "[budget]\nsimulations = 100000000000";
    let job = edited(JOB, "[budget]\nsimulations = 20", many);
    let matches = "[matches]\nmove_deadline_s = 0.05\n\n[learner]";
    edited(&job, "[learner]", matches)
}

#[test]
fn a_run_whose_moves_never_end_stops_with_evidence_that_can_be_replayed() {
    let place = Place::with_job(&too_slow());
    let said = place.tuner(&["run", "job.toml", "--threads", "1"]);
    let said = said
        .ended(1)
        .names(&["failed 5 times", "evidence: ", "tuner resume job"]);
    assert!(
        said.err.contains("stages.opening.bias.capture = "),
        "{}",
        said.err
    );
    let name = "runs/job/failures/round-0-trial-0-pair-0-attempt-4.json";
    let evidence: Value = serde_json::from_str(&place.text(name)).unwrap();
    assert_eq!(evidence["what"], "over time");
    let command = evidence["shown_again_by"].as_str().unwrap();
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let out = place.tuner(&arguments).ended(0).out;
    assert!(
        out.contains("failed at 3x3:") && out.contains("over time"),
        "{out}"
    );
    let file = "round-0-trial-0-pair-0-attempt-4.json";
    let (_, dropped) = out
        .split_once("This attempt was dropped in the run: game ")
        .unwrap();
    assert!(dropped.contains("over time by "), "{out}");
    assert!(dropped.contains(file), "{out}");
    assert!(
        place
            .text("runs/job/log.jsonl")
            .contains("a pair was dropped")
    );
    let folder = "Evidence of failed games: 5 in runs/job/failures";
    let shown = place.tuner(&["status", "job"]).ended(0).out;
    assert!(shown.contains(folder), "{shown}");
    let view = place.tuner(&["status", "job", "--json"]).ended(0).json();
    assert_eq!(view["failure_files"], 5);
    // Nothing was stored but the start, and going on leads to the same place.
    assert_eq!(place.journal_lines("job"), 1);
    place
        .tuner(&["resume", "job", "--threads", "1"])
        .ended(1)
        .names(&["failed 5 times"]);
    assert_eq!(
        place.tuner(&["status", "job", "--json"]).ended(0).json()["games"],
        0
    );
}

#[test]
fn keys_of_the_matches_are_checked_and_shown() {
    let with = |text: &str| {
        let matches = format!("[matches]\n{text}\n\n[learner]");
        Place::with_job(&edited(JOB, "[learner]", &matches))
    };
    let check = |place: &Place| place.tuner(&["check", "job.toml"]);
    let shown = check(&with(
        "move_deadline_s = 7.5\ndropped_pairs_max_percent = 3",
    ))
    .ended(0)
    .out;
    assert!(shown.contains("7.5 s; more than 3 %"), "{shown}");
    let shown = check(&Place::new()).ended(0).out;
    assert!(shown.contains("60 s; more than 2 %"), "{shown}");
    for (text, key) in [
        ("move_deadline_s = 0.01", "move_deadline_s"),
        ("move_deadline_s = 1e9", "move_deadline_s"),
        (
            "dropped_pairs_max_percent = 101",
            "dropped_pairs_max_percent",
        ),
        ("attempts = 3", "attempts"),
    ] {
        check(&with(text)).ended(3).names(&["job.toml", key]);
    }
    let slow = edited(
        JOB,
        "[budget]\nsimulations = 20",
        "[budget]\nmilliseconds = 2000",
    );
    let slow = edited(
        &slow,
        "[learner]",
        "[matches]\nmove_deadline_s = 1\n\n[learner]",
    );
    check(&Place::with_job(&slow))
        .ended(3)
        .names(&["move_deadline_s", "2 s"]);
}
