//! Exact alpha-beta: the remaining value of a position, proven, and moves that reach it.
//!
//! The value is closed in by null windows, each a yes-or-no question "is it at least this?", which
//! a table with two bounds an entry makes cheap to ask again (CITE: Plaat et al. 1996, "Best-first
//! fixed-depth minimax algorithms"). Turns that do not pass are [`Step`](super::Step)'s business.
//!
//! Values are kept in 16 bits: games whose margin can exceed
//! [`LARGEST_MARGIN`](super::LARGEST_MARGIN) are refused.

use std::cmp::Ordering;

use super::{Control, Value, Window};
use crate::eval::{Knowledge, Work};
use crate::game::Position;
use node::{Child, Descent};
pub use parallel::ParallelSolver;
use questions::check_root;

mod known;
mod node;
mod parallel;
mod questions;
mod shared;
mod table;

pub use table::{Entry, Memory, Table};

/// Whether the system would give a table of so many MiB the memory it may come to use.
pub fn can_hold(table_mib: u32) -> bool {
    let bytes = usize::try_from(u64::from(table_mib) << 20);
    bytes.is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// What the solver makes use of. Everything but the defaults is for tests and measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverOptions {
    /// Use the transposition table.
    pub table: bool,
    /// Search [`Knowledge::sufficient_moves`]; otherwise all legal moves.
    pub reductions: bool,
    /// Use [`Knowledge::remaining_bounds`].
    pub bounds: bool,
    /// Use [`Knowledge::proven_remaining`].
    pub proven: bool,
    /// Positions with fewer moves left than this are searched anew instead of looked up: near the
    /// end a search costs less than a cache miss.
    pub table_min_moves_left: u16,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self {
            table: true,
            reductions: true,
            bounds: true,
            proven: true,
            table_min_moves_left: 4,
        }
    }
}

/// A proven value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved<M> {
    /// Remaining value for the side to move, in points.
    pub value: Value,
    /// The first move that reaches it, see [`Solver::solve`].
    pub best_move: M,
    /// Nodes searched.
    pub nodes: u64,
}

/// The answer to a question about a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowResult<M> {
    /// Inside the window the exact value; at or above beta a lower bound of it, at or below alpha
    /// an upper bound.
    pub value: Value,
    /// A move that reaches `value`; `None` when no move exceeds alpha.
    pub best_move: Option<M>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Who wins, proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinLoss<M> {
    /// The game's result for the side to move, points won so far included: greater is a win.
    pub result: Ordering,
    /// The first move that reaches it, see [`Solver::solve`]; `None` where all moves lose.
    pub best_move: Option<M>,
    /// Nodes searched.
    pub nodes: u64,
}

/// All moves that reach the proven value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptimalMoves<M> {
    /// Remaining value for the side to move, in points.
    pub value: Value,
    /// Every optimal legal move, in the order of the legal moves.
    pub moves: Vec<M>,
    /// Nodes searched.
    pub nodes: u64,
}

/// An exact solver with its table and buffers, to be kept for a whole game.
///
/// Results stay visible between searches until [`Solver::new_game`]; what a stopped search has
/// proven stays too. Within one game all calls must use equal knowledge.
pub struct Solver<P: Position> {
    options: SolverOptions,
    table: Table,
    buffers: Vec<Vec<P::Move>>,
    waiting: Vec<Vec<Child<P>>>,
}

impl<P: Position> Solver<P> {
    /// A solver whose table takes at most `table_mib` MiB: the largest power of two that fits,
    /// never less than 64 bytes. The memory is taken at the first use.
    pub fn new(table_mib: u32, options: SolverOptions) -> Self {
        Self::with_table(Table::with_mib(table_mib), options)
    }

    /// A solver whose table has at most `entries` entries of 16 bytes, rounded down to a power of
    /// two, at least 4.
    pub fn with_entries(entries: usize, options: SolverOptions) -> Self {
        Self::with_table(Table::with_entries(entries), options)
    }

    fn with_table(table: Table, options: SolverOptions) -> Self {
        Self {
            options,
            table,
            buffers: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Bytes that the table may take.
    pub fn table_byte_limit(&self) -> usize {
        self.table.byte_limit()
    }

    /// Forgets everything: the next search behaves as the first of a new solver.
    pub fn new_game(&mut self) {
        self.table.new_game();
    }

    /// The remaining value and a best move; `None` when the control stopped the search before the
    /// proof. Precondition: the game is not over.
    ///
    /// The move is a function of the position alone: of those that the reduced list considers
    /// ([`Knowledge::sufficient_moves`]) the first optimal one, in the order of
    /// [`Knowledge::root_moves`] (in Dots and Boxes: the one with the smallest number). Neither the
    /// table's size and content nor earlier searches have a say in it. Every null window tries the
    /// root's moves in that order, so the last one that was answered with yes was answered by the
    /// first move that reaches it, and no move before that one reaches the value.
    pub fn solve<K: Knowledge<P>>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<Solved<P::Move>> {
        self.descent(root, knowledge, control, work).solve(root)
    }

    /// Where the remaining value lies with respect to a window; `None` when stopped.
    /// Preconditions: the game is not over, alpha is below beta.
    pub fn solve_window<K: Knowledge<P>>(
        &mut self,
        root: &P,
        window: Window,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<WindowResult<P::Move>> {
        assert!(window.alpha < window.beta, "a window must not be empty");
        let mut descent = self.descent(root, knowledge, control, work);
        let (value, best_move) = descent.root(root, window)?;
        Some(WindowResult {
            value,
            best_move,
            nodes: descent.nodes,
        })
    }

    /// Who wins, at a fraction of the cost of the value: one or two null windows. `None` when
    /// stopped. Precondition: the game is not over.
    pub fn win_loss<K: Knowledge<P>>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<WinLoss<P::Move>> {
        self.descent(root, knowledge, control, work).win_loss(root)
    }

    /// The remaining value and every legal move that reaches it, also those that a reduced list
    /// leaves out; `None` when stopped. Precondition: the game is not over.
    pub fn optimal_moves<K: Knowledge<P>>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<OptimalMoves<P::Move>> {
        let mut descent = self.descent(root, knowledge, control, work);
        descent.optimal_moves(root)
    }

    fn descent<'a, K: Knowledge<P>>(
        &'a mut self,
        root: &P,
        knowledge: &'a K,
        control: &'a mut dyn Control,
        work: &'a mut Work,
    ) -> Descent<'a, P, K, Table> {
        check_root(root);
        Descent {
            options: self.options,
            table: &mut self.table,
            buffers: &mut self.buffers,
            waiting: &mut self.waiting,
            knowledge,
            control,
            work,
            symmetries: knowledge.symmetries_after(root),
            nodes: 0,
        }
    }
}
