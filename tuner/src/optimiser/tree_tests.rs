//! Tests of the Q tree: numbering, choice, update and edits.

use proptest::prelude::*;

use super::*;
use crate::space::{Parameter, Scale};
use crate::stream::{Purpose, StreamKey};

const RULE: UpdateRule = UpdateRule {
    alpha: 0.1,
    gamma: 0.9,
    unrewarded: UnrewardedLeaf::Zero,
    reward_to: RewardTo::Leaf,
};

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Learner).stream()
}

/// A tree whose Q-values are all zero.
fn flat_tree() -> QTree {
    QTree::new([0.0, 0.0], &mut stream(0))
}

fn parameter(path: &str, start: f64) -> Parameter {
    Parameter {
        path: path.into(),
        scale: Scale::Linear,
        integer: false,
        step: 1.0,
        min: 0.0,
        max: 30.0,
        start,
    }
}

fn paper_space() -> Space {
    Space::new(vec![parameter("x", 5.0), parameter("y", 20.0)])
}

fn edits(c1: f64, c2: f64) -> Edits {
    Edits {
        actions: ACTIONS,
        steps: Steps { c1, c2 },
    }
}

#[test]
fn numbering_is_the_sources() {
    assert_eq!(NODES, 43);
    assert_eq!(nodes_of([1, 1]), [1, 7]);
    assert_eq!(nodes_of([6, 6]), [6, 42]);
    // The source reports the path from node 5 to node 33: action 5, then action 3.
    assert_eq!(nodes_of([5, 3]), [5, 33]);
    assert_eq!(parent(ROOT), None);
}

#[test]
fn every_node_but_the_root_is_one_childs_place() {
    let mut seen = [0; NODES];
    for node in 0..=WAYS {
        for action in 1..=6 {
            seen[child(node, action)] += 1;
        }
    }
    assert_eq!(seen[ROOT], 0);
    assert!(seen[1..].iter().all(|&count| count == 1));
}

#[test]
fn the_sources_path_edits_as_printed() {
    // X = X + C1, Y = Y + C2, then Y = Y + C1.
    let space = paper_space();
    let candidate = edits(0.5, 0.2).candidate(&space, [0, 1], &space.start(), &[5, 3]);
    assert_eq!(candidate, Vector(vec![5.5, 20.7]));
}

#[test]
fn each_action_edits_its_own_way() {
    let space = paper_space();
    let expected = [
        [5.5, 20.0],
        [4.5, 20.0],
        [5.0, 20.5],
        [5.0, 19.5],
        [5.5, 20.2],
        [4.5, 19.8],
    ];
    // Action 3 after `action` moves Y once more: compare with that taken into account.
    for (action, [x, y]) in (1..).zip(expected) {
        let candidate = edits(0.5, 0.2).candidate(&space, [0, 1], &space.start(), &[action, 3]);
        assert_eq!(candidate.0[0], x, "action {action}");
        assert!((candidate.0[1] - (y + 0.5)).abs() < 1e-9, "action {action}");
    }
    let mut crossed = edits(0.5, 0.2);
    crossed.actions[5] = CROSSED_SIXTH;
    let candidate = crossed.candidate(&space, [0, 1], &space.start(), &[6, 6]);
    assert_eq!(candidate, Vector(vec![4.6, 19.0]));
}

#[test]
fn the_second_edit_starts_where_the_range_stopped_the_first() {
    let mut space = paper_space();
    space.parameters[0].max = 5.2;
    let candidate = edits(0.5, 0.2).candidate(&space, [0, 1], &space.start(), &[1, 2]);
    assert_eq!(candidate, Vector(vec![4.7, 20.0]));
}

#[test]
fn values_that_no_edit_touches_keep_all_their_digits() {
    let mut space = paper_space();
    space.parameters[1].start = 20.123_456_789;
    space.parameters.push(parameter("z", 1.0 / 3.0));
    let candidate = edits(1.0, 1.0).candidate(&space, [0, 1], &space.start(), &[1, 1]);
    assert_eq!(candidate, Vector(vec![7.0, 20.123_456_789, 1.0 / 3.0]));
}

#[test]
fn the_active_pair_is_edited_and_nothing_else() {
    let mut space = paper_space();
    space.parameters.push(parameter("z", 7.0));
    let candidate = edits(1.0, 1.0).candidate(&space, [2, 0], &space.start(), &[1, 4]);
    assert_eq!(candidate, Vector(vec![4.0, 20.0, 8.0]));
}

#[test]
fn the_update_is_the_printed_one() {
    let mut tree = flat_tree();
    tree.update([2, 4], Some(1.0), &RULE);
    let [second, leaf] = nodes_of([2, 4]);
    assert_eq!(tree.node(leaf), Node { q: 0.1, visits: 1 });
    // The second layer sees the leaf as it is after its own update.
    assert!((tree.node(second).q - 0.1 * 0.9 * 0.1).abs() < 1e-15);
    tree.update([2, 5], None, &RULE);
    assert!((tree.node(second).q - (0.009 + 0.1 * (0.09 - 0.009))).abs() < 1e-15);
    assert_eq!([tree.node(ROOT).visits, tree.node(second).visits], [2, 2]);
}

#[test]
fn readings_of_the_update_differ_where_they_should() {
    let after = |reward, unrewarded, reward_to| {
        let mut tree = flat_tree();
        tree.update([1, 1], Some(10.0), &RULE);
        let rule = UpdateRule {
            unrewarded,
            reward_to,
            ..RULE
        };
        tree.update([1, 1], reward, &rule);
        let [second, leaf] = nodes_of([1, 1]);
        [tree.node(second).q, tree.node(leaf).q]
    };
    let close = |got: [f64; 2], want: [f64; 2]| {
        let near = got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-12);
        assert!(near, "{got:?} is not {want:?}");
    };
    use {RewardTo::*, UnrewardedLeaf::*};
    close(after(None, Zero, Leaf), [0.09 + 0.1 * (0.81 - 0.09), 0.9]);
    close(
        after(None, Unchanged, Leaf),
        [0.09 + 0.1 * (0.9 - 0.09), 1.0],
    );
    close(after(None, Zero, Path), [0.09 + 0.1 * (0.81 - 0.09), 0.9]);
    close(
        after(Some(10.0), Zero, Leaf),
        [0.09 + 0.1 * (1.71 - 0.09), 1.9],
    );
    close(
        after(Some(10.0), Zero, Path),
        [0.09 + 0.1 * (10.0 - 0.09), 1.9],
    );
}

#[test]
fn without_exploration_the_largest_q_is_chosen() {
    let mut tree = flat_tree();
    tree.update([3, 6], Some(1.0), &RULE);
    for seed in 0..50 {
        assert_eq!(tree.greedy_path(&mut stream(seed)), [3, 6]);
        assert_eq!(tree.choose(0.0, &mut stream(seed)), [3, 6]);
    }
}

#[test]
fn equal_q_values_and_full_exploration_reach_every_path() {
    let tree = flat_tree();
    for epsilon in [0.0, 1.0] {
        let mut seen = [0u32; NODES];
        let mut stream = stream(1);
        for _ in 0..3_600 {
            seen[nodes_of(tree.choose(epsilon, &mut stream))[1]] += 1;
        }
        assert!(
            seen[7..].iter().all(|count| (50..=150).contains(count)),
            "{seen:?}"
        );
    }
}

#[test]
fn exploration_happens_with_its_probability() {
    let mut tree = flat_tree();
    tree.update([3, 6], Some(1.0), &RULE);
    let mut stream = stream(2);
    let greedy = (0..10_000).filter(|_| tree.choose(0.3, &mut stream) == [3, 6]);
    // Each layer is greedy with 0.7 + 0.3 / 6.
    let share = greedy.count() as f64 / 10_000.0;
    assert!((share - 0.5625).abs() < 0.02, "{share}");
}

#[test]
fn initial_values_fill_their_range() {
    let tree = QTree::new([2.0, 3.0], &mut stream(3));
    assert_eq!(tree.node(ROOT), Node { q: 0.0, visits: 0 });
    let values: Vec<f64> = (1..NODES).map(|number| tree.node(number).q).collect();
    assert!(values.iter().all(|q| (2.0..3.0).contains(q)));
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    assert!((mean - 2.5).abs() < 0.2, "{mean}");
}

#[test]
fn stored_trees_are_checked() {
    let tree = QTree::new([0.0, 0.1], &mut stream(4));
    let stored = serde_json::to_value(&tree).unwrap();
    assert_eq!(
        serde_json::from_value::<QTree>(stored.clone()).unwrap(),
        tree
    );
    let mut short = stored;
    short.as_array_mut().unwrap().pop();
    let message = serde_json::from_value::<QTree>(short)
        .unwrap_err()
        .to_string();
    assert!(message.contains("42 nodes instead of 43"), "{message}");
}

proptest! {
    #[test]
    fn a_childs_parent_is_the_node(node in 0usize..=WAYS, action in 1u8..=6) {
        let number = child(node, action);
        prop_assert!(number < NODES);
        prop_assert_eq!(parent(number), Some(node));
    }

    #[test]
    fn candidates_stay_in_range_and_settled(
        x in 0.0f64..=30.0,
        y in 0.0f64..=30.0,
        first in 1u8..=6,
        second in 1u8..=6,
        c1 in 0.01f64..10.0,
        c2 in 0.01f64..10.0,
    ) {
        let space = paper_space();
        let incumbent = Vector(vec![crate::space::quantised(x), crate::space::quantised(y)]);
        let candidate = edits(c1, c2).candidate(&space, [0, 1], &incumbent, &[first, second]);
        prop_assert!(space.contains(&candidate));
        for (parameter, value) in space.parameters.iter().zip(&candidate.0) {
            prop_assert_eq!(parameter.settled(*value), *value);
        }
    }

    #[test]
    fn transposed_paths_lead_to_one_candidate(
        x in 10.0f64..20.0,
        y in 10.0f64..20.0,
        first in 1u8..=6,
        second in 1u8..=6,
    ) {
        let space = paper_space();
        let incumbent = Vector(vec![crate::space::quantised(x), crate::space::quantised(y)]);
        let there = edits(1.0, 0.5).candidate(&space, [0, 1], &incumbent, &[first, second]);
        let back = edits(1.0, 0.5).candidate(&space, [0, 1], &incumbent, &[second, first]);
        prop_assert!(there.same_when_quantised(&back), "{:?} {:?}", there, back);
    }
}
