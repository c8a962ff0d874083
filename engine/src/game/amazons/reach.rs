//! What a queen reaches from a square, and what lies next to squares.

use super::board::{Board, STRIDE, Square};

/// Steps that raise the number of a square: right, up, up left, up right.
const UP: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// The squares of the largest board on the four rays along `UP` (times `sign`) from each square.
const fn rays(sign: isize) -> [[u128; 4]; 128] {
    let mut rays = [[0; 4]; 128];
    let mut index = 0;
    while index < Board::MAX_SIDE * Board::MAX_SIDE {
        let (file, rank) = (index % Board::MAX_SIDE, index / Board::MAX_SIDE);
        let from = STRIDE as usize * (rank + 1) + file;
        let mut direction = 0;
        while direction < 4 {
            let (right, up) = UP[direction];
            rays[from][direction] = ray(file as isize, rank as isize, sign * right, sign * up);
            direction += 1;
        }
        index += 1;
    }
    rays
}

const fn ray(file: isize, rank: isize, right: isize, up: isize) -> u128 {
    let side = Board::MAX_SIDE as isize;
    let (mut file, mut rank) = (file + right, rank + up);
    let mut ray = 0;
    while 0 <= file && file < side && 0 <= rank && rank < side {
        ray |= 1 << (STRIDE as isize * (rank + 1) + file);
        file += right;
        rank += up;
    }
    ray
}

static RAYS_UP: [[u128; 4]; 128] = rays(1);
static RAYS_DOWN: [[u128; 4]; 128] = rays(-1);

/// The squares that a queen on `from` reaches in one move over squares of `empty`.
#[inline]
pub fn queen_reach(from: Square, empty: u128) -> u128 {
    let blocked = !empty;
    let mut reach = 0;
    for ray in &RAYS_UP[from.index()] {
        let blockers = ray & blocked;
        // What lies below the lowest blocker; everything, if there is none.
        let lowest = blockers & blockers.wrapping_neg();
        reach |= ray & lowest.wrapping_sub(1);
    }
    for ray in &RAYS_DOWN[from.index()] {
        // Bit 0 is no square: it stands for the blocker that is not there.
        let blockers = ray & blocked | 1;
        let highest = u128::BITS - 1 - blockers.leading_zeros();
        reach |= ray & (u128::MAX << 1 << highest);
    }
    reach
}

/// The squares of the set and all squares next to one of them, and bits that are no squares.
#[inline]
pub const fn widened(set: u128) -> u128 {
    let row = set | set << 1 | set >> 1;
    row | row << STRIDE | row >> STRIDE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::amazons::each;

    fn square(name: &str) -> Square {
        let (file, rank) = name.split_at(1);
        let file = usize::from(file.as_bytes()[0] - b'a');
        Square::at(file, rank.parse::<usize>().expect("a rank") - 1).expect("a square")
    }

    #[test]
    fn a_queen_stops_before_what_is_not_empty() {
        let board = Board::of(6, 5).expect("a board");
        let blocked = ["c3", "c1", "a1", "e3", "f5"].map(square);
        let empty = blocked
            .iter()
            .fold(board.squares(), |set, s| set & !s.mask());
        let names: Vec<String> = each(queen_reach(square("c3"), empty))
            .map(|square| square.to_string())
            .collect();
        let expected = "e1 b2 c2 d2 a3 b3 d3 b4 c4 d4 a5 c5 e5";
        assert_eq!(names.join(" "), expected);
    }

    #[test]
    fn squares_next_to_a_corner_stay_on_the_board() {
        let board = Board::of(10, 10).expect("a board");
        let near = |name| (widened(square(name).mask()) & board.squares()).count_ones();
        assert_eq!(
            ["a1", "j1", "a10", "j10", "e1", "j5", "e5"].map(near),
            [4, 4, 4, 4, 6, 6, 9]
        );
    }
}
