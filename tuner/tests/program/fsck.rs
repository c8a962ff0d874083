//! `tuner fsck`: what it says of every part, that it says it of the right one, and that it changes
//! nothing. What it calls mended is mended by a start; what it calls broken is refused by one.

use std::fs;

use serde_json::Value;
use sixfold_tuner::queue::{Step, Ticket};

use crate::support::{JOB, Place, edited, wait_until};

const JOURNAL: &str = "runs/job/journal.jsonl";
const CHECKPOINT: &str = "runs/job/checkpoint.json";

/// What fsck says of a run, having changed nothing.
#[track_caller]
fn examined(place: &Place, code: i32) -> Value {
    let before = place.files(".");
    let said = place.tuner(&["fsck", "job", "--json"]).ended(code);
    let text = place.tuner(&["fsck", "job"]).ended(code);
    assert_eq!(place.files("."), before, "looking changes nothing");
    let report = said.json();
    for part in report["parts"].as_array().unwrap() {
        assert!(
            text.out.contains(part["found"].as_str().unwrap()),
            "{}",
            text.out
        );
    }
    report
}

/// The health of each part that is not whole, in order. Runs that began in a terminal have no
/// ticket, which is not told.
fn not_whole(report: &Value) -> Vec<(String, String)> {
    let word = |part: &Value, key: &str| part[key].as_str().unwrap().to_owned();
    let parts = report["parts"].as_array().unwrap().iter();
    parts
        .map(|part| (word(part, "part"), word(part, "health")))
        .filter(|(part, health)| health != "whole" && (part != "ticket" || health != "absent"))
        .collect()
}

/// Does something to a finished run; fsck finds this of these parts and calls the rest whole.
#[track_caller]
fn finds(damage: impl FnOnce(&Place), expected: &[(&str, &str)]) -> (Place, Value) {
    let place = Place::after_run(JOB);
    let result = place.result("job");
    let games = place.files("runs/job/games");
    damage(&place);
    let bad = |health: &str| expected.iter().any(|(_, found)| *found == health);
    let report = examined(
        &place,
        if bad("broken") || bad("damaged") {
            4
        } else {
            0
        },
    );
    let found = not_whole(&report);
    let found: Vec<_> = found
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(found, expected, "{report:#}");
    assert_eq!(report["resumable"], !bad("broken"));
    assert_eq!(
        report["whole"],
        !bad("broken") && !bad("damaged") && !bad("mended")
    );
    // What it says of a start is what a start does.
    if bad("broken") {
        let before = place.files(".");
        let code = place.tuner(&["resume", "job"]).code;
        assert!(matches!(code, Some(3 | 4)), "{code:?}");
        assert_eq!(place.files("."), before);
    } else if !bad("damaged") {
        place.tuner(&["resume", "job"]).ended(0);
        assert_eq!(place.result("job"), result);
        assert_eq!(place.files("runs/job/games"), games);
        assert_eq!(examined(&place, 0)["whole"], true);
    }
    (place, report)
}

#[test]
fn a_finished_run_is_whole() {
    let (_, report) = finds(|_| {}, &[]);
    assert_eq!(report["parts"].as_array().unwrap().len(), 9);
    assert_eq!(report["in_use_by"], Value::Null);
}

#[test]
fn what_a_killed_process_leaves_is_mended_at_the_next_start() {
    finds(
        |place| {
            let mut journal = place.read(JOURNAL);
            journal.truncate(journal.len() - 9);
            place.write(JOURNAL, journal);
        },
        // The file says that the run is verified, which the journal no longer does.
        &[("journal.jsonl", "mended"), ("tuned.toml", "mended")],
    );
    finds(
        |place| {
            fs::remove_file(place.path("runs/job/tuned.toml")).unwrap();
            fs::remove_file(place.path("runs/job/games/round-00001.json")).unwrap();
            place.write("runs/job/games/.round-00001.json.Ab12.tmp", "half");
            place.write("runs/job/.tuned.toml.Ab12.tmp", "half");
        },
        &[
            ("tuned.toml", "mended"),
            ("games/", "mended"),
            ("temporaries", "mended"),
        ],
    );
    finds(
        |place| fs::remove_file(place.path(CHECKPOINT)).unwrap(),
        &[("checkpoint.json", "absent")],
    );
}

#[test]
fn a_checkpoint_that_does_not_fit_is_mended_but_not_one_that_lies() {
    let other = Place::after_run(&edited(JOB, "seed = 7", "seed = 8")).read(CHECKPOINT);
    for bytes in [other, vec![0; 300], Vec::new()] {
        let place = Place::after_run(JOB);
        place.write(CHECKPOINT, bytes);
        let report = examined(&place, 0);
        let expected = [("checkpoint.json".to_owned(), "mended".to_owned())];
        assert_eq!(not_whole(&report), expected);
    }
    // Whole to the byte and of this journal, but not the state that the journal leads to.
    let place = Place::after_run(JOB);
    let text = place.text(CHECKPOINT);
    let body = text.split_once("\"checkpoint\":").unwrap().1;
    let body = body.trim_end().strip_suffix('}').unwrap();
    let body = edited(body, "\"trials_of_round\":0", "\"trials_of_round\":1");
    let crc = crc32fast::hash(body.as_bytes());
    place.write(
        CHECKPOINT,
        format!("{{\"crc\":\"{crc:08x}\",\"checkpoint\":{body}}}\n"),
    );
    let report = examined(&place, 4);
    let expected = [("checkpoint.json".to_owned(), "broken".to_owned())];
    assert_eq!(not_whole(&report), expected);
}

#[test]
fn damage_that_nothing_can_mend_is_named_with_its_place() {
    let flip = |name: &'static str| {
        move |place: &Place| {
            let mut bytes = place.read(name);
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            place.write(name, bytes);
        }
    };
    let (place, report) = finds(flip(JOURNAL), &[("journal.jsonl", "broken")]);
    let found = report["parts"][3]["found"].as_str().unwrap();
    let whole = place.read(JOURNAL);
    let line = whole[..whole.len() / 2]
        .split(|&byte| byte == b'\n')
        .count();
    assert!(found.contains(&format!("in line {line}:")), "{found}");
    finds(
        flip("runs/job/games/round-00000.json"),
        &[("games/", "damaged")],
    );
    let change = |from: &'static str, to: &'static str| {
        move |place: &Place| {
            let job = place.text("runs/job/job.toml");
            place.write("runs/job/job.toml", edited(&job, from, to));
        }
    };
    let seed = change("seed = 7", "seed = 8");
    finds(seed, &[("job and journal", "broken")]);
    let nonsense = change("seed = 7", "seed = \"x\"");
    finds(nonsense, &[("job.toml", "broken")]);
    finds(
        |place| fs::remove_file(place.path("runs/job/run.json")).unwrap(),
        &[("run.json", "broken")],
    );
    finds(
        |place| fs::remove_file(place.path(JOURNAL)).unwrap(),
        &[("journal.jsonl", "broken")],
    );
    finds(
        |place| {
            let journal = place.text(JOURNAL);
            let kept = journal.lines().enumerate().filter(|(index, _)| *index != 4);
            let kept: Vec<_> = kept.map(|(_, line)| line).collect();
            place.write(JOURNAL, kept.join("\n") + "\n");
        },
        &[("replay", "broken")],
    );
}

#[test]
fn another_results_version_is_said_and_the_rest_is_examined_all_the_same() {
    let (_, report) = finds(
        |place| {
            let text = place.text("runs/job/run.json");
            let version = sixfold_tuner::run::RESULTS_VERSION;
            let key = "\"results_version\": ";
            let from = format!("{key}{version}");
            place.write(
                "runs/job/run.json",
                edited(&text, &from, &format!("{key}99")),
            );
        },
        &[("run.json", "broken")],
    );
    assert_eq!(report["parts"].as_array().unwrap().len(), 9, "{report:#}");
}

#[test]
fn a_ticket_is_whole_or_damaged_and_the_run_is_the_same() {
    const TICKET: &str = "runs/job/queue.json";
    let (_, report) = finds(|_| {}, &[]);
    let ticket = |report: &Value| {
        let parts = report["parts"].as_array().unwrap().clone();
        parts.into_iter().find(|it| it["part"] == "ticket").unwrap()
    };
    assert_eq!(ticket(&report)["health"], "absent");
    assert_eq!(ticket(&report)["found"], "never handed to a service");
    let mut completed = Ticket::new("the night", 1, false);
    completed.step(Step::Complete).unwrap();
    let save = |place: &Place| completed.save(&place.path(TICKET)).unwrap();
    let (_, report) = finds(save, &[]);
    let found = format!("completed, handed to a service {}", completed.submitted);
    assert_eq!(ticket(&report)["found"], found);
    for (text, says) in [
        ("{", "is damaged"),
        ("{\"format\":1}", "is damaged"),
        ("{\"format\":9}", "has format 9; this program knows 1"),
    ] {
        let damage = |place: &Place| place.write(TICKET, text);
        let (_, report) = finds(damage, &[("ticket", "damaged")]);
        assert!(ticket(&report)["found"].as_str().unwrap().contains(says));
    }
}

#[test]
fn files_that_do_not_belong_are_named_and_left() {
    finds(
        |place| {
            place.write("runs/job/notes.txt", "mine");
            place.write("runs/job/checkpoint.json.damaged-1", "old");
        },
        &[("set aside", "foreign"), ("other files", "foreign")],
    );
}

#[test]
fn a_run_that_another_process_works_on_is_examined_and_said_to_be_in_use() {
    let place = Place::with_job(&edited(JOB, "rounds = 3", "rounds = 5000"));
    let mut child = place.start(&["run", "job.toml"]);
    assert!(wait_until(&mut child, || place.journal_lines("job") > 20));
    for _ in 0..5 {
        let report = place.tuner(&["fsck", "job", "--json"]).ended(0).json();
        assert_eq!(report["in_use_by"], child.id().to_string());
        assert_eq!(report["resumable"], true, "{report:#}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    examined(&place, 0);
}
