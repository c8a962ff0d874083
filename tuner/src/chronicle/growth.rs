//! The trees of a run as they grew. The journal holds no Q-value; the learner computes them again
//! from it, and is looked at on the way.

use super::thinned::Thinned;
use crate::optimiser::tree::{NODES, ROOT, WAYS, child, nodes_of};
use crate::optimiser::tree_view::TreeView;
use crate::run::course::Course;
use crate::trial::RoundSummary;

/// How much of the growth is kept, evenly thinned out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrowthLimits {
    /// Ends of rounds, at least 2.
    pub ends: usize,
    /// Whole trees, at least 2.
    pub trees: usize,
    /// Looks at each tree on its way, at least 2.
    pub looks: usize,
}

impl GrowthLimits {
    /// All that is looked at, for who chooses beforehand.
    pub const NONE: GrowthLimits = GrowthLimits {
        ends: usize::MAX,
        trees: usize::MAX,
        looks: usize::MAX,
    };
}

/// The trees of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Growth {
    /// Whether the learner has a tree at all.
    pub has_tree: bool,
    /// How rounds ended: all of them, or evenly thinned out.
    pub ends: Thinned<TreeEnd>,
    /// Trees of the first and the last round and evenly of those between.
    pub trees: Thinned<RoundTree>,
    /// Looks at the tree of the round in progress.
    looks: Thinned<Look>,
    limits: GrowthLimits,
}

/// A tree at the end of its round.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeEnd {
    /// Round, from 0, over all legs.
    pub round: usize,
    /// Q-values of all nodes.
    pub q: [f64; NODES],
    /// The leaf at the end of the greedy path.
    pub greedy_leaf: usize,
    /// Whether the path was applied.
    pub applied: bool,
}

/// Q-values after an update.
#[derive(Clone, PartialEq, Debug)]
pub struct Look {
    /// Updates of the tree so far.
    pub updates: u32,
    /// Q-values of all nodes.
    pub q: [f64; NODES],
}

/// A tree, at the end of its round or as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundTree {
    /// The tree.
    pub view: TreeView,
    /// What its round came to; None for the round in progress.
    pub summary: Option<RoundSummary>,
    /// Q-values on the way, evenly thinned out, the last among them.
    pub looks: Vec<Look>,
    /// Whether it is that of a landing, which grew in one go at the end of the last round.
    pub is_landing: bool,
}

impl Growth {
    /// The trees of a run whose course is new.
    pub fn new(course: &Course, limits: GrowthLimits) -> Growth {
        let mut growth = Growth {
            has_tree: course.tree().is_some(),
            ends: Thinned::new(limits.ends),
            trees: Thinned::new(limits.trees),
            looks: Thinned::new(limits.looks),
            limits,
        };
        growth.begin(course);
        growth
    }

    /// Looks at the tree as it is now.
    pub fn look(&mut self, course: &Course) {
        if let Some(view) = course.tree() {
            self.looks.push(Look::at(&view));
        }
    }

    /// Looks at the tree as it is now, unless the look would be thinned out.
    pub fn look_when_due(&mut self, course: &Course) {
        if self.looks.is_due() {
            self.look(course);
        } else {
            self.looks.skip();
        }
    }

    /// Looks at the new tree of a round that begins.
    pub fn begin(&mut self, course: &Course) {
        self.looks = Thinned::new(self.limits.looks);
        self.look(course);
    }

    /// Takes the end of a round, from 0, whose tree was `before` it, and keeps the tree that
    /// decided it where that is drawn.
    pub fn end(
        &mut self,
        course: &Course,
        before: TreeView,
        (round, summary): (usize, &RoundSummary),
        is_drawn: bool,
    ) {
        let decided = course.decided_tree();
        let is_landing = decided.as_ref().is_some_and(|it| it.edits != before.edits);
        let decided = decided.unwrap_or(before);
        if is_landing {
            self.looks = Thinned::new(self.limits.looks);
        }
        self.ends.push(TreeEnd {
            round,
            q: q_values(&decided),
            greedy_leaf: way(&decided, Some(summary))[1],
            applied: summary.applied,
        });
        if is_drawn {
            self.keep(decided, Some(summary.clone()), is_landing);
        }
    }

    /// Looks at the tree of the round in progress so far, in their order.
    pub fn looks(&self) -> &[Look] {
        &self.looks
    }

    /// Keeps the tree of a round in progress that has begun.
    pub fn stop(&mut self, course: &Course) {
        let view = course.tree().filter(|view| view.nodes[ROOT].visits > 0);
        if let Some(view) = view {
            self.keep(view, None, false);
        }
    }

    fn keep(&mut self, view: TreeView, summary: Option<RoundSummary>, is_landing: bool) {
        let looks = std::mem::replace(&mut self.looks, Thinned::new(self.limits.looks));
        let mut looks = looks.into_vec();
        let last = Look::at(&view);
        looks.retain(|look| look.updates < last.updates);
        looks.push(last);
        self.trees.push(RoundTree {
            view,
            summary,
            looks,
            is_landing,
        });
    }
}

impl Look {
    /// The tree as it is.
    pub fn at(view: &TreeView) -> Look {
        Look {
            updates: view.nodes[ROOT].visits,
            q: q_values(view),
        }
    }
}

fn q_values(view: &TreeView) -> [f64; NODES] {
    std::array::from_fn(|number| view.nodes[number].q)
}

/// The two nodes of the path that a round has taken, or would take as it stands.
pub fn way(view: &TreeView, summary: Option<&RoundSummary>) -> [usize; 2] {
    let path = summary.and_then(|summary| summary.greedy_path);
    path.map_or_else(|| greedy_way(view), nodes_of)
}

/// The two nodes that the largest Q-values lead to, the first among equals.
fn greedy_way(view: &TreeView) -> [usize; 2] {
    let best = |node: usize| {
        let children = (1..=WAYS as u8).map(|action| child(node, action));
        let by_q = |a: &usize, b: &usize| view.nodes[*a].q.total_cmp(&view.nodes[*b].q);
        // The last of equals is the largest: reversed, the first is.
        children
            .rev()
            .max_by(by_q)
            .expect("a node has six children")
    };
    let second = best(ROOT);
    [second, best(second)]
}
