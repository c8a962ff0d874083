//! Search: plain minimax, exact alpha-beta, alpha-beta with a static evaluation, staged UCT.
//! Generic over the game.
//!
//! Never prints, never reads the clock, knows no protocol, no stage and no concrete game. A search
//! asks its [`Control`] whether to go on and counts what it does in [`Work`].

use std::ops::Neg;

use crate::eval::Work;
use crate::game::Position;

pub mod alpha_beta;
pub mod control;
pub mod deepening;
pub mod plain;
pub mod pvs;
pub mod uct;

pub use control::{SimulationLimit, WorkLimit};

/// Remaining value for the side to move: points still to be won, own minus the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub i16);

impl Neg for Value {
    type Output = Value;
    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// Largest margin limit of a game that is searched for values, in points. Remaining values are then
/// at most twice this, and sums of a window and the gains of a line fit 16 bits.
pub const LARGEST_MARGIN: i32 = 5_000;

/// An open interval of interest: `alpha` is already sure, `beta` already too good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The side to move has at least this elsewhere.
    pub alpha: Value,
    /// The opponent allows at most this.
    pub beta: Value,
}

impl Window {
    /// The window that excludes nothing, in games with margins up to [`LARGEST_MARGIN`]. It leaves
    /// room for the gains by which [`Step::window_for_child`] shifts it on the way down.
    pub const FULL: Window = Window {
        alpha: Value(-16_000),
        beta: Value(16_000),
    };
}

/// How the value of a child becomes a value of its parent: the one place in this crate that knows
/// that turns do not always pass. Sign **and** window change together, only when the mover does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    gain: i16,
    mover_stays: bool,
}

impl Step {
    /// The step from `parent` to `child`.
    #[inline]
    pub fn between<P: Position>(parent: &P, child: &P) -> Step {
        let mover = parent.to_move();
        let gain = (child.margin() - parent.margin()) * mover.sign();
        // After the end nobody moves; the remaining value is zero, whatever the sign.
        Step {
            gain: gain as i16,
            mover_stays: child.to_move() == mover,
        }
    }

    /// The child's value as seen by the parent's mover, points won by the move included.
    #[inline]
    pub fn value_of(self, child: Value) -> Value {
        Value(self.gain + if self.mover_stays { child.0 } else { -child.0 })
    }

    /// As [`Step::value_of`], of an estimate in points.
    #[inline]
    pub fn estimate_of(self, child: f64) -> f64 {
        f64::from(self.gain) + if self.mover_stays { child } else { -child }
    }

    /// As [`Step::window_for_child`], of a window of estimates in points.
    #[inline]
    pub fn interval_for_child(self, (alpha, beta): (f64, f64)) -> (f64, f64) {
        let gain = f64::from(self.gain);
        if self.mover_stays {
            (alpha - gain, beta - gain)
        } else {
            (gain - beta, gain - alpha)
        }
    }

    /// The parent's window as seen by the child's mover.
    #[inline]
    pub fn window_for_child(self, parent: Window) -> Window {
        let shift = |value: Value| Value(value.0.saturating_sub(self.gain));
        let (alpha, beta) = (shift(parent.alpha), shift(parent.beta));
        if self.mover_stays {
            Window { alpha, beta }
        } else {
            Window {
                alpha: -beta,
                beta: -alpha,
            }
        }
    }
}

/// Asked by every search, often: may it go on?
pub trait Control {
    /// True once the search must stop. `simulations` is 0 in alpha-beta.
    fn should_stop(&mut self, work: &Work, simulations: u64) -> bool;

    /// How many more simulations there can be, as far as known: never too few.
    fn simulations_left(&self, _work: &Work, _simulations: u64) -> u64 {
        u64::MAX
    }

    /// Told now and then which move is the best so far, by its place among the legal moves of the
    /// root: for whoever may have to answer without the search's end.
    fn best_so_far(&mut self, _legal_place: usize) {}
}

/// Simulations between two reports of the best move so far: often enough for somebody who waits,
/// and too seldom to cost anything.
const SIMULATIONS_BETWEEN_REPORTS: u64 = 1024;

/// Tells a control the best move so far.
fn report_best<P: Position>(root: &P, best: P::Move, control: &mut dyn Control) {
    let mut legal = Vec::new();
    root.legal_moves(&mut legal);
    if let Some(place) = legal.iter().position(|mv| *mv == best) {
        control.best_so_far(place);
    }
}

/// Never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Control for Unlimited {
    fn should_stop(&mut self, _work: &Work, _simulations: u64) -> bool {
        false
    }
}
