//! Rules of the Amazons, from outside: conformance, counts, second opinions, undoing, texts.

use proptest::prelude::*;
use sixfold_engine::game::amazons::{Amazons, Board, HalfMove, Square, perft_turns, validate};
use sixfold_engine::game::conformance::{check_random_games, check_random_games_among};
use sixfold_engine::game::perft::perft;
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Files and ranks of boards with a usual start.
const SIZES: [(usize, usize); 8] = [
    (4, 4),
    (5, 5),
    (6, 5),
    (4, 7),
    (6, 6),
    (10, 4),
    (8, 8),
    (10, 10),
];

fn start(files: usize, ranks: usize) -> Amazons {
    let board = Board::of(files, ranks).expect("a board");
    Amazons::start(board).expect("a board with a start")
}

fn position(text: &str) -> Amazons {
    Amazons::from_text(text).expect("a position")
}

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Bench).stream()
}

/// Plays a random game and calls `see` with every position and the half-move played from it;
/// returns its end.
fn walk(start: Amazons, stream: &mut Stream, mut see: impl FnMut(&Amazons, HalfMove)) -> Amazons {
    let mut position = start;
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        moves.clear();
        position.legal_moves(&mut moves);
        let mv = moves[stream.below(moves.len() as u32) as usize];
        see(&position, mv);
        position.play(mv);
    }
    position
}

#[test]
fn amazons_keeps_the_contract_of_positions() {
    for (files, ranks) in SIZES {
        check_random_games(&start(files, ranks), 12, 1);
    }
    for text in [
        "Q8q w - - 0 1",
        "Q/1/1/1/q b - - 0 1",
        "1 w - - 0 1",
        "q4/5/2Q2/5/4q b - e1 3 2",
    ] {
        check_random_games(&position(text), 5, 2);
    }
}

#[test]
fn exactly_the_listed_half_moves_are_legal() {
    for (files, ranks) in [(4, 4), (5, 4), (4, 5)] {
        // Squares beyond the board too.
        let board = Board::of(files + 1, ranks + 1).expect("a board");
        let squares = validate::squares(board);
        let pairs = squares
            .iter()
            .flat_map(|&from| squares.iter().map(move |&to| (from, to)));
        let candidates: Vec<HalfMove> = pairs
            .flat_map(|(from, to)| [HalfMove::Walk { from, to }, HalfMove::Shot { from, at: to }])
            .collect();
        check_random_games_among(&start(files, ranks), 5, 3, &candidates);
    }
}

/// Numbers of sequences of whole turns; 10x10 to two turns, 8x8 to two, 6x6 to three, 5x5 to four
/// and 4x4 to five are also Fairy-Stockfish's.
const COUNTS: [(&str, &[u64], &[u64]); 6] = [
    ("10x10", &[2_176, 4_307_152], &[8_350_439_170]),
    ("8x8", &[1_232, 1_331_198], &[1_358_441_750]),
    ("6x6", &[544, 238_532, 91_074_224], &[28_857_914_846]),
    ("5x5", &[260, 50_422, 7_940_210], &[970_203_644]),
    ("6x5", &[410, 128_094, 33_207_636], &[]),
    (
        "4x4",
        &[88, 4_336, 139_500, 2_918_258, 39_395_660],
        &[313_847_874],
    ),
];

fn start_of(size: &str) -> Amazons {
    let (files, ranks) = size.split_once('x').expect("FILESxRANKS");
    let side = |text: &str| text.parse().expect("a number");
    start(side(files), side(ranks))
}

#[test]
fn numbers_of_whole_turns_are_the_known_ones() {
    let slow = std::env::var_os("SIXFOLD_SLOW").is_some();
    for (size, counts, deep) in COUNTS {
        let deep = if slow { deep } else { &[] };
        for (turns, &count) in (1..).zip(counts.iter().chain(deep)) {
            let counted = perft_turns(&start_of(size), turns);
            assert_eq!(counted, count, "{size}, {turns} turns");
        }
    }
}

#[test]
fn a_set_up_that_is_not_the_usual_one_has_its_own_numbers() {
    let position = position("2qq2/6/q4q/Q4Q/6/2QQ2 w - - 0 1");
    assert_eq!(perft_turns(&position, 1), 496);
    assert_eq!(perft_turns(&position, 2), 198_070);
}

#[test]
fn counting_the_last_turn_is_the_same_as_playing_it() {
    for (size, turns) in [("4x4", 3), ("5x5", 2), ("6x5", 2), ("10x10", 1)] {
        let start = start_of(size);
        assert_eq!(
            perft_turns(&start, turns),
            perft(&start, 2 * turns),
            "{size}"
        );
    }
    // Games that end earlier count nothing.
    let last = position("Q1/*q w - - 0 1");
    assert_eq!([1, 2].map(|turns| perft_turns(&last, turns)), [1, 0]);
    assert_eq!([2, 4].map(|plies| perft(&last, plies)), [1, 0]);
}

#[test]
fn incremental_equals_recomputed_at_every_position() {
    let mut stream = stream(2);
    for (files, ranks) in SIZES {
        for _ in 0..20 {
            let end = walk(start(files, ranks), &mut stream, |position, _| {
                validate::check(position).unwrap_or_else(|difference| panic!("{difference}"));
                let arrows = position.arrows().count_ones();
                assert_eq!(u32::from(position.turns()), arrows, "{position}");
            });
            validate::check(&end).unwrap_or_else(|difference| panic!("{difference}"));
            assert!(end.shooter().is_none(), "a game ends between turns: {end}");
            assert!(usize::from(end.turns()) <= files * ranks - 8, "{end}");
        }
    }
}

#[test]
fn taking_back_a_half_move_gives_the_position_before_it() {
    let mut stream = stream(3);
    for (files, ranks) in SIZES {
        let mut played = Vec::new();
        let mut position = walk(start(files, ranks), &mut stream, |before, mv| {
            played.push((*before, mv));
        });
        while let Some((before, mv)) = played.pop() {
            position.undo(mv);
            assert_eq!((position, position.key()), (before, before.key()));
        }
    }
}

/// Where a square of a board goes.
type Map = fn(Board, Square) -> Option<Square>;

/// Boards and maps onto them: files mirrored, ranks mirrored, files and ranks swapped.
fn images(board: Board) -> [(Board, Map); 3] {
    let turned = Board::of(board.ranks(), board.files()).expect("a board");
    [
        (board, |b, s| Square::at(b.files() - 1 - s.file(), s.rank())),
        (board, |b, s| Square::at(s.file(), b.ranks() - 1 - s.rank())),
        (turned, |_, s| Square::at(s.rank(), s.file())),
    ]
}

#[test]
fn images_of_a_position_have_the_images_of_its_half_moves() {
    let mut stream = stream(4);
    for (files, ranks) in SIZES {
        let board = Board::of(files, ranks).expect("a board");
        walk(start(files, ranks), &mut stream, |position, _| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for (image_board, map) in images(board) {
                let map = |square| map(board, square).expect("a square");
                let image = image_text(position, image_board, &map);
                let image = Amazons::from_text(&image).expect("the image of a position");
                let mut expected: Vec<HalfMove> =
                    moves.iter().map(|&mv| mapped(mv, &map)).collect();
                expected.sort_unstable();
                let mut found = Vec::new();
                image.legal_moves(&mut found);
                assert_eq!(found, expected, "{position} {image}");
            }
        });
    }
}

fn mapped(mv: HalfMove, map: &dyn Fn(Square) -> Square) -> HalfMove {
    match mv {
        HalfMove::Walk { from, to } => HalfMove::Walk {
            from: map(from),
            to: map(to),
        },
        HalfMove::Shot { from, at } => HalfMove::Shot {
            from: map(from),
            at: map(at),
        },
    }
}

/// The text of the position with every square mapped.
fn image_text(position: &Amazons, board: Board, map: &dyn Fn(Square) -> Square) -> String {
    let mut letters = vec!['1'; board.files() * board.ranks()];
    for square in validate::squares(position.board()) {
        let holds = |set: u128| set & square.mask() != 0;
        let image = map(square);
        let place = (board.ranks() - 1 - image.rank()) * board.files() + image.file();
        letters[place] = match () {
            () if holds(position.amazons(Player::First)) => 'Q',
            () if holds(position.amazons(Player::Second)) => 'q',
            () if holds(position.arrows()) => '*',
            () => '1',
        };
    }
    let mut text = String::new();
    for rank in letters.chunks(board.files()) {
        if !text.is_empty() {
            text.push('/');
        }
        let rank: String = rank.iter().collect();
        text.push_str(&counted(&rank));
    }
    let side = ['w', 'b'][position.to_move().index()];
    let shooter = position
        .shooter()
        .map_or("-".to_owned(), |s| map(s).to_string());
    format!("{text} {side} - {shooter} 0 1")
}

/// A rank with its runs of empty squares counted.
fn counted(rank: &str) -> String {
    let mut text = String::new();
    let mut gap = 0;
    for letter in rank.chars().chain(['/']) {
        if letter == '1' {
            gap += 1;
            continue;
        }
        if gap > 0 {
            text += &gap.to_string();
            gap = 0;
        }
        text.push(letter);
    }
    text.trim_end_matches('/').to_owned()
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_a_reason(text in ".{0,60}") {
        if let Err(error) = Amazons::from_text(&text) {
            prop_assert!(!error.reason.is_empty());
        }
    }

    #[test]
    fn nearly_right_texts_are_read_back_as_themselves_or_refused(
        text in "[Qq*1-3]{1,4}(/[Qq*1-3]{1,4}){0,3} [wb] - (-|[a-d][1-4]) [0-9]{1,2} [1-9]{1,2}"
    ) {
        match Amazons::from_text(&text) {
            Ok(position) => {
                let difference = validate::check(&position);
                prop_assert!(difference.is_ok(), "{:?}", difference);
            }
            Err(error) => prop_assert!(!error.reason.is_empty()),
        }
    }

    #[test]
    fn any_turn_text_is_read_or_refused(
        text in "([a-fA-F][0-7][-]?[a-f][0-7][/x(,]?[a-f][0-7][)]?|.{0,12})"
    ) {
        let position = start(6, 6);
        if let Ok(turn) = position.parse_turn(&text) {
            let mut after = position;
            for &mv in &turn {
                prop_assert!(after.is_legal(mv));
                after.play(mv);
            }
            prop_assert_eq!(after.to_move(), Player::Second);
            prop_assert_eq!(position.parse_turn(&position.format_turn(&turn)), Ok(turn));
        }
    }
}
