//! `engine perft`: counts of sequences of moves, or of whole turns.

use std::io::{Write, stdout};

use anyhow::anyhow;
use clap::Args;
use sixfold_engine::game::amazons::perft_turns;
use sixfold_engine::game::perft as count;
use sixfold_engine::game::{GameKind, Position};
use sixfold_engine::games::{Amazons, DotsAndBoxes};
use sixfold_engine::protocol::positions::kind_of_text;

use super::positions::{read_position, shown};
use super::{Done, Failure, bad_input};

/// Most leaves of a count, so that a mistyped depth does not run for years.
const PERFT_LEAVES_MAX: f64 = 1e12;

/// Arguments of `perft`.
#[derive(Args)]
pub(super) struct PerftArguments {
    /// The position: ROWSxCOLS:HEXMASK or, of the Amazons, a FEN or a start such as amazons:10x10
    position: String,
    /// Moves in a sequence; in the Amazons whole turns
    #[arg(value_parser = clap::value_parser!(u32).range(..=64))]
    depth: u32,
}

/// Counts.
pub(super) fn run(arguments: &PerftArguments) -> Done {
    let number = match kind_of_text(&arguments.position) {
        GameKind::DotsAndBoxes => count_edges(&arguments.position, arguments.depth)?,
        GameKind::Amazons => count_turns(&arguments.position, arguments.depth)?,
    };
    writeln!(stdout(), "{number}")?;
    Ok(())
}

fn count_edges(text: &str, depth: u32) -> Result<u64, Failure> {
    let position = read_position::<DotsAndBoxes>(text)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let leaves = (0..depth as usize).map(|ply| moves.len().saturating_sub(ply).max(1) as f64);
    check_leaves(depth, leaves.product())?;
    Ok(count::perft(&position, depth))
}

fn count_turns(text: &str, depth: u32) -> Result<u64, Failure> {
    let position = read_position::<Amazons>(text)?;
    if let Some(shooter) = position.shooter() {
        return Err(bad_input(anyhow!(
            "position {}: the amazon on {shooter} has yet to shoot; expected a position between \
             turns, since whole turns are counted",
            shown(text)
        )));
    }
    // As many turns as there are now, for as long as there are squares to fill.
    let turns = perft_turns(&position, depth.min(1)) as f64;
    let filling = depth.min(position.empty().count_ones());
    check_leaves(depth, libm::pow(turns, f64::from(filling)))?;
    Ok(perft_turns(&position, depth))
}

fn check_leaves(depth: u32, leaves: f64) -> Done {
    if leaves > PERFT_LEAVES_MAX {
        return Err(bad_input(anyhow!(
            "depth {depth} has about {leaves:.0e} sequences; \
             at most {PERFT_LEAVES_MAX:.0e} are counted"
        )));
    }
    Ok(())
}
