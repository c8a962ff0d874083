//! Unit tests of the toy game.

use super::*;

fn position(text: &str) -> ToyPosition {
    text.parse().expect("a position")
}

/// A small linear congruential generator, since this module knows no randomness source.
fn draws(mut state: u64) -> impl FnMut(u32) -> u32 {
    move |bound| {
        state = mix(state, 1);
        (state % u64::from(bound)) as u32
    }
}

const SHAPE: TreeShape = TreeShape {
    plies: 6,
    branching: 3,
    leaf_percent: 20,
    stay_percent: 50,
    max_gain: 3,
    gain_unit: 1,
};

#[test]
fn gains_count_for_whoever_moves_and_turns_may_stay() {
    let mut game = position("1(2:1(0:2(5:1),1:2),-1:2)");
    assert_eq!(game.to_move(), Player::First);
    game.play(ToyMove(0));
    assert_eq!((game.to_move(), game.margin()), (Player::First, 2));
    game.play(ToyMove(0));
    assert_eq!((game.to_move(), game.margin()), (Player::Second, 2));
    game.play(ToyMove(0));
    assert_eq!((game.ply(), game.margin(), game.margin_limit()), (3, -3, 3));
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::Second)));
    assert!(!game.is_legal(ToyMove(0)));
}

#[test]
fn texts_of_random_positions_round_trip() {
    for seed in 0..200 {
        let mut draw = draws(seed);
        let mut game = Tree::random(&SHAPE, &mut draw).start();
        loop {
            let again = position(&game.to_string());
            assert_eq!(again, game, "seed {seed}");
            assert_eq!(again.key(), game.key(), "seed {seed}");
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            assert_eq!(moves.is_empty(), game.outcome().is_some());
            if moves.is_empty() {
                break;
            }
            game.play(moves[draw(moves.len() as u32) as usize]);
        }
    }
}

#[test]
fn malformed_texts_are_refused_with_the_place() {
    let refused = [
        ("", "expected a mover, 1 or 2, at byte 0"),
        ("3", "expected a mover, 1 or 2, at byte 0"),
        ("1()", "expected a gain from -50 to 50 at byte 2"),
        ("1(+1:2)", "expected a gain from -50 to 50 at byte 2"),
        ("1(01:2)", "expected a gain from -50 to 50 at byte 2"),
        ("1(51:2)", "expected a gain from -50 to 50 at byte 2"),
        ("1(1)", "expected a gain from -50 to 50 at byte 2"),
        ("1(1:2", "expected ',' or ')' at byte 5"),
        ("1(1:2,)", "expected a gain from -50 to 50 at byte 6"),
        ("1(1:2) ", "expected the end of the tree at byte 6"),
        ("1(é:2)", "expected a gain from -50 to 50 at byte 2"),
        ("1(1:2)/1", "move 1 is not legal"),
        (
            "1(1:2)/0/",
            "expected the number of a move, 0 to 255, instead of \"\"",
        ),
    ];
    for (text, reason) in refused {
        let error = text.parse::<ToyPosition>().expect_err(text);
        assert_eq!(error.reason, reason, "{text}");
    }
    let deep = "1(0:".repeat(100_000);
    assert!(deep.parse::<ToyPosition>().is_err(), "no stack overflow");
}

#[test]
fn a_turn_is_read_up_to_the_change_of_sides() {
    let game = position("1(0:1(0:2(0:1),0:1(1:1)),0:2(0:1))");
    for text in ["0-0", "0-1-0", "1"] {
        let turn = game.parse_turn(text).expect(text);
        assert_eq!(game.format_turn(&turn), text);
    }
    for text in ["", "0", "1-0", "2", "0-0-0", "0-1-0-0", " 1", "01", "-1"] {
        assert!(game.parse_turn(text).is_err(), "{text}");
    }
}

#[test]
fn staying_turns_come_at_the_stated_rate() {
    for (stay_percent, low, high) in [(0, 0, 0), (50, 40, 60), (100, 100, 100)] {
        let shape = TreeShape {
            stay_percent,
            ..SHAPE
        };
        let (mut stays, mut edges) = (0, 0);
        for seed in 0..100 {
            let tree = Tree::random(&shape, &mut draws(seed));
            for node in 0..tree.node_count() {
                let same = |&&child: &&usize| tree.mover(child) == tree.mover(node);
                stays += tree.children(node).iter().filter(same).count();
                edges += tree.children(node).len();
            }
        }
        let percent = stays * 100 / edges;
        assert!((low..=high).contains(&percent), "{percent} %");
    }
}
