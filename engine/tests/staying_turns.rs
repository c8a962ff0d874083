//! Turns that do not pass: the wrong rules of the field fail on the trees that the searchers are
//! tested with, and UCT finds minimax's moves on them.

mod toy_games;

use sixfold_engine::eval::Work;
use sixfold_engine::eval::toy::ToyKnowledge;
use sixfold_engine::game::toy::{ToyPosition, Tree, TreeShape};
use sixfold_engine::game::{GameKind, Position};
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::SimulationLimit;
use sixfold_engine::search::plain::plain_minimax;
use sixfold_engine::search::uct::{Uct, UctConstants};
use toy_games::{STAY_RATES, TREES_PER_RATE, random_game, shape, stream};

/// What the wrong rules of the field make of a turn that stays.
#[derive(Clone, Copy)]
enum Rule {
    Right,
    AlwaysNegate,
    SignWithoutWindow,
}

/// Alpha-beta in a few lines by a right or wrong rule; window and value without the gains so far.
fn textbook_alpha_beta(position: &ToyPosition, alpha: i32, beta: i32, rule: Rule) -> i32 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut best = if moves.is_empty() { 0 } else { -1_000 };
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        let gain = (child.margin() - position.margin()) * position.to_move().sign();
        let stays = child.to_move() == position.to_move();
        let (low, high) = (alpha.max(best) - gain, beta - gain);
        let value = match rule {
            Rule::Right if stays => textbook_alpha_beta(&child, low, high, rule),
            Rule::SignWithoutWindow if stays => textbook_alpha_beta(&child, -high, -low, rule),
            _ => -textbook_alpha_beta(&child, -high, -low, rule),
        };
        best = best.max(gain + value);
        if best >= beta {
            break;
        }
    }
    best
}

/// Wrong root values among the random games at one rate of staying turns.
fn wrong_values(stay_percent: u32, rule: Rule) -> usize {
    let wrong = |&seed: &u64| {
        let game = random_game(seed, stay_percent);
        let value = textbook_alpha_beta(&game, -1_000, 1_000, rule);
        value != i32::from(plain_minimax(&game).value.0)
    };
    (0..TREES_PER_RATE).filter(wrong).count()
}

#[test]
fn these_trees_expose_the_wrong_rules_of_staying_turns() {
    for stay_percent in STAY_RATES {
        assert_eq!(wrong_values(stay_percent, Rule::Right), 0);
    }
    for wrong in [Rule::AlwaysNegate, Rule::SignWithoutWindow] {
        assert_eq!(
            wrong_values(0, wrong),
            0,
            "turns that alternate are no test"
        );
        for stay_percent in [20, 50, 100] {
            let count = wrong_values(stay_percent, wrong);
            assert!(count > 40, "{count} wrong values at {stay_percent} %");
        }
    }
}

#[test]
fn uct_finds_an_optimal_move_of_small_trees() {
    let constants = UctConstants {
        exploration: 0.5,
        // The margin alone, so that what is optimal for UCT is what is optimal for minimax.
        margin_weight: 1.0,
        ..uct_defaults(GameKind::DotsAndBoxes)
    };
    let mut uct = Uct::new(1 << 14);
    let mut decided = 0;
    for stay_percent in STAY_RATES {
        for seed in 0..50 {
            let shape = TreeShape {
                plies: 4,
                branching: 3,
                ..shape(seed, stay_percent)
            };
            let mut stream = stream(seed);
            let game = Tree::random(&shape, &mut |n| stream.below(n)).start();
            let knowledge = ToyKnowledge::new(game.tree());
            let report = uct.search(
                &game,
                &knowledge,
                &constants,
                &mut stream,
                &mut SimulationLimit(20_000),
                &mut Work::default(),
            );
            let optimal = plain_minimax(&game).optimal_moves;
            assert!(optimal.contains(&report.best_move), "{game}");
            decided += usize::from(optimal.len() < report.children.len());
        }
    }
    assert!(
        decided > 80,
        "only {decided} trees had a wrong move to make"
    );
}
