//! Peeling against the obvious way to do it: a list of arms, searched from the front.

use super::*;
use crate::eval::dots::formula::Endgame;
use crate::eval::dots::strings;
use crate::game::Position;
use crate::game::dots::Board;
use crate::stream::{Purpose, StreamKey};

/// An arm with its ends; `None` is the border.
#[derive(Clone, Copy)]
struct PlainArm {
    boxes: u8,
    ends: [Option<u8>; 2],
}

#[derive(Default)]
struct Plain {
    arms: Vec<PlainArm>,
    open_sides: [u8; Board::MAX_BOXES],
    apart: Endgame,
}

/// The smaller one of the end boxes of the chain that an edge opens: those of its boxes with at
/// most one open side that leads to another of them.
fn smaller_end_box(position: &Dots, opening: Edge) -> usize {
    let (board, two) = (position.board(), position.sides().two);
    let open_sides = |index: usize| {
        let edges = (0..board.edges()).map(|id| Edge(id as u8));
        edges.filter(move |edge| position.open() & board.edges_of(index) & edge.mask() != 0)
    };
    let beside = |index: usize| {
        let others = open_sides(index).filter_map(move |edge| board.across(edge, index));
        others.filter(move |&other| two >> other & 1 == 1)
    };
    let first = (board.boxes_beside(opening) & two).trailing_zeros() as usize;
    let mut chain = vec![first];
    let mut at = 0;
    while at < chain.len() {
        for other in beside(chain[at]) {
            if !chain.contains(&other) {
                chain.push(other);
            }
        }
        at += 1;
    }
    let ends = chain.iter().filter(|&&index| beside(index).count() <= 1);
    *ends.min().expect("a chain has ends")
}

impl Plain {
    fn value(position: &Dots) -> i16 {
        let mut plain = Plain::default();
        let mut arms = Vec::new();
        strings::for_each_run(position, 0, |run| {
            if run.is_loop {
                plain.apart.add_loop(run.boxes);
            } else {
                let junctions = run.ends.into_iter().flatten();
                junctions.for_each(|end| plain.open_sides[usize::from(end)] += 1);
                arms.push((smaller_end_box(position, run.opening), run));
            }
        });
        arms.sort_by_key(|(end_box, _)| *end_box);
        arms.iter()
            .for_each(|(_, run)| plain.put(run.boxes, run.ends));
        while !plain.arms.is_empty() {
            plain.peel();
        }
        plain.apart.value()
    }

    fn put(&mut self, boxes: u8, ends: [Option<u8>; 2]) {
        if ends == [None, None] {
            self.apart.add_chain(boxes);
        } else {
            self.arms.push(PlainArm { boxes, ends });
        }
    }

    fn peel(&mut self) {
        let key = |arm: &PlainArm| arm.boxes + if arm.ends[0] == arm.ends[1] { 2 } else { 0 };
        let least = self.arms.iter().map(key).min().expect("an arm is left");
        let at = self.arms.iter().position(|arm| key(arm) == least);
        let arm = self.arms.remove(at.expect("the least is one of them"));
        self.apart.add_chain(arm.boxes);
        let mut junctions: Vec<u8> = arm.ends.into_iter().flatten().collect();
        for &junction in &junctions {
            self.open_sides[usize::from(junction)] -= 1;
        }
        junctions.dedup();
        for junction in junctions {
            if self.open_sides[usize::from(junction)] <= 2 {
                self.dissolve(junction);
            }
        }
    }

    fn dissolve(&mut self, junction: u8) {
        let (met, others): (Vec<PlainArm>, Vec<PlainArm>) =
            (self.arms.iter()).partition(|arm| arm.ends.contains(&Some(junction)));
        self.arms = others;
        let far = |arm: &PlainArm| arm.ends[usize::from(arm.ends[0] == Some(junction))];
        match met[..] {
            [] => self.apart.add_chain(1),
            [noose] if noose.ends[0] == noose.ends[1] => self.apart.add_loop(noose.boxes + 1),
            [arm] => self.put(arm.boxes + 1, [far(&arm), None]),
            [one, other] => self.put(one.boxes + 1 + other.boxes, [far(&one), far(&other)]),
            _ => panic!("more than two arms at a junction with two open sides"),
        }
    }
}

#[test]
fn peeling_gives_what_a_list_of_arms_gives() {
    let mut stream = StreamKey::new(24, Purpose::Bench).stream();
    let mut with_junctions = 0;
    for (rows, cols) in [
        (1, 1),
        (1, 3),
        (2, 2),
        (3, 3),
        (5, 5),
        (4, 6),
        (3, 8),
        (1, 21),
    ] {
        let board = Board::of(rows, cols).expect("a board");
        for _ in 0..4_000 {
            let mut position = Dots::new(board);
            while position.neutral() != 0 {
                let id = stream.below(board.edges() as u32);
                if position.neutral() >> id & 1 == 1 {
                    position.play(Edge(id as u8));
                }
            }
            assert_eq!(value(&position), Plain::value(&position), "{position}");
            with_junctions += u32::from(position.sides().two != board.all_boxes());
        }
    }
    assert!(with_junctions > 10_000, "{with_junctions}");
}
