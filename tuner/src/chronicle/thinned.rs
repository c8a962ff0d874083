//! Values that come one after the other without an end, of which evenly spread ones are kept.

use std::ops::Deref;

/// Values in their order, thinned out by doubling the distance between those that are kept; the
/// first and the last are always among them.
#[derive(Clone, PartialEq, Debug)]
pub struct Thinned<T> {
    limit: usize,
    /// Every so many-th value is kept: a power of two.
    stride: usize,
    /// Values so far.
    seen: usize,
    kept: Vec<T>,
    /// Whether the last of them stands there only until the next comes.
    last_is_extra: bool,
}

impl<T> Thinned<T> {
    /// No values yet; at most `limit` are kept, at least 2, and one more at the end.
    pub fn new(limit: usize) -> Self {
        assert!(limit >= 2, "a first and a last value are always kept");
        Self {
            limit,
            stride: 1,
            seen: 0,
            kept: Vec::new(),
            last_is_extra: false,
        }
    }

    /// Whether the next value is one of those that are spread evenly.
    pub fn is_due(&self) -> bool {
        self.seen.is_multiple_of(self.stride)
    }

    /// Passes over the next value, which is not even looked at.
    pub fn skip(&mut self) {
        self.seen += 1;
    }

    /// Takes the next value.
    pub fn push(&mut self, value: T) {
        if self.last_is_extra {
            self.kept.pop();
        }
        if self.is_due() && self.kept.len() >= self.limit {
            self.stride *= 2;
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        self.last_is_extra = !self.is_due();
        self.kept.push(value);
        self.seen += 1;
    }

    /// The values that are kept.
    pub fn into_vec(self) -> Vec<T> {
        self.kept
    }
}

impl<T> Deref for Thinned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_evenly_spread_with_both_ends_however_many_values_come() {
        for limit in [2, 3, 4, 7, 30] {
            let mut thinned = Thinned::new(limit);
            for value in 0..500_usize {
                thinned.push(value);
                assert!(thinned.len() <= limit + 1, "{limit}: {thinned:?}");
                assert_eq!((thinned[0], thinned.last()), (0, Some(&value)));
                // All but the last stand at multiples of one distance.
                let spread = &thinned[..thinned.len() - 1];
                let distance = spread.get(1).copied().unwrap_or(1);
                assert!(distance.is_power_of_two());
                let even: Vec<usize> = (0..spread.len()).map(|at| at * distance).collect();
                assert_eq!(spread, even, "{limit} after {value}");
            }
        }
    }

    #[test]
    fn passing_over_values_that_are_not_due_keeps_the_same_ones() {
        let (mut all, mut some) = (Thinned::new(8), Thinned::new(8));
        for value in 0..300 {
            all.push(value);
            if some.is_due() {
                some.push(value);
            } else {
                some.skip();
            }
            assert_eq!(some[..], all[..some.len()]);
        }
    }
}
