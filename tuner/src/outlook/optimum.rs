//! How far the values that a tuning came to may be from the best ones.

use super::{DRAWS, Looked, Played, misfit};
use crate::space::{Space, Vector};

/// Standard deviation of a number that may be anywhere in a range of 1: a value that was never
/// changed says nothing of where the best one is.
const UNKNOWN: f64 = 0.288_675_134_594_812_9;
/// No value is taken to be known better than to this share of its range: all draws may agree on an
/// end of the range, and the best value may lie beyond it.
const LEAST: f64 = 0.005;

/// Standard deviations of what lies between `values` and the best ones in the ranges, in unit
/// coordinates; None where the games cannot say: there are none between two vectors with sides
/// swapped, or they contradict the surface.
///
/// Preconditions: the space is valid, vectors are of it.
pub fn optimum_deviations(space: &Space, played: &Played, values: &Vector) -> Option<Vec<f64>> {
    let looked = Looked::at(space, played, values)?;
    if !misfit::fits(&looked.misfits(played)) {
        return None;
    }
    let prospect = looked.prospect(DRAWS);
    let ([low, high], at) = (&looked.played, &looked.at);
    let deviation = |index: usize| {
        if low[index] == high[index] {
            UNKNOWN
        } else {
            let sides = [low[index], high[index]];
            prospect.error(index, at[index], sides).max(LEAST)
        }
    };
    Some((0..at.len()).map(deviation).collect())
}

#[cfg(test)]
#[path = "optimum_tests.rs"]
mod tests;
