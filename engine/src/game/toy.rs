//! A game from an explicit tree with the mover written at every node and a gain on every edge.
//!
//! It has no board, so a test can state any combination of staying turns and points won on the
//! way, which is what search code gets wrong. Text form of a tree, without spaces:
//!
//! ```text
//! node = mover [ "(" edge { "," edge } ")" ]      a node without edges ends the game
//! edge = gain ":" node                            gain of the mover of the node above
//! mover = "1" | "2"                               gain = -50 .. 50
//! ```
//!
//! `1(2:1(0:2,1:2),-1:2)`: First wins two points and stays on move, or loses one and the game
//! ends. A position is the tree and the moves so far: `TREE/0/1`.

use std::sync::Arc;

use super::{NotationError, Outcome, Player, Position};
use notation::parse_move;

mod notation;

/// Longest game that a tree may hold, in plies.
pub const MAX_PLIES: u16 = 64;
/// Largest absolute gain of one edge, in points.
pub const MAX_GAIN: i32 = 50;

/// Index of a child, in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ToyMove(pub u8);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    mover: Player,
    /// Gain of the mover above; zero at the root.
    gain: i32,
    parent: Option<usize>,
    children: Vec<usize>,
    /// First's points minus Second's, from the root to here.
    margin: i32,
    ply: u16,
}

/// A whole game; nodes are numbered in the order of the text, so parents come before children.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    margin_limit: i32,
    fingerprint: u64,
}

/// What random trees look like; see [`Tree::random`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeShape {
    /// No line is longer; 1 to [`MAX_PLIES`].
    pub plies: u16,
    /// An inner node has 1 to this many children.
    pub branching: u8,
    /// Chance in percent that a node below the root ends the game early.
    pub leaf_percent: u32,
    /// Chance in percent that a move keeps the turn.
    pub stay_percent: u32,
    /// Gains are `gain_unit` times a whole number of at most this size; 0 for none.
    pub max_gain: u8,
    /// 1, or 2 for games whose values have a known parity.
    pub gain_unit: u8,
}

impl Tree {
    /// A random tree; `draw(n)` returns a uniform number in `0..n`.
    ///
    /// # Panics
    /// When the shape is outside the ranges that it documents.
    pub fn random(shape: &TreeShape, draw: &mut dyn FnMut(u32) -> u32) -> Tree {
        assert!(
            (1..=MAX_PLIES).contains(&shape.plies) && shape.branching > 0,
            "a random tree needs 1 to {MAX_PLIES} plies and at least one child a node"
        );
        assert!(
            i32::from(shape.max_gain) * i32::from(shape.gain_unit) <= MAX_GAIN,
            "gains of a random tree must not exceed {MAX_GAIN}"
        );
        let mut tree = Tree::with_root(Player::ALL[draw(2) as usize]);
        tree.grow(0, shape, draw);
        tree.finish()
    }

    /// The position before the first move.
    pub fn start(self) -> ToyPosition {
        ToyPosition {
            tree: Arc::new(self),
            node: 0,
        }
    }

    /// Number of nodes, the root included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Who moves at a node.
    pub fn mover(&self, node: usize) -> Player {
        self.nodes[node].mover
    }

    /// Gain of the mover above on the edge to this node; zero at the root.
    pub fn gain(&self, node: usize) -> i32 {
        self.nodes[node].gain
    }

    /// Children of a node; their numbers are larger than the node's.
    pub fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    fn with_root(mover: Player) -> Tree {
        Tree {
            nodes: vec![Node {
                mover,
                gain: 0,
                parent: None,
                children: Vec::new(),
                margin: 0,
                ply: 0,
            }],
            margin_limit: 1,
            fingerprint: 0,
        }
    }

    fn add_child(&mut self, parent: usize, gain: i32, mover: Player) -> usize {
        let child = self.nodes.len();
        let above = &mut self.nodes[parent];
        above.children.push(child);
        let node = Node {
            mover,
            gain,
            parent: Some(parent),
            children: Vec::new(),
            margin: above.margin + gain * above.mover.sign(),
            ply: above.ply + 1,
        };
        self.nodes.push(node);
        child
    }

    fn grow(&mut self, node: usize, shape: &TreeShape, draw: &mut dyn FnMut(u32) -> u32) {
        let ply = self.nodes[node].ply;
        if ply == shape.plies || (ply > 0 && draw(100) < shape.leaf_percent) {
            return;
        }
        let mover = self.nodes[node].mover;
        for _ in 0..1 + draw(u32::from(shape.branching)) {
            let size = i32::from(shape.max_gain);
            let gain = (draw(2 * u32::from(shape.max_gain) + 1) as i32 - size)
                * i32::from(shape.gain_unit);
            let stays = draw(100) < shape.stay_percent;
            let next = if stays { mover } else { mover.other() };
            let child = self.add_child(node, gain, next);
            self.grow(child, shape, draw);
        }
    }

    fn finish(mut self) -> Tree {
        let largest = self.nodes.iter().map(|node| node.margin.abs()).max();
        self.margin_limit = largest.unwrap_or(0).max(1);
        self.fingerprint = self.nodes.iter().fold(0, |hash, node| {
            let shape = node.children.len() as u64 * 2 + node.mover.index() as u64;
            mix(mix(hash, shape), node.gain as u64)
        });
        self
    }
}

/// Spreads a hash and a word over 64 bits (the finaliser of SplitMix64, Steele et al. 2014).
fn mix(hash: u64, word: u64) -> u64 {
    let mut z = hash.rotate_left(23) ^ word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A node of a tree, reached by the only way there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToyPosition {
    tree: Arc<Tree>,
    node: usize,
}

impl ToyPosition {
    /// The game's tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Number of this position's node in the tree.
    pub fn node(&self) -> usize {
        self.node
    }

    fn here(&self) -> &Node {
        &self.tree.nodes[self.node]
    }
}

impl Position for ToyPosition {
    type Move = ToyMove;

    fn to_move(&self) -> Player {
        self.here().mover
    }

    fn outcome(&self) -> Option<Outcome> {
        let node = self.here();
        node.children
            .is_empty()
            .then(|| Outcome::from_margin(node.margin))
    }

    fn margin(&self) -> i32 {
        self.here().margin
    }

    fn margin_limit(&self) -> i32 {
        self.tree.margin_limit
    }

    fn legal_moves(&self, out: &mut Vec<ToyMove>) {
        out.extend((0..self.here().children.len()).map(|index| ToyMove(index as u8)));
    }

    fn is_legal(&self, mv: ToyMove) -> bool {
        usize::from(mv.0) < self.here().children.len()
    }

    fn play(&mut self, mv: ToyMove) {
        self.node = self.here().children[usize::from(mv.0)];
    }

    fn ply(&self) -> u16 {
        self.here().ply
    }

    fn key(&self) -> u64 {
        mix(self.tree.fingerprint, self.node as u64)
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<ToyMove>, NotationError> {
        let mut position = self.clone();
        let mut turn = Vec::new();
        for word in text.split('-') {
            if !turn.is_empty() && position.to_move() != self.to_move() {
                return Err(NotationError::new(
                    "the turn has passed before its last move",
                ));
            }
            let mv = parse_move(word)?;
            if !position.is_legal(mv) {
                return Err(NotationError::new(format!("move {} is not legal", mv.0)));
            }
            position.play(mv);
            turn.push(mv);
        }
        if position.outcome().is_none() && position.to_move() == self.to_move() {
            return Err(NotationError::new("the turn goes on after its last move"));
        }
        Ok(turn)
    }

    fn format_turn(&self, turn: &[ToyMove]) -> String {
        let words: Vec<String> = turn.iter().map(|mv| mv.0.to_string()).collect();
        words.join("-")
    }
}

#[cfg(test)]
mod tests;
