//! Knowledge of the toy game, computed once from the whole tree.
//!
//! Bounds are the smallest and largest result of any line, so they are sound and weak; equal
//! subtrees have equal keys even when the players are swapped, so tables meet transpositions.

use super::{
    Evaluation, Knowledge, ListedMoves, MoveClass, MoveList, RemainingBounds, RolloutPolicy,
    WORK_WEIGHTS, Work,
};
use crate::game::Position;
use crate::game::toy::{ToyMove, ToyPosition, Tree};
use crate::stream::Stream;

/// The move wins points.
pub const GAINS: MoveClass = MoveClass(0);
/// The move loses points.
pub const LOSES: MoveClass = MoveClass(1);
/// The move wins nothing and keeps the turn.
pub const STAYS: MoveClass = MoveClass(2);
/// Every other move.
pub const OTHER: MoveClass = MoveClass(3);

/// Facts about what follows a node, for the player who moves there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Facts {
    lower: i16,
    upper: i16,
    /// All lines end on results of one parity.
    one_parity: bool,
    proven: Option<i16>,
    height: u16,
    key: u64,
}

/// Knowledge of one tree.
///
/// Precondition of all methods: the position belongs to that tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToyKnowledge {
    facts: Vec<Facts>,
}

impl ToyKnowledge {
    /// The knowledge of this tree.
    pub fn new(tree: &Tree) -> ToyKnowledge {
        let end = Facts {
            lower: 0,
            upper: 0,
            one_parity: true,
            proven: Some(0),
            height: 0,
            key: 1,
        };
        let mut facts = vec![end; tree.node_count()];
        // Children have larger numbers than their parent.
        for node in (0..tree.node_count()).rev() {
            if !tree.children(node).is_empty() {
                facts[node] = facts_of(tree, node, &facts);
            }
        }
        ToyKnowledge { facts }
    }

    fn of(&self, position: &ToyPosition) -> &Facts {
        &self.facts[position.node()]
    }
}

fn facts_of(tree: &Tree, node: usize, facts: &[Facts]) -> Facts {
    let children = tree.children(node);
    let mut all = Facts {
        lower: i16::MAX,
        upper: i16::MIN,
        one_parity: true,
        proven: None,
        height: 0,
        key: 0x51_7c_c1_b7,
    };
    for &child in children {
        let below = &facts[child];
        let gain = tree.gain(child) as i16;
        let stays = tree.mover(child) == tree.mover(node);
        let (lower, upper) = if stays {
            (gain + below.lower, gain + below.upper)
        } else {
            (gain - below.upper, gain - below.lower)
        };
        let first_line = all.upper == i16::MIN;
        let same = first_line || (lower - all.lower) % 2 == 0;
        all.one_parity &= below.one_parity && same;
        all.lower = all.lower.min(lower);
        all.upper = all.upper.max(upper);
        all.height = all.height.max(below.height + 1);
        // An end has no mover that matters.
        let turn = u64::from(below.height > 0 && stays);
        let edge = (u64::from(gain as u16) << 1) | turn;
        all.key = (all.key.rotate_left(29) ^ below.key)
            .wrapping_add(edge)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        all.key ^= all.key >> 32;
    }
    if all.lower == all.upper {
        all.proven = Some(all.lower);
    } else if children.iter().all(|&child| facts[child].height == 0) {
        all.proven = Some(all.upper);
    }
    all
}

impl Knowledge<ToyPosition> for ToyKnowledge {
    type Moves = ListedMoves<ToyMove>;

    fn moves(&self, position: &ToyPosition, list: MoveList) -> ListedMoves<ToyMove> {
        let mut moves = ListedMoves::default();
        self.classed_moves(position, list, &mut moves.0);
        moves
    }

    fn class(&self, position: &ToyPosition, mv: ToyMove) -> MoveClass {
        let tree = position.tree();
        let child = tree.children(position.node())[usize::from(mv.0)];
        match tree.gain(child) {
            1.. => GAINS,
            ..=-1 => LOSES,
            0 if tree.mover(child) == tree.mover(position.node()) => STAYS,
            0 => OTHER,
        }
    }

    fn classed_moves(
        &self,
        position: &ToyPosition,
        _list: MoveList,
        out: &mut Vec<(ToyMove, MoveClass)>,
    ) {
        let children = position.tree().children(position.node()).len();
        out.extend((0..children).map(|index| {
            let mv = ToyMove(index as u8);
            (mv, self.class(position, mv))
        }));
    }

    fn sufficient_moves(&self, position: &ToyPosition, out: &mut Vec<ToyMove>) {
        position.legal_moves(out);
    }

    fn forced_move(&self, position: &ToyPosition) -> Option<ToyMove> {
        let children = position.tree().children(position.node());
        (children.len() == 1).then_some(ToyMove(0))
    }

    fn rollout(
        &self,
        position: &ToyPosition,
        policy: RolloutPolicy,
        stream: &mut Stream,
        work: &mut Work,
    ) -> i32 {
        let mut position = position.clone();
        while position.outcome().is_none() {
            let children = position.tree().children(position.node()).len();
            position.play(ToyMove(stream.below(children as u32) as u8));
            match policy {
                RolloutPolicy::Uniform => work.uniform_plies += 1,
                RolloutPolicy::Safe => work.safe_plies += 1,
            }
        }
        position.margin()
    }

    /// A position with a single move counts as one within a turn.
    fn is_within_turn(&self, position: &ToyPosition) -> bool {
        position.tree().children(position.node()).len() == 1
    }

    /// The only term is the middle of the bounds.
    fn evaluate(&self, position: &ToyPosition, evaluation: &Evaluation, work: &mut Work) -> f64 {
        work.evaluations += 1;
        let facts = self.of(position);
        let middle = f64::from(facts.lower + facts.upper) / 2.0;
        evaluation.weights[0] * middle + evaluation.error_of(facts.key)
    }

    fn remaining_key(&self, position: &ToyPosition) -> u64 {
        self.of(position).key
    }

    fn remaining_bounds(&self, position: &ToyPosition) -> RemainingBounds {
        let facts = self.of(position);
        RemainingBounds {
            lower: facts.lower,
            upper: facts.upper,
            step: if facts.one_parity { 2 } else { 1 },
        }
    }

    fn proven_remaining(&self, position: &ToyPosition) -> Option<i16> {
        self.of(position).proven
    }

    /// As if all lines were of full length and had two moves everywhere.
    fn solving_units(&self, position: &ToyPosition) -> u64 {
        WORK_WEIGHTS.alpha_beta_edge << self.moves_left(position).min(32)
    }

    fn moves_left(&self, position: &ToyPosition) -> u16 {
        self.of(position).height
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::plain::plain_minimax;
    use crate::stream::{Purpose, StreamKey};

    #[test]
    fn bounds_parity_proofs_and_keys_are_sound() {
        let mut seen = std::collections::HashMap::new();
        let (mut repeated, mut proven) = (0, 0);
        for seed in 0..400 {
            let shape = crate::game::toy::TreeShape {
                plies: 5,
                branching: 3,
                leaf_percent: 15,
                stay_percent: 40,
                max_gain: 2,
                gain_unit: 1 + (seed % 2) as u8,
            };
            let mut stream = StreamKey::new(seed, Purpose::Bench).stream();
            let start = Tree::random(&shape, &mut |n| stream.below(n)).start();
            let knowledge = ToyKnowledge::new(start.tree());
            let mut open = vec![start];
            while let Some(position) = open.pop() {
                let value = plain_minimax(&position).value.0;
                let bounds = knowledge.remaining_bounds(&position);
                assert!((bounds.lower..=bounds.upper).contains(&value));
                assert_eq!((value - bounds.lower) % bounds.step, 0, "{position}");
                if let Some(proof) = knowledge.proven_remaining(&position) {
                    assert_eq!(proof, value, "{position}");
                    proven += usize::from(position.outcome().is_none());
                }
                let key = knowledge.remaining_key(&position);
                repeated += usize::from(seen.contains_key(&key));
                let facts = (value, bounds, knowledge.moves_left(&position));
                assert_eq!(*seen.entry(key).or_insert(facts), facts, "{position}");
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                open.extend(moves.into_iter().map(|mv| {
                    let mut child = position.clone();
                    child.play(mv);
                    assert!(knowledge.moves_left(&child) < facts.2);
                    child
                }));
            }
        }
        assert!(repeated > 1_000 && proven > 1_000, "{repeated} {proven}");
    }
}
