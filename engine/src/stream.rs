//! Random streams: named, value-stable generators, keyed by what they are for.
//!
//! Every stream is a pure function of its [`StreamKey`], so results do not depend on threads or on
//! the order of games. The key fills the 32-byte key of a ChaCha8 generator, whose output seeds
//! the fast generator that searches run on.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is for; two purposes never share numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// Moves of the agent that sits as First.
    First = 0,
    /// Moves of the agent that sits as Second.
    Second = 1,
    /// The random opening of a pair.
    Opening = 2,
    /// Decisions of a learner.
    Learner = 3,
    /// Outcomes of a scripted evaluator.
    Scripted = 4,
    /// Fixed positions of tests and benchmarks.
    Bench = 5,
    /// Random games that are part of a position's evaluation; the seed is of the position.
    Evaluation = 6,
}

/// Names a stream: the same key gives the same numbers, on every machine, for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamKey {
    /// Seed of the run, below 2^53.
    pub seed: u64,
    /// Round of the run; verification attempts have a domain of their own.
    pub round: u32,
    /// Trial of the run.
    pub trial: u32,
    /// Game pair of the trial.
    pub pair: u32,
    /// How often this pair has been started anew.
    pub attempt: u32,
    /// What the numbers are for.
    pub purpose: Purpose,
    /// Tells apart what otherwise has the same key (0 unless stated; the game of a pair with
    /// independent streams).
    pub lane: u8,
}

impl StreamKey {
    /// A key with everything zero but the seed and the purpose.
    pub const fn new(seed: u64, purpose: Purpose) -> Self {
        Self {
            seed,
            round: 0,
            trial: 0,
            pair: 0,
            attempt: 0,
            purpose,
            lane: 0,
        }
    }

    /// The stream of this key.
    pub fn stream(&self) -> Stream {
        let mut key = [0u8; 32];
        key[0..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..12].copy_from_slice(&self.round.to_le_bytes());
        key[12..16].copy_from_slice(&self.trial.to_le_bytes());
        key[16..20].copy_from_slice(&self.pair.to_le_bytes());
        key[20..24].copy_from_slice(&self.attempt.to_le_bytes());
        key[24] = self.purpose as u8;
        key[25] = self.lane;
        let mut source = ChaCha8Rng::from_seed(key);
        let mut state = [0u8; 32];
        source.fill_bytes(&mut state);
        Stream {
            generator: Xoshiro256PlusPlus::from_seed(state),
        }
    }
}

/// A random stream. Owned by whoever draws from it; never global, never shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number in `0..bound`, uniform up to a bias below `bound` / 2^32. Precondition: `bound` is
    /// not 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "a number below zero does not exist");
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Shuffles in place (Fisher–Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(seed: u64) -> Stream {
        StreamKey::new(seed, Purpose::Bench).stream()
    }

    /// The numbers come from an implementation of ChaCha8 and xoshiro256++ in another language.
    #[test]
    fn streams_never_change() {
        let mut stream = stream(1);
        let bits = [(); 4].map(|()| stream.bits());
        assert_eq!(
            bits,
            [
                0xa843_25f5_10e7_a0de,
                0xa17a_8698_284f_d2a6,
                0x2c74_8066_69ca_eccf,
                0x85ce_1f62_061c_08f7
            ]
        );
        let below = [(); 8].map(|()| stream.below(60));
        assert_eq!(below, [31, 47, 23, 55, 28, 0, 14, 27]);
        // Floats by their bits: exactly these.
        let units = [(); 3].map(|()| stream.unit().to_bits());
        assert_eq!(
            units,
            [
                0x3fe1_cba3_1782_6122,
                0x3fe4_3c99_4aec_8af3,
                0x3fe1_afd5_a878_be3f
            ]
        );
        let mut items: Vec<u8> = (0..12).collect();
        stream.shuffle(&mut items);
        assert_eq!(items, [0, 9, 11, 10, 1, 8, 3, 7, 2, 6, 4, 5]);
    }

    #[test]
    fn every_part_of_the_key_counts() {
        let base = StreamKey::new(7, Purpose::First);
        let mut first: Vec<u64> = [
            base,
            StreamKey { seed: 8, ..base },
            StreamKey { round: 1, ..base },
            StreamKey { trial: 1, ..base },
            StreamKey { pair: 1, ..base },
            StreamKey { attempt: 1, ..base },
            StreamKey {
                purpose: Purpose::Second,
                ..base
            },
            StreamKey { lane: 1, ..base },
        ]
        .iter()
        .map(|key| key.stream().bits())
        .collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 8);
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        let mut stream = stream(2);
        for bound in 1..100 {
            assert!(stream.below(bound) < bound);
            assert!((0.0..1.0).contains(&stream.unit()));
        }
        let mut items: Vec<u32> = (0..50).collect();
        stream.shuffle(&mut items);
        items.sort_unstable();
        assert!(items.into_iter().eq(0..50));
    }
}
