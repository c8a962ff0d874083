//! Agents: configured engines that choose moves. An agent owns its constants, tables and random
//! stream; two agents with different constants live side by side in one program.

mod contest;

pub use contest::{GameFailure, GameRecord, MoveRecord, Referee, play_game};

use crate::clock::Budget;
use crate::config::EngineConfig;
use crate::eval::{Knowledge, Work};
use crate::game::Position;
use crate::params::uct_defaults;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::uct::{Uct, UctReport};
use crate::search::{Unlimited, Value};
use crate::stage::{Searcher, Stage, stage_at, uct_stage_before};
use crate::stream::Stream;

/// Most nodes of a search tree, about 170 MiB if all are visited; the tree stops growing there, the
/// search does not.
const TREE_NODES_MAX: u32 = 2_000_000;

/// A configured engine.
pub struct Agent<P: Position, K: Knowledge<P>> {
    stages: Vec<Stage>,
    budget: Budget,
    knowledge: K,
    solver: Solver<P>,
    uct: Uct<P, K>,
    /// Whether an exact search of this game has been finished within the budget.
    has_proof: bool,
}

/// A chosen move and how it came about.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// Index of the stage that acted.
    pub stage: usize,
    /// What was done.
    pub work: Work,
    /// Remaining value, where it is proven.
    pub proven: Option<Value>,
    /// What UCT found, where it chose.
    pub report: Option<UctReport<M>>,
}

impl<M> Choice<M> {
    /// Simulations behind the choice.
    pub fn simulations(&self) -> u64 {
        self.report.as_ref().map_or(0, |report| report.simulations)
    }
}

impl<P: Position, K: Knowledge<P>> Agent<P, K> {
    /// An agent with the stages, budget and table size of a configuration.
    pub fn new(config: &EngineConfig, knowledge: K) -> Self {
        Self {
            stages: config.stages.clone(),
            budget: config.budget,
            knowledge,
            solver: Solver::new(config.table_mib, SolverOptions::default()),
            uct: Uct::new(TREE_NODES_MAX),
            has_proof: false,
        }
    }

    /// Takes over other stages and another budget; tables are kept and their content is not.
    pub fn configure(&mut self, config: &EngineConfig) {
        self.stages.clone_from(&config.stages);
        self.budget = config.budget;
        self.new_game();
    }

    /// Forgets everything of earlier games.
    pub fn new_game(&mut self) {
        self.solver.new_game();
        self.has_proof = false;
    }

    /// The name of a stage.
    pub fn stage_name(&self, index: usize) -> &str {
        &self.stages[index].name
    }

    /// Index of the stage that acts in a position.
    pub fn stage_of(&self, position: &P) -> usize {
        stage_at(
            &self.stages,
            position.ply(),
            self.knowledge.moves_left(position),
        )
    }

    /// Whether the agent would play exactly here: its stage searches exactly, and either its
    /// budget does not limit that or it has already finished a proof in this game.
    pub fn plays_exactly(&self, position: &P) -> bool {
        let stage = &self.stages[self.stage_of(position)];
        let affordable = self.budget.exact_share().is_none() || self.has_proof;
        stage.searcher == Searcher::AlphaBeta && affordable
    }

    /// Chooses a move. Precondition: the game is not over. The same agent, position and stream
    /// lead to the same choice.
    pub fn choose(&mut self, position: &P, stream: &mut Stream) -> Choice<P::Move> {
        let stage = self.stage_of(position);
        let mut work = Work::default();
        if self.stages[stage].searcher == Searcher::AlphaBeta
            && let Some((mv, value)) = self.solve(position, &mut work)
        {
            return Choice {
                mv,
                stage,
                work,
                proven: Some(value),
                report: None,
            };
        }
        let report = self.simulate(position, stage, stream, &mut work);
        Choice {
            mv: report.best_move,
            stage,
            work,
            proven: None,
            report: Some(report),
        }
    }

    fn solve(&mut self, position: &P, work: &mut Work) -> Option<(P::Move, Value)> {
        let solved = match self.budget.exact_share() {
            None => self
                .solver
                .solve(position, &self.knowledge, &mut Unlimited, work),
            Some(units) => {
                let mut control = Budget::Work(units).control();
                self.solver
                    .solve(position, &self.knowledge, &mut control, work)
            }
        }?;
        self.has_proof = true;
        Some((solved.best_move, solved.value))
    }

    fn simulate(
        &mut self,
        position: &P,
        stage: usize,
        stream: &mut Stream,
        work: &mut Work,
    ) -> UctReport<P::Move> {
        let default = uct_defaults();
        let constants = match uct_stage_before(&self.stages, stage) {
            Some(index) => match &self.stages[index].searcher {
                Searcher::Uct(constants) => constants,
                Searcher::AlphaBeta => &default,
            },
            None => &default,
        };
        let mut control = self.budget.control();
        self.uct.search(
            position,
            &self.knowledge,
            constants,
            stream,
            &mut control,
            work,
        )
    }

    /// What the agent knows of its game.
    pub fn knowledge(&self) -> &K {
        &self.knowledge
    }
}
