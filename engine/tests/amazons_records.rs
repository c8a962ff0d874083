//! Records of the Amazons: what is written is read back, and nothing else is read.

use sixfold_engine::agent::{GameRecord, MoveRecord};
use sixfold_engine::eval::amazons::opening::random_opening;
use sixfold_engine::game::amazons::{Amazons, Board, HalfMove};
use sixfold_engine::game::{Outcome, Player, Position};
use sixfold_engine::protocol::pgn;
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

fn start(files: usize, ranks: usize) -> Amazons {
    let board = Board::of(files, ranks).expect("a board");
    Amazons::start(board).expect("a start")
}

/// A random game from a random opening; cut after `plies` half-moves, as a proof ends one.
fn random_game(start: Amazons, plies: usize, stream: &mut Stream) -> GameRecord<Amazons> {
    let opening = random_opening(start, stream);
    let mut position = opening;
    let mut moves = Vec::new();
    while position.outcome().is_none() && moves.len() < plies {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mv = legal[stream.below(legal.len() as u32) as usize];
        moves.push(MoveRecord {
            player: position.to_move(),
            mv,
            stage: 0,
            work_units: 1,
            opinion: None,
        });
        position.play(mv);
    }
    let outcome = position.outcome();
    let margin = outcome.map_or(-1, |_| position.margin());
    GameRecord {
        opening,
        moves,
        outcome: Outcome::from_margin(margin),
        margin,
        adjudication_units: outcome.is_none().then_some(7),
    }
}

/// The moves of whole turns.
fn whole_turns(record: &GameRecord<Amazons>) -> Vec<HalfMove> {
    let moves: Vec<HalfMove> = record.moves.iter().map(|played| played.mv).collect();
    moves[..moves.len() / 2 * 2].to_vec()
}

#[test]
fn records_are_read_back_as_they_were() {
    let mut stream = StreamKey::new(1, Purpose::Bench).stream();
    let (mut second_begins, mut cut) = (0, 0);
    for (files, ranks) in [(4, 4), (5, 5), (6, 4), (10, 10)] {
        for plies in [0, 1, 2, 5, 500, 500, 500] {
            let record = random_game(start(files, ranks), plies, &mut stream);
            let text = pgn::text(&record, ["a \"b\" \\", "Zoë"], "x [1]");
            assert!(
                text.lines()
                    .all(|line| line.chars().count() <= 79 || line.starts_with('['))
            );
            let read =
                pgn::read("game.pgn", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.start, record.opening);
            assert_eq!(read.moves, whole_turns(&record), "{text}");
            assert_eq!(read.names, ["a \"b\" \\", "Zoë"]);
            assert_eq!(
                (read.event.as_str(), read.outcome),
                ("x [1]", record.outcome)
            );
            assert_eq!(read.is_adjudicated, record.adjudication_units.is_some());
            second_begins += u32::from(record.opening.to_move() == Player::Second);
            cut += u32::from(read.is_adjudicated);
        }
    }
    assert!(second_begins > 3 && cut > 8, "{second_begins} {cut}");
}

/// A whole game: Second is shut in.
const GAME: &str = "[Event \"test\"]
[White \"a\"]
[Black \"b\"]
[Result \"1-0\"]
[Variant \"amazons\"]
[FEN \"q2/2Q w - - 0 1\"]
[Termination \"normal\"]

1. c1-b1/b2 a2-a1/a2
2. b1-c1/b1 1-0";

#[track_caller]
fn refused(from: &str, to: &str, line: usize, part: &str) {
    assert!(GAME.contains(from), "{from}");
    let error = pgn::read("game.pgn", &GAME.replace(from, to)).expect_err("a bad record");
    assert_eq!(error.line, line, "{error}");
    assert!(error.problem.contains(part), "{error}");
    assert!(error.to_string().starts_with("game.pgn:"), "{error}");
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let game = pgn::read("game.pgn", GAME).expect("a record");
    assert_eq!(game.moves.len(), 6);
    refused("[Event \"test\"]", "[Event test]", 1, "is no tag");
    refused("[Event \"test\"]", "[Event \"te\"st\"]", 1, "is no tag");
    refused("[Event \"test\"]", "[Event \"te\\st\"]", 1, "is no tag");
    refused("[Event \"test\"]\n", "", 6, "Event is missing");
    refused("[Black", "[White", 3, "given before");
    refused("\"1-0\"", "\"1:0\"", 4, "expected one of 1-0, 0-1, 1/2-1/2");
    refused("\"amazons\"", "\"chess\"", 5, "expected one of amazons");
    refused("q2/", "k2/", 6, "FEN: ");
    refused(
        "\"normal\"",
        "\"time\"",
        7,
        "expected one of normal, adjudication",
    );
    refused("\n1. c1", "\n2. c1", 9, "expected 1.");
    refused("\n1. c1", "\nc1", 9, "expected 1.");
    refused("c1-b1/b2", "c1-b1/c3", 9, "no legal turn in `c1-b1/c3`");
    refused("2. b1", "2. {well} b1", 10, "no legal turn in `{well}`");
    refused("2. b1-c1/b1 1-0", "2. 1-0", 10, "no turn after `2.`");
    refused("2. b1-c1/b1 1-0", "2. b1-c1/b1", 10, "no turn after `2.`");
    refused(
        "2. b1-c1/b1 1-0",
        "2. b1-c1/b1 0-1",
        10,
        "ends with `0-1`; expected",
    );
    refused("1-0", "0-1", 10, "is 0-1, but the turns end with 1-0");
    refused("2. b1-c1/b1 1-0", "1-0", 10, "ends before the game does");
    refused(
        "\n\n1. c1-b1/b2 a2-a1/a2\n2. b1-c1/b1 1-0",
        "",
        7,
        "followed by no result",
    );
}
