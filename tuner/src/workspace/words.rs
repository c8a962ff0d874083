//! What runs have in words that no file spells out.

use sixfold_engine::config::GameRules;

/// A game with its board, such as `dots and boxes 5x5` (rows x columns of boxes) or `amazons 10x10`
/// (files x ranks).
pub(crate) fn game_words(game: GameRules) -> String {
    match game {
        GameRules::DotsAndBoxes { rows, cols } => format!("dots and boxes {rows}x{cols}"),
        GameRules::Amazons { files, ranks } => format!("amazons {files}x{ranks}"),
    }
}

/// A game in a sentence, with its board.
pub(crate) fn game_in_full(rules: GameRules) -> String {
    match rules {
        GameRules::DotsAndBoxes { rows, cols } => {
            format!("Dots and Boxes on {rows}x{cols} boxes")
        }
        GameRules::Amazons { files, ranks } => format!("Amazons on {files}x{ranks} squares"),
    }
}
