//! The choice among siblings: UCB during the search, the final move after it.
//!
//! CITE: Kocsis & Szepesvári 2006, "Bandit based Monte-Carlo planning"; the additive bias G and
//! the constant C outside the root, C · sqrt(2 ln N / T), are the staged UCT's.

use super::tree::{Hot, Tree};
use super::{ChildReport, FinalMove, UctConstants};

/// What one over the root of a child's visits is multiplied by: C · sqrt(2 ln N).
/// Precondition: `parent_visits` is at least 1.
pub(super) fn exploration_factor(constants: &UctConstants, parent_visits: u32) -> f64 {
    // `libm` instead of the platform's logarithm: the same bits on every machine.
    constants.exploration * (2.0 * libm::log(f64::from(parent_visits))).sqrt()
}

/// The sibling with the highest UCB; the first of equals. Precondition: all have been visited.
pub(super) fn highest_ucb(siblings: &[Hot], factor: f64) -> usize {
    let mut best = 0;
    let mut highest = f64::NEG_INFINITY;
    for (index, hot) in siblings.iter().enumerate() {
        let ucb = hot.score + factor * hot.inverse_root;
        if ucb > highest {
            highest = ucb;
            best = index;
        }
    }
    best
}

/// What the search found out about each child of a node.
pub(super) fn child_reports<M: Copy>(
    tree: &Tree<M>,
    parent: usize,
    constants: &UctConstants,
) -> Vec<ChildReport<M>> {
    let factor = exploration_factor(constants, tree.node(parent).visits.max(1));
    let report = |index| {
        let node = tree.node(index);
        let (mean, ucb) = if node.visits == 0 {
            (0.0, f64::INFINITY)
        } else {
            let hot = tree.hot(index..index + 1)[0];
            let mean = node.sum / f64::from(node.visits);
            (mean, hot.score + factor * hot.inverse_root)
        };
        ChildReport {
            mv: node.mv.expect("only the root has no move"),
            class: node.class,
            visits: node.visits,
            mean,
            ucb,
        }
    };
    tree.children(parent).map(report).collect()
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
