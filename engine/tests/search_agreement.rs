//! Every searcher against plain minimax, on random toy trees in which turns may stay and points
//! are won on the way.

mod toy_games;

use sixfold_engine::eval::toy::ToyKnowledge;
use sixfold_engine::eval::{
    Evaluation, Knowledge, MoveClass, MoveList, RemainingBounds, RolloutPolicy, Work,
};
use sixfold_engine::game::Position;
use sixfold_engine::game::toy::{ToyMove, ToyPosition, Tree, TreeShape};
use sixfold_engine::search::alpha_beta::{Solver, SolverOptions};
use sixfold_engine::search::plain::plain_minimax;
use sixfold_engine::search::{Step, Unlimited, Value, Window, WorkLimit};
use sixfold_engine::stream::Stream;
use toy_games::{STAY_RATES, TREES_PER_RATE, random_game, shape, stream};

/// Runs a check on every random game; a failure names the seed and the tree.
fn on_random_games(trees: u64, check: impl Fn(u64, &ToyPosition)) {
    for stay_percent in STAY_RATES {
        for seed in 0..trees {
            check(seed, &random_game(seed, stay_percent));
        }
    }
}

/// Every combination of what the solver may use.
fn all_options() -> impl Iterator<Item = SolverOptions> {
    (0..16u16).map(|bits| SolverOptions {
        table: bits & 1 != 0,
        reductions: bits & 2 != 0,
        bounds: bits & 4 != 0,
        proven: bits & 8 != 0,
        table_min_moves_left: bits % 3,
    })
}

/// Like [`ToyKnowledge`], but the reduced list leaves out what plain minimax shows to be
/// unnecessary, and stands in another order.
struct Reduced(ToyKnowledge);

impl Knowledge<ToyPosition> for Reduced {
    type Moves = <ToyKnowledge as Knowledge<ToyPosition>>::Moves;
    fn moves(&self, position: &ToyPosition, list: MoveList) -> Self::Moves {
        self.0.moves(position, list)
    }
    fn class(&self, position: &ToyPosition, mv: ToyMove) -> MoveClass {
        self.0.class(position, mv)
    }
    fn classed_moves(
        &self,
        position: &ToyPosition,
        list: MoveList,
        out: &mut Vec<(ToyMove, MoveClass)>,
    ) {
        self.0.classed_moves(position, list, out);
    }
    fn sufficient_moves(&self, position: &ToyPosition, out: &mut Vec<ToyMove>) {
        let needed = plain_minimax(position).optimal_moves[0];
        let mut all = Vec::new();
        position.legal_moves(&mut all);
        // Which others stay depends on the place of the node only.
        all.retain(|&mv| mv == needed || (position.node() + usize::from(mv.0)).is_multiple_of(3));
        out.extend(all.iter().rev());
    }
    fn evaluate(&self, position: &ToyPosition, evaluation: &Evaluation, work: &mut Work) -> f64 {
        self.0.evaluate(position, evaluation, work)
    }
    fn solving_units(&self, position: &ToyPosition) -> u64 {
        self.0.solving_units(position)
    }
    fn moves_above(&self, position: &ToyPosition, alpha: i16, out: &mut Vec<ToyMove>) -> i16 {
        self.sufficient_moves(position, out);
        let mut others = i16::MIN;
        out.retain(|&mv| {
            let mut child = position.clone();
            child.play(mv);
            let value = Step::between(position, &child).value_of(plain_minimax(&child).value);
            if value.0 <= alpha {
                others = others.max(value.0);
            }
            value.0 > alpha
        });
        others
    }
    fn rollout(
        &self,
        position: &ToyPosition,
        policy: RolloutPolicy,
        stream: &mut Stream,
        work: &mut Work,
    ) -> i32 {
        self.0.rollout(position, policy, stream, work)
    }
    fn remaining_key(&self, position: &ToyPosition) -> u64 {
        self.0.remaining_key(position)
    }
    fn remaining_bounds(&self, position: &ToyPosition) -> RemainingBounds {
        self.0.remaining_bounds(position)
    }
    fn proven_remaining(&self, position: &ToyPosition) -> Option<i16> {
        self.0.proven_remaining(position)
    }
    fn moves_left(&self, position: &ToyPosition) -> u16 {
        self.0.moves_left(position)
    }
}

/// The first optimal move, in the order of the legal moves, of those that the solver considers.
fn first_optimal<K: Knowledge<ToyPosition>>(
    game: &ToyPosition,
    knowledge: &K,
    options: SolverOptions,
    optimal: &[ToyMove],
) -> ToyMove {
    let mut considered = Vec::new();
    if options.reductions {
        knowledge.sufficient_moves(game, &mut considered);
    } else {
        game.legal_moves(&mut considered);
    }
    let first = optimal.iter().find(|mv| considered.contains(mv));
    *first.expect("a sufficient list has an optimal move")
}

/// Value, best move and list of optimal moves of one solver against plain minimax.
fn check_solver<K: Knowledge<ToyPosition>>(
    game: &ToyPosition,
    knowledge: &K,
    entries: usize,
    options: SolverOptions,
) {
    let plain = plain_minimax(game);
    let context = || format!("{game} with {options:?}, {entries} entries");
    let mut solver = Solver::with_entries(entries, options);
    let mut work = Work::default();
    let solved = solver
        .solve(game, knowledge, &mut Unlimited, &mut work)
        .expect("nothing stops it");
    assert_eq!(solved.value, plain.value, "{}", context());
    assert_eq!(
        solved.best_move,
        first_optimal(game, knowledge, options, &plain.optimal_moves),
        "{}",
        context()
    );
    // A second time with a full table, then all moves.
    for fresh in [false, true] {
        if fresh {
            solver.new_game();
        } else {
            let again = solver.solve(game, knowledge, &mut Unlimited, &mut work);
            let again = again.expect("nothing stops it");
            assert_eq!(again.best_move, solved.best_move, "{}", context());
        }
        let all = solver
            .optimal_moves(game, knowledge, &mut Unlimited, &mut work)
            .expect("nothing stops it");
        assert_eq!(all.value, plain.value, "{}", context());
        assert_eq!(all.moves, plain.optimal_moves, "{}", context());
    }
}

#[test]
fn alpha_beta_agrees_with_plain_minimax_with_every_option() {
    on_random_games(TREES_PER_RATE, |_, game| {
        let knowledge = ToyKnowledge::new(game.tree());
        for options in all_options() {
            check_solver(game, &knowledge, 1 << 12, options);
        }
    });
}

#[test]
fn alpha_beta_agrees_when_its_table_forgets_most() {
    on_random_games(TREES_PER_RATE / 2, |_, game| {
        let knowledge = ToyKnowledge::new(game.tree());
        for options in all_options().filter(|options| options.table) {
            check_solver(game, &knowledge, 4, options);
        }
    });
}

#[test]
fn alpha_beta_agrees_when_moves_are_left_out_and_reordered() {
    on_random_games(TREES_PER_RATE / 5, |_, game| {
        let knowledge = Reduced(ToyKnowledge::new(game.tree()));
        for options in all_options() {
            check_solver(game, &knowledge, 64, options);
        }
    });
}

#[test]
fn values_of_a_whole_game_agree_with_one_table() {
    on_random_games(TREES_PER_RATE / 5, |seed, game| {
        let knowledge = ToyKnowledge::new(game.tree());
        let mut solver = Solver::with_entries(16, SolverOptions::default());
        let mut stream = stream(seed);
        let mut position = game.clone();
        while position.outcome().is_none() {
            let solved = solver
                .solve(&position, &knowledge, &mut Unlimited, &mut Work::default())
                .expect("nothing stops it");
            assert_eq!(solved.value, plain_minimax(&position).value, "{position}");
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[stream.below(moves.len() as u32) as usize]);
        }
    });
}

#[test]
fn a_window_gets_the_value_or_the_right_side() {
    on_random_games(TREES_PER_RATE / 5, |_, game| {
        let knowledge = ToyKnowledge::new(game.tree());
        let value = plain_minimax(game).value;
        for options in all_options() {
            let mut solver = Solver::with_entries(64, options);
            let windows = (-6..6).flat_map(|alpha| [(alpha, alpha + 1), (alpha, alpha + 4)]);
            let windows = windows.map(|(alpha, beta)| Window {
                alpha: Value(alpha),
                beta: Value(beta),
            });
            for window in windows.chain([Window::FULL]) {
                let work = &mut Work::default();
                let answer = solver
                    .solve_window(game, window, &knowledge, &mut Unlimited, work)
                    .expect("nothing stops it");
                if answer.value >= window.beta {
                    assert!(value >= answer.value, "{game} {window:?} {options:?}");
                } else if answer.value <= window.alpha {
                    assert!(value <= answer.value, "{game} {window:?} {options:?}");
                } else {
                    assert_eq!(value, answer.value, "{game} {window:?} {options:?}");
                }
                assert_eq!(answer.best_move.is_some(), answer.value > window.alpha);
            }
        }
    });
}

#[test]
fn a_new_game_repeats_the_first_search_node_by_node() {
    on_random_games(TREES_PER_RATE / 5, |seed, game| {
        let knowledge = ToyKnowledge::new(game.tree());
        let options = SolverOptions {
            table_min_moves_left: 0,
            proven: false,
            ..SolverOptions::default()
        };
        let entries = 4 << (seed % 6);
        let mut solver = Solver::with_entries(entries, options);
        let mut solve = || {
            let mut work = Work::default();
            let solved = solver.solve(game, &knowledge, &mut Unlimited, &mut work);
            solver.new_game();
            (solved, work)
        };
        let first = solve();
        assert_eq!(solve(), first, "{game} with {entries} entries");
    });
}

#[test]
fn a_stopped_search_says_nothing_or_the_truth() {
    let (mut stopped, mut finished) = (0, 0);
    for seed in 0..60 {
        let shape = TreeShape {
            plies: 9,
            branching: 4,
            ..shape(seed, 50)
        };
        let mut stream = stream(seed);
        let game = Tree::random(&shape, &mut |n| stream.below(n)).start();
        let knowledge = ToyKnowledge::new(game.tree());
        let value = plain_minimax(&game).value;
        let mut solver = Solver::with_entries(256, SolverOptions::default());
        for limit in [0, 1, 1_000, 5_000, 20_000, 80_000, 5_000_000] {
            let mut solve = || {
                let mut work = Work::default();
                solver.new_game();
                let solved = solver.solve(&game, &knowledge, &mut WorkLimit(limit), &mut work);
                (solved, work)
            };
            let result = solve();
            assert_eq!(solve(), result, "a limit in work is deterministic: {seed}");
            match result.0 {
                Some(solved) => {
                    assert_eq!(solved.value, value, "tree of seed {seed}, limit {limit}");
                    finished += 1;
                }
                None => stopped += 1,
            }
            if limit == 0 {
                assert_eq!(result, (None, Work::default()));
            }
        }
    }
    assert!(stopped > 100 && finished > 60, "{stopped} {finished}");
}
