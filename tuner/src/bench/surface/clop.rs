//! CLOP's test problems: functions of variables in [-1, 1] whose values are logits, and sums of
//! independent copies of them. Optima are by formula; each function says which.

use std::f64::consts::{LN_2, SQRT_2};

use super::{ELO_PER_LOGIT, Surface};

/// CLOP's variable of a unit coordinate.
fn variable(unit: f64) -> f64 {
    2.0 * unit - 1.0
}

/// A sum of copies of a function of one variable, whose largest value is `best` logits.
fn copies(name: &str, parameters: usize, best: f64, function: fn(f64) -> f64) -> Surface {
    let best = parameters as f64 * best * ELO_PER_LOGIT;
    Surface::on_unit_cube(name, parameters, best, move |values| {
        let logits: f64 = values.iter().map(|&unit| function(variable(unit))).sum();
        logits * ELO_PER_LOGIT
    })
}

/// LOG: asymmetric, steep towards -1. The slope 8 / (4x + 4.1) - 4 is 0 where 4x + 4.1 = 2.
pub(super) fn log(parameters: usize) -> Surface {
    copies("LOG", parameters, 2.0 * LN_2 - 0.9, |x| {
        2.0 * libm::log(4.0 * x + 4.1) - 4.0 * x - 3.0
    })
}

/// FLAT: a low hill, its top at -0.6, with hardly any slope where learners start.
pub(super) fn flat(parameters: usize) -> Surface {
    copies("FLAT", parameters, 0.2, |x| {
        let y = x + 0.6;
        0.2 / (1.0 + 6.0 * y * y + y * y * y)
    })
}

/// POWER: a parabola that falls off a cliff. With s = (x + 1) / 2 it is 0.2 s^2 - s^20, whose
/// slope is 0 where s^18 = 0.02, and there it is 0.18 s^2.
pub(super) fn power(parameters: usize) -> Surface {
    let best = 0.18 * libm::pow(0.02, 1.0 / 9.0);
    copies("POWER", parameters, best, |x| {
        let s = 0.5 * (x + 1.0);
        let square = s * s;
        let fifth = square * square * s;
        let tenth = fifth * fifth;
        0.2 * square - tenth * tenth
    })
}

/// ANGLE: a cusp at -0.2, of different slopes.
pub(super) fn angle(parameters: usize) -> Surface {
    copies("ANGLE", parameters, 1.0, |x| {
        let below = 2.0 * (0.3 - x).max(0.0).sqrt();
        let above = (x + 2.2).sqrt();
        1.0 + SQRT_2 - if x < -0.2 { below } else { above }
    })
}

/// STEP: a ramp up to 1 at -0.3, a jump to 0 behind it, a ramp down, a cliff at 0.8. The top
/// itself belongs to the ramp up, so that the optimum is a point.
pub(super) fn step(parameters: usize) -> Surface {
    copies("STEP", parameters, 1.0, |x| {
        // Unit coordinates of six digits lead to variables a rounding away from theirs.
        let reached = |end: f64| x > end + 1e-9;
        if reached(0.8) || !reached(-0.8) {
            -2.0
        } else if reached(-0.3) {
            -(x + 0.3) / 1.1
        } else {
            -2.0 + 6.0 * (x + 0.8)
        }
    })
}

/// ROSENBROCK: a bent ridge; its top, 1 logit, where a = b = 1.
pub(super) fn rosenbrock() -> Surface {
    Surface::on_unit_cube("ROSEN", 2, ELO_PER_LOGIT, |values| {
        let a = 4.0 * variable(values[0]);
        let b = 10.0 * variable(values[1]) + 4.0;
        let valley = (1.0 - a) * (1.0 - a) + (b - a * a) * (b - a * a);
        (1.0 - 0.1 * valley) * ELO_PER_LOGIT
    })
}

/// CORRELATED: a wall along a diagonal; its top, 0.1 logits, at (-0.5, 0.4), where both copies of
/// g(t) = -t^4 + t^3 - t^2 are at their largest, 0.
pub(super) fn correlated() -> Surface {
    let g = |t: f64| t * t * (-t * t + t - 1.0);
    Surface::on_unit_cube("CORR", 2, 0.1 * ELO_PER_LOGIT, move |values| {
        let (x, y) = (variable(values[0]), variable(values[1]));
        let walls = g(10.0 * (x + y + 0.1)) + g(x - y + 0.9);
        (0.2 * walls + 0.1) * ELO_PER_LOGIT
    })
}
