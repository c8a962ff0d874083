//! Records of Dots and Boxes: edges by their left or lower dots, and the boxes that they complete.

use std::collections::BTreeSet;

use serde::Deserialize;
use sixfold_engine::config::GameRules;
use sixfold_tuner::job::Job;

use super::{BoardView, Recorded, SampledMoveView};

/// What is read of a record; the engine's own reader has more to say of what is wrong with one.
#[derive(Deserialize)]
struct Record {
    #[serde(rename = "RScore")]
    red: i32,
    #[serde(rename = "BScore")]
    blue: i32,
    game: Vec<Piece>,
}

#[derive(Deserialize)]
struct Piece {
    piece: String,
}

/// An edge: column and row of its left or lower dot, from 0 at the lower left, and whether it lies.
type Edge = (u8, u8, bool);

/// Reads a record.
pub(super) fn read(name: &str, text: &str, job: &Job) -> Result<Recorded, String> {
    let record: Record =
        serde_json::from_str(text).map_err(|error| format!("{name} is no record: {error}"))?;
    let GameRules::DotsAndBoxes { rows, cols } = job.engine.config.game else {
        return Err(format!(
            "{name} is of Dots and Boxes, and the run of another game"
        ));
    };
    let mut drawn: BTreeSet<Edge> = BTreeSet::new();
    let mut score = [0_u8; 2];
    let mut moves = Vec::new();
    for (index, Piece { piece }) in record.game.iter().enumerate() {
        let wrong = || format!("{name}: move {} is {piece:?}", index + 1);
        let (seat, edge) = edge_of(piece).ok_or_else(wrong)?;
        if !drawn.insert(edge) {
            return Err(format!("{}, which was drawn before", wrong()));
        }
        let boxes: Vec<String> = beside(edge)
            .into_iter()
            .flatten()
            .filter(|(column, row)| *column < cols && *row < rows)
            .filter(|at| around(*at).iter().all(|edge| drawn.contains(edge)))
            .map(|(column, row)| dot(column, row))
            .collect();
        score[seat] += boxes.len() as u8;
        moves.push(SampledMoveView {
            number: index + 1,
            player: ["first", "second"][seat],
            side: ["a", "b"][seat],
            notation: piece[2..piece.len() - 1].to_owned(),
            score: Some(score),
            boxes,
            ..SampledMoveView::default()
        });
    }
    Ok(Recorded {
        game: "dots",
        board: BoardView {
            width: cols.into(),
            height: rows.into(),
        },
        start: Vec::new(),
        moves,
        result: match record.red.cmp(&record.blue) {
            std::cmp::Ordering::Greater => "win",
            std::cmp::Ordering::Equal => "draw",
            std::cmp::Ordering::Less => "loss",
        },
    })
}

/// Who drew which edge: such as `r(a6,h)`.
fn edge_of(piece: &str) -> Option<(usize, Edge)> {
    let seat = match piece.as_bytes().first()? {
        b'r' => 0,
        b'b' => 1,
        _ => return None,
    };
    let inner = piece.get(1..)?.strip_prefix('(')?.strip_suffix(')')?;
    let (place, line) = inner.split_once(',')?;
    let column = place.bytes().next()?.checked_sub(b'a')?;
    let row = place.get(1..)?.parse::<u8>().ok()?.checked_sub(1)?;
    match line {
        "h" => Some((seat, (column, row, true))),
        "v" => Some((seat, (column, row, false))),
        _ => None,
    }
}

/// The boxes on both sides of an edge, by their lower left dots.
fn beside((column, row, lies): Edge) -> [Option<(u8, u8)>; 2] {
    let before = if lies {
        row.checked_sub(1).map(|row| (column, row))
    } else {
        column.checked_sub(1).map(|column| (column, row))
    };
    [Some((column, row)), before]
}

/// The four edges of a box.
fn around((column, row): (u8, u8)) -> [Edge; 4] {
    [
        (column, row, true),
        (column, row + 1, true),
        (column, row, false),
        (column + 1, row, false),
    ]
}

fn dot(column: u8, row: u8) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}
