//! Games judged by exact values: at the first position with at most so many edges left, and what
//! the moves from there to exact play lost.

use std::time::{Duration, Instant};

use sixfold_engine::agent::GameRecord;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::{Knowledge, Work};
use sixfold_engine::game::dots::Dots;
use sixfold_engine::game::{Player, Position};
use sixfold_engine::search::WorkLimit;
use sixfold_engine::search::alpha_beta::{Solver, SolverOptions};

/// Size of the solver's table.
const TABLE_MIB: u32 = 64;

/// A game as A sees it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Judged {
    /// A's margin at the end of the game.
    pub(crate) margin: i32,
    /// A's margin with best play of both from the hand-over on.
    pub(crate) exact: i32,
    /// What A and B lost from the hand-over on.
    pub(crate) lost: [Lost; 2],
    /// What solving the hand-over took, with an empty table.
    pub(crate) taken: Duration,
}

/// Moves before exact play, and what they cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lost {
    pub(crate) moves: u32,
    /// Points of margin: a box less for one and one more for the other are two.
    pub(crate) points: i32,
    /// Moves after which the winner with best play was another.
    pub(crate) results: u32,
}

/// Judges games, with one table.
pub(crate) struct Judge {
    solver: Solver<Dots>,
    /// Edges left at the hand-over.
    handed_over: u16,
    /// Edges left from which the engines play exactly.
    exact_from: u16,
}

impl Judge {
    pub(crate) fn new(handed_over: u16, exact_from: u16) -> Judge {
        Judge {
            solver: Solver::new(TABLE_MIB, SolverOptions::default()),
            handed_over,
            exact_from,
        }
    }

    /// First's final margin with best play from here on.
    fn margin(&mut self, position: &Dots) -> i32 {
        if position.outcome().is_some() {
            return position.margin();
        }
        let (mut limit, mut work) = (WorkLimit(u64::MAX), Work::default());
        let solved = self
            .solver
            .solve(position, &DotsKnowledge, &mut limit, &mut work);
        let rest = solved.expect("nothing limits the search").value;
        position.margin() + i32::from(rest.0) * position.to_move().sign()
    }

    /// A game in which A sat on this side.
    pub(crate) fn judge(&mut self, game: &GameRecord<Dots>, a: Player) -> Judged {
        let late = self.late(game);
        self.solver.new_game();
        let begun = Instant::now();
        // A game that was proven before its hand-over is judged by its proof.
        let exact = late.first().map_or(game.margin, |it| self.margin(it));
        let taken = begun.elapsed();
        Judged {
            margin: game.margin * a.sign(),
            exact: exact * a.sign(),
            lost: self.lost(&late, a),
            taken,
        }
    }

    /// The positions from the hand-over to the first of exact play.
    fn late(&self, game: &GameRecord<Dots>) -> Vec<Dots> {
        let mut position = game.opening;
        let mut line = vec![position];
        for played in &game.moves {
            position.play(played.mv);
            line.push(position);
        }
        let before_exact = line.partition_point(|it| edges_left(it) > self.exact_from);
        line.truncate(before_exact + 1);
        line.retain(|it| edges_left(it) <= self.handed_over);
        line
    }

    fn lost(&mut self, late: &[Dots], a: Player) -> [Lost; 2] {
        let mut lost = [Lost::default(); 2];
        // From the last position backwards, each one's table knows the next.
        let mut exact: Vec<i32> = late.iter().rev().map(|it| self.margin(it)).collect();
        exact.reverse();
        for (positions, values) in late.windows(2).zip(exact.windows(2)) {
            let mover = positions[0].to_move();
            let of = &mut lost[usize::from(mover != a)];
            of.moves += 1;
            of.points += (values[0] - values[1]) * mover.sign();
            of.results += u32::from(values[0].signum() != values[1].signum());
        }
        lost
    }
}

fn edges_left(position: &Dots) -> u16 {
    DotsKnowledge.moves_left(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{CELLS, EXACT_FROM};

    /// Games of an even and of an odd start, judged at so many edges.
    fn judged_at(handed_over: u16) -> Vec<Judged> {
        let played = CELLS[0].play(20, 6).unwrap();
        let mut judge = Judge::new(handed_over, EXACT_FROM);
        let both = |[first, second]: &[GameRecord<Dots>; 2]| {
            [(first, Player::First), (second, Player::Second)].map(|(game, a)| judge.judge(game, a))
        };
        played.pairs.iter().flat_map(both).collect()
    }

    #[test]
    fn where_both_play_exactly_the_value_is_the_result() {
        let games = judged_at(EXACT_FROM);
        assert!(games.iter().any(|game| game.margin != 0));
        for game in games {
            assert_eq!(game.exact, game.margin);
            assert_eq!(game.lost, [Lost::default(); 2]);
        }
    }

    /// Every point between the value at the hand-over and the result was lost by somebody's move.
    #[test]
    fn what_both_lost_leads_from_the_exact_value_to_the_result() {
        let games = judged_at(EXACT_FROM + 3);
        assert!(games.iter().any(|game| game.exact != game.margin));
        for game in games {
            let [a, b] = game.lost;
            assert_eq!(game.exact - a.points + b.points, game.margin, "{game:?}");
            assert!(a.points >= 0 && b.points >= 0, "{game:?}");
            assert!(
                u32::from(game.exact.signum() != game.margin.signum()) <= a.results + b.results
            );
        }
    }
}
