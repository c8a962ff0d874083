//! A Q tree to look at: its nodes, their Q-values and where their paths lead. Nothing is decided
//! with it.

use super::tree::{NODES, QTree, ROOT, WAYS, parent};
use crate::space::Vector;

/// The tree of a round in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeView {
    /// Round, from 0.
    pub round: u32,
    /// What each of the actions 1 to 6 adds to the parameters, in the space's order and in units
    /// of their ranges on their scales.
    pub edits: [Vec<f64>; WAYS],
    /// All nodes, by number.
    pub nodes: Vec<NodeView>,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    /// Number: 0 is the root, k's children are 6k + 1 to 6k + 6.
    pub number: usize,
    /// Q-value of the action that leads here, in units of the reward; 0 at the root.
    pub q: f64,
    /// Updates of its Q-value, or of those below it.
    pub visits: u32,
    /// Where the path to this node leads, as it would be played.
    pub value: Vector,
}

impl TreeView {
    /// A view of `tree`; `candidate` says where a path of up to two actions leads.
    pub(super) fn new(
        round: u32,
        edits: [Vec<f64>; WAYS],
        tree: &QTree,
        candidate: impl Fn(&[u8]) -> Vector,
    ) -> Self {
        let node = |number| NodeView {
            number,
            q: tree.node(number).q,
            visits: tree.node(number).visits,
            value: candidate(&path_to(number)),
        };
        Self {
            round,
            edits,
            nodes: (0..NODES).map(node).collect(),
        }
    }
}

/// The actions from the root to a node: none, one or two.
fn path_to(number: usize) -> Vec<u8> {
    let mut path = Vec::new();
    let mut node = number;
    while let Some(above) = parent(node) {
        path.insert(0, (node - WAYS * above) as u8);
        node = above;
    }
    debug_assert_eq!(node, ROOT);
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimiser::tree::nodes_of;

    #[test]
    fn the_path_to_a_node_is_the_one_that_passes_through_it() {
        assert_eq!(path_to(ROOT), Vec::<u8>::new());
        for first in 1..=6 {
            for second in 1..=6 {
                let [layer, leaf] = nodes_of([first, second]);
                assert_eq!(path_to(layer), [first]);
                assert_eq!(path_to(leaf), [first, second]);
            }
        }
    }
}
