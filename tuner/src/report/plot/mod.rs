//! Plots as SVG: axes, frames and marks. Colours and strokes are classes of the style sheet, so
//! that the same drawing serves light, dark and print.

mod axis;
mod frame;
mod map;

use std::fmt::Write;

pub(super) use axis::Axis;
pub(super) use frame::Frame;
pub(super) use map::{Height, Map};

/// Most points of one line; more would not be seen.
pub(super) const POINTS_MAX: usize = 600;

/// A coordinate in a drawing's units, to a tenth.
pub(super) fn coordinate(value: f64) -> String {
    let text = format!("{:.1}", value + 0.0);
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// The outline of a line through points.
pub(super) fn outline(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let mut out = String::new();
    for (index, [x, y]) in points.into_iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(out, "{command}{} {}", coordinate(x), coordinate(y));
    }
    out
}

/// A line whose value holds until the next point.
pub(super) fn steps(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut out = Vec::with_capacity(2 * points.len());
    for (index, &[x, y]) in points.iter().enumerate() {
        if index > 0 {
            out.push([x, points[index - 1][1]]);
        }
        out.push([x, y]);
    }
    out
}

/// At most `limit` of `count` indices, evenly spread, the first and the last among them.
/// Precondition: a limit of at least 2.
pub(super) fn spread(count: usize, limit: usize) -> Vec<usize> {
    if count <= limit {
        return (0..count).collect();
    }
    (0..limit)
        .map(|index| index * (count - 1) / (limit - 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let shown = [1.0, -0.01, 2.345, 1e4].map(coordinate);
        assert_eq!(shown, ["1", "0", "2.3", "10000"]);
    }

    #[test]
    fn a_spread_has_both_ends_and_no_index_twice() {
        for (count, limit) in [(0, 2), (1, 2), (5, 5), (6, 5), (500, 120), (7, 2)] {
            let indices = spread(count, limit);
            assert_eq!(indices.len(), count.min(limit));
            assert!(indices.windows(2).all(|pair| pair[0] < pair[1]));
            assert_eq!(indices.first().copied(), (count > 0).then_some(0));
            assert_eq!(indices.last().copied(), count.checked_sub(1));
        }
    }

    #[test]
    fn steps_hold_their_value() {
        let line = steps(&[[0.0, 1.0], [2.0, 5.0]]);
        assert_eq!(line, [[0.0, 1.0], [2.0, 1.0], [2.0, 5.0]]);
    }
}
