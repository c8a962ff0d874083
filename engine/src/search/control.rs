//! Limits of a search that are pure counts, so that the same search stops at the same point.

use super::Control;
use crate::eval::Work;

/// Stops after so many simulations; in alpha-beta, which has none, only a limit of 0 stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulationLimit(pub u64);

impl Control for SimulationLimit {
    fn should_stop(&mut self, _work: &Work, simulations: u64) -> bool {
        simulations >= self.0
    }

    fn simulations_left(&self, _work: &Work, simulations: u64) -> u64 {
        self.0.saturating_sub(simulations)
    }
}

/// Stops once the total of the [`Work`] handed to the search, earlier searches included, reaches
/// so many units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkLimit(pub u64);

impl Control for WorkLimit {
    fn should_stop(&mut self, work: &Work, _simulations: u64) -> bool {
        work.units() >= self.0
    }
}
