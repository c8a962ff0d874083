//! The recursion: what is known of a node, the scan of its moves, what is remembered.
//!
//! Fail-soft alpha-beta (CITE: Knuth & Moore 1975, "An analysis of alpha-beta pruning"; fail-soft:
//! Fishburn 1983), so every returned value is a bound in itself and the table keeps both sides.

use super::SolverOptions;
use super::known::Known;
use super::table::{Entry, NO_MOVE, Table};
use crate::eval::{Knowledge, Work};
use crate::game::Position;
use crate::search::{Control, Step, Value, Window};

/// The control is asked at every node whose number is a multiple of this, the root included.
const NODES_BETWEEN_QUESTIONS: u64 = 64;

/// One search in progress: the solver's memory and the caller's arguments.
pub(super) struct Descent<'a, P: Position, K> {
    pub(super) options: SolverOptions,
    pub(super) table: &'a mut Table,
    /// Moves of the node at each depth, reused from node to node.
    pub(super) buffers: &'a mut Vec<Vec<P::Move>>,
    pub(super) knowledge: &'a K,
    pub(super) control: &'a mut dyn Control,
    pub(super) work: &'a mut Work,
    pub(super) nodes: u64,
}

impl<P: Position, K: Knowledge<P>> Descent<'_, P, K> {
    /// Searches the root's moves and cuts nowhere before, so that a fail-high has its move. The
    /// table's move does not come first here: of a null window the answer is then the first move
    /// that reaches beta, whatever the table holds.
    /// The move is `None` when no move exceeds alpha. `None` when stopped.
    pub(super) fn root(&mut self, root: &P, window: Window) -> Option<(Value, Option<P::Move>)> {
        self.count_node()?;
        self.generate_root(root);
        let known = self.known_from_table(root, self.prior(root));
        let (value, index) = self.scan(root, window, NO_MOVE, 0)?;
        let mv = (value > window.alpha).then(|| self.buffers[0][usize::from(index.position)]);
        // The table counts moves in another order.
        let found = BestMove {
            generated: known.hint,
            ..index
        };
        self.remember(root, &known, window, value, found);
        Some((value, mv))
    }

    /// The value of a move by the mover of `parent`; a bound if outside the window. The move's own
    /// gain is included. `depth` is the parent's.
    pub(super) fn value_of_move(
        &mut self,
        parent: &P,
        mv: P::Move,
        window: Window,
        depth: usize,
    ) -> Option<Value> {
        let child = self.follow(parent, mv);
        // The margin and the mover tell the step over any number of moves.
        let step = Step::between(parent, &child);
        let below = if child.outcome().is_some() {
            Value(0)
        } else {
            self.node(&child, step.window_for_child(window), depth + 1)?
        };
        Some(step.value_of(below))
    }

    /// Bounds that need no search. Never consults the table.
    pub(super) fn prior(&self, position: &P) -> Known {
        let mut known = Known::NOTHING;
        if self.options.bounds {
            let bounds = self.knowledge.remaining_bounds(position);
            debug_assert!(bounds.lower <= bounds.upper && bounds.step > 0);
            known.lower = bounds.lower;
            known.step = bounds.step;
            known.upper = known.last_possible(bounds.upper);
        }
        known
    }

    /// The value where a formula proves it.
    pub(super) fn proven(&self, position: &P) -> Option<i16> {
        if self.options.proven {
            self.knowledge.proven_remaining(position)
        } else {
            None
        }
    }

    /// Plays a move and all moves that are forced after it.
    fn follow(&mut self, parent: &P, mv: P::Move) -> P {
        let mut position = parent.clone();
        let mut next = Some(mv);
        while let Some(mv) = next {
            position.play(mv);
            self.work.alpha_beta_edges += 1;
            next = if self.options.reductions {
                self.knowledge.forced_move(&position)
            } else {
                None
            };
        }
        position
    }

    /// Fills the buffer of `depth` with the moves to consider.
    fn generate(&mut self, position: &P, depth: usize) {
        if self.buffers.len() <= depth {
            self.buffers.resize_with(depth + 1, Vec::new);
        }
        let buffer = &mut self.buffers[depth];
        buffer.clear();
        if self.options.reductions {
            self.knowledge.sufficient_moves(position, buffer);
        } else {
            position.legal_moves(buffer);
        }
        debug_assert!(!buffer.is_empty(), "a game that goes on has a move");
    }

    /// Fills the root's buffer with the moves to consider, in the order of the legal moves.
    fn generate_root(&mut self, root: &P) {
        self.generate(root, 0);
        let considered = std::mem::take(&mut self.buffers[0]);
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        moves.retain(|mv| considered.contains(mv));
        self.buffers[0] = moves;
    }

    /// Counts a node and asks the control now and then; `None` when the search must stop.
    fn count_node(&mut self) -> Option<()> {
        let ask = self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS);
        self.nodes += 1;
        if ask && self.control.should_stop(self.work, 0) {
            return None;
        }
        Some(())
    }

    /// The remaining value of a node for its mover; a bound if outside the window. `None` when
    /// stopped. Moves are generated last: bounds, formula and table answer most nodes.
    /// Precondition: the game is not over.
    fn node(&mut self, position: &P, window: Window, depth: usize) -> Option<Value> {
        self.count_node()?;
        let known = self.prior(position);
        if let Some(value) = known.decides(window) {
            return Some(value);
        }
        if let Some(value) = self.proven(position) {
            return Some(Value(value));
        }
        let known = self.known_from_table(position, known);
        if let Some(value) = known.decides(window) {
            return Some(value);
        }
        let window = known.tighten(window);
        self.generate(position, depth);
        let (value, best) = self.scan(position, window, known.hint, depth)?;
        Some(self.remember(position, &known, window, value, best))
    }

    /// Adds what the table knows. The cheap bounds come first: they often save the cache miss.
    fn known_from_table(&self, position: &P, mut known: Known) -> Known {
        if !self.options.table
            || self.knowledge.moves_left(position) < self.options.table_min_moves_left
        {
            return known;
        }
        let key = self.knowledge.remaining_key(position);
        known.key = Some(key);
        if let Some(entry) = self.table.probe(key) {
            // Rounded to possible values: `lower` stays the origin of the steps.
            known.upper = known.upper.min(known.last_possible(entry.upper));
            known.lower = known.next_possible(entry.lower);
            known.hint = entry.best;
        }
        known
    }

    /// Searches the moves in the buffer of `depth`, the table's first, until one reaches beta.
    fn scan(
        &mut self,
        position: &P,
        window: Window,
        hint: u8,
        depth: usize,
    ) -> Option<(Value, BestMove)> {
        let hint = usize::from(hint);
        let count = self.buffers[depth].len();
        let hinted = hint < count;
        if hinted {
            // The others keep their order.
            self.buffers[depth][..=hint].rotate_right(1);
        }
        let mut best = Value(i16::MIN);
        let mut position_of_best = 0;
        for index in 0..count {
            let inner = Window {
                alpha: window.alpha.max(best),
                beta: window.beta,
            };
            let value = self.value_of_move(position, self.buffers[depth][index], inner, depth)?;
            if value > best {
                best = value;
                position_of_best = index;
                if best >= window.beta {
                    break;
                }
            }
        }
        let found = BestMove {
            position: position_of_best as u16,
            generated: order_of_generation(position_of_best, hint, count),
        };
        Some((best, found))
    }

    /// Turns the result of a scan into bounds, stores them and returns the sharpest value.
    fn remember(
        &mut self,
        position: &P,
        known: &Known,
        window: Window,
        value: Value,
        best: BestMove,
    ) -> Value {
        let (mut lower, mut upper) = (known.lower, known.upper);
        if value > window.alpha {
            lower = lower.max(value.0);
        }
        if value < window.beta {
            upper = upper.min(value.0);
        }
        if let Some(key) = known.key {
            // A scan that failed low has compared nothing but upper bounds.
            let found = value > window.alpha;
            let best = if found { best.generated } else { known.hint };
            let entry = Entry { lower, upper, best };
            let moves_left = self.knowledge.moves_left(position);
            self.table.store(key, entry, moves_left);
        }
        // Not `clamp`, which panics where unsound knowledge makes the bounds cross.
        Value(value.0.max(lower).min(upper))
    }
}

/// Where the best move of a scan stands.
#[derive(Clone, Copy)]
struct BestMove {
    /// In the buffer.
    position: u16,
    /// In the order of generation, which is what the table stores.
    generated: u8,
}

/// Where the move that stands at `index` stood before the hint was moved to the front.
fn order_of_generation(index: usize, hint: usize, count: usize) -> u8 {
    let generated = match index {
        0 if hint < count => hint,
        _ if hint < count && index <= hint => index - 1,
        _ => index,
    };
    u8::try_from(generated).unwrap_or(NO_MOVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gets_a_move_by_its_order_of_generation() {
        for count in 2..6 {
            for hint in (0..count).chain([usize::from(NO_MOVE)]) {
                let mut moves: Vec<usize> = (0..count).collect();
                if hint < count {
                    moves[..=hint].rotate_right(1);
                }
                for (index, &generated) in moves.iter().enumerate() {
                    let order = order_of_generation(index, hint, count);
                    assert_eq!(usize::from(order), generated);
                }
            }
        }
        assert_eq!(order_of_generation(300, usize::from(NO_MOVE), 400), NO_MOVE);
    }
}
