//! Seeded 5x5 positions of a given number of open edges, for tests and benches of the solver.

use sixfold_engine::eval::Knowledge;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::reduction::Runs;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// How the position came about: what an exact search costs depends on it by a factor of ten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Random neutral edges, the smallest chain or loop once there are none.
    Quiet,
    /// The same with a chain of at most two boxes given away now and then.
    Sacrifice,
}

/// One move in this many gives something away.
const SACRIFICE_ONE_IN: u32 = 12;

/// A 5x5 position with exactly `open` open edges, in which nothing can be captured.
pub(crate) fn seeded_position(style: Style, open: u32, number: u32) -> Dots {
    let board = Board::of(5, 5).expect("5x5 boxes are a board");
    let key = StreamKey {
        pair: number,
        round: open,
        ..StreamKey::new(style as u64, Purpose::Bench)
    };
    let mut stream = key.stream();
    loop {
        let mut position = Dots::new(board);
        while position.open().count_ones() > open {
            let edge = next_edge(style, &position, &mut stream);
            position.play(edge);
        }
        if position.capturing() == 0 {
            return position;
        }
    }
}

fn next_edge(style: Style, position: &Dots, stream: &mut Stream) -> Edge {
    if position.capturing() != 0 {
        let mut moves = Vec::new();
        DotsKnowledge.sufficient_moves(position, &mut moves);
        let takes = |edge: &&Edge| position.capturing() & edge.mask() != 0;
        return *moves
            .iter()
            .find(takes)
            .expect("one of the sufficient moves takes what can be taken");
    }
    let smallest = Runs::of(position).iter().next();
    let neutral = position.neutral();
    let gives = style == Style::Sacrifice && stream.below(SACRIFICE_ONE_IN) == 0;
    match smallest {
        Some(run) if gives && run.boxes <= 2 => run.opening,
        Some(run) if neutral == 0 => run.opening,
        _ => random_edge(neutral, stream),
    }
}

fn random_edge(mut edges: u64, stream: &mut Stream) -> Edge {
    for _ in 0..stream.below(edges.count_ones()) {
        edges &= edges - 1;
    }
    Edge(edges.trailing_zeros() as u8)
}
