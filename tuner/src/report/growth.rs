//! The trees of a run as they grew. The journal holds no Q-value; the learner computes them again
//! from it, and is looked at on the way.

use crate::event::Event;
use crate::optimiser::tree::{NODES, ROOT, WAYS, child, nodes_of};
use crate::optimiser::tree_view::TreeView;
use crate::run::course::Course;
use crate::trial::RoundSummary;

use super::plot::{POINTS_MAX, spread};

/// Most trees that a report draws: one takes some 15 kB.
pub(super) const TREES_MAX: usize = 100;
/// Most looks at a tree while it grew, besides the one at its end.
const LOOKS_MAX: usize = 30;

/// The trees of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Growth {
    /// Whether the learner has a tree at all.
    pub(super) has_tree: bool,
    /// How rounds ended: all of them, or evenly thinned out.
    pub(super) ends: Vec<TreeEnd>,
    /// Trees of the first and the last round and evenly of those between.
    pub(super) trees: Vec<RoundTree>,
    /// Looks at the tree of the round in progress.
    looks: Vec<Look>,
}

/// A tree at the end of its round.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TreeEnd {
    /// Round, from 0, over all legs.
    pub(super) round: usize,
    /// Q-values of all nodes.
    pub(super) q: [f64; NODES],
    /// The leaf at the end of the greedy path.
    pub(super) greedy_leaf: usize,
    /// Whether the path was applied.
    pub(super) applied: bool,
}

/// Q-values after an update.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Look {
    /// Updates of the tree so far.
    pub(super) updates: u32,
    /// Q-values of all nodes.
    pub(super) q: [f64; NODES],
}

/// A tree, at the end of its round or as it stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RoundTree {
    /// The tree.
    pub(super) view: TreeView,
    /// What its round came to; None for the round in progress.
    pub(super) summary: Option<RoundSummary>,
    /// Q-values on the way, evenly thinned out, the last among them.
    pub(super) looks: Vec<Look>,
    /// Whether it is that of a landing, which grew in one go at the end of the last round.
    pub(super) is_landing: bool,
}

impl Growth {
    pub(super) fn new(course: &Course) -> Growth {
        let mut growth = Growth {
            has_tree: course.tree().is_some(),
            ..Growth::default()
        };
        growth.begin(course);
        growth
    }

    /// Looks at the tree as it is now.
    pub(super) fn look(&mut self, course: &Course) {
        if let Some(view) = course.tree() {
            self.looks.push(Look::at(&view));
        }
    }

    /// Looks at the new tree of a round that begins.
    pub(super) fn begin(&mut self, course: &Course) {
        self.looks.clear();
        self.look(course);
    }

    /// Takes the end of a round, from 0, whose tree was `before` it, and keeps the tree that
    /// decided it where that is drawn.
    pub(super) fn end(
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
            self.looks.clear();
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

    /// Keeps the tree of a round in progress that has begun.
    pub(super) fn stop(&mut self, course: &Course) {
        let view = course.tree().filter(|view| view.nodes[ROOT].visits > 0);
        if let Some(view) = view {
            self.keep(view, None, false);
        }
    }

    fn keep(&mut self, view: TreeView, summary: Option<RoundSummary>, is_landing: bool) {
        let mut looks = std::mem::take(&mut self.looks);
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
    fn at(view: &TreeView) -> Look {
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
pub(super) fn way(view: &TreeView, summary: Option<&RoundSummary>) -> [usize; 2] {
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

/// The events at which trees are looked at, by their indices, sorted.
pub(super) struct Looks {
    /// Trials after which the tree of a drawn round is looked at.
    pub(super) trials: Vec<usize>,
    /// Ends of rounds that are looked at.
    pub(super) ends: Vec<usize>,
    /// Those of them whose trees are drawn.
    pub(super) trees: Vec<usize>,
}

impl Looks {
    pub(super) fn at(events: &[Event]) -> Looks {
        let is_end = |index: &usize| matches!(events[*index], Event::RoundFinished(_));
        let is_trial = |index: &usize| matches!(events[*index], Event::TrialFinished { .. });
        let all_ends: Vec<usize> = (0..events.len()).filter(is_end).collect();
        let ends = chosen(&all_ends, POINTS_MAX);
        let trees = chosen(&ends, TREES_MAX);
        let mut trials = Vec::new();
        let mut from = 0;
        for end in all_ends.iter().copied().chain([events.len()]) {
            // What comes after the last end is the round in progress, which is drawn.
            if end == events.len() || trees.binary_search(&end).is_ok() {
                let all: Vec<usize> = (from..end).filter(is_trial).collect();
                trials.extend(chosen(&all, LOOKS_MAX));
            }
            from = end;
        }
        Looks {
            trials,
            ends,
            trees,
        }
    }
}

fn chosen(all: &[usize], limit: usize) -> Vec<usize> {
    let few = spread(all.len(), limit).into_iter();
    few.map(|at| all[at]).collect()
}
