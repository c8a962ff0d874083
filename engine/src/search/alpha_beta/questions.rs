//! Questions about a root that take several searches of windows: value, winner, optimal moves.

use std::cmp::Ordering;

use super::node::Descent;
use super::table::Memory;
use super::{OptimalMoves, Solved, WinLoss};
use crate::eval::Knowledge;
use crate::game::Position;
use crate::search::{LARGEST_MARGIN, Value, Window, report_best};

/// The window that asks whether a value is at least `value`.
fn at_least(value: i16) -> Window {
    Window {
        alpha: Value(value - 1),
        beta: Value(value),
    }
}

/// Refuses roots that cannot be searched.
pub(super) fn check_root<P: Position>(root: &P) {
    assert!(
        root.outcome().is_none(),
        "a finished game has no best move to search for"
    );
    assert!(
        root.margin_limit() <= LARGEST_MARGIN,
        "margins above {LARGEST_MARGIN} do not fit the solver's values"
    );
}

impl<P: Position, K: Knowledge<P>, T: Memory> Descent<'_, P, K, T> {
    /// The value and the first move that reaches it; `None` when stopped.
    pub(super) fn solve(&mut self, root: &P) -> Option<Solved<P::Move>> {
        let (value, best_move) = self.close_in(root)?;
        Some(Solved {
            value,
            best_move,
            nodes: self.nodes,
        })
    }

    /// Who wins, by one or two null windows; `None` when stopped.
    pub(super) fn win_loss(&mut self, root: &P) -> Option<WinLoss<P::Move>> {
        let draws = -(root.margin() * root.to_move().sign()) as i16;
        let mut questions = vec![(draws + 1, Ordering::Greater)];
        if self.prior(root).next_possible(draws) == draws {
            questions.push((draws, Ordering::Equal));
        }
        let (mut result, mut best_move) = (Ordering::Less, None);
        for (value, answer) in questions {
            let (found, mv) = self.root(root, at_least(value))?;
            if found.0 >= value {
                (result, best_move) = (answer, mv);
                break;
            }
        }
        Some(WinLoss {
            result,
            best_move,
            nodes: self.nodes,
        })
    }

    /// The value and all legal moves that reach it; `None` when stopped.
    pub(super) fn optimal_moves(&mut self, root: &P) -> Option<OptimalMoves<P::Move>> {
        let (value, _) = self.close_in(root)?;
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        let mut moves = Vec::new();
        for mv in legal {
            if self.value_of_move(root, mv, at_least(value.0), 0)? >= value {
                moves.push(mv);
            }
        }
        Some(OptimalMoves {
            value,
            moves,
            nodes: self.nodes,
        })
    }

    /// Closes in on the root's value, starting at the question whether the mover comes out ahead,
    /// and goes on until a move that reaches it has been seen.
    fn close_in(&mut self, root: &P) -> Option<(Value, P::Move)> {
        let prior = self.prior(root);
        let (mut lower, mut upper) = match self.proven(root) {
            Some(value) => (value, value),
            None => (prior.lower, prior.upper),
        };
        let mut best_move = None;
        let mut guess = prior.next_possible(1);
        loop {
            if let (Some(mv), true) = (best_move, lower == upper) {
                return Some((Value(lower), mv));
            }
            guess = guess.clamp(lower, upper);
            if lower < upper && guess == lower && best_move.is_some() {
                // "At least the lower bound" is known already.
                guess = prior.next_possible(lower + 1);
            }
            let (value, mv) = self.root(root, at_least(guess))?;
            if value.0 >= guess {
                lower = lower.max(prior.next_possible(value.0));
                best_move = mv.or(best_move);
                if let Some(mv) = mv {
                    report_best(root, mv, self.control);
                }
                guess = prior.next_possible(value.0.saturating_add(1));
            } else {
                upper = upper.min(prior.last_possible(value.0));
                guess = upper;
            }
            assert!(
                lower <= upper,
                "the knowledge's bounds contradict the search"
            );
        }
    }
}
