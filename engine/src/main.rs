//! The program `engine`: play, solve, count, measure, list and check.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
