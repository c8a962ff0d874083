//! Deviations of simulated tunings whose surface is known.

use super::*;
use crate::outlook::Outlook;
use crate::outlook::simulated::{simulated, space};

/// The top is at (6, 4); the first value matters more.
fn hill(values: &[f64]) -> f64 {
    let (x, y) = (values[0] - 6.0, values[1] - 4.0);
    -8.0 * x * x - 3.0 * y * y + 2.0 * x * y
}

#[test]
fn a_deviation_is_the_error_of_the_same_tuning_again_and_again() {
    let runs = 24;
    let (mut squares, mut said) = ([0.0; 2], [0.0; 2]);
    for seed in 0..runs {
        let played = simulated(&[[1.0, 9.0]; 2], 1_000, seed, hill);
        let outlook = Outlook::of(&space(2), &played, &space(2).start()).unwrap();
        let top = outlook.optimum(&space(2).start());
        let found = outlook.coordinates.to_vector(&top);
        let known = optimum_deviations(&space(2), &played, &found).unwrap();
        for (index, best) in [0.6, 0.4].into_iter().enumerate() {
            squares[index] += (top[index] - best) * (top[index] - best);
            said[index] += known[index] * known[index];
        }
    }
    for index in 0..2 {
        let ratio = (squares[index] / said[index]).sqrt();
        assert!((0.6..1.6).contains(&ratio), "{ratio} of parameter {index}");
    }
    // Less curvature leaves more open.
    assert!(said[1] > 1.5 * said[0], "{said:?}");
}

#[test]
fn a_value_off_the_top_has_its_distance_in_its_deviation() {
    let played = simulated(&[[1.0, 9.0]; 2], 3_000, 1, hill);
    let at = |values: [f64; 2]| {
        let vector = Vector(values.to_vec());
        optimum_deviations(&space(2), &played, &vector).unwrap()
    };
    let (near, far) = (at([6.0, 4.0]), at([8.0, 4.0]));
    let expected = (near[0] * near[0] + 0.2 * 0.2).sqrt();
    assert!((far[0] / expected - 1.0).abs() < 0.25, "{near:?}, {far:?}");
}

#[test]
fn what_was_never_changed_may_be_anywhere_and_no_end_of_a_range_is_certain() {
    let rising = |values: &[f64]| 40.0 * values[0];
    let played = simulated(&[[2.0, 10.0], [5.0, 5.0]], 2_000, 1, rising);
    let top = Vector(vec![10.0, 5.0]);
    let known = optimum_deviations(&space(2), &played, &top).unwrap();
    assert!(known[0] >= LEAST && known[0] < 0.1, "{known:?}");
    // The same games, but the range goes on to where nobody has played.
    let inside = simulated(&[[2.0, 6.0], [5.0, 5.0]], 2_000, 1, rising);
    let top = Vector(vec![6.0, 5.0]);
    let open = optimum_deviations(&space(2), &inside, &top).unwrap();
    assert!(open[0] > 0.15, "{open:?}");
    assert_eq!(known[1], UNKNOWN);
    assert!((UNKNOWN - (1.0_f64 / 12.0).sqrt()).abs() < 1e-15);
}

#[test]
fn games_that_cannot_say_have_no_deviations() {
    let start = space(2).start();
    assert!(optimum_deviations(&space(2), &Played::default(), &start).is_none());
    let step = |values: &[f64]| if values[0] > 6.0 { 400.0 } else { 0.0 };
    let played = simulated(&[[1.0, 9.0]; 2], 10_000, 1, step);
    assert!(optimum_deviations(&space(2), &played, &start).is_none());
}
