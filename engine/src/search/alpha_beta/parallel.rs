//! Exact alpha-beta by several threads: the same value and the same move, sooner.
//!
//! Every thread proves the answer on its own, from what all of them have put into one table, and
//! the first to have it stops the others. Threads part ways below the root, where each prefers the
//! moves that no other is searching (see [`node`](super::node)). The order of the root's moves is
//! nobody's to change: so the answer is a function of the position alone, as in
//! [`Solver`](super::Solver). Only the number of nodes varies from run to run.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::node::Descent;
use super::questions::check_root;
use super::shared::{SharedTable, View};
use super::{OptimalMoves, Solved, SolverOptions, WinLoss};
use crate::eval::{Knowledge, Work};
use crate::game::Position;
use crate::search::Control;

/// An exact solver of several threads with their common table.
///
/// For play and analysis against the clock: nodes and work are not repeatable. Results stay
/// visible between searches until [`ParallelSolver::new_game`]. Within one game all calls must use
/// equal knowledge.
pub struct ParallelSolver {
    options: SolverOptions,
    table: SharedTable,
    threads: NonZero<u16>,
}

/// One thread's view of a search.
type Thread<'a, P, K> = Descent<'a, P, K, View<'a>>;

impl ParallelSolver {
    /// A solver whose table takes at most `table_mib` MiB: the largest power of two that fits,
    /// never less than 64 bytes. The memory is taken as the table fills.
    pub fn new(table_mib: u32, threads: NonZero<u16>, options: SolverOptions) -> Self {
        let table = SharedTable::with_mib(table_mib);
        Self {
            options,
            table,
            threads,
        }
    }

    /// A solver whose table has at most `entries` entries of 16 bytes, rounded down to a power of
    /// two, at least 4.
    pub fn with_entries(entries: usize, threads: NonZero<u16>, options: SolverOptions) -> Self {
        let table = SharedTable::with_entries(entries);
        Self {
            options,
            table,
            threads,
        }
    }

    /// Bytes that the table may take.
    pub fn table_byte_limit(&self) -> usize {
        self.table.byte_limit()
    }

    /// Forgets everything: the next search finds an empty table.
    pub fn new_game(&mut self) {
        self.table.new_game();
    }

    /// As [`Solver::solve`](super::Solver::solve): the same value and move, whatever the number of
    /// threads. The control is asked by the calling thread about the work of all of them.
    pub fn solve<P, K>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<Solved<P::Move>>
    where
        P: Position<Move: Send> + Send + Sync,
        K: Knowledge<P> + Sync,
    {
        let question = |thread: &mut Thread<'_, P, K>| thread.solve(root);
        let (found, nodes) = self.race(root, knowledge, control, work, &question)?;
        Some(Solved { nodes, ..found })
    }

    /// As [`Solver::win_loss`](super::Solver::win_loss): the same result and move.
    pub fn win_loss<P, K>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<WinLoss<P::Move>>
    where
        P: Position<Move: Send> + Send + Sync,
        K: Knowledge<P> + Sync,
    {
        let question = |thread: &mut Thread<'_, P, K>| thread.win_loss(root);
        let (found, nodes) = self.race(root, knowledge, control, work, &question)?;
        Some(WinLoss { nodes, ..found })
    }

    /// As [`Solver::optimal_moves`](super::Solver::optimal_moves): the same value and moves.
    pub fn optimal_moves<P, K>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> Option<OptimalMoves<P::Move>>
    where
        P: Position<Move: Send> + Send + Sync,
        K: Knowledge<P> + Sync,
    {
        let question = |thread: &mut Thread<'_, P, K>| thread.optimal_moves(root);
        let (found, nodes) = self.race(root, knowledge, control, work, &question)?;
        Some(OptimalMoves { nodes, ..found })
    }

    /// Lets all threads answer the question; the first answer counts, with the nodes of all.
    /// `None` when the control stopped the search before an answer.
    fn race<P, K, A>(
        &mut self,
        root: &P,
        knowledge: &K,
        control: &mut dyn Control,
        work: &mut Work,
        question: &(impl Fn(&mut Thread<'_, P, K>) -> Option<A> + Sync),
    ) -> Option<(A, u64)>
    where
        P: Position<Move: Send> + Send + Sync,
        K: Knowledge<P> + Sync,
        A: Send,
    {
        check_root(root);
        let (options, table, race) = (self.options, &self.table, &Race::default());
        let run = |control: &mut dyn Control, work: &mut Work| {
            let _whoever_ends_stops_the_others = EndOfRace(race);
            let mut table = table.view();
            let mut thread = Descent {
                options,
                table: &mut table,
                buffers: &mut Vec::new(),
                waiting: &mut Vec::new(),
                knowledge,
                control,
                work,
                symmetries: knowledge.symmetries_after(root),
                nodes: 0,
            };
            (question(&mut thread), thread.nodes)
        };
        let help = || {
            let mut work = Work::default();
            let (answer, nodes) = run(&mut Runner { race, reported: 0 }, &mut work);
            (answer, nodes, work.alpha_beta_edges)
        };
        let (mut answer, mut nodes) = (None, 0);
        thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads.get()).map(|_| scope.spawn(help)).collect();
            (answer, nodes) = run(&mut Caller { race, control }, work);
            for helper in helpers {
                let ended = helper.join().unwrap_or_else(|panic| resume_unwind(panic));
                answer = answer.take().or(ended.0);
                nodes += ended.1;
                work.alpha_beta_edges += ended.2;
            }
        });
        Some((answer?, nodes))
    }
}

/// What the threads of one search tell each other.
#[derive(Default)]
struct Race {
    over: AtomicBool,
    /// Edges searched by all threads but the calling one, as reported so far.
    edges: AtomicU64,
}

/// Dropped when a thread ends, with an answer, stopped or in a panic.
struct EndOfRace<'a>(&'a Race);

impl Drop for EndOfRace<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
    }
}

/// Control of a thread beside the calling one.
struct Runner<'a> {
    race: &'a Race,
    reported: u64,
}

impl Control for Runner<'_> {
    fn should_stop(&mut self, work: &Work, _simulations: u64) -> bool {
        let new = work.alpha_beta_edges - self.reported;
        self.race.edges.fetch_add(new, Relaxed);
        self.reported = work.alpha_beta_edges;
        self.race.over.load(Relaxed)
    }
}

/// Control of the calling thread: the caller's, asked about the work of all.
struct Caller<'a> {
    race: &'a Race,
    control: &'a mut dyn Control,
}

impl Control for Caller<'_> {
    fn should_stop(&mut self, work: &Work, simulations: u64) -> bool {
        let mut all = *work;
        all.alpha_beta_edges += self.race.edges.load(Relaxed);
        self.race.over.load(Relaxed) || self.control.should_stop(&all, simulations)
    }
}
