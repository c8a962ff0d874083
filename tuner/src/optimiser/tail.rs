//! The mean of a moving point over the end of its way: the noise of single steps averages out.

use serde::{Deserialize, Serialize};

use super::SnapshotError;

/// Share of the way that is averaged.
pub(super) const TAIL: f64 = 0.25;

/// A running mean of points in unit coordinates, summed in the order of the steps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TailMean {
    sum: Vec<f64>,
    count: u64,
}

impl TailMean {
    /// Of no points yet.
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            sum: vec![0.0; dimension],
            count: 0,
        }
    }

    /// Takes one more point.
    pub(super) fn add(&mut self, point: &[f64]) {
        for (sum, value) in self.sum.iter_mut().zip(point) {
            *sum += value;
        }
        self.count += 1;
    }

    /// The mean; None before the first point.
    pub(super) fn mean(&self) -> Option<Vec<f64>> {
        let count = self.count as f64;
        // Rounding may take a sum of points at the end of a range a little beyond it.
        let mean = self.sum.iter().map(|sum| (sum / count).clamp(0.0, 1.0));
        (self.count > 0).then(|| mean.collect())
    }

    /// The mean, or `point` before the first.
    pub(super) fn mean_or(&self, point: &[f64]) -> Vec<f64> {
        self.mean().unwrap_or_else(|| point.to_vec())
    }

    /// Refuses stored sums that are no sums of points.
    pub(super) fn check(&self, dimension: usize) -> Result<(), SnapshotError> {
        const ROUNDING: f64 = 1e-9;
        let most = self.count as f64 * (1.0 + ROUNDING);
        let can_be = self.sum.iter().all(|sum| (0.0..=most).contains(sum));
        if can_be && self.sum.len() == dimension {
            return Ok(());
        }
        let reason = "its mean is outside the space".into();
        Err(SnapshotError { reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_that_of_all_points() {
        let mut mean = TailMean::new(2);
        assert_eq!(mean.mean(), None);
        for point in [[0.0, 1.0], [0.5, 1.0], [0.25, 1.0]] {
            mean.add(&point);
        }
        assert_eq!(mean.mean(), Some(vec![0.25, 1.0]));
        assert!(mean.check(2).is_ok());
    }

    #[test]
    fn sums_that_no_points_have_are_refused() {
        let mut mean = TailMean::new(2);
        mean.add(&[0.5, 0.5]);
        assert!(mean.check(3).is_err());
        mean.sum[0] = 1.5;
        assert!(mean.check(2).is_err());
        mean.sum[0] = f64::NAN;
        assert!(mean.check(2).is_err());
    }
}
