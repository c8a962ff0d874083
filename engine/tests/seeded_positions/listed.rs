//! The seeded positions that are kept in a file, so that figures measured on them stay comparable.

use sixfold_engine::game::dots::Dots;

/// A line `kind left ROWSxCOLS:HEXMASK` a position.
pub(crate) const TEXT: &str = include_str!("../data/seeded_positions.txt");

/// Kind, number of open edges and position of every line.
pub(crate) fn listed_positions() -> Vec<(&'static str, u32, Dots)> {
    TEXT.lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let &[kind, left, position] = words.as_slice() else {
                panic!("`{line}` is not of three words");
            };
            let left = left.parse().expect("a number of open edges");
            (kind, left, Dots::from_text(position).expect("a position"))
        })
        .collect()
}
