//! One game between two agents, from an opening to a proven result.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Agent;
use crate::eval::{Knowledge, Work};
use crate::game::{Outcome, Player, Position};
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::{Control, Unlimited};
use crate::stream::Stream;

/// Proves the value of a position once both agents would play exactly. Its work is charged to
/// nobody and counted apart.
pub struct Referee<P: Position, K> {
    solver: Solver<P>,
    knowledge: K,
}

impl<P: Position, K: Knowledge<P>> Referee<P, K> {
    /// A referee whose solver has a table of this size.
    pub fn new(table_mib: u32, knowledge: K) -> Self {
        Self {
            solver: Solver::new(table_mib, SolverOptions::default()),
            knowledge,
        }
    }

    /// First's final margin with best play from here, and the work it took.
    fn final_margin(&mut self, position: &P, stop: &AtomicBool) -> Option<(i32, Work)> {
        let mut work = Work::default();
        self.solver.new_game();
        let mut control = StopFlag(stop);
        let solved = self
            .solver
            .solve(position, &self.knowledge, &mut control, &mut work)?;
        let rest = i32::from(solved.value.0) * position.to_move().sign();
        Some((position.margin() + rest, work))
    }
}

/// Stops a search when the program is asked to stop; otherwise it has no effect on results.
struct StopFlag<'a>(&'a AtomicBool);

impl Control for StopFlag<'_> {
    fn should_stop(&mut self, work: &Work, simulations: u64) -> bool {
        self.0.load(Ordering::Relaxed) || Unlimited.should_stop(work, simulations)
    }
}

/// One move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveRecord<M> {
    /// Who moved.
    pub player: Player,
    /// The move.
    pub mv: M,
    /// Index of the mover's stage.
    pub stage: usize,
    /// Units of work spent on it.
    pub work_units: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord<P: Position> {
    /// Where the agents took over.
    pub opening: P,
    /// The moves that the agents chose.
    pub moves: Vec<MoveRecord<P::Move>>,
    /// The result; of the proof where the game was adjudicated.
    pub outcome: Outcome,
    /// First's final margin.
    pub margin: i32,
    /// Work of the referee's proof, in units; None when the game was played to its end.
    pub adjudication_units: Option<u64>,
}

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameFailure {
    /// The program was asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// An agent chose a move that the rules refuse.
    #[error("{player} chose an illegal move in {position}")]
    IllegalMove {
        /// Who.
        player: Player,
        /// Where.
        position: String,
    },
}

/// Plays one game. Each side has a stream of its own, tied to the seat and not to the agent, so
/// that an agent against itself plays the same game from both sides.
///
/// # Errors
/// See [`GameFailure`].
pub fn play_game<P: Position, K: Knowledge<P>>(
    agents: [&mut Agent<P, K>; 2],
    mut streams: [Stream; 2],
    referee: &mut Referee<P, K>,
    opening: &P,
    stop: &AtomicBool,
) -> Result<GameRecord<P>, GameFailure> {
    let [first, second] = agents;
    first.new_game();
    second.new_game();
    let mut position = opening.clone();
    let mut moves = Vec::new();
    let ended = |moves, margin, adjudication_units| GameRecord {
        opening: opening.clone(),
        moves,
        outcome: Outcome::from_margin(margin),
        margin,
        adjudication_units,
    };
    while position.outcome().is_none() {
        if stop.load(Ordering::Relaxed) {
            return Err(GameFailure::Interrupted);
        }
        if first.plays_exactly(&position) && second.plays_exactly(&position) {
            let proof = referee.final_margin(&position, stop);
            let (margin, work) = proof.ok_or(GameFailure::Interrupted)?;
            return Ok(ended(moves, margin, Some(work.units())));
        }
        let player = position.to_move();
        let agent = if player == Player::First {
            &mut *first
        } else {
            &mut *second
        };
        let choice = agent.choose(&position, &mut streams[player.index()]);
        if !position.is_legal(choice.mv()) {
            return Err(GameFailure::IllegalMove {
                player,
                position: position.to_string(),
            });
        }
        let (stage, work_units) = (choice.stage, choice.work.units());
        moves.push(MoveRecord {
            player,
            mv: choice.mv(),
            stage,
            work_units,
        });
        position.play(choice.mv());
    }
    let margin = position.margin();
    Ok(ended(moves, margin, None))
}
