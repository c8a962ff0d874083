//! Values of positions in which every edge gives something and nothing can be captured.
//!
//! Boxes with three or four open sides join chains. Chains are peeled off such junctions, smallest
//! first; a junction left with two open sides joins its last two chains to one. What results are
//! independent chains and loops, valued exactly: an estimate, exact where there is no junction.

use crate::game::dots::{Board, Dots};

use super::formula::Endgame;
use super::strings::{self, Run};

/// No junction: the border.
const BORDER: u8 = u8::MAX;

/// A chain with at least one end at a junction.
#[derive(Clone, Copy, Default)]
struct Arm {
    boxes: u8,
    ends: [u8; 2],
}

impl Arm {
    fn is_free(self) -> bool {
        self.ends == [BORDER, BORDER]
    }

    /// Both ends at the same junction: the last arms to be peeled, they become loops.
    fn is_noose(self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// The end that is not at this junction.
    fn other_end(self, junction: u8) -> u8 {
        if self.ends[0] == junction {
            self.ends[1]
        } else {
            self.ends[0]
        }
    }
}

/// The arms still joined, the open sides of their junctions, and the runs already apart.
struct Joined {
    arms: [Arm; Board::MAX_BOXES],
    len: usize,
    open_sides: [u8; Board::MAX_BOXES],
    apart: Endgame,
}

/// The remaining value for the side to move.
/// Preconditions: nothing can be captured, no edge is neutral.
pub fn value(position: &Dots) -> i16 {
    let mut joined = Joined::of(position);
    while let Some(index) = joined.next_to_peel() {
        joined.peel(index);
    }
    joined.apart.value()
}

impl Joined {
    #[inline]
    fn of(position: &Dots) -> Joined {
        let mut joined = Joined {
            arms: [Arm::default(); Board::MAX_BOXES],
            len: 0,
            open_sides: [0; Board::MAX_BOXES],
            apart: Endgame::default(),
        };
        strings::for_each_run(position, 0, |run| joined.add(run));
        joined
    }

    #[inline]
    fn add(&mut self, run: Run) {
        if run.is_loop {
            self.apart.add_loop(run.boxes);
            return;
        }
        for junction in run.ends.into_iter().flatten() {
            self.open_sides[usize::from(junction)] += 1;
        }
        self.put(Arm {
            boxes: run.boxes,
            ends: run.ends.map(|end| end.unwrap_or(BORDER)),
        });
    }

    /// Keeps an arm, or sets it apart if no end is at a junction.
    #[inline]
    fn put(&mut self, arm: Arm) {
        if arm.is_free() {
            self.apart.add_chain(arm.boxes);
        } else {
            self.arms[self.len] = arm;
            self.len += 1;
        }
    }

    fn remove(&mut self, index: usize) -> Arm {
        let arm = self.arms[index];
        self.len -= 1;
        self.arms[index] = self.arms[self.len];
        arm
    }

    /// The smallest arm, nooses last.
    #[inline]
    fn next_to_peel(&self) -> Option<usize> {
        let arms = self.arms[..self.len].iter().enumerate();
        arms.min_by_key(|(_, arm)| (arm.is_noose(), arm.boxes))
            .map(|(index, _)| index)
    }

    fn peel(&mut self, index: usize) {
        let arm = self.remove(index);
        self.apart.add_chain(arm.boxes);
        for junction in arm.ends.into_iter().filter(|&end| end != BORDER) {
            self.open_sides[usize::from(junction)] -= 1;
        }
        for (k, &junction) in arm.ends.iter().enumerate() {
            let seen = k == 1 && arm.is_noose();
            if junction != BORDER && !seen && self.open_sides[usize::from(junction)] <= 2 {
                self.dissolve(junction);
            }
        }
    }

    /// Joins what is left at a junction with at most two open sides, the box itself included.
    fn dissolve(&mut self, junction: u8) {
        let Some(one) = self.take_arm_at(junction) else {
            self.apart.add_chain(1);
            return;
        };
        if one.is_noose() {
            self.apart.add_loop(one.boxes + 1);
            return;
        }
        let other = self.take_arm_at(junction).unwrap_or(Arm {
            boxes: 0,
            ends: [junction, BORDER],
        });
        self.put(Arm {
            boxes: one.boxes + 1 + other.boxes,
            ends: [one.other_end(junction), other.other_end(junction)],
        });
    }

    fn take_arm_at(&mut self, junction: u8) -> Option<Arm> {
        let at = self.arms[..self.len]
            .iter()
            .position(|arm| arm.ends.contains(&junction))?;
        Some(self.remove(at))
    }
}
