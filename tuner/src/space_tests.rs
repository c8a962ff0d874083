//! Tests of parameters, edits and quantising.

use super::*;
use proptest::prelude::*;

fn linear() -> Parameter {
    Parameter {
        path: "stages.layout.bias.capture".into(),
        scale: Scale::Linear,
        integer: false,
        step: 0.05,
        min: -1.0,
        max: 1.0,
        start: 0.2,
    }
}

fn log() -> Parameter {
    Parameter {
        scale: Scale::Log,
        step: 1.25,
        min: 0.01,
        max: 10.0,
        start: 1.0,
        ..linear()
    }
}

fn whole() -> Parameter {
    Parameter {
        integer: true,
        step: 2.0,
        min: 0.0,
        max: 20.0,
        start: 7.0,
        ..linear()
    }
}

fn choice() -> Parameter {
    Parameter {
        scale: Scale::Choice(["visits", "highest_ucb"]),
        integer: true,
        step: 2.0,
        min: 0.0,
        max: 2.0,
        start: 2.0,
        ..linear()
    }
}

#[test]
fn a_choice_is_one_of_two_words_whatever_an_edit_is() {
    let parameter = choice();
    assert_eq!(parameter.validate(), Ok(()));
    for value in [0.0, 2.0] {
        assert_eq!(parameter.edited(value, 0.1), 2.0);
        assert_eq!(parameter.edited(value, -7.0), 0.0);
        assert_eq!(parameter.edited(value, 0.0), value);
    }
    assert_eq!([0.9, 1.1].map(|value| parameter.settled(value)), [0.0, 2.0]);
    let texts = [0.0, 2.0].map(|value| parameter.text(value));
    assert_eq!(texts, ["visits", "highest_ucb"]);
    let space = Space::new(vec![parameter.clone(), linear()]);
    assert!(space.contains(&Vector(vec![2.0, 0.1])));
    assert!(!space.contains(&Vector(vec![1.0, 0.1])));
    let refused = |change: fn(&mut Parameter)| {
        let mut parameter = choice();
        change(&mut parameter);
        assert!(parameter.validate().is_err(), "{parameter:?}");
    };
    refused(|it| it.start = 1.0);
    refused(|it| it.scale = Scale::Choice(["one", "one"]));
    refused(|it| it.integer = false);
}

#[test]
fn halves_of_whole_numbers_are_rounded_without_a_drift() {
    let parameter = Parameter {
        step: 1.0,
        ..whole()
    };
    let there_and_back = |value: f64| {
        let up = parameter.edited(value, 0.5) - value;
        let down = parameter.edited(value, -0.5) - value;
        up + down
    };
    let drift: f64 = (1..=18).map(|value| there_and_back(f64::from(value))).sum();
    assert_eq!(drift, 0.0);
}

#[test]
fn what_cancelled_steps_leave_is_zero() {
    let parameter = linear();
    let sum = 0.1 + 0.2 - 0.3;
    assert!(sum != 0.0);
    assert_eq!(parameter.settled(sum), 0.0);
    assert_eq!(parameter.settled(1e-3), 1e-3);
}

#[test]
fn edits_add_multiply_clamp_and_round() {
    let cases = [
        (linear(), 0.2, 1.0, 0.25),
        (linear(), 0.1, 0.2, 0.11),
        (linear(), 0.99, 1.0, 1.0),
        (linear(), -0.99, -3.0, -1.0),
        (log(), 1.0, 1.0, 1.25),
        (log(), 1.0, -2.0, 0.64),
        (log(), 9.0, 1.0, 10.0),
        (log(), 1.0, 0.5, 1.11803),
        (whole(), 7.0, 1.0, 9.0),
        (whole(), 7.0, 0.2, 7.0),
        (whole(), 7.0, 0.25, 8.0),
        (whole(), 1.0, -1.0, 0.0),
    ];
    for (parameter, value, steps, want) in cases {
        assert_eq!(parameter.edited(value, steps), want, "{value} {steps}");
    }
}

#[test]
fn a_range_end_with_many_digits_is_kept_as_it_is() {
    let parameter = Parameter {
        max: 2.0 / 3.0,
        ..linear()
    };
    assert_eq!(parameter.edited(0.65, 1.0), 2.0 / 3.0);
}

#[test]
fn quantising_keeps_six_digits() {
    let cases = [
        (0.123_456_49, 0.123_456),
        (123_456_789.0, 123_457_000.0),
        (0.1 + 0.2, 0.3),
        (-1.0 / 3.0, -0.333_333),
        (0.0, 0.0),
        (5e-324, 5e-324),
    ];
    for (value, want) in cases {
        assert_eq!(quantised(value), want);
    }
    assert!(quantised(-0.0).is_sign_positive());
}

#[test]
fn good_parameters_pass() {
    for parameter in [linear(), log(), whole()] {
        assert_eq!(parameter.validate(), Ok(()));
    }
}

#[test]
fn bad_numbers_are_named_with_what_is_allowed() {
    let check = |mut parameter: Parameter, change: fn(&mut Parameter), want: &str| {
        change(&mut parameter);
        let message = parameter.validate().unwrap_err().to_string();
        let (path, rest) = message.split_once(": ").unwrap();
        assert_eq!(path, parameter.path);
        assert!(rest.starts_with(want), "{rest} is not {want}");
    };
    check(
        linear(),
        |p| p.step = f64::NAN,
        "step = NaN: must be a finite",
    );
    check(
        linear(),
        |p| p.max = f64::INFINITY,
        "max = inf: must be a finite",
    );
    check(
        linear(),
        |p| p.max = -1.0,
        "max = -1: must be above min = -1",
    );
    check(
        linear(),
        |p| p.start = 1.5,
        "start = 1.5: must be in [-1, 1]",
    );
    check(linear(), |p| p.step = 0.0, "step = 0: must be above 0");
    check(log(), |p| p.step = 1.0, "step = 1: must be above 1");
    check(log(), |p| p.min = 0.0, "min = 0: must be above 0");
    check(
        whole(),
        |p| p.step = 0.5,
        "step = 0.5: must be a whole number",
    );
    check(
        whole(),
        |p| p.start = 7.5,
        "start = 7.5: must be a whole number",
    );
    check(
        whole(),
        |p| p.max = 1_234_567.0,
        "max = 1234567: must be a whole",
    );
}

#[test]
fn a_space_needs_a_pair_of_different_parameters() {
    let space = Space::new;
    assert_eq!(space(vec![linear()]).validate(), Err(SpaceError::TooFew(1)));
    assert_eq!(
        space(vec![linear(), linear()]).validate(),
        Err(SpaceError::Twice(linear().path))
    );
    let other = Parameter {
        path: "stages.layout.exploration".into(),
        ..log()
    };
    let good = space(vec![linear(), other]);
    assert_eq!(good.validate(), Ok(()));
    assert_eq!(good.start(), Vector(vec![0.2, 1.0]));
    assert!(good.contains(&good.start()));
    assert!(!good.contains(&Vector(vec![0.2])));
    assert!(!good.contains(&Vector(vec![1.2, 1.0])));
}

proptest! {
    #[test]
    fn quantising_twice_changes_nothing(value in -1e12f64..1e12) {
        let once = quantised(value);
        prop_assert_eq!(once, quantised(once));
        prop_assert!((once - value).abs() <= 5.1e-6 * value.abs());
    }

    #[test]
    fn edits_stay_in_range_and_settled(value in -1.0f64..=1.0, steps in -50.0f64..50.0) {
        for (parameter, value) in [
            (linear(), value),
            (log(), 5.1 + 4.9 * value),
            (whole(), libm::round(10.0 + 10.0 * value)),
        ] {
            let edited = parameter.edited(value, steps);
            prop_assert!((parameter.min..=parameter.max).contains(&edited));
            prop_assert_eq!(edited, parameter.settled(edited));
            prop_assert!(!parameter.integer || libm::trunc(edited) == edited);
        }
    }

    #[test]
    fn opposite_moves_cancel_inside_the_range(value in 0.1f64..5.0, steps in -3.0f64..3.0) {
        let parameter = log();
        let value = quantised(value);
        let there = parameter.moved(value, steps);
        prop_assume!(parameter.min < there && there < parameter.max);
        prop_assert_eq!(parameter.settled(parameter.moved(there, -steps)), value);
    }
}
