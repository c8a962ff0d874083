//! Tests of the scripted evaluator: its surfaces, its counts and its independence of batches.

use super::*;
use crate::trial::TrialId;

static NEVER: AtomicBool = AtomicBool::new(false);

fn trial(trial: u32, a: [f64; 2], colours: Colours, games: u32) -> Trial {
    Trial {
        id: TrialId { round: 0, trial },
        a: Vector(a.to_vec()),
        b: Vector(vec![0.5, 0.5]),
        colours,
        games,
    }
}

fn evaluate(evaluator: &mut Scripted, trials: &[Trial]) -> Vec<TrialResult> {
    evaluator.evaluate(trials, &NEVER).expect("results")
}

fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got} is not {want}");
}

#[test]
fn quad_is_as_defined() {
    for seed in [0, 7, 19, 20, 12_345] {
        let quad = Surface::quad(100.0, seed);
        let start = Vector(vec![0.5, 0.5]);
        close(quad.elo(&start), 0.0, 1e-9);
        close(quad.elo(quad.optimum().unwrap()), 100.0, 1e-9);
        close(quad.regret(&start).unwrap(), 100.0, 1e-9);
    }
    // Seed 4 points almost along x.
    let best = Surface::quad(20.0, 4).optimum().unwrap().clone();
    close(best.0[0], 0.8, 1e-4);
    close(best.0[1], 0.501_66, 1e-4);
}

#[test]
fn angles_beyond_the_table_are_fixed_and_spread() {
    let angles: Vec<f64> = (20..420).map(quad_angle).collect();
    let full = 2.0 * std::f64::consts::PI;
    assert!(angles.iter().all(|angle| (0.0..full).contains(angle)));
    let mean = angles.iter().sum::<f64>() / angles.len() as f64;
    close(mean, full / 2.0, 0.4);
    assert_eq!(quad_angle(20), 2.258_363_192_681_591);
}

#[test]
fn log2_is_as_defined() {
    let log2 = Surface::log2();
    close(log2.elo(log2.optimum().unwrap()), 169.0, 0.5);
    close(log2.elo(&Vector(vec![0.5, 0.5])), -62.0, 0.5);
    close(log2.regret(&Vector(vec![0.5, 0.5])).unwrap(), 231.0, 0.5);
    let off = log2.regret(&Vector(vec![0.24, 0.2375])).unwrap();
    assert!(off > 0.0 && off < 0.1);
}

#[test]
fn a_function_has_no_known_optimum() {
    let plane = Surface::function(|values| 100.0 * values[0]);
    assert_eq!(plane.elo(&Vector(vec![0.5, 0.0])), 50.0);
    assert_eq!(plane.optimum(), None);
    assert_eq!(plane.regret(&Vector(vec![0.5, 0.0])), None);
}

#[test]
fn wins_come_with_the_probability_of_the_elo_difference() {
    // 200 Elo ahead: 0.7597.
    let surface = Surface::function(|values| 400.0 * values[0]);
    let mut scripted = Scripted::new(surface, 5);
    for colours in [Colours::Paired, Colours::AFirst] {
        let results = evaluate(&mut scripted, &[trial(0, [1.0, 0.5], colours, 20_000)]);
        let wdl = results[0].wdl;
        assert_eq!([wdl.games(), wdl.draws], [20_000, 0]);
        close(wdl.score().unwrap(), 0.7597, 0.01);
    }
}

#[test]
fn pairs_and_games_tell_the_same_story() {
    let mut scripted = Scripted::new(Surface::quad(100.0, 0), 1);
    let paired = trial(3, [0.4, 0.6], Colours::Paired, 1_000);
    let first = trial(3, [0.4, 0.6], Colours::AFirst, 5);
    let results = evaluate(&mut scripted, &[paired, first]);
    let pentanomial = results[0].pentanomial;
    assert_eq!(pentanomial.pairs(), 500);
    assert_eq!([pentanomial.0[1], pentanomial.0[3]], [0, 0]);
    assert_eq!(pentanomial.score(), results[0].wdl.score());
    assert_eq!(results[1].wdl.games(), 5);
    assert_eq!(results[1].pentanomial.pairs(), 0);
    assert!(results.iter().all(|result| result.dropped_pairs.is_empty()));
}

#[test]
fn results_do_not_depend_on_batches_but_on_seed_and_trial() {
    let trials: Vec<Trial> = (0..20)
        .map(|id| trial(id, [0.45, 0.5], Colours::Paired, 20))
        .collect();
    let mut scripted = Scripted::new(Surface::quad(100.0, 0), 1);
    let together = evaluate(&mut scripted, &trials);
    let apart: Vec<TrialResult> = trials
        .iter()
        .rev()
        .flat_map(|trial| evaluate(&mut scripted, std::slice::from_ref(trial)))
        .collect();
    assert!(together.iter().eq(apart.iter().rev()));
    assert!(together.iter().any(|result| *result != together[0]));
    let mut other = Scripted::new(Surface::quad(100.0, 0), 2);
    assert_ne!(evaluate(&mut other, &trials), together);
}

#[test]
fn a_raised_flag_stops_and_a_surface_without_values_refuses() {
    let mut scripted = Scripted::new(Surface::quad(100.0, 0), 1);
    let trials = [trial(0, [0.4, 0.5], Colours::Paired, 2)];
    let stopped = scripted.evaluate(&trials, &AtomicBool::new(true));
    assert!(matches!(stopped, Err(EvaluationError::Interrupted)));
    let mut hollow = Scripted::new(Surface::function(|_| f64::NAN), 1);
    let refused = hollow.evaluate(&trials, &NEVER);
    assert!(matches!(refused, Err(EvaluationError::Refused(_))));
}
