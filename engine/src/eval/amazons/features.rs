//! What the distances say of a position: the features of the source's evaluation.
//!
//! All are sums over empty squares. With D1 a side's distance in queen moves and D2 in king's steps
//! (see [`super::distances`]), infinite where a side never comes:
//!
//! * t1: +1 where one's D1 is smaller, -1 where larger, the tie credit where both are equal and
//!   finite; t2 the same for D2. The credit is kappa for the side to move, -kappa for the other.
//! * c1: 2 (2^-D1 of one's own - 2^-D1 of the opponent's), 2^-infinity being 0.
//! * c2: a sixth of the difference of D2, opponent's minus own, cut at 1 and -1.
//! * w: 2^-|difference of D1| where both are finite: how much is still contested. 0 exactly when no
//!   square is within reach of both.
//! * S: for squares where one's D1 is smaller, (empty squares around - 10) / 10,000 each, minus the
//!   same of the opponent's: a held square that is cut off counts less.

use super::distances::{Distances, Levels};
use crate::game::amazons::{Amazons, STRIDE};
use crate::game::{Player, Position};

/// Counts of a position, First's view, in which no parameter takes part.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features {
    /// Who is to move: the tie credit is for this side.
    pub to_move: Player,
    /// Squares nearer to First minus those nearer to Second, in queen moves.
    pub queen_lead: i32,
    /// Squares as near to both, in queen moves.
    pub queen_ties: i32,
    /// Squares nearer to First minus those nearer to Second, in king's steps.
    pub king_lead: i32,
    /// Squares as near to both, in king's steps.
    pub king_ties: i32,
    /// c1 for First.
    pub c1: f64,
    /// c2 for First, in sixths.
    pub c2_sixths: i32,
    /// w, the same for both sides.
    pub w: f64,
    /// Squares nearer to First and to Second, in queen moves.
    pub held: [i32; 2],
    /// Empty squares around those, counted once for each of them.
    pub liberties: [i32; 2],
}

/// The terms that a formula weighs, as one side sees them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// Territory by queen moves.
    pub t1: f64,
    /// Territory by king's steps.
    pub t2: f64,
    /// Local advantage by queen moves.
    pub c1: f64,
    /// Local advantage by king's steps.
    pub c2: f64,
    /// How much is contested, 0 or more.
    pub w: f64,
    /// Defects of what is held.
    pub s: f64,
}

impl Features {
    /// The features of a position. Within a turn they are those of the board as it stands, the
    /// amazon moved and the arrow not yet shot.
    pub fn of(position: &Amazons) -> Features {
        Features::from_distances(position, &Distances::of(position))
    }

    /// The same, where the distances are known.
    #[inline]
    pub fn from_distances(position: &Amazons, distances: &Distances) -> Features {
        let [first, second] = &distances.queen;
        let nearer = [first.nearer_than(second, 1), second.nearer_than(first, 1)];
        let held = nearer.map(count);
        let queen_all = count(first.reached() | second.reached());
        let king = KingCounts::of(&distances.king);
        Features {
            to_move: position.to_move(),
            queen_lead: held[0] - held[1],
            queen_ties: queen_all - held[0] - held[1],
            king_lead: king.lead,
            king_ties: king.ties,
            c1: 2.0 * (proximity(first) - proximity(second)),
            c2_sixths: king.sixths,
            w: contested(first, second, nearer[0] | nearer[1]),
            held,
            liberties: liberties(nearer, position.empty()),
        }
    }

    /// The terms as this side sees them, with kappa for ties.
    #[inline]
    pub fn terms(&self, own: Player, kappa: f64) -> Terms {
        let sign = f64::from(own.sign());
        let credit = kappa * f64::from(self.to_move.sign());
        let territory = |lead, ties| sign * (f64::from(lead) + credit * f64::from(ties));
        let held = f64::from(self.held[1] - self.held[0]);
        let liberties = f64::from(self.liberties[0] - self.liberties[1]);
        Terms {
            t1: territory(self.queen_lead, self.queen_ties),
            t2: territory(self.king_lead, self.king_ties),
            c1: sign * self.c1,
            c2: sign * f64::from(self.c2_sixths) / C2_UNIT as f64,
            w: self.w,
            s: sign * (held / 1000.0 + liberties / 10_000.0),
        }
    }
}

/// Differences of king's steps from which on c2 sees no difference.
const C2_UNIT: usize = 6;

#[inline]
fn count(set: u128) -> i32 {
    set.count_ones() as i32
}

/// The sum of 2^-distance over all squares that the side reaches.
#[inline]
fn proximity(levels: &Levels) -> f64 {
    let (mut sum, mut weight, mut before) = (0.0, 1.0, 0);
    for distance in 1..=levels.longest() {
        let within = count(levels.within(distance));
        weight *= 0.5;
        sum += weight * f64::from(within - before);
        before = within;
    }
    sum
}

/// w: 1 for every square that both reach, less 2^-j for every j up to the difference of distances.
/// `unequal` are the squares nearer to one side.
#[inline]
fn contested(first: &Levels, second: &Levels, unequal: u128) -> f64 {
    let both = first.reached() & second.reached();
    let (mut sum, mut weight) = (f64::from(count(both)), 1.0);
    let mut apart = unequal & both;
    for lead in 2.. {
        if apart == 0 {
            break;
        }
        weight *= 0.5;
        sum -= weight * f64::from(count(apart));
        apart &= first.nearer_than(second, lead) | second.nearer_than(first, lead);
    }
    sum
}

struct KingCounts {
    lead: i32,
    ties: i32,
    sixths: i32,
}

impl KingCounts {
    #[inline]
    fn of([first, second]: &[Levels; 2]) -> KingCounts {
        let both = first.reached() & second.reached();
        let alone = count(first.reached() & !both) - count(second.reached() & !both);
        let ahead = count(first.nearer_than(second, 1) & both);
        let behind = count(second.nearer_than(first, 1) & both);
        KingCounts {
            lead: alone + ahead - behind,
            ties: count(both) - ahead - behind,
            sixths: alone * C2_UNIT as i32 + differences_cut(first, second, both),
        }
    }
}

/// The sum of Second's distance minus First's over these squares, differences cut at [`C2_UNIT`].
/// Precondition: both sides reach them.
#[inline]
fn differences_cut(first: &Levels, second: &Levels, squares: u128) -> i32 {
    // A distance is the number of smaller ones, 0 included, within which the square is not.
    let total = |levels: &Levels| {
        let distances = 1..levels.longest();
        let farther = distances.map(|distance| count(squares & !levels.within(distance)));
        farther.sum::<i32>()
    };
    let mut sum = total(second) - total(first);
    let longest = first.longest().max(second.longest());
    for lead in C2_UNIT + 1..longest {
        let ahead = first.nearer_than(second, lead) & squares;
        let behind = second.nearer_than(first, lead) & squares;
        if ahead | behind == 0 {
            break;
        }
        sum -= count(ahead) - count(behind);
    }
    sum
}

/// For each of two sets, the empty squares around its squares, counted once for each of them.
///
/// All squares' counts are made at once, in binary, bit by bit of the sums.
#[inline]
fn liberties(sets: [u128; 2], empty: u128) -> [i32; 2] {
    let sides = [empty << 1, empty >> 1];
    // Two bits of a row's three, and of the two beside the square.
    let pair = [sides[0] ^ sides[1], sides[0] & sides[1]];
    let row = [pair[0] ^ empty, pair[1] | pair[0] & empty];
    let below = row.map(|bit| bit << STRIDE);
    let above = row.map(|bit| bit >> STRIDE);
    let (ones, carry) = full_add(above[0], below[0], pair[0]);
    let (twos, fours) = full_add(above[1], below[1], pair[1]);
    let (twos, carry) = (twos ^ carry, twos & carry);
    let (fours, eights) = (fours ^ carry, fours & carry);
    sets.map(|set| {
        let weighted = [ones, twos, fours, eights].map(|bit| count(bit & set));
        weighted[0] + 2 * weighted[1] + 4 * weighted[2] + 8 * weighted[3]
    })
}

/// Sum and carry of three bits, for every square.
#[inline]
const fn full_add(a: u128, b: u128, c: u128) -> (u128, u128) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}
