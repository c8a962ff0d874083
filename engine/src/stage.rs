//! Stages: which searcher acts when, with which constants. Pure.
//!
//! A game is divided by its progress; each stage has its own searcher and constants, taken at the
//! root of a search (000_3082ec48a2fe8845, the staged UCT of the source).

use crate::game::GameKind;
use crate::search::uct::UctConstants;

/// From when a stage acts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Start {
    /// From this ply of the game on.
    Ply(u16),
    /// Once at most this many edges are left.
    EdgesLeft(u16),
    /// Once this share of the moves has been played, in 0 to 1.
    Filled(f64),
    /// Once the game's measure of its distance to the end is below this (w in the Amazons: squares
    /// still contested).
    ProgressBelow(f64),
    /// As soon as an exact search is expected to end within the budget.
    Solvable,
}

/// How far a game has come: what stages go by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Plies played.
    pub ply: u16,
    /// Moves left to play, at most.
    pub moves_left: u16,
    /// The game's measure of its distance to the end; infinite where no stage goes by it.
    pub distance_to_end: f64,
    /// Whether an exact search is expected to end within the budget.
    pub solvable: bool,
}

impl Progress {
    /// Plies of the whole game.
    const fn total(self) -> u16 {
        self.ply + self.moves_left
    }
}

impl Start {
    /// Whether a stage with this start may act.
    pub fn holds(self, progress: Progress) -> bool {
        match self {
            Start::Solvable => progress.solvable,
            Start::ProgressBelow(limit) => progress.distance_to_end < limit,
            _ => self
                .first_ply(progress.total())
                .is_some_and(|first| progress.ply >= first),
        }
    }

    /// The first ply of the stage in a game of so many plies; `None` where that depends on more.
    pub fn first_ply(self, total: u16) -> Option<u16> {
        match self {
            Start::Ply(from) => Some(from),
            Start::EdgesLeft(limit) => Some(total.saturating_sub(limit)),
            Start::Filled(share) => Some((share * f64::from(total)).ceil() as u16),
            Start::ProgressBelow(_) | Start::Solvable => None,
        }
    }
}

/// How a constant changes over the plies of its stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Not at all.
    Constant,
    /// By equal differences.
    Linear,
    /// By equal factors.
    Geometric,
}

/// A constant over the plies of a stage: from its first ply to its last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// Value at the first ply.
    pub from: f64,
    /// Value at the last ply; of a constant the same.
    pub to: f64,
    /// What lies between.
    pub shape: Shape,
}

impl Schedule {
    /// The same value at every ply.
    pub const fn constant(value: f64) -> Schedule {
        Schedule {
            from: value,
            to: value,
            shape: Shape::Constant,
        }
    }

    /// The value after this share of the stage, in 0 to 1.
    pub fn at(self, share: f64) -> f64 {
        match self.shape {
            Shape::Constant => self.from,
            Shape::Linear => self.from + share * (self.to - self.from),
            Shape::Geometric => self.from * libm::pow(self.to / self.from, share),
        }
    }
}

/// The constants of a stage that simulates, some of them over its plies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// The game, whose constants these are.
    pub game: GameKind,
    /// The constants, except for those below.
    pub constants: UctConstants,
    /// C.
    pub exploration: Schedule,
    /// h, in plies; rounded to whole ones.
    pub depth_plies: Schedule,
}

impl Plan {
    /// The constants after this share of the stage, in 0 to 1.
    pub fn at(&self, share: f64) -> UctConstants {
        UctConstants {
            exploration: self.exploration.at(share),
            depth_plies: libm::round(self.depth_plies.at(share)) as u16,
            ..self.constants
        }
    }
}

/// Who chooses the moves of a stage.
#[derive(Clone, PartialEq, Debug)]
pub enum Searcher {
    /// UCT with these constants.
    Uct(Plan),
    /// One bandit over all leaves of the tree, with these constants.
    LeafUcb(Plan),
    /// Alpha-beta to a growing depth with the static evaluation.
    IterativeDeepening(Plan),
    /// Principal variation search to a growing depth with the static evaluation.
    PrincipalVariation(Plan),
    /// Exact alpha-beta.
    AlphaBeta,
}

impl Searcher {
    /// The constants, where it has any.
    pub const fn plan(&self) -> Option<&Plan> {
        match self {
            Searcher::Uct(plan)
            | Searcher::LeafUcb(plan)
            | Searcher::IterativeDeepening(plan)
            | Searcher::PrincipalVariation(plan) => Some(plan),
            Searcher::AlphaBeta => None,
        }
    }

    /// The constants, to be changed.
    pub const fn plan_mut(&mut self) -> Option<&mut Plan> {
        match self {
            Searcher::Uct(plan)
            | Searcher::LeafUcb(plan)
            | Searcher::IterativeDeepening(plan)
            | Searcher::PrincipalVariation(plan) => Some(plan),
            Searcher::AlphaBeta => None,
        }
    }
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
    /// What a move of this stage may use of a budget for a whole game, relative to the other
    /// stages' moves; above 0.
    pub share: f64,
    /// Whether what earlier stages have saved of their budget is used here.
    pub takes_savings: bool,
}

/// Index of the stage that acts: the last one whose start holds. The first stage always may.
pub fn stage_at(stages: &[Stage], progress: Progress) -> usize {
    stages
        .iter()
        .rposition(|stage| stage.start.holds(progress))
        .unwrap_or(0)
}

/// Index of the last UCT stage up to `index`: whose constants stand in when exact search gives up.
pub fn uct_stage_before(stages: &[Stage], index: usize) -> Option<usize> {
    stages[..=index]
        .iter()
        .rposition(|stage| matches!(stage.searcher, Searcher::Uct(_)))
}

/// How much of stage `index` is over at this ply, in 0 to 1: 0 at its first ply, 1 at its last, the
/// one before the next stage acts. A stage whose end is not known in plies lasts to the end of the
/// game.
pub fn share_of_stage(stages: &[Stage], index: usize, progress: Progress) -> f64 {
    let total = progress.total();
    let first = stages[index].start.first_ply(total).unwrap_or(progress.ply);
    let next = stages.get(index + 1);
    let end = next.and_then(|stage| stage.start.first_ply(total));
    let last = end.unwrap_or(total).saturating_sub(1);
    if last <= first {
        return 0.0;
    }
    let done = progress.ply.saturating_sub(first).min(last - first);
    f64::from(done) / f64::from(last - first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::default_plan;

    fn stage(name: &str, start: Start, exact: bool) -> Stage {
        let searcher = if exact {
            Searcher::AlphaBeta
        } else {
            Searcher::Uct(default_plan(GameKind::DotsAndBoxes))
        };
        Stage {
            name: name.into(),
            start,
            searcher,
            same_as: Vec::new(),
            share: 1.0,
            takes_savings: false,
        }
    }

    fn progress(ply: u16, moves_left: u16) -> Progress {
        Progress {
            ply,
            moves_left,
            distance_to_end: f64::INFINITY,
            solvable: false,
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
                stage_at(&stages, progress(ply, left)),
                expected,
                "ply {ply}, {left} left"
            );
        }
        assert_eq!(uct_stage_before(&stages, 2), Some(1));
        assert_eq!(uct_stage_before(&stages, 0), Some(0));
    }

    #[test]
    fn a_stage_can_start_by_what_is_filled_and_by_what_can_be_solved() {
        let stages = [
            stage("opening", Start::Ply(0), false),
            stage("layout", Start::Filled(0.25), false),
            stage("endgame", Start::Solvable, true),
        ];
        let at = |ply, solvable| {
            let progress = Progress {
                solvable,
                ..progress(ply, 60 - ply)
            };
            stage_at(&stages, progress)
        };
        assert_eq!([at(14, false), at(15, false), at(16, true)], [0, 1, 2]);
        assert_eq!(at(3, true), 2, "the last stage whose start holds");
    }

    #[test]
    fn a_stage_can_start_once_the_distance_to_the_end_is_below_a_limit() {
        let stages = [
            stage("opening", Start::Ply(0), false),
            stage("late", Start::ProgressBelow(8.0), false),
        ];
        let at = |distance_to_end| {
            let progress = Progress {
                distance_to_end,
                ..progress(30, 60)
            };
            stage_at(&stages, progress)
        };
        assert_eq!([at(f64::INFINITY), at(8.0), at(7.9), at(0.0)], [0, 0, 1, 1]);
    }

    #[test]
    fn a_schedule_goes_from_the_first_ply_of_its_stage_to_the_last() {
        let stages = [
            stage("opening", Start::Ply(0), false),
            stage("layout", Start::Ply(10), false),
            stage("endgame", Start::EdgesLeft(40), true),
        ];
        let share = |index, ply| share_of_stage(&stages, index, progress(ply, 60 - ply));
        assert_eq!([share(0, 0), share(0, 9)], [0.0, 1.0]);
        assert_eq!(
            [share(1, 10), share(1, 13), share(1, 19)],
            [0.0, 3.0 / 9.0, 1.0]
        );
        assert_eq!(share(2, 59), 1.0);
        // A stage of a single ply has nothing to go over.
        let short = [
            stage("opening", Start::Ply(0), false),
            stage("layout", Start::Ply(1), false),
        ];
        assert_eq!(share_of_stage(&short, 0, progress(0, 60)), 0.0);
    }

    #[test]
    fn shapes_differ_between_equal_ends() {
        let schedule = |shape| Schedule {
            from: 1.0,
            to: 0.25,
            shape,
        };
        for shape in [Shape::Linear, Shape::Geometric] {
            assert_eq!(schedule(shape).at(0.0), 1.0);
            assert_eq!(schedule(shape).at(1.0), 0.25);
        }
        assert_eq!(schedule(Shape::Linear).at(0.5), 0.625);
        assert_eq!(schedule(Shape::Geometric).at(0.5), 0.5);
        assert_eq!(Schedule::constant(0.3).at(0.7), 0.3);
        let plan = Plan {
            depth_plies: Schedule {
                from: 2.0,
                to: 5.0,
                shape: Shape::Linear,
            },
            ..default_plan(GameKind::DotsAndBoxes)
        };
        assert_eq!(
            [0.0, 0.4, 0.5, 1.0].map(|at| plan.at(at).depth_plies),
            [2, 3, 4, 5]
        );
    }
}
