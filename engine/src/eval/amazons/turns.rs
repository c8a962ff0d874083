//! The most turns that a side can make in a territory of its own.
//!
//! Every turn fills one square, so the empty squares are an upper bound; a territory that cannot be
//! filled is *defective* (CITE: Müller & Tegos 2002, "Experiments in Computer Amazons"). The exact
//! number is found depth-first: parts that have come apart are counted each for itself, what has
//! been counted is remembered, turns that cut nothing off come first and those that cannot improve
//! on the best are left out.

use std::collections::BTreeMap;

use super::regions::{Territory, parts};
use crate::game::amazons::each;
use crate::game::amazons::reach::{queen_reach, widened};

/// What is proven of the most turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// There is a way to make so many.
    pub lower: u32,
    /// There is no way to make more.
    pub upper: u32,
}

impl Turns {
    /// Whether the number is known.
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    const fn exactly(turns: u32) -> Turns {
        Turns {
            lower: turns,
            upper: turns,
        }
    }
}

/// A search for the most turns: what it remembers, and how much further it may look.
#[derive(Clone, Debug)]
pub struct TurnCount {
    nodes_left: u32,
    known: BTreeMap<Territory, u32>,
}

impl TurnCount {
    /// A search of at most so many nodes, over all territories that it is asked about.
    pub fn with_nodes(nodes: u32) -> TurnCount {
        TurnCount {
            nodes_left: nodes,
            known: BTreeMap::new(),
        }
    }

    /// How many nodes it has left.
    pub fn nodes_left(&self) -> u32 {
        self.nodes_left
    }

    /// The most turns in a territory: exact, or bounds once there are no nodes left.
    pub fn most(&mut self, territory: &Territory) -> Turns {
        let mut sum = Turns::exactly(0);
        for part in parts(territory.everybody() | territory.empty) {
            let turns = self.most_of_part(&territory.on(part));
            sum.lower += turns.lower;
            sum.upper += turns.upper;
        }
        sum
    }

    /// The same of a part that hangs together.
    fn most_of_part(&mut self, part: &Territory) -> Turns {
        let squares = part.empty.count_ones();
        if part.everybody() == 0 || squares <= 1 {
            // Of squares that hang together, one is next to an amazon.
            return Turns::exactly(if part.everybody() == 0 { 0 } else { squares });
        }
        if let Some(&turns) = self.known.get(part) {
            return Turns::exactly(turns);
        }
        let Some(nodes_left) = self.nodes_left.checked_sub(1) else {
            return Turns {
                lower: 1,
                upper: squares,
            };
        };
        self.nodes_left = nodes_left;
        let turns = self.best_of(part, squares);
        if turns.is_exact() {
            self.known.insert(*part, turns.lower);
        }
        turns
    }

    /// Tries the turns of a part, the most promising first.
    fn best_of(&mut self, part: &Territory, squares: u32) -> Turns {
        let mut best = Turns::exactly(0);
        for next in successors(part) {
            if next.at_most < best.lower {
                break;
            }
            let below = self.most(&next.territory);
            best.lower = best.lower.max(below.lower + 1);
            best.upper = best.upper.max(below.upper.min(next.at_most) + 1);
            if best.lower == squares {
                break;
            }
        }
        best.upper = best.upper.min(squares);
        best
    }
}

/// What a turn leaves.
#[derive(Clone, Copy, Debug)]
struct Successor {
    territory: Territory,
    /// Squares that can still be filled.
    at_most: u32,
    /// Empty squares around the one that the arrow has filled.
    openness: u32,
}

/// What the turns of a territory leave: most squares first, of those the ones that fill nooks.
fn successors(territory: &Territory) -> Vec<Successor> {
    let mut list = Vec::new();
    let mut add = |amazons, blockers, empty, arrow| {
        let territory = Territory {
            amazons,
            blockers,
            empty,
        };
        list.push(Successor {
            territory,
            at_most: territory.reachable().count_ones(),
            openness: (widened(arrow) & empty).count_ones(),
        });
    };
    let Territory {
        amazons,
        blockers,
        empty,
    } = *territory;
    for from in each(amazons) {
        let others = amazons & !from.mask();
        for to in each(queen_reach(from, empty)) {
            let left = (empty | from.mask()) & !to.mask();
            for at in each(queen_reach(to, left)) {
                let arrow = at.mask();
                add(others | to.mask(), blockers, left & !arrow, arrow);
            }
        }
    }
    for from in each(blockers) {
        let others = blockers & !from.mask();
        for to in each(queen_reach(from, empty)) {
            add(amazons | to.mask(), others, empty & !to.mask(), from.mask());
        }
    }
    list.sort_by_key(|next| (u32::MAX - next.at_most, next.openness));
    list
}
