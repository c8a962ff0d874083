//! The evaluation of the Amazons: known values, a second opinion, symmetries, limits.

use serde_json::Value;
use sixfold_engine::eval::amazons::distances::Distances;
use sixfold_engine::eval::amazons::{Features, Formula, Mapping, Terms, naive};
use sixfold_engine::game::amazons::{Amazons, Board};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, StreamKey};

/// Largest difference to a value that was printed with six decimals.
const PRINTED: f64 = 1e-6;
/// Largest difference between two orders of the same sum.
const ROUNDING: f64 = 1e-9;

/// Positions with the features and values that two independent programs agree on, `W` is First.
fn known() -> Vec<Value> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/amazons_eval.json");
    let text = std::fs::read_to_string(file).expect("the known values");
    let values: Value = serde_json::from_str(&text).expect("JSON");
    values.as_array().expect("a list").clone()
}

/// The position of an entry, from its drawing.
fn drawn(entry: &Value) -> Amazons {
    let ranks = entry["board"].as_array().expect("ranks").iter();
    let ranks: Vec<String> = ranks
        .map(|rank| counted(rank.as_str().expect("a rank")))
        .collect();
    let side = if entry["stm"] == "W" { 'w' } else { 'b' };
    let text = format!("{} {side} - - 0 1", ranks.join("/"));
    Amazons::from_text(&text).expect("a position")
}

/// A rank as positions are written, with runs of empty squares counted.
fn counted(rank: &str) -> String {
    let mut text = String::new();
    let mut gap = 0;
    for square in rank.chars().chain(['/']) {
        if square == '.' {
            gap += 1;
            continue;
        }
        if gap > 0 {
            text += &gap.to_string();
            gap = 0;
        }
        match square {
            'W' => text.push('Q'),
            'B' => text.push('q'),
            'x' => text.push('*'),
            _ => {}
        }
    }
    text
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: {found}, expected {expected}"
    );
}

const SIDES: [(&str, Player); 2] = [("own_W", Player::First), ("own_B", Player::Second)];

#[test]
fn features_are_the_known_ones_from_both_sides() {
    let known = known();
    assert_eq!(known.len(), 9);
    for entry in &known {
        let position = drawn(entry);
        let features = Features::of(&position);
        let kappa = number(&entry["kappa"]);
        for (name, own) in SIDES {
            let (seen, expected) = (features.terms(own, kappa), &entry[name]);
            let pairs = [
                ("t1", seen.t1),
                ("t2", seen.t2),
                ("c1", seen.c1),
                ("c2", seen.c2),
                ("w", seen.w),
                ("S", seen.s),
                ("ties_q", f64::from(features.queen_ties)),
                ("ties_k", f64::from(features.king_ties)),
                ("M_own", f64::from(features.held[own.index()])),
                ("M_opp", f64::from(features.held[own.other().index()])),
                ("N_own", f64::from(features.liberties[own.index()])),
                ("N_opp", f64::from(features.liberties[own.other().index()])),
                ("empty", f64::from(position.empty().count_ones())),
            ];
            for (key, found) in pairs {
                let what = format!("{} {name} {key}", entry["name"]);
                assert_near(found, number(&expected[key]), PRINTED, &what);
            }
        }
    }
}

#[test]
fn values_are_the_known_ones_from_both_sides() {
    let formulas = [
        ("X5_Y20", Formula::PAPER_START),
        ("X3_Y19.2", Formula::PAPER_END),
    ];
    for entry in known() {
        let position = drawn(&entry);
        for (name, own) in SIDES {
            for (key, formula) in formulas {
                let expected = &entry[name][key];
                let what = format!("{} {name} {key}", entry["name"]);
                let weights = formula.weights(Features::of(&position).w, 0);
                assert_near(weights.t1, number(&expected["a"]), PRINTED, &what);
                assert_near(2.0 * weights.t2, number(&expected["b"]), PRINTED, &what);
                assert_near(2.0 * weights.c1, number(&expected["c"]), PRINTED, &what);
                let value = number(&expected["value"]);
                assert_near(formula.value(&position, own), value, PRINTED, &what);
                let naive = naive::value(&position, &formula, own);
                assert_near(naive, value, PRINTED, &what);
            }
        }
    }
}

#[test]
fn the_start_of_five_by_five_has_its_known_values() {
    let start = Amazons::start(Board::of(5, 5).expect("a board")).expect("a start");
    let terms = Features::of(&start).terms(Player::First, 0.1);
    for (found, expected) in [
        (terms.t1, 1.1),
        (terms.t2, 0.5),
        (terms.c1, 0.0),
        (terms.c2, 0.0),
        (terms.w, 14.0),
        (terms.s, 0.0),
        (Formula::PAPER_START.value(&start, Player::First), 0.392_415),
        (Formula::PAPER_END.value(&start, Player::First), 0.299_539),
    ] {
        assert_near(found, expected, PRINTED, "5x5");
    }
}

#[test]
fn known_positions_are_reached_by_their_turns_and_have_as_many_turns_to_play() {
    for entry in known() {
        let position = drawn(&entry);
        let count = sixfold_engine::game::amazons::perft_turns(&position, 1);
        assert_eq!(Some(count), entry["legal_moves"].as_u64(), "{position}");
        let turns = entry["moves"].as_array().expect("turns");
        if turns.is_empty() {
            continue;
        }
        let mut played = Amazons::start(position.board()).expect("a start");
        for turn in turns {
            let turn = played.parse_turn(turn.as_str().expect("a text"));
            turn.expect("a legal turn")
                .into_iter()
                .for_each(|mv| played.play(mv));
        }
        assert_eq!(played.to_move(), position.to_move());
        assert_eq!(played.empty(), position.empty(), "{position}");
        for player in Player::ALL {
            assert_eq!(
                played.amazons(player),
                position.amazons(player),
                "{position}"
            );
        }
    }
}

/// Every position of random games on boards of many sizes, half-moves included, ends left out.
fn for_random_positions(games: u64, mut see: impl FnMut(&Amazons)) {
    let sizes = [(4, 4), (5, 5), (6, 5), (4, 9), (8, 8), (10, 7), (10, 10)];
    for (files, ranks) in sizes {
        let board = Board::of(files, ranks).expect("a board");
        for seed in 0..games {
            let mut stream = StreamKey::new(seed, Purpose::Bench).stream();
            let mut position = Amazons::start(board).expect("a start");
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                see(&position);
                moves.clear();
                position.legal_moves(&mut moves);
                position.play(moves[stream.below(moves.len() as u32) as usize]);
            }
        }
    }
}

fn formulas() -> [Formula; 6] {
    let start = Formula::PAPER_START;
    [
        start,
        Formula::PAPER_END,
        Formula {
            mapping: Mapping::Normalised,
            kappa: 0.3,
            ..start
        },
        Formula {
            mapping: Mapping::Book,
            ..start
        },
        Formula {
            mapping: Mapping::ByTurn,
            defects: 5.0,
            ..start
        },
        Formula {
            defects: 0.0,
            x: 30.0,
            y: 2.0,
            ..start
        },
    ]
}

#[track_caller]
fn assert_same_terms(found: &Terms, expected: &Terms, position: &Amazons) {
    let list = |t: &Terms| [t.t1, t.t2, t.c1, t.c2, t.w, t.s];
    for (found, expected) in list(found).into_iter().zip(list(expected)) {
        assert_near(found, expected, ROUNDING, &position.to_string());
    }
}

#[test]
fn all_squares_at_once_and_square_by_square_agree() {
    for_random_positions(12, |position| {
        let features = Features::of(position);
        for own in Player::ALL {
            let naive = naive::terms(position, own, 0.1);
            assert_same_terms(&features.terms(own, 0.1), &naive, position);
            for formula in formulas() {
                let (fast, naive) = (
                    formula.value(position, own),
                    naive::value(position, &formula, own),
                );
                assert_near(fast, naive, ROUNDING, &position.to_string());
            }
        }
    });
}

#[test]
fn long_ways_are_measured_to_their_end() {
    // Corridors of one square each, joined at alternate ends: 46 king's steps.
    let text = "Q9/*********1/10/1*********/10/*********1/10/1*********/9q/********** b - - 0 1";
    let position = Amazons::from_text(text).expect("a position");
    let distances = Distances::of(&position);
    let longest = distances.king.each_ref().map(|levels| levels.longest());
    assert!(longest[0] > 40 && longest[1] > 40, "{longest:?}");
    for own in Player::ALL {
        let terms = Features::of(&position).terms(own, 0.1);
        assert_same_terms(&terms, &naive::terms(&position, own, 0.1), &position);
    }
}

#[test]
fn one_sides_value_is_the_others_negated() {
    for_random_positions(3, |position| {
        for formula in formulas() {
            let [first, second] = Player::ALL.map(|own| formula.value(position, own));
            assert_eq!(first, -second, "{position}");
        }
    });
}

#[test]
fn colours_swapped_swap_the_values() {
    for_random_positions(3, |position| {
        let text = position.to_string();
        let swapped: String = text
            .char_indices()
            .map(|(at, letter)| match letter {
                'Q' => 'q',
                'q' => 'Q',
                'w' => 'b',
                'b' if text[at..].starts_with("b -") => 'w',
                other => other,
            })
            .collect();
        let swapped = Amazons::from_text(&swapped).expect("a position");
        // A text with the other side to move is a turn earlier or later.
        let by_turn = |formula: &Formula| formula.mapping == Mapping::ByTurn;
        for formula in formulas().into_iter().filter(|formula| !by_turn(formula)) {
            let value = formula.value(position, Player::First);
            let other = formula.value(&swapped, Player::Second);
            assert_near(value, other, ROUNDING, &text);
        }
    });
}

#[test]
fn without_contested_squares_the_value_is_what_is_held() {
    let mut separated = 0;
    for_random_positions(12, |position| {
        let terms = Features::of(position).terms(position.to_move(), 0.1);
        let distances = Distances::of(position);
        let common = distances.king[0].reached() & distances.king[1].reached();
        assert_eq!(terms.w == 0.0, common == 0, "{position}");
        if common == 0 {
            separated += 1;
            for formula in [Formula::PAPER_START, Formula::PAPER_END] {
                let value = formula.value(position, position.to_move());
                assert_near(value, terms.t1 + terms.s, ROUNDING, &position.to_string());
            }
        }
    });
    assert!(separated > 100, "{separated}");
}

#[test]
fn weights_are_smooth_in_what_is_contested_and_add_up_as_documented() {
    let printed = Formula::PAPER_START;
    let normalised = Formula {
        mapping: Mapping::Normalised,
        ..printed
    };
    let sum = |formula: &Formula, w| {
        let weights = formula.weights(w, 0);
        weights.t1 + weights.t2 + weights.c1 + weights.c2
    };
    let mut before = printed.weights(0.0, 0);
    assert_eq!((before.t1, before.t2, before.c1), (1.0, 0.0, 0.0));
    for step in 1..=9_200 {
        let w = f64::from(step) / 100.0;
        let now = printed.weights(w, 0);
        assert!(now.t1 < before.t1 && now.t2 > before.t2, "{w}");
        assert!(
            before.t1 - now.t1 < 0.01 && now.t2 - before.t2 < 0.01,
            "{w}"
        );
        assert!(now.c1 > 0.0, "c is positive while X < Y: {w}");
        let a = printed.x / (w + printed.x);
        assert_near(sum(&printed, w), f64::midpoint(1.0, a), ROUNDING, "printed");
        assert_near(sum(&normalised, w), 1.0, ROUNDING, "normalised");
        before = now;
    }
}

#[test]
fn parameters_out_of_their_ranges_are_not_valid() {
    let start = Formula::PAPER_START;
    assert!(start.is_valid() && Formula::PAPER_END.is_valid());
    for (x, y, kappa, defects) in [
        (0.0, 20.0, 0.1, 1.0),
        (5.0, 0.0, 0.1, 1.0),
        (5.0, 1_001.0, 0.1, 1.0),
        (f64::NAN, 20.0, 0.1, 1.0),
        (5.0, 20.0, -0.1, 1.0),
        (5.0, 20.0, 1.1, 1.0),
        (5.0, 20.0, f64::NAN, 1.0),
        (5.0, 20.0, 0.1, -1.0),
        (5.0, 20.0, 0.1, 1_001.0),
    ] {
        let formula = Formula {
            x,
            y,
            kappa,
            defects,
            ..start
        };
        assert!(!formula.is_valid(), "{formula:?}");
    }
}
