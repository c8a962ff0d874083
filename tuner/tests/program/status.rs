//! `tuner status` and `tuner check`.

use serde_json::Value;
use sixfold_tuner::store::lock::RunLock;

use crate::support::{ENGINE, JOB, Place, edited};

fn view(place: &Place) -> Value {
    place.tuner(&["status", "job", "--json"]).ended(0).json()
}

/// Keeps the first lines of the run's journal: the run as it stood then.
fn cut_journal(place: &Place, is_last: impl Fn(&str) -> bool) {
    let name = "runs/job/journal.jsonl";
    let journal = place.text(name);
    let last = journal.lines().position(is_last).expect("such a line");
    let kept: String = journal
        .lines()
        .take(last + 1)
        .map(|line| format!("{line}\n"))
        .collect();
    place.write(name, kept);
    // It was written later.
    std::fs::remove_file(place.path("runs/job/checkpoint.json")).unwrap();
}

#[test]
fn the_status_of_a_finished_run_has_the_promised_fields() {
    let place = Place::after_run(JOB);
    let view = view(&place);
    assert_eq!(
        [&view["state"], &view["rounds"]],
        [&Value::from("completed"), &3.into()]
    );
    assert!(view["games"].as_u64().unwrap() > 0);
    let elo = view["elo"].as_f64().unwrap();
    let bound = |index: usize| view["elo_95"][index].as_f64().unwrap();
    assert!(bound(0) < elo && elo < bound(1));
    let parameters = view["parameters"].as_array().unwrap();
    assert_eq!(parameters.len(), 2);
    for parameter in parameters {
        assert!(
            parameter["path"]
                .as_str()
                .unwrap()
                .starts_with("stages.opening.bias.")
        );
        assert_eq!(parameter["before"], 0.0);
    }
    assert!(
        parameters
            .iter()
            .any(|parameter| parameter["now"] != parameter["before"])
    );
}

#[test]
fn a_status_has_verdicts_on_parameters_and_what_the_games_were_for() {
    let place = Place::after_run(JOB);
    let view = view(&place);
    let games = |name: &str| view["spent"][name].as_u64().unwrap();
    assert_eq!(games("tuning"), view["games"].as_u64().unwrap());
    let parts = ["tuning", "decision", "measurement", "reference"].map(games);
    assert_eq!(games("total"), parts.iter().sum::<u64>());
    let attempt = &view["verifications"][0];
    assert_eq!(
        games("decision"),
        attempt["decision"]["games"].as_u64().unwrap()
    );
    assert_eq!(
        games("measurement"),
        attempt["against_start"]["games"].as_u64().unwrap()
    );
    let number = |value: &Value| value.as_f64().unwrap();
    for parameter in view["parameters"].as_array().unwrap() {
        let [low, high] = [0, 1].map(|end| number(&parameter["best_95"][end]));
        let [from, to] = [0, 1].map(|end| number(&parameter["played"][end]));
        assert!(from <= low && low <= high && high <= to, "{parameter}");
        let words = [
            "measured",
            "at_bound",
            "no_measurable_effect",
            "not_known_yet",
        ];
        assert!(
            words.contains(&parameter["verdict"].as_str().unwrap()),
            "{parameter}"
        );
    }
    let outlook = &view["outlook"];
    let gain = number(&outlook["remaining_gain_elo"]);
    assert!(gain >= 0.0 && number(&outlook["remaining_gain_elo_95"]) >= gain);
    let said = place.tuner(&["status", "job"]).ended(0).out;
    for part in ["best value (95 %)", "Games: ", " tuning, ", " decision, "] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn a_learner_whose_candidate_is_always_first_has_no_verdicts_and_says_why() {
    let paper = "kind = \"paper\"\nepisodes = 4\ngames_per_episode = 5";
    let learner = JOB.split_once("[learner]\n").unwrap().1;
    let learner = learner.split_once("\n\n").unwrap().0;
    let place = Place::with_job(&JOB.replace(learner, paper));
    assert!(matches!(
        place.tuner(&["run", "job.toml"]).code,
        Some(0 | 6)
    ));
    let view = view(&place);
    assert_eq!(view["outlook"], Value::Null);
    assert_eq!(view["one_sided_games"], view["games"]);
    let said = place.tuner(&["status", "job"]).ended(0).out;
    assert!(said.contains("No verdicts on parameters"), "{said}");
}

#[test]
fn a_result_that_is_the_start_has_nothing_to_verify() {
    // The range is below the digits that a value keeps: no edit changes anything.
    let place =
        Place::with_job(&JOB.replace("step = 0.2", "step = 1e-6\nmin = 1.0\nmax = 1.000001"));
    let bias = "bias = { capture = 0.0, gives = 0.0, other";
    let ones = "bias = { capture = 1.0, gives = 1.0, other";
    place.write("engine.toml", edited(ENGINE, bias, ones));
    let said = place.tuner(&["run", "job.toml"]).ended(6);
    let reason = "the values are those of the start, so that there is nothing to verify";
    let expected = format!("Verification 1: REJECTED: {reason}");
    for out in [said.out, place.tuner(&["status", "job"]).ended(0).out] {
        assert!(out.contains(&expected), "{out}");
        assert!(!out.contains("0 games (LLR"), "{out}");
    }
    let verification = &view(&place)["verifications"][0];
    assert_eq!(verification["note"], reason);
    assert_eq!(verification["verdict"], "rejected");
    let forced = ["export", "job", "--to", "new.toml", "--force"];
    place.tuner(&forced).ended(0);
    assert!(place.text("new.toml").contains(&expected));
}

#[test]
fn a_run_that_somebody_works_on_is_running() {
    let place = Place::after_run(JOB);
    let _lock = RunLock::acquire(&place.path("runs/job/lock")).unwrap();
    assert_eq!(view(&place)["state"], "running");
    let said = place.tuner(&["status", "job"]).ended(0);
    assert!(!said.out.contains("Next:"), "{}", said.out);
}

#[test]
fn an_interrupted_run_has_no_elo_yet_and_its_status_says_how_to_go_on() {
    let place = Place::after_run(JOB);
    cut_journal(&place, |line| line.contains("run_started"));
    let fresh = view(&place);
    assert_eq!(
        [&fresh["state"], &fresh["rounds"]],
        [&Value::from("interrupted"), &0.into()]
    );
    assert_eq!(
        [&fresh["elo"], &fresh["elo_95"], &fresh["verdict"]],
        [&Value::Null; 3]
    );
    assert_eq!(
        fresh["parameters"][0]["now"],
        fresh["parameters"][0]["before"]
    );
    let said = place.tuner(&["status", "job"]).ended(0);
    assert!(said.out.contains("tuner resume job"), "{}", said.out);
}

#[test]
fn a_run_in_its_verification_shows_the_games_so_far() {
    let place = Place::after_run(JOB);
    cut_journal(&place, |line| line.contains(",\"decision\","));
    let view = view(&place);
    assert_eq!(
        [&view["state"], &view["rounds"]],
        [&Value::from("interrupted"), &3.into()]
    );
    assert_eq!(view["verifications"][0]["decision"]["games"], 20);
    assert_eq!(view["verifications"][0]["verdict"], Value::Null);
    assert_eq!(view["verified"], false);
    assert_eq!(
        view["verifications"][0]["decision"]["estimate"],
        "sequential_corrected"
    );
}

#[test]
fn all_runs_are_listed_and_one_that_cannot_be_read_hides_no_other() {
    let place = Place::after_run(JOB);
    place.tuner(&["run", "job.toml"]).ended(0);
    let list = place.tuner(&["status", "--json"]).ended(0).json();
    let names: Vec<&Value> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|view| &view["name"])
        .collect();
    assert_eq!(names, ["job", "job-2"]);
    place.write("runs/job/job.toml", "");
    let said = place.tuner(&["status"]).ended(0);
    assert!(said.out.contains("job-2 "), "{}", said.out);
    assert!(said.out.contains("unreadable"), "{}", said.out);
    let list = place.tuner(&["status", "--json"]).ended(0).json();
    assert_eq!([&list[0]["name"], &list[1]["name"]], ["job", "job-2"]);
    assert!(list[0]["error"].as_str().unwrap().contains("job.toml"));
    assert_eq!(list[1]["state"], "completed");
    assert!(list[1].get("error").is_none());
}

#[test]
fn a_run_is_found_by_name_and_by_path() {
    let place = Place::after_run(JOB);
    for run in ["job", "runs/job", "runs/job/", "./runs/job"] {
        place.tuner(&["status", run]).ended(0);
    }
    place.tuner(&["status", "runs"]).ended(3);
    place
        .tuner(&["status", "nobody"])
        .ended(3)
        .names(&["nobody", "job"]);
    place
        .tuner(&["status", "--runs", "nowhere"])
        .ended(3)
        .names(&["nowhere"]);
    assert!(!place.path("nowhere").exists());
}

#[test]
fn a_plan_counts_games_and_writes_nothing() {
    let place = Place::with_job(&edited(JOB, "rounds = 3", "rounds = 3\ngames = 100"));
    let said = place.tuner(&["check", "job.toml"]).ended(0);
    for part in [
        "at most 100 games",
        "40 to 220 games",
        "stages.opening.bias.gives",
        "reproducible",
        "games a second of the tuned engine here, measured with",
        "of  50 Elo of head room:",
        "with 100 games and 2 parameters",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert!(!place.path("runs").exists());
    let short = ["check", "job.toml", "--no-pilot", "--no-forecast"];
    let said = place.tuner(&short).ended(0).out;
    assert!(said.contains("not measured (--no-pilot)"), "{said}");
    assert!(!said.contains("head room"), "{said}");
    let again = place.tuner(&["check", "job.toml", "--no-pilot"]);
    let once_more = place.tuner(&["check", "job.toml", "--no-pilot"]);
    assert_eq!(again.out, once_more.out);
}

#[test]
fn a_job_that_limits_its_games_alone_is_planned_and_shown_by_its_games() {
    let place = Place::with_job(&edited(JOB, "rounds = 3", "games = 100"));
    let said = place
        .tuner(&["check", "job.toml", "--no-forecast"])
        .ended(0);
    assert!(said.out.contains("at most 100 games\n"), "{}", said.out);
    place.tuner(&["run", "job.toml"]);
    let view = view(&place);
    assert_eq!(view["rounds_planned"], serde_json::Value::Null);
    assert_eq!(view["games_planned"], 100);
    let said = place.tuner(&["status", "job"]).ended(0);
    let part = format!("{} rounds, {} of 100 games", view["rounds"], view["games"]);
    assert!(said.out.contains(&part), "{part}: {}", said.out);
}

#[test]
fn a_test_is_not_looked_at_before_its_first_look() {
    let decided = |job: &str| {
        let view = view(&Place::after_run(job));
        let decision = &view["verifications"][0]["decision"]["games"];
        decision.as_u64().unwrap()
    };
    assert!(
        decided(JOB) < 110,
        "this test needs a decision before its first look"
    );
    let first_look = "batch_games = 20\nfirst_look_games = 110";
    assert_eq!(decided(&edited(JOB, "batch_games = 20", first_look)), 120);
}

#[test]
fn every_attempt_is_shown_with_its_own_error_rates() {
    let place = Place::after_run(JOB);
    let code = place.tuner(&["verify", "job"]).code;
    assert!(matches!(code, Some(0 | 6)), "{code:?}");
    let view = view(&place);
    for (index, rate) in [0.05, 0.025].into_iter().enumerate() {
        let attempt = &view["verifications"][index];
        let rates = [&attempt["alpha"], &attempt["beta"]].map(|rate| rate.as_f64().unwrap());
        assert_eq!(rates, [rate; 2]);
        assert_eq!(attempt["against_start"]["estimate"], "fixed_games");
    }
    let said = place.tuner(&["status", "job"]).ended(0);
    assert!(
        said.out.contains("error rates 0.025 and 0.025"),
        "{}",
        said.out
    );
}
