//! The principal directions of an edit: how far a vector may move along each until it loses as
//! much as an edit path shall.

use crate::optimiser::SnapshotError;
use crate::surface::Surface;

/// Largest length of a direction, in unit coordinates; an edit path reaches no farther.
const LENGTH_MAX: f64 = 0.3;
/// The same for more than two parameters, whose edits share their length among all of them. Those
/// that hardly matter are known only from far apart.
const LENGTH_MAX_OF_MORE: f64 = 1.5;
/// Smallest length of a direction.
const LENGTH_MIN: f64 = 0.01;
/// A length changes by no more than this factor in a round.
const CHANGE_MAX: f64 = 1.5;
/// Length before anything is known.
const LENGTH_START: f64 = 1.0 / 6.0;
/// Where mixed second differences are taken, in lengths: on the same ellipse as the others.
const MIXED: f64 = 0.7;
/// Rotations of Jacobi's method; a dozen sweeps are more than any matrix here needs.
const SWEEPS: usize = 30;

/// Orthogonal directions in unit coordinates. A move by one of them loses about as much as a leaf
/// shall.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Axes(pub(super) Vec<Vec<f64>>);

impl Axes {
    /// Along the parameters.
    pub(super) fn start(dimension: usize) -> Self {
        let along = |i: usize| {
            let mut direction = vec![0.0; dimension];
            direction[i] = LENGTH_START;
            direction
        };
        Self((0..dimension).map(along).collect())
    }

    /// Refuses stored directions that are none of such a space.
    pub(super) fn check(&self, dimension: usize) -> Result<(), SnapshotError> {
        let lengths = LENGTH_MIN / 2.0..=2.0 * length_max(dimension);
        let is_direction = |direction: &Vec<f64>| {
            let length = dot(direction, direction).sqrt();
            direction.len() == dimension && lengths.contains(&length)
        };
        if self.0.len() == dimension && self.0.iter().all(is_direction) {
            return Ok(());
        }
        let reason = "the directions of its edits do not fit the space".into();
        Err(SnapshotError { reason })
    }

    /// The move by so much of each direction.
    pub(super) fn move_by(&self, shares: &[f64]) -> Vec<f64> {
        let mut whole = vec![0.0; shares.len()];
        for (direction, share) in self.0.iter().zip(shares) {
            for (value, along) in whole.iter_mut().zip(direction) {
                *value += share * along;
            }
        }
        whole
    }

    /// How much of each direction a move consists of.
    pub(super) fn shares_of(&self, by: &[f64]) -> Vec<f64> {
        let share = |direction: &Vec<f64>| dot(direction, by) / dot(direction, direction);
        self.0.iter().map(share).collect()
    }

    /// How far the directions together reach along each parameter.
    pub(super) fn reach(&self) -> Vec<f64> {
        let along = |i: usize| {
            let squares = self.0.iter().map(|direction| direction[i] * direction[i]);
            squares.sum::<f64>().sqrt()
        };
        (0..self.0.len()).map(along).collect()
    }

    /// The directions that fit the surface at `centre`, where a move by one of them shall lose
    /// `loss` Elo. What is measured is what a move of today's size loses, by second differences,
    /// and not the curvature in a point: that is what the games have seen.
    pub(super) fn fitted(&self, surface: &Surface, centre: &[f64], loss: f64) -> Self {
        let size = self.0.len();
        let losses = self.losses(surface, centre);
        let (values, vectors) = eigen(losses, size);
        let mut scatter = vec![0.0; size * size];
        for (number, value) in values.iter().enumerate() {
            let length = (loss / value.max(1e-9)).sqrt();
            let length = length.clamp(1.0 / CHANGE_MAX, CHANGE_MAX);
            let shares: Vec<f64> = (0..size)
                .map(|row| vectors[row * size + number] * length)
                .collect();
            let direction = self.move_by(&shares);
            for (at, entry) in scatter.iter_mut().enumerate() {
                *entry += direction[at / size] * direction[at % size];
            }
        }
        // Moves that lose as much form an ellipsoid; these are its axes, so that limits on their
        // lengths hold whatever way they point.
        let (values, vectors) = eigen(scatter, size);
        let axis = |number: usize| {
            let length = values[number]
                .max(0.0)
                .sqrt()
                .clamp(LENGTH_MIN, length_max(size));
            (0..size)
                .map(|row| vectors[row * size + number] * length)
                .collect()
        };
        Self((0..size).map(axis).collect())
    }

    /// As [`Axes::fitted`], but along the parameters.
    pub(super) fn fitted_along(&self, surface: &Surface, centre: &[f64], loss: f64) -> Self {
        let size = self.0.len();
        let losses = self.losses(surface, centre);
        let axis = |i: usize| {
            let change = (loss / losses[i * size + i].max(1e-9)).sqrt();
            let length = self.0[i][i] * change.clamp(1.0 / CHANGE_MAX, CHANGE_MAX);
            let mut direction = vec![0.0; size];
            direction[i] = length.clamp(LENGTH_MIN, LENGTH_MAX);
            direction
        };
        Self((0..size).map(axis).collect())
    }

    /// The symmetric matrix whose form is the Elo lost by a move of so much of each direction.
    fn losses(&self, surface: &Surface, centre: &[f64]) -> Vec<f64> {
        let size = self.0.len();
        let elo = |parts: &[(usize, f64)]| {
            let mut point = centre.to_vec();
            for (direction, share) in parts {
                for (value, along) in point.iter_mut().zip(&self.0[*direction]) {
                    *value += share * along;
                }
            }
            surface.elo(&point)
        };
        let height = elo(&[]);
        let mut losses = vec![0.0; size * size];
        for i in 0..size {
            losses[i * size + i] = height - 0.5 * (elo(&[(i, 1.0)]) + elo(&[(i, -1.0)]));
            for j in 0..i {
                let corner = |s: f64, t: f64| elo(&[(i, s * MIXED), (j, t * MIXED)]);
                let mixed =
                    corner(1.0, -1.0) + corner(-1.0, 1.0) - corner(1.0, 1.0) - corner(-1.0, -1.0);
                let entry = mixed / (8.0 * MIXED * MIXED);
                losses[i * size + j] = entry;
                losses[j * size + i] = entry;
            }
        }
        losses
    }
}

fn length_max(size: usize) -> f64 {
    if size > 2 {
        LENGTH_MAX_OF_MORE
    } else {
        LENGTH_MAX
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Eigenvalues of a symmetric matrix, and its eigenvectors as columns (Jacobi's rotations).
fn eigen(mut matrix: Vec<f64>, size: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; size * size];
    (0..size).for_each(|i| vectors[i * size + i] = 1.0);
    let scale: f64 = matrix.iter().map(|entry| entry * entry).sum();
    for _ in 0..SWEEPS {
        let mut rest = 0.0;
        for p in 0..size {
            for q in p + 1..size {
                let off = matrix[p * size + q];
                rest += off * off;
                if off * off > 1e-30 * scale {
                    rotate(&mut matrix, &mut vectors, size, [p, q]);
                }
            }
        }
        if rest <= 1e-24 * scale {
            break;
        }
    }
    let values = (0..size).map(|i| matrix[i * size + i]).collect();
    (values, vectors)
}

/// Turns the plane of p and q so that their mixed entry vanishes.
fn rotate(matrix: &mut [f64], vectors: &mut [f64], size: usize, [p, q]: [usize; 2]) {
    let off = matrix[p * size + q];
    let theta = 0.5 * (matrix[q * size + q] - matrix[p * size + p]) / off;
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |entries: &mut [f64], first: usize, second: usize| {
        let (x, y) = (entries[first], entries[second]);
        entries[first] = cosine * x - sine * y;
        entries[second] = sine * x + cosine * y;
    };
    for row in 0..size {
        turn(matrix, row * size + p, row * size + q);
        turn(vectors, row * size + p, row * size + q);
    }
    for column in 0..size {
        turn(matrix, p * size + column, q * size + column);
    }
}

#[cfg(test)]
#[path = "axes_tests.rs"]
mod tests;
