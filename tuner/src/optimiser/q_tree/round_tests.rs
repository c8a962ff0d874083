//! Tests of a round: where edits lead, whose games count for whom, and what planning comes to.

use proptest::prelude::*;

use super::*;
use crate::optimiser::tree::{RewardTo, UnrewardedLeaf, nodes_of};
use crate::space::{Parameter, Scale, Space};
use crate::stream::{Purpose, StreamKey};
use crate::surface::{Basis, ELO_PER_LOGIT};

fn parameter(scale: Scale, integer: bool, min: f64, max: f64) -> Parameter {
    Parameter {
        path: format!("{scale:?} {integer} {min} {max}"),
        scale,
        integer,
        step: 2.0,
        min,
        max,
        start: min,
    }
}

fn space(parameters: Vec<Parameter>) -> UnitSpace {
    UnitSpace::new(Space::new(parameters))
}

fn square() -> UnitSpace {
    space(vec![
        parameter(Scale::Linear, false, 0.0, 1.0),
        parameter(Scale::Linear, false, 0.0, 1.001),
    ])
}

fn whole() -> UnitSpace {
    space(vec![
        parameter(Scale::Linear, true, 0.0, 20.0),
        parameter(Scale::Log, true, 1.0, 4096.0),
    ])
}

fn stream(seed: u64) -> Stream {
    StreamKey::new(seed, Purpose::Learner).stream()
}

fn round(unit_space: &UnitSpace, centre: [f64; 2], edits: [[f64; 2]; 2]) -> Round {
    let edits = edits.map(Vec::from);
    Round::new(unit_space, centre.to_vec(), edits, &mut stream(1))
}

/// A plane that rises by so much Elo over each range.
fn plane(rise: [f64; 2]) -> Surface {
    let basis = Basis::polynomial(&[0.5, 0.5], 1, |_| 1.0);
    let coefficients = rise.map(|elo| 0.5 * elo / ELO_PER_LOGIT);
    Surface::new(basis, coefficients.to_vec())
}

#[test]
fn a_choice_is_edited_where_it_is_its_share_of_an_edit_and_left_alone_elsewhere() {
    let unit_space = space(vec![
        parameter(Scale::Linear, false, 0.0, 1.0),
        parameter(Scale::Choice(["one", "other"]), true, 0.0, 1.0),
    ]);
    let edited = |edit: [f64; 2]| raised(&unit_space, &[0.5, 0.0], edit.to_vec());
    // Too short for a whole number, yet most of the edit.
    assert_eq!(edited([0.01, 0.02]), [0.01, 0.5 * WHOLE_EDIT]);
    assert_eq!(edited([0.01, -0.02]), [0.01, -0.5 * WHOLE_EDIT]);
    assert_eq!(edited([0.4, 0.3]), [0.4, 0.0]);
}

#[test]
fn the_reward_is_the_own_score_shrunk_towards_what_the_surface_expects() {
    let unit_space = square();
    let mut round = round(&unit_space, [0.5, 0.5], [[0.05, 0.0], [0.0, 0.1]]);
    round.add_own([1, 1], 5.5, 8.0);
    let surface = plane([400.0, 0.0]);
    let leaves = round.leaves(&unit_space);
    let reward = |path, kappa| round.rewards(&leaves, &surface, kappa)[place(path)];
    // Two edits of 0.05 on each side are 0.2 ranges of 400 Elo.
    let expected = 1.0 / (1.0 + libm::exp10(-80.0 / 400.0));
    for kappa in [0.5, 10.0, 100.0] {
        let shrunk = (5.5 + kappa * expected) / (8.0 + kappa);
        assert!((reward([1, 1], kappa) - shrunk).abs() < 1e-9);
        assert!((reward([2, 2], kappa) - (1.0 - shrunk)).abs() < 1e-9);
    }
    assert!((reward([1, 1], f64::INFINITY) - expected).abs() < 1e-9);
    assert_eq!(reward([1, 1], 0.0), 5.5 / 8.0);
    assert_eq!(reward([2, 2], 0.0), 2.5 / 8.0);
    // Nothing is known of a path that was never played, but for the surface.
    assert_eq!(reward([1, 3], 0.0), EVEN);
    assert!(reward([1, 3], 10.0) > EVEN);
}

#[test]
fn against_the_centre_a_path_is_worth_half_of_what_it_is_against_its_mirror() {
    let unit_space = square();
    let round = round(&unit_space, [0.5, 0.5], [[0.05, 0.0], [0.0, 0.1]]);
    let rewards = round.rewards_against_centre(&unit_space, &plane([400.0, 0.0]));
    let expected = 1.0 / (1.0 + libm::exp10(-40.0 / 400.0));
    assert!((rewards[place([1, 1])] - expected).abs() < 1e-9);
    assert_eq!(rewards[place([3, 4])], EVEN);
}

#[test]
fn every_path_has_a_place_of_its_own_and_a_mirror_whose_mirror_it_is() {
    for (at, path) in paths().enumerate() {
        assert_eq!(place(path), at);
        assert_ne!(mirrored(path), path);
        assert_eq!(mirrored(mirrored(path)), path);
    }
    assert_eq!(paths().count(), 36);
}

#[test]
fn games_of_a_path_count_for_its_mirror_too() {
    let mut round = round(&square(), [0.5, 0.5], [[0.05, 0.0], [0.0, 0.1]]);
    round.add_own([1, 5], 3.0, 4.0);
    round.add_own([2, 6], 0.5, 2.0);
    assert_eq!(round.own([1, 5]), [4.5, 6.0]);
    assert_eq!(round.own([2, 6]), [1.5, 6.0]);
    let games: f64 = round.own.iter().map(|own| own[1]).sum();
    assert_eq!(games, 12.0, "no other path had games");
}

#[test]
fn a_mirrored_path_leads_to_the_other_side_and_an_order_does_not_matter() {
    for unit_space in [square(), whole()] {
        let round = round(&unit_space, [0.3, 0.5], [[0.07, 0.01], [-0.02, 0.1]]);
        for path in paths() {
            let [first, second] = path;
            let leaf = |path: &[u8], share| round.vector(&unit_space, path, share);
            assert_eq!(leaf(&path, -1.0), leaf(&mirrored(path), 1.0));
            assert!(leaf(&path, 1.0).same_when_quantised(&leaf(&[second, first], 1.0)));
        }
        for (first, second) in [(1, 2), (3, 4), (5, 6)] {
            let centre = round.vector(&unit_space, &[], 1.0);
            assert_eq!(round.vector(&unit_space, &[first, second], 1.0), centre);
        }
    }
}

#[test]
fn edits_at_a_bound_are_cut_off_and_their_mirrors_are_not() {
    let unit_space = square();
    let round = round(&unit_space, [0.0, 1.0], [[0.05, 0.0], [0.0, 0.1]]);
    let at = |path: &[u8], share| round.vector(&unit_space, path, share).0;
    assert_eq!(at(&[2, 2], 1.0), [0.0, 1.001]);
    assert_eq!(at(&[2, 2], -1.0), [0.1, 1.001]);
    assert_eq!(at(&[3, 3], 1.0), [0.0, 1.001]);
    assert_eq!(at(&[4, 2], 1.0), [0.0, 0.9009]);
    // Both edits are made before the cut, so what one cuts off the other does not bring back.
    assert_eq!(at(&[1, 2], 1.0), [0.0, 1.001]);
}

#[test]
fn a_path_and_its_mirror_play_as_far_apart_at_a_bound_as_elsewhere() {
    let unit_space = square();
    let edits = [[0.05, 0.0], [0.0, 0.1]];
    let inside = round(&unit_space, [0.4, 0.5], edits);
    let corner = round(&unit_space, [0.0, 0.97], edits);
    let point = |it: &Vector| unit_space.point(it);
    for path in paths() {
        let [a, b] = inside.pair(&unit_space, &path);
        let leaves = [1.0, -1.0].map(|share| inside.vector(&unit_space, &path, share));
        assert_eq!([a.clone(), b.clone()], leaves, "nothing is in the way");
        let [c, d] = corner.pair(&unit_space, &path);
        let [a, b, c, d] = [&a, &b, &c, &d].map(point);
        for i in 0..2 {
            assert!((a[i] - b[i] - (c[i] - d[i])).abs() < 2e-5, "{path:?}");
            assert!([c[i], d[i]].iter().all(|it| (0.0..=1.0).contains(it)));
        }
        // No farther inwards than needed.
        let reached = |i: usize, end: f64| (c[i] - end).abs().min((d[i] - end).abs());
        assert!(c[0] == d[0] || reached(0, 0.0) < 2e-5);
        assert!((c[1] - d[1]).abs() < 0.06 || reached(1, 1.0) < 2e-5);
    }
}

#[test]
fn edits_that_are_longer_than_the_range_play_from_end_to_end() {
    let round = round(&square(), [0.5, 0.2], [[0.3, 0.0], [0.0, 0.1]]);
    let [a, b] = round.pair(&square(), &[1, 1]);
    assert_eq!([a.0[0], b.0[0]], [1.0, 0.0]);
}

proptest! {
    #[test]
    fn an_edit_of_a_whole_number_rounds_away_and_so_does_its_mirror(
        values in (0u32..=20, 1u32..=64),
        edit in prop::array::uniform2(-0.3f64..0.3),
    ) {
        let unit_space = whole();
        let start = Vector(vec![f64::from(values.0), f64::from(values.1)]);
        let centre = unit_space.point(&start);
        let edit = raised(&unit_space, &centre, edit.to_vec());
        let [up, down] = [1.0, -1.0].map(|share| moved(&unit_space, &centre, &[&edit], share));
        prop_assert!(!up.same_when_quantised(&down));
        for i in 0..2 {
            let takes_part = edit[i].abs() >= unit_space.rounding(i, centre[i]);
            let room = |sign: f64| (0.0..=1.0).contains(&(centre[i] + sign * edit[i]));
            for (side, sign) in [(&up, 1.0), (&down, -1.0)] {
                if takes_part && room(sign) {
                    prop_assert!(side.0[i] != start.0[i], "{:?} {:?}", edit, start);
                }
                if !takes_part {
                    prop_assert_eq!(side.0[i], start.0[i]);
                }
            }
        }
    }

    #[test]
    fn a_number_that_need_not_be_whole_keeps_its_edit(by in -0.3f64..0.3) {
        let unit_space = square();
        let edit = raised(&unit_space, &[0.5, 0.5], vec![by, 0.0]);
        prop_assert_eq!(edit, vec![by, 0.0]);
    }
}

#[test]
fn a_small_edit_of_a_whole_number_is_left_out_where_another_parameter_changes() {
    let unit_space = space(vec![
        parameter(Scale::Linear, false, 0.0, 1.0),
        parameter(Scale::Linear, true, 0.0, 10.0),
    ]);
    let raised = |edit: [f64; 2]| raised(&unit_space, &[0.5, 0.5], edit.to_vec());
    assert_eq!(raised([0.1, 0.02]), [0.1, 0.02]);
    assert!((raised([0.1, 0.03])[1] - 0.051).abs() < 1e-12);
    assert!((raised([0.1, -0.03])[1] + 0.051).abs() < 1e-12);
    assert!((raised([0.0, 0.02])[1] - 0.051).abs() < 1e-12);
    assert_eq!(raised([0.1, 0.12]), [0.1, 0.12]);
}

#[test]
fn an_exact_round_keeps_its_edits() {
    let edits = [[0.01, 0.0], [0.0, 0.01]].map(Vec::from);
    let exact = Round::exact(vec![0.5, 0.5], edits.clone(), &mut stream(1));
    assert_eq!([&exact.edits[0], &exact.edits[2]], [&edits[0], &edits[1]]);
    assert_eq!(exact.edits[5], [-0.01, -0.01]);
    assert_ne!(
        Round::new(&whole(), vec![0.5, 0.5], edits, &mut stream(1)).edits,
        exact.edits
    );
}

#[test]
fn planning_brings_leaves_to_their_rewards_and_the_second_layer_to_gamma_times_its_best() {
    let mut round = round(&square(), [0.5, 0.5], [[0.05, 0.0], [0.0, 0.1]]);
    let rewards: Vec<f64> = (0..36)
        .map(|at| 0.3 + 0.01 * f64::from(7 * at % 36))
        .collect();
    let rule = UpdateRule {
        alpha: 0.1,
        gamma: 0.9,
        unrewarded: UnrewardedLeaf::Unchanged,
        reward_to: RewardTo::Leaf,
    };
    round.plan(&rewards, 150_000, &rule, &mut stream(2));
    for path in paths() {
        let [second, leaf] = nodes_of(path);
        assert!((round.tree.node(leaf).q - rewards[place(path)]).abs() < 1e-6);
        let of_second = &rewards[place([path[0], 1])..=place([path[0], 6])];
        let best = of_second.iter().fold(0.0, |a: f64, b| a.max(*b));
        assert!((round.tree.node(second).q - 0.9 * best).abs() < 1e-6);
    }
    let best = paths().max_by(|a, b| rewards[place(*a)].total_cmp(&rewards[place(*b)]));
    assert_eq!(Some(round.tree.greedy_path(&mut stream(3))), best);
}

#[test]
fn one_edit_points_to_the_target_and_the_other_is_at_right_angles_to_it() {
    let axes = Axes(vec![
        vec![0.1, 0.05, 0.0],
        vec![-0.03, 0.06, 0.0],
        vec![0.0, 0.0, 0.2],
    ]);
    let (centre, target) = ([0.5, 0.4, 0.3], [0.6, 0.1, 0.35]);
    for seed in 0..20 {
        let [first, second] = composite(&axes, &centre, Some(&target), &mut stream(seed));
        for i in 0..3 {
            let ratio = first[i] / (target[i] - centre[i]);
            assert!(
                ratio > 0.0 && (ratio - first[0] / 0.1).abs() < 1e-9,
                "{first:?}"
            );
        }
        let [a, b] = [first, second].map(|edit| axes.shares_of(&edit));
        for shares in [&a, &b] {
            assert!((dot(shares, shares).sqrt() - 0.5).abs() < 1e-9);
        }
        assert!(dot(&a, &b).abs() < 1e-9);
    }
    // Without a way to the target both point anywhere, and still at right angles.
    let [first, second] = composite(&axes, &centre, Some(&centre), &mut stream(1));
    assert!(dot(&axes.shares_of(&first), &axes.shares_of(&second)).abs() < 1e-9);
}

#[test]
fn rounds_that_do_not_fit_the_space_are_refused() {
    let unit_space = square();
    let round = round(&unit_space, [0.5, 0.5], [[0.05, 0.0], [0.0, 0.1]]);
    assert!(round.check(&unit_space).is_ok());
    let refused = |change: &dyn Fn(&mut Round)| {
        let mut round = round.clone();
        change(&mut round);
        round.check(&unit_space).is_err()
    };
    assert!(refused(&|round| round.centre[0] = 1.5));
    assert!(refused(&|round| round.edits[3].push(0.0)));
    assert!(refused(&|round| round.own[7] = [3.0, 2.0]));
    assert!(refused(&|round| round.own.truncate(35)));
}
