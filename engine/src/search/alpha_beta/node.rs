//! The recursion: what is known of a node, the scan of its moves, what is remembered.
//!
//! Fail-soft alpha-beta (CITE: Knuth & Moore 1975, "An analysis of alpha-beta pruning"; fail-soft:
//! Fishburn 1983), so every returned value is a bound in itself and the table keeps both sides.
//!
//! Below the root all children are glanced at before one is searched: bounds, formula and table
//! answer for most of them, and one that reaches beta spares the others (CITE: Plaat et al. 1996,
//! "Exploiting graph properties of game trees", enhanced transposition cutoffs).

use super::SolverOptions;
use super::known::Known;
use super::table::{Entry, Memory};
use crate::eval::{Knowledge, Work};
use crate::game::Position;
use crate::search::{Control, Step, Value, Window};

/// The control is asked at every node whose number is a multiple of this, the root included.
const NODES_BETWEEN_QUESTIONS: u64 = 64;

/// Positions with fewer moves left are not worth telling other threads about.
const SHARED_MIN_MOVES_LEFT: u16 = 16;

/// A child that has been glanced at and must be searched.
#[derive(Clone)]
pub(super) struct Child<P> {
    position: P,
    known: Known,
}

/// What bounds, formula and table say of a node.
enum Glance {
    /// They answer the question.
    Decided(Value),
    /// They do not.
    Open(Known),
}

/// One search in progress: the solver's memory and the caller's arguments.
pub(super) struct Descent<'a, P: Position, K, T> {
    pub(super) options: SolverOptions,
    pub(super) table: &'a mut T,
    /// Moves of the node at each depth, reused from node to node.
    pub(super) buffers: &'a mut Vec<Vec<P::Move>>,
    /// Children of the node at each depth that wait for their search.
    pub(super) waiting: &'a mut Vec<Vec<Child<P>>>,
    pub(super) knowledge: &'a K,
    pub(super) control: &'a mut dyn Control,
    pub(super) work: &'a mut Work,
    /// Symmetries of the game that keys take into account.
    pub(super) symmetries: u8,
    pub(super) nodes: u64,
}

impl<P: Position, K: Knowledge<P>, T: Memory> Descent<'_, P, K, T> {
    /// Searches the root's moves and cuts nowhere before, so that a fail-high has its move.
    /// They keep their order: of a null window the answer is the first move that reaches beta,
    /// whatever the table holds.
    /// The move is `None` when no move exceeds alpha. `None` when stopped.
    pub(super) fn root(&mut self, root: &P, window: Window) -> Option<(Value, Option<P::Move>)> {
        self.count_node()?;
        self.generate_root(root);
        let known = self.known_from_table(root, self.prior(root));
        let mut best = (Value(i16::MIN), 0);
        for index in 0..self.buffers[0].len() {
            let inner = raised(window, best.0);
            let value = self.value_of_move(root, self.buffers[0][index], inner, 0)?;
            if value > best.0 {
                best = (value, index);
                if value >= window.beta {
                    break;
                }
            }
        }
        let (value, index) = best;
        let mv = (value > window.alpha).then(|| self.buffers[0][index]);
        self.remember(root, &known, window, value);
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
        let window = step.window_for_child(window);
        let below = match self.glance(&child, window)? {
            Glance::Decided(value) => value,
            Glance::Open(known) => self.expand(&child, known, window, depth + 1)?,
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

    /// An empty buffer for the moves at `depth`.
    fn buffer(&mut self, depth: usize) -> &mut Vec<P::Move> {
        if self.buffers.len() <= depth {
            self.buffers.resize_with(depth + 1, Vec::new);
            self.waiting.resize_with(depth + 1, Vec::new);
        }
        let buffer = &mut self.buffers[depth];
        buffer.clear();
        buffer
    }

    /// Fills the buffer of `depth` with the moves that may exceed alpha; a bound of the others is
    /// returned.
    fn generate(&mut self, position: &P, alpha: Value, depth: usize) -> Value {
        let (knowledge, reductions) = (self.knowledge, self.options.reductions);
        let buffer = self.buffer(depth);
        if reductions {
            return Value(knowledge.moves_above(position, alpha.0, buffer));
        }
        position.legal_moves(buffer);
        Value(i16::MIN)
    }

    /// Fills the root's buffer with the moves to consider.
    fn generate_root(&mut self, root: &P) {
        let (knowledge, reductions) = (self.knowledge, self.options.reductions);
        let moves = self.buffer(0);
        if reductions {
            knowledge.root_moves(root, moves);
        } else {
            root.legal_moves(moves);
        }
        debug_assert!(!moves.is_empty(), "a game that goes on has a move");
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

    /// Counts a node and asks what is cheap to ask, the cheapest first: the bounds often save the
    /// formula, and both the cache miss of the table. `None` when stopped.
    fn glance(&mut self, position: &P, window: Window) -> Option<Glance> {
        self.count_node()?;
        if position.outcome().is_some() {
            return Some(Glance::Decided(Value(0)));
        }
        let known = self.prior(position);
        if let Some(value) = known.decides(window) {
            return Some(Glance::Decided(value));
        }
        if let Some(value) = self.proven(position) {
            return Some(Glance::Decided(Value(value)));
        }
        let known = self.known_from_table(position, known);
        Some(match known.decides(window) {
            Some(value) => Glance::Decided(value),
            None => Glance::Open(known),
        })
    }

    /// The remaining value of a node for its mover; a bound if outside the window. `None` when
    /// stopped. Preconditions: the game is not over, a glance has not decided the question.
    fn expand(
        &mut self,
        position: &P,
        mut known: Known,
        window: Window,
        depth: usize,
    ) -> Option<Value> {
        // Since the glance the search of a sibling may have found out more.
        self.consult_table(&mut known);
        if let Some(value) = known.decides(window) {
            return Some(value);
        }
        let window = known.tighten(window);
        let others = self.generate(position, window.alpha, depth);
        let announced = if T::SHARED && self.is_worth_sharing(position) {
            known.key
        } else {
            None
        };
        announced.inspect(|&key| self.table.begin(key));
        let value = self.scan(position, window, others, depth);
        // A search that is stopped ends too.
        announced.inspect(|&key| self.table.end(key));
        Some(self.remember(position, &known, window, value?))
    }

    /// Whether the position is large enough for threads to share out its moves.
    fn is_worth_sharing(&self, position: &P) -> bool {
        self.knowledge.moves_left(position) >= SHARED_MIN_MOVES_LEFT
    }

    /// Adds what the table knows, if the position is worth a place there.
    fn known_from_table(&self, position: &P, mut known: Known) -> Known {
        if self.options.table
            && self.knowledge.moves_left(position) >= self.options.table_min_moves_left
        {
            known.key = Some(self.key(position));
            self.consult_table(&mut known);
        }
        known
    }

    fn key(&self, position: &P) -> u64 {
        let symmetries = self.symmetries;
        self.knowledge
            .remaining_key_among_images(position, symmetries)
    }

    #[inline]
    fn consult_table(&self, known: &mut Known) {
        if let Some(entry) = known.key.and_then(|key| self.table.probe(key)) {
            // Rounded to possible values: `lower` stays the origin of the steps.
            known.upper = known.upper.min(known.last_possible(entry.upper));
            known.lower = known.next_possible(entry.lower);
        }
    }

    /// Glances at the moves in the buffer of `depth`, then searches those that stay open, until one
    /// reaches beta. `others` is a bound of the moves that are not in the buffer.
    fn scan(&mut self, position: &P, window: Window, others: Value, depth: usize) -> Option<Value> {
        let mut best = others;
        self.waiting[depth].clear();
        for index in 0..self.buffers[depth].len() {
            let child = self.follow(position, self.buffers[depth][index]);
            let step = Step::between(position, &child);
            let inner = step.window_for_child(raised(window, best));
            match self.glance(&child, inner)? {
                Glance::Decided(value) => best = best.max(step.value_of(value)),
                Glance::Open(known) => self.waiting[depth].push(Child {
                    position: child,
                    known,
                }),
            }
            if best >= window.beta {
                return Some(best);
            }
        }
        let shared = T::SHARED && self.is_worth_sharing(position);
        for index in 0..self.waiting[depth].len() {
            if shared && index > 0 {
                self.prefer_unsearched(index, depth);
            }
            let Child {
                position: child,
                known,
            } = self.waiting[depth][index].clone();
            let step = Step::between(position, &child);
            let inner = step.window_for_child(raised(window, best));
            let value = self.expand(&child, known, inner, depth + 1)?;
            best = best.max(step.value_of(value));
            if best >= window.beta {
                break;
            }
        }
        Some(best)
    }

    /// Puts the first child that no other thread is searching next, those before it behind it:
    /// when their turn comes, the table may have their answers.
    fn prefer_unsearched(&mut self, next: usize, depth: usize) {
        let waiting = &mut self.waiting[depth];
        let searched = |child: &Child<P>| {
            let key = child.known.key;
            key.is_some_and(|key| self.table.is_searched_now(key))
        };
        if let Some(ahead) = waiting[next..].iter().position(|child| !searched(child)) {
            waiting[next..=next + ahead].rotate_right(1);
        }
    }

    /// Turns the result of a scan into bounds, stores them and returns the sharpest value.
    fn remember(&mut self, position: &P, known: &Known, window: Window, value: Value) -> Value {
        let (mut lower, mut upper) = (known.lower, known.upper);
        if value > window.alpha {
            lower = lower.max(value.0);
        }
        if value < window.beta {
            upper = upper.min(value.0);
        }
        if let Some(key) = known.key {
            let moves_left = self.knowledge.moves_left(position);
            self.table.store(key, Entry { lower, upper }, moves_left);
        }
        // Not `clamp`, which panics where unsound knowledge makes the bounds cross.
        Value(value.0.max(lower).min(upper))
    }
}

/// The window once a move is worth `best`.
#[inline]
fn raised(window: Window, best: Value) -> Window {
    Window {
        alpha: window.alpha.max(best),
        beta: window.beta,
    }
}
