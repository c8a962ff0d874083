//! Tests of RSPSA: what a step does, and when it grows and shrinks.

use super::*;
use crate::space::{Parameter, Scale};
use crate::stats::Wdl;

fn space() -> Space {
    let parameter = |path: &str| Parameter {
        path: path.into(),
        scale: Scale::Linear,
        integer: false,
        step: 0.1,
        min: 0.0,
        max: 1.0,
        start: 0.5,
    };
    Space::new(vec![parameter("x"), parameter("y")])
}

fn learner(iterations: u32, games: u64) -> Rspsa {
    let settings = RspsaSettings {
        iterations,
        ..RspsaSettings::default()
    };
    Rspsa::new(space(), settings, 1, games).unwrap()
}

/// Plays an iteration in which the side with the larger value of `wanted` wins both games.
fn iteration(learner: &mut Rspsa, wanted: impl Fn(&Vector) -> f64) -> RoundSummary {
    loop {
        match learner.ask(3) {
            Ask::Exhausted => panic!("an iteration is due"),
            Ask::RoundFinished(summary) => return summary,
            Ask::Play(asked) => {
                for proposal in asked {
                    let won = wanted(&proposal.a) > wanted(&proposal.b);
                    let [wins, losses] = if won { [2, 0] } else { [0, 2] };
                    let wdl = Wdl {
                        wins,
                        draws: 0,
                        losses,
                    };
                    learner.tell(&TrialResult {
                        wdl,
                        ..TrialResult::default()
                    });
                }
            }
        }
    }
}

#[test]
fn each_parameter_moves_by_its_step_in_the_direction_of_the_better_side() {
    let mut learner = learner(10, 2_000);
    let summary = iteration(&mut learner, |vector| vector.0[0]);
    assert_eq!(learner.state.point[0], 0.55);
    assert_eq!(summary.incumbent.0[0], 0.55);
    // The other parameter said nothing but noise; its step is as long all the same.
    assert!((0.05 - (learner.state.point[1] - 0.5).abs()).abs() < 1e-15);
}

#[test]
fn steps_grow_while_the_sign_stays_and_shrink_without_a_move_when_it_changes() {
    let mut learner = learner(10, 2_000);
    let mut expected = (0.5, 0.05);
    for step in [0.05, 0.06, 0.072] {
        iteration(&mut learner, |vector| vector.0[0]);
        expected = (expected.0 + step, step);
        assert!((learner.state.point[0] - expected.0).abs() < 1e-12);
        assert!((learner.state.steps[0] - expected.1).abs() < 1e-12);
    }
    // The sign changes: half the step, no move, and then a move by it.
    iteration(&mut learner, |vector| -vector.0[0]);
    assert!((learner.state.point[0] - expected.0).abs() < 1e-12);
    assert!((learner.state.steps[0] - 0.036).abs() < 1e-12);
    iteration(&mut learner, |vector| -vector.0[0]);
    assert!((learner.state.point[0] - (expected.0 - 0.036)).abs() < 1e-12);
}

#[test]
fn perturbations_are_twice_the_step_but_not_below_the_smallest() {
    for (step, half_width) in [(0.1, 0.2), (0.01, 0.1)] {
        let settings = RspsaSettings {
            step,
            ..RspsaSettings::default()
        };
        let mut learner = Rspsa::new(space(), settings, 1, 1_000).unwrap();
        let Ask::Play(asked) = learner.ask(1) else {
            panic!("a pair is due");
        };
        let width = (asked[0].a.0[0] - asked[0].b.0[0]).abs();
        assert!((width - 2.0 * half_width).abs() < 1e-6);
    }
}

#[test]
fn the_answer_is_the_mean_of_the_last_quarter_of_the_iterations() {
    let mut learner = learner(12, 240);
    let mut points = Vec::new();
    for round in 0..12 {
        let wanted = |vector: &Vector| if round % 3 == 0 { -1.0 } else { 1.0 } * vector.0[0];
        iteration(&mut learner, wanted);
        points.push(learner.state.point[0]);
    }
    assert_eq!(learner.ask(1), Ask::Exhausted);
    let mean = points[9..].iter().sum::<f64>() / 3.0;
    assert!((learner.incumbent().0[0] - mean).abs() < 1e-6);
}
