//! Lines against values by hand, against a search without formulas, and against what they are
//! drawn from.

use super::*;
use crate::stream::{Purpose, StreamKey};

fn sights(points: &[[f64; 3]]) -> Vec<Sight> {
    let sight = |&[budget, coordinate, deviation]: &[f64; 3]| Sight {
        budget,
        coordinate,
        deviation,
    };
    points.iter().map(sight).collect()
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected}"
    );
}

#[test]
fn two_legs_give_the_line_through_both() {
    // From 100 to 400 the coordinate rises by 0.2, so it does from 400 to 1600.
    let drift = drift(&sights(&[[100.0, 0.3, 0.01], [400.0, 0.5, 0.02]]), 1600.0);
    close(drift.coordinate, 0.7, 1e-12);
    close(drift.slope, 0.2 / libm::log(4.0), 1e-12);
    // The value is 2 times the dear leg less the cheap one.
    close(drift.deviation, libm::hypot(2.0 * 0.02, 0.01), 1e-12);
    close(
        drift.slope_deviation,
        libm::hypot(0.01, 0.02) / libm::log(4.0),
        1e-12,
    );
    assert!(drift.is_measured && drift.residual.is_none() && !drift.is_clipped());
}

#[test]
fn three_equal_legs_give_the_values_of_a_hand_calculation() {
    // At 1, 2, 3 in units of ln 4: slope 0.15 a unit, middle 0.4, so 0.7 at 4; residuals
    // 0.05, -0.1, 0.05 of which the mean square is 0.005.
    let points = [[100.0, 0.3, 0.1], [400.0, 0.3, 0.1], [1600.0, 0.6, 0.1]];
    let found = drift(&sights(&points), 6400.0);
    close(found.slope, 0.15 / libm::log(4.0), 1e-12);
    close(found.residual.unwrap(), libm::sqrt(0.005), 1e-12);
    // Chi squared is 1.5 on one degree of freedom: every deviation grows by its root.
    close(
        found.slope_deviation,
        0.1 * libm::sqrt(1.5 / 2.0) / libm::log(4.0),
        1e-12,
    );
    // 1.7 standard deviations are no measured drift: the dearest leg's value stays.
    assert!(!found.is_measured);
    assert_eq!([found.coordinate, found.deviation], [0.6, 0.1]);
}

#[test]
fn a_drift_counts_when_it_is_more_than_its_error_and_not_before() {
    let with = |deviation: f64| {
        drift(
            &sights(&[[50.0, 0.2, deviation], [800.0, 0.4, deviation]]),
            3000.0,
        )
    };
    // The difference of the two has a standard deviation of the root of 2 times theirs.
    let limit = 0.2 / (SIGNIFICANT * std::f64::consts::SQRT_2);
    assert!(with(0.999 * limit).is_measured);
    let flat = with(1.001 * limit);
    assert!(!flat.is_measured);
    assert_eq!(flat.coordinate, 0.4);
}

#[test]
fn a_line_that_leaves_the_range_says_so() {
    let rising = drift(&sights(&[[50.0, 0.5, 0.01], [800.0, 0.9, 0.01]]), 3000.0);
    assert!(rising.is_clipped() && rising.coordinate > 1.0);
    let falling = drift(&sights(&[[50.0, 0.5, 0.01], [800.0, 0.1, 0.01]]), 3000.0);
    assert!(falling.is_clipped() && falling.coordinate < 0.0);
}

/// The least squares line by search alone: the best of ever finer steps in slope and height.
fn searched_line(sights: &[Sight], at: f64) -> f64 {
    let middle = libm::log(sights[0].budget);
    let cost = |[height, slope]: [f64; 2]| -> f64 {
        let miss = |sight: &Sight| {
            let line = height + slope * (libm::log(sight.budget) - middle);
            libm::pow((sight.coordinate - line) / sight.deviation, 2.0)
        };
        sights.iter().map(miss).sum()
    };
    let (mut best, mut step) = ([0.5, 0.0], 0.5);
    while step > 1e-9 {
        let directions = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        let diagonal = [[1.0, -0.4], [-1.0, 0.4], [1.0, -0.2], [-1.0, 0.2]];
        let mut tried = directions.iter().chain(&diagonal);
        let moved = |d: &[f64; 2]| [best[0] + step * d[0], best[1] + step * d[1]];
        match tried.find(|d| cost(moved(d)) < cost(best)) {
            Some(d) => best = moved(d),
            None => step /= 2.0,
        }
    }
    best[0] + best[1] * (at - middle)
}

#[test]
fn the_formula_finds_what_a_search_finds() {
    for seed in 0..40 {
        let mut stream = StreamKey::new(seed, Purpose::Scripted).stream();
        let points: Vec<[f64; 3]> = [50.0, 200.0, 900.0]
            .map(|budget| [budget, stream.unit(), 0.002 + 0.004 * stream.unit()])
            .to_vec();
        let sights = sights(&points);
        let at = libm::log(3000.0);
        close(
            Line::through(&sights).at(at),
            searched_line(&sights, at),
            1e-5,
        );
    }
}

#[test]
fn deviations_are_those_of_repeated_draws() {
    let budgets = [50.0, 200.0, 800.0];
    let spread = [0.02, 0.05, 0.03];
    let (mut values, mut stated) = (Vec::new(), 0.0);
    let mut stream = StreamKey::new(7, Purpose::Scripted).stream();
    for _ in 0..20_000 {
        let legs = [0, 1, 2].map(|leg| {
            // Twelve uniform numbers are near enough to a normal law.
            let noise: f64 = (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0;
            let line = 0.1 + 0.1 * libm::log(budgets[leg] / 50.0);
            [budgets[leg], line + spread[leg] * noise, spread[leg]]
        });
        let line = Line::through(&sights(&legs));
        values.push(line.at(libm::log(3000.0)));
        let exact = legs.map(|[budget, _, deviation]| [budget, 0.5, deviation]);
        stated = Line::through(&sights(&exact)).deviation_at(libm::log(3000.0));
    }
    let count = values.len() as f64;
    let mean: f64 = values.iter().sum::<f64>() / count;
    let square: f64 = values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum();
    close(mean, 0.1 + 0.1 * libm::log(60.0), 0.002);
    close(libm::sqrt(square / count), stated, 0.02 * stated);
}

#[test]
fn influences_sum_to_one_and_are_those_of_the_line() {
    // Through two legs: one and a half steps of the way beyond the second.
    let two = influences(&[100.0, 400.0], 800.0);
    close(two[0], -0.5, 1e-12);
    close(two[1], 1.5, 1e-12);
    let budgets = [50.0, 200.0, 800.0];
    let three = influences(&budgets, 3000.0);
    close(three.iter().sum(), 1.0, 1e-12);
    let values = [0.31, 0.24, 0.4];
    let weighted: f64 = three
        .iter()
        .zip(values)
        .map(|(part, value)| part * value)
        .sum();
    let points: Vec<[f64; 3]> = (0..3)
        .map(|leg| [budgets[leg], values[leg], 0.001])
        .collect();
    close(
        Line::through(&sights(&points)).at(libm::log(3000.0)),
        weighted,
        1e-12,
    );
}
