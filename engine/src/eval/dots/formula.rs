//! Values of endings that consist of chains and loops alone.
//!
//! Who must open a long chain or loop gives the opponent the choice: take everything and move next,
//! or leave the last two boxes of a chain (four of a loop) and stay in control.
//! CITE: Buzzard and Ciere, Playing simple loony dots and boxes endgames optimally, INTEGERS 14
//! (2014) G08, for the controlled value; Berlekamp, The Dots and Boxes Game (2000), for the terms.

/// Most chains and loops that [`Endgame`] holds: no board has more boxes.
const MAX_RUNS: usize = crate::game::dots::Board::MAX_BOXES;

/// Length of the shortest chain whose opening gives the opponent a choice, in boxes.
pub const LONG_CHAIN: u8 = 3;

/// Boxes left to the opponent to stay in control of a chain.
const CHAIN_OFFER: i16 = 2;

/// Boxes left to the opponent to stay in control of a loop.
const LOOP_OFFER: i16 = 4;

/// Controlled value from which on it is the true value.
const SURE_CONTROL: i16 = 2;

/// Unopened chains and loops, independent of each other: lengths in boxes, ascending.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endgame {
    chains: Lengths,
    loops: Lengths,
}

/// Ascending lengths.
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    items: [u8; MAX_RUNS],
    len: u8,
}

impl Lengths {
    #[inline]
    fn as_slice(&self) -> &[u8] {
        &self.items[..usize::from(self.len)]
    }

    #[inline]
    fn insert(&mut self, length: u8) {
        let mut at = usize::from(self.len);
        while at > 0 && self.items[at - 1] > length {
            self.items[at] = self.items[at - 1];
            at -= 1;
        }
        self.items[at] = length;
        self.len += 1;
    }
}

impl Endgame {
    /// Adds a chain of this many boxes, at least 1.
    #[inline]
    pub fn add_chain(&mut self, boxes: u8) {
        self.chains.insert(boxes);
    }

    /// Adds a loop of this many boxes, at least 4.
    #[inline]
    pub fn add_loop(&mut self, boxes: u8) {
        self.loops.insert(boxes);
    }

    /// The remaining value for the player who must move, exactly.
    ///
    /// Short chains go first, smallest first: each passes the turn. Then, as long as the controlled
    /// value is below 2, smallest chain or smallest loop, whichever is better, by dynamic
    /// programming. That no other order is better was verified on all multisets of up to five
    /// chains and three loops (see the tests).
    pub fn value(&self) -> i16 {
        let chains = self.chains.as_slice();
        let short = chains.partition_point(|&boxes| boxes < LONG_CHAIN);
        let (short, long) = chains.split_at(short);
        let after = value_of_long(long, self.loops.as_slice());
        short
            .iter()
            .rev()
            .fold(after, |rest, &boxes| -i16::from(boxes) - rest)
    }
}

/// What a player gets who may capture `boxes` boxes and then either take the last `offer` too and
/// move on in the rest, or leave them and let the opponent move there. `rest` is the value for
/// whoever must move in the rest. Precondition: `boxes >= offer`.
#[inline]
pub fn value_of_choice(boxes: i16, offer: i16, rest: i16) -> i16 {
    (boxes - offer) + (offer + rest).max(-offer - rest)
}

/// [`value_of_choice`] with a chain or half-open string.
#[inline]
pub fn value_of_chain_choice(boxes: i16, rest: i16) -> i16 {
    value_of_choice(boxes, CHAIN_OFFER, rest)
}

/// [`value_of_choice`] with a loop or closed string.
#[inline]
pub fn value_of_loop_choice(boxes: i16, rest: i16) -> i16 {
    value_of_choice(boxes, LOOP_OFFER, rest)
}

/// The controlled value: what the player who is not to move gets by staying in control to the end.
/// Lengths ascending; chains of at least 3 boxes.
pub fn controlled_value(chains: &[u8], loops: &[u8]) -> i16 {
    let fully = |lengths: &[u8], offer: i16| -> i16 {
        lengths
            .iter()
            .map(|&boxes| i16::from(boxes) - 2 * offer)
            .sum()
    };
    let bonus = match (chains.last(), loops.is_empty()) {
        (None, true) => 0,
        (None, false) => 2 * LOOP_OFFER,
        (Some(_), true) | (Some(4..), false) => 2 * CHAIN_OFFER,
        (Some(_), false) => CHAIN_OFFER + LOOP_OFFER,
    };
    fully(chains, CHAIN_OFFER) + fully(loops, LOOP_OFFER) + bonus
}

/// The value for the player who must move, of long chains and loops.
fn value_of_long(chains: &[u8], loops: &[u8]) -> i16 {
    let controlled = controlled_value(chains, loops);
    if controlled >= SURE_CONTROL {
        return -controlled;
    }
    value_by_programming(chains, loops)
}

/// The same without the formula: the best of opening the smallest chain and the smallest loop.
fn value_by_programming(chains: &[u8], loops: &[u8]) -> i16 {
    // values[j] is the value without the i smallest chains and the j smallest loops, i descending.
    let mut values = [0i16; MAX_RUNS + 1];
    for i in (0..=chains.len()).rev() {
        for j in (0..=loops.len()).rev() {
            let open_chain = chains.get(i).map(|&boxes| {
                // Still the value of the row before, i + 1.
                -value_of_chain_choice(i16::from(boxes), values[j])
            });
            let open_loop = loops
                .get(j)
                .map(|&boxes| -value_of_loop_choice(i16::from(boxes), values[j + 1]));
            values[j] = open_chain.max(open_loop).unwrap_or(0);
        }
    }
    values[0]
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    type Memo = HashMap<(Vec<u8>, Vec<u8>), i16>;

    fn without(lengths: &[u8], index: usize) -> Vec<u8> {
        let mut rest = lengths.to_vec();
        rest.remove(index);
        rest
    }

    /// Every chain and every loop is tried, in every order.
    fn value_by_trying_all(chains: &[u8], loops: &[u8], memo: &mut Memo) -> i16 {
        let key = (chains.to_vec(), loops.to_vec());
        if let Some(&value) = memo.get(&key) {
            return value;
        }
        let mut best = None;
        for (index, &boxes) in chains.iter().enumerate() {
            let rest = value_by_trying_all(&without(chains, index), loops, memo);
            let boxes = i16::from(boxes);
            best = best.max(Some(if boxes < 3 {
                -boxes - rest
            } else {
                -(boxes + rest).max(boxes - 4 - rest)
            }));
        }
        for (index, &boxes) in loops.iter().enumerate() {
            let rest = value_by_trying_all(chains, &without(loops, index), memo);
            let boxes = i16::from(boxes);
            best = best.max(Some(-(boxes + rest).max(boxes - 8 - rest)));
        }
        let value = best.unwrap_or(0);
        memo.insert(key, value);
        value
    }

    /// All ascending sequences of up to `most` of these lengths.
    fn multisets(lengths: &[u8], most: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut start = 0;
        for _ in 0..most {
            let end = all.len();
            for index in start..end {
                for &boxes in lengths {
                    if all[index].last().is_none_or(|&last| last <= boxes) {
                        let mut longer = all[index].clone();
                        longer.push(boxes);
                        all.push(longer);
                    }
                }
            }
            start = end;
        }
        all
    }

    #[test]
    fn value_equals_trying_every_order() {
        let mut memo = Memo::new();
        for chains in multisets(&[1, 2, 3, 4, 5, 7], 5) {
            for loops in multisets(&[4, 6, 8, 10], 3) {
                let mut endgame = Endgame::default();
                chains
                    .iter()
                    .rev()
                    .for_each(|&boxes| endgame.add_chain(boxes));
                loops
                    .iter()
                    .rev()
                    .for_each(|&boxes| endgame.add_loop(boxes));
                let expected = value_by_trying_all(&chains, &loops, &mut memo);
                assert_eq!(
                    endgame.value(),
                    expected,
                    "chains {chains:?}, loops {loops:?}"
                );
            }
        }
    }

    #[test]
    fn a_controlled_value_of_two_or_more_is_the_value() {
        let mut sure = 0;
        for chains in multisets(&[3, 4, 5, 6, 7, 8, 9], 5) {
            for loops in multisets(&[4, 6, 8, 10], 4) {
                let controlled = controlled_value(&chains, &loops);
                if controlled >= SURE_CONTROL {
                    sure += 1;
                    let value = value_by_programming(&chains, &loops);
                    assert_eq!(value, -controlled, "chains {chains:?}, loops {loops:?}");
                }
            }
        }
        assert!(sure > 40_000, "{sure}");
    }
}
