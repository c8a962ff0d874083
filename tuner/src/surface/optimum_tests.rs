//! Highest points against fine grids and known tops.

use super::*;
use crate::surface::Basis;
use proptest::prelude::*;

fn surface(dimension: usize, order: usize, coefficients: &[f64]) -> Surface {
    let basis = Basis::polynomial(&vec![0.5; dimension], order, |_| 1.0);
    let features = basis.features();
    Surface::new(basis, coefficients[..features].to_vec())
}

/// No coordinate can be moved upwards from here.
fn assert_stationary(surface: &Surface, low: &[f64], high: &[f64], point: &[f64]) {
    for (i, slope) in surface.gradient(point).into_iter().enumerate() {
        assert!((low[i]..=high[i]).contains(&point[i]), "{point:?}");
        let pushed = (slope < 0.0 && point[i] <= low[i]) || (slope > 0.0 && point[i] >= high[i]);
        assert!(pushed || slope.abs() < 1e-2, "{i}: {slope} at {point:?}");
    }
}

proptest! {
    #[test]
    fn with_two_coordinates_no_point_of_a_fine_grid_is_higher(
        coefficients in prop::collection::vec(-2.0..2.0, 9),
        low in prop::collection::vec(0.0..0.5, 2),
        size in prop::collection::vec(0.0..0.5, 2),
    ) {
        let surface = surface(2, 3, &coefficients);
        let high = [low[0] + size[0], low[1] + size[1]];
        let found = surface.optimum(&low, &high, &[0.5, 0.5]);
        assert_stationary(&surface, &low, &high, &found);
        let best = surface.elo(&found);
        for i in 0..=100 {
            for j in 0..=100 {
                let at = |k: usize, step: i32| {
                    f64::min(low[k] + size[k] * f64::from(step) / 100.0, high[k])
                };
                let probe = [at(0, i), at(1, j)];
                prop_assert!(surface.elo(&probe) <= best + 1e-6);
            }
        }
    }

    #[test]
    fn a_choice_is_at_one_of_its_words_in_the_highest_point(
        coefficients in prop::collection::vec(-2.0..2.0, 9),
        other: bool,
    ) {
        // z0, z1, z0 z1, z0², z0² z1: no square of the choice.
        let kept = |indices: &[usize]| indices.iter().filter(|&&index| index == 1).count() < 2;
        let basis = Basis::polynomial(&[0.5; 2], 3, |indices| f64::from(u8::from(kept(indices))));
        let features = basis.features();
        let basis = basis.with_choices(vec![1]);
        let surface = Surface::new(basis, coefficients[..features].to_vec());
        let word = f64::from(u8::from(other));
        let found = surface.optimum(&[0.0, 0.0], &[1.0, 1.0], &[0.5, word]);
        prop_assert!(found[1] == 0.0 || found[1] == 1.0, "{:?}", found);
        let best = surface.elo(&found);
        for step in 0..=1000 {
            for word in [0.0, 1.0] {
                let probe = [f64::from(step) / 1000.0, word];
                prop_assert!(surface.elo(&probe) <= best + 1e-3, "{:?} {:?}", probe, found);
            }
        }
        // What is one word only stays that word.
        let pinned = surface.optimum(&[0.0, word], &[1.0, word], &[0.5, word]);
        prop_assert_eq!(pinned[1], word);
    }

    #[test]
    fn words_of_many_choices_are_tried_with_the_best_values_under_each(
        coefficients in prop::collection::vec(-2.0..2.0, 4),
    ) {
        // Two choices that matter together, and a hill whose top they move.
        let kept = |indices: &[usize]| match indices {
            [_] | [0, 0] => true,
            [i, j] => i != j,
            _ => false,
        };
        let basis = Basis::polynomial(&[0.5; 3], 2, |indices| f64::from(u8::from(kept(indices))));
        // z0, z1, z2, z0², z0 z1, z0 z2, z1 z2.
        let all = [
            coefficients[0], coefficients[1], coefficients[2], -3.0, 0.5, coefficients[3], 0.0,
        ];
        let surface = Surface::new(basis.with_choices(vec![1, 2]), all.to_vec());
        let found = surface.optimum(&[0.0; 3], &[1.0; 3], &[0.5, 0.0, 1.0]);
        let best = surface.elo(&found);
        for step in 0..=200 {
            for words in 0..4_u8 {
                let word = |bit: u8| f64::from(words >> bit & 1);
                let probe = [f64::from(step) / 200.0, word(0), word(1)];
                prop_assert!(surface.elo(&probe) <= best + 0.1, "{:?} {:?}", probe, found);
            }
        }
    }

    #[test]
    fn a_hill_of_many_coordinates_is_climbed_to_its_top(
        top in prop::collection::vec(0.0..1.0, 4),
        cross in prop::collection::vec(-0.3..0.3, 16),
        from in prop::collection::vec(0.0..1.0, 4),
    ) {
        // F = -(z - t)' M (z - t) with a dominant diagonal, in monomials.
        let m = |i: usize, j: usize| if i == j { 1.0 } else { cross[4 * i.min(j) + i.max(j)] };
        let z: Vec<f64> = top.iter().map(|u| 2.0 * (u - 0.5)).collect();
        let mut coefficients: Vec<f64> = (0..4)
            .map(|i| 2.0 * (0..4).map(|j| m(i, j) * z[j]).sum::<f64>())
            .collect();
        for i in 0..4 {
            coefficients.extend((i..4).map(|j| if i == j { -1.0 } else { -2.0 * m(i, j) }));
        }
        let surface = surface(4, 2, &coefficients);
        let found = surface.optimum(&[0.0; 4], &[1.0; 4], &from);
        for (value, expected) in found.iter().zip(&top) {
            prop_assert!((value - expected).abs() < 1e-5, "{:?} {:?}", found, top);
        }
    }

    #[test]
    fn what_is_found_is_stationary_and_not_below_the_start(
        coefficients in prop::collection::vec(-2.0..2.0, 55),
        from in prop::collection::vec(-0.5..1.5, 5),
    ) {
        let surface = surface(5, 3, &coefficients);
        let (low, high) = ([0.0; 5], [1.0, 0.9, 0.8, 1.0, 0.0]);
        let found = surface.optimum(&low, &high, &from);
        assert_stationary(&surface, &low, &high, &found);
        let clamped: Vec<f64> = (0..5).map(|i| from[i].clamp(low[i], high[i])).collect();
        prop_assert!(surface.elo(&found) >= surface.elo(&clamped));
    }
}

#[test]
fn two_choices_that_pay_only_together_are_both_taken() {
    // z0, z1, z2, z0², z0 z1, z0 z2: the hill's top wants z0 against both words or with both.
    let kept = |indices: &[usize]| f64::from(u8::from(!matches!(indices, [1, 1 | 2] | [2, 2])));
    let basis = Basis::polynomial(&[0.5; 3], 2, kept).with_choices(vec![1, 2]);
    let coefficients = [0.0, 0.0, -0.03, -3.0, 0.5, -1.6, 0.0, 0.0, 0.0];
    let features = basis.features();
    let surface = Surface::new(basis, coefficients[..features].to_vec());
    let found = surface.optimum(&[0.0; 3], &[1.0; 3], &[0.325, 0.0, 1.0]);
    assert_eq!(found[1..], [1.0, 0.0]);
}

#[test]
fn a_flat_surface_leaves_the_point_where_it_is() {
    let surface = surface(3, 2, &[0.0; 9]);
    let found = surface.optimum(&[0.0; 3], &[1.0; 3], &[0.2, 0.7, 0.4]);
    assert_eq!(found, [0.2, 0.7, 0.4]);
}

#[test]
fn one_coordinate_has_its_highest_point_too() {
    // -z² + z³ / 2 + z / 2 in [-1, 1]: flat at (2 - 1) / 3 = z, with F = 0.0741; at the ends -2, 0.
    let surface = surface(1, 3, &[0.5, -1.0, 0.5]);
    let found = surface.optimum(&[0.0], &[1.0], &[0.9]);
    assert!((found[0] - (0.5 + 1.0 / 6.0)).abs() < 1e-6, "{found:?}");
}
