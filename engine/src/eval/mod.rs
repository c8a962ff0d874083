//! What a searcher may know of a game beyond its rules: one implementation of [`Knowledge`] a game.
//!
//! `search` sees only this module's traits and types, never a concrete game.

use crate::game::Position;
use crate::stream::Stream;

pub mod amazons;
pub mod dots;
mod moves;
pub mod toy;

pub use moves::{ClassSet, ListedMoves, MoveClass, MoveList, MoveSet};

/// How a rollout chooses its moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RolloutPolicy {
    /// Uniformly random legal moves to the end of the game.
    Uniform,
    /// Random among moves that give the opponent nothing; what remains is valued by a formula.
    Safe,
}

/// Constants of a static evaluation that a game may have.
pub const EVALUATION_TERMS: usize = 4;

/// Which of a game's formulas values a position: a number that each game gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct EvaluationForm(pub u8);

/// How a position is valued without playing on: the constants of a game's formula, and how points
/// become a value. Each game names its constants and its formulas.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The formula.
    pub form: EvaluationForm,
    /// Its constants; most are weights of terms, in points a unit of the term.
    pub weights: [f64; EVALUATION_TERMS],
    /// Points that make a value of 1 / (1 + e^-1) = 0.73; above 0.
    pub scale: f64,
    /// Standard deviation, in points, of an error that is added to every evaluation, the same
    /// whenever a position is evaluated: for measuring what errors do to a search. 0 for none.
    pub noise: f64,
    /// What random games from the position add.
    pub correction: Correction,
}

/// The part of an evaluation that uniformly random games from the position make: the same games
/// whenever it is evaluated. For games whose knowledge has it (the Amazons).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Correction {
    /// Random games; 0 for none.
    pub rollouts: u32,
    /// Points that winning all of them adds, and losing all of them takes away.
    pub points: f64,
}

impl Evaluation {
    /// The value in 0 to 1 of being ahead by so many points at the end, as estimated.
    #[inline]
    pub fn value_of_points(&self, points: f64) -> f64 {
        1.0 / (1.0 + libm::exp(-points / self.scale))
    }

    /// The error of a position with this key, in points: the sum of four uniform numbers, which is
    /// near enough to a normal distribution.
    #[inline]
    pub fn error_of(&self, key: u64) -> f64 {
        if self.noise == 0.0 {
            return 0.0;
        }
        let mixed = (key ^ key >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
        let parts = mixed.to_le_bytes();
        let sum = |at: usize| f64::from(u16::from_le_bytes([parts[at], parts[at + 1]]));
        // Four numbers in 0 to 65,535: their sum has this mean and this standard deviation.
        let (mean, deviation) = (2.0 * 65_535.0, 65_536.0 / 3f64.sqrt());
        self.noise * (sum(0) + sum(2) + sum(4) + sum(6) - mean) / deviation
    }
}

/// Counts of what a search did: the deterministic measure of effort (see [`WORK_WEIGHTS`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Plies of uniform rollouts.
    pub uniform_plies: u64,
    /// Plies of safe rollouts, the formula ending not counted.
    pub safe_plies: u64,
    /// Tree levels descended (one scan of the children each).
    pub tree_levels: u64,
    /// Children created at expansion.
    pub children: u64,
    /// Edges searched by alpha-beta.
    pub alpha_beta_edges: u64,
    /// Static evaluations.
    pub evaluations: u64,
}

/// Weight of each event of [`Work`] in units; one unit is about the time of one uniform ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkWeights {
    /// Changes whenever a weight does: results of a budget in work depend on it.
    pub version: u32,
    /// See [`Work::uniform_plies`].
    pub uniform_ply: u64,
    /// See [`Work::safe_plies`]; the formula ending is included.
    pub safe_ply: u64,
    /// See [`Work::tree_levels`].
    pub tree_level: u64,
    /// See [`Work::children`].
    pub child: u64,
    /// See [`Work::alpha_beta_edges`].
    pub alpha_beta_edge: u64,
    /// See [`Work::evaluations`].
    pub evaluation: u64,
}

/// The weights in force: `engine bench --weights` on one machine, rounded. Children are made when
/// they are tried, so creating them costs next to nothing.
pub const WORK_WEIGHTS: WorkWeights = WorkWeights {
    version: 2,
    uniform_ply: 1,
    safe_ply: 11,
    tree_level: 45,
    child: 1,
    alpha_beta_edge: 41,
    evaluation: 330,
};

impl Work {
    /// The weighted sum, in units.
    pub const fn units(&self) -> u64 {
        self.uniform_plies * WORK_WEIGHTS.uniform_ply
            + self.safe_plies * WORK_WEIGHTS.safe_ply
            + self.tree_levels * WORK_WEIGHTS.tree_level
            + self.children * WORK_WEIGHTS.child
            + self.alpha_beta_edges * WORK_WEIGHTS.alpha_beta_edge
            + self.evaluations * WORK_WEIGHTS.evaluation
    }
}

/// What is provable, without search, about what is still to be won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemainingBounds {
    /// The side to move can always get at least this.
    pub lower: i16,
    /// The side to move can never get more than this.
    pub upper: i16,
    /// The value differs from `lower` by a multiple of this (2 where parity is known, else 1).
    pub step: i16,
}

/// What a searcher may know of a game beyond its rules.
///
/// *Remaining value*: best (mover − opponent) over what is still to be won, both playing best.
pub trait Knowledge<P: Position> {
    /// How the moves of a position are kept while a search tries them one by one.
    type Moves: MoveSet<P::Move>;

    /// The moves of `list` as a set; empty only after the end.
    fn moves(&self, position: &P, list: MoveList) -> Self::Moves;

    /// Class of a legal move.
    fn class(&self, position: &P, mv: P::Move) -> MoveClass;

    /// Appends the moves of `list`, each once, with their classes; never empty before the end.
    /// The same as [`Knowledge::moves`], in a form for reports and tests.
    fn classed_moves(&self, position: &P, list: MoveList, out: &mut Vec<(P::Move, MoveClass)>);

    /// Appends a subset of the legal moves that contains one of the best, most promising first.
    fn sufficient_moves(&self, position: &P, out: &mut Vec<P::Move>);

    /// Appends the moves of [`Knowledge::sufficient_moves`] in the order in which a solver compares
    /// them at its root, where the first of those that are best is its answer: a function of the
    /// position alone. The order of the legal moves, unless a game gains much by another.
    fn root_moves(&self, position: &P, out: &mut Vec<P::Move>) {
        let (mut considered, mut legal) = (Vec::new(), Vec::new());
        self.sufficient_moves(position, &mut considered);
        position.legal_moves(&mut legal);
        out.extend(legal.into_iter().filter(|mv| considered.contains(mv)));
    }

    /// Appends those of a sufficient list of moves that may be worth more than `alpha` points, most
    /// promising first, perhaps none; returns a bound that no other move of the list exceeds,
    /// points won by the move included, [`i16::MIN`] if none is left out. For the solver, whose
    /// order and list need not be those of [`Knowledge::sufficient_moves`].
    fn moves_above(&self, position: &P, _alpha: i16, out: &mut Vec<P::Move>) -> i16 {
        self.sufficient_moves(position, out);
        i16::MIN
    }

    /// A move that is provably best and found without comparing it with others, if there is one:
    /// a search follows it without a node of its own. `None` once the game is over; never
    /// answering is always right.
    fn forced_move(&self, _position: &P) -> Option<P::Move> {
        None
    }

    /// Plays a game to its end by `policy` and returns First's final margin.
    fn rollout(
        &self,
        position: &P,
        policy: RolloutPolicy,
        stream: &mut Stream,
        work: &mut Work,
    ) -> i32;

    /// Whether static evaluations here are not comparable with those between turns, because a move
    /// of the same turn is still to come: searches that compare leaves go on to the turn's end.
    /// The same for positions with equal [`Knowledge::remaining_key`]; false is always right where
    /// a game's evaluation sees what the rest of a turn is worth.
    fn is_within_turn(&self, _position: &P) -> bool {
        false
    }

    /// Estimate of the remaining value without playing on, for the side to move, in points.
    /// Precondition: the game is not over.
    fn evaluate(&self, position: &P, evaluation: &Evaluation, work: &mut Work) -> f64;

    /// What the end of the game is worth in points of [`Knowledge::evaluate`], points won so far
    /// not counted, for the side to move: 0 where points are what the game is about. Where it is
    /// about winning alone, more than any estimate. Precondition: the game is over.
    fn final_points(&self, _position: &P) -> f64 {
        0.0
    }

    /// How far the game is from its end, by the game's own measure: falls in the long run. Stages
    /// may start by it. The moves left unless a game knows better.
    fn distance_to_end(&self, position: &P) -> f64 {
        f64::from(self.moves_left(position))
    }

    /// Identity of what is still to be won: positions with equal keys have equal remaining value.
    fn remaining_key(&self, position: &P) -> u64;

    /// The game's symmetries, as bits, under which positions after `root` are likely to be images
    /// of each other. None is always right.
    fn symmetries_after(&self, _root: &P) -> u8 {
        0
    }

    /// Like [`Knowledge::remaining_key`], but positions that are images of each other under one of
    /// these symmetries may share a key. Keys of different sets of symmetries may meet in a table.
    fn remaining_key_among_images(&self, position: &P, _symmetries: u8) -> u64 {
        self.remaining_key(position)
    }

    /// Bounds of the remaining value.
    fn remaining_bounds(&self, position: &P) -> RemainingBounds;

    /// The remaining value where a closed formula proves it.
    fn proven_remaining(&self, position: &P) -> Option<i16>;

    /// About what an exact search takes, in units of work: for choosing when to try.
    fn solving_units(&self, position: &P) -> u64;

    /// How many moves are left to play at most (edges in Dots and Boxes): what stages and tables go
    /// by. Falls by one with every move.
    fn moves_left(&self, position: &P) -> u16;
}
