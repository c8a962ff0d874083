//! What every game's knowledge must keep, checked of both games: classes, lists, bounds, rollouts.

use sixfold_engine::config::GameRules;
use sixfold_engine::eval::{Knowledge, MoveList, RolloutPolicy, Work};
use sixfold_engine::game::Position;
use sixfold_engine::games::{Amazons, DotsAndBoxes, Playable};
use sixfold_engine::search::Unlimited;
use sixfold_engine::search::alpha_beta::{Solver, SolverOptions};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

const DOTS: [GameRules; 3] = [
    GameRules::DotsAndBoxes { rows: 1, cols: 2 },
    GameRules::DotsAndBoxes { rows: 2, cols: 3 },
    GameRules::DotsAndBoxes { rows: 5, cols: 5 },
];

const AMAZONS: [GameRules; 3] = [
    GameRules::Amazons { files: 4, ranks: 4 },
    GameRules::Amazons { files: 6, ranks: 5 },
    GameRules::Amazons {
        files: 10,
        ranks: 10,
    },
];

/// Calls `see` with the positions of random games, their ends included.
fn for_random_positions<G: Playable>(
    boards: &[GameRules],
    mut see: impl FnMut(&G::Position, &mut Stream),
) {
    let mut stream = StreamKey::new(3, Purpose::Bench).stream();
    for &rules in boards {
        for _ in 0..6 {
            let mut position = G::start(rules);
            loop {
                see(&position, &mut stream);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[stream.below(moves.len() as u32) as usize]);
            }
        }
    }
}

fn check_lists<G: Playable>(boards: &[GameRules]) {
    let knowledge = G::Knowledge::default();
    for_random_positions::<G>(boards, |position, _| {
        let (mut legal, mut sufficient) = (Vec::new(), Vec::new());
        position.legal_moves(&mut legal);
        let is_over = position.outcome().is_some();
        if !is_over {
            knowledge.sufficient_moves(position, &mut sufficient);
        }
        for (list, plain) in [(MoveList::All, &legal), (MoveList::Sufficient, &sufficient)] {
            if is_over {
                continue;
            }
            let mut classed = Vec::new();
            knowledge.classed_moves(position, list, &mut classed);
            let moves: Vec<G::Move> = classed.iter().map(|(mv, _)| *mv).collect();
            assert_eq!(&moves, plain, "{position}");
            assert!(!moves.is_empty(), "{position}");
            for (index, (mv, class)) in classed.iter().enumerate() {
                assert!(position.is_legal(*mv), "{position} {mv:?}");
                assert!(
                    !moves[..index].contains(mv),
                    "{position} {mv:?} is listed twice"
                );
                assert_eq!(*class, knowledge.class(position, *mv), "{position} {mv:?}");
                assert!(
                    !G::CLASS_NAMES[class.index()].is_empty(),
                    "{position} {mv:?}"
                );
            }
        }
    });
}

#[test]
fn lists_of_moves_are_legal_without_repetition_and_come_with_their_classes() {
    check_lists::<DotsAndBoxes>(&DOTS);
    check_lists::<Amazons>(&AMAZONS);
}

fn check_rollouts<G: Playable>(boards: &[GameRules]) {
    let knowledge = G::Knowledge::default();
    for_random_positions::<G>(boards, |position, stream| {
        for policy in [RolloutPolicy::Uniform, RolloutPolicy::Safe] {
            let (mut work, before) = (Work::default(), *position);
            let margin = knowledge.rollout(position, policy, stream, &mut work);
            assert_eq!(*position, before, "a rollout plays elsewhere");
            assert!(
                margin.abs() <= position.margin_limit(),
                "{position}: {margin}"
            );
            assert_eq!(
                (margin - position.margin_limit()) % 2,
                0,
                "{position}: {margin}"
            );
            if position.outcome().is_some() {
                assert_eq!(margin, position.margin(), "{position}");
            } else {
                assert!(work.units() > 0, "{position}: rollouts are counted");
            }
            let most = u64::from(knowledge.moves_left(position));
            assert!(work.uniform_plies <= most, "{position}: {work:?}");
        }
    });
}

#[test]
fn rollouts_end_within_the_margin_limit_with_its_parity_and_are_counted() {
    check_rollouts::<DotsAndBoxes>(&DOTS);
    check_rollouts::<Amazons>(&AMAZONS);
}

fn check_measures<G: Playable>(boards: &[GameRules]) {
    let knowledge = G::Knowledge::default();
    for_random_positions::<G>(boards, |position, _| {
        let left = knowledge.moves_left(position);
        assert!(knowledge.distance_to_end(position) >= 0.0, "{position}");
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut after = *position;
            after.play(mv);
            assert_eq!(knowledge.moves_left(&after) + 1, left, "{position} {mv:?}");
            let [key, below] = [*position, after].map(|it| knowledge.remaining_key(&it));
            assert_ne!(key, below, "{position} {mv:?} leaves the key as it was");
        }
    });
}

#[test]
fn what_is_left_falls_by_one_with_every_move_and_is_named_anew() {
    check_measures::<DotsAndBoxes>(&DOTS);
    check_measures::<Amazons>(&AMAZONS);
}

/// The second opinion: a search that uses neither bounds, proofs, reductions nor a table.
fn check_bounds<G: Playable>(boards: &[GameRules], most_left: u16) -> u32 {
    let knowledge = G::Knowledge::default();
    let plain = SolverOptions {
        table: false,
        reductions: false,
        bounds: false,
        proven: false,
        ..SolverOptions::default()
    };
    let (mut slow, mut fast) = (
        Solver::new(1, plain),
        Solver::new(1, SolverOptions::default()),
    );
    let mut seen = 0;
    for_random_positions::<G>(boards, |position, _| {
        if position.outcome().is_some() || knowledge.moves_left(position) > most_left {
            return;
        }
        let mut work = Work::default();
        let exact = slow.solve(position, &knowledge, &mut Unlimited, &mut work);
        let exact = exact.expect("nothing stops it").value;
        let bounds = knowledge.remaining_bounds(position);
        let range = bounds.lower..=bounds.upper;
        assert!(range.contains(&exact.0), "{position}: {exact:?} {bounds:?}");
        assert_eq!(
            (exact.0 - bounds.lower) % bounds.step,
            0,
            "{position}: {exact:?} {bounds:?}"
        );
        if let Some(proven) = knowledge.proven_remaining(position) {
            assert_eq!(proven, exact.0, "{position}");
        }
        let quick = fast.solve(position, &knowledge, &mut Unlimited, &mut work);
        assert_eq!(quick.map(|solved| solved.value), Some(exact), "{position}");
        seen += 1;
    });
    seen
}

#[test]
fn bounds_and_proofs_agree_with_plain_search() {
    assert!(check_bounds::<DotsAndBoxes>(&DOTS, 8) > 50);
    assert!(check_bounds::<Amazons>(&AMAZONS, 9) > 20);
}

fn check_openings<G: Playable>(boards: &[GameRules]) {
    for &rules in boards {
        for seed in 0..100 {
            let opening = |seed| {
                let mut stream = StreamKey::new(seed, Purpose::Opening).stream();
                G::opening(rules, &mut stream)
            };
            let position = opening(seed);
            assert_eq!(position, opening(seed));
            assert_eq!(
                (position.outcome(), position.margin()),
                (None, 0),
                "{position}"
            );
            assert_eq!(G::rules_of(&position), rules, "{position}");
            assert_eq!(G::read(&position.to_string()), Ok(position));
        }
    }
}

#[test]
fn openings_are_undecided_reproducible_and_on_the_board_asked_for() {
    check_openings::<DotsAndBoxes>(&DOTS);
    check_openings::<Amazons>(&AMAZONS);
}
