//! The evaluation square by square: breadth-first searches over a padded board, sums as the
//! definitions state them, from the point of view of the side whose value is asked for.
//!
//! Shares nothing with the fast evaluation but the squares; it is what that is tested by and its
//! speed measured against.

use super::features::Terms;
use super::formula::{Formula, Mapping};
use crate::game::amazons::{Amazons, STRIDE};
use crate::game::{Player, Position};

/// Squares and what is around them: every square's eight neighbours are in range.
const CELLS: usize = 144;

/// The cell of the square with number 0: there is room for what lies below the first square.
const OFFSET: usize = 1;

/// A distance that no square has.
const NEVER: u8 = u8::MAX;

/// Steps to the eight neighbours.
const STEPS: [isize; 8] = {
    let up = STRIDE as isize;
    [1, -1, up, -up, up + 1, up - 1, 1 - up, -1 - up]
};

/// A board as cells.
struct Cells {
    empty: [bool; CELLS],
    squares: Vec<usize>,
}

impl Cells {
    fn of(position: &Amazons) -> Cells {
        let mut cells = Cells {
            empty: [false; CELLS],
            squares: Vec::with_capacity(100),
        };
        for square in 0..128 {
            if position.empty() >> square & 1 == 1 {
                cells.empty[square + OFFSET] = true;
                cells.squares.push(square + OFFSET);
            }
        }
        cells
    }

    /// Distances from the amazons of a set: in queen moves if `slides`, else in king's steps.
    fn distances(&self, amazons: u128, slides: bool) -> [u8; CELLS] {
        let mut distances = [NEVER; CELLS];
        let mut queue = [0; 128];
        let (mut head, mut tail) = (0, 0);
        for square in 0..128 {
            if amazons >> square & 1 == 1 {
                distances[square + OFFSET] = 0;
                queue[tail] = square + OFFSET;
                tail += 1;
            }
        }
        while head < tail {
            let from = queue[head];
            head += 1;
            let distance = distances[from] + 1;
            for step in STEPS {
                let mut at = from;
                loop {
                    at = at.wrapping_add_signed(step);
                    if !self.empty[at] {
                        break;
                    }
                    if distances[at] == NEVER {
                        distances[at] = distance;
                        queue[tail] = at;
                        tail += 1;
                    }
                    if !slides {
                        break;
                    }
                }
            }
        }
        distances
    }

    /// Empty squares around a square.
    fn around(&self, square: usize) -> usize {
        let around = STEPS.iter();
        around
            .filter(|&&step| self.empty[square.wrapping_add_signed(step)])
            .count()
    }
}

/// +1 where one's own distance is smaller, -1 where larger, the credit where they are equal.
fn nearer(own: u8, other: u8, credit: f64) -> f64 {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Greater => -1.0,
        std::cmp::Ordering::Equal if own == NEVER => 0.0,
        std::cmp::Ordering::Equal => credit,
    }
}

/// 2^-distance.
fn halved(distance: u8) -> f64 {
    if distance == NEVER {
        return 0.0;
    }
    (0..distance).fold(1.0, |value, _| value / 2.0)
}

fn local_advantage(own: u8, other: u8) -> f64 {
    match (own == NEVER, other == NEVER) {
        (true, true) => 0.0,
        (false, true) => 1.0,
        (true, false) => -1.0,
        (false, false) => ((f64::from(other) - f64::from(own)) / 6.0).clamp(-1.0, 1.0),
    }
}

/// The terms of a position as this side sees them.
pub fn terms(position: &Amazons, own: Player, kappa: f64) -> Terms {
    let cells = Cells::of(position);
    let distances = |player, slides| cells.distances(position.amazons(player), slides);
    let (queen, queen_other) = (distances(own, true), distances(own.other(), true));
    let (king, king_other) = (distances(own, false), distances(own.other(), false));
    let credit = if position.to_move() == own {
        kappa
    } else {
        -kappa
    };
    let mut terms = Terms {
        t1: 0.0,
        t2: 0.0,
        c1: 0.0,
        c2: 0.0,
        w: 0.0,
        s: 0.0,
    };
    for &square in &cells.squares {
        let (mine, theirs) = (queen[square], queen_other[square]);
        terms.t1 += nearer(mine, theirs, credit);
        terms.c1 += 2.0 * (halved(mine) - halved(theirs));
        if mine != NEVER && theirs != NEVER {
            terms.w += halved(mine.abs_diff(theirs));
        }
        let held = (cells.around(square) as f64 - 10.0) / 10_000.0;
        terms.s += nearer(mine, theirs, 0.0) * held;
        let (mine, theirs) = (king[square], king_other[square]);
        terms.t2 += nearer(mine, theirs, credit);
        terms.c2 += local_advantage(mine, theirs);
    }
    terms
}

/// Squares that a player's amazons can go to, step by step.
fn moves_of(position: &Amazons, player: Player) -> f64 {
    let cells = Cells::of(position);
    let mut moves = 0;
    for square in (0..128).filter(|square| position.amazons(player) >> square & 1 == 1) {
        for step in STEPS {
            let mut at = (square + OFFSET).wrapping_add_signed(step);
            while cells.empty[at] {
                moves += 1;
                at = at.wrapping_add_signed(step);
            }
        }
    }
    f64::from(moves)
}

/// The value of a position for this side.
pub fn value(position: &Amazons, formula: &Formula, own: Player) -> f64 {
    let terms = terms(position, own, formula.kappa);
    let Terms {
        t1, t2, c1, c2, w, ..
    } = terms;
    let a = formula.x / (w + formula.x);
    let b = w / (w + formula.y);
    let c = (1.0 - (a + b)) / 2.0;
    let rational = a * t1 + b * t2 / 2.0 + c * (c1 + c2) / 2.0;
    let mobility = || moves_of(position, own) - moves_of(position, own.other());
    let turns = position.turns();
    let value = match formula.mapping {
        Mapping::Printed => rational,
        Mapping::Normalised => rational / (a + b / 2.0 + c / 2.0 + c / 2.0),
        Mapping::Book if w <= 1.0 => t1,
        Mapping::Book if w <= 45.0 => 0.3 * (t1 + t2) + 0.2 * (c1 + c2),
        Mapping::Book if w <= 55.0 => 0.4 * t2 + 0.3 * (c1 + c2),
        Mapping::Book => 0.3 * t2 + 0.3 * c1 + 0.4 * c2,
        Mapping::ByTurn if turns < 20 => {
            0.14 * t1 + 0.37 * t2 + 0.13 * c1 + 0.13 * c2 + 0.2 * mobility()
        }
        Mapping::ByTurn if turns < 49 => {
            0.3 * t1 + 0.25 * t2 + 0.2 * c1 + 0.2 * c2 + 0.05 * mobility()
        }
        Mapping::ByTurn => 0.8 * t1 + 0.1 * t2 + 0.05 * c1 + 0.05 * c2,
    };
    value + formula.defects * terms.s
}
