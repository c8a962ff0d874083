//! What became of the squares of a game: positions counted by hand, and games counted again turn by
//! turn, square by square.

use sixfold_engine::eval::amazons::square_use::{SideUse, SquareUse};
use sixfold_engine::game::amazons::{Amazons, Board, HalfMove, Square, validate};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Nodes that no count of a small board needs.
const PLENTY: u32 = 10_000_000;

/// The use of the squares in the game of these turns.
fn used(start: &str, turns: &[&str]) -> Option<SquareUse> {
    let opening = Amazons::from_text(start).expect("a position");
    let mut position = opening;
    let mut moves = Vec::new();
    for turn in turns {
        let halves = position.parse_turn(turn).expect("a legal turn");
        halves.iter().for_each(|mv| position.play(*mv));
        moves.extend(halves);
    }
    SquareUse::of_game(&opening, &moves, PLENTY)
}

/// Held, made, left and wasted squares of each side.
fn counts(found: &SquareUse) -> [[u32; 4]; 2] {
    found.sides.map(|side| {
        let wasted = side.wasted().expect("the count is exact");
        [side.held, side.made, side.left.lower, wasted]
    })
}

#[test]
fn who_fills_all_that_he_holds_wastes_nothing() {
    let turns = ["a1-b1/a1", "f1-e1/f1", "b1-c1/b1"];
    let found = used("Q2*1q w - - 0 1", &turns).unwrap();
    assert_eq!((found.apart_at, found.unreached), (0, 0));
    assert_eq!(counts(&found), [[2, 2, 0, 0], [1, 1, 0, 0]]);
}

#[test]
fn a_square_that_is_cut_off_is_wasted() {
    let found = used("Q2*1q w - - 0 1", &["a1-c1/b1", "f1-e1/f1"]).unwrap();
    assert_eq!(counts(&found), [[2, 1, 0, 1], [1, 1, 0, 0]]);
}

#[test]
fn squares_that_a_shape_leaves_unfilled_are_wasted() {
    // Three nooks around one amazon: it enters one and must shut the door behind itself.
    let found = used("*1*/*Q*/1*1 b - - 0 1", &[]).unwrap();
    assert_eq!(counts(&found), [[3, 0, 1, 2], [0, 0, 0, 0]]);
}

#[test]
fn what_a_side_opens_to_the_other_is_wasted_by_the_one_and_held_by_the_other() {
    let turns = ["c1-a1/b1", "d1-e1/c1"];
    let found = used("2Qq1 w - - 0 1", &turns[..1]).unwrap();
    assert_eq!(counts(&found), [[2, 1, 0, 1], [2, 0, 2, 0]]);
    let found = used("2Qq1 w - - 0 1", &turns).unwrap();
    assert_eq!(counts(&found), [[2, 1, 0, 1], [2, 1, 1, 0]]);
}

#[test]
fn squares_that_nobody_reaches_are_lost_to_both() {
    let found = used("Q1*1*q w - - 0 1", &[]).unwrap();
    assert_eq!(found.unreached, 1);
    assert_eq!(counts(&found), [[1, 0, 1, 0], [0, 0, 0, 0]]);
}

#[test]
fn a_game_that_ends_while_the_sides_fight_has_no_count() {
    assert_eq!(used("Q4q w - - 0 1", &[]), None);
    let found = used("Q4q w - - 0 1", &["a1-b1/c1"]).unwrap();
    assert_eq!(found.apart_at, 1);
    assert_eq!(counts(&found), [[1, 0, 1, 0], [2, 0, 2, 0]]);
}

#[test]
fn half_a_turn_at_the_end_does_not_count() {
    let opening = Amazons::from_text("Q2*1q w - - 0 1").unwrap();
    let walk = opening.parse_turn("a1-c1/b1").unwrap()[0];
    let found = SquareUse::of_game(&opening, &[walk], PLENTY).unwrap();
    assert_eq!(counts(&found), [[2, 0, 2, 0], [1, 0, 1, 0]]);
}

#[test]
fn a_count_without_nodes_says_that_it_does_not_know() {
    let opening = Amazons::from_text("3/1Q1/3 b - - 0 1").unwrap();
    let found = SquareUse::of_game(&opening, &[], 0).unwrap();
    let [first, second] = found.sides;
    assert!(first.wasted().is_none() && first.left.lower < first.left.upper);
    assert_eq!(second.wasted(), Some(0));
}

/// A board as a list of cells, and what is done with it one square at a time.
struct Cells {
    board: Board,
    empty: Vec<Square>,
    amazons: [Vec<Square>; 2],
}

impl Cells {
    fn of(position: &Amazons) -> Cells {
        let board = position.board();
        let among = |set: u128| {
            let squares = validate::squares(board).into_iter();
            squares.filter(|it| set & it.mask() != 0).collect()
        };
        Cells {
            board,
            empty: among(position.empty()),
            amazons: Player::ALL.map(|player| among(position.amazons(player))),
        }
    }

    /// The empty squares to which king's steps lead from a side's amazons, one more step a round.
    fn reached(&self, side: usize) -> Vec<Square> {
        let mut found: Vec<Square> = Vec::new();
        loop {
            let near = |to: &&Square| {
                let is_near = |from: &Square| {
                    let files = from.file().abs_diff(to.file());
                    let ranks = from.rank().abs_diff(to.rank());
                    files.max(ranks) == 1
                };
                self.amazons[side].iter().any(is_near) || found.iter().any(is_near)
            };
            let next: Vec<Square> = self.empty.iter().filter(near).copied().collect();
            if next.len() == found.len() {
                return next;
            }
            found = next;
        }
    }

    /// The most turns of a side alone, by trying everything.
    fn most_turns(&self, side: usize) -> u32 {
        let is_free = |square: Square| self.empty.contains(&square);
        let mut most = 0;
        for (index, &from) in self.amazons[side].iter().enumerate() {
            for to in validate::walked_reach(self.board, from, &is_free) {
                let is_left = |square: Square| square == from || square != to && is_free(square);
                for at in validate::walked_reach(self.board, to, &is_left) {
                    let mut next = Cells {
                        board: self.board,
                        empty: self.empty.clone(),
                        amazons: self.amazons.clone(),
                    };
                    next.amazons[side][index] = to;
                    next.empty.push(from);
                    next.empty.retain(|square| *square != to && *square != at);
                    most = most.max(1 + next.most_turns(side));
                }
            }
        }
        most
    }
}

/// Squares wasted by each side, loss by loss: each of its turns costs it one square and those that
/// it cuts off; at the end it loses what it can never fill.
fn wasted_turn_by_turn(positions: &[Amazons]) -> Option<(u16, [u32; 2])> {
    let cells: Vec<Cells> = positions.iter().map(Cells::of).collect();
    let is_shared = |cells: &Cells| {
        let [first, second] = [0, 1].map(|side| cells.reached(side));
        first.iter().any(|square| second.contains(square))
    };
    let first_apart = (0..cells.len()).find(|&at| !cells[at..].iter().any(is_shared))?;
    let wasted = [0, 1].map(|side| {
        let mut wasted = 0;
        let turns = positions.iter().zip(cells.windows(2)).skip(first_apart);
        for (position, pair) in turns {
            if position.to_move().index() == side {
                let [before, after] = [0, 1].map(|at| pair[at].reached(side).len());
                wasted += before - 1 - after;
            }
        }
        let last = cells.last().expect("a position");
        wasted as u32 + last.reached(side).len() as u32 - last.most_turns(side)
    });
    Some((positions[first_apart].turns(), wasted))
}

/// The positions between turns of a game of random moves, its first so many half-moves at most.
fn random_game(start: Amazons, stream: &mut Stream, limit: usize) -> (Vec<HalfMove>, Vec<Amazons>) {
    let (mut position, mut moves, mut positions) = (start, Vec::new(), vec![start]);
    while position.outcome().is_none() && moves.len() < limit {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let mv = legal[stream.below(legal.len() as u32) as usize];
        position.play(mv);
        moves.push(mv);
        if position.shooter().is_none() {
            positions.push(position);
        }
    }
    (moves, positions)
}

/// A board with about a third of arrows and an amazon or two of each side, First to move.
fn scattered(board: Board, stream: &mut Stream) -> Amazons {
    let mut cells = vec![' '; board.files() * board.ranks()];
    for cell in &mut cells {
        if stream.below(3) == 0 {
            *cell = '*';
        }
    }
    for letter in ['Q', 'q', 'Q', 'q'] {
        let at = stream.below(cells.len() as u32) as usize;
        if !matches!(cells[at], 'Q' | 'q') {
            cells[at] = letter;
        }
    }
    let rank = |row: &[char]| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a == b) {
            match run[0] {
                ' ' => text += &run.len().to_string(),
                letter => text.extend(run.iter().map(|_| letter)),
            }
        }
        text
    };
    let ranks: Vec<String> = cells.chunks(board.files()).map(rank).collect();
    Amazons::from_text(&format!("{} w - - 0 1", ranks.join("/"))).expect("a position")
}

/// Checks the use of the squares in a random game; squares wasted, if the sides were apart.
fn check_random_game(start: Amazons, stream: &mut Stream, limit: usize) -> Option<u32> {
    let (moves, positions) = random_game(start, stream, limit);
    // Trying everything takes too long where much is left.
    let last = Cells::of(positions.last().expect("a position"));
    if (0..2).any(|side| last.reached(side).len() > 5) {
        return None;
    }
    let found = SquareUse::of_game(&start, &moves, PLENTY);
    let expected = wasted_turn_by_turn(&positions);
    let wasted = |side: SideUse| side.wasted().expect("the count is exact");
    let found = found.map(|it| (it.apart_at, it.sides.map(wasted)));
    assert_eq!(found, expected, "{start}: {moves:?}");
    expected.map(|(_, [first, second])| first + second)
}

#[test]
fn random_games_have_the_waste_that_is_counted_loss_by_loss() {
    let (mut counted, mut wasteful) = (0, 0);
    for (files, ranks, games) in [(4, 4, 300), (5, 5, 300), (8, 4, 200)] {
        let board = Board::of(files, ranks).expect("a board");
        let start = Amazons::start(board).expect("a start");
        for game in 0..games {
            let mut stream = StreamKey::new(game, Purpose::Bench).stream();
            // Some games end early, as those do that are adjudicated, and within a turn.
            let limit = [usize::MAX, 13, 5][game as usize % 3];
            for start in [start, scattered(board, &mut stream)] {
                let wasted = check_random_game(start, &mut stream, limit);
                counted += u32::from(wasted.is_some());
                wasteful += u32::from(wasted > Some(0));
            }
        }
    }
    assert!(counted > 400 && wasteful > 60, "{counted}, {wasteful}");
}
