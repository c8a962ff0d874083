//! `tuner match`.

use serde_json::Value;

use crate::support::{ENGINE, Place, edited};

/// A place with another engine: one that likes to give boxes away.
fn place() -> Place {
    let place = Place::new();
    place.write(
        "giver.toml",
        edited(ENGINE, "gives = 0.0, other", "gives = 0.3, other"),
    );
    place
}

fn play(place: &Place, a: &str, b: &str, more: &[&str]) -> Value {
    let arguments = [&["match", a, b, "--json"], more].concat();
    place.tuner(&arguments).ended(0).json()
}

#[test]
fn an_engine_against_itself_ties_every_pair_and_says_there_is_no_variance() {
    let place = place();
    let text = place
        .tuner(&["match", "engine.toml", "engine.toml"])
        .ended(0)
        .out;
    assert!(text.contains("no variance"), "{text}");
    let json = place
        .tuner(&["match", "engine.toml", "engine.toml", "--json"])
        .ended(0);
    for out in [&text, &json.out] {
        let out = out.to_lowercase();
        assert!(!out.contains("nan") && !out.contains("inf"), "{out}");
    }
    let report = json.json();
    assert_eq!(report["pentanomial"], serde_json::json!([0, 0, 200, 0, 0]));
    assert_eq!(report["games"], 400);
    assert_eq!(
        [&report["elo"], &report["elo_95"], &report["los"]],
        [&Value::Null; 3]
    );
    assert!(report["note"].as_str().unwrap().contains("no variance"));
}

#[test]
fn swapping_the_sides_negates_every_result_exactly() {
    let place = place();
    let ours = play(&place, "engine.toml", "giver.toml", &["--games", "300"]);
    let theirs = play(&place, "giver.toml", "engine.toml", &["--games", "300"]);
    assert_eq!(ours["wins"], theirs["losses"]);
    assert_eq!(ours["draws"], theirs["draws"]);
    assert_ne!(ours["wins"], ours["losses"]);
    let counts = |report: &Value| report["pentanomial"].as_array().unwrap().clone();
    let reversed: Vec<Value> = counts(&theirs).into_iter().rev().collect();
    assert_eq!(counts(&ours), reversed);
    let elo = |report: &Value| report["elo"].as_f64().unwrap();
    assert!((elo(&ours) + elo(&theirs)).abs() < 1e-9);
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads_and_differs_with_the_seed() {
    let place = place();
    let with = |more: &[&str]| play(&place, "engine.toml", "giver.toml", more);
    let one = with(&["--threads", "1"]);
    assert_eq!(one, with(&["--threads", "2"]));
    assert_eq!(one, with(&["--threads", "5"]));
    assert_ne!(one["pentanomial"], with(&["--seed", "2"])["pentanomial"]);
}

#[test]
fn a_longer_match_begins_like_a_shorter_one() {
    let place = place();
    let wins = |games: &str| {
        let report = play(&place, "engine.toml", "giver.toml", &["--games", games]);
        ["wins", "draws", "losses"].map(|key| report[key].as_u64().unwrap())
    };
    let (short, long) = (wins("200"), wins("400"));
    assert!(
        short.iter().zip(long).all(|(&short, long)| short <= long),
        "{short:?} {long:?}"
    );
}

#[test]
fn the_interval_of_independent_games_contains_zero_for_an_engine_against_itself() {
    let place = place();
    let holds = |seed: u32| {
        let seed = seed.to_string();
        let more = ["--independent-streams", "--games", "200", "--seed", &seed];
        let report = play(&place, "engine.toml", "engine.toml", &more);
        let bound = |index: usize| report["elo_95"][index].as_f64().unwrap();
        assert!(bound(0) < bound(1), "{report}");
        bound(0) <= 0.0 && bound(1) >= 0.0
    };
    let held = (1..=20).filter(|&seed| holds(seed)).count();
    assert!(held >= 17, "only {held} of 20 intervals contain 0");
}

#[test]
fn a_sequential_test_stops_when_it_is_decided_and_its_estimate_is_corrected() {
    let place = place();
    let report = play(&place, "engine.toml", "giver.toml", &["--sprt=-100,-50"]);
    assert_eq!(
        [
            &report["decision"],
            &report["stopped_by_test"],
            &report["estimate"],
            &report["look_every_games"]
        ],
        [
            &Value::from("H1"),
            &true.into(),
            &"sequential_corrected".into(),
            &200.into()
        ]
    );
    let elo = report["elo"].as_f64().unwrap();
    assert!(report["elo_95"][0].as_f64().unwrap() < elo);
    let games = report["games"].as_u64().unwrap();
    assert!((2..20_000).contains(&games), "{games}");
    let llr = report["llr"].as_f64().unwrap();
    assert!(llr >= report["llr_bounds"][1].as_f64().unwrap());
    let capped = play(
        &place,
        "engine.toml",
        "engine.toml",
        &["--sprt=0,1", "--games-max", "40"],
    );
    assert_eq!(
        [&capped["decision"], &capped["games"]],
        [&Value::from("undecided"), &40.into()]
    );
    let said = place
        .tuner(&["match", "engine.toml", "giver.toml", "--sprt=-100,-50"])
        .ended(0);
    assert!(said.out.contains("corrected for the test"), "{}", said.out);
}

#[test]
fn the_json_of_a_match_has_the_promised_fields() {
    let report = play(&place(), "engine.toml", "giver.toml", &["--games", "40"]);
    let fields = [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "elo_95",
        "los",
        "llr",
    ];
    for field in fields {
        assert!(!report[field].is_null(), "{field} in {report}");
    }
    let count = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(
        count("wins") + count("draws") + count("losses"),
        count("games")
    );
}

#[test]
fn a_budget_on_the_command_line_replaces_both_engines_own() {
    let place = place();
    let with = |budget: &str| {
        play(
            &place,
            "engine.toml",
            "giver.toml",
            &["--games", "100", "--budget", budget],
        )
    };
    assert_eq!(
        with("simulations=20"),
        play(&place, "engine.toml", "giver.toml", &["--games", "100"])
    );
    assert_ne!(
        with("simulations=20")["pentanomial"],
        with("work_units=3000")["pentanomial"]
    );
}

#[test]
fn a_wrong_command_line_is_refused_with_what_is_allowed() {
    let place = place();
    for (wrong, part) in [
        ("--games=7", "even"),
        ("--games=0", "even"),
        ("--games=-2", "even"),
        ("--games=1e3", "even"),
        ("--sprt=20,0", "--sprt"),
        ("--sprt=nan,5", "--sprt"),
        ("--sprt=0,inf", "--sprt"),
        ("--sprt=0,20,30x", "--sprt"),
        ("--sprt=0,5,x", "--sprt"),
        ("--sprt=0", "LOW,HIGH"),
        ("--budget=seconds=1", "simulations=N"),
        ("--budget=simulations=0", "from 1"),
        ("--budget=work_units=99", "from 100"),
        ("--seed=9007199254740992", "--seed"),
        ("--seed=-1", "--seed"),
        ("--threads=0", "1..=1024"),
        ("--threads=99999", "1..=1024"),
    ] {
        let said = place
            .tuner(&["match", "engine.toml", "engine.toml", wrong])
            .ended(2);
        said.names(&[part]);
    }
}

#[test]
fn a_match_of_what_are_no_engines_of_one_game_is_refused() {
    let place = place();
    place.write("other.toml", ENGINE.replace("rows = 3", "rows = 2"));
    place.write("empty.toml", "");
    place.write("binary.toml", [0u8, 255, 254, 10, 7]);
    for (file, part) in [
        ("other.toml", "different games"),
        ("empty.toml", "`format` is missing"),
        ("binary.toml", "UTF-8"),
        ("nobody.toml", "nobody.toml"),
        (".", "not a file"),
        ("job.toml", "job.toml:"),
    ] {
        place
            .tuner(&["match", "engine.toml", file])
            .ended(3)
            .names(&[part]);
        place
            .tuner(&["match", file, "engine.toml"])
            .ended(3)
            .names(&[part]);
    }
}
