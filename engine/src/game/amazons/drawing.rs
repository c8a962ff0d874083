//! Drawings of positions for people.
//!
//! First's amazons are `Q`, Second's `q`, arrows `*`, empty squares `.`; files and ranks stand at
//! the margins. An amazon that has moved and has to shoot is in brackets.

use super::board::Square;
use super::position::Amazons;

impl Amazons {
    /// A drawing of several lines, rank 1 at the bottom.
    pub fn draw(&self) -> String {
        let ranks = (0..self.board().ranks()).rev();
        let mut lines: Vec<String> = ranks.map(|rank| self.rank_line(rank)).collect();
        let files = (0..self.board().files()).map(|file| (b'a' + file as u8) as char);
        lines.push(format!(
            "  {}",
            files.map(|file| format!("  {file}")).collect::<String>()
        ));
        lines
            .iter()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect()
    }

    fn rank_line(&self, rank: usize) -> String {
        let mut line = format!("{:>2} ", rank + 1);
        for square in (0..self.board().files()).filter_map(|file| Square::at(file, rank)) {
            let letter = self.letter(square).unwrap_or('.');
            line += &match self.shooter() {
                Some(shooter) if shooter == square => format!("[{letter}]"),
                _ => format!(" {letter} "),
            };
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_has_rank_one_at_the_bottom_and_marks_the_shooter() {
        let position = Amazons::from_text("q1*/2*/3/1Q1 w - b1 0 1").expect("a position");
        let expected = [
            " 4  q  .  *",
            " 3  .  .  *",
            " 2  .  .  .",
            " 1  . [Q] .",
            "    a  b  c",
            "",
        ];
        assert_eq!(position.draw(), expected.join("\n"));
    }
}
