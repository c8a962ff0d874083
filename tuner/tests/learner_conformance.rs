//! What every learner promises, as one suite. A learner joins it with one line in [`SUBJECTS`].

mod common;

use serde_json::Value;
use sixfold_tuner::evaluator::scripted::{Scripted, Surface, unit_square};
use sixfold_tuner::job::LearnerSettings;
use sixfold_tuner::optimiser::paper::PaperSettings;
use sixfold_tuner::optimiser::pooled::PooledSettings;
use sixfold_tuner::optimiser::q_tree::{Decision, Directions, QTreeSettings};
use sixfold_tuner::optimiser::random::RandomSettings;
use sixfold_tuner::optimiser::rspsa::RspsaSettings;
use sixfold_tuner::optimiser::spsa::{GainsFrom, SpsaSettings};
use sixfold_tuner::optimiser::tree::nodes_of;
use sixfold_tuner::optimiser::tree_view::TreeView;
use sixfold_tuner::optimiser::{Ask, Optimiser, Proposal};
use sixfold_tuner::space::{Parameter, Rule, Scale, Space, Vector};
use sixfold_tuner::trial::{EditPath, RoundSummary};

/// Episodes of a round in the suite, where a round has any.
const EPISODES: u32 = 12;
/// Games that learners with a schedule divide.
const GAMES: u64 = 160;
/// Rounds that a recorded run of a learner without a schedule lasts.
const ROUNDS: u32 = 4;

/// A learner of the suite.
struct Subject {
    settings: fn() -> LearnerSettings,
    /// Whether two equal sides may be asked for.
    plays_unchanged: bool,
    /// Whether B of every proposal is the incumbent.
    against_incumbent: bool,
    /// Pointers into the state and values that no run reaches, with what is said to them.
    refused: &'static [(&'static str, i64, &'static str)],
}

const SUBJECTS: [(&str, Subject); 9] = [
    (
        "q-tree",
        q_tree(|| q_tree_settings(Directions::Composite, Decision::Tree)),
    ),
    (
        "q-tree by pairs",
        q_tree(|| q_tree_settings(Directions::Pairs, Decision::Tree)),
    ),
    (
        "surface-argmax",
        q_tree(|| q_tree_settings(Directions::Composite, Decision::Argmax)),
    ),
    (
        "pooled",
        Subject {
            settings: pooled,
            plays_unchanged: false,
            against_incumbent: true,
            refused: &[("/episode", 1000, "episode 1000"), ("/tree", 0, "sequence")],
        },
    ),
    (
        "paper",
        Subject {
            settings: paper,
            plays_unchanged: true,
            against_incumbent: true,
            refused: &[("/episode", 1000, "episode 1000"), ("/tree", 0, "sequence")],
        },
    ),
    (
        "spsa",
        Subject {
            settings: || LearnerSettings::Spsa(SpsaSettings::default()),
            plays_unchanged: false,
            against_incumbent: false,
            refused: &[("/iteration", 1000, "iteration 1000 of a schedule of 80")],
        },
    ),
    (
        "spsa with a pilot",
        Subject {
            settings: piloted_spsa,
            plays_unchanged: false,
            against_incumbent: false,
            refused: &[("/piloted", 9, "none of 8 pairs")],
        },
    ),
    (
        "rspsa",
        Subject {
            settings: rspsa,
            plays_unchanged: false,
            against_incumbent: false,
            refused: &[("/begun", 1000, "pair 1000")],
        },
    ),
    (
        "random",
        Subject {
            settings: || LearnerSettings::Random(RandomSettings { vectors: 9 }),
            plays_unchanged: false,
            against_incumbent: false,
            refused: &[("/begun", 1000, "vectors"), ("/incumbent", 9, "vectors")],
        },
    ),
];

const fn q_tree(settings: fn() -> LearnerSettings) -> Subject {
    Subject {
        settings,
        plays_unchanged: false,
        against_incumbent: false,
        refused: &[
            ("/state/games", 1000, "1000 games of 160"),
            ("/state/axes", 0, "sequence"),
            ("/state/round/tree", 0, "sequence"),
            ("/state/round/own/0/0", 7, "scores of its round"),
            ("/state/round/centre/0", 7, "outside the space"),
            ("/state/incumbent/0", 99, "outside the space"),
            ("/state/tail/count", -1, "invalid value"),
            ("/model/steps/sigma", 99, "scale of the surface"),
        ],
    }
}

fn q_tree_settings(directions: Directions, decision: Decision) -> LearnerSettings {
    LearnerSettings::QTree(QTreeSettings {
        directions,
        decision,
        ..QTreeSettings::default()
    })
}

fn pooled() -> LearnerSettings {
    let mut settings = PooledSettings::default();
    settings.tree.episodes = EPISODES;
    LearnerSettings::Pooled(settings)
}

fn paper() -> LearnerSettings {
    let mut settings = PaperSettings::default();
    settings.tree.episodes = EPISODES;
    LearnerSettings::Paper(settings)
}

fn piloted_spsa() -> LearnerSettings {
    LearnerSettings::Spsa(SpsaSettings {
        gains: GainsFrom::Pilot,
        ..SpsaSettings::default()
    })
}

fn rspsa() -> LearnerSettings {
    LearnerSettings::Rspsa(RspsaSettings {
        iterations: 10,
        ..RspsaSettings::default()
    })
}

/// Everything a learner did, in order.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    Asked(Vec<Proposal>),
    Finished(RoundSummary),
}

/// An evaluator and a learner that run together.
struct Bench {
    learner: Box<dyn Optimiser>,
    evaluator: Scripted,
    next_trial: u32,
}

impl Bench {
    fn new(learner: Box<dyn Optimiser>) -> Self {
        Self {
            learner,
            evaluator: Scripted::new(Surface::quad(400.0, 3), 99),
            next_trial: 0,
        }
    }

    /// None when nothing is left.
    fn step(&mut self, limit: usize) -> Option<Step> {
        match self.learner.ask(limit) {
            Ask::RoundFinished(summary) => Some(Step::Finished(summary)),
            Ask::Exhausted => None,
            Ask::Play(proposals) => {
                let trials = common::trials(self.learner.round(), self.next_trial, &proposals);
                self.next_trial += trials.len() as u32;
                for result in common::play(&mut self.evaluator, &trials) {
                    self.learner.tell(&result);
                }
                Some(Step::Asked(proposals))
            }
        }
    }

    /// Steps until nothing is left or the learner is in round `rounds`.
    fn run(&mut self, rounds: u32, limit: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while self.learner.round() < rounds {
            match self.step(limit) {
                Some(step) => steps.push(step),
                None => break,
            }
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

/// A learner of the suite over one space.
struct Case<'a> {
    subject: &'a Subject,
    space: &'a Space,
}

impl Case<'_> {
    fn at_its_start(&self, seed: u64) -> Box<dyn Optimiser> {
        (self.subject.settings)().build(seed, self.space, Some(GAMES))
    }

    fn bench(&self, seed: u64) -> Bench {
        Bench::new(self.at_its_start(seed))
    }

    /// Rounds of a recorded run: with a schedule all there are.
    fn rounds(&self) -> u32 {
        match (self.subject.settings)().schedule_games_min() {
            Some(_) => u32::MAX,
            None => ROUNDS,
        }
    }

    fn conforms(&self) {
        for limit in [1, 3, 8, 100] {
            self.equal_seeds_agree_and_others_do_not(limit);
            self.resuming_everywhere_changes_nothing(limit);
            if limit > 3 {
                self.resuming_anywhere_changes_nothing(limit);
            }
            self.proposals_keep_to_the_space(limit);
            self.rounds_follow_each_other_to_the_end(limit);
            self.rounds_end_early_when_told(limit);
            self.landings_end_it_anywhere(limit);
        }
        self.foreign_states_are_refused();
    }

    fn equal_seeds_agree_and_others_do_not(&self, limit: usize) {
        let record = |seed| self.bench(seed).run(self.rounds(), limit);
        assert_eq!(record(1), record(1));
        assert_ne!(record(1), record(2));
    }

    /// A fresh learner for every step, each with the snapshot of the one before, is the same as
    /// one for all.
    fn resuming_everywhere_changes_nothing(&self, limit: usize) {
        let whole = self.bench(7).run(self.rounds(), limit);
        let mut bench = self.bench(7);
        for (done, expected) in whole.iter().enumerate() {
            let state = bench.learner.snapshot();
            bench.learner = self.at_its_start(7);
            bench.learner.restore(&state).expect("its own state");
            assert_eq!(bench.step(limit).as_ref(), Some(expected), "after {done}");
        }
    }

    /// For every point between two asks: a fresh learner that takes over the snapshot, as text,
    /// goes on exactly as the uninterrupted one.
    fn resuming_anywhere_changes_nothing(&self, limit: usize) {
        let whole = self.bench(7).run(self.rounds(), limit);
        for split in 0..=whole.len() {
            let mut bench = self.bench(7);
            for _ in 0..split {
                bench.step(limit);
            }
            let text = bench.learner.snapshot().to_string();
            let state: Value = serde_json::from_str(&text).expect("valid JSON");
            bench.learner = self.at_its_start(7);
            // A learner that has already moved on takes a state over just as well.
            bench.learner.ask(limit);
            bench.learner.restore(&state).expect("its own state");
            assert_eq!(bench.learner.snapshot(), state);
            let rest = bench.run(self.rounds(), limit);
            assert_eq!(rest, whole[split..], "after {split} steps of {limit}");
        }
    }

    fn proposals_keep_to_the_space(&self, limit: usize) {
        for seed in 0..5 {
            let mut bench = self.bench(seed);
            assert_eq!(*bench.learner.incumbent(), self.space.start());
            while bench.learner.round() < self.rounds() {
                let incumbent = bench.learner.incumbent().clone();
                let view = bench.learner.tree();
                let Some(step) = bench.step(limit) else {
                    break;
                };
                if let Step::Asked(batch) = &step {
                    assert!((1..=limit).contains(&batch.len()), "{} asked", batch.len());
                }
                for proposal in proposals(&[step]) {
                    self.check_proposal(proposal, &incumbent);
                    // The tree, where there is one, shows where the path leads.
                    assert!(proposal.path.is_none() || view.is_some());
                    if let Some((view, path)) = view.as_ref().zip(proposal.path) {
                        self.check_leaf(view, path, proposal);
                    }
                }
                assert!(self.space.contains(bench.learner.incumbent()));
            }
        }
    }

    /// A path is played by the vector that it leads to, or, where that or its mirror would be cut
    /// off at an end of a range, by one that is moved inwards.
    fn check_leaf(&self, view: &TreeView, path: EditPath, proposal: &Proposal) {
        let opposite = path.map(|action| ((action - 1) ^ 1) + 1);
        let leaves = [path, opposite].map(|path| &view.nodes[nodes_of(path)[1]].value);
        let is_cut = |vector: &Vector| {
            let mut values = vector.0.iter().zip(&self.space.parameters);
            values.any(|(value, it)| *value == it.min || *value == it.max)
        };
        let may_move = !self.subject.against_incumbent && leaves.into_iter().any(is_cut);
        assert!(may_move || *leaves[0] == proposal.a);
    }

    fn check_proposal(&self, proposal: &Proposal, incumbent: &Vector) {
        let Subject {
            plays_unchanged,
            against_incumbent,
            ..
        } = self.subject;
        let mut path = proposal.path.iter().flatten();
        assert!(path.all(|action| (1..=6).contains(action)));
        assert!(!against_incumbent || proposal.b == *incumbent);
        assert!(*plays_unchanged || !proposal.a.same_when_quantised(&proposal.b));
        for vector in [&proposal.a, &proposal.b] {
            self.check_vector(vector, incumbent);
        }
    }

    /// In range and within the rules; every value that is not the start's or the incumbent's is
    /// one that is played after rounding and quantising.
    fn check_vector(&self, vector: &Vector, incumbent: &Vector) {
        assert!(self.space.contains(vector), "{vector:?}");
        assert_eq!(self.space.broken_rule(vector), None, "{vector:?}");
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            let value = vector.0[index];
            let settled = parameter.settled(value) == value;
            let known = value == incumbent.0[index] || value == parameter.start;
            assert!(settled || known, "{vector:?}");
            let whole = !parameter.integer || value.fract() == 0.0;
            assert!(whole, "{vector:?}");
        }
    }

    fn rounds_follow_each_other_to_the_end(&self, limit: usize) {
        let mut bench = self.bench(5);
        let steps = bench.run(self.rounds(), limit);
        let (mut rounds, mut games) = (0, 0);
        for step in &steps {
            match step {
                Step::Asked(batch) => games += batch.iter().map(|it| it.games).sum::<u32>(),
                Step::Finished(summary) => {
                    assert_eq!(summary.round, rounds);
                    assert_eq!(
                        summary.candidate_score.is_none(),
                        summary.candidate_games == 0
                    );
                    rounds += 1;
                }
            }
        }
        let Some(Step::Finished(last)) = steps.last() else {
            panic!("a run ends with a round");
        };
        assert_eq!(last.incumbent, *bench.learner.incumbent());
        match (self.subject.settings)().games_per_round() {
            Some(of_round) => {
                assert_eq!(rounds, ROUNDS);
                assert!(u64::from(games) <= of_round * u64::from(rounds));
            }
            None => {
                assert!(u64::from(games) <= GAMES, "{games}");
                assert!(games > 0 && rounds > 0);
                // Nothing is left, however often it is asked.
                assert_eq!(bench.learner.ask(limit), Ask::Exhausted);
                assert_eq!(bench.learner.ask(limit), Ask::Exhausted);
            }
        }
    }

    fn rounds_end_early_when_told(&self, limit: usize) {
        for steps in 0..3 {
            let mut bench = self.bench(6);
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

    /// A learner with a last move makes it after any round, before and after a resumption alike.
    fn landings_end_it_anywhere(&self, limit: usize) {
        for rounds in 1..4 {
            let mut bench = self.bench(7);
            bench.run(rounds, limit);
            let mut resumed = self.at_its_start(7);
            resumed.restore(&bench.learner.snapshot()).unwrap();
            let before = (bench.learner.round(), bench.learner.incumbent().clone());
            let landing = bench.learner.land();
            assert_eq!(resumed.land(), landing);
            if let Some(landing) = landing {
                assert_eq!((landing.round, landing.candidate_games), (before.0, 0));
                assert_eq!(landing.incumbent, *bench.learner.incumbent());
                self.check_vector(&landing.incumbent, &before.1);
                assert_eq!(bench.learner.ask(limit), Ask::Exhausted);
            }
        }
    }

    fn foreign_states_are_refused(&self) {
        let mut learner = self.at_its_start(1);
        let before = learner.snapshot();
        let mut refused = |change: &dyn Fn(&mut Value), why: &str| {
            let mut state = before.clone();
            change(&mut state);
            let message = learner.restore(&state).expect_err(why).to_string();
            assert!(message.contains(why), "{message} lacks {why}");
            let now = learner.snapshot();
            assert_eq!(now, before, "a refused state changed the learner");
        };
        refused(&|state| *state = Value::Null, "does not fit");
        refused(&|state| state["learner"] = "other".into(), "\"other\"");
        refused(&|state| state["extra"] = 1.into(), "extra");
        if before["incumbent"].is_array() {
            let outside = |state: &mut Value| state["incumbent"][0] = 99.0.into();
            refused(&outside, "incumbent");
        }
        for (key, value, why) in self.subject.refused {
            let change = |state: &mut Value| {
                *state.pointer_mut(key).expect("a part of the state") = (*value).into();
            };
            refused(&change, why);
        }
    }
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
    Space::new(vec![
        parameter("bias", Scale::Linear, false, 0.1, 2.0 / 3.0),
        parameter("exploration", Scale::Log, false, 1.3, 0.5),
        depth,
    ])
}

/// A start in a corner, where many edits change nothing.
fn cornered_space() -> Space {
    let mut space = unit_square(1.0);
    for parameter in &mut space.parameters {
        parameter.start = 0.0;
    }
    space
}

/// Whole numbers, one of them on a log scale, from a corner of their ranges.
fn whole_space() -> Space {
    let parameter = |path: &str, scale, step, min, max| Parameter {
        path: path.into(),
        scale,
        integer: true,
        step,
        min,
        max,
        start: max,
    };
    Space::new(vec![
        parameter("plies", Scale::Linear, 1.0, 0.0, 2.0),
        parameter("size", Scale::Log, 2.0, 1.0, 4096.0),
        parameter("edges", Scale::Linear, 3.0, -5.0, 60.0),
    ])
}

/// Rules that the start is at the edge of, and one between a whole and a broken number.
fn ruled_space() -> Space {
    let mut space = mixed_space();
    space.parameters[1].start = 2.0 / 3.0;
    space.parameters[2].start = 1.0;
    space.with_rules(vec![
        Rule::Ordered {
            parameters: vec![0, 1],
            apart: 0.0,
        },
        Rule::Sum {
            parameters: vec![0, 1, 2],
            at_least: Some(1.5),
            at_most: Some(3.4),
        },
    ])
}

/// A chain of whole numbers and a sum of two of them that leaves few vectors.
fn chained_space() -> Space {
    let mut space = whole_space();
    for (parameter, start) in space.parameters.iter_mut().zip([0.0, 5.0, 12.0]) {
        parameter.start = start;
    }
    space.with_rules(vec![
        Rule::Ordered {
            parameters: vec![0, 1, 2],
            apart: 3.0,
        },
        Rule::Sum {
            parameters: vec![1, 2],
            at_least: None,
            at_most: Some(17.0),
        },
    ])
}

/// A choice between two numbers, one of them under a rule with a third.
fn choice_space() -> Space {
    let mut space = mixed_space();
    let choice = &mut space.parameters[2];
    choice.scale = Scale::Choice(["one", "other"]);
    (choice.integer, choice.step) = (true, 2.0);
    (choice.min, choice.max, choice.start) = (1.0, 3.0, 3.0);
    let (parameters, apart) = (vec![1, 0], 0.1);
    space.with_rules(vec![Rule::Ordered { parameters, apart }])
}

#[track_caller]
fn check(name: &str) {
    let known = SUBJECTS.iter().find(|(known, _)| *known == name);
    let (_, subject) = known.expect("a subject of the suite");
    let (square, mixed) = (unit_square(0.12), mixed_space());
    let free = [square, mixed, cornered_space(), whole_space()];
    let ruled = [ruled_space(), chained_space(), choice_space()];
    for space in free.into_iter().chain(ruled) {
        space
            .validate()
            .expect("a space of the suite can be searched");
        let space = &space;
        Case { subject, space }.conforms();
    }
}

/// One test of each subject, by its name.
macro_rules! conform {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            check($name);
        })*
    };
}

conform! {
    q_tree_conforms: "q-tree",
    q_tree_by_pairs_conforms: "q-tree by pairs",
    surface_argmax_conforms: "surface-argmax",
    pooled_conforms: "pooled",
    paper_conforms: "paper",
    spsa_conforms: "spsa",
    spsa_with_a_pilot_conforms: "spsa with a pilot",
    rspsa_conforms: "rspsa",
    random_conforms: "random",
}
