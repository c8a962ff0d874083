//! A plot's frame: two axes in a rectangle, with grid, numbers and titles.

use maud::{Markup, html};

use super::{Axis, coordinate};

/// Width of a plot in its own units, which are CSS pixels on a screen of a usual size.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 250.0;
/// Room around the plotting area: top, right, bottom, left.
const MARGINS: [f64; 4] = [14.0, 14.0, 40.0, 62.0];

/// The plotting area of two axes.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::report) struct Frame {
    /// The horizontal axis.
    pub(in crate::report) x: Axis,
    /// The vertical axis.
    pub(in crate::report) y: Axis,
    height: f64,
    right: f64,
}

impl Frame {
    /// A frame of the usual size.
    pub(in crate::report) fn new(x: Axis, y: Axis) -> Self {
        Self {
            x,
            y,
            height: HEIGHT,
            right: MARGINS[1],
        }
    }

    /// The same with another height.
    pub(in crate::report) fn with_height(self, height: f64) -> Self {
        Self { height, ..self }
    }

    /// The same with room for words to the right of the area.
    pub(in crate::report) fn with_room_right(self, right: f64) -> Self {
        Self { right, ..self }
    }

    /// Left, top, right and bottom of the plotting area.
    pub(in crate::report) fn area(&self) -> [f64; 4] {
        let [top, _, bottom, left] = MARGINS;
        [left, top, WIDTH - self.right, self.height - bottom]
    }

    /// Where a value of the horizontal axis stands.
    pub(in crate::report) fn at_x(&self, value: f64) -> f64 {
        self.at_share([self.x.share(value), 0.0])[0]
    }

    /// Where a value of the vertical axis stands.
    pub(in crate::report) fn at_y(&self, value: f64) -> f64 {
        self.at_share([0.0, self.y.share(value)])[1]
    }

    /// Where a point stands whose coordinates are shares of the axes.
    pub(in crate::report) fn at_share(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, top, right, bottom] = self.area();
        [left + (right - left) * x, bottom - (bottom - top) * y]
    }

    /// Where a point stands.
    pub(in crate::report) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        self.at_share([self.x.share(x), self.y.share(y)])
    }

    /// The whole plot: what is drawn, on the grid and with the axes.
    pub(in crate::report) fn plot(
        &self,
        label: &str,
        [x_title, y_title]: [&str; 2],
        marks: &Markup,
    ) -> Markup {
        let view = format!("0 0 {} {}", coordinate(WIDTH), coordinate(self.height));
        html! {
            svg class="plot" viewBox=(view) role="img" aria-label=(label) {
                (self.grid())
                (marks)
                (self.titles(x_title, y_title))
            }
        }
    }

    fn grid(&self) -> Markup {
        let [left, top, right, bottom] = self.area().map(coordinate);
        let (below, beside) = (self.area()[3] + 16.0, self.area()[0] - 7.0);
        html! {
            g class="grid" {
                @for (tick, word) in self.x.ticks() {
                    @let x = coordinate(self.at_x(tick));
                    path d=(format!("M{x} {top}V{bottom}")) {}
                    text x=(x) y=(coordinate(below)) class="mid" { (word) }
                }
                @for (tick, word) in self.y.ticks() {
                    @let y = self.at_y(tick);
                    path d=(format!("M{left} {}H{right}", coordinate(y))) {}
                    text x=(coordinate(beside)) y=(coordinate(y + 4.0))
                        class="end" { (word) }
                }
            }
        }
    }

    fn titles(&self, x_title: &str, y_title: &str) -> Markup {
        let [left, top, right, bottom] = self.area();
        let middle = coordinate(0.5 * (left + right));
        let (x, y) = (13.0, 0.5 * (top + bottom));
        let turn = format!("rotate(-90 {} {})", coordinate(x), coordinate(y));
        html! {
            g class="titles" {
                text x=(middle) y=(coordinate(bottom + 33.0)) class="mid" { (x_title) }
                text x=(coordinate(x)) y=(coordinate(y)) class="mid" transform=(turn) {
                    (y_title)
                }
            }
        }
    }
}
