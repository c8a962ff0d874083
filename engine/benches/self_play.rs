//! What self-play spends its time on: playing, rollouts, trying moves, UCT searches.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::{ClassSet, Knowledge, MoveList, MoveSet, RolloutPolicy, Work};
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::game::{GameKind, Position};
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::SimulationLimit;
use sixfold_engine::search::alpha_beta::{Entry, Memory, Table};
use sixfold_engine::search::uct::{Uct, UctConstants, highest_ucb};
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

/// The choice among the children of a node, all of them visited.
fn child_scan(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("child scan");
    let mut stream = stream();
    for count in [8, 60] {
        let scores: Vec<f64> = (0..count).map(|_| stream.unit()).collect();
        let roots: Vec<f64> = (0..count).map(|_| stream.unit()).collect();
        group.throughput(Throughput::Elements(count));
        group.bench_function(BenchmarkId::new("siblings", count), |bencher| {
            bencher.iter(|| highest_ucb(black_box(&scores), black_box(&roots), black_box(0.2)));
        });
    }
    group.finish();
}

/// The solver's table: one that stays in the processor's cache, and one that does not.
fn table(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    for mib in [1, 64] {
        let mut table = Table::with_mib(mib);
        let entry = Entry {
            lower: -1,
            upper: 1,
        };
        let mut stream = stream();
        // Half full, which is as full as it gets before it grows.
        let keys: Vec<u64> = (0..u64::from(mib) << 15).map(|_| stream.bits()).collect();
        keys.iter().for_each(|&key| table.store(key, entry, 9));
        let mut at = 0;
        let mut next = || {
            at = (at + 1) % keys.len();
            keys[at]
        };
        group.bench_function(BenchmarkId::new("probe", mib), |bencher| {
            bencher.iter(|| table.probe(black_box(next())));
        });
        group.bench_function(BenchmarkId::new("store", mib), |bencher| {
            bencher.iter(|| table.store(black_box(next()), entry, 9));
        });
    }
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
    let uniform = uct_defaults(GameKind::DotsAndBoxes);
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

criterion_group!(self_play, play, rollouts, untried, child_scan, uct, table);
criterion_main!(self_play);
