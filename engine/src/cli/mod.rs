//! Command line of the program `engine`: arguments in, exit code out.

mod analyse;
mod commands;
mod exit;
mod review;

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use exit::{Exit, Failure, bad_input};

/// A staged game engine whose every constant can be tuned.
#[derive(Parser)]
#[command(name = "engine", version, after_help = exit::help())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play against the engine at a prompt, or one configuration against another
    Play(PlayArguments),
    /// Solve positions exactly
    Solve(SolveArguments),
    /// Explain a position: the engine's move, what its search saw, exact values, chains
    Analyse(analyse::AnalyseArguments),
    /// Find the moves of a recorded game that lost exact value
    Review(review::ReviewArguments),
    /// Count the move sequences of a length
    Perft(PerftArguments),
    /// Measure speeds and print the signature of the engine's behaviour
    Bench(BenchArguments),
    /// List the tunable parameters
    Params(ParamsArguments),
    /// Check a configuration and print it resolved
    Check(CheckArguments),
}

/// A seat at the board.
#[derive(Clone, Copy, ValueEnum)]
enum Seat {
    /// Moves first
    First,
    /// Moves second
    Second,
}

#[derive(Args)]
struct PlayArguments {
    /// The engine's configuration
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Play one game against this configuration instead of a person; it sits as Second
    #[arg(long, value_name = "FILE", conflicts_with = "human")]
    against: Option<PathBuf>,
    /// Where the person sits
    #[arg(long, value_enum, default_value = "first")]
    human: Seat,
    /// Start from this position instead of the empty board, such as 5x5:0
    #[arg(long, value_name = "ROWSxCOLS:HEXMASK")]
    position: Option<String>,
    /// Seed of the engine's random streams, below 2^53
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Seconds after which a search that has not moved is given up, once for a fresh one, then for
    /// the best move known [default: 60, or twice the time of the budget if that is more]
    #[arg(long, value_name = "SECONDS", value_parser = deadline)]
    deadline: Option<f64>,
}

#[derive(Args)]
struct SolveArguments {
    /// The position: ROWSxCOLS:HEXMASK[:FIRST-SECOND:TURN]
    #[arg(
        value_name = "POSITION",
        required_unless_present = "input",
        conflicts_with = "input"
    )]
    position: Option<String>,
    /// Solve every line {"position":"…"} of this file ("-" is standard input)
    #[arg(long, value_name = "FILE.jsonl")]
    input: Option<PathBuf>,
    /// List every optimal move, not only those that the search itself proved
    #[arg(long)]
    all_moves: bool,
    /// Say only who wins, boxes taken so far included, at a fraction of the cost
    #[arg(long, conflicts_with = "all_moves")]
    win_loss: bool,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table_mib: u32,
    /// Threads that solve a position together; answers are the same, nodes vary with more than one
    #[arg(long, default_value = "1", value_parser = threads)]
    threads: NonZero<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Most threads of one search.
const THREADS_MAX: u16 = 256;

fn threads(text: &str) -> Result<NonZero<u16>, String> {
    match text.parse::<NonZero<u16>>() {
        Ok(count) if count.get() <= THREADS_MAX => Ok(count),
        _ => Err(format!(
            "expected a number of threads from 1 to {THREADS_MAX}"
        )),
    }
}

fn deadline(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.01..=1_209_600.0).contains(&value) => Ok(value),
        _ => Err("expected seconds from 0.01 to 1209600, two weeks".into()),
    }
}

#[derive(Args)]
struct PerftArguments {
    /// The position
    position: String,
    /// Moves in a sequence
    #[arg(value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
}

#[derive(Args)]
struct BenchArguments {
    /// Configuration that plays the games [default: the built-in dots-paper]
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

#[derive(Args)]
struct ParamsArguments {
    /// List the parameters of this configuration with their paths and values
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct CheckArguments {
    /// The configuration
    file: PathBuf,
}

/// Parses the arguments, acts, and reports.
#[expect(clippy::print_stderr, reason = "the program's own error line")]
pub(crate) fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Play(arguments) => commands::play(&arguments),
        Command::Solve(arguments) => commands::solve(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Perft(arguments) => commands::perft(&arguments),
        Command::Bench(arguments) => commands::bench(&arguments),
        Command::Params(arguments) => commands::params(&arguments),
        Command::Check(arguments) => commands::check(&arguments),
    };
    let exit = match result {
        Ok(()) => Exit::Success,
        Err(failure) if failure.reader_left() => Exit::Success,
        Err(failure) => {
            eprintln!("error: {:#}", failure.error);
            failure.exit
        }
    };
    ExitCode::from(exit as u8)
}
