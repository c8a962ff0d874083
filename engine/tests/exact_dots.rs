//! The exact solver on Dots and Boxes: against the listed values, against itself with nothing but
//! plain alpha-beta, and against the exhaustive values of whole boards.

#[path = "seeded_positions/listed.rs"]
mod listed;
mod seeded_positions;

use seeded_positions::{Style, seeded_position};
use serde_json::Value as Json;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::{Knowledge, Work};
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::search::alpha_beta::{OptimalMoves, Solved, Solver, SolverOptions};
use sixfold_engine::search::{Unlimited, Value, Window};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Table of the solvers, in MiB.
const TABLE_MIB: u32 = 64;

/// Nothing but alpha-beta over all legal moves.
const PLAIN: SolverOptions = SolverOptions {
    table: false,
    reductions: false,
    bounds: false,
    proven: false,
    table_min_moves_left: 0,
};

fn solve(solver: &mut Solver<Dots>, position: &Dots) -> Solved<Edge> {
    let solved = solver.solve(
        position,
        &DotsKnowledge,
        &mut Unlimited,
        &mut Work::default(),
    );
    solved.expect("nothing stops this search")
}

fn optimal_moves(solver: &mut Solver<Dots>, position: &Dots) -> OptimalMoves<Edge> {
    let found = solver.optimal_moves(
        position,
        &DotsKnowledge,
        &mut Unlimited,
        &mut Work::default(),
    );
    found.expect("nothing stops this search")
}

fn data() -> Json {
    serde_json::from_str(include_str!("data/dots_exact.json")).expect("the data file is JSON")
}

fn number(item: &Json, name: &str) -> i64 {
    item[name]
        .as_i64()
        .unwrap_or_else(|| panic!("{name} is a number in {item}"))
}

fn position_of(item: &Json) -> Dots {
    let mask = item["mask_hex"].as_str().expect("a mask");
    let text = format!("{}x{}:{mask}", number(item, "rows"), number(item, "cols"));
    Dots::from_text(&text).expect("a position")
}

fn edges_of(list: &Json) -> Vec<Edge> {
    let ids = list.as_array().expect("a list").iter();
    ids.map(|id| Edge(id.as_u64().expect("an edge") as u8))
        .collect()
}

#[test]
fn listed_positions_have_their_values_and_optimal_moves() {
    let data = data();
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let mut count = 0;
    for (group, items) in data["positions"].as_object().expect("groups") {
        for item in items.as_array().expect("a list") {
            let position = position_of(item);
            let optimal = edges_of(&item["optimal_moves"]);
            solver.new_game();
            let solved = solve(&mut solver, &position);
            assert_eq!(
                i64::from(solved.value.0),
                number(item, "value"),
                "{position}"
            );
            assert!(
                optimal.contains(&solved.best_move),
                "{position}: {solved:?}"
            );
            if group != "p34" {
                let found = optimal_moves(&mut solver, &position);
                assert_eq!(
                    (found.value, found.moves),
                    (solved.value, optimal),
                    "{position}"
                );
            }
            count += 1;
        }
    }
    assert_eq!(count, 450);
}

#[test]
fn boards_of_up_to_24_edges_have_their_values_from_the_start() {
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let mut count = 0;
    for item in data()["board_values"].as_array().expect("a list") {
        let (rows, cols) = (number(item, "rows") as usize, number(item, "cols") as usize);
        for (rows, cols) in [(rows, cols), (cols, rows)] {
            let Some(board) = Board::of(rows, cols).filter(|board| board.edges() <= 24) else {
                continue;
            };
            solver.new_game();
            let solved = solve(&mut solver, &Dots::new(board));
            assert_eq!(i64::from(solved.value.0), number(item, "value"), "{board}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn boards_with_drawn_borders_have_their_values() {
    let slow = std::env::var_os("SIXFOLD_SLOW").is_some();
    let most = if slow { 40 } else { 31 };
    let data = data();
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let mut count = 0;
    for item in data["predrawn_boards"]["items"].as_array().expect("a list") {
        let position = position_of(item);
        assert_eq!(
            i64::from(position.open().count_ones()),
            number(item, "remaining")
        );
        if position.open().count_ones() <= most {
            solver.new_game();
            let solved = solve(&mut solver, &position);
            assert_eq!(i64::from(solved.value.0), number(item, "value"), "{item}");
            count += 1;
        }
    }
    assert_eq!(count, if slow { 16 } else { 14 });
}

#[test]
fn listed_first_moves_have_their_values() {
    for item in data()["board_values"].as_array().expect("a list") {
        let (rows, cols) = (number(item, "rows") as usize, number(item, "cols") as usize);
        let Some(board) = Board::of(rows, cols).filter(|board| board.edges() <= 24) else {
            continue;
        };
        // One table for all: images and interchangeable edges meet in it.
        let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
        for (id, value) in item["first_move_values"]
            .as_array()
            .expect("a list")
            .iter()
            .enumerate()
        {
            let mut child = Dots::new(board);
            child.play(Edge(id as u8));
            let value = value.as_i64().expect("a number");
            let found = -i64::from(solve(&mut solver, &child).value.0);
            assert_eq!(found, value, "{board}, first edge {id}");
        }
    }
}

#[test]
fn the_listed_seeded_positions_are_those_of_the_generator() {
    let mut text = String::new();
    for style in [Style::Quiet, Style::Sacrifice] {
        for open in (30..=44).step_by(2) {
            for index in 0..20 {
                let position = seeded_position(style, open, index);
                let (kind, board) = (format!("{style:?}").to_lowercase(), position.board());
                text += &format!("{kind} {open} {board}:{:x}\n", position.drawn());
            }
        }
    }
    // To write the file anew: what this test generates, when it is meant to change.
    assert!(text == listed::TEXT, "{text}");
    for (_, open, position) in listed::listed_positions() {
        assert_eq!(position.open().count_ones(), open);
    }
}

#[test]
fn the_solver_agrees_with_plain_alpha_beta_on_5x5() {
    let mut plain = Solver::new(1, PLAIN);
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    for style in [Style::Quiet, Style::Sacrifice] {
        for open in 6..=10 {
            for index in 0..12 {
                let position = seeded_position(style, open, index);
                let expected = optimal_moves(&mut plain, &position);
                // The table goes on: what it holds of other positions must not mislead it.
                let found = optimal_moves(&mut solver, &position);
                assert_eq!(found.value, expected.value, "{position}");
                assert_eq!(found.moves, expected.moves, "{position}");
            }
        }
    }
}

/// A position with `open` random open edges, whatever can be captured in it.
fn random_position(board: &'static Board, open: u32, stream: &mut Stream) -> Dots {
    let mut mask = board.all_edges();
    while (board.all_edges() & !mask).count_ones() < open {
        mask &= !(1 << stream.below(board.edges() as u32));
    }
    Dots::for_analysis(board, mask)
}

#[test]
fn the_solver_agrees_with_plain_alpha_beta_on_two_thousand_random_positions() {
    let mut plain = Solver::new(1, PLAIN);
    let mut stream = StreamKey::new(41, Purpose::Bench).stream();
    let boards = [
        (1, 4),
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
        (3, 4),
        (4, 4),
        (2, 7),
        (5, 5),
    ];
    for (rows, cols) in boards {
        let board = Board::of(rows, cols).expect("a board");
        let mut solver = Solver::new(1, SolverOptions::default());
        for number in 0..250 {
            let position = random_position(board, 3 + number % 6, &mut stream);
            let expected = optimal_moves(&mut plain, &position);
            let found = optimal_moves(&mut solver, &position);
            assert_eq!(found.value, expected.value, "{position}");
            assert_eq!(found.moves, expected.moves, "{position}");
        }
    }
}

#[test]
fn who_wins_is_the_sign_of_the_margin_with_the_value() {
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    let mut stream = StreamKey::new(42, Purpose::Bench).stream();
    let mut seen = [0; 3];
    let board = Board::of(4, 4).expect("a board");
    for number in 0..200 {
        // Where nothing can be captured, the player to move does not nearly always win.
        let quiet = loop {
            let position = random_position(board, 14 + number % 8, &mut stream);
            if position.capturing() == 0 {
                break position;
            }
        };
        let mask = quiet.drawn();
        let complete = board.boxes() as u32 - quiet.boxes_open();
        let first = stream.below(complete + 1);
        let taken = [first as u8, (complete - first) as u8];
        let mover = Player::ALL[number as usize % 2];
        let position = Dots::with_score(board, mask, taken, mover).expect("a position");
        let value = solve(&mut solver, &position).value.0;
        let margin = (position.margin() * mover.sign()) as i16 + value;
        solver.new_game();
        let work = &mut Work::default();
        let found = solver
            .win_loss(&position, &DotsKnowledge, &mut Unlimited, work)
            .expect("nothing stops this search");
        assert_eq!(found.result, margin.cmp(&0), "{position}");
        assert_eq!(found.best_move.is_none(), margin < 0, "{position}");
        seen[(margin.signum() + 1) as usize] += 1;
        if let Some(edge) = found.best_move {
            let mut child = position;
            child.play(edge);
            let stays = child.to_move() == mover;
            let rest = if child.outcome().is_some() {
                0
            } else {
                solve(&mut solver, &child).value.0
            };
            let kept = (child.margin() * mover.sign()) as i16 + if stays { rest } else { -rest };
            assert_eq!(kept.signum(), margin.signum(), "{position}");
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn the_solver_agrees_with_itself_without_bounds_and_keys_on_larger_endings() {
    let slow = SolverOptions {
        table: false,
        bounds: false,
        proven: false,
        ..SolverOptions::default()
    };
    let mut slow = Solver::new(1, slow);
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    for style in [Style::Quiet, Style::Sacrifice] {
        for index in 0..20 {
            let position = seeded_position(style, 24, index);
            assert_eq!(
                solve(&mut solver, &position).value,
                solve(&mut slow, &position).value,
                "{position}"
            );
        }
    }
}

#[test]
fn the_move_is_the_first_optimal_one_whatever_the_table_holds() {
    let options = SolverOptions::default();
    let mut fresh = Solver::new(TABLE_MIB, options);
    let mut warm = Solver::new(1, options);
    let mut tiny = Solver::with_entries(4, options);
    let without_table = SolverOptions {
        table: false,
        ..options
    };
    let mut bare = Solver::new(1, without_table);
    let mut not_the_first_considered = 0;
    for style in [Style::Quiet, Style::Sacrifice] {
        for open in 10..=28 {
            for index in 0..12 {
                let position = seeded_position(style, open, index);
                fresh.new_game();
                let found = solve(&mut fresh, &position);
                let optimal = optimal_moves(&mut fresh, &position).moves;
                let mut considered = Vec::new();
                DotsKnowledge.sufficient_moves(&position, &mut considered);
                let first = optimal.into_iter().find(|edge| considered.contains(edge));
                assert_eq!(Some(found.best_move), first, "{position}");
                not_the_first_considered +=
                    usize::from(considered.iter().min() != Some(&found.best_move));
                assert_eq!(solve(&mut fresh, &position).best_move, found.best_move);
                assert_eq!(solve(&mut warm, &position).best_move, found.best_move);
                if open <= 24 {
                    assert_eq!(solve(&mut tiny, &position).best_move, found.best_move);
                }
                if open <= 18 {
                    assert_eq!(solve(&mut bare, &position).best_move, found.best_move);
                }
            }
        }
    }
    assert!(not_the_first_considered > 100);
}

#[test]
fn a_new_game_repeats_the_same_nodes_whatever_was_searched_before() {
    let mut solver = Solver::new(4, SolverOptions::default());
    let position = seeded_position(Style::Quiet, 32, 0);
    let first = solve(&mut solver, &position);
    for other in [Style::Sacrifice, Style::Quiet] {
        solve(&mut solver, &seeded_position(other, 34, 1));
        solver.new_game();
        assert_eq!(solve(&mut solver, &position), first);
        solver.new_game();
    }
}

#[test]
fn a_window_is_answered_on_the_right_side() {
    let mut solver = Solver::new(TABLE_MIB, SolverOptions::default());
    for index in 0..10 {
        let position = seeded_position(Style::Quiet, 30, index);
        let value = solve(&mut solver, &position).value;
        for alpha in -8..8 {
            let window = Window {
                alpha: Value(alpha),
                beta: Value(alpha + 1),
            };
            solver.new_game();
            let work = &mut Work::default();
            let answer = solver
                .solve_window(&position, window, &DotsKnowledge, &mut Unlimited, work)
                .expect("nothing stops this search");
            assert_eq!(
                answer.value >= window.beta,
                value >= window.beta,
                "{position}"
            );
        }
    }
}

#[test]
fn interchangeable_positions_have_one_key() {
    let board = Board::of(3, 4).expect("a board");
    let symmetries = DotsKnowledge.symmetries_after(&Dots::new(board));
    let key = |edge: Edge| {
        let position = Dots::for_analysis(board, edge.mask());
        DotsKnowledge.remaining_key_among_images(&position, symmetries)
    };
    let corner = [board.horizontal(0, 0), board.vertical(0, 0)];
    assert_eq!(key(corner[0]), key(corner[1]));
    assert_eq!(key(corner[0]), key(board.horizontal(3, 3)));
    assert_ne!(key(corner[0]), key(board.horizontal(1, 0)));
}

/// Remaining values of all sets of drawn edges, from nothing but the four edges of every box.
fn all_values(board: &Board) -> Vec<i8> {
    let mut values = vec![0_i8; 1 << board.edges()];
    for mask in (0..values.len() - 1).rev() {
        let open = (0..board.edges()).filter(|id| mask >> id & 1 == 0);
        let value_of = |id: usize| {
            let after = mask | 1 << id;
            let sides = (0..board.boxes()).map(|index| board.edges_of(index) as usize);
            let gain = sides
                .filter(|&s| s >> id & 1 == 1 && after & s == s)
                .count() as i8;
            gain + if gain > 0 {
                values[after]
            } else {
                -values[after]
            }
        };
        values[mask] = open.map(value_of).max().expect("an open edge");
    }
    values
}

/// The moves above alpha have the value if that exceeds alpha, and the bound of the
/// others is one.
fn check_moves_above(position: &Dots, values: &[i8]) {
    let value = i16::from(values[position.drawn() as usize]);
    let mut moves = Vec::new();
    for alpha in [value - 1, value, value + 2] {
        moves.clear();
        let others = DotsKnowledge.moves_above(position, alpha, &mut moves);
        let best = moves.iter().map(|&edge| {
            let mut child = *position;
            child.play(edge);
            let rest = i16::from(values[child.drawn() as usize]);
            let gain = child.margin() as i16;
            gain + if gain > 0 { rest } else { -rest }
        });
        let best = best.max().unwrap_or(i16::MIN);
        assert!(others <= alpha, "{position}: {others} > {alpha}");
        assert!(best <= value, "{position}: {moves:?}");
        assert!(best.max(others) >= value, "{position}: {moves:?} {others}");
    }
}

#[test]
fn bounds_moves_proofs_and_keys_are_sound_on_every_position_of_small_boards() {
    let mut boards = vec![(1, 4), (2, 2), (2, 3), (3, 2), (2, 4)];
    if std::env::var_os("SIXFOLD_SLOW").is_some() {
        boards.push((3, 3));
    }
    for (rows, cols) in boards {
        let board = Board::of(rows, cols).expect("a board");
        let values = all_values(board);
        let (mut moves, mut forced, mut sharper) = (Vec::new(), 0, 0);
        for mask in 0..values.len() - 1 {
            let position = Dots::for_analysis(board, mask as u64);
            let value = i16::from(values[mask]);
            let bounds = DotsKnowledge.remaining_bounds(&position);
            assert!((bounds.lower..=bounds.upper).contains(&value), "{position}");
            assert_eq!((value - bounds.lower) % bounds.step, 0, "{position}");
            sharper += usize::from(bounds.lower > -bounds.upper);
            let proven = DotsKnowledge.proven_remaining(&position);
            assert!(proven.is_none_or(|proven| proven == value), "{position}");
            for symmetries in [0, DotsKnowledge.symmetries_after(&Dots::new(board))] {
                let representative = board.representative(mask as u64, symmetries) as usize;
                assert_eq!(i16::from(values[representative]), value, "{position}");
            }
            moves.clear();
            match DotsKnowledge.forced_move(&position) {
                Some(edge) => moves.push(edge),
                None => DotsKnowledge.sufficient_moves(&position, &mut moves),
            }
            forced += usize::from(moves.len() == 1);
            let best = moves.iter().map(|&edge| {
                let mut child = position;
                child.play(edge);
                let rest = i16::from(values[child.drawn() as usize]);
                let gain = child.margin() as i16;
                gain + if gain > 0 { rest } else { -rest }
            });
            assert_eq!(best.max(), Some(value), "{position}: {moves:?}");
            check_moves_above(&position, &values);
        }
        assert!(forced > 0 && (sharper > 0 || rows * cols < 4), "{board}");
    }
}
