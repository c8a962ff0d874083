//! The class of every edge of a position at once, and edges by class as three words.

use crate::eval::{ClassSet, MoveClass, MoveSet};
use crate::game::dots::{Dots, Edge};

use super::draws::nth_set_bit;
use super::{CAPTURE, GIVES, LONG_CHAIN, OTHER, strings};

/// The edges of each class; edges of no mask are [`OTHER`].
pub(super) struct Classes {
    /// Captures that are not of a long chain.
    capturing: u64,
    long_chain: u64,
    giving: u64,
}

/// Captures from strings of which something could be offered.
fn long_chain_captures(position: &Dots) -> u64 {
    let capturable = position.sides().three & !position.sides().four;
    let mut captures = 0;
    strings::find_capturable::<()>(position, |string| {
        if string.boxes >= if string.closed { 4 } else { 2 } {
            captures |= position.board().edges_around(string.members & capturable);
        }
        None
    });
    captures & position.capturing()
}

impl Classes {
    #[inline]
    pub(super) fn of(position: &Dots) -> Classes {
        let capturing = position.capturing();
        // Whoever passes over a capture leaves it to the opponent.
        let harmless = if capturing == 0 {
            position.neutral()
        } else {
            0
        };
        let long_chain = if capturing == 0 {
            0
        } else {
            long_chain_captures(position)
        };
        Classes {
            capturing: capturing & !long_chain,
            long_chain,
            giving: !capturing & !harmless,
        }
    }

    #[inline]
    pub(super) fn class(&self, edge: Edge) -> MoveClass {
        if self.capturing & edge.mask() != 0 {
            CAPTURE
        } else if self.long_chain & edge.mask() != 0 {
            LONG_CHAIN
        } else if self.giving & edge.mask() != 0 {
            GIVES
        } else {
            OTHER
        }
    }

    /// These edges by class.
    #[inline]
    pub(super) fn split(&self, edges: u64) -> EdgeSet {
        let other = !(self.capturing | self.long_chain | self.giving);
        // In the order of the classes' numbers, whose bits these are.
        EdgeSet {
            edges,
            low: edges & (self.giving | self.long_chain),
            high: edges & (other | self.long_chain),
        }
    }
}

/// Edges with their classes; lower edges have lower indices. Searches keep one a node, so the
/// classes are not kept as a set of edges each but by the bits of their numbers, two words in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EdgeSet {
    edges: u64,
    /// Those of them whose class has an odd number.
    low: u64,
    /// Those of them whose class has the number 2 or 3.
    high: u64,
}

const _: () = assert!(MoveClass::COUNT == 4, "two bits tell the classes apart");

impl EdgeSet {
    #[inline]
    fn of_classes(&self, classes: ClassSet) -> u64 {
        if classes == ClassSet::ALL {
            return self.edges;
        }
        let select = |class: MoveClass| {
            let all = |condition: bool| 0u64.wrapping_sub(u64::from(condition));
            let same_low = self.low ^ all(class.0 & 1 == 0);
            let same_high = self.high ^ all(class.0 & 2 == 0);
            all(classes.contains(class)) & same_low & same_high
        };
        self.edges & (select(CAPTURE) | select(GIVES) | select(OTHER) | select(LONG_CHAIN))
    }
}

impl MoveSet<Edge> for EdgeSet {
    #[inline]
    fn count(&self, classes: ClassSet) -> u32 {
        self.of_classes(classes).count_ones()
    }

    #[inline]
    fn take(&mut self, classes: ClassSet, index: u32) -> (Edge, MoveClass) {
        let edge = Edge(nth_set_bit(self.of_classes(classes), index) as u8);
        let bit = |set: u64| (set >> edge.0 & 1) as u8;
        let class = MoveClass(bit(self.high) << 1 | bit(self.low));
        for set in [&mut self.edges, &mut self.low, &mut self.high] {
            *set &= !edge.mask();
        }
        (edge, class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::dots::DotsKnowledge;
    use crate::eval::{Knowledge, ListedMoves, MoveList};
    use crate::game::Position;
    use crate::game::dots::Board;
    use crate::stream::{Purpose, Stream, StreamKey};

    /// Takes out everything, of random classes in random order, from the set and from a list.
    fn check(position: &Dots, list: MoveList, stream: &mut Stream) {
        let mut set = DotsKnowledge.moves(position, list);
        let mut listed = ListedMoves::default();
        DotsKnowledge.classed_moves(position, list, &mut listed.0);
        listed.0.sort_by_key(|(edge, _)| *edge);
        while !listed.0.is_empty() {
            let mut classes = ClassSet::EMPTY;
            for class in [CAPTURE, GIVES, OTHER, LONG_CHAIN] {
                if stream.below(2) == 1 {
                    classes = classes.with(class);
                }
            }
            let count = listed.count(classes);
            assert_eq!(set.count(classes), count, "{position} {classes:?}");
            if count > 0 {
                let index = stream.below(count);
                let (edge, class) = set.take(classes, index);
                assert_eq!(listed.take(classes, index), (edge, class), "{position}");
                assert_eq!(class, DotsKnowledge.class(position, edge));
            }
        }
        assert_eq!(set, EdgeSet::default());
    }

    #[test]
    fn a_set_of_edges_is_the_list_of_moves() {
        let mut stream = StreamKey::new(25, Purpose::Bench).stream();
        for (rows, cols) in [(1, 1), (2, 3), (5, 5), (1, 21)] {
            for _ in 0..30 {
                let mut position = Dots::new(Board::of(rows, cols).expect("a board"));
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    check(&position, MoveList::All, &mut stream);
                    check(&position, MoveList::Sufficient, &mut stream);
                    moves.clear();
                    position.legal_moves(&mut moves);
                    position.play(moves[stream.below(moves.len() as u32) as usize]);
                }
            }
        }
    }
}
