//! About what an exact search costs, by the squares that are contested: for choosing when to try.
//!
//! Measured as edges searched for who wins, means over positions of random games by the empty
//! squares of regions that hold amazons of both sides (of 5x5 twenty positions each, of the others
//! 6 to 36):
//!
//! | contested | 0 | 4 | 6 | 8 | 10 | 11 | 12 | 14 |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | 5x5 | | | | | | 16,000 | 56,000 | |
//! | 6x6 | 1 | 4 | 10 | 54 | 800 | | 4,100 | over 54,000 |
//! | 8x8 | 2 | 4 | 9 | 19 | 24 | | 86 | 460 |
//! | here | 30 | 30 | 30 | 326 | 3,547 | 11,705 | 38,626 | 420,634 |
//!
//! Games between equals are harder to decide than random ones, and whole boards hardest: the start
//! of 5x5, 17 squares, takes 24 million edges, expected here are 15 million.

use crate::game::amazons::Board;

/// Contested squares up to which a search costs next to nothing.
const EASY_SQUARES: usize = 6;
/// Edges searched with that many.
const EASY_SEARCHED: u64 = 30;
/// One more contested square multiplies the cost by 33/10.
const GROWTH: [u64; 2] = [33, 10];

/// Edges that an exact search looks at, by the number of contested squares.
const SEARCHED: [u64; Board::MAX_SIDE * Board::MAX_SIDE + 1] = {
    let mut searched = [EASY_SEARCHED; Board::MAX_SIDE * Board::MAX_SIDE + 1];
    let mut squares = EASY_SQUARES + 1;
    while squares < searched.len() {
        let before = searched[squares - 1];
        // Beyond what fits, whatever is large is as good.
        searched[squares] = before.saturating_mul(GROWTH[0]) / GROWTH[1];
        if searched[squares] < before {
            searched[squares] = before;
        }
        squares += 1;
    }
    searched
};

/// Edges that an exact search is expected to look at, with so many contested squares.
/// Precondition: no board has more squares.
pub(super) fn edges_searched(contested: u32) -> u64 {
    SEARCHED[contested as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_contested_squares_never_cost_less() {
        assert!(SEARCHED.is_sorted());
        let table = [0, 4, 6, 8, 10, 11, 12, 14].map(edges_searched);
        let documented = [30, 30, 30, 326, 3_547, 11_705, 38_626, 420_634];
        assert_eq!(table, documented);
        assert!((14_000_000..16_000_000).contains(&edges_searched(17)));
    }
}
