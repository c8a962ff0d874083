//! Command line of the program `tuner`: arguments in, exit code out.

mod bench;
mod check;
mod contest;
mod differences;
mod experiments;
mod export;
mod export_games;
mod forecast;
mod fsck;
mod games;
mod pilot;
mod queue;
mod remote;
mod replay;
mod report;
mod run;
mod serve;
mod squares;
mod stats;
mod status;
mod stop;
mod tables;
mod work;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use sixfold_tuner::run::CHECKPOINT_INTERVAL;

use crate::workspace::exit::{self, Exit, Failure};
use crate::workspace::logging;

/// Tunes the parameters of a game engine by self-play, verifies the result, and exports it.
#[derive(Parser)]
#[command(name = "tuner", version, after_help = exit::help())]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a job and plan it: games, time, what can be resolved
    Check(CheckArguments),
    /// Run a job to its end: tune, verify, report
    Run(RunArguments),
    /// Go on with a run that was interrupted; where a service runs, it does so
    Resume(ResumeArguments),
    /// Show a run, or list all runs
    Status(StatusArguments),
    /// List all runs with their places in the queue
    Ls(queue::ListArguments),
    /// Hand a job to the queue that `serve` works through
    Submit(queue::SubmitArguments),
    /// Let a run stand still
    Pause(queue::StepArguments),
    /// Take a run out of the queue; nothing of it is deleted
    Cancel(queue::StepArguments),
    /// Tell whether a run on disk is whole, part by part; changes nothing
    Fsck(FsckArguments),
    /// Play another verification of a finished run; where a service runs, it does so
    Verify(ResumeArguments),
    /// Write the report of a run: one HTML file with plots
    Report(report::ReportArguments),
    /// Write the tuned values into an engine configuration
    Export(ExportArguments),
    /// Play any game of a run again, move by move
    Replay(replay::ReplayArguments),
    /// Write every game of a run as a row, for other tools
    ExportGames(export_games::ExportGamesArguments),
    /// Play a match of two engine configurations
    Match(MatchArguments),
    /// Elo, interval, LOS and sequential test of a match's counts
    Stats(StatsArguments),
    /// Play the matches of experiment files and print a table for each
    Experiments(ExperimentsArguments),
    /// Compare learners on synthetic surfaces with a known optimum
    Bench(bench::BenchArguments),
    /// Serve a folder of runs: a queue, an API and a page
    Serve(serve::ServeArguments),
    /// Go on with a run for the service
    #[command(hide = true)]
    Work(work::WorkArguments),
}

#[derive(Args)]
struct CheckArguments {
    /// The job file
    job: PathBuf,
    /// Threads to plan for [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Play no games to measure how fast they are
    #[arg(long)]
    no_pilot: bool,
    /// Simulate no runs to say what the games can find
    #[arg(long)]
    no_forecast: bool,
}

#[derive(Args)]
struct RunArguments {
    /// The job file
    job: PathBuf,
    /// Name of the run [default: the job file's name, or its next free variant]
    #[arg(long)]
    name: Option<String>,
    /// Seed instead of the job's, below 2^53
    #[arg(long, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: Option<u64>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct ResumeArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    #[command(flatten)]
    common: Common,
}

/// What every command that plays a run's games takes.
#[derive(Args)]
struct Common {
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Threads; they change the speed and nothing else [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Longest time between two checkpoints in seconds, 0 for one after every batch; it changes
    /// what a power cut costs and nothing else
    #[arg(long, value_name = "SECONDS", default_value_t = CHECKPOINT_INTERVAL.as_secs(),
          value_parser = clap::value_parser!(u64).range(0..=CHECKPOINT_INTERVAL.as_secs()))]
    checkpoint_seconds: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Common {
    fn checkpoint_interval(&self) -> Duration {
        Duration::from_secs(self.checkpoint_seconds)
    }
}

#[derive(Args)]
struct StatusArguments {
    /// The run: its name under --runs, or the path of its folder [default: list all]
    run: Option<String>,
    /// Print a line whenever something changes, until the run stands still
    #[arg(long, requires = "run")]
    follow: bool,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct FsckArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ExportArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    /// The engine configuration to write into; created when it does not exist
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// The values of the leg at this budget, instead of those for matches; needs --force
    #[arg(long, value_name = "BUDGET")]
    at: Option<u64>,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Export although no verification has accepted the values
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
struct MatchArguments {
    /// Engine configuration A, whose result is shown
    a: PathBuf,
    /// Engine configuration B
    b: PathBuf,
    /// Games to play, an even number
    #[arg(long, default_value_t = 400, conflicts_with = "sprt", value_parser = games::even_games)]
    games: u32,
    /// Play until a sequential test on normalised Elo decides between these bounds
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true,
          value_parser = contest::bounds)]
    sprt: Option<[f64; 2]>,
    /// Games after which an undecided sequential test ends, an even number
    #[arg(long, default_value_t = 20_000, requires = "sprt", value_parser = games::even_games)]
    games_max: u32,
    /// What each move may use: simulations=N (or just N), work_units=N or milliseconds=N, with
    /// /game behind it for a game's moves together [default: each configuration's own]
    #[arg(long)]
    budget: Option<sixfold_engine::clock::Budget>,
    /// Seed, below 2^53
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Threads; they change the speed and nothing else [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Give every game random numbers of its own, instead of the same to both games of a pair
    #[arg(long)]
    independent_streams: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct StatsArguments {
    /// Game pairs that scored 0, 1/2, 1, 3/2 and 2 points
    #[arg(long, value_name = "A,B,C,D,E", allow_hyphen_values = true)]
    pentanomial: Option<String>,
    /// Games won, drawn and lost
    #[arg(long, value_name = "W,D,L", allow_hyphen_values = true)]
    wdl: Option<String>,
    /// Bounds of the sequential test that stopped the match: adds the corrected estimate [default:
    /// none; the LLR is then shown for 0,20]
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    bounds: Option<String>,
    /// Unit of the bounds: normalized or logistic Elo
    #[arg(long, default_value = "normalized")]
    model: String,
    /// Error rate: probability of accepting H1 (at least the upper bound) although the strength is
    /// the lower one
    #[arg(long, default_value = "0.05", allow_hyphen_values = true)]
    alpha: String,
    /// Error rate: probability of accepting H0 (at most the lower bound) although the strength is
    /// the upper one
    #[arg(long, default_value = "0.05", allow_hyphen_values = true)]
    beta: String,
    /// Games between two looks at the test [default: one pair, or one game of --wdl alone]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    batch_games: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct ExperimentsArguments {
    /// The experiment files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only the match of this name; can be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Games a match instead of the files' own, an even number
    #[arg(long, value_parser = games::even_games)]
    games: Option<u32>,
    /// Threads; where no budget is a time they change the speed and nothing else
    /// [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print tables and charts in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// Parses the arguments, acts, and reports.
#[expect(clippy::print_stderr, reason = "the program's own error line")]
pub(crate) fn main() -> ExitCode {
    let log = logging::start();
    let result = match Arguments::parse().command {
        Command::Check(arguments) => check::check(&arguments),
        Command::Run(arguments) => run::run(&arguments, &log),
        Command::Resume(arguments) => run::resume(&arguments, &log),
        Command::Status(arguments) => status::status(&arguments),
        Command::Ls(arguments) => queue::list(&arguments),
        Command::Submit(arguments) => queue::submit(&arguments),
        Command::Pause(arguments) => queue::pause(&arguments),
        Command::Cancel(arguments) => queue::cancel(&arguments),
        Command::Fsck(arguments) => fsck::fsck(&arguments),
        Command::Verify(arguments) => run::verify(&arguments, &log),
        Command::Report(arguments) => report::report(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::ExportGames(arguments) => export_games::export_games(&arguments),
        Command::Match(arguments) => contest::contest(&arguments),
        Command::Stats(arguments) => stats::stats(&arguments),
        Command::Experiments(arguments) => experiments::experiments(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Work(arguments) => work::work(&arguments, &log),
    };
    let exit = result.unwrap_or_else(|failure: Failure| {
        if failure.reader_left() {
            return Exit::Success;
        }
        eprintln!("error: {}", failure.text());
        failure.exit
    });
    ExitCode::from(exit as u8)
}

/// Sets the number of threads that play games.
fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = threads {
        pool = pool.num_threads(usize::from(threads));
    }
    Ok(pool.build_global()?)
}

/// What a command comes to.
type Outcome = Result<Exit, Failure>;
