//! How learners compare: medians and 90th percentiles of regret, their ratios to a baseline
//! learner's, and geometric means of these over surfaces, with bootstrap intervals.
//!
//! An interval is the middle 95 % of 2,000 resamples (B. Efron, 1979, percentile method). Seeds
//! are resampled within each surface and budget, the same for every learner there, as all of them
//! met the same surfaces; resamples of different surfaces are independent. In ratios a regret
//! below a hundredth of an Elo counts as a hundredth: no match could tell the two apart.

use std::time::Duration;

use rayon::prelude::*;

use super::campaign::{Campaign, Cell};
use super::drive::{Outcome, number_of};
use super::sample::{quantile, resample};
use super::surface::Surface;

/// Resamples behind an interval.
pub const RESAMPLES: u32 = 2_000;
/// Regrets below this count as this in ratios, in Elo.
pub const LEAST_REGRET: f64 = 0.01;
/// The two quantiles of regret that are compared.
const MEDIAN: f64 = 0.5;
const P90: f64 = 0.9;
/// Ends of a 95 % interval, as quantiles.
const ENDS: [f64; 2] = [0.025, 0.975];
/// Points of a trace: after each tenth of the budget.
const TRACE_POINTS: u32 = 10;

/// A ratio to the baseline; below 1 is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The ratio.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

/// What one learner came to on one surface with one budget.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Index of the surface in the campaign.
    pub surface: usize,
    /// Games of a run.
    pub budget: u32,
    /// Index of the learner in the campaign.
    pub contender: usize,
    /// Regret of every seed in Elo, in the order of the seeds.
    pub regrets: Vec<f64>,
    /// Median of the regrets.
    pub median: f64,
    /// Their 90th percentile.
    pub p90: f64,
    /// Ratios of the median and of the 90th percentile to the baseline's; None for itself.
    pub ratios: Option<[Ratio; 2]>,
    /// Median regret of the incumbent after each tenth of the budget.
    pub trace: Vec<f64>,
    /// Time of the learner for 1,000 games, without the games.
    pub learner_time: Duration,
}

/// One learner over all surfaces with one budget.
#[derive(Clone, PartialEq, Debug)]
pub struct Mean {
    /// Games of a run.
    pub budget: u32,
    /// Index of the learner in the campaign.
    pub contender: usize,
    /// Geometric means of the ratios of medians and of 90th percentiles.
    pub ratios: [Ratio; 2],
    /// Index of the surface with the largest ratio of medians, and that ratio.
    pub worst: (usize, f64),
}

/// All of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// A row for each cell, in the order of the cells.
    pub rows: Vec<Row>,
    /// Means for each budget and each learner but the baseline.
    pub means: Vec<Mean>,
}

/// Logarithms of the ratios of medians and of 90th percentiles.
type Logs = [f64; 2];

/// Ratios of one learner on one surface with one budget, and those of every resample.
struct Resampled {
    value: Logs,
    resamples: Vec<Logs>,
}

impl Comparison {
    /// Compares the cells that a campaign came to; `baseline` is the index of a learner.
    pub fn of(campaign: &Campaign, cells: &[Cell], baseline: usize) -> Self {
        let learners = campaign.contenders.len();
        let groups: Vec<&[Cell]> = cells.chunks(learners).collect();
        let resampled: Vec<Vec<Resampled>> = groups
            .par_iter()
            .map(|group| resampled(campaign, group, baseline))
            .collect();
        let rows = groups
            .iter()
            .zip(&resampled)
            .flat_map(|(group, resampled)| {
                let pairs = group.iter().zip(resampled);
                pairs.map(|(cell, logs)| row(campaign, cell, baseline, logs))
            })
            .collect();
        let means = campaign.budgets.iter().flat_map(|&budget| {
            let of_budget: Vec<usize> = (0..groups.len())
                .filter(|&group| groups[group][0].budget == budget)
                .collect();
            let others = (0..learners).filter(move |&contender| contender != baseline);
            let resampled = &resampled;
            others.map(move |contender| {
                let list: Vec<&Resampled> = of_budget
                    .iter()
                    .map(|&group| &resampled[group][contender])
                    .collect();
                mean(budget, contender, &list)
            })
        });
        Self {
            rows,
            means: means.collect(),
        }
    }
}

/// Ratios of every learner of a surface and budget, the baseline's own included.
fn resampled(campaign: &Campaign, group: &[Cell], baseline: usize) -> Vec<Resampled> {
    let regrets: Vec<Vec<f64>> = group.iter().map(|cell| regrets(&cell.outcomes)).collect();
    let surface = surface_of(campaign, &group[0]);
    let key = [number_of(&surface), group[0].budget];
    let ratios = |indices: &[usize]| -> Vec<Logs> {
        let quantiles: Vec<Logs> = regrets
            .iter()
            .map(|regrets| log_quantiles(indices.iter().map(|&index| regrets[index]).collect()))
            .collect();
        let theirs = quantiles[baseline];
        let relative = |mine: &Logs| [mine[0] - theirs[0], mine[1] - theirs[1]];
        quantiles.iter().map(relative).collect()
    };
    let all: Vec<usize> = (0..regrets[0].len()).collect();
    let mut list: Vec<Resampled> = ratios(&all)
        .into_iter()
        .map(|value| Resampled {
            value,
            resamples: Vec::with_capacity(RESAMPLES as usize),
        })
        .collect();
    for number in 0..RESAMPLES {
        let indices = resample(key, number, all.len());
        for (learner, logs) in list.iter_mut().zip(ratios(&indices)) {
            learner.resamples.push(logs);
        }
    }
    list
}

/// Logarithms of the median and the 90th percentile.
fn log_quantiles(mut regrets: Vec<f64>) -> Logs {
    regrets.sort_unstable_by(f64::total_cmp);
    [MEDIAN, P90].map(|share| libm::log(quantile(&regrets, share).max(LEAST_REGRET)))
}

fn regrets(outcomes: &[Outcome]) -> Vec<f64> {
    outcomes.iter().map(|outcome| outcome.regret).collect()
}

fn surface_of(campaign: &Campaign, cell: &Cell) -> Surface {
    let name = &campaign.surfaces[cell.surface];
    Surface::named(name, campaign.seeds.start).expect("a campaign's surfaces are known")
}

fn row(campaign: &Campaign, cell: &Cell, baseline: usize, logs: &Resampled) -> Row {
    let regrets = regrets(&cell.outcomes);
    let mut sorted = regrets.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let games: u64 = cell.outcomes.iter().map(|outcome| outcome.games).sum();
    let times = cell.outcomes.iter().map(|outcome| outcome.learner_time);
    let seconds: f64 = times.map(|time| time.as_secs_f64()).sum();
    Row {
        surface: cell.surface,
        budget: cell.budget,
        contender: cell.contender,
        median: quantile(&sorted, MEDIAN),
        p90: quantile(&sorted, P90),
        ratios: (cell.contender != baseline).then(|| [0, 1].map(|which| ratio(logs, which))),
        trace: trace(cell, surface_of(campaign, cell).start_regret()),
        learner_time: Duration::from_secs_f64(1_000.0 * seconds / games.max(1) as f64),
        regrets,
    }
}

/// Median regrets after each tenth of the budget, from that of the start.
fn trace(cell: &Cell, start: f64) -> Vec<f64> {
    let at = |tenths: u32| {
        let games = u64::from(cell.budget) * u64::from(tenths) / u64::from(TRACE_POINTS);
        let in_force = |outcome: &Outcome| {
            let played = outcome.trace.partition_point(|point| point.games <= games);
            let last = played.checked_sub(1).map(|last| outcome.trace[last].regret);
            last.unwrap_or(start)
        };
        let mut regrets: Vec<f64> = cell.outcomes.iter().map(in_force).collect();
        regrets.sort_unstable_by(f64::total_cmp);
        quantile(&regrets, MEDIAN)
    };
    (1..=TRACE_POINTS).map(at).collect()
}

/// The ratio of medians (0) or of 90th percentiles (1).
fn ratio(logs: &Resampled, which: usize) -> Ratio {
    let mut resamples: Vec<f64> = logs.resamples.iter().map(|logs| logs[which]).collect();
    resamples.sort_unstable_by(f64::total_cmp);
    Ratio {
        value: libm::exp(logs.value[which]),
        interval: ENDS.map(|end| libm::exp(quantile(&resamples, end))),
    }
}

/// Geometric means over surfaces; resamples of the same number belong together.
fn mean(budget: u32, contender: usize, surfaces: &[&Resampled]) -> Mean {
    let average = |logs: &dyn Fn(&Resampled) -> Logs| -> Logs {
        [0, 1].map(|which| {
            let sum: f64 = surfaces.iter().map(|surface| logs(surface)[which]).sum();
            sum / surfaces.len() as f64
        })
    };
    let whole = Resampled {
        value: average(&|surface| surface.value),
        resamples: (0..RESAMPLES as usize)
            .map(|number| average(&|surface| surface.resamples[number]))
            .collect(),
    };
    let medians = surfaces.iter().map(|surface| surface.value[0]);
    let worst = medians.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let (surface, log) = worst.expect("a campaign has surfaces");
    Mean {
        budget,
        contender,
        ratios: [0, 1].map(|which| ratio(&whole, which)),
        worst: (surface, libm::exp(log)),
    }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
