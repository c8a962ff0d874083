//! Unit tests of staged UCT on toy trees.

use super::*;
use crate::eval::toy::{GAINS, OTHER, STAYS, ToyKnowledge};
use crate::eval::{Correction, EvaluationForm};
use crate::game::toy::{ToyMove, ToyPosition};
use crate::search::{SimulationLimit, WorkLimit};
use crate::stream::{Purpose, StreamKey};

mod naive;

const PLAIN: UctConstants = UctConstants {
    exploration: 0.5,
    bias: [0.0; MoveClass::COUNT],
    depth_plies: u16::MAX,
    move_list: MoveList::All,
    rollout: RolloutPolicy::Uniform,
    final_move: FinalMove::Visits,
    expand_after_visits: 1,
    margin_weight: 0.0,
    first_visit_value: UNVISITED_FIRST,
    evaluation_weight: 0.0,
    width: 0,
    widening: Widening {
        first: 0,
        exponent: 0.0,
    },
    evaluation: Evaluation {
        form: EvaluationForm(0),
        weights: [1.0, 0.0, 0.0, 0.0],
        scale: 1.0,
        noise: 0.0,
        correction: Correction {
            rollouts: 0,
            points: 0.0,
        },
    },
    early_stop: EarlyStop {
        simulations: 0,
        margin: 0.0,
    },
    transpositions: Transpositions::Separate,
};

/// Three moves, staying turns, gains, early ends, up to four plies.
const GOLDEN: &str = "1(1:1(0:2(2:2(0:1,-1:1),0:1(1:2,0:2)),-1:2(1:1,0:1)),\
                      0:2(1:2(0:1,-2:1),-1:1(2:2,0:1(0:2,1:1))),\
                      2:2(2:2(1:1,0:1),0:1(0:2,-1:2)))";

/// Two moves that both lead to draws by two plies each, the first keeping the turn.
const DRAWS: &str = "1(0:1(0:2(0:1,0:1),0:2(0:1,0:1)),0:2(0:1(0:2,0:2),0:1(0:2,0:2)))";

type ToyUct = Uct<ToyPosition, ToyKnowledge>;

struct Run {
    report: UctReport<ToyMove>,
    work: Work,
}

impl Run {
    fn visits(&self, mv: u8) -> u32 {
        self.child(mv).visits
    }

    fn child(&self, mv: u8) -> &ChildReport<ToyMove> {
        let mut children = self.report.children.iter();
        children.find(|c| c.mv == ToyMove(mv)).expect("a child")
    }

    fn order(&self) -> Vec<u8> {
        self.report.children.iter().map(|c| c.mv.0).collect()
    }
}

fn run_with(
    uct: &mut ToyUct,
    text: &str,
    constants: &UctConstants,
    seed: u64,
    control: &mut dyn Control,
) -> Run {
    let game: ToyPosition = text.parse().expect("a tree");
    let knowledge = ToyKnowledge::new(game.tree());
    let mut work = Work::default();
    let mut stream = StreamKey::new(seed, Purpose::Bench).stream();
    let report = uct.search(
        &game,
        &knowledge,
        constants,
        &mut stream,
        control,
        &mut work,
    );
    Run { report, work }
}

fn run(text: &str, constants: &UctConstants, simulations: u64) -> Run {
    let limit = &mut SimulationLimit(simulations);
    run_with(&mut Uct::new(1 << 16), text, constants, 1, limit)
}

#[test]
fn a_staying_turn_keeps_the_point_of_view() {
    // Move 0 keeps the turn, and the same player then chooses between winning and losing; move 1
    // draws. A search that negates at every ply lets the "opponent" choose the loss after move 0,
    // values it 0 instead of 1, and plays move 1.
    for text in [
        "1(0:1(1:2,-1:2),0:2(0:1,0:1))",
        "2(0:2(1:1,-1:1),0:1(0:2,0:2))",
    ] {
        let run = run(text, &PLAIN, 400);
        assert_eq!(run.report.best_move, ToyMove(0), "{text}");
        assert!(run.child(0).mean > 0.9, "{text}");
        assert_eq!(run.child(1).mean, 0.5, "{text}");
    }
}

#[test]
fn a_passing_turn_changes_the_point_of_view() {
    // As above, but the opponent chooses after move 0.
    let run = run("1(0:2(1:2,-1:2),0:2(0:1,0:1))", &PLAIN, 400);
    assert_eq!(run.report.best_move, ToyMove(1));
    assert!(run.child(0).mean < 0.2);
}

#[test]
fn golden_tree_of_fifty_simulations() {
    let run = run(GOLDEN, &PLAIN, 50);
    let visits: Vec<(u8, u32)> = run
        .report
        .children
        .iter()
        .map(|c| (c.mv.0, c.visits))
        .collect();
    assert_eq!(visits, [(1, 16), (2, 15), (0, 19)]);
    assert_eq!(run.report.max_depth, 4);
    assert_eq!(run.report.tree_nodes, 22);
    let work = Work {
        uniform_plies: 4,
        tree_levels: 158,
        children: 21,
        ..Work::default()
    };
    assert_eq!(run.work, work);
    assert_eq!(run.report.best_move, ToyMove(0));
}

#[test]
fn visits_of_the_children_sum_to_the_simulations() {
    for simulations in 1..100 {
        let run = run(GOLDEN, &PLAIN, simulations);
        let sum: u32 = run.report.children.iter().map(|c| c.visits).sum();
        assert_eq!(u64::from(sum), simulations);
        assert_eq!(run.report.simulations, simulations);
    }
}

#[test]
fn the_same_seed_gives_the_same_report_whatever_was_searched_before() {
    let mut used = Uct::new(1 << 16);
    let search = |uct: &mut ToyUct, text, seed| {
        run_with(uct, text, &PLAIN, seed, &mut SimulationLimit(200)).report
    };
    let first = search(&mut used, GOLDEN, 7);
    search(&mut used, DRAWS, 8);
    assert_eq!(search(&mut used, GOLDEN, 7), first);
    assert_eq!(search(&mut Uct::new(1 << 16), GOLDEN, 7), first);
    let others = (0..20).filter(|&seed| search(&mut used, GOLDEN, seed) != first);
    assert!(others.count() > 10, "the seed decides something");
}

#[test]
fn larger_bias_is_visited_first() {
    // Classes of the moves 0 to 3: loses, other, gains, stays.
    let text = "1(-1:2(0:1,0:1),0:2(0:1,0:1),1:2(0:1,0:1),0:1(0:2,0:2))";
    let constants = UctConstants {
        bias: [0.2, -0.05, 0.1, 0.0],
        ..PLAIN
    };
    assert_eq!(run(text, &constants, 1).order(), [2, 3, 1, 0]);
    for simulations in 1..4 {
        let run = run(text, &constants, simulations);
        let visited = run.report.children.iter().map(|c| u64::from(c.visits));
        let expected = (0..4).map(|index| u64::from(index < simulations));
        assert!(visited.eq(expected));
    }
}

#[test]
fn equal_biases_are_tried_in_seeded_random_order() {
    let text = "1(0:2(0:1),0:2(0:1),0:2(0:1))";
    let orders = (0..200).map(|seed| {
        let limit = &mut SimulationLimit(1);
        run_with(&mut Uct::new(64), text, &PLAIN, seed, limit).order()
    });
    let mut orders: Vec<Vec<u8>> = orders.collect();
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 6, "all orders of three moves occur");
}

#[test]
fn bias_shifts_the_selection_among_equals() {
    let mut bias = [0.0; MoveClass::COUNT];
    let neutral = run(DRAWS, &PLAIN, 1_000);
    assert!(neutral.visits(0).abs_diff(neutral.visits(1)) <= 1);
    bias[STAYS.index()] = 0.1;
    let towards = run(DRAWS, &UctConstants { bias, ..PLAIN }, 1_000);
    assert!(towards.visits(0) > 2 * towards.visits(1));
    bias[STAYS.index()] = -0.1;
    let away = run(DRAWS, &UctConstants { bias, ..PLAIN }, 1_000);
    assert!(away.visits(1) > 2 * away.visits(0));
    assert_eq!(away.child(0).class, STAYS);
    assert_eq!(away.child(1).class, OTHER);
    assert_eq!(away.child(0).mean, 0.5, "a mean is without bias");
}

#[test]
fn bias_applies_below_the_root_too() {
    // Below either move the opponent has a gain and another move; the gain is the worse one,
    // because it keeps neither the turn nor the game, and a large bias makes it look good.
    let text = "1(0:2(1:1(3:2),0:1(-1:2)),0:2(1:1(3:2),0:1(-1:2)))";
    let mut bias = [0.0; MoveClass::COUNT];
    bias[GAINS.index()] = 5.0;
    let with = run(text, &UctConstants { bias, ..PLAIN }, 500);
    let without = run(text, &PLAIN, 500);
    assert!(with.child(0).mean > 0.9 && without.child(0).mean < 0.2);
}

#[test]
fn depth_one_is_a_flat_bandit() {
    let flat = UctConstants {
        depth_plies: 1,
        ..PLAIN
    };
    let run_flat = run(GOLDEN, &flat, 200);
    assert_eq!(run_flat.report.max_depth, 1);
    assert_eq!(run_flat.report.tree_nodes, 1 + 3);
    assert_eq!(run_flat.work.tree_levels, 200);
    for depth_plies in 2..4 {
        let constants = UctConstants {
            depth_plies,
            ..PLAIN
        };
        assert_eq!(run(GOLDEN, &constants, 200).report.max_depth, depth_plies);
    }
}

#[test]
fn expansion_waits_for_the_stated_visit() {
    let second = UctConstants {
        expand_after_visits: 2,
        ..PLAIN
    };
    assert_eq!(run(GOLDEN, &second, 3).report.tree_nodes, 1 + 3);
    assert_eq!(run(GOLDEN, &second, 4).report.tree_nodes, 1 + 3 + 2);
    assert_eq!(run(GOLDEN, &PLAIN, 1).report.tree_nodes, 1 + 3 + 2);
}

#[test]
fn limits_are_obeyed_exactly() {
    assert_eq!(run(GOLDEN, &PLAIN, 0).report.simulations, 1, "always one");
    for limit in [1, 30, 100, 1_000, 3_000] {
        let mut uct = Uct::new(1 << 16);
        let stopped = run_with(&mut uct, GOLDEN, &PLAIN, 1, &mut WorkLimit(limit));
        let made = stopped.report.simulations;
        assert!(stopped.work.units() >= limit);
        assert_eq!(run(GOLDEN, &PLAIN, made).work, stopped.work);
        if made > 1 {
            assert!(run(GOLDEN, &PLAIN, made - 1).work.units() < limit);
        }
    }
}

#[test]
fn a_full_tree_stops_growing_and_the_search_goes_on() {
    for max_nodes in [0, 4, 5, 6, 9] {
        let mut uct = Uct::new(max_nodes);
        let run = run_with(&mut uct, GOLDEN, &PLAIN, 1, &mut SimulationLimit(300));
        assert_eq!(run.report.simulations, 300);
        assert!(run.report.tree_nodes <= 4.max(max_nodes as usize));
        assert_eq!(run.work.children as usize, run.report.tree_nodes - 1);
    }
}

#[test]
fn a_single_move_is_played_without_a_simulation() {
    let run = run("1(0:2(1:1,0:1))", &PLAIN, 100);
    assert_eq!(run.report.best_move, ToyMove(0));
    assert_eq!((run.report.simulations, run.report.max_depth), (0, 0));
    assert_eq!(run.visits(0), 0);
}

#[test]
fn values_count_the_result_and_the_margin_by_weight() {
    assert_eq!(value_of_margin(3, 5, 0.0), 1.0);
    assert_eq!(value_of_margin(0, 5, 0.0), 0.5);
    assert_eq!(value_of_margin(-1, 5, 0.0), 0.0);
    assert_eq!(value_of_margin(5, 5, 1.0), 1.0);
    assert_eq!(value_of_margin(-5, 5, 1.0), 0.0);
    assert_eq!(value_of_margin(0, 5, 0.7), 0.5);
    assert_eq!(value_of_margin(1, 2, 0.5), 0.875);
}

#[test]
fn the_final_move_follows_its_rule() {
    let child = |mv, visits, mean, ucb| ChildReport {
        mv,
        class: OTHER,
        visits,
        mean,
        ucb,
    };
    let children = [
        child('a', 0, 0.0, f64::INFINITY),
        child('b', 9, 0.5, 0.7),
        child('c', 9, 0.6, 0.6),
        child('d', 2, 0.9, 1.2),
        child('e', 1, 0.8, 1.3),
        child('f', 1, 0.8, 1.3),
    ];
    let chosen = |rule| children[select::final_child(&children, rule)].mv;
    assert_eq!(chosen(FinalMove::Visits), 'c', "equal visits: the mean");
    assert_eq!(chosen(FinalMove::Mean), 'd');
    assert_eq!(chosen(FinalMove::HighestUcb), 'e', "equal: the first");
}

#[test]
fn the_principal_variation_is_the_line_of_best_play_where_that_is_clear() {
    // First keeps the turn with move 1 and then wins with move 0; Second answers move 0 with a win.
    let text = "1(0:2(-1:1,1:1),0:1(1:2(0:1,0:1),-1:2(0:1,0:1)))";
    let report = run(text, &PLAIN, 400).report;
    let line: Vec<u8> = report
        .principal_variation
        .iter()
        .map(|(mv, _)| mv.0)
        .collect();
    assert_eq!(line[..2], [1, 0]);
    assert_eq!(line.len(), 3, "both moves at the end are worth the same");
}

#[test]
fn the_principal_variation_is_a_legal_line_of_falling_visits_from_the_move_played() {
    for final_move in [FinalMove::Visits, FinalMove::Mean, FinalMove::HighestUcb] {
        for simulations in 1..100 {
            let constants = UctConstants {
                final_move,
                ..PLAIN
            };
            let Run { report, .. } = run(GOLDEN, &constants, simulations);
            assert_eq!(report.constants, constants);
            assert_eq!(report.principal_variation[0].0, report.best_move);
            let mut position: ToyPosition = GOLDEN.parse().expect("a tree");
            let mut before = report.simulations as u32;
            for &(mv, visits) in &report.principal_variation {
                assert!(position.is_legal(mv), "{:?}", report.principal_variation);
                assert!((1..=before).contains(&visits));
                position.play(mv);
                before = visits;
            }
        }
    }
}
