//! The search of a node.

use super::order::Refutations;
use super::table::{Bound, Entry, Table};
use super::{INFINITE, Pvs, PvsConstants, PvsOptions, Score, UNIT, WIDTH_DEPTH};
use crate::eval::{Knowledge, MoveList, Work};
use crate::game::Position;
use crate::search::{Control, Step};

/// Where a node is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Plies that are left to search below it.
    pub(super) depth: u16,
    /// Plies below the root.
    pub(super) ply: u16,
}

/// What a search needs at every node.
pub(super) struct Descent<'a, P: Position, K> {
    knowledge: &'a K,
    constants: &'a PvsConstants,
    options: PvsOptions,
    control: &'a mut dyn Control,
    work: &'a mut Work,
    table: &'a mut Table<P::Move>,
    refutations: &'a mut Refutations<P::Move>,
    buffers: &'a mut Vec<Vec<(P::Move, Score)>>,
    moves: Vec<P::Move>,
    evaluations: u64,
    /// Plies from the root to the nearest leaf at the depth limit, of what has been searched since
    /// this was last reset.
    nearest_leaf: Option<u16>,
    /// Plies from the root to what the first iteration valued: up to there static values are kept,
    /// since every later iteration asks for them again. Farther away most are asked for once, and
    /// looking them up takes as long as finding them.
    first_leaves: u16,
}

impl<'a, P: Position, K: Knowledge<P>> Descent<'a, P, K> {
    pub(super) fn new(
        searcher: &'a mut Pvs<P>,
        knowledge: &'a K,
        constants: &'a PvsConstants,
        control: &'a mut dyn Control,
        work: &'a mut Work,
    ) -> Self {
        Descent {
            knowledge,
            constants,
            options: searcher.options,
            control,
            work,
            table: &mut searcher.table,
            refutations: &mut searcher.refutations,
            buffers: &mut searcher.buffers,
            moves: Vec::new(),
            evaluations: 0,
            nearest_leaf: None,
            first_leaves: u16::MAX,
        }
    }

    pub(super) fn control(&mut self) -> &mut dyn Control {
        self.control
    }

    pub(super) fn uses_aspiration(&self) -> bool {
        self.options.aspiration
    }

    pub(super) fn evaluations(&self) -> u64 {
        self.evaluations
    }

    pub(super) fn begin_iteration(&mut self) {
        self.nearest_leaf = None;
    }

    pub(super) fn nearest_leaf(&self) -> Option<u16> {
        self.nearest_leaf
    }

    /// The first iteration is over and valued positions so many plies below the root.
    pub(super) fn keep_static_values_to(&mut self, ply: u16) {
        self.first_leaves = ply;
    }

    fn saw_leaf(&mut self, ply: u16) {
        self.nearest_leaf = Some(self.nearest_leaf.map_or(ply, |nearest| nearest.min(ply)));
    }

    /// The moves of a position, in the game's order.
    pub(super) fn append_moves(&self, position: &P, out: &mut Vec<P::Move>) {
        match self.constants.move_list {
            MoveList::All => position.legal_moves(out),
            MoveList::Sufficient => self.knowledge.sufficient_moves(position, out),
        }
    }

    /// Sorts the moves of the root by what the first iteration found, and leaves those that are
    /// searched deeper.
    pub(super) fn sort_root(&self, moves: &mut Vec<(P::Move, Score)>) {
        if self.options.static_order || self.constants.width > 0 {
            moves.sort_by_key(|(_, value)| -value);
        }
        self.cut_to_width(moves);
    }

    fn cut_to_width(&self, moves: &mut Vec<(P::Move, Score)>) {
        if self.constants.width > 0 {
            moves.truncate(self.constants.width.into());
        }
    }

    /// The value of a move that is searched as number `index`: unless it is the first, only whether
    /// it is better than those before is asked, and how much better where it is.
    pub(super) fn value_in_turn(
        &mut self,
        parent: &P,
        mv: P::Move,
        (alpha, beta): (Score, Score),
        place: Place,
        index: usize,
    ) -> Option<Score> {
        let narrow = self.options.null_windows && index > 0 && beta - alpha > 1;
        if narrow && alpha > -INFINITE {
            let value = self.value_of_move(parent, mv, (alpha, alpha + 1), place)?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        self.value_of_move(parent, mv, (alpha, beta), place)
    }

    fn value_of_move(
        &mut self,
        parent: &P,
        mv: P::Move,
        window: (Score, Score),
        place: Place,
    ) -> Option<Score> {
        let mut child = parent.clone();
        child.play(mv);
        self.work.alpha_beta_edges += 1;
        if self.control.should_stop(self.work, self.evaluations) {
            return None;
        }
        let step = Step::between(parent, &child);
        let below = Place {
            depth: place.depth.saturating_sub(1),
            ply: place.ply + 1,
        };
        let value = self.value(&child, interval_for_child(step, window), below)?;
        Some(value_of(step, value))
    }

    /// The value of a position, exact inside the window and a bound outside (fail-soft); `None`
    /// when stopped.
    fn value(&mut self, position: &P, window: (Score, Score), place: Place) -> Option<Score> {
        if position.outcome().is_some() {
            return Some(self.final_value(position));
        }
        if place.depth == 0 && !self.knowledge.is_within_turn(position) {
            self.saw_leaf(place.ply);
            return Some(self.static_value(position, place.ply));
        }
        let key = self.knowledge.remaining_key(position);
        let known = self.options.table.then(|| self.table.entry(key)).flatten();
        if let Some(entry) = known.filter(|entry| answers(entry, window, place.depth)) {
            if let Some(distance) = entry.nearest_leaf {
                self.saw_leaf(place.ply + distance);
            }
            return Some(entry.value);
        }
        let before = self.nearest_leaf.take();
        let best = known.and_then(|entry| entry.best);
        let (value, best) = self.best_move(position, window, place, best)?;
        if self.options.table {
            let entry = Entry {
                value,
                depth: place.depth,
                bound: match value {
                    _ if value >= window.1 => Bound::Lower,
                    _ if value <= window.0 => Bound::Upper,
                    _ => Bound::Exact,
                },
                nearest_leaf: self.nearest_leaf.map(|ply| ply - place.ply),
                best,
            };
            self.table.store(key, entry);
        }
        if let Some(ply) = before {
            self.saw_leaf(ply);
        }
        Some(value)
    }

    /// The value of a position that is no leaf, and the move that shows it is more than the lower
    /// end of the window.
    fn best_move(
        &mut self,
        position: &P,
        window: (Score, Score),
        place: Place,
        remembered: Option<P::Move>,
    ) -> Option<(Score, Option<P::Move>)> {
        let mut best = (-INFINITE, None);
        let level = usize::from(place.ply);
        if self.buffers.len() <= level {
            self.buffers.resize_with(level + 1, Vec::new);
        }
        let mut moves = std::mem::take(&mut self.buffers[level]);
        moves.clear();
        self.append_scored(position, place, remembered, &mut moves);
        for index in 0..moves.len() {
            bring_best(&mut moves[index..]);
            let mv = moves[index].0;
            let inner = (window.0.max(best.0), window.1);
            let value = self.value_in_turn(position, mv, inner, place, index)?;
            if value > best.0 {
                best.0 = value;
                if value > window.0 {
                    best.1 = Some(mv);
                }
            }
            if value >= window.1 {
                let mover = position.to_move();
                self.refutations.record(mover, mv, level, place.depth);
                break;
            }
        }
        self.buffers[level] = moves;
        Some(best)
    }

    /// Appends the moves to search, each with a number by which the larger one comes first.
    fn append_scored(
        &mut self,
        position: &P,
        place: Place,
        remembered: Option<P::Move>,
        out: &mut Vec<(P::Move, Score)>,
    ) {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.append_moves(position, &mut moves);
        let narrow = place.depth >= WIDTH_DEPTH
            && self.constants.width > 0
            && moves.len() > usize::from(self.constants.width);
        let are_known = place.ply < self.first_leaves && self.first_leaves < u16::MAX;
        if narrow || (self.options.static_order && are_known) {
            for &mv in &moves {
                let value = self.static_value_of_move(position, mv, place.ply);
                out.push((mv, value));
            }
            if narrow {
                out.sort_by_key(|(_, value)| -value);
                self.cut_to_width(out);
            }
        } else if self.options.refutations {
            let player = position.to_move();
            out.extend(moves.iter().map(|&mv| {
                let count = self.refutations.history(player, mv);
                (mv, Score::from(count))
            }));
            let mut bonus = INFINITE / 4;
            for killer in self.refutations.killers(place.ply.into()) {
                if let Some(place) = out.iter_mut().find(|(mv, _)| *mv == killer) {
                    place.1 = bonus;
                }
                bonus /= 2;
            }
        } else {
            out.extend(moves.iter().map(|&mv| (mv, 0)));
        }
        if let Some(place) = out.iter_mut().find(|(mv, _)| Some(*mv) == remembered) {
            place.1 = INFINITE;
        }
        self.moves = moves;
    }

    /// What a move is worth as its board stands after it.
    fn static_value_of_move(&mut self, parent: &P, mv: P::Move, ply: u16) -> Score {
        let mut child = parent.clone();
        child.play(mv);
        self.work.alpha_beta_edges += 1;
        let value = match child.outcome() {
            Some(_) => self.final_value(&child),
            None => self.static_value(&child, ply + 1),
        };
        value_of(Step::between(parent, &child), value)
    }

    fn final_value(&self, position: &P) -> Score {
        libm::round(self.knowledge.final_points(position) / UNIT) as Score
    }

    /// The static value of a position so many plies below the root.
    fn static_value(&mut self, position: &P, ply: u16) -> Score {
        let kept = self.options.table && ply <= self.first_leaves;
        let key = kept.then(|| self.knowledge.remaining_key(position));
        if let Some(value) = key.and_then(|key| self.table.static_value(key)) {
            return value;
        }
        self.evaluations += 1;
        let evaluation = &self.constants.evaluation;
        let points = self.knowledge.evaluate(position, evaluation, self.work);
        let value = libm::round(points / UNIT) as Score;
        if let Some(key) = key {
            self.table.store_static(key, value);
        }
        value
    }
}

/// Whether an entry answers for a window at a depth.
fn answers<M>(entry: &Entry<M>, window: (Score, Score), depth: u16) -> bool {
    entry.depth == depth
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= window.1,
            Bound::Upper => entry.value <= window.0,
        }
}

/// Moves the first of the best scores to the front; the others keep their order but for one.
fn bring_best<M>(moves: &mut [(M, Score)]) {
    let mut best = 0;
    for index in 1..moves.len() {
        if moves[index].1 > moves[best].1 {
            best = index;
        }
    }
    moves.swap(0, best);
}

fn points(gain: i16) -> Score {
    Score::from(gain) << 20
}

/// As [`Step::estimate_of`].
fn value_of(step: Step, child: Score) -> Score {
    points(step.gain) + if step.mover_stays { child } else { -child }
}

/// As [`Step::interval_for_child`].
fn interval_for_child(step: Step, (alpha, beta): (Score, Score)) -> (Score, Score) {
    let gain = points(step.gain);
    if step.mover_stays {
        (alpha - gain, beta - gain)
    } else {
        (gain - beta, gain - alpha)
    }
}
