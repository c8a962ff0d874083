//! Rollouts: games played to their end by a policy.
//!
//! *Uniform* draws the open edges in a uniformly random order. *Safe* draws random edges that give
//! nothing until none is left, and values what remains by [`super::peeling`]: the right winner in
//! nine of ten cases, at a small part of a solver's cost.

use crate::game::Position;
use crate::game::dots::{Board, Dots, Edge};
use crate::stream::Stream;

use super::draws::Permutation;
use super::formula::{value_of_chain_choice, value_of_loop_choice};
use super::peeling;
use super::reduction::{self, Capture};
use super::strings;

/// Plays uniformly random edges to the end; First's final margin.
///
/// Does not play move by move. Each open edge gets the ply at which it is drawn; a box is completed
/// at the latest of its four edges, and whose it is follows from how many plies before that
/// completed nothing. Bit *t* of a word stands for ply *t*.
#[inline]
pub fn uniform(position: &Dots, stream: &mut Stream) -> i32 {
    let mut plies = [0; Board::MAX_EDGES];
    let mut open = position.open();
    let mut order = Permutation::of_first(open.count_ones() as usize, stream);
    while open != 0 {
        // Edges drawn already keep ply 0: whatever completes a box is not before that.
        plies[open.trailing_zeros() as usize % Board::MAX_EDGES] = order.draw();
        open &= open - 1;
    }
    let (once, twice) = completing_plies(position, &plies);
    let opponent = odd_number_below(!once);
    let lost = (once & opponent).count_ones() + (twice & opponent).count_ones();
    let gain = position.boxes_open() as i32 - 2 * lost as i32;
    position.margin() + gain * position.to_move().sign()
}

/// The plies that complete a box, and those that complete two, when every edge is drawn at its ply.
#[inline]
fn completing_plies(position: &Dots, plies: &[u8; Board::MAX_EDGES]) -> (u64, u64) {
    let board = position.board();
    let cols = board.cols();
    // The later of the upper and the lower edge, by box, and of the left and the right one, by the
    // number of the left one: over all numbers, which takes a few vector operations.
    let mut levels = [0; Board::MAX_BOXES];
    for (level, pair) in levels.iter_mut().zip(plies.iter().zip(&plies[cols..])) {
        *level = *pair.0.max(pair.1);
    }
    let mut walls = [0; Board::MAX_EDGES];
    for (wall, pair) in walls.iter_mut().zip(plies.iter().zip(&plies[1..])) {
        *wall = *pair.0.max(pair.1);
    }
    let (mut once, mut twice) = (0, 0);
    let mut boxes = board.all_boxes() & !position.sides().four;
    while boxes != 0 {
        let index = boxes.trailing_zeros() as usize;
        let wall = walls[usize::from(board.left_wall(index).0) % Board::MAX_EDGES];
        let ply = 1u64 << (levels[index].max(wall) % 64);
        twice |= once & ply;
        once |= ply;
        boxes &= boxes - 1;
    }
    (once, twice)
}

/// The bits with an odd number of set bits below them.
#[inline]
fn odd_number_below(word: u64) -> u64 {
    let shifts = [1, 2, 4, 8, 16, 32];
    shifts.iter().fold(word << 1, |sums, k| sums ^ sums << k)
}

/// What a safe rollout came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SafeEnd {
    /// First's estimated final margin.
    pub margin: i32,
    /// Plies played before the rest was valued.
    pub plies: u32,
}

/// Takes what is free, plays random edges that give nothing, and values the rest.
#[inline]
pub fn safe(position: &Dots, stream: &mut Stream) -> SafeEnd {
    let mut end = *position;
    let pending = take_free(&mut end);
    if pending.is_none() {
        play_neutral(&mut end, stream);
    }
    let value = match pending {
        Some((take, offer)) => value_of_pending(&end, take, offer),
        None => peeling::value(&end),
    };
    SafeEnd {
        margin: end.margin() + i32::from(value) * end.to_move().sign(),
        plies: u32::from(end.ply() - position.ply()),
    }
}

/// The winner-deciding estimate of the remaining value, for the side to move, of a position in
/// which every edge gives something; see [`safe`].
pub fn settled_value(position: &Dots) -> i16 {
    let mut end = *position;
    let mover = end.to_move();
    let before = end.margin();
    let value = match take_free(&mut end) {
        Some((take, offer)) => value_of_pending(&end, take, offer),
        None => peeling::value(&end),
    };
    // Captures keep the turn, so the mover is still the same.
    value + ((end.margin() - before) * mover.sign()) as i16
}

/// Captures while that is right without further thought: forced captures always, a choice only
/// while edges that give nothing are left. Returns the choice that is left to decide.
#[inline]
pub(super) fn take_free(position: &mut Dots) -> Option<(Edge, Edge)> {
    loop {
        match reduction::capture(position)? {
            Capture::Forced(edge) => position.play(edge),
            // Which of them is best matters little and would need a search.
            Capture::OneOf(captures) => position.play(Edge(captures.trailing_zeros() as u8)),
            Capture::Choice { take, .. } if position.neutral() != 0 => position.play(take),
            Capture::Choice { take, offer } => return Some((take, offer)),
        }
    }
}

/// Plays edges that give nothing, uniformly random, until none is left. An edge that gives never
/// stops doing so, therefore one pass over a random order is the same as drawing anew each time.
#[inline]
fn play_neutral(position: &mut Dots, stream: &mut Stream) {
    for id in Permutation::of_members(position.neutral(), stream) {
        position.play_if_neutral(Edge(id));
    }
}

/// The value when the mover may take the last string or offer it, and nothing else is free.
pub(super) fn value_of_pending(position: &Dots, take: Edge, offer: Edge) -> i16 {
    let start = (position.board().boxes_beside(take) & position.sides().three).trailing_zeros();
    let string = strings::capturable_from(position, start as usize);
    debug_assert!(
        offer == string.second,
        "{position}: the offer belongs to another string"
    );
    let mut rest = *position;
    while let Some(Capture::Forced(edge) | Capture::Choice { take: edge, .. }) =
        reduction::capture(&rest)
    {
        rest.play(edge);
    }
    let boxes = i16::from(string.boxes);
    if string.closed {
        value_of_loop_choice(boxes, peeling::value(&rest))
    } else {
        value_of_chain_choice(boxes, peeling::value(&rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, StreamKey};

    /// The same game, move by move.
    fn played(position: &Dots, stream: &mut Stream) -> i32 {
        let mut open: Vec<Edge> = Vec::new();
        position.legal_moves(&mut open);
        let mut order = open.clone();
        let plies = Permutation::of_first(open.len(), stream);
        for (edge, ply) in open.into_iter().zip(plies) {
            order[usize::from(ply)] = edge;
        }
        let mut game = *position;
        order.into_iter().for_each(|edge| game.play(edge));
        game.margin()
    }

    #[test]
    fn uniform_rollouts_are_games_played_move_by_move() {
        let mut stream = StreamKey::new(22, Purpose::Bench).stream();
        for (rows, cols) in [(1, 1), (1, 2), (3, 3), (5, 5), (4, 6), (1, 21), (21, 1)] {
            let board = Board::of(rows, cols).expect("a board");
            for _ in 0..40 {
                let mut position = Dots::new(board);
                for id in Permutation::of_members(board.all_edges(), &mut stream.clone()) {
                    let mut same = stream.clone();
                    let margin = uniform(&position, &mut stream);
                    assert_eq!(margin, played(&position, &mut same), "{position}");
                    position.play(Edge(id));
                }
                assert_eq!(uniform(&position, &mut stream), position.margin());
            }
        }
    }
}
