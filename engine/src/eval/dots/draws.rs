//! Random choices among the bits of a word.

use crate::game::dots::Board;
use crate::stream::Stream;

/// A random word that gives several numbers below small bounds.
///
/// CITE: Brackett-Rozinsky and Lemire 2024, "Batched ranged random integer generation": the high
/// half of word times bound is the number, the low half serves as the next word.
pub(super) struct Word(u64);

impl Word {
    /// Numbers that one word may give. The bounds are at most 64, so their product is at most 2^36
    /// and no sequence of outcomes is likelier than another by more than one part in 2^28: no
    /// number of rollouts could show that.
    pub(super) const DRAWS: usize = 6;

    #[inline]
    pub(super) fn from(stream: &mut Stream) -> Word {
        Word(stream.bits())
    }

    /// A number below `bound`, which is at most 64.
    #[inline]
    fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound <= Board::MAX_EDGES, "the bias is stated for this");
        let product = u128::from(self.0) * bound as u128;
        self.0 = product as u64;
        (product >> u64::BITS) as usize
    }
}

/// Items that are drawn one by one in a uniformly random order.
pub(super) struct Bag<T> {
    items: [T; Board::MAX_EDGES],
    left: usize,
}

impl<T: Copy> Bag<T> {
    /// The items whose numbers are in `members`, a part of `all`: the numbers from 0 on, without a
    /// gap.
    #[inline]
    pub(super) fn of(items: &[T; Board::MAX_EDGES], mut members: u64, all: u64) -> Bag<T> {
        let mut others = all & !members;
        let mut bag = Bag {
            items: *items,
            left: 0,
        };
        if others.count_ones() < members.count_ones() / 2 {
            // Taking out a few is quicker than putting in many: from the last to the first, so that
            // the one that takes the place is a member.
            bag.left = all.count_ones() as usize;
            while others != 0 {
                let last = u64::BITS - 1 - others.leading_zeros();
                bag.left -= 1;
                bag.items[last as usize] = bag.items[bag.left % Board::MAX_EDGES];
                others ^= 1 << last;
            }
            return bag;
        }
        while members != 0 {
            bag.items[bag.left % Board::MAX_EDGES] = items[members.trailing_zeros() as usize];
            bag.left += 1;
            members &= members - 1;
        }
        bag
    }

    /// How many are left.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.left
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The next item. Precondition: one is left.
    #[inline]
    pub(super) fn draw(&mut self, word: &mut Word) -> T {
        // The remainders change nothing; they spare the checks of the indices.
        let at = word.below(self.left) % Board::MAX_EDGES;
        self.left -= 1;
        let item = self.items[at];
        self.items[at] = self.items[self.left % Board::MAX_EDGES];
        item
    }
}

/// The place of the set bit with `index` set bits below it. Precondition: there is one.
///
/// CITE: Vigna 2008, "Broadword implementation of rank/select queries": the byte by the sums of
/// all bytes at once; within the byte by a table.
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
    let rest = index - ((sums << 8) >> shift & 0xff) as u32;
    let byte = (word >> shift) as u8;
    // Below 8, as the byte has the bit; the remainder spares the check of the index.
    shift + u32::from(BIT_OF_BYTE[rest as usize % 8][usize::from(byte)])
}

/// The place of the set bit of a byte with so many set bits below it, by their number and the byte;
/// 0 where there is none.
static BIT_OF_BYTE: [[u8; 1 << u8::BITS]; u8::BITS as usize] = {
    let mut table = [[0; 1 << u8::BITS]; u8::BITS as usize];
    let mut byte = 0;
    while byte < 1 << u8::BITS {
        let (mut below, mut bit) = (0, 0);
        while bit < u8::BITS {
            if byte >> bit & 1 == 1 {
                table[below][byte] = bit as u8;
                below += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

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

    /// Empties a bag of the numbers of these bits.
    fn order(members: u64, all: u64, stream: &mut Stream) -> Vec<u8> {
        let numbers: [u8; Board::MAX_EDGES] = std::array::from_fn(|number| number as u8);
        let mut bag = Bag::of(&numbers, members, all);
        let mut order = Vec::new();
        while !bag.is_empty() {
            let left = bag.len();
            order.push(bag.draw(&mut Word::from(stream)));
            assert_eq!(bag.len(), left - 1);
        }
        order
    }

    #[test]
    fn a_bag_gives_every_member_once_and_every_order() {
        let mut stream = StreamKey::new(21, Purpose::Bench).stream();
        for count in 1..=64 {
            let all = u64::MAX >> (64 - count);
            for _ in 0..20 {
                for members in [
                    all,
                    all & stream.bits(),
                    all & (stream.bits() | stream.bits()),
                ] {
                    let mut drawn = order(members, all, &mut stream);
                    drawn.sort_unstable();
                    let bits = (0..64).filter(|bit| members >> bit & 1 == 1);
                    assert!(drawn.into_iter().eq(bits), "{members:x} of {all:x}");
                }
            }
        }
        // Four members, once among many others and once among few.
        for (members, all) in [(0b1_0010_0000_0101, 0x1fff), (0b1_1011, 0b1_1111)] {
            let mut seen = std::collections::BTreeMap::<Vec<u8>, u32>::new();
            for _ in 0..24_000 {
                *seen.entry(order(members, all, &mut stream)).or_default() += 1;
            }
            assert_eq!(seen.len(), 24);
            // Six standard deviations.
            assert!(seen.values().all(|count| count.abs_diff(1_000) < 6 * 31));
        }
    }
}
