//! Text forms of trees, positions and moves; the grammar is in the parent module.

use std::fmt::{self, Display, Write as _};
use std::str::FromStr;

use super::{MAX_GAIN, MAX_PLIES, NotationError, Player, Position, ToyMove, ToyPosition, Tree};

impl Tree {
    fn write(&self, node: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.nodes[node].mover.index() + 1)?;
        for (index, &child) in self.children(node).iter().enumerate() {
            f.write_char(if index == 0 { '(' } else { ',' })?;
            write!(f, "{}:", self.gain(child))?;
            self.write(child, f)?;
        }
        if self.children(node).is_empty() {
            return Ok(());
        }
        f.write_char(')')
    }
}

impl Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(0, f)
    }
}

impl FromStr for Tree {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Tree, NotationError> {
        let mut reader = Reader { text, at: 0 };
        let mut tree = Tree::with_root(reader.mover()?);
        reader.children(&mut tree, 0)?;
        if reader.at < text.len() {
            return Err(reader.error("the end of the tree"));
        }
        Ok(tree.finish())
    }
}

/// Reads a tree from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, expected: &str) -> NotationError {
        NotationError::new(format!("expected {expected} at byte {}", self.at))
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn mover(&mut self) -> Result<Player, NotationError> {
        if self.accept(b'1') {
            Ok(Player::First)
        } else if self.accept(b'2') {
            Ok(Player::Second)
        } else {
            Err(self.error("a mover, 1 or 2,"))
        }
    }

    fn gain(&mut self) -> Result<i32, NotationError> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let digits = rest.split(':').next().unwrap_or("");
        match digits.parse::<i32>() {
            // Written in one way only, so that text and tree determine each other.
            Ok(gain) if gain.abs() <= MAX_GAIN && gain.to_string() == digits => {
                self.at += digits.len();
                Ok(gain)
            }
            _ => Err(self.error("a gain from -50 to 50")),
        }
    }

    fn children(&mut self, tree: &mut Tree, node: usize) -> Result<(), NotationError> {
        if !self.accept(b'(') {
            return Ok(());
        }
        if tree.nodes[node].ply == MAX_PLIES {
            return Err(self.error("a game of at most 64 plies"));
        }
        loop {
            if tree.children(node).len() > usize::from(u8::MAX) {
                return Err(self.error("at most 256 children of a node"));
            }
            let gain = self.gain()?;
            if !self.accept(b':') {
                return Err(self.error("':' after a gain"));
            }
            let mover = self.mover()?;
            let child = tree.add_child(node, gain, mover);
            self.children(tree, child)?;
            if self.accept(b')') {
                return Ok(());
            }
            if !self.accept(b',') {
                return Err(self.error("',' or ')'"));
            }
        }
    }
}

/// Reads the number of a move; written in one way only.
pub(super) fn parse_move(word: &str) -> Result<ToyMove, NotationError> {
    match word.parse::<u8>() {
        Ok(index) if index.to_string() == word => Ok(ToyMove(index)),
        _ => Err(NotationError::new(format!(
            "expected the number of a move, 0 to 255, instead of {word:?}"
        ))),
    }
}

impl Display for ToyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(f)?;
        let mut path = Vec::new();
        let mut node = self.node;
        while let Some(parent) = self.tree.nodes[node].parent {
            let index = self.tree.children(parent).iter().position(|&n| n == node);
            path.push(index.expect("a node is among the children of its parent"));
            node = parent;
        }
        path.iter()
            .rev()
            .try_for_each(|index| write!(f, "/{index}"))
    }
}

impl FromStr for ToyPosition {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<ToyPosition, NotationError> {
        let mut parts = text.split('/');
        let tree: Tree = parts.next().unwrap_or("").parse()?;
        let mut position = tree.start();
        for word in parts {
            let mv = parse_move(word)?;
            if !position.is_legal(mv) {
                return Err(NotationError::new(format!("move {} is not legal", mv.0)));
            }
            position.play(mv);
        }
        Ok(position)
    }
}
