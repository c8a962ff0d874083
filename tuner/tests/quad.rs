//! Acceptance: on a noisy surface with a known optimum the learner moves towards it.

mod common;

use sixfold_tuner::evaluator::Evaluator;
use sixfold_tuner::evaluator::scripted::{Scripted, Surface, unit_square};
use sixfold_tuner::optimiser::pooled::{Pooled, PooledSettings};
use sixfold_tuner::optimiser::{Ask, Optimiser};

/// Elo between the start and the optimum.
const HEIGHT: f64 = 100.0;
/// Games of a run, all that are played counted.
const GAMES: u64 = 5_000;
/// One step, in units of the range.
const STEP: f64 = 0.12;

/// Asks in batches of `limit` until the next batch would exceed `budget` games, then finishes the
/// round. Rounds that cost no games count against the budget as well, so a run always ends.
fn drive(learner: &mut dyn Optimiser, evaluator: &mut dyn Evaluator, limit: usize, budget: u64) {
    let (mut games, mut next_trial) = (0, 0);
    while u64::from(learner.round()) < budget {
        let Ask::Play(proposals) = learner.ask(limit) else {
            continue;
        };
        games += proposals.iter().map(|p| u64::from(p.games)).sum::<u64>();
        if games > budget {
            break;
        }
        let batch = common::trials(learner.round(), next_trial, &proposals);
        next_trial += batch.len() as u32;
        for result in common::play(evaluator, &batch) {
            learner.tell(&result);
        }
    }
    learner.finish_round();
}

/// A learner at the end of its run, and the evaluator it played against.
fn run(seed: u64, limit: usize) -> (Pooled, Scripted) {
    let mut learner =
        Pooled::new(unit_square(STEP), PooledSettings::default(), seed).expect("valid settings");
    let mut evaluator = Scripted::new(Surface::quad(HEIGHT, seed), seed);
    drive(&mut learner, &mut evaluator, limit, GAMES);
    (learner, evaluator)
}

/// Regret at the end of a run, in Elo.
fn regret(seed: u64, limit: usize) -> f64 {
    let (learner, evaluator) = run(seed, limit);
    let surface = evaluator.surface();
    surface
        .regret(learner.incumbent())
        .expect("a known optimum")
}

/// Over the benchmark's 20 seeds: nearer the optimum than the start for all but one at most, and
/// in the median at most two fifths of the start's regret.
fn check(limit: usize) {
    let mut regrets: Vec<f64> = (0..20).map(|seed| regret(seed, limit)).collect();
    regrets.sort_by(f64::total_cmp);
    let nearer = regrets.iter().filter(|&&regret| regret < HEIGHT).count();
    let median = 0.5 * (regrets[9] + regrets[10]);
    assert!(nearer >= 19, "nearer for {nearer} of 20: {regrets:?}");
    assert!(median <= 0.4 * HEIGHT, "median {median}: {regrets:?}");
}

#[test]
fn pooled_learner_climbs_one_episode_at_a_time() {
    check(1);
}

#[test]
fn pooled_learner_climbs_in_batches() {
    check(8);
}

/// Where runs end, to the digit: a change here is a change of results and needs a new results
/// version.
#[test]
fn runs_end_where_they_always_did() {
    let ends = [
        (0, 1, [0.14, 0.38]),
        (0, 8, [0.26, 0.5]),
        (1, 8, [0.26, 0.26]),
        (30, 8, [0.26, 0.62]),
    ];
    for (seed, limit, end) in ends {
        let (learner, _) = run(seed, limit);
        assert_eq!(
            learner.incumbent().0,
            end,
            "seed {seed}, batches of {limit}"
        );
    }
}
