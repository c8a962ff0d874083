//! Runs and matches of the Amazons: what holds for every game holds for them, and what they alone
//! have.

use serde_json::Value;
use sixfold_engine::eval::amazons::square_use::SquareUse;
use sixfold_engine::game::amazons::{Amazons, HalfMove};
use sixfold_engine::game::{Player, Position};

use crate::path::{differences, split_evidence};
use crate::replay::{exported, lines, stored};
use crate::support::{Place, edited};

/// An engine on 5x5 squares that looks at its own half-moves only.
const ENGINE: &str = r#"# Amazons, small.
format = 1

[game]
name = "amazons"
files = 5
ranks = 5

[budget]
work_units = 1_000_000       # the depth ends every search

[solver]
table_mib = 1

[stages.game]                # all of it
from = { ply = 0 }
searcher = "iterative_deepening"
depth_plies = 1
evaluation = { x = 5.0, y = 20.0, kappa = 0.1 }   # X and Y
"#;

/// The source's scheme in small, whose verification anything but a loss passes.
const JOB: &str = r#"format = 1
seed = 7

[engine]
config = "engine.toml"

[reference]
config = "engine.toml"

[budget]
work_units = 1_000_000

[[parameters]]
path = "stages.game.evaluation.x"
step = 2.0

[[parameters]]
path = "stages.game.evaluation.y"
step = 2.0

[learner]
kind = "paper"
episodes = 20

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
reference_games = 20
"#;

fn place() -> Place {
    let place = Place::with_job(JOB);
    place.write("engine.toml", ENGINE);
    place
}

/// A place whose job has run to its end.
fn after_run() -> Place {
    let place = place();
    place.tuner(&["run", "job.toml"]).ended(0);
    place
}

fn games_of(place: &Place, more: &[&str]) -> Vec<Value> {
    let export = ["export-games", "job", "--format", "jsonl"];
    lines(&place.tuner(&[&export[..], more].concat()).ended(0).out)
}

#[test]
fn an_engine_against_itself_ties_every_pair_of_the_amazons() {
    let own = ["match", "engine.toml", "engine.toml", "--json"];
    let report = place().tuner(&own).ended(0).json();
    assert_eq!(report["pentanomial"], serde_json::json!([0, 0, 200, 0, 0]));
    assert_eq!(report["draws"], 0, "nobody draws");
}

#[test]
fn swapping_the_sides_of_the_amazons_negates_every_result() {
    let place = place();
    let other = edited(ENGINE, "x = 5.0, y = 20.0", "x = 50.0, y = 1.0");
    place.write("other.toml", other);
    let play = |a: &str, b: &str, threads: &str| {
        let players = ["match", a, b, "--games", "200", "--json"];
        let report = place.tuner(&[&players[..], &["--threads", threads]].concat());
        let report = report.ended(0).json();
        let counts = report["pentanomial"].as_array().unwrap().clone();
        counts
            .iter()
            .map(|it| it.as_u64().unwrap())
            .collect::<Vec<u64>>()
    };
    let ours = play("engine.toml", "other.toml", "1");
    let mut theirs = play("other.toml", "engine.toml", "2");
    theirs.reverse();
    assert_eq!(ours, theirs);
    assert_ne!(ours[..2], [ours[4], ours[3]], "the sides differ: {ours:?}");
}

#[test]
fn a_run_of_the_amazons_is_the_same_on_any_number_of_threads() {
    let place = place();
    for name in ["1", "2"] {
        let run = ["run", "job.toml", "--threads", name, "--name", name];
        place.tuner(&run).ended(0);
    }
    assert_eq!(place.result("1"), place.result("2"));
    let games = |run: &str| {
        let name = |round: u32| format!("runs/{run}/games/round-0000{round}.pgn");
        [0, 1, 2].map(|round| place.text(&name(round)))
    };
    assert_eq!(games("1"), games("2"));
}

#[test]
fn games_of_the_amazons_are_exported_replayed_and_recorded_as_they_were_played() {
    let place = after_run();
    let rows = games_of(&place, &[]);
    assert_eq!(exported(&rows), stored(&place));
    for row in rows
        .iter()
        .filter(|row| row["contest"] == "tuning")
        .step_by(41)
    {
        let text = |name: &str| row[name].to_string();
        let (round, trial, game) = (text("round"), text("trial"), text("game"));
        let at = ["replay", "job", "--round", &round, "--trial", &trial];
        let view = place.tuner(&[&at[..], &["--game", &game, "--json"]].concat());
        let view = view.ended(0).json();
        for name in ["opening", "first", "result", "margin", "proven"] {
            assert_eq!(view[name], row[name], "{name} of {row}");
        }
        assert_eq!(row["moves"], view["moves"].as_array().unwrap().len());
        let checked = place.tuner(&[&at[..], &["--check"]].concat()).ended(0).out;
        assert!(checked.contains("The journal says the same."), "{checked}");
        let shown = place
            .tuner(&[&at[..], &["--game", &game]].concat())
            .ended(0)
            .out;
        assert!(!shown.contains("box"), "{shown}");
    }
    let first = [
        "replay", "job", "--round", "0", "--trial", "0", "--game", "0",
    ];
    place
        .tuner(&[&first[..], &["--record", "game.pgn"]].concat())
        .ended(0);
    let moves = |name: &str| {
        let text = place.text(name);
        let (_, moves) = text.split_once("\n\n").unwrap();
        moves.trim_end().to_owned()
    };
    assert_eq!(moves("game.pgn"), moves("runs/job/games/round-00000.pgn"));
    place.tuner(&["fsck", "job"]).ended(0);
}

/// What became of the squares of a game that `tuner replay` shows.
fn used(view: &Value) -> Option<SquareUse> {
    let opening = Amazons::from_text(view["opening"].as_str().unwrap()).unwrap();
    let words: Vec<&str> = view["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["move"].as_str().unwrap())
        .collect();
    let mut position = opening;
    let mut moves: Vec<HalfMove> = Vec::new();
    for turn in words.chunks_exact(2) {
        let halves = position.parse_turn(&turn.concat()).unwrap();
        halves.iter().for_each(|mv| position.play(*mv));
        moves.extend(halves);
    }
    SquareUse::of_game(&opening, &moves, 1_000_000)
}

#[test]
fn exported_squares_are_those_of_the_game() {
    let place = after_run();
    let rows = games_of(&place, &["--squares"]);
    let wastes = |row: &Value| row["wasted_a"] != 0 || row["wasted_b"] != 0;
    let is_seen = |row: &&Value| row["contest"] == "tuning" && (row["trial"] == 7 || wastes(row));
    let seen: Vec<&Value> = rows.iter().filter(is_seen).collect();
    assert!(
        seen.len() > 5,
        "the five games of a trial, and some with waste"
    );
    for row in seen {
        let text = |name: &str| row[name].to_string();
        let (round, trial, game) = (text("round"), text("trial"), text("game"));
        let replay = ["replay", "job", "--round", &round, "--trial", &trial];
        let at = ["--game", &game, "--json"];
        let view = place.tuner(&[&replay[..], &at].concat()).ended(0).json();
        let found = used(&view).expect("a game that is over has sides that are apart");
        let a = if row["first"] == "a" {
            Player::First
        } else {
            Player::Second
        };
        let [of_a, of_b] = [a, a.other()].map(|player| found.sides[player.index()]);
        assert_eq!(row["apart_at"], found.apart_at);
        assert_eq!(row["unreached"], found.unreached);
        assert_eq!([&row["held_a"], &row["held_b"]], [of_a.held, of_b.held]);
        let wasted = [of_a, of_b].map(|side| side.wasted().unwrap());
        assert_eq!([&row["wasted_a"], &row["wasted_b"]], wasted);
        // Who has lost has no turn left where the game was played to its end.
        let loser = if row["result"] == "win" { of_b } else { of_a };
        assert!(row["proven"] == true || loser.left.upper == 0, "{row}");
    }
    let plain = games_of(&place, &[]);
    assert!(plain[0].get("wasted_a").is_none());
}

#[test]
fn columns_of_another_game_are_refused() {
    let place = after_run();
    let export = |run: &str, option: &str| {
        place
            .tuner(&["export-games", run, "--format", "csv", option])
            .ended(3)
    };
    export("job", "--losses").names(&["Amazons", "a run of Dots and Boxes"]);
    let dots = Place::after_run(crate::support::JOB);
    let said = dots.tuner(&["export-games", "job", "--format", "csv", "--squares"]);
    said.ended(3)
        .names(&["Dots and Boxes", "a run of the Amazons"]);
}

#[test]
fn an_export_into_an_engine_of_the_amazons_keeps_all_but_the_values() {
    let place = after_run();
    let mine = edited(ENGINE, "# Amazons, small.", "# Mine, with care.");
    place.write("mine.toml", &mine);
    place
        .tuner(&["export", "job", "--to", "mine.toml"])
        .ended(0);
    let (_, rest) = split_evidence(&place.text("mine.toml"));
    let changed = differences(&mine, &rest);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(
        changed[0].1.starts_with("evaluation = { x = "),
        "{changed:?}"
    );
    assert!(
        changed[0].1.ends_with(", kappa = 0.1 }   # X and Y"),
        "{changed:?}"
    );
    let wider = edited(ENGINE, "files = 5", "files = 6");
    place.write("mine.toml", &wider);
    place
        .tuner(&["export", "job", "--to", "mine.toml"])
        .ended(3)
        .names(&["on 6x5 squares", "on 5x5 squares"]);
    place.write("mine.toml", crate::support::ENGINE);
    place
        .tuner(&["export", "job", "--to", "mine.toml"])
        .ended(3)
        .names(&["Dots and Boxes", "Amazons"]);
    assert_eq!(place.text("mine.toml"), crate::support::ENGINE);
}

#[test]
fn a_job_of_the_amazons_is_planned() {
    let place = place();
    let said = place.tuner(&["check", "job.toml"]).ended(0).out;
    for part in [
        "job.toml is valid.",
        "stages.game.evaluation.x from 5",
        "stages.game.evaluation.y from 20",
        "at most 300 games in at most 3 rounds",
        "games a second of the tuned engine here",
        "the same job and seed give the same bytes",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// The depth ends every search: games take no longer with a budget that no move comes near to.
#[test]
fn a_budget_that_no_move_uses_up_does_not_scale_the_speed() {
    let place = place();
    let job = edited(JOB, "work_units = 1_000_000", "work_units = 10_000_000_000");
    place.write("job.toml", job);
    let check = ["check", "job.toml", "--no-forecast"];
    let said = place.tuner(&check).ended(0).out;
    assert!(
        said.contains("measured with") && !said.contains("scaled"),
        "{said}"
    );
    // Simulations are used up: half of them are other games.
    let dots = Place::new();
    let many = "[budget]\nsimulations = 10_000_000";
    let job = edited(crate::support::JOB, "[budget]\nsimulations = 20", many);
    dots.write("job.toml", job);
    let said = dots.tuner(&check).ended(0).out;
    assert!(said.contains("% of the budget and scaled"), "{said}");
}

#[test]
fn the_report_of_a_run_of_the_amazons_has_the_sources_figures() {
    let place = after_run();
    let page = place.text("runs/job/report.html");
    assert!(page.contains("id=\"source-figures\""));
    assert!(page.contains("Source's figures 5 and 6: stages.game.evaluation.y over the rounds"));
    assert!(!page.contains("boxes"));
}

#[test]
fn the_report_draws_the_end_of_the_last_game_that_was_kept() {
    let place = after_run();
    let page = place.text("runs/job/report.html");
    let (_, board) = page.split_once("<svg class=\"board\"").unwrap();
    let (board, rest) = board.split_once("</svg>").unwrap();
    let count = |part: &str| board.matches(part).count();
    assert_eq!((count("<rect"), count("<circle")), (25, 8));
    assert_eq!(
        [count("class=\"first\""), count("class=\"second\"")],
        [4, 4]
    );
    let record = place.text("runs/job/games/round-00002.pgn");
    assert!(rest.contains(record.lines().last().unwrap()), "{record}");
    place.write("runs/job/games/round-00002.pgn", "no record");
    let said = place.tuner(&["report", "job"]).ended(0);
    let said = said.names(&["round-00002.pgn", "cannot be drawn", "is no tag"]);
    assert!(said.out.contains("Wrote"), "{}", said.out);
    assert!(
        !place
            .text("runs/job/report.html")
            .contains("class=\"board\"")
    );
}
