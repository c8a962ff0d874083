//! `engine perft`: counts of move sequences.

use std::io::{Write, stdout};

use anyhow::anyhow;
use clap::Args;
use sixfold_engine::game::Position;
use sixfold_engine::game::perft as count;

use super::positions::read_position;
use super::{Done, bad_input};

/// Most leaves of a count, so that a mistyped depth does not run for years.
const PERFT_LEAVES_MAX: f64 = 1e12;

/// Arguments of `perft`.
#[derive(Args)]
pub(super) struct PerftArguments {
    /// The position
    position: String,
    /// Moves in a sequence
    #[arg(value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
}

/// Counts.
pub(super) fn run(arguments: &PerftArguments) -> Done {
    let position = read_position(&arguments.position)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let leaves: f64 = (0..arguments.depth as usize)
        .map(|ply| moves.len().saturating_sub(ply).max(1) as f64)
        .product();
    if leaves > PERFT_LEAVES_MAX {
        let depth = arguments.depth;
        return Err(bad_input(anyhow!(
            "depth {depth} has about {leaves:.0e} sequences; \
             at most {PERFT_LEAVES_MAX:.0e} are counted"
        )));
    }
    writeln!(stdout(), "{}", count::perft(&position, arguments.depth))?;
    Ok(())
}
