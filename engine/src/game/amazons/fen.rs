//! Positions as text, in the notation of Fairy-Stockfish with one field of our own.
//!
//! `3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1`: the ranks from the top, side to move, a field
//! that is always `-`, the amazon that has to shoot (`-` between turns; other programs have no
//! positions within a turn), turns without a capture, number of the pair of turns. The counters are
//! kept as they are read and count on, so every text of a position is written back as it was.

use std::fmt;
use std::str::FromStr;

use super::board::{Board, Square};
use super::position::{Amazons, Placement};
use super::reach::queen_reach;
use crate::game::text::{number, quote};
use crate::game::{NotationError, Player};

/// Largest number of a pair of turns that a text may start from.
const NUMBER_MAX: u32 = 10_000;

/// What stands on a rank: files, amazons of both players, arrows.
#[derive(Clone, Copy, Default)]
struct Rank {
    files: usize,
    amazons: [u128; 2],
    arrows: u128,
}

impl Rank {
    fn read(text: &str) -> Result<Rank, NotationError> {
        let mut rank = Rank::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let width = digits.max(first.len_utf8());
            let (word, after) = rest.split_at(width);
            let mask = 1u128.checked_shl(rank.files as u32).unwrap_or_default();
            let mut squares = 1;
            match word {
                "Q" => rank.amazons[0] |= mask,
                "q" => rank.amazons[1] |= mask,
                "*" => rank.arrows |= mask,
                _ if digits > 0 => {
                    let range = 1..=Board::MAX_SIDE as u32;
                    squares = number("number of empty squares", word, &range)? as usize;
                }
                _ => {
                    return Err(NotationError::new(format!(
                        "{} in rank {} is none of Q, q, * and numbers of empty squares",
                        quote(word),
                        quote(text)
                    )));
                }
            }
            rank.files += squares;
            if rank.files > Board::MAX_SIDE {
                return Err(NotationError::new(format!(
                    "rank {} has more than {} squares",
                    quote(text),
                    Board::MAX_SIDE
                )));
            }
            rest = after;
        }
        Ok(rank)
    }
}

/// Board, amazons, arrows.
fn parse_ranks(text: &str) -> Result<(Board, [u128; 2], u128), NotationError> {
    let ranks: Vec<&str> = text.split('/').take(Board::MAX_SIDE + 1).collect();
    let (mut amazons, mut arrows, mut files) = ([0; 2], 0, None);
    for (at, word) in ranks.iter().rev().enumerate() {
        let rank = Rank::read(word)?;
        if *files.get_or_insert(rank.files) != rank.files {
            return Err(NotationError::new(format!(
                "rank {} has {} squares, others have {}",
                quote(word),
                rank.files,
                files.unwrap_or_default()
            )));
        }
        let shift = Square::at(0, at).map_or(0, Square::index);
        amazons[0] |= rank.amazons[0] << shift;
        amazons[1] |= rank.amazons[1] << shift;
        arrows |= rank.arrows << shift;
    }
    let board = Board::of(files.unwrap_or_default(), ranks.len()).ok_or_else(|| {
        NotationError::new(format!(
            "board {} does not have 1 to {side} ranks of 1 to {side} squares",
            quote(text),
            side = Board::MAX_SIDE
        ))
    })?;
    Ok((board, amazons, arrows))
}

fn parse_side(text: &str) -> Result<Player, NotationError> {
    match text {
        "w" => Ok(Player::First),
        "b" => Ok(Player::Second),
        _ => Err(NotationError::new(format!(
            "side to move {} is neither w (First) nor b (Second)",
            quote(text)
        ))),
    }
}

fn parse_shooter(text: &str, placement: &Placement) -> Result<Option<Square>, NotationError> {
    if text == "-" {
        return Ok(None);
    }
    let mine = placement.amazons[placement.to_move.index()];
    let empty = placement.board.squares()
        & !(placement.amazons[0] | placement.amazons[1] | placement.arrows);
    let square = super::notation::read_square(text)
        .filter(|(_, rest)| rest.is_empty())
        .map(|(square, _)| square)
        .filter(|&square| mine & square.mask() != 0 && queen_reach(square, empty) != 0);
    square.map(Some).ok_or_else(|| {
        NotationError::new(format!(
            "{} is neither - nor an amazon of the side to move that can shoot",
            quote(text)
        ))
    })
}

pub(super) fn parse(text: &str) -> Result<Amazons, NotationError> {
    let fields: Vec<&str> = text.splitn(7, ' ').collect();
    let [ranks, side, none, shooter, clock, pair] = fields[..] else {
        return Err(NotationError::new(format!(
            "position {} does not have the six fields RANKS SIDE - SHOOTER CLOCK NUMBER",
            quote(text)
        )));
    };
    let (board, amazons, arrows) = parse_ranks(ranks)?;
    let to_move = parse_side(side)?;
    if none != "-" {
        return Err(NotationError::new(format!(
            "the third field, {}, is not -",
            quote(none)
        )));
    }
    let clock = number("turns without a capture", clock, &(0..=2 * NUMBER_MAX))?;
    let pair = number("number of the pair of turns", pair, &(1..=NUMBER_MAX))?;
    let mut placement = Placement {
        board,
        amazons,
        arrows,
        to_move,
        shooter: None,
        turns: (2 * (pair - 1)) as u16 + to_move.index() as u16,
        clock: clock as u16,
    };
    placement.shooter = parse_shooter(shooter, &placement)?;
    Ok(Amazons::placed(&placement))
}

impl FromStr for Amazons {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Amazons, NotationError> {
        parse(text)
    }
}

impl Amazons {
    /// `Q`, `q` or `*` for what stands on a square, `None` for an empty one.
    pub(super) fn letter(&self, square: Square) -> Option<char> {
        let on = |set: u128| set & square.mask() != 0;
        if on(self.empty()) {
            None
        } else if on(self.amazons(Player::First)) {
            Some('Q')
        } else if on(self.amazons(Player::Second)) {
            Some('q')
        } else {
            Some('*')
        }
    }
}

impl fmt::Display for Amazons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board();
        for rank in (0..board.ranks()).rev() {
            let mut gap = 0;
            for square in (0..board.files()).filter_map(|file| Square::at(file, rank)) {
                match self.letter(square) {
                    None => gap += 1,
                    Some(letter) => {
                        write_gap(f, &mut gap)?;
                        write!(f, "{letter}")?;
                    }
                }
            }
            write_gap(f, &mut gap)?;
            f.write_str(if rank == 0 { " " } else { "/" })?;
        }
        let side = ['w', 'b'][crate::game::Position::to_move(self).index()];
        write!(f, "{side} - ")?;
        match self.shooter() {
            None => f.write_str("-")?,
            Some(square) => write!(f, "{square}")?,
        }
        write!(f, " {} {}", self.clock(), self.turns() / 2 + 1)
    }
}

fn write_gap(f: &mut fmt::Formatter<'_>, gap: &mut usize) -> fmt::Result {
    if *gap > 0 {
        write!(f, "{gap}")?;
        *gap = 0;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    #[track_caller]
    fn check_error(text: &str, part: &str) {
        let error = parse(text).expect_err("a wrong text").to_string();
        assert!(error.contains(part), "{text}: {error}");
    }

    #[test]
    fn errors_name_the_bad_part_and_the_allowed_range() {
        check_error("", "six fields");
        check_error("Q1/1q w - - 0", "six fields");
        check_error("Q1/1q w - - 0 1 ", "six fields");
        check_error("Q1/1q  w - - 0 1", "six fields");
        check_error("/1q w - - 0 1", "rank \"\" has 0 squares, others have 2");
        check_error(" w - - 0 1", "1 to 10 ranks of 1 to 10 squares");
        check_error("Q1/1k w - - 0 1", "\"k\" in rank \"1k\"");
        check_error("Q1/1é w - - 0 1", "\"é\" in rank");
        check_error("Q0/1q w - - 0 1", "from 1 to 10");
        check_error("Q11/1q w - - 0 1", "from 1 to 10");
        check_error("Q10/1q w - - 0 1", "more than 10 squares");
        check_error("1/1/1/1/1/1/1/1/1/1/1 w - - 0 1", "1 to 10 ranks");
        check_error("Q1/1q x - - 0 1", "neither w (First) nor b (Second)");
        check_error("Q1/1q w KQ - 0 1", "third field");
        check_error("Q1/1q w - b1 0 1", "neither - nor an amazon");
        check_error("Q1/1q w - a2x 0 1", "neither - nor an amazon");
        check_error("Q*/*q w - a2 0 1", "that can shoot");
        check_error("Q1/1q w - - -1 1", "from 0 to 20000");
        check_error("Q1/1q w - - 0 0", "from 1 to 10000");
        check_error(&"1".repeat(5000), "six fields");
    }

    #[test]
    fn texts_are_written_back_as_they_were() {
        for text in [
            "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1",
            "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q1Q*3 b - - 1 1",
            "Q1/1q w - a2 7 30",
            "1 b - - 20000 10000",
            "Q*q*Q*q*Q* w - - 0 1",
        ] {
            assert_eq!(parse(text).expect(text).to_string(), text);
        }
    }

    /// The texts on the right were written by Fairy-Stockfish.
    #[test]
    fn positions_of_a_game_read_as_other_programs_write_them() {
        let board = Board::of(10, 10).expect("a board");
        let mut position = Amazons::start(board).expect("a start");
        for (turn, text) in [
            (
                "d1-d7/g7",
                "3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b - - 1 1",
            ),
            (
                "d10-c9/h4",
                "6q3/2q7/10/q2Q2*2q/10/10/Q6*1Q/10/10/6Q3 w - - 2 2",
            ),
            (
                "a4-a5/a4",
                "6q3/2q7/10/q2Q2*2q/10/Q9/*6*1Q/10/10/6Q3 b - - 3 2",
            ),
        ] {
            for mv in position.parse_turn(turn).expect("a legal turn") {
                position.play(mv);
            }
            assert_eq!(position.to_string(), text);
        }
    }
}
