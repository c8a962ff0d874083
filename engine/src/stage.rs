//! Stages: which searcher acts when, with which constants. Pure.
//!
//! A game is divided by its progress; each stage has its own searcher and constants, taken at the
//! root of a search (000_3082ec48a2fe8845, the staged UCT of the source).

use crate::search::uct::UctConstants;

/// From when a stage acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// From this ply of the game on.
    Ply(u16),
    /// Once at most this many edges are left.
    EdgesLeft(u16),
}

impl Start {
    /// Whether a stage with this start may act.
    pub const fn holds(self, ply: u16, moves_left: u16) -> bool {
        match self {
            Start::Ply(from) => ply >= from,
            Start::EdgesLeft(limit) => moves_left <= limit,
        }
    }
}

/// Who chooses the moves of a stage.
#[derive(Clone, PartialEq, Debug)]
pub enum Searcher {
    /// UCT with these constants.
    Uct(UctConstants),
    /// Exact alpha-beta.
    AlphaBeta,
}

/// One stage of the plan of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Its name, the key of its table in the configuration.
    pub name: String,
    /// From when it acts.
    pub start: Start,
    /// Who chooses.
    pub searcher: Searcher,
    /// Constants that are another stage's: key of this stage, name of the other.
    pub same_as: Vec<(String, String)>,
}

/// Index of the stage that acts: the last one whose start holds. The first stage always may.
pub fn stage_at(stages: &[Stage], ply: u16, moves_left: u16) -> usize {
    stages
        .iter()
        .rposition(|stage| stage.start.holds(ply, moves_left))
        .unwrap_or(0)
}

/// Index of the last UCT stage up to `index`: whose constants stand in when exact search gives up.
pub fn uct_stage_before(stages: &[Stage], index: usize) -> Option<usize> {
    stages[..=index]
        .iter()
        .rposition(|stage| matches!(stage.searcher, Searcher::Uct(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::uct_defaults;

    fn stage(name: &str, start: Start, exact: bool) -> Stage {
        let searcher = if exact {
            Searcher::AlphaBeta
        } else {
            Searcher::Uct(uct_defaults())
        };
        Stage {
            name: name.into(),
            start,
            searcher,
            same_as: Vec::new(),
        }
    }

    #[test]
    fn the_last_stage_whose_start_holds_acts() {
        let stages = [
            stage("opening", Start::Ply(0), false),
            stage("layout", Start::Ply(10), false),
            stage("endgame", Start::EdgesLeft(30), true),
        ];
        // A game of 60 edges, and one of 24 that is in its endgame at once.
        for (ply, left, expected) in [
            (0, 60, 0),
            (9, 51, 0),
            (10, 50, 1),
            (29, 31, 1),
            (30, 30, 2),
            (59, 1, 2),
            (0, 24, 2),
        ] {
            assert_eq!(
                stage_at(&stages, ply, left),
                expected,
                "ply {ply}, {left} left"
            );
        }
        assert_eq!(uct_stage_before(&stages, 2), Some(1));
        assert_eq!(uct_stage_before(&stages, 0), Some(0));
    }
}
