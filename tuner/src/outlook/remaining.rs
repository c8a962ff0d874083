//! What is still to be gained, for the question whether a tuning shall go on.

use super::{Looked, Played, misfit};
use crate::space::{Space, Vector};
use crate::surface::Gain;

/// Pairs of surfaces that are drawn: the mean of so many is known well enough.
const DRAWS: u32 = 40;
/// Values are looked at this share of what was played beyond it, on either side: a learner that
/// has not left a corner of its ranges is not done because nothing in that corner is better.
const BEYOND: f64 = 0.5;

/// What values that were played, or lie a little beyond, are still expected to bring over
/// `incumbent`; None where the games cannot say: there are none between two vectors with sides
/// swapped, or they contradict the surface.
///
/// Preconditions: the space is valid, vectors are of it.
pub fn remaining_gain(space: &Space, played: &Played, incumbent: &Vector) -> Option<Gain> {
    let looked = Looked::at(space, played, incumbent)?;
    let [mut low, mut high] = looked.played.clone();
    for (low, high) in low.iter_mut().zip(&mut high) {
        let beyond = BEYOND * (*high - *low);
        (*low, *high) = ((*low - beyond).max(0.0), (*high + beyond).min(1.0));
    }
    let gain = looked.prospect_within(&[low, high], DRAWS).gain();
    misfit::fits(&looked.misfits(played)).then_some(gain)
}
