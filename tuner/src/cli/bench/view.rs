//! What a bench came to, for people and for programs.

use std::fmt::Write;

use serde::Serialize;
use sixfold_tuner::bench::Comparison;
use sixfold_tuner::bench::comparison::{LEAST_REGRET, RESAMPLES, Ratio};
use sixfold_tuner::bench::surface::Surface;

use super::plan::Plan;

/// Widest name of a learner that stands beside its numbers.
const NAME_WIDTH: usize = 18;

/// Keys are documented in `docs/bench.md`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) surfaces: Vec<SurfaceView>,
    pub(super) learners: Vec<String>,
    pub(super) baseline: String,
    pub(super) budgets: Vec<u32>,
    /// The first seed, and the one behind the last.
    pub(super) seeds: [u64; 2],
    pub(super) draws: f64,
    pub(super) in_flight: usize,
    pub(super) resamples: u32,
    pub(super) least_regret: f64,
    pub(super) cells: Vec<CellView>,
    pub(super) means: Vec<MeanView>,
}

#[derive(Debug, Serialize)]
pub(super) struct SurfaceView {
    pub(super) name: String,
    pub(super) parameters: usize,
    pub(super) start_regret: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct CellView {
    pub(super) surface: String,
    pub(super) budget: u32,
    pub(super) learner: String,
    pub(super) median: f64,
    pub(super) p90: f64,
    pub(super) median_ratio: Option<RatioView>,
    pub(super) p90_ratio: Option<RatioView>,
    pub(super) learner_seconds_per_1000_games: f64,
    pub(super) trace: Vec<f64>,
    pub(super) regrets: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct MeanView {
    pub(super) budget: u32,
    pub(super) learner: String,
    pub(super) median_ratio: RatioView,
    pub(super) p90_ratio: RatioView,
    pub(super) worst_median_ratio: f64,
    pub(super) worst_surface: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct RatioView {
    pub(super) value: f64,
    pub(super) interval_95: [f64; 2],
}

impl From<Ratio> for RatioView {
    fn from(ratio: Ratio) -> Self {
        Self {
            value: ratio.value,
            interval_95: ratio.interval,
        }
    }
}

impl Report {
    pub(super) fn of(plan: &Plan, comparison: &Comparison) -> Self {
        let campaign = &plan.campaign;
        let learner = |index: usize| campaign.contenders[index].name.clone();
        let cells = comparison.rows.iter().map(|row| CellView {
            surface: campaign.surfaces[row.surface].clone(),
            budget: row.budget,
            learner: learner(row.contender),
            median: row.median,
            p90: row.p90,
            median_ratio: row.ratios.map(|ratios| ratios[0].into()),
            p90_ratio: row.ratios.map(|ratios| ratios[1].into()),
            learner_seconds_per_1000_games: row.learner_time.as_secs_f64(),
            trace: row.trace.clone(),
            regrets: row.regrets.clone(),
        });
        let means = comparison.means.iter().map(|mean| MeanView {
            budget: mean.budget,
            learner: learner(mean.contender),
            median_ratio: mean.ratios[0].into(),
            p90_ratio: mean.ratios[1].into(),
            worst_median_ratio: mean.worst.1,
            worst_surface: campaign.surfaces[mean.worst.0].clone(),
        });
        let surfaces = campaign.surfaces.iter().filter_map(|name| {
            let surface = Surface::named(name, campaign.seeds.start)?;
            Some(SurfaceView {
                name: name.clone(),
                parameters: surface.space().parameters.len(),
                start_regret: surface.start_regret(),
            })
        });
        Self {
            surfaces: surfaces.collect(),
            learners: (0..campaign.contenders.len()).map(learner).collect(),
            baseline: learner(plan.baseline),
            budgets: campaign.budgets.clone(),
            seeds: [campaign.seeds.start, campaign.seeds.end],
            draws: plan.draws,
            in_flight: campaign.in_flight,
            resamples: RESAMPLES,
            least_regret: LEAST_REGRET,
            cells: cells.collect(),
            means: means.collect(),
        }
    }
}

/// Tables for a terminal, at most 100 columns wide.
pub(super) fn text(report: &Report) -> String {
    let mut out = heading(report);
    for surface in &report.surfaces {
        let (name, parameters) = (&surface.name, surface.parameters);
        let _ = writeln!(
            out,
            "\n{name}: {parameters} parameters, {:.0} Elo to gain",
            surface.start_regret
        );
        out.push_str(&line(
            &["games", "learner", "median", "p90"],
            &RATIO_HEADS,
            "s/1,000",
        ));
        let mut budget = None;
        for cell in report.cells.iter().filter(|cell| cell.surface == *name) {
            let games = games_column(&mut budget, cell.budget);
            let numbers = [regret(cell.median), regret(cell.p90)];
            let ratios = [cell.median_ratio, cell.p90_ratio].map(ratio);
            let seconds = format!("{:.4}", cell.learner_seconds_per_1000_games);
            let left = [&games, &cell.learner, &numbers[0], &numbers[1]];
            out.push_str(&line(&left, &ratios, &seconds));
        }
    }
    out.push_str(&means(report));
    out
}

const RATIO_HEADS: [&str; 2] = ["ratio of medians", "ratio of p90s"];

fn heading(report: &Report) -> String {
    let [first, end] = report.seeds;
    let draws = 100.0 * report.draws;
    format!(
        "Regret in Elo: median and 90th percentile of the seeds {first} to {}.\n\
         Ratios to {}: below 1 is better; in brackets 95 % bootstrap intervals.\n\
         Trials in flight: {}. Draws between equals: {draws} %. s/1,000: seconds of the learner \
         for 1,000 games.\n",
        end - 1,
        report.baseline,
        report.in_flight,
    )
}

fn means(report: &Report) -> String {
    let surfaces = report.surfaces.len();
    let mut out = format!("\nSurfaces: {surfaces}, geometric means of the ratios\n");
    let heads = ["games", "learner", "", ""];
    out.push_str(&line(&heads, &RATIO_HEADS, "worst median"));
    let mut budget = None;
    for mean in &report.means {
        let games = games_column(&mut budget, mean.budget);
        let ratios = [mean.median_ratio, mean.p90_ratio].map(|mean| ratio(Some(mean)));
        let worst = format!("{} {}", number(mean.worst_median_ratio), mean.worst_surface);
        out.push_str(&line(&[&games, &mean.learner, "", ""], &ratios, &worst));
    }
    out
}

/// The games, where they are not those of the line above.
fn games_column(above: &mut Option<u32>, budget: u32) -> String {
    if above.replace(budget) == Some(budget) {
        return String::new();
    }
    let digits = budget.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// One line of a table: games, learner, two numbers; two ratios; what stands last. A long name has
/// a line of its own.
fn line(left: &[impl AsRef<str>; 4], ratios: &[impl AsRef<str>; 2], last: &str) -> String {
    let [games, name, median, p90] = left.each_ref().map(AsRef::as_ref);
    let [one, two] = ratios.each_ref().map(AsRef::as_ref);
    if name.chars().count() > NAME_WIDTH {
        return format!("{games:>10}  {name}\n") + &line(&["", "", median, p90], ratios, last);
    }
    let numbers = if median.is_empty() {
        String::new()
    } else {
        format!("{median:>8}{p90:>8}  ")
    };
    let text = format!("{games:>10}  {name:<NAME_WIDTH$}{numbers}  {one:<20}  {two:<20} {last:>7}");
    format!("{}\n", text.trim_end())
}

fn ratio(ratio: Option<RatioView>) -> String {
    let Some(RatioView { value, interval_95 }) = ratio else {
        return "baseline".into();
    };
    let [low, high] = interval_95.map(number);
    format!("{} [{low}, {high}]", number(value))
}

/// Two decimals, fewer where there are more digits before the point.
fn number(value: f64) -> String {
    match value {
        value if value < 99.95 => format!("{value:.2}"),
        value if value < 9_999.5 => format!("{value:.0}"),
        value => format!("{value:.0e}"),
    }
}

fn regret(value: f64) -> String {
    if value < 99.95 {
        format!("{value:.2}")
    } else {
        format!("{value:.1}")
    }
}
