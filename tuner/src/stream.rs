//! Random streams of the tuner: pure functions of a key, with value-stable draws.
//!
//! A stream is a ChaCha8 generator whose 32-byte key is the [`StreamKey`] itself, so nothing that
//! is drawn depends on what was drawn before for another purpose: no generator state is ever saved.
//! The draws are written out here because the results of a run are a promise (the same job and
//! seed give the same bytes); golden values guard them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a stream is for; two purposes never share numbers. The values stay clear of those that
/// the engine's own streams use for moves and openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// Decisions of a learner.
    Learner = 3,
    /// Outcomes of a scripted evaluator.
    Scripted = 4,
    /// Synthetic surfaces, the games on them, and the resampling of what came of these.
    Benchmark = 6,
    /// Draws from what a fitted surface leaves open.
    Posterior = 9,
    /// Seeds of the learners of a tuning at several budgets.
    Leg = 10,
}

/// Names a stream: the same key gives the same numbers, on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamKey {
    /// Seed of the run, below 2^53.
    pub seed: u64,
    /// What the numbers are for.
    pub purpose: Purpose,
    /// Tells apart what otherwise has the same key.
    pub lane: u8,
    /// Round of the run.
    pub round: u32,
    /// Episode of the round, or trial of the run.
    pub item: u32,
    /// Game pair of the trial.
    pub pair: u32,
    /// Game of the pair.
    pub game: u32,
}

impl StreamKey {
    /// A key with everything zero but the seed and the purpose.
    pub const fn new(seed: u64, purpose: Purpose) -> Self {
        Self {
            seed,
            purpose,
            lane: 0,
            round: 0,
            item: 0,
            pair: 0,
            game: 0,
        }
    }

    /// The stream of this key.
    pub fn stream(&self) -> Stream {
        let mut key = [0u8; 32];
        key[0..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..12].copy_from_slice(&self.round.to_le_bytes());
        key[12..16].copy_from_slice(&self.item.to_le_bytes());
        key[16..20].copy_from_slice(&self.pair.to_le_bytes());
        key[20..24].copy_from_slice(&self.game.to_le_bytes());
        key[24] = self.purpose as u8;
        key[25] = self.lane;
        Stream {
            generator: ChaCha8Rng::from_seed(key),
        }
    }
}

/// A random stream. Owned by whoever draws from it; never global, never shared.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: ChaCha8Rng,
}

impl Stream {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number in `0..bound`, uniform up to a bias below `bound` / 2^32. Precondition:
    /// `bound > 0`.
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "a number below zero does not exist");
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A standard normal number, from two of [`Stream::unit`] (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        // 1 - u is above 0.
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(2.0 * std::f64::consts::PI * self.unit())
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

    fn key() -> StreamKey {
        StreamKey {
            lane: 1,
            round: 2,
            item: 3,
            pair: 4,
            game: 5,
            ..StreamKey::new(42, Purpose::Learner)
        }
    }

    #[test]
    fn golden_values() {
        let mut stream = key().stream();
        let bits: Vec<u64> = (0..3).map(|_| stream.bits()).collect();
        assert_eq!(
            bits,
            [
                11_790_776_724_726_866_399,
                18_440_626_464_935_975_823,
                11_098_014_287_402_042_192
            ]
        );
        let below: Vec<u32> = (0..8).map(|_| stream.below(6)).collect();
        assert_eq!(below, [3, 1, 4, 2, 0, 5, 2, 3]);
        assert_eq!(
            [stream.unit(), stream.unit()],
            [0.36438126594072884, 0.04469126931664669]
        );
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        stream.shuffle(&mut items);
        assert_eq!(items, [4, 0, 5, 6, 1, 7, 2, 3]);
    }

    #[test]
    fn every_field_of_the_key_counts() {
        let base = key();
        let others = [
            StreamKey { seed: 43, ..base },
            StreamKey {
                purpose: Purpose::Scripted,
                ..base
            },
            StreamKey { lane: 0, ..base },
            StreamKey { round: 0, ..base },
            StreamKey { item: 0, ..base },
            StreamKey { pair: 0, ..base },
            StreamKey { game: 0, ..base },
        ];
        let mut firsts: Vec<u64> = others.iter().map(|key| key.stream().bits()).collect();
        firsts.push(base.stream().bits());
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), others.len() + 1);
    }

    #[test]
    fn normal_numbers_have_the_moments_of_the_normal_law() {
        let mut stream = StreamKey::new(7, Purpose::Posterior).stream();
        let numbers: Vec<f64> = (0..40_000).map(|_| stream.normal()).collect();
        for (power, expected, error) in [(1, 0.0, 0.03), (2, 1.0, 0.04), (4, 3.0, 0.3)] {
            let sum: f64 = numbers.iter().map(|it| it.powi(power)).sum();
            let moment = sum / numbers.len() as f64;
            assert!((moment - expected).abs() < error, "{power}: {moment}");
        }
    }

    #[test]
    fn draws_stay_in_range() {
        let mut stream = StreamKey::new(7, Purpose::Learner).stream();
        let mut seen = [0u32; 6];
        for _ in 0..6_000 {
            seen[stream.below(6) as usize] += 1;
            let unit = stream.unit();
            assert!((0.0..1.0).contains(&unit));
        }
        assert!(
            seen.iter().all(|&count| (850..1150).contains(&count)),
            "{seen:?}"
        );
        assert_eq!(stream.below(1), 0);
    }
}
