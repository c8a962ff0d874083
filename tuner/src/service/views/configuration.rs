//! The engine's configuration before and after, and what differs.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};
use sixfold_tuner::export::ExportError;
use sixfold_tuner::run::tuned::tuned_text;
use utoipa::ToSchema;

use crate::service::reading::Reading;

/// The configurations.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ConfigurationView {
    /// As the run began.
    pub(crate) before: String,
    /// `tuned.toml` as it stands.
    pub(crate) after: String,
    /// Line by line.
    pub(crate) diff: Vec<DiffLineView>,
}

/// A line of the difference.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct DiffLineView {
    /// A blank, `-` or `+`.
    pub(crate) sign: &'static str,
    pub(crate) text: String,
}

/// The configurations of a run.
///
/// # Errors
/// A configuration without a place for a value.
pub(crate) fn configuration(reading: &Reading) -> Result<ConfigurationView, ExportError> {
    let job = reading.job();
    let before = job.engine.text.clone();
    let summary = &reading.folds().summary;
    let after = tuned_text(&before, &job.provenance(), summary, &reading.incumbent())?;
    let diff = TextDiff::from_lines(before.as_str(), after.as_str())
        .iter_all_changes()
        .map(|change| DiffLineView {
            sign: match change.tag() {
                ChangeTag::Equal => " ",
                ChangeTag::Delete => "-",
                ChangeTag::Insert => "+",
            },
            text: change.value().trim_end_matches(['\r', '\n']).to_owned(),
        })
        .collect();
    Ok(ConfigurationView {
        before,
        after,
        diff,
    })
}
