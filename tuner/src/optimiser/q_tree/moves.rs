//! Moves of the incumbent: at the end of a round, and the landing at the end of the tuning.

use super::round::{self, EVEN, Round, composite};
use super::{DRAW_LANE, Decision, FITS, QTreeLearner, UPDATES};
use crate::space::Vector;
use crate::surface::Surface;
use crate::trial::EditPath;

/// Price of a move, in Elo per squared unit: where little is known, little is changed. For more
/// than two parameters moves are longer.
const MOVE_PRICE: f64 = 300.0;
const MOVE_PRICE_OF_MORE: f64 = 30.0;
/// Parts of an edit path's length that may be applied.
const PARTS: u32 = 8;
/// The optimum is sought so many reaches of a leaf around the incumbent.
const REACH: f64 = 2.0;
/// Planning updates of the landing, which no games can put right: every leaf is updated a hundred
/// times.
const LANDING_UPDATES: u32 = 40_000;
/// Lane of its stream.
const LANDING_LANE: u8 = 24;

impl QTreeLearner {
    /// The box in which the optimum is sought: so many reaches of a leaf around the centre.
    pub(super) fn neighbourhood(&self) -> [Vec<f64>; 2] {
        let reach = self.state.axes.reach();
        [-REACH, REACH].map(|sign| {
            let ends = self.state.round.centre.iter().zip(&reach).enumerate();
            ends.map(
                |(index, (at, reach))| match self.unit_space.is_choice(index) {
                    // Both words are always near.
                    true => f64::midpoint(1.0, sign.signum()),
                    false => (at + sign * reach).clamp(0.0, 1.0),
                },
            )
            .collect()
        })
    }

    /// The vector on the way from the centre along `vector` (a share to a vector) that gains most
    /// on `surface`, when a move costs its price; None where none gains.
    pub(super) fn along(
        &self,
        surface: &Surface,
        vector: impl Fn(f64) -> Vector,
    ) -> Option<Vector> {
        let centre = &self.state.round.centre;
        let price = self.pick(MOVE_PRICE, MOVE_PRICE_OF_MORE);
        let height = surface.elo(centre);
        let mut best = (0.0, None);
        for part in 1..=PARTS {
            let vector = vector(f64::from(part) / f64::from(PARTS));
            let point = self.unit_space.point(&vector);
            let by = point.iter().zip(centre).map(|(to, from)| to - from);
            // Another word is no long way.
            let by = by
                .enumerate()
                .filter(|(index, _)| !self.unit_space.is_choice(*index));
            let squares: f64 = by.map(|(_, by)| by * by).sum();
            let gain = surface.elo(&point) - height - price * squares;
            if gain > best.0 {
                best = (gain, Some(vector));
            }
        }
        best.1
    }

    /// The move at the end of a round: the path, and where to if anywhere.
    pub(super) fn step(
        &mut self,
        surface: &Surface,
        optimum: &[f64],
    ) -> (Option<EditPath>, Option<Vector>) {
        if self.settings.decision == Decision::Argmax {
            let centre = self.state.round.centre.clone();
            let moved = self.along(surface, |share| {
                let way = centre.iter().zip(optimum);
                let point: Vec<f64> = way.map(|(from, to)| from + share * (to - from)).collect();
                self.unit_space.vector(&point)
            });
            return (None, moved);
        }
        let rewards = self.plan(surface, UPDATES, (FITS + 1) as u32);
        let path = self.greedy_path();
        if rewards[round::place(path)] <= EVEN {
            return (Some(path), None);
        }
        let round = &self.state.round;
        let moved = self.along(surface, |share| {
            round.vector(&self.unit_space, &path, share)
        });
        (Some(path), moved)
    }

    /// The last move: the edits are laid once more so that two of the first reach `target`, and
    /// the tree chooses by what the surface expects of each path against the incumbent.
    pub(super) fn land(
        &mut self,
        surface: &Surface,
        target: &[f64],
    ) -> (Option<EditPath>, Option<Vector>) {
        let mut stream = self.stream(LANDING_LANE, 0);
        let centre = self.state.round.centre.clone();
        let [_, second] = composite(&self.state.axes, &centre, Some(target), &mut stream);
        let way = target.iter().zip(&centre);
        let half = way.map(|(to, from)| 0.5 * (to - from)).collect();
        let mut landing = Round::exact(centre, [half, second], &mut stream);
        let rewards = landing.rewards_against_centre(&self.unit_space, surface);
        let path = match self.settings.decision {
            Decision::Argmax => [1, 1],
            Decision::Tree => {
                landing.plan(&rewards, LANDING_UPDATES, &self.rule(), &mut stream);
                landing.tree.greedy_path(&mut stream)
            }
        };
        let gains = rewards[round::place(path)] > EVEN;
        let vector = gains.then(|| landing.vector(&self.unit_space, &path, 1.0));
        let plans = self.settings.decision == Decision::Tree;
        self.decided = plans.then(|| self.view(&landing));
        (plans.then_some(path), vector)
    }

    pub(super) fn greedy_path(&self) -> EditPath {
        let mut ties = self.stream(DRAW_LANE, 1);
        self.state.round.tree.greedy_path(&mut ties)
    }
}
