//! Records of the Amazons as PGN, the portable game notation of chess, with the tags `Variant` and
//! `FEN` that programs for many variants use; moves are whole turns such as `d1-d7/g7`.
//!
//! CITE: Edwards 1994, "Portable Game Notation Specification and Implementation Guide"; the name of
//! the variant and its positions are those of Fairy-Stockfish. White is who moves first.

use std::fmt::Write as _;

use super::solve::InputError;
use crate::agent::GameRecord;
use crate::game::amazons::{Amazons, HalfMove};
use crate::game::{Outcome, Player, Position};

/// Longest line of moves, in characters: what the standard recommends.
const LINE_CHARS: usize = 79;

/// Longest part of a record that an error repeats, in characters.
const SHOWN_CHARS: usize = 32;

/// What a result is written as.
const RESULTS: [(&str, Outcome); 3] = [
    ("1-0", Outcome::Win(Player::First)),
    ("0-1", Outcome::Win(Player::Second)),
    ("1/2-1/2", Outcome::Draw),
];

/// The record of a game from its opening on. Where the game was adjudicated its last turns are
/// missing and `Termination` says so.
pub fn text(record: &GameRecord<Amazons>, names: [&str; 2], event: &str) -> String {
    let known = RESULTS
        .iter()
        .find(|(_, outcome)| *outcome == record.outcome);
    let result = known.map_or("*", |(word, _)| word);
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

/// A recorded game of the Amazons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedTurns {
    /// Names of First and Second.
    pub names: [String; 2],
    /// What the record says of the event.
    pub event: String,
    /// Where the record begins.
    pub start: Amazons,
    /// The moves, legal from there, whole turns.
    pub moves: Vec<HalfMove>,
    /// The result.
    pub outcome: Outcome,
    /// Whether the result was proven before the end.
    pub is_adjudicated: bool,
}

impl RecordedTurns {
    /// The position after the last turn.
    pub fn end(&self) -> Amazons {
        let mut position = self.start;
        self.moves.iter().for_each(|mv| position.play(*mv));
        position
    }
}

/// A line, from 1, and what is wrong there.
type Wrong = (usize, String);

/// Reads a record as [`text`] writes it: the tags of a game of the Amazons, an empty line, numbered
/// turns and the result, without comments and variations. `file` is only named in errors.
///
/// # Errors
/// A text that is no record, a turn that is not legal, a number or a result that does not fit; with
/// the line.
pub fn read(file: &str, text: &str) -> Result<RecordedTurns, InputError> {
    let read = read_tags(text).and_then(|(tags, turns)| read_turns(&tags, &turns));
    read.map_err(|(line, problem)| InputError {
        file: file.to_owned(),
        line,
        problem,
    })
}

fn shown(text: &str) -> String {
    let start: String = text.chars().take(SHOWN_CHARS).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    format!("`{}{rest}`", start.escape_debug())
}

/// The tags of a record.
struct Tags<'a>(Vec<(usize, &'a str, String)>);

/// Words of the movetext with their lines.
type Words<'a> = Vec<(usize, &'a str)>;

impl Tags<'_> {
    /// The tag of this name, with its line.
    fn get(&self, name: &str) -> Result<(usize, &str), Wrong> {
        let found = self.0.iter().find(|(_, known, _)| *known == name);
        let last = self.0.last().map_or(1, |(line, _, _)| *line);
        found
            .map(|(line, _, value)| (*line, value.as_str()))
            .ok_or_else(|| (last, format!("is the end of the tags; {name} is missing")))
    }
}

/// The tags, and the words of the moves behind them.
fn read_tags(text: &str) -> Result<(Tags<'_>, Words<'_>), Wrong> {
    let mut tags = Tags(Vec::new());
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    for (line, text) in lines.by_ref() {
        if text.trim().is_empty() {
            break;
        }
        let wrong = |problem: &str| {
            let expected = "expected [Name \"value\"], or an empty line before the moves";
            (line, format!("{} {problem}; {expected}", shown(text)))
        };
        let (name, value) = read_tag(text).ok_or_else(|| wrong("is no tag"))?;
        if tags.0.iter().any(|(_, known, _)| *known == name) {
            return Err(wrong("is a tag of a name that was given before"));
        }
        tags.0.push((line, name, value));
    }
    let words =
        lines.flat_map(|(line, text)| text.split_ascii_whitespace().map(move |word| (line, word)));
    Ok((tags, words.collect()))
}

/// Name and value of a line `[Name "value"]`.
fn read_tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix("\"]")?;
    let (name, quoted) = inner.split_once(" \"")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) {
        return None;
    }
    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return None,
            '\\' => value.push(letters.next().filter(|c| matches!(c, '\\' | '"'))?),
            letter => value.push(letter),
        }
    }
    Some((name, value))
}

/// The value of a tag that has to be one of a few words.
fn one_of<T: Copy>(tags: &Tags<'_>, name: &str, words: &[(&str, T)]) -> Result<T, Wrong> {
    let (line, value) = tags.get(name)?;
    let known = words.iter().find(|(word, _)| *word == value);
    known.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let list = words.join(", ");
        (
            line,
            format!("{name} is {}; expected one of {list}", shown(value)),
        )
    })
}

fn read_turns(tags: &Tags<'_>, words: &Words<'_>) -> Result<RecordedTurns, Wrong> {
    one_of(tags, "Variant", &[("amazons", ())])?;
    let outcome = one_of(tags, "Result", &RESULTS)?;
    let endings = [("normal", false), ("adjudication", true)];
    let is_adjudicated = one_of(tags, "Termination", &endings)?;
    let (line, fen) = tags.get("FEN")?;
    let start = Amazons::from_text(fen).map_err(|error| (line, format!("FEN: {error}")))?;
    let mut game = RecordedTurns {
        names: [tags.get("White")?.1, tags.get("Black")?.1].map(str::to_owned),
        event: tags.get("Event")?.1.to_owned(),
        start,
        moves: Vec::new(),
        outcome,
        is_adjudicated,
    };
    let last = tags.0.last().map_or(1, |(line, _, _)| *line);
    let Some((&(line, result), turns)) = words.split_last() else {
        return Err((last, "is followed by no result".to_owned()));
    };
    let end = play_words(&mut game, turns)?;
    let (_, tag) = tags.get("Result")?;
    if result != tag {
        return Err((
            line,
            format!(
                "ends with {}; expected the result of the tags, {tag}",
                shown(result)
            ),
        ));
    }
    let word_of = |outcome| RESULTS.iter().find(|(_, known)| *known == outcome);
    match end.outcome() {
        Some(real) if real != outcome => {
            let word = word_of(real).map_or("*", |(word, _)| word);
            Err((line, format!("is {tag}, but the turns end with {word}")))
        }
        None if !is_adjudicated => Err((
            line,
            "ends before the game does, and Termination is not `adjudication`".to_owned(),
        )),
        _ => Ok(game),
    }
}

/// Plays numbered turns; returns where they end.
fn play_words(game: &mut RecordedTurns, words: &[(usize, &str)]) -> Result<Amazons, Wrong> {
    let mut position = game.start;
    let mut is_numbered = false;
    for (index, &(line, word)) in words.iter().enumerate() {
        let number = position.turns() / 2 + 1;
        let due = match position.to_move() {
            Player::First => Some(format!("{number}.")),
            Player::Second if index == 0 => Some(format!("{number}...")),
            Player::Second => None,
        };
        if let Some(due) = due.filter(|_| !is_numbered) {
            if word != due {
                return Err((line, format!("has {}; expected {due}", shown(word))));
            }
            is_numbered = true;
            continue;
        }
        let turn = position.parse_turn(word).map_err(|error| {
            (
                line,
                format!("has no legal turn in {}: {error}", shown(word)),
            )
        })?;
        turn.iter().for_each(|mv| position.play(*mv));
        game.moves.extend(turn);
        is_numbered = false;
    }
    match words.last() {
        Some(&(line, word)) if is_numbered => {
            Err((line, format!("has no turn after {}", shown(word))))
        }
        _ => Ok(position),
    }
}
