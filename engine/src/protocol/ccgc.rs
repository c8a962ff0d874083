//! Game records of the Chinese computer-games championship (CCGC), for Dots and Boxes.
//!
//! One entry a line drawn, in order: `r(a6,h)` is red, who moves first, drawing the horizontal
//! line to the right of dot a6; `b(e2,v)` is blue drawing the vertical line above e2. Dots are
//! lettered from the left and numbered from the bottom. Two programs of the championship write this
//! form; it has no published specification.

use serde::Serialize;

use crate::agent::GameRecord;
use crate::game::dots::{Board, Dots, Edge, Line};
use crate::game::{Outcome, Player, Position};

#[derive(Serialize)]
struct Record<'a> {
    #[serde(rename = "R")]
    red: &'a str,
    #[serde(rename = "B")]
    blue: &'a str,
    winner: &'static str,
    #[serde(rename = "RScore")]
    red_score: i32,
    #[serde(rename = "BScore")]
    blue_score: i32,
    #[serde(rename = "Event")]
    event: &'a str,
    game: Vec<Piece>,
}

#[derive(Serialize)]
struct Piece {
    piece: String,
}

/// The record of a game as JSON, a line of text without its end. The edges of the opening come
/// first, by id: nothing was captured in it, so their order does not matter. Where the game was
/// adjudicated the scores are the proven ones and the last lines are missing.
pub fn text(record: &GameRecord<Dots>, names: [&str; 2], event: &str) -> String {
    let board = record.opening.board();
    let mut game = Vec::new();
    let mut position = Dots::new(board);
    let mut draw = |position: &mut Dots, edge: Edge| {
        game.push(Piece {
            piece: piece(board, position.to_move(), edge),
        });
        position.play(edge);
    };
    for id in 0..board.edges() as u8 {
        if record.opening.drawn() & Edge(id).mask() != 0 {
            draw(&mut position, Edge(id));
        }
    }
    record
        .moves
        .iter()
        .for_each(|played| draw(&mut position, played.mv));
    let boxes = board.boxes() as i32;
    let record = Record {
        red: names[0],
        blue: names[1],
        winner: match record.outcome {
            Outcome::Win(Player::First) => "R",
            Outcome::Win(Player::Second) => "B",
            Outcome::Draw => "",
        },
        red_score: (boxes + record.margin) / 2,
        blue_score: (boxes - record.margin) / 2,
        event,
        game,
    };
    serde_json::to_string(&record).expect("a record is plain text and numbers")
}

fn piece(board: &Board, player: Player, edge: Edge) -> String {
    let place = board.place(edge);
    let side = if player == Player::First { 'r' } else { 'b' };
    let letter = char::from(b'a' + place.col);
    let (rows, row) = (board.rows(), usize::from(place.row));
    match place.line {
        Line::Horizontal => format!("{side}({letter}{},h)", rows + 1 - row),
        Line::Vertical => format!("{side}({letter}{},v)", rows - row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::MoveRecord;

    #[test]
    fn lines_are_named_by_their_left_or_lower_dot_counted_from_the_bottom_left() {
        let board = Board::of(5, 5).expect("5x5 boxes are a board");
        assert_eq!(
            piece(board, Player::First, board.horizontal(0, 0)),
            "r(a6,h)"
        );
        assert_eq!(
            piece(board, Player::Second, board.vertical(4, 0)),
            "b(a1,v)"
        );
        assert_eq!(
            piece(board, Player::Second, board.vertical(3, 4)),
            "b(e2,v)"
        );
    }

    #[test]
    fn a_record_has_every_line_with_who_drew_it() {
        let board = Board::of(1, 1).expect("a single box is a board");
        let opening = Dots::new(board);
        let played = |player, edge| MoveRecord {
            player,
            mv: Edge(edge),
            stage: 0,
            work_units: 1,
            opinion: None,
        };
        let moves = vec![
            played(Player::First, 0),
            played(Player::Second, 1),
            played(Player::First, 2),
            played(Player::Second, 3),
        ];
        let outcome = Outcome::Win(Player::Second);
        let record = GameRecord {
            opening,
            moves,
            outcome,
            margin: -1,
            adjudication_units: None,
        };
        assert_eq!(
            text(&record, ["x", "y"], "test"),
            "{\"R\":\"x\",\"B\":\"y\",\"winner\":\"B\",\"RScore\":0,\"BScore\":1,\
             \"Event\":\"test\",\"game\":[{\"piece\":\"r(a2,h)\"},{\"piece\":\"b(a1,h)\"},\
             {\"piece\":\"r(a1,v)\"},{\"piece\":\"b(b1,v)\"}]}"
        );
    }
}
