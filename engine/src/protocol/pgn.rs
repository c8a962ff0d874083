//! Records of the Amazons as PGN, the portable game notation of chess, with the tags `Variant` and
//! `FEN` that programs for many variants use; moves are whole turns such as `d1-d7/g7`.
//!
//! CITE: Edwards 1994, "Portable Game Notation Specification and Implementation Guide"; the name of
//! the variant and its positions are those of Fairy-Stockfish. White is who moves first.

use std::fmt::Write as _;

use crate::agent::GameRecord;
use crate::game::amazons::Amazons;
use crate::game::{Outcome, Player, Position};

/// Longest line of moves, in characters: what the standard recommends.
const LINE_CHARS: usize = 79;

/// The record of a game from its opening on. Where the game was adjudicated its last turns are
/// missing and `Termination` says so.
pub fn text(record: &GameRecord<Amazons>, names: [&str; 2], event: &str) -> String {
    let result = match record.outcome {
        Outcome::Win(Player::First) => "1-0",
        Outcome::Win(Player::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    let termination = match record.adjudication_units {
        Some(_) => "adjudication",
        None => "normal",
    };
    let mut text = String::new();
    let opening = record.opening.to_string();
    for (tag, value) in [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", names[0]),
        ("Black", names[1]),
        ("Result", result),
        ("Variant", "amazons"),
        ("SetUp", "1"),
        ("FEN", &opening),
        ("Termination", termination),
    ] {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{tag} \"{escaped}\"]").expect("a string takes everything");
    }
    text.push('\n');
    let mut words = words(record);
    words.push(result.to_owned());
    let mut line = String::new();
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > LINE_CHARS {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    text + &line
}

/// Turns with their numbers; the second player's first turn has its number with dots.
fn words(record: &GameRecord<Amazons>) -> Vec<String> {
    let mut position = record.opening;
    let mut words = Vec::new();
    let mut turn = Vec::new();
    for played in &record.moves {
        turn.push(played.mv);
        let mut after = position;
        turn.iter().for_each(|mv| after.play(*mv));
        if after.to_move() == position.to_move() {
            continue;
        }
        let number = position.turns() / 2 + 1;
        match position.to_move() {
            Player::First => words.push(format!("{number}.")),
            Player::Second if words.is_empty() => words.push(format!("{number}...")),
            Player::Second => {}
        }
        words.push(position.format_turn(&turn));
        position = after;
        turn.clear();
    }
    words
}
