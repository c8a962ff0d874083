//! Chains and loops counted by length: [`Endgame`] without an order to keep.
//!
//! What the formula needs of them is mostly sums, which do not depend on the order in which chains
//! and loops are found.

use crate::game::dots::Board;

use super::formula::Endgame;

/// Lengths in boxes, from 0.
const LENGTHS: usize = 32;
const _: () = assert!(Board::MAX_BOXES < LENGTHS);

/// Boxes left to the opponent to stay in control of a chain.
const CHAIN_OFFER: i16 = 2;

/// Boxes left to the opponent to stay in control of a loop.
const LOOP_OFFER: i16 = 4;

/// Unopened chains and loops, independent of each other.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    chains: [u8; LENGTHS],
    loops: [u8; LENGTHS],
    /// Bit by length: there is such a chain.
    chain_lengths: u32,
    loop_count: i16,
    loop_boxes: i16,
    chain_count: i16,
    chain_boxes: i16,
}

impl Tally {
    /// Adds a chain of this many boxes, at least 1.
    #[inline]
    pub(super) fn add_chain(&mut self, boxes: u8) {
        self.chains[usize::from(boxes) % LENGTHS] += 1;
        self.chain_lengths |= 1 << boxes;
        self.chain_count += 1;
        self.chain_boxes += i16::from(boxes);
    }

    /// Adds a loop of this many boxes, at least 4.
    #[inline]
    pub(super) fn add_loop(&mut self, boxes: u8) {
        self.loops[usize::from(boxes) % LENGTHS] += 1;
        self.loop_count += 1;
        self.loop_boxes += i16::from(boxes);
    }

    /// [`Endgame::value`].
    #[inline]
    pub(super) fn value(&self) -> i16 {
        let [ones, twos] = [1, 2].map(|boxes| i16::from(self.chains[boxes]));
        let mut value = self.value_of_long(ones, twos);
        // Each short chain passes the turn and its boxes; two of the same length cancel out.
        if twos & 1 == 1 {
            value = -2 - value;
        }
        if ones & 1 == 1 {
            value = -1 - value;
        }
        value
    }

    #[inline]
    fn value_of_long(&self, ones: i16, twos: i16) -> i16 {
        let count = self.chain_count - ones - twos;
        let boxes = self.chain_boxes - ones - 2 * twos;
        let bonus = match (count, self.loop_count) {
            (0, 0) => 0,
            (0, _) => 2 * LOOP_OFFER,
            (_, 0) => 2 * CHAIN_OFFER,
            _ if self.chain_lengths >> 4 != 0 => 2 * CHAIN_OFFER,
            _ => CHAIN_OFFER + LOOP_OFFER,
        };
        let controlled = boxes - 2 * CHAIN_OFFER * count + self.loop_boxes
            - 2 * LOOP_OFFER * self.loop_count
            + bonus;
        if controlled >= 2 {
            return -controlled;
        }
        if self.loop_count > 0 {
            return self.endgame_of_long().value();
        }
        self.value_of_long_chains()
    }

    /// The longest chain is opened last.
    fn value_of_long_chains(&self) -> i16 {
        let mut value = 0;
        let mut lengths = self.chain_lengths >> 3;
        while lengths != 0 {
            let boxes = 3 + (u32::BITS - 1 - lengths.leading_zeros()) as i16;
            for _ in 0..self.chains[boxes as usize % LENGTHS] {
                value = -(boxes - CHAIN_OFFER) - (value + CHAIN_OFFER).abs();
            }
            lengths ^= 1 << (boxes - 3);
        }
        value
    }

    /// The same without short chains, in order.
    fn endgame_of_long(&self) -> Endgame {
        let mut endgame = Endgame::default();
        for boxes in 3..LENGTHS {
            (0..self.chains[boxes]).for_each(|_| endgame.add_chain(boxes as u8));
            (0..self.loops[boxes]).for_each(|_| endgame.add_loop(boxes as u8));
        }
        endgame
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, StreamKey};

    #[test]
    fn a_tally_is_worth_what_its_chains_and_loops_are_in_order() {
        let mut stream = StreamKey::new(27, Purpose::Bench).stream();
        let (mut with_loops, mut chains_only) = (0, 0);
        for _ in 0..20_000 {
            let (mut tally, mut endgame) = (Tally::default(), Endgame::default());
            let mut boxes_left = 1 + stream.below(Board::MAX_BOXES as u32);
            let longest = 1 + stream.below(6);
            while boxes_left > 0 {
                let boxes = 1 + stream.below(longest).min(boxes_left - 1);
                let is_loop = boxes >= 4 && stream.below(3) == 0;
                if is_loop {
                    tally.add_loop(boxes as u8);
                    endgame.add_loop(boxes as u8);
                } else {
                    tally.add_chain(boxes as u8);
                    endgame.add_chain(boxes as u8);
                }
                boxes_left -= boxes;
            }
            assert_eq!(tally.value(), endgame.value(), "{endgame:?}");
            with_loops += u32::from(tally.loop_count > 0);
            chains_only += u32::from(tally.loop_count == 0);
        }
        assert!(with_loops > 2_000 && chains_only > 2_000);
        assert_eq!(Tally::default().value(), 0);
    }
}
