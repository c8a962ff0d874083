//! The choice among siblings: UCB during the search, the final move after it.
//!
//! CITE: Kocsis & Szepesvári 2006, "Bandit based Monte-Carlo planning"; the additive bias G and
//! the constant C outside the root, C · sqrt(2 ln N / T), are the staged UCT's.

use std::sync::OnceLock;

use super::tree::Tree;
use super::{ChildReport, FinalMove, UctConstants};
use crate::eval::MoveSet;

/// What the formula needs of numbers of visits. Most nodes have few visits and a logarithm is
/// dear, so small numbers are looked up.
pub(super) struct VisitTerms {
    by_visits: Vec<Terms>,
}

/// The terms of one number of visits.
#[derive(Clone, Copy)]
struct Terms {
    root_of_log: f64,
    inverse_root: f64,
}

impl Terms {
    fn of(visits: u32) -> Terms {
        let visits = f64::from(visits);
        Terms {
            // `libm` instead of the platform's logarithm: the same bits on every machine.
            root_of_log: (2.0 * libm::log(visits)).sqrt(),
            inverse_root: 1.0 / visits.sqrt(),
        }
    }
}

impl VisitTerms {
    /// Numbers of visits that are looked up, from 0. Small numbers are most of them; of the large
    /// ones the root's and its best children's go up one by one, and so through the table.
    const LOOKED_UP: u32 = 1 << 14;

    /// The terms, computed at the first call.
    pub(super) fn get() -> &'static VisitTerms {
        static TERMS: OnceLock<VisitTerms> = OnceLock::new();
        TERMS.get_or_init(|| VisitTerms {
            by_visits: (0..Self::LOOKED_UP).map(Terms::of).collect(),
        })
    }

    #[inline]
    fn of(&self, visits: u32) -> Terms {
        match self.by_visits.get(visits as usize) {
            Some(&terms) => terms,
            None => Terms::of(visits),
        }
    }

    /// sqrt(2 ln N). Precondition: N is at least 1.
    #[inline]
    pub(super) fn root_of_log(&self, visits: u32) -> f64 {
        self.of(visits).root_of_log
    }

    /// One over the root of a number of visits.
    #[inline]
    pub(super) fn inverse_root(&self, visits: u32) -> f64 {
        self.of(visits).inverse_root
    }
}

/// Siblings compared at a time: enough independent maxima to hide the time that one takes.
pub(super) const LANES: usize = 8;

/// The sibling with the highest `score + factor * inverse_root`; the first of equals.
/// Preconditions: the slices are equally long and not empty; a score of minus infinity with a root
/// of 0 is nobody's, every other value is finite.
///
/// The highest value first, then who has it: neither pass has a branch that depends on the values
/// but the last one, and both go through a whole chunk in a few vector operations.
#[inline]
pub fn highest_ucb(scores: &[f64], inverse_roots: &[f64], factor: f64) -> usize {
    let mut highest = [f64::NEG_INFINITY; LANES];
    let (score_chunks, last_scores) = scores.as_chunks::<LANES>();
    let (root_chunks, last_roots) = inverse_roots.as_chunks::<LANES>();
    for (scores, roots) in score_chunks.iter().zip(root_chunks) {
        for lane in 0..LANES {
            highest[lane] = larger(scores[lane] + factor * roots[lane], highest[lane]);
        }
    }
    for (lane, (score, root)) in last_scores.iter().zip(last_roots).enumerate() {
        highest[lane] = larger(score + factor * root, highest[lane]);
    }
    let highest = highest.into_iter().fold(f64::NEG_INFINITY, larger);
    for (chunk, (scores, roots)) in score_chunks.iter().zip(root_chunks).enumerate() {
        // A word a lane, so that the comparisons are vectorised.
        let mut bits = [0u64; LANES];
        for lane in 0..LANES {
            let is_highest = scores[lane] + factor * roots[lane] == highest;
            bits[lane] = if is_highest { 1 << lane } else { 0 };
        }
        let lanes = bits.into_iter().fold(0, |all, bit| all | bit);
        if lanes != 0 {
            return chunk * LANES + lanes.trailing_zeros() as usize;
        }
    }
    let mut last = last_scores.iter().zip(last_roots);
    let first = last.position(|(score, root)| score + factor * root == highest);
    score_chunks.len() * LANES + first.expect("the highest value is one of the values")
}

/// The larger of two numbers; not `f64::max`, whose care for NaN costs instructions.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// What the search found out about each tried child of a node, in the order of first visits.
pub(super) fn reports_of_tried<M: Copy, S: MoveSet<M>>(
    tree: &Tree<M, S>,
    parent: usize,
    constants: &UctConstants,
) -> Vec<ChildReport<M>> {
    let terms = VisitTerms::get();
    let factor = constants.exploration * terms.root_of_log(tree.node(parent).visits.max(1));
    let report = |index| {
        let node = tree.node(index);
        let mean = node.sum / f64::from(node.visits);
        let score = mean + constants.bias[node.class.index()];
        ChildReport {
            mv: node.mv.expect("only the root has no move"),
            class: node.class,
            visits: node.visits,
            mean,
            ucb: score + factor * terms.inverse_root(node.visits),
        }
    };
    tree.tried_children(parent)
        .into_iter()
        .map(report)
        .collect()
}

/// Whether more simulations would hardly change the move: the best child's mean alone exceeds every
/// other child's UCB by the margin, or no other can still get as many visits.
pub(super) fn may_stop_early<M: Eq>(
    children: &[ChildReport<M>],
    constants: &UctConstants,
    left: u64,
) -> bool {
    let best = &children[final_child(children, constants.final_move)];
    let others = || children.iter().filter(|child| child.mv != best.mv);
    let margin = constants.early_stop.margin;
    let is_clear = others().all(|child| best.mean > child.ucb + margin);
    let is_out_of_reach = constants.final_move == FinalMove::Visits
        && others().all(|child| left.saturating_add(child.visits.into()) < best.visits.into());
    is_clear || is_out_of_reach
}

/// Index of the child to play; the first of equals. Only visited children count while there are
/// any. Precondition: `children` is not empty.
pub(super) fn final_child<M>(children: &[ChildReport<M>], rule: FinalMove) -> usize {
    let key = |child: &ChildReport<M>| {
        let visits = f64::from(child.visits);
        match rule {
            _ if child.visits == 0 => (f64::NEG_INFINITY, 0.0),
            FinalMove::Visits => (visits, child.mean),
            FinalMove::Mean => (child.mean, visits),
            FinalMove::HighestUcb => (child.ucb, visits),
        }
    };
    let mut best = 0;
    for index in 1..children.len() {
        if key(&children[index]) > key(&children[best]) {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, StreamKey};

    #[test]
    fn looked_up_terms_are_the_computed_ones() {
        let check = |visits: u32| {
            let n = f64::from(visits);
            let terms = VisitTerms::get();
            assert_eq!(terms.root_of_log(visits), (2.0 * libm::log(n)).sqrt());
            assert_eq!(terms.inverse_root(visits), 1.0 / n.sqrt());
        };
        (1..20_000).for_each(check);
        check(u32::MAX);
    }

    #[test]
    fn the_highest_ucb_is_the_first_that_no_other_exceeds() {
        let mut stream = StreamKey::new(23, Purpose::Bench).stream();
        for count in (1..70).flat_map(|count| [count; 40]) {
            // Few different values, so that many are equal.
            let mut value = |_| f64::from(stream.below(6)) / 4.0;
            let scores: Vec<f64> = (0..count).map(&mut value).collect();
            let roots: Vec<f64> = (0..count).map(&mut value).collect();
            for factor in [0.0, 0.3, 1.0] {
                let ucb = |k: usize| scores[k] + factor * roots[k];
                let plain = (0..count).find(|&k| (0..count).all(|other| ucb(other) <= ucb(k)));
                assert_eq!(Some(highest_ucb(&scores, &roots, factor)), plain);
            }
        }
    }
}
