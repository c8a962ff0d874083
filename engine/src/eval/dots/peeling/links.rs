//! Runs of boxes with two drawn sides, put together edge by edge.
//!
//! Such a box joins what lies behind its two open sides. At any time the boxes joined so far are
//! paths, and both end boxes of a path know its other end and its length: an edge between two ends
//! makes one path of two, or a loop of one, in a few steps and without following any path.

use super::{BORDER, Dots, Edge, Tally};

/// Boxes as array lengths: every number of a box, and the remainder that spares index checks.
const NUMBERS: usize = BORDER;

/// The paths of a position, all joined.
pub(super) struct Links {
    /// By end box: the box at the other end.
    other_end: [u8; NUMBERS],
    /// By end box: boxes of the path.
    boxes: [u8; NUMBERS],
    /// By the smaller end box: what lies behind both ends, a junction or [`BORDER`].
    behind: [u16; NUMBERS],
    /// The smaller end box of every path that is no loop.
    paths: u32,
}

/// Every box a path of its own.
const APART: Links = {
    let mut links = Links {
        other_end: [0; NUMBERS],
        boxes: [1; NUMBERS],
        behind: [0; NUMBERS],
        paths: 0,
    };
    let mut number = 0;
    while number < NUMBERS {
        links.other_end[number] = number as u8;
        number += 1;
    }
    links
};

impl Links {
    /// Joins what can be joined; loops go to the tally.
    /// Preconditions: nothing can be captured, no edge is neutral.
    #[inline]
    pub(super) fn of(position: &Dots, loops: &mut Tally) -> Links {
        let (board, open, two) = (position.board(), position.open(), position.sides().two);
        let mut links = APART;
        let junctions = board.all_boxes() & !two;
        let out = open & (board.edges_around(junctions) | board.border());
        let mut within = open & !out;
        while within != 0 {
            let boxes = board.boxes_beside(Edge(within.trailing_zeros() as u8));
            let last = (u32::BITS - 1 - boxes.leading_zeros()) as usize;
            links.join(boxes.trailing_zeros() as usize, last, loops);
            within &= within - 1;
        }
        let mut out = out;
        while out != 0 {
            let beside = board.boxes_beside(Edge(out.trailing_zeros() as u8));
            // A junction's sides all lead to boxes of paths.
            links.leave((beside & two).trailing_zeros() as usize, beside & !two);
            out &= out - 1;
        }
        links
    }

    /// An edge between two boxes.
    #[inline]
    fn join(&mut self, one: usize, two: usize, loops: &mut Tally) {
        let (one, two) = (one % NUMBERS, two % NUMBERS);
        let far = self.other_end[one];
        let boxes = self.boxes[one];
        if usize::from(far) == two {
            loops.add_loop(boxes);
            return;
        }
        let other_far = self.other_end[two];
        let sum = boxes + self.boxes[two];
        for (end, other) in [(far, other_far), (other_far, far)] {
            self.other_end[usize::from(end) % NUMBERS] = other;
            self.boxes[usize::from(end) % NUMBERS] = sum;
        }
    }

    /// An edge from an end box to the border, no box, or to a junction. All paths are joined.
    #[inline]
    fn leave(&mut self, end: usize, behind: u32) {
        let path = end.min(usize::from(self.other_end[end % NUMBERS])) % NUMBERS;
        self.behind[path] = self.behind[path] << u8::BITS | behind.trailing_zeros() as u16;
        self.paths |= 1 << path;
    }

    /// Calls `see` with the number of boxes of each path and what lies behind its ends, in the
    /// order of their smaller end boxes.
    #[inline]
    pub(super) fn for_each_run(&self, mut see: impl FnMut(u8, [u8; 2])) {
        let mut paths = self.paths;
        while paths != 0 {
            let path = paths.trailing_zeros() as usize % NUMBERS;
            see(self.boxes[path], self.behind[path].to_be_bytes());
            paths &= paths - 1;
        }
    }
}
