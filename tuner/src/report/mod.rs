//! The report of a run: one self-contained HTML page with SVG plots, which says in words and
//! pictures what was changed, by how much, how sure that is and what it cost.
//!
//! The journal is the truth: it is replayed along the course, and the learner computes its
//! Q-values again. Equal runs so give equal bytes. The page is well-formed XML too, needs no
//! network and no script, and whatever comes from files is escaped by the templates.

mod looks;
mod page;
mod plot;
mod sections;
mod source_trace;
mod story;
mod words;

use crate::event::Event;
use crate::job::Job;
use crate::run::course::{Course, Deviation};
use crate::run::state::RunState;
use crate::store::identity::RunIdentity;

use story::Story;

/// What every page has near its beginning: it tells a report from any other file.
pub const PAGE_MARK: &str = "<meta name=\"generator\" content=\"Sixfold report\" />";

/// Everything that a report is made of.
pub struct Material<'a> {
    /// The run's name.
    pub name: &'a str,
    /// Whether it is at work, was interrupted or is completed.
    pub state: RunState,
    /// Its job.
    pub job: &'a Job,
    /// The text of its `job.toml`.
    pub job_text: &'a str,
    /// What its `run.json` says.
    pub identity: &'a RunIdentity,
    /// Its journal.
    pub events: &'a [Event],
    /// Evidence of failed games.
    pub failures: &'a [FailedGame],
    /// A sampled game whose last position can be drawn.
    pub sampled: Option<SampledBoard>,
    /// Whether the journal's last line was not whole: what it held is not in the report.
    pub has_torn_tail: bool,
}

/// The last position of a sampled game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampledBoard {
    /// The name of its record in the run's folder `games`.
    pub file: String,
    /// The record.
    pub record: String,
    /// The drawing: an `svg` element, whose classes the page's style sheet colours. It goes into
    /// the page as it is.
    pub svg: String,
}

/// A file of evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedGame {
    /// Its name in the run's folder `failures`.
    pub file: String,
    /// What it says.
    pub said: String,
}

/// The page. Precondition: the course is new and that of the run's job.
///
/// # Errors
/// An event that the job does not lead to.
pub fn html(material: &Material<'_>, course: Course) -> Result<String, Deviation> {
    let story = Story::of(course, material.events, material.job)?;
    Ok(page::page(material, &story))
}
