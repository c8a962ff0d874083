//! Configurations and positions that the commands are given.

use std::path::Path;

use anyhow::anyhow;
use sixfold_engine::config::{EngineConfig, GameRules};
use sixfold_engine::game::dots::Board;
use sixfold_engine::games::Playable;
use sixfold_engine::protocol::positions::{kind_of_text, read};

use super::{Failure, bad_input};

/// Longest part of a position that an error repeats, in characters.
const SHOWN_CHARS: usize = 48;

pub(super) fn load(path: &Path) -> Result<EngineConfig, Failure> {
    EngineConfig::load(path).map_err(bad_input)
}

/// A position's text as an error repeats it: cut if it is long, control characters escaped.
pub(super) fn shown(text: &str) -> String {
    let start: String = text.chars().take(SHOWN_CHARS).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    format!("`{}{rest}`", start.escape_debug())
}

pub(super) fn read_position<G: Playable>(text: &str) -> Result<G::Position, Failure> {
    let refused = |error| bad_input(anyhow!("position {}: {error}", shown(text)));
    read::<G>(text).map_err(refused)
}

/// Reads a position of the game that these rules are of, and of the same board.
pub(super) fn read_on_board<G: Playable>(
    rules: GameRules,
    text: &str,
) -> Result<G::Position, Failure> {
    let refused = |problem: String| bad_input(anyhow!("position {} {problem}", shown(text)));
    let kind = kind_of_text(text);
    if kind != G::KIND {
        return Err(refused(format!(
            "is of {kind}: the configuration plays {rules}"
        )));
    }
    let position = read_position::<G>(text)?;
    if G::rules_of(&position) != rules {
        return Err(refused(format!(
            "is of another size: the configuration plays {rules}"
        )));
    }
    Ok(position)
}

/// The board of a configuration for Dots and Boxes.
pub(super) fn dots_board(config: &EngineConfig) -> Result<&'static Board, Failure> {
    match config.game {
        GameRules::DotsAndBoxes { rows, cols } => {
            let board = Board::of(rows.into(), cols.into());
            Ok(board.expect("a configuration's board was checked"))
        }
        other => Err(bad_input(anyhow!(
            "the configuration plays {other}; this command knows Dots and Boxes alone"
        ))),
    }
}
