//! Who has surely won, without looking at moves of both sides.
//!
//! Let S be the most turns that a player can make in the territory that is safe for him, and M the
//! most that his opponent can make in all that he reaches while the player's amazons in contested
//! regions stay where they are. A player who makes S turns there one by one meets an opponent who
//! runs out after M at the latest. So, between turns,
//!
//! * the side to move wins if S > M,
//! * the other side wins if S >= M.
//!
//! Where the position is separated, everything is safe and the other side's M is its S: one of the
//! two holds, and the game is decided by counting. Within a turn, the side that has to shoot will
//! fill one of the squares that it reaches, then the other side is to move: it wins if its S is at
//! least the number of those squares.

use super::regions::{Territory, can_move, is_separated};
use super::turns::TurnCount;
use crate::game::amazons::Amazons;
use crate::game::{Player, Position};

/// The player who wins whatever the other does, if counting proves it with so many nodes a count.
/// Precondition: the game is not over.
pub fn sure_winner(position: &Amazons, nodes: u32) -> Option<Player> {
    let mover = position.to_move();
    if position.shooter().is_some() {
        let filled = Territory::within_reach(position, mover).empty;
        let needed = filled.count_ones();
        let sure = has_safe_turns(position, mover.other(), needed, nodes);
        return sure.then_some(mover.other());
    }
    Player::ALL
        .into_iter()
        .find(|&player| outlasts(position, player, u32::from(player == mover), nodes))
}

/// Whether a player has this many more safe turns than the opponent has turns.
fn outlasts(position: &Amazons, player: Player, more: u32, nodes: u32) -> bool {
    let safe = Territory::safe(position, player);
    let theirs = Territory::within_reach(position, player.other());
    let (squares, others) = (safe.empty.count_ones(), theirs.empty.count_ones());
    let fewest = u32::from(can_move(position, player.other()));
    if squares < fewest + more {
        return false;
    }
    if squares + DEFECTS_MAX < others + more && !is_separated(position) {
        return false;
    }
    let mut count = TurnCount::with_nodes(nodes);
    let own = count.most(&safe);
    if own.lower >= others + more {
        return true;
    }
    if own.upper < fewest + more {
        return false;
    }
    let theirs = count.most(&theirs);
    own.lower >= theirs.upper + more
}

/// Squares that an opponent's reach may lose to defects before it is not worth counting whether.
const DEFECTS_MAX: u32 = 2;

/// Whether a player can make this many turns undisturbed.
fn has_safe_turns(position: &Amazons, player: Player, needed: u32, nodes: u32) -> bool {
    let safe = Territory::safe(position, player);
    safe.empty.count_ones() >= needed && TurnCount::with_nodes(nodes).most(&safe).lower >= needed
}
