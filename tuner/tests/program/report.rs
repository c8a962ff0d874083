//! `tuner report`, and the report that a run leaves behind.

use serde_json::Value;

use crate::support::{JOB, Place, edited};

const REPORT: &str = "runs/job/report.html";

fn status(place: &Place) -> Value {
    place.tuner(&["status", "job", "--json"]).ended(0).json()
}

#[test]
fn a_run_leaves_a_report_with_the_figures_of_its_status() {
    let place = Place::with_job(JOB);
    let said = place.tuner(&["run", "job.toml"]);
    assert!(matches!(said.code, Some(0 | 6)), "{said:?}");
    assert!(
        said.out.contains("Report: runs/job/report.html"),
        "{}",
        said.out
    );
    let page = place.text(REPORT);
    let status = status(&place);
    // The typographic minus is for reading only.
    let read = page.replace('\u{2212}', "-").replace(',', "");
    let elo = status["elo"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|end| status["elo_95"][end].as_f64().unwrap());
    for part in [
        format!("<b>{elo:+.1}</b>"),
        format!("[{low:+.1} {high:+.1}]"),
        format!("<b>{}</b>", status["rounds"]),
        format!("<dd>{}</dd>", status["seed"]),
    ] {
        assert!(read.contains(&part), "{part}");
    }
    for parameter in status["parameters"].as_array().unwrap() {
        let now = parameter["now"].as_f64().unwrap();
        assert!(page.contains(parameter["path"].as_str().unwrap()));
        assert!(page.contains(&format!("<b>{now}</b>")), "{now}");
        let verdict = match parameter["verdict"].as_str().unwrap() {
            "at_bound" => "at its bound".to_owned(),
            other => other.replace('_', " "),
        };
        assert!(
            page.contains(&format!("data-head=\"Verdict\">{verdict}")),
            "{verdict}"
        );
    }
    let outlook = &status["outlook"];
    if outlook["fits"].as_bool().unwrap() {
        let gain = outlook["remaining_gain_elo"].as_f64().unwrap();
        let at_most = outlook["remaining_gain_elo_95"].as_f64().unwrap();
        let words = format!("{gain:.1} Elo above the result and at most {at_most:.1} (95 %)");
        assert!(read.contains(&words), "{words}");
    } else {
        assert!(read.contains("The surface does not fit"));
    }
    let spent = |name: &str| status["spent"][name].as_u64().unwrap();
    assert!(read.contains(&format!("<b>{}</b><span>games in all", spent("total"))));
    for (name, words) in [
        ("tuning", "of tuning"),
        ("decision", "of the sequential test"),
        ("measurement", "of measurement"),
        ("reference", "against the reference"),
    ] {
        let games = spent(name);
        assert_eq!(
            read.contains(&format!("{games} {words}")),
            games > 0,
            "{name}"
        );
    }
}

#[test]
fn a_report_made_later_is_the_same_bytes() {
    let place = Place::after_run(JOB);
    let first = place.read(REPORT);
    std::fs::remove_file(place.path(REPORT)).unwrap();
    let said = place.tuner(&["report", "job"]).ended(0);
    assert!(said.out.contains("runs/job/report.html"));
    assert_eq!(place.read(REPORT), first);
    place
        .tuner(&["report", "runs/job", "--output", "mine.html"])
        .ended(0);
    assert_eq!(place.read("mine.html"), first);
    // A report may be replaced by the next.
    place
        .tuner(&["report", "job", "--output", "mine.html"])
        .ended(0);
}

#[test]
fn another_verification_is_in_the_report_it_leaves() {
    let job = edited(
        JOB,
        "nelo_low = -200.0\nnelo_high = -100.0",
        "nelo_low = 0.0\nnelo_high = 5.0",
    );
    let job = edited(&job, "games_max = 200", "games_max = 20");
    let place = Place::after_run(&job);
    assert!(!place.text(REPORT).contains("Verification 2:"));
    let code = place.tuner(&["verify", "job"]).code;
    assert!(matches!(code, Some(0 | 6)), "{code:?}");
    let page = place.text(REPORT);
    assert!(page.contains("Verification 1:") && page.contains("Verification 2:"));
}

#[test]
fn a_torn_last_line_is_said_and_left_as_it_is() {
    let place = Place::after_run(JOB);
    let journal = place.text("runs/job/journal.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let torn = format!("{}{}", lines[..9].concat(), &lines[9][..40]);
    place.write("runs/job/journal.jsonl", &torn);
    std::fs::remove_file(place.path("runs/job/checkpoint.json")).unwrap();
    place.tuner(&["report", "job"]).ended(0);
    assert_eq!(place.text("runs/job/journal.jsonl"), torn);
    let page = place.text(REPORT);
    assert!(page.contains("was not written whole"));
    assert!(page.contains("interrupted"));
}

#[test]
fn what_is_no_report_is_not_replaced() {
    let place = Place::after_run(JOB);
    let before = place.files(".");
    place
        .tuner(&["report", "job", "--output", "engine.toml"])
        .ended(3)
        .names(&["engine.toml", "no report", "left as it is", "--output"]);
    place
        .tuner(&["report", "job", "--output", "nowhere/report.html"])
        .ended(3)
        .names(&["nowhere", "create it first"]);
    place
        .tuner(&["report", "missing"])
        .ended(3)
        .names(&["missing", "job"]);
    assert_eq!(place.files("."), before);
}
