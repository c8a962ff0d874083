//! Budgets: what one move may use. Pure; nothing here reads a clock.

use crate::eval::Work;
use crate::search::Control;

/// What one move may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Simulations of UCT. Exact search is not limited.
    Simulations(u64),
    /// Weighted units of work (`eval::WORK_WEIGHTS`), exact search included.
    Work(u64),
}

impl Budget {
    /// A control that stops a UCT search when this budget is used up.
    pub const fn control(self) -> Spending {
        Spending { budget: self }
    }

    /// What an exact search may use before the agent falls back to UCT: half of a budget in work,
    /// so that the fallback still has the other half. `None` is no limit.
    pub const fn exact_share(self) -> Option<u64> {
        match self {
            Budget::Simulations(_) => None,
            Budget::Work(units) => Some(units / 2),
        }
    }
}

/// Stops a search when its budget is used up. Counts only: the same search stops at the same place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spending {
    budget: Budget,
}

impl Control for Spending {
    #[inline]
    fn should_stop(&mut self, work: &Work, simulations: u64) -> bool {
        match self.budget {
            Budget::Simulations(limit) => simulations >= limit,
            Budget::Work(units) => work.units() >= units,
        }
    }
}
