//! The reductions on boards too large for a whole table: exact values of every position that a
//! cluster of open edges can still lead to. Small boards have no room for some junctions: three
//! strings that can be captured and meet in one box, with another string elsewhere, first fit here.

use sixfold_engine::eval::Knowledge;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Open edges of a cluster: a table of 2^16 values takes milliseconds.
const OPEN_EDGES: usize = 16;

/// Remaining values of all positions between `mask` and the full board, by the set of drawn edges
/// of `open`; nothing but the four edges of every box goes into them.
struct Cluster {
    board: &'static Board,
    mask: u64,
    open: Vec<u32>,
    values: Vec<i8>,
}

impl Cluster {
    fn of(board: &'static Board, mask: u64) -> Cluster {
        let open: Vec<u32> = (0..board.edges() as u32)
            .filter(|id| mask >> id & 1 == 0)
            .collect();
        let mut cluster = Cluster {
            board,
            mask,
            values: vec![0; 1 << open.len()],
            open,
        };
        for subset in (0..(1_usize << cluster.open.len()) - 1).rev() {
            let unset = (0..cluster.open.len()).filter(|bit| subset >> bit & 1 == 0);
            let best = unset.map(|bit| cluster.value_of_move(subset, bit)).max();
            cluster.values[subset] = best.expect("a set that is not full has an open edge");
        }
        cluster
    }

    fn drawn(&self, subset: usize) -> u64 {
        let bits = self.open.iter().enumerate();
        bits.fold(self.mask, |mask, (bit, id)| {
            mask | ((subset >> bit & 1) as u64) << id
        })
    }

    fn value_of_move(&self, subset: usize, bit: usize) -> i8 {
        let after = self.drawn(subset | 1 << bit);
        let edge = 1 << self.open[bit];
        let gain = (0..self.board.boxes())
            .map(|index| self.board.edges_of(index))
            .filter(|sides| sides & edge != 0 && sides & after == *sides)
            .count() as i8;
        let rest = self.values[subset | 1 << bit];
        if gain > 0 { gain + rest } else { -rest }
    }

    /// Compares every position of the cluster with what the knowledge says of it.
    fn check(&self) {
        let mut moves = Vec::new();
        for subset in 0..self.values.len() - 1 {
            let position = Dots::for_analysis(self.board, self.drawn(subset));
            moves.clear();
            DotsKnowledge.sufficient_moves(&position, &mut moves);
            let value = self.values[subset];
            let best = moves
                .iter()
                .map(|&edge| self.value_of_move(subset, self.bit(edge)))
                .max();
            assert_eq!(best, Some(value), "{position}: {moves:?}");
            let alpha = i16::from(value) - 1;
            moves.clear();
            DotsKnowledge.moves_above(&position, alpha, &mut moves);
            let best = moves
                .iter()
                .map(|&edge| self.value_of_move(subset, self.bit(edge)));
            assert_eq!(
                best.max(),
                Some(value),
                "{position}: {moves:?} above {alpha}"
            );
            moves.clear();
            let others = DotsKnowledge.moves_above(&position, i16::from(value), &mut moves);
            assert!(others <= i16::from(value), "{position}: {others}");
            let bounds = DotsKnowledge.remaining_bounds(&position);
            let within = bounds.lower..=bounds.upper;
            assert!(within.contains(&i16::from(value)), "{position}: {bounds:?}");
            if let Some(proven) = DotsKnowledge.proven_remaining(&position) {
                assert_eq!(proven, i16::from(value), "{position}: formula");
            }
        }
    }

    fn bit(&self, edge: Edge) -> usize {
        let place = self.open.iter().position(|&id| id == u32::from(edge.0));
        place.expect("sufficient moves are legal")
    }
}

/// A connected set of boxes in which few edges are drawn, in a board that is otherwise full.
fn random_cluster(board: &'static Board, stream: &mut Stream) -> u64 {
    let mut open = 0_u64;
    let mut boxes = vec![stream.below(board.boxes() as u32) as usize];
    while (open.count_ones() as usize) < OPEN_EDGES {
        let index = boxes[stream.below(boxes.len() as u32) as usize];
        let edges: Vec<Edge> = (0..board.edges() as u8)
            .map(Edge)
            .filter(|edge| board.edges_of(index) & edge.mask() != 0)
            .collect();
        let edge = edges[stream.below(edges.len() as u32) as usize];
        open |= edge.mask();
        boxes.extend(board.across(edge, index));
        // Now and then somewhere else: separate strings beside the junctions.
        if stream.below(12) == 0 {
            boxes.push(stream.below(board.boxes() as u32) as usize);
        }
    }
    board.all_edges() & !open
}

#[test]
fn an_isolated_string_is_kept_for_the_offer_when_others_meet_in_a_junction() {
    for text in [
        "5x5:f7ddf3bf78fdeff",
        "5x5:f7dd71af78f98fa",
        "5x5:9f68fdf7fc3df97",
    ] {
        let position = Dots::from_text(text).expect("a position");
        let cluster = Cluster::of(position.board(), position.drawn());
        cluster.check();
        assert!(position.outcome().is_none());
    }
}

#[test]
fn sufficient_moves_keep_the_value_in_random_clusters_of_large_boards() {
    let samples: u32 = std::env::var("SIXFOLD_CLUSTERS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20);
    for (rows, cols) in [(5, 5), (4, 6), (3, 8), (4, 4)] {
        let board = Board::of(rows, cols).expect("a board within 64 edges");
        for sample in 0..samples {
            let key = StreamKey {
                pair: sample,
                ..StreamKey::new(77, Purpose::Bench)
            };
            let mask = random_cluster(board, &mut key.stream());
            Cluster::of(board, mask).check();
        }
    }
}
