//! Tests of the model: whose games are whose, the scale of its prior, and draws from what it knows.

use super::*;
use crate::space::{Parameter, Scale, Space};
use crate::stream::{Purpose, StreamKey};
use crate::surface::fit;

fn unit_space(dimension: usize) -> UnitSpace {
    let parameter = |number: usize| Parameter {
        path: format!("p{number}"),
        scale: Scale::Linear,
        integer: false,
        step: 0.1,
        min: 0.0,
        max: 1.0,
        start: 0.5,
    };
    UnitSpace::new(Space::new((0..dimension).map(parameter).collect()))
}

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Scripted).stream()
}

/// A model that has seen pairs of games between vectors around the middle, of a bowl that loses so
/// much Elo per squared unit around (0.6, 0.4).
fn model_of(pairs: u32, bend: f64) -> Model {
    let mut model = Model::new(unit_space(2));
    let mut stream = stream(7);
    let elo = |it: &Vector| {
        let by = [it.0[0] - 0.6, it.0[1] - 0.4];
        -bend * (by[0] * by[0] + by[1] * by[1])
    };
    for _ in 0..pairs {
        let mut vector = || Vector((0..2).map(|_| 0.25 + 0.5 * stream.unit()).collect());
        let (a, b) = (vector(), vector());
        let chance = 1.0 / (1.0 + libm::exp10((elo(&b) - elo(&a)) / 400.0));
        let score = (0..2).filter(|_| stream.unit() < chance).count();
        model.add(&a, &b, score as f64, 2.0, 0);
    }
    model
}

/// What the model fits, as a list for the plain fit.
fn rows(model: &Model) -> Vec<Row> {
    model.state.matches.iter().map(|it| model.row(it)).collect()
}

#[test]
fn a_choice_has_a_slope_and_products_but_no_square() {
    let mut space = Space::new(
        ["x", "word"]
            .map(|path| Parameter {
                path: path.into(),
                scale: Scale::Linear,
                integer: true,
                step: 1.0,
                min: 0.0,
                max: 1.0,
                start: 0.0,
            })
            .to_vec(),
    );
    let features = |space: &Space| Model::new(UnitSpace::new(space.clone())).basis.features();
    // The constant and all products of up to five of two coordinates: 1 + 2 + 3 + 4 + 5 + 6.
    assert_eq!(features(&space), 21);
    space.parameters[1].scale = Scale::Choice(["one", "other"]);
    // The constant, powers of the first up to the fifth, the second, and its products with those.
    assert_eq!(features(&space), 1 + 5 + 1 + 4);
}

#[test]
fn games_between_the_same_vectors_are_one_match_in_a_round_whoever_is_first() {
    let mut model = Model::new(unit_space(2));
    let [a, b] = [[0.25, 0.5], [0.75, 0.5]].map(|values| Vector(values.to_vec()));
    model.add(&a, &b, 1.5, 2.0, 0);
    model.add(&b, &a, 2.0, 2.0, 0);
    model.add(&a, &b, 1.0, 2.0, 0);
    let it = model.state.matches[0].clone();
    assert_eq!((model.matches(), it.score, it.games), (1, 2.5, 6.0));
    // In the next round they are another match: what it weighs is decided anew.
    model.add(&a, &b, 0.0, 2.0, 1);
    assert_eq!(model.matches(), 2);
    assert_eq!(model.state.matches[0], it);
}

#[test]
fn games_added_one_by_one_are_fitted_as_a_list_of_them_is() {
    let mut model = model_of(100, 500.0);
    model.weigh(&[0.6, 0.4]);
    let slow = fit(&model.basis, &rows(&model), None);
    let fast = model.fit();
    for (slow, fast) in slow.coefficients().iter().zip(fast.coefficients()) {
        // A small part of their deviations, which are about 1.
        assert!((slow - fast).abs() < 0.02, "{slow} {fast}");
    }
    assert_eq!(model.surface(), *fast.surface());
}

#[test]
fn a_restored_model_goes_on_to_the_same_bits() {
    let mut model = model_of(60, 500.0);
    (0..3).for_each(|turn| drop(model.fit_scale(turn)));
    model.weigh(&[0.6, 0.4]);
    model.fit();
    let text = serde_json::to_string(model.state()).unwrap();
    let mut restored = Model::new(unit_space(2));
    restored
        .restore(serde_json::from_str(&text).unwrap())
        .unwrap();
    assert_eq!(restored.state(), model.state());
    for turn in 0..3 {
        let (a, b) = (Vector(vec![0.5, 0.25]), Vector(vec![0.5, 0.75]));
        for model in [&mut model, &mut restored] {
            model.add(&a, &b, 2.0, 2.0, 60);
            model.weigh(&[0.5, 0.4]);
        }
        let fits = [model.fit_scale(turn), restored.fit_scale(turn)];
        assert_eq!(fits[0].coefficients(), fits[1].coefficients());
        assert_eq!(restored.state(), model.state());
    }
}

#[test]
fn states_that_are_none_are_refused() {
    let state = model_of(3, 500.0).state;
    let refused = |change: &dyn Fn(&mut ModelState)| {
        let mut state = state.clone();
        change(&mut state);
        Model::new(unit_space(2)).restore(state).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|state| state.coefficients.truncate(3)));
    assert!(refused(&|state| state.matches[1].score = 2.5));
    assert!(refused(&|state| state.matches[1].weight = -0.1));
    assert!(refused(&|state| state.matches[1].b[0] = 1.5));
    assert!(refused(&|state| state.steps.sigma = 99));
    assert!(refused(&|state| state.weighed = -1.0));
    let mut other = model_of(4, 500.0);
    other.fit();
    assert!(refused(
        &|state| state.curvature = other.state.curvature.clone()
    ));
    assert!(refused(&|state| state.steps.window = 3));
    assert!(refused(&|state| state.steps.cross = 1));
}

#[test]
fn a_match_weighs_less_the_more_its_vectors_are_below_the_centre() {
    let mut model = model_of(200, 1_000.0);
    let surface = model.fit().surface().clone();
    let centre = [0.6, 0.4];
    model.weigh(&centre);
    for it in &model.state.matches {
        let below = |values: &[f64]| f64::max(surface.elo(&centre) - surface.elo(values), 0.0);
        let expected = libm::exp(-(below(&it.a) + below(&it.b)) / 240.0);
        assert!((it.weight - expected).abs() < 1e-12);
    }
}

/// Evidence under a prior, from the plain fit.
fn slow_evidence(model: &Model, steps: Steps) -> f64 {
    let fit = fit(&basis_with(model.basis.clone(), steps), &rows(model), None);
    fit.log_evidence() + steps.log_hyperprior()
}

#[test]
fn the_climb_of_the_scale_ends_where_no_neighbour_has_more_evidence() {
    // Evidence is compared with second derivatives of one place, and so off by some of it.
    let off = 0.5;
    let mut model = model_of(300, 8_000.0);
    let mut evidence = slow_evidence(&model, model.state.steps);
    let start = evidence;
    for turn in 0..36 {
        model.fit_scale(turn);
        let now = slow_evidence(&model, model.state.steps);
        assert!(now >= evidence - off, "{now} after {evidence}");
        evidence = now;
    }
    assert!(evidence > start);
    let neighbours: Vec<_> = (0..3).flat_map(|turn| model.neighbours(turn)).collect();
    assert!((4..=6).contains(&neighbours.len()));
    for near in neighbours {
        assert!(slow_evidence(&model, near) <= evidence + off);
    }
}

#[test]
fn games_of_a_steep_surface_widen_the_prior_and_those_of_a_flat_one_narrow_it() {
    let step_after = |bend: f64| {
        let mut model = model_of(400, bend);
        (0..24).for_each(|turn| drop(model.fit_scale(turn)));
        model.state.steps.sigma
    };
    let (flat, steep) = (step_after(0.0), step_after(8_000.0));
    assert!(flat < 0 && steep > 0, "{flat} {steep}");
}

#[test]
fn coefficients_are_expected_to_shrink_as_those_of_a_smooth_function_do() {
    let check = |dimension: usize, indices: &[usize], expected: f64| {
        let steps = Steps {
            sigma: 1,
            rho: -2,
            window: 0,
            cross: if dimension > 2 { 1 } else { 0 },
        };
        let basis = basis_with(Model::new(unit_space(dimension)).basis, steps);
        let mut at = 0;
        let mut found = None;
        // The prior is asked for each feature in their order.
        let _ = basis.clone().with_prior(basis.shape(), |asked| {
            if asked == indices {
                found = Some(basis.variances()[at]);
            }
            at += 1;
            1.0
        });
        let variance = found.expect("a feature");
        assert!(
            (variance - expected).abs() < 1e-12 * expected,
            "{indices:?}: {variance}"
        );
    };
    // One doubling of 1.5, two half halvings of 1.
    let (sigma, rho) = (3.0, 0.5);
    let grown = |degree: i32| sigma * sigma * libm::pow(rho, f64::from(2 * (degree - 1)));
    check(2, &[], grown(0));
    check(2, &[1], grown(1));
    check(2, &[0, 0], grown(2) / 2.0);
    check(2, &[0, 1], grown(2));
    check(2, &[0, 0, 1, 1, 1], grown(5) / 12.0);
    check(3, &[2, 2], grown(2) / 2.0);
    // One doubling of 0.3.
    check(3, &[0, 2], 0.36 * grown(2));
    check(3, &[1, 1, 1], 0.36 * grown(3) / 6.0);
}

#[test]
fn the_surface_bends_down_and_its_window_is_a_share_of_its_length_scale() {
    let shape = |dimension, window| {
        let steps = Steps {
            sigma: 1,
            rho: 2,
            window,
            cross: 0,
        };
        basis_with(Model::new(unit_space(dimension)).basis, steps).shape()
    };
    // sigma 3, rho 2
    for (window, expected) in [(0, 0.0), (1, 2.0), (2, 4.0)] {
        let shape = shape(2, window);
        assert_eq!((shape.bowl, shape.window), (3.0, expected));
    }
    assert_eq!(shape(8, 0).bowl, 6.0);
}

#[test]
fn games_of_a_wall_want_no_window_and_those_of_a_low_hill_on_a_plain_do() {
    let window_after = |elo: &dyn Fn([f64; 2]) -> f64| {
        let mut model = Model::new(unit_space(2));
        let mut stream = stream(11);
        for _ in 0..1_500 {
            let mut vector = || [0.0; 2].map(|_| stream.unit());
            let (a, b) = (vector(), vector());
            let chance = 1.0 / (1.0 + libm::exp10((elo(b) - elo(a)) / 400.0));
            let score = (0..2).filter(|_| stream.unit() < chance).count();
            let [a, b] = [a, b].map(|it| Vector(it.to_vec()));
            model.add(&a, &b, score as f64, 2.0, 0);
        }
        (0..36).for_each(|turn| drop(model.fit_scale(turn)));
        model.state.steps.window
    };
    let squares = |u: [f64; 2]| (u[0] - 0.7) * (u[0] - 0.7) + (u[1] - 0.4) * (u[1] - 0.4);
    let wall = |u: [f64; 2]| -80_000.0 * libm::pow(u[0] + u[1] - 1.0, 4.0);
    let hill = |u: [f64; 2]| 300.0 * libm::exp(-12.0 * squares(u));
    assert_eq!((window_after(&wall), window_after(&hill)), (0, 2));
}

#[test]
fn draws_have_the_mean_of_the_posterior_and_their_share_of_its_deviation() {
    let fit = model_of(100, 1_000.0).fit();
    let (a, b) = ([0.7, 0.5], [0.4, 0.3]);
    let posterior = fit.difference(&a, &b);
    let mut stream = stream(3);
    let draws = 4_000;
    let elos: Vec<f64> = (0..draws)
        .map(|_| {
            let surface = drawn(&fit, 0.7, &mut stream);
            surface.elo(&a) - surface.elo(&b)
        })
        .collect();
    let mean = elos.iter().sum::<f64>() / f64::from(draws);
    let squares: f64 = elos.iter().map(|elo| (elo - mean) * (elo - mean)).sum();
    let deviation = (squares / f64::from(draws - 1)).sqrt();
    let expected = 0.7 * posterior.deviation;
    // Four standard errors each.
    assert!(
        (mean - posterior.elo).abs() < 4.0 * expected / 63.0,
        "{mean} {posterior:?}"
    );
    assert!(
        (deviation / expected - 1.0).abs() < 0.045,
        "{deviation} {expected}"
    );
    let none = drawn(&fit, 0.0, &mut stream);
    assert_eq!(none, *fit.surface());
}

#[test]
fn normal_numbers_are_normal() {
    let mut stream = stream(5);
    let numbers: Vec<f64> = (0..40_000).map(|_| normal(&mut stream)).collect();
    let share = |most: f64| {
        let below = numbers.iter().filter(|number| **number < most).count();
        below as f64 / numbers.len() as f64
    };
    for (most, expected) in [(-2.0, 0.02275), (-1.0, 0.15866), (0.0, 0.5), (1.5, 0.93319)] {
        assert!(
            (share(most) - expected).abs() < 0.01,
            "{most}: {}",
            share(most)
        );
    }
    assert!(numbers.iter().all(|number| number.is_finite()));
}

#[test]
fn expected_scores_of_both_sides_add_up_to_one() {
    let surface = model_of(200, 2_000.0).fit().surface().clone();
    let (a, b) = ([0.6, 0.4], [0.3, 0.7]);
    let score = expected_score(&surface, &a, &b);
    assert!((score + expected_score(&surface, &b, &a) - 1.0).abs() < 1e-12);
    assert!(score > 0.5);
    assert_eq!(expected_score(&surface, &a, &a), 0.5);
    let elo = surface.elo(&a) - surface.elo(&b);
    assert!((score - 1.0 / (1.0 + libm::exp10(-elo / 400.0))).abs() < 1e-9);
}
