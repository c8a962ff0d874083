//! What self-play spends its time on: playing, rollouts, trying moves, UCT searches.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::{ClassSet, Knowledge, MoveList, MoveSet, RolloutPolicy, Work};
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::SimulationLimit;
use sixfold_engine::search::uct::{Uct, UctConstants};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

fn stream() -> Stream {
    StreamKey::new(1, Purpose::Bench).stream()
}

/// A 5x5 position after this many random sufficient moves.
fn position(plies: u32) -> Dots {
    let mut stream = stream();
    let mut position = Dots::new(Board::of(5, 5).expect("5x5 is a board"));
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        DotsKnowledge.sufficient_moves(&position, &mut moves);
        position.play(moves[stream.below(moves.len() as u32) as usize]);
    }
    position
}

fn play(criterion: &mut Criterion) {
    let mut order: Vec<u8> = (0..60).collect();
    stream().shuffle(&mut order);
    let mut group = criterion.benchmark_group("play");
    group.throughput(Throughput::Elements(60));
    group.bench_function("60 edges", |bencher| {
        bencher.iter(|| {
            let mut game = position(0);
            order.iter().for_each(|&id| game.play(Edge(id)));
            black_box(game)
        });
    });
    group.finish();
}

fn rollouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rollout");
    for policy in [RolloutPolicy::Uniform, RolloutPolicy::Safe] {
        for plies in [0, 20] {
            let (start, mut stream) = (position(plies), stream());
            let id = BenchmarkId::new(format!("{policy:?}"), plies);
            group.bench_function(id, |bencher| {
                let mut work = Work::default();
                bencher.iter(|| {
                    DotsKnowledge.rollout(black_box(&start), policy, &mut stream, &mut work)
                });
            });
        }
    }
    group.finish();
}

/// What a node costs beside the choice among its children: its moves, all of them tried.
fn untried(criterion: &mut Criterion) {
    let (start, mut stream) = (position(0), stream());
    let mut group = criterion.benchmark_group("untried");
    group.throughput(Throughput::Elements(60));
    group.bench_function("60 moves", |bencher| {
        bencher.iter(|| {
            let mut moves = DotsKnowledge.moves(black_box(&start), MoveList::All);
            for left in (1..=60).rev() {
                black_box(moves.take(ClassSet::ALL, stream.below(left)));
            }
        });
    });
    group.finish();
}

fn uct(criterion: &mut Criterion) {
    let uniform = uct_defaults();
    let safe = UctConstants {
        exploration: 0.2,
        move_list: MoveList::Sufficient,
        rollout: RolloutPolicy::Safe,
        ..uniform
    };
    let mut group = criterion.benchmark_group("uct");
    for (name, constants) in [("uniform", uniform), ("safe", safe)] {
        for simulations in [200, 1_000, 10_000] {
            group.throughput(Throughput::Elements(simulations));
            let (start, mut stream) = (position(6), stream());
            let mut searcher = Uct::new(1 << 20);
            group.bench_function(BenchmarkId::new(name, simulations), |bencher| {
                bencher.iter(|| {
                    searcher.search(
                        &start,
                        &DotsKnowledge,
                        &constants,
                        &mut stream,
                        &mut SimulationLimit(simulations),
                        &mut Work::default(),
                    )
                });
            });
        }
    }
    group.finish();
}

criterion_group!(self_play, play, rollouts, untried, uct);
criterion_main!(self_play);
