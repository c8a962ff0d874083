//! In which order the exact search tries half-moves.
//!
//! By whole turns: a walk is worth what the best shot after it is worth. Of a position after a
//! turn nothing counts but who holds what: squares that are safe, squares that a side is the first
//! to reach by queen moves and by king's steps, and squares that both reach as soon, which favour
//! whoever moves next. The weights are the best of those tried on 20 positions of 5x5 with 12
//! squares left: 1.1 million edges for all, 2.2 million without safe squares, and about three times
//! as many where walks are valued before the shot.

use super::distances::Distances;
use super::regions::Territory;
use crate::game::amazons::{Amazons, HalfMove};
use crate::game::{Player, Position};

/// A square that only one side ever comes to.
const SAFE: i32 = 4;
/// A square that one side reaches in fewer queen moves.
const QUEEN_LEAD: i32 = 2;
/// A square that one side reaches in fewer king's steps.
const KING_LEAD: i32 = 1;
/// A square as far from both in queen moves, for who moves next.
const TEMPO: i32 = 2;

/// What a position after a turn of this player is worth to him.
fn worth(position: &Amazons, player: Player) -> i32 {
    let count = |set: u128| set.count_ones() as i32;
    let distances = Distances::of(position);
    let [first, second] = &distances.queen;
    let nearer = [first.nearer_than(second, 1), second.nearer_than(first, 1)];
    let tied = (first.reached() | second.reached()) & !(nearer[0] | nearer[1]);
    let [first, second] = &distances.king;
    let king_lead = count(first.nearer_than(second, 1)) - count(second.nearer_than(first, 1));
    let safe = Player::ALL.map(|player| count(Territory::safe(position, player).empty));
    let lead = SAFE * (safe[0] - safe[1])
        + QUEEN_LEAD * (count(nearer[0]) - count(nearer[1]))
        + KING_LEAD * king_lead;
    player.sign() * lead - TEMPO * count(tied)
}

/// What the best shot makes of a walk, or a shot of a turn; `position` is after the half-move.
fn best_worth(position: &Amazons, player: Player) -> i32 {
    if position.to_move() != player {
        return worth(position, player);
    }
    let mut shots = Vec::new();
    position.legal_moves(&mut shots);
    let turns = shots.into_iter().map(|shot| {
        let mut turned = *position;
        turned.play(shot);
        worth(&turned, player)
    });
    turns.max().unwrap_or(i32::MIN)
}

/// Appends the legal half-moves, most promising first, equals in the order of the legal moves.
pub(super) fn append_ordered(position: &Amazons, out: &mut Vec<HalfMove>) {
    let begin = out.len();
    position.legal_moves(out);
    let mover = position.to_move();
    out[begin..].sort_by_cached_key(|&mv| {
        let mut child = *position;
        child.play(mv);
        -i64::from(best_worth(&child, mover))
    });
}
