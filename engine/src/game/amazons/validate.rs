//! A second opinion: recomputes, square by square, everything that a position derives.
//!
//! Knows no sets of squares beyond asking whether one is in them; serves the tests.

use super::board::{Board, Square};
use super::position::{Amazons, HalfMove};
use crate::game::{Outcome, Player, Position};

/// The eight directions, as steps of file and rank.
const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// All squares of a board, in the order of their numbers.
pub fn squares(board: Board) -> Vec<Square> {
    let ranks = 0..board.ranks();
    ranks
        .flat_map(|rank| (0..board.files()).filter_map(move |file| Square::at(file, rank)))
        .collect()
}

/// The square so many steps of file and rank away, if it is on the board.
pub fn neighbour(board: Board, square: Square, step: (i8, i8)) -> Option<Square> {
    let file = usize::try_from(square.file() as isize + isize::from(step.0)).ok()?;
    let rank = usize::try_from(square.rank() as isize + isize::from(step.1)).ok()?;
    if file >= board.files() || rank >= board.ranks() {
        return None;
    }
    Square::at(file, rank)
}

/// The squares around a square.
pub fn neighbours(board: Board, square: Square) -> impl Iterator<Item = Square> {
    let steps = DIRECTIONS.iter();
    steps.filter_map(move |&step| neighbour(board, square, step))
}

/// Whether nothing is on a square.
pub fn is_empty(position: &Amazons, square: Square) -> bool {
    let occupied =
        position.amazons(Player::First) | position.amazons(Player::Second) | position.arrows();
    occupied >> square.index() & 1 == 0
}

/// Squares that a queen on `from` reaches in one move, walking, in the order of their numbers.
/// `is_free` says which squares it may go over and to.
pub fn walked_reach(board: Board, from: Square, is_free: &dyn Fn(Square) -> bool) -> Vec<Square> {
    let mut reached = Vec::new();
    for &step in &DIRECTIONS {
        let mut at = from;
        while let Some(next) = neighbour(board, at, step).filter(|&next| is_free(next)) {
            reached.push(next);
            at = next;
        }
    }
    reached.sort_unstable();
    reached
}

/// The legal half-moves, square by square, in the order of their numbers.
pub fn half_moves(position: &Amazons) -> Vec<HalfMove> {
    let board = position.board();
    let reach = |from| walked_reach(board, from, &|square| is_empty(position, square));
    if let Some(from) = position.shooter() {
        let squares = reach(from).into_iter();
        return squares.map(|at| HalfMove::Shot { from, at }).collect();
    }
    let mine = position.amazons(position.to_move());
    let mut moves = Vec::new();
    for from in squares(board) {
        if mine >> from.index() & 1 == 1 {
            let squares = reach(from).into_iter();
            moves.extend(squares.map(|to| HalfMove::Walk { from, to }));
        }
    }
    moves
}

/// Whether everything derived in a position is what its squares say.
///
/// # Errors
/// The first difference found, as a sentence.
pub fn check(position: &Amazons) -> Result<(), String> {
    let board = position.board();
    let on_board = squares(board);
    let in_set = |set: u128| on_board.iter().filter(move |s| set >> s.index() & 1 == 1);
    let sets = [
        position.amazons(Player::First),
        position.amazons(Player::Second),
        position.arrows(),
        position.empty(),
    ];
    let members: usize = sets.iter().map(|&set| in_set(set).count()).sum();
    let bits: u32 = sets.iter().map(|set| set.count_ones()).sum();
    let once = on_board.iter().all(|square| {
        let holds = sets.iter().filter(|&set| set >> square.index() & 1 == 1);
        holds.count() == 1
    });
    if members != on_board.len() || bits as usize != members || !once {
        return Err(format!(
            "{position}: not every square holds exactly one thing"
        ));
    }
    let expected = half_moves(position);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves != expected {
        return Err(format!(
            "{position}: half-moves are {moves:?}, square by square {expected:?}"
        ));
    }
    let winner = Outcome::Win(position.to_move().other());
    let outcome = expected.is_empty().then_some(winner);
    if position.outcome() != outcome {
        return Err(format!(
            "{position}: outcome {:?}, square by square {outcome:?}",
            position.outcome()
        ));
    }
    match Amazons::from_text(&position.to_string()) {
        Ok(read) if read == *position && read.key() == position.key() => Ok(()),
        Ok(read) => Err(format!(
            "{position}: key {:x}, recomputed from its text {:x}",
            position.key(),
            read.key()
        )),
        Err(error) => Err(format!("{position} is not read back: {error}")),
    }
}
