//! A map of a function of two unit coordinates: filled bands, contour lines, and where it is not
//! known.

use std::fmt::Write;

use maud::{Markup, html};

use super::{Frame, coordinate};

/// Cells along each side.
const CELLS: usize = 56;
/// Bands of the fill.
const BANDS: usize = 9;

/// What is known of a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::report) struct Height {
    /// The function's value.
    pub(in crate::report) value: f64,
    /// Whether it is known well enough to be drawn.
    pub(in crate::report) is_known: bool,
}

/// Values at the corners of the cells.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::report) struct Map {
    /// Row by row from the lower left, CELLS + 1 each.
    heights: Vec<Height>,
}

impl Map {
    /// The map of `height` over the unit square.
    pub(in crate::report) fn of(height: impl Fn([f64; 2]) -> Height) -> Self {
        let share = |index: usize| index as f64 / CELLS as f64;
        let rows = 0..=CELLS;
        let points = rows.flat_map(|row| (0..=CELLS).map(move |column| (row, column)));
        Self {
            heights: points
                .map(|(row, column)| height([share(column), share(row)]))
                .collect(),
        }
    }

    /// Lowest and highest of the known values; None where nothing is known.
    pub(in crate::report) fn range(&self) -> Option<[f64; 2]> {
        let known = self.heights.iter().filter(|height| height.is_known);
        known.fold(None, |range, height| {
            let [low, high] = range.unwrap_or([height.value; 2]);
            Some([low.min(height.value), high.max(height.value)])
        })
    }

    fn corner(&self, row: usize, column: usize) -> Height {
        self.heights[row * (CELLS + 1) + column]
    }

    /// Lower left, lower right, upper right and upper left corner of a cell, where all are known.
    fn cell(&self, row: usize, column: usize) -> Option<[f64; 4]> {
        let at = |up: usize, right: usize| self.corner(row + up, column + right);
        let corners = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
        let is_known = corners.iter().all(|corner| corner.is_known);
        is_known.then(|| corners.map(|corner| corner.value))
    }

    /// The known cells in bands between `low` and `high`: the higher, the stronger.
    pub(in crate::report) fn fill(&self, frame: &Frame, [low, high]: [f64; 2]) -> Markup {
        let mut outlines = vec![String::new(); BANDS];
        let band = |cell: [f64; 4]| {
            let middle = 0.25 * cell.iter().sum::<f64>();
            let share = ((middle - low) / (high - low)).clamp(0.0, 1.0);
            ((share * BANDS as f64) as usize).min(BANDS - 1)
        };
        for row in 0..CELLS {
            let bands: Vec<Option<usize>> = (0..CELLS)
                .map(|column| self.cell(row, column).map(band))
                .collect();
            let mut column = 0;
            for run in bands.chunk_by(|a, b| a == b) {
                if let Some(band) = run[0] {
                    let _ = write!(outlines[band], "{}", bar(frame, row, column, run.len()));
                }
                column += run.len();
            }
        }
        html! {
            g class="f1" shape-rendering="crispEdges" {
                @for (band, outline) in outlines.iter().enumerate() {
                    @if !outline.is_empty() {
                        path d=(outline) fill-opacity=(opacity(band)) {}
                    }
                }
            }
        }
    }

    /// The line along which the known values are `level`.
    pub(in crate::report) fn contour(&self, frame: &Frame, level: f64) -> String {
        let mut outline = String::new();
        for row in 0..CELLS {
            for column in 0..CELLS {
                let Some(cell) = self.cell(row, column) else {
                    continue;
                };
                let crossings = crossings(cell, level);
                for ends in crossings.chunks_exact(2) {
                    for (command, [x, y]) in ['M', 'L'].into_iter().zip(ends) {
                        let [x, y] = [(column, x), (row, y)]
                            .map(|(cell, inside)| (cell as f64 + inside) / CELLS as f64);
                        let [x, y] = frame.at_share([x, y]).map(coordinate);
                        let _ = write!(outline, "{command}{x} {y}");
                    }
                }
            }
        }
        outline
    }
}

/// How strong the fill of a band is.
fn opacity(band: usize) -> String {
    format!("{:.2}", 0.06 + 0.6 * band as f64 / (BANDS - 1) as f64)
}

/// The outline of `length` cells of a row.
fn bar(frame: &Frame, row: usize, column: usize, length: usize) -> String {
    let share = |index: usize| index as f64 / CELLS as f64;
    let [left, bottom] = frame.at_share([share(column), share(row)]);
    let [right, top] = frame.at_share([share(column + length), share(row + 1)]);
    let [left, right, top, bottom] = [left, right, top, bottom].map(coordinate);
    format!("M{left} {bottom}H{right}V{top}H{left}Z")
}

/// Where a level crosses the sides of a cell, in the cell's own coordinates: none, two points, or
/// four, of which the first two and the last two are joined (a saddle, split as its sides come).
fn crossings([sw, se, ne, nw]: [f64; 4], level: f64) -> Vec<[f64; 2]> {
    let sides = [
        (sw, se, [0.0, 0.0], [1.0, 0.0]),
        (se, ne, [1.0, 0.0], [1.0, 1.0]),
        (ne, nw, [1.0, 1.0], [0.0, 1.0]),
        (nw, sw, [0.0, 1.0], [0.0, 0.0]),
    ];
    sides
        .into_iter()
        .filter(|(from, to, ..)| (*from >= level) != (*to >= level))
        .map(|(from, to, a, b)| {
            let share = (level - from) / (to - from);
            [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::Axis;

    fn frame() -> Frame {
        Frame::new(Axis::exact(0.0, 1.0), Axis::exact(0.0, 1.0))
    }

    #[test]
    fn a_contour_lies_where_the_function_has_its_level() {
        let plane = |[x, y]: [f64; 2]| Height {
            value: 3.0 * x + 4.0 * y,
            is_known: true,
        };
        let map = Map::of(plane);
        assert_eq!(map.range(), Some([0.0, 7.0]));
        let outline = map.contour(&frame(), 3.5);
        let points = outline.split(['M', 'L']).filter(|it| !it.is_empty());
        let [left, top, right, bottom] = frame().area();
        let mut count = 0;
        for point in points {
            let numbers: Vec<f64> = point.split(' ').map(|it| it.parse().unwrap()).collect();
            let x = (numbers[0] - left) / (right - left);
            let y = (bottom - numbers[1]) / (bottom - top);
            assert!((3.0 * x + 4.0 * y - 3.5).abs() < 0.01, "{point}");
            count += 1;
        }
        assert!(count > 2 * CELLS);
        assert_eq!(map.contour(&frame(), 8.0), "");
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        let half = |[x, _]: [f64; 2]| Height {
            value: x,
            is_known: x < 0.5,
        };
        let map = Map::of(half);
        assert_eq!(map.range(), Some([0.0, 27.0 / 56.0]));
        assert_eq!(map.contour(&frame(), 0.75), "");
        let nothing = Map::of(|_| Height {
            value: 1.0,
            is_known: false,
        });
        assert_eq!(nothing.range(), None);
        assert!(
            !nothing
                .fill(&frame(), [0.0, 1.0])
                .into_string()
                .contains("path")
        );
    }

    #[test]
    fn every_known_cell_is_in_one_band() {
        let map = Map::of(|[x, y]| Height {
            value: x * y,
            is_known: true,
        });
        let drawn = map.fill(&frame(), [0.0, 1.0]).into_string();
        let [left, top, right, bottom] = frame().area();
        let area: f64 = drawn
            .split(['M', 'Z'])
            .filter(|it| it.contains('V'))
            .map(|it| {
                let numbers: Vec<f64> = it
                    .split([' ', 'H', 'V'])
                    .map(|number| number.parse().unwrap())
                    .collect();
                (numbers[2] - numbers[0]) * (numbers[1] - numbers[3])
            })
            .sum();
        let whole = (right - left) * (bottom - top);
        assert!((area / whole - 1.0).abs() < 0.01, "{area} of {whole}");
    }
}
