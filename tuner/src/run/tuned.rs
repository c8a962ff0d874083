//! `tuned.toml`: the parameters in force as an engine configuration, replaced after every round
//! and every verification. Its head says whether they are verified. What verifications have not
//! accepted is not shipped: then the file has the start's values, and its head what was tried.

use std::path::PathBuf;

use super::drift_words;
use super::summary::{Attempt, Summary};
use super::verification::VerificationPlan;
use crate::event::{Event, Verdict};
use crate::export::{self, ExportError, NewValue};
use crate::space::{Parameter, Space, Vector};
use crate::stats::MatchElo;
use crate::store::atomic::{AtomicWriteError, write_atomically};
use crate::store::full::{DiskFull, MayBeFull};
use crate::trial::TrialResult;

/// Why `tuned.toml` could not be written. The run's journal has everything all the same.
#[derive(Debug, thiserror::Error)]
pub enum TunedError {
    /// The engine's configuration has no place for a parameter.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The file could not be replaced; the one before is kept.
    #[error(transparent)]
    Write(#[from] AtomicWriteError),
}

impl MayBeFull for TunedError {
    fn disk_full(&self) -> Option<DiskFull> {
        match self {
            TunedError::Write(error) => error.disk_full(),
            TunedError::Export(_) => None,
        }
    }
}

/// What a verification says that has nothing to play.
pub const SAME_AS_START: &str =
    "the values are those of the start, so that there is nothing to verify";

/// Writes the file.
#[derive(Debug)]
pub struct TunedFile {
    path: PathBuf,
    engine_text: String,
    provenance: Provenance,
    summary: Summary,
}

/// Where tuned values come from, as far as the job knows.
#[derive(Clone, PartialEq, Debug)]
pub struct Provenance {
    /// In what the values were tuned: the job and its engine, in words.
    pub origin: String,
    /// What was tuned.
    pub space: Space,
    /// How results are verified.
    pub verification: VerificationPlan,
    /// The budget of matches, where the tuning is at several others.
    pub match_budget: Option<u64>,
}

impl TunedFile {
    /// The file of a run that starts from `engine_text`.
    pub fn new(path: PathBuf, engine_text: String, provenance: Provenance) -> Self {
        Self {
            path,
            engine_text,
            provenance,
            summary: Summary::default(),
        }
    }

    /// What the events so far add up to.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Takes an event; whether the file has to be written after it.
    #[must_use]
    pub fn on_event(&mut self, event: &Event) -> bool {
        self.summary.add(event);
        matches!(
            event,
            Event::RoundFinished(_) | Event::Extrapolated(_) | Event::VerificationFinished { .. }
        )
    }

    /// Takes events that were stored before; [`TunedFile::write`] brings the file up to date.
    pub fn replay(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.summary.add(event));
    }

    /// What the file says when `incumbent` is what the tuning has found.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn text(&self, incumbent: &Vector) -> Result<String, ExportError> {
        tuned_text(
            &self.engine_text,
            &self.provenance,
            &self.summary,
            incumbent,
        )
    }

    /// The engine's configuration with these values, whatever verifications said of them, and
    /// without evidence.
    ///
    /// # Errors
    /// See [`ExportError`].
    pub fn found(&self, values: &Vector) -> Result<String, ExportError> {
        let changes = changes(&self.provenance.space, values);
        export::apply(&self.engine_text, &changes, &[])
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// See [`TunedError`].
    pub fn write(&self, incumbent: &Vector) -> Result<(), TunedError> {
        let text = self.text(incumbent)?;
        Ok(write_atomically(&self.path, text.as_bytes())?)
    }
}

/// What `tuned.toml` says of a run that started from `engine_text` when `incumbent` is what its
/// tuning has found.
///
/// # Errors
/// See [`ExportError`].
pub fn tuned_text(
    engine_text: &str,
    provenance: &Provenance,
    summary: &Summary,
    incumbent: &Vector,
) -> Result<String, ExportError> {
    let start = provenance.space.start();
    let keeps_start = summary.standing().keeps_start();
    let written = if keeps_start { &start } else { incumbent };
    let lines = evidence(summary, provenance, incumbent, written);
    export::apply(engine_text, &changes(&provenance.space, written), &lines)
}

/// The values of a vector as changes of an engine's configuration.
pub fn changes(space: &Space, vector: &Vector) -> Vec<(String, NewValue)> {
    let value = |parameter: &Parameter, value: f64| match parameter.word(value) {
        Some(word) => NewValue::Word(word),
        None if parameter.integer => NewValue::Integer(value as i64),
        None => NewValue::Float(value),
    };
    let parameters = space.parameters.iter().zip(&vector.0);
    parameters
        .map(|(parameter, &v)| (parameter.path.clone(), value(parameter, v)))
        .collect()
}

/// What a configuration with the `written` values says about where they come from: those that the
/// tuning has `found`, or those of its start.
pub fn evidence(
    summary: &Summary,
    provenance: &Provenance,
    found: &Vector,
    written: &Vector,
) -> Vec<String> {
    let mut lines = vec![format!(
        "Tuned by Sixfold in {}: {} rounds, {} games of self-play.",
        provenance.origin,
        summary.rounds.len(),
        summary.games
    )];
    if written != found {
        lines.push(
            "NOT ACCEPTED: no verification has accepted what was found, so the start's values stay."
                .to_owned(),
        );
    }
    let values = found.0.iter().zip(&written.0);
    for (parameter, (found, written)) in provenance.space.parameters.iter().zip(values) {
        let Parameter { path, start, .. } = parameter;
        let [start, found, written] = [start, found, written].map(|value| parameter.text(*value));
        lines.push(if found == written {
            format!("{path}: {start} -> {found}")
        } else {
            format!("{path}: {start} stays; found was {found}")
        });
    }
    if let Some(budget) = provenance.match_budget {
        lines.extend(legs(summary, &provenance.space, budget));
    }
    if summary
        .attempts
        .iter()
        .all(|attempt| attempt.verdict.is_none())
    {
        lines.push("NOT VERIFIED: no verification has been finished yet.".to_owned());
    }
    for attempt in &summary.attempts {
        if let Some(verdict) = attempt.verdict {
            if attempt.tuned == provenance.space.start() {
                let (number, word) = (attempt.attempt, word(verdict));
                lines.push(format!("Verification {number}: {word}: {SAME_AS_START}."));
                continue;
            }
            lines.extend(attempt_lines(attempt, verdict, &provenance.verification));
        }
    }
    lines
}

/// What the legs came to, and what they say together of the budget of matches.
fn legs(summary: &Summary, space: &Space, match_budget: u64) -> Vec<String> {
    let legs = summary.legs.iter();
    let mut lines: Vec<String> = legs
        .map(|leg| format!("Tuned at {}.", drift_words::leg(space, leg)))
        .collect();
    let Some(found) = &summary.extrapolation else {
        lines.push(format!(
            "NOT EXTRAPOLATED: the values are those of a leg in progress, and not yet for \
             {match_budget}."
        ));
        return lines;
    };
    let drifts = drift_words::drifts(space, found).into_iter();
    lines.extend(drifts.map(|words| format!("{words}.")));
    if let Some(dearest) = summary.legs.last() {
        let reach = drift_words::reach(dearest.budget, match_budget);
        lines.push(format!("{reach}."));
    }
    lines
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "REJECTED",
        Verdict::Undecided => "UNDECIDED",
    }
}

/// What a verification says: its test with the error rates of its attempt and the strength
/// corrected for where it stopped, and the games of a fixed number.
fn attempt_lines(attempt: &Attempt, verdict: Verdict, plan: &VerificationPlan) -> [String; 2] {
    let word = word(verdict);
    let Attempt {
        attempt: number,
        decision,
        measured,
        ..
    } = attempt;
    let test = plan.test(*number).expect("a job's test was checked");
    let [alpha, beta] = test.error_rates();
    let [low, high] = plan.bounds_nelo;
    let games = decision.wdl.games();
    let of_test = match test.corrected_of_pairs(&decision.pentanomial, plan.looks()) {
        Ok(found) => format!(
            "{:+.1} Elo [{:+.1}, {:+.1}], corrected for the test",
            found.elo, found.elo_95[0], found.elo_95[1]
        ),
        Err(reason) => reason.to_string(),
    };
    [
        format!(
            "Verification {number}: {word} after {games} games of a test of {low} against {high} \
             nElo with error rates {alpha} and {beta}; {of_test}."
        ),
        format!(
            "Verification {number}: against the start {}.",
            strength(measured)
        ),
    ]
}

/// Elo with its interval for people, or why there is none.
pub fn strength(result: &TrialResult) -> String {
    let games = result.wdl.games();
    match result.pentanomial.elo() {
        MatchElo::Empty => "no games".to_owned(),
        MatchElo::NoVariance { score, .. } => {
            format!(
                "every pair scored {:.0} % over {games} games: no variance, so no interval",
                100.0 * score
            )
        }
        MatchElo::Estimate(estimate) => format!(
            "{:+.1} Elo [{:+.1}, {:+.1}] over {games} games",
            estimate.elo, estimate.elo_95[0], estimate.elo_95[1]
        ),
    }
}
