//! The program `tuner`: check, run, resume, verify and export tuning jobs; play matches;
//! serve them all.

mod cli;
mod service;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
