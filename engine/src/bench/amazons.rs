//! The bench's figures of the Amazons, and their signature.

use std::time::Instant;

use serde::Serialize;

use super::self_play::games;
use super::{Fold, TABLE_MIB, TREE_NODES_MAX, rate};
use crate::config::{EngineConfig, GameRules};
use crate::eval::Work;
use crate::eval::amazons::{AmazonsKnowledge, Formula, naive};
use crate::game::amazons::{Amazons, HalfMove};
use crate::game::{GameKind, Player, Position};
use crate::games::{self, Playable};
use crate::params::uct_defaults;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::control::SimulationLimit;
use crate::search::deepening::{self, DeepeningConstants};
use crate::search::pvs::{Pvs, PvsConstants, PvsOptions};
use crate::search::uct::{Uct, UctConstants, Widening};
use crate::search::{Control, Unlimited};
use crate::stream::{Purpose, StreamKey};

/// Positions of the signature.
const SIGNATURE_POSITIONS: u32 = 10;
/// Simulations or evaluations of each search of the signature.
const SIGNATURE_LIMIT: u64 = 400;
/// Squares contested or held up to which the signature also solves, on its small board.
const SIGNATURE_SOLVED_SQUARES: u32 = 9;
/// Sides of the square boards whose games are timed.
const SIDES: [u8; 3] = [6, 8, 10];
/// Evaluations of each kind in turn, so that both meet the same machine.
const TURNS_OF_EVALUATIONS: usize = 40;

/// What a bench of the Amazons found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AmazonsReport {
    /// Behaviour in a number.
    pub signature: String,
    /// Static evaluations a second over the positions of a random game on 10x10.
    pub evaluations_per_s: f64,
    /// How many times as many as the evaluation square by square makes, measured in turn: the
    /// median of the pairs.
    pub evaluations_to_naive: f64,
    /// Half-moves a second of principal variation search, 10x10, three turns ahead.
    pub search_nodes_per_s: f64,
    /// Simulations a second of UCT with widening and evaluated leaves, 1,000 from the start of
    /// 10x10.
    pub uct_simulations_per_s: f64,
    /// Half-moves a second of exact search, 5x5, cold table.
    pub solver_nodes_per_s: f64,
    /// Self-play games a second of the configuration on one core.
    pub games_per_s: f64,
    /// Share of the time of these games spent outside searches, in [0, 1].
    pub share_outside_search: f64,
    /// Seconds of a game of the configuration on square boards of these sides.
    pub seconds_per_game: Vec<(u8, f64)>,
}

/// Runs everything: about `seconds` for each figure. `config` is the engine that plays the games.
/// Precondition: it plays the Amazons.
pub fn bench(config: &EngineConfig, seconds: f64) -> AmazonsReport {
    let (games_per_s, share_outside_search) = games::<games::Amazons>(config, seconds);
    let seconds_on = |side: u8| {
        let mut on_board = config.clone();
        on_board.game = GameRules::Amazons {
            files: side,
            ranks: side,
        };
        (side, 1.0 / games::<games::Amazons>(&on_board, seconds).0)
    };
    let (evaluations_per_s, evaluations_to_naive) = evaluations(seconds);
    AmazonsReport {
        signature: signature(),
        evaluations_per_s,
        evaluations_to_naive,
        search_nodes_per_s: search_nodes(seconds),
        uct_simulations_per_s: simulations(seconds),
        solver_nodes_per_s: solver_nodes(seconds),
        games_per_s,
        share_outside_search,
        seconds_per_game: SIDES.map(seconds_on).to_vec(),
    }
}

/// A reproducible position: so many uniformly random half-moves from the start of a square board,
/// fewer where the game would be over.
fn bench_position(side: u8, number: u32, plies: u32) -> Amazons {
    let mut stream = StreamKey {
        pair: number,
        ..StreamKey::new(0, Purpose::Bench)
    }
    .stream();
    let mut position = games::Amazons::start(GameRules::Amazons {
        files: side,
        ranks: side,
    });
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut next = position;
        next.play(moves[stream.below(moves.len() as u32) as usize]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// The signature alone: what the searchers find on boards from 5x5 to 10x10.
pub fn signature() -> String {
    let mut hash = Fold::default();
    for number in 0..SIGNATURE_POSITIONS {
        let position = bench_position(5 + (number % 6) as u8, number, 6 * number + number % 2);
        searches_into(&mut hash, &position, number);
        let small = bench_position(5, 100 + number, 24);
        if small.empty().count_ones() <= SIGNATURE_SOLVED_SQUARES {
            let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
            let mut work = Work::default();
            let solved = solver.solve(&small, &AmazonsKnowledge, &mut Unlimited, &mut work);
            let solved = solved.expect("nothing stops this search");
            hash.add(solved.nodes);
            hash.add(solved.value.0 as u64);
            hash.add(number_of(solved.best_move));
        }
    }
    format!("{:016x}", hash.0)
}

fn searches_into(hash: &mut Fold, position: &Amazons, number: u32) {
    let knowledge = AmazonsKnowledge;
    let stream = StreamKey {
        pair: number,
        ..StreamKey::new(1, Purpose::Bench)
    };
    let mut control = SimulationLimit(SIGNATURE_LIMIT);
    let limit: &mut dyn Control = &mut control;
    for constants in [rollouts(), widened()] {
        let mut work = Work::default();
        let mut uct = Uct::new(TREE_NODES_MAX);
        let mut stream = stream.stream();
        let report = uct.search(
            position,
            &knowledge,
            &constants,
            &mut stream,
            limit,
            &mut work,
        );
        hash.add(number_of(report.best_move));
        hash.add(work.units());
        for child in &report.children {
            hash.add(number_of(child.mv));
            hash.add(u64::from(child.visits));
            hash.add(child.mean.to_bits());
        }
    }
    let mut work = Work::default();
    let mut pvs = Pvs::new(TABLE_MIB, PvsOptions::default());
    let variation = pvs.search(position, &knowledge, &variations(4), limit, &mut work);
    let PvsConstants {
        depth_plies,
        move_list,
        evaluation,
        ..
    } = variations(2);
    let constants = DeepeningConstants {
        depth_plies,
        move_list,
        evaluation,
    };
    let deepened = deepening::search(position, &knowledge, &constants, limit, &mut work);
    for report in [variation, deepened] {
        hash.add(number_of(report.best_move));
        hash.add(report.value.to_bits());
        hash.add(u64::from(report.depth_plies));
    }
    hash.add(work.units());
}

/// A half-move as a number.
fn number_of(mv: HalfMove) -> u64 {
    let (kind, from, to) = match mv {
        HalfMove::Walk { from, to } => (0, from, to),
        HalfMove::Shot { from, at } => (1, from, at),
    };
    (kind * 128 + from.index() as u64) * 128 + to.index() as u64
}

fn rollouts() -> UctConstants {
    uct_defaults(GameKind::Amazons)
}

fn widened() -> UctConstants {
    UctConstants {
        exploration: 0.05,
        evaluation_weight: 1.0,
        widening: Widening {
            first: 2,
            exponent: 0.3,
        },
        ..rollouts()
    }
}

fn variations(depth_plies: u16) -> PvsConstants {
    let UctConstants {
        width,
        move_list,
        evaluation,
        ..
    } = rollouts();
    PvsConstants {
        depth_plies,
        width,
        move_list,
        evaluation,
    }
}

/// Evaluations a second, and how many times as many as of the naive evaluator.
fn evaluations(seconds: f64) -> (f64, f64) {
    let positions: Vec<Amazons> = (0..30)
        .map(|turn| bench_position(10, 0, 4 * turn))
        .collect();
    let formula = Formula::PAPER_START;
    let timed = |value: &dyn Fn(&Amazons) -> f64| {
        let begun = Instant::now();
        for position in &positions {
            std::hint::black_box(value(std::hint::black_box(position)));
        }
        begun.elapsed().as_secs_f64() / positions.len() as f64
    };
    let (mut fast_s, mut ratios) = (Vec::new(), Vec::new());
    rate(seconds, || {
        let fast = |position: &Amazons| formula.value(position, Player::First);
        let times = (0..TURNS_OF_EVALUATIONS).map(|_| timed(&fast));
        let fast = times.sum::<f64>() / TURNS_OF_EVALUATIONS as f64;
        let slow = timed(&|position| naive::value(position, &formula, Player::First));
        fast_s.push(fast);
        ratios.push(slow / fast);
        1
    });
    (1.0 / median(&mut fast_s), median(&mut ratios))
}

/// The middle one. Precondition: there is one.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn search_nodes(seconds: f64) -> f64 {
    let positions: Vec<Amazons> = (0..4)
        .map(|number| bench_position(10, number, 40))
        .collect();
    rate(seconds, || {
        let mut nodes = 0;
        for position in &positions {
            let mut pvs = Pvs::new(TABLE_MIB, PvsOptions::default());
            let mut work = Work::default();
            let constants = variations(6);
            pvs.search(
                position,
                &AmazonsKnowledge,
                &constants,
                &mut Unlimited,
                &mut work,
            );
            nodes += work.alpha_beta_edges;
        }
        nodes
    })
}

fn simulations(seconds: f64) -> f64 {
    let start = bench_position(10, 0, 0);
    let mut uct = Uct::new(TREE_NODES_MAX);
    let mut stream = StreamKey::new(3, Purpose::Bench).stream();
    rate(seconds, || {
        let mut work = Work::default();
        let mut control = SimulationLimit(1_000);
        let knowledge = AmazonsKnowledge;
        let report = uct.search(
            &start,
            &knowledge,
            &widened(),
            &mut stream,
            &mut control,
            &mut work,
        );
        report.simulations
    })
}

fn solver_nodes(seconds: f64) -> f64 {
    let positions: Vec<Amazons> = (0..8).map(|number| bench_position(5, number, 12)).collect();
    rate(seconds, || {
        let mut nodes = 0;
        for position in &positions {
            let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
            let mut work = Work::default();
            let solved = solver.solve(position, &AmazonsKnowledge, &mut Unlimited, &mut work);
            nodes += solved.expect("nothing stops this search").nodes;
        }
        nodes
    })
}
