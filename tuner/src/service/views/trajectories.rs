//! The way of every parameter over the rounds and the games of the tuning.

use serde::Serialize;
use sixfold_tuner::space::Vector;
use utoipa::ToSchema;

use super::{AxisView, number, spread};
use crate::service::reading::Reading;

/// Most points that can be asked for, and those unless it is said.
pub(crate) const POINTS_MAX: usize = 2_000;
pub(crate) const POINTS: usize = 400;

/// The ways.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TrajectoriesView {
    pub(crate) parameters: Vec<AxisView>,
    /// Rounds whose ends are shown, from 0; the first and the last among them.
    pub(crate) rounds: Vec<usize>,
    /// Games of the tuning at these.
    pub(crate) games: Vec<u64>,
    /// For each parameter its values in force after these.
    pub(crate) values: Vec<Vec<f64>>,
    /// Values that were tried.
    pub(crate) tried: TriedView,
    pub(crate) total_rounds: usize,
}

/// What was tried.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TriedView {
    /// After how many games, each trial's own included.
    pub(crate) games: Vec<u64>,
    /// For each parameter what was tried then.
    pub(crate) values: Vec<Vec<f64>>,
}

/// At most `points` ends of rounds and as many trials, evenly spread.
pub(crate) fn trajectories(reading: &Reading, points: usize) -> TrajectoriesView {
    let folds = reading.folds();
    let ends = &folds.summary.rounds;
    let rounds = spread(ends.len(), points);
    let parameters = &reading.job().space.parameters;
    let columns = |vectors: &[&Vector]| {
        let column = |index: usize| {
            let values = vectors.iter().map(|vector| vector.0[index]);
            values
                .map(|value| number(&parameters[index], value))
                .collect()
        };
        (0..parameters.len()).map(column).collect()
    };
    let tried = spread(folds.tried.len(), points)
        .into_iter()
        .map(|at| &folds.tried[at]);
    let (games, vectors): (Vec<u64>, Vec<&Vector>) =
        tried.map(|(games, vector)| (*games, vector)).unzip();
    let in_force: Vec<&Vector> = rounds.iter().map(|&round| &ends[round].incumbent).collect();
    TrajectoriesView {
        parameters: parameters.iter().map(AxisView::of).collect(),
        games: rounds
            .iter()
            .map(|&round| folds.games_at_end(round))
            .collect(),
        values: columns(&in_force),
        tried: TriedView {
            games,
            values: columns(&vectors),
        },
        total_rounds: ends.len(),
        rounds,
    }
}
