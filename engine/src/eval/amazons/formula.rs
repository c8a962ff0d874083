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

use super::features::{Features, Terms};
use crate::game::Player;
use crate::game::amazons::Amazons;

/// Whether the value has the term S.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Defects {
    /// S is left out.
    Off,
    /// S as published code has it; the source does not print its size.
    Recovered,
}

/// What the weights of the terms add up to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scale {
    /// (1 + a) / 2, as printed.
    Printed,
    /// 1 whatever is contested: a value is always in squares. Ours. S is not scaled.
    Normalised,
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
    /// The term S.
    pub defects: Defects,
    /// What the weights add up to.
    pub scale: Scale,
}

/// Weights of the terms: the value is t1 `t1` + t2 `t2` + (c1 + c2) `c`, and S.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// a of the source.
    pub t1: f64,
    /// b / 2 of the source.
    pub t2: f64,
    /// c / 2 of the source.
    pub c: f64,
}

impl Formula {
    /// Smallest X and Y.
    pub const XY_MIN: f64 = 0.01;
    /// Largest X and Y: far beyond the squares of a board.
    pub const XY_MAX: f64 = 1_000.0;
    /// Largest kappa.
    pub const KAPPA_MAX: f64 = 1.0;

    /// The start of the source's tuning.
    pub const PAPER_START: Formula = Formula {
        x: 5.0,
        y: 20.0,
        kappa: 0.1,
        defects: Defects::Recovered,
        scale: Scale::Printed,
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
        let kappa = 0.0..=Formula::KAPPA_MAX;
        range.contains(&self.x) && range.contains(&self.y) && kappa.contains(&self.kappa)
    }

    /// The weights where so much is contested. Precondition: the formula is valid, `w` at least 0.
    #[inline]
    pub fn weights(&self, w: f64) -> Weights {
        let a = self.x / (w + self.x);
        let b = w / (w + self.y);
        let c = (1.0 - (a + b)) / 2.0;
        let sum = match self.scale {
            Scale::Printed => 1.0,
            Scale::Normalised => (1.0 + a) / 2.0,
        };
        Weights {
            t1: a / sum,
            t2: b / 2.0 / sum,
            c: c / 2.0 / sum,
        }
    }

    /// The value of a position with these terms, in squares, for the side that sees them so.
    #[inline]
    pub fn value_of(&self, terms: &Terms) -> f64 {
        let weights = self.weights(terms.w);
        let defects = match self.defects {
            Defects::Off => 0.0,
            Defects::Recovered => terms.s,
        };
        weights.t1 * terms.t1 + weights.t2 * terms.t2 + weights.c * (terms.c1 + terms.c2) + defects
    }

    /// The value of a position for this side, in squares. Never for a game that is over: who cannot
    /// move has lost, whatever the value says. Within a turn it is the value of the board as it
    /// stands, with the tie credit of the side that shoots.
    #[inline]
    pub fn value(&self, position: &Amazons, own: Player) -> f64 {
        self.value_of(&Features::of(position).terms(own, self.kappa))
    }
}
