//! A tuning at several budgets for people and for programs: its plan, and what came of it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::event::{Drift, Extrapolation, LegSummary};
use sixfold_tuner::job::{Job, Leg};
use sixfold_tuner::outlook::Outlook;
use sixfold_tuner::run::drift_words;
use sixfold_tuner::run::extrapolation::{SIGNIFICANT, influences};
use sixfold_tuner::run::summary::Summary;
use utoipa::ToSchema;

use super::outlook::{OutlookView, word};
use super::show::named_values;

/// What a run has of the budgets that it tunes at.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LadderView {
    /// Of the verification, in the unit of the job.
    match_budget: u64,
    /// Those that are over.
    legs: Vec<LegView>,
    /// Those that the job names.
    budgets: Vec<u64>,
    /// Null until all legs are over.
    extrapolated: Option<Vec<DriftView>>,
    #[serde(skip)]
    lines: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct LegView {
    budget: u64,
    rounds: u32,
    games: u64,
    values: BTreeMap<String, Value>,
    /// Where the best values are with a probability of 95 %; null where the games do not tell.
    best_95: Option<BTreeMap<String, [f64; 2]>>,
    /// `measured`, `at_bound`, `no_measurable_effect` or `not_known_yet`; null without an
    /// outlook.
    verdicts: Option<BTreeMap<String, &'static str>>,
    outlook: Option<OutlookView>,
}

impl LegView {
    fn of(job: &Job, leg: &LegSummary, outlook: Option<&Outlook>) -> LegView {
        let paths = || job.space.parameters.iter().map(|it| it.path.clone());
        let intervals = drift_words::leg_intervals(&job.space, leg);
        LegView {
            budget: leg.budget,
            rounds: leg.rounds,
            games: leg.games,
            values: named_values(job, &leg.values),
            best_95: intervals.map(|known| paths().zip(known).collect()),
            verdicts: outlook.map(|outlook| {
                let words = outlook.parameters.iter().map(|it| word(it.verdict));
                paths().zip(words).collect()
            }),
            outlook: outlook.map(|outlook| OutlookView::of(outlook, job)),
        }
    }
}

/// How a parameter moves with the budget. Slopes are those of its unit coordinate in the natural
/// logarithm of the budget.
#[derive(Debug, Serialize, ToSchema)]
struct DriftView {
    path: String,
    value: f64,
    value_95: [f64; 2],
    slope: f64,
    slope_95: [f64; 2],
    is_measured: bool,
    is_clipped: bool,
    residual: Option<f64>,
}

impl LadderView {
    /// None where the tuning is at one budget.
    pub(crate) fn of(job: &Job, summary: &Summary) -> Option<LadderView> {
        let dearest = job.legs.last()?.budget.amount.number();
        let match_budget = job.budget.amount.number();
        let outlooks = summary.leg_outlooks(&job.space);
        let (mut legs, mut lines) = (Vec::new(), Vec::new());
        for (leg, outlook) in summary.legs.iter().zip(&outlooks) {
            let outlook = outlook.as_ref();
            legs.push(LegView::of(job, leg, outlook));
            let words = drift_words::leg_lines(&job.space, leg, outlook);
            for (index, words) in words.iter().enumerate() {
                let margin = if index == 0 { "  tuned at " } else { "    " };
                lines.push(format!("{margin}{words}"));
            }
        }
        if let Some(found) = &summary.extrapolation {
            let drifts = drift_words::drifts(&job.space, found).into_iter();
            lines.extend(drifts.map(|words| format!("  {words}")));
            lines.push(format!("  {}", drift_words::reach(dearest, match_budget)));
        } else {
            lines.push(format!(
                "  the values now are those of a leg, not yet for {match_budget}"
            ));
        }
        Some(LadderView {
            match_budget,
            legs,
            budgets: job
                .legs
                .iter()
                .map(|leg| leg.budget.amount.number())
                .collect(),
            extrapolated: summary
                .extrapolation
                .as_ref()
                .map(|it| drift_views(job, it)),
            lines,
        })
    }

    /// For people, a line each.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }
}

fn drift_views(job: &Job, found: &Extrapolation) -> Vec<DriftView> {
    let intervals = drift_words::intervals(&job.space, found);
    let view = |index: usize| {
        let drift: &Drift = &found.drifts[index];
        let half = SIGNIFICANT * drift.slope_deviation;
        DriftView {
            path: job.space.parameters[index].path.clone(),
            value: found.values.0[index],
            value_95: intervals[index],
            slope: drift.slope,
            slope_95: [drift.slope - half, drift.slope + half],
            is_measured: drift.is_measured,
            is_clipped: drift.is_clipped(),
            residual: drift.residual,
        }
    };
    (0..found.drifts.len()).map(view).collect()
}

/// Seconds of a leg's games, when `games_per_s` are played at the budget of matches: searches take
/// time in proportion to their budget.
fn seconds(job: &Job, leg: &Leg, games_per_s: f64) -> f64 {
    let share = leg.budget.amount.number() as f64 / job.budget.amount.number() as f64;
    job.leg_games_max(leg) as f64 * share / games_per_s
}

/// Seconds of the whole tuning.
pub(crate) fn tuning_seconds(job: &Job, games_per_s: f64) -> f64 {
    if job.legs.is_empty() {
        return job.tuning_games_max() as f64 / games_per_s;
    }
    job.legs
        .iter()
        .map(|leg| seconds(job, leg, games_per_s))
        .sum()
}

/// Writes the plan of the legs; nothing where the tuning is at one budget.
pub(crate) fn write_plan(job: &Job, out: &mut dyn Write) -> io::Result<()> {
    let (Some(words), Some(last)) = (job.legs_in_words(), job.legs.last()) else {
        return Ok(());
    };
    let number = |leg: &Leg| leg.budget.amount.number();
    let matches = job.budget.amount.number();
    writeln!(
        out,
        "legs         {words}, each from the values of the one before; then"
    )?;
    writeln!(
        out,
        "             a straight line of each parameter in the logarithm of the budget leads to"
    )?;
    writeln!(
        out,
        "             {} of matches, where it is verified",
        job.budget
    )?;
    // Shares of the time are the same at any speed.
    let all = tuning_seconds(job, 1.0);
    let budgets: Vec<f64> = job.legs.iter().map(|leg| number(leg) as f64).collect();
    let influences = influences(&budgets, matches as f64);
    for (leg, influence) in job.legs.iter().zip(influences) {
        let share = 100.0 * seconds(job, leg, 1.0) / all;
        writeln!(
            out,
            "  leg at {:<8} at most {} games, {share:.0} % of the tuning's time; an error of 1 in \
             its value is {influence:+.2} in that of matches",
            number(leg),
            job.leg_games_max(leg),
        )?;
    }
    let reach = drift_words::reach(number(last), matches);
    writeln!(out, "  {reach}")
}
