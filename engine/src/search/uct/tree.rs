//! The tree: one arena, children contiguous, what a scan reads packed apart from the rest.
//!
//! [`Hot`] holds what the choice among siblings needs, 16 bytes a child, so a scan is one pass
//! over consecutive memory. Everything else of a node is in [`Node`] at the same index.

use super::UctConstants;
use crate::eval::MoveClass;

/// Index of the root.
pub(super) const ROOT: usize = 0;

/// What a scan of siblings reads; ready so that a child's UCB is `score + k * inverse_root`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Hot {
    /// Mean value plus bias, for the player who moves at the parent.
    pub(super) score: f64,
    /// One over the square root of the visits.
    pub(super) inverse_root: f64,
}

/// A node's own record.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Node<M> {
    /// Sum of the values of all visits, for the player who moves at the parent.
    pub(super) sum: f64,
    /// Visits, T of the formula; N for its children.
    pub(super) visits: u32,
    /// Index of the first child; the root's index, which is nobody's child, before expansion.
    pub(super) first_child: u32,
    /// Number of children.
    pub(super) child_count: u32,
    /// Children visited so far: always the first ones, since unvisited children go in order.
    pub(super) opened: u32,
    /// The move that leads here.
    pub(super) mv: Option<M>,
    /// Class of that move.
    pub(super) class: MoveClass,
}

/// The arena.
pub(super) struct Tree<M> {
    hot: Vec<Hot>,
    nodes: Vec<Node<M>>,
}

impl<M: Copy> Tree<M> {
    pub(super) fn new() -> Self {
        Self {
            hot: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// Leaves the root alone in the tree; the memory is kept.
    pub(super) fn clear(&mut self) {
        self.hot.clear();
        self.nodes.clear();
        self.push(None, MoveClass(0));
    }

    /// Nodes in the tree.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, index: usize) -> &Node<M> {
        &self.nodes[index]
    }

    pub(super) fn is_expanded(&self, index: usize) -> bool {
        self.nodes[index].child_count > 0
    }

    /// The children of a node, in the order in which unvisited ones are tried.
    pub(super) fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        let first = node.first_child as usize;
        first..first + node.child_count as usize
    }

    pub(super) fn hot(&self, children: std::ops::Range<usize>) -> &[Hot] {
        &self.hot[children]
    }

    /// Gives a node its children. `limit` is the number of nodes that memory is taken for at most,
    /// unless these children already exceed it.
    pub(super) fn expand(&mut self, index: usize, children: &[(M, MoveClass)], limit: usize) {
        let needed = self.len() + children.len();
        if needed > self.nodes.capacity() {
            // Doubling as usual, but not beyond the limit.
            let wanted = needed.max((2 * self.nodes.capacity()).min(limit));
            self.nodes.reserve_exact(wanted - self.nodes.len());
            self.hot.reserve_exact(wanted - self.hot.len());
        }
        let first = self.len();
        for &(mv, class) in children {
            self.push(Some(mv), class);
        }
        let node = &mut self.nodes[index];
        node.first_child = first as u32;
        node.child_count = children.len() as u32;
    }

    /// The next child that has never been visited; it counts as visited from now on.
    pub(super) fn open_next(&mut self, index: usize) -> Option<usize> {
        let node = &mut self.nodes[index];
        if node.opened == node.child_count {
            return None;
        }
        node.opened += 1;
        Some((node.first_child + node.opened - 1) as usize)
    }

    /// Adds a visit with this value for the player who moves at the parent.
    pub(super) fn record(&mut self, index: usize, value: f64, constants: &UctConstants) {
        let node = &mut self.nodes[index];
        node.visits += 1;
        node.sum += value;
        let visits = f64::from(node.visits);
        self.hot[index] = Hot {
            score: node.sum / visits + constants.bias[node.class.index()],
            inverse_root: 1.0 / visits.sqrt(),
        };
    }

    fn push(&mut self, mv: Option<M>, class: MoveClass) {
        self.nodes.push(Node {
            sum: 0.0,
            visits: 0,
            first_child: ROOT as u32,
            child_count: 0,
            opened: 0,
            mv,
            class,
        });
        self.hot.push(Hot {
            score: 0.0,
            inverse_root: 0.0,
        });
    }
}
