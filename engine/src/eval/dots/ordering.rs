//! The order in which the solver tries moves, and the moves it need not try.

use crate::game::dots::{Dots, Edge};

use super::reduction::{self, Capture, Runs};

/// Rank of an edge that gives nothing, first to last, by whether it is on the border and how many
/// boxes get their second side from it.
const RANK: [[usize; 3]; 2] = [[3, 1, 0], [4, 2, 2]];

/// See [`Knowledge::moves_above`](crate::eval::Knowledge::moves_above).
#[inline]
pub(super) fn moves_above(position: &Dots, alpha: i16, out: &mut Vec<Edge>) -> i16 {
    let neutral = position.neutral();
    match reduction::capture(position) {
        Some(Capture::Forced(edge)) => out.push(edge),
        Some(Capture::Choice { take, offer }) => {
            if neutral != 0 {
                out.extend([take, offer]);
            } else {
                out.extend([offer, take]);
            }
        }
        Some(Capture::OneOf(captures)) => push_all(captures, out),
        None => {
            push_neutral(position, neutral, out);
            return push_openings(position, alpha, out);
        }
    }
    i16::MIN
}

/// Appends edges that give nothing: first those that use up most of what can be drawn without
/// giving anything (boxes with one side drawn get their second), inner edges before the border's,
/// which keep their boxes' other sides for later. Of two interchangeable edges one is enough.
#[inline]
fn push_neutral(position: &Dots, neutral: u64, out: &mut Vec<Edge>) {
    let board = position.board();
    let one = position.sides().one;
    let mut by_rank = [0_u64; 5];
    let mut rest = neutral & !board.superfluous(neutral);
    while rest != 0 {
        let edge = Edge(rest.trailing_zeros() as u8);
        rest &= rest - 1;
        let boxes = board.boxes_beside(edge);
        let second_sides = (boxes & one).count_ones() as usize;
        let border = usize::from(boxes.is_power_of_two());
        by_rank[RANK[border][second_sides]] |= edge.mask();
    }
    for edges in by_rank {
        push_all(edges, out);
    }
}

/// Appends an opening of every chain and loop, smallest first, of which the opponent does not get
/// so much at once that the move cannot exceed alpha. The bound of the others is returned.
#[inline]
fn push_openings(position: &Dots, alpha: i16, out: &mut Vec<Edge>) -> i16 {
    let parity = (position.boxes_open() & 1) as i16;
    let mut left_out = i16::MIN;
    for run in Runs::of(position).iter() {
        let boxes = i16::from(run.boxes);
        // The opponent has the choice: what is left is worth zero to him at the worst.
        let sure = match (run.is_loop, boxes) {
            (true, _) => boxes - 4,
            (false, 3..) => boxes - 2,
            (false, _) => {
                out.push(run.opening);
                continue;
            }
        };
        // The value has the parity of the open boxes.
        let bound = -(sure + ((sure & 1) ^ parity));
        if bound > alpha {
            out.push(run.opening);
        } else {
            left_out = left_out.max(bound);
        }
    }
    left_out
}

#[inline]
fn push_all(mut edges: u64, out: &mut Vec<Edge>) {
    while edges != 0 {
        out.push(Edge(edges.trailing_zeros() as u8));
        edges &= edges - 1;
    }
}
