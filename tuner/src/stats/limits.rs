//! Where a sequential test stops, as limits of a walk of standardised observations.
//!
//! The log-likelihood ratio of n observations whose mean is v standard deviations above the middle
//! of the two hypotheses, which are 2 d apart, is
//!
//! ```text
//! LLR = n / (2 c) * ln((1 + c (v + d)^2) / (1 + c (v - d)^2))
//! ```
//!
//! with a curvature c that depends on the shape of the observations' law: near 1/2 for pairs of
//! games. (The deviation is that of what is tested an observation. Far from equal sides the ratio
//! of mean and deviation spreads more than the mean.) For small v this is 2 n d v, and the limits
//! are straight: a sum of observations. A large v is told from the hypotheses later than that, and
//! a v beyond the maximum of the ratio later still: what decides by strength alone has to wait for
//! the ratio to grow with n.

use super::brownian::Strip;

/// Curvatures that occur; where it hardly matters, any may come out.
const CURVATURES: [f64; 2] = [1e-6, 4.0];

/// Share of its limit from which on a ratio has to be met by the formula. A smaller one says more
/// of where exactly the middle is than of the limits.
const DECIDING: f64 = 0.5;

/// The ratio that was, over the one of the formula with the best curvature: further from 1, and
/// these limits are not those of the test.
const GAINS: [f64; 2] = [0.8, 3.0];

/// Halvings of the curvature's bracket.
const HALVINGS: usize = 50;

/// Limits of the log-likelihood ratio, for walks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Limits {
    /// Limits of the ratio, one negative, one positive.
    pub(super) llr: Strip,
    /// Half the distance of the hypotheses, in standard deviations of an observation.
    pub(super) half_distance: f64,
    /// The c of the formula above.
    pub(super) curvature: f64,
}

impl Limits {
    /// Limits whose formula gives `observations` with mean `above` the middle the `ratio` that
    /// they have: by the curvature, or where none does, because the law at the hypotheses spreads
    /// less than the observed one, by the distance. None where neither comes near, and the
    /// observations are near enough to a limit for that to matter.
    pub(super) fn fitted(
        llr: Strip,
        half_distance: f64,
        observations: f64,
        above: f64,
        ratio: f64,
    ) -> Option<Self> {
        let [mut low, mut high] = CURVATURES;
        let with = |curvature| Self {
            llr,
            half_distance,
            curvature,
        };
        for _ in 0..HALVINGS {
            let middle = (low * high).sqrt();
            // The ratio shrinks as the curvature grows.
            if with(middle).ratio(observations, above).abs() > ratio.abs() {
                low = middle;
            } else {
                high = middle;
            }
        }
        let fitted = with((low * high).sqrt());
        let limit = if ratio > 0.0 { llr.upper } else { llr.lower };
        if ratio / limit < DECIDING {
            return Some(fitted);
        }
        let gain = ratio / fitted.ratio(observations, above);
        (GAINS[0]..=GAINS[1]).contains(&gain).then_some(Self {
            half_distance: half_distance * gain.max(1.0),
            ..fitted
        })
    }

    fn ratio(&self, observations: f64, above: f64) -> f64 {
        let (c, d) = (self.curvature, self.half_distance);
        let term = |distance: f64| libm::log1p(c * distance * distance);
        0.5 * observations / c * (term(above + d) - term(above - d))
    }

    /// Limits of the walk when means are small.
    pub(super) fn straight(&self) -> Strip {
        let distance = 2.0 * self.half_distance;
        Strip {
            lower: self.llr.lower / distance,
            upper: self.llr.upper / distance,
        }
    }

    /// Limits of the walk after so many observations; the straight ones where no mean is decided.
    pub(super) fn at(&self, observations: u64) -> Strip {
        let straight = self.straight();
        let n = observations as f64;
        let nearest = |limit: f64| self.decided(limit, n).map(|[near, _]| n * near);
        Strip {
            lower: nearest(self.llr.lower).unwrap_or(straight.lower),
            upper: nearest(self.llr.upper).unwrap_or(straight.upper),
        }
    }

    /// Values of the walk at which it stops at the lower limit; empty where none does.
    pub(super) fn stops_below(&self, observations: u64) -> Strip {
        let n = observations as f64;
        let [near, far] = self.decided(self.llr.lower, n).unwrap_or([0.0; 2]);
        Strip {
            lower: n * far,
            upper: n * near,
        }
    }

    /// Values of the walk at which it goes on.
    pub(super) fn goes_on(&self, observations: u64) -> [Strip; 3] {
        let n = observations as f64;
        let never = f64::INFINITY;
        let [lower, lowest] = self.decided(self.llr.lower, n).unwrap_or([-never; 2]);
        let [upper, uppermost] = self.decided(self.llr.upper, n).unwrap_or([never; 2]);
        [
            [-never, n * lowest],
            [n * lower, n * upper],
            [n * uppermost, never],
        ]
        .map(|[lower, upper]| Strip { lower, upper })
    }

    /// The nearest and the furthest mean above the middle with at least this ratio.
    fn decided(&self, limit: f64, observations: f64) -> Option<[f64; 2]> {
        let (c, d) = (self.curvature, self.half_distance);
        // The roots v of r c v^2 - 2 d v + r (1 + c d^2) = 0 with r = tanh(c limit / n) / c.
        let r = libm::tanh(c * limit / observations) / c;
        let rest = 1.0 + c * d * d;
        let discriminant = d * d - c * r * r * rest;
        (discriminant >= 0.0).then(|| {
            let near = r * rest / (d + discriminant.sqrt());
            [near, rest / (c * near)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LLR: Strip = Strip {
        lower: -2.9,
        upper: 2.0,
    };

    fn limits(curvature: f64) -> Limits {
        Limits {
            llr: LLR,
            half_distance: 0.04,
            curvature,
        }
    }

    #[test]
    fn a_walk_goes_on_exactly_where_the_ratio_is_inside_its_limits() {
        for curvature in [1e-6, 0.5, 1.0, 4.0] {
            let limits = limits(curvature);
            for observations in [10, 50, 80, 200, 1000] {
                let n = observations as f64;
                for step in -800..=800 {
                    let above = f64::from(step) * 0.01;
                    let ratio = limits.ratio(n, above);
                    let inside = |strip: &Strip| strip.lower < n * above && n * above < strip.upper;
                    let going = limits.goes_on(observations).iter().any(inside);
                    let want = LLR.lower < ratio && ratio < LLR.upper;
                    assert_eq!(going, want, "{curvature} {observations} {above} {ratio}");
                    let below = inside(&limits.stops_below(observations));
                    assert_eq!(
                        below,
                        ratio <= LLR.lower,
                        "{curvature} {observations} {above}"
                    );
                }
            }
        }
    }

    #[test]
    fn many_observations_are_decided_at_straight_limits() {
        let limits = limits(0.7);
        let (curved, straight) = (limits.at(1_000_000), limits.straight());
        // But for the curvature between the hypotheses themselves: c d^2.
        assert!((curved.upper / straight.upper - 1.00112).abs() < 1e-5);
        assert!((curved.lower / straight.lower - 1.00112).abs() < 1e-5);
        assert!((straight.upper - 25.0).abs() < 1e-12);
    }

    #[test]
    fn the_fitted_curvature_gives_the_ratio_that_was() {
        for (curvature, above) in [(0.5, 1.2), (1.0, -0.8), (0.3, 2.0)] {
            let ratio = limits(curvature).ratio(90.0, above);
            let fitted = Limits::fitted(LLR, 0.04, 90.0, above, ratio).unwrap();
            assert!((fitted.curvature - curvature).abs() < 1e-6, "{fitted:?}");
        }
    }

    #[test]
    fn a_ratio_near_its_limit_is_met_by_the_distance_where_no_curvature_meets_it_or_by_none() {
        let (observations, above) = (200.0, 0.1);
        let straight = limits(1e-6).ratio(observations, above);
        let fitted = |ratio| Limits::fitted(LLR, 0.04, observations, above, ratio);
        let larger = fitted(1.3 * straight).unwrap();
        assert!((larger.ratio(observations, above) - 1.3 * straight).abs() < 1e-4);
        assert_eq!(fitted(4.0 * straight), None);
        assert_eq!(fitted(-LLR.upper), None);
        // Far from a limit only the distance that was given counts.
        let far = Limits::fitted(LLR, 0.04, 20.0, 0.01, 0.9).unwrap();
        assert!((far.half_distance - 0.04).abs() < 1e-12);
        // Of any sign: where the middle is exactly makes no difference there.
        assert!(Limits::fitted(LLR, 0.04, 20.0, 0.01, -0.1).is_some());
    }
}
