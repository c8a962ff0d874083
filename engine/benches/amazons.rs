//! What searches of the Amazons spend their time on: the static evaluation, beside the naive one,
//! and the rules.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sixfold_engine::eval::amazons::distances::Distances;
use sixfold_engine::eval::amazons::{Formula, naive};
use sixfold_engine::game::amazons::{Amazons, Board, perft_turns};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

fn stream() -> Stream {
    StreamKey::new(1, Purpose::Bench).stream()
}

fn start(side: usize) -> Amazons {
    let board = Board::of(side, side).expect("a board");
    Amazons::start(board).expect("a board with a start")
}

/// The positions between turns of one random game, its end left out.
fn game(side: usize) -> Vec<Amazons> {
    let mut stream = stream();
    let mut position = start(side);
    let (mut moves, mut positions) = (Vec::new(), Vec::new());
    while position.outcome().is_none() {
        if position.shooter().is_none() {
            positions.push(position);
        }
        moves.clear();
        position.legal_moves(&mut moves);
        position.play(moves[stream.below(moves.len() as u32) as usize]);
    }
    positions
}

/// Evaluations a second over the positions of a game, fast and naive side by side.
fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    let formula = Formula::PAPER_START;
    for side in [6, 8, 10] {
        let positions = game(side);
        let name = format!("{side}x{side}");
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(BenchmarkId::new("sets", &name), |bencher| {
            bencher.iter(|| {
                let values = positions
                    .iter()
                    .map(|position| formula.value(black_box(position), Player::First));
                values.sum::<f64>()
            });
        });
        group.bench_function(BenchmarkId::new("naive", &name), |bencher| {
            bencher.iter(|| {
                let values = positions
                    .iter()
                    .map(|position| naive::value(black_box(position), &formula, Player::First));
                values.sum::<f64>()
            });
        });
    }
    group.finish();
}

/// What of an evaluation the distances take.
fn distances(criterion: &mut Criterion) {
    let positions = game(10);
    let mut group = criterion.benchmark_group("distances");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("10x10", |bencher| {
        bencher.iter(|| {
            let reached = positions
                .iter()
                .map(|position| Distances::of(black_box(position)).queen[0].longest());
            reached.sum::<usize>()
        });
    });
    group.finish();
}

/// Whole turns counted.
fn rules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (side, turns) in [(10, 2), (5, 3)] {
        let start = start(side);
        group.throughput(Throughput::Elements(perft_turns(&start, turns)));
        group.bench_function(format!("{side}x{side}, {turns} turns"), |bencher| {
            bencher.iter(|| perft_turns(black_box(&start), turns));
        });
    }
    group.finish();
}

criterion_group!(amazons, evaluation, distances, rules);
criterion_main!(amazons);
