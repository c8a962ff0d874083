//! Analysis of a position: the move that a configured engine plays, why, and what is provable.
//!
//! An analysis depends on nothing but the position, the configuration and the seed: every position
//! is searched as the first of a game, so an [`Analyser`] is a stateless back end.

use std::collections::BTreeMap;

use serde::Serialize;

use super::structure::{Structure, bits};
use crate::agent::{Agent, Choice};
use crate::clock::{Budget, Per};
use crate::config::{CHOICE_KEYS, EngineConfig, GameRules};
use crate::eval::dots::{CLASS_NAMES, DotsKnowledge};
use crate::eval::{Knowledge, Work};
use crate::game::GameKind;
use crate::game::dots::{Board, Dots, Edge};
use crate::game::{Player, Position};
use crate::games::{DotsAndBoxes, Playable};
use crate::params::PLAN_ROWS;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::uct::{ChildReport, UctReport};
use crate::search::{Step, Value, WorkLimit};
use crate::stage::{Plan, Schedule, Searcher, Stage, Start, uct_stage_before};
use crate::stream::{Purpose, StreamKey};

/// What is known of a position. Values are remaining values: best (mover − opponent) over the
/// boxes not taken yet, for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Analysis {
    /// The position as it was given.
    pub position: String,
    /// Who moves, `First` or `Second`.
    pub to_move: String,
    /// Boxes of First and Second so far.
    pub score: [u8; 2],
    /// Edges drawn.
    pub ply: u16,
    /// Edges not drawn.
    pub edges_left: u16,
    /// The stage that acts.
    pub stage: StageInForce,
    /// What the move may use.
    pub budget: BudgetInForce,
    /// Seed of the random stream.
    pub seed: u64,
    /// The move that the engine plays; None once the game is over.
    pub best_move: Option<NamedMove>,
    /// What UCT did; None where it did not choose, or the game is over.
    pub search: Option<SearchSummary>,
    /// Every open edge: most visited first, then by falling value, then by number.
    pub moves: Vec<MoveRow>,
    /// What exact search proves; None beyond the limits.
    pub exact: Option<Exact>,
    /// Limits of the exact search for the report.
    pub limits: SolveLimits,
    /// Chains, loops and the like.
    pub structure: Structure,
}

/// What may be solved for a report. The engine's own search is not bound by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SolveLimits {
    /// Positions with more edges left are not solved.
    pub edges: u16,
    /// Units of work after which the values of a position are given up. Few edges left are no
    /// promise: on a small board they may be most of them, and nothing is decided yet.
    pub work_units: u64,
}

/// A stage and its constants.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StageInForce {
    /// Its name in the configuration.
    pub name: String,
    /// From when it acts.
    pub from: StartInForce,
    /// The word of configurations, such as `uct` or `alpha_beta`.
    pub searcher: &'static str,
    /// Numbers of the UCT that chose, by the names of `engine params`; empty where none did.
    pub constants: BTreeMap<&'static str, f64>,
    /// Words of the UCT that chose, by their keys in the configuration; empty where none did.
    pub choices: BTreeMap<&'static str, &'static str>,
}

/// From when a stage acts, as configurations have it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StartInForce {
    /// From this ply on.
    Ply(u16),
    /// Once at most this many edges are left.
    EdgesLeft(u16),
    /// Once this share of the edges is drawn.
    Filled(f64),
    /// Once the game's distance to its end is below this.
    ProgressBelow(f64),
    /// As soon as the position can be solved.
    Solvable,
}

/// What the engine may use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BudgetInForce {
    /// The number, under its unit as configurations have it.
    #[serde(flatten)]
    pub amount: BTreeMap<&'static str, u64>,
    /// `move` or `game`.
    pub per: &'static str,
}

/// A move by its number and its name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NamedMove {
    /// Number of the edge.
    pub edge: u8,
    /// Its notation.
    pub notation: String,
}

impl NamedMove {
    /// The names of an edge.
    pub fn of(board: &Board, edge: Edge) -> NamedMove {
        NamedMove {
            edge: edge.0,
            notation: Dots::edge_text(board, edge),
        }
    }
}

/// What UCT did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SearchSummary {
    /// Simulations made; 0 where there was one move only.
    pub simulations: u64,
    /// Units of work spent, exact search that gave up included.
    pub work_units: u64,
    /// Deepest node, in plies below the root.
    pub max_depth: u16,
    /// Nodes in the tree.
    pub tree_nodes: usize,
    /// The move played, then the most visited moves below it.
    pub principal_variation: Vec<VisitedMove>,
}

/// A move of the principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VisitedMove {
    /// Number of the edge.
    pub edge: u8,
    /// Its notation.
    pub notation: String,
    /// Simulations through it.
    pub visits: u32,
}

/// What is known of one move. The search's figures are None where the search did not consider the
/// move (all of them) or did not visit it (all but `visits`).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveRow {
    /// Number of the edge.
    pub edge: u8,
    /// Its notation.
    pub notation: String,
    /// Its class, by the names of configurations.
    pub class: &'static str,
    /// Whether it is one of the moves of which one is provably optimal.
    pub sufficient: bool,
    /// T: simulations through it.
    pub visits: Option<u32>,
    /// X: mean value in 0 to 1, for the side to move.
    pub mean: Option<f64>,
    /// G: the bias of its class.
    pub bias: Option<f64>,
    /// C · sqrt(2 ln N / T).
    pub exploration: Option<f64>,
    /// The sum of the three: the UCB.
    pub ucb: Option<f64>,
    /// Exact value of the move, its own boxes included; None where it was not solved.
    pub value: Option<i16>,
}

/// What exact search proves of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Exact {
    /// The remaining value.
    pub value: i16,
    /// First's final margin with best play: score and remaining value.
    pub final_margin: i32,
    /// All optimal edges, rising.
    pub best_moves: Vec<u8>,
    /// A line of best play to the end.
    pub line: Vec<NamedMove>,
    /// Nodes searched for all of this.
    pub nodes: u64,
}

/// Analyses positions with one configuration.
pub struct Analyser {
    config: EngineConfig,
    agent: Agent<Dots, DotsKnowledge>,
    solver: Solver<Dots>,
    seed: u64,
    limits: SolveLimits,
}

impl Analyser {
    /// An analyser that plays as `config` does with this seed (below 2^53) and solves positions
    /// within `limits` for the report. On boards other than the configuration's it plays as
    /// [`scaled_to`] says.
    pub fn new(config: &EngineConfig, seed: u64, limits: SolveLimits) -> Analyser {
        Analyser {
            config: config.clone(),
            agent: Agent::new(config, DotsKnowledge),
            solver: Solver::new(config.table_mib, SolverOptions::default()),
            seed,
            limits,
        }
    }

    /// Analyses a position; `text` is what the report repeats of how it was given.
    pub fn analyse(&mut self, text: &str, position: &Dots) -> Analysis {
        let config = scaled_to(&self.config, DotsAndBoxes::rules_of(position));
        self.agent.configure(&config);
        let choice = self.choose(position);
        let report = choice.as_ref().and_then(Choice::report);
        let played = choice.as_ref().map(Choice::mv);
        let solved = played.and_then(|played| self.solve(position, played));
        let (exact, values) = solved.unzip();
        let board = position.board();
        let stage = self.agent.stage_of(position);
        Analysis {
            position: text.to_owned(),
            to_move: position.to_move().to_string(),
            score: Player::ALL.map(|player| position.taken(player)),
            ply: position.ply(),
            edges_left: DotsKnowledge.moves_left(position),
            stage: in_force(GameKind::DotsAndBoxes, &config.stages, stage, report),
            budget: budget(self.config.budget),
            seed: self.seed,
            best_move: choice
                .as_ref()
                .map(|choice| NamedMove::of(board, choice.mv())),
            search: choice.as_ref().and_then(|choice| summary(board, choice)),
            moves: move_rows(position, report, &values.unwrap_or_default()),
            exact,
            limits: self.limits,
            structure: Structure::of(position),
        }
    }

    /// What the agent plays; None once the game is over.
    fn choose(&mut self, position: &Dots) -> Option<Choice<Edge>> {
        if position.outcome().is_some() {
            return None;
        }
        let purpose = match position.to_move() {
            Player::First => Purpose::First,
            Player::Second => Purpose::Second,
        };
        let mut stream = StreamKey::new(self.seed, purpose).stream();
        Some(self.agent.choose(position, &mut stream))
    }

    /// The proven part of the report and the value of every move; None beyond the limits. The line
    /// begins with the move played if that is optimal. Precondition: the game is not over.
    fn solve(&mut self, position: &Dots, played: Edge) -> Option<(Exact, Vec<(Edge, i16)>)> {
        if DotsKnowledge.moves_left(position) > self.limits.edges {
            return None;
        }
        self.solver.new_game();
        let mut spent = Spent::default();
        let mut values = Vec::new();
        for edge in bits(position.open()).map(Edge) {
            let mut child = *position;
            child.play(edge);
            let below = match child.outcome() {
                Some(_) => Value(0),
                None => self.best(&child, &mut spent)?.1,
            };
            values.push((edge, Step::between(position, &child).value_of(below).0));
        }
        let value = values.iter().map(|&(_, value)| value).max()?;
        let best_moves = values.iter().filter(|&&(_, other)| other == value);
        let best_moves: Vec<u8> = best_moves.map(|(edge, _)| edge.0).collect();
        let first = best_moves.contains(&played.0).then_some(played);
        let exact = Exact {
            value,
            final_margin: position.margin() + i32::from(value) * position.to_move().sign(),
            line: self.optimal_line(position, first, &mut spent)?,
            best_moves,
            nodes: spent.nodes,
        };
        Some((exact, values))
    }

    /// A line of best play, from `first` on if that is given; None beyond the limits.
    fn optimal_line(
        &mut self,
        start: &Dots,
        first: Option<Edge>,
        spent: &mut Spent,
    ) -> Option<Vec<NamedMove>> {
        let mut line = Vec::new();
        let mut position = *start;
        let mut next = first;
        while position.outcome().is_none() {
            let edge = match next.take() {
                Some(edge) => edge,
                None => self.best(&position, spent)?.0,
            };
            line.push(NamedMove::of(position.board(), edge));
            position.play(edge);
        }
        Some(line)
    }

    /// A best move and the value; None beyond the limit of work. Precondition: the game is not
    /// over.
    fn best(&mut self, position: &Dots, spent: &mut Spent) -> Option<(Edge, Value)> {
        let mut limit = WorkLimit(self.limits.work_units);
        let solved = self
            .solver
            .solve(position, &DotsKnowledge, &mut limit, &mut spent.work)?;
        spent.nodes += solved.nodes;
        Some((solved.best_move, solved.value))
    }
}

/// The configuration for a board: its own board as it stands; for another one the starts of its
/// stages scaled to the number of moves, so that a small board has an opening too and is not solved
/// from its first move on, which can take for ever.
pub fn scaled_to(config: &EngineConfig, game: GameRules) -> EngineConfig {
    let mut scaled = config.clone();
    if game == config.game {
        return scaled;
    }
    let (old, new) = (config.game.moves_at_most(), game.moves_at_most());
    scaled.game = game;
    for stage in &mut scaled.stages {
        stage.start = match stage.start {
            Start::Ply(ply) => Start::Ply(ply * new / old),
            Start::EdgesLeft(edges) => Start::EdgesLeft(edges * new / old),
            Start::Filled(_) | Start::ProgressBelow(_) | Start::Solvable => stage.start,
        };
    }
    scaled
}

/// What solving one position has cost so far.
#[derive(Default)]
struct Spent {
    work: Work,
    nodes: u64,
}

/// The stage that acts, with what the UCT that chose used.
pub(super) fn in_force<M>(
    game: GameKind,
    stages: &[Stage],
    acting: usize,
    report: Option<&UctReport<M>>,
) -> StageInForce {
    let stage = &stages[acting];
    // Where exact search gave up, another stage's UCT has stood in.
    let chose = match stage.searcher {
        Searcher::AlphaBeta => report.and_then(|_| uct_stage_before(stages, acting)),
        _ => Some(acting),
    };
    let keys = CHOICE_KEYS;
    let word = |key| Some((key, stages[chose?].choice(key)?));
    StageInForce {
        name: stage.name.clone(),
        from: match stage.start {
            Start::Ply(ply) => StartInForce::Ply(ply),
            Start::EdgesLeft(edges) => StartInForce::EdgesLeft(edges),
            Start::Filled(share) => StartInForce::Filled(share),
            Start::ProgressBelow(limit) => StartInForce::ProgressBelow(limit),
            Start::Solvable => StartInForce::Solvable,
        },
        searcher: stage.searcher.word(),
        constants: report
            .map(|report| numbers(game, report))
            .unwrap_or_default(),
        choices: keys.into_iter().filter_map(word).collect(),
    }
}

/// The numbers that a search used; what changes over a stage's plies as it stood at this one.
fn numbers<M>(game: GameKind, report: &UctReport<M>) -> BTreeMap<&'static str, f64> {
    let constants = report.constants;
    let plan = Plan {
        game,
        constants,
        exploration: Schedule::constant(constants.exploration),
        depth_plies: Schedule::constant(f64::from(constants.depth_plies)),
    };
    let searcher = Searcher::Uct(plan);
    let rows = PLAN_ROWS.iter().filter(|row| (row.is_in)(&plan));
    let rows = rows.filter(|row| searcher.has(row.spec.key()));
    rows.map(|row| (row.spec.name, (row.get)(&plan))).collect()
}

pub(super) fn budget(budget: Budget) -> BudgetInForce {
    BudgetInForce {
        amount: BTreeMap::from([(budget.amount.key(), budget.amount.number())]),
        per: match budget.per {
            Per::Move => "move",
            Per::Game => "game",
        },
    }
}

fn summary(board: &Board, choice: &Choice<Edge>) -> Option<SearchSummary> {
    let report = choice.report()?;
    let line = report.principal_variation.iter();
    Some(SearchSummary {
        simulations: report.simulations,
        work_units: choice.work.units(),
        max_depth: report.max_depth,
        tree_nodes: report.tree_nodes,
        principal_variation: line
            .map(|&(edge, visits)| VisitedMove {
                edge: edge.0,
                notation: Dots::edge_text(board, edge),
                visits,
            })
            .collect(),
    })
}

fn move_rows(
    position: &Dots,
    report: Option<&UctReport<Edge>>,
    values: &[(Edge, i16)],
) -> Vec<MoveRow> {
    let mut sufficient = Vec::new();
    DotsKnowledge.sufficient_moves(position, &mut sufficient);
    let row = |edge: Edge| {
        let mut children = report.iter().flat_map(|report| &report.children);
        let child = children.find(|child| child.mv == edge);
        let visited = child.filter(|child| child.visits > 0).zip(report);
        let parts = visited.map(|(child, report)| ucb_parts(child, report));
        let value = values.iter().find(|(solved, _)| *solved == edge);
        MoveRow {
            edge: edge.0,
            notation: Dots::edge_text(position.board(), edge),
            class: CLASS_NAMES[DotsKnowledge.class(position, edge).index()],
            sufficient: sufficient.contains(&edge),
            visits: child.map(|child| child.visits),
            mean: visited.map(|(child, _)| child.mean),
            bias: parts.map(|[bias, _]| bias),
            exploration: parts.map(|[_, exploration]| exploration),
            ucb: visited.map(|(child, _)| child.ucb),
            value: value.map(|&(_, value)| value),
        }
    };
    let mut rows: Vec<MoveRow> = bits(position.open()).map(|id| row(Edge(id))).collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.visits, row.value)));
    rows
}

/// G and C · sqrt(2 ln N / T) of a visited child, computed anew: the search itself only keeps sums.
pub(super) fn ucb_parts<M>(child: &ChildReport<M>, report: &UctReport<M>) -> [f64; 2] {
    let visits: u32 = report.children.iter().map(|child| child.visits).sum();
    let term = 2.0 * libm::log(f64::from(visits)) / f64::from(child.visits);
    [
        report.constants.bias[child.class.index()],
        report.constants.exploration * term.sqrt(),
    ]
}
