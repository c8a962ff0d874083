//! Command line of the program `engine`: arguments in, exit code out.

mod analyse;
mod bench;
mod check;
mod exit;
mod params;
mod perft;
mod play;
mod positions;
mod review;
mod solve;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::{Exit, Failure, bad_input};

/// How a command ends.
type Done = Result<(), Failure>;

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
    Play(play::PlayArguments),
    /// Solve positions exactly
    Solve(solve::SolveArguments),
    /// Explain a position: the engine's move, what its search saw, exact values, chains
    Analyse(analyse::AnalyseArguments),
    /// Find the moves of a recorded game that lost exact value
    Review(review::ReviewArguments),
    /// Count the move sequences of a length
    Perft(perft::PerftArguments),
    /// Measure speeds and print the signature of the engine's behaviour
    Bench(bench::BenchArguments),
    /// List the tunable parameters
    Params(params::ParamsArguments),
    /// Check a configuration and print it resolved
    Check(check::CheckArguments),
}

/// Parses the arguments, acts, and reports.
#[expect(clippy::print_stderr, reason = "the program's own error line")]
pub(crate) fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Play(arguments) => play::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Params(arguments) => params::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
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
