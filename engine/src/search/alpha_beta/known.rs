//! Bounds of a node's value: whether they answer the question, and what they leave of a window.

use crate::search::{Value, Window};

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) lower: i16,
    pub(super) upper: i16,
    /// The value differs from `lower` by a multiple of this.
    pub(super) step: i16,
    /// Key in the table, where the node is worth a place there.
    pub(super) key: Option<u64>,
}

impl Known {
    /// Nothing is known.
    pub(super) const NOTHING: Known = Known {
        lower: Window::FULL.alpha.0,
        upper: Window::FULL.beta.0,
        step: 1,
        key: None,
    };

    /// The answer for this window, if the bounds already give it.
    pub(super) fn decides(&self, window: Window) -> Option<Value> {
        if self.lower >= window.beta.0 || self.lower == self.upper {
            Some(Value(self.lower))
        } else if self.upper <= window.alpha.0 {
            Some(Value(self.upper))
        } else {
            None
        }
    }

    /// Smallest value that is possible and at least `value`.
    pub(super) fn next_possible(&self, value: i16) -> i16 {
        if value <= self.lower {
            return self.lower;
        }
        match self.excess(value) {
            0 => value,
            excess => value + self.step - excess,
        }
    }

    /// Largest value of the right parity that is at most `value`. Precondition: `value >= lower`.
    pub(super) fn last_possible(&self, value: i16) -> i16 {
        value - self.excess(value)
    }

    /// How far `value` lies above the nearest possible value.
    fn excess(&self, value: i16) -> i16 {
        let distance = value - self.lower;
        // The usual steps without a division.
        match self.step {
            1 => 0,
            2 => distance & 1,
            step => distance.rem_euclid(step),
        }
    }

    /// The part of the window where the value can lie. Precondition: the bounds do not decide it.
    pub(super) fn tighten(&self, window: Window) -> Window {
        let beta = window.beta.0.min(self.upper);
        let mut alpha = window.alpha.0.max(self.lower);
        if window.alpha.0 >= self.lower {
            // Between alpha and the next possible value there is nothing to look for.
            let next = self.next_possible(alpha + 1);
            if next <= beta {
                alpha = next - 1;
            }
        }
        Window {
            alpha: Value(alpha),
            beta: Value(beta),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(lower: i16, upper: i16, step: i16) -> Known {
        Known {
            lower,
            upper,
            step,
            ..Known::NOTHING
        }
    }

    fn window(alpha: i16, beta: i16) -> Window {
        Window {
            alpha: Value(alpha),
            beta: Value(beta),
        }
    }

    #[test]
    fn bounds_decide_windows_outside_them() {
        assert_eq!(known(2, 6, 2).decides(window(0, 2)), Some(Value(2)));
        assert_eq!(known(2, 6, 2).decides(window(6, 9)), Some(Value(6)));
        assert_eq!(known(3, 3, 1).decides(window(0, 9)), Some(Value(3)));
        assert_eq!(known(2, 6, 2).decides(window(2, 3)), None);
    }

    #[test]
    fn parity_tightens_a_window_without_emptying_it() {
        assert_eq!(known(-5, 5, 2).tighten(window(-9, 9)), window(-5, 5));
        assert_eq!(known(-5, 5, 2).tighten(window(1, 5)), window(2, 5));
        assert_eq!(known(-5, 5, 2).tighten(window(2, 3)), window(2, 3));
        assert_eq!(known(-5, 5, 2).tighten(window(1, 2)), window(1, 2));
        assert_eq!(known(-5, 5, 1).tighten(window(1, 5)), window(1, 5));
    }

    #[test]
    fn the_next_possible_value_keeps_the_parity() {
        assert_eq!(known(-5, 5, 2).next_possible(0), 1);
        assert_eq!(known(-5, 5, 2).next_possible(1), 1);
        assert_eq!(known(-5, 5, 2).next_possible(-9), -5);
        assert_eq!(known(-5, 5, 1).next_possible(0), 0);
    }
}
