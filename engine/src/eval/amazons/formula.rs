//! The formula that weighs the features of a position: Equations 2 and 3 of the source.
//!
//! Value = a t1 + b t2 / 2 + c (c1 + c2) / 2 + S with
//! a = X / (w + X), b = w / (w + Y), c = (1 - (a + b)) / 2.
//!
//! Where nothing is contested (w = 0) the value is t1 + S, the squares that are held. X acts where
//! w is about X, late in a game, Y where w is about Y, in its middle; c is negative if Y < X. The
//! four weights add up to (1 + a) / 2: values shrink to one half where much is contested, unless
//! the formula is normalised. Source: the paper prints Equation 2 and the start X = 5, Y = 20; the
//! mapping of its Equation 3 is that of published code of the same family with both constants.

use super::features::Features;
use crate::game::Player;
use crate::game::amazons::reach::queen_reach;
use crate::game::amazons::{Amazons, each};

/// How what is contested, or the turn, becomes the weights of the terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mapping {
    /// Equation 3 as above, as printed: the weights add up to (1 + a) / 2.
    Printed,
    /// The same, divided by their sum: a value is always in squares. Ours. S is not divided.
    Normalised,
    /// Four sets of weights by w, seen in published code beside the printed one: no X, no Y.
    Book,
    /// Three sets of weights by the turn, with one for mobility, seen in several published
    /// programs: no X, no Y.
    ByTurn,
}

impl Mapping {
    /// All of them, by the words that configurations have for them.
    pub const WORDS: [(&'static str, Mapping); 4] = [
        ("printed", Mapping::Printed),
        ("normalised", Mapping::Normalised),
        ("book", Mapping::Book),
        ("by_turn", Mapping::ByTurn),
    ];
}

/// The parameters of the evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Formula {
    /// X, the contested squares at which t1 has half its weight: [`Formula::XY_MIN`] to
    /// [`Formula::XY_MAX`].
    pub x: f64,
    /// Y, the contested squares at which t2 has half its weight: the same range.
    pub y: f64,
    /// The tie credit, in squares: 0 to 1.
    pub kappa: f64,
    /// Weight of S: 0 leaves it out, 1 is S as published code has it (the source does not print its
    /// size); up to [`Formula::DEFECTS_MAX`].
    pub defects: f64,
    /// What the weights go by.
    pub mapping: Mapping,
}

/// Weights of the terms.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Of t1: a of the source.
    pub t1: f64,
    /// Of t2: b / 2 of the source.
    pub t2: f64,
    /// Of c1: c / 2 of the source.
    pub c1: f64,
    /// Of c2: c / 2 of the source.
    pub c2: f64,
    /// Of the squares that one's amazons can go to, less those of the opponent's; 0 but in
    /// [`Mapping::ByTurn`].
    pub mobility: f64,
}

/// Weights of t1, t2, c1, c2 and mobility, each up to and including this w.
const BOOK_BY_W: [(f64, [f64; 5]); 4] = [
    (1.0, [1.0, 0.0, 0.0, 0.0, 0.0]),
    (45.0, [0.3, 0.3, 0.2, 0.2, 0.0]),
    (55.0, [0.0, 0.4, 0.3, 0.3, 0.0]),
    (f64::INFINITY, [0.0, 0.3, 0.3, 0.4, 0.0]),
];

/// Weights of t1, t2, c1, c2 and mobility, each up to and including this turn, from 0.
const WEIGHTS_BY_TURN: [(f64, [f64; 5]); 3] = [
    (19.0, [0.14, 0.37, 0.13, 0.13, 0.20]),
    (48.0, [0.30, 0.25, 0.20, 0.20, 0.05]),
    (f64::INFINITY, [0.80, 0.10, 0.05, 0.05, 0.0]),
];

/// The first row whose limit is not exceeded.
fn row_up_to<const N: usize>(value: f64, rows: &[(f64, [f64; 5]); N]) -> [f64; 5] {
    let row = rows.iter().find(|(limit, _)| value <= *limit);
    row.unwrap_or(&rows[N - 1]).1
}

const fn listed([t1, t2, c1, c2, mobility]: [f64; 5]) -> Weights {
    Weights {
        t1,
        t2,
        c1,
        c2,
        mobility,
    }
}

impl Formula {
    /// Smallest X and Y.
    pub const XY_MIN: f64 = 0.01;
    /// Largest X and Y: far beyond the squares of a board.
    pub const XY_MAX: f64 = 1_000.0;
    /// Largest kappa.
    pub const KAPPA_MAX: f64 = 1.0;
    /// Largest weight of S.
    pub const DEFECTS_MAX: f64 = 1_000.0;

    /// The start of the source's tuning.
    pub const PAPER_START: Formula = Formula {
        x: 5.0,
        y: 20.0,
        kappa: 0.1,
        defects: 1.0,
        mapping: Mapping::Printed,
    };

    /// The end of the source's tuning.
    pub const PAPER_END: Formula = Formula {
        x: 3.0,
        y: 19.2,
        ..Formula::PAPER_START
    };

    /// Whether every parameter is in its range.
    pub fn is_valid(&self) -> bool {
        let range = Formula::XY_MIN..=Formula::XY_MAX;
        range.contains(&self.x)
            && range.contains(&self.y)
            && (0.0..=Formula::KAPPA_MAX).contains(&self.kappa)
            && (0.0..=Formula::DEFECTS_MAX).contains(&self.defects)
    }

    /// The weights where so much is contested, after so many turns of both sides together.
    /// Precondition: the formula is valid, `w` at least 0.
    #[inline]
    pub fn weights(&self, w: f64, turns: u16) -> Weights {
        match self.mapping {
            Mapping::Printed => self.rational(w, |_| 1.0),
            Mapping::Normalised => self.rational(w, |a| (1.0 + a) / 2.0),
            Mapping::Book => listed(row_up_to(w, &BOOK_BY_W)),
            Mapping::ByTurn => listed(row_up_to(f64::from(turns), &WEIGHTS_BY_TURN)),
        }
    }

    #[inline]
    fn rational(&self, w: f64, sum: impl Fn(f64) -> f64) -> Weights {
        let a = self.x / (w + self.x);
        let b = w / (w + self.y);
        let c = (1.0 - (a + b)) / 2.0;
        let sum = sum(a);
        listed([a / sum, b / 2.0 / sum, c / 2.0 / sum, c / 2.0 / sum, 0.0])
    }

    /// The value of a position for this side, in squares. Never for a game that is over: who cannot
    /// move has lost, whatever the value says. Within a turn it is the value of the board as it
    /// stands, with the tie credit of the side that shoots.
    #[inline]
    pub fn value(&self, position: &Amazons, own: Player) -> f64 {
        let terms = Features::of(position).terms(own, self.kappa);
        let weights = self.weights(terms.w, position.turns());
        let mut value = weights.t1 * terms.t1
            + weights.t2 * terms.t2
            + weights.c1 * terms.c1
            + weights.c2 * terms.c2
            + self.defects * terms.s;
        if weights.mobility != 0.0 {
            let moves = [own, own.other()].map(|player| moves_of(position, player));
            value += weights.mobility * f64::from(moves[0] - moves[1]);
        }
        value
    }
}

/// The squares that a player's amazons can go to, counted once for each amazon.
fn moves_of(position: &Amazons, player: Player) -> i32 {
    let reached =
        each(position.amazons(player)).map(|from| queen_reach(from, position.empty()).count_ones());
    reached.sum::<u32>() as i32
}
