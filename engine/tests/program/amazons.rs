//! The commands with the Amazons.

use serde_json::{Value, json};
use sixfold_engine::game::amazons::Amazons;
use sixfold_engine::game::{Outcome, Player, Position};

use crate::support::{Place, configurations, json_lines};

/// A small ending: 5 of 20 turns win.
const ENDING: &str = "q2*/2**/**Q1/*3 w - - 0 1";

fn play(input: &str, more: &[&str]) -> String {
    let arguments = [&["play", "--config", "amazons.toml"], more].concat();
    Place::new().engine_with(&arguments, input).ended(0).out
}

#[test]
fn at_the_prompt_whole_turns_are_typed_and_answered() {
    for turn in ["b1-b2/b1", "B1-B2xB1", "b1b2b1", "b1b2,b2b1"] {
        let out = play(&format!("{turn}\nquit\n"), &[]);
        let answer = out
            .lines()
            .find(|line| line.contains("Second plays "))
            .unwrap();
        let words: Vec<&str> = answer.split(' ').collect();
        let at = words.iter().position(|word| *word == "plays").unwrap();
        let mut position = Amazons::from_text("1qq1/q2q/QQ1Q/1*Q1 b - - 1 1").unwrap();
        let reply = position
            .parse_turn(words[at + 1])
            .expect("a whole legal turn");
        reply.into_iter().for_each(|mv| position.play(mv));
        assert!(out.contains(&format!("Left at {position}")), "{out}");
        assert_eq!(
            answer.matches("opening: 20 simulations").count(),
            2,
            "{answer}"
        );
    }
}

#[test]
fn the_prompt_draws_the_board_lists_moves_and_explains_itself() {
    let out = play("help\nmoves\nboard\nb1-b4/b1\nh0,1\nquit\n", &[]);
    assert_eq!(
        out.matches("Type a whole turn: from, to and arrow").count(),
        2,
        "{out}"
    );
    assert!(out.contains(" 2  Q  .  .  Q\n"), "{out}");
    assert!(out.contains("b1-a1 b1-b2 "), "{out}");
    assert!(out.contains("cannot go to b4"), "{out}");
    assert_eq!(out.matches("Not a turn here").count(), 2, "{out}");
    assert!(out.contains("Left at 1qq1/q2q/Q2Q/1QQ1 w - - 0 1"), "{out}");
}

#[test]
fn two_configurations_play_a_game_of_whole_turns() {
    let arguments = ["--against", "amazons.toml"];
    let out = play("", &arguments);
    let mut lines = out.lines();
    let mut position = Amazons::from_text(lines.next().unwrap()).unwrap();
    let mut turns = 0;
    for line in lines.by_ref().take_while(|line| line.contains('-')) {
        let (player, turn) = line.split_once(' ').unwrap();
        assert_eq!(player, position.to_move().to_string());
        let moves = position.parse_turn(turn).expect("a legal turn");
        moves.into_iter().for_each(|mv| position.play(mv));
        turns += 1;
    }
    // From the fourth turn on both would play exactly, and one proof says who wins.
    assert_eq!((turns, position.turns()), (4, 4), "{out}");
    assert!(out.contains("the rest is proven"), "{out}");
    let last = out.lines().last().unwrap();
    assert!(["First wins.", "Second wins."].contains(&last), "{out}");
    assert_eq!(play("", &arguments), out);
}

#[test]
fn a_game_begins_where_it_is_told_to() {
    let out = play(
        "quit\n",
        &["--position", "2q1/4/4/Q3 b - - 7 5", "--human", "second"],
    );
    assert!(out.contains("Left at 2q1/4/4/Q3 b - - 7 5"), "{out}");
    let place = Place::new();
    let refused = |position: &str, parts: &[&str]| {
        let arguments = ["play", "--config", "amazons.toml", "--position", position];
        place.engine(&arguments).ended(3).names(parts);
    };
    refused(
        "5x5:0",
        &["5x5:0", "Dots and Boxes", "Amazons, 4x4 squares"],
    );
    refused("amazons:5x5", &["another size", "4x4 squares"]);
    refused("q*2/**2/4/3Q b - - 0 1", &["is over", "has no move"]);
    let dots = ["play", "--config", "small.toml", "--position", ENDING];
    place
        .engine(&dots)
        .ended(3)
        .names(&["of Amazons", "1x2 boxes"]);
}

#[test]
fn perft_counts_whole_turns() {
    let place = Place::new();
    for (position, depth, count) in [
        ("amazons:10x10", "0", "1"),
        ("amazons:10x10", "1", "2176"),
        ("amazons:10x10", "2", "4307152"),
        ("amazons:8x8", "1", "1232"),
        ("amazons:6x5", "2", "128094"),
        (
            "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1",
            "1",
            "2176",
        ),
        ("q*/*Q w - - 0 1", "1", "0"),
    ] {
        let said = place.engine(&["perft", position, depth]).ended(0);
        assert_eq!(said.out.trim(), count, "{position} {depth}");
    }
    let refused = |position: &str, depth: &str, parts: &[&str]| {
        place
            .engine(&["perft", position, depth])
            .ended(3)
            .names(parts);
    };
    refused("amazons:10x10", "4", &["depth 4", "2e13", "at most"]);
    refused("Q1/1q w - a2 0 1", "1", &["on a2 has yet to shoot"]);
    refused("amazons:3x10", "1", &["amazons:3x10", "4 to 10"]);
    refused("amazons:010x10", "1", &["4 to 10"]);
}

#[test]
fn a_solution_names_whole_turns_that_win() {
    let place = Place::new();
    let said = place.engine(&["solve", ENDING, "--json"]).ended(0);
    let solution = &json_lines(&said.out)[0];
    assert_eq!(
        (&solution["position"], &solution["value"]),
        (&ENDING.into(), &1.into())
    );
    let said = place
        .engine(&["solve", ENDING, "--json", "--all-moves"])
        .ended(0);
    let all = json_lines(&said.out)[0]["best_moves"]
        .as_array()
        .unwrap()
        .clone();
    assert!(all.contains(&solution["best_moves"][0]), "{all:?}");
    assert_eq!(all.len(), 5);
    assert_eq!(all, winning_turns(&Amazons::from_text(ENDING).unwrap()));
    let text = place.engine(&["solve", ENDING]).ended(0).out;
    assert!(text.contains("value       win\nbest moves  "), "{text}");
    let said = place
        .engine(&["solve", ENDING, "--win-loss", "--json"])
        .ended(0);
    let answer = &json_lines(&said.out)[0];
    assert_eq!(answer["result"], "win");
    // It stops at the first win that it finds.
    assert!(all.contains(&answer["best_move"]), "{answer}");
}

/// By plain search to the end, as texts in the order of the legal moves.
fn winning_turns(position: &Amazons) -> Vec<Value> {
    let mover = position.to_move();
    let mut found = Vec::new();
    for_turns(position, |turn, after| {
        if wins(after, mover) {
            found.push(Value::from(position.format_turn(turn)));
        }
    });
    found
}

fn for_turns(position: &Amazons, mut see: impl FnMut(&[<Amazons as Position>::Move; 2], &Amazons)) {
    let mut walks = Vec::new();
    position.legal_moves(&mut walks);
    for walk in walks {
        let mut walked = *position;
        walked.play(walk);
        let mut shots = Vec::new();
        walked.legal_moves(&mut shots);
        for shot in shots {
            let mut after = walked;
            after.play(shot);
            see(&[walk, shot], &after);
        }
    }
}

fn wins(position: &Amazons, player: Player) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome == Outcome::Win(player);
    }
    let mut results = Vec::new();
    for_turns(position, |_, after| results.push(wins(after, player)));
    if position.to_move() == player {
        results.contains(&true)
    } else {
        !results.contains(&false)
    }
}

#[test]
fn positions_of_all_games_are_solved_from_one_file() {
    let place = Place::new();
    let positions = [
        "1x1:7",
        ENDING,
        "Q1/1q w - a2 0 1",
        "1x1:f",
        "Q*/*q b - - 0 1",
    ];
    let lines = positions.map(|position| format!("{}\n", json!({ "position": position })));
    let said = place
        .engine_with(&["solve", "--input", "-"], &lines.concat())
        .ended(0);
    let answers = json_lines(&said.out);
    let values: Vec<i64> = answers
        .iter()
        .map(|it| it["value"].as_i64().unwrap())
        .collect();
    assert_eq!(values[..2], [1, 1]);
    assert_eq!(values[3..], [0, 0]);
    // What is left of a turn is an arrow.
    let shot = answers[2]["best_moves"][0].as_str().unwrap();
    assert!(shot.starts_with('/'), "{shot}");
    assert_eq!(answers[4]["best_moves"], json!([]));
    let bad = "{\"position\":\"1x1:0\"}\n{\"position\":\"Q1/1k w - - 0 1\"}\n";
    place.write("bad.jsonl", bad);
    let said = place.engine(&["solve", "--input", "bad.jsonl"]).ended(3);
    said.names(&["bad.jsonl:2", "`position`", "1k"]);
}

#[test]
fn threads_change_no_answer_but_nodes() {
    let place = Place::new();
    for more in [&[][..], &["--all-moves"], &["--win-loss"]] {
        let answer = |threads: &str| {
            let arguments = ["solve", ENDING, "--json", "--threads", threads];
            let mut answers = json_lines(&place.engine(&[&arguments, more].concat()).ended(0).out);
            answers[0].as_object_mut().unwrap().remove("nodes");
            answers
        };
        assert_eq!(answer("1"), answer("2"));
    }
}

#[test]
fn parameters_are_listed_for_each_game_alone_or_for_all() {
    let place = Place::new();
    let rows = |more: &[&str]| -> Vec<Value> {
        let said = place
            .engine(&[&["params", "--json"], more].concat())
            .ended(0);
        serde_json::from_str(&said.out).unwrap()
    };
    let (all, dots) = (rows(&[]), rows(&["--game", "dots_and_boxes"]));
    let amazons = rows(&["--game", "amazons"]);
    assert_eq!([dots, amazons.clone()].concat(), all);
    let named = |rows: &[Value], name: &str| rows.iter().any(|row| row["name"] == name);
    assert!(named(&amazons, "evaluation.kappa") && named(&amazons, "evaluation_form"));
    assert!(
        !named(&amazons, "bias.capture"),
        "a class of the other game"
    );
    assert!(amazons.iter().all(|row| row["game"] == "amazons"));
    let text = place.engine(&["params"]).ended(0).out;
    assert!(
        text.starts_with("Dots and Boxes\n") && text.contains("\nAmazons\n"),
        "{text}"
    );
    place
        .engine(&["params", "--game", "chess"])
        .ended(2)
        .names(&["dots_and_boxes, amazons"]);
    place
        .engine(&["params", "--game", "amazons", "--config", "amazons.toml"])
        .ended(2);
}

fn analysis(position: &str, more: &[&str]) -> Value {
    let arguments = [&["analyse", "--json", position], more].concat();
    json_lines(&Place::new().engine(&arguments).ended(0).out).remove(0)
}

/// The second opinion: the data file, computed by other programs.
#[test]
fn an_analysis_has_the_terms_of_the_evaluation() {
    let data = include_str!("../data/amazons_eval.json");
    let data: Value = serde_json::from_str(data).unwrap();
    let listed = data.as_array().unwrap();
    for item in listed {
        let side = item["stm"].as_str().unwrap();
        let evaluation = &analysis(&fen(item), &[])["evaluation"];
        let own = &item[format!("own_{side}")];
        for key in ["t1", "t2", "c1", "c2", "w", "S"] {
            let ours = evaluation[key.to_lowercase()].as_f64().unwrap();
            let difference = ours - own[key].as_f64().unwrap();
            assert!(difference.abs() < 1e-6, "{key} of {item}: {evaluation}");
        }
        let value = |key: &str| evaluation[key].as_f64().unwrap();
        let sum = value("a") * value("t1")
            + value("b") * value("t2") / 2.0
            + value("c") * (value("c1") + value("c2")) / 2.0
            + value("s");
        assert!((sum - value("value")).abs() < 1e-9, "{evaluation}");
    }
    assert_eq!(listed.len(), 9);
}

/// The position of an item of the data file, which has no counts of turns.
fn fen(item: &Value) -> String {
    let ranks = item["board"].as_array().unwrap().iter();
    let rank = |text: &Value| {
        let (mut rank, mut gap) = (String::new(), 0);
        for letter in text.as_str().unwrap().chars().chain([' ']) {
            if letter == '.' {
                gap += 1;
                continue;
            }
            if gap > 0 {
                rank += &gap.to_string();
                gap = 0;
            }
            rank += match letter {
                'W' => "Q",
                'B' => "q",
                'x' => "*",
                _ => "",
            };
        }
        rank
    };
    let ranks: Vec<String> = ranks.map(rank).collect();
    let side = item["stm"].as_str().unwrap().to_lowercase();
    format!("{} {side} - - 0 1", ranks.join("/"))
}

#[test]
fn an_analysis_has_a_whole_turn_and_how_each_half_was_found() {
    let paper = configurations().join("amazons-paper.toml");
    let on_4x4 = "1qq1/q2q/Q2Q/1QQ1 w - - 0 1";
    let on_10x10 = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";
    for (text, start, more, search) in [
        ("amazons:4x4", on_4x4, &[][..], "uct"),
        ("amazons:4x4", on_4x4, &["--config", "amazons.toml"], "uct"),
        (
            "amazons:10x10",
            on_10x10,
            &["--config", paper.to_str().unwrap()],
            "deepening",
        ),
    ] {
        let analysis = analysis(text, more);
        let turn = analysis["best_turn"].as_str().unwrap();
        let start = Amazons::from_text(start).unwrap();
        assert_eq!(
            start.parse_turn(turn).map(|moves| moves.len()),
            Ok(2),
            "{turn}"
        );
        let halves = analysis["halves"].as_array().unwrap();
        let notations: Vec<&str> = halves
            .iter()
            .filter_map(|it| it["notation"].as_str())
            .collect();
        assert_eq!(notations.concat(), turn);
        assert!(
            halves.iter().all(|half| half["search"][search].is_object()),
            "{analysis}"
        );
    }
    let visits = |half: &Value| -> u64 {
        let rows = half["moves"].as_array().unwrap();
        rows.iter().map(|row| row["visits"].as_u64().unwrap()).sum()
    };
    let analysis = analysis("amazons:4x4", &["--config", "amazons.toml"]);
    assert_eq!(visits(&analysis["halves"][0]), 20);
    let half = ["Q1qq/q2q/Q2Q/2Q1 w - a4 0 1", "--config", "amazons.toml"];
    let rest = self::analysis(half[0], &half[1..]);
    assert_eq!(rest["halves"].as_array().unwrap().len(), 1);
    assert!(
        rest["best_turn"].as_str().unwrap().starts_with('/'),
        "{rest}"
    );
}

#[test]
fn an_analysis_proves_what_can_be_proven_within_the_limit() {
    let proven = analysis(ENDING, &["--config", "amazons.toml"]);
    assert_eq!(proven["exact"]["result"], "win");
    let given_up = analysis(ENDING, &["--config", "amazons.toml", "--solve-work", "100"]);
    assert!(given_up["exact"].is_null(), "{given_up}");
    let over = analysis("q*2/**2/4/3Q b - - 0 1", &[]);
    assert!(
        over["best_turn"].is_null() && over["evaluation"].is_null(),
        "{over}"
    );
}

#[test]
fn an_analysis_is_a_page_for_people() {
    let place = Place::new();
    let page = |arguments: &[&str]| {
        place
            .engine(&[&["analyse"], arguments].concat())
            .ended(0)
            .out
    };
    let text = page(&["amazons:4x4", "--config", "amazons.toml"]);
    for part in [
        " 1  .  Q  Q  .\n",
        "position    1qq1/q2q/Q2Q/1QQ1 w - - 0 1, ply 0, 8 squares empty\n",
        "terms       t1 ",
        "weights     a ",
        "squares by the evaluation alone",
        "stage       opening (from ply 0)",
        "UCT, 20 simulations",
        "  move     class      visits",
        "more (--json lists all)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 96),
        "{text}"
    );
    let paper = configurations().join("amazons-paper.toml");
    let text = page(&["amazons:10x10", "--config", paper.to_str().unwrap()]);
    assert!(text.contains("iterative deepening, depth "), "{text}");
    assert!(
        text.contains("t1 4.8000, t2 1.6000") && text.contains("+0.942222"),
        "{text}"
    );
    let text = page(&["q*2/**2/4/3Q b - - 0 1"]);
    assert!(text.contains("Second cannot move: First has won"), "{text}");
}

#[test]
fn positions_of_all_games_are_analysed_line_by_line() {
    let place = Place::new();
    let lines = format!("1x2:0\namazons:4x4\n{}\n", json!({ "position": ENDING }));
    let said = place
        .engine_with(&["analyse", "--input", "-"], &lines)
        .ended(0);
    let answers = json_lines(&said.out);
    assert_eq!(answers.len(), 3);
    assert!(answers[0]["best_move"].is_object());
    assert_eq!(answers[1], analysis("amazons:4x4", &[]));
    assert_eq!(answers[2], analysis(ENDING, &[]));
    for (position, more, parts) in [
        (
            "1x2:0",
            ["--config", "amazons.toml"],
            ["Dots and Boxes", "4x4 squares"],
        ),
        (
            ENDING,
            ["--config", "small.toml"],
            ["of Amazons", "1x2 boxes"],
        ),
        (
            "amazons:5x5",
            ["--config", "amazons.toml"],
            ["another size", "4x4 squares"],
        ),
        (
            ENDING,
            ["--solve-edges", "5"],
            ["--solve-edges 5", "--solve-work"],
        ),
    ] {
        let arguments = [&["analyse", position], &more[..]].concat();
        place.engine(&arguments).ended(3).names(&parts);
    }
}
