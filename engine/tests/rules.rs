//! Rules of Dots and Boxes, from outside: conformance, counts, second opinions, symmetry, texts.

use proptest::prelude::*;
use sixfold_engine::game::conformance::check_random_games_among;
use sixfold_engine::game::dots::{Board, Dots, Edge, Line, Place, validate};
use sixfold_engine::game::perft::perft;
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

const SIZES: [(usize, usize); 8] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 3),
    (3, 3),
    (5, 5),
    (4, 6),
    (1, 21),
];

fn board(rows: usize, cols: usize) -> &'static Board {
    Board::of(rows, cols).expect("a board within 64 edges")
}

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Bench).stream()
}

/// Plays a random game and calls `see` with every position and the edge played from it.
fn walk(start: Dots, stream: &mut Stream, mut see: impl FnMut(&Dots, Edge)) {
    let mut position = start;
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        moves.clear();
        position.legal_moves(&mut moves);
        let edge = moves[stream.below(moves.len() as u32) as usize];
        see(&position, edge);
        position.play(edge);
    }
}

#[test]
fn dots_keeps_the_contract_of_positions() {
    let candidates: Vec<Edge> = (0..=255).map(Edge).collect();
    for (rows, cols) in SIZES {
        check_random_games_among(&Dots::new(board(rows, cols)), 40, 1, &candidates);
    }
}

#[test]
fn perft_is_a_falling_factorial_while_every_edge_is_playable() {
    let cases = [
        (1, 1, vec![4, 12, 24, 24, 0]),
        (2, 2, vec![12, 132, 1_320, 11_880, 95_040]),
        (2, 3, vec![17, 17 * 16, 17 * 16 * 15]),
        (5, 5, vec![60, 60 * 59, 60 * 59 * 58]),
    ];
    for (rows, cols, counts) in cases {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(
                perft(&Dots::new(board(rows, cols)), depth),
                count,
                "{rows}x{cols} {depth}"
            );
        }
    }
}

#[test]
fn incremental_equals_recomputed_at_every_position() {
    let mut stream = stream(2);
    for (rows, cols) in SIZES {
        for _ in 0..20 {
            let mut complete = 0;
            walk(
                Dots::new(board(rows, cols)),
                &mut stream,
                |position, edge| {
                    validate::check(position).unwrap_or_else(|difference| panic!("{difference}"));
                    assert_eq!(position.uncounted(), 0, "{position}");
                    let mut after = *position;
                    after.play(edge);
                    // Ownership and the next mover, from the recomputed sides alone.
                    let now = validate::sides(after.board(), after.drawn())
                        .four
                        .count_ones();
                    let mover = position.to_move();
                    let gained = u32::from(after.taken(mover) - position.taken(mover));
                    assert_eq!(gained, now - complete, "{position} {edge:?}");
                    assert_eq!(after.to_move() == mover, gained > 0, "{position} {edge:?}");
                    complete = now;
                },
            );
        }
    }
}

/// Maps of the plane: the transposed edge swaps its line, the mirrored one its column.
fn transpose(place: Place) -> Place {
    let line = match place.line {
        Line::Horizontal => Line::Vertical,
        Line::Vertical => Line::Horizontal,
    };
    Place {
        line,
        row: place.col,
        col: place.row,
    }
}

fn mirror(board: &Board, place: Place) -> Place {
    let last = board.cols() - usize::from(place.line == Line::Horizontal);
    Place {
        col: (last - usize::from(place.col)) as u8,
        ..place
    }
}

#[test]
fn symmetric_games_have_symmetric_positions() {
    let mut stream = stream(3);
    for (rows, cols) in SIZES {
        let (from, to) = (board(rows, cols), board(cols, rows));
        let map = |edge: Edge| {
            let place = transpose(mirror(from, from.place(edge)));
            to.edge_at(place)
                .expect("the image is on the transposed board")
        };
        let map_mask = |mask: u64| {
            let edges = (0..from.edges() as u8).filter(|id| mask >> id & 1 == 1);
            edges.fold(0, |all, id| all | map(Edge(id)).mask())
        };
        let mut image = Dots::new(to);
        walk(Dots::new(from), &mut stream, |position, edge| {
            assert_eq!(map_mask(position.drawn()), image.drawn());
            assert_eq!(map_mask(position.capturing()), image.capturing());
            assert_eq!(map_mask(position.neutral()), image.neutral());
            assert_eq!(position.margin(), image.margin());
            assert_eq!(position.to_move(), image.to_move());
            image.play(map(edge));
        });
    }
}

#[test]
fn every_position_of_a_game_is_read_back_as_itself() {
    let mut stream = stream(4);
    for (rows, cols) in SIZES {
        for analysis in [false, true] {
            let empty = Dots::new(board(rows, cols));
            let mask = if analysis { stream.bits() } else { 0 };
            let start = Dots::for_analysis(empty.board(), mask);
            walk(start, &mut stream, |position, _| {
                assert_eq!(Dots::from_text(&position.to_string()), Ok(*position));
                let bare = format!("{rows}x{cols}:{:X}", position.drawn());
                let expected = Dots::for_analysis(position.board(), position.drawn());
                assert_eq!(Dots::from_text(&bare), Ok(expected));
            });
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_a_reason(text in ".{0,40}") {
        if let Err(error) = Dots::from_text(&text) {
            prop_assert!(!error.reason.is_empty());
        }
    }

    #[test]
    fn nearly_right_texts_are_read_back_as_themselves_or_refused(
        text in "[0-9]{1,2}x[0-9]{1,2}:[0-9a-fA-F]{0,17}(:[0-9]{1,2}-[0-9]{1,2}:[0-3](:[0-9])?)?"
    ) {
        match Dots::from_text(&text) {
            Ok(position) => {
                prop_assert!(validate::check(&position).is_ok());
                prop_assert_eq!(Dots::from_text(&position.to_string()), Ok(position));
            }
            Err(error) => prop_assert!(!error.reason.is_empty()),
        }
    }

    #[test]
    fn any_turn_text_is_read_or_refused(text in "([hv0-9, ]{0,12}|.{0,20})", mask in any::<u64>()) {
        let position = Dots::for_analysis(board(5, 5), mask);
        if let Ok(turn) = position.parse_turn(&text) {
            let mut after = position;
            turn.iter().for_each(|&edge| after.play(edge));
            prop_assert!(after.outcome().is_some() || after.to_move() == Player::Second);
            prop_assert_eq!(position.parse_turn(&position.format_turn(&turn)), Ok(turn));
        }
    }
}
