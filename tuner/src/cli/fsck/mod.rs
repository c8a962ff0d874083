//! `tuner fsck`: whether a run on disk is whole, part by part. It only reads, and also while
//! another process works on the run.

mod parts;

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::PathBuf;

use serde::Serialize;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::lock::RunLock;

use super::{FsckArguments, Outcome};
use crate::workspace::exit::{Exit, bad_input};
use crate::workspace::show;
use parts::Examination;

/// How a part of a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Health {
    /// As it was written, and as the rest of the run says.
    Whole,
    /// Not there, and not needed.
    Absent,
    /// Not part of the run; it stays as it is.
    Foreign,
    /// The next start puts it right; no result depends on it.
    Mended,
    /// Not as it was written, and a start leaves it so; no result depends on it.
    Damaged,
    /// Nothing is changed by a start, which is refused.
    Broken,
}

impl Health {
    fn word(self) -> &'static str {
        match self {
            Health::Whole => "whole",
            Health::Absent => "absent",
            Health::Foreign => "foreign",
            Health::Mended => "mended",
            Health::Damaged => "damaged",
            Health::Broken => "BROKEN",
        }
    }
}

/// What was found of one part.
#[derive(Debug, Serialize)]
struct Part {
    part: String,
    health: Health,
    /// What was found, in a sentence.
    found: String,
    /// What the next start does about it, or what the user can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<String>,
}

/// What was found of a run.
#[derive(Debug, Serialize)]
struct Report {
    name: String,
    folder: PathBuf,
    /// The process that works on the run, as its lock says.
    in_use_by: Option<String>,
    /// Every part is as it was written.
    whole: bool,
    /// This program can go on with the run, once nobody else does.
    resumable: bool,
    parts: Vec<Part>,
    next: String,
}

pub(super) fn fsck(arguments: &FsckArguments) -> Outcome {
    let folder = RunFolder::find(&arguments.runs, &arguments.run).map_err(bad_input)?;
    // Asked before anything is read: what is read later can only be newer.
    let holder = RunLock::holder(&folder.lock());
    let mut examination = Examination::new(&folder);
    examination.lock(&holder);
    let parts = examination.all();
    let any = |health| parts.iter().any(|part: &Part| part.health == health);
    let (broken, damaged) = (any(Health::Broken), any(Health::Damaged));
    let whole = !broken && !damaged && !any(Health::Mended);
    let report = Report {
        name: folder.name(),
        folder: folder.path().to_owned(),
        in_use_by: holder.ok().flatten(),
        whole,
        resumable: !broken,
        parts,
        next: String::new(),
    };
    let next = next(&report, &show::argument(&folder, &arguments.runs));
    let report = Report { next, ..report };
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{}", text(&report))?;
    }
    // What the next start mends is nothing that anybody has to do.
    Ok(match broken || damaged {
        false => Exit::Success,
        true => Exit::Refused,
    })
}

fn next(report: &Report, run: &str) -> String {
    if !report.resumable {
        return "nothing was changed; put right what is BROKEN first".to_owned();
    }
    match &report.in_use_by {
        Some(pid) => format!("process {pid} works on it"),
        None if report.whole => format!("nothing is wrong; `tuner status {run}` shows the run"),
        None => format!("tuner resume {run}   (where the run is finished, it only mends)"),
    }
}

fn text(report: &Report) -> String {
    let verdict = match (report.resumable, report.whole) {
        (true, true) => "whole",
        (true, false) => "usable, but not whole",
        (false, _) => "this program cannot go on with it",
    };
    let mut out = format!(
        "Run {} ({}): {verdict}\n\n",
        report.name,
        report.folder.display()
    );
    if let Some(pid) = &report.in_use_by {
        let _ = writeln!(
            out,
            "  Process {pid} is working on it: what it is just writing may look unfinished.\n"
        );
    }
    let width = report.parts.iter().map(|p| p.part.len()).max().unwrap_or(0);
    for part in &report.parts {
        let (name, health) = (&part.part, part.health.word());
        let _ = writeln!(out, "  {name:<width$}  {health:<7}  {}", part.found);
        if let Some(then) = &part.then {
            let _ = writeln!(out, "  {:<width$}           -> {then}", "");
        }
    }
    let _ = writeln!(out, "\nNext: {}", report.next);
    out
}
