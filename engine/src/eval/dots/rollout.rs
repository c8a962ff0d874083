//! Rollouts: games played to their end by a policy.
//!
//! *Uniform* draws the open edges in a uniformly random order. *Safe* draws random edges that give
//! nothing until none is left, and values what remains by [`super::peeling`]: the right winner in
//! nine of ten cases, at a small part of a solver's cost.

use crate::game::Position;
use crate::game::dots::{Board, Dots, Edge};
use crate::stream::Stream;

use super::draws::{Bag, Word};
use super::formula::{value_of_chain_choice, value_of_loop_choice};
use super::peeling;
use super::reduction::{self, Capture};
use super::strings;

/// Plays uniformly random edges to the end; First's final margin.
///
/// Plays the game backwards, which is just as uniform: the edges are drawn from the last ply to the
/// first, and an edge completes the boxes beside it that no later edge touches. Once every open box
/// is touched, the earlier plies need not be known, for they complete nothing: from the empty 5x5
/// board 37 of the 60 edges are drawn on average.
#[inline]
pub fn uniform(position: &Dots, stream: &mut Stream) -> i32 {
    let beside = position.board().boxes_by_edge();
    let mut edges = Bag::of(beside, position.open(), position.board().all_edges());
    let boxes_open = position.board().all_boxes() & !position.sides().four;
    let mut untouched = boxes_open;
    // All ones if an odd number of the edges drawn so far completes nothing, else 0; and the boxes
    // completed at such a moment.
    let (mut is_odd, mut at_odd) = (0u32, 0);
    while untouched != 0 {
        let mut word = Word::from(stream);
        for _ in 0..Word::DRAWS {
            if edges.is_empty() {
                break;
            }
            let completed = edges.draw(&mut word) & untouched;
            untouched ^= completed;
            at_odd |= completed & is_odd;
            is_odd ^= if completed == 0 { u32::MAX } else { 0 };
        }
    }
    // Before an edge are as many plies that complete nothing as there are in all, without those
    // after it. Edges that were not drawn complete nothing.
    let is_total_odd = is_odd ^ 0u32.wrapping_sub(edges.len() as u32 & 1);
    let lost = at_odd ^ (boxes_open & is_total_odd);
    let gain = boxes_open.count_ones() as i32 - 2 * lost.count_ones() as i32;
    position.margin() + gain * position.to_move().sign()
}

/// The number of each edge.
const NUMBERS: [u8; Board::MAX_EDGES] = {
    let mut numbers = [0; Board::MAX_EDGES];
    let mut edge = 0;
    while edge < numbers.len() {
        numbers[edge] = edge as u8;
        edge += 1;
    }
    numbers
};

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
/// stops doing so, therefore drawing on from the edges of an earlier moment and passing over those
/// that give by now is the same as drawing anew each time.
#[inline]
fn play_neutral(position: &mut Dots, stream: &mut Stream) {
    let all = position.board().all_edges();
    loop {
        let mut edges = Bag::of(&NUMBERS, position.neutral(), all);
        if edges.is_empty() {
            return;
        }
        // Half of them: more and more of the others give.
        let kept = edges.len() / 2;
        while edges.len() > kept {
            let mut word = Word::from(stream);
            for _ in 0..Word::DRAWS.min(edges.len()) {
                position.play_if_neutral(Edge(edges.draw(&mut word)));
            }
        }
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::stream::{Purpose, StreamKey};

    /// The edges that are open in a uniformly random order, drawn as a rollout draws them.
    fn order(position: &Dots, stream: &mut Stream) -> Vec<Edge> {
        let all = position.board().all_edges();
        let mut edges = Bag::of(&NUMBERS, position.open(), all);
        let mut order = Vec::new();
        while !edges.is_empty() {
            let mut word = Word::from(stream);
            for _ in 0..Word::DRAWS.min(edges.len()) {
                order.push(Edge(edges.draw(&mut word)));
            }
        }
        order
    }

    /// A game played move by move, with the order in which a rollout draws the edges reversed.
    fn played(position: &Dots, stream: &mut Stream) -> i32 {
        let order = order(position, stream);
        let mut game = *position;
        order.into_iter().rev().for_each(|edge| game.play(edge));
        game.margin()
    }

    #[test]
    fn uniform_rollouts_are_games_played_move_by_move() {
        let mut stream = StreamKey::new(22, Purpose::Bench).stream();
        for (rows, cols) in [(1, 1), (1, 2), (3, 3), (5, 5), (4, 6), (1, 21), (21, 1)] {
            let board = Board::of(rows, cols).expect("a board");
            for _ in 0..40 {
                let mut position = Dots::new(board);
                for edge in order(&position, &mut stream.clone()) {
                    let mut same = stream.clone();
                    let margin = uniform(&position, &mut stream);
                    assert_eq!(margin, played(&position, &mut same), "{position}");
                    position.play(edge);
                }
                assert_eq!(uniform(&position, &mut stream), position.margin());
            }
        }
    }

    /// How often each margin comes of the orders in which a position can be played to its end.
    fn count_orders(position: &Dots, counts: &mut BTreeMap<i32, u32>) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            *counts.entry(position.margin()).or_default() += 1;
        }
        for mv in moves {
            let mut child = *position;
            child.play(mv);
            count_orders(&child, counts);
        }
    }

    #[test]
    fn margins_of_uniform_rollouts_are_those_of_all_orders() {
        const ROLLOUTS: u32 = 40_000;
        let mut stream = StreamKey::new(26, Purpose::Bench).stream();
        for text in [
            "1x1:0",
            "1x2:0",
            "2x1:0",
            "2x2:007",
            "2x2:2a",
            "1x3:21",
            "5x5:7fffff0ffffff7f",
        ] {
            let position = Dots::from_text(text).expect("a position");
            let mut orders = BTreeMap::new();
            count_orders(&position, &mut orders);
            let all: u32 = orders.values().sum();
            let mut seen = BTreeMap::<i32, u32>::new();
            for _ in 0..ROLLOUTS {
                *seen.entry(uniform(&position, &mut stream)).or_default() += 1;
            }
            assert!(
                seen.keys().all(|margin| orders.contains_key(margin)),
                "{text}"
            );
            for (margin, count) in orders {
                let share = f64::from(count) / f64::from(all);
                let expected = share * f64::from(ROLLOUTS);
                let found = f64::from(*seen.get(&margin).unwrap_or(&0));
                // Six standard deviations.
                let deviation = (expected * (1.0 - share)).sqrt();
                assert!(
                    (found - expected).abs() <= 6.0 * deviation,
                    "{text} {margin}: {found}"
                );
            }
        }
    }
}
