//! Settings of the learner, with their ranges.

use crate::optimiser::settings::{SettingError, above_zero, in_range};

/// Which way a round's edits point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Directions {
    /// Groups of parameters: towards where the optimum may be, and at right angles to that.
    Composite,
    /// A pair of parameters a round, in turn. Costs a multiple of the games where there are more
    /// than two.
    Pairs,
}

/// Who decides the move at the end of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The tree.
    Tree,
    /// The surface alone, to measure what the tree is worth.
    Argmax,
}

/// Settings.
#[derive(Clone, PartialEq, Debug)]
pub struct QTreeSettings {
    /// Exploration rate of the paths that are played, in [0, 1].
    pub epsilon: f64,
    /// Learning rate, in (0, 1].
    pub alpha: f64,
    /// Discount, in [0, 1].
    pub gamma: f64,
    /// So many games the surface's prediction of a path weighs against the path's own: 0 is the
    /// own score alone, infinity the prediction alone.
    pub kappa: f64,
    /// Elo that a path of two edits shall lose, in [1, 200].
    pub loss_elo: f64,
    /// Which way edits point.
    pub directions: Directions,
    /// Who decides.
    pub decision: Decision,
}

impl Default for QTreeSettings {
    fn default() -> Self {
        Self {
            epsilon: 1.0,
            alpha: 0.1,
            gamma: 0.9,
            kappa: 100.0,
            loss_elo: 40.0,
            directions: Directions::Composite,
            decision: Decision::Tree,
        }
    }
}

impl QTreeSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// The first setting outside its range, with its value and the range.
    pub fn validate(&self) -> Result<(), SettingError> {
        in_range("epsilon", self.epsilon, 0.0, 1.0)?;
        above_zero("alpha", self.alpha, 1.0)?;
        in_range("gamma", self.gamma, 0.0, 1.0)?;
        in_range("kappa", self.kappa, 0.0, f64::INFINITY)?;
        in_range("loss_elo", self.loss_elo, 1.0, 200.0)
    }

    /// The learner's name, as stored in snapshots.
    pub(super) fn name(&self) -> &'static str {
        match self.decision {
            Decision::Tree => "q-tree",
            Decision::Argmax => "surface-argmax",
        }
    }
}
