//! `tuner export`: the tuned values into an engine configuration.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, anyhow};
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::export::{ExportError, NewValue, apply, export_to_file};
use sixfold_tuner::job::Job;
use sixfold_tuner::run::drift_words;
use sixfold_tuner::run::summary::{Standing, Summary};
use sixfold_tuner::run::tuned::{changes, evidence};
use sixfold_tuner::space::Vector;
use sixfold_tuner::store::atomic::write_atomically;

use super::differences::{differences, game};
use super::{ExportArguments, Outcome};
use crate::workspace::exit::{Exit, Failure, bad_input, refused};
use crate::workspace::session::{find, read};
use crate::workspace::show;

pub(super) fn export(arguments: &ExportArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    let (job, summary) = read(&folder)?;
    let run = Run {
        name: folder.name(),
        argument: show::argument(&folder, &arguments.runs),
        job: &job,
        summary: &summary,
    };
    let of_matches = job.budget.amount.number();
    let (tuned, lines) = match arguments.at.filter(|budget| *budget != of_matches) {
        Some(budget) => run.of_leg(budget, arguments.force)?,
        None => run.of_matches(arguments.force)?,
    };
    let mut all = vec![format!("Run {}, seed {}.", run.name, job.seed)];
    all.extend(lines);
    let target = Target {
        file: &arguments.to,
        job: &job,
        tuned,
        lines: &all,
    };
    if arguments.to.exists() {
        target.write_into()?;
    } else {
        target.write_new()?;
    }
    Ok(Exit::Success)
}

/// A run whose values are exported.
struct Run<'a> {
    name: String,
    /// How the user names it on a command line.
    argument: String,
    job: &'a Job,
    summary: &'a Summary,
}

impl<'a> Run<'a> {
    /// The values that the run leads to, with what is known of them.
    fn of_matches(&self, force: bool) -> Result<(&'a Vector, Vec<String>), Failure> {
        let (name, run) = (&self.name, &self.argument);
        let Some(tuned) = self.summary.incumbent() else {
            let text = format!(
                "{name} has not finished a round yet: there is nothing to export; `tuner resume \
                 {run}` goes on with it"
            );
            return Err(refused(anyhow!(text)));
        };
        if !self.job.legs.is_empty() && self.summary.extrapolation.is_none() {
            let budget = self.job.budget;
            let text = format!(
                "the legs of {name} are not over: there are no values for {budget} yet; `tuner \
                 resume {run}` goes on with it, and --at BUDGET --force exports those of a leg"
            );
            return Err(refused(anyhow!(text)));
        }
        if self.summary.standing() != Standing::Accepted && !force {
            return Err(refused(anyhow!(not_accepted(self.summary, name, run))));
        }
        Ok((
            tuned,
            evidence(self.summary, &self.job.provenance(), tuned, tuned),
        ))
    }

    /// The values of the leg at a budget. No verification is ever of them.
    fn of_leg(&self, budget: u64, force: bool) -> Result<(&'a Vector, Vec<String>), Failure> {
        let (name, run) = (&self.name, &self.argument);
        let listed: Vec<String> = self
            .job
            .legs
            .iter()
            .map(|leg| leg.budget.amount.number().to_string())
            .collect();
        if listed.is_empty() {
            let only = self.job.budget;
            let text = format!("{name} was tuned at one budget, {only}; leave --at {budget} out");
            return Err(bad_input(anyhow!(text)));
        }
        if !listed.contains(&budget.to_string()) {
            let listed = listed.join(", ");
            let text = format!("--at {budget}: {name} was tuned at {listed}; name one of these");
            return Err(bad_input(anyhow!(text)));
        }
        let Some(leg) = self.summary.legs.iter().find(|leg| leg.budget == budget) else {
            let text = format!(
                "the leg of {name} at {budget} is not over; `tuner resume {run}` goes on with it"
            );
            return Err(refused(anyhow!(text)));
        };
        let unverified = format!(
            "the values at {budget} have no verification of their own: that of the run is of those \
             for {}",
            self.job.budget
        );
        if !force {
            let text = format!("{unverified}; --force exports them all the same");
            return Err(refused(anyhow!(text)));
        }
        let origin = self.job.provenance().origin;
        let words = drift_words::leg(&self.job.space, leg);
        let lines = vec![
            format!("Tuned by Sixfold in {origin}."),
            format!("The values of the leg at {words}."),
            format!("NOT VERIFIED: {unverified}."),
        ];
        Ok((&leg.values, lines))
    }
}

/// Why values are not exported, and what to do.
fn not_accepted(summary: &Summary, name: &str, run: &str) -> String {
    let number = summary.last_attempt().map_or(0, |it| it.attempt);
    let (why, next) = match summary.standing() {
        Standing::Rejected => (
            format!("verification {number} REJECTED the values of {name}: the start's values stay"),
            "change the job (more games, another range or start) and run it again".to_owned(),
        ),
        Standing::Undecided => (
            format!(
                "verification {number} of {name} ended UNDECIDED: until one accepts the values, \
                 the start's stay"
            ),
            format!("`tuner verify {run}` plays another"),
        ),
        Standing::Unverified | Standing::Accepted => (
            format!("no verification has accepted the values of {name}"),
            format!("`tuner resume {run}` goes on to one"),
        ),
    };
    format!("{why}; {next}, and --force exports them all the same")
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
    tuned: &'a Vector,
    lines: &'a [String],
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
        let target = EngineConfig::load(self.file).map_err(|error| {
            self.left_alone(format!("{error}; --to expects an engine configuration"))
        })?;
        self.check_game(&target)?;
        let expected = self.with_tuned(&target)?;
        let changes = changes(&self.job.space, self.tuned);
        self.check_result(&changes, &expected)?;
        let exported = export_to_file(self.file, &changes, self.lines).map_err(failure)?;
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
        let verified = self.with_tuned(&self.job.engine_config())?;
        for difference in differences(&verified, &expected) {
            writeln!(out, "warning: {difference}")?;
        }
        Ok(())
    }

    fn report_values(&self) -> Result<(), Failure> {
        for (parameter, value) in self.job.space.parameters.iter().zip(&self.tuned.0) {
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

    fn check_game(&self, target: &EngineConfig) -> Result<(), Failure> {
        let (ours, theirs) = (self.job.engine.config.game, target.game);
        if ours == theirs {
            return Ok(());
        }
        let (ours, theirs) = (game(ours), game(theirs));
        let file = self.file.display();
        Err(self.left_alone(format!(
            "{file} plays {theirs}, and the values were tuned for {ours}"
        )))
    }

    /// The configuration with the tuned values, which it must take together.
    fn with_tuned(&self, config: &EngineConfig) -> Result<EngineConfig, Failure> {
        let parameters = self.job.space.parameters.iter();
        let values: Vec<(&str, f64)> = parameters
            .zip(&self.tuned.0)
            .map(|(parameter, value)| (parameter.path.as_str(), *value))
            .collect();
        let mut config = config.clone();
        let file = self.file.display();
        config
            .set(&values)
            .map_err(|error| self.left_alone(format!("{file}: {error}")))?;
        Ok(config)
    }

    /// What will be written says to the engine's own reader exactly what was tuned.
    fn check_result(
        &self,
        changes: &[(String, NewValue)],
        expected: &EngineConfig,
    ) -> Result<(), Failure> {
        let text = std::fs::read_to_string(self.file)
            .with_context(|| format!("cannot read {}", self.file.display()))?;
        let result = apply(&text, changes, self.lines)
            .with_context(|| format!("cannot export into {}", self.file.display()))
            .map_err(bad_input)?;
        match EngineConfig::parse(self.file, &result) {
            Ok(written) if written == *expected => Ok(()),
            Ok(_) => Err(self.left_alone("the result would not hold the tuned values")),
            Err(error) => Err(self.left_alone(format!("the result would be invalid: {error}"))),
        }
    }
}
