//! Deviations of simulated tunings whose surface is known.

use super::*;
use crate::outlook::Outlook;
use crate::space::{Parameter, Scale};
use crate::stats::Wdl;
use crate::stream::{Purpose, Stream, StreamKey};
use crate::trial::{Colours, Trial, TrialId, TrialResult};

fn space() -> Space {
    let parameter = |index: usize| Parameter {
        path: format!("p{index}"),
        scale: Scale::Linear,
        integer: false,
        step: 0.5,
        min: 0.0,
        max: 10.0,
        start: 5.0,
    };
    Space::new(vec![parameter(0), parameter(1)])
}

/// Matches of two games between random vectors with each value in its part of the range, played
/// by a surface in Elo of the values.
fn simulated(pairs: u32, within: [[f64; 2]; 2], seed: u64, elo: impl Fn(&[f64]) -> f64) -> Played {
    let mut stream = StreamKey::new(seed, Purpose::Scripted).stream();
    let mut played = Played::default();
    let vector = |stream: &mut Stream| {
        let values = within.map(|[low, high]| low + (high - low) * stream.unit());
        Vector(values.to_vec())
    };
    for trial in 0..pairs {
        let (a, b) = (vector(&mut stream), vector(&mut stream));
        let score = crate::stats::elo::score_of_elo(elo(&a.0) - elo(&b.0));
        let wins = (0..2).filter(|_| stream.unit() < score).count() as u64;
        let wdl = Wdl {
            wins,
            draws: 0,
            losses: 2 - wins,
        };
        let trial = Trial {
            id: TrialId { round: 0, trial },
            a,
            b,
            colours: Colours::Paired,
            games: 2,
        };
        let result = TrialResult {
            wdl,
            ..TrialResult::default()
        };
        played.add(&trial, &result);
    }
    played
}

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
        let played = simulated(1_000, [[1.0, 9.0]; 2], seed, hill);
        let outlook = Outlook::of(&space(), &played, &space().start()).unwrap();
        let top = outlook.optimum(&space().start());
        let found = outlook.coordinates.to_vector(&top);
        let known = optimum_deviations(&space(), &played, &found).unwrap();
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
    let played = simulated(3_000, [[1.0, 9.0]; 2], 1, hill);
    let at = |values: [f64; 2]| {
        let vector = Vector(values.to_vec());
        optimum_deviations(&space(), &played, &vector).unwrap()
    };
    let (near, far) = (at([6.0, 4.0]), at([8.0, 4.0]));
    let expected = (near[0] * near[0] + 0.2 * 0.2).sqrt();
    assert!((far[0] / expected - 1.0).abs() < 0.25, "{near:?}, {far:?}");
}

#[test]
fn what_was_never_changed_may_be_anywhere_and_no_end_of_a_range_is_certain() {
    let rising = |values: &[f64]| 40.0 * values[0];
    let played = simulated(2_000, [[2.0, 10.0], [5.0, 5.0]], 1, rising);
    let top = Vector(vec![10.0, 5.0]);
    let known = optimum_deviations(&space(), &played, &top).unwrap();
    assert!(known[0] >= LEAST && known[0] < 0.1, "{known:?}");
    // The same games, but the range goes on to where nobody has played.
    let inside = simulated(2_000, [[2.0, 6.0], [5.0, 5.0]], 1, rising);
    let top = Vector(vec![6.0, 5.0]);
    let open = optimum_deviations(&space(), &inside, &top).unwrap();
    assert!(open[0] > 0.15, "{open:?}");
    assert_eq!(known[1], UNKNOWN);
    assert!((UNKNOWN - (1.0_f64 / 12.0).sqrt()).abs() < 1e-15);
}

#[test]
fn games_that_cannot_say_have_no_deviations() {
    let start = space().start();
    assert!(optimum_deviations(&space(), &Played::default(), &start).is_none());
    let step = |values: &[f64]| if values[0] > 6.0 { 400.0 } else { 0.0 };
    let played = simulated(10_000, [[1.0, 9.0]; 2], 1, step);
    assert!(optimum_deviations(&space(), &played, &start).is_none());
}
