//! Drawings of positions for people.
//!
//! Dots are `+`, drawn edges `---` and `|`, completed boxes `#`; the rows and columns of the dots,
//! which name the edges, stand at the margins. A labelled drawing is wider and shows the number of
//! every open edge in its place.

use super::board::{Board, Edge};
use super::position::Dots;

/// Width of the margin at the left, where the rows are numbered.
const MARGIN: usize = 4;
/// Characters from dot to dot in a plain drawing.
const PLAIN: usize = 4;
/// Characters from dot to dot where open edges have numbers of two digits.
const LABELLED: usize = 6;

impl Dots {
    /// A drawing of several lines, without numbers of edges.
    pub fn draw(&self) -> String {
        self.draw_spaced(PLAIN, &|_| String::new(), &|_| None)
    }

    /// A drawing of several lines with the number of every open edge and, in the middle of a box
    /// that is not complete, the mark that `mark` gives the box of this index.
    pub fn draw_labelled(&self, mark: &dyn Fn(usize) -> Option<char>) -> String {
        self.draw_spaced(LABELLED, &|edge| edge.0.to_string(), mark)
    }

    fn draw_spaced(
        &self,
        spacing: usize,
        label: &dyn Fn(Edge) -> String,
        mark: &dyn Fn(usize) -> Option<char>,
    ) -> String {
        let board = self.board();
        let mut lines = vec![header(board, spacing)];
        for row in 0..=board.rows() {
            lines.push(self.dots_line(row, spacing, label));
            if row < board.rows() {
                lines.push(self.boxes_line(row, spacing, label, mark));
            }
        }
        let trimmed = lines.iter().map(|line| line.trim_end().to_owned() + "\n");
        trimmed.collect()
    }

    /// The dots of a row and the horizontal edges between them.
    fn dots_line(&self, row: usize, spacing: usize, label: &dyn Fn(Edge) -> String) -> String {
        let mut line = format!("{row:>2}  ");
        let width = spacing - 1;
        for col in 0..self.board().cols() {
            let edge = self.board().horizontal(row, col);
            line += "+";
            line += &match self.drawn() & edge.mask() {
                0 => format!("{:^width$}", label(edge)),
                _ => "-".repeat(width),
            };
        }
        line + "+"
    }

    /// The boxes of a row and the vertical edges between them.
    fn boxes_line(
        &self,
        row: usize,
        spacing: usize,
        label: &dyn Fn(Edge) -> String,
        mark: &dyn Fn(usize) -> Option<char>,
    ) -> String {
        let board = self.board();
        let mut line = " ".repeat(MARGIN);
        let half = spacing / 2;
        for col in 0..=board.cols() {
            let edge = board.vertical(row, col);
            let wall = match self.drawn() & edge.mask() {
                0 => label(edge),
                _ => "|".to_owned(),
            };
            line += &format!("{wall:<half$}");
            if col < board.cols() {
                let index = row * board.cols() + col;
                let complete = self.sides().four >> index & 1 == 1;
                let inside = if complete { Some('#') } else { mark(index) };
                line += &format!("{:<half$}", inside.unwrap_or(' '));
            }
        }
        line
    }
}

fn header(board: &Board, spacing: usize) -> String {
    let width = |col| if col == 0 { MARGIN + 1 } else { spacing };
    let numbers = (0..=board.cols()).map(|col| format!("{col:>0$}", width(col)));
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_marks_completed_boxes() {
        let position = Dots::from_text("1x2:75").expect("a position");
        assert_eq!(
            position.draw(),
            "    0   1   2\n 0  +---+   +\n    | # |   |\n 1  +---+   +\n"
        );
    }

    #[test]
    fn a_labelled_drawing_numbers_open_edges_and_marks_open_boxes() {
        let position = Dots::from_text("1x2:35").expect("a position");
        let drawing = position.draw_labelled(&|index| (index == 1).then_some('a'));
        assert_eq!(
            drawing,
            "    0     1     2\n \
             0  +-----+  1  +\n    \
             |  #  |  a  6\n \
             1  +-----+  3  +\n"
        );
    }

    #[test]
    fn numbers_of_two_digits_move_nothing() {
        let position = Dots::for_analysis(Board::of(1, 21).expect("a board"), 0);
        let drawing = position.draw_labelled(&|_| Some('x'));
        let lines: Vec<&str> = drawing.lines().collect();
        for col in 0..=21 {
            let at = MARGIN + LABELLED * col;
            assert_eq!(&lines[1][at..=at], "+", "{drawing}");
            let wall = (42 + col).to_string();
            assert_eq!(&lines[2][at..at + 2], wall, "{drawing}");
            let number = col.to_string();
            assert_eq!(&lines[0][at + 1 - number.len()..=at], number, "{drawing}");
        }
    }
}
