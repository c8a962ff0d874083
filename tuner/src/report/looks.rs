//! Which events of a journal a report looks at the learner's tree after.

use super::plot::{POINTS_MAX, spread};
use crate::event::Event;

/// Most trees that a report draws: one takes some 15 kB.
pub(super) const TREES_MAX: usize = 100;
/// Most looks at a tree while it grew, besides the one at its end.
const LOOKS_MAX: usize = 30;

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
