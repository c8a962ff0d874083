//! What the constants of a UCT search do, on toy trees.

mod toy_games;

use sixfold_engine::eval::toy::ToyKnowledge;
use sixfold_engine::eval::{Correction, Evaluation, EvaluationForm, Work};
use sixfold_engine::game::GameKind;
use sixfold_engine::game::toy::ToyPosition;
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::SimulationLimit;
use sixfold_engine::search::uct::{EarlyStop, Uct, UctConstants, UctReport};
use toy_games::{STAY_RATES, TREES_PER_RATE, random_game, stream};

type Report = UctReport<sixfold_engine::game::toy::ToyMove>;

fn plain() -> UctConstants {
    UctConstants {
        exploration: 0.5,
        evaluation: Evaluation {
            form: EvaluationForm(0),
            weights: [1.0, 0.0, 0.0, 0.0],
            scale: 2.0,
            noise: 0.0,
            correction: Correction {
                rollouts: 0,
                points: 0.0,
            },
        },
        ..uct_defaults(GameKind::DotsAndBoxes)
    }
}

fn run(
    game: &ToyPosition,
    constants: &UctConstants,
    seed: u64,
    simulations: u64,
) -> (Report, Work) {
    let knowledge = ToyKnowledge::new(game.tree());
    let mut uct = Uct::new(1 << 16);
    let mut work = Work::default();
    let mut control = SimulationLimit(simulations);
    let mut stream = stream(seed);
    let report = uct.search(
        game,
        &knowledge,
        constants,
        &mut stream,
        &mut control,
        &mut work,
    );
    (report, work)
}

fn tree(text: &str) -> ToyPosition {
    text.parse().expect("a tree")
}

#[test]
fn a_child_is_not_visited_first_where_another_exceeds_the_first_visit_value() {
    // Three moves that win, lose and draw; without exploration the first that is good enough stays.
    let game = tree("1(1:2(0:1),-1:2(0:1),0:2(0:1))");
    let with = |first_visit_value, seed| {
        let constants = UctConstants {
            exploration: 0.0,
            first_visit_value,
            ..plain()
        };
        run(&game, &constants, seed, 60).0
    };
    for seed in 0..20 {
        let visited = |value: f64| -> Vec<(f64, u32)> {
            let report = with(value, seed);
            let children = report.children.iter().filter(|child| child.visits > 0);
            children.map(|child| (child.mean, child.visits)).collect()
        };
        assert_eq!(visited(100.0).len(), 3, "all are tried");
        // Below a loss's value nothing else is looked at.
        let first = visited(-1.0);
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].1, 60);
        // Above a draw's value the search goes on until it has found the win, and stays there.
        let until_won = visited(0.6);
        let (last, before) = until_won.split_last().expect("a visit");
        assert_eq!(last.0, 1.0);
        assert!(before.iter().all(|child| child.0 < 0.6 && child.1 == 1));
    }
}

#[test]
fn a_first_visit_value_above_every_ucb_changes_nothing() {
    for seed in 0..TREES_PER_RATE / 10 {
        let game = random_game(seed, STAY_RATES[(seed % 4) as usize]);
        let high = UctConstants {
            first_visit_value: 99.0,
            ..plain()
        };
        let (high, plain) = (run(&game, &high, seed, 80), run(&game, &plain(), seed, 80));
        assert_eq!((high.0.children, high.1), (plain.0.children, plain.1));
    }
}

#[test]
fn a_leaf_is_worth_what_its_evaluation_and_its_rollout_say_by_weight() {
    // The opponent then has two replies: bounds 1 and 3, middle 2; First is 1 ahead already.
    let game = tree("1(1:2(-1:1(0:2),-3:1(0:2)),0:2(0:1,0:1))");
    let at = |evaluation_weight| {
        let constants = UctConstants {
            depth_plies: 1,
            evaluation_weight,
            ..plain()
        };
        let (report, work) = run(&game, &constants, 3, 400);
        let mut children = report.children.into_iter();
        let first = children.find(|child| child.mv.0 == 0).expect("a child");
        (first.mean, work)
    };
    let logistic = |points: f64| 1.0 / (1.0 + (-points / 2.0).exp());
    let (alone, work) = at(1.0);
    assert!((alone - logistic(1.0 + 2.0)).abs() < 1e-12, "{alone}");
    assert_eq!((work.uniform_plies, work.evaluations), (0, 400));
    // Every line is won, so every rollout is worth 1.
    let (mixed, work) = at(0.25);
    assert!(
        (mixed - (0.75 + 0.25 * logistic(3.0))).abs() < 1e-12,
        "{mixed}"
    );
    assert!(work.uniform_plies > 0 && work.evaluations == 400);
    assert_eq!(at(0.0).1.evaluations, 0);
}

#[test]
fn an_early_stop_for_want_of_time_to_catch_up_keeps_the_move() {
    let mut saved = 0;
    for seed in 0..400 {
        let game = random_game(seed, STAY_RATES[(seed % 4) as usize]);
        let stopping = UctConstants {
            early_stop: EarlyStop {
                simulations: 1,
                // No mean is that much better: only what is out of reach stops.
                margin: 10.0,
            },
            ..plain()
        };
        let (all, early) = (
            run(&game, &plain(), seed, 500),
            run(&game, &stopping, seed, 500),
        );
        assert_eq!(early.0.best_move, all.0.best_move, "seed {seed}");
        saved += all.0.simulations - early.0.simulations;
    }
    assert!(saved > 10_000, "{saved}");
}

#[test]
fn a_search_stops_early_once_one_mean_exceeds_every_other_ucb_and_not_before_its_minimum() {
    let game = tree("1(1:2(0:1,0:1),-1:2(0:1,0:1),-1:2(0:1,0:1))");
    let stopped = |simulations, margin| {
        let constants = UctConstants {
            exploration: 0.1,
            early_stop: EarlyStop {
                simulations,
                margin,
            },
            ..plain()
        };
        run(&game, &constants, 1, 100_000).0
    };
    let early = stopped(32, 0.3);
    assert_eq!((early.simulations, early.best_move.0), (32, 0));
    assert_eq!(
        stopped(1_000, 0.3).simulations,
        1_024,
        "looked at once in 32"
    );
    // No mean is that much better; half-way the others can no longer catch up.
    assert_eq!(stopped(32, 0.999).simulations, 50_016);
    assert_eq!(stopped(0, 0.0).simulations, 100_000, "0 never stops");
}

#[test]
fn noise_is_an_error_of_the_position_with_the_stated_spread() {
    let evaluation = Evaluation {
        form: EvaluationForm(0),
        noise: 3.0,
        correction: Correction {
            rollouts: 0,
            points: 0.0,
        },
        ..plain().evaluation
    };
    let errors: Vec<f64> = (0..20_000).map(|key| evaluation.error_of(key)).collect();
    let mean = errors.iter().sum::<f64>() / 20_000.0;
    let variance = errors.iter().map(|error| error * error).sum::<f64>() / 20_000.0;
    assert!(mean.abs() < 0.1, "{mean}");
    assert!((variance.sqrt() - 3.0).abs() < 0.1, "{variance}");
    assert_eq!(evaluation.error_of(7), evaluation.error_of(7));
    assert_eq!(plain().evaluation.error_of(7), 0.0);
}

/// A bandit of ten arms: move *k* leads to a single ply whose moves win with probability
/// `winning[k] / 20`.
fn bandit(winning: &[usize; 10]) -> ToyPosition {
    let arm = |&wins: &usize| {
        let ends = (0..20).map(|end| if end < wins { "-1:1" } else { "1:1" });
        format!("0:2({})", ends.collect::<Vec<_>>().join(","))
    };
    let arms: Vec<String> = winning.iter().map(arm).collect();
    tree(&format!("1({})", arms.join(",")))
}

#[test]
fn ucb_plays_the_worse_of_ten_arms_as_seldom_as_its_theorem_says() {
    // CITE: Auer, Cesa-Bianchi, Fischer 2002, theorem 1: with C = 1 an arm that is worse by d is
    // expected to be played at most 8 ln n / d^2 + 1 + pi^2 / 3 times in n plays.
    const PLAYS: u64 = 20_000;
    const SEEDS: u64 = 10;
    let winning = [2, 5, 9, 18, 1, 7, 11, 4, 3, 8];
    let game = bandit(&winning);
    let constants = UctConstants {
        exploration: 1.0,
        depth_plies: 1,
        ..plain()
    };
    let mut visits = [0u64; 10];
    for seed in 0..SEEDS {
        for child in run(&game, &constants, seed, PLAYS).0.children {
            visits[usize::from(child.mv.0)] += u64::from(child.visits);
        }
    }
    let mean = visits.map(|sum| sum as f64 / SEEDS as f64);
    for (arm, &wins) in winning.iter().enumerate().filter(|(arm, _)| *arm != 3) {
        let worse_by = (18 - wins) as f64 / 20.0;
        let logarithm = (PLAYS as f64).ln();
        let bound =
            8.0 * logarithm / (worse_by * worse_by) + 1.0 + std::f64::consts::PI.powi(2) / 3.0;
        assert!(
            mean[arm] <= bound,
            "arm {arm}: {} plays, at most {bound}",
            mean[arm]
        );
        // It is never given up: the logarithm of N keeps calling it back.
        assert!(
            mean[arm] >= logarithm / 2.0,
            "arm {arm}: {} plays",
            mean[arm]
        );
    }
    assert!(mean[3] > 0.9 * PLAYS as f64, "the best arm: {}", mean[3]);
}

#[test]
fn ucb_earns_more_than_trying_every_arm_equally_and_then_the_best() {
    // The seed's question: a hundred coins, ten machines. Ten coins each leave none for the best.
    let winning = [2, 5, 9, 14, 1, 7, 11, 4, 3, 8];
    let constants = UctConstants {
        exploration: 0.5,
        depth_plies: 1,
        ..plain()
    };
    let (game, seeds) = (bandit(&winning), 200);
    let mut earned = 0.0;
    for seed in 0..seeds {
        let children = run(&game, &constants, seed, 100).0.children;
        earned += children
            .iter()
            .map(|c| c.mean * f64::from(c.visits))
            .sum::<f64>();
    }
    let equally = winning.iter().sum::<usize>() as f64 / 20.0 * 10.0;
    let mean = earned / seeds as f64;
    assert!(mean > 1.15 * equally, "{mean} against {equally}");
}
