//! Tests of the principal directions.

use super::*;
use crate::surface::Basis;
use proptest::prelude::*;

/// A surface that loses `K` (in Elo per squared unit) by a quadratic form around 0.5.
fn bowl(form: &[f64], dimension: usize) -> Surface {
    let basis = Basis::polynomial(&vec![0.5; dimension], 2, |_| 1.0);
    let logits_of_half = 0.25 / crate::surface::ELO_PER_LOGIT;
    let mut coefficients = vec![0.0; dimension];
    for i in 0..dimension {
        for j in i..dimension {
            let twice = if i == j { 1.0 } else { 2.0 };
            coefficients.push(-twice * form[i * dimension + j] * logits_of_half);
        }
    }
    Surface::new(basis, coefficients)
}

fn quadratic(form: &[f64], by: &[f64]) -> f64 {
    let size = by.len();
    (0..size * size)
        .map(|at| form[at] * by[at / size] * by[at % size])
        .sum()
}

/// A positive form with eigenvalues between 100 and some thousands.
fn form(numbers: &[f64], size: usize) -> Vec<f64> {
    let row = |i: usize| &numbers[i * size..(i + 1) * size];
    (0..size * size)
        .map(|at| 1_000.0 * dot(row(at / size), row(at % size)))
        .enumerate()
        .map(|(at, entry)| entry + if at / size == at % size { 400.0 } else { 0.0 })
        .collect()
}

proptest! {
    #[test]
    fn after_some_rounds_a_move_along_any_axis_loses_what_it_shall(
        numbers in prop::collection::vec(-1.0..1.0, 9),
    ) {
        for size in [2, 3] {
            let form = form(&numbers[..size * size], size);
            let surface = bowl(&form, size);
            let mut axes = Axes::start(size);
            for _ in 0..20 {
                axes = axes.fitted(&surface, &vec![0.5; size], 20.0);
            }
            for direction in &axes.0 {
                let lost = quadratic(&form, direction);
                prop_assert!((lost - 20.0).abs() < 0.1, "{lost}");
            }
            for i in 0..size {
                for j in 0..i {
                    prop_assert!(dot(&axes.0[i], &axes.0[j]).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn what_is_measured_is_the_form(numbers in prop::collection::vec(-1.0..1.0, 4)) {
        let form = form(&numbers, 2);
        let axes = Axes(vec![vec![0.1, 0.05], vec![-0.03, 0.2]]);
        let losses = axes.losses(&bowl(&form, 2), &[0.5, 0.5]);
        for shares in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.3, -0.8]] {
            let direct = quadratic(&form, &axes.move_by(&shares));
            prop_assert!((quadratic(&losses, &shares) - direct).abs() < 1e-6);
        }
    }

    #[test]
    fn eigenvectors_are_orthogonal_and_stretched_by_their_values(
        numbers in prop::collection::vec(-1.0..1.0, 16),
    ) {
        let size = 4;
        let matrix = form(&numbers, size);
        let (values, vectors) = eigen(matrix.clone(), size);
        let column = |j: usize| (0..size).map(|i| vectors[i * size + j]).collect::<Vec<_>>();
        for (j, value) in values.iter().enumerate() {
            let vector = column(j);
            for i in 0..size {
                let image = dot(&matrix[i * size..(i + 1) * size], &vector);
                prop_assert!((image - value * vector[i]).abs() < 1e-8 * 4_000.0);
            }
            for other in 0..size {
                let expected = if other == j { 1.0 } else { 0.0 };
                prop_assert!((dot(&vector, &column(other)) - expected).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn lengths_change_by_no_more_than_their_factor_and_keep_to_their_limits() {
    let flat = bowl(&[0.0; 4], 2);
    let mut axes = Axes::start(2);
    axes = axes.fitted(&flat, &[0.5, 0.5], 30.0);
    for direction in &axes.0 {
        let length = dot(direction, direction).sqrt();
        assert!((length - CHANGE_MAX * LENGTH_START).abs() < 1e-12);
    }
    for _ in 0..10 {
        axes = axes.fitted(&flat, &[0.5, 0.5], 30.0);
    }
    assert!(
        axes.0
            .iter()
            .all(|d| (dot(d, d).sqrt() - LENGTH_MAX).abs() < 1e-12)
    );
    let steep = bowl(&[1e7, 0.0, 0.0, 1e7], 2);
    for _ in 0..20 {
        axes = axes.fitted(&steep, &[0.5, 0.5], 30.0);
    }
    assert!(
        axes.0
            .iter()
            .all(|d| (dot(d, d).sqrt() - LENGTH_MIN).abs() < 1e-12)
    );
    assert!(axes.check(2).is_ok() && axes.check(3).is_err());
}

#[test]
fn along_the_parameters_each_axis_is_fitted_by_itself() {
    let form = [1_000.0, 400.0, 400.0, 3_000.0];
    let mut axes = Axes::start(2);
    for _ in 0..20 {
        axes = axes.fitted_along(&bowl(&form, 2), &[0.5, 0.5], 20.0);
    }
    assert!((axes.0[0][0] - libm::sqrt(20.0 / 1_000.0)).abs() < 1e-9);
    assert!((axes.0[1][1] - libm::sqrt(20.0 / 3_000.0)).abs() < 1e-9);
    assert_eq!((axes.0[0][1], axes.0[1][0]), (0.0, 0.0));
}
