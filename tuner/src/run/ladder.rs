//! A tuning at several budgets: a leg for each, from the cheapest to the dearest, and what they say
//! together of the budget of matches.
//!
//! Every leg has a learner of its own, because the best values move with the budget, and starts
//! at the values that the leg before came to. Rounds and trials are counted through all legs, so
//! that no two games of a run have the same random numbers.

use serde::{Deserialize, Serialize};

use super::course::{Progress, Stop};
use super::extrapolation::{Sight, drift};
use super::tuning_games::TuningGames;
use crate::event::{Extrapolation, LegSummary, StopReason};
use crate::optimiser::Optimiser;
use crate::space::{Space, Vector};
use crate::surface::Coordinates;

/// What does not change in the course of a tuning at several budgets.
#[derive(Clone, PartialEq, Debug)]
pub struct LadderPlan {
    /// What is tuned.
    pub space: Space,
    /// The legs in their order, at least two, of rising budgets.
    pub legs: Vec<LegPlan>,
    /// The budget of matches, which the values are for and are verified at.
    pub match_budget: u64,
}

/// A leg before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegPlan {
    /// What a move or a game may use, in the unit of the job.
    pub budget: u64,
    /// When the leg ends.
    pub stop: Stop,
}

/// Makes the learner of a leg (from 0) that starts at these values.
pub type MakeLearner = Box<dyn Fn(u32, &Vector) -> Box<dyn Optimiser> + Send>;

/// How far a tuning at several budgets has come.
pub struct Ladder {
    plan: LadderPlan,
    make: MakeLearner,
    finished: Vec<FinishedLeg>,
    /// Why the newest finished leg ended.
    reason: Option<StopReason>,
    extrapolation: Option<Extrapolation>,
}

/// A leg that is over, as a checkpoint keeps it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FinishedLeg {
    rounds: u32,
    games: u64,
    values: Vec<f64>,
    deviations: Option<Vec<f64>>,
}

impl Ladder {
    /// A tuning that has not begun.
    pub fn new(plan: LadderPlan, make: MakeLearner) -> Ladder {
        assert!(plan.legs.len() >= 2, "a job's budgets were checked");
        Ladder {
            plan,
            make,
            finished: Vec::new(),
            reason: None,
            extrapolation: None,
        }
    }

    /// The leg in progress, from 0; None once all are over.
    pub(super) fn leg(&self) -> Option<u32> {
        (self.finished.len() < self.plan.legs.len()).then_some(self.finished.len() as u32)
    }

    /// When the leg in progress, or else the last, ends.
    pub(super) fn stop(&self) -> Stop {
        let leg = self.finished.len().min(self.plan.legs.len() - 1);
        self.plan.legs[leg].stop
    }

    /// Rounds of the legs that are over.
    pub(super) fn rounds_before(&self) -> u32 {
        self.finished.iter().map(|leg| leg.rounds).sum()
    }

    /// Games of the legs that are over.
    pub(super) fn games_before(&self) -> u64 {
        self.finished.iter().map(|leg| leg.games).sum()
    }

    /// What is tuned.
    pub(super) fn space(&self) -> &Space {
        &self.plan.space
    }

    /// The legs that are over.
    pub(super) fn finished(&self) -> &[FinishedLeg] {
        &self.finished
    }

    /// Why the newest finished leg ended; None before that, and after a restoration.
    pub(super) fn reason(&self) -> Option<StopReason> {
        self.reason
    }

    /// The values for matches, once they are extrapolated.
    pub(super) fn extrapolation(&self) -> Option<&Extrapolation> {
        self.extrapolation.as_ref()
    }

    /// What the leg in progress comes to when it ends here. `progress` counts all legs, `games` are
    /// those of this one.
    pub(super) fn summary(
        &self,
        reason: StopReason,
        progress: Progress,
        learner: &dyn Optimiser,
        games: &TuningGames,
    ) -> LegSummary {
        let values = learner.incumbent().clone();
        LegSummary {
            leg: self.finished.len() as u32,
            budget: self.plan.legs[self.finished.len()].budget,
            reason,
            rounds: progress.rounds - self.rounds_before(),
            games: progress.games - self.games_before(),
            deviations: games.deviations(&self.plan.space, &values),
            values,
        }
    }

    /// Takes the end of a leg; the learner of the next one, if there is one.
    pub(super) fn finish(&mut self, leg: &LegSummary) -> Option<Box<dyn Optimiser>> {
        self.reason = Some(leg.reason);
        self.finished.push(FinishedLeg {
            rounds: leg.rounds,
            games: leg.games,
            values: leg.values.0.clone(),
            deviations: leg.deviations.clone(),
        });
        self.leg().map(|next| (self.make)(next, &leg.values))
    }

    /// Takes the end of the tuning.
    pub(super) fn take_extrapolation(&mut self, extrapolation: &Extrapolation) {
        self.extrapolation = Some(extrapolation.clone());
    }

    /// The learner of the leg in progress after these legs, or else of the last one.
    ///
    /// # Errors
    /// Legs that cannot be those of this job; the text says why.
    pub(super) fn learner_after(
        &self,
        finished: &[FinishedLeg],
        tuning_over: bool,
    ) -> Result<Box<dyn Optimiser>, String> {
        let (found, planned) = (finished.len(), self.plan.legs.len());
        if found > planned || tuning_over != (found == planned) {
            return Err(format!("{found} finished legs of {planned} do not fit"));
        }
        let parameters = self.plan.space.parameters.len();
        for leg in finished {
            let counted = leg.deviations.as_ref().map_or(parameters, Vec::len);
            let fits = self.plan.space.contains(&Vector(leg.values.clone()));
            if !fits || counted != parameters {
                return Err("the values of a leg are outside the space".to_owned());
            }
        }
        let leg = found.min(planned - 1);
        let start = match leg.checked_sub(1) {
            None => self.plan.space.start(),
            Some(before) => Vector(finished[before].values.clone()),
        };
        Ok((self.make)(leg as u32, &start))
    }

    /// Takes over the legs of a checkpoint, and extrapolates them when all are over.
    /// Precondition: [`Ladder::learner_after`] has found nothing wrong with them.
    pub(super) fn restore(&mut self, finished: Vec<FinishedLeg>) {
        self.finished = finished;
        self.extrapolation = self.leg().is_none().then(|| self.extrapolated());
    }

    /// The values for matches, from those of all legs. Precondition: all legs are over.
    pub(super) fn extrapolated(&self) -> Extrapolation {
        let space = &self.plan.space;
        let coordinates = Coordinates::new(space);
        let units: Vec<Vec<f64>> = self
            .finished
            .iter()
            .map(|leg| coordinates.to_unit(&Vector(leg.values.clone())))
            .collect();
        let match_budget = self.plan.match_budget as f64;
        let sight = |leg: usize, parameter: usize| Sight {
            budget: self.plan.legs[leg].budget as f64,
            coordinate: units[leg][parameter],
            deviation: match &self.finished[leg].deviations {
                Some(known) => known[parameter],
                // A learner moves in steps, so that without better knowledge a value is known to
                // about one.
                None => space.parameters[parameter].step_in_ranges(),
            },
        };
        let legs = 0..self.finished.len();
        let of_parameter = |parameter| {
            let sights: Vec<Sight> = legs.clone().map(|leg| sight(leg, parameter)).collect();
            drift(&sights, match_budget)
        };
        let drifts: Vec<_> = (0..space.parameters.len()).map(of_parameter).collect();
        let clipped: Vec<f64> = drifts
            .iter()
            .map(|it| it.coordinate.clamp(0.0, 1.0))
            .collect();
        let mut values = coordinates.to_vector(&clipped);
        let dearest = self.finished.last().expect("all legs are over");
        let found = values.0.iter_mut().zip(&drifts).zip(&dearest.values);
        for (((value, drift), last), parameter) in found.zip(&space.parameters) {
            // The very number that was played, not the one nearest to its coordinate; and words
            // lie on no line.
            if !drift.is_measured || parameter.is_choice() {
                *value = *last;
            }
        }
        Extrapolation {
            budget: self.plan.match_budget,
            values: space.repaired(values),
            drifts,
        }
    }
}
