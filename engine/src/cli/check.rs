//! `engine check`: a configuration, resolved.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use sixfold_engine::config;
use sixfold_engine::params::{PlanRow, SHARE};
use sixfold_engine::stage::{Searcher, Stage, Start};

use super::Done;
use super::positions::load;

/// Arguments of `check`.
#[derive(Args)]
pub(super) struct CheckArguments {
    /// The configuration
    file: PathBuf,
}

/// Checks the configuration and prints it.
pub(super) fn run(arguments: &CheckArguments) -> Done {
    let config = load(&arguments.file)?;
    let mut out = stdout().lock();
    writeln!(
        out,
        "{} is valid (format {})",
        arguments.file.display(),
        config::FORMAT
    )?;
    writeln!(out, "game     {}", config.game)?;
    writeln!(out, "budget   {}", config.budget)?;
    for stage in &config.stages {
        writeln!(out, "{}", describe(stage))?;
    }
    Ok(())
}

fn describe(stage: &Stage) -> String {
    let start = match stage.start {
        Start::Ply(ply) => format!("from ply {ply}"),
        Start::EdgesLeft(edges) => format!("from {edges} edges left"),
        Start::Filled(share) => format!("from {share} filled"),
        Start::ProgressBelow(limit) => format!("from less than {limit} contested"),
        Start::Solvable => "as soon as it can be solved".to_owned(),
    };
    let searcher = match stage.searcher {
        Searcher::Uct(_) => "UCT",
        Searcher::LeafUcb(_) => "UCB over all leaves",
        Searcher::IterativeDeepening(_) => "iterative deepening",
        Searcher::PrincipalVariation(_) => "principal variation search",
        Searcher::AlphaBeta => "exact alpha-beta",
    };
    let mut line = format!("{:<9}{start}: {searcher}", stage.name);
    // What is as always goes without saying, but for C.
    let told = |(row, value): &(&PlanRow, f64)| {
        row.spec.key() == "exploration" || *value != row.spec.default
    };
    for (row, value) in stage.rows().filter(told) {
        line += &format!(", {} {value}", row.spec.name);
    }
    for key in config::CHOICE_KEYS {
        if let Some(word) = stage.choice(key) {
            line += &format!(", {key} {word}");
        }
    }
    for (key, owner) in &stage.same_as {
        line += &format!(" [{key} as {owner}]");
    }
    if stage.share != SHARE.default {
        line += &format!(", share {}", stage.share);
    }
    if stage.takes_savings {
        line += ", takes savings";
    }
    line
}
