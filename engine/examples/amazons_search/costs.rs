//! What the events of [`Work`] cost in the Amazons, beside the weights in force, which are those of
//! Dots and Boxes: nanoseconds each, the quickest of many short repetitions.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use sixfold_engine::eval::amazons::AmazonsKnowledge;
use sixfold_engine::eval::{Knowledge, RolloutPolicy, WORK_WEIGHTS, Work};
use sixfold_engine::game::GameKind;
use sixfold_engine::game::amazons::Amazons;
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::SimulationLimit;
use sixfold_engine::search::pvs::{Pvs, PvsOptions};
use sixfold_engine::search::uct::Uct;
use sixfold_engine::stream::{Purpose, StreamKey};

use crate::{constants, position};

/// Short enough that most are not interrupted on a machine with other work.
const REPETITIONS: u32 = 300;

/// The quickest of the repetitions, in nanoseconds, with its work.
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

fn evaluations(position: &Amazons) -> Work {
    let evaluation = uct_defaults(GameKind::Amazons).evaluation;
    let mut work = Work::default();
    for _ in 0..200 {
        let value = AmazonsKnowledge.evaluate(black_box(position), &evaluation, &mut work);
        black_box(value);
    }
    work
}

fn rollouts(position: &Amazons) -> Work {
    let mut stream = StreamKey::new(5, Purpose::Bench).stream();
    let mut work = Work::default();
    for _ in 0..10 {
        let policy = RolloutPolicy::Uniform;
        black_box(AmazonsKnowledge.rollout(position, policy, &mut stream, &mut work));
    }
    work
}

fn variations(position: &Amazons) -> Work {
    let mut searcher = Pvs::with_entries(1 << 14, PvsOptions::default());
    let (mut control, mut work) = (SimulationLimit(600), Work::default());
    let constants = constants(255);
    let found = searcher.search(
        position,
        &AmazonsKnowledge,
        &constants,
        &mut control,
        &mut work,
    );
    black_box(found);
    work
}

/// Simulations that are valued by the evaluation alone.
fn simulations(uct: &mut Uct<Amazons, AmazonsKnowledge>, position: &Amazons) -> Work {
    let mut constants = uct_defaults(GameKind::Amazons);
    constants.evaluation_weight = 1.0;
    constants.exploration = 0.2;
    let (mut control, mut work) = (SimulationLimit(500), Work::default());
    let mut stream = StreamKey::new(6, Purpose::Bench).stream();
    let knowledge = &AmazonsKnowledge;
    let found = uct.search(
        position,
        knowledge,
        &constants,
        &mut stream,
        &mut control,
        &mut work,
    );
    black_box(found);
    work
}

/// Writes the costs in positions of three times of a game.
pub(crate) fn write(out: &mut dyn Write) -> io::Result<()> {
    for turns in [0, 14, 26] {
        let position = position(10, turns, 1);
        let (ns, work) = quickest(|| evaluations(&position));
        let evaluation = ns / work.evaluations as f64;
        let (ns, work) = quickest(|| rollouts(&position));
        let ply = ns / work.uniform_plies as f64;
        let (ns, work) = quickest(|| variations(&position));
        let rest = ns - evaluation * work.evaluations as f64;
        let edge = rest / work.alpha_beta_edges as f64;
        let mut uct = Uct::new(1 << 20);
        let (ns, work) = quickest(|| simulations(&mut uct, &position));
        let rest = ns - evaluation * work.evaluations as f64;
        let level = rest / work.tree_levels as f64;
        let in_force = WORK_WEIGHTS;
        writeln!(out, "10x10, {turns} turns after the opening")?;
        // The unit is what an evaluation says it is: most of the work of a search.
        let unit = evaluation / in_force.evaluation as f64;
        for (event, ns, weight) in [
            ("evaluation", evaluation, in_force.evaluation),
            ("uniform ply", ply, in_force.uniform_ply),
            ("alpha-beta edge", edge, in_force.alpha_beta_edge),
            ("tree level", level, in_force.tree_level),
        ] {
            let measured = ns / unit;
            writeln!(
                out,
                "  {event:<16} {ns:8.0} ns  {measured:6.0} units  in force {weight}"
            )?;
        }
    }
    Ok(())
}
