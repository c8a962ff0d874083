//! Principal variation search with the static evaluation, for games with many moves.
//!
//! Alpha-beta to a growing depth with a transposition table, moves in the order of what is known of
//! them, and windows that only ask whether a move is better than the best so far.
//! CITE: Marsland and Campbell 1982, "Parallel search of strongly ordered game trees".
//!
//! **Turns are searched whole.** Where a turn is several moves, an evaluation within it is not
//! comparable with one after it: in the Amazons an arrow that is still to be shot is worth several
//! squares, and a search that stopped at a fixed ply would compare boards with and without it. So a
//! position within a turn ([`Knowledge::is_within_turn`]) is no leaf: at the depth limit the search
//! goes on until the turn has passed. Depths that would lead to the same leaves are skipped.
//!
//! Values are whole multiples of [`UNIT`] points, so that a window can be empty but for one value.
//! Of the table an entry counts only for the depth that is asked for: a search to a depth has the
//! value of plain minimax to that depth, whatever was searched before.

use super::deepening::DeepeningReport;
use super::{Control, report_best};
use crate::eval::{Evaluation, Knowledge, MoveList, Work};
use crate::game::Position;
use node::{Descent, Place};
use order::Refutations;
use table::Table;

mod node;
mod order;
mod table;
#[cfg(test)]
mod tests;

/// A value in units of [`UNIT`] points.
type Score = i64;

/// Points that a value counts by: 2^-20.
pub const UNIT: f64 = 1.0 / (1 << 20) as f64;

/// No value is as large.
const INFINITE: Score = 1 << 60;

/// Points by which a value may differ from that of the last iteration before a search is repeated.
const ASPIRATION_POINTS: f64 = 3.0;

/// The constants of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PvsConstants {
    /// Largest depth in plies, at least 1; leaves within a turn are put off to its end.
    pub depth_plies: u16,
    /// Moves that are searched where at least [`WIDTH_DEPTH`] plies are left, those with the
    /// best static value; 0 for all.
    pub width: u16,
    /// Which moves are searched.
    pub move_list: MoveList,
    /// How a leaf is valued.
    pub evaluation: Evaluation,
}

/// Depth from which on a width counts: nearer to the leaves the static values of all moves would
/// cost as much as the search.
pub const WIDTH_DEPTH: u16 = 2;

/// What a search may use beside plain alpha-beta. Values never depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PvsOptions {
    /// The transposition table, the best move that it remembers, and the static values that the
    /// first iteration found.
    pub table: bool,
    /// Order by what the first iteration found: the root's moves by their values, moves later in
    /// its turn by their static values.
    pub static_order: bool,
    /// Killer moves and the history of cuts.
    pub refutations: bool,
    /// Windows of one value for all moves but the first.
    pub null_windows: bool,
    /// A window around the last iteration's value.
    pub aspiration: bool,
}

impl Default for PvsOptions {
    /// What pays (docs/amazons-search.md).
    fn default() -> Self {
        Self {
            table: true,
            static_order: true,
            refutations: true,
            null_windows: true,
            aspiration: true,
        }
    }
}

/// A searcher that keeps its table from search to search of a game.
pub struct Pvs<P: Position> {
    options: PvsOptions,
    table: Table<P::Move>,
    refutations: Refutations<P::Move>,
    /// The constants behind what the table holds, the depth limit left out.
    table_constants: Option<(u16, MoveList, Evaluation)>,
    /// Lists of moves, by ply below the root.
    buffers: Vec<Vec<(P::Move, Score)>>,
}

impl<P: Position> Pvs<P> {
    /// A searcher with a table of at most so many MiB, of which memory is taken as it fills.
    pub fn new(table_mib: u32, options: PvsOptions) -> Self {
        Self::with_table(Table::with_mib(table_mib), options)
    }

    /// A searcher with a table of so many entries: a power of two, at least two.
    pub fn with_entries(entries: usize, options: PvsOptions) -> Self {
        Self::with_table(Table::with_slots(entries), options)
    }

    fn with_table(table: Table<P::Move>, options: PvsOptions) -> Self {
        Self {
            options,
            table,
            refutations: Refutations::new(),
            table_constants: None,
            buffers: Vec::new(),
        }
    }

    /// Forgets everything of earlier games.
    pub fn new_game(&mut self) {
        self.table.new_game();
        self.table_constants = None;
    }

    /// Searches deeper and deeper until the control says stop, asked with the number of evaluations
    /// in place of simulations, or the depth limit or the end of all lines is reached.
    ///
    /// An iteration cut short counts once its first move, the best of the iteration before, is
    /// through. What other constants have left in the table is not seen.
    /// Precondition: the game is not over.
    pub fn search<K: Knowledge<P>>(
        &mut self,
        root: &P,
        knowledge: &K,
        constants: &PvsConstants,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> DeepeningReport<P::Move> {
        assert!(root.outcome().is_none(), "a finished game has no best move");
        let behind = (constants.width, constants.move_list, constants.evaluation);
        if self.table_constants.is_some_and(|known| known != behind) {
            self.table.new_game();
        }
        self.table_constants = Some(behind);
        self.refutations.clear();
        let mut descent = Descent::new(self, knowledge, constants, control, work);
        deepen(&mut descent, root, constants.depth_plies.max(1))
    }
}

/// A move of the root and what it was found to be worth, exactly or at most.
type RootMove<M> = (M, Score);

/// Iterates over the depths that lead to different leaves.
fn deepen<P: Position, K: Knowledge<P>>(
    descent: &mut Descent<'_, P, K>,
    root: &P,
    depth_limit: u16,
) -> DeepeningReport<P::Move> {
    let mut moves = Vec::new();
    descent.append_moves(root, &mut moves);
    let mut moves: Vec<RootMove<P::Move>> = moves.into_iter().map(|mv| (mv, 0)).collect();
    let mut report = DeepeningReport {
        best_move: moves[0].0,
        value: 0.0,
        depth_plies: 0,
        evaluations: 0,
    };
    let mut depth = 1;
    while depth <= depth_limit {
        descent.begin_iteration();
        let finished = iterate(descent, root, depth, &mut moves, &mut report).is_some();
        let nearest = descent.nearest_leaf().unwrap_or(depth);
        if finished {
            report.depth_plies = nearest;
        }
        let is_all = descent.nearest_leaf().is_none();
        // Without a line that ended at the limit, going deeper changes nothing.
        if !finished || is_all || moves.len() == 1 {
            break;
        }
        if depth == 1 {
            descent.sort_root(&mut moves);
            descent.keep_static_values_to(nearest);
        }
        depth = nearest + 1;
    }
    report.evaluations = descent.evaluations();
    report
}

/// Searches the root to this depth, around the last value where that is known; `None` when stopped.
fn iterate<P: Position, K: Knowledge<P>>(
    descent: &mut Descent<'_, P, K>,
    root: &P,
    depth: u16,
    moves: &mut [RootMove<P::Move>],
    report: &mut DeepeningReport<P::Move>,
) -> Option<()> {
    let mut window = (-INFINITE, INFINITE);
    if descent.uses_aspiration() && depth > 1 {
        let reach = (ASPIRATION_POINTS / UNIT) as Score;
        let last = (report.value / UNIT) as Score;
        window = (last - reach, last + reach);
    }
    loop {
        let value = search_root(descent, root, depth, window, moves, report)?;
        if value <= window.0 && window.0 > -INFINITE {
            window.0 = -INFINITE;
        } else if value >= window.1 && window.1 < INFINITE {
            window.1 = INFINITE;
        } else {
            return Some(());
        }
    }
}

/// Searches every move of the root; better ones are moved to the front and reported.
fn search_root<P: Position, K: Knowledge<P>>(
    descent: &mut Descent<'_, P, K>,
    root: &P,
    depth: u16,
    window: (Score, Score),
    moves: &mut [RootMove<P::Move>],
    report: &mut DeepeningReport<P::Move>,
) -> Option<Score> {
    let mut best = -INFINITE;
    for index in 0..moves.len() {
        let mv = moves[index].0;
        let inner = (window.0.max(best), window.1);
        let value = descent.value_in_turn(root, mv, inner, Place { depth, ply: 0 }, index)?;
        moves[index].1 = value;
        if value > best {
            best = value;
            if value > window.0 {
                moves[..=index].rotate_right(1);
                report.best_move = mv;
                report.value = value as f64 * UNIT;
                report_best(root, mv, descent.control());
            }
        }
        if best >= window.1 {
            break;
        }
    }
    Some(best)
}
