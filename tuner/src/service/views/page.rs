//! Pages of long lists.

use serde::Serialize;
use utoipa::ToSchema;

/// A part of a list.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// Items in all.
    pub(crate) total: usize,
    /// Give this as `after` for the next page; null at the end.
    pub(crate) next: Option<usize>,
}

impl<T> Page<T> {
    /// The items from `first` on, of `total` in all.
    pub(crate) fn of(items: Vec<T>, first: usize, total: usize) -> Page<T> {
        let end = first.saturating_add(items.len());
        let next = (end < total && !items.is_empty()).then(|| end - 1);
        Page { items, total, next }
    }

    /// The part of a whole list.
    pub(crate) fn cut(all: impl ExactSizeIterator<Item = T>, first: usize, limit: usize) -> Self {
        let total = all.len();
        Page::of(all.skip(first).take(limit).collect(), first, total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_one_after_the_other_are_the_list() {
        for total in 0..12_usize {
            for limit in 1..14 {
                let (mut all, mut first) = (Vec::new(), 0);
                loop {
                    let page = Page::cut(0..total, first, limit);
                    assert_eq!(page.total, total);
                    assert!(page.items.len() <= limit);
                    all.extend(page.items);
                    let Some(next) = page.next else { break };
                    assert_eq!(next, all.len() - 1);
                    first = next + 1;
                }
                assert!(all.into_iter().eq(0..total), "{total} by {limit}");
            }
        }
        let beyond = Page::cut(0..5_usize, usize::MAX, 3);
        assert_eq!(
            beyond,
            Page {
                items: vec![],
                total: 5,
                next: None
            }
        );
    }
}
