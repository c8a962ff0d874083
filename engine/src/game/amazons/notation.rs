//! Turns as text.
//!
//! Written `d1-d7/g7`: from, to, arrow; files are letters from the left, rank 1 is at First's side.
//! Read also as `D1-D7xG7`, `d1-d7(g7)`, `D1D7(G7)`, `d1d7g7`, and as chess programs write it,
//! `d1d7,d7g7`. Between the halves of a turn what is left of it is `/g7`, and a walk alone is
//! written `d1-d7`.

use super::board::Square;
use super::position::{Amazons, HalfMove};
use super::reach::queen_reach;
use crate::game::text::quote;
use crate::game::{NotationError, Position};

/// The square at the start of a text, and the rest. Ranks have one or two digits.
pub(super) fn read_square(text: &str) -> Option<(Square, &str)> {
    let letter = text.bytes().next()?.to_ascii_lowercase();
    let file = letter.checked_sub(b'a')?;
    let rest = text.get(1..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (rank, rest) = rest.split_at(digits);
    if rank.starts_with('0') {
        return None;
    }
    let rank: usize = rank.parse().ok()?;
    let square = Square::at(usize::from(file), rank.checked_sub(1)?)?;
    Some((square, rest))
}

/// What is left of a turn's text.
struct Reader<'a> {
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let whole = text.trim_matches(|c: char| c.is_ascii_whitespace());
        Self { whole, rest: whole }
    }

    fn square(&mut self, what: &str, position: &Amazons) -> Result<Square, NotationError> {
        let board = position.board();
        match read_square(self.rest) {
            Some((square, rest)) if board.squares() & square.mask() != 0 => {
                self.rest = rest;
                Ok(square)
            }
            _ => {
                let last = Square::at(board.files() - 1, board.ranks() - 1);
                let last = last.map_or_else(String::new, |square| square.to_string());
                Err(NotationError::new(format!(
                    "in turn {} the {what}, a square from a1 to {last}, is missing at {}; \
                     expected for example d1-d7/g7",
                    quote(self.whole),
                    quote(self.rest)
                )))
            }
        }
    }

    fn accept(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.rest.chars().next().filter(|c| signs.contains(c))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    /// The arrow of an amazon that stands on `from`, to the end of the text.
    fn arrow(&mut self, from: Square, position: &Amazons) -> Result<Square, NotationError> {
        let sign = self.accept(&['/', 'x', 'X', '(', ',']);
        if sign == Some(',') {
            let again = self.square("shooter", position)?;
            if again != from {
                return Err(NotationError::new(format!(
                    "in turn {} the shooter {again} is not the amazon that moved, {from}",
                    quote(self.whole)
                )));
            }
        }
        let at = self.square("arrow", position)?;
        let closed = sign != Some('(') || self.accept(&[')']).is_some();
        if closed && self.rest.is_empty() {
            return Ok(at);
        }
        let expected = if closed { "the end" } else { "a )" };
        Err(NotationError::new(format!(
            "in turn {} expected {expected} after the arrow, found {}",
            quote(self.whole),
            quote(self.rest)
        )))
    }
}

fn walk(reader: &mut Reader<'_>, position: &Amazons) -> Result<HalfMove, NotationError> {
    let from = reader.square("amazon", position)?;
    reader.accept(&['-']);
    let to = reader.square("amazon's new square", position)?;
    let player = position.to_move();
    if position.amazons(player) & from.mask() == 0 {
        return Err(NotationError::new(format!(
            "{from} is not an amazon of {player}, who is to move"
        )));
    }
    if queen_reach(from, position.empty()) & to.mask() == 0 {
        return Err(NotationError::new(format!(
            "the amazon {from} cannot go to {to}: expected an empty square in a line of empty ones"
        )));
    }
    Ok(HalfMove::Walk { from, to })
}

fn shot(reader: &mut Reader<'_>, position: &Amazons) -> Result<HalfMove, NotationError> {
    let Some(from) = position.shooter() else {
        return Err(NotationError::new("no amazon has moved yet"));
    };
    let at = reader.arrow(from, position)?;
    if queen_reach(from, position.empty()) & at.mask() == 0 {
        return Err(NotationError::new(format!(
            "the amazon on {from} cannot shoot at {at}: expected an empty square in a line of \
             empty ones"
        )));
    }
    Ok(HalfMove::Shot { from, at })
}

pub(super) fn parse_turn(position: &Amazons, text: &str) -> Result<Vec<HalfMove>, NotationError> {
    if position.outcome().is_some() {
        let player = position.to_move();
        return Err(NotationError::new(format!(
            "the game is over; {player} cannot move"
        )));
    }
    let mut reader = Reader::new(text);
    if position.shooter().is_some() {
        return Ok(vec![shot(&mut reader, position)?]);
    }
    let walk = walk(&mut reader, position)?;
    let mut moved = *position;
    moved.play(walk);
    Ok(vec![walk, shot(&mut reader, &moved)?])
}

pub(super) fn format_turn(turn: &[HalfMove]) -> String {
    let words = turn.iter().map(|mv| match mv {
        HalfMove::Walk { from, to } => format!("{from}-{to}"),
        HalfMove::Shot { at, .. } => format!("/{at}"),
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::amazons::Board;

    fn start() -> Amazons {
        let board = Board::of(10, 10).expect("a board");
        Amazons::start(board).expect("a start")
    }

    #[test]
    fn all_usual_ways_to_write_a_turn_are_read() {
        let expected = start().parse_turn("d1-d7/g7").expect("a legal turn");
        for text in [
            "D1-D7/G7",
            "D1-D7xG7",
            "d1-d7Xg7",
            "d1-d7(g7)",
            "D1D7(G7)",
            "d1d7g7",
            "d1d7,d7g7",
            " d1d7/g7\n",
        ] {
            assert_eq!(start().parse_turn(text).as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(start().format_turn(&expected), "d1-d7/g7");
        assert_eq!(start().format_turn(&expected[..1]), "d1-d7");
    }

    #[test]
    fn squares_of_the_tenth_rank_are_read_without_signs_between_them() {
        let text = "a4a6a5";
        let mut position = start();
        for mv in position.parse_turn(text).expect("a legal turn") {
            position.play(mv);
        }
        let turn = position.parse_turn("d10a10b10").expect("a legal turn");
        assert_eq!(position.format_turn(&turn), "d10-a10/b10");
    }

    #[test]
    fn between_the_halves_of_a_turn_the_arrow_alone_is_read() {
        let mut position = start();
        let turn = position.parse_turn("d1-d7/g7").expect("a legal turn");
        position.play(turn[0]);
        for text in ["/g7", "g7", "xG7", "(g7)", ",d7g7"] {
            assert_eq!(position.parse_turn(text).as_deref(), Ok(&turn[1..]));
        }
        assert_eq!(position.format_turn(&turn[1..]), "/g7");
        assert!(position.parse_turn("d7-d8/d7").is_err());
    }

    #[track_caller]
    fn check_error(position: &Amazons, text: &str, part: &str) {
        let error = position.parse_turn(text).expect_err("no legal turn");
        assert!(error.reason.contains(part), "{text}: {error}");
    }

    #[test]
    fn errors_say_what_is_wrong_with_a_turn() {
        let position = start();
        check_error(&position, "", "the amazon, a square from a1 to j10");
        check_error(&position, "d1", "the amazon's new square");
        check_error(&position, "d1-d7", "the arrow");
        check_error(&position, "d01-d7/g7", "the amazon, a square");
        check_error(&position, "k1-d7/g7", "the amazon, a square");
        check_error(&position, "d11-d7/g7", "the amazon, a square");
        check_error(&position, "é1-d7/g7", "the amazon, a square");
        check_error(&position, "dé-d7/g7", "the amazon, a square");
        check_error(&position, "d1-d7/g7 ok", "expected the end");
        check_error(&position, "d1-d7(g7", "expected a )");
        check_error(&position, "d1-d7,d6g7", "the shooter d6 is not");
        check_error(&position, "d10-d7/g7", "d10 is not an amazon of First");
        check_error(&position, "d1-d10/g7", "cannot go to d10");
        check_error(&position, "d1-e3/g7", "cannot go to e3");
        check_error(&position, "d1-d1/g7", "cannot go to d1");
        check_error(&position, "d1-d7/j7", "d7 cannot shoot at j7");
        check_error(&position, "d1-d7/d7", "d7 cannot shoot at d7");
        let over = Amazons::from_text("q*/** b - - 0 1").expect("a position");
        check_error(&over, "a1-a2/a1", "over; Second cannot move");
    }
}
