//! About what an exact search costs, by how much is left: for choosing when to try.

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
