//! The solver of several threads: the answers of the one-threaded solver, whatever the number of
//! threads and the size of the table.

#[path = "seeded_positions/listed.rs"]
mod listed;

use std::num::NonZero;

use sixfold_engine::eval::Work;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::toy::ToyKnowledge;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::search::alpha_beta::{ParallelSolver, Solver, SolverOptions};
use sixfold_engine::search::plain::plain_minimax;
use sixfold_engine::search::{Control, Unlimited, WorkLimit};

#[expect(dead_code, reason = "shared with other tests, which use more of it")]
mod toy_games;
use toy_games::{STAY_RATES, random_game};

/// Table of the solvers, in MiB.
const TABLE_MIB: u32 = 16;

/// Numbers of threads that are compared.
const THREADS: [u16; 3] = [1, 2, 3];

fn threads(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("at least one thread")
}

fn parallel(count: u16) -> ParallelSolver {
    ParallelSolver::new(TABLE_MIB, threads(count), SolverOptions::default())
}

fn single() -> Solver<Dots> {
    Solver::new(TABLE_MIB, SolverOptions::default())
}

/// Value and move of both solvers from empty tables.
fn check_solve(solver: &mut Solver<Dots>, others: &mut [ParallelSolver], position: &Dots) {
    let work = &mut Work::default();
    solver.new_game();
    let expected = solver.solve(position, &DotsKnowledge, &mut Unlimited, work);
    let expected = expected.expect("nothing stops this search");
    for other in others {
        let work = &mut Work::default();
        other.new_game();
        let found = other.solve(position, &DotsKnowledge, &mut Unlimited, work);
        let found = found.expect("nothing stops this search");
        let answer = (found.value, found.best_move);
        assert_eq!(answer, (expected.value, expected.best_move), "{position}");
        assert!(found.nodes > 0 && work.alpha_beta_edges > 0, "{position}");
    }
}

#[test]
fn value_and_move_are_those_of_one_thread() {
    let slow = std::env::var_os("SIXFOLD_SLOW").is_some();
    let most = if slow { 38 } else { 34 };
    let mut others = THREADS.map(parallel);
    let mut count = 0;
    for (_, open, position) in listed::listed_positions() {
        if open <= most {
            check_solve(&mut single(), &mut others, &position);
            count += 1;
        }
    }
    assert_eq!(count, if slow { 200 } else { 120 });
}

#[test]
fn value_and_move_are_those_of_one_thread_with_a_table_of_one_bucket() {
    let tiny = |count| ParallelSolver::with_entries(4, threads(count), SolverOptions::default());
    let mut others = THREADS.map(tiny);
    assert_eq!(others[0].table_byte_limit(), 64);
    for (_, open, position) in listed::listed_positions() {
        if open == 30 {
            check_solve(&mut single(), &mut others, &position);
        }
    }
}

#[test]
fn small_boards_are_worth_the_same_from_the_start() {
    let mut others = THREADS.map(parallel);
    let mut count = 0;
    for (rows, cols) in (1..=8).flat_map(|rows| (1..=8).map(move |cols| (rows, cols))) {
        let Some(board) = Board::of(rows, cols).filter(|board| board.edges() <= 25) else {
            continue;
        };
        check_solve(&mut single(), &mut others, &Dots::new(board));
        count += 1;
    }
    assert_eq!(count, 21);
}

#[test]
fn the_listed_positions_have_their_values_and_optimal_moves() {
    let data: serde_json::Value =
        serde_json::from_str(include_str!("data/dots_exact.json")).expect("the file is JSON");
    let mut solver = parallel(2);
    let (mut board, mut count) = (None, 0);
    let groups = data["positions"].as_object().expect("groups").values();
    for item in groups.flat_map(|group| group.as_array().expect("a list")) {
        let (rows, cols, mask) = (&item["rows"], &item["cols"], &item["mask_hex"]);
        let mask = mask.as_str().expect("a mask");
        let position = Dots::from_text(&format!("{rows}x{cols}:{mask}")).expect("a position");
        if position.open().count_ones() > 28 {
            continue;
        }
        let work = &mut Work::default();
        // What the table holds of other positions of the board must not mislead the search.
        if board != Some(position.board()) {
            board = Some(position.board());
            solver.new_game();
        }
        let found = solver.optimal_moves(&position, &DotsKnowledge, &mut Unlimited, work);
        let found = found.expect("nothing stops this search");
        let moves: Vec<u64> = found.moves.iter().map(|edge| u64::from(edge.0)).collect();
        assert_eq!(item["value"], found.value.0, "{position}");
        assert_eq!(
            item["optimal_moves"],
            serde_json::json!(moves),
            "{position}"
        );
        count += 1;
    }
    assert!(count > 200, "{count}");
}

#[test]
fn who_wins_is_what_one_thread_says() {
    let (mut solver, mut others) = (single(), [2, 3].map(parallel));
    for (_, open, position) in listed::listed_positions() {
        if open > 32 {
            continue;
        }
        let work = &mut Work::default();
        solver.new_game();
        let expected = solver
            .win_loss(&position, &DotsKnowledge, &mut Unlimited, work)
            .expect("nothing stops this search");
        for other in &mut others {
            other.new_game();
            let found = other
                .win_loss(&position, &DotsKnowledge, &mut Unlimited, work)
                .expect("nothing stops this search");
            let answer = (found.result, found.best_move);
            assert_eq!(answer, (expected.result, expected.best_move), "{position}");
        }
    }
}

#[test]
fn threads_agree_with_plain_minimax_where_turns_stay() {
    let everything = SolverOptions {
        table_min_moves_left: 0,
        ..SolverOptions::default()
    };
    for stay_percent in STAY_RATES {
        for seed in 0..40 {
            let game = random_game(seed, stay_percent);
            let knowledge = ToyKnowledge::new(game.tree());
            if game.outcome().is_some() {
                continue;
            }
            let plain = plain_minimax(&game);
            for count in THREADS {
                let mut solver = ParallelSolver::with_entries(16, threads(count), everything);
                let work = &mut Work::default();
                let found = solver
                    .optimal_moves(&game, &knowledge, &mut Unlimited, work)
                    .expect("nothing stops this search");
                assert_eq!(found.value, plain.value, "{game}");
                assert_eq!(found.moves, plain.optimal_moves, "{game}");
            }
        }
    }
}

/// Stops at once, and says how often it was asked.
struct Stopped(u64);

impl Control for Stopped {
    fn should_stop(&mut self, _work: &Work, _simulations: u64) -> bool {
        self.0 += 1;
        true
    }
}

#[test]
fn a_search_that_is_stopped_has_no_answer_and_what_it_found_stays_true() {
    let start = Dots::new(Board::of(5, 5).expect("a board"));
    let listed = listed::listed_positions();
    for count in THREADS {
        let mut solver = parallel(count);
        for limit in [0, 100_000, 5_000_000] {
            let work = &mut Work::default();
            let control = &mut WorkLimit(limit);
            let found = solver.solve(&start, &DotsKnowledge, control, work);
            assert_eq!(found, None, "the empty board takes far more");
            assert!(work.units() >= limit, "{work:?}");
        }
        let mut control = Stopped(0);
        let found = solver.solve(&start, &DotsKnowledge, &mut control, &mut Work::default());
        // Once more at the first node only: the calling thread asks, and nobody else.
        assert_eq!((found, control.0), (None, 1));
        let (_, _, position) = listed.iter().find(|item| item.1 == 32).expect("32 left");
        let work = &mut Work::default();
        let warm = solver.solve(position, &DotsKnowledge, &mut Unlimited, work);
        let alone = single().solve(position, &DotsKnowledge, &mut Unlimited, work);
        let (warm, alone) = (warm.expect("not stopped"), alone.expect("not stopped"));
        assert_eq!((warm.value, warm.best_move), (alone.value, alone.best_move));
    }
}
