//! A job that tunes at two budgets, from its check to the export: the same bytes on any number of
//! threads and through kills, and what people are told of it.

use crate::support::{ENGINE, JOB, Place, edited, wait_until};

/// Two legs of two rounds, for matches at 80 simulations.
pub(crate) fn ladder() -> String {
    let budgets = "[budget]\nsimulations = [10, 40]\n\n[match_budget]\nsimulations = 80";
    let job = edited(JOB, "[budget]\nsimulations = 20", budgets);
    let job = edited(&job, "rounds = 3", "rounds = 2\ngames = [80, 60]");
    edited(&job, "measured_games = 20", "measured_games = 200")
}

#[test]
fn two_legs_give_the_same_bytes_on_one_and_two_threads_and_through_kills() {
    let place = Place::with_job(&ladder());
    for threads in ["1", "2"] {
        place.tuner(&["run", "job.toml", "--threads", threads, "--name", threads]);
    }
    let expected = place.result("1");
    assert_eq!(place.result("2"), expected);
    assert_eq!(
        place.files("runs/1/games").len(),
        place.files("runs/2/games").len()
    );
    let lines: Vec<&str> = expected.0.lines().collect();
    let at = |word: &str| lines.iter().position(|line| line.contains(word)).unwrap();
    let leg = at("leg_finished");
    // In the first leg, right after its end, in the second, in the verification.
    let moments = [2, leg + 1, leg + 3, at("verification_started") + 2];
    let mut kills = 0;
    for (number, moment) in moments.into_iter().enumerate() {
        let (command, run) = if number == 0 {
            ("run", "job.toml")
        } else {
            ("resume", "job")
        };
        let with = [
            "--threads",
            "2",
            "--checkpoint-seconds",
            ["0", "30"][number % 2],
        ];
        let mut child = place.start(&[&[command, run][..], &with].concat());
        kills += usize::from(wait_until(&mut child, || {
            place.journal_lines("job") >= moment
        }));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    place.tuner(&["resume", "job"]);
    assert!(kills >= 2, "only {kills} kills met a living process");
    assert_eq!(place.result("job"), expected);
    place.tuner(&["fsck", "job"]).ended(0);
}

#[test]
fn every_game_of_a_leg_is_played_again_at_its_own_budget() {
    let place = Place::after_run(&ladder());
    for round in ["0", "2"] {
        let journal = place.text("runs/job/journal.jsonl");
        let mark = format!("{{\"trial\":[{round},");
        let line = journal.lines().find(|line| line.contains(&mark)).unwrap();
        let rest = line.split_once(&mark).unwrap().1;
        let trial = rest.split(',').next().unwrap();
        let told = [
            "replay", "job", "--round", round, "--trial", trial, "--check",
        ];
        place.tuner(&told).ended(0);
    }
    let told = [
        "replay", "job", "--round", "0", "--trial", "0", "--game", "0", "--json",
    ];
    let game = place.tuner(&told).ended(0).json();
    assert_eq!(game["budget"], "10 simulations a move");
    let verified = [
        "replay",
        "job",
        "--verification",
        "1",
        "--contest",
        "measured",
        "--batch",
        "0",
        "--check",
    ];
    place.tuner(&verified).ended(0);
    let rows = place
        .tuner(&["export-games", "job", "--format", "jsonl"])
        .ended(0)
        .out;
    let with = |budget: &str| rows.lines().filter(|row| row.contains(budget)).count();
    assert!(
        with("\"budget\":10,") > 0 && with("\"budget\":40,") > 0 && with("\"budget\":80,") >= 200
    );
}

#[test]
fn people_are_told_of_the_legs_and_of_the_budget_that_the_values_are_for() {
    let place = Place::with_job(&ladder());
    let plan = place.tuner(&["check", "job.toml"]).ended(0).out;
    for part in [
        "budget       10 and 40 simulations a move, for matches at 80 simulations a move",
        "  leg at 10       at most 80 games",
        "  leg at 40       at most 60 games",
        "-0.50 in that of matches",
        "+1.50 in that of matches",
        "80 is 2 times the dearest tuned budget",
        "at most 140 games",
        " with 60 games (its shortest leg), 40 ",
    ] {
        assert!(plan.contains(part), "`{part}` in: {plan}");
    }
    let run = place.tuner(&["run", "job.toml"]);
    let view = place.tuner(&["status", "job", "--json"]).ended(0).json();
    let best = &view["parameters"][1]["best_95"];
    let [low, high] = [0, 1].map(|end| best[end].as_f64().unwrap());
    let best = format!("  {low} to {high}  ");
    for said in [run.out, place.tuner(&["status", "job"]).ended(0).out] {
        assert!(said.contains(&best), "`{best}` in: {said}");
        for part in [
            "For matches at 80 simulations a move:",
            "  tuned at 10 in ",
            "    stages.opening.bias.capture = ",
            "  tuned at 40 in ",
            "stages.opening.bias.gives with the budget: ",
            "80 is 2 times the dearest",
            " games; still to be gained there: ",
        ] {
            assert!(said.contains(part), "`{part}` in: {said}");
        }
    }
    assert_eq!(view["budget"], "80 simulations a move");
    assert_eq!(view["ladder"]["budgets"], serde_json::json!([10, 40]));
    assert_eq!(view["ladder"]["legs"].as_array().unwrap().len(), 2);
    let drift = &view["ladder"]["extrapolated"][1];
    assert_eq!(drift["path"], "stages.opening.bias.gives");
    assert_eq!(drift["value"], view["parameters"][1]["now"]);
    assert_eq!(view["parameters"][1]["best_95"], drift["value_95"]);
    for leg in view["ladder"]["legs"].as_array().unwrap() {
        let gives = "stages.opening.bias.gives";
        let [low, value, high] = [
            leg["best_95"][gives][0].as_f64().unwrap(),
            leg["values"][gives].as_f64().unwrap(),
            leg["best_95"][gives][1].as_f64().unwrap(),
        ];
        assert!(low <= value && value <= high && low < high, "{leg}");
        assert!(leg["verdicts"][gives].is_string());
        assert!(leg["outlook"]["remaining_gain_elo"].as_f64().unwrap() >= 0.0);
    }
    let page = place.text("runs/job/report.html");
    for part in [
        "id=\"budgets\"",
        "Still to be gained",
        "where the best value for matches is",
        "gives against the budget",
    ] {
        assert!(page.contains(part), "`{part}` in the report");
    }
    let tuned = place.text("runs/job/tuned.toml");
    let head = "in engine.toml at 10 and 40 simulations a move, for matches at 80 simulations";
    assert!(tuned.contains(head), "{tuned}");
    assert!(
        tuned.contains("# Tuned at 10: ") && tuned.contains("with the budget: "),
        "{tuned}"
    );
}

#[test]
fn values_are_exported_for_matches_or_for_one_budget() {
    let place = Place::after_run(&ladder());
    let summary = place.tuner(&["status", "job", "--json"]).ended(0).json();
    let is_verified = summary["verified"] == true;
    let force: &[&str] = if is_verified { &[] } else { &["--force"] };
    let export = |more: &[&str]| place.tuner(&[&["export", "job", "--to"][..], more].concat());
    export(&[&["matches.toml"][..], force].concat()).ended(0);
    export(&[&["same.toml", "--at", "80"][..], force].concat()).ended(0);
    assert_eq!(place.text("matches.toml"), place.text("same.toml"));
    export(&["leg.toml", "--at", "40"])
        .ended(4)
        .names(&["no verification of their own", "80"]);
    assert!(!place.path("leg.toml").exists());
    export(&["leg.toml", "--at", "40", "--force"]).ended(0);
    let text = place.text("leg.toml");
    let leg = &summary["ladder"]["legs"][1]["values"];
    let gives = leg["stages.opening.bias.gives"].as_f64().unwrap();
    assert!(text.contains(&format!("gives = {gives:?}")), "{text}");
    assert!(text.contains("NOT VERIFIED: the values at 40"), "{text}");
    export(&["no.toml", "--at", "20", "--force"])
        .ended(3)
        .names(&["--at 20", "10, 40"]);
    let other = Place::after_run(JOB);
    other
        .tuner(&["export", "job", "--to", "one.toml", "--at", "20", "--force"])
        .ended(0);
    other
        .tuner(&["export", "job", "--to", "no.toml", "--at", "10"])
        .ended(3)
        .names(&["one budget"]);
}

#[test]
fn nothing_is_exported_for_matches_before_all_legs_are_over() {
    // Slow enough to be interrupted in its second leg.
    let job = edited(&ladder(), "[10, 40]", "[10, 40_000]");
    let place = Place::with_job(&edited(&job, "simulations = 80", "simulations = 80_000"));
    place.write(
        "engine.toml",
        edited(ENGINE, "edges_left = 10", "edges_left = 4"),
    );
    let mut child = place.start(&["run", "job.toml"]);
    let journal = place.path("runs/job/journal.jsonl");
    let in_second_leg =
        || std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("leg_finished"));
    assert!(wait_until(&mut child, in_second_leg), "it ended too soon");
    child.kill().unwrap();
    child.wait().unwrap();
    let export = |more: &[&str]| place.tuner(&[&["export", "job", "--to"][..], more].concat());
    export(&["a.toml", "--force"])
        .ended(4)
        .names(&["legs of job are not over", "--at BUDGET"]);
    export(&["a.toml", "--at", "40000", "--force"])
        .ended(4)
        .names(&["is not over"]);
    export(&["a.toml", "--at", "10", "--force"]).ended(0);
    let tuned = place.text("runs/job/tuned.toml");
    assert!(tuned.contains("NOT EXTRAPOLATED"), "{tuned}");
}
