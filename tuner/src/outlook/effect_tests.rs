//! Verdicts by their rule, and effects of games that are known.

use super::*;
use crate::outlook::believed::believed_fits;
use crate::outlook::simulated::{simulated, space};
use crate::surface::Coordinates;

/// Effects around every limit.
fn effects() -> impl Iterator<Item = Effect> {
    let deviations = [0.0, 0.5, 2.5, 2.6, 3.5, 3.6, 9.0].into_iter();
    let pairs = deviations.flat_map(|it| [0.0, 20.0, 20.1, 300.0].map(|gain| (it, gain)));
    pairs.flat_map(|(deviations, gain_elo_95)| {
        [0.0, 0.1, 0.49, 0.5, 0.75, 0.76, 1.0].map(|open| Effect {
            deviations,
            gain_elo_95,
            open,
        })
    })
}

#[test]
fn no_verdict_contradicts_its_interval() {
    let mut seen = Vec::new();
    for effect in effects() {
        for is_at_end in [false, true] {
            let verdict = effect.verdict(is_at_end);
            let holds = match verdict {
                ParameterVerdict::Measured => {
                    effect.deviations > 3.5 && effect.open <= 0.75 && !is_at_end
                }
                ParameterVerdict::AtBound => {
                    effect.deviations > 3.5 && effect.open <= 0.75 && is_at_end
                }
                ParameterVerdict::NoMeasurableEffect => {
                    effect.open >= 0.5 && effect.deviations <= 2.5 && effect.gain_elo_95 <= 20.0
                }
                ParameterVerdict::NotKnownYet => effect.open > 0.75 || effect.deviations <= 3.5,
            };
            assert!(holds, "{verdict:?} of {effect:?}");
            seen.push(verdict.words());
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 4);
}

fn effect(within: [[f64; 2]; 2], best_95: [f64; 2], index: usize) -> Effect {
    let hill = |values: &[f64]| -8.0 * (values[0] - 6.0) * (values[0] - 6.0);
    let played = simulated(&within, 2_000, 1, hill);
    let coordinates = Coordinates::new(&space(2));
    let rows = played.rows(&coordinates);
    let line = Line {
        fits: &believed_fits(&rows, &coordinates),
        rows: &rows,
        at: &[0.4, 0.5],
        index,
        played: within[index].map(|value| value / 10.0),
        best_95,
    };
    line.effect()
}

#[test]
fn an_effect_is_what_the_games_show_along_one_parameter() {
    let first = effect([[2.0, 9.0]; 2], [0.55, 0.62], 0);
    assert!(first.deviations > 4.0, "{first:?}");
    // 32 Elo between 4, which is in force, and 6; and no less than that.
    assert!((32.0..60.0).contains(&first.gain_elo_95), "{first:?}");
    assert!((first.open - 0.1).abs() < 1e-12);
    let second = effect([[2.0, 9.0]; 2], [0.2, 0.9], 1);
    assert!(
        second.deviations < 3.0 && second.gain_elo_95 < 30.0,
        "{second:?}"
    );
    assert!((second.open - 1.0).abs() < 1e-12);
}

#[test]
fn of_a_value_that_was_never_changed_nothing_is_known() {
    let never = effect([[2.0, 9.0], [5.0, 5.0]], [0.5, 0.5], 1);
    assert_eq!(never.open, 1.0);
    assert_eq!(never.deviations, 0.0);
    assert_eq!(never.verdict(false), ParameterVerdict::NotKnownYet);
}

#[test]
fn what_was_often_played_is_what_nine_of_ten_players_had() {
    let row = |a: f64, b: f64, games: f64| Row {
        a: vec![a],
        b: vec![b],
        score: 0.0,
        games,
        weight: 1.0,
    };
    let of = |rows: &[Row]| {
        let line = Line {
            fits: &[],
            rows,
            at: &[0.5],
            index: 0,
            played: [0.0, 1.0],
            best_95: [0.0, 1.0],
        };
        line.often_played()
    };
    assert_eq!(of(&[row(0.0, 1.0, 2.0), row(0.3, 0.6, 98.0)]), [0.3, 0.6]);
    assert_eq!(of(&[row(0.0, 1.0, 12.0), row(0.3, 0.6, 88.0)]), [0.0, 1.0]);
}
