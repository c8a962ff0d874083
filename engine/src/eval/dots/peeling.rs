//! Values of positions in which every edge gives something and nothing can be captured.
//!
//! Boxes with three or four open sides join chains. Chains are peeled off such junctions, smallest
//! first; a junction left with two open sides joins its last two chains to one. What results are
//! independent chains and loops, valued exactly: an estimate, exact where there is no junction.
//!
//! Every safe rollout ends here. Runs are put together edge by edge, in whatever order the edges
//! come, which takes no branch but for loops; the smallest arm is found without one too.

use crate::game::dots::{Dots, Edge};

use super::tally::Tally;

mod links;

use links::Links;

/// What lies behind a chain that ends at the border: the place of the lowest bit of no box.
const BORDER: usize = u32::BITS as usize;

/// Most arms of a position and all that come of joining them: an arm holds one of the 25 boxes at
/// least, and each of at most a dozen junctions joins two arms once.
const SLOTS: usize = 40;

/// Boxes by which a noose counts as larger than it is. Measured on 40,000 ends of the safe phase of
/// 5x5: the winner is right in 92.2 %, against 91.6 % with nooses last and 92.3 % with 1; the mean
/// errors are 2.34, 2.10 and 2.43 boxes.
const NOOSE_SURPLUS: i16 = 2;

/// Key of a slot that holds no arm.
const VACANT: i16 = i16::MAX;

/// A chain with at least one end at a junction.
#[derive(Clone, Copy)]
struct Arm {
    boxes: u8,
    ends: [u8; 2],
}

impl Arm {
    fn ends(self) -> [usize; 2] {
        self.ends.map(usize::from)
    }

    /// Both ends at the same junction. What is left of one in the end is a loop.
    fn is_noose(self) -> bool {
        self.ends[0] == self.ends[1]
    }

    /// The end that is not at this junction.
    fn other_end(self, junction: usize) -> u8 {
        self.ends[usize::from(usize::from(self.ends[0]) == junction)]
    }

    /// Orders arms as they are peeled: smaller ones first, then by slot.
    fn key(self, slot: usize) -> i16 {
        let size = i16::from(self.boxes) + i16::from(self.is_noose()) * NOOSE_SURPLUS;
        size << 6 | slot as i16
    }
}

/// The arms still joined, and the runs already apart.
struct Joined {
    arms: [Arm; SLOTS],
    keys: [i16; SLOTS],
    len: usize,
    /// The slots of the arms at each junction and, unused, at the border.
    arms_at: [u64; BORDER + 1],
    open_sides: [u8; BORDER + 1],
    apart: Tally,
}

/// The remaining value for the side to move.
/// Preconditions: nothing can be captured, no edge is neutral.
pub fn value(position: &Dots) -> i16 {
    let mut apart = Tally::default();
    let links = Links::of(position, &mut apart);
    if position.sides().two == position.board().all_boxes() {
        links.for_each_run(|boxes, _| apart.add_chain(boxes));
        return apart.value();
    }
    let mut joined = Joined::of(&links, apart);
    while let Some(slot) = joined.next_to_peel() {
        joined.peel(slot);
    }
    joined.apart.value()
}

impl Joined {
    #[inline]
    fn of(links: &Links, apart: Tally) -> Joined {
        let mut joined = Joined {
            arms: [Arm {
                boxes: 0,
                ends: [0; 2],
            }; SLOTS],
            keys: [VACANT; SLOTS],
            len: 0,
            arms_at: [0; BORDER + 1],
            open_sides: [0; BORDER + 1],
            apart,
        };
        links.for_each_run(|boxes, ends| {
            let arm = Arm { boxes, ends };
            for end in arm.ends() {
                joined.open_sides[end] += 1;
            }
            joined.put(arm);
        });
        joined
    }

    /// Keeps an arm, or sets it apart if no end is at a junction.
    #[inline]
    fn put(&mut self, arm: Arm) {
        if arm.ends() == [BORDER, BORDER] {
            self.apart.add_chain(arm.boxes);
            return;
        }
        let slot = self.len;
        self.arms[slot] = arm;
        self.keys[slot] = arm.key(slot);
        arm.ends()
            .into_iter()
            .for_each(|end| self.arms_at[end] |= 1 << slot);
        self.len += 1;
    }

    #[inline]
    fn remove(&mut self, slot: usize) -> Arm {
        let arm = self.arms[slot];
        self.keys[slot] = VACANT;
        arm.ends()
            .into_iter()
            .for_each(|end| self.arms_at[end] &= !(1 << slot));
        arm
    }

    #[inline]
    fn next_to_peel(&self) -> Option<usize> {
        // All slots, whose number is known: a few vector operations.
        let least = self.keys.iter().fold(VACANT, |least, &key| least.min(key));
        (least != VACANT).then_some(least as usize % (1 << 6))
    }

    #[inline]
    fn peel(&mut self, slot: usize) {
        let arm = self.remove(slot);
        self.apart.add_chain(arm.boxes);
        for end in arm.ends() {
            // At the border nobody reads the number, and it may be too small: arms get ends there.
            self.open_sides[end] = self.open_sides[end].wrapping_sub(1);
        }
        for (k, junction) in arm.ends().into_iter().enumerate() {
            let is_seen = k == 1 && arm.is_noose();
            if junction != BORDER && !is_seen && self.open_sides[junction] <= 2 {
                self.dissolve(junction);
            }
        }
    }

    /// Joins what is left at a junction with at most two open sides, the box itself included.
    #[inline]
    fn dissolve(&mut self, junction: usize) {
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
            ends: [junction as u8, BORDER as u8],
        });
        self.put(Arm {
            boxes: one.boxes + 1 + other.boxes,
            ends: [one.other_end(junction), other.other_end(junction)],
        });
    }

    #[inline]
    fn take_arm_at(&mut self, junction: usize) -> Option<Arm> {
        let slots = self.arms_at[junction];
        (slots != 0).then(|| self.remove(slots.trailing_zeros() as usize))
    }
}

#[cfg(test)]
mod tests;
