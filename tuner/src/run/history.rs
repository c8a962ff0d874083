//! What a run has played, trial by trial: its journal walked through along the course, which knows
//! the vectors of the batches that the journal has only results of.

use std::collections::VecDeque;
use std::slice::Iter;

use super::course::{Action, Course, Deviation, Opponent};
use super::place::Place;
use crate::event::Event;
use crate::trial::{Trial, TrialResult};

/// A trial or a batch of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedTrial {
    /// Where it stands in the run.
    pub place: Place,
    /// Who played whom.
    pub trial: Trial,
    /// Who the trial's B is.
    pub opponent: Opponent,
    /// What came of it; None where that is not stored: those are next when the run goes on.
    pub result: Option<TrialResult>,
}

/// The trials and batches of a run in their order; at last those that are next.
pub struct History<'a> {
    course: Course,
    events: Iter<'a, Event>,
    /// Trials that are next; None until the events are over.
    due: Option<VecDeque<PlayedTrial>>,
}

impl<'a> History<'a> {
    /// The history of a run. Precondition: the course is new and that of the run's job.
    pub fn new(course: Course, events: &'a [Event]) -> Self {
        Self {
            course,
            events: events.iter(),
            due: None,
        }
    }

    /// Takes an event; the trial it is the result of.
    fn take(&mut self, event: &Event) -> Result<Option<PlayedTrial>, Deviation> {
        let result = match event {
            Event::TrialFinished { result, .. } | Event::MatchBatch { result, .. } => Some(result),
            _ => None,
        };
        let played = result.and_then(|result| {
            let mut next = self.next_trials().into_iter().next()?;
            next.result = Some(result.clone());
            Some(next)
        });
        self.course.apply(event)?;
        Ok(played)
    }

    fn next_trials(&mut self) -> VecDeque<PlayedTrial> {
        let Action::Evaluate(trials, opponent) = self.course.next_action() else {
            return VecDeque::new();
        };
        let course = &self.course;
        let due = trials.into_iter().map(|trial| PlayedTrial {
            place: course.place_of(trial.id),
            trial,
            opponent,
            result: None,
        });
        due.collect()
    }
}

impl Iterator for History<'_> {
    type Item = Result<PlayedTrial, Deviation>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(event) = self.events.next() {
            match self.take(event) {
                Ok(None) => {}
                Ok(Some(played)) => return Some(Ok(played)),
                Err(deviation) => return Some(Err(deviation)),
            }
        }
        if self.due.is_none() {
            self.due = Some(self.next_trials());
        }
        self.due.as_mut()?.pop_front().map(Ok)
    }
}
