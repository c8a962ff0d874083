//! The standard normal law.

/// Half-width of a 95 % interval in standard deviations.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// Distribution function.
pub(super) fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}
