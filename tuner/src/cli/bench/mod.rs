//! `tuner bench`: learners on synthetic surfaces, side by side.

mod learners;
mod plan;
mod view;

use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sixfold_tuner::bench::campaign::CampaignError;
use sixfold_tuner::bench::{Campaign, Comparison};

use super::stop::stop_flag;
use super::{Outcome, use_threads};
use crate::workspace::exit::{Exit, Failure};

/// How often progress is told where standard error is no terminal: after each tenth of the runs.
const PROGRESS_PARTS: usize = 10;

/// Texts are read here and not by the argument parser, so that every error names its range.
#[derive(Args)]
pub(super) struct BenchArguments {
    /// Surfaces by name, or two (ten of two parameters), eight (three of eight) or all
    #[arg(long, value_name = "LIST", default_value = plan::SURFACES)]
    surfaces: String,
    /// Learners: KIND, or KIND:key=value,... with the keys of a job's learner table
    #[arg(long, value_name = "LIST", default_value = plan::LEARNERS)]
    learners: String,
    /// The learner that the others are compared to, as in --learners; added when missing there
    #[arg(long, value_name = "LEARNER", default_value = plan::BASELINE)]
    baseline: String,
    /// Games of a run
    #[arg(long, value_name = "LIST", default_value = plan::BUDGETS, allow_hyphen_values = true)]
    budgets: String,
    /// Seeds from FIRST to before END, a run each in every cell
    #[arg(long, value_name = "FIRST..END", default_value = plan::SEEDS,
          allow_hyphen_values = true)]
    seeds: String,
    /// Share of draws between equals, 0 to 0.9
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0",
        allow_hyphen_values = true
    )]
    draws: String,
    /// Trials in flight: how many a learner is asked for at once
    #[arg(long, value_name = "N", default_value_t = plan::IN_FLIGHT,
          value_parser = clap::value_parser!(u16).range(1..=4096))]
    in_flight: u16,
    /// Threads; they change the speed and nothing else [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn bench(arguments: &BenchArguments) -> Outcome {
    let plan = plan::read(arguments)?;
    use_threads(arguments.threads)?;
    let stop = stop_flag()?;
    let progress = Progress::new(&plan.campaign);
    let played = plan.campaign.play(&stop, &|done| progress.tell(done));
    progress.end();
    let cells = match played {
        Ok(cells) => cells,
        Err(error @ CampaignError::Interrupted { .. }) => {
            return Err(Failure {
                exit: Exit::Interrupted,
                error: anyhow!(error),
            });
        }
        Err(error) => return Err(error.into()),
    };
    let comparison = Comparison::of(&plan.campaign, &cells, plan.baseline);
    let report = view::Report::of(&plan, &comparison);
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{}", view::text(&report))?;
    }
    Ok(Exit::Success)
}

/// How many runs are over, on standard error: a bar on a terminal, lines elsewhere.
struct Progress {
    runs: usize,
    bar: Option<ProgressBar>,
    /// Parts of the runs that were told.
    told: AtomicUsize,
}

impl Progress {
    fn new(campaign: &Campaign) -> Self {
        let runs = campaign.runs();
        let bar = stderr().is_terminal().then(|| {
            let template = "{elapsed_precise} {wide_bar} {pos} of {len} runs";
            let style = ProgressStyle::with_template(template);
            ProgressBar::new(runs as u64).with_style(style.expect("the template is well formed"))
        });
        Self {
            runs,
            bar,
            told: AtomicUsize::new(0),
        }
    }

    fn tell(&self, done: usize) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            return;
        }
        let part = done * PROGRESS_PARTS / self.runs;
        if self.told.fetch_max(part, Ordering::Relaxed) < part {
            // Nobody has to listen.
            let _ = writeln!(stderr(), "{done} of {} runs", self.runs);
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
