//! The games that the engine plays, for whoever takes the game from a configuration.
//!
//! [`Playable`] ties a game's rules, knowledge, openings and notations together. Code for all games
//! is generic over it; [`dispatch`] is where a configuration's game chooses the type.

use std::fmt::Debug;

use crate::agent::{GameRecord, MoveRecord, Opinion};
use crate::config::GameRules;
use crate::eval::amazons::{AmazonsKnowledge, opening as amazons_opening};
use crate::eval::dots::{DotsKnowledge, opening as dots_opening};
use crate::eval::{Knowledge, MoveClass, MoveSet};
use crate::game::{GameKind, NotationError, Outcome, Player, Position, amazons, dots};
use crate::protocol::words::Words;
use crate::protocol::{ccgc, pgn};
use crate::stream::Stream;

/// A game as programs play it.
pub trait Playable: Words + Copy + Debug + Default + Send + Sync + 'static {
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
    /// Names of the classes of moves, in the order of their numbers; empty where there is none.
    const CLASS_NAMES: [&'static str; MoveClass::COUNT];
    /// What the names of files with its records end in, without the dot.
    const RECORD_EXTENSION: &'static str;

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

    /// Points of First and Second so far; None where the game has none.
    fn points(position: &Self::Position) -> Option<[u8; 2]>;

    /// The game's record in its usual notation.
    fn record(record: &GameRecord<Self::Position>, names: [&str; 2], event: &str) -> String;

    /// A record for who does not know the game.
    fn any(record: GameRecord<Self::Position>) -> AnyRecord;
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
    const CLASS_NAMES: [&'static str; MoveClass::COUNT] = crate::eval::dots::CLASS_NAMES;
    const RECORD_EXTENSION: &'static str = "json";

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

    fn points(position: &dots::Dots) -> Option<[u8; 2]> {
        Some(Player::ALL.map(|player| position.taken(player)))
    }

    fn record(record: &GameRecord<dots::Dots>, names: [&str; 2], event: &str) -> String {
        ccgc::text(record, names, event)
    }

    fn any(record: GameRecord<dots::Dots>) -> AnyRecord {
        AnyRecord::DotsAndBoxes(record)
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
    const CLASS_NAMES: [&'static str; MoveClass::COUNT] = ["blocks", "other", "", ""];
    const RECORD_EXTENSION: &'static str = "pgn";

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

    fn points(_position: &amazons::Amazons) -> Option<[u8; 2]> {
        None
    }

    fn record(record: &GameRecord<amazons::Amazons>, names: [&str; 2], event: &str) -> String {
        pgn::text(record, names, event)
    }

    fn any(record: GameRecord<amazons::Amazons>) -> AnyRecord {
        AnyRecord::Amazons(record)
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

/// The record of a finished game of any kind.
#[derive(Clone, Debug)]
pub enum AnyRecord {
    /// Of Dots and Boxes.
    DotsAndBoxes(GameRecord<dots::Dots>),
    /// Of the Amazons.
    Amazons(GameRecord<amazons::Amazons>),
}

/// What a record says of a game, whatever the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The position where the bots took over.
    pub opening: String,
    /// The moves of the bots.
    pub moves: Vec<MoveInWords>,
    /// The result.
    pub outcome: Outcome,
    /// First's final margin, in the game's points.
    pub margin: i32,
    /// Whether the result was proven before the end.
    pub is_proven: bool,
}

/// A move in words.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveInWords {
    /// Who moved.
    pub player: Player,
    /// The move.
    pub notation: String,
    /// Index of the mover's stage.
    pub stage: usize,
    /// The class of the move.
    pub class: &'static str,
    /// Units of work spent on it.
    pub work_units: u64,
    /// What UCT made of it; None where something else chose.
    pub opinion: Option<Opinion>,
    /// Points of First and Second after it, where the game has points.
    pub points: Option<[u8; 2]>,
    /// The position after it.
    pub position: String,
}

impl AnyRecord {
    /// The result.
    pub fn outcome(&self) -> Outcome {
        match self {
            AnyRecord::DotsAndBoxes(record) => record.outcome,
            AnyRecord::Amazons(record) => record.outcome,
        }
    }

    /// What it says.
    pub fn summary(&self) -> Summary {
        match self {
            AnyRecord::DotsAndBoxes(record) => summary::<DotsAndBoxes>(record),
            AnyRecord::Amazons(record) => summary::<Amazons>(record),
        }
    }

    /// The record in the game's usual notation.
    pub fn text(&self, names: [&str; 2], event: &str) -> String {
        match self {
            AnyRecord::DotsAndBoxes(record) => DotsAndBoxes::record(record, names, event),
            AnyRecord::Amazons(record) => Amazons::record(record, names, event),
        }
    }
}

fn summary<G: Playable>(record: &GameRecord<G::Position>) -> Summary {
    let knowledge = G::Knowledge::default();
    let mut position = record.opening;
    let in_words = |played: &MoveRecord<G::Move>| {
        let class = G::CLASS_NAMES[knowledge.class(&position, played.mv).index()];
        let notation = position.format_turn(&[played.mv]);
        position.play(played.mv);
        MoveInWords {
            player: played.player,
            notation,
            stage: played.stage,
            class,
            work_units: played.work_units,
            opinion: played.opinion,
            points: G::points(&position),
            position: position.to_string(),
        }
    };
    Summary {
        opening: record.opening.to_string(),
        moves: record.moves.iter().map(in_words).collect(),
        outcome: record.outcome,
        margin: record.margin,
        is_proven: record.adjudication_units.is_some(),
    }
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
