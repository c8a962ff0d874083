//! The games that the engine plays, for whoever takes the game from a configuration.
//!
//! [`Playable`] ties a game's rules, knowledge, openings and notations together. Code for all games
//! is generic over it; [`dispatch`] is where a configuration's game chooses the type.

use std::fmt::Debug;

use crate::agent::GameRecord;
use crate::config::GameRules;
use crate::eval::amazons::{AmazonsKnowledge, opening as amazons_opening};
use crate::eval::dots::{DotsKnowledge, opening as dots_opening};
use crate::eval::{Knowledge, MoveSet};
use crate::game::{GameKind, NotationError, Position, amazons, dots};
use crate::protocol::{ccgc, pgn};
use crate::stream::Stream;

/// A game as programs play it.
pub trait Playable: Copy + Debug + Default + Send + Sync + 'static {
    /// Its positions.
    type Position: Position<Move = Self::Move> + Copy + Send + Sync + 'static;
    /// Its moves.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// How a search keeps moves.
    type Moves: MoveSet<Self::Move> + Send + 'static;
    /// What is known of it.
    type Knowledge: Knowledge<Self::Position, Moves = Self::Moves> + Copy + Default + Send + Sync;

    /// Its name.
    const KIND: GameKind;

    /// The position at the start of a game. Precondition: the rules are of this game and were read
    /// from a configuration or checked as that does.
    fn start(rules: GameRules) -> Self::Position;

    /// A random position, undecided, where a game of a match begins. Precondition as for
    /// [`Playable::start`].
    fn opening(rules: GameRules, stream: &mut Stream) -> Self::Position;

    /// Reads a position as `Display` writes it.
    ///
    /// # Errors
    /// Any other text; the error names what is wrong and what is allowed.
    fn read(text: &str) -> Result<Self::Position, NotationError>;

    /// The rules of the game that a position belongs to.
    fn rules_of(position: &Self::Position) -> GameRules;

    /// A drawing of the board for a terminal, lines of text.
    fn draw(position: &Self::Position) -> String;

    /// The game's record in its usual notation.
    fn record(record: &GameRecord<Self::Position>, names: [&str; 2], event: &str) -> String;
}

/// Dots and Boxes.
#[derive(Clone, Copy, Debug, Default)]
pub struct DotsAndBoxes;

impl Playable for DotsAndBoxes {
    type Position = dots::Dots;
    type Move = dots::Edge;
    type Moves = crate::eval::dots::EdgeSet;
    type Knowledge = DotsKnowledge;

    const KIND: GameKind = GameKind::DotsAndBoxes;

    fn start(rules: GameRules) -> dots::Dots {
        dots::Dots::new(dots_board(rules))
    }

    fn opening(rules: GameRules, stream: &mut Stream) -> dots::Dots {
        dots_opening::random_opening(dots_board(rules), stream)
    }

    fn read(text: &str) -> Result<dots::Dots, NotationError> {
        dots::Dots::from_text(text)
    }

    fn rules_of(position: &dots::Dots) -> GameRules {
        let board = position.board();
        GameRules::DotsAndBoxes {
            rows: board.rows() as u8,
            cols: board.cols() as u8,
        }
    }

    fn draw(position: &dots::Dots) -> String {
        position.draw()
    }

    fn record(record: &GameRecord<dots::Dots>, names: [&str; 2], event: &str) -> String {
        ccgc::text(record, names, event)
    }
}

fn dots_board(rules: GameRules) -> &'static dots::Board {
    let board = match rules {
        GameRules::DotsAndBoxes { rows, cols } => dots::Board::of(rows.into(), cols.into()),
        GameRules::Amazons { .. } => None,
    };
    board.expect("rules of Dots and Boxes whose board was checked")
}

/// Game of the Amazons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amazons;

impl Playable for Amazons {
    type Position = amazons::Amazons;
    type Move = amazons::HalfMove;
    type Moves = <AmazonsKnowledge as Knowledge<amazons::Amazons>>::Moves;
    type Knowledge = AmazonsKnowledge;

    const KIND: GameKind = GameKind::Amazons;

    fn start(rules: GameRules) -> amazons::Amazons {
        amazons_start(rules)
    }

    fn opening(rules: GameRules, stream: &mut Stream) -> amazons::Amazons {
        amazons_opening::random_opening(amazons_start(rules), stream)
    }

    fn read(text: &str) -> Result<amazons::Amazons, NotationError> {
        amazons::Amazons::from_text(text)
    }

    fn rules_of(position: &amazons::Amazons) -> GameRules {
        let board = position.board();
        GameRules::Amazons {
            files: board.files() as u8,
            ranks: board.ranks() as u8,
        }
    }

    fn draw(position: &amazons::Amazons) -> String {
        position.draw()
    }

    fn record(record: &GameRecord<amazons::Amazons>, names: [&str; 2], event: &str) -> String {
        pgn::text(record, names, event)
    }
}

fn amazons_start(rules: GameRules) -> amazons::Amazons {
    let board = match rules {
        GameRules::Amazons { files, ranks } => amazons::Board::of(files.into(), ranks.into()),
        GameRules::DotsAndBoxes { .. } => None,
    };
    let start = board.and_then(amazons::Amazons::start);
    start.expect("rules of the Amazons whose board was checked")
}

/// Something to do for a game that is known only at run time.
pub trait ForGame {
    /// What comes of it.
    type Output;

    /// Does it for a game.
    fn run<G: Playable>(self) -> Self::Output;
}

/// Does something for the game of this name.
pub fn dispatch<T: ForGame>(kind: GameKind, task: T) -> T::Output {
    match kind {
        GameKind::DotsAndBoxes => task.run::<DotsAndBoxes>(),
        GameKind::Amazons => task.run::<Amazons>(),
    }
}
