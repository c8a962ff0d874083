//! Review of a recorded game: which moves lost exact value, how much, and in which stage.

use serde::Serialize;

use super::analyse::{NamedMove, SolveLimits, scaled_to};
use super::record::RecordedGame;
use crate::agent::Agent;
use crate::config::EngineConfig;
use crate::eval::dots::DotsKnowledge;
use crate::eval::{Knowledge, Work};
use crate::game::dots::{Dots, Edge};
use crate::game::{Player, Position};
use crate::games::{DotsAndBoxes, Playable};
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::{Step, Value, WorkLimit};
use crate::stage::Stage;

/// A reviewed game. Values are remaining values: best (mover − opponent) over the boxes not taken
/// yet, for the player of the move; a box less for a player and one more for the opponent is 2.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Review {
    /// Names of First and Second.
    pub names: [String; 2],
    /// What the record says of the event.
    pub event: String,
    /// The position the record begins with.
    pub start: String,
    /// The position it ends with.
    pub end: String,
    /// Edges left at the end; 0 of a finished game.
    pub edges_left: u16,
    /// First's final margin: of a finished game, else with best play from the end on; None where
    /// that was not solved.
    pub final_margin: Option<i32>,
    /// The score that the record states, boxes of First and Second.
    pub recorded_score: Option<[u8; 2]>,
    /// Limits of the exact search; a move is judged where the positions around it are solved.
    pub limits: SolveLimits,
    /// Moves of the opening, which nobody chose; they are not judged.
    pub opening_moves: usize,
    /// Every move.
    pub moves: Vec<ReviewedMove>,
    /// Counts for each stage and player that moved in it, in the order of the stages.
    pub summary: Vec<SummaryRow>,
}

/// A move and what it was worth; the fields of a judgement are None where it was not judged.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReviewedMove {
    /// Number in the record, from 1.
    pub number: usize,
    /// `First` or `Second`.
    pub player: String,
    /// The stage that the configuration gives the position.
    pub stage: String,
    /// The position before the move.
    pub position: String,
    /// Edges left before the move.
    pub edges_left: u16,
    /// Number of the edge.
    pub edge: u8,
    /// Its notation.
    pub notation: String,
    /// What was judged.
    #[serde(flatten)]
    pub judgement: Judgement,
}

/// What a move was worth.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Judgement {
    /// Value before the move.
    pub value_before: Option<i16>,
    /// Value of the move, its own boxes included.
    pub value_after: Option<i16>,
    /// How much value the move lost: 0 if it was optimal.
    pub lost: Option<i16>,
    /// A best move.
    pub best_move: Option<NamedMove>,
    /// Result with best play before the move: `win`, `draw` or `loss` of its player.
    pub result_before: Option<&'static str>,
    /// Result with best play after it.
    pub result_after: Option<&'static str>,
}

impl Judgement {
    /// Whether the move lost value.
    pub fn is_mistake(&self) -> bool {
        self.lost.is_some_and(|lost| lost > 0)
    }
}

/// Counts of one player in one stage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SummaryRow {
    /// The stage.
    pub stage: String,
    /// `First` or `Second`.
    pub player: String,
    /// Moves made.
    pub moves: usize,
    /// Moves judged.
    pub judged: usize,
    /// Moves that lost value.
    pub mistakes: usize,
    /// Mistakes after which the result with best play was worse.
    pub results_lost: usize,
    /// Value lost.
    pub lost: i32,
}

/// What to review by.
#[derive(Clone, Copy, Debug)]
pub struct ReviewOptions<'a> {
    /// Whose stages, scaled to the game's board, divide it, and whose table size the solver has.
    pub config: &'a EngineConfig,
    /// Limits of the exact search, for each position.
    pub limits: SolveLimits,
    /// Moves of the record that are an opening.
    pub opening_moves: usize,
}

/// Reviews a game.
pub fn review(game: &RecordedGame, options: ReviewOptions<'_>) -> Review {
    let mut judge = Judge {
        solver: Solver::new(options.config.table_mib, SolverOptions::default()),
        limits: options.limits,
    };
    let config = scaled_to(options.config, DotsAndBoxes::rules_of(&game.start));
    let stages = &config.stages;
    let agent = Agent::new(&config, DotsKnowledge);
    let mut position = game.start;
    let mut moves = Vec::new();
    let mut value = judge.best(&position);
    for (index, &edge) in game.moves.iter().enumerate() {
        let mut after = position;
        after.play(edge);
        let value_after = judge.best(&after);
        let judgement = match (value, value_after) {
            (Some(before), Some(rest)) if index >= options.opening_moves => {
                judged(&position, &after, before, rest.value)
            }
            _ => Judgement::default(),
        };
        moves.push(ReviewedMove {
            number: index + 1,
            player: position.to_move().to_string(),
            stage: agent.stage_name(agent.stage_of(&position)).to_owned(),
            position: position.to_string(),
            edges_left: DotsKnowledge.moves_left(&position),
            edge: edge.0,
            notation: Dots::edge_text(position.board(), edge),
            judgement,
        });
        position = after;
        value = value_after;
    }
    let sign = position.to_move().sign();
    Review {
        names: game.names.clone(),
        event: game.event.clone(),
        start: game.start.to_string(),
        end: position.to_string(),
        edges_left: DotsKnowledge.moves_left(&position),
        final_margin: value.map(|rest| position.margin() + i32::from(rest.value.0) * sign),
        recorded_score: game.score,
        limits: options.limits,
        opening_moves: options.opening_moves,
        summary: summary(stages, &moves),
        moves,
    }
}

/// A solved position; after the end the value is 0 and there is no move.
#[derive(Clone, Copy)]
struct Best {
    value: Value,
    edge: Option<Edge>,
}

/// Solves the positions of one game, with one table.
struct Judge {
    solver: Solver<Dots>,
    limits: SolveLimits,
}

impl Judge {
    /// The value of a position; None beyond the limits.
    fn best(&mut self, position: &Dots) -> Option<Best> {
        if position.outcome().is_some() {
            let value = Value(0);
            return Some(Best { value, edge: None });
        }
        if DotsKnowledge.moves_left(position) > self.limits.edges {
            return None;
        }
        let mut work = Work::default();
        let mut limit = WorkLimit(self.limits.work_units);
        let solved = self
            .solver
            .solve(position, &DotsKnowledge, &mut limit, &mut work)?;
        Some(Best {
            value: solved.value,
            edge: Some(solved.best_move),
        })
    }
}

fn judged(position: &Dots, after: &Dots, before: Best, rest: Value) -> Judgement {
    let value = Step::between(position, after).value_of(rest);
    let sign = position.to_move().sign();
    let result = |value: Value| match position.margin() * sign + i32::from(value.0) {
        1.. => "win",
        0 => "draw",
        _ => "loss",
    };
    Judgement {
        value_before: Some(before.value.0),
        value_after: Some(value.0),
        lost: Some(before.value.0 - value.0),
        best_move: before
            .edge
            .map(|edge| NamedMove::of(position.board(), edge)),
        result_before: Some(result(before.value)),
        result_after: Some(result(value)),
    }
}

fn summary(stages: &[Stage], moves: &[ReviewedMove]) -> Vec<SummaryRow> {
    let mut rows = Vec::new();
    for stage in stages {
        for player in Player::ALL.map(|player| player.to_string()) {
            let of_both = |mv: &&ReviewedMove| mv.stage == stage.name && mv.player == player;
            let moves: Vec<&ReviewedMove> = moves.iter().filter(of_both).collect();
            let judgements = || moves.iter().map(|mv| &mv.judgement);
            let mistakes = || judgements().filter(|judgement| judgement.is_mistake());
            let results = mistakes().filter(|it| it.result_before != it.result_after);
            let row = SummaryRow {
                moves: moves.len(),
                judged: judgements().filter(|it| it.lost.is_some()).count(),
                mistakes: mistakes().count(),
                results_lost: results.count(),
                lost: mistakes().filter_map(|it| it.lost).map(i32::from).sum(),
                stage: stage.name.clone(),
                player,
            };
            if row.moves > 0 {
                rows.push(row);
            }
        }
    }
    rows
}
