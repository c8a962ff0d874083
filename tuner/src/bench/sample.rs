//! Order statistics of samples, and their resampling.

use crate::stream::{Purpose, StreamKey};

/// Lane of the streams that resample.
const RESAMPLE_LANE: u8 = 2;
/// Seed of every bootstrap: equal outcomes give equal intervals.
const BOOTSTRAP_SEED: u64 = 1_979;

/// The quantile `share` of a sample, between two of its values by linear interpolation (type 7 of
/// R. Hyndman and Y. Fan, 1996). Preconditions: sorted, not empty, `share` in [0, 1].
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// Indices of the resample `number` of a sample of `size`, drawn with replacement; the same for
/// equal keys.
pub(super) fn resample(key: [u32; 2], number: u32, size: usize) -> Vec<usize> {
    let mut stream = StreamKey {
        lane: RESAMPLE_LANE,
        round: key[0],
        pair: key[1],
        item: number,
        ..StreamKey::new(BOOTSTRAP_SEED, Purpose::Benchmark)
    }
    .stream();
    let bound = u32::try_from(size).expect("samples have fewer than 2^32 values");
    (0..size).map(|_| stream.below(bound) as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_values_beside_them() {
        let sample = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert_eq!(quantile(&sample, 0.5), 4.0);
        assert_eq!(quantile(&sample[..4], 0.5), 3.0);
        assert!((quantile(&sample, 0.9) - (8.0 + 0.6 * 8.0)).abs() < 1e-12);
        assert_eq!(quantile(&sample, 0.0), 1.0);
        assert_eq!(quantile(&sample, 1.0), 16.0);
        assert_eq!(quantile(&[3.0], 0.9), 3.0);
    }

    #[test]
    fn resamples_draw_every_index_alike_and_differ_by_their_key() {
        let mut counts = [0u32; 10];
        for number in 0..1_000 {
            for index in resample([1, 2], number, 10) {
                counts[index] += 1;
            }
        }
        // 10,000 draws: 1,000 each, with a standard deviation of 30.
        assert!(counts.iter().all(|count| (880..1_120).contains(count)));
        let one = resample([1, 2], 0, 30);
        assert_eq!(one, resample([1, 2], 0, 30));
        for other in [([2, 2], 0), ([1, 3], 0), ([1, 2], 1)] {
            assert_ne!(one, resample(other.0, other.1, 30));
        }
    }
}
