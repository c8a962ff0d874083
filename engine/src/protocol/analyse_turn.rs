//! Analysis of a position of the Amazons: the turn that a configured engine plays, half by half,
//! what the evaluation sees, and who wins where that can be proven.
//!
//! Stateless as the analysis of Dots and Boxes (see [`analyse`](super::analyse)) is.

use serde::Serialize;

use super::analyse::{BudgetInForce, StageInForce, budget, in_force, scaled_to, ucb_parts};
use crate::agent::{Agent, Choice, Found};
use crate::config::EngineConfig;
use crate::eval::amazons::knowledge::formula_of;
use crate::eval::amazons::{AmazonsKnowledge, Features};
use crate::eval::{Evaluation, Knowledge, Work};
use crate::game::amazons::{Amazons as Board, HalfMove};
use crate::game::{GameKind, Player, Position};
use crate::games::{Amazons, Playable};
use crate::params::uct_defaults;
use crate::search::WorkLimit;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::uct::UctReport;
use crate::stage::Stage;
use crate::stream::{Purpose, StreamKey};

/// What is known of a position. Values are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TurnAnalysis {
    /// The position as it was given.
    pub position: String,
    /// Who moves, `First` or `Second`.
    pub to_move: String,
    /// Half-moves played.
    pub ply: u16,
    /// Squares with nothing on them.
    pub empty_squares: u32,
    /// What each half-move may use.
    pub budget: BudgetInForce,
    /// Seed of the random stream.
    pub seed: u64,
    /// The turn that the engine plays, or what is left of it; None once the game is over.
    pub best_turn: Option<String>,
    /// How each half of it was found.
    pub halves: Vec<HalfAnalysis>,
    /// What the evaluation sees; None once the game is over.
    pub evaluation: Option<Evaluated>,
    /// Who wins; None beyond the limit.
    pub exact: Option<ExactTurn>,
    /// Units of work that the exact search for the report may use.
    pub solve_work: u64,
}

/// How a half-move was found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HalfAnalysis {
    /// The half-move, such as `d1-d7` or `/g7`.
    pub notation: String,
    /// The stage that acted.
    pub stage: StageInForce,
    /// Units of work spent on it.
    pub work_units: u64,
    /// What the search says.
    pub search: Searched,
    /// What UCT saw of the half-moves, most visited first; empty where none chose.
    pub moves: Vec<HalfMoveRow>,
}

/// What a search says of a half-move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Searched {
    /// Simulations of UCT.
    Uct {
        /// Simulations made; 0 where there was one move only.
        simulations: u64,
        /// Deepest node, in plies below the root.
        max_depth: u16,
        /// Nodes in the tree.
        tree_nodes: usize,
        /// The half-moves expected.
        principal_variation: Vec<String>,
    },
    /// Alpha-beta to a growing depth.
    Deepening {
        /// Depth in plies of the deepest iteration that has a say.
        depth_plies: u16,
        /// Positions valued.
        evaluations: u64,
        /// The value found, in squares; a win or loss is beyond any number of squares.
        value: f64,
    },
    /// A proof.
    AlphaBeta {
        /// `win` or `loss`.
        result: &'static str,
    },
}

/// What UCT saw of a half-move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HalfMoveRow {
    /// The half-move.
    pub notation: String,
    /// Its class, by the names of configurations.
    pub class: &'static str,
    /// T: simulations through it.
    pub visits: u32,
    /// X: mean value in 0 to 1, for the side to move; None without visits, as all that follow.
    pub mean: Option<f64>,
    /// G: the bias of its class.
    pub bias: Option<f64>,
    /// C · sqrt(2 ln N / T).
    pub exploration: Option<f64>,
    /// The sum of the three: the UCB.
    pub ucb: Option<f64>,
}

/// The evaluation of the stage that acts, term by term.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Evaluated {
    /// How the weights follow from what is contested: a word of `evaluation_form`.
    pub form: &'static str,
    /// X.
    pub x: f64,
    /// Y.
    pub y: f64,
    /// kappa.
    pub kappa: f64,
    /// Territory by queen moves.
    pub t1: f64,
    /// Territory by king's steps.
    pub t2: f64,
    /// Local advantage by queen moves.
    pub c1: f64,
    /// Local advantage by king's steps.
    pub c2: f64,
    /// How much is contested.
    pub w: f64,
    /// Defects of what is held.
    pub s: f64,
    /// a: weight of t1.
    pub a: f64,
    /// b: twice the weight of t2.
    pub b: f64,
    /// c: the weights of c1 and c2 together.
    pub c: f64,
    /// The value, in squares.
    pub value: f64,
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExactTurn {
    /// `win` or `loss`, for the side to move.
    pub result: &'static str,
    /// Nodes searched.
    pub nodes: u64,
}

/// Analyses positions of the Amazons with one configuration.
pub struct TurnAnalyser {
    config: EngineConfig,
    agent: Agent<Board, AmazonsKnowledge>,
    solver: Solver<Board>,
    seed: u64,
    solve_work: u64,
}

impl TurnAnalyser {
    /// An analyser that plays as `config` does with this seed (below 2^53) and proves who wins for
    /// the report where so much work is expected to do. On boards other than the configuration's
    /// it plays as [`scaled_to`] says.
    pub fn new(config: &EngineConfig, seed: u64, solve_work: u64) -> TurnAnalyser {
        TurnAnalyser {
            config: config.clone(),
            agent: Agent::new(config, AmazonsKnowledge),
            solver: Solver::new(config.table_mib, SolverOptions::default()),
            seed,
            solve_work,
        }
    }

    /// Analyses a position; `text` is what the report repeats of how it was given.
    pub fn analyse(&mut self, text: &str, position: &Board) -> TurnAnalysis {
        let config = scaled_to(&self.config, Amazons::rules_of(position));
        self.agent.configure(&config);
        let (turn, halves) = self.turn(&config, position);
        let is_over = position.outcome().is_some();
        let acting = self.agent.stage_of(position);
        let evaluation = evaluation_of(&config.stages, acting);
        TurnAnalysis {
            position: text.to_owned(),
            to_move: position.to_move().to_string(),
            ply: position.ply(),
            empty_squares: position.empty().count_ones(),
            budget: budget(config.budget),
            seed: self.seed,
            best_turn: (!is_over).then(|| position.format_turn(&turn)),
            halves,
            evaluation: (!is_over).then(|| Evaluated::of(position, &evaluation)),
            exact: self.solve(position),
            solve_work: self.solve_work,
        }
    }

    /// The turn that the agent plays, with how each half was found.
    fn turn(&mut self, config: &EngineConfig, start: &Board) -> (Vec<HalfMove>, Vec<HalfAnalysis>) {
        let purpose = match start.to_move() {
            Player::First => Purpose::First,
            Player::Second => Purpose::Second,
        };
        let mut stream = StreamKey::new(self.seed, purpose).stream();
        let mut position = *start;
        let (mut turn, mut halves) = (Vec::new(), Vec::new());
        while position.outcome().is_none() && position.to_move() == start.to_move() {
            let choice = self.agent.choose(&position, &mut stream);
            halves.push(half(config, &position, &choice));
            turn.push(choice.mv());
            position.play(choice.mv());
        }
        (turn, halves)
    }

    fn solve(&mut self, position: &Board) -> Option<ExactTurn> {
        let expected = AmazonsKnowledge.solving_units(position);
        if position.outcome().is_some() || expected > self.solve_work {
            return None;
        }
        self.solver.new_game();
        let mut limit = WorkLimit(self.solve_work);
        let mut work = Work::default();
        let solved = self
            .solver
            .solve(position, &AmazonsKnowledge, &mut limit, &mut work)?;
        Some(ExactTurn {
            result: result(solved.value.0),
            nodes: solved.nodes,
        })
    }
}

fn result(value: i16) -> &'static str {
    if value > 0 { "win" } else { "loss" }
}

/// The evaluation of a stage; of the one before where it searches exactly.
fn evaluation_of(stages: &[Stage], acting: usize) -> Evaluation {
    let before = stages[..=acting].iter().rev();
    let plan = before.filter_map(|stage| stage.searcher.plan()).next();
    let defaults = || uct_defaults(GameKind::Amazons).evaluation;
    plan.map_or_else(defaults, |plan| plan.constants.evaluation)
}

impl Evaluated {
    fn of(position: &Board, evaluation: &Evaluation) -> Evaluated {
        let formula = formula_of(evaluation);
        let own = position.to_move();
        let terms = Features::of(position).terms(own, formula.kappa);
        let weights = formula.weights(terms.w, position.turns());
        let words = crate::eval::amazons::Mapping::WORDS;
        let word = words
            .iter()
            .find(|(_, mapping)| *mapping == formula.mapping);
        Evaluated {
            form: word.map_or("", |(word, _)| word),
            x: formula.x,
            y: formula.y,
            kappa: formula.kappa,
            t1: terms.t1,
            t2: terms.t2,
            c1: terms.c1,
            c2: terms.c2,
            w: terms.w,
            s: terms.s,
            a: weights.t1,
            b: 2.0 * weights.t2,
            c: weights.c1 + weights.c2,
            value: formula.value(position, own),
        }
    }
}

fn half(config: &EngineConfig, position: &Board, choice: &Choice<HalfMove>) -> HalfAnalysis {
    let report = choice.report();
    let search = match &choice.found {
        Found::Uct(report) => Searched::Uct {
            simulations: report.simulations,
            max_depth: report.max_depth,
            tree_nodes: report.tree_nodes,
            principal_variation: {
                let line = report.principal_variation.iter();
                line.map(|&(mv, _)| position.format_turn(&[mv])).collect()
            },
        },
        Found::Deepening(report) => Searched::Deepening {
            depth_plies: report.depth_plies,
            evaluations: report.evaluations,
            value: report.value,
        },
        Found::Proven(_, value) => Searched::AlphaBeta {
            result: result(value.0),
        },
        Found::Unfinished(_) => unreachable!("only a front answers without a search"),
    };
    HalfAnalysis {
        notation: position.format_turn(&[choice.mv()]),
        stage: in_force(GameKind::Amazons, &config.stages, choice.stage, report),
        work_units: choice.work.units(),
        search,
        moves: report.map_or_else(Vec::new, |report| rows(position, report)),
    }
}

fn rows(position: &Board, report: &UctReport<HalfMove>) -> Vec<HalfMoveRow> {
    let children = report.children.iter().map(|child| {
        let visited = (child.visits > 0).then_some(child);
        let parts = visited.map(|child| ucb_parts(child, report));
        HalfMoveRow {
            notation: position.format_turn(&[child.mv]),
            class: Amazons::CLASS_NAMES[child.class.index()],
            visits: child.visits,
            mean: visited.map(|child| child.mean),
            bias: parts.map(|[bias, _]| bias),
            exploration: parts.map(|[_, exploration]| exploration),
            ucb: visited.map(|child| child.ucb),
        }
    });
    let mut rows: Vec<HalfMoveRow> = children.collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.visits));
    rows
}
