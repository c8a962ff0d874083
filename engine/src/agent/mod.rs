//! Agents: configured engines that choose moves. An agent owns its constants, tables and random
//! stream; two agents with different constants live side by side in one program.

mod bot;
mod contest;
mod front;
mod signals;
mod spending;
mod time;
mod watch;

use std::sync::Arc;

pub use bot::Bot;
pub use contest::{GameFailure, GameRecord, MoveRecord, Opinion, Referee, play_game};
pub use front::{Front, FrontMove, MakeBot, Patience, Source, Trouble};
pub use signals::Signals;
pub use time::{MonotonicTime, TimeSource, budgeted_time, default_deadline};
pub use watch::{GameWatch, Mover};

use crate::clock::{Amount, Budget, Per, StagePlan, Standing, allowance};
use crate::config::EngineConfig;
use crate::eval::{Knowledge, Work};
use crate::game::{GameKind, Position};
use crate::params::uct_defaults;
use crate::search::Value;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::search::deepening::{self, DeepeningConstants, DeepeningReport};
use crate::search::pvs::{Pvs, PvsConstants, PvsOptions};
use crate::search::uct::graph::GraphUct;
use crate::search::uct::{ChildReport, Transpositions, Uct, UctConstants, UctReport, leaves};
use crate::stage::{Progress, Searcher, Stage, Start, share_of_stage, stage_at, uct_stage_before};
use crate::stream::Stream;
use spending::{Listening, Meter};

/// Most nodes of a search tree, about 170 MiB if all are visited; the tree stops growing there, the
/// search does not.
const TREE_NODES_MAX: u32 = 2_000_000;

/// A configured engine.
pub struct Agent<P: Position, K: Knowledge<P>> {
    kind: GameKind,
    stages: Vec<Stage>,
    budget: Budget,
    knowledge: K,
    solver: Solver<P>,
    uct: Uct<P, K>,
    graph: GraphUct<P, K>,
    pvs: Pvs<P>,
    time: Arc<dyn TimeSource>,
    game: GameState,
}

/// What an agent remembers of the game it plays; nothing of it outlives the game.
#[derive(Clone, Copy, Default)]
struct GameState {
    /// Whether an exact search has been finished within the budget.
    has_proof: bool,
    /// Ply of the first move that was asked for: the plan of a budget for the game starts there.
    first_ply: Option<u16>,
    /// What has been used of a budget for the game, in its unit.
    used: u64,
}

/// How a move was found.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one a move")]
pub enum Found<M> {
    /// By proof: the move and the remaining value.
    Proven(M, Value),
    /// By UCT.
    Uct(UctReport<M>),
    /// By iterative deepening or principal variation search.
    Deepening(DeepeningReport<M>),
    /// By nobody's search to its end: a [`Front`] answered for a worker that did not.
    Unfinished(M),
}

impl<M> Found<M> {
    /// Simulations made; evaluations in iterative deepening.
    fn simulations(&self) -> u64 {
        match self {
            Found::Proven(..) | Found::Unfinished(_) => 0,
            Found::Uct(report) => report.simulations,
            Found::Deepening(report) => report.evaluations,
        }
    }
}

/// A chosen move and how it came about.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// Index of the stage that acted.
    pub stage: usize,
    /// What was done.
    pub work: Work,
    /// What was found.
    pub found: Found<M>,
}

impl<M: Copy + PartialEq> Choice<M> {
    /// The move.
    pub fn mv(&self) -> M {
        match &self.found {
            Found::Proven(mv, _) | Found::Unfinished(mv) => *mv,
            Found::Uct(report) => report.best_move,
            Found::Deepening(report) => report.best_move,
        }
    }

    /// Remaining value, where it is proven.
    pub fn proven(&self) -> Option<Value> {
        match self.found {
            Found::Proven(_, value) => Some(value),
            _ => None,
        }
    }

    /// What UCT found, where it chose.
    pub fn report(&self) -> Option<&UctReport<M>> {
        match &self.found {
            Found::Uct(report) => Some(report),
            _ => None,
        }
    }

    /// What the search made of the chosen move, where it tried it.
    pub fn opinion(&self) -> Option<Opinion> {
        match &self.found {
            Found::Uct(report) => {
                let is_chosen = |child: &&ChildReport<M>| child.mv == report.best_move;
                let chosen = report.children.iter().find(is_chosen)?;
                (chosen.visits > 0).then_some(Opinion::Uct {
                    visits: chosen.visits,
                    mean: chosen.mean,
                })
            }
            Found::Deepening(report) => {
                (report.depth_plies > 0).then_some(Opinion::Points(report.value))
            }
            Found::Proven(..) | Found::Unfinished(_) => None,
        }
    }

    /// Simulations behind the choice; evaluations in iterative deepening.
    pub fn simulations(&self) -> u64 {
        self.found.simulations()
    }
}

impl<P: Position, K: Knowledge<P>> Agent<P, K> {
    /// An agent with the stages, budget and table size of a configuration, by the machine's clock.
    pub fn new(config: &EngineConfig, knowledge: K) -> Self {
        Self::with_time(config, knowledge, Arc::new(MonotonicTime::default()))
    }

    /// An agent with a clock of its own.
    pub fn with_time(config: &EngineConfig, knowledge: K, time: Arc<dyn TimeSource>) -> Self {
        Self {
            kind: config.game.kind(),
            stages: config.stages.clone(),
            budget: config.budget,
            knowledge,
            solver: Solver::new(config.table_mib, SolverOptions::default()),
            uct: Uct::new(TREE_NODES_MAX),
            graph: GraphUct::new(TREE_NODES_MAX),
            pvs: Pvs::new(config.table_mib, PvsOptions::default()),
            time,
            game: GameState::default(),
        }
    }

    /// Takes over other stages and another budget; tables are kept and their content is not.
    pub fn configure(&mut self, config: &EngineConfig) {
        self.kind = config.game.kind();
        self.stages.clone_from(&config.stages);
        self.budget = config.budget;
        self.new_game();
    }

    /// Forgets everything of earlier games.
    pub fn new_game(&mut self) {
        self.solver.new_game();
        self.pvs.new_game();
        self.game = GameState::default();
    }

    /// The name of a stage.
    pub fn stage_name(&self, index: usize) -> &str {
        &self.stages[index].name
    }

    /// Index of the stage that acts in a position.
    pub fn stage_of(&self, position: &P) -> usize {
        stage_at(&self.stages, self.progress(position))
    }

    fn progress(&self, position: &P) -> Progress {
        let moves_left = self.knowledge.moves_left(position);
        let asked = self.stages.iter().any(|s| s.start == Start::Solvable);
        let measured = |stage: &Stage| matches!(stage.start, Start::ProgressBelow(_));
        let distance_to_end = if self.stages.iter().any(measured) {
            self.knowledge.distance_to_end(position)
        } else {
            f64::INFINITY
        };
        Progress {
            ply: position.ply(),
            moves_left,
            distance_to_end,
            solvable: asked && self.is_solvable(position),
        }
    }

    /// Whether an exact search is expected to end within what a move may use for it. Goes by the
    /// budget and not by what is left of it, so that a stage once begun goes on.
    fn is_solvable(&self, position: &P) -> bool {
        let amount = match self.budget.per {
            Per::Move => self.budget.amount,
            Per::Game => {
                let moves = (u64::from(self.knowledge.moves_left(position)) / 2).max(1);
                let number = self.budget.amount.number() / moves;
                self.budget.amount.with_number(number)
            }
        };
        let affordable = amount.exact_share().unwrap_or(amount).about_units();
        self.knowledge.solving_units(position) <= affordable
    }

    /// Whether the agent would play exactly here: its stage searches exactly, and either its
    /// budget does not limit that or it has already finished a proof in this game.
    pub fn plays_exactly(&self, position: &P) -> bool {
        let stage = &self.stages[self.stage_of(position)];
        let affordable = self.budget.amount.exact_share().is_none() || self.game.has_proof;
        stage.searcher == Searcher::AlphaBeta && affordable
    }

    /// Chooses a move. Precondition: the game is not over. The same agent, position and stream
    /// lead to the same choice, except by budgets of time.
    pub fn choose(&mut self, position: &P, stream: &mut Stream) -> Choice<P::Move> {
        self.choose_signalled(position, stream, &Signals::default())
    }

    /// As [`Agent::choose`]; the search listens to `signals` and says there what it has found so
    /// far. Once told to stop it answers within milliseconds, with the best move so far.
    pub fn choose_signalled(
        &mut self,
        position: &P,
        stream: &mut Stream,
        signals: &Signals,
    ) -> Choice<P::Move> {
        let stage = self.stage_of(position);
        let time = Arc::clone(&self.time);
        let allowed = self.allowed(position, stage);
        let meter = Meter::start(allowed, &*time, signals);
        let mut work = Work::default();
        let constants = self.constants(position, stage);
        let found = match self.stages[stage].searcher {
            Searcher::Uct(_) => {
                self.simulate(position, constants, allowed, meter, stream, &mut work)
            }
            Searcher::LeafUcb(_) => {
                let mut control = meter.control(allowed);
                let knowledge = &self.knowledge;
                Found::Uct(leaves::search(
                    position,
                    knowledge,
                    &constants,
                    stream,
                    &mut control,
                    &mut work,
                    TREE_NODES_MAX,
                ))
            }
            Searcher::IterativeDeepening(_) => {
                self.deepen(position, &constants, allowed, meter, &mut work)
            }
            Searcher::PrincipalVariation(_) => {
                self.search_variations(position, &constants, allowed, meter, &mut work)
            }
            Searcher::AlphaBeta => {
                let proven = self.solve(position, allowed, meter, &mut work);
                proven.unwrap_or_else(|| {
                    self.simulate(position, constants, allowed, meter, stream, &mut work)
                })
            }
        };
        let used = meter.used(allowed, &work, found.simulations());
        self.game.used = self.game.used.saturating_add(used);
        Choice { stage, work, found }
    }

    /// What this move may use. Begins the plan of the game with its first move.
    fn allowed(&mut self, position: &P, stage: usize) -> Amount {
        let total = self.budget.amount;
        if self.budget.per == Per::Move {
            return self.budget.without_overhead(total.number());
        }
        let progress = self.progress(position);
        let first_ply = *self.game.first_ply.get_or_insert(progress.ply);
        let plan = stage_plans(&self.stages, first_ply, progress);
        let now = stage_plans(&self.stages, progress.ply, progress);
        let standing = Standing {
            stage,
            moves_left: now[stage].moves.max(1.0),
            left: total.number().saturating_sub(self.game.used),
        };
        self.budget
            .without_overhead(allowance(total.number(), &plan, standing))
    }

    fn solve(
        &mut self,
        position: &P,
        allowed: Amount,
        meter: Meter<'_>,
        work: &mut Work,
    ) -> Option<Found<P::Move>> {
        let knowledge = &self.knowledge;
        let solved = match allowed.exact_share() {
            None => {
                let mut control = Listening(meter.signals());
                self.solver.solve(position, knowledge, &mut control, work)
            }
            Some(half) => {
                let mut control = meter.control(half);
                self.solver.solve(position, knowledge, &mut control, work)
            }
        }?;
        self.game.has_proof = true;
        Some(Found::Proven(solved.best_move, solved.value))
    }

    fn simulate(
        &mut self,
        position: &P,
        mut constants: UctConstants,
        allowed: Amount,
        meter: Meter<'_>,
        stream: &mut Stream,
        work: &mut Work,
    ) -> Found<P::Move> {
        if self.budget.per == Per::Move {
            // What is not used would be lost: there is nothing to save it for.
            constants.early_stop.simulations = 0;
        }
        let mut control = meter.control(allowed);
        let knowledge = &self.knowledge;
        let report = match constants.transpositions {
            Transpositions::Separate => {
                self.uct
                    .search(position, knowledge, &constants, stream, &mut control, work)
            }
            Transpositions::Shared => {
                self.graph
                    .search(position, knowledge, &constants, stream, &mut control, work)
            }
        };
        Found::Uct(report)
    }

    fn deepen(
        &mut self,
        position: &P,
        constants: &UctConstants,
        allowed: Amount,
        meter: Meter<'_>,
        work: &mut Work,
    ) -> Found<P::Move> {
        let constants = DeepeningConstants {
            depth_plies: constants.depth_plies,
            move_list: constants.move_list,
            evaluation: constants.evaluation,
        };
        let mut control = meter.control(allowed);
        let knowledge = &self.knowledge;
        Found::Deepening(deepening::search(
            position,
            knowledge,
            &constants,
            &mut control,
            work,
        ))
    }

    fn search_variations(
        &mut self,
        position: &P,
        constants: &UctConstants,
        allowed: Amount,
        meter: Meter<'_>,
        work: &mut Work,
    ) -> Found<P::Move> {
        let constants = PvsConstants {
            depth_plies: constants.depth_plies,
            width: constants.width,
            move_list: constants.move_list,
            evaluation: constants.evaluation,
        };
        let mut control = meter.control(allowed);
        let knowledge = &self.knowledge;
        let report = self
            .pvs
            .search(position, knowledge, &constants, &mut control, work);
        Found::Deepening(report)
    }

    /// The constants of a stage at this ply. Where exact search may give up, those of the last ply
    /// of the last UCT stage before stand in.
    fn constants(&self, position: &P, stage: usize) -> UctConstants {
        if let Some(plan) = self.stages[stage].searcher.plan() {
            return plan.at(share_of_stage(&self.stages, stage, self.progress(position)));
        }
        let before = uct_stage_before(&self.stages, stage);
        let plan = before.and_then(|index| self.stages[index].searcher.plan());
        plan.map_or_else(|| uct_defaults(self.kind), |plan| plan.at(1.0))
    }

    /// What the agent knows of its game.
    pub fn knowledge(&self) -> &K {
        &self.knowledge
    }
}

/// Moves of an exact stage that the plan of a game's budget provides for: once one of them has
/// brought the proof, the others cost next to nothing.
const EXACT_MOVES_PLANNED: f64 = 4.0;

/// What the plan of a game says of each stage from a ply on. Every other move is expected to be
/// one's own.
fn stage_plans(stages: &[Stage], from_ply: u16, progress: Progress) -> Vec<StagePlan> {
    let total = progress.ply + progress.moves_left;
    let first = |index: usize| -> u16 {
        let Some(stage) = stages.get(index) else {
            return total;
        };
        // A stage that begins when it can is planned to begin with the end of the game; one that
        // goes by the distance to the end as well, until it has begun.
        let begun = matches!(stage.start, Start::ProgressBelow(_)) && stage.start.holds(progress);
        let now = begun.then_some(progress.ply);
        stage.start.first_ply(total).or(now).unwrap_or(total)
    };
    let plan = |(index, stage): (usize, &Stage)| {
        // A later stage may begin first.
        let end = (index + 1..stages.len()).map(first).min().unwrap_or(total);
        let plies = end.min(total).saturating_sub(first(index).max(from_ply));
        let moves = f64::from(plies) / 2.0;
        let is_exact = stage.searcher == Searcher::AlphaBeta;
        StagePlan {
            moves: if is_exact {
                moves.min(EXACT_MOVES_PLANNED)
            } else {
                moves
            },
            share: stage.share,
            takes_savings: stage.takes_savings,
        }
    };
    stages.iter().enumerate().map(plan).collect()
}
