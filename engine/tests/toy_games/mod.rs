//! Random toy games shared by the tests of searchers.

use sixfold_engine::game::toy::{ToyPosition, Tree, TreeShape};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Rates of staying turns, in percent.
pub(crate) const STAY_RATES: [u32; 4] = [0, 20, 50, 100];
/// Random games at each rate.
pub(crate) const TREES_PER_RATE: u64 = 1_000;

/// The random stream of a seed.
pub(crate) fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Bench).stream()
}

/// What the random trees of a seed look like.
pub(crate) fn shape(seed: u64, stay_percent: u32) -> TreeShape {
    TreeShape {
        plies: 3 + (seed % 4) as u16,
        branching: 3 + (seed % 2) as u8,
        leaf_percent: 10,
        stay_percent,
        max_gain: 1 + (seed % 3) as u8,
        gain_unit: 1 + (seed / 3 % 2) as u8,
    }
}

/// The random game of a seed.
pub(crate) fn random_game(seed: u64, stay_percent: u32) -> ToyPosition {
    let mut stream = stream(seed);
    Tree::random(&shape(seed, stay_percent), &mut |n| stream.below(n)).start()
}
