//! Quadratic bowls whose optimum is drawn from the seed.

use super::Surface;
use crate::stream::{Purpose, Stream, StreamKey};

/// Lane of the streams that shape surfaces.
const SHAPE_LANE: u8 = 1;
/// Distance of a round bowl's optimum from the start; of RAG's and CQ's in a coordinate, at most.
const REACH: f64 = 0.3;
/// Elo between the start and the optimum of CQ and RAG.
const HEIGHT: f64 = 150.0;
/// Largest curvature over the smallest, of CQ and RAG.
const CONDITION: f64 = 30.0;

/// QUAD: as steep in every direction.
pub(super) fn round(parameters: usize, height: f64, seed: u64) -> Surface {
    let mut stream = shape(seed);
    let optimum: Vec<f64> = direction(parameters, &mut stream)
        .iter()
        .map(|share| 0.5 + REACH * share)
        .collect();
    let curvature = height / (REACH * REACH);
    bowl("QUAD", optimum, height, move |offsets| {
        curvature * squares(offsets)
    })
}

/// CQ: curvatures from 1 to 30, in geometric steps, along randomly rotated axes.
pub(super) fn correlated(parameters: usize, seed: u64) -> Surface {
    let mut stream = shape(seed);
    let axes = rotation(parameters, &mut stream);
    let last = (parameters - 1) as f64;
    let curvatures: Vec<f64> = (0..parameters)
        .map(|axis| libm::pow(CONDITION, axis as f64 / last))
        .collect();
    let optimum: Vec<f64> = (0..parameters)
        .map(|_| 0.5 + REACH * (2.0 * stream.unit() - 1.0))
        .collect();
    let form = move |offsets: &[f64]| -> f64 {
        let along = |axis: &Vec<f64>| -> f64 { axis.iter().zip(offsets).map(|(a, d)| a * d).sum() };
        axes.iter()
            .zip(&curvatures)
            .map(|(axis, curvature)| curvature * along(axis) * along(axis))
            .sum()
    };
    bowl_of_height("CQ", optimum, form)
}

/// RAG: every second parameter matters a thirtieth of the others; the optimum is a corner.
pub(super) fn ragged(parameters: usize, seed: u64) -> Surface {
    let mut stream = shape(seed);
    let optimum: Vec<f64> = (0..parameters)
        .map(|_| 0.5 + if stream.below(2) == 1 { REACH } else { -REACH })
        .collect();
    let form = |offsets: &[f64]| -> f64 {
        let sensitivities = [1.0, 1.0 / CONDITION].into_iter().cycle();
        sensitivities.zip(offsets).map(|(s, d)| s * d * d).sum()
    };
    bowl_of_height("RAG", optimum, form)
}

/// A bowl of the form `loss`, scaled so that the start loses [`HEIGHT`] Elo.
fn bowl_of_height(
    name: &str,
    optimum: Vec<f64>,
    form: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
) -> Surface {
    let start: Vec<f64> = optimum.iter().map(|best| 0.5 - best).collect();
    let scale = HEIGHT / form(&start);
    bowl(name, optimum, HEIGHT, move |offsets| scale * form(offsets))
}

/// `best` less a loss that depends on the offsets from the optimum.
fn bowl(
    name: &str,
    optimum: Vec<f64>,
    best: f64,
    loss: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
) -> Surface {
    Surface::on_unit_cube(name, optimum.len(), best, move |values| {
        let offsets: Vec<f64> = values.iter().zip(&optimum).map(|(v, o)| v - o).collect();
        best - loss(&offsets)
    })
}

fn shape(seed: u64) -> Stream {
    let lane = SHAPE_LANE;
    StreamKey {
        lane,
        ..StreamKey::new(seed, Purpose::Benchmark)
    }
    .stream()
}

fn squares(offsets: &[f64]) -> f64 {
    offsets.iter().map(|offset| offset * offset).sum()
}

/// A standard normal number (G. Box and M. Muller, 1958).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - stream.unit())).sqrt();
    radius * libm::cos(2.0 * std::f64::consts::PI * stream.unit())
}

/// A vector of length 1, uniform over all directions.
fn direction(parameters: usize, stream: &mut Stream) -> Vec<f64> {
    let normals: Vec<f64> = (0..parameters).map(|_| normal(stream)).collect();
    let length = squares(&normals).sqrt();
    normals.iter().map(|number| number / length).collect()
}

/// Orthonormal axes, uniform over all rotations and reflections: Gram and Schmidt's method on
/// random directions.
fn rotation(parameters: usize, stream: &mut Stream) -> Vec<Vec<f64>> {
    let mut axes: Vec<Vec<f64>> = Vec::with_capacity(parameters);
    for _ in 0..parameters {
        let mut axis = direction(parameters, stream);
        for other in &axes {
            let overlap: f64 = axis.iter().zip(other).map(|(a, b)| a * b).sum();
            for (coordinate, theirs) in axis.iter_mut().zip(other) {
                *coordinate -= overlap * theirs;
            }
        }
        let length = squares(&axis).sqrt();
        axes.push(axis.iter().map(|coordinate| coordinate / length).collect());
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_orthonormal() {
        let axes = rotation(8, &mut shape(5));
        for (row, one) in axes.iter().enumerate() {
            for (column, other) in axes.iter().enumerate() {
                let product: f64 = one.iter().zip(other).map(|(a, b)| a * b).sum();
                let expected = f64::from(u8::from(row == column));
                assert!((product - expected).abs() < 1e-12, "{row}, {column}");
            }
        }
    }

    #[test]
    fn directions_have_length_one_and_no_side() {
        let mut sum = [0.0; 3];
        for seed in 0..2_000 {
            let direction = direction(3, &mut shape(seed));
            assert!((squares(&direction) - 1.0).abs() < 1e-12);
            for (total, coordinate) in sum.iter_mut().zip(direction) {
                *total += coordinate;
            }
        }
        // A coordinate's standard deviation is 1 / sqrt 3: 4 of them over 2,000 are 103.
        assert!(sum.iter().all(|total| total.abs() < 103.0), "{sum:?}");
    }
}
