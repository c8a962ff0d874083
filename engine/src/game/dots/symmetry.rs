//! Sets of drawn edges that are worth the same, and one representative of them.
//!
//! The two border edges of a corner box are interchangeable: in the strings-and-coins view both
//! are strings from the box to the ground (CITE: Berlekamp, Conway, Guy, Winning Ways, chapter 16).
//! Reflections and rotations, of which a square board has eight and any other four, are compared
//! only where the position that a search began with is nearly symmetrical itself: positions after
//! any other one hardly ever are images of each other.

use super::board::Board;

/// Edges that a symmetry may add to a set for sets beyond it to be often images of each other.
const MAX_ADDED: u32 = 2;

/// Image of every edge.
type Map = [u8; Board::MAX_EDGES];

/// Image of every set of edges within one byte, for each byte of a set.
type ByteMap = [[u64; 256]; 8];

/// The symmetries of one board size.
pub(super) struct Symmetries {
    /// Border edges of the corner boxes, horizontal and vertical; zeros where a corner box has
    /// more than two of them.
    corners: [[u64; 2]; 4],
    /// All symmetries but the identity.
    maps: Vec<Box<ByteMap>>,
}

impl Symmetries {
    pub(super) fn of(rows: usize, cols: usize) -> Symmetries {
        let place = Layout { rows, cols };
        let mut corners = [[0; 2]; 4];
        if rows > 1 && cols > 1 {
            for (corner, pair) in corners.iter_mut().enumerate() {
                let (bottom, right) = (corner / 2, corner % 2);
                let horizontal = place.horizontal(bottom * rows, right * (cols - 1));
                let vertical = place.vertical(bottom * (rows - 1), right * cols);
                *pair = [1 << horizontal, 1 << vertical];
            }
        }
        let kinds = if rows == cols { 8 } else { 4 };
        let maps = (1..kinds).map(|kind| by_bytes(&place.map(kind))).collect();
        Symmetries { corners, maps }
    }

    #[inline]
    pub(super) fn representative(&self, drawn: u64, symmetries: u8) -> u64 {
        let mut least = self.with_corners_settled(drawn);
        if symmetries != 0 {
            for (index, map) in self.maps.iter().enumerate() {
                if symmetries >> index & 1 == 1 {
                    least = least.min(self.with_corners_settled(image(drawn, map)));
                }
            }
        }
        least
    }

    pub(super) fn after(&self, drawn: u64) -> u8 {
        let drawn = self.with_corners_settled(drawn);
        let added = |map| (self.with_corners_settled(image(drawn, map)) & !drawn).count_ones();
        let bits = self.maps.iter().enumerate();
        bits.filter(|(_, map)| added(map) <= MAX_ADDED)
            .fold(0, |all, (index, _)| all | 1 << index)
    }

    #[inline]
    pub(super) fn superfluous(&self, edges: u64) -> u64 {
        self.corners.iter().fold(0, |all, [horizontal, vertical]| {
            let both = edges & (horizontal | vertical) == horizontal | vertical;
            all | vertical & 0_u64.wrapping_sub(u64::from(both))
        })
    }

    /// Where one border edge of a corner box is drawn, it is the horizontal one.
    #[inline]
    fn with_corners_settled(&self, mut drawn: u64) -> u64 {
        for [horizontal, vertical] in self.corners {
            let both = horizontal | vertical;
            if drawn & both == vertical {
                drawn ^= both;
            }
        }
        drawn
    }
}

fn by_bytes(map: &Map) -> Box<ByteMap> {
    let mut images = Box::new([[0; 256]; 8]);
    for (byte, images) in images.iter_mut().enumerate() {
        for (bits, image) in images.iter_mut().enumerate() {
            let edges = (0..8).filter(|bit| bits >> bit & 1 == 1);
            *image = edges.fold(0, |all, bit| all | 1 << map[8 * byte + bit]);
        }
    }
    images
}

#[inline]
fn image(drawn: u64, map: &ByteMap) -> u64 {
    let bytes = drawn.to_le_bytes().into_iter().zip(map);
    bytes.fold(0, |all, (byte, images)| all | images[usize::from(byte)])
}

/// Where edges lie, for a board that is being built.
#[derive(Clone, Copy)]
struct Layout {
    rows: usize,
    cols: usize,
}

impl Layout {
    fn horizontal(self, row: usize, col: usize) -> usize {
        row * self.cols + col
    }

    fn vertical(self, row: usize, col: usize) -> usize {
        (self.rows + 1) * self.cols + row * (self.cols + 1) + col
    }

    /// Bit 0 of `kind` reflects left and right, bit 1 up and down, bit 2 at the diagonal.
    fn map(self, kind: usize) -> Map {
        let (rows, cols) = (self.rows, self.cols);
        let reflect =
            |reflected: bool, at: usize, last: usize| if reflected { last - at } else { at };
        let (sideways, upright, diagonal) = (kind & 1 != 0, kind & 2 != 0, kind & 4 != 0);
        let mut map = [0; Board::MAX_EDGES];
        for row in 0..=rows {
            for col in 0..cols {
                let to = (
                    reflect(upright, row, rows),
                    reflect(sideways, col, cols - 1),
                );
                let to = if diagonal {
                    self.vertical(to.1, to.0)
                } else {
                    self.horizontal(to.0, to.1)
                };
                map[self.horizontal(row, col)] = to as u8;
            }
        }
        for row in 0..rows {
            for col in 0..=cols {
                let to = (
                    reflect(upright, row, rows - 1),
                    reflect(sideways, col, cols),
                );
                let to = if diagonal {
                    self.horizontal(to.1, to.0)
                } else {
                    self.vertical(to.0, to.1)
                };
                map[self.vertical(row, col)] = to as u8;
            }
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_map_boxes_to_boxes() {
        for (rows, cols) in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (5, 5)] {
            let board = Board::of(rows, cols).expect("a board");
            let symmetries = Symmetries::of(rows, cols);
            assert_eq!(symmetries.maps.len(), if rows == cols { 7 } else { 3 });
            for map in &symmetries.maps {
                let mut boxes: Vec<u64> = (0..board.boxes())
                    .map(|index| image(board.edges_of(index), map))
                    .collect();
                let mut expected: Vec<u64> = (0..board.boxes())
                    .map(|index| board.edges_of(index))
                    .collect();
                boxes.sort_unstable();
                expected.sort_unstable();
                assert_eq!(boxes, expected, "{board}");
            }
        }
    }

    #[test]
    fn symmetries_that_map_a_set_nearly_to_itself_are_worth_comparing() {
        let symmetries = Symmetries::of(5, 5);
        assert_eq!(symmetries.after(0), 0b111_1111);
        assert_eq!(symmetries.after(0b11111), 0b000_0001);
        assert_eq!(symmetries.after(0b11), 0b111_1111);
    }

    #[test]
    fn images_of_a_set_have_one_representative() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 3)] {
            let symmetries = Symmetries::of(rows, cols);
            let edges = 2 * rows * cols + rows + cols;
            for drawn in (0..1_u64 << edges).step_by(37) {
                let all = symmetries.after(0);
                let representative = symmetries.representative(drawn, all);
                assert_eq!(
                    symmetries.representative(representative, all),
                    representative
                );
                assert_eq!(representative.count_ones(), drawn.count_ones());
                for map in &symmetries.maps {
                    assert_eq!(
                        symmetries.representative(image(drawn, map), all),
                        representative
                    );
                }
            }
        }
    }
}
