//! The wire form of events: one line each, with a checksum, the same bytes for the same event.
//! Domain types stay plain; what is stored is spelt out in `wire`, and a change of it is a new
//! [`JOURNAL_FORMAT`].

use serde::Deserialize;

use super::envelope;
use super::wire::EventWire;
use crate::event::Event;

/// Version of the journal's form. It stands in the journal's first event and in `run.json`.
pub const JOURNAL_FORMAT: u32 = 2;

/// Longest line, line end included: checked before anything is parsed or written. A trial of a
/// thousand parameters needs a twentieth of it.
pub const MAX_LINE_BYTES: usize = 1 << 20;

const KEY: &str = "event";

/// An event that cannot be stored.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum EncodeError {
    /// JSON knows no such number, and no result may depend on one.
    #[error("{field} is {value}, which is not a number that can be stored")]
    NotFinite {
        /// Where it stands.
        field: &'static str,
        /// NaN or an infinity.
        value: f64,
    },
    /// Reading would refuse it.
    #[error("the event needs {bytes} bytes; a line may have {MAX_LINE_BYTES}")]
    TooLong {
        /// Bytes of the line.
        bytes: usize,
    },
}

/// A line that cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes are not those that were written.
    #[error("{0}")]
    Damaged(&'static str),
    /// A newer program wrote it.
    #[error("journal format {found} is newer than {JOURNAL_FORMAT}, the newest this program knows")]
    NewerFormat {
        /// The journal's version.
        found: u32,
    },
    /// The checksum is right, so these are the bytes that were written, but not an event that this
    /// version knows.
    #[error("it is whole, but no event that this program knows: {0}")]
    Unknown(String),
}

/// The line of an event, line end included.
///
/// # Errors
/// See [`EncodeError`].
pub fn encode(event: &Event) -> Result<String, EncodeError> {
    check_finite(event)?;
    let body =
        serde_json::to_string(&EventWire::from(event)).expect("plain fields always serialise");
    let line = envelope::seal(KEY, &body);
    if line.len() > MAX_LINE_BYTES {
        return Err(EncodeError::TooLong { bytes: line.len() });
    }
    Ok(line)
}

/// The event of a line, which is given without its line end.
///
/// # Errors
/// See [`DecodeError`].
pub fn decode(line: &[u8]) -> Result<Event, DecodeError> {
    if line.len() >= MAX_LINE_BYTES {
        return Err(DecodeError::Damaged("it is longer than a line may be"));
    }
    let body = envelope::unseal(KEY, line).map_err(DecodeError::Damaged)?;
    let unknown = |error: serde_json::Error| DecodeError::Unknown(error.to_string());
    if body.starts_with("{\"run_started\":") {
        // Asked before the strict reading, which would only find fields it does not know.
        let FormatProbe { run_started } = serde_json::from_str(body).map_err(unknown)?;
        if run_started.format > JOURNAL_FORMAT {
            return Err(DecodeError::NewerFormat {
                found: run_started.format,
            });
        }
    }
    serde_json::from_str::<EventWire>(body)
        .map(Event::from)
        .map_err(unknown)
}

fn check_finite(event: &Event) -> Result<(), EncodeError> {
    let check = |field, values: &[f64]| match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(EncodeError::NotFinite { field, value }),
        None => Ok(()),
    };
    match event {
        Event::TrialFinished { trial, .. } => {
            check("a value of the trial's A", &trial.a.0)?;
            check("a value of the trial's B", &trial.b.0)
        }
        Event::RoundFinished(summary) => {
            check("the candidate's score", summary.candidate_score.as_slice())?;
            check("a value of the incumbent", &summary.incumbent.0)
        }
        Event::LegFinished(leg) => {
            check("a value of the leg", &leg.values.0)?;
            let deviations = leg.deviations.as_deref().unwrap_or_default();
            check("a deviation of the leg", deviations)
        }
        Event::Extrapolated(extrapolation) => {
            check("an extrapolated value", &extrapolation.values.0)?;
            extrapolation.drifts.iter().try_for_each(|drift| {
                let numbers = [drift.slope, drift.slope_deviation];
                check("a drift with the budget", &numbers)?;
                check("where a drift leads", &[drift.coordinate, drift.deviation])?;
                check("what a drift leaves", drift.residual.as_slice())
            })
        }
        Event::VerificationStarted { tuned, .. } => check("a tuned value", &tuned.0),
        Event::RunStarted { .. }
        | Event::TuningFinished { .. }
        | Event::MatchBatch { .. }
        | Event::VerificationFinished { .. } => Ok(()),
    }
}

#[derive(Deserialize)]
struct FormatProbe {
    run_started: FormatField,
}

#[derive(Deserialize)]
struct FormatField {
    format: u32,
}
