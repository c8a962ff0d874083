//! What somebody who looks at a run should know and might not see.

use std::time::Instant;

use serde::Serialize;
use sixfold_tuner::outlook::ParameterVerdict;
use utoipa::ToSchema;

use crate::service::reading::Reading;

/// Rounds in which nothing has moved before that is worth a word.
const STILL_ROUNDS: usize = 10;

/// The warnings.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct WarningsView {
    pub(crate) items: Vec<WarningView>,
}

/// A warning.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct WarningView {
    /// `at_bound`, `misfit`, `dropped_pairs`, `one_sided`, `not_known_yet`, `torn` or
    /// `no_movement`.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// The warnings of a run.
pub(crate) fn warnings(reading: &mut Reading, now: Instant) -> WarningsView {
    let outlook = reading.outlook(now);
    let mut items = Vec::new();
    let mut warn = |kind, text: String| items.push(WarningView { kind, text });
    let (job, summary) = (reading.job(), &reading.folds().summary);
    if let Some(torn) = reading.torn() {
        let (line, bytes) = (torn.line, torn.torn_bytes);
        warn(
            "torn",
            format!("line {line} of the journal is not whole yet ({bytes} bytes)"),
        );
    }
    if summary.dropped_pairs > 0 {
        let pairs = summary.dropped_pairs;
        warn(
            "dropped_pairs",
            format!("{pairs} pairs failed and were played again"),
        );
    }
    let one_sided = summary.played.one_sided_games();
    if one_sided > 0 {
        let text = format!(
            "in {one_sided} games one vector was First throughout: they say nothing of the values"
        );
        warn("one_sided", text);
    }
    let incumbent = reading.incumbent();
    for (parameter, value) in job.space.parameters.iter().zip(&incumbent.0) {
        let is_at_end = *value <= parameter.min || *value >= parameter.max;
        if is_at_end && !parameter.is_choice() {
            let text = format!("{} = {value} is at the end of its range", parameter.path);
            warn("at_bound", text);
        }
    }
    if let Some(outlook) = outlook.as_ref() {
        for (parameter, known) in job.space.parameters.iter().zip(&outlook.parameters) {
            if known.verdict == ParameterVerdict::NotKnownYet {
                let text = format!("{}: {}", parameter.path, known.verdict.words());
                warn("not_known_yet", text);
            }
        }
        if !outlook.fits {
            let worst = outlook.worst_misfits(&job.space).join("; ");
            warn(
                "misfit",
                format!("the surface does not fit the games: {worst}"),
            );
        }
    }
    let newest = summary.rounds.iter().rev().take(STILL_ROUNDS);
    if newest.len() == STILL_ROUNDS && newest.clone().all(|round| !round.applied) {
        warn(
            "no_movement",
            format!("no value has changed in {STILL_ROUNDS} rounds"),
        );
    }
    WarningsView { items }
}
