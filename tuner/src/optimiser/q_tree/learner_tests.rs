//! Tests of the learner: its rounds, their last part, its last move, and how it ends.

use super::*;
use crate::space::{Parameter, Scale};
use crate::stats::Wdl;
use crate::surface::{Basis, ELO_PER_LOGIT};

fn parameter(number: usize, min: f64, max: f64, start: f64) -> Parameter {
    Parameter {
        path: format!("p{number}"),
        scale: Scale::Linear,
        integer: false,
        step: 0.1,
        min,
        max,
        start,
    }
}

fn cube(dimension: usize) -> Space {
    let parameters = (0..dimension).map(|number| parameter(number, 0.0, 1.0, 0.5));
    Space::new(parameters.collect())
}

/// All values of it are the same once quantised.
fn stuck(number: usize) -> Parameter {
    parameter(number, 100_000.0, 100_000.4, 100_000.0)
}

fn settings(directions: Directions, decision: Decision) -> QTreeSettings {
    QTreeSettings {
        directions,
        decision,
        ..QTreeSettings::default()
    }
}

fn all_settings() -> [QTreeSettings; 3] {
    [
        settings(Directions::Composite, Decision::Tree),
        settings(Directions::Pairs, Decision::Tree),
        settings(Directions::Composite, Decision::Argmax),
    ]
}

fn learner(space: Space, settings: QTreeSettings, seed: u64, games: u64) -> QTreeLearner {
    QTreeLearner::new(space, settings, seed, games).expect("valid settings")
}

/// A pair of games; A takes so many half points of four.
fn result(half_points: u64) -> TrialResult {
    TrialResult {
        wdl: Wdl {
            wins: half_points / 2,
            draws: half_points % 2,
            losses: 2 - half_points / 2 - half_points % 2,
        },
        ..TrialResult::default()
    }
}

/// What a learner did from one ask to the next.
enum Step {
    Played(Proposal),
    Finished(RoundSummary),
}

/// Lets it play one pair, on a hill around 0.7 of every range.
fn step(learner: &mut QTreeLearner, limit: usize, stream: &mut Stream) -> Option<Vec<Step>> {
    match learner.ask(limit) {
        Ask::Exhausted => None,
        Ask::RoundFinished(summary) => Some(vec![Step::Finished(summary)]),
        Ask::Play(proposals) => Some(
            proposals
                .into_iter()
                .map(|proposal| {
                    let lost = |vector: &Vector| {
                        let point = learner.unit_space.point(vector);
                        point
                            .iter()
                            .map(|u| 600.0 * (u - 0.7) * (u - 0.7))
                            .sum::<f64>()
                    };
                    let elo = lost(&proposal.b) - lost(&proposal.a);
                    let chance = 1.0 / (1.0 + libm::exp10(-elo / 400.0));
                    let won = (0..2).filter(|_| stream.unit() < chance).count();
                    learner.tell(&result(2 * won as u64));
                    Step::Played(proposal)
                })
                .collect(),
        ),
    }
}

fn games() -> Stream {
    StreamKey::new(11, Purpose::Scripted).stream()
}

/// Rounds and games until nothing is left.
fn run(mut learner: QTreeLearner, limit: usize) -> (Vec<RoundSummary>, u64) {
    let (mut summaries, mut played, mut games) = (Vec::new(), 0, games());
    while let Some(steps) = step(&mut learner, limit, &mut games) {
        assert!(!steps.is_empty());
        for it in steps {
            match it {
                Step::Played(proposal) => played += u64::from(proposal.games),
                Step::Finished(summary) => summaries.push(summary),
            }
        }
    }
    assert_eq!(learner.ask(limit), Ask::Exhausted);
    (summaries, played)
}

#[test]
fn every_budget_is_played_to_its_last_pair_and_the_last_round_is_closed() {
    for settings in all_settings() {
        for (dimension, (shortest, _)) in [(2, ROUND), (5, ROUND_OF_MORE)] {
            for budget in [2, 3, 10, 33, 40, 47, 48, 49, 161, 300] {
                for limit in [1, 5, 1_000] {
                    let learner = learner(cube(dimension), settings.clone(), 1, budget);
                    let (summaries, played) = run(learner, limit);
                    assert_eq!(
                        played,
                        budget - budget % 2,
                        "{budget} games, {limit} at once"
                    );
                    // A rest of less than half a round belongs to the round before.
                    let rounds = u64::max(1, (budget + shortest / 2) / shortest);
                    assert_eq!(summaries.len() as u64, rounds, "{budget} games");
                }
            }
        }
    }
}

#[test]
fn rounds_grow_with_the_games_so_far() {
    for (dimension, (shortest, share)) in [(2, ROUND), (3, ROUND_OF_MORE)] {
        let mut learner = learner(cube(dimension), QTreeSettings::default(), 2, 6_000);
        let mut games = games();
        while learner.state.games < 3_000 {
            let before = learner.state.games - learner.state.round.games;
            let length = f64::max(shortest as f64, libm::floor(share * before as f64));
            assert_eq!(learner.state.round.length as f64, length);
            step(&mut learner, 100, &mut games).expect("games are left");
        }
    }
}

#[test]
fn the_last_part_of_a_round_plays_twice_a_path_against_the_incumbent() {
    let mut learner = learner(cube(2), QTreeSettings::default(), 3, 640);
    let (mut games, mut confirmed) = (games(), 0);
    while learner.round() < 12 {
        let (of_round, incumbent) = (learner.state.round.games, learner.incumbent.clone());
        let round = learner.state.round.clone();
        let steps = step(&mut learner, 1, &mut games).expect("games are left");
        let [Step::Played(proposal)] = steps.as_slice() else {
            continue;
        };
        let played = [proposal.a.clone(), proposal.b.clone()];
        // 80 % of 32 games are 25.6.
        match proposal.path {
            Some(path) if of_round < 26 => {
                assert_eq!(played, round.pair(&learner.unit_space, &path));
            }
            None if of_round >= 26 => {
                let far = |path: EditPath| round.vector(&learner.unit_space, &path, 2.0);
                assert!(round::paths().any(|path| played[0] == far(path)));
                assert_eq!(played[1], incumbent);
                confirmed += 1;
            }
            other => panic!("{other:?} after {of_round} games"),
        }
    }
    assert!(confirmed >= 12, "{confirmed}");
}

#[test]
fn games_of_a_path_against_its_mirror_are_its_own_and_confirmations_are_not() {
    let mut learner = learner(cube(2), QTreeSettings::default(), 3, 64);
    let mut games = games();
    let mut mirrored = 0.0;
    for _ in 0..16 {
        let is_confirmation = learner.state.round.games >= 26;
        step(&mut learner, 1, &mut games).expect("games are left");
        mirrored += if is_confirmation { 0.0 } else { 2.0 };
        let own: f64 = learner.state.round.own.iter().map(|own| own[1]).sum();
        // Every game is its path's and its mirror's.
        assert_eq!(own, 2.0 * mirrored);
    }
    assert_eq!(mirrored, 26.0);
}

#[test]
fn a_round_is_fitted_after_each_third_but_the_last_which_its_end_fits() {
    let mut learner = learner(cube(2), QTreeSettings::default(), 4, 64);
    let mut games = games();
    for pair in 1..=16 {
        step(&mut learner, 1, &mut games).expect("games are left");
        // Thirds of 32 games end within the 6th and the 11th pair.
        let fits = u64::from(pair >= 6) + u64::from(pair >= 11);
        assert_eq!(learner.state.round.fits, fits, "pair {pair}");
    }
}

#[test]
fn where_nothing_can_be_played_the_learner_ends() {
    let space = Space::new((0..4).map(stuck).collect());
    for settings in all_settings() {
        let (summaries, played) = run(learner(space.clone(), settings, 1, 1_000), 8);
        assert_eq!(played, 0);
        assert_eq!(summaries.len(), 4);
        assert!(
            summaries
                .iter()
                .all(|it| !it.applied && it.candidate_score.is_none())
        );
    }
}

#[test]
fn one_parameter_that_can_be_played_is_enough() {
    let mut parameters: Vec<Parameter> = (0..4).map(stuck).collect();
    parameters[3] = parameter(3, 0.0, 1.0, 0.5);
    for settings in all_settings() {
        let space = Space::new(parameters.clone());
        let (summaries, played) = run(learner(space, settings, 1, 200), 8);
        assert_eq!(played, 200);
        let end = &summaries.last().expect("rounds").incumbent;
        assert_ne!(end.0[3], 0.5, "it moved");
        assert_eq!(end.0[..3], [100_000.0; 3]);
    }
}

/// A bowl that loses so much Elo per squared unit, with its top at a point.
fn bowl(top: [f64; 2], bend: f64) -> Surface {
    let basis = Basis::polynomial(&[0.5, 0.5], 2, |_| 1.0);
    // -bend (u - top)², in logits of z = 2 u - 1.
    let logits = 0.25 * bend / ELO_PER_LOGIT;
    let [x, y] = top.map(|top| 2.0 * logits * (2.0 * top - 1.0));
    Surface::new(basis, vec![x, y, -logits, 0.0, -logits])
}

#[test]
fn the_landing_reaches_the_optimum_of_a_quadratic_surface() {
    let tops = [[0.7, 0.35], [0.02, 0.98], [0.51, 0.5], [1.0, 0.5]];
    for settings in all_settings() {
        for (seed, top) in (0..).zip(tops) {
            let surface = bowl(top, 500.0);
            let mut learner = learner(cube(2), settings.clone(), seed, 100);
            let (path, moved) = learner.land(&surface, &top);
            assert_eq!(path.is_some(), settings.decision == Decision::Tree);
            let end = moved.unwrap_or_else(|| learner.incumbent.clone());
            let lost = surface.elo(&top) - surface.elo(&learner.unit_space.point(&end));
            assert!(lost < 0.5, "{lost} Elo from {top:?} with {settings:?}");
            if settings.decision == Decision::Argmax {
                assert_eq!(end.0, top);
            }
        }
    }
}

#[test]
fn a_landing_without_a_way_stays() {
    for settings in all_settings() {
        let mut learner = learner(cube(2), settings, 1, 100);
        let surface = bowl([0.5, 0.5], 500.0);
        assert_eq!(learner.land(&surface, &[0.5, 0.5]).1, None);
    }
}

#[test]
fn whole_numbers_land_on_the_rounded_optimum() {
    let mut space = cube(2);
    for it in &mut space.parameters {
        (it.integer, it.max, it.start, it.step) = (true, 20.0, 10.0, 1.0);
    }
    for (top, end) in [([0.62, 0.5], [12.0, 10.0]), ([0.39, 0.86], [8.0, 17.0])] {
        let mut learner = learner(space.clone(), QTreeSettings::default(), 1, 100);
        let moved = learner.land(&bowl(top, 500.0), &top).1;
        assert_eq!(moved, Some(Vector(end.to_vec())), "{top:?}");
    }
}

#[test]
fn a_move_goes_as_far_as_gains_more_than_it_costs() {
    let learner = learner(cube(2), QTreeSettings::default(), 1, 100);
    let along = |surface: &Surface, to: f64| {
        learner.along(surface, |share| Vector(vec![0.5 + share * to, 0.5]))
    };
    // Gain minus price is 500 (0.24² - (x - 0.24)²) - 300 x²: largest at x = 0.15.
    let hill = bowl([0.74, 0.5], 500.0);
    assert_eq!(along(&hill, 0.4), Some(Vector(vec![0.65, 0.5])));
    assert_eq!(along(&hill, 0.08), Some(Vector(vec![0.58, 0.5])));
    assert_eq!(along(&hill, -0.4), None);
}

#[test]
fn the_landing_has_no_score_of_its_own() {
    let learner = learner(cube(2), QTreeSettings::default(), 5, 96);
    let (summaries, _) = run(learner, 4);
    let [.., last] = summaries.as_slice() else {
        panic!("three rounds");
    };
    assert!(last.greedy_path.is_some());
    assert_eq!((last.candidate_score, last.candidate_games), (None, 0));
    assert!(
        summaries[..2]
            .iter()
            .any(|summary| summary.candidate_games > 0)
    );
}

#[test]
fn leaves_lose_less_as_games_come_in() {
    let mut learner = learner(cube(2), QTreeSettings::default(), 1, 1_000_000);
    let mut loss = |games| {
        learner.state.games = games;
        learner.loss()
    };
    assert_eq!([loss(0), loss(1_000)], [40.0, 40.0]);
    assert!((loss(4_000) - 20.0).abs() < 1e-9);
    assert!((loss(500_000) - 40.0 * LOSS_SHARE_MIN).abs() < 1e-9);
}

#[test]
fn settings_and_budgets_out_of_range_are_named() {
    let refused = |change: &dyn Fn(&mut QTreeSettings), games: u64| {
        let mut settings = QTreeSettings::default();
        change(&mut settings);
        let error = QTreeLearner::new(cube(2), settings, 1, games).expect_err("out of range");
        error.to_string()
    };
    assert_eq!(
        refused(&|it| it.kappa = -1.0, 100),
        "kappa = -1: must be in [0, inf]"
    );
    assert!(refused(&|it| it.kappa = f64::NAN, 100).starts_with("kappa = NaN"));
    assert!(refused(&|it| it.epsilon = 1.5, 100).starts_with("epsilon = 1.5"));
    assert!(refused(&|it| it.alpha = 0.0, 100).starts_with("alpha = 0"));
    assert!(refused(&|it| it.gamma = -0.5, 100).starts_with("gamma = -0.5"));
    assert!(refused(&|it| it.loss_elo = 0.5, 100).starts_with("loss_elo = 0.5"));
    assert!(refused(&|_| (), 1).starts_with("games = 1"));
}

#[test]
fn kappa_decides_between_the_own_score_and_the_surface() {
    for kappa in [0.0, f64::INFINITY] {
        let settings = QTreeSettings {
            kappa,
            ..QTreeSettings::default()
        };
        let (summaries, played) = run(learner(cube(2), settings, 1, 320), 8);
        assert_eq!((summaries.len(), played), (10, 320));
        if kappa == 0.0 {
            // Without the surface only a path that won its games can be applied.
            for it in &summaries[..9] {
                assert!(!it.applied || it.candidate_score > Some(0.5), "{it:?}");
            }
        }
    }
}

#[test]
fn states_of_a_longer_run_are_refused() {
    let mut long = learner(cube(2), QTreeSettings::default(), 1, 640);
    let mut games = games();
    (0..40).for_each(|_| drop(step(&mut long, 8, &mut games)));
    let mut short = learner(cube(2), QTreeSettings::default(), 1, 64);
    let message = short
        .restore(&long.snapshot())
        .expect_err("too long")
        .to_string();
    assert!(message.contains("games of 64"), "{message}");
}
