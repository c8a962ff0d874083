//! Progressive widening: how many children a node has, and which come first.
//!
//! Where a position has a hundred moves, trying each once before any is tried twice leaves nothing
//! for a second look. A node that is expanded values the position after each of its moves without
//! playing on, and its children come into play in the order of these values as its visits grow. The
//! first visit of a child costs no evaluation, since its value is known.
//!
//! A position within a turn ([`Knowledge::is_within_turn`]) is no leaf: it is expanded at its first
//! visit and the simulation goes on to the turn's end, so that all values that are backed up are of
//! positions between turns.

use super::tree::Ranked;
use super::{ROOT, Setting, UNVISITED_FIRST, Uct, UctConstants};
use crate::eval::{Knowledge, Work};
use crate::game::Position;
use crate::search::Step;

/// Progressive widening: children come into play as visits of their parent grow, those of the best
/// static value first. A node of *N* visits may have `first` * *N*^`exponent` tried children,
/// rounded down, at least 1.
///
/// CITE: Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"; Chaslot, Winands,
/// van den Herik, Uiterwijk, Bouzy 2008, "Progressive strategies for Monte-Carlo tree search".
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// Children at the first visit; 0 for no widening: every child is tried before any is tried
    /// twice, in random order.
    pub first: u32,
    /// In 0 to 1.
    pub exponent: f64,
}

impl Widening {
    /// Whether nodes are widened at all.
    pub fn is_on(&self) -> bool {
        self.first > 0
    }

    /// Tried children that a node of so many visits may have.
    pub fn children_at(&self, visits: u32) -> u32 {
        let visits = f64::from(visits.max(1));
        ((f64::from(self.first) * libm::pow(visits, self.exponent)) as u32).max(1)
    }
}

impl<P: Position, K: Knowledge<P>> Uct<P, K> {
    /// Gives a node its children, those of the highest static value first, bias counted; false
    /// where the memory is used up.
    pub(super) fn expand_ranked(
        &mut self,
        setting: &Setting<'_, P, K>,
        node: usize,
        position: &P,
        work: &mut Work,
    ) -> bool {
        let constants = setting.constants;
        let mut moves = Vec::new();
        let (knowledge, list) = (setting.knowledge, constants.move_list);
        knowledge.classed_moves(position, list, &mut moves);
        if node != ROOT && self.tree.size() + moves.len() > self.max_nodes {
            return false;
        }
        let ahead = f64::from(position.margin() * position.to_move().sign());
        let mut ranked: Vec<(f64, Ranked<P::Move>)> = Vec::with_capacity(moves.len());
        for (mv, class) in moves {
            let mut child = position.clone();
            child.play(mv);
            let points = match child.outcome() {
                Some(_) => knowledge.final_points(&child),
                None => knowledge.evaluate(&child, &constants.evaluation, work),
            };
            let seen = ahead + Step::between(position, &child).estimate_of(points);
            let value = constants.evaluation.value_of_points(seen);
            let rank = value + constants.bias[class.index()];
            ranked.push((rank, Ranked { mv, class, points }));
        }
        // Equal ones keep the game's order.
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        self.ranked.clear();
        self.ranked.extend(ranked.iter().map(|(_, ranked)| *ranked));
        self.tree.expand_ranked(node, &self.ranked);
        work.children += self.ranked.len() as u64;
        true
    }

    /// The next child in line where the node may have another one, and no tried one counts more;
    /// else the tried child with the highest UCB. Precondition: a child is untried.
    pub(super) fn select_widened(
        &mut self,
        node: usize,
        constants: &UctConstants,
    ) -> (usize, P::Move) {
        let next = self.tree.next_ranked(node);
        let may_widen = self.tree.tried_count(node)
            < (constants.widening).children_at(self.tree.node(node).visits);
        let threshold = match may_widen {
            false => f64::NEG_INFINITY,
            true if constants.first_visit_value >= UNVISITED_FIRST => f64::INFINITY,
            true => constants.first_visit_value + constants.bias[next.class.index()],
        };
        let exploration = constants.exploration;
        if let Some(tried) = self.tree.best_tried_above(node, threshold, exploration) {
            return tried;
        }
        self.tree.take_ranked(node);
        self.fresh_points = Some(next.points);
        (self.tree.add_child(node, next.mv, next.class), next.mv)
    }
}
