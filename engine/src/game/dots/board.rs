//! Geometry of a Dots and Boxes board: which edges surround which boxes.
//!
//! Edges are numbered as OpenSpiel numbers its actions: horizontal edges row by row, then vertical
//! edges row by row, row 0 on top. Boxes are numbered row by row. Sets of edges are `u64` masks
//! (bit *e* is edge *e*), sets of boxes are `u32` masks.

use std::fmt;
use std::sync::OnceLock;

use super::symmetry::Symmetries;

/// An edge, by its number: `h(r, c) = r * cols + c`, then
/// `v(r, c) = (rows + 1) * cols + r * (cols + 1) + c`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge(pub u8);

impl Edge {
    /// The mask with this edge alone.
    #[inline]
    pub const fn mask(self) -> u64 {
        1 << self.0
    }
}

/// Direction of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Line {
    /// From a dot to its right neighbour.
    Horizontal,
    /// From a dot to the one below.
    Vertical,
}

/// Where an edge lies: its direction and its left or upper dot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Direction from the dot.
    pub line: Line,
    /// Row of the dot, 0 on top.
    pub row: u8,
    /// Column of the dot, 0 on the left.
    pub col: u8,
}

/// Boxes per table of [`Board::edges_around`]; four tables cover [`Board::MAX_BOXES`].
const SLICE_BITS: usize = 7;
const SLICES: usize = 4;

/// The geometry of one board size. One immutable instance a size, so positions hold a reference.
pub struct Board {
    rows: u8,
    cols: u8,
    edges: u8,
    all_edges: u64,
    edges_of_box: [u64; Board::MAX_BOXES],
    boxes_of_edge: [u32; Board::MAX_EDGES],
    left_wall_of_box: [u8; Board::MAX_BOXES],
    border: u64,
    around: [[u64; 1 << SLICE_BITS]; SLICES],
    symmetries: Symmetries,
}

impl Board {
    /// Most edges a board may have: a set of edges is one `u64`.
    pub const MAX_EDGES: usize = 64;
    /// Most boxes of a board within [`Board::MAX_EDGES`] edges (5x5).
    pub const MAX_BOXES: usize = 25;
    /// Most rows or columns of a board within [`Board::MAX_EDGES`] edges (1x21).
    pub const MAX_SIDE: usize = 21;

    /// The board of `rows` x `cols` boxes; `None` if that is no board of 1 to 64 edges.
    pub fn of(rows: usize, cols: usize) -> Option<&'static Board> {
        static BOARDS: [[OnceLock<Box<Board>>; Board::MAX_SIDE]; Board::MAX_SIDE] =
            [const { [const { OnceLock::new() }; Board::MAX_SIDE] }; Board::MAX_SIDE];
        let sides = 1..=Board::MAX_SIDE;
        if !sides.contains(&rows) || !sides.contains(&cols) {
            return None;
        }
        if 2 * rows * cols + rows + cols > Board::MAX_EDGES {
            return None;
        }
        Some(BOARDS[rows - 1][cols - 1].get_or_init(|| Box::new(Board::build(rows, cols))))
    }

    fn build(rows: usize, cols: usize) -> Board {
        let edges = 2 * rows * cols + rows + cols;
        let mut board = Board {
            rows: rows as u8,
            cols: cols as u8,
            edges: edges as u8,
            all_edges: u64::MAX >> (Board::MAX_EDGES - edges),
            edges_of_box: [0; Board::MAX_BOXES],
            boxes_of_edge: [0; Board::MAX_EDGES],
            left_wall_of_box: [0; Board::MAX_BOXES],
            border: 0,
            around: [[0; 1 << SLICE_BITS]; SLICES],
            symmetries: Symmetries::of(rows, cols),
        };
        for row in 0..rows {
            for col in 0..cols {
                let index = row * cols + col;
                board.left_wall_of_box[index] = board.vertical(row, col).0;
                for edge in [
                    board.horizontal(row, col),
                    board.horizontal(row + 1, col),
                    board.vertical(row, col),
                    board.vertical(row, col + 1),
                ] {
                    board.edges_of_box[index] |= edge.mask();
                    board.boxes_of_edge[usize::from(edge.0)] |= 1 << index;
                }
            }
        }
        let has_one_box = |edge: &usize| board.boxes_of_edge[*edge].count_ones() == 1;
        board.border = (0..edges)
            .filter(has_one_box)
            .fold(0, |all, edge| all | 1 << edge);
        for (slice, table) in board.around.iter_mut().enumerate() {
            for (boxes, edges) in table.iter_mut().enumerate() {
                let members = (0..SLICE_BITS).filter(|bit| boxes >> bit & 1 == 1);
                *edges = members
                    .filter_map(|bit| board.edges_of_box.get(slice * SLICE_BITS + bit))
                    .fold(0, |all, mask| all | mask);
            }
        }
        board
    }

    /// Rows of boxes, 1 to 21.
    #[inline]
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Columns of boxes, 1 to 21.
    #[inline]
    pub const fn cols(&self) -> usize {
        self.cols as usize
    }

    /// Number of boxes, 1 to 25.
    #[inline]
    pub const fn boxes(&self) -> usize {
        self.rows() * self.cols()
    }

    /// Number of edges, 4 to 64.
    #[inline]
    pub const fn edges(&self) -> usize {
        self.edges as usize
    }

    /// The mask of all edges.
    #[inline]
    pub const fn all_edges(&self) -> u64 {
        self.all_edges
    }

    /// The mask of all boxes.
    #[inline]
    pub const fn all_boxes(&self) -> u32 {
        (1 << self.boxes()) - 1
    }

    /// The horizontal edge to the right of dot (`row`, `col`).
    /// Precondition: `row <= rows`, `col < cols`.
    #[inline]
    pub fn horizontal(&self, row: usize, col: usize) -> Edge {
        debug_assert!(
            row <= self.rows() && col < self.cols(),
            "edge off the board"
        );
        Edge((row * self.cols() + col) as u8)
    }

    /// The vertical edge below dot (`row`, `col`). Precondition: `row < rows`, `col <= cols`.
    #[inline]
    pub fn vertical(&self, row: usize, col: usize) -> Edge {
        debug_assert!(
            row < self.rows() && col <= self.cols(),
            "edge off the board"
        );
        Edge(((self.rows() + 1) * self.cols() + row * (self.cols() + 1) + col) as u8)
    }

    /// Where an edge lies. Precondition: the edge is on the board.
    pub fn place(&self, edge: Edge) -> Place {
        let id = usize::from(edge.0);
        let horizontals = (self.rows() + 1) * self.cols();
        let (line, index, stride) = if id < horizontals {
            (Line::Horizontal, id, self.cols())
        } else {
            (Line::Vertical, id - horizontals, self.cols() + 1)
        };
        Place {
            line,
            row: (index / stride) as u8,
            col: (index % stride) as u8,
        }
    }

    /// The edge at a place, if the board has it.
    pub fn edge_at(&self, place: Place) -> Option<Edge> {
        let (row, col) = (usize::from(place.row), usize::from(place.col));
        match place.line {
            Line::Horizontal if row <= self.rows() && col < self.cols() => {
                Some(self.horizontal(row, col))
            }
            Line::Vertical if row < self.rows() && col <= self.cols() => {
                Some(self.vertical(row, col))
            }
            _ => None,
        }
    }

    /// The four edges of a box. Precondition: `index < boxes`.
    #[inline]
    pub fn edges_of(&self, index: usize) -> u64 {
        self.edges_of_box[index]
    }

    /// The left one of the four edges of a box; the right one has the next number, the upper one
    /// the number of the box and the lower one that plus [`Board::cols`].
    /// Precondition: `index < boxes`.
    #[inline]
    pub fn left_wall(&self, index: usize) -> Edge {
        Edge(self.left_wall_of_box[index])
    }

    /// The one or two boxes beside an edge, as a mask.
    #[inline]
    pub fn boxes_beside(&self, edge: Edge) -> u32 {
        // The remainder changes no edge of a board; it spares the check of the index.
        self.boxes_of_edge[usize::from(edge.0) % Board::MAX_EDGES]
    }

    /// [`Board::boxes_beside`] by the number of the edge; no box for numbers of no edge.
    #[inline]
    pub fn boxes_by_edge(&self) -> &[u32; Board::MAX_EDGES] {
        &self.boxes_of_edge
    }

    /// The edges that have a box on one side only.
    #[inline]
    pub const fn border(&self) -> u64 {
        self.border
    }

    /// The box on the other side of an edge of box `index`; `None` across the border.
    #[inline]
    pub fn across(&self, edge: Edge, index: usize) -> Option<usize> {
        let other = self.boxes_beside(edge) & !(1 << index);
        (other != 0).then(|| other.trailing_zeros() as usize)
    }

    /// A representative of the sets of drawn edges that are worth the same: of those that differ
    /// only in which border edge of a corner box is drawn, and of the images under these symmetries
    /// (a set as [`Board::symmetries_after`] returns it).
    #[inline]
    pub fn representative(&self, drawn: u64, symmetries: u8) -> u64 {
        self.symmetries.representative(drawn, symmetries)
    }

    /// The symmetries, one bit each, under which sets of edges that contain `drawn` often have
    /// images that contain it too: those that map nearly all of `drawn` to itself.
    pub fn symmetries_after(&self, drawn: u64) -> u8 {
        self.symmetries.after(drawn)
    }

    /// Of two interchangeable edges that are both in the set, one: a search need not draw it.
    #[inline]
    pub fn superfluous(&self, edges: u64) -> u64 {
        self.symmetries.superfluous(edges)
    }

    /// All edges of a set of boxes.
    #[inline]
    pub fn edges_around(&self, boxes: u32) -> u64 {
        const SLICE: u32 = (1 << SLICE_BITS) - 1;
        let slice = |k: usize| self.around[k][(boxes >> (k * SLICE_BITS) & SLICE) as usize];
        slice(0) | slice(1) | slice(2) | slice(3)
    }
}

/// Boards of the same size are the same board.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        (self.rows, self.cols) == (other.rows, other.cols)
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_numbered_as_in_openspiel() {
        let board = Board::of(5, 5).expect("5x5 has 60 edges");
        assert_eq!(board.edges(), 60);
        assert_eq!(board.horizontal(5, 4), Edge(29));
        assert_eq!(board.vertical(0, 0), Edge(30));
        assert_eq!(board.vertical(4, 5), Edge(59));
    }

    #[test]
    fn a_board_has_at_most_64_edges() {
        assert!(Board::of(1, 21).is_some_and(|b| b.edges() == 64 && b.all_edges() == u64::MAX));
        for (rows, cols) in [
            (0, 5),
            (5, 0),
            (1, 22),
            (5, 6),
            (22, 1),
            (usize::MAX, usize::MAX),
        ] {
            assert!(Board::of(rows, cols).is_none(), "{rows}x{cols}");
        }
    }

    #[test]
    fn every_edge_has_one_place_and_every_box_four_edges() {
        for rows in 1..=Board::MAX_SIDE {
            for cols in 1..=Board::MAX_SIDE {
                let Some(board) = Board::of(rows, cols) else {
                    continue;
                };
                assert!(board.boxes() <= Board::MAX_BOXES);
                for edge in (0..board.edges()).map(|id| Edge(id as u8)) {
                    assert_eq!(board.edge_at(board.place(edge)), Some(edge));
                    let boxes = board.boxes_beside(edge).count_ones();
                    assert!((1..=2).contains(&boxes));
                    assert_eq!(board.border() & edge.mask() != 0, boxes == 1);
                }
                for index in 0..board.boxes() {
                    let left = board.left_wall(index).0;
                    let around = [left, left + 1, index as u8, index as u8 + cols as u8];
                    let mask = around.iter().fold(0, |all, &id| all | Edge(id).mask());
                    assert_eq!(board.edges_of(index), mask);
                    assert_eq!(board.edges_of(index).count_ones(), 4);
                    assert_eq!(board.edges_around(1 << index), board.edges_of(index));
                }
                assert_eq!(board.edges_around(board.all_boxes()), board.all_edges());
            }
        }
    }
}
