//! The story of a run: its journal walked through along the course, with the learner's tree looked
//! at on the way. The journal holds no Q-value; the learner computes them again from it.

use crate::event::{Contest, Event};
use crate::optimiser::tree::{ROOT, WAYS, child};
use crate::optimiser::tree_view::TreeView;
use crate::run::course::{Course, Deviation};
use crate::run::summary::Summary;
use crate::run::verification::VerificationPlan;
use crate::space::Vector;
use crate::stats::Pentanomial;
use crate::trial::{RoundSummary, TrialResult};

use super::plot::{POINTS_MAX, spread};

/// Most trees that a report draws: one takes some 15 kB.
pub(super) const TREES_MAX: usize = 100;

/// The end of a round.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RoundEnd {
    /// Games of the tuning so far.
    pub(super) games: u64,
    /// What the round came to.
    pub(super) summary: RoundSummary,
}

/// Q-values after a trial.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct QSample {
    /// Games of the tuning so far.
    pub(super) games: u64,
    /// Round, from 0.
    pub(super) round: u32,
    /// Those of the second layer, actions 1 to 6.
    pub(super) second: [f64; WAYS],
    /// That of the leaf at the end of the greedy path.
    pub(super) greedy_leaf: f64,
}

/// A tree, at the end of its round or as it stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RoundTree {
    /// The tree.
    pub(super) view: TreeView,
    /// What its round came to; None for the round in progress.
    pub(super) summary: Option<RoundSummary>,
}

/// What happened, in the order in which it did.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Story {
    /// What the events add up to.
    pub(super) summary: Summary,
    /// All trials of the tuning together, each seen from its A.
    pub(super) trials: TrialResult,
    /// Finished rounds.
    pub(super) rounds: Vec<RoundEnd>,
    /// What candidates were tried after how many games, evenly thinned out.
    pub(super) tried: Vec<(u64, Vector)>,
    /// Q-values on the way, evenly thinned out; none where the learner has no tree.
    pub(super) samples: Vec<QSample>,
    /// Trees of the first and the last round and evenly of those between.
    pub(super) trees: Vec<RoundTree>,
    /// For each verification: pairs of its test and LLR after each of its batches.
    pub(super) tests: Vec<Vec<[f64; 2]>>,
}

impl Story {
    /// The story that the events tell. Precondition: the course is new and that of the run's job.
    ///
    /// # Errors
    /// An event that the job does not lead to.
    pub(super) fn of(
        mut course: Course,
        events: &[Event],
        plan: &VerificationPlan,
    ) -> Result<Story, Deviation> {
        let mut story = Story::default();
        let looks = Looks::at(events);
        let mut decision = Pentanomial::default();
        for (index, event) in events.iter().enumerate() {
            // Its round's tree is gone once the learner has been asked for the round's end.
            if let Event::RoundFinished(summary) = event
                && is_among(&looks.trees, index)
                && let Some(view) = course.tree()
            {
                let summary = Some(summary.clone());
                story.trees.push(RoundTree { view, summary });
            }
            course.apply(event)?;
            story.summary.add(event);
            match event {
                Event::TrialFinished { trial, result, .. } => {
                    story.trials.add(result);
                    if is_among(&looks.samples, index) {
                        story.tried.push((story.summary.games, trial.a.clone()));
                        story.sample(&course);
                    }
                }
                Event::RoundFinished(summary) => story.rounds.push(RoundEnd {
                    games: story.summary.games,
                    summary: summary.clone(),
                }),
                Event::VerificationStarted { .. } => {
                    decision = Pentanomial::default();
                    story.tests.push(Vec::new());
                }
                Event::MatchBatch {
                    attempt,
                    contest: Contest::Decision,
                    result,
                    ..
                } => {
                    let counts = decision.0.iter_mut().zip(result.pentanomial.0);
                    counts.for_each(|(count, more)| *count += more);
                    story.look_at_test(*attempt, &decision, plan);
                }
                _ => {}
            }
        }
        story.tree_in_progress(&course);
        Ok(story)
    }

    fn sample(&mut self, course: &Course) {
        let Some(view) = course.tree() else {
            return;
        };
        let q = |number: usize| view.nodes[number].q;
        let [_, leaf] = greedy_way(&view);
        self.samples.push(QSample {
            games: self.summary.games,
            round: view.round,
            second: std::array::from_fn(|index| q(index + 1)),
            greedy_leaf: q(leaf),
        });
    }

    fn look_at_test(&mut self, attempt: u32, decision: &Pentanomial, plan: &VerificationPlan) {
        let test = plan.test(attempt).expect("a job's test was checked");
        let point = [2.0 * decision.pairs() as f64, test.llr_of_pairs(decision)];
        if let Some(points) = self.tests.last_mut() {
            points.push(point);
        }
    }

    /// The tree of a round that is not over and has begun.
    fn tree_in_progress(&mut self, course: &Course) {
        if self.summary.stop_reason.is_some() {
            return;
        }
        let view = course.tree().filter(|view| view.nodes[0].visits > 0);
        if let Some(view) = view {
            let summary = None;
            self.trees.push(RoundTree { view, summary });
        }
    }
}

/// The two nodes that the largest Q-values lead to, the first among equals.
pub(super) fn greedy_way(view: &TreeView) -> [usize; 2] {
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

/// The events at which a tree is looked at, by their indices, sorted.
struct Looks {
    samples: Vec<usize>,
    trees: Vec<usize>,
}

impl Looks {
    fn at(events: &[Event]) -> Looks {
        let chosen = |limit: usize, is_one: &dyn Fn(&Event) -> bool| {
            let all = events.iter().enumerate().filter(|(_, event)| is_one(event));
            let all: Vec<usize> = all.map(|(index, _)| index).collect();
            let few = spread(all.len(), limit).into_iter();
            few.map(|at| all[at]).collect()
        };
        Looks {
            samples: chosen(POINTS_MAX, &|it| matches!(it, Event::TrialFinished { .. })),
            trees: chosen(TREES_MAX, &|it| matches!(it, Event::RoundFinished(_))),
        }
    }
}

fn is_among(chosen: &[usize], index: usize) -> bool {
    chosen.binary_search(&index).is_ok()
}
