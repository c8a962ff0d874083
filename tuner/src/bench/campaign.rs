//! Every learner on every surface with every budget, for a range of seeds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::drive::{Contender, DriveError, Outcome, Setting, drive};
use super::{GameLaw, Surface};

/// What is played.
pub struct Campaign {
    /// Names of surfaces, each one that [`Surface::named`] knows.
    pub surfaces: Vec<String>,
    /// The learners.
    pub contenders: Vec<Contender>,
    /// Games of a run.
    pub budgets: Vec<u32>,
    /// Seeds, below 2^53; each is a run in every cell.
    pub seeds: Range<u64>,
    /// Trials in flight, at least 1.
    pub in_flight: usize,
    /// Who wins.
    pub law: GameLaw,
}

/// One learner on one surface with one budget.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Index of the surface in the campaign.
    pub surface: usize,
    /// Games of each run.
    pub budget: u32,
    /// Index of the learner in the campaign.
    pub contender: usize,
    /// A run for each seed, in their order.
    pub outcomes: Vec<Outcome>,
}

/// Why a campaign has no cells.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CampaignError {
    /// A name that no surface has.
    #[error("{0}: no surface of this name")]
    UnknownSurface(String),
    /// A learner that cannot be driven.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// The stop flag was raised.
    #[error("interrupted after {done} of {runs} runs; nothing is kept")]
    Interrupted {
        /// Runs finished.
        done: usize,
        /// Runs of the campaign.
        runs: usize,
    },
}

/// One run of the campaign.
#[derive(Clone, Copy)]
struct Place {
    cell: usize,
    surface: usize,
    budget: u32,
    contender: usize,
    seed: u64,
}

impl Campaign {
    /// Runs of the campaign.
    pub fn runs(&self) -> usize {
        self.places().len()
    }

    /// Plays all of it on the threads of the pool, and tells `progress` how many runs are over.
    /// Cells come in the order of surfaces, budgets and learners, whatever the threads.
    ///
    /// # Errors
    /// See [`CampaignError`].
    pub fn play(
        &self,
        stop: &AtomicBool,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Cell>, CampaignError> {
        for name in &self.surfaces {
            if Surface::named(name, 0).is_none() {
                return Err(CampaignError::UnknownSurface(name.clone()));
            }
        }
        let mut places = self.places();
        let runs = places.len();
        // The longest runs first, so that no thread is left alone with one at the end.
        places.sort_by_key(|place| std::cmp::Reverse(place.budget));
        let done = AtomicUsize::new(0);
        let outcomes: Result<Vec<Outcome>, CampaignError> = places
            .par_iter()
            .with_max_len(1)
            .map(|place| {
                if stop.load(Ordering::Relaxed) {
                    let done = done.load(Ordering::Relaxed);
                    return Err(CampaignError::Interrupted { done, runs });
                }
                let outcome = self.run(place)?;
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                Ok(outcome)
            })
            .collect();
        Ok(self.cells(&places, outcomes?))
    }

    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        let mut cell = 0;
        for surface in 0..self.surfaces.len() {
            for &budget in &self.budgets {
                for contender in 0..self.contenders.len() {
                    places.extend(self.seeds.clone().map(|seed| Place {
                        cell,
                        surface,
                        budget,
                        contender,
                        seed,
                    }));
                    cell += 1;
                }
            }
        }
        places
    }

    fn run(&self, place: &Place) -> Result<Outcome, CampaignError> {
        let name = &self.surfaces[place.surface];
        let surface = Surface::named(name, place.seed)
            .ok_or_else(|| CampaignError::UnknownSurface(name.clone()))?;
        let setting = Setting {
            seed: place.seed,
            budget: place.budget,
            in_flight: self.in_flight,
            law: self.law,
        };
        Ok(drive(
            &self.contenders[place.contender],
            &surface,
            &setting,
        )?)
    }

    /// Sorts outcomes, which come in the order of `places`, into cells. Places of a cell stand in
    /// the order of their seeds.
    fn cells(&self, places: &[Place], outcomes: Vec<Outcome>) -> Vec<Cell> {
        let mut cells: Vec<Option<Cell>> = Vec::new();
        for (place, outcome) in places.iter().zip(outcomes) {
            if cells.len() <= place.cell {
                cells.resize(place.cell + 1, None);
            }
            let cell = cells[place.cell].get_or_insert_with(|| Cell {
                surface: place.surface,
                budget: place.budget,
                contender: place.contender,
                outcomes: Vec::with_capacity(self.seeds.clone().count()),
            });
            cell.outcomes.push(outcome);
        }
        cells.into_iter().flatten().collect()
    }
}
