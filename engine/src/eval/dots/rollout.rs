//! Rollouts: games played to their end by a policy.
//!
//! *Uniform* draws the open edges in a uniformly random order. *Safe* draws random edges that give
//! nothing until none is left, and values what remains by [`super::peeling`]: the right winner in
//! nine of ten cases, at a small part of a solver's cost.

use crate::game::Position;
use crate::game::dots::{Board, Dots, Edge};
use crate::stream::Stream;

use super::formula::{value_of_chain_choice, value_of_loop_choice};
use super::peeling;
use super::reduction::{self, Capture};
use super::strings;

/// Random bits of one draw: three draws a random word, and since no bound exceeds 64 a bias below
/// 2^-15, far below what any number of rollouts could show.
const DRAW_BITS: u32 = 21;
const DRAWS_PER_WORD: u32 = u64::BITS / DRAW_BITS;

/// The edges of a mask, drawn one by one in a uniformly random order.
struct RandomOrder<'a> {
    edges: [u8; Board::MAX_EDGES],
    left: usize,
    word: u64,
    draws: u32,
    stream: &'a mut Stream,
}

impl<'a> RandomOrder<'a> {
    #[inline]
    fn of(mut mask: u64, stream: &'a mut Stream) -> Self {
        let mut edges = [0; Board::MAX_EDGES];
        let mut left = 0;
        while mask != 0 {
            edges[left] = mask.trailing_zeros() as u8;
            left += 1;
            mask &= mask - 1;
        }
        RandomOrder {
            edges,
            left,
            word: 0,
            draws: 0,
            stream,
        }
    }

    /// A number below `bound`, which is at most 64.
    #[inline]
    fn below(&mut self, bound: usize) -> usize {
        if self.draws == 0 {
            self.word = self.stream.bits();
            self.draws = DRAWS_PER_WORD;
        }
        self.draws -= 1;
        let fraction = self.word & ((1 << DRAW_BITS) - 1);
        self.word >>= DRAW_BITS;
        ((fraction * bound as u64) >> DRAW_BITS) as usize
    }
}

impl Iterator for RandomOrder<'_> {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        if self.left == 0 {
            return None;
        }
        let at = self.below(self.left) & (Board::MAX_EDGES - 1);
        self.left -= 1;
        let edge = self.edges[at];
        self.edges[at] = self.edges[self.left & (Board::MAX_EDGES - 1)];
        Some(Edge(edge))
    }
}

/// Plays uniformly random edges to the end; First's final margin.
#[inline]
pub fn uniform(position: &Dots, stream: &mut Stream) -> i32 {
    let board = position.board();
    let mut sides = position.sides();
    let mut margin = position.margin();
    let mut sign = position.to_move().sign();
    for edge in RandomOrder::of(position.open(), stream) {
        let completed = sides.add(board.boxes_beside(edge));
        // One or two boxes, without a branch and without a population count.
        let gain =
            i32::from(completed != 0) + i32::from(completed & completed.wrapping_sub(1) != 0);
        margin += gain * sign;
        sign = if completed == 0 { -sign } else { sign };
    }
    margin
}

/// What a safe rollout came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SafeEnd {
    /// First's estimated final margin.
    pub margin: i32,
    /// Plies played before the rest was valued.
    pub plies: u32,
}

/// Takes what is free, plays random edges that give nothing, and values the rest.
#[inline]
pub fn safe(position: &Dots, stream: &mut Stream) -> SafeEnd {
    let mut end = *position;
    let pending = take_free(&mut end);
    if pending.is_none() {
        play_neutral(&mut end, stream);
    }
    let value = match pending {
        Some((take, offer)) => value_of_pending(&end, take, offer),
        None => peeling::value(&end),
    };
    SafeEnd {
        margin: end.margin() + i32::from(value) * end.to_move().sign(),
        plies: u32::from(end.ply() - position.ply()),
    }
}

/// The winner-deciding estimate of the remaining value, for the side to move, of a position in
/// which every edge gives something; see [`safe`].
pub fn settled_value(position: &Dots) -> i16 {
    let mut end = *position;
    let mover = end.to_move();
    let before = end.margin();
    let value = match take_free(&mut end) {
        Some((take, offer)) => value_of_pending(&end, take, offer),
        None => peeling::value(&end),
    };
    // Captures keep the turn, so the mover is still the same.
    value + ((end.margin() - before) * mover.sign()) as i16
}

/// Captures while that is right without further thought: forced captures always, a choice only
/// while edges that give nothing are left. Returns the choice that is left to decide.
#[inline]
fn take_free(position: &mut Dots) -> Option<(Edge, Edge)> {
    loop {
        match reduction::capture(position)? {
            Capture::Forced(edge) => position.play(edge),
            // Which of them is best matters little and would need a search.
            Capture::OneOf(captures) => position.play(Edge(captures.trailing_zeros() as u8)),
            Capture::Choice { take, .. } if position.neutral() != 0 => position.play(take),
            Capture::Choice { take, offer } => return Some((take, offer)),
        }
    }
}

/// Plays edges that give nothing, uniformly random, until none is left. An edge that gives never
/// stops doing so, therefore one pass over a random order is the same as drawing anew each time.
#[inline]
fn play_neutral(position: &mut Dots, stream: &mut Stream) {
    for edge in RandomOrder::of(position.neutral(), stream) {
        if position.board().boxes_beside(edge) & position.sides().two == 0 {
            position.play(edge);
        }
    }
}

/// The value when the mover may take the last string or offer it, and nothing else is free.
fn value_of_pending(position: &Dots, take: Edge, offer: Edge) -> i16 {
    let start = (position.board().boxes_beside(take) & position.sides().three).trailing_zeros();
    let string = strings::capturable_from(position, start as usize);
    debug_assert!(
        offer == string.second,
        "{position}: the offer belongs to another string"
    );
    let mut rest = *position;
    while let Some(Capture::Forced(edge) | Capture::Choice { take: edge, .. }) =
        reduction::capture(&rest)
    {
        rest.play(edge);
    }
    let boxes = i16::from(string.boxes);
    if string.closed {
        value_of_loop_choice(boxes, peeling::value(&rest))
    } else {
        value_of_chain_choice(boxes, peeling::value(&rest))
    }
}
