//! The tree: an arena of visited nodes, and the scores of complete sibling groups packed apart.
//!
//! Most nodes of a search are visited once, and most of their moves never: a node keeps the moves
//! that are left to try as a set, and a child becomes a node when it is first visited. Siblings are
//! compared only once all have been visited; then their scores move into consecutive memory, so
//! that a comparison is one pass over it.

use super::UctConstants;
use super::select::{self, LANES, VisitTerms};
use crate::eval::{ClassSet, MoveClass, MoveSet};
use crate::stream::Stream;

/// Index of the root.
pub(super) const ROOT: usize = 0;

/// No node, no slot.
const NONE: u32 = u32::MAX;

/// A node that has been visited, or the root. One line of a cache where moves are small and a set
/// of them has three words: a visit to a node that is not at hand waits for memory once.
#[repr(align(64))]
pub(super) struct Node<M, S> {
    /// Sum of the values of all visits, for the player who moves at the parent.
    pub(super) sum: f64,
    /// Moves of an expanded node that have not been tried.
    untried: S,
    /// Visits, T of the formula; N for its children.
    pub(super) visits: u32,
    /// Number of children, the untried included; 0 before expansion.
    pub(super) child_count: u32,
    /// Number of untried children.
    pub(super) untried_count: u32,
    /// The child first visited last.
    newest_child: u32,
    /// The sibling first visited just before this node.
    older_sibling: u32,
    /// Where the children's scores begin, once all have been tried: a multiple of [`LANES`]. Before
    /// that, of a widened node, where its ranked moves begin.
    first_slot: u32,
    /// Where the node's own score is, once all its siblings have been tried.
    slot: u32,
    /// The move that leads here.
    pub(super) mv: Option<M>,
    /// Class of that move.
    pub(super) class: MoveClass,
}

/// What a choice among complete siblings reads, one entry a slot: a child's UCB is
/// `score + k * inverse_root`. Siblings fill whole chunks; slots of nobody never are the highest.
struct Packed<M> {
    /// Mean value plus bias, for the player who moves at the parent.
    scores: Vec<[f64; LANES]>,
    /// One over the square root of the visits.
    inverse_roots: Vec<[f64; LANES]>,
    nodes: Vec<u32>,
    /// The move to each node, so that it can be played before the node is at hand.
    moves: Vec<Option<M>>,
}

/// A move of a widened node in the place that its static value gives it.
#[derive(Clone, Copy)]
pub(super) struct Ranked<M> {
    pub(super) mv: M,
    pub(super) class: MoveClass,
    /// The static value of the position that it leads to, in points for who moves there.
    pub(super) points: f64,
}

/// The arena.
pub(super) struct Tree<M, S> {
    nodes: Vec<Node<M, S>>,
    packed: Packed<M>,
    /// The moves of widened nodes, each node's together, in the order of their trial.
    ranked: Vec<Ranked<M>>,
    /// Nodes in the tree, children that were never tried included.
    size: usize,
    bias: [f64; MoveClass::COUNT],
    terms: &'static VisitTerms,
}

impl<M: Copy, S: MoveSet<M>> Tree<M, S> {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            packed: Packed {
                scores: Vec::new(),
                inverse_roots: Vec::new(),
                nodes: Vec::new(),
                moves: Vec::new(),
            },
            ranked: Vec::new(),
            size: 0,
            bias: [0.0; MoveClass::COUNT],
            terms: VisitTerms::get(),
        }
    }

    /// Leaves the root alone in the tree, for a search with this bias; the memory is kept.
    pub(super) fn clear(&mut self, bias: [f64; MoveClass::COUNT]) {
        self.bias = bias;
        self.nodes.clear();
        self.packed.scores.clear();
        self.packed.inverse_roots.clear();
        self.packed.nodes.clear();
        self.packed.moves.clear();
        self.ranked.clear();
        self.push(None, MoveClass(0), NONE);
        self.size = 1;
    }

    /// Nodes in the tree, children that were never tried included.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn node(&self, index: usize) -> &Node<M, S> {
        &self.nodes[index]
    }

    pub(super) fn is_expanded(&self, index: usize) -> bool {
        self.nodes[index].child_count > 0
    }

    /// The tried children of a node, the first one first.
    pub(super) fn tried_children(&self, index: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut child = self.nodes[index].newest_child;
        while child != NONE {
            children.push(child as usize);
            child = self.nodes[child as usize].older_sibling;
        }
        children.reverse();
        children
    }

    /// Gives a node its children, `count` of them, all untried.
    pub(super) fn expand(&mut self, index: usize, moves: S, count: u32) {
        let node = &mut self.nodes[index];
        node.child_count = count;
        node.untried_count = count;
        node.untried = moves;
        self.size += count as usize;
    }

    /// Gives a node its children in the order in which they are to be tried.
    pub(super) fn expand_ranked(&mut self, index: usize, moves: &[Ranked<M>]) {
        let count = moves.len() as u32;
        let node = &mut self.nodes[index];
        node.child_count = count;
        node.untried_count = count;
        node.first_slot = self.ranked.len() as u32;
        self.ranked.extend_from_slice(moves);
        self.size += count as usize;
    }

    /// Children of a node that have been tried.
    pub(super) fn tried_count(&self, index: usize) -> u32 {
        self.nodes[index].child_count - self.nodes[index].untried_count
    }

    /// The next move of a node whose moves are ranked. Precondition: one is left.
    pub(super) fn next_ranked(&self, index: usize) -> Ranked<M> {
        self.ranked[(self.nodes[index].first_slot + self.tried_count(index)) as usize]
    }

    /// Takes that move out of those left.
    pub(super) fn take_ranked(&mut self, index: usize) -> Ranked<M> {
        let next = self.next_ranked(index);
        self.nodes[index].untried_count -= 1;
        next
    }

    /// Takes an untried move of a node: of the first of these class sets that has any, uniformly
    /// random. Precondition: one is left.
    #[inline]
    pub(super) fn take_untried(
        &mut self,
        index: usize,
        preference: &[ClassSet],
        stream: &mut Stream,
    ) -> (M, MoveClass) {
        let node = &mut self.nodes[index];
        for &classes in preference {
            // Without a bias that tells classes apart, the number is known.
            let count = match classes {
                ClassSet::ALL => node.untried_count,
                _ => node.untried.count(classes),
            };
            if count > 0 {
                node.untried_count -= 1;
                return node.untried.take(classes, stream.below(count));
            }
        }
        unreachable!("every class is in one of the sets")
    }

    /// Makes a node of a move that was untried; packs the siblings if it was the last one.
    pub(super) fn add_child(&mut self, parent: usize, mv: M, class: MoveClass) -> usize {
        let child = self.nodes.len();
        self.push(Some(mv), class, self.nodes[parent].newest_child);
        let node = &mut self.nodes[parent];
        node.newest_child = child as u32;
        if node.untried_count == 0 {
            self.pack(parent);
        }
        child
    }

    fn pack(&mut self, parent: usize) {
        let first = self.packed.nodes.len();
        let node = &mut self.nodes[parent];
        node.first_slot = first as u32;
        let mut child = node.newest_child;
        let mut slot = first + node.child_count as usize;
        let chunks = slot.div_ceil(LANES);
        self.packed.nodes.resize(chunks * LANES, NONE);
        self.packed.moves.resize(chunks * LANES, None);
        self.packed
            .scores
            .resize(chunks, [f64::NEG_INFINITY; LANES]);
        self.packed.inverse_roots.resize(chunks, [0.0; LANES]);
        while child != NONE {
            slot -= 1;
            self.packed.nodes[slot] = child;
            self.packed.moves[slot] = self.nodes[child as usize].mv;
            self.nodes[child as usize].slot = slot as u32;
            self.refresh_score(child as usize);
            child = self.nodes[child as usize].older_sibling;
        }
    }

    /// The child with the highest UCB and the move to it.
    /// Precondition: all have been visited.
    #[inline]
    pub(super) fn best_child(&self, parent: usize, exploration: f64) -> (usize, M) {
        let node = &self.nodes[parent];
        let first = node.first_slot as usize;
        let chunks = first / LANES..(first + node.child_count as usize).div_ceil(LANES);
        let factor = exploration * self.terms.root_of_log(node.visits);
        let scores = self.packed.scores[chunks.clone()].as_flattened();
        let roots = self.packed.inverse_roots[chunks].as_flattened();
        let best = select::highest_ucb(scores, roots, factor);
        let mv = self.packed.moves[first + best].expect("the best child is a child");
        (self.packed.nodes[first + best] as usize, mv)
    }

    /// The tried child with the highest UCB, if that exceeds what an untried one counts with.
    pub(super) fn better_than_untried(
        &self,
        parent: usize,
        preference: [ClassSet; MoveClass::COUNT],
        constants: &UctConstants,
    ) -> Option<(usize, M)> {
        let node = &self.nodes[parent];
        let left = |classes: &&ClassSet| node.untried.count(**classes) > 0;
        let classes = preference.iter().find(left)?;
        let mut biases = (0..MoveClass::COUNT as u8).map(MoveClass);
        let class = biases.find(|&class| classes.contains(class))?;
        let threshold = constants.first_visit_value + self.bias[class.index()];
        self.best_tried_above(parent, threshold, constants.exploration)
    }

    /// The tried child with the highest UCB, if that is above a threshold.
    pub(super) fn best_tried_above(
        &self,
        parent: usize,
        threshold: f64,
        exploration: f64,
    ) -> Option<(usize, M)> {
        let node = &self.nodes[parent];
        let factor = exploration * self.terms.root_of_log(node.visits.max(1));
        let (mut best, mut highest) = (ROOT, threshold);
        for index in self.tried_children(parent) {
            let child = &self.nodes[index];
            let mean = child.sum / f64::from(child.visits) + self.bias[child.class.index()];
            let ucb = mean + factor * self.terms.inverse_root(child.visits);
            if ucb > highest {
                (best, highest) = (index, ucb);
            }
        }
        // Only the root has no move, and it is nobody's child.
        self.nodes[best].mv.map(|mv| (best, mv))
    }

    /// Adds a visit with this value for the player who moves at the parent.
    #[inline]
    pub(super) fn record(&mut self, index: usize, value: f64) {
        let node = &mut self.nodes[index];
        node.visits += 1;
        node.sum += value;
        if node.slot != NONE {
            self.refresh_score(index);
        }
    }

    /// Writes the score of a node to its slot; of one that is about to be visited for the first
    /// time, what is written has no meaning and is not read.
    #[inline]
    fn refresh_score(&mut self, index: usize) {
        let node = &self.nodes[index];
        let slot = node.slot as usize;
        let mean = node.sum / f64::from(node.visits);
        let (chunk, lane) = (slot / LANES, slot % LANES);
        self.packed.scores[chunk][lane] = mean + self.bias[node.class.index()];
        self.packed.inverse_roots[chunk][lane] = self.terms.inverse_root(node.visits);
    }

    fn push(&mut self, mv: Option<M>, class: MoveClass, older_sibling: u32) {
        self.nodes.push(Node {
            sum: 0.0,
            untried: S::default(),
            visits: 0,
            child_count: 0,
            untried_count: 0,
            newest_child: NONE,
            older_sibling,
            first_slot: NONE,
            slot: NONE,
            mv,
            class,
        });
    }
}
