//! One game between two bots, from an opening to a proven result.

use std::time::Duration;

use super::bot::Bot;
use super::signals::Signals;
use super::spending::Listening;
use super::watch::{GameWatch, Mover};
use crate::eval::{Knowledge, Work};
use crate::game::{Outcome, Player, Position};
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::stream::Stream;

/// Proves the value of a position once both bots would play exactly. Its work is charged to
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
    fn final_margin(&mut self, position: &P, signals: &Signals) -> Option<(i32, Work)> {
        let mut work = Work::default();
        self.solver.new_game();
        let mut control = Listening(signals);
        let solved = self
            .solver
            .solve(position, &self.knowledge, &mut control, &mut work)?;
        let rest = i32::from(solved.value.0) * position.to_move().sign();
        Some((position.margin() + rest, work))
    }
}

/// One move of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveRecord<M> {
    /// Who moved.
    pub player: Player,
    /// The move.
    pub mv: M,
    /// Index of the mover's stage.
    pub stage: usize,
    /// Units of work spent on it.
    pub work_units: u64,
    /// What UCT made of it; None where something else chose.
    pub opinion: Option<Opinion>,
}

/// What a search made of the move that it chose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Opinion {
    /// UCT's.
    Uct {
        /// Simulations through the move.
        visits: u32,
        /// Its mean value in 0 to 1 for the mover.
        mean: f64,
    },
    /// That of iterative deepening or principal variation search: the move's value in points for
    /// the mover, what is already won not counted.
    Points(f64),
}

impl Opinion {
    /// Simulations through the move, where UCT chose it.
    pub const fn visits(self) -> Option<u32> {
        match self {
            Opinion::Uct { visits, .. } => Some(visits),
            Opinion::Points(_) => None,
        }
    }

    /// Its mean value in 0 to 1 for the mover, where UCT chose it.
    pub const fn mean(self) -> Option<f64> {
        match self {
            Opinion::Uct { mean, .. } => Some(mean),
            Opinion::Points(_) => None,
        }
    }

    /// Its value in points for the mover, where a search with the static evaluation chose it.
    pub const fn points(self) -> Option<f64> {
        match self {
            Opinion::Uct { .. } => None,
            Opinion::Points(points) => Some(points),
        }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord<P: Position> {
    /// Where the bots took over.
    pub opening: P,
    /// The moves that the bots chose.
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
    /// The game was told to stop.
    #[error("interrupted")]
    Interrupted,
    /// A bot chose a move that the rules refuse.
    #[error("{player} chose the illegal move {mv} in {position}")]
    IllegalMove {
        /// Who.
        player: Player,
        /// The move, as its type shows itself.
        mv: String,
        /// Where.
        position: String,
    },
    /// A move took longer than its deadline.
    #[error("{mover} took longer than {} s in {position}", deadline.as_secs_f64())]
    OverTime {
        /// Who.
        mover: Mover,
        /// What a move may take.
        deadline: Duration,
        /// Where.
        position: String,
    },
}

/// Plays one game. Each side has a stream of its own, tied to the seat and not to the bot, so
/// that a bot against itself plays the same game from both sides.
///
/// # Errors
/// See [`GameFailure`]; the watch keeps the moves until then.
pub fn play_game<P: Position, K: Knowledge<P>>(
    bots: [&mut dyn Bot<P>; 2],
    mut streams: [Stream; 2],
    referee: &mut Referee<P, K>,
    opening: &P,
    watch: &GameWatch<P::Move>,
) -> Result<GameRecord<P>, GameFailure> {
    let [first, second] = bots;
    watch.begin(Mover::Player(opening.to_move()));
    first.new_game();
    second.new_game();
    let mut position = opening.clone();
    let ended = |margin, adjudication_units| GameRecord {
        opening: opening.clone(),
        moves: watch.take_moves(),
        outcome: Outcome::from_margin(margin),
        margin,
        adjudication_units,
    };
    while position.outcome().is_none() {
        let player = position.to_move();
        watch.begin(Mover::Player(player));
        if first.plays_exactly(&position) && second.plays_exactly(&position) {
            watch.begin(Mover::Referee);
            let proof = referee.final_margin(&position, watch.signals());
            check_time(watch, &position)?;
            let (margin, work) = proof.ok_or(GameFailure::Interrupted)?;
            return Ok(ended(margin, Some(work.units())));
        }
        let bot = if player == Player::First {
            &mut *first
        } else {
            &mut *second
        };
        let stream = &mut streams[player.index()];
        let choice = bot.choose_move(&position, stream, watch.signals());
        // A search that was told to stop has a move too, but not the one it would have chosen.
        check_time(watch, &position)?;
        let mv = choice.mv();
        if !position.is_legal(mv) {
            return Err(GameFailure::IllegalMove {
                player,
                mv: format!("{mv:?}"),
                position: position.to_string(),
            });
        }
        watch.add(MoveRecord {
            player,
            mv,
            stage: choice.stage,
            work_units: choice.work.units(),
            opinion: choice.opinion(),
        });
        position.play(mv);
    }
    Ok(ended(position.margin(), None))
}

/// Ends the move that the watch is over: a game is told to stop between two moves, or in one.
fn check_time<P: Position>(watch: &GameWatch<P::Move>, position: &P) -> Result<(), GameFailure> {
    let is_over_time = watch.is_over_time();
    watch.end();
    match watch.deadline() {
        Some(deadline) if is_over_time => Err(GameFailure::OverTime {
            mover: watch.mover(),
            deadline,
            position: position.to_string(),
        }),
        _ if watch.signals().is_stopped() => Err(GameFailure::Interrupted),
        _ => Ok(()),
    }
}
