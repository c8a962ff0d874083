//! About what an exact search costs, by how much is left: for choosing when to try.
//!
//! Measured with the seeded 5x5 positions of the solver's bench, thousands of edges searched, means
//! of the quiet ones and those with sacrifices, twenty each (of the latter ten with 40 left, where
//! one took half of all):
//!
//! | edges left | 30 | 32 | 34 | 36 | 38 | 40 |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | quiet | 0.45 | 1.5 | 12 | 69 | 640 | 4,500 |
//! | sacrifice | 2.1 | 22 | 107 | 525 | 1,590 | 22,600 |
//! | here | 1.7 | 10 | 57 | 330 | 1,900 | 10,950 |

use crate::game::dots::Board;

/// Open edges up to which a search costs next to nothing.
const EASY_EDGES: usize = 28;
/// Edges searched with that many open, a mean over positions of play on 5x5.
const EASY_SEARCHED: u64 = 300;
/// One more open edge multiplies the cost by 12/5.
const GROWTH: [u64; 2] = [12, 5];

/// Edges that an exact search looks at, by the number of open edges.
const SEARCHED: [u64; Board::MAX_EDGES + 1] = {
    let mut searched = [EASY_SEARCHED; Board::MAX_EDGES + 1];
    let mut open = EASY_EDGES + 1;
    while open < searched.len() {
        searched[open] = (searched[open - 1] / GROWTH[1]).saturating_mul(GROWTH[0]);
        open += 1;
    }
    searched
};

/// Edges that an exact search is expected to look at, with so many edges open.
pub(super) fn edges_searched(open: u32) -> u64 {
    SEARCHED[(open as usize).min(Board::MAX_EDGES)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_open_edges_never_cost_less() {
        assert!(SEARCHED.is_sorted());
        assert!(edges_searched(60) > 1_000_000 * edges_searched(30));
        assert_eq!(edges_searched(200), SEARCHED[64]);
    }
}
