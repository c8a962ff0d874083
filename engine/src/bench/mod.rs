//! `engine bench`: how fast the engine is, and a number for how it behaves.
//!
//! The **signature** folds everything that a fixed set of searches finds into one number: a change
//! that leaves it alone did not change the behaviour of rules, knowledge or search. Speeds are for
//! people: they depend on the machine and its load, and nothing compares them.

pub mod amazons;
mod self_play;
mod weights;

use std::time::Instant;

use serde::Serialize;

use crate::config::EngineConfig;
use crate::eval::dots::DotsKnowledge;
use crate::eval::{Knowledge, MoveList, RolloutPolicy, Work};
use crate::game::dots::{Board, Dots};
use crate::game::{GameKind, Position};
use crate::games::DotsAndBoxes;
use crate::params::uct_defaults;
use crate::search::Unlimited;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::control::SimulationLimit;
use crate::search::uct::{FinalMove, Uct, UctConstants};
use crate::stream::{Purpose, StreamKey};

use self_play::games;
pub use weights::{EventCost, weights};

/// Positions of the signature.
const SIGNATURE_POSITIONS: u32 = 12;
/// Simulations of each search of the signature.
const SIGNATURE_SIMULATIONS: u64 = 400;
/// Edges left at which the signature also solves.
const SIGNATURE_SOLVED_EDGES: u32 = 28;
/// Nodes of the bench's trees.
const TREE_NODES_MAX: u32 = 1_000_000;
/// Table of the bench's solver, in MiB.
const TABLE_MIB: u32 = 16;

/// What a bench found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BenchReport {
    /// Behaviour in a number.
    pub signature: String,
    /// Uniform rollouts from the empty 5x5 board, a second.
    pub uniform_rollouts_per_s: f64,
    /// Safe rollouts from the empty 5x5 board, a second.
    pub safe_rollouts_per_s: f64,
    /// UCT simulations a second, uniform rollouts, 1,000 from the empty 5x5 board.
    pub uct_1000_simulations_per_s: f64,
    /// UCT simulations a second, uniform rollouts, 10,000 from the empty 5x5 board.
    pub uct_10000_simulations_per_s: f64,
    /// The same with the sufficient move list and safe rollouts, 1,000.
    pub uct_safe_1000_simulations_per_s: f64,
    /// Nodes a second of the solver on quiet positions with 34 edges left, cold table.
    pub solver_nodes_per_s: f64,
    /// Self-play games a second of the configuration on one core.
    pub games_per_s: f64,
    /// Share of the time of these games spent outside searches, in [0, 1].
    pub share_outside_search: f64,
}

/// The speed of UCT, see [`uct`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UctSpeed {
    /// Simulations of all searches together.
    pub simulations: u64,
    /// Simulations a second of wall-clock time.
    pub simulations_per_s: f64,
}

/// Runs everything: about `seconds` for each figure. `config` is the engine that plays the games.
/// Precondition: it plays Dots and Boxes.
pub fn bench(config: &EngineConfig, seconds: f64) -> BenchReport {
    let (games_per_s, share_outside_search) = games::<DotsAndBoxes>(config, seconds);
    BenchReport {
        signature: signature(),
        uniform_rollouts_per_s: rollouts(RolloutPolicy::Uniform, seconds),
        safe_rollouts_per_s: rollouts(RolloutPolicy::Safe, seconds),
        uct_1000_simulations_per_s: uct(RolloutPolicy::Uniform, 1_000, seconds).simulations_per_s,
        uct_10000_simulations_per_s: uct(RolloutPolicy::Uniform, 10_000, seconds).simulations_per_s,
        uct_safe_1000_simulations_per_s: uct(RolloutPolicy::Safe, 1_000, seconds).simulations_per_s,
        solver_nodes_per_s: solver(seconds),
        games_per_s,
        share_outside_search,
    }
}

/// The signature alone.
pub fn signature() -> String {
    let mut hash = Fold::default();
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let mut uct = Uct::new(TREE_NODES_MAX);
    let knowledge = DotsKnowledge;
    for number in 0..SIGNATURE_POSITIONS {
        let position = bench_position(number, 4 * number);
        for constants in [uniform_constants(), safe_constants()] {
            search_into(&mut hash, &mut uct, &position, &constants, number);
        }
        if position.open().count_ones() <= SIGNATURE_SOLVED_EDGES {
            solver.new_game();
            let mut work = Work::default();
            let solved = solver.solve(&position, &knowledge, &mut Unlimited, &mut work);
            let solved = solved.expect("nothing stops this search");
            hash.add(solved.nodes);
            hash.add(solved.value.0 as u64);
            hash.add(u64::from(solved.best_move.0));
        }
    }
    format!("{:016x}", hash.0)
}

fn search_into(
    hash: &mut Fold,
    uct: &mut Uct<Dots, DotsKnowledge>,
    position: &Dots,
    constants: &UctConstants,
    number: u32,
) {
    let knowledge = DotsKnowledge;
    let mut stream = StreamKey {
        pair: number,
        ..StreamKey::new(1, Purpose::Bench)
    }
    .stream();
    let mut work = Work::default();
    let mut control = SimulationLimit(SIGNATURE_SIMULATIONS);
    let report = uct.search(
        position,
        &knowledge,
        constants,
        &mut stream,
        &mut control,
        &mut work,
    );
    hash.add(u64::from(report.best_move.0));
    hash.add(work.units());
    for child in &report.children {
        hash.add(u64::from(child.mv.0));
        hash.add(u64::from(child.visits));
        hash.add(child.mean.to_bits());
    }
}

/// FNV-1a over 64-bit words.
struct Fold(u64);

impl Default for Fold {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fold {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

fn uniform_constants() -> UctConstants {
    UctConstants {
        exploration: 1.0,
        move_list: MoveList::All,
        rollout: RolloutPolicy::Uniform,
        final_move: FinalMove::Visits,
        ..uct_defaults(GameKind::DotsAndBoxes)
    }
}

fn safe_constants() -> UctConstants {
    UctConstants {
        exploration: 0.2,
        move_list: MoveList::Sufficient,
        rollout: RolloutPolicy::Safe,
        ..uniform_constants()
    }
}

fn start() -> Dots {
    Dots::new(Board::of(5, 5).expect("5x5 boxes are a board"))
}

/// A reproducible 5x5 position: `plies` uniform moves among the sufficient ones.
fn bench_position(number: u32, plies: u32) -> Dots {
    let knowledge = DotsKnowledge;
    let mut stream = StreamKey {
        pair: number,
        ..StreamKey::new(0, Purpose::Bench)
    }
    .stream();
    let mut position = start();
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        knowledge.sufficient_moves(&position, &mut moves);
        position.play(moves[stream.below(moves.len() as u32) as usize]);
    }
    position
}

/// Calls `batch` until `seconds` are over; events a second.
fn rate(seconds: f64, mut batch: impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let mut events = 0;
    loop {
        events += batch();
        let elapsed = begun.elapsed().as_secs_f64();
        if elapsed >= seconds {
            return events as f64 / elapsed;
        }
    }
}

fn rollouts(policy: RolloutPolicy, seconds: f64) -> f64 {
    let (knowledge, position) = (DotsKnowledge, start());
    let mut stream = StreamKey::new(2, Purpose::Bench).stream();
    let mut work = Work::default();
    rate(seconds, || {
        for _ in 0..1_000 {
            std::hint::black_box(knowledge.rollout(&position, policy, &mut stream, &mut work));
        }
        1_000
    })
}

/// Measures UCT from the empty 5x5 board for about `seconds`: searches of `simulations` each, with
/// all moves and uniform rollouts or with the sufficient moves and safe rollouts.
pub fn uct(policy: RolloutPolicy, simulations: u64, seconds: f64) -> UctSpeed {
    let (knowledge, position) = (DotsKnowledge, start());
    let constants = match policy {
        RolloutPolicy::Uniform => uniform_constants(),
        RolloutPolicy::Safe => safe_constants(),
    };
    let mut searcher = Uct::new(TREE_NODES_MAX);
    let mut stream = StreamKey::new(3, Purpose::Bench).stream();
    let mut made = 0;
    let simulations_per_s = rate(seconds, || {
        let mut control = SimulationLimit(simulations);
        let mut work = Work::default();
        let report = searcher.search(
            &position,
            &knowledge,
            &constants,
            &mut stream,
            &mut control,
            &mut work,
        );
        made += report.simulations;
        report.simulations
    });
    UctSpeed {
        simulations: made,
        simulations_per_s,
    }
}

fn solver(seconds: f64) -> f64 {
    let knowledge = DotsKnowledge;
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let positions: Vec<Dots> = (0..8)
        .map(|number| bench_position(100 + number, 26))
        .collect();
    rate(seconds, || {
        let mut nodes = 0;
        for position in &positions {
            solver.new_game();
            let mut work = Work::default();
            let solved = solver.solve(position, &knowledge, &mut Unlimited, &mut work);
            nodes += solved.expect("nothing stops this search").nodes;
        }
        nodes
    })
}
