//! Random openings: where the games of a match begin.

use crate::game::Position;
use crate::game::amazons::Amazons;
use crate::stream::Stream;

/// Squares of a board for each random turn of the longest opening: 4 turns on 10x10.
const SQUARES_PER_TURN: u32 = 25;

/// A position after a few random turns from here, their number uniform: 2 to 4 on 10x10, in
/// proportion on smaller boards, at least 1. Each turn is a uniformly random half-move and then
/// another; the opening ends early where the game would be over.
pub fn random_opening(start: Amazons, stream: &mut Stream) -> Amazons {
    let most = (start.board().squares().count_ones() / SQUARES_PER_TURN).max(1);
    let fewest = most.div_ceil(2);
    let turns = fewest + stream.below(most - fewest + 1);
    let mut position = start;
    let mut moves = Vec::new();
    for _ in 0..turns {
        let mut next = position;
        for _ in 0..2 {
            moves.clear();
            next.legal_moves(&mut moves);
            next.play(moves[stream.below(moves.len() as u32) as usize]);
        }
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::amazons::Board;
    use crate::stream::{Purpose, StreamKey};

    #[test]
    fn openings_are_undecided_between_turns_and_of_both_parities() {
        for (side, lengths) in [(10, 2..=4), (8, 1..=2), (5, 1..=1), (4, 1..=1)] {
            let board = Board::of(side, side).expect("a board");
            let start = Amazons::start(board).expect("a start");
            let mut seen = Vec::new();
            for seed in 0..50 {
                let mut stream = StreamKey::new(seed, Purpose::Opening).stream();
                let opening = random_opening(start, &mut stream);
                assert_eq!((opening.outcome(), opening.shooter()), (None, None));
                seen.push(opening.turns());
            }
            let (fewest, most) = (seen.iter().min(), seen.iter().max());
            assert_eq!((fewest, most), (Some(lengths.start()), Some(lengths.end())));
        }
    }
}
