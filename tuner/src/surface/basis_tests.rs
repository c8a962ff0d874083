//! Surfaces against their definition, and derivatives against differences.

use super::*;
use proptest::prelude::*;

/// Coefficients that are all different and not small.
fn some_surface(centre: &[f64], order: usize, shape: Shape) -> Surface {
    let basis = Basis::polynomial(centre, order, |_| 1.0)
        .with_constant()
        .with_prior(shape, |_| 1.0);
    let coefficients = (0..basis.features())
        .map(|feature| 0.3 + 0.17 * (feature * feature % 11) as f64 - 0.9)
        .collect();
    Surface::new(basis, coefficients)
}

/// The same by its definition: every list of indices, sorted, is a monomial, seen through a window;
/// a bowl below; 0 at the centre.
fn slow_elo(surface: &Surface, order: usize, unit: &[f64]) -> f64 {
    let Shape { bowl, window } = surface.basis().shape();
    let n = unit.len();
    let z: Vec<f64> = (0..n)
        .map(|i| 2.0 * (unit[i] - surface.basis().centre()[i]))
        .collect();
    let mut coefficients = surface.coefficients().iter();
    let mut sum = 0.0;
    let squares: f64 = z.iter().map(|z| z * z).sum();
    for degree in 0..=order as u32 {
        for code in 0..n.pow(degree) {
            let digits: Vec<usize> = (0..degree)
                .rev()
                .map(|place| code / n.pow(place) % n)
                .collect();
            if digits.is_sorted() {
                let product: f64 = digits.iter().map(|&digit| z[digit]).product();
                sum += coefficients.next().unwrap() * product;
            }
        }
    }
    assert!(coefficients.next().is_none());
    let seen = sum / libm::exp(0.5 * window * squares) - surface.coefficients()[0];
    (seen - bowl * squares) * 400.0 / std::f64::consts::LN_10
}

#[test]
fn the_number_of_features_is_that_of_monomials_without_a_constant() {
    for (dimension, order, features) in [(1, 3, 3), (2, 2, 5), (2, 3, 9), (2, 4, 14), (8, 2, 44)] {
        let basis = Basis::polynomial(&vec![0.5; dimension], order, |_| 1.0);
        assert_eq!(basis.features(), features);
    }
}

#[test]
fn a_feature_without_variance_is_left_out() {
    let separable = |indices: &[usize]| {
        let same = indices.iter().all(|index| *index == indices[0]);
        if same { 2.0 } else { 0.0 }
    };
    let basis = Basis::polynomial(&[0.5; 3], 3, separable);
    assert_eq!(basis.features(), 9);
    assert_eq!(basis.variances(), [2.0; 9]);
}

/// Bowls and windows, and none.
fn shapes() -> impl Strategy<Value = Shape> {
    (0usize..3, 0usize..3).prop_map(|(bowl, window)| Shape {
        bowl: [0.0, 0.4, 3.0][bowl],
        window: [0.0, 0.5, 2.0][window],
    })
}

proptest! {
    #[test]
    fn a_surface_is_the_sum_of_its_monomials_in_a_window_on_a_bowl(
        order in 1usize..=4,
        shape in shapes(),
        unit in prop::collection::vec(0.0..1.0, 1..4),
    ) {
        let centre: Vec<f64> = (0..unit.len()).map(|i| 0.3 + 0.2 * i as f64).collect();
        let surface = some_surface(&centre, order, shape);
        let slow = slow_elo(&surface, order, &unit);
        prop_assert!((surface.elo(&unit) - slow).abs() <= 1e-9 * (1.0 + slow.abs()));
        prop_assert_eq!(surface.elo(&centre), 0.0);
    }

    #[test]
    fn gradient_and_hessian_are_the_limits_of_differences(
        order in 1usize..=4,
        shape in shapes(),
        unit in prop::collection::vec(0.0..1.0, 1..4),
    ) {
        let surface = some_surface(&vec![0.4; unit.len()], order, shape);
        let n = unit.len();
        let moved = |coordinate: usize, by: f64| {
            let mut moved = unit.clone();
            moved[coordinate] += by;
            moved
        };
        let (gradient, hessian) = (surface.gradient(&unit), surface.hessian(&unit));
        let h = 1e-4;
        for i in 0..n {
            let slope = (surface.elo(&moved(i, h)) - surface.elo(&moved(i, -h))) / (2.0 * h);
            // The error is a third derivative times h² / 6.
            prop_assert!((gradient[i] - slope).abs() < 1e-4 * (1.0 + slope.abs()));
            let (up, down) = (surface.gradient(&moved(i, h)), surface.gradient(&moved(i, -h)));
            for j in 0..n {
                let bend = (up[j] - down[j]) / (2.0 * h);
                prop_assert!((hessian[i * n + j] - bend).abs() < 1e-4 * (1.0 + bend.abs()));
            }
        }
    }
}

#[test]
fn the_features_of_a_window_are_those_of_a_gaussian_process() {
    // Enough degrees for these points: what is left out is below 1e-3.
    let (sigma, window) = (1.3, 0.8);
    let shape = Shape { bowl: 0.0, window };
    let factorial = |number: usize| (1..=number).map(|factor| factor as f64).product::<f64>();
    let basis = Basis::polynomial(&[0.5; 2], MAX_ORDER, |_| 1.0)
        .with_constant()
        .with_prior(shape, |indices| {
            let of = |at: usize| factorial(indices.iter().filter(|index| **index == at).count());
            let degree = indices.len() as i32;
            sigma * sigma * libm::pow(window, f64::from(degree)) / (of(0) * of(1))
        });
    let features = |unit: [f64; 2]| {
        let mut features = vec![0.0; basis.features()];
        basis.evaluate(&unit, &mut basis.scratch(), |at, value| {
            features[at] = value;
        });
        features
    };
    let centre = features([0.5, 0.5]);
    // Differences to the centre: a constant cannot be told from games.
    let kernel = |a: [f64; 2], b: [f64; 2]| {
        let by: f64 = (0..2).map(|i| 4.0 * (a[i] - b[i]) * (a[i] - b[i])).sum();
        sigma * sigma * libm::exp(-0.5 * window * by)
    };
    let middle = [0.5, 0.5];
    for (a, b) in [
        ([0.7, 0.4], [0.3, 0.55]),
        ([0.8, 0.8], [0.75, 0.7]),
        ([0.5, 0.2], [0.6, 0.9]),
    ] {
        let (of_a, of_b) = (features(a), features(b));
        let terms = (0..of_a.len())
            .map(|i| (of_a[i] - centre[i]) * (of_b[i] - centre[i]) * basis.variances()[i]);
        let expected =
            kernel(a, b) - kernel(a, middle) - kernel(middle, b) + kernel(middle, middle);
        let found: f64 = terms.sum();
        assert!(
            (found - expected).abs() < 2e-3,
            "{a:?} {b:?}: {found} {expected}"
        );
    }
}
