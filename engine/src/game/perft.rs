//! Counts of move sequences, the classic test of rules.

use super::Position;

/// Number of move sequences of `depth_plies` plies from here; games that end earlier count nothing.
pub fn perft<P: Position>(position: &P, depth_plies: u32) -> u64 {
    if depth_plies == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth_plies == 1 {
        return moves.len() as u64;
    }
    let mut total = 0;
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        total += perft(&child, depth_plies - 1);
    }
    total
}
