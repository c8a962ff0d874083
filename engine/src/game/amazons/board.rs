//! Boards of the Amazons and their squares.
//!
//! A set of squares is a `u128`. Square (file, rank), counted from 0 at the lower left corner, is
//! bit `STRIDE * (rank + 1) + file` on boards of every size. The bits between two ranks, and those
//! below the first and above the last, belong to no square: a step over an edge ends on one of
//! them, and an intersection with the empty squares takes it away. So shifts need no masks.

use std::fmt;
use std::num::NonZeroU8;

/// Bits from a square to the one above it: the largest board's files and one bit more.
pub const STRIDE: u32 = Board::MAX_SIDE as u32 + 1;

/// A square of the largest board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU8);

impl Square {
    /// The square in this file and rank, both from 0; `None` beyond the largest board.
    pub const fn at(file: usize, rank: usize) -> Option<Square> {
        if file >= Board::MAX_SIDE || rank >= Board::MAX_SIDE {
            return None;
        }
        match NonZeroU8::new((STRIDE as usize * (rank + 1) + file) as u8) {
            Some(bit) => Some(Square(bit)),
            None => None,
        }
    }

    /// The file, 0 (a) to 9 (j).
    #[inline]
    pub const fn file(self) -> usize {
        self.index() % STRIDE as usize
    }

    /// The rank, 0 to 9.
    #[inline]
    pub const fn rank(self) -> usize {
        self.index() / STRIDE as usize - 1
    }

    /// The number of the square's bit, below 128.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing; it tells the compiler the range.
        (self.0.get() & 127) as usize
    }

    /// The set of this square alone.
    #[inline]
    pub const fn mask(self) -> u128 {
        1 << self.index()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = (b'a' + self.file() as u8) as char;
        write!(f, "{file}{}", self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The squares of a set, from the lower left corner rank by rank. See [`each`].
#[derive(Clone, Debug)]
pub struct Each(u128);

/// The squares of a set one by one. Precondition: the set has nothing but squares.
#[inline]
pub const fn each(set: u128) -> Each {
    Each(set)
}

impl Iterator for Each {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let bit = NonZeroU8::new(self.0.trailing_zeros() as u8)?;
        self.0 &= self.0 - 1;
        Some(Square(bit))
    }
}

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    files: u8,
    ranks: u8,
}

/// The squares of every board, by its files and ranks.
const SQUARES: [[u128; Board::MAX_SIDE]; Board::MAX_SIDE] = {
    let mut all = [[0; Board::MAX_SIDE]; Board::MAX_SIDE];
    let mut files = 1;
    while files <= Board::MAX_SIDE {
        let row: u128 = (1 << files) - 1;
        let mut set = 0;
        let mut ranks = 1;
        while ranks <= Board::MAX_SIDE {
            set |= row << (STRIDE as usize * ranks);
            all[files - 1][ranks - 1] = set;
            ranks += 1;
        }
        files += 1;
    }
    all
};

impl Board {
    /// Most files and most ranks.
    pub const MAX_SIDE: usize = 10;
    /// Fewest files and ranks on which the usual start makes sense.
    pub const MIN_START_SIDE: usize = 4;

    /// The board of so many files and ranks, 1 to 10 each; `None` otherwise.
    pub const fn of(files: usize, ranks: usize) -> Option<Board> {
        if files == 0 || files > Board::MAX_SIDE || ranks == 0 || ranks > Board::MAX_SIDE {
            return None;
        }
        Some(Board {
            files: files as u8,
            ranks: ranks as u8,
        })
    }

    /// Number of files.
    #[inline]
    pub const fn files(self) -> usize {
        self.files as usize
    }

    /// Number of ranks.
    #[inline]
    pub const fn ranks(self) -> usize {
        self.ranks as usize
    }

    /// The set of all squares.
    #[inline]
    pub const fn squares(self) -> u128 {
        SQUARES[self.files() - 1][self.ranks() - 1]
    }

    /// The amazons of First and of Second at the start of a game; `None` on boards with a side
    /// below [`Board::MIN_START_SIDE`].
    ///
    /// With o = (files - 1) / 3 and p = (ranks - 1) / 3, rounded down, First has two on the back
    /// rank, o files from its ends, and two on the outer files, p ranks above it; Second's are the
    /// image in the middle rank. On 10x10: d1 g1 a4 j4 against a7 j7 d10 g10.
    pub const fn start(self) -> Option<[u128; 2]> {
        let (files, ranks) = (self.files(), self.ranks());
        if files < Board::MIN_START_SIDE || ranks < Board::MIN_START_SIDE {
            return None;
        }
        let (o, p) = ((files - 1) / 3, (ranks - 1) / 3);
        let back: u128 = 1 << o | 1 << (files - 1 - o);
        let outer: u128 = 1 | 1 << (files - 1);
        Some([
            in_rank(0, back) | in_rank(p, outer),
            in_rank(ranks - 1, back) | in_rank(ranks - 1 - p, outer),
        ])
    }
}

/// A set of files as squares of a rank.
const fn in_rank(rank: usize, files: u128) -> u128 {
    files << (STRIDE as usize * (rank + 1))
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.files, self.ranks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: u128) -> String {
        let names: Vec<String> = each(set).map(|square| square.to_string()).collect();
        names.join(" ")
    }

    #[test]
    fn squares_have_bits_of_their_own_and_a_guard_between_ranks() {
        for (files, ranks) in [(1, 1), (5, 4), (10, 10)] {
            let board = Board::of(files, ranks).expect("a board");
            let mut set = 0u128;
            for rank in 0..ranks {
                for file in 0..files {
                    let square = Square::at(file, rank).expect("a square");
                    assert_eq!((square.file(), square.rank()), (file, rank));
                    assert_eq!(set & square.mask(), 0);
                    set |= square.mask();
                }
            }
            assert_eq!(set, board.squares());
            assert!(each(set).all(|square| square.index() % 11 < 10 && square.index() > 10));
        }
    }

    #[test]
    fn boards_have_one_to_ten_files_and_ranks() {
        assert!(Board::of(0, 5).is_none() && Board::of(5, 11).is_none());
        assert!(Square::at(10, 0).is_none() && Square::at(0, 10).is_none());
    }

    #[test]
    fn amazons_start_where_the_rules_say() {
        let start = |files, ranks| Board::of(files, ranks).and_then(Board::start);
        let named = |files, ranks| start(files, ranks).expect("a start").map(names);
        assert_eq!(named(10, 10), ["d1 g1 a4 j4", "a7 j7 d10 g10"]);
        assert_eq!(named(8, 8), ["c1 f1 a3 h3", "a6 h6 c8 f8"]);
        assert_eq!(named(6, 6), ["b1 e1 a2 f2", "a5 f5 b6 e6"]);
        assert_eq!(named(5, 5), ["b1 d1 a2 e2", "a4 e4 b5 d5"]);
        assert_eq!(named(4, 4), ["b1 c1 a2 d2", "a3 d3 b4 c4"]);
        assert_eq!(named(6, 5), ["b1 e1 a2 f2", "a4 f4 b5 e5"]);
        assert!(start(3, 5).is_none() && start(5, 3).is_none());
    }
}
