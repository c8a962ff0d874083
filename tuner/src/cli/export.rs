//! `tuner export`: the tuned values into an engine configuration.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, anyhow};
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::export::{apply, export_to_file};
use sixfold_tuner::job::Job;
use sixfold_tuner::run::tuned::{changes, evidence};
use sixfold_tuner::space::Vector;
use sixfold_tuner::store::atomic::write_atomically;

use super::exit::{Exit, Failure, bad_input, refused};
use super::session::{find, read};
use super::{ExportArguments, Outcome, show};

pub(super) fn export(arguments: &ExportArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    let (job, summary) = read(&folder)?;
    let name = folder.name();
    let Some(tuned) = summary.incumbent() else {
        let text = format!("{name} has not finished a round yet: there is nothing to export");
        return Err(refused(anyhow!(text)));
    };
    if !summary.is_verified() && !arguments.force {
        let run = show::argument(&folder, &arguments.runs);
        let text = format!(
            "no verification has accepted the values of {name}; `tuner verify {run}` plays one, \
             and --force exports all the same"
        );
        return Err(refused(anyhow!(text)));
    }
    let mut lines = vec![format!("Run {name}, seed {}.", job.seed)];
    lines.extend(evidence(&summary, &job.origin(), &job.space, tuned));
    let target = Target {
        file: &arguments.to,
        job: &job,
        tuned,
        lines: &lines,
    };
    if arguments.to.exists() {
        target.write_into()?;
    } else {
        target.write_new()?;
    }
    Ok(Exit::Success)
}

struct Target<'a> {
    file: &'a Path,
    job: &'a Job,
    tuned: &'a Vector,
    lines: &'a [String],
}

impl Target<'_> {
    /// A new file: the run's engine configuration with the tuned values.
    fn write_new(&self) -> Result<(), Failure> {
        let text = apply(
            &self.job.engine.text,
            &changes(&self.job.space, self.tuned),
            self.lines,
        )?;
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
        let target = EngineConfig::load(self.file).map_err(bad_input)?;
        if target.game != self.job.engine.config.game {
            let file = self.file.display();
            return Err(bad_input(anyhow!(
                "{file} is a configuration of another game"
            )));
        }
        for parameter in &self.job.space.parameters {
            target
                .parameter(&parameter.path)
                .map_err(|error| bad_input(anyhow!("{}: {error}", self.file.display())))?;
        }
        let differences = self.untuned_differences(&target);
        let changes = changes(&self.job.space, self.tuned);
        let exported = export_to_file(self.file, &changes, self.lines)
            .with_context(|| format!("{} was not changed", self.file.display()))
            .map_err(bad_input)?;
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
        for difference in differences {
            writeln!(out, "warning: {difference}")?;
        }
        Ok(())
    }

    fn report_values(&self) -> Result<(), Failure> {
        for (parameter, value) in self.job.space.parameters.iter().zip(&self.tuned.0) {
            writeln!(stdout(), "  {} = {value}", parameter.path)?;
        }
        Ok(())
    }

    /// What else differs from the engine that the values were tuned in: they may not fit there.
    fn untuned_differences(&self, target: &EngineConfig) -> Vec<String> {
        let tuned = |path: &str| self.job.space.parameters.iter().any(|p| p.path == path);
        let theirs = target.parameters();
        let mut list = Vec::new();
        for ours in self.job.engine.config.parameters() {
            let other = theirs.iter().find(|parameter| parameter.path == ours.path);
            match other {
                _ if tuned(&ours.path) => {}
                Some(other) if other.value == ours.value => {}
                Some(other) => list.push(format!(
                    "{} is {} there and was {} in the run",
                    ours.path, other.value, ours.value
                )),
                None => list.push(format!("{} is missing there or another stage's", ours.path)),
            }
        }
        list
    }
}
