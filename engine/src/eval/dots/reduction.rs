//! Moves that are provably enough to consider, and bounds.
//!
//! CITE: Barker and Korf, Solving Dots-And-Boxes, AAAI 2012, for the rule on captures; the explicit
//! small cases are verified here exhaustively on small boards and in random clusters of large ones.
//! With a capture available there is one move, or two candidates (take all, or leave two boxes of a
//! half-open string, four of a closed one), or, rarely, a capture from each of several strings that
//! end at junctions. Otherwise one edge per chain and loop represents all of its edges, and the
//! edges that give nothing stay.

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
    /// One of these captures, given as a mask of edges, is optimal: strings that end at junctions,
    /// where capturing one may join the others.
    OneOf(u64),
}

/// Half-open strings of two boxes, of which one may be kept for the offer.
#[derive(Default)]
struct HalfOpen {
    count: u32,
    /// One that ends at the border: no capture elsewhere changes it.
    isolated: Option<Capturable>,
    /// Captures of those that end at a junction.
    attached: u64,
    last: Option<Capturable>,
}

impl HalfOpen {
    fn add(&mut self, string: Capturable) {
        self.count += 1;
        self.last = Some(string);
        if string.at_border {
            self.isolated = Some(string);
        } else {
            self.attached |= string.capture.mask();
        }
    }

    /// With several of them and nothing else: which to capture from.
    fn several(&self) -> Capture {
        match self.isolated {
            Some(string) if self.attached == 0 => Capture::Forced(string.capture),
            // The isolated one stays for the offer of two whatever becomes of the others.
            Some(_) => Capture::Forced(Edge(self.attached.trailing_zeros() as u8)),
            None => Capture::OneOf(self.attached),
        }
    }
}

/// The captures or the choice, if a box can be captured.
///
/// Forced are: a capture that opens no further one, a domino, a closed string of three (rule R1);
/// any of a longer string (R2, R3); with several strings left that all could be offered, the closed
/// one or any (R4, R5). A single half-open string of two or closed string of four is a choice
/// (R6, R7).
///
/// R5 as usually stated, any of several half-open strings, is wrong where three of them meet in one
/// box and a fourth stands elsewhere: capturing the fourth first leaves the three, of which the
/// first captured joins the other two to a closed string, whose offer costs four boxes instead of
/// two. So strings at a junction are captured first and one that ends at the border is kept; where
/// all end at junctions, every one is a candidate. Why no other move can be better: let e be a
/// capture and x a move that captures nothing and does not let e complete two boxes. After x the
/// opponent may answer e and stands where we could have stood; x is worth two points less than e.
#[inline]
pub fn capture(position: &Dots) -> Option<Capture> {
    let mut half_open = HalfOpen::default();
    let mut closed: Option<Capturable> = None;
    let mut several_closed = false;
    let forced = strings::find_capturable(position, |string| {
        match (string.closed, string.boxes) {
            (false, 2) => half_open.add(string),
            (true, 4) => several_closed |= closed.replace(string).is_some(),
            _ => return Some(string.capture),
        }
        None
    });
    if let Some(edge) = forced {
        return Some(Capture::Forced(edge));
    }
    let single = match (half_open.last, closed) {
        (None, None) => return None,
        (Some(_), Some(string)) => return Some(Capture::Forced(string.capture)),
        (None, Some(string)) if several_closed => return Some(Capture::Forced(string.capture)),
        (Some(_), None) if half_open.count > 1 => return Some(half_open.several()),
        (Some(string), None) | (None, Some(string)) => string,
    };
    Some(Capture::Choice {
        take: single.capture,
        offer: single.second,
    })
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
    let neutral = position.neutral();
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
        Some(Capture::OneOf(captures)) => for_each_edge(captures, see),
        None => {
            for_each_edge(neutral, &mut see);
            Runs::of(position).iter().for_each(|run| see(run.opening));
        }
    }
}

#[inline]
fn for_each_edge(mut edges: u64, mut see: impl FnMut(Edge)) {
    while edges != 0 {
        see(Edge(edges.trailing_zeros() as u8));
        edges &= edges - 1;
    }
}

/// Bounds from the number of open boxes, whose parity the value has (rule P0). Whoever may choose
/// between taking the last boxes of a string and leaving them loses nothing: of the two results,
/// offer + rest and -(offer + rest), one is not negative (rules R6, R7).
#[inline]
pub fn bounds(position: &Dots) -> RemainingBounds {
    let boxes = position.boxes_open() as i16;
    let chooses = matches!(capture(position), Some(Capture::Choice { .. }));
    RemainingBounds {
        lower: if chooses { boxes & 1 } else { -boxes },
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
