//! The columns of `tuner export-games --squares`.

use serde_json::Value;
use sixfold_engine::agent::GameRecord;
use sixfold_engine::eval::amazons::square_use::{SideUse, SquareUse};
use sixfold_engine::game::Player;
use sixfold_engine::game::amazons::{Amazons, HalfMove};

/// Nodes of the count of the turns that were left, for each side of a game: seconds at most. What
/// games leave takes a few hundred.
const COUNT_NODES: u32 = 1_000_000;

/// What became of the squares of a game in which `a` is the seat of A, by column.
pub(super) fn columns(record: &GameRecord<Amazons>, a: Player) -> [(&'static str, Value); 6] {
    let moves: Vec<HalfMove> = record.moves.iter().map(|it| it.mv).collect();
    let found = SquareUse::of_game(&record.opening, &moves, COUNT_NODES);
    let side = |player: Player| found.map(|it| it.sides[player.index()]);
    let [of_a, of_b] = [side(a), side(a.other())];
    let held = |side: Option<SideUse>| Value::from(side.map(|it| it.held));
    let wasted = |side: Option<SideUse>| Value::from(side.and_then(|it| it.wasted()));
    [
        ("apart_at", found.map(|it| it.apart_at).into()),
        ("unreached", found.map(|it| it.unreached).into()),
        ("held_a", held(of_a)),
        ("held_b", held(of_b)),
        ("wasted_a", wasted(of_a)),
        ("wasted_b", wasted(of_b)),
    ]
}
