//! Where amazons can ever come: regions of the board, and what of them is safe.
//!
//! A **region** is a largest set of squares without arrows that hangs together by king's steps,
//! squares under amazons included. A half-move stays within the region it starts in: a walk only
//! swaps an empty square and an amazon, which leaves the set of squares without arrows as it is,
//! and an arrow only takes a square away. So regions are parted, never joined, and a position in
//! which no region holds amazons of both sides is **separated**: neither side ever disturbs the
//! other again.
//!
//! That no empty square is within reach of both (w = 0 in [`super::features`]) is less: an amazon
//! that stands between two parts joins them when it walks away. It is a *blocker* (CITE: Song &
//! Müller 2015, "An Enhanced Solver for the Game of Amazons", blocker territories), and what lies
//! behind it is its side's as long as it stays or shoots back to where it came from.
//! [`Territory::safe`] is what a side holds in that sense.

use crate::game::Player;
use crate::game::amazons::Amazons;
use crate::game::amazons::reach::widened;

/// The squares of a set from which king's steps within it lead to or from one of `from`, and
/// `from`. Precondition: both have nothing but squares.
#[inline]
pub fn spread(from: u128, over: u128) -> u128 {
    let mut reached = from;
    loop {
        let next = reached | widened(reached) & over;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// The parts of a set that hang together by king's steps, from the lowest square on.
pub fn parts(set: u128) -> impl Iterator<Item = u128> {
    let mut left = set;
    std::iter::from_fn(move || {
        let lowest = left & left.wrapping_neg();
        let part = spread(lowest, left);
        left &= !part;
        (part != 0).then_some(part)
    })
}

/// Whether no region holds amazons of both sides.
pub fn is_separated(position: &Amazons) -> bool {
    let [first, second] = Player::ALL.map(|player| position.amazons(player));
    spread(first, position.empty() | second) & second == 0
}

/// Squares that one side fills alone, and with what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Territory {
    /// Amazons that may walk and shoot wherever they can within the territory.
    pub amazons: u128,
    /// Amazons that keep the opponent out: one that walks has to shoot at once at the square that
    /// it has left, and is one of the others from then on.
    pub blockers: u128,
    /// The empty squares.
    pub empty: u128,
}

impl Territory {
    /// All that a player's amazons can reach as long as the opponent's do not move.
    ///
    /// Between turns, the most turns in it are never fewer than the player can make in the game if
    /// the opponent moves only in [`Territory::safe`] of his.
    pub fn within_reach(position: &Amazons, player: Player) -> Territory {
        let amazons = position.amazons(player);
        Territory {
            amazons,
            blockers: 0,
            empty: spread(amazons, position.empty()) & position.empty(),
        }
    }

    /// What a player can fill undisturbed, whatever the opponent does.
    ///
    /// Proof. Let O be the opponent's amazons and all empty squares that they reach by king's steps
    /// over empty squares; none is part of the territory, nor next to an empty square of it. A
    /// half-move of the opponent stays within O, so O never grows by it. Of the player's amazons
    /// those next to a square of O are blockers. A turn of another amazon fills or empties squares
    /// that are not next to O; a blocker that walks puts an arrow where it stood. So O does not
    /// grow by the player's turns either, and the opponent never takes, and never needs to give up,
    /// a square of the territory.
    pub fn safe(position: &Amazons, player: Player) -> Territory {
        let (empty, own) = (position.empty(), position.amazons(player));
        let open = spread(position.amazons(player.other()), empty);
        let blockers = own & widened(open);
        Territory {
            amazons: own & !blockers,
            blockers,
            empty: spread(own, empty & !open) & empty,
        }
    }

    /// All amazons.
    #[inline]
    pub(super) fn everybody(&self) -> u128 {
        self.amazons | self.blockers
    }

    /// What of it lies on these squares.
    #[inline]
    pub(super) fn on(&self, squares: u128) -> Territory {
        Territory {
            amazons: self.amazons & squares,
            blockers: self.blockers & squares,
            empty: self.empty & squares,
        }
    }

    /// Empty squares that some amazon comes near by king's steps, over squares that amazons of the
    /// territory may leave empty: no fewer than there are turns.
    #[inline]
    pub(super) fn reachable(&self) -> u128 {
        spread(self.everybody(), self.empty) & self.empty
    }
}

/// Whether a player has a half-move left, were it his turn.
pub(super) fn can_move(position: &Amazons, player: Player) -> bool {
    debug_assert!(position.shooter().is_none(), "asked within a turn");
    widened(position.amazons(player)) & position.empty() != 0
}
