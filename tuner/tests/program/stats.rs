//! `tuner stats`.

use serde_json::{Value, json};

use crate::support::{ENGINE, Place, edited};

fn stats(more: &[&str]) -> Value {
    let arguments = [&["stats", "--json"], more].concat();
    Place::new().tuner(&arguments).ended(0).json()
}

#[track_caller]
fn close(value: &Value, want: f64, tolerance: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("{value}"));
    assert!((got - want).abs() <= tolerance, "{got} is not {want}");
}

#[test]
fn published_counts_give_their_published_numbers() {
    let report = stats(&[
        "--pentanomial=39,2226,31451,2412,40",
        "--bounds=0.764,3.439",
    ]);
    close(&report["llr"], 2.162_941, 6e-7);
    close(&report["elo"], 0.903, 6e-4);
    close(&report["los"], 0.9962, 6e-5);
    let half = report["elo_95"][1].as_f64().unwrap() - report["elo_95"][0].as_f64().unwrap();
    assert!((half / 2.0 - 0.663).abs() < 6e-4);
    assert_eq!(report["decision"], "undecided");
    assert_eq!(
        [&report["games"], &report["wins"]],
        [&json!(72_336), &Value::Null]
    );
    let logistic = ["--bounds=0.2,0.9", "--model=logistic"];
    let counts = ["--pentanomial=39,2226,31451,2412,40"];
    close(
        &stats(&[&counts[..], &logistic].concat())["llr"],
        2.162_543,
        6e-7,
    );
}

#[test]
fn a_match_and_its_counts_tell_the_same() {
    let place = Place::new();
    place.write(
        "giver.toml",
        edited(ENGINE, "gives = 0.0, other", "gives = 0.3, other"),
    );
    let played = [
        "match",
        "engine.toml",
        "giver.toml",
        "--sprt=-20,40",
        "--json",
    ];
    let played = place.tuner(&played).ended(0).json();
    let list = |keys: &[&Value]| {
        let words: Vec<String> = keys.iter().map(ToString::to_string).collect();
        words.join(",")
    };
    let pairs: Vec<&Value> = played["pentanomial"].as_array().unwrap().iter().collect();
    let pentanomial = format!("--pentanomial={}", list(&pairs));
    let wdl = list(&[&played["wins"], &played["draws"], &played["losses"]]);
    let wdl = format!("--wdl={wdl}");
    let batch = format!("--batch-games={}", played["look_every_games"]);
    let report = stats(&[&pentanomial, &wdl, "--bounds=-20,40", &batch]);
    for key in [
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "llr",
        "decision",
    ] {
        assert_eq!(report[key], played[key], "{key}");
    }
    for key in ["elo", "elo_95", "nelo", "los"] {
        assert_eq!(report["corrected"][key], played[key], "{key}");
    }
}

#[test]
fn games_alone_are_a_trinomial_and_have_no_pairs() {
    let report = stats(&["--wdl=60,0,40"]);
    close(&report["elo"], 70.437, 0.01);
    assert_eq!(
        [
            &report["pentanomial"],
            &report["corrected"],
            &report["batch_games"]
        ],
        [&Value::Null; 3]
    );
    assert_eq!(report["losses"], 40);
}

#[test]
fn an_accepted_test_is_worth_less_than_its_score() {
    let report = stats(&["--pentanomial=49,26,349,34,66", "--bounds=0,20"]);
    assert_eq!(report["decision"], "undecided");
    let won = "--pentanomial=49,26,349,34,77";
    let report = stats(&[won, "--bounds=0,20"]);
    let number = |value: &Value| value.as_f64().unwrap();
    let corrected = &report["corrected"];
    assert!(
        number(&corrected["elo"]) < number(&report["elo"]),
        "{report}"
    );
    let said = Place::new()
        .tuner(&["stats", won, "--bounds=0,20"])
        .ended(0);
    for part in [
        "elo_95",
        "nelo",
        "los",
        "llr",
        "corrected",
        "sequential test",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
}

#[test]
fn a_zero_has_no_minus_sign() {
    // Half a point of a hundred million games less than half of them: -0.000003 Elo.
    for counts in ["--wdl=50000000,0,50000001", "--pentanomial=1,0,100000,0,1"] {
        let said = Place::new().tuner(&["stats", counts, "--bounds=-20,20"]);
        let said = said.ended(0).out;
        assert!(said.contains("elo          +0.00\n"), "{said}");
        let words = said.split([' ', ',', '[', ']', '\n']);
        let mut negative = words.filter(|word| word.starts_with('-'));
        assert!(
            negative.all(|word| word.parse::<f64>() != Ok(0.0)),
            "{said}"
        );
    }
}

#[test]
fn games_that_ran_on_name_the_looks_that_they_were_judged_by() {
    let counts = "--pentanomial=49,26,349,34,177";
    let note = |more: &[&str]| {
        let report = stats(&[&[counts, "--bounds=0,20"], more].concat());
        assert_eq!(report["corrected"], Value::Null);
        report["corrected_note"].as_str().unwrap().to_owned()
    };
    for (more, every) in [(vec![], 2), (vec!["--batch-games=100"], 100)] {
        let note = note(&more);
        let said = format!("with a look after every {every} games; --batch-games says otherwise");
        assert!(note.ends_with(&said), "{note}");
        assert!(note.contains("not stopped by this test"), "{note}");
    }
}

#[test]
fn counts_without_variance_say_so_in_place_of_numbers() {
    for counts in [
        "--pentanomial=0,0,50,0,0",
        "--pentanomial=0,0,0,0,1",
        "--wdl=9,0,0",
    ] {
        let report = stats(&[counts, "--bounds=0,20"]);
        for key in ["elo", "elo_95", "nelo", "los", "corrected"] {
            assert_eq!(report[key], Value::Null, "{key}");
        }
        for key in ["note", "corrected_note"] {
            assert!(
                report[key].as_str().unwrap().contains("no variance"),
                "{report}"
            );
        }
        let said = Place::new().tuner(&["stats", counts]).ended(0);
        assert!(said.out.contains("no variance"), "{}", said.out);
        assert!(
            !said.out.contains("NaN") && !said.out.contains("inf"),
            "{}",
            said.out
        );
    }
}

#[test]
fn pairs_and_games_must_be_of_one_match() {
    // Two pairs of one point are one of two drawn games and one of a win and a loss.
    let fits = stats(&["--pentanomial=1,1,2,1,1", "--wdl=4,4,4"]);
    assert_eq!(fits["games"], 12);
    for wrong in [
        "--wdl=5,3,4",
        "--wdl=5,2,5,",
        "--wdl=3,6,4",
        "--wdl=6,0,6",
        "--wdl=1,10,1",
    ] {
        let arguments = ["stats", "--pentanomial=1,1,2,1,1", wrong];
        Place::new().tuner(&arguments).ended(3).names(&["--wdl"]);
    }
}

#[test]
fn bad_input_is_refused_with_what_is_allowed() {
    let place = Place::new();
    let good = "--pentanomial=3,8,40,12,9";
    for (arguments, part) in [
        (&["--pentanomial=0,0,0,0,0"][..], "not all 0"),
        (&["--pentanomial=-1,0,0,0,2"], "\"-1\" is no count"),
        (&["--pentanomial=nan,0,0,0,2"], "\"nan\" is no count"),
        (&["--pentanomial=1.5,0,0,0,2"], "from 0 to"),
        (&["--pentanomial=1,2,3"], "expected 5 whole numbers"),
        (&["--wdl=1,2,99999999999999999999"], "is no count"),
        (&["--wdl=0,0,0"], "no games"),
        (&[], "--pentanomial A,B,C,D,E"),
        (
            &[good, "--bounds=20,0"],
            "the first must be below the second",
        ),
        (&[good, "--bounds=0,nan"], "--bounds"),
        (&[good, "--bounds=0,900"], "within ±200"),
        (&[good, "--bounds=0"], "LOW,HIGH"),
        (&[good, "--alpha=0"], "above 0 and below 0.5"),
        (&[good, "--beta=-0.1"], "above 0 and below 0.5"),
        (&[good, "--alpha=x"], "--alpha"),
        (&[good, "--model=bayes"], "normalized or logistic"),
        (
            &[good, "--bounds=0,20", "--batch-games=7"],
            "an even number from 2",
        ),
        (&[good, "--batch-games=8"], "needs --bounds"),
    ] {
        let all = [&["stats"], arguments].concat();
        let said = place.tuner(&all).ended(3);
        said.names(&[part]);
    }
}
