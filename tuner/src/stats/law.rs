//! The law of one observation's points: K equally spaced values in [0, 1] with probabilities.
//!
//! Observations are single games (K = 3) or game pairs (K = 5).

/// An empirical law and how many observations are behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law<const K: usize> {
    /// Points of each result, scaled to [0, 1].
    pub(super) values: [f64; K],
    /// Probability of each result; all positive, sum 1.
    pub(super) probabilities: [f64; K],
    /// Observations behind the law, traces of zero counts included.
    pub(super) observations: f64,
    /// Games in one observation.
    pub(super) games_per_observation: f64,
}

impl<const K: usize> Law<K> {
    /// The law of positive weights, one per result from the worst to the best.
    pub(super) fn from_weights(weights: [f64; K], games_per_observation: f64) -> Self {
        let observations: f64 = weights.iter().sum();
        Self {
            values: std::array::from_fn(|index| index as f64 / (K - 1) as f64),
            probabilities: weights.map(|weight| weight / observations),
            observations,
            games_per_observation,
        }
    }

    /// The same observations under other probabilities.
    pub(super) fn with(&self, probabilities: [f64; K]) -> Self {
        Self {
            probabilities,
            ..*self
        }
    }

    /// The same law of so many observations.
    pub(super) fn with_observations(&self, observations: f64) -> Self {
        Self {
            observations,
            ..*self
        }
    }

    /// Mean of the points, in [0, 1].
    pub(super) fn mean(&self) -> f64 {
        self.expectation(|value| value)
    }

    /// Variance of one observation's points (per pair for pairs).
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|value| (value - mean) * (value - mean))
    }

    /// Skewness, and kurtosis (3 for a normal law), of one observation's points.
    pub(super) fn shape(&self) -> (f64, f64) {
        let (mean, variance) = (self.mean(), self.variance());
        let cube = |value: f64| (value - mean) * (value - mean) * (value - mean);
        let third = self.expectation(cube);
        let fourth = self.expectation(|value| cube(value) * (value - mean));
        let kurtosis = fourth / (variance * variance);
        (third / (variance * variance.sqrt()), kurtosis)
    }

    fn expectation(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.values
            .iter()
            .zip(&self.probabilities)
            .map(|(&value, probability)| probability * of(value))
            .sum()
    }
}
