//! What a run's export is: which values, and what is said of them.

use anyhow::anyhow;
use sixfold_tuner::export::{ExportError, apply};
use sixfold_tuner::job::Job;
use sixfold_tuner::run::drift_words;
use sixfold_tuner::run::summary::{Standing, Summary};
use sixfold_tuner::run::tuned::{changes, evidence};
use sixfold_tuner::space::Vector;

use super::exit::{Failure, bad_input, refused};

/// A run whose values are exported.
pub(crate) struct ExportSource<'a> {
    pub(crate) name: String,
    /// How the user names it on a command line.
    pub(crate) argument: String,
    pub(crate) job: &'a Job,
    pub(crate) summary: &'a Summary,
}

/// Values to export, and what is known of them.
pub(crate) struct Exported<'a> {
    pub(crate) values: &'a Vector,
    /// The evidence that stands above them in a configuration.
    pub(crate) lines: Vec<String>,
}

impl Exported<'_> {
    /// A new configuration: the run's own with these values.
    pub(crate) fn text(&self, job: &Job) -> Result<String, ExportError> {
        apply(
            &job.engine.text,
            &changes(&job.space, self.values),
            &self.lines,
        )
    }
}

impl<'a> ExportSource<'a> {
    /// The values that the run leads to, or those of the leg at a budget; `force` takes them
    /// without a verification that accepted them.
    pub(crate) fn values(&self, at: Option<u64>, force: bool) -> Result<Exported<'a>, Failure> {
        let of_matches = self.job.budget.amount.number();
        let (values, more) = match at.filter(|budget| *budget != of_matches) {
            Some(budget) => self.of_leg(budget, force)?,
            None => self.of_matches(force)?,
        };
        let mut lines = vec![format!("Run {}, seed {}.", self.name, self.job.seed)];
        lines.extend(more);
        Ok(Exported { values, lines })
    }

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
