//! The program `tuner`: check, run, resume, verify and export tuning jobs; play matches.

mod cli;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
