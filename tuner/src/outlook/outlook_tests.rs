//! Outlooks of simulated tunings whose surface is known.

use super::simulated::{paired, simulated, space, two_games};
use super::*;
use crate::space::Scale;
use crate::stats::Wdl;
use crate::stream::{Purpose, StreamKey};
use crate::trial::{Colours, Trial, TrialId, TrialResult};

/// 200 Elo from the top at 6 to a distance of half the range, in the first value only.
fn one_matters(values: &[f64]) -> f64 {
    -8.0 * (values[0] - 6.0) * (values[0] - 6.0)
}

#[test]
fn without_paired_games_there_is_no_outlook() {
    let incumbent = space(2).start();
    assert!(Outlook::of(&space(2), &Played::default(), &incumbent).is_none());
}

#[test]
fn a_value_that_does_not_matter_is_told_from_one_that_does() {
    let verdict = ParameterVerdict::NoMeasurableEffect;
    let (mut without_effect, mut others) = (0, 0);
    for (dimension, seed) in [(2, 1), (2, 2), (2, 3), (4, 4)] {
        let played = simulated(&vec![[2.0, 9.0]; dimension], 3_000, seed, one_matters);
        let incumbent = Vector(vec![6.0; dimension]);
        let outlook = Outlook::of(&space(dimension), &played, &incumbent).unwrap();
        let first = outlook.parameters[0];
        assert_eq!(first.verdict, ParameterVerdict::Measured);
        let [from, to] = first.best_95;
        assert!(from < 6.0 && to > 6.0 && to - from < 5.0, "{first:?}");
        for parameter in &outlook.parameters[1..] {
            others += 1;
            assert_ne!(parameter.verdict, ParameterVerdict::Measured, "{seed}");
            without_effect += u32::from(parameter.verdict == verdict);
            assert!(parameter.played[0] < 2.1 && parameter.played[1] > 8.9);
        }
        assert!(outlook.fits, "{:?}", outlook.misfits);
    }
    assert!(2 * without_effect >= others, "{without_effect} of {others}");
}

#[test]
fn a_value_at_the_end_of_its_range_is_at_its_bound() {
    let rising = |values: &[f64]| 30.0 * values[0] + 30.0 * values[1];
    let played = simulated(&[[2.0, 10.0]; 2], 1_000, 1, rising);
    let outlook = Outlook::of(&space(2), &played, &Vector(vec![10.0, 6.0])).unwrap();
    assert_eq!(outlook.parameters[0].verdict, ParameterVerdict::AtBound);
    assert_eq!(outlook.parameters[1].verdict, ParameterVerdict::Measured);
    // 4 more of the second value.
    let gain = outlook.remaining_gain;
    assert!((gain.expected - 120.0).abs() < 60.0, "{gain:?}");
    let over_start = outlook.over_start;
    assert!((over_start.elo - 180.0).abs() < 3.0 * over_start.deviation);
}

#[test]
fn what_is_left_to_gain_is_what_the_incumbent_lacks_on_average() {
    // A hill of 100 Elo a half range whose top the incumbent misses by 25 Elo in each value.
    let hill = |values: &[f64]| -> f64 {
        values
            .iter()
            .map(|value| -4.0 * (value - 5.0) * (value - 5.0))
            .sum()
    };
    let (incumbent, runs) = (Vector(vec![7.5, 2.5]), 12);
    let (mut expected, mut bounded) = (0.0, 0);
    for seed in 0..runs {
        let played = simulated(&[[1.0, 9.0]; 2], 2_000, seed, hill);
        let outlook = Outlook::of(&space(2), &played, &incumbent).unwrap();
        expected += outlook.remaining_gain.expected / runs as f64;
        bounded += u32::from(outlook.remaining_gain.at_most_95 >= 50.0);
    }
    assert!((expected - 50.0).abs() < 8.0, "{expected}");
    assert!(bounded >= 10, "{bounded} of {runs}");
}

#[test]
fn intervals_hold_the_best_value_about_as_often_as_they_say() {
    let hill = |values: &[f64]| {
        let (x, y) = (values[0] - 6.0, values[1] - 4.0);
        -4.0 * x * x - 1.5 * y * y + 2.0 * x * y
    };
    let (mut held, mut all) = (0, 0);
    for seed in 100..140 {
        let played = simulated(&[[2.0, 8.0]; 2], 500, seed, hill);
        let outlook = Outlook::of(&space(2), &played, &Vector(vec![5.5, 4.5])).unwrap();
        for (parameter, best) in outlook.parameters.iter().zip([6.0, 4.0]) {
            let [from, to] = parameter.best_95;
            held += u32::from((from..=to).contains(&best));
            all += 1;
        }
    }
    assert!(held * 100 >= all * 88, "{held} of {all}");
}

#[test]
fn a_surface_with_a_step_does_not_fit_and_a_smooth_one_does() {
    let step = |values: &[f64]| if values[0] < 4.0 { -400.0 } else { 0.0 };
    let cusp = |values: &[f64]| -160.0 * (values[0] - 4.0).abs();
    let smooth = |values: &[f64]| -8.0 * (values[0] - 5.0) * (values[0] - 5.0);
    let outlook = |elo: &dyn Fn(&[f64]) -> f64, seed| {
        let played = simulated(&[[0.0, 10.0]; 2], 10_000, seed, elo);
        Outlook::of(&space(2), &played, &Vector(vec![5.0, 5.0])).unwrap()
    };
    for seed in 0..3 {
        assert!(!outlook(&step, seed).fits, "step {seed}");
        // A cusp is found, whether it fits or not.
        let [from, to] = outlook(&cusp, seed).parameters[0].best_95;
        assert!(from < 4.1 && to > 3.9 && to - from < 2.0, "{from} to {to}");
        let smooth = outlook(&smooth, seed);
        assert!(
            smooth.fits && smooth.misfits.is_empty(),
            "{:?}",
            smooth.misfits
        );
    }
    let misfits = outlook(&step, 0).misfits;
    assert!(misfits.is_sorted_by(|one, other| one.errors.abs() >= other.errors.abs()));
    assert!(
        misfits
            .iter()
            .all(|it| it.errors.abs() > 4.0 && it.games >= 20.0)
    );
}

#[test]
fn two_vectors_that_contradict_the_others_are_named() {
    let mut played = simulated(&[[1.0, 9.0]; 2], 3_000, 1, one_matters);
    // Rock, paper, scissors of a kind: equal by the surface, and one wins nearly always.
    for (low, high) in [(2.0, 3.0), (7.0, 8.0)] {
        let wdl = Wdl {
            wins: 90,
            draws: 0,
            losses: 10,
        };
        let trial = Trial {
            id: TrialId { round: 0, trial: 0 },
            a: Vector(vec![6.0, low]),
            b: Vector(vec![6.0, high]),
            colours: Colours::Paired,
            games: 100,
        };
        let result = TrialResult {
            wdl,
            ..TrialResult::default()
        };
        played.add(&trial, &result);
    }
    let outlook = Outlook::of(&space(2), &played, &Vector(vec![6.0, 5.0])).unwrap();
    assert!(!outlook.fits);
    let named = outlook.misfits.iter();
    let vectors = named.filter(|it| matches!(it.place, Place::Vectors { .. }));
    assert_eq!(vectors.count(), 2, "{:?}", outlook.misfits);
}

#[test]
fn what_is_known_between_the_ends_is_an_effect_though_the_ends_are_hardly_known() {
    // Nearly all games are between 3 and 7; one pair reaches each end, and says little there.
    let hill = |values: &[f64]| -10.0 * (values[0] - 4.0) * (values[0] - 4.0);
    let mut played = simulated(&[[3.0, 7.0]; 2], 1_500, 5, hill);
    for end in [0.0, 10.0] {
        let trial = Trial {
            id: TrialId { round: 0, trial: 0 },
            a: Vector(vec![end, 5.0]),
            b: Vector(vec![6.0, 5.0]),
            colours: Colours::Paired,
            games: 2,
        };
        let wdl = Wdl {
            wins: 1,
            draws: 0,
            losses: 1,
        };
        let result = TrialResult {
            wdl,
            ..TrialResult::default()
        };
        played.add(&trial, &result);
    }
    let outlook = Outlook::of(&space(2), &played, &Vector(vec![5.0, 5.0])).unwrap();
    assert_eq!(outlook.parameters[0].verdict, ParameterVerdict::Measured);
    let other = outlook.parameters[1].verdict;
    assert_ne!(other, ParameterVerdict::Measured);
}

#[test]
fn with_few_games_neither_an_effect_nor_its_absence_is_known() {
    for seed in 0..5 {
        let played = simulated(&[[2.0, 9.0]; 2], 40, seed, one_matters);
        let outlook = Outlook::of(&space(2), &played, &Vector(vec![6.0, 5.0])).unwrap();
        let second = outlook.parameters[1].verdict;
        assert_eq!(second, ParameterVerdict::NotKnownYet, "seed {seed}");
    }
}

#[test]
fn a_value_that_does_nothing_is_seldom_called_measured() {
    // The second value does nothing, and how much the first does is different in each run.
    let (mut invented, mut missed, mut strong, runs) = (0, 0, 0, 60);
    for seed in 0..runs {
        let height = 4.0 * (seed % 10) as f64;
        let hill = |values: &[f64]| -height * (values[0] - 6.0) * (values[0] - 6.0);
        let pairs = 250 << (seed % 3);
        let played = simulated(&[[2.0, 9.0]; 2], pairs, 200 + seed, hill);
        let outlook = Outlook::of(&space(2), &played, &Vector(vec![5.0, 5.0])).unwrap();
        let [first, second] = [0, 1].map(|index| outlook.parameters[index].verdict);
        invented += u32::from(second == ParameterVerdict::Measured);
        if seed % 10 >= 5 {
            strong += 1;
            missed += u32::from(first != ParameterVerdict::Measured);
        }
        for parameter in &outlook.parameters {
            let [[low, high], [from, to]] = [parameter.played, parameter.best_95];
            let open = (to - from) / (high - low);
            // The interval is shown in values that are played, which are rounded.
            match parameter.verdict {
                ParameterVerdict::Measured => assert!(open < 0.76, "{parameter:?}"),
                ParameterVerdict::NoMeasurableEffect => assert!(open > 0.49, "{parameter:?}"),
                _ => {}
            }
        }
    }
    assert!(invented * 20 <= runs as u32, "{invented} of {runs}");
    assert!(missed * 5 <= strong, "{missed} of {strong}");
}

#[test]
fn nothing_lies_between_two_words_and_nothing_is_left_to_gain_there() {
    // 150 Elo between the words, known from thousands of games; the better one is in force.
    let mut space = space(2);
    space.parameters[1].scale = Scale::Choice(["one", "other"]);
    (space.parameters[1].min, space.parameters[1].max) = (0.0, 1.0);
    space.parameters[1].start = 0.0;
    let hill = |values: &[f64]| 150.0 * values[1] - 4.0 * (values[0] - 6.0) * (values[0] - 6.0);
    let mut stream = StreamKey::new(3, Purpose::Scripted).stream();
    let mut played = Played::default();
    for trial in 0..2_000 {
        let mut vector = || Vector(vec![2.0 + 7.0 * stream.unit(), f64::from(stream.below(2))]);
        let (a, b) = (vector(), vector());
        played.add(
            &paired(trial, &a, &b),
            &two_games(hill, &a, &b, &mut stream),
        );
    }
    let outlook = Outlook::of(&space, &played, &Vector(vec![6.0, 1.0])).unwrap();
    assert_eq!(outlook.parameters[1].best_95, [1.0, 1.0]);
    assert_eq!(outlook.parameters[1].verdict, ParameterVerdict::Measured);
    let left = outlook.remaining_gain;
    assert!(left.expected < 10.0 && left.at_most_95 < 25.0, "{left:?}");
}
