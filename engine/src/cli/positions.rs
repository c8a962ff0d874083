//! Configurations and positions that the commands are given.

use std::path::Path;

use anyhow::anyhow;
use sixfold_engine::config::{EngineConfig, GameRules};
use sixfold_engine::game::dots::{Board, Dots};

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

pub(super) fn read_position(text: &str) -> Result<Dots, Failure> {
    let refused = |error| bad_input(anyhow!("position {}: {error}", shown(text)));
    Dots::from_text(text).map_err(refused)
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
