//! Tests of the sides: what is played, at bounds, on log scales and of whole numbers.

use proptest::prelude::*;

use super::*;
use crate::space::{Parameter, Scale, quantised};
use crate::stream::{Purpose, StreamKey};

fn parameter(scale: Scale, integer: bool, min: f64, max: f64) -> Parameter {
    Parameter {
        path: format!("{min} to {max}"),
        scale,
        integer,
        step: 2.0,
        min,
        max,
        start: min,
    }
}

/// All kinds; one whole number has a range of two units.
fn mixed() -> Space {
    Space::new(vec![
        parameter(Scale::Linear, false, -0.5, 1.5),
        parameter(Scale::Log, false, 0.01, 100.0),
        parameter(Scale::Linear, true, 2.0, 4.0),
        parameter(Scale::Linear, true, 0.0, 1000.0),
        parameter(Scale::Log, true, 1.0, 4096.0),
    ])
}

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Learner).stream()
}

#[test]
fn a_continuous_parameter_moves_by_its_width_on_its_scale() {
    let unit_space = UnitSpace::new(mixed());
    let sides = unit_space.sides(&[0.5; 5], &[0.1; 5], &mut stream(1));
    let sorted = |index: usize| {
        let mut pair = [sides.plus.0[index], sides.minus.0[index]];
        pair.sort_by(f64::total_cmp);
        pair
    };
    assert_eq!(sorted(0), [0.3, 0.7]);
    // A tenth of four decades.
    assert_eq!(sorted(1), [0.398107, 2.51189]);
    assert_eq!(sorted(3), [400.0, 600.0]);
}

#[test]
fn every_combination_of_directions_occurs() {
    let unit_space = UnitSpace::new(mixed());
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..1_000 {
        let sides = unit_space.sides(&[0.5; 5], &[0.1; 5], &mut stream(seed));
        seen.insert(signs(&sides.shifts));
    }
    assert_eq!(seen.len(), 32);
}

fn signs(numbers: &[f64]) -> Vec<bool> {
    numbers.iter().map(|number| *number > 0.0).collect()
}

#[test]
fn at_a_bound_one_side_stays_there() {
    let unit_space = UnitSpace::new(mixed());
    for (point, bound) in [(0.0, -0.5), (1.0, 1.5)] {
        let sides = unit_space.sides(&[point; 5], &[0.1; 5], &mut stream(1));
        let values = [sides.plus.0[0], sides.minus.0[0]];
        assert!(values.contains(&bound), "{values:?}");
        assert_ne!(values[0], values[1]);
    }
}

#[test]
fn a_parameter_whose_sides_play_the_same_value_is_not_learnt_about() {
    let mut space = mixed();
    // Six digits tell only 1000 and 1000.01 apart.
    (space.parameters[0].min, space.parameters[0].max) = (1000.0, 1000.01);
    space.parameters[0].start = 1000.0;
    let unit_space = UnitSpace::new(space.clone());
    let sides = unit_space.sides(&[0.2; 5], &[0.05; 5], &mut stream(1));
    assert_eq!(sides.plus.0[0], sides.minus.0[0]);
    assert_eq!(sides.shifts[0], 0.0);
    assert!(!sides.are_the_same());
    space.parameters = vec![space.parameters[0].clone(); 2];
    let sides = UnitSpace::new(space).sides(&[0.2; 2], &[0.05; 2], &mut stream(1));
    assert!(sides.are_the_same());
}

#[test]
fn the_start_keeps_all_its_digits() {
    let mut space = mixed();
    space.parameters[0].start = 1.0 / 3.0;
    let unit_space = UnitSpace::new(space.clone());
    assert_eq!(unit_space.vector(&unit_space.start_point()), space.start());
    let mut elsewhere = unit_space.start_point();
    elsewhere[1] += 0.1;
    assert_eq!(unit_space.vector(&elsewhere).0[0], 0.333333);
}

proptest! {
    #[test]
    fn sides_keep_to_the_space_and_whole_numbers_differ(
        point in prop::collection::vec(0.0..=1.0, 5),
        width in 0.0001..0.3,
        seed in 0_u64..1000,
    ) {
        let space = mixed();
        let sides = UnitSpace::new(space.clone()).sides(&point, &[width; 5], &mut stream(seed));
        prop_assert!(space.contains(&sides.plus) && space.contains(&sides.minus));
        for (index, parameter) in space.parameters.iter().enumerate() {
            let (plus, minus) = (sides.plus.0[index], sides.minus.0[index]);
            prop_assert_eq!(plus, quantised(plus));
            prop_assert_eq!(minus, quantised(minus));
            if parameter.integer {
                prop_assert_eq!(plus, libm::rint(plus));
                prop_assert!((plus - minus).abs() >= 1.0, "{} {}", plus, minus);
            }
            prop_assert_eq!(sides.shifts[index] > 0.0, plus > minus);
            prop_assert!(sides.shifts[index].abs() >= width || plus == minus);
        }
    }

    #[test]
    fn a_small_perturbation_of_a_whole_number_is_raised_to_one_unit(
        value in 1_u32..999,
        fraction in 0.0..1.0,
        seed in 0_u64..1000,
    ) {
        let unit_space = UnitSpace::new(mixed());
        let point = (f64::from(value) + fraction) / 1000.0;
        let sides = unit_space.sides(&[point; 5], &[1e-6; 5], &mut stream(seed));
        let difference = (sides.plus.0[3] - sides.minus.0[3]).abs();
        // Two where both halves are rounded away from a whole number.
        prop_assert!((1.0..=2.0).contains(&difference));
        prop_assert!(fraction < 1e-9 || difference == 1.0);
    }
}
