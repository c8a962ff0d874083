//! Numbers of which the key of a position is the exclusive or (Zobrist hashing).

use super::board::{Board, Square};
use crate::game::Player;

/// A random number for each square and what may be on it.
const fn table(salt: u64) -> [u64; 128] {
    let mut table = [0; 128];
    let mut at = 0;
    while at < 128 {
        table[at] = mix(salt << 32 | at as u64);
        at += 1;
    }
    table
}

/// The `at`-th number of a generator that spreads every input bit over the word
/// (SplitMix64; CITE: Steele, Lea, Flood, OOPSLA 2014).
const fn mix(at: u64) -> u64 {
    let word = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

static AMAZON: [[u64; 128]; 2] = [table(1), table(2)];
static ARROW: [u64; 128] = table(3);
static SHOOTER: [u64; 128] = table(4);

/// Second is to move.
pub(super) const SECOND_TO_MOVE: u64 = mix(5 << 32);

/// An amazon of this player stands here.
#[inline]
pub(super) fn amazon(player: Player, square: Square) -> u64 {
    AMAZON[player.index()][square.index()]
}

/// An arrow is here.
#[inline]
pub(super) fn arrow(square: Square) -> u64 {
    ARROW[square.index()]
}

/// The amazon here has moved and has to shoot.
#[inline]
pub(super) fn shooter(square: Square) -> u64 {
    SHOOTER[square.index()]
}

/// The size of the board.
pub(super) fn board(board: Board) -> u64 {
    mix(6 << 32 | (board.files() << 8 | board.ranks()) as u64)
}
