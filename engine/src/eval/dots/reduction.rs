//! Moves that are provably enough to consider, and bounds.
//!
//! CITE: Barker and Korf, Solving Dots-And-Boxes, AAAI 2012, for the rule on captures; the explicit
//! small cases are verified here exhaustively on small boards. With a capture available there is
//! one move, or exactly two candidates: take all, or leave two boxes of a half-open string (four of
//! a closed one). Otherwise one edge per chain and loop represents all of its edges, and the edges
//! that give nothing stay.

use crate::eval::RemainingBounds;
use crate::game::dots::{Dots, Edge};

use super::formula::{Endgame, value_of_chain_choice, value_of_loop_choice};
use super::strings::{self, Capturable, Run};

/// Most unopened chains and loops of a position.
const MAX_RUNS: usize = crate::game::dots::Board::MAX_BOXES;

/// What may be worth playing when a box can be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// This capture is optimal.
    Forced(Edge),
    /// One of these two is optimal.
    Choice {
        /// Begins to take everything.
        take: Edge,
        /// Offers the last two boxes (or four) to stay in control.
        offer: Edge,
    },
}

/// The capture or choice, if a box can be captured.
///
/// Forced are: a capture that opens no further one, a domino, a closed string of three (rule R1);
/// any of a longer string (R2, R3); with several strings left that all could be offered, the closed
/// one or any (R4, R5). A single half-open string of two or closed string of four is a choice
/// (R6, R7).
#[inline]
pub fn capture(position: &Dots) -> Option<Capture> {
    let mut half_open: Option<Capturable> = None;
    let mut closed: Option<Capturable> = None;
    let mut several = false;
    let forced = strings::find_capturable(position, |string| {
        let slot = match (string.closed, string.boxes) {
            (false, 2) => &mut half_open,
            (true, 4) => &mut closed,
            _ => return Some(string.capture),
        };
        several |= slot.replace(string).is_some();
        None
    });
    if let Some(edge) = forced {
        return Some(Capture::Forced(edge));
    }
    match (half_open, closed) {
        (None, None) => None,
        (_, Some(string)) if half_open.is_some() || several => {
            Some(Capture::Forced(string.capture))
        }
        (Some(string), None) if several => Some(Capture::Forced(string.capture)),
        (Some(string), _) | (None, Some(string)) => Some(Capture::Choice {
            take: string.capture,
            offer: string.second,
        }),
    }
}

/// Unopened chains and loops, smallest first.
pub struct Runs {
    items: [Option<Run>; MAX_RUNS],
    len: usize,
}

impl Runs {
    /// Those of a position in which nothing can be captured.
    pub fn of(position: &Dots) -> Runs {
        let mut runs = Runs {
            items: [None; MAX_RUNS],
            len: 0,
        };
        strings::for_each_run(position, 0, |run| {
            let mut at = runs.len;
            while at > 0 && runs.items[at - 1].is_some_and(|last| last.boxes > run.boxes) {
                runs.items[at] = runs.items[at - 1];
                at -= 1;
            }
            runs.items[at] = Some(run);
            runs.len += 1;
        });
        runs
    }

    /// In ascending order of length.
    pub fn iter(&self) -> impl Iterator<Item = Run> {
        self.items[..self.len].iter().flatten().copied()
    }
}

/// Calls `see` with moves of which one is optimal, most promising first: while edges that give
/// nothing are left, taking all comes before offering, and they before openings.
#[inline]
pub fn for_each_sufficient(position: &Dots, mut see: impl FnMut(Edge)) {
    let mut neutral = position.neutral();
    match capture(position) {
        Some(Capture::Forced(edge)) => see(edge),
        Some(Capture::Choice { take, offer }) => {
            let order = if neutral != 0 {
                [take, offer]
            } else {
                [offer, take]
            };
            order.into_iter().for_each(see);
        }
        None => {
            while neutral != 0 {
                see(Edge(neutral.trailing_zeros() as u8));
                neutral &= neutral - 1;
            }
            Runs::of(position).iter().for_each(|run| see(run.opening));
        }
    }
}

/// Bounds from the number of open boxes alone; the value has its parity (rule P0).
#[inline]
pub fn bounds(position: &Dots) -> RemainingBounds {
    let boxes = position.boxes_open() as i16;
    RemainingBounds {
        lower: -boxes,
        upper: boxes,
        step: 2,
    }
}

/// The remaining value where only chains, loops and strings that can be captured are left, that is
/// where every box has at least two drawn sides; exact.
#[inline]
pub fn proven(position: &Dots) -> Option<i16> {
    if position.sides().two != position.board().all_boxes() {
        return None;
    }
    Some(value_of_pure(position))
}

/// Captures everything but the cheapest offer (two boxes of a half-open string, else four of a
/// closed one), then chooses: rules R1 to R7 and the formula.
fn value_of_pure(position: &Dots) -> i16 {
    let (mut boxes, mut members) = (0, 0);
    let (mut chain_offer, mut loop_offer) = (false, false);
    let _: Option<()> = strings::find_capturable(position, |string| {
        boxes += i16::from(string.boxes);
        members |= string.members;
        chain_offer |= !string.closed && string.boxes >= 2;
        loop_offer |= string.closed && string.boxes >= 4;
        None
    });
    let mut endgame = Endgame::default();
    strings::for_each_run(position, members, |run| {
        if run.is_loop {
            endgame.add_loop(run.boxes);
        } else {
            endgame.add_chain(run.boxes);
        }
    });
    let rest = endgame.value();
    if chain_offer {
        value_of_chain_choice(boxes, rest)
    } else if loop_offer {
        value_of_loop_choice(boxes, rest)
    } else {
        boxes + rest
    }
}
