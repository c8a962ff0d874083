//! `engine bench`: speeds and the signature.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sixfold_engine::bench as measure;
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::{RolloutPolicy, WORK_WEIGHTS};
use sixfold_engine::game::GameKind;

use super::positions::load;
use super::{Done, bad_input};

/// The configuration of the bench's games, built in so that it is there wherever one measures.
const DOTS_PAPER: &str = include_str!("../../../configs/engines/dots-paper.toml");

/// Simulations of a search that `bench --uct` measures, unless stated.
const UCT_SIMULATIONS: u64 = 10_000;

/// Arguments of `bench`.
#[derive(Args)]
pub(super) struct BenchArguments {
    /// Configuration that plays the games; its game is measured [default: the built-in dots-paper]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Seconds for each figure
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Print the signature and nothing else
    #[arg(long)]
    signature: bool,
    /// Measure what the events of work cost here, beside their weights in force
    #[arg(long, conflicts_with_all = ["signature", "config", "uct", "seconds"])]
    weights: bool,
    /// Measure nothing but UCT from the empty 5x5 board, with these rollouts; prints JSON
    #[arg(long, value_enum, value_name = "ROLLOUT", conflicts_with_all = ["signature", "config"])]
    uct: Option<Rollout>,
    /// Simulations of each of these searches [default: 10000]
    #[arg(long, value_name = "N", requires = "uct",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    simulations: Option<u64>,
    /// Print JSON
    #[arg(long, conflicts_with = "signature")]
    json: bool,
}

/// Rollouts that `bench --uct` measures, each with the moves it belongs to.
#[derive(Clone, Copy, ValueEnum)]
enum Rollout {
    /// All moves, uniformly random rollouts
    Uniform,
    /// Sufficient moves, safe rollouts ended by the formula
    Safe,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.01..=3600.0).contains(&value) => Ok(value),
        _ => Err("expected seconds from 0.01 to 3600".into()),
    }
}

/// Measures.
pub(super) fn run(arguments: &BenchArguments) -> Done {
    let mut out = stdout().lock();
    if arguments.signature {
        writeln!(out, "dots={}", measure::signature())?;
        writeln!(out, "amazons={}", measure::amazons::signature())?;
        return Ok(());
    }
    if arguments.weights {
        return print_weights(&mut out, arguments.json);
    }
    if let Some(rollout) = arguments.uct {
        let policy = match rollout {
            Rollout::Uniform => RolloutPolicy::Uniform,
            Rollout::Safe => RolloutPolicy::Safe,
        };
        let simulations = arguments.simulations.unwrap_or(UCT_SIMULATIONS);
        let report = measure::uct(policy, simulations, arguments.seconds);
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    let config = match &arguments.config {
        Some(path) => load(path)?,
        None => EngineConfig::parse(Path::new("dots-paper.toml"), DOTS_PAPER).map_err(bad_input)?,
    };
    match config.game.kind() {
        GameKind::DotsAndBoxes => bench_dots(&config, arguments, &mut out),
        GameKind::Amazons => bench_amazons(&config, arguments, &mut out),
    }
}

fn bench_amazons(config: &EngineConfig, arguments: &BenchArguments, out: &mut dyn Write) -> Done {
    let report = measure::amazons::bench(config, arguments.seconds);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    for (name, value, decimals) in [
        (
            "evaluations/s, a game on 10x10",
            report.evaluations_per_s,
            0,
        ),
        (
            "times as many as square by square",
            report.evaluations_to_naive,
            1,
        ),
        (
            "half-moves/s, principal variation",
            report.search_nodes_per_s,
            0,
        ),
        (
            "UCT simulations/s, 1,000, widened",
            report.uct_simulations_per_s,
            0,
        ),
        (
            "half-moves/s, exact search on 5x5",
            report.solver_nodes_per_s,
            0,
        ),
        (
            "self-play games/s of the configuration",
            report.games_per_s,
            1,
        ),
    ] {
        writeln!(out, "{name:<44}{value:>14.decimals$}")?;
    }
    write_share(report.share_outside_search, out)?;
    for (side, seconds) in &report.seconds_per_game {
        let name = format!("ms a game on {side}x{side}");
        writeln!(out, "{name:<44}{:>14.2}", 1e3 * seconds)?;
    }
    writeln!(out, "{:<44}amazons={}", "signature", report.signature)?;
    Ok(())
}

fn write_share(share: f64, out: &mut dyn Write) -> Done {
    let name = "share of these games outside search";
    writeln!(out, "{name:<44}{:>13.1}%", 100.0 * share)?;
    Ok(())
}

fn bench_dots(config: &EngineConfig, arguments: &BenchArguments, out: &mut dyn Write) -> Done {
    let report = measure::bench(config, arguments.seconds);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    let mut row = |name: &str, value: f64| writeln!(out, "{name:<44}{value:>14.0}");
    row(
        "uniform rollouts/s, empty 5x5",
        report.uniform_rollouts_per_s,
    )?;
    row("safe rollouts/s, empty 5x5", report.safe_rollouts_per_s)?;
    row(
        "UCT simulations/s, 1,000, uniform",
        report.uct_1000_simulations_per_s,
    )?;
    row(
        "UCT simulations/s, 10,000, uniform",
        report.uct_10000_simulations_per_s,
    )?;
    row(
        "UCT simulations/s, 1,000, sufficient and safe",
        report.uct_safe_1000_simulations_per_s,
    )?;
    row("solver nodes/s, 34 edges left", report.solver_nodes_per_s)?;
    row("self-play games/s of the configuration", report.games_per_s)?;
    write_share(report.share_outside_search, out)?;
    writeln!(out, "{:<44}dots={}", "signature", report.signature)?;
    Ok(())
}

fn print_weights(out: &mut impl Write, json: bool) -> Done {
    let costs = measure::weights();
    if json {
        writeln!(out, "{}", serde_json::to_string(&costs)?)?;
        return Ok(());
    }
    let titles = ["ns", "measured", "in force"];
    writeln!(
        out,
        "{:<36}{:>9}{:>11}{:>11}",
        "event", titles[0], titles[1], titles[2]
    )?;
    for cost in costs {
        let (ns, measured) = (cost.ns, cost.measured_weight);
        writeln!(
            out,
            "{:<36}{ns:>9.1}{measured:>11.1}{:>11}",
            cost.event, cost.weight
        )?;
    }
    let version = WORK_WEIGHTS.version;
    writeln!(
        out,
        "\nversion {version} of the weights is in force; measured ones make the uniform ply 1"
    )?;
    Ok(())
}
