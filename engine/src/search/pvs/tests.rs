//! The search against plain minimax to the same depth.

use super::*;
use crate::eval::toy::ToyKnowledge;
use crate::eval::{Correction, EvaluationForm};
use crate::game::toy::{ToyPosition, Tree, TreeShape};
use crate::search::{SimulationLimit, Step, Unlimited};
use crate::stream::{Purpose, Stream, StreamKey};

fn random_tree(stream: &mut Stream) -> ToyPosition {
    let shape = TreeShape {
        plies: 6,
        branching: 4,
        leaf_percent: 10,
        stay_percent: 40,
        max_gain: 2,
        gain_unit: 1,
    };
    Tree::random(&shape, &mut |bound| stream.below(bound)).start()
}

const CONSTANTS: PvsConstants = PvsConstants {
    depth_plies: 20,
    width: 0,
    move_list: MoveList::All,
    evaluation: Evaluation {
        form: EvaluationForm(0),
        weights: [1.0, 0.0, 0.0, 0.0],
        scale: 1.0,
        noise: 0.7,
        correction: Correction {
            rollouts: 0,
            points: 0.0,
        },
    },
};

/// Every combination of what the search may use.
fn all_options() -> impl Iterator<Item = PvsOptions> {
    (0..32u8).map(|bits| PvsOptions {
        table: bits & 1 != 0,
        static_order: bits & 2 != 0,
        refutations: bits & 4 != 0,
        null_windows: bits & 8 != 0,
        aspiration: bits & 16 != 0,
    })
}

/// A move and what it leads to.
type Child = (<ToyPosition as Position>::Move, ToyPosition, Step);

fn children(position: &ToyPosition) -> Vec<Child> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let child = |mv| {
        let mut child = position.clone();
        child.play(mv);
        let step = Step::between(position, &child);
        (mv, child, step)
    };
    moves.into_iter().map(child).collect()
}

fn seen_by(step: Step, child: Score) -> Score {
    let gain = step.estimate_of(0.0) as Score * (1 << 20);
    gain + if step.estimate_of(1.0) > step.estimate_of(0.0) {
        child
    } else {
        -child
    }
}

fn static_value(position: &ToyPosition, knowledge: &ToyKnowledge) -> Score {
    if position.outcome().is_some() {
        return 0;
    }
    let points = knowledge.evaluate(position, &CONSTANTS.evaluation, &mut Work::default());
    libm::round(points / UNIT) as Score
}

/// The value to a depth without windows, table and order but for the width's.
fn plain(position: &ToyPosition, knowledge: &ToyKnowledge, depth: u16, width: u16) -> Score {
    if position.outcome().is_some() {
        return 0;
    }
    if depth == 0 && !knowledge.is_within_turn(position) {
        return static_value(position, knowledge);
    }
    let mut children = children(position);
    if width > 0 && depth >= WIDTH_DEPTH {
        children.sort_by_key(|(_, child, step)| -seen_by(*step, static_value(child, knowledge)));
        children.truncate(width.into());
    }
    let below = depth.saturating_sub(1);
    let values = children
        .iter()
        .map(|(_, child, step)| seen_by(*step, plain(child, knowledge, below, width)));
    values.max().expect("a game that is not over has a move")
}

/// As [`plain`], where a width leaves those moves of the root that were best at depth 1.
fn plain_root(root: &ToyPosition, knowledge: &ToyKnowledge, depth: u16, width: u16) -> Score {
    let mut children = children(root);
    if width > 0 && depth > 1 {
        children.sort_by_key(|(_, child, step)| -seen_by(*step, plain(child, knowledge, 0, width)));
        children.truncate(width.into());
    }
    let values = children
        .iter()
        .map(|(_, child, step)| seen_by(*step, plain(child, knowledge, depth - 1, width)));
    values.max().expect("a game that is not over has a move")
}

/// Searches to every depth in turn with one table and compares each value with plain minimax.
fn check_every_depth(root: &ToyPosition, searcher: &mut Pvs<ToyPosition>, width: u16) {
    let knowledge = ToyKnowledge::new(root.tree());
    let constants = PvsConstants { width, ..CONSTANTS };
    let (mut control, mut work) = (Unlimited, Work::default());
    let options = searcher.options;
    let mut descent = Descent::new(searcher, &knowledge, &constants, &mut control, &mut work);
    let mut moves: Vec<_> = children(root).iter().map(|(mv, ..)| (*mv, 0)).collect();
    let mut report = DeepeningReport {
        best_move: moves[0].0,
        value: 0.0,
        depth_plies: 0,
        evaluations: 0,
    };
    for depth in 1..7 {
        iterate(&mut descent, root, depth, &mut moves, &mut report).expect("nothing stops it");
        let expected = plain_root(root, &knowledge, depth, width);
        assert_eq!(
            report.value,
            expected as f64 * UNIT,
            "{root} {depth} {options:?}"
        );
        let mut child = root.clone();
        child.play(report.best_move);
        let below = plain(&child, &knowledge, depth - 1, width);
        let of_best = seen_by(Step::between(root, &child), below);
        assert_eq!(of_best, expected, "{root} {depth} {options:?}");
        if depth == 1 {
            descent.sort_root(&mut moves);
            descent.keep_static_values_to(descent.nearest_leaf().unwrap_or(1));
        }
    }
}

#[test]
fn every_depth_has_the_value_of_plain_minimax_whatever_the_search_uses() {
    let mut stream = StreamKey::new(61, Purpose::Bench).stream();
    for _ in 0..150 {
        let root = random_tree(&mut stream);
        for options in all_options() {
            check_every_depth(&root, &mut Pvs::with_entries(1 << 10, options), 0);
            check_every_depth(&root, &mut Pvs::with_entries(2, options), 0);
        }
    }
}

#[test]
fn a_width_leaves_the_moves_with_the_best_static_values() {
    let mut stream = StreamKey::new(62, Purpose::Bench).stream();
    let mut differing = 0;
    for _ in 0..150 {
        let root = random_tree(&mut stream);
        for width in [1, 2, 3] {
            for options in all_options() {
                check_every_depth(&root, &mut Pvs::with_entries(1 << 10, options), width);
            }
            let knowledge = ToyKnowledge::new(root.tree());
            let [narrow, all] = [width, 0].map(|width| plain_root(&root, &knowledge, 4, width));
            differing += usize::from(narrow != all);
        }
    }
    assert!(differing > 50, "{differing}");
}

#[test]
fn the_moves_of_a_game_have_plain_values_with_what_the_table_holds_of_those_before() {
    let mut stream = StreamKey::new(63, Purpose::Bench).stream();
    for _ in 0..100 {
        let mut position = random_tree(&mut stream);
        let mut searcher = Pvs::with_entries(64, PvsOptions::default());
        while position.outcome().is_none() {
            check_every_depth(&position, &mut searcher, 0);
            let moves = children(&position);
            position = moves[stream.below(moves.len() as u32) as usize].1.clone();
        }
    }
}

#[test]
fn a_search_sees_nothing_of_an_earlier_game_or_of_other_constants() {
    let mut stream = StreamKey::new(64, Purpose::Bench).stream();
    let other = PvsConstants {
        evaluation: Evaluation {
            weights: [-3.0, 0.0, 0.0, 0.0],
            ..CONSTANTS.evaluation
        },
        ..CONSTANTS
    };
    for _ in 0..100 {
        let root = random_tree(&mut stream);
        let knowledge = ToyKnowledge::new(root.tree());
        let mut searcher = Pvs::with_entries(1 << 10, PvsOptions::default());
        let mut run = |constants: &PvsConstants, fresh: bool| {
            if fresh {
                searcher.new_game();
            }
            let mut work = Work::default();
            let report = searcher.search(&root, &knowledge, constants, &mut Unlimited, &mut work);
            (report, work)
        };
        let first = run(&CONSTANTS, false);
        assert_eq!(run(&CONSTANTS, true), first);
        run(&other, false);
        assert_eq!(run(&CONSTANTS, false), first);
    }
}

#[test]
fn a_search_stops_after_so_many_evaluations_with_a_move() {
    let mut stream = StreamKey::new(65, Purpose::Bench).stream();
    for _ in 0..60 {
        let root = random_tree(&mut stream);
        let knowledge = ToyKnowledge::new(root.tree());
        let run = |limit| {
            let mut searcher = Pvs::with_entries(64, PvsOptions::default());
            let (mut control, mut work) = (SimulationLimit(limit), Work::default());
            searcher.search(&root, &knowledge, &CONSTANTS, &mut control, &mut work)
        };
        let all = run(u64::MAX).evaluations;
        for limit in 1..all {
            let found = run(limit);
            assert!(found.evaluations <= limit + 4, "ordering one node's moves");
            assert!(root.is_legal(found.best_move));
        }
        assert_eq!(run(0).evaluations, 0);
    }
}

#[test]
fn depths_that_lead_to_the_same_leaves_are_skipped() {
    // Every first move has a single answer, so no leaf is nearer than two plies.
    let root: ToyPosition = "1(0:2(0:1(1:1,0:1)),1:2(0:1(0:2,1:1)))"
        .parse()
        .expect("a tree");
    let knowledge = ToyKnowledge::new(root.tree());
    let depth_of = |depth_plies| {
        let constants = PvsConstants {
            depth_plies,
            ..CONSTANTS
        };
        let mut searcher = Pvs::with_entries(64, PvsOptions::default());
        let work = &mut Work::default();
        let report = searcher.search(&root, &knowledge, &constants, &mut Unlimited, work);
        report.depth_plies
    };
    assert_eq!([1, 2, 3].map(depth_of), [2, 2, 3]);
}
