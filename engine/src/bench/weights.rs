//! What the events of [`Work`] cost on this machine, beside the weights in force.
//!
//! A weight is meant to make a unit of work the same time whatever is done. Each cost is taken from
//! loops or searches in which its event dominates, with what is known already taken off: rollouts
//! and evaluations by themselves, levels of the tree (what a simulation costs besides counted in)
//! in searches that expand a leaf at its second visit, children by what searches that expand every
//! leaf at once cost more, edges in exact searches. Positions are those of play after 6, 12,
//! 20 and 28 plies. Of several repetitions the quickest counts: other programs only slow down.

use std::time::Instant;

use serde::Serialize;

use super::{TABLE_MIB, TREE_NODES_MAX, bench_position, safe_constants, uniform_constants};
use crate::eval::dots::DotsKnowledge;
use crate::eval::{Knowledge, RolloutPolicy, WORK_WEIGHTS, Work};
use crate::game::dots::Dots;
use crate::search::Unlimited;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::control::SimulationLimit;
use crate::search::uct::{Uct, UctConstants};
use crate::stream::{Purpose, StreamKey};

/// Plies of the positions that are measured.
const PLIES: [u32; 4] = [6, 12, 20, 28];
/// Repetitions of which the quickest counts.
const REPETITIONS: u32 = 7;
/// Simulations of each search.
const SIMULATIONS: u64 = 1_000;

/// The cost of one kind of event.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EventCost {
    /// The event.
    pub event: &'static str,
    /// Nanoseconds each, on this machine.
    pub ns: f64,
    /// The weight that would make a unit cost the same everywhere, where one is the mean uniform
    /// ply.
    pub measured_weight: f64,
    /// The weight in force.
    pub weight: u64,
}

/// Measures every weight; takes a few seconds.
pub fn weights() -> Vec<EventCost> {
    let uniform = per_event(
        || rollouts(RolloutPolicy::Uniform),
        |work| work.uniform_plies,
    );
    let safe = per_event(|| rollouts(RolloutPolicy::Safe), |work| work.safe_plies);
    let evaluation = per_event(evaluations, |work| work.evaluations);
    let rollouts =
        |work: &Work| uniform * work.uniform_plies as f64 + safe * work.safe_plies as f64;
    let (ns, work) = quickest(|| searches(&safe_constants()));
    let level = ((ns - rollouts(&work)) / work.tree_levels as f64).max(0.0);
    let eager = UctConstants {
        expand_after_visits: 1,
        ..uniform_constants()
    };
    let (ns, work) = quickest(|| searches(&eager));
    let known = rollouts(&work) + level * work.tree_levels as f64;
    let child = ((ns - known) / work.children as f64).max(0.0);
    let edge = per_event(solving, |work| work.alpha_beta_edges);
    let cost = |event, ns, weight| EventCost {
        event,
        ns,
        measured_weight: ns / uniform,
        weight,
    };
    let in_force = WORK_WEIGHTS;
    vec![
        cost("uniform rollout ply", uniform, in_force.uniform_ply),
        cost("safe rollout ply, ending included", safe, in_force.safe_ply),
        cost("tree level descended", level, in_force.tree_level),
        cost("child created", child, in_force.child),
        cost("alpha-beta edge", edge, in_force.alpha_beta_edge),
        cost("static evaluation", evaluation, in_force.evaluation),
    ]
}

/// The quickest of several repetitions, in nanoseconds, with its work.
fn quickest(mut measured: impl FnMut() -> Work) -> (f64, Work) {
    let mut best = (f64::INFINITY, Work::default());
    for _ in 0..REPETITIONS {
        let begun = Instant::now();
        let work = measured();
        let ns = begun.elapsed().as_secs_f64() * 1e9;
        if ns < best.0 {
            best = (ns, work);
        }
    }
    best
}

fn per_event(measured: impl FnMut() -> Work, events: impl Fn(&Work) -> u64) -> f64 {
    let (ns, work) = quickest(measured);
    ns / events(&work) as f64
}

fn positions() -> impl Iterator<Item = Dots> {
    (0..8).flat_map(|number| PLIES.map(|plies| bench_position(200 + number, plies)))
}

fn rollouts(policy: RolloutPolicy) -> Work {
    let mut stream = StreamKey::new(5, Purpose::Bench).stream();
    let mut work = Work::default();
    for position in positions() {
        for _ in 0..2_000 {
            let margin = DotsKnowledge.rollout(&position, policy, &mut stream, &mut work);
            std::hint::black_box(margin);
        }
    }
    work
}

fn evaluations() -> Work {
    let constants = uniform_constants();
    let mut work = Work::default();
    for position in positions() {
        for _ in 0..1_000 {
            let evaluation = std::hint::black_box(&constants.evaluation);
            let value = DotsKnowledge.evaluate(&position, evaluation, &mut work);
            std::hint::black_box(evaluation.value_of_points(value));
        }
    }
    work
}

fn searches(constants: &UctConstants) -> Work {
    let mut uct = Uct::new(TREE_NODES_MAX);
    let mut stream = StreamKey::new(6, Purpose::Bench).stream();
    let mut all = Work::default();
    for position in positions() {
        let mut control = SimulationLimit(SIMULATIONS);
        let (knowledge, work) = (&DotsKnowledge, &mut all);
        uct.search(
            &position,
            knowledge,
            constants,
            &mut stream,
            &mut control,
            work,
        );
    }
    all
}

fn solving() -> Work {
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let mut work = Work::default();
    for number in 0..8 {
        solver.new_game();
        let position = bench_position(300 + number, 26);
        std::hint::black_box(solver.solve(&position, &DotsKnowledge, &mut Unlimited, &mut work));
    }
    work
}
