//! Sampled games: their records, and what playing them again tells of each move.

mod again;
mod amazons;
mod dots;
mod shelf;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::page::Page;
use crate::service::reading::{Reading, listed_names};
use crate::workspace::show::named_values;

use again::{Annotated, annotate};
pub(crate) use shelf::GameShelf;

/// Largest record that is shown, in bytes.
const RECORD_BYTES_MAX: u64 = 1 << 20;

/// A record in the list.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameFileView {
    pub(crate) name: String,
    /// Round whose first game it is; null where the name does not say.
    pub(crate) round: Option<usize>,
    /// `json` or `pgn`.
    pub(crate) notation: String,
    pub(crate) bytes: u64,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct SampledGameView {
    pub(crate) name: String,
    pub(crate) round: Option<usize>,
    /// Where it stands in the run; null where the journal does not have its trial.
    pub(crate) place: Option<String>,
    /// `dots` or `amazons`.
    pub(crate) game: &'static str,
    pub(crate) board: BoardView,
    /// Who sits as First: A, in every sampled game.
    pub(crate) first: &'static str,
    pub(crate) a: BTreeMap<String, Value>,
    pub(crate) b: BTreeMap<String, Value>,
    pub(crate) seed: u64,
    /// Moves at the beginning that nobody chose.
    pub(crate) opening_moves: usize,
    /// A's: `win`, `draw` or `loss`.
    pub(crate) result: &'static str,
    /// What stands on the board at the beginning; nothing in Dots and Boxes.
    pub(crate) start: Vec<PieceView>,
    pub(crate) moves: Vec<SampledMoveView>,
    /// Why nothing is known of the moves beyond the record; null where it is.
    pub(crate) not_annotated: Option<String>,
    /// The record's text.
    pub(crate) record: String,
}

/// A board: boxes of Dots and Boxes, squares of the Amazons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct BoardView {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// What stands on a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PieceView {
    pub(crate) square: String,
    /// `first`, `second` or `arrow`.
    pub(crate) piece: &'static str,
}

/// A move. What only playing it again tells is null where that was not done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub(crate) struct SampledMoveView {
    /// From 1.
    pub(crate) number: usize,
    /// `first` or `second`.
    pub(crate) player: &'static str,
    /// `a` or `b`.
    pub(crate) side: &'static str,
    /// Dots and Boxes: the edge by its left or lower dot, as `a6,h`; Amazons: `d1-d7/g7`.
    #[serde(rename = "move")]
    pub(crate) notation: String,
    /// Whether it belongs to the opening.
    pub(crate) opening: bool,
    pub(crate) stage: Option<String>,
    pub(crate) class: Option<&'static str>,
    /// Simulations through it, where UCT chose.
    pub(crate) visits: Option<u32>,
    pub(crate) work_units: Option<u64>,
    /// Its mean value in 0 to 1 for the mover, where UCT chose.
    pub(crate) value: Option<f64>,
    /// Its value in points for the mover, where a search with the static evaluation chose it; what
    /// is already won is not counted, and the end of an Amazons game is worth some 1,000.
    pub(crate) points: Option<f64>,
    /// What it gave away of the final margin with best play, in boxes; null where not solved.
    pub(crate) loss: Option<f64>,
    /// Boxes of First and Second after it; null in a game without points.
    pub(crate) score: Option<[u8; 2]>,
    /// Boxes that it completed, by their lower left dots.
    pub(crate) boxes: Vec<String>,
}

/// What a record says, whatever the game.
struct Recorded {
    game: &'static str,
    board: BoardView,
    start: Vec<PieceView>,
    moves: Vec<SampledMoveView>,
    result: &'static str,
}

/// The records of a run, those of the first rounds first.
///
/// # Errors
/// What the system says.
pub(crate) fn games(
    reading: &Reading,
    first: usize,
    limit: usize,
) -> std::io::Result<Page<GameFileView>> {
    let folder = reading.folder().games();
    let names = listed_names(&folder)?;
    let total = names.len();
    let mut items = Vec::new();
    for name in names.into_iter().skip(first).take(limit) {
        let bytes = std::fs::metadata(folder.join(&name))?.len();
        items.push(GameFileView {
            round: round_of(&name),
            notation: name.rsplit('.').next().unwrap_or_default().to_owned(),
            name,
            bytes,
        });
    }
    Ok(Page::of(items, first, total))
}

/// The round that a record's name tells.
pub(crate) fn round_of(name: &str) -> Option<usize> {
    let digits = name.strip_prefix("round-")?.split('.').next()?;
    digits.parse().ok()
}

/// The record of that name, read but not played again; None where the folder has none.
///
/// # Errors
/// A record that cannot be read, in words.
pub(crate) fn game(reading: &Reading, name: &str) -> Result<Option<SampledGameView>, String> {
    let folder = reading.folder().games();
    let names = listed_names(&folder).map_err(|error| error.to_string())?;
    if !names.iter().any(|known| known == name) {
        return Ok(None);
    }
    let path = folder.join(name);
    let failed = |error: std::io::Error| format!("cannot read {name}: {error}");
    let bytes = std::fs::metadata(&path).map_err(failed)?.len();
    if bytes > RECORD_BYTES_MAX {
        return Err(format!(
            "{name} has {bytes} bytes; a record has at most {RECORD_BYTES_MAX}"
        ));
    }
    let record = std::fs::read_to_string(&path).map_err(failed)?;
    let recorded = if name.ends_with(".pgn") {
        amazons::read(name, &record)?
    } else {
        dots::read(name, &record, reading.job())?
    };
    let round = round_of(name);
    let played = round.and_then(|round| again::trial_of(reading, round));
    let values = |vector| named_values(reading.job(), vector);
    Ok(Some(SampledGameView {
        name: name.to_owned(),
        round,
        place: played.as_ref().map(|played| played.place.to_string()),
        game: recorded.game,
        board: recorded.board,
        first: "a",
        a: played
            .as_ref()
            .map(|it| values(&it.trial.a))
            .unwrap_or_default(),
        b: played
            .as_ref()
            .map(|it| values(&it.trial.b))
            .unwrap_or_default(),
        seed: reading.job().seed,
        opening_moves: 0,
        result: recorded.result,
        start: recorded.start,
        moves: recorded.moves,
        not_annotated: Some("the game has not been played again".to_owned()),
        record,
    }))
}

#[cfg(test)]
#[path = "games_tests.rs"]
mod tests;
