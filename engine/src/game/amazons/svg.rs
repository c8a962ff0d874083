//! Drawings of positions as SVG, for pages.
//!
//! Colours are the page's: squares have the class `square`, arrows `arrow`, amazons `first` or
//! `second`, squares that one side alone can still reach `first-only` or `second-only`, the names
//! of files and ranks `label`.

use std::fmt::Write;

use super::position::Amazons;
use super::reach::widened;
use super::{Square, each};
use crate::game::Player;

/// Side of a square, in the drawing's units: CSS pixels on a screen of a usual size.
const SIDE: usize = 40;
/// Room for the names of files below and of ranks at the left.
const MARGIN: usize = 24;
/// Radius of an amazon.
const RADIUS: usize = 14;

impl Amazons {
    /// A drawing as an `svg` element with the class `board`, rank 1 at the bottom. The label is
    /// read to who cannot see it.
    pub fn to_svg(&self, label: &str) -> String {
        let board = self.board();
        let (width, height) = (MARGIN + SIDE * board.files(), SIDE * board.ranks() + MARGIN);
        let escaped = label
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;");
        let mut svg = format!(
            "<svg class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{escaped}\">"
        );
        let only = self.reached_by_one();
        for square in each(board.squares()) {
            let mask = square.mask();
            let class = if self.arrows() & mask != 0 {
                "arrow"
            } else if only[0] & mask != 0 {
                "square first-only"
            } else if only[1] & mask != 0 {
                "square second-only"
            } else {
                "square"
            };
            let [x, y] = self.corner(square);
            add(
                &mut svg,
                format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" \
                     class=\"{class}\" />"
                ),
            );
        }
        for player in Player::ALL {
            let class = ["first", "second"][player.index()];
            for square in each(self.amazons(player)) {
                let [x, y] = self.corner(square).map(|at| at + SIDE / 2);
                add(
                    &mut svg,
                    format_args!(
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" class=\"{class}\" />"
                    ),
                );
            }
        }
        self.add_labels(&mut svg);
        svg + "</svg>"
    }

    fn add_labels(&self, svg: &mut String) {
        let (files, ranks) = (self.board().files(), self.board().ranks());
        let below = SIDE * ranks + MARGIN - 8;
        for file in 0..files {
            let (x, letter) = (MARGIN + SIDE * file + SIDE / 2, (b'a' + file as u8) as char);
            let text =
                format_args!("<text x=\"{x}\" y=\"{below}\" class=\"label\">{letter}</text>");
            add(svg, text);
        }
        for rank in 0..ranks {
            let (x, y) = (MARGIN / 2, SIDE * (ranks - 1 - rank) + SIDE / 2 + 4);
            let number = rank + 1;
            add(
                svg,
                format_args!("<text x=\"{x}\" y=\"{y}\" class=\"label\">{number}</text>"),
            );
        }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> [usize; 2] {
        let row = self.board().ranks() - 1 - square.rank();
        [MARGIN + SIDE * square.file(), SIDE * row]
    }

    /// Empty squares to which king's steps lead from amazons of First alone, and of Second alone.
    fn reached_by_one(&self) -> [u128; 2] {
        let [first, second] = Player::ALL.map(|player| {
            let mut reached = widened(self.amazons(player)) & self.empty();
            loop {
                let next = reached | widened(reached) & self.empty();
                if next == reached {
                    return reached;
                }
                reached = next;
            }
        });
        [first & !second, second & !first]
    }
}

fn add(svg: &mut String, part: std::fmt::Arguments<'_>) {
    svg.write_fmt(part).expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_amazon_and_arrow_is_drawn_where_it_is() {
        let position = Amazons::from_text("q1*/1*1/2Q w - - 0 1").expect("a position");
        let svg = position.to_svg("a <\"board\">");
        assert!(
            svg.contains("aria-label=\"a &lt;&quot;board&quot;>\""),
            "{svg}"
        );
        let count = |part: &str| svg.matches(part).count();
        assert_eq!(
            (count("<rect"), count("<circle"), count("<text")),
            (9, 2, 6)
        );
        assert_eq!((count("class=\"arrow\""), count("-only\"")), (2, 0));
        // a3 is the upper left square, c1 the lower right one.
        let [a3, c1] = [
            "cx=\"44\" cy=\"20\" r=\"14\" class=\"second\"",
            "cx=\"124\" cy=\"100\"",
        ];
        assert!(svg.contains(a3) && svg.contains(c1), "{svg}");
        let arrows = "<rect x=\"104\" y=\"0\" width=\"40\" height=\"40\" class=\"arrow\" />";
        assert!(svg.contains(arrows), "{svg}");
    }

    #[test]
    fn squares_of_one_side_alone_are_told_apart() {
        let position = Amazons::from_text("Q2*1q w - - 0 1").expect("a position");
        let svg = position.to_svg("board");
        let count = |class: &str| svg.matches(&format!("class=\"square{class}\"")).count();
        let alone = [" first-only", " second-only", ""].map(count);
        assert_eq!(alone, [2, 1, 2], "{svg}");
    }
}
