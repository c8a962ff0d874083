//! Random choices among the bits of a word.

use crate::game::dots::Board;
use crate::stream::Stream;

/// Draws from one random word. The bounds are at most 64, so their product is at most 2^36 and no
/// sequence of outcomes is likelier than another by more than one part in 2^28: no number of
/// rollouts could show that.
const DRAWS_PER_WORD: u32 = 6;

/// Numbers below small bounds, several from one random word.
///
/// CITE: Brackett-Rozinsky and Lemire 2024, "Batched ranged random integer generation": the high
/// half of word times bound is the number, the low half serves as the next word.
pub(super) struct Draws<'a> {
    word: u64,
    left: u32,
    stream: &'a mut Stream,
}

impl<'a> Draws<'a> {
    #[inline]
    pub(super) fn from(stream: &'a mut Stream) -> Self {
        Draws {
            word: 0,
            left: 0,
            stream,
        }
    }

    /// A number below `bound`, which is at most 64.
    #[inline]
    pub(super) fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound <= Board::MAX_EDGES, "the bias is stated for this");
        if self.left == 0 {
            self.word = self.stream.bits();
            self.left = DRAWS_PER_WORD;
        }
        self.left -= 1;
        let product = u128::from(self.word) * bound as u128;
        self.word = product as u64;
        (product >> u64::BITS) as usize
    }
}

/// The numbers 0 to 63, drawn one by one in a uniformly random order. Precondition of use: as many
/// draws as there are numbers, at most.
pub(super) struct Permutation<'a> {
    items: [u8; Board::MAX_EDGES],
    left: usize,
    draws: Draws<'a>,
}

const ASCENDING: [u8; Board::MAX_EDGES] = {
    let mut items = [0; Board::MAX_EDGES];
    let mut index = 0;
    while index < items.len() {
        items[index] = index as u8;
        index += 1;
    }
    items
};

impl<'a> Permutation<'a> {
    /// The numbers below `count`, at most 64.
    #[inline]
    pub(super) fn of_first(count: usize, stream: &'a mut Stream) -> Self {
        Permutation {
            items: ASCENDING,
            left: count,
            draws: Draws::from(stream),
        }
    }

    /// The members of a mask.
    #[inline]
    pub(super) fn of_members(mut mask: u64, stream: &'a mut Stream) -> Self {
        let mut items = [0; Board::MAX_EDGES];
        let mut left = 0;
        while mask != 0 {
            items[left] = mask.trailing_zeros() as u8;
            left += 1;
            mask &= mask - 1;
        }
        Permutation {
            items,
            left,
            draws: Draws::from(stream),
        }
    }

    /// The next number. Precondition: one is left.
    #[inline]
    pub(super) fn draw(&mut self) -> u8 {
        // The remainders change nothing; they spare the checks of the indices.
        let at = self.draws.below(self.left) % Board::MAX_EDGES;
        self.left -= 1;
        let item = self.items[at];
        self.items[at] = self.items[self.left % Board::MAX_EDGES];
        item
    }
}

impl Iterator for Permutation<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        (self.left > 0).then(|| self.draw())
    }
}

/// The place of the set bit with `index` set bits below it. Precondition: there is one.
///
/// CITE: Vigna 2008, "Broadword implementation of rank/select queries": the byte by the sums of
/// all bytes at once; within the byte bit by bit.
#[inline]
pub(super) fn nth_set_bit(word: u64, index: u32) -> u32 {
    const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = EACH_BYTE << 7;
    debug_assert!(index < word.count_ones(), "there is no such bit");
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Byte k counts the set bits of the bytes 0 to k.
    let sums = bytes.wrapping_mul(EACH_BYTE);
    let is_before = (((u64::from(index) * EACH_BYTE) | HIGH_BITS) - sums) & HIGH_BITS;
    let shift = ((is_before >> 7).wrapping_mul(EACH_BYTE) >> 56) as u32 * 8;
    let mut rest = index - ((sums << 8) >> shift & 0xff) as u32;
    let mut byte = word >> shift;
    while rest > 0 {
        byte &= byte - 1;
        rest -= 1;
    }
    shift + byte.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, StreamKey};

    #[test]
    fn the_nth_bit_is_found_in_every_word() {
        let mut stream = StreamKey::new(20, Purpose::Bench).stream();
        let mut words = vec![1, 1 << 63, u64::MAX, 0x80ff_0000_0000_0001];
        for _ in 0..3_000 {
            let (dense, sparse) = (stream.bits() | stream.bits(), stream.bits() & stream.bits());
            words.extend([dense, sparse, sparse & stream.bits() & stream.bits()]);
        }
        for word in words {
            let set = (0..64).filter(|bit| word >> bit & 1 == 1);
            for (index, bit) in set.enumerate() {
                assert_eq!(nth_set_bit(word, index as u32), bit, "{word:x} {index}");
            }
        }
    }

    #[test]
    fn a_permutation_has_every_member_once_and_every_order() {
        let mut stream = StreamKey::new(21, Purpose::Bench).stream();
        for count in 0..=64 {
            let mut all: Vec<u8> = Permutation::of_first(count, &mut stream).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count as u8));
        }
        let mut seen = std::collections::BTreeMap::<Vec<u8>, u32>::new();
        for _ in 0..24_000 {
            let order = Permutation::of_members(0b1_0010_0000_0101, &mut stream).collect();
            *seen.entry(order).or_default() += 1;
        }
        assert_eq!(seen.len(), 24);
        // Six standard deviations.
        assert!(seen.values().all(|count| count.abs_diff(1_000) < 6 * 31));
    }
}
