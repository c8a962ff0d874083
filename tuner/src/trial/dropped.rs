//! Dropped pairs: games that failed, with what shows them again.

use std::fmt;

use super::TrialId;
use crate::space::Vector;

/// Who made a game fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Culprit {
    /// The side whose score is the trial's result.
    A,
    /// Its opponent.
    B,
    /// The referee, who proves the rest of a game.
    Referee,
}

impl Culprit {
    /// The word for files and people.
    pub const fn word(self) -> &'static str {
        match self {
            Culprit::A => "a",
            Culprit::B => "b",
            Culprit::Referee => "referee",
        }
    }
}

/// What made a game fail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FailureKind {
    /// A move that the rules refuse.
    IllegalMove,
    /// A move that took longer than its deadline.
    OverTime,
    /// A panic.
    Panic,
}

impl FailureKind {
    /// The word for files and people.
    pub const fn word(self) -> &'static str {
        match self {
            FailureKind::IllegalMove => "illegal move",
            FailureKind::OverTime => "over time",
            FailureKind::Panic => "panic",
        }
    }
}

/// A move of a game that failed, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DroppedMove {
    /// `First` or `Second`.
    pub player: String,
    /// The move.
    pub notation: String,
    /// The stage of the mover's engine that chose it.
    pub stage: String,
}

/// A pair that was dropped because a game of it failed.
#[derive(Clone, PartialEq, Debug)]
pub struct DroppedPair {
    /// Which trial.
    pub id: TrialId,
    /// Pair of the trial, from 0.
    pub pair: u32,
    /// How often the pair had been dropped before.
    pub attempt: u32,
    /// Number of the failed game in the trial, from 0.
    pub game: u32,
    /// Whether A sat as First in it.
    pub a_is_first: bool,
    /// The vectors of the two sides; empty for a fixed engine.
    pub vectors: [Vector; 2],
    /// Who made it fail.
    pub culprit: Culprit,
    /// How.
    pub kind: FailureKind,
    /// What happened, in a sentence.
    pub reason: String,
    /// Where the engines took over.
    pub opening: String,
    /// Where the game stopped.
    pub position: String,
    /// The moves between the two.
    pub moves: Vec<DroppedMove>,
    /// Seed of the run.
    pub seed: u64,
}

impl DroppedPair {
    /// The vector of the side that made the game fail; none where that was no side's.
    pub fn culprits_vector(&self) -> Option<&Vector> {
        match self.culprit {
            Culprit::A => Some(&self.vectors[0]),
            Culprit::B => Some(&self.vectors[1]),
            Culprit::Referee => None,
        }
    }
}

impl fmt::Display for DroppedPair {
    /// Which game failed and why, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (TrialId { round, trial }, game) = (self.id, self.game);
        let (attempt, kind, by) = (self.attempt, self.kind.word(), self.culprit.word());
        write!(
            f,
            "round {round}, trial {trial}, game {game}, attempt {attempt}: {kind} by {by}: {}",
            self.reason
        )
    }
}
