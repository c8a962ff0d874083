//! The story of a run: its journal walked through along the course, with the learner's tree looked
//! at on the way.

use crate::chronicle::{Growth, GrowthLimits, LlrTraces};
use crate::event::Event;
use crate::job::Job;
use crate::run::course::{Course, Deviation};
use crate::run::summary::Summary;
use crate::space::Vector;
use crate::trial::{RoundSummary, TrialResult};

use super::looks::Looks;
use super::plot::{POINTS_MAX, spread};
use super::source_trace::SourceTrace;

/// The end of a round.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RoundEnd {
    /// Games of the tuning so far.
    pub(super) games: u64,
    /// What the round came to.
    pub(super) summary: RoundSummary,
}

/// What happened, in the order in which it did.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Story {
    /// What the events add up to.
    pub(super) summary: Summary,
    /// All trials of the tuning together, each seen from its A.
    pub(super) trials: TrialResult,
    /// Finished rounds.
    pub(super) rounds: Vec<RoundEnd>,
    /// What candidates were tried after how many games, evenly thinned out.
    pub(super) tried: Vec<(u64, Vector)>,
    /// The learner's trees.
    pub(super) growth: Growth,
    /// The nodes that the source follows; None where its learner is not this run's.
    pub(super) source_trace: Option<SourceTrace>,
    /// How the test of each verification went.
    pub(super) tests: LlrTraces,
}

impl Story {
    /// The story that the events tell. Precondition: the course is new and that of the run's job.
    ///
    /// # Errors
    /// An event that the job does not lead to.
    pub(super) fn of(mut course: Course, events: &[Event], job: &Job) -> Result<Story, Deviation> {
        let mut story = Story {
            summary: Summary::default(),
            trials: TrialResult::default(),
            rounds: Vec::new(),
            tried: Vec::new(),
            growth: Growth::new(&course, GrowthLimits::NONE),
            source_trace: SourceTrace::new(job, events, &course),
            tests: LlrTraces::default(),
        };
        let looks = Looks::at(events);
        let tried = few_trials(events);
        for (index, event) in events.iter().enumerate() {
            // Its round's tree is gone once the learner has been asked for the round's end.
            let is_end = is_among(&looks.ends, index);
            let before = is_end.then(|| course.tree()).flatten();
            course.apply(event)?;
            story.summary.add(event);
            match event {
                Event::TrialFinished { trial, result, .. } => {
                    story.trials.add(result);
                    if is_among(&tried, index) {
                        story.tried.push((story.summary.games, trial.a.clone()));
                    }
                    if is_among(&looks.trials, index) {
                        story.growth.look(&course);
                    }
                    if let Some(trace) = &mut story.source_trace {
                        trace.look(index, &course);
                    }
                }
                Event::RoundFinished(summary) => {
                    if let Some(before) = before {
                        let end = (story.rounds.len(), summary);
                        let is_drawn = is_among(&looks.trees, index);
                        story.growth.end(&course, before, end, is_drawn);
                    }
                    story.growth.begin(&course);
                    let (games, summary) = (story.summary.games, summary.clone());
                    story.rounds.push(RoundEnd { games, summary });
                }
                _ => story.tests.add(event, &job.verification),
            }
        }
        if story.summary.stop_reason.is_none() {
            story.growth.stop(&course);
        }
        Ok(story)
    }
}

/// The trials whose candidates are shown, by their indices, sorted.
fn few_trials(events: &[Event]) -> Vec<usize> {
    let is_trial = |index: &usize| matches!(events[*index], Event::TrialFinished { .. });
    let all: Vec<usize> = (0..events.len()).filter(is_trial).collect();
    let few = spread(all.len(), POINTS_MAX).into_iter();
    few.map(|at| all[at]).collect()
}

fn is_among(chosen: &[usize], index: usize) -> bool {
    chosen.binary_search(&index).is_ok()
}
