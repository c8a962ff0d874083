//! `tuner export`: the tuned values into an engine configuration.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, anyhow};
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::export::{ExportError, export_to_file};
use sixfold_tuner::job::Job;
use sixfold_tuner::store::atomic::write_atomically;

use super::differences::differences;
use super::{ExportArguments, Outcome};
use crate::workspace::exit::{Exit, Failure, bad_input};
use crate::workspace::export::{ExportSource, Exported};
use crate::workspace::merge::{Merge, Unmergeable};
use crate::workspace::session::{find, read};
use crate::workspace::show;

pub(super) fn export(arguments: &ExportArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    let (job, summary) = read(&folder)?;
    let source = ExportSource {
        name: folder.name(),
        argument: show::argument(&folder, &arguments.runs),
        job: &job,
        summary: &summary,
    };
    let exported = source.values(arguments.at, arguments.force)?;
    let target = Target {
        file: &arguments.to,
        job: &job,
        exported: &exported,
    };
    if arguments.to.exists() {
        target.write_into()?;
    } else {
        target.write_new()?;
    }
    Ok(Exit::Success)
}

/// What the system refuses is nobody's input.
fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Write(_) | ExportError::Io { .. } => error.into(),
        _ => bad_input(error),
    }
}

struct Target<'a> {
    file: &'a Path,
    job: &'a Job,
    exported: &'a Exported<'a>,
}

impl Target<'_> {
    /// A new file: the run's engine configuration with the tuned values.
    fn write_new(&self) -> Result<(), Failure> {
        let folder = self.file.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let (file, folder) = (self.file.display(), folder.display());
            return Err(bad_input(anyhow!(
                "cannot create {file}: there is no folder {folder}; create it first, or name a \
                 file elsewhere"
            )));
        }
        let text = self.exported.text(self.job)?;
        write_atomically(self.file, text.as_bytes())?;
        let file = self.file.display();
        writeln!(
            stdout(),
            "Wrote {file}: {} with the tuned values.",
            self.job.engine.name
        )?;
        self.report_values()
    }

    /// An existing configuration: only the tuned values change in it.
    fn write_into(&self) -> Result<(), Failure> {
        let target = EngineConfig::load(self.file).map_err(|error| {
            self.left_alone(format!("{error}; --to expects an engine configuration"))
        })?;
        let text = std::fs::read_to_string(self.file)
            .with_context(|| format!("cannot read {}", self.file.display()))?;
        let merge = Merge {
            job: self.job,
            exported: self.exported,
            name: self.file,
        };
        let merged = merge.merged(&target, &text).map_err(|why| match why {
            Unmergeable::Unfit(problem) => self.left_alone(problem),
            Unmergeable::Text(error) => {
                let context = format!("cannot export into {}", self.file.display());
                bad_input(anyhow::Error::new(error).context(context))
            }
        })?;
        let lines = &self.exported.lines;
        let exported = export_to_file(self.file, &merged.changes, lines).map_err(failure)?;
        let file = self.file.display();
        let mut out = stdout();
        match &exported.backup {
            Some(old) => {
                let old = old.display();
                writeln!(
                    out,
                    "Wrote the tuned values into {file}; the old file is {old}."
                )?;
            }
            None => writeln!(out, "{file} has these values already; nothing was changed.")?,
        }
        self.report_values()?;
        let verified = merge.with_tuned(&self.job.engine_config());
        let verified = verified.map_err(|problem| self.left_alone(problem))?;
        for difference in differences(&verified, &merged.config) {
            writeln!(out, "warning: {difference}")?;
        }
        Ok(())
    }

    fn report_values(&self) -> Result<(), Failure> {
        for (parameter, value) in self
            .job
            .space
            .parameters
            .iter()
            .zip(&self.exported.values.0)
        {
            writeln!(
                stdout(),
                "  {} = {}",
                parameter.path,
                parameter.text(*value)
            )?;
        }
        Ok(())
    }

    /// A refusal that says that the file is as it was, and what else there is to do.
    fn left_alone(&self, problem: impl std::fmt::Display) -> Failure {
        let file = self.file.display();
        bad_input(anyhow!(
            "{problem}; {file} was left as it is: name another configuration, or a new file"
        ))
    }
}
