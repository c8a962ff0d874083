//! The Q tree: three layers, six ways, 43 nodes; each edge is an edit of an active pair of
//! parameters.
//!
//! CITE: Qiu Hongkun, Wang Haoyu, Wang Yajie, "Q-learning for self-tuning of an Amazons evaluation
//! function", section 3: the six actions, the tree, the epsilon-greedy choice and the update.
//! Nodes are numbered from 0: the root is 0, the second layer 1 to 6, the third 7 to 42, and the
//! children of k are 6k + 1 to 6k + 6.

use serde::{Deserialize, Serialize};

use crate::space::{Space, Vector};
use crate::stream::Stream;
use crate::trial::EditPath;

/// Actions at a node.
pub const WAYS: usize = 6;

/// Nodes of the tree: 1 + 6 + 36.
pub const NODES: usize = 1 + WAYS + WAYS * WAYS;

/// The root's number.
pub const ROOT: usize = 0;

/// Number of the child that `action` (1 to 6) leads to.
pub const fn child(node: usize, action: u8) -> usize {
    WAYS * node + action as usize
}

/// Number of the node above; none above the root.
pub const fn parent(node: usize) -> Option<usize> {
    if node == ROOT {
        None
    } else {
        Some((node - 1) / WAYS)
    }
}

/// Numbers of a path's two nodes: second layer and leaf.
pub const fn nodes_of(path: EditPath) -> [usize; 2] {
    let second = child(ROOT, path[0]);
    [second, child(second, path[1])]
}

/// What an action adds to the active pair, each as multiples of the steps C1 and C2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// Multiples of C1 and C2 added to X.
    pub x: [i8; 2],
    /// Multiples of C1 and C2 added to Y.
    pub y: [i8; 2],
}

/// The six actions. 3 and 5 are stated in the source, 1, 2 and 4 follow from its order, 6 is a
/// reading; [`CROSSED_SIXTH`] is the other one.
pub const ACTIONS: [Action; WAYS] = [
    Action {
        x: [1, 0],
        y: [0, 0],
    },
    Action {
        x: [-1, 0],
        y: [0, 0],
    },
    Action {
        x: [0, 0],
        y: [1, 0],
    },
    Action {
        x: [0, 0],
        y: [-1, 0],
    },
    Action {
        x: [1, 0],
        y: [0, 1],
    },
    Action {
        x: [-1, 0],
        y: [0, -1],
    },
];

/// The other reading of action 6: the steps change places.
pub const CROSSED_SIXTH: Action = Action {
    x: [0, -1],
    y: [-1, 0],
};

/// Sizes of an edit, in units of each parameter's step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Steps {
    /// C1, the main step.
    pub c1: f64,
    /// C2, the second parameter's step of the actions that change both.
    pub c2: f64,
}

/// Everything that turns a path into a candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Edits {
    /// Actions 1 to 6.
    pub actions: [Action; WAYS],
    /// Sizes of C1 and C2.
    pub steps: Steps,
}

impl Edits {
    /// The candidate that `path` leads to from `incumbent`: its edits of the pair (X, Y), one
    /// after the other, each clamped to the ranges; then rounded and quantised once. Parameters
    /// outside the pair, and those that no edit touches, keep their values to the last digit,
    /// unless a rule moves them.
    pub fn candidate(
        &self,
        space: &Space,
        pair: [usize; 2],
        incumbent: &Vector,
        path: &[u8],
    ) -> Vector {
        let mut candidate = incumbent.clone();
        for (axis, index) in pair.into_iter().enumerate() {
            let parameter = &space.parameters[index];
            let mut value = incumbent.0[index];
            let mut touched = false;
            for &action in path {
                let steps = self.steps_along(action, axis);
                if steps != 0.0 {
                    value = parameter.moved(value, steps);
                    touched = true;
                }
            }
            if touched {
                candidate.0[index] = parameter.settled(value);
            }
        }
        space.repaired(candidate)
    }

    /// What each action adds to the parameters of the space, in its order and in units of their
    /// ranges on their scales; the ranges' ends are not considered.
    pub fn in_unit_coordinates(&self, space: &Space, pair: [usize; 2]) -> [Vec<f64>; WAYS] {
        std::array::from_fn(|way| {
            let mut edit = vec![0.0; space.parameters.len()];
            for (axis, index) in pair.into_iter().enumerate() {
                let steps = self.steps_along(way as u8 + 1, axis);
                edit[index] = steps * space.parameters[index].step_in_ranges();
            }
            edit
        })
    }

    fn steps_along(&self, action: u8, axis: usize) -> f64 {
        let action = self.actions[usize::from(action) - 1];
        let [c1, c2] = if axis == 0 { action.x } else { action.y };
        f64::from(c1) * self.steps.c1 + f64::from(c2) * self.steps.c2
    }
}

/// What happens to a leaf whose episode earned no reward.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnrewardedLeaf {
    /// It moves towards 0.
    Zero,
    /// It stays.
    Unchanged,
}

/// Who receives a reward.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RewardTo {
    /// The leaf; the second layer learns from its best child.
    Leaf,
    /// Every node of the path; the second layer learns from its best child only without a reward.
    Path,
}

/// How Q-values learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UpdateRule {
    /// Learning rate, in (0, 1].
    pub alpha: f64,
    /// Discount, in [0, 1].
    pub gamma: f64,
    /// A leaf without reward.
    pub unrewarded: UnrewardedLeaf,
    /// Who receives a reward.
    pub reward_to: RewardTo,
}

/// One node.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Q-value of the action that leads here, in units of the reward. Never read at the root.
    pub q: f64,
    /// Episodes that went through.
    pub visits: u32,
}

/// A tree of Q-values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<Node>", into = "Vec<Node>")]
pub struct QTree {
    nodes: Vec<Node>,
}

impl QTree {
    /// A tree whose Q-values are uniform in [`low`, `high`), drawn in the order of the numbers;
    /// the root's is 0.
    pub fn new([low, high]: [f64; 2], stream: &mut Stream) -> Self {
        let mut nodes = vec![Node { q: 0.0, visits: 0 }; NODES];
        for node in &mut nodes[1..] {
            node.q = low + (high - low) * stream.unit();
        }
        Self { nodes }
    }

    /// A node by its number.
    pub fn node(&self, number: usize) -> Node {
        self.nodes[number]
    }

    /// An episode's path: in each layer a uniform action with probability `epsilon`, else a best.
    pub fn choose(&self, epsilon: f64, stream: &mut Stream) -> EditPath {
        let mut node = ROOT;
        [(); 2].map(|()| {
            let action = if stream.unit() < epsilon {
                1 + stream.below(WAYS as u32) as u8
            } else {
                self.best_action(node, stream)
            };
            node = child(node, action);
            action
        })
    }

    /// The path of largest Q-values.
    pub fn greedy_path(&self, stream: &mut Stream) -> EditPath {
        self.choose(0.0, stream)
    }

    /// Learns from an episode along `path`, from the leaf up; `reward` is none when it earned none.
    pub fn update(&mut self, path: EditPath, reward: Option<f64>, rule: &UpdateRule) {
        let [second, leaf] = nodes_of(path);
        let leaf_target = match (reward, rule.unrewarded) {
            (Some(reward), _) => Some(reward),
            (None, UnrewardedLeaf::Zero) => Some(0.0),
            (None, UnrewardedLeaf::Unchanged) => None,
        };
        if let Some(target) = leaf_target {
            self.approach(leaf, target, rule.alpha);
        }
        let second_target = match (reward, rule.reward_to) {
            (Some(reward), RewardTo::Path) => reward,
            _ => rule.gamma * self.largest_below(second),
        };
        self.approach(second, second_target, rule.alpha);
        for number in [ROOT, second, leaf] {
            self.nodes[number].visits += 1;
        }
    }

    fn approach(&mut self, number: usize, target: f64, alpha: f64) {
        let q = &mut self.nodes[number].q;
        *q += alpha * (target - *q);
    }

    fn children(&self, node: usize) -> &[Node] {
        &self.nodes[child(node, 1)..=child(node, WAYS as u8)]
    }

    fn largest_below(&self, node: usize) -> f64 {
        self.children(node)
            .iter()
            .map(|child| child.q)
            .fold(f64::MIN, f64::max)
    }

    /// An action of largest Q-value; the stream chooses among equals.
    fn best_action(&self, node: usize, stream: &mut Stream) -> u8 {
        let largest = self.largest_below(node);
        let best: Vec<u8> = (1..)
            .zip(self.children(node))
            .filter(|(_, child)| child.q == largest)
            .map(|(action, _)| action)
            .collect();
        best[stream.below(best.len() as u32) as usize]
    }
}

impl TryFrom<Vec<Node>> for QTree {
    type Error = String;

    fn try_from(nodes: Vec<Node>) -> Result<Self, Self::Error> {
        if nodes.len() != NODES {
            return Err(format!("{} nodes instead of {NODES}", nodes.len()));
        }
        if !nodes.iter().all(|node| node.q.is_finite()) {
            return Err("a Q-value is not finite".into());
        }
        Ok(Self { nodes })
    }
}

impl From<QTree> for Vec<Node> {
    fn from(tree: QTree) -> Self {
        tree.nodes
    }
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
