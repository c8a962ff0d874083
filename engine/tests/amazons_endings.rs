//! Endings of the Amazons: what counting says, against plain minimax and brute force, on every
//! position of small boards and on separated ones of larger boards.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use sixfold_engine::eval::amazons::regions::{Territory, is_separated, parts};
use sixfold_engine::eval::amazons::turns::TurnCount;
use sixfold_engine::eval::amazons::verdict::sure_winner;
use sixfold_engine::eval::amazons::{AmazonsKnowledge, Features};
use sixfold_engine::eval::{Knowledge, Work};
use sixfold_engine::game::amazons::{Amazons, Board, Square, each, validate};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::search::alpha_beta::{Solver, SolverOptions};
use sixfold_engine::search::{Unlimited, Value};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Nodes that no count of a small board needs.
const PLENTY: u32 = 10_000_000;

fn position(text: &str) -> Amazons {
    Amazons::from_text(text).expect("a position")
}

/// Every position between turns on a board: each square holds nothing, an arrow or an amazon.
fn all_positions(files: usize, ranks: usize) -> impl Iterator<Item = Amazons> {
    let squares = files * ranks;
    (0..4usize.pow(squares as u32) * 2).map(move |number| {
        let mut left = number / 2;
        let mut rows = Vec::new();
        for _rank in 0..ranks {
            let mut row = String::new();
            for _file in 0..files {
                row.push(['1', '*', 'Q', 'q'][left % 4]);
                left /= 4;
            }
            rows.push(row);
        }
        let mover = ['w', 'b'][number % 2];
        position(&format!("{} {mover} - - 0 1", joined(&rows)))
    })
}

/// Ranks in the notation, runs of empty squares counted together.
fn joined(rows: &[String]) -> String {
    let packed = rows.iter().map(|row| {
        let mut packed = String::new();
        let mut empty = 0;
        for cell in row.chars() {
            if cell == '1' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                packed.push_str(&empty.to_string());
                empty = 0;
            }
            packed.push(cell);
        }
        if empty > 0 {
            packed.push_str(&empty.to_string());
        }
        packed
    });
    packed.collect::<Vec<String>>().join("/")
}

/// Plain minimax that remembers what it has seen: whether the side to move wins.
#[derive(Default)]
struct Minimax(BTreeMap<u64, bool>);

impl Minimax {
    fn mover_wins(&mut self, position: &Amazons) -> bool {
        if let Some(&wins) = self.0.get(&position.key()) {
            return wins;
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let wins = moves.into_iter().any(|mv| {
            let mut child = *position;
            child.play(mv);
            self.mover_wins(&child) == (child.to_move() == position.to_move())
        });
        self.0.insert(position.key(), wins);
        wins
    }

    fn winner(&mut self, position: &Amazons) -> Player {
        let mover = position.to_move();
        if self.mover_wins(position) {
            mover
        } else {
            mover.other()
        }
    }
}

/// The most turns in a territory by trying everything, square by square.
fn most_turns_by_trying(board: Board, territory: &Territory) -> u32 {
    let reach = |from: Square, empty: u128| {
        validate::walked_reach(board, from, &move |square| empty & square.mask() != 0)
    };
    let Territory {
        amazons,
        blockers,
        empty,
    } = *territory;
    let mut most = 0;
    for from in each(amazons) {
        for to in reach(from, empty) {
            let left = (empty | from.mask()) & !to.mask();
            for at in reach(to, left) {
                let next = Territory {
                    amazons: amazons & !from.mask() | to.mask(),
                    blockers,
                    empty: left & !at.mask(),
                };
                most = most.max(1 + most_turns_by_trying(board, &next));
            }
        }
    }
    for from in each(blockers) {
        for to in reach(from, empty) {
            let next = Territory {
                amazons: amazons | to.mask(),
                blockers: blockers & !from.mask(),
                empty: empty & !to.mask(),
            };
            most = most.max(1 + most_turns_by_trying(board, &next));
        }
    }
    most
}

/// Every territory of a board with at most so many squares to fill.
fn all_territories(board: Board, squares_max: u32) -> impl Iterator<Item = Territory> {
    let squares = validate::squares(board);
    (0..4usize.pow(squares.len() as u32)).filter_map(move |number| {
        let mut left = number;
        let mut territory = Territory::default();
        for square in &squares {
            match left % 4 {
                1 => territory.amazons |= square.mask(),
                2 => territory.blockers |= square.mask(),
                3 => territory.empty |= square.mask(),
                _ => {}
            }
            left /= 4;
        }
        (territory.empty.count_ones() <= squares_max).then_some(territory)
    })
}

/// A random territory with so many squares to fill and one to three amazons.
fn random_territory(board: Board, squares: u32, stream: &mut Stream) -> Territory {
    let all = validate::squares(board);
    let mut territory = Territory::default();
    let amazons = 1 + stream.below(3);
    while territory.empty.count_ones() < squares {
        territory.empty |= all[stream.below(all.len() as u32) as usize].mask();
    }
    for _amazon in 0..amazons {
        let here = all[stream.below(all.len() as u32) as usize].mask() & !territory.empty;
        if stream.below(3) == 0 {
            territory.blockers |= here & !territory.amazons;
        } else {
            territory.amazons |= here & !territory.blockers;
        }
    }
    territory
}

/// What plays from a position: every position after one half-move.
fn children(position: &Amazons) -> Vec<Amazons> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let played = moves.into_iter().map(|mv| {
        let mut child = *position;
        child.play(mv);
        child
    });
    played.collect()
}

/// The regions of a position: squares without arrows.
fn regions(position: &Amazons) -> Vec<u128> {
    parts(position.board().squares() & !position.arrows()).collect()
}

/// Checks a count, whatever its nodes, and returns whether the territory is defective.
fn check_count(board: Board, territory: &Territory) -> bool {
    let tried = most_turns_by_trying(board, territory);
    let counted = TurnCount::with_nodes(PLENTY).most(territory);
    let expected = (tried, tried);
    assert_eq!((counted.lower, counted.upper), expected, "{territory:?}");
    for nodes in [0, 1, 3, 10] {
        let bounds = TurnCount::with_nodes(nodes).most(territory);
        assert!(
            bounds.lower <= tried && tried <= bounds.upper,
            "{nodes} nodes: {territory:?}"
        );
    }
    tried > 0 && tried < territory.empty.count_ones()
}

#[test]
fn the_most_turns_are_what_trying_everything_finds() {
    let mut defective = 0;
    for (files, ranks, squares_max) in [(6, 1, 6), (4, 2, 4), (3, 3, 3)] {
        let board = Board::of(files, ranks).expect("a board");
        let checked = all_territories(board, squares_max).map(|it| check_count(board, &it));
        defective += checked.filter(|&is_defective| is_defective).count();
    }
    let mut stream = StreamKey::new(1, Purpose::Bench).stream();
    for (files, ranks) in [(4, 3), (5, 5), (10, 2)] {
        let board = Board::of(files, ranks).expect("a board");
        let random = (0..100).map(|_| random_territory(board, 5, &mut stream));
        let checked = random.map(|territory| check_count(board, &territory));
        defective += checked.filter(|&is_defective| is_defective).count();
    }
    assert!(defective > 1000, "{defective} defective territories");
}

#[test]
fn half_moves_never_join_regions() {
    for position in all_positions(3, 2).chain(all_positions(7, 1)) {
        let before = regions(&position);
        for walked in children(&position) {
            assert_eq!(regions(&walked), before, "{position}");
            for shot in children(&walked) {
                let parted = regions(&shot);
                let whole = |part: &u128| before.iter().any(|region| part & !region == 0);
                assert!(parted.iter().all(whole), "{walked}");
            }
        }
    }
}

#[test]
fn separation_is_more_than_that_nobody_reaches_what_the_other_does() {
    let mut blocked = 0;
    for position in all_positions(3, 2).chain(all_positions(7, 1)) {
        let contested = Features::of(&position).w > 0.0;
        assert!(!(contested && is_separated(&position)), "{position}");
        blocked += u32::from(!contested && !is_separated(&position));
    }
    assert!(blocked > 0);
    // First moves away and shoots back, or else lets Second in; the same for Second.
    let walls = position("1Qq1 w - - 0 1");
    assert_eq!(Features::of(&walls).w, 0.0);
    assert!(!is_separated(&walls));
}

#[test]
fn the_verdict_is_that_of_plain_minimax() {
    let mut minimax = Minimax::default();
    let (mut within_turns, mut shared) = (0, 0);
    for (files, ranks) in [(6, 1), (7, 1), (3, 2), (4, 2), (3, 3)] {
        for position in all_positions(files, ranks) {
            if position.outcome().is_some() {
                continue;
            }
            let separated = is_separated(&position);
            match sure_winner(&position, PLENTY) {
                Some(winner) => {
                    assert_eq!(winner, minimax.winner(&position), "{position}");
                    shared += u32::from(!separated);
                }
                None => assert!(!separated, "{position} is not decided"),
            }
            for walked in children(&position) {
                if let Some(winner) = sure_winner(&walked, PLENTY) {
                    assert_eq!(winner, minimax.winner(&walked), "{walked}");
                    within_turns += 1;
                }
            }
        }
    }
    assert!(
        within_turns > 1000 && shared > 1000,
        "{within_turns}, {shared}"
    );
}

#[test]
fn positions_with_equal_keys_are_won_by_the_same_side_to_move() {
    let mut minimax = Minimax::default();
    let (mut shared, mut all) = (0, 0);
    for (files, ranks) in [(6, 1), (3, 2), (4, 2)] {
        let mut values: BTreeMap<u64, (bool, bool)> = BTreeMap::new();
        for position in all_positions(files, ranks) {
            for position in children(&position).into_iter().chain([position]) {
                let over = position.outcome().is_some();
                let value = (over, minimax.mover_wins(&position));
                let key = AmazonsKnowledge.remaining_key_among_images(&position, 1);
                assert_eq!(*values.entry(key).or_insert(value), value, "{position}");
                all += 1;
            }
        }
        shared += values.len();
    }
    assert!(shared * 3 < all, "{shared} keys of {all} positions");
}

/// A position so many random turns after a start, or before the end of its game.
fn random_position(board: Board, empty_squares: u32, stream: &mut Stream) -> Amazons {
    let mut position = Amazons::start(board).expect("a board with a start");
    loop {
        let before = position;
        for _half in 0..2 {
            let children = children(&position);
            position = children[stream.below(children.len() as u32) as usize];
        }
        if position.outcome().is_some() || position.empty().count_ones() < empty_squares {
            return before;
        }
    }
}

#[test]
fn the_solver_finds_what_plain_minimax_finds() {
    let mut stream = StreamKey::new(2, Purpose::Bench).stream();
    for (files, ranks, empty) in [(4, 4, 5), (5, 4, 6), (4, 5, 6), (5, 5, 6)] {
        let board = Board::of(files, ranks).expect("a board");
        for _position in 0..40 {
            let position = random_position(board, empty, &mut stream);
            let wins = Minimax::default().mover_wins(&position);
            for options in [SolverOptions::default(), plain_options()] {
                let mut solver = Solver::new(16, options);
                let work = &mut Work::default();
                let found = solver.solve(&position, &AmazonsKnowledge, &mut Unlimited, work);
                let found = found.expect("nothing stops it");
                assert_eq!(found.value, Value(if wins { 1 } else { -1 }), "{position}");
                let mut after = position;
                after.play(found.best_move);
                assert_eq!(Minimax::default().mover_wins(&after), wins, "{position}");
            }
        }
    }
}

/// The solver without knowledge.
fn plain_options() -> SolverOptions {
    SolverOptions {
        table: false,
        reductions: false,
        bounds: false,
        proven: false,
        ..SolverOptions::default()
    }
}

#[test]
fn the_solver_lists_every_half_move_once() {
    let mut stream = StreamKey::new(3, Purpose::Bench).stream();
    let board = Board::of(6, 6).expect("a board");
    for empty in [27, 20, 13] {
        let mut position = random_position(board, empty, &mut stream);
        for _half in 0..2 {
            let (mut ordered, mut legal) = (Vec::new(), Vec::new());
            let others = AmazonsKnowledge.moves_above(&position, -1, &mut ordered);
            position.legal_moves(&mut legal);
            assert_eq!(others, i16::MIN);
            assert_ne!(ordered, legal);
            let next = ordered[0];
            ordered.sort_unstable();
            legal.sort_unstable();
            assert_eq!(ordered, legal);
            position.play(next);
        }
    }
}

/// Whether First wins the game on a board of so many files and ranks, and edges searched.
fn first_wins(files: usize, ranks: usize) -> (bool, u64) {
    let board = Board::of(files, ranks).expect("a board");
    let start = Amazons::start(board).expect("a board with a start");
    let (mut solver, mut work) = (Solver::new(1024, SolverOptions::default()), Work::default());
    let found = solver.win_loss(&start, &AmazonsKnowledge, &mut Unlimited, &mut work);
    let result = found.expect("nothing stops it").result;
    (result == Ordering::Greater, work.alpha_beta_edges)
}

/// Results from docs/amazons-endings.md, which has the set-ups and what is published.
#[test]
fn boards_are_won_by_who_is_known_to_win_them() {
    let mut boards = vec![(4, 4, false), (5, 4, true)];
    if std::env::var_os("SIXFOLD_SLOW").is_some() {
        boards.extend([(4, 5, false), (5, 5, true)]);
    }
    for (files, ranks, expected) in boards {
        let (wins, edges) = first_wins(files, ranks);
        assert_eq!(wins, expected, "{files}x{ranks} after {edges} edges");
    }
}

#[test]
fn separated_positions_cost_next_to_nothing_to_solve() {
    let mut stream = StreamKey::new(4, Purpose::Bench).stream();
    let board = Board::of(10, 10).expect("a board");
    let mut separated = 0;
    for _game in 0..30 {
        let mut position = random_position(board, 90, &mut stream);
        let start = AmazonsKnowledge.solving_units(&position);
        while position.outcome().is_none() {
            let units = AmazonsKnowledge.solving_units(&position);
            assert!(units <= start, "{position}");
            if is_separated(&position) && position.shooter().is_none() {
                let (mut solver, mut work) =
                    (Solver::new(1, SolverOptions::default()), Work::default());
                let found =
                    solver.win_loss(&position, &AmazonsKnowledge, &mut Unlimited, &mut work);
                assert!(found.is_some() && work.units() <= units, "{position}");
                separated += 1;
                break;
            }
            let children = children(&position);
            position = children[stream.below(children.len() as u32) as usize];
        }
    }
    assert!(separated > 0);
}
