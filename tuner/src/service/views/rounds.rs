//! Rounds and trials, a page at a time.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::event::Event;
use sixfold_tuner::run::place::Place;
use utoipa::ToSchema;

use super::page::Page;
use crate::service::reading::Reading;
use crate::workspace::exit::Failure;
use crate::workspace::show::named_values;

/// The end of a round.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct RoundView {
    pub(crate) round: usize,
    /// Games of the tuning until then.
    pub(crate) games: u64,
    /// The path of largest Q-values; null of a learner without a tree.
    pub(crate) path: Option<[u8; 2]>,
    /// Whether it was applied.
    pub(crate) applied: bool,
    /// The values in force after it.
    pub(crate) incumbent: BTreeMap<String, Value>,
}

/// A trial of the tuning.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TrialView {
    pub(crate) index: usize,
    pub(crate) place: String,
    /// Edits that led to A; null where none did.
    pub(crate) path: Option<[u8; 2]>,
    pub(crate) a: BTreeMap<String, Value>,
    pub(crate) b: BTreeMap<String, Value>,
    pub(crate) games: u64,
    /// Games won, drawn and lost by A.
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Pairs in which A had 0, 1/2, 1, 3/2 and 2 points.
    pub(crate) pentanomial: [u64; 5],
}

/// Ends of rounds from one on.
pub(crate) fn rounds(reading: &Reading, first: usize, limit: usize) -> Page<RoundView> {
    let rounds = &reading.folds().summary.rounds;
    let view = |(round, summary): (usize, &sixfold_tuner::trial::RoundSummary)| RoundView {
        round,
        games: reading.folds().games_at_end(round),
        path: summary.greedy_path,
        applied: summary.applied,
        incumbent: named_values(reading.job(), &summary.incumbent),
    };
    Page::cut(rounds.iter().enumerate().map(view), first, limit)
}

/// Trials from one on.
///
/// # Errors
/// A journal that is not there any more as it was read.
pub(crate) fn trials(
    reading: &Reading,
    first: usize,
    limit: usize,
) -> Result<Page<TrialView>, Failure> {
    let events = reading.trials(first, limit)?;
    let view = |(index, event): (usize, Event)| {
        let Event::TrialFinished {
            path,
            trial,
            result,
        } = event
        else {
            return None;
        };
        Some(TrialView {
            index,
            place: Place::Tuning(trial.id).to_string(),
            path,
            a: named_values(reading.job(), &trial.a),
            b: named_values(reading.job(), &trial.b),
            games: result.wdl.games(),
            wins: result.wdl.wins,
            draws: result.wdl.draws,
            losses: result.wdl.losses,
            pentanomial: result.pentanomial.0,
        })
    };
    let items = (first..).zip(events).filter_map(view).collect();
    Ok(Page::of(items, first, reading.folds().trial_count()))
}
