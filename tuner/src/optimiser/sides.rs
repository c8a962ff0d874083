//! Two sides around a point: what simultaneous perturbation plays against each other.
//!
//! All parameters are moved at once, each up on one side and down on the other, by the same share
//! of its range. What is played is rounded and quantised, so a side may end elsewhere than the
//! point says. Where that would make both sides play the same whole number, the perturbation is
//! raised until they are one unit apart: otherwise games would be played for nothing, and by an
//! unlucky rounding even for the wrong sign.

use super::SnapshotError;
use crate::space::{Space, Vector};
use crate::stream::Stream;
use crate::surface::Coordinates;

/// A space with its unit coordinates: points of learners that move without rounding.
#[derive(Clone, Debug)]
pub(super) struct UnitSpace {
    space: Space,
    coordinates: Coordinates,
}

/// Two vectors to play against each other, and how they came about.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sides {
    /// Moved by `shifts`.
    pub(super) plus: Vector,
    /// Moved by their opposite.
    pub(super) minus: Vector,
    /// Shift of each parameter on the side `plus`, in unit coordinates; 0 where both sides play
    /// the same value, so that the result says nothing about that parameter.
    pub(super) shifts: Vec<f64>,
}

impl Sides {
    /// Whether there is nothing to play for.
    pub(super) fn are_the_same(&self) -> bool {
        self.shifts.iter().all(|shift| *shift == 0.0)
    }
}

impl UnitSpace {
    /// Precondition: the space is valid.
    pub(super) fn new(space: Space) -> Self {
        Self {
            coordinates: Coordinates::new(&space),
            space,
        }
    }

    /// Parameters.
    pub(super) fn dimension(&self) -> usize {
        self.space.parameters.len()
    }

    /// Where the run starts.
    pub(super) fn start_point(&self) -> Vec<f64> {
        self.coordinates.to_unit(&self.space.start())
    }

    /// The point of a vector.
    pub(super) fn point(&self, vector: &Vector) -> Vec<f64> {
        self.coordinates.to_unit(vector)
    }

    /// How far a point has to move from a whole number, up or down, until another is played; 0
    /// where any number is allowed.
    pub(super) fn rounding(&self, parameter: usize, at: f64) -> f64 {
        self.coordinates.rounding(parameter, at)
    }

    /// The vector that is played for a point. That of the start is the start itself, which may
    /// have more digits than are kept.
    pub(super) fn vector(&self, point: &[f64]) -> Vector {
        let vector = self.coordinates.to_vector(point);
        let start = self.space.start();
        if vector.same_when_quantised(&start) {
            start
        } else {
            vector
        }
    }

    /// Whether a parameter is a choice of two words.
    pub(super) fn is_choice(&self, parameter: usize) -> bool {
        self.coordinates.is_choice(parameter)
    }

    /// The parameters that are.
    pub(super) fn choices(&self) -> Vec<usize> {
        self.coordinates.choices()
    }

    /// Moves a point to where rules hold.
    pub(super) fn keep_to_rules(&self, point: &mut [f64]) {
        self.coordinates.keep_to_rules(point);
    }

    /// The values of a point, before rules move them.
    fn values(&self, point: &[f64]) -> Vec<f64> {
        let value = |(index, unit): (usize, &f64)| self.coordinates.value(index, *unit);
        point.iter().enumerate().map(value).collect()
    }

    /// A stored vector in force.
    pub(super) fn stored_incumbent(&self, values: &[f64]) -> Result<Vector, SnapshotError> {
        let incumbent = Vector(values.to_vec());
        if self.space.contains(&incumbent) {
            return Ok(incumbent);
        }
        let reason = "the incumbent is outside the space".into();
        Err(SnapshotError { reason })
    }

    /// Refuses a stored point that lies in no such space.
    pub(super) fn check_point(&self, point: &[f64]) -> Result<(), SnapshotError> {
        let inside = point.iter().all(|value| (0.0..=1.0).contains(value));
        if inside && point.len() == self.dimension() {
            return Ok(());
        }
        let reason = "a point is outside the space".into();
        Err(SnapshotError { reason })
    }

    /// Sides around `point`: each parameter is moved by at least its `widths`, in a direction that
    /// the stream chooses, and both sides are cut off at the ends of the ranges.
    pub(super) fn sides(&self, point: &[f64], widths: &[f64], stream: &mut Stream) -> Sides {
        let widths: Vec<f64> = (0..self.dimension())
            .map(|index| {
                let unit = self.coordinates.resolution(index, point[index]);
                f64::max(widths[index], 0.5 * unit)
            })
            .collect();
        let moved = |sign: f64| -> Vec<f64> {
            let moves = point.iter().zip(&widths);
            moves
                .map(|(point, width)| (point + sign * width).clamp(0.0, 1.0))
                .collect()
        };
        let [mut plus, mut minus] = [1.0, -1.0].map(|sign| self.values(&moved(sign)));
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            let (upper, lower) = (&mut plus[index], &mut minus[index]);
            if parameter.integer && upper == lower {
                let unit = parameter.unit();
                if *upper + unit <= parameter.max {
                    *upper += unit;
                } else {
                    *lower -= unit;
                }
            }
            if stream.bits() & 1 == 0 {
                std::mem::swap(upper, lower);
            }
        }
        // Rules may draw values together, or change even the direction between the sides.
        let [plus, minus] = [plus, minus].map(|values| self.space.repaired(Vector(values)));
        let values = plus.0.iter().zip(&minus.0);
        let shifts = values.zip(&widths).map(|((plus, minus), width)| {
            if plus == minus {
                0.0
            } else if plus > minus {
                *width
            } else {
                -width
            }
        });
        let shifts = shifts.collect();
        Sides {
            plus,
            minus,
            shifts,
        }
    }
}

#[cfg(test)]
#[path = "sides_tests.rs"]
mod tests;
