//! Distances of empty squares from a side's amazons, as sets of squares: all squares at once.
//!
//! A distance is the fewest moves over empty squares, queen moves or king's steps, that an amazon
//! of the side needs; amazons of both sides and arrows stand in the way where they are now, and
//! nobody shoots. What queens reach at all, kings reach too.

use crate::game::Player;
use crate::game::amazons::reach::{queen_reach, widened};
use crate::game::amazons::{Amazons, STRIDE, each};

/// Distances that are kept in place; longer ones are rare and go to the heap.
const NEAR: usize = 16;

/// The squares within each distance of a side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    near: [u128; NEAR],
    far: Vec<u128>,
    reached: u128,
    count: usize,
}

impl Levels {
    /// Largest finite distance; 0 if the side reaches nothing.
    #[inline]
    pub fn longest(&self) -> usize {
        self.count
    }

    /// The empty squares at most so far away. Precondition: the distance is at least 1.
    #[inline]
    pub fn within(&self, distance: usize) -> u128 {
        debug_assert!(distance > 0, "no empty square is nowhere away");
        match self.near.get(distance - 1) {
            Some(&within) => within,
            None => self.within_far(distance),
        }
    }

    #[cold]
    fn within_far(&self, distance: usize) -> u128 {
        let place = (distance - 1 - NEAR).min(self.far.len().wrapping_sub(1));
        self.far.get(place).copied().unwrap_or(self.near[NEAR - 1])
    }

    /// The empty squares that the side reaches at all.
    #[inline]
    pub fn reached(&self) -> u128 {
        self.reached
    }

    /// The squares of which this side is nearer than the other by at least so much, those that the
    /// other does not reach included. Precondition: `lead` is at least 1.
    #[inline]
    pub fn nearer_than(&self, other: &Levels, lead: usize) -> u128 {
        let mut nearer = 0;
        for distance in 1..=self.count {
            nearer |= self.within(distance) & !other.within(distance + lead - 1);
        }
        nearer
    }

    #[inline]
    fn push(&mut self, within: u128) {
        match self.near.get_mut(self.count) {
            Some(place) => *place = within,
            None => self.far.push(within),
        }
        self.count += 1;
        self.reached = within;
    }

    /// No square is farther away: longer distances hold the same squares.
    #[inline]
    fn finish(&mut self) {
        let reached = self.reached;
        for place in self.near.iter_mut().skip(self.count) {
            *place = reached;
        }
    }
}

/// King's steps from these amazons.
#[inline]
fn measure_king_steps(levels: &mut Levels, amazons: u128, empty: u128) {
    let mut reached = 0;
    let mut front = widened(amazons) & empty;
    while front != 0 {
        reached |= front;
        levels.push(reached);
        front = widened(front) & empty & !reached;
    }
    levels.finish();
}

/// Bits that a step up moves a square by: right, up, up left, up right.
const STEPS: [u32; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// For each way up, squares that end a line of two empty squares, and of four; whether any line
/// has more than seven.
#[derive(Clone, Copy, Debug)]
struct Lines {
    empty: u128,
    two: [u128; 4],
    four: [u128; 4],
    has_long: bool,
}

impl Lines {
    #[inline]
    fn of(empty: u128) -> Lines {
        let two = STEPS.map(|step| empty & empty << step);
        let mut four = two;
        for (set, step) in four.iter_mut().zip(STEPS) {
            *set &= *set << (2 * step);
        }
        let lines = four.iter().zip(STEPS);
        let eight = lines.fold(0, |all, (&set, step)| all | set & set << (4 * step));
        Lines {
            empty,
            two,
            four,
            has_long: eight != 0,
        }
    }

    /// Those of the empty squares `missing` that are one queen move from a square of `front`.
    #[inline]
    fn next(&self, front: u128, missing: u128) -> u128 {
        // A few squares are cheaper one by one, from whichever end there are few.
        if has_few(missing) {
            let mut near = 0;
            for square in each(missing) {
                let touches = queen_reach(square, self.empty | front) & front != 0;
                near |= square.mask() & 0u128.wrapping_sub(u128::from(touches));
            }
            near
        } else {
            self.queen_moves(front) & missing
        }
    }

    /// The empty squares one queen move from a square of the set, perhaps some of the set itself.
    ///
    /// A line is filled in doubling steps (Kogge and Stone's prefix): 1, 2 and 4 squares more, and
    /// where lines are long 2 more, which are the nine that a queen goes on the largest board.
    #[inline]
    fn queen_moves(&self, from: u128) -> u128 {
        let mut all = 0;
        for (way, step) in STEPS.into_iter().enumerate() {
            let (two, four) = (self.two[way], self.four[way]);
            let mut up = from;
            up |= up << step & self.empty;
            up |= up << (2 * step) & two;
            up |= up << (4 * step) & four;
            if self.has_long {
                up |= up << (2 * step) & two;
            }
            // Lines downwards end where those upwards begin.
            let (two, four) = (two >> step, four >> (3 * step));
            let mut down = from;
            down |= down >> step & self.empty;
            down |= down >> (2 * step) & two;
            down |= down >> (4 * step) & four;
            if self.has_long {
                down |= down >> (2 * step) & two;
            }
            all |= up | down;
        }
        all & self.empty
    }
}

/// Whether a set has at most two squares.
#[inline]
const fn has_few(set: u128) -> bool {
    let rest = set & set.wrapping_sub(1);
    rest & rest.wrapping_sub(1) == 0
}

/// Distances of both sides in queen moves and in king's steps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Distances {
    /// Queen moves of First and of Second.
    pub queen: [Levels; 2],
    /// King's steps of First and of Second.
    pub king: [Levels; 2],
}

impl Distances {
    /// The distances of a position, between turns or within one.
    #[inline]
    pub fn of(position: &Amazons) -> Distances {
        // Filled in place: it is too large to be passed around.
        let mut distances = Distances::default();
        let lines = Lines::of(position.empty());
        for player in Player::ALL {
            let amazons = position.amazons(player);
            let king = &mut distances.king[player.index()];
            measure_king_steps(king, amazons, position.empty());
            let goal = king.reached();
            measure_queen_moves(&mut distances.queen[player.index()], &lines, amazons, goal);
        }
        distances
    }
}

/// Queen moves from these amazons until all squares of `goal`, what they reach at all, are reached.
#[inline]
fn measure_queen_moves(levels: &mut Levels, lines: &Lines, amazons: u128, goal: u128) {
    let (mut reached, mut front) = (0, amazons);
    while reached != goal {
        front = lines.next(front, goal & !reached);
        reached |= front;
        levels.push(reached);
    }
    levels.finish();
}
