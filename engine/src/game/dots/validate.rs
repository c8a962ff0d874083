//! A second opinion: recomputes from the drawn edges, box by box, everything a position derives.
//!
//! Shares no code with [`Dots::play`](crate::game::Position::play); serves constructors, the parser
//! and the tests.

use super::board::{Board, Edge};
use super::position::{Dots, Sides};
use crate::game::Position;

/// Drawn sides of all boxes, counted one by one.
pub fn sides(board: &Board, drawn: u64) -> Sides {
    let mut sides = Sides::default();
    for row in 0..board.rows() {
        for col in 0..board.cols() {
            let count = [
                board.horizontal(row, col),
                board.horizontal(row + 1, col),
                board.vertical(row, col),
                board.vertical(row, col + 1),
            ]
            .iter()
            .filter(|edge| drawn >> edge.0 & 1 == 1)
            .count();
            let bit = 1 << (row * board.cols() + col);
            sides.one |= if count >= 1 { bit } else { 0 };
            sides.two |= if count >= 2 { bit } else { 0 };
            sides.three |= if count >= 3 { bit } else { 0 };
            sides.four |= if count == 4 { bit } else { 0 };
        }
    }
    sides
}

/// Whether everything derived in a position is what its drawn edges say.
///
/// # Errors
/// The first difference found, as a sentence.
pub fn check(position: &Dots) -> Result<(), String> {
    let (board, drawn) = (position.board(), position.drawn());
    let expected = sides(board, drawn);
    if position.sides() != expected {
        return Err(format!(
            "{position}: sides are {:?}, recomputed {expected:?}",
            position.sides()
        ));
    }
    if drawn & !board.all_edges() != 0 {
        return Err(format!("{position}: edges beyond the board are drawn"));
    }
    if usize::from(position.ply()) + position.open().count_ones() as usize != board.edges() {
        return Err(format!("{position}: drawn and open edges do not add up"));
    }
    let open = (0..board.edges())
        .map(|id| Edge(id as u8))
        .filter(|e| position.is_legal(*e));
    for edge in open {
        let before = expected;
        let after = sides(board, drawn | edge.mask());
        if (position.capturing() & edge.mask() != 0) != (after.four != before.four) {
            return Err(format!(
                "{position}: {edge:?} is wrongly classed as (not) capturing"
            ));
        }
        let gives = after.three != before.three || after.four != before.four;
        if (position.neutral() & edge.mask() == 0) != gives {
            return Err(format!(
                "{position}: {edge:?} is wrongly classed as (not) neutral"
            ));
        }
    }
    Ok(())
}
