//! `tuner report`, and the report that every command leaves which plays a run's games.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_tuner::report::PAGE_MARK;
use sixfold_tuner::store::atomic::write_atomically;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::lock::RunLock;

use super::Outcome;
use crate::workspace::exit::{Exit, Failure, bad_input};
use crate::workspace::report::page;
use crate::workspace::session::find;

/// Bytes at the beginning of a file that tell whether it is a report.
const HEAD_BYTES: u64 = 1024;

#[derive(Args)]
pub(super) struct ReportArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    /// The file to write; a report that stands there is replaced [default: report.html in the
    /// run's folder]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
}

pub(super) fn report(arguments: &ReportArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    let own = folder.report();
    let file = arguments.output.as_deref().unwrap_or(&own);
    check_replaceable(file)?;
    let is_held = RunLock::holder(&folder.lock())?.is_some();
    write(&folder, file, is_held)?;
    writeln!(stdout(), "Wrote {}", file.display())?;
    Ok(Exit::Success)
}

/// Writes the report of a run as it stands; `is_held` is whether a process works on it.
pub(super) fn write(folder: &RunFolder, file: &Path, is_held: bool) -> Result<(), Failure> {
    let page = page(folder, is_held)?;
    Ok(write_atomically(file, page.as_bytes())?)
}

/// Refuses to replace what is no report, such as a configuration named by mistake.
fn check_replaceable(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let (file, folder) = (file.display(), folder.display());
        return Err(bad_input(anyhow!(
            "cannot create {file}: there is no folder {folder}; create it first, or name a file \
             elsewhere with --output"
        )));
    }
    let head = match head(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        head => head.with_context(|| format!("cannot read {}", file.display()))?,
    };
    if head.is_empty() || head.contains(PAGE_MARK) {
        return Ok(());
    }
    Err(bad_input(anyhow!(
        "{} is no report and was left as it is; name another file with --output",
        file.display()
    )))
}

fn head(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(file)?.take(HEAD_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
