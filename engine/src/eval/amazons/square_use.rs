//! What became of the squares of a game: what each side held alone, filled, and wasted.
//!
//! Every turn fills one square, so who runs out of turns first has lost, and a square that a side
//! holds and cannot fill is a turn less. CITE: Qiu, Wang, Wang, "Q-learning for self-tuning of an
//! Amazons evaluation function", sections 2 and 4: its parameter S is there to avoid "wasted
//! regions", and the use of the board's empty squares is said to be the tuned program's greatest
//! feature. The source gives no measure; this is ours.
//!
//! The sides are **apart** from the first position between turns on from which, to the game's last
//! one, no empty square is within reach of both by king's steps over empty squares. What a side
//! reaches then it **holds**; what an amazon of the other side that walks away opens to it later is
//! held too. At the game's last position it can still make so many turns if the other side's
//! amazons stay where they are. What it held, less the turns that it made since and those that it
//! could still make, it has **wasted**: squares that it cut off, and squares in shapes that cannot
//! be filled.

use super::regions::Territory;
use super::turns::{TurnCount, Turns};
use crate::game::amazons::{Amazons, HalfMove};
use crate::game::{Player, Position};

/// What became of the squares since the sides were apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareUse {
    /// Whole turns since the start of the game when the sides were first apart.
    pub apart_at: u16,
    /// Empty squares that no amazon reached any more by then: lost to both.
    pub unreached: u32,
    /// First's and Second's squares.
    pub sides: [SideUse; 2],
}

/// One side's squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideUse {
    /// Squares that it held.
    pub held: u32,
    /// Turns that it made since the sides were apart.
    pub made: u32,
    /// Most turns that it could still make at the game's last position.
    pub left: Turns,
}

impl SideUse {
    /// Squares that it wasted; None where the most turns that were left are not known.
    pub fn wasted(&self) -> Option<u32> {
        let filled = self.made + self.left.lower;
        self.left.is_exact().then(|| self.held - filled)
    }
}

impl SquareUse {
    /// Of the game with these moves from a position between turns, all legal; what comes after its
    /// last whole turn does not count. `nodes` limit the count of turns that were left, for each
    /// side. None where the sides were not apart at the last position: a game that was adjudicated
    /// before.
    pub fn of_game(opening: &Amazons, moves: &[HalfMove], nodes: u32) -> Option<SquareUse> {
        let positions = between_turns(opening, moves);
        let reaches: Vec<[u128; 2]> = positions.iter().map(reaches).collect();
        let is_shared = |reach: &[u128; 2]| reach[0] & reach[1] != 0;
        let apart = reaches.iter().rposition(is_shared).map_or(0, |at| at + 1);
        let start = positions.get(apart)?;
        let side = |player: Player| side_use(player, &positions[apart..], &reaches[apart..], nodes);
        let [first, second] = reaches[apart];
        Some(SquareUse {
            apart_at: start.turns(),
            unreached: (start.empty() & !(first | second)).count_ones(),
            sides: Player::ALL.map(side),
        })
    }
}

/// A side's squares over positions in which the sides are apart, with what each side reaches.
fn side_use(player: Player, positions: &[Amazons], reaches: &[[u128; 2]], nodes: u32) -> SideUse {
    let (mut held, mut made) = (reaches[0][player.index()].count_ones(), 0);
    for (at, position) in positions[..positions.len() - 1].iter().enumerate() {
        if position.to_move() == player {
            made += 1;
            continue;
        }
        let [before, after] = [at, at + 1].map(|at| reaches[at][player.index()]);
        held += (after & !before).count_ones();
    }
    let last = positions
        .last()
        .expect("the position where the sides are apart is one");
    let territory = Territory::within_reach(last, player);
    SideUse {
        held,
        made,
        left: TurnCount::with_nodes(nodes).most(&territory),
    }
}

/// The opening and the positions after each whole turn.
fn between_turns(opening: &Amazons, moves: &[HalfMove]) -> Vec<Amazons> {
    let mut position = *opening;
    let mut positions = vec![position];
    for mv in moves {
        position.play(*mv);
        if position.shooter().is_none() {
            positions.push(position);
        }
    }
    positions
}

/// The empty squares that First and Second reach.
fn reaches(position: &Amazons) -> [u128; 2] {
    Player::ALL.map(|player| Territory::within_reach(position, player).empty)
}
