//! Counts of sequences of whole turns.

use super::board::each;
use super::position::{Amazons, HalfMove};
use super::reach::queen_reach;
use crate::game::Position;

/// Number of sequences of so many whole turns from here: `game::perft::perft` with twice the depth,
/// but the last turn is counted, not played. Precondition: no turn has begun.
pub fn perft_turns(position: &Amazons, turns: u32) -> u64 {
    debug_assert!(
        position.shooter().is_none(),
        "a turn of {position} has begun"
    );
    match turns {
        0 => 1,
        1 => last_turns(position),
        _ => {
            let mut position = *position;
            let mut total = 0;
            for from in each(position.amazons(position.to_move())) {
                for to in each(queen_reach(from, position.empty())) {
                    total += after_walk(&mut position, HalfMove::Walk { from, to }, turns);
                }
            }
            total
        }
    }
}

/// Sequences that begin with this walk; the position is as before when it returns.
fn after_walk(position: &mut Amazons, walk: HalfMove, turns: u32) -> u64 {
    position.play(walk);
    let mut total = 0;
    if let Some(from) = position.shooter() {
        for at in each(queen_reach(from, position.empty())) {
            let shot = HalfMove::Shot { from, at };
            position.play(shot);
            total += perft_turns(position, turns - 1);
            position.undo(shot);
        }
    }
    position.undo(walk);
    total
}

fn last_turns(position: &Amazons) -> u64 {
    let mut total = 0;
    for from in each(position.amazons(position.to_move())) {
        // What an amazon leaves is empty for its arrow.
        let empty = position.empty() | from.mask();
        for to in each(queen_reach(from, position.empty())) {
            total += u64::from(queen_reach(to, empty).count_ones());
        }
    }
    total
}
