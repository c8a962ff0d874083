//! A round: six edits around a centre, the tree over their paths, and what was played in it.

use serde::{Deserialize, Serialize};

use super::axes::{Axes, dot};
use super::model::{expected_score, normal};
use crate::optimiser::SnapshotError;
use crate::optimiser::sides::UnitSpace;
use crate::optimiser::tree::{QTree, UpdateRule, WAYS};
use crate::space::Vector;
use crate::stream::Stream;
use crate::surface::Surface;
use crate::trial::EditPath;

/// A score between equals.
pub(super) const EVEN: f64 = 0.5;
/// Exploration rate of planning.
const PLANNING_EPSILON: f64 = 0.3;
/// An edit of a whole number is raised to this share of the way after which both it and its mirror
/// round to another number.
const WHOLE_EDIT: f64 = 1.02;
/// Edits of a whole number below this share of that way leave it alone.
const WHOLE_EDIT_MIN: f64 = 0.5;

/// Unit coordinates of each path and of its mirror, by the path's place.
pub(super) type Leaves = Vec<[Vec<f64>; 2]>;

/// A round in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Round {
    /// Where it edits from, in unit coordinates.
    pub(super) centre: Vec<f64>,
    /// What each action adds.
    pub(super) edits: [Vec<f64>; WAYS],
    pub(super) tree: QTree,
    /// Points and games of each path against its mirror, by 6 (first - 1) + second - 1.
    pub(super) own: Vec<[f64; 2]>,
    /// Games that it is to have.
    pub(super) length: u64,
    /// Games that it has had.
    pub(super) games: u64,
    /// Paths drawn in it, also those that were not played.
    pub(super) draws: u32,
    /// Matches that the model had before it.
    pub(super) matches_before: usize,
    /// Fits within it.
    pub(super) fits: u64,
}

impl Round {
    /// A round whose edits are, from 1: `first`, its opposite, `second`, its opposite, both, both
    /// opposite. Each is so long that a game can tell it from its opposite.
    pub(super) fn new(
        unit_space: &UnitSpace,
        centre: Vec<f64>,
        edits: [Vec<f64>; 2],
        stream: &mut Stream,
    ) -> Self {
        let edits = and_both(edits).map(|edit| raised(unit_space, &centre, edit));
        Self::of_edits(centre, edits, stream)
    }

    /// The same with the edits as they are: no game is played of it.
    pub(super) fn exact(centre: Vec<f64>, edits: [Vec<f64>; 2], stream: &mut Stream) -> Self {
        Self::of_edits(centre, and_both(edits), stream)
    }

    fn of_edits(
        centre: Vec<f64>,
        [first, second, both]: [Vec<f64>; 3],
        stream: &mut Stream,
    ) -> Self {
        let opposite = |edit: &Vec<f64>| edit.iter().map(|value| -value).collect::<Vec<f64>>();
        let edits = [
            first.clone(),
            opposite(&first),
            second.clone(),
            opposite(&second),
            both.clone(),
            opposite(&both),
        ];
        Self {
            centre,
            edits,
            tree: QTree::new([EVEN, EVEN], stream),
            own: vec![[0.0; 2]; WAYS * WAYS],
            length: 0,
            games: 0,
            draws: 0,
            matches_before: 0,
            fits: 0,
        }
    }

    /// Where a path of up to two actions leads; with `share` -1 its mirror, with another share so
    /// much of the way. Cut off at the ends of the ranges, rounded and quantised.
    pub(super) fn vector(&self, unit_space: &UnitSpace, path: &[u8], share: f64) -> Vector {
        let edits = path
            .iter()
            .map(|action| &self.edits[usize::from(*action) - 1]);
        moved(unit_space, &self.centre, &edits.collect::<Vec<_>>(), share)
    }

    /// A path and its mirror as they play each other. Where an end of a range would cut one of them
    /// off both are moved inwards, so that they are as far apart as elsewhere: the closer two
    /// vectors are, the less their games say.
    pub(super) fn pair(&self, unit_space: &UnitSpace, path: &[u8]) -> [Vector; 2] {
        let middle: Vec<f64> = (0..self.centre.len())
            .map(|i| {
                let by: f64 = path
                    .iter()
                    .map(|action| self.edits[usize::from(*action) - 1][i])
                    .sum();
                let reach = by.abs().min(0.5);
                self.centre[i].clamp(reach, 1.0 - reach)
            })
            .collect();
        let edits = path
            .iter()
            .map(|action| &self.edits[usize::from(*action) - 1]);
        let edits: Vec<_> = edits.collect();
        [1.0, -1.0].map(|share| moved(unit_space, &middle, &edits, share))
    }

    /// Takes games of a path against its mirror, which are games of the mirror as well.
    pub(super) fn add_own(&mut self, path: EditPath, score: f64, games: f64) {
        for (path, score) in [(path, score), (mirrored(path), games - score)] {
            let own = &mut self.own[place(path)];
            own[0] += score;
            own[1] += games;
        }
    }

    /// Points and games of a path against its mirror.
    pub(super) fn own(&self, path: EditPath) -> [f64; 2] {
        self.own[place(path)]
    }

    /// Where each path and its mirror play each other, by place.
    pub(super) fn leaves(&self, unit_space: &UnitSpace) -> Leaves {
        let mut leaves = vec![[Vec::new(), Vec::new()]; WAYS * WAYS];
        for path in paths() {
            let (here, there) = (place(path), place(mirrored(path)));
            if here <= there {
                let [leaf, mirror] = self.pair(unit_space, &path).map(|it| unit_space.point(&it));
                leaves[there] = [mirror.clone(), leaf.clone()];
                leaves[here] = [leaf, mirror];
            }
        }
        leaves
    }

    /// Rewards of all paths: each path's own score against its mirror, shrunk towards what the
    /// surface expects of it, r = (s + κ p) / (m + κ).
    pub(super) fn rewards(&self, leaves: &Leaves, surface: &Surface, kappa: f64) -> Vec<f64> {
        let of_path = |path: EditPath| {
            let [leaf, mirror] = &leaves[place(path)];
            let expected = expected_score(surface, leaf, mirror);
            let [score, games] = self.own(path);
            if kappa.is_infinite() {
                expected
            } else if games + kappa == 0.0 {
                EVEN
            } else {
                (score + kappa * expected) / (games + kappa)
            }
        };
        paths().map(of_path).collect()
    }

    /// Rewards of all paths by what the surface expects of them against the centre.
    pub(super) fn rewards_against_centre(
        &self,
        unit_space: &UnitSpace,
        surface: &Surface,
    ) -> Vec<f64> {
        let of_path = |path: EditPath| {
            let leaf = unit_space.point(&self.vector(unit_space, &path, 1.0));
            expected_score(surface, &leaf, &self.centre)
        };
        paths().map(of_path).collect()
    }

    /// Updates Q-values without a game: paths are chosen as if they were played, and the reward is
    /// what is known of them.
    pub(super) fn plan(
        &mut self,
        rewards: &[f64],
        updates: u32,
        rule: &UpdateRule,
        stream: &mut Stream,
    ) {
        for _ in 0..updates {
            let path = self.tree.choose(PLANNING_EPSILON, stream);
            self.tree.update(path, Some(rewards[place(path)]), rule);
        }
    }

    /// What is wrong with a stored round, if anything.
    pub(super) fn check(&self, unit_space: &UnitSpace) -> Result<(), SnapshotError> {
        unit_space.check_point(&self.centre)?;
        let finite = |edit: &Vec<f64>| {
            edit.len() == self.centre.len() && edit.iter().all(|value| value.is_finite())
        };
        let counted = |own: &[f64; 2]| (0.0..=own[1]).contains(&own[0]);
        let fits = self.edits.iter().all(finite)
            && self.own.len() == WAYS * WAYS
            && self.own.iter().all(counted);
        if fits {
            return Ok(());
        }
        let reason = "the edits or scores of its round do not fit the space".into();
        Err(SnapshotError { reason })
    }
}

fn and_both([first, second]: [Vec<f64>; 2]) -> [Vec<f64>; 3] {
    let both = first.iter().zip(&second).map(|(a, b)| a + b).collect();
    [first, second, both]
}

/// All paths, in the order of their places.
pub(super) fn paths() -> impl Iterator<Item = EditPath> {
    (0..WAYS * WAYS).map(|at| [at / WAYS, at % WAYS].map(|action| action as u8 + 1))
}

/// A path's place among the 36.
pub(super) fn place([first, second]: EditPath) -> usize {
    WAYS * (usize::from(first) - 1) + usize::from(second) - 1
}

/// The path of the opposite edits: 1 and 2, 3 and 4, 5 and 6 change places.
fn mirrored(path: EditPath) -> EditPath {
    path.map(|action| ((action - 1) ^ 1) + 1)
}

/// Two edits: half of what a leaf may lose each. The first points towards `target`, the second
/// somewhere at right angles to it, as the axes measure angles.
pub(super) fn composite(
    axes: &Axes,
    centre: &[f64],
    target: Option<&[f64]>,
    stream: &mut Stream,
) -> [Vec<f64>; 2] {
    let towards = target.and_then(|target| {
        let by: Vec<f64> = target
            .iter()
            .zip(centre)
            .map(|(to, from)| to - from)
            .collect();
        normalised(axes.shares_of(&by))
    });
    let mut anywhere = || random_direction(centre.len(), stream);
    let first = towards.unwrap_or_else(&mut anywhere);
    let second = loop {
        let mut shares = anywhere();
        let along = dot(&first, &shares);
        for (value, by) in shares.iter_mut().zip(&first) {
            *value -= along * by;
        }
        if let Some(shares) = normalised(shares) {
            break shares;
        }
    };
    [first, second].map(|shares| {
        let halves: Vec<f64> = shares.iter().map(|share| 0.5 * share).collect();
        axes.move_by(&halves)
    })
}

/// Two edits along the parameters of a pair.
pub(super) fn along_pair(axes: &Axes, pair: [usize; 2]) -> [Vec<f64>; 2] {
    pair.map(|parameter| axes.0[parameter].iter().map(|value| 0.5 * value).collect())
}

fn random_direction(dimension: usize, stream: &mut Stream) -> Vec<f64> {
    loop {
        let shares = (0..dimension).map(|_| normal(stream)).collect();
        if let Some(shares) = normalised(shares) {
            return shares;
        }
    }
}

/// To length 1; None where there is no direction.
fn normalised(mut shares: Vec<f64>) -> Option<Vec<f64>> {
    let length = dot(&shares, &shares).sqrt();
    shares.iter_mut().for_each(|share| *share /= length);
    (length > 1e-9).then_some(shares)
}

/// An edit by which every whole number that takes part changes, up or down, and by which something
/// changes in any case, if anything can.
fn raised(unit_space: &UnitSpace, centre: &[f64], mut edit: Vec<f64>) -> Vec<f64> {
    let roundings: Vec<f64> = (0..edit.len())
        .map(|i| unit_space.rounding(i, centre[i]))
        .collect();
    let raise = |value: &mut f64, rounding: f64| {
        *value = value.signum() * f64::max(value.abs(), WHOLE_EDIT * rounding);
    };
    // A choice takes part where it is its equal share of the edit or more, however short that is.
    let equal_share = (dot(&edit, &edit) / edit.len() as f64).sqrt();
    for (index, (value, rounding)) in edit.iter_mut().zip(&roundings).enumerate() {
        if unit_space.is_choice(index) {
            match value.abs() >= equal_share && equal_share > 0.0 {
                true => raise(value, *rounding),
                false => *value = 0.0,
            }
        } else if *rounding > 0.0 && value.abs() >= WHOLE_EDIT_MIN * rounding {
            raise(value, *rounding);
        }
    }
    let [there, back] = [1.0, -1.0].map(|share| moved(unit_space, centre, &[&edit], share));
    if there.same_when_quantised(&back) {
        let share = |i: &usize| edit[*i].abs() / roundings[*i];
        let whole = (0..edit.len()).filter(|i| roundings[*i] > 0.0);
        if let Some(i) = whole.max_by(|a, b| share(a).total_cmp(&share(b))) {
            raise(&mut edit[i], roundings[i]);
        }
    }
    edit
}

/// The vector that is played `share` of the way from the centre along edits.
fn moved(unit_space: &UnitSpace, centre: &[f64], edits: &[&Vec<f64>], share: f64) -> Vector {
    let mut point = centre.to_vec();
    for edit in edits {
        for (value, by) in point.iter_mut().zip(*edit) {
            *value += share * by;
        }
    }
    point
        .iter_mut()
        .for_each(|value| *value = value.clamp(0.0, 1.0));
    unit_space.vector(&point)
}

#[cfg(test)]
#[path = "round_tests.rs"]
mod tests;
