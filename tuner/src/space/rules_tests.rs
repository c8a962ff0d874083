//! Tests of rules: what holds, what a repaired vector is, and how near it is.

use proptest::prelude::*;

use super::*;
use crate::space::{Scale, SpaceError};

fn parameter(name: &str, integer: bool, max: f64, start: f64) -> Parameter {
    Parameter {
        path: name.into(),
        scale: Scale::Linear,
        integer,
        step: 1.0,
        min: 0.0,
        max,
        start,
    }
}

fn ordered(parameters: &[usize], apart: f64) -> Rule {
    let parameters = parameters.to_vec();
    Rule::Ordered { parameters, apart }
}

fn sum(parameters: &[usize], at_least: Option<f64>, at_most: Option<f64>) -> Rule {
    Rule::Sum {
        parameters: parameters.to_vec(),
        at_least,
        at_most,
    }
}

/// Three parameters with ranges to 10, at 2, 4 and 6.
fn three(integer: bool, rules: Vec<Rule>) -> Space {
    let parameters = [("a", 2.0), ("b", 4.0), ("c", 6.0)];
    let parameters = parameters.map(|(name, start)| parameter(name, integer, 10.0, start));
    Space::new(parameters.to_vec()).with_rules(rules)
}

fn repaired(space: &Space, values: &[f64]) -> Vec<f64> {
    space.repaired(Vector(values.to_vec())).0
}

#[test]
fn what_is_out_of_order_meets_in_the_middle() {
    let space = three(false, vec![ordered(&[0, 1, 2], 0.0)]);
    assert_eq!(repaired(&space, &[5.0, 4.0, 6.0]), [4.5, 4.5, 6.0]);
    let apart = three(true, vec![ordered(&[0, 1], 2.0)]);
    assert_eq!(repaired(&apart, &[5.0, 5.0, 0.0]), [4.0, 6.0, 0.0]);
    // The end of a range holds its value, so the other one gives way alone.
    assert_eq!(repaired(&apart, &[10.0, 10.0, 0.0]), [8.0, 10.0, 0.0]);
}

#[test]
fn a_sum_is_shared_out_by_ranges() {
    let mut space = three(false, vec![sum(&[0, 1], None, Some(6.0))]);
    assert_eq!(repaired(&space, &[5.0, 5.0, 9.0]), [3.0, 3.0, 9.0]);
    space.parameters[0].max = 20.0;
    // The range is twice as wide, and a way on it counts half: squares of ranges share.
    assert_eq!(repaired(&space, &[6.0, 5.0, 9.0]), [2.0, 4.0, 9.0]);
    let low = three(true, vec![sum(&[1, 2], Some(10.0), None)]);
    assert_eq!(repaired(&low, &[0.0, 4.0, 3.0]), [0.0, 6.0, 4.0]);
}

#[test]
fn decimal_sums_at_their_limit_hold() {
    let space = three(false, vec![sum(&[0, 1], None, Some(0.3))]);
    // As binary numbers 0.1 and 0.2 are together more than 0.3.
    let vector = Vector(vec![0.1, 0.2, 5.0]);
    assert_eq!(space.broken_rule(&vector), None);
    let beyond = Vector(vec![0.1, 0.200001, 5.0]);
    assert!(space.broken_rule(&beyond).is_some());
}

#[test]
fn a_rule_is_said_in_words() {
    let space = three(false, Vec::new());
    assert_eq!(ordered(&[0, 1, 2], 0.0).words(&space), "a <= b <= c");
    assert_eq!(ordered(&[0, 1], 2.0).words(&space), "a + 2 <= b");
    let both = sum(&[0, 2], Some(0.5), Some(1.0));
    assert_eq!(both.words(&space), "0.5 <= a + c <= 1");
    assert_eq!(sum(&[0, 1], None, Some(1.0)).words(&space), "a + b <= 1");
}

#[test]
fn rules_that_cannot_be_kept_are_refused() {
    let refused = |rule: Rule, why: &str| {
        let Err(SpaceError::Rule(problem)) = three(false, vec![rule]).validate() else {
            panic!("{why}: accepted");
        };
        assert!(problem.contains(why), "{problem}");
    };
    refused(ordered(&[0], 0.0), "at least two");
    refused(ordered(&[0, 0], 0.0), "names a twice");
    refused(ordered(&[0, 7], 0.0), "which there is not");
    refused(ordered(&[0, 1], -1.0), "apart not below 0");
    let mut space = three(true, vec![ordered(&[0, 1], 0.0)]);
    space.parameters[1].scale = Scale::Choice(["one", "other"]);
    space.parameters[1].start = 10.0;
    let problem = space.validate().unwrap_err().to_string();
    assert!(problem.contains("words have no order"), "{problem}");
    refused(sum(&[0, 1], None, None), "no usable limit");
    refused(sum(&[0, 1], Some(f64::NAN), None), "no usable limit");
    refused(
        ordered(&[1, 0], 0.0),
        "at the start: b = 4, a = 2, but b <= a",
    );
    assert_eq!(three(false, vec![ordered(&[0, 1], 0.0)]).validate(), Ok(()));
}

#[test]
fn limits_that_leave_the_start_alone_give_the_start() {
    let all = [0, 1, 2];
    let space = three(
        false,
        vec![
            sum(&all, Some(12.0), Some(12.0)),
            ordered(&all, 2.0),
            sum(&[1, 2], None, Some(10.0)),
        ],
    );
    space.validate().expect("it holds at the start");
    for values in [[0.0, 0.0, 0.0], [10.0, 0.0, 3.0], [1.5, 9.25, 9.5]] {
        let found = space.repaired(Vector(values.to_vec()));
        assert!(space.contains(&found));
        for (value, start) in found.0.iter().zip(space.start().0) {
            assert!((value - start).abs() < 1e-4, "{found:?}");
        }
    }
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let places = prop::sample::subsequence(vec![0_usize, 1, 2], 2..=3).prop_shuffle();
    (places, prop::bool::ANY, 0..4_u32, 0..20_u32, 0..20_u32).prop_map(
        |(parameters, is_order, apart, low, more)| {
            if is_order {
                let apart = f64::from(apart);
                return Rule::Ordered { parameters, apart };
            }
            let (low, high) = (f64::from(low), f64::from(low + more));
            sum(&parameters, Some(low), Some(high))
        },
    )
}

fn holding(integer: bool, rules: Vec<Rule>) -> Space {
    let mut space = three(integer, rules);
    let start = space.start();
    space.rules.retain(|rule| rule.holds(&start));
    space
}

/// The nearest vector of whole numbers of which all rules hold, by trying all.
fn nearest_of_all(space: &Space, vector: &[f64]) -> f64 {
    let places = (0..11_u32.pow(3)).map(|code| {
        let digits = [code % 11, code / 11 % 11, code / 121].map(f64::from);
        Vector(digits.to_vec())
    });
    let allowed = places.filter(|place| space.broken_rule(place).is_none());
    let distances = allowed.map(|place| distance(&place.0, vector));
    distances.fold(f64::INFINITY, f64::min)
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    let squares = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

proptest! {
    #[test]
    fn a_repaired_vector_can_be_played_and_is_repaired_no_further(
        rules in prop::collection::vec(any_rule(), 1..4),
        values in prop::collection::vec(0.0..=10.0, 3),
        integer in prop::bool::ANY,
    ) {
        let space = holding(integer, rules);
        let settled = values.iter().map(|value| space.parameters[0].settled(*value));
        let vector = Vector(settled.collect());
        let found = space.repaired(vector.clone());
        prop_assert!(space.contains(&found), "{:?}", found);
        for value in &found.0 {
            prop_assert_eq!(space.parameters[0].settled(*value), *value);
        }
        prop_assert_eq!(space.repaired(found.clone()), found.clone());
        if space.broken_rule(&vector).is_none() {
            prop_assert_eq!(found, vector);
        }
    }

    #[test]
    fn one_rule_of_whole_numbers_moves_a_vector_hardly_farther_than_it_must(
        rule in any_rule(),
        values in prop::collection::vec(0..=10_u32, 3),
    ) {
        let space = holding(true, vec![rule]);
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let found = repaired(&space, &values);
        let least = nearest_of_all(&space, &values);
        prop_assert!(distance(&found, &values) <= least + 2.0, "{:?} to {:?}", values, found);
    }
}
