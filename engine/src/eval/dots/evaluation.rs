//! Static evaluation: what a position is worth, seen without playing on.
//!
//! The source's Algorithm 1 values a leaf at depth h by such a function, and its alpha-beta
//! opponent shares it. Terms, each with a weight that can be tuned:
//!
//! 1. *chains*: the formula's value of the chains and loops that form when the edges that give
//!    nothing are drawn in order, the mean of the ascending and the descending order;
//! 2. *`long_chain_parity`*: being in control by the long-chain rule, as the long chains stand;
//! 3. *`safe_parity`*: an odd number of edges that give nothing is left;
//! 4. *tempo*: being to move while there are such edges.
//!
//! A linear regression on the exact values of 4,200 positions with 30 to 34 edges left gives 0.1 to
//! 0.5 for the first, next to nothing for the parities, because chains of one or two boxes can be
//! given away to change them, and 3 to 4 boxes for being to move. Yet tempo is 0 by default: a
//! search to a fixed depth would give boxes away to be the one to move where it stops.
//!
//! What can be captured for nothing counts in full. Once no edge is safe nothing is left to guess
//! at: the value is that of the ending by [`super::peeling`], whatever the weights.

use crate::game::Position;
use crate::game::dots::Dots;

use super::{peeling, rollout, strings};
use crate::eval::EVALUATION_TERMS;
use crate::game::dots::Edge;

/// Names of the weights in configurations, in the order of their numbers.
pub const TERM_NAMES: [&str; EVALUATION_TERMS] =
    ["chains", "long_chain_parity", "safe_parity", "tempo"];

/// Boxes from which on a chain is long.
const LONG_CHAIN_BOXES: u8 = 3;

/// What the terms of a position are, for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Terms {
    /// Safe edges are left.
    Open {
        /// Boxes captured for nothing first.
        captured: i16,
        /// The terms in the order of [`TERM_NAMES`], not weighted.
        terms: [f64; EVALUATION_TERMS],
    },
    /// None is: the estimated remaining value.
    Settled(i16),
}

/// The terms of a position. Precondition: the game is not over.
pub fn terms(position: &Dots) -> Terms {
    let mut quiet = *position;
    let pending = rollout::take_free(&mut quiet);
    // Captures keep the turn, so the mover is still the same.
    let captured = (quiet.margin() - position.margin()) * position.to_move().sign();
    let captured = captured as i16;
    if let Some((take, offer)) = pending {
        return Terms::Settled(captured + rollout::value_of_pending(&quiet, take, offer));
    }
    let safe_edges = quiet.neutral().count_ones();
    if safe_edges == 0 {
        return Terms::Settled(captured + peeling::value(&quiet));
    }
    let sign = |holds: bool| if holds { 1.0 } else { -1.0 };
    let terms = [
        f64::from(drawn_in_order(&quiet, ascending) + drawn_in_order(&quiet, descending)) / 2.0,
        sign(controls(&quiet, long_chains(&quiet))),
        sign(safe_edges % 2 == 1),
        1.0,
    ];
    Terms::Open { captured, terms }
}

/// The estimated remaining value for the side to move, in boxes.
pub fn remaining(position: &Dots, weights: &[f64; EVALUATION_TERMS]) -> f64 {
    match terms(position) {
        Terms::Settled(value) => f64::from(value),
        Terms::Open { captured, terms } => {
            let weighted = terms
                .iter()
                .zip(weights)
                .map(|(term, weight)| term * weight);
            f64::from(captured) + weighted.sum::<f64>()
        }
    }
}

fn ascending(edges: u64) -> u32 {
    edges.trailing_zeros()
}

fn descending(edges: u64) -> u32 {
    u64::BITS - 1 - edges.leading_zeros()
}

/// The estimated remaining value, for the side to move, after both have drawn edges that give
/// nothing in this order until none was left. Precondition: nothing can be captured.
fn drawn_in_order(position: &Dots, next: fn(u64) -> u32) -> i16 {
    let mut end = *position;
    let mut edges = position.neutral();
    while edges != 0 {
        let edge = Edge(next(edges) as u8);
        // An edge that gives something never stops doing so.
        end.play_if_neutral(edge);
        edges &= !edge.mask();
    }
    let value = peeling::value(&end);
    if end.to_move() == position.to_move() {
        value
    } else {
        -value
    }
}

/// The number of long chains that have formed.
fn long_chains(position: &Dots) -> u32 {
    let mut count = 0;
    strings::for_each_run(position, 0, |run| {
        count += u32::from(!run.is_loop && run.boxes >= LONG_CHAIN_BOXES);
    });
    count
}

/// Whether the side to move will be in control, by the long-chain rule, if no other long chain
/// forms and nobody captures two boxes with one edge before the first is opened.
///
/// CITE: Berlekamp 2000, The Dots and Boxes Game: First wants dots + long chains to be even. A turn
/// ends with every edge but those that complete boxes, so who is to move says how many edges have
/// completed two at once, and the rule can be told without knowing who was First: the side to move
/// is in control when dots, long chains, drawn edges and complete boxes are even together.
fn controls(position: &Dots, long_chains: u32) -> bool {
    let board = position.board();
    let dots = (board.rows() + 1) * (board.cols() + 1);
    let complete = board.boxes() as u32 - position.boxes_open();
    (dots as u32 + long_chains + position.drawn().count_ones() + complete).is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::dots::opening::random_opening;
    use crate::game::dots::{Board, Edge};
    use crate::stream::{Purpose, StreamKey};

    fn parse(text: &str) -> Dots {
        text.parse().expect("a position")
    }

    #[test]
    fn who_is_in_control_follows_from_the_number_of_long_chains() {
        // 36 dots, nothing drawn, First to move.
        let empty = parse("5x5:0");
        assert!(controls(&empty, 0) && !controls(&empty, 1) && controls(&empty, 2));
        // One edge later it is the other player's turn, and the same player is in control.
        let next = parse("5x5:1");
        assert!(!controls(&next, 0) && controls(&next, 1));
    }

    #[test]
    fn without_safe_edges_the_weights_do_not_matter() {
        // 1x4 with the long sides drawn: one chain of four, which the mover must open.
        let chain = parse("1x4:ff");
        assert_eq!(terms(&chain), Terms::Settled(-4));
        assert_eq!(remaining(&chain, &[9.0; 4]), -4.0);
    }

    #[test]
    fn captures_for_nothing_count_in_full_and_before_the_terms() {
        let board = Board::of(5, 5).expect("a board");
        let mut stream = StreamKey::new(41, Purpose::Bench).stream();
        for _ in 0..200 {
            let opening = random_opening(board, &mut stream);
            let boxes_edges = board.edges_of(12) & opening.open();
            // Three sides of the middle box: the mover takes it and is to move again.
            let mut drawn = opening.drawn() | board.edges_of(12);
            let last = boxes_edges.trailing_zeros();
            if last >= 64 {
                continue;
            }
            let after = Dots::for_analysis(board, drawn);
            drawn &= !(1 << last);
            let before = Dots::for_analysis(board, drawn);
            if before.capturing().count_ones() != 1 || after.capturing() != 0 {
                continue;
            }
            let weights = [0.3, 1.5, 0.7, 2.0];
            let gain = remaining(&before, &weights) - remaining(&after, &weights);
            assert!((gain - 1.0).abs() < 1e-12, "{before}");
        }
    }

    #[test]
    fn the_terms_are_those_counted_by_hand() {
        // The long sides of the first two boxes are drawn, and of the third box nothing.
        let position = parse("1x3:1b");
        let Terms::Open { captured, terms } = terms(&position) else {
            panic!("safe edges are left");
        };
        // Safe are the three outer edges of the third box; two of them can be drawn, in either
        // order, and the mover must then open a chain of three. 8 dots, no long chain yet, 4 edges,
        // no box: even, the rule puts the mover in control.
        assert_eq!((captured, terms), (0, [-3.0, 1.0, 1.0, 1.0]));
    }

    #[test]
    fn edges_in_order_are_drawn_like_a_game() {
        let board = Board::of(4, 4).expect("a board");
        let mut stream = StreamKey::new(44, Purpose::Bench).stream();
        for _ in 0..300 {
            let position = random_opening(board, &mut stream);
            for next in [ascending, descending] {
                let mut end = position;
                while end.neutral() != 0 {
                    end.play(Edge(next(end.neutral()) as u8));
                }
                let sign = end.to_move().sign() * position.to_move().sign();
                let value = i32::from(peeling::value(&end)) * sign;
                assert_eq!(
                    i32::from(drawn_in_order(&position, next)),
                    value,
                    "{position}"
                );
            }
        }
    }
}
