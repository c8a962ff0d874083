//! Moves by class: what a search knows of the moves it has not tried yet.

/// Class of a move, an index below [`MoveClass::COUNT`]; each game names its own classes.
/// The bias G of the staged UCT is given per class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveClass(pub u8);

impl MoveClass {
    /// How many classes a game may have.
    pub const COUNT: usize = 4;

    /// The class as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which moves a search considers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveList {
    /// Every legal move.
    All,
    /// A subset that provably contains an optimal move
    /// ([`Knowledge::sufficient_moves`](super::Knowledge::sufficient_moves)).
    Sufficient,
}

/// Several classes of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClassSet(u8);

impl ClassSet {
    /// No class.
    pub const EMPTY: ClassSet = ClassSet(0);
    /// Every class.
    pub const ALL: ClassSet = ClassSet((1 << MoveClass::COUNT) - 1);

    /// These classes and another.
    #[inline]
    #[must_use]
    pub const fn with(self, class: MoveClass) -> ClassSet {
        ClassSet(self.0 | 1 << class.0)
    }

    /// Whether a class is one of these.
    #[inline]
    pub const fn contains(self, class: MoveClass) -> bool {
        self.0 >> class.0 & 1 == 1
    }

    /// Classes of equal bias together, larger bias first, the rest of the array empty.
    pub fn by_descending_bias(bias: &[f64; MoveClass::COUNT]) -> [ClassSet; MoveClass::COUNT] {
        let mut sorted = [0, 1, 2, 3].map(MoveClass);
        sorted.sort_by(|a, b| bias[b.index()].total_cmp(&bias[a.index()]));
        let mut sets = [ClassSet::EMPTY; MoveClass::COUNT];
        let mut at = 0;
        for (k, &class) in sorted.iter().enumerate() {
            if k > 0 && bias[class.index()] < bias[sorted[k - 1].index()] {
                at += 1;
            }
            sets[at] = sets[at].with(class);
        }
        sets
    }
}

/// The moves of a position that are left to try, each with its class. Small where a game allows:
/// a search keeps one for every node that it has expanded. The default is the empty set.
pub trait MoveSet<M>: Default {
    /// How many moves of these classes are left.
    fn count(&self, classes: ClassSet) -> u32;

    /// Takes out one of the moves of these classes. Which one an index means is the set's own
    /// affair, but every one has an index. Precondition: `index < self.count(classes)`.
    fn take(&mut self, classes: ClassSet, index: u32) -> (M, MoveClass);
}

/// A move set as a plain list: for games where speed does not matter, and the standard by which
/// quicker ones are tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedMoves<M>(pub Vec<(M, MoveClass)>);

impl<M> Default for ListedMoves<M> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<M> MoveSet<M> for ListedMoves<M> {
    fn count(&self, classes: ClassSet) -> u32 {
        let of_these = self.0.iter().filter(|(_, class)| classes.contains(*class));
        of_these.count() as u32
    }

    fn take(&mut self, classes: ClassSet, index: u32) -> (M, MoveClass) {
        let mut places = (0..self.0.len()).filter(|&at| classes.contains(self.0[at].1));
        let at = places
            .nth(index as usize)
            .expect("an index below the count");
        self.0.remove(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(classes: &[u8]) -> ClassSet {
        let classes = classes.iter().map(|&class| MoveClass(class));
        classes.fold(ClassSet::EMPTY, ClassSet::with)
    }

    #[test]
    fn equal_biases_form_one_set_and_larger_ones_come_first() {
        let check = |bias, expected: [&[u8]; 4]| {
            assert_eq!(ClassSet::by_descending_bias(&bias), expected.map(set));
        };
        check([0.0; 4], [&[0, 1, 2, 3], &[], &[], &[]]);
        check([0.2, -0.05, 0.0, 0.0], [&[0], &[2, 3], &[1], &[]]);
        check([1.0, 2.0, 3.0, 4.0], [&[3], &[2], &[1], &[0]]);
        // Both zeros are the same bias.
        check([-0.0, 0.0, 1.0, 1.0], [&[2, 3], &[0, 1], &[], &[]]);
        assert_eq!(set(&[0, 1, 2, 3]), ClassSet::ALL);
    }

    #[test]
    fn a_list_gives_each_of_its_moves_once() {
        let moves = [('a', 0), ('b', 1), ('c', 0), ('d', 2)];
        let mut list = ListedMoves(moves.map(|(mv, class)| (mv, MoveClass(class))).to_vec());
        assert_eq!(list.count(set(&[0, 2])), 3);
        assert_eq!(list.take(set(&[0, 2]), 1), ('c', MoveClass(0)));
        assert_eq!(list.take(set(&[0, 2]), 1), ('d', MoveClass(2)));
        assert_eq!(list.take(set(&[1]), 0), ('b', MoveClass(1)));
        assert_eq!(list.count(ClassSet::ALL), 1);
    }
}
