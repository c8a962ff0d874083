//! What a run's games say about its result, for people and for programs.

use serde::Serialize;
use sixfold_tuner::job::Job;
use sixfold_tuner::outlook::{Outlook, ParameterVerdict};
use sixfold_tuner::run::summary::{Spent, Summary};
use utoipa::ToSchema;

/// The outlook for programs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OutlookView {
    /// Expected gain of the best values among those played over those in force, in Elo.
    pub(crate) remaining_gain_elo: f64,
    /// With a probability of 95 % there is no more.
    pub(crate) remaining_gain_elo_95: f64,
    /// The values in force over the start as the surface predicts it, in Elo. The games chose
    /// these values, so this is no strength: see the verification.
    pub(crate) predicted_elo: f64,
    pub(crate) predicted_elo_deviation: f64,
    /// Whether the surface fits the games. When it does not, nothing of the outlook holds.
    pub(crate) fits: bool,
    /// How many comparisons contradict it.
    pub(crate) misfits: usize,
    /// The worst of them, in words.
    pub(crate) worst_misfits: Vec<String>,
}

/// Games by what they were played for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SpentView {
    pub(crate) tuning: u64,
    pub(crate) decision: u64,
    pub(crate) measurement: u64,
    pub(crate) reference: u64,
    pub(crate) total: u64,
}

impl SpentView {
    pub(crate) fn of(summary: &Summary) -> Self {
        let spent = summary.spent();
        let Spent {
            tuning,
            decision,
            measurement,
            reference,
        } = spent;
        Self {
            tuning,
            decision,
            measurement,
            reference,
            total: spent.total(),
        }
    }

    /// The line for people.
    pub(crate) fn text(&self) -> String {
        let Self {
            tuning,
            decision,
            measurement,
            reference,
            total,
        } = self;
        let mut parts = vec![format!("{tuning} tuning")];
        for (games, what) in [
            (decision, "decision"),
            (measurement, "measurement"),
            (reference, "reference"),
        ] {
            if *games > 0 {
                parts.push(format!("{games} {what}"));
            }
        }
        format!("  Games: {total}, of which {}", parts.join(", "))
    }
}

impl OutlookView {
    pub(crate) fn of(outlook: &Outlook, job: &Job) -> Self {
        Self {
            remaining_gain_elo: outlook.remaining_gain.expected,
            remaining_gain_elo_95: outlook.remaining_gain.at_most_95,
            predicted_elo: outlook.over_start.elo,
            predicted_elo_deviation: outlook.over_start.deviation,
            fits: outlook.fits,
            misfits: outlook.misfits.len(),
            worst_misfits: outlook.worst_misfits(&job.space),
        }
    }

    /// The lines for people.
    pub(crate) fn text(&self) -> String {
        let mut lines = Vec::new();
        if self.fits {
            lines.push(format!(
                "  Still to be gained among the values that were played: {:.1} Elo expected, at \
                 most {:.1} (95 %)",
                self.remaining_gain_elo, self.remaining_gain_elo_95
            ));
        } else {
            lines.push(format!(
                "  THE SURFACE DOES NOT FIT: {} comparisons are more than 4 standard errors away \
                 from what",
                self.misfits
            ));
            lines.push(
                "  it predicts, so the intervals and verdicts above do not hold. The worst:"
                    .to_owned(),
            );
            lines.extend(
                self.worst_misfits
                    .iter()
                    .map(|words| format!("    {words}")),
            );
        }
        lines.join("\n")
    }
}

/// The word for programs.
pub(crate) const fn word(verdict: ParameterVerdict) -> &'static str {
    match verdict {
        ParameterVerdict::NoMeasurableEffect => "no_measurable_effect",
        ParameterVerdict::AtBound => "at_bound",
        ParameterVerdict::Measured => "measured",
        ParameterVerdict::NotKnownYet => "not_known_yet",
    }
}
