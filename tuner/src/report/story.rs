//! The story of a run: its journal walked through along the course, with the learner's tree looked
//! at on the way.

use crate::event::{Contest, Event};
use crate::job::Job;
use crate::run::course::{Course, Deviation};
use crate::run::summary::Summary;
use crate::run::verification::VerificationPlan;
use crate::space::Vector;
use crate::stats::Pentanomial;
use crate::trial::{RoundSummary, TrialResult};

use super::growth::{Growth, Looks};
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
    /// The learner's trees.
    pub(super) growth: Growth,
    /// The nodes that the source follows; None where its learner is not this run's.
    pub(super) source_trace: Option<SourceTrace>,
    /// For each verification: pairs of its test and LLR after each of its batches.
    pub(super) tests: Vec<Vec<[f64; 2]>>,
}

impl Story {
    /// The story that the events tell. Precondition: the course is new and that of the run's job.
    ///
    /// # Errors
    /// An event that the job does not lead to.
    pub(super) fn of(mut course: Course, events: &[Event], job: &Job) -> Result<Story, Deviation> {
        let mut story = Story {
            growth: Growth::new(&course),
            source_trace: SourceTrace::new(job, events, &course),
            ..Story::default()
        };
        let looks = Looks::at(events);
        let tried = few_trials(events);
        let mut decision = Pentanomial::default();
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
                _ => story.verify(event, &mut decision, &job.verification),
            }
        }
        if story.summary.stop_reason.is_none() {
            story.growth.stop(&course);
        }
        Ok(story)
    }

    /// Takes an event of a verification, whose sequential test stands at `decision`.
    fn verify(&mut self, event: &Event, decision: &mut Pentanomial, plan: &VerificationPlan) {
        match event {
            Event::VerificationStarted { .. } => {
                *decision = Pentanomial::default();
                self.tests.push(Vec::new());
            }
            Event::MatchBatch {
                attempt,
                contest: Contest::Decision,
                result,
                ..
            } => {
                let counts = decision.0.iter_mut().zip(result.pentanomial.0);
                counts.for_each(|(count, more)| *count += more);
                self.look_at_test(*attempt, decision, plan);
            }
            _ => {}
        }
    }

    fn look_at_test(&mut self, attempt: u32, decision: &Pentanomial, plan: &VerificationPlan) {
        let test = plan.test(attempt).expect("a job's test was checked");
        let point = [2.0 * decision.pairs() as f64, test.llr_of_pairs(decision)];
        if let Some(points) = self.tests.last_mut() {
            points.push(point);
        }
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
