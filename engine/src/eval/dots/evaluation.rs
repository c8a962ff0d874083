//! Static evaluation: what a position is worth, seen without playing on.
//!
//! The source's Algorithm 1 values a leaf at depth h by such a function, and its alpha-beta
//! opponent shares it. Three terms, each with a weight that can be tuned:
//!
//! 1. *chains*: the formula's value of the long chains and loops that have formed, for the player
//!    whom the long-chain rule puts in control;
//! 2. *`long_chain_parity`*: being that player;
//! 3. *`safe_parity`*: an odd number of edges that give nothing is left, so that the side to move
//!    would draw the last of them if none spoiled another.
//!
//! What can be captured for nothing counts in full. Once no edge is safe nothing is left to guess
//! at: the value is that of the ending by [`super::peeling`], whatever the weights.

use crate::game::Position;
use crate::game::dots::Dots;

use super::formula::Endgame;
use super::{peeling, rollout, strings};
use crate::eval::EVALUATION_TERMS;

/// Names of the weights in configurations, in the order of their numbers.
pub const TERM_NAMES: [&str; EVALUATION_TERMS] = ["chains", "long_chain_parity", "safe_parity"];

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
    let (long_chains, endgame) = formed(&quiet);
    let control = if controls(&quiet, long_chains) {
        1.0
    } else {
        -1.0
    };
    let terms = [
        // The value is that of the player who must open, who is not the one in control.
        control * -f64::from(endgame.value()),
        control,
        if safe_edges % 2 == 1 { 1.0 } else { -1.0 },
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

/// The long chains and loops that have formed, and how many of them are chains.
fn formed(position: &Dots) -> (u32, Endgame) {
    let (mut long_chains, mut endgame) = (0, Endgame::default());
    strings::for_each_run(position, 0, |run| {
        if run.is_loop {
            endgame.add_loop(run.boxes);
        } else if run.boxes >= LONG_CHAIN_BOXES {
            endgame.add_chain(run.boxes);
            long_chains += 1;
        }
    });
    (long_chains, endgame)
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
        assert_eq!(remaining(&chain, &[9.0, 9.0, 9.0]), -4.0);
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
            let weights = [0.3, 1.5, 0.7];
            let gain = remaining(&before, &weights) - remaining(&after, &weights);
            assert!((gain - 1.0).abs() < 1e-12, "{before}");
        }
    }

    #[test]
    fn the_terms_are_those_counted_by_hand() {
        // A chain of three along the upper border, closed off below, and the rest of 3x3 open:
        // edges H(1,0), H(1,1), H(1,2) and the upper border H(0,0..2).
        let position = parse("3x3:3f");
        let board = position.board();
        assert_eq!(board.horizontal(1, 2), Edge(5));
        let Terms::Open { captured, terms } = terms(&position) else {
            panic!("safe edges are left");
        };
        // 16 dots, one long chain, 6 edges, no box: odd, the mover is not in control. The chain of
        // three alone is worth 3 to who does not open it. Safe are the 6 level and the 8 upright
        // edges of the lower two rows.
        let safe = position.neutral().count_ones();
        let parity = if safe % 2 == 1 { 1.0 } else { -1.0 };
        assert_eq!((captured, terms), (0, [-3.0, -1.0, parity]));
        assert_eq!(safe, 14);
    }
}
