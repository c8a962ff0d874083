//! Tests of SPSA: its schedule, its steps and its answer, each against the formulas as printed.

use super::*;
use crate::space::{Parameter, Scale};
use crate::stats::Wdl;

fn parameter(path: &str, min: f64, max: f64, start: f64) -> Parameter {
    Parameter {
        path: path.into(),
        scale: Scale::Linear,
        integer: false,
        step: 0.1,
        min,
        max,
        start,
    }
}

fn space(start: f64) -> Space {
    let parameters = ["x", "y", "z"].map(|path| parameter(path, -1.0, 3.0, start));
    Space::new(parameters.to_vec())
}

fn settings(c: f64, r: f64) -> SpsaSettings {
    SpsaSettings {
        c,
        r,
        gains: GainsFrom::Fixed,
    }
}

fn result(points: u64) -> TrialResult {
    let wdl = match points {
        0 => [0, 0, 2],
        1 => [0, 1, 1],
        2 => [0, 2, 0],
        3 => [1, 1, 0],
        _ => [2, 0, 0],
    };
    let [wins, draws, losses] = wdl;
    TrialResult {
        wdl: Wdl {
            wins,
            draws,
            losses,
        },
        ..TrialResult::default()
    }
}

/// Plays to the end of the schedule, in batches of `limit`; all that was asked, and its points.
fn play(learner: &mut Spsa, limit: usize) -> Vec<Vec<(Proposal, u64)>> {
    let mut batches = Vec::new();
    let mut pair = 0;
    loop {
        match learner.ask(limit) {
            Ask::Exhausted => return batches,
            Ask::RoundFinished(_) => {}
            Ask::Play(asked) => {
                let mut batch = Vec::new();
                for proposal in asked {
                    let points = (7 * pair + pair / 3) % 5;
                    pair += 1;
                    learner.tell(&result(points));
                    batch.push((proposal, points));
                }
                batches.push(batch);
            }
        }
    }
}

/// fishtest's formulas, step by step, from what was played. Values are unit coordinates of the
/// range -1 to 3.
fn as_printed(batches: &[Vec<(Proposal, u64)>], start: f64, settings: &SpsaSettings) -> Vec<f64> {
    let n = batches.iter().map(Vec::len).sum::<usize>() as f64;
    let big_a = (0.1 * n).floor();
    let c0 = settings.c * n.powf(0.101);
    let a_end = settings.r * settings.c * settings.c;
    let a0 = a_end * (big_a + n).powf(0.602);
    let mut theta = [(start + 1.0) / 4.0; 3];
    let (mut k, mut tail) = (0.0_f64, Vec::new());
    for batch in batches {
        for (proposal, points) in batch {
            k += 1.0;
            let c = c0 / k.powf(0.101);
            let r = a0 / (big_a + k).powf(0.602) / (c * c);
            for (index, value) in theta.iter_mut().enumerate() {
                let up = proposal.a.0[index] > proposal.b.0[index];
                let flip = if up { 1.0 } else { -1.0 };
                let difference = *points as f64 - 2.0;
                *value = (*value + r * c * flip * difference).clamp(0.0, 1.0);
            }
            if k > 0.75 * n {
                tail.push(theta);
            }
        }
    }
    let mean = |index: usize| tail.iter().map(|t| t[index]).sum::<f64>() / tail.len() as f64;
    (0..3).map(|index| 4.0 * mean(index) - 1.0).collect()
}

#[test]
fn the_answer_is_that_of_the_printed_formulas() {
    for (settings, games) in [
        (SpsaSettings::default(), 400),
        (settings(0.05, 0.002), 401),
        (settings(0.3, 0.5), 90),
    ] {
        for limit in [1, 7] {
            for start in [0.5, -1.0, 2.9] {
                let mut learner = Spsa::new(space(start), &settings, 3, games).unwrap();
                let batches = play(&mut learner, limit);
                let pairs = batches.iter().map(Vec::len).sum::<usize>();
                assert_eq!(pairs as u64, games / 2);
                let expected = as_printed(&batches, start, &settings);
                for (got, want) in learner.incumbent().0.iter().zip(expected) {
                    assert!((got - want).abs() < 1e-5, "{got} is not {want}");
                }
            }
        }
    }
}

#[test]
fn the_gains_end_at_the_settings() {
    let schedule = Schedule::new(0.07, 0.01, 1_000);
    let Gains { c, a } = schedule.at(1_000);
    assert!((c - 0.07).abs() < 1e-15);
    assert!((a / (c * c) - 0.01).abs() < 1e-15);
    let first = schedule.at(1);
    assert!(first.c > 0.13 && first.a > 3.9 * a, "{first:?}");
}

#[test]
fn both_sides_of_a_batch_lie_around_one_point() {
    let mut learner = Spsa::new(space(0.5), &SpsaSettings::default(), 1, 400).unwrap();
    let Ask::Play(asked) = learner.ask(4) else {
        panic!("pairs are due");
    };
    assert_eq!(asked.len(), 4);
    for proposal in asked {
        assert_eq!((proposal.path, proposal.games), (None, 2));
        for (plus, minus) in proposal.a.0.iter().zip(&proposal.b.0) {
            assert!((0.5 * (plus + minus) - 0.5).abs() < 1e-5);
        }
    }
}

#[test]
fn the_parameters_in_force_are_the_point_and_then_the_mean_of_the_tail() {
    let mut learner = Spsa::new(space(0.5), &SpsaSettings::default(), 1, 400).unwrap();
    let mut rounds = 0_u32;
    loop {
        match learner.ask(1) {
            Ask::Exhausted => break,
            Ask::Play(_) => learner.tell(&result(4)),
            Ask::RoundFinished(summary) => {
                rounds += 1;
                // A fiftieth of 200 pairs; the tail begins behind pair 150.
                assert_eq!(learner.state.iteration, 4 * u64::from(rounds));
                let expected = match learner.state.iteration {
                    ..=150 => learner.state.point.clone(),
                    _ => learner.state.tail.mean().unwrap(),
                };
                assert_eq!(summary.incumbent, learner.unit_space.vector(&expected));
                assert_eq!(summary.greedy_path, None);
            }
        }
    }
    assert_eq!(rounds, 50);
}

#[test]
fn two_sides_that_play_the_same_are_never_asked_for() {
    let parameters = ["x", "y"].map(|path| parameter(path, 1000.0, 1000.01, 1000.0));
    let space = Space::new(parameters.to_vec());
    let mut learner = Spsa::new(space.clone(), &SpsaSettings::default(), 1, 400).unwrap();
    assert!(play(&mut learner, 3).is_empty());
    assert_eq!(*learner.incumbent(), space.start());
}

#[test]
fn a_step_of_a_raised_perturbation_is_smaller_in_proportion() {
    let mut space = space(0.0);
    space.parameters[0].integer = true;
    (space.parameters[0].step, space.parameters[1].step) = (1.0, 1.0);
    let mut learner = Spsa::new(space, &settings(0.02, 0.1), 1, 400).unwrap();
    let before = learner.state.point.clone();
    assert!(matches!(learner.ask(1), Ask::Play(_)));
    learner.tell(&result(4));
    let gains = learner.schedule.at(1);
    let steps: Vec<f64> = (0..3)
        .map(|index| (learner.state.point[index] - before[index]).abs())
        .collect();
    // Half a unit of a range of four, instead of c.
    assert!((steps[0] - 2.0 * gains.a / 0.125).abs() < 1e-15);
    assert!((steps[1] - 2.0 * gains.a / gains.c).abs() < 1e-15);
}

#[test]
fn a_pilot_plays_a_tenth_of_the_pairs_around_the_start_and_sets_the_rate() {
    let piloted = SpsaSettings {
        gains: GainsFrom::Pilot,
        ..SpsaSettings::default()
    };
    let mut learner = Spsa::new(space(0.5), &piloted, 1, 400).unwrap();
    let asked: Vec<Proposal> = play(&mut learner, 7)
        .into_iter()
        .flatten()
        .map(|(proposal, _)| proposal)
        .collect();
    assert_eq!(asked.len(), 200);
    for (number, proposal) in asked.iter().enumerate() {
        assert_eq!(proposal.b == space(0.5).start(), number < 20);
    }
    // Twice the perturbation of a tenth, of a range of four.
    assert!((asked[0].a.0[0] - 0.5).abs() > 0.79);
    let rate = learner.state.pilot.rate(3, 360);
    let Gains { c, a } = learner.schedule.at(180);
    assert!((a / (c * c) - rate).abs() < 1e-12);
}
