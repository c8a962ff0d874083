//! Surfaces fitted to what matches of the Dots and Boxes engine measured (5x5, a prototype, 1,000
//! to 4,000 games a cell, 95 % intervals of 11 to 28 Elo).
//!
//! The two parameters add up, as they nearly do there; between the measured values a curve is a
//! monotone cubic, so that it has no hill that was not measured.

use super::{Surface, unit_cube};
use crate::space::{Parameter, Scale, Space};

/// DOTS-A's coordinates: the square root of a bias of 0, 0.05, 0.1, 0.2, 0.4, 0.8 over the last.
const BIAS_ROOTS: [f64; 6] = [
    0.0,
    0.25,
    0.353_553_390_593_273_8,
    0.5,
    std::f64::consts::FRAC_1_SQRT_2,
    1.0,
];
/// Elo of the bias for captures, against none.
const CAPTURE_ELO: [f64; 6] = [0.0, 46.0, 106.0, 226.0, 369.0, 432.0];
/// Elo of the bias against giving moves, against none.
const GIVES_ELO: [f64; 6] = [0.0, 51.0, 67.0, 105.0, 166.0, 154.0];
/// Where DOTS-A starts: a bias of 0.05.
const BIAS_START: f64 = 0.25;

/// Elo of the bias for giving moves in the good engine (formula rollouts, reduced list), in
/// ascending order, against the best.
const GOOD_GIVES: [f64; 7] = [-0.6, -0.45, -0.3, -0.2, -0.15, -0.05, 0.0];
const GOOD_GIVES_ELO: [f64; 7] = [-130.0, -80.0, -33.0, 0.0, -3.0, -38.0, -95.0];
/// The good engine's best C, and the Elo lost by a factor of e above and below it.
const BEST_EXPLORATION: f64 = 0.12;
const LOSS_ABOVE: f64 = 28.5;
const LOSS_BELOW: f64 = 10.0;

/// DOTS-A: both biases of the weak engine at 200 simulations a move. Steep at the start, flat at
/// the end, the optimum of one parameter at its bound.
pub(super) fn capture_and_gives() -> Surface {
    let largest = |elos: &[f64]| elos.iter().copied().fold(f64::MIN, f64::max);
    Surface {
        name: "DOTS-A".into(),
        space: unit_cube(2, BIAS_START),
        best: largest(&CAPTURE_ELO) + largest(&GIVES_ELO),
        elo: Box::new(|values| {
            monotone_cubic(&BIAS_ROOTS, &CAPTURE_ELO, values[0])
                + monotone_cubic(&BIAS_ROOTS, &GIVES_ELO, values[1])
        }),
    }
}

/// DOTS-B: C, on a log scale, and the bias for giving moves of the good engine, from the
/// published constants: C 1, no bias. The best values lose nothing by definition.
pub(super) fn exploration_and_gives() -> Surface {
    let parameter = |path: &str, scale, step, min, max, start| Parameter {
        path: path.into(),
        scale,
        integer: false,
        step,
        min,
        max,
        start,
    };
    let parameters = vec![
        parameter("exploration", Scale::Log, 1.5, 0.02, 3.0, 1.0),
        parameter("gives", Scale::Linear, 0.05, -0.6, 0.0, 0.0),
    ];
    Surface {
        name: "DOTS-B".into(),
        space: Space::new(parameters),
        best: 0.0,
        elo: Box::new(|values| {
            let ratio = libm::log(values[0] / BEST_EXPLORATION);
            let loss = if ratio > 0.0 { LOSS_ABOVE } else { LOSS_BELOW };
            monotone_cubic(&GOOD_GIVES, &GOOD_GIVES_ELO, values[1]) - loss * ratio * ratio
        }),
    }
}

/// The monotone cubic through the points (F. Fritsch and J. Butland, 1984): its slope at a point is
/// the harmonic mean of those of the chords beside it, and 0 where these differ in sign.
/// Preconditions: `xs` ascending, at least two points, `x` between the first and the last.
fn monotone_cubic(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let last = xs.len() - 2;
    let left = (0..last).find(|&at| x <= xs[at + 1]).unwrap_or(last);
    let width = xs[left + 1] - xs[left];
    let t = (x - xs[left]) / width;
    let (from_left, from_right) = (t, t - 1.0);
    // Hermite's basis, factored.
    ys[left] * (1.0 + 2.0 * t) * from_right * from_right
        + ys[left + 1] * (3.0 - 2.0 * t) * t * t
        + width * slope(xs, ys, left) * from_left * from_right * from_right
        + width * slope(xs, ys, left + 1) * from_right * t * t
}

fn slope(xs: &[f64], ys: &[f64], at: usize) -> f64 {
    let chord = |at: usize| (ys[at + 1] - ys[at]) / (xs[at + 1] - xs[at]);
    let last = xs.len() - 1;
    if at == 0 || at == last {
        return chord(at.min(last - 1));
    }
    let (before, behind) = (chord(at - 1), chord(at));
    if before * behind <= 0.0 {
        return 0.0;
    }
    2.0 * before * behind / (before + behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_through_its_points_and_bends_nowhere_else() {
        for (xs, ys) in [
            (&BIAS_ROOTS[..], &CAPTURE_ELO[..]),
            (&BIAS_ROOTS, &GIVES_ELO),
            (&GOOD_GIVES, &GOOD_GIVES_ELO),
        ] {
            for (x, y) in xs.iter().zip(ys) {
                assert!((monotone_cubic(xs, ys, *x) - y).abs() < 1e-9, "{x}");
            }
            for (x, y) in xs.windows(2).zip(ys.windows(2)) {
                let inside = |share: u32| x[0] + (x[1] - x[0]) * f64::from(share) / 100.0;
                let curve: Vec<f64> = (0..=100)
                    .map(|share| monotone_cubic(xs, ys, inside(share)))
                    .collect();
                let up = y[1] >= y[0];
                let steps = curve.windows(2).map(|pair| pair[1] - pair[0]);
                assert!(
                    steps
                        .into_iter()
                        .all(|step| (step >= -1e-9) == up || step.abs() < 1e-9)
                );
            }
        }
    }

    #[test]
    fn the_curve_has_no_kink() {
        let (xs, ys) = (&BIAS_ROOTS, &CAPTURE_ELO);
        for at in &xs[1..5] {
            let value = |x: f64| monotone_cubic(xs, ys, x);
            let (before, behind) = (value(at - 1e-6), value(at + 1e-6));
            let slopes = [(value(*at) - before) / 1e-6, (behind - value(*at)) / 1e-6];
            assert!((slopes[0] - slopes[1]).abs() < 0.05, "{slopes:?} at {at}");
        }
    }
}
