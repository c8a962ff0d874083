//! Trials: what a learner asks to be played, and what came of it.

use crate::space::Vector;
use crate::stats::{Pentanomial, Wdl};

/// Who sits where in the games of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// Each opening is played twice with sides swapped: a game pair.
    Paired,
    /// A is First in every game (the source's policy: its candidate is always "black").
    AFirst,
}

/// What keys the random streams of a trial, together with pair, attempt and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrialId {
    /// Round, from 0.
    pub round: u32,
    /// Trial of the run, from 0, across rounds.
    pub trial: u32,
}

/// A mini-match of two parameter vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Which trial of the run this is.
    pub id: TrialId,
    /// The vector whose score is the result.
    pub a: Vector,
    /// Its opponent.
    pub b: Vector,
    /// Who sits where.
    pub colours: Colours,
    /// Number of games; even when [`Colours::Paired`].
    pub games: u32,
}

/// What came of a trial, seen from A.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TrialResult {
    /// Games won, drawn and lost by A.
    pub wdl: Wdl,
    /// Game pairs by A's points; all zero when the colours were not paired.
    pub pentanomial: Pentanomial,
    /// Pairs that were dropped because a game of theirs failed, and were played again.
    pub failed_pairs: u32,
}
