//! Rules of games, and nothing else: no clock, no randomness source, no files, no parameters.
//!
//! [`Position`] is the contract that every game keeps. A game is a folder beside this file.
//! **Turns do not always pass**: a captured box keeps the turn, so code above this module asks
//! [`Position::to_move`] after every move and never assumes alternation.

use std::fmt::{Debug, Display};
use std::hash::Hash;

pub mod amazons;
pub mod conformance;
pub mod dots;
pub mod perft;
mod text;
pub mod toy;

/// The games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameKind {
    /// Dots and Boxes.
    DotsAndBoxes,
    /// Game of the Amazons.
    Amazons,
}

impl GameKind {
    /// All games, by the words that files have for them.
    pub const WORDS: [(&'static str, GameKind); 2] = [
        ("dots_and_boxes", GameKind::DotsAndBoxes),
        ("amazons", GameKind::Amazons),
    ];
}

impl Display for GameKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            GameKind::DotsAndBoxes => "Dots and Boxes",
            GameKind::Amazons => "Amazons",
        })
    }
}

/// One of the two players. Who is called "black" differs between programs, so nobody is here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Player {
    /// The player who makes the first move of a game.
    First,
    /// The other player.
    Second,
}

impl Player {
    /// Both players, in order.
    pub const ALL: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for First, 1 for Second.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for First, -1 for Second: turns a margin of First's into this player's.
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Player::First => 1,
            Player::Second => -1,
        }
    }
}

impl Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Player::First => "First",
            Player::Second => "Second",
        })
    }
}

/// Result of a finished game, absolute: never relative to a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This player has won.
    Win(Player),
    /// Nobody has won.
    Draw,
}

impl Outcome {
    /// The outcome of a game that ends with First `margin` points ahead.
    #[inline]
    pub const fn from_margin(margin: i32) -> Outcome {
        match margin {
            1.. => Outcome::Win(Player::First),
            0 => Outcome::Draw,
            _ => Outcome::Win(Player::Second),
        }
    }
}

/// A text that names no position or no legal turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// What is wrong, what was expected, and the allowed range; one sentence without a full stop.
    pub reason: String,
}

impl NotationError {
    /// An error with this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

impl Display for NotationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for NotationError {}

/// Full state of a game at one moment.
///
/// `conformance::check_random_games` states what every implementation must keep.
pub trait Position: Clone + Eq + Debug + Display {
    /// One decision. A turn may be several (edges after captures, a queen move and its arrow).
    type Move: Copy + Eq + Hash + Debug;

    /// Who moves. May be the same player after a move.
    fn to_move(&self) -> Player;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Points First is ahead by so far (boxes in Dots and Boxes); final once the game is over.
    ///
    /// `outcome() == Some(o)` implies `o == Outcome::from_margin(self.margin())`.
    fn margin(&self) -> i32;

    /// Largest absolute value that [`Position::margin`] can take in this game; at least 1.
    fn margin_limit(&self) -> i32;

    /// Appends every legal move, each once, in an order fixed by the position; none when over.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Whether `mv` may be played now; false for every move when the game is over.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Plays a move. Precondition: it is legal (checked in debug builds only).
    fn play(&mut self, mv: Self::Move);

    /// Moves played since the empty board.
    fn ply(&self) -> u16;

    /// Identity of the position: equal positions have equal keys; score and side to move count.
    fn key(&self) -> u64;

    /// Reads one turn, that is the moves of the side to move up to the change of sides.
    ///
    /// # Errors
    /// A text that is no legal turn here; the error says why.
    fn parse_turn(&self, text: &str) -> Result<Vec<Self::Move>, NotationError>;

    /// Writes moves of one turn so that [`Position::parse_turn`] reads them back.
    fn format_turn(&self, turn: &[Self::Move]) -> String;
}
