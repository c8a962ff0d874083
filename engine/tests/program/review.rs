//! `engine review`: exact values of recorded games, and records that cannot be read.

use serde_json::{Value, json};
use sixfold_engine::agent::{GameRecord, MoveRecord};
use sixfold_engine::game::dots::Dots;
use sixfold_engine::game::{Outcome, Position};
use sixfold_engine::games::DotsAndBoxes;
use sixfold_engine::protocol::{ccgc, play};
use sixfold_engine::stream::{Purpose, StreamKey};

use crate::support::{Place, SMALL, json_lines};

/// Random moves from a position to the end.
fn random_game(start: &str, seed: u64) -> GameRecord<Dots> {
    let mut stream = StreamKey::new(seed, Purpose::Bench).stream();
    let opening = Dots::from_text(start).unwrap();
    let (mut position, mut moves) = (opening, Vec::new());
    while position.outcome().is_none() {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mv = legal[stream.below(legal.len() as u32) as usize];
        moves.push(MoveRecord {
            player: position.to_move(),
            mv,
            stage: 0,
            work_units: 0,
            opinion: None,
        });
        position.play(mv);
    }
    GameRecord {
        opening,
        moves,
        outcome: Outcome::from_margin(position.margin()),
        margin: position.margin(),
        adjudication_units: None,
    }
}

fn json_record(record: &GameRecord<Dots>) -> String {
    ccgc::text(record, ["ann", "bob"], "a test")
}

fn printed(record: &GameRecord<Dots>) -> String {
    let mut text = Vec::new();
    play::write_game::<DotsAndBoxes>(record, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn review(record: &str, more: &[&str]) -> Value {
    let place = Place::new();
    place.write("game", record);
    let said = place.engine(&[&["review", "game", "--json"], more].concat());
    json_lines(&said.ended(0).out).remove(0)
}

fn moves(review: &Value) -> &[Value] {
    review["moves"].as_array().unwrap()
}

#[test]
fn a_move_that_loses_value_is_found_with_the_better_one() {
    // On 1x2 boxes every first move but the middle wall loses.
    let review = review("1x2:0\nFirst h0,0\nSecond h0,1\n", &[]);
    let first = &moves(&review)[0];
    assert_eq!(first["lost"], 2);
    assert_eq!(
        (&first["value_before"], &first["value_after"]),
        (&json!(0), &json!(-2))
    );
    assert_eq!(first["best_move"], json!({ "edge": 5, "notation": "v0,1" }));
    assert_eq!(first["result_before"], "draw");
    assert_eq!(first["result_after"], "loss");
    let row = &review["summary"][0];
    assert_eq!((&row["mistakes"], &row["lost"]), (&json!(1), &json!(2)));
    assert_eq!(row["results_lost"], 1);
}

#[test]
fn the_best_first_move_is_no_mistake() {
    let review = review("1x2:0\nFirst v0,1\n", &[]);
    assert_eq!(moves(&review)[0]["lost"], 0);
    assert_eq!(review["final_margin"], 0);
}

#[test]
fn values_are_those_of_the_solver() {
    let place = Place::new();
    let game = random_game("3x3:20a810", 3);
    let review = review(&printed(&game), &[]);
    assert_eq!(moves(&review).len(), game.moves.len());
    for (mv, played) in moves(&review).iter().zip(&game.moves) {
        assert_eq!(mv["edge"], played.mv.0);
        let position = mv["position"].as_str().unwrap();
        let said = place.engine(&["solve", position, "--all-moves", "--json"]);
        let solution = json_lines(&said.ended(0).out).remove(0);
        assert_eq!(mv["value_before"], solution["value"], "{position}");
        let optimal = solution["best_moves"].as_array().unwrap();
        assert_eq!(mv["lost"] == 0, optimal.contains(&mv["edge"]), "{position}");
        assert!(optimal.contains(&mv["best_move"]["edge"]), "{position}");
    }
}

#[test]
fn what_was_lost_leads_from_the_value_to_the_result() {
    for (start, seed) in [
        ("2x2:0", 1),
        ("2x3:0", 2),
        ("3x3:20a810", 3),
        ("5x5:96dba5c9f80e1c5", 4),
    ] {
        let game = random_game(start, seed);
        let review = review(&printed(&game), &[]);
        let first = &moves(&review)[0];
        let mut margin = first["value_before"].as_i64().unwrap();
        for mv in moves(&review) {
            let lost = mv["lost"].as_i64().unwrap();
            assert!(lost >= 0 && lost % 2 == 0, "{mv}");
            margin += if mv["player"] == "First" { -lost } else { lost };
        }
        assert_eq!(margin, i64::from(game.margin), "{start}");
        assert_eq!(review["final_margin"], game.margin);
    }
}

#[test]
fn the_summary_counts_the_moves() {
    let game = random_game("5x5:96db84c8f00c141", 5);
    let review = review(&printed(&game), &["--solve-edges", "30"]);
    let rows = review["summary"].as_array().unwrap();
    let mut counted = 0;
    for row in rows {
        let of_row = |mv: &&Value| mv["player"] == row["player"] && mv["stage"] == row["stage"];
        let moves: Vec<&Value> = moves(&review).iter().filter(of_row).collect();
        let lost = moves.iter().filter_map(|mv| mv["lost"].as_i64());
        assert_eq!(row["moves"], moves.len());
        assert_eq!(row["judged"], lost.clone().count());
        assert_eq!(
            row["mistakes"],
            lost.clone().filter(|&lost| lost > 0).count()
        );
        assert_eq!(row["lost"], lost.sum::<i64>());
        counted += moves.len();
    }
    assert_eq!(counted, game.moves.len());
}

#[test]
fn stages_are_those_of_the_configuration() {
    let game = random_game("1x2:0", 6);
    let review = review(&printed(&game), &["--config", "small.toml"]);
    let stages = moves(&review)
        .iter()
        .map(|mv| mv["stage"].as_str().unwrap());
    let stages: Vec<&str> = stages.collect();
    assert_eq!(stages[..4], ["opening", "opening", "layout", "layout"]);
    assert!(stages[4..].iter().all(|stage| *stage == "endgame"));
}

#[test]
fn moves_above_the_limit_and_of_the_opening_are_not_judged() {
    let game = random_game("3x3:0", 7);
    let review = |more: &[&str]| review(&printed(&game), more);
    let judged = |review: &Value| -> Vec<u64> {
        let judged = moves(review).iter().filter(|mv| !mv["lost"].is_null());
        judged.map(|mv| mv["number"].as_u64().unwrap()).collect()
    };
    let after = |skipped: u64| (skipped + 1..=24).collect::<Vec<u64>>();
    assert_eq!(judged(&review(&["--solve-edges", "10"])), after(14));
    assert_eq!(judged(&review(&["--opening", "5"])), after(5));
    assert_eq!(
        judged(&review(&["--opening", "5", "--solve-edges", "10"])),
        after(14)
    );
    let place = Place::new();
    place.write("game", printed(&game));
    let said = place
        .engine(&["review", "game", "--solve-edges", "10"])
        .ended(0);
    assert!(said.out.contains("1 to 14: not judged"), "{}", said.out);
    let said = place
        .engine(&["review", "game", "--solve-edges", "0"])
        .ended(0);
    assert!(said.out.contains("no move"), "{}", said.out);
}

#[test]
fn both_kinds_of_record_are_the_same_game() {
    for (start, seed) in [("5x5:0", 8), ("3x3:0", 9), ("2x2:0", 10)] {
        let game = random_game(start, seed);
        let mut by_json = review(&json_record(&game), &["--solve-edges", "12"]);
        assert_eq!(by_json["names"], json!(["ann", "bob"]));
        assert_eq!(by_json["event"], "a test");
        let by_lines = review(&printed(&game), &["--solve-edges", "12"]);
        for key in ["names", "event", "recorded_score"] {
            by_json[key] = by_lines[key].clone();
        }
        assert_eq!(by_json, by_lines);
    }
}

#[test]
fn the_board_of_a_record_is_what_its_score_and_lines_fit() {
    let board = |record: &str, more: &[&str]| {
        let more = [more, &["--solve-edges", "0"]].concat();
        let start = review(record, &more)["start"].as_str().unwrap().to_owned();
        start.split(':').next().unwrap().to_owned()
    };
    let record = |pieces: &[&str], score: &str| {
        let pieces = pieces.iter().map(|piece| json!({ "piece": piece }));
        let game: Vec<Value> = pieces.collect();
        format!("{{{score}\"game\":{}}}", json!(game))
    };
    let few = |score| record(&["r(b1,h)", "b(a2,v)"], score);
    assert_eq!(board(&few("\"RScore\":15,\"BScore\":10,"), &[]), "5x5");
    assert_eq!(board(&few("\"RScore\":4,\"BScore\":0,"), &[]), "2x2");
    // Nothing tells: the championship's board, or the one asked for.
    assert_eq!(board(&few(""), &[]), "5x5");
    assert_eq!(board(&few(""), &["--board", "3x4"]), "3x4");
    // Twelve boxes are several boards.
    let place = Place::new();
    place.write("game", few("\"RScore\":6,\"BScore\":6,"));
    let said = place.engine(&["review", "game"]).ended(3);
    said.names(&["game:1", "3x4 or 4x3", "--board"]);
    assert_eq!(
        board(&few("\"RScore\":6,\"BScore\":6,"), &["--board", "4x3"]),
        "4x3"
    );
}

#[test]
fn positions_that_cost_too_much_are_given_up() {
    let game = random_game("3x3:0", 13);
    let limited = review(&printed(&game), &["--solve-work", "3000"]);
    let whole = review(&printed(&game), &[]);
    let (mut given_up, mut judged) = (0, 0);
    for (mv, expected) in moves(&limited).iter().zip(moves(&whole)) {
        if mv["lost"].is_null() {
            given_up += 1;
        } else {
            // A position that is solved within the limit has the same value.
            assert_eq!(
                (&mv["lost"], &mv["value_after"]),
                (&expected["lost"], &expected["value_after"])
            );
            judged += 1;
        }
    }
    assert!(given_up > 0 && judged > 0, "{given_up} {judged}");
    let place = Place::new();
    place.write("game", printed(&game));
    let said = place.engine(&["review", "game", "--solve-work", "3000"]);
    let part = format!("{given_up} were not solved within 3000 units");
    assert!(said.ended(0).out.contains(&part), "{part}");
}

/// This record, in several lines, is refused with this line and all of these parts.
#[track_caller]
fn refused(record: &str, line: usize, parts: &[&str]) {
    let place = Place::new();
    place.write("game", record);
    let said = place.engine(&["review", "game", "--board", "1x2"]).ended(3);
    let said = said.names(&[&format!("game:{line}: ")]).names(parts);
    assert!(said.out.is_empty(), "{}", said.out);
    assert!(!said.err.contains('\u{1b}'), "{:?}", said.err);
}

#[test]
fn a_damaged_json_record_is_refused_with_its_line() {
    let game = "{\"R\":\"a\",\"B\":\"b\",\"RScore\":1,\n\"BScore\":1,\"game\":[\n\
                {\"piece\":\"r(a1,h)\"},\n{\"piece\":\"b(a1,v)\"},\n{\"piece\":\"r(b1,h)\"}]}";
    let damaged = |from: &str, to: &str| {
        assert_eq!(game.matches(from).count(), 1, "{from}");
        game.replace(from, to)
    };
    assert_eq!(
        review(game, &["--board", "1x2"])["recorded_score"],
        json!([1, 1])
    );
    refused(&game[..game.len() - 20], 5, &["no game record"]);
    refused(
        &damaged("b(a1,v)", "r(a1,v)"),
        4,
        &["move 2", "Second is to move"],
    );
    refused(
        &damaged("r(b1,h)", "r(a1,h)"),
        5,
        &["move 3", "drawn already"],
    );
    refused(
        &damaged("b(a1,v)", "b(a7,v)"),
        4,
        &["move 2", "no edge of a board of 1x2"],
    );
    for piece in [
        "b(a0,v)", "b(a01,v)", "b(a+1,v)", "b(,v)", "b(a1,x)", "b(a1)", "é", "\u{1b}[",
    ] {
        refused(
            &damaged("b(a1,v)", &piece.escape_default().to_string()),
            4,
            &[],
        );
    }
    refused(
        &damaged("\"piece\":\"b(a1,v)\"", "\"peace\":\"b(a1,v)\""),
        4,
        &["piece"],
    );
    refused(&damaged("\"BScore\":1,", ""), 1, &["RScore", "BScore"]);
    refused(&damaged("\"BScore\":1", "\"BScore\":0"), 1, &["1-0", "0-0"]);
    refused(&damaged("\"RScore\":1", "\"RScore\":8"), 1, &["3x3", "1x2"]);
    refused(&damaged("\"game\"", "\"games\""), 5, &["game"]);
}

#[test]
fn a_damaged_list_of_moves_is_refused_with_its_line() {
    let game = printed(&random_game("1x2:0", 11));
    let lines: Vec<&str> = game.lines().collect();
    let with = |index: usize, line: &str| {
        let mut lines = lines.clone();
        lines[index] = line;
        lines.join("\n")
    };
    assert_eq!(moves(&review(&game, &[])).len(), 7);
    refused("", 1, &["no record"]);
    refused("nonsense", 1, &["no game record"]);
    refused("2x2:0\nFirst h0,0\n", 1, &["2x2", "1x2"]);
    refused(&with(2, "Second h9,9"), 3, &["Second h9,9", "no move"]);
    refused(&with(2, "Third h0,0"), 3, &["Third h0,0", "no move"]);
    refused(&with(2, "\u{1b}[2J"), 3, &["no move"]);
    refused(&with(2, lines[1]), 3, &["drawn already"]);
    refused("1x2:0\nFirst h0,0\nFirst h0,1\n", 3, &["Second is to move"]);
    // The board that follows must be the one that the moves lead to.
    refused(&with(lines.len() - 3, "    | # |   |"), 9, &["the board"]);
    refused(&lines[..lines.len() - 4].join("\n"), 9, &["the board"]);
}

#[test]
fn what_cannot_be_reviewed_is_refused() {
    let place = Place::new();
    place.write("game", "1x2:0\nFirst h0,0\n");
    place.write("binary", [b'{', 255, 0]);
    place.write("large", vec![b' '; 2 << 20]);
    let review = |more: &[&str]| place.engine(&[&["review"], more].concat());
    review(&["nobody"]).ended(3).names(&["nobody"]);
    review(&["."]).ended(3);
    review(&["binary"]).ended(3).names(&["binary", "UTF-8"]);
    review(&["large"])
        .ended(3)
        .names(&["large", "at most 1048576"]);
    review(&["game", "--config", "nobody.toml"])
        .ended(3)
        .names(&["nobody.toml"]);
    review(&["game", "--board", "6x6"])
        .ended(2)
        .names(&["at most 64"]);
    review(&["game", "--board", "1x2", "--config", "small.toml"]).ended(2);
    review(&["game", "--solve-edges", "65"])
        .ended(2)
        .names(&["0..=64"]);
    review(&[]).ended(2);
}

/// A page for people, whole. If a change is meant, what the program prints is the new file.
#[test]
fn the_page_of_a_game_is_the_committed_one() {
    let mut game = random_game("3x3:20a810:0-0:2", 12);
    // As if adjudicated: the last moves are missing, the result stands.
    game.moves.truncate(12);
    let place = Place::new();
    place.write("game.json", json_record(&game));
    let config = [("rows = 1", "rows = 3"), ("cols = 2", "cols = 3")];
    let config = config
        .iter()
        .chain(&[("ply = 2", "ply = 8"), ("left = 3", "left = 12")]);
    let config = config.fold(SMALL.to_owned(), |text, (from, to)| text.replace(from, to));
    place.write("three.toml", config);
    let arguments = ["review", "game.json", "--opening", "5"];
    let arguments = [&arguments[..], &["--config", "three.toml"]].concat();
    let said = place.engine(&arguments).ended(0);
    let committed = include_str!("golden/review.txt");
    assert_eq!(said.out, committed, "engine {}", arguments.join(" "));
}
