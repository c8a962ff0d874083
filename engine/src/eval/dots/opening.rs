//! Random openings: where the games of a match begin.

use crate::game::Position;
use crate::game::dots::{Board, Dots, Edge};
use crate::stream::Stream;

use super::draws::nth_set_bit;

/// One edge in this many is drawn at least, and twice as many at most: 4 to 8 of 5x5's 60.
const EDGES_PER_OPENING_EDGE: usize = 15;

/// A position after a few uniformly random edges that give nothing, their number uniform too:
/// 4 to 8 on 5x5, in proportion on other boards, at least 1. Nothing is captured and nothing can be
/// captured, so the game is undecided; Second is to move after an odd number.
pub fn random_opening(board: &'static Board, stream: &mut Stream) -> Dots {
    let fewest = (board.edges() / EDGES_PER_OPENING_EDGE).max(1);
    let most = (2 * board.edges() / EDGES_PER_OPENING_EDGE).max(fewest);
    let count = fewest + stream.below((most - fewest + 1) as u32) as usize;
    let mut position = Dots::new(board);
    for _ in 0..count {
        let neutral = position.neutral();
        if neutral == 0 {
            break;
        }
        let index = stream.below(neutral.count_ones());
        position.play(Edge(nth_set_bit(neutral, index) as u8));
    }
    position
}
