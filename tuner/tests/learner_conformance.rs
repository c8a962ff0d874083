//! What every learner promises, as one suite that each preset runs through.

mod common;

use serde_json::Value;
use sixfold_tuner::evaluator::scripted::{Scripted, Surface, unit_square};
use sixfold_tuner::optimiser::paper::{Paper, PaperSettings};
use sixfold_tuner::optimiser::pooled::{Pooled, PooledSettings};
use sixfold_tuner::optimiser::{Ask, Optimiser, Proposal};
use sixfold_tuner::space::{Parameter, Scale, Space, Vector};
use sixfold_tuner::trial::RoundSummary;

/// Episodes of a round in the suite.
const EPISODES: u32 = 12;
/// Rounds that a recorded run lasts.
const ROUNDS: u32 = 4;

/// Everything a learner did, in order.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    Asked(Vec<Proposal>),
    Finished(RoundSummary),
}

/// An evaluator and a learner that run together.
struct Bench<L> {
    learner: L,
    evaluator: Scripted,
    next_trial: u32,
}

impl<L: Optimiser> Bench<L> {
    fn new(learner: L) -> Self {
        Self {
            learner,
            evaluator: Scripted::new(Surface::quad(400.0, 3), 99),
            next_trial: 0,
        }
    }

    fn step(&mut self, limit: usize) -> Step {
        match self.learner.ask(limit) {
            Ask::RoundFinished(summary) => Step::Finished(summary),
            Ask::Exhausted => panic!("a tree can always be tried again"),
            Ask::Play(proposals) => {
                let trials = common::trials(self.learner.round(), self.next_trial, &proposals);
                self.next_trial += trials.len() as u32;
                for result in common::play(&mut self.evaluator, &trials) {
                    self.learner.tell(&result);
                }
                Step::Asked(proposals)
            }
        }
    }

    /// Steps until the learner is in round `rounds`.
    fn run(&mut self, rounds: u32, limit: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while self.learner.round() < rounds {
            steps.push(self.step(limit));
        }
        steps
    }
}

fn proposals(steps: &[Step]) -> impl Iterator<Item = &Proposal> {
    steps.iter().flat_map(|step| match step {
        Step::Asked(proposals) => proposals.as_slice(),
        Step::Finished(_) => &[],
    })
}

/// Runs the suite. `new` builds a learner over `space` with `EPISODES` episodes a round;
/// `plays_unchanged` says whether candidates equal to the incumbent may be asked for.
fn conforms<L: Optimiser>(space: &Space, new: impl Fn(u64) -> L, plays_unchanged: bool) {
    for limit in [1, 3, 8, 100] {
        equal_seeds_agree_and_others_do_not(&new, limit);
        resuming_anywhere_changes_nothing(&new, limit);
        proposals_keep_to_the_space(space, &new, limit, plays_unchanged);
        rounds_end_after_their_episodes(&new, limit);
        rounds_end_early_when_told(&new, limit);
    }
    foreign_states_are_refused(&new);
}

fn equal_seeds_agree_and_others_do_not<L: Optimiser>(new: impl Fn(u64) -> L, limit: usize) {
    let record = |seed| Bench::new(new(seed)).run(ROUNDS, limit);
    assert_eq!(record(1), record(1));
    assert_ne!(record(1), record(2));
}

/// For every point between two asks: a fresh learner that takes over the snapshot, as text, goes
/// on exactly as the uninterrupted one.
fn resuming_anywhere_changes_nothing<L: Optimiser>(new: impl Fn(u64) -> L, limit: usize) {
    let whole = Bench::new(new(7)).run(ROUNDS, limit);
    for split in 0..=whole.len() {
        let mut bench = Bench::new(new(7));
        for _ in 0..split {
            bench.step(limit);
        }
        let text = bench.learner.snapshot().to_string();
        let state: Value = serde_json::from_str(&text).expect("valid JSON");
        bench.learner = new(7);
        // A learner that has already moved on takes a state over just as well.
        bench.learner.ask(limit);
        bench.learner.restore(&state).expect("its own state");
        assert_eq!(bench.learner.snapshot(), state);
        let rest = bench.run(ROUNDS, limit);
        assert_eq!(rest, whole[split..], "after {split} steps of {limit}");
    }
}

fn proposals_keep_to_the_space<L: Optimiser>(
    space: &Space,
    new: impl Fn(u64) -> L,
    limit: usize,
    plays_unchanged: bool,
) {
    for seed in 0..5 {
        let mut bench = Bench::new(new(seed));
        assert_eq!(*bench.learner.incumbent(), space.start());
        while bench.learner.round() < ROUNDS {
            let incumbent = bench.learner.incumbent().clone();
            let step = bench.step(limit);
            if let Step::Asked(batch) = &step {
                assert!((1..=limit).contains(&batch.len()), "{} asked", batch.len());
            }
            for proposal in proposals(&[step]) {
                assert_eq!(proposal.b, incumbent);
                let mut path = proposal.path.iter().flatten();
                assert!(path.all(|action| (1..=6).contains(action)));
                check_candidate(space, &proposal.a, &incumbent);
                assert!(plays_unchanged || !proposal.a.same_when_quantised(&incumbent));
            }
        }
        assert!(space.contains(bench.learner.incumbent()));
    }
}

/// In range; every value that differs from the incumbent's is one that an edit may settle on.
fn check_candidate(space: &Space, candidate: &Vector, incumbent: &Vector) {
    assert!(space.contains(candidate), "{candidate:?}");
    for (index, parameter) in space.parameters.iter().enumerate() {
        let value = candidate.0[index];
        let settled = parameter.settled(value) == value;
        assert!(settled || value == incumbent.0[index], "{candidate:?}");
    }
}

fn rounds_end_after_their_episodes<L: Optimiser>(new: impl Fn(u64) -> L, limit: usize) {
    let mut bench = Bench::new(new(5));
    let steps = bench.run(ROUNDS, limit);
    let mut asked = 0;
    let mut rounds = 0;
    for step in &steps {
        match step {
            Step::Asked(batch) => asked += batch.len() as u32,
            Step::Finished(summary) => {
                assert_eq!(summary.round, rounds);
                assert_eq!(
                    summary.candidate_score.is_none(),
                    summary.candidate_games == 0
                );
                assert!(asked <= EPISODES, "{asked} episodes asked in a round");
                (asked, rounds) = (0, rounds + 1);
            }
        }
    }
    assert_eq!((asked, rounds), (0, ROUNDS));
    let Some(Step::Finished(last)) = steps.last() else {
        panic!("a run ends with a round");
    };
    assert_eq!(last.incumbent, *bench.learner.incumbent());
}

fn rounds_end_early_when_told<L: Optimiser>(new: impl Fn(u64) -> L, limit: usize) {
    for steps in 0..3 {
        let mut bench = Bench::new(new(6));
        for _ in 0..steps {
            bench.step(limit);
        }
        let round = bench.learner.round();
        let summary = bench.learner.finish_round();
        assert_eq!(summary.round, round);
        assert_eq!(summary.incumbent, *bench.learner.incumbent());
        assert_eq!(bench.learner.round(), round + 1);
        // What was asked and never told is dropped with the round.
        bench.learner.ask(limit);
        bench.learner.finish_round();
        bench.run(round + 4, limit);
    }
}

fn foreign_states_are_refused<L: Optimiser>(new: impl Fn(u64) -> L) {
    let mut learner = new(1);
    let before = learner.snapshot();
    let refused = |learner: &mut L, change: &dyn Fn(&mut Value), why: &str| {
        let mut state = before.clone();
        change(&mut state);
        let message = learner.restore(&state).expect_err(why).to_string();
        assert!(message.contains(why), "{message} lacks {why}");
        assert_eq!(
            learner.snapshot(),
            before,
            "a refused state changed the learner"
        );
    };
    refused(&mut learner, &|state| *state = Value::Null, "does not fit");
    refused(
        &mut learner,
        &|state| state["learner"] = "other".into(),
        "\"other\"",
    );
    refused(
        &mut learner,
        &|state| state["episode"] = 1_000.into(),
        "episode 1000",
    );
    refused(&mut learner, &|state| state["extra"] = 1.into(), "extra");
    let outside = |state: &mut Value| state["incumbent"][0] = 99.0.into();
    refused(&mut learner, &outside, "incumbent");
    let few = |state: &mut Value| state["tree"] = Value::Array(Vec::new());
    refused(&mut learner, &few, "0 nodes");
}

/// Three parameters of all kinds, so pairs wrap around; the start of one has many digits.
fn mixed_space() -> Space {
    let parameter = |path: &str, scale, integer, step, start| Parameter {
        path: path.into(),
        scale,
        integer,
        step,
        min: 0.25,
        max: 1.0,
        start,
    };
    let mut depth = parameter("depth", Scale::Linear, true, 1.0, 2.0);
    (depth.min, depth.max) = (1.0, 3.0);
    Space {
        parameters: vec![
            parameter("bias", Scale::Linear, false, 0.1, 2.0 / 3.0),
            parameter("exploration", Scale::Log, false, 1.3, 0.5),
            depth,
        ],
    }
}

/// A start in a corner, where many edits change nothing.
fn cornered_space() -> Space {
    let mut space = unit_square(1.0);
    for parameter in &mut space.parameters {
        parameter.start = 0.0;
    }
    space
}

fn pooled_settings() -> PooledSettings {
    let mut settings = PooledSettings::default();
    settings.tree.episodes = EPISODES;
    settings
}

fn paper_settings() -> PaperSettings {
    let mut settings = PaperSettings::default();
    settings.tree.episodes = EPISODES;
    settings
}

#[test]
fn pooled_conforms() {
    for space in [unit_square(0.12), mixed_space(), cornered_space()] {
        let new = |seed| Pooled::new(space.clone(), pooled_settings(), seed).expect("valid");
        conforms(&space, new, false);
    }
}

#[test]
fn paper_conforms() {
    for space in [unit_square(0.12), mixed_space(), cornered_space()] {
        let new = |seed| Paper::new(space.clone(), paper_settings(), seed).expect("valid");
        conforms(&space, new, true);
    }
}
