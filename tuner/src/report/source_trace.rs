//! Q-values of the nodes whose curves the source prints, over the updates of the first round.
//!
//! CITE: Qiu, Wang, Wang, "Q-learning for self-tuning of an Amazons evaluation function", figures 3
//! and 4: two nodes of the second layer and two leaves below each, over the first 1,000 updates of
//! the first round and over all 10,000.

use crate::event::Event;
use crate::job::{Job, LearnerSettings};
use crate::optimiser::tree::ROOT;
use crate::optimiser::tree_view::TreeView;
use crate::run::course::Course;

use super::plot::spread;

/// The nodes that the source follows.
pub(super) const TRACED: [usize; 6] = [3, 5, 20, 22, 33, 36];
/// Updates that the source's figure 3 shows.
pub(super) const BEGINNING: usize = 1_000;
/// Most points of a curve over the whole round, besides the one at its start.
const CURVE_POINTS: usize = 1_000;

/// Q-values of the traced nodes after an update.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TracedLook {
    /// Updates of the tree so far.
    pub(super) updates: u32,
    /// In the order of [`TRACED`].
    pub(super) q: [f64; TRACED.len()],
}

/// The traced nodes in the first round.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SourceTrace {
    /// At the start and after each of the first updates.
    pub(super) beginning: Vec<TracedLook>,
    /// Over all updates of the round so far, evenly thinned out, both ends among them.
    pub(super) whole: Vec<TracedLook>,
    /// Trials after which the tree is looked at for either, by their indices, sorted.
    trials: [Vec<usize>; 2],
}

impl SourceTrace {
    /// The trace of a run whose course is new, with its look at the start; None where the learner
    /// is not the source's.
    pub(super) fn new(job: &Job, events: &[Event], course: &Course) -> Option<SourceTrace> {
        if !matches!(job.learner, LearnerSettings::Paper(_)) {
            return None;
        }
        let is_end = |event: &Event| matches!(event, Event::RoundFinished(_));
        let end = events.iter().position(is_end).unwrap_or(events.len());
        let is_trial = |index: &usize| matches!(events[*index], Event::TrialFinished { .. });
        let all: Vec<usize> = (0..end).filter(is_trial).collect();
        let few = spread(all.len(), CURVE_POINTS).into_iter();
        let start = TracedLook::at(&course.tree()?);
        Some(SourceTrace {
            beginning: vec![start],
            whole: vec![start],
            trials: [
                all.iter().take(BEGINNING).copied().collect(),
                few.map(|at| all[at]).collect(),
            ],
        })
    }

    /// Looks at the tree after the event of this index, where it is to.
    pub(super) fn look(&mut self, index: usize, course: &Course) {
        let due = self.trials.each_ref();
        let due = due.map(|trials| trials.binary_search(&index).is_ok());
        if due == [false; 2] {
            return;
        }
        let Some(view) = course.tree() else {
            return;
        };
        let look = TracedLook::at(&view);
        for (looks, is_due) in [&mut self.beginning, &mut self.whole].into_iter().zip(due) {
            if is_due {
                looks.push(look);
            }
        }
    }

    /// Updates of the round so far.
    pub(super) fn updates(&self) -> u32 {
        self.whole.last().map_or(0, |look| look.updates)
    }
}

impl TracedLook {
    fn at(view: &TreeView) -> TracedLook {
        TracedLook {
            updates: view.nodes[ROOT].visits,
            q: TRACED.map(|number| view.nodes[number].q),
        }
    }
}
