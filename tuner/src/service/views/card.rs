//! What is needed to get the same bytes again.

use serde::Serialize;
use sixfold_tuner::job::digest;
use utoipa::ToSchema;

use crate::service::reading::Reading;

/// The card.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CardView {
    pub(crate) seed: u64,
    pub(crate) program_version: String,
    pub(crate) results_version: u32,
    pub(crate) engine_format: u32,
    pub(crate) journal_format: u32,
    pub(crate) started: String,
    pub(crate) job_digest: String,
    /// Whole lines.
    pub(crate) journal_lines: u64,
    /// Digest of `tuned.toml`; null where there is none.
    pub(crate) tuned_digest: Option<String>,
    /// Whether the same bytes are promised; not where the budget is a time.
    pub(crate) reproducible: bool,
    /// For a terminal in the folder above that of runs.
    pub(crate) commands: Vec<String>,
}

/// The card of a run.
pub(crate) fn card(reading: &Reading) -> CardView {
    let (identity, job) = (reading.identity(), reading.job());
    let name = reading.folder().name();
    let tuned = std::fs::read_to_string(reading.folder().tuned());
    CardView {
        seed: job.seed,
        program_version: identity.program_version.clone(),
        results_version: identity.results_version,
        engine_format: identity.engine_format,
        journal_format: identity.journal_format,
        started: identity.started.clone(),
        job_digest: digest(reading.job_text()),
        journal_lines: reading.lines(),
        tuned_digest: tuned.ok().map(|text| digest(&text)),
        reproducible: job.budget.is_reproducible(),
        commands: vec![
            format!("tuner run runs/{name}/job.toml --name {name}-again"),
            format!("tuner replay {name} --round 0 --trial 0 --game 0"),
        ],
    }
}
