//! Fits and beliefs against those of every prior, and against draws.

use super::*;
use crate::outlook::simulated::{simulated, space};
use crate::stream::{Purpose, StreamKey};
use crate::surface::fit;

fn hill(values: &[f64]) -> f64 {
    let (x, y) = (values[0] - 6.0, values[1] - 4.0);
    -6.0 * x * x - 3.0 * y * y + 2.0 * x * y
}

fn rows(dimension: usize, pairs: u32, seed: u64) -> (Vec<Row>, Coordinates) {
    let coordinates = Coordinates::new(&space(dimension));
    let played = simulated(&vec![[1.0, 9.0]; dimension], pairs, seed, hill);
    (played.rows(&coordinates), coordinates)
}

#[test]
fn fits_that_are_not_tried_would_hardly_be_believed() {
    for (dimension, pairs) in [(2, 100), (2, 1_500), (3, 1_500)] {
        let (rows, coordinates) = rows(dimension, pairs, 3);
        let tried = believed_fits(&rows, &coordinates);
        let rhos = if dimension == 2 {
            RHOS_OF_TWO
        } else {
            RHOS_OF_MORE
        };
        let priors = rhos
            .iter()
            .flat_map(|rho| SIGMAS.map(|sigma| (sigma, *rho)));
        let all: Vec<f64> = priors
            .map(|(sigma, rho)| {
                let basis = with_prior(basis(&coordinates), sigma, rho);
                fit(&basis, &rows, None).log_evidence()
            })
            .collect();
        let greatest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let parts: Vec<f64> = all.iter().map(|it| libm::exp(it - greatest)).collect();
        let whole: f64 = parts.iter().sum();
        let mut left = 1.0;
        for Believed { fit, belief } in &tried {
            let evidence = fit.log_evidence();
            let nearest = all.iter().map(|it| (it - evidence).abs());
            assert!(nearest.fold(f64::INFINITY, f64::min) < 1e-3);
            left -= libm::exp(evidence - greatest) / whole;
            assert!((belief - libm::exp(evidence - greatest) / whole).abs() < 0.01);
        }
        assert!(
            left < 0.01,
            "{left} of {dimension} parameters, {pairs} pairs"
        );
        assert!((tried.iter().map(|it| it.belief).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_difference_by_all_fits_is_that_of_surfaces_drawn_from_them() {
    let (rows, coordinates) = rows(2, 150, 1);
    let fits = believed_fits(&rows, &coordinates);
    let (a, b) = ([0.2, 0.9], [0.7, 0.5]);
    let Difference { elo, deviation } = difference(&fits, &a, &b);
    let mut stream = StreamKey::new(1, Purpose::Posterior).stream();
    let (mut mean, mut squares) = (0.0, 0.0);
    for Believed { fit, belief } in &fits {
        let draws = 2_000;
        for _ in 0..draws {
            let numbers = fit.coefficients().iter();
            let normals: Vec<f64> = numbers.map(|_| stream.normal()).collect();
            let drawn = fit.drawn(&normals);
            let by = drawn.elo(&a) - drawn.elo(&b);
            mean += belief * by / f64::from(draws);
            squares += belief * by * by / f64::from(draws);
        }
    }
    let drawn = (squares - mean * mean).sqrt();
    assert!((mean - elo).abs() < 0.1 * deviation, "{mean}, {elo}");
    assert!(
        (drawn / deviation - 1.0).abs() < 0.05,
        "{drawn}, {deviation}"
    );
}

#[test]
fn before_a_game_the_middle_of_the_ranges_is_believed_to_be_best() {
    for dimension in [1, 2, 5] {
        let coordinates = Coordinates::new(&space(dimension));
        let fits = believed_fits(&[], &coordinates);
        let (middle, mut end) = (vec![0.5; dimension], vec![0.5; dimension]);
        end[0] = 1.0;
        let Difference { elo, deviation } = difference(&fits, &middle, &end);
        // And it is no more than a belief.
        assert!(elo > 20.0 && elo < deviation, "{elo}, {deviation}");
    }
}
