//! Knowledge of Dots and Boxes.
//!
//! [`strings`] sees chains, loops and capturable strings; [`reduction`] keeps the moves that are
//! provably enough, `ordering` sorts them for the solver; [`formula`] values endings of chains and
//! loops exactly, [`peeling`] estimates those with junctions; [`rollout`] plays to the end;
//! [`evaluation`] values without playing;
//! [`opening`] begins games; [`EdgeSet`] keeps the edges that a search has not tried yet.

use crate::eval::{
    Evaluation, Knowledge, MoveClass, MoveList, RemainingBounds, RolloutPolicy, WORK_WEIGHTS, Work,
};
use crate::game::dots::{Dots, Edge};
use crate::stream::Stream;

use reduction::Capture;

mod classes;
mod draws;
mod effort;
pub mod evaluation;
pub mod formula;
pub mod opening;
mod ordering;
pub mod peeling;
pub mod reduction;
pub mod rollout;
pub mod strings;
mod tally;

use classes::Classes;
pub use classes::EdgeSet;

/// A move that completes a box.
pub const CAPTURE: MoveClass = MoveClass(0);

/// A move after which the opponent can capture.
pub const GIVES: MoveClass = MoveClass(1);

/// Any other move.
pub const OTHER: MoveClass = MoveClass(2);

/// A capture from a string whose last boxes could still be offered instead, two of a half-open one
/// or four of a closed one: taking everything may be wrong.
pub const LONG_CHAIN: MoveClass = MoveClass(3);

/// Names of the classes in configurations, in the order of their numbers.
pub const CLASS_NAMES: [&str; MoveClass::COUNT] = ["capture", "gives", "other", "long_chain"];

/// With fewer edges left, images are not compared: a search is cheaper.
const IMAGES_FROM_LEFT: u16 = 10;

/// What is known of Dots and Boxes beyond its rules. Has no state.
#[derive(Clone, Copy, Debug, Default)]
pub struct DotsKnowledge;

impl Knowledge<Dots> for DotsKnowledge {
    type Moves = EdgeSet;

    #[inline]
    fn moves(&self, position: &Dots, list: MoveList) -> EdgeSet {
        let edges = match list {
            MoveList::All => position.open(),
            MoveList::Sufficient => {
                let mut edges = 0;
                reduction::for_each_sufficient(position, |edge| edges |= edge.mask());
                edges
            }
        };
        Classes::of(position).split(edges)
    }

    #[inline]
    fn class(&self, position: &Dots, mv: Edge) -> MoveClass {
        Classes::of(position).class(mv)
    }

    #[inline]
    fn classed_moves(&self, position: &Dots, list: MoveList, out: &mut Vec<(Edge, MoveClass)>) {
        let classes = Classes::of(position);
        match list {
            MoveList::All => {
                let mut open = position.open();
                while open != 0 {
                    let edge = Edge(open.trailing_zeros() as u8);
                    out.push((edge, classes.class(edge)));
                    open &= open - 1;
                }
            }
            MoveList::Sufficient => reduction::for_each_sufficient(position, |edge| {
                out.push((edge, classes.class(edge)));
            }),
        }
    }

    #[inline]
    fn sufficient_moves(&self, position: &Dots, out: &mut Vec<Edge>) {
        reduction::for_each_sufficient(position, |edge| out.push(edge));
    }

    #[inline]
    fn moves_above(&self, position: &Dots, alpha: i16, out: &mut Vec<Edge>) -> i16 {
        ordering::moves_above(position, alpha, out)
    }

    #[inline]
    fn forced_move(&self, position: &Dots) -> Option<Edge> {
        match reduction::capture(position) {
            Some(Capture::Forced(edge)) => Some(edge),
            _ => None,
        }
    }

    #[inline]
    fn rollout(
        &self,
        position: &Dots,
        policy: RolloutPolicy,
        stream: &mut Stream,
        work: &mut Work,
    ) -> i32 {
        match policy {
            RolloutPolicy::Uniform => {
                work.uniform_plies += u64::from(self.moves_left(position));
                rollout::uniform(position, stream)
            }
            RolloutPolicy::Safe => {
                let end = rollout::safe(position, stream);
                // At least one: an ending valued at once is not free.
                work.safe_plies += u64::from(end.plies.max(1));
                end.margin
            }
        }
    }

    #[inline]
    fn evaluate(&self, position: &Dots, evaluation: &Evaluation, work: &mut Work) -> f64 {
        work.evaluations += 1;
        evaluation::remaining(position, &evaluation.weights)
            + evaluation.error_of(position.board().representative(position.drawn(), 0))
    }

    #[inline]
    fn remaining_key(&self, position: &Dots) -> u64 {
        position.board().representative(position.drawn(), 0)
    }

    fn symmetries_after(&self, root: &Dots) -> u8 {
        root.board().symmetries_after(root.drawn())
    }

    #[inline]
    fn remaining_key_among_images(&self, position: &Dots, symmetries: u8) -> u64 {
        let few_left = self.moves_left(position) < IMAGES_FROM_LEFT;
        let symmetries = if few_left { 0 } else { symmetries };
        position
            .board()
            .representative(position.drawn(), symmetries)
    }

    #[inline]
    fn remaining_bounds(&self, position: &Dots) -> RemainingBounds {
        reduction::bounds(position)
    }

    #[inline]
    fn proven_remaining(&self, position: &Dots) -> Option<i16> {
        reduction::proven(position)
    }

    /// By the number of open edges alone: measured means of positions of play on 5x5.
    fn solving_units(&self, position: &Dots) -> u64 {
        let edges = effort::edges_searched(position.open().count_ones());
        edges.saturating_mul(WORK_WEIGHTS.alpha_beta_edge)
    }

    #[inline]
    fn moves_left(&self, position: &Dots) -> u16 {
        position.open().count_ones() as u16
    }
}
