//! The standard normal law.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Half-width of a 95 % interval in standard deviations.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Below this the distribution function is taken from its asymptotic series: `erfc` loses its
/// digits there, and underflows at -38.
const TAIL: f64 = -20.0;

/// Density.
pub(super) fn density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// Distribution function.
pub(super) fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// Natural logarithm of the distribution function, also where that underflows.
pub(super) fn ln_cdf(z: f64) -> f64 {
    if z > TAIL {
        return libm::log(cdf(z));
    }
    // Abramowitz and Stegun 26.2.12; the next term is below 1e-8 of the sum.
    let w = 1.0 / (z * z);
    let series = 1.0 - w * (1.0 - 3.0 * w * (1.0 - 5.0 * w));
    -0.5 * z * z - libm::log(-z * (2.0 * PI).sqrt()) + libm::log(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_function_is_the_integral_of_the_density() {
        for z in [-7.0, -1.96, 0.0, 0.3, 4.0] {
            let (steps, low) = (200_000, -12.0);
            let width = (z - low) / f64::from(steps);
            let sum: f64 = (0..steps)
                .map(|step| density(low + (f64::from(step) + 0.5) * width))
                .sum();
            assert!((sum * width / cdf(z) - 1.0).abs() < 1e-7, "{z}");
        }
        assert!((cdf(Z_95) - 0.975).abs() < 1e-15);
    }

    #[test]
    fn the_logarithm_has_no_seam_and_no_end() {
        let (above, below) = (ln_cdf(TAIL + 1e-9), ln_cdf(TAIL - 1e-9));
        // The slope there is about 20.
        assert!((above - below).abs() < 1e-7, "{above} {below}");
        assert!((ln_cdf(-1000.0) + 500_007.826_694_6).abs() < 1e-5);
        assert!((ln_cdf(1.0) - libm::log(0.841_344_746_068_542_9)).abs() < 1e-14);
    }
}
