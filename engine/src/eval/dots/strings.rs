//! Strings of boxes: what a single capture, or the opening of a chain or loop, leads through.
//!
//! A box with two drawn sides leads on; a run of such boxes is a *chain* (both ends at the border
//! or at a box with three or four open sides) or, closed in itself, a *loop*. From a box that can
//! be captured a run is a *half-open* string (it ends at the border or a box with three or four
//! open sides) or a *closed* one (it ends at another box that can be captured, counted in).

use crate::game::dots::{Dots, Edge};

/// A run of boxes with two drawn sides each; no box of it can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Number of boxes, at least 1; of a loop at least 4.
    pub boxes: u8,
    /// Closed in itself: a loop.
    pub is_loop: bool,
    /// An edge that opens it, and for two boxes the one between them (the handout that leaves the
    /// opponent no choice).
    pub opening: Edge,
    /// The boxes beyond the ends with three or four open sides; `None` at the border and in loops.
    pub ends: [Option<u8>; 2],
}

/// A string from a box that can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capturable {
    /// Number of boxes that can be captured in one go, at least 1.
    pub boxes: u8,
    /// The other end can be captured too (a two-box domino is closed).
    pub closed: bool,
    /// The other end is at the border: nothing else on the board touches the string.
    pub at_border: bool,
    /// The edge that captures the first box.
    pub capture: Edge,
    /// The open edge behind the second box, or the first edge again if there is none: it offers
    /// two boxes of a half-open string, or parts a closed string of four in the middle.
    pub second: Edge,
    /// The boxes of the string.
    pub members: u32,
}

/// What lies behind the last box of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Behind {
    /// The border of the board.
    Border,
    /// A box with at most one drawn side.
    Junction(u8),
    /// A box that can be captured, counted in.
    Capturable,
    /// The box the walk began with.
    Start,
}

/// A walk through boxes with two drawn sides.
struct Walk {
    boxes: u8,
    members: u32,
    second: Option<Edge>,
    behind: Behind,
}

#[inline]
fn lowest(edges: u64) -> Edge {
    Edge(edges.trailing_zeros() as u8)
}

/// Leaves box `start` over `edge` and goes on while boxes have exactly two drawn sides; counts the
/// boxes after `start`.
#[inline]
fn walk(position: &Dots, start: usize, edge: Edge) -> Walk {
    let (board, sides, open) = (position.board(), position.sides(), position.open());
    let (mut at, mut edge) = (start, edge);
    let mut walk = Walk {
        boxes: 0,
        members: 0,
        second: None,
        behind: Behind::Border,
    };
    while let Some(next) = board.across(edge, at) {
        if next == start {
            walk.behind = Behind::Start;
            break;
        }
        let bit = 1 << next;
        if sides.two & bit == 0 {
            walk.behind = Behind::Junction(next as u8);
            break;
        }
        walk.boxes += 1;
        walk.members |= bit;
        if sides.three & bit != 0 {
            walk.behind = Behind::Capturable;
            break;
        }
        edge = lowest(open & board.edges_of(next) & !edge.mask());
        walk.second.get_or_insert(edge);
        at = next;
    }
    walk
}

/// The string that begins at box `start`. Precondition: it has exactly three drawn sides.
#[inline]
pub fn capturable_from(position: &Dots, start: usize) -> Capturable {
    let capture = lowest(position.open() & position.board().edges_of(start));
    let walk = walk(position, start, capture);
    Capturable {
        boxes: walk.boxes + 1,
        closed: walk.behind == Behind::Capturable,
        at_border: walk.behind == Behind::Border,
        capture,
        second: walk.second.unwrap_or(capture),
        members: walk.members | 1 << start,
    }
}

fn junction(behind: Behind) -> Option<u8> {
    match behind {
        Behind::Junction(index) => Some(index),
        _ => None,
    }
}

/// The run through box `start`, and its boxes.
/// Precondition: the box has exactly two drawn sides and belongs to no string that can be captured.
#[inline]
fn run_through(position: &Dots, start: usize) -> (Run, u32) {
    let edges = position.open() & position.board().edges_of(start);
    let first = lowest(edges);
    let last = lowest(edges & (edges - 1));
    let one_way = walk(position, start, first);
    let members = one_way.members | 1 << start;
    if one_way.behind == Behind::Start {
        let run = Run {
            boxes: one_way.boxes + 1,
            is_loop: true,
            opening: first,
            ends: [None, None],
        };
        return (run, members);
    }
    let other_way = walk(position, start, last);
    let run = Run {
        boxes: one_way.boxes + other_way.boxes + 1,
        is_loop: false,
        // In a run of two boxes, the way that has another box begins with the edge between them.
        opening: if one_way.boxes > 0 { first } else { last },
        ends: [junction(one_way.behind), junction(other_way.behind)],
    };
    (run, members | other_way.members)
}

/// Calls `see` with every unopened chain and loop, each once, by its lowest box.
/// Precondition: `capturable` are all the members of strings that can be captured.
#[inline]
pub fn for_each_run(position: &Dots, capturable: u32, mut see: impl FnMut(Run)) {
    let sides = position.sides();
    let mut rest = sides.two & !sides.three & !capturable;
    while rest != 0 {
        let (run, members) = run_through(position, rest.trailing_zeros() as usize);
        rest &= !members;
        see(run);
    }
}

/// Calls `see` with every string that can be captured, each once: a closed string, which begins at
/// either end, is seen from its lower box. Stops at the first `Some`.
#[inline]
pub fn find_capturable<T>(
    position: &Dots,
    mut see: impl FnMut(Capturable) -> Option<T>,
) -> Option<T> {
    let sides = position.sides();
    let mut rest = sides.three & !sides.four;
    while rest != 0 {
        let string = capturable_from(position, rest.trailing_zeros() as usize);
        rest &= !string.members;
        if let Some(found) = see(string) {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::dots::Board;

    /// 1xN with the upper and lower edges drawn, and these walls: a corridor.
    fn corridor(boxes: usize, walls: &[usize]) -> Dots {
        let board = Board::of(1, boxes).expect("a board");
        let lines = (1 << (2 * boxes)) - 1;
        let walls = walls
            .iter()
            .fold(0, |all, &col| all | board.vertical(0, col).mask());
        Dots::for_analysis(board, lines | walls)
    }

    fn runs(position: &Dots) -> Vec<Run> {
        let mut runs = Vec::new();
        for_each_run(position, 0, |run| runs.push(run));
        runs
    }

    fn strings(position: &Dots) -> Vec<(u8, bool)> {
        let mut strings = Vec::new();
        let _: Option<()> = find_capturable(position, |string| {
            strings.push((string.boxes, string.closed));
            None
        });
        strings
    }

    #[test]
    fn a_corridor_is_one_chain() {
        let runs = runs(&corridor(5, &[]));
        assert_eq!(runs.len(), 1);
        assert_eq!(
            (runs[0].boxes, runs[0].is_loop, runs[0].ends),
            (5, false, [None, None])
        );
    }

    #[test]
    fn a_chain_of_two_is_opened_in_the_middle() {
        let position = corridor(2, &[]);
        assert_eq!(runs(&position)[0].opening, position.board().vertical(0, 1));
    }

    #[test]
    fn a_ring_of_four_boxes_is_a_loop() {
        let board = Board::of(2, 2).expect("a board");
        let walls = [board.horizontal(0, 0), board.horizontal(0, 1)]
            .into_iter()
            .chain([board.horizontal(2, 0), board.horizontal(2, 1)])
            .chain(
                [0, 1]
                    .into_iter()
                    .flat_map(|row| [0, 2].map(|col| board.vertical(row, col))),
            );
        let mask = walls.fold(0, |all, edge| all | edge.mask());
        let runs = runs(&Dots::for_analysis(board, mask));
        assert_eq!(runs.len(), 1);
        assert_eq!((runs[0].boxes, runs[0].is_loop), (4, true));
    }

    #[test]
    fn a_closed_string_is_seen_once() {
        assert_eq!(strings(&corridor(5, &[0, 5])), [(5, true)]);
    }

    #[test]
    fn a_domino_is_a_closed_string_of_two() {
        assert_eq!(strings(&corridor(2, &[0, 2])), [(2, true)]);
    }

    #[test]
    fn half_open_strings_end_at_the_border_or_at_a_junction() {
        assert_eq!(strings(&corridor(5, &[0, 2])), [(2, true), (3, false)]);
        let board = Board::of(1, 3).expect("a board");
        // Left box with three sides, middle box with two, right box with none.
        let left = [
            board.horizontal(0, 0),
            board.horizontal(1, 0),
            board.vertical(0, 0),
        ];
        let middle = [board.horizontal(0, 1), board.horizontal(1, 1)];
        let mask = left
            .iter()
            .chain(&middle)
            .fold(0, |all, edge| all | edge.mask());
        let string = capturable_from(&Dots::for_analysis(board, mask), 0);
        assert_eq!((string.boxes, string.closed), (2, false));
        assert_eq!(string.second, board.vertical(0, 2));
    }
}
