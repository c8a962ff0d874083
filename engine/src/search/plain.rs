//! Plain minimax: no pruning, no table, no knowledge; slow and obvious.
//!
//! It is the second opinion that every other search is compared with, so it deliberately does not
//! share [`Step`](super::Step) with them: here the sign is written out.

use super::Value;
use crate::game::{Player, Position};

/// What plain minimax finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainResult<M> {
    /// Remaining value of the position, in points, for the side to move.
    pub value: Value,
    /// Every move that reaches the value, in the order of the legal moves; empty when over.
    pub optimal_moves: Vec<M>,
}

/// Solves a position by visiting everything below it.
pub fn plain_minimax<P: Position>(position: &P) -> PlainResult<P::Move> {
    let mover = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = i32::MIN;
    let mut optimal_moves = Vec::new();
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        let final_margin = best_final_margin(&child);
        let won = final_margin - position.margin();
        let value = if mover == Player::First { won } else { -won };
        if value > best {
            best = value;
            optimal_moves.clear();
        }
        if value == best {
            optimal_moves.push(mv);
        }
    }
    let value = if optimal_moves.is_empty() { 0 } else { best };
    PlainResult {
        value: Value(value as i16),
        optimal_moves,
    }
}

/// First's final margin when both play best: First maximises it, Second minimises it.
fn best_final_margin<P: Position>(position: &P) -> i32 {
    if position.outcome().is_some() {
        return position.margin();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let margins = moves.iter().map(|&mv| {
        let mut child = position.clone();
        child.play(mv);
        best_final_margin(&child)
    });
    let best = match position.to_move() {
        Player::First => margins.max(),
        Player::Second => margins.min(),
    };
    best.expect("a game that is not over has a legal move")
}
