//! The fit against a slow one, simulated games and integrals, and on games that are hard to fit.

use super::*;
use crate::stream::{Purpose, Stream, StreamKey};
use crate::surface::Shape;
use proptest::prelude::*;

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Scripted).stream()
}

fn row(a: &[f64], b: &[f64], score: f64, games: f64) -> Row {
    Row {
        a: a.to_vec(),
        b: b.to_vec(),
        score,
        games,
        weight: 1.0,
    }
}

fn prior(indices: &[usize]) -> f64 {
    match indices {
        [_] => 100.0,
        [i, j] if i != j => 2.0,
        [_, _] => 9.0,
        _ => 0.25,
    }
}

/// `games` single games between random vectors, played by a surface.
fn simulated(truth: &Surface, games: u32, seed: u64) -> Vec<Row> {
    let mut stream = stream(seed);
    let dimension = truth.basis().dimension();
    let vector =
        |stream: &mut Stream| -> Vec<f64> { (0..dimension).map(|_| stream.unit()).collect() };
    let rows = 0..games;
    rows.map(|_| {
        let (a, b) = (vector(&mut stream), vector(&mut stream));
        let logit = (truth.elo(&a) - truth.elo(&b)) / ELO_PER_LOGIT;
        let won = stream.unit() < 1.0 / (1.0 + libm::exp(-logit));
        row(&a, &b, f64::from(u8::from(won)), 1.0)
    })
    .collect()
}

fn hill() -> Surface {
    let basis = Basis::polynomial(&[0.5, 0.5], 3, prior);
    // z0, z1, z0², z0 z1, z1², z0³, z0² z1, z0 z1², z1³.
    let coefficients = vec![0.8, -0.4, -1.5, 0.6, -0.9, 0.3, -0.2, 0.1, 0.4];
    Surface::new(basis, coefficients)
}

/// The same features in a window on a bowl.
fn windowed(basis: Basis) -> Basis {
    let shape = Shape {
        bowl: 0.7,
        window: 1.5,
    };
    basis.with_prior(shape, |indices| {
        if indices.is_empty() {
            3.0
        } else {
            prior(indices)
        }
    })
}

fn log_posterior(basis: &Basis, rows: &[Row], coefficients: &[f64]) -> f64 {
    Design::of(basis, rows)
        .slope(basis, coefficients)
        .log_posterior
}

/// The same by its definition.
fn slow_log_posterior(basis: &Basis, rows: &[Row], coefficients: &[f64]) -> f64 {
    let surface = Surface::new(basis.clone(), coefficients.to_vec());
    let likelihood = rows.iter().map(|row| {
        let logit = (surface.elo(&row.b) - surface.elo(&row.a)) / ELO_PER_LOGIT;
        let p = 1.0 / (1.0 + libm::exp(logit));
        let lost = row.games - row.score;
        row.weight * (row.score * libm::log(p) + lost * libm::log(1.0 - p))
    });
    let penalty = coefficients.iter().zip(basis.variances());
    let penalty: f64 = penalty.map(|(value, v)| value * value / (2.0 * v)).sum();
    likelihood.sum::<f64>() - penalty
}

/// The maximum by plain gradient ascent with slopes from differences, which knows nothing of the
/// fit's own derivatives.
fn slow_maximum(basis: &Basis, rows: &[Row]) -> Vec<f64> {
    let value = |coefficients: &[f64]| slow_log_posterior(basis, rows, coefficients);
    let mut coefficients = vec![0.0; basis.features()];
    let mut rate = 0.1;
    for _ in 0..20_000 {
        let here = value(&coefficients);
        let slopes: Vec<f64> = (0..coefficients.len())
            .map(|i| {
                let (mut up, mut down) = (coefficients.clone(), coefficients.clone());
                (up[i], down[i]) = (up[i] + 1e-5, down[i] - 1e-5);
                (value(&up) - value(&down)) / 2e-5
            })
            .collect();
        if slopes.iter().all(|slope| slope.abs() < 1e-6) {
            break;
        }
        let moved = |rate: f64| -> Vec<f64> {
            let both = coefficients.iter().zip(&slopes);
            both.map(|(value, slope)| value + rate * slope).collect()
        };
        while value(&moved(rate)) <= here && rate > 1e-12 {
            rate *= 0.5;
        }
        coefficients = moved(rate);
        rate *= 1.5;
    }
    coefficients
}

#[test]
fn plain_gradient_ascent_finds_the_same_coefficients() {
    for order in 1..=2 {
        let mut basis = Basis::polynomial(&[0.4, 0.6], order, prior);
        if order == 1 {
            basis = windowed(basis);
        }
        let mut rows = simulated(&hill(), 60, 5);
        for (index, row) in rows.iter_mut().enumerate() {
            row.weight = 0.25 + 0.5 * (index % 3) as f64;
            row.games = 2.0;
        }
        let slow = slow_maximum(&basis, &rows);
        for (fast, slow) in fit(&basis, &rows, None).coefficients().iter().zip(slow) {
            assert!((fast - slow).abs() < 1e-4, "{fast} {slow}");
        }
    }
}

proptest! {
    #[test]
    fn the_derivatives_of_the_log_posterior_are_the_limits_of_differences(
        coefficients in prop::collection::vec(-3.0..3.0, 6),
        seed in 0u64..1000,
        has_window: bool,
    ) {
        let basis = Basis::polynomial(&[0.5, 0.5], 2, prior).with_constant();
        let basis = if has_window { windowed(basis) } else { basis };
        let rows = simulated(&hill(), 20, seed);
        let games = Design::of(&basis, &rows);
        let here = games.slope(&basis, &coefficients);
        let mut taken = Curvature::default();
        taken.extend(&basis, &games, &here);
        let curvature = taken.with_prior(&basis);
        let slow = slow_log_posterior(&basis, &rows, &coefficients);
        prop_assert!((here.log_posterior - slow).abs() < 1e-9 * slow.abs());
        let h = 1e-5;
        for i in 0..6 {
            let moved = |by: f64| {
                let mut moved = coefficients.clone();
                moved[i] += by;
                games.slope(&basis, &moved)
            };
            let (up, down) = (moved(h), moved(-h));
            let slope = (up.log_posterior - down.log_posterior) / (2.0 * h);
            prop_assert!((here.gradient[i] - slope).abs() < 1e-4);
            for j in i..6 {
                let bent = -(up.gradient[j] - down.gradient[j]) / (2.0 * h);
                prop_assert!((curvature[j * 6 + i] - bent).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn every_start_leads_to_the_same_maximum(
        warm in prop::collection::vec(-60.0..60.0, 9),
        seed in 0u64..1000,
    ) {
        let basis = hill().basis().clone();
        let rows = simulated(&hill(), 50, seed);
        let (cold, warmed) = (fit(&basis, &rows, None), fit(&basis, &rows, Some(&warm)));
        for (cold, warmed) in cold.coefficients().iter().zip(warmed.coefficients()) {
            prop_assert!((cold - warmed).abs() < 1e-3, "{} {}", cold, warmed);
        }
        let at_start = log_posterior(&basis, &rows, &warm);
        prop_assert!(warmed.log_posterior >= at_start);
    }
}

#[test]
fn a_fit_with_second_derivatives_of_earlier_ones_is_a_seventieth_of_a_deviation_off() {
    let basis = hill().basis().clone();
    let rows = simulated(&hill(), 600, 11);
    let mut games = Design::new(&basis);
    let mut curvature = Curvature::default();
    let mut warm = vec![0.0; 9];
    for (index, row) in rows.iter().enumerate() {
        games.push(&basis, row);
        if (index + 1) % 30 > 0 {
            continue;
        }
        let near = fit_nearly(&basis, &games, Some(&warm), &mut curvature);
        let exact = fit_design(&basis, &games, None);
        let off = near.coefficients().iter().zip(exact.coefficients());
        let off: Vec<f64> = off.map(|(near, exact)| near - exact).collect();
        let precision = exact.precision.times(&off);
        let deviations = dot(&off, &precision).sqrt();
        assert!(deviations < 0.03, "{deviations} after {index}");
        // The spread of what is drawn is about right, too.
        let [near, exact] = [&near, &exact].map(|fit| fit.precision.ln_determinant());
        assert!((near - exact).abs() < 0.7, "{near} {exact}");
        warm = fit_nearly(&basis, &games, Some(&warm), &mut curvature)
            .coefficients()
            .to_vec();
    }
    // They serve to compare priors: what they are off is the same under each.
    let evidence = |basis: &Basis| {
        let near = fit_nearly(basis, &games, Some(&warm), &mut curvature.clone());
        let exact = fit_design(basis, &games, None);
        near.log_evidence() - exact.log_evidence()
    };
    let wide = Basis::polynomial(&[0.5, 0.5], 3, |indices| 4.0 * prior(indices));
    let off = evidence(&wide) - evidence(&basis);
    assert!(off.abs() < 0.1, "{off}");
}

#[test]
fn coefficients_of_the_surface_that_played_are_recovered() {
    let (truth, runs) = (hill(), 40);
    let mut squares = [0.0; 9];
    for seed in 0..runs {
        let fit = fit(truth.basis(), &simulated(&truth, 4_000, seed), None);
        for (feature, square) in squares.iter_mut().enumerate() {
            // The standard deviation of one coefficient, from the unit vector of it.
            let mut axis = [0.0; 9];
            axis[feature] = 1.0;
            fit.precision.solve_lower(&mut axis);
            let off = fit.coefficients()[feature] - truth.coefficients()[feature];
            assert!(off.abs() < 1.5, "coefficient {feature} is off by {off}");
            *square += off * off / dot(&axis, &axis) / runs as f64;
        }
    }
    // In units of their standard deviations: chi-squared of 40, over 40. Cubic coefficients are
    // pulled to 0 by their prior, so they may be nearer than that.
    assert!(squares.iter().all(|square| *square < 1.8), "{squares:?}");
    assert!(
        squares[..5].iter().all(|square| *square > 0.5),
        "{squares:?}"
    );
}

#[test]
fn a_side_that_always_wins_leaves_a_finite_surface_that_says_so() {
    let basis = hill().basis().clone();
    let rows = [
        row(&[1.0, 1.0], &[0.0, 0.0], 5_000.0, 5_000.0),
        row(&[1.0, 0.0], &[0.0, 1.0], 0.0, 5_000.0),
    ];
    let fit = fit(&basis, &rows, None);
    let first = fit.difference(&[1.0, 1.0], &[0.0, 0.0]);
    let second = fit.difference(&[1.0, 0.0], &[0.0, 1.0]);
    assert!(first.elo > 1_000.0 && first.elo < 10_000.0, "{first:?}");
    assert!(
        second.elo < -1_000.0 && second.deviation.is_finite(),
        "{second:?}"
    );
    assert!(fit.iterations() < ITERATIONS_MAX);
}

#[test]
fn a_row_twice_is_a_row_with_twice_the_games_or_twice_the_weight() {
    let basis = hill().basis().clone();
    let rows = simulated(&hill(), 30, 3);
    let twice: Vec<Row> = rows.iter().chain(&rows).cloned().collect();
    let changed = |change: &dyn Fn(&mut Row)| {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(change);
        rows
    };
    let games = changed(&|row| (row.games, row.score) = (2.0 * row.games, 2.0 * row.score));
    let weight = changed(&|row| row.weight = 2.0);
    let expected = fit(&basis, &twice, None);
    for rows in [games, weight] {
        let same = fit(&basis, &rows, None);
        assert!((same.log_evidence() - expected.log_evidence()).abs() < 1e-6);
        for (value, expected) in same.coefficients().iter().zip(expected.coefficients()) {
            assert!((value - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn thousands_of_games_of_one_pair_fix_their_difference_and_nothing_else() {
    let basis = Basis::polynomial(&[0.5, 0.5], 2, prior);
    let (a, b) = ([0.7, 0.5], [0.3, 0.5]);
    let fit = fit(&basis, &[row(&a, &b, 32_000.0, 50_000.0)], None);
    let difference = fit.difference(&a, &b);
    let expected = ELO_PER_LOGIT * libm::log(32.0 / 18.0);
    assert!((difference.elo - expected).abs() < 0.1, "{difference:?}");
    // The binomial's: 1 / sqrt(m p q) logits.
    let deviation = ELO_PER_LOGIT / (50_000.0 * 0.64 * 0.36_f64).sqrt();
    assert!((difference.deviation / deviation - 1.0).abs() < 1e-3);
    let other = fit.difference(&[0.5, 1.0], &[0.5, 0.0]);
    // Prior standard deviation of z1 from -1 to 1: 2 * 10 logits.
    assert!((other.deviation / ELO_PER_LOGIT - 20.0).abs() < 1e-6);
    assert_eq!(other.elo, 0.0);
}

#[test]
fn games_at_the_corners_of_the_box_are_games_like_others() {
    let truth = hill();
    let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    let mut rows = Vec::new();
    for a in corners {
        for b in corners.into_iter().filter(|b| *b != a) {
            let logit = (truth.elo(&a) - truth.elo(&b)) / ELO_PER_LOGIT;
            rows.push(row(&a, &b, 4e4 / (1.0 + libm::exp(-logit)), 4e4));
        }
    }
    let fit = fit(truth.basis(), &rows, None);
    for [a, b] in [[corners[0], corners[3]], [corners[1], corners[2]]] {
        let expected = truth.elo(&a) - truth.elo(&b);
        assert!((fit.difference(&a, &b).elo - expected).abs() < 2.0);
    }
}

#[test]
fn without_games_the_prior_is_all_that_is_known() {
    let basis = hill().basis().clone();
    let none = fit(&basis, &[], None);
    assert_eq!(none.coefficients(), [0.0; 9]);
    assert_eq!(none.iterations(), 0);
    assert!(none.log_evidence().abs() < 1e-12);
    let draws = none.drawn(&[1.0; 9]);
    for (drawn, variance) in draws.coefficients().iter().zip(basis.variances()) {
        assert!((drawn - variance.sqrt()).abs() < 1e-12);
    }
}

#[test]
fn the_evidence_is_the_integral_over_all_coefficients() {
    let basis = Basis::polynomial(&[0.5], 1, |_| 2.0);
    for (score, games) in [(6.0, 10.0), (30.0, 40.0), (250.0, 400.0)] {
        let rows = [row(&[0.8], &[0.3], score, games)];
        let (steps, low, high) = (200_000, -12.0, 12.0);
        let width = (high - low) / f64::from(steps);
        let density = |step: i32| {
            let beta = low + (f64::from(step) + 0.5) * width;
            libm::exp(slow_log_posterior(&basis, &rows, &[beta]))
        };
        let integral: f64 = (0..steps).map(density).sum::<f64>() * width;
        // The prior's own factor.
        let exact = libm::log(integral / (2.0 * std::f64::consts::PI * 2.0).sqrt());
        let laplace = fit(&basis, &rows, None).log_evidence();
        assert!((laplace - exact).abs() < 0.02, "{games}: {laplace} {exact}");
    }
}

#[test]
fn draws_are_spread_as_the_differences_say() {
    let truth = hill();
    let fit = fit(truth.basis(), &simulated(&truth, 500, 9), None);
    let (a, b) = ([0.9, 0.2], [0.4, 0.7]);
    let difference = fit.difference(&a, &b);
    // Each standard normal number's share of the variance.
    let shares = (0..9).map(|number| {
        let mut normals = [0.0; 9];
        normals[number] = 1.0;
        let drawn = fit.drawn(&normals);
        let off = drawn.elo(&a) - drawn.elo(&b) - difference.elo;
        off * off
    });
    let deviation = shares.sum::<f64>().sqrt();
    assert!((deviation / difference.deviation - 1.0).abs() < 1e-9);
}
