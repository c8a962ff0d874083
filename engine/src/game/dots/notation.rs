//! Texts of Dots and Boxes: positions, edges, turns.
//!
//! **Position**: `ROWSxCOLS:HEXMASK`, the mask without `0x`, bit *e* set when edge *e* is drawn.
//! Alone it is a position for analysis: First to move, 0-0, boxes already complete count for
//! nobody. With `:FIRST-SECOND:TURN` it has a score, which must add up to the completed boxes, and
//! a side to move (1 First, 2 Second). A fourth field `:UNCOUNTED` names how many completed boxes
//! count for nobody, which happens when play goes on from a position for analysis.
//!
//! `Display` writes the score always, except where the two-field text says the same, that is at
//! the start of an analysis with completed boxes; every position is read back as itself.
//!
//! **Edge**: `hROW,COL` or `vROW,COL`, the edge to the right of or below the dot in that row and
//! column (0,0 is the top left dot); an edge number is read too. **Turn**: edges separated by
//! spaces, up to and including the first that completes no box, or to the end of the game.

use std::fmt;
use std::str::FromStr;

use super::board::{Board, Edge, Line, Place};
use super::position::Dots;
use crate::game::text::{number, quote};
use crate::game::{NotationError, Player, Position};

fn parse_board(text: &str) -> Result<&'static Board, NotationError> {
    let Some((rows, cols)) = text.split_once('x') else {
        return Err(NotationError::new(format!(
            "board size {} is not ROWSxCOLS, for example 5x5",
            quote(text)
        )));
    };
    let side = 1..=Board::MAX_SIDE as u32;
    let rows = number("number of rows", rows, &side)?;
    let cols = number("number of columns", cols, &side)?;
    Board::of(rows as usize, cols as usize).ok_or_else(|| {
        NotationError::new(format!(
            "a board of {rows}x{cols} boxes has {} edges; at most {} are supported",
            2 * rows * cols + rows + cols,
            Board::MAX_EDGES
        ))
    })
}

fn parse_mask(board: &Board, text: &str) -> Result<u64, NotationError> {
    let digits = board.edges().div_ceil(4);
    let plain = (1..=digits).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let mask = if plain {
        u64::from_str_radix(text, 16).ok()
    } else {
        None
    };
    mask.filter(|mask| mask & !board.all_edges() == 0)
        .ok_or_else(|| {
            NotationError::new(format!(
                "edge mask {} is not a hexadecimal number from 0 to {:x}, the edges of {board}",
                quote(text),
                board.all_edges()
            ))
        })
}

fn parse_score(board: &Board, text: &str) -> Result<[u8; 2], NotationError> {
    let Some((first, second)) = text.split_once('-') else {
        return Err(NotationError::new(format!(
            "score {} is not FIRST-SECOND, for example 3-2",
            quote(text)
        )));
    };
    let range = 0..=board.boxes() as u32;
    let first = number("score of First", first, &range)?;
    let second = number("score of Second", second, &range)?;
    Ok([first as u8, second as u8])
}

fn parse_turn_mark(text: &str) -> Result<Player, NotationError> {
    match text {
        "1" => Ok(Player::First),
        "2" => Ok(Player::Second),
        _ => Err(NotationError::new(format!(
            "side to move {} is neither 1 nor 2",
            quote(text)
        ))),
    }
}

impl Dots {
    /// Reads a position; see the module for the format.
    ///
    /// # Errors
    /// Any other text; the error names the wrong part and what is allowed.
    pub fn from_text(text: &str) -> Result<Dots, NotationError> {
        let mut fields = text.split(':');
        let board = parse_board(fields.next().unwrap_or_default())?;
        let Some(mask) = fields.next() else {
            return Err(NotationError::new(format!(
                "position {} has no edge mask; expected ROWSxCOLS:HEXMASK",
                quote(text)
            )));
        };
        let analysis = Dots::for_analysis(board, parse_mask(board, mask)?);
        let complete = analysis.uncounted();
        let Some(score) = fields.next() else {
            return Ok(analysis);
        };
        let taken = parse_score(board, score)?;
        let Some(turn) = fields.next() else {
            return Err(NotationError::new(
                "the score is not followed by the side to move, 1 or 2",
            ));
        };
        let to_move = parse_turn_mark(turn)?;
        let uncounted = match fields.next() {
            Some(text) => number("number of uncounted boxes", text, &(0..=complete))?,
            None => 0,
        };
        if let Some(rest) = fields.next() {
            return Err(NotationError::new(format!(
                "nothing may follow the number of uncounted boxes, but {} does",
                quote(rest)
            )));
        }
        let total = u32::from(taken[0]) + u32::from(taken[1]) + uncounted;
        Dots::with_score(board, analysis.drawn(), taken, to_move)
            .filter(|_| total == complete)
            .ok_or_else(|| {
                NotationError::new(format!(
                    "score {} adds up to {total} boxes, but {complete} are complete",
                    quote(score)
                ))
            })
    }

    /// The name of an edge, `hROW,COL` or `vROW,COL`. Precondition: the edge is on the board.
    pub fn edge_text(board: &Board, edge: Edge) -> String {
        let place = board.place(edge);
        let line = match place.line {
            Line::Horizontal => 'h',
            Line::Vertical => 'v',
        };
        format!("{line}{},{}", place.row, place.col)
    }
}

impl FromStr for Dots {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Dots, NotationError> {
        Dots::from_text(text)
    }
}

impl fmt::Display for Dots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x}", self.board(), self.drawn())?;
        let [first, second] = Player::ALL.map(|player| self.taken(player));
        let uncounted = self.uncounted();
        if uncounted > 0 && first + second == 0 && self.to_move() == Player::First {
            return Ok(());
        }
        write!(f, ":{first}-{second}:{}", self.to_move().index() + 1)?;
        if uncounted > 0 {
            write!(f, ":{uncounted}")?;
        }
        Ok(())
    }
}

fn parse_place(board: &Board, text: &str) -> Option<Edge> {
    let (line, rest) = match text.as_bytes().first()? {
        b'h' => (Line::Horizontal, &text[1..]),
        b'v' => (Line::Vertical, &text[1..]),
        _ => return None,
    };
    let (row, col) = rest.split_once(',')?;
    let range = 0..=Board::MAX_SIDE as u32;
    let row = number("row", row, &range).ok()? as u8;
    let col = number("column", col, &range).ok()? as u8;
    board.edge_at(Place { line, row, col })
}

fn parse_edge(board: &Board, text: &str) -> Result<Edge, NotationError> {
    if let Some(edge) = parse_place(board, text) {
        return Ok(edge);
    }
    let last = board.edges() as u32 - 1;
    if let Ok(id) = number("edge", text, &(0..=last)) {
        return Ok(Edge(id as u8));
    }
    let (rows, cols) = (board.rows(), board.cols());
    Err(NotationError::new(format!(
        "edge {} is none of h0,0 to h{rows},{}, v0,0 to v{},{cols} or 0 to {last}",
        quote(text),
        cols - 1,
        rows - 1
    )))
}

pub(super) fn parse_turn(position: &Dots, text: &str) -> Result<Vec<Edge>, NotationError> {
    if position.outcome().is_some() {
        return Err(NotationError::new("the game is over; no edge is open"));
    }
    let mover = position.to_move();
    let mut after = *position;
    let mut turn = Vec::new();
    for word in text.split_ascii_whitespace() {
        let edge = parse_edge(position.board(), word)?;
        if after.to_move() != mover {
            return Err(NotationError::new(format!(
                "edge {word} comes after an edge that completes no box, which ends the turn"
            )));
        }
        if !after.is_legal(edge) {
            return Err(NotationError::new(format!("edge {word} is already drawn")));
        }
        after.play(edge);
        turn.push(edge);
    }
    if after.to_move() == mover && after.outcome().is_none() {
        return Err(NotationError::new(if turn.is_empty() {
            "a turn has at least one edge"
        } else {
            "the last edge completes a box, so the turn goes on: expected one more edge"
        }));
    }
    Ok(turn)
}

pub(super) fn format_turn(position: &Dots, turn: &[Edge]) -> String {
    let edges = turn
        .iter()
        .map(|&edge| Dots::edge_text(position.board(), edge));
    edges.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(text: &str, part: &str) {
        let error = Dots::from_text(text).expect_err("a wrong text").to_string();
        assert!(error.contains(part), "{text}: {error}");
    }

    #[test]
    fn errors_name_the_bad_part_and_the_allowed_range() {
        check_error("", "ROWSxCOLS");
        check_error("5", "ROWSxCOLS");
        check_error("5x5", "no edge mask");
        check_error("0x5:0", "from 1 to 21");
        check_error("05x5:0", "from 1 to 21");
        check_error("+5x5:0", "from 1 to 21");
        check_error("99999x99999:0", "from 1 to 21");
        check_error("99999999999999999999x1:0", "from 1 to 21");
        check_error("5x6:0", "71 edges; at most 64");
        check_error("5x5:zz", "0 to fffffffffffffff");
        check_error("5x5:", "0 to fffffffffffffff");
        check_error("5x5:+1", "0 to fffffffffffffff");
        check_error("5x5:0x1", "0 to fffffffffffffff");
        check_error("5x5:1000000000000000", "0 to fffffffffffffff");
        check_error("1x1:ff", "0 to f");
        check_error("5x5:0:1-0:1", "adds up to 1 boxes, but 0 are complete");
        check_error("1x1:f:0-0:1", "adds up to 0 boxes, but 1 are complete");
        check_error("5x5:0:0-0", "side to move");
        check_error("5x5:0:0-0:3", "neither 1 nor 2");
        check_error("5x5:0:0-26:1", "from 0 to 25");
        check_error("5x5:0:00-0:1", "from 0 to 25");
        check_error("5x5:0:-0:1", "from 0 to 25");
        check_error("5x5:0:0:1", "FIRST-SECOND");
        check_error("5x5:0:0-0:1:1", "from 0 to 0");
        check_error("5x5:0:0-0:1:0:", "nothing may follow");
        check_error("5x5:０", "0 to fffffffffffffff");
        check_error(&"5".repeat(5000), "ROWSxCOLS");
        check_error(" 5x5:0", "from 1 to 21");
    }

    #[track_caller]
    fn check_round_trip(text: &str, shown: &str) {
        let position = Dots::from_text(text).expect(text);
        assert_eq!(position.to_string(), shown);
        assert_eq!(Dots::from_text(shown), Ok(position));
    }

    #[test]
    fn display_shows_the_score_unless_an_analysis_starts() {
        check_round_trip("5x5:0", "5x5:0:0-0:1");
        check_round_trip("1x1:F", "1x1:f");
        check_round_trip("1x1:f:0-1:2", "1x1:f:0-1:2");
        check_round_trip("1x1:f:0-0:1:1", "1x1:f");
        check_round_trip("1x1:f:0-0:2:1", "1x1:f:0-0:2:1");
        check_round_trip(
            "1x21:ffffffffffffffff:21-0:1",
            "1x21:ffffffffffffffff:21-0:1",
        );
    }

    #[test]
    fn analysis_counts_only_boxes_completed_from_there_on() {
        let mut position = Dots::from_text("1x2:3f").expect("the left box is complete");
        assert_eq!((position.margin(), position.uncounted()), (0, 1));
        position.play(Edge(6));
        assert_eq!((position.margin(), position.uncounted()), (1, 1));
        assert_eq!(Dots::from_text(&position.to_string()), Ok(position));
    }

    #[track_caller]
    fn check_turn(position: &str, text: &str, expected: Result<&[u8], &str>) {
        let position = Dots::from_text(position).expect("a position");
        match (position.parse_turn(text), expected) {
            (Ok(turn), Ok(ids)) => {
                assert_eq!(turn, ids.iter().map(|&id| Edge(id)).collect::<Vec<_>>());
            }
            (Err(error), Err(part)) => assert!(error.reason.contains(part), "{error}"),
            (got, _) => panic!("{text}: {got:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn a_turn_ends_with_the_first_edge_that_completes_no_box() {
        // 1x2 with the left box one side short (its right wall, edge 5).
        check_turn("1x2:15", "v0,1 h0,1", Ok(&[5, 1]));
        check_turn("1x2:15", " 5\t1 ", Ok(&[5, 1]));
        check_turn("1x2:15", "h0,1", Ok(&[1]));
        check_turn("1x2:15", "v0,1", Err("turn goes on"));
        check_turn("1x2:15", "h0,1 v0,1", Err("ends the turn"));
        check_turn("1x2:15", "v0,1 v0,1", Err("already drawn"));
        check_turn("1x2:15", "", Err("at least one edge"));
        check_turn("1x2:3f", "v0,2", Ok(&[6]));
        check_turn("1x2:7f", "v0,2", Err("over"));
    }

    #[test]
    fn edges_are_named_by_line_row_and_column_or_by_number() {
        for text in [
            "h2,0", "v1,0", "h0,2", "v0,3", "7", "-1", "+1", "h", "h0", "h,", "é", "h00,0",
        ] {
            check_turn(
                "1x2:0",
                text,
                Err("none of h0,0 to h1,1, v0,0 to v0,2 or 0 to 6"),
            );
        }
        check_turn("1x2:0", "h1,1", Ok(&[3]));
    }
}
