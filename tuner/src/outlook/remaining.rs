//! What is still to be gained, for the question whether a tuning shall go on.

use super::{believed_fits, bounds, misfit, most_believed, prospect};
use crate::outlook::Played;
use crate::space::{Space, Vector};
use crate::surface::{Coordinates, Gain};

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
    if played.pairs().is_empty() {
        return None;
    }
    let coordinates = Coordinates::new(space);
    let rows = played.rows(&coordinates);
    let at = coordinates.to_unit(incumbent);
    let fits = believed_fits(&at, &rows, &coordinates);
    let [mut low, mut high] = bounds(&rows, &at);
    for (low, high) in low.iter_mut().zip(&mut high) {
        let beyond = BEYOND * (*high - *low);
        (*low, *high) = ((*low - beyond).max(0.0), (*high + beyond).min(1.0));
    }
    let gain = prospect(&fits, [&low, &high], &at, DRAWS).gain();
    let believed = most_believed(fits);
    let misfits = misfit::find(
        &believed.fit,
        played,
        &rows,
        bounds(&rows, &at).each_ref().map(|it| &**it),
    );
    misfit::fits(&misfits).then_some(gain)
}
