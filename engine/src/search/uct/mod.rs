//! Staged UCT: the constants of a stage, one tree, one thread.
//!
//! For child *i* of a node visited *N* times, seen by the player to move at that node:
//!
//! ```text
//! UCB_i = X_i + G(class of the move) + C * sqrt(2 ln N / T_i)
//! ```
//!
//! CITE: Kocsis & Szepesvári 2006, "Bandit based Monte-Carlo planning". A value is added for the
//! player who **chose** the move, who may be the one who also moves next: nothing is negated.
//! Children are created at expansion and tried once each, larger G first and in random order among
//! equals, before any is tried twice, unless a value is set for those not visited. The first child
//! of a node expanded in a simulation ends it. The order is drawn move by move, as children are
//! tried: most of them never are.

use super::{Control, SIMULATIONS_BETWEEN_REPORTS, report_best};
use crate::eval::{
    ClassSet, Evaluation, Knowledge, MoveClass, MoveList, MoveSet, RolloutPolicy, Work,
};
use crate::game::{Player, Position};
use crate::stream::Stream;
use tree::{ROOT, Ranked, Tree};

pub mod graph;
pub mod leaves;
mod select;
mod tree;
mod widening;

pub use select::highest_ucb;
pub use widening::Widening;

/// Which child of the root is played; equals are decided by the other measure, then by order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FinalMove {
    /// The most visited.
    Visits,
    /// The one with the highest mean value, bias not included.
    Mean,
    /// The one with the highest UCB.
    HighestUcb,
}

/// The constants of one search, those of the stage and ply of its root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctConstants {
    /// C, at least 0, in value units: balances exploration and exploitation.
    pub exploration: f64,
    /// G by move class, in value units; applies at every node.
    pub bias: [f64; MoveClass::COUNT],
    /// h: nodes this many plies below the root, or more, get no children; at least 1 (0 is taken
    /// as 1), `u16::MAX` for no limit.
    pub depth_plies: u16,
    /// Which moves become children.
    pub move_list: MoveList,
    /// How a leaf is evaluated.
    pub rollout: RolloutPolicy,
    /// Which child is played.
    pub final_move: FinalMove,
    /// The visit at which a node gets its children: 1 at once, 2 at the second visit (0 is 1).
    pub expand_after_visits: u32,
    /// m, in 0 to 1: weight of the final margin in a value beside win, draw and loss.
    pub margin_weight: f64,
    /// What a child that has not been visited counts with in place of mean and exploration term;
    /// from [`UNVISITED_FIRST`] on, such children come first.
    pub first_visit_value: f64,
    /// Weight of the static evaluation in the value of a leaf, in 0 to 1, beside the rollout's; at
    /// 1 nothing is played out.
    pub evaluation_weight: f64,
    /// The static evaluation.
    pub evaluation: Evaluation,
    /// How many children a node may have.
    pub widening: Widening,
    /// Moves that alpha-beta searches at a node, see [`crate::search::pvs`]; UCT has no use for it.
    pub width: u16,
    /// When to stop before the budget is used up.
    pub early_stop: EarlyStop,
    /// Whether positions that come by several orders of moves are one.
    pub transpositions: Transpositions,
}

/// What a search makes of a position that is reached by another order of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transpositions {
    /// Another node: a tree ([`Uct`]).
    Separate,
    /// The same node: a graph ([`graph::GraphUct`]).
    Shared,
}

/// A [`UctConstants::first_visit_value`] that no UCB reaches: unvisited children come first.
pub const UNVISITED_FIRST: f64 = 100.0;

/// When a search may stop early: its direction is clear (000_3082ec48a2fe8845, section 1.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EarlyStop {
    /// Simulations to be made at least; 0 never stops early.
    pub simulations: u32,
    /// The best child's mean alone must exceed every other child's UCB by this, in value units.
    pub margin: f64,
}

/// A search looks whether it may stop early once in so many simulations.
const EARLY_STOP_PERIOD: u64 = 32;

/// What a search found out about one child of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChildReport<M> {
    /// The move.
    pub mv: M,
    /// Its class.
    pub class: MoveClass,
    /// Simulations through it.
    pub visits: u32,
    /// Mean value in 0 to 1 for the player to move at the root; 0 without visits.
    pub mean: f64,
    /// Its UCB at the end, bias included; infinite without visits.
    pub ucb: f64,
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct UctReport<M> {
    /// The move to play, by [`UctConstants::final_move`].
    pub best_move: M,
    /// Simulations made: the sum of the children's visits; 0 when there was nothing to decide.
    pub simulations: u64,
    /// The children of the root in the order of their first visits.
    pub children: Vec<ChildReport<M>>,
    /// The line that the search expects, each move with its visits: the move to play, then the most
    /// visited child of every node, the first tried of equals. Never empty.
    pub principal_variation: Vec<(M, u32)>,
    /// The constants that the search used.
    pub constants: UctConstants,
    /// Deepest node visited, in plies below the root.
    pub max_depth: u16,
    /// Nodes in the tree, the root included.
    pub tree_nodes: usize,
}

/// A UCT searcher that keeps its memory from search to search, but nothing of its content.
pub struct Uct<P: Position, K: Knowledge<P>> {
    tree: Tree<P::Move, K::Moves>,
    /// Nodes of the current simulation below the root, each with the player who chose it.
    path: Vec<(usize, Player)>,
    /// The moves of the node that is being widened.
    ranked: Vec<Ranked<P::Move>>,
    /// The static value of the child tried last, where it is known, in points for who moves there.
    fresh_points: Option<f64>,
    max_nodes: usize,
}

/// The arguments of a search that do not change while it runs.
struct Setting<'a, P, K> {
    root: &'a P,
    knowledge: &'a K,
    constants: &'a UctConstants,
    /// Which untried moves come first.
    preference: [ClassSet; MoveClass::COUNT],
}

impl<'a, P: Position, K> Setting<'a, P, K> {
    /// The setting of a search. Precondition: the game is not over.
    fn new(root: &'a P, knowledge: &'a K, constants: &'a UctConstants) -> Self {
        assert!(
            root.outcome().is_none(),
            "a finished game has no move to search for"
        );
        Setting {
            root,
            knowledge,
            constants,
            preference: ClassSet::by_descending_bias(&constants.bias),
        }
    }
}

impl<P: Position, K: Knowledge<P>> Uct<P, K> {
    /// A searcher with at most `max_nodes` nodes in its tree. Only those visited take memory, about
    /// 90 bytes each with what choices among them read. Where the next expansion would exceed the
    /// limit, leaves stay leaves and the search goes on; the root's children are always created.
    pub fn new(max_nodes: u32) -> Self {
        Self {
            tree: Tree::new(),
            path: Vec::new(),
            ranked: Vec::new(),
            fresh_points: None,
            max_nodes: max_nodes as usize,
        }
    }

    /// Searches until the control says stop, which is asked after every simulation, and makes at
    /// least one simulation; none when the root's move list has a single entry, which is then the
    /// answer. Precondition: the game is not over.
    pub fn search(
        &mut self,
        root: &P,
        knowledge: &K,
        constants: &UctConstants,
        stream: &mut Stream,
        control: &mut dyn Control,
        work: &mut Work,
    ) -> UctReport<P::Move> {
        let setting = Setting::new(root, knowledge, constants);
        self.tree.clear(constants.bias);
        self.expand(&setting, ROOT, root, work);
        let mut simulations = 0;
        let mut max_depth = 0;
        if self.tree.node(ROOT).child_count > 1 {
            loop {
                max_depth = max_depth.max(self.simulate(&setting, stream, work));
                simulations += 1;
                if control.should_stop(work, simulations) {
                    break;
                }
                if simulations.is_multiple_of(SIMULATIONS_BETWEEN_REPORTS) {
                    self.report_best(&setting, control);
                }
                let left = control.simulations_left(work, simulations);
                if self.may_stop_early(constants, simulations, left) {
                    break;
                }
            }
        }
        let children = self.child_reports(&setting, stream);
        let best = &children[select::final_child(&children, constants.final_move)];
        UctReport {
            best_move: best.mv,
            simulations,
            principal_variation: self.principal_variation(best),
            constants: *constants,
            children,
            max_depth: max_depth as u16,
            tree_nodes: self.tree.size(),
        }
    }

    /// Tells the control which move would be chosen now.
    #[cold]
    fn report_best(&self, setting: &Setting<'_, P, K>, control: &mut dyn Control) {
        let children = select::reports_of_tried(&self.tree, ROOT, setting.constants);
        let best = select::final_child(&children, setting.constants.final_move);
        report_best(setting.root, children[best].mv, control);
    }

    /// Selects, expands, evaluates and backs up once; returns the depth of the leaf in plies.
    fn simulate(
        &mut self,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
        work: &mut Work,
    ) -> usize {
        let mut position = setting.root.clone();
        let mut node = ROOT;
        let mut may_expand = true;
        self.path.clear();
        loop {
            if !self.tree.is_expanded(node) {
                let goes_on = setting.constants.widening.is_on()
                    && setting.knowledge.is_within_turn(&position);
                if !goes_on {
                    if !may_expand || !self.is_due(node, setting.constants) {
                        break;
                    }
                    may_expand = false;
                }
                if !self.expand(setting, node, &position, work) {
                    break;
                }
            }
            let mover = position.to_move();
            let (child, mv) = self.select_child(node, setting, stream);
            node = child;
            work.tree_levels += 1;
            position.play(mv);
            self.path.push((node, mover));
        }
        let known = self.fresh_points.take();
        let values = leaf_values(&position, setting, known, stream, work);
        self.back_up(values);
        self.path.len()
    }

    /// Whether more simulations would hardly change the move: the best child's mean alone exceeds
    /// every other child's UCB, or no other can still get as many visits.
    fn may_stop_early(&self, constants: &UctConstants, simulations: u64, left: u64) -> bool {
        let stop = constants.early_stop;
        if stop.simulations == 0
            || simulations < u64::from(stop.simulations)
            || !simulations.is_multiple_of(EARLY_STOP_PERIOD)
            || (self.tree.node(ROOT).untried_count > 0 && !constants.widening.is_on())
        {
            return false;
        }
        let children = select::reports_of_tried(&self.tree, ROOT, constants);
        select::may_stop_early(&children, constants, left)
    }

    /// Whether an unexpanded node may get children at this visit.
    fn is_due(&self, node: usize, constants: &UctConstants) -> bool {
        self.path.len() < usize::from(constants.depth_plies)
            && self.tree.node(node).visits + 1 >= constants.expand_after_visits
    }

    /// Creates the children of a node; false where the game is over or the memory used up.
    fn expand(
        &mut self,
        setting: &Setting<'_, P, K>,
        node: usize,
        position: &P,
        work: &mut Work,
    ) -> bool {
        if position.outcome().is_some() || (node != ROOT && self.tree.size() >= self.max_nodes) {
            return false;
        }
        if setting.constants.widening.is_on() {
            return self.expand_ranked(setting, node, position, work);
        }
        let list = setting.constants.move_list;
        let moves = setting.knowledge.moves(position, list);
        let count = moves.count(ClassSet::ALL);
        if node != ROOT && self.tree.size() + count as usize > self.max_nodes {
            return false;
        }
        self.tree.expand(node, moves, count);
        work.children += u64::from(count);
        true
    }

    #[inline]
    fn select_child(
        &mut self,
        node: usize,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
    ) -> (usize, P::Move) {
        let constants = setting.constants;
        self.fresh_points = None;
        if self.tree.node(node).untried_count == 0 {
            return self.tree.best_child(node, constants.exploration);
        }
        if constants.widening.is_on() {
            return self.select_widened(node, constants);
        }
        if constants.first_visit_value < UNVISITED_FIRST
            && let Some(child) = self
                .tree
                .better_than_untried(node, setting.preference, constants)
        {
            return child;
        }
        let (mv, class) = self.tree.take_untried(node, &setting.preference, stream);
        (self.tree.add_child(node, mv, class), mv)
    }

    /// What the search found out about each child of the root: those tried, then the others in the
    /// order in which they would have been tried.
    fn child_reports(
        &mut self,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
    ) -> Vec<ChildReport<P::Move>> {
        let mut reports = select::reports_of_tried(&self.tree, ROOT, setting.constants);
        while self.tree.node(ROOT).untried_count > 0 {
            let (mv, class) = if setting.constants.widening.is_on() {
                let next = self.tree.take_ranked(ROOT);
                (next.mv, next.class)
            } else {
                self.tree.take_untried(ROOT, &setting.preference, stream)
            };
            reports.push(ChildReport {
                mv,
                class,
                visits: 0,
                mean: 0.0,
                ucb: f64::INFINITY,
            });
        }
        reports
    }

    fn principal_variation(&self, first: &ChildReport<P::Move>) -> Vec<(P::Move, u32)> {
        let tree = &self.tree;
        let mut line = vec![(first.mv, first.visits)];
        let tried = tree.tried_children(ROOT);
        let mut at = tried
            .into_iter()
            .find(|&child| tree.node(child).mv == Some(first.mv));
        while let Some(node) = at {
            // The last one to be tried stands first, and the last of equals is taken.
            let children = tree.tried_children(node).into_iter().rev();
            at = children.max_by_key(|&child| tree.node(child).visits);
            let next = at.map(|child| tree.node(child));
            line.extend(next.and_then(|child| Some((child.mv?, child.visits))));
        }
        line
    }

    /// Adds the values to every node of the path, for the player who chose that node.
    fn back_up(&mut self, values: [f64; 2]) {
        self.tree.record(ROOT, 0.0);
        for &(node, mover) in &self.path {
            self.tree.record(node, values[mover.index()]);
        }
    }
}

/// The values of a leaf for First and for Second: of the result where the game is over, otherwise
/// of a rollout, of the static evaluation, or of both by their weights. The static evaluation is
/// not made again where it is known.
#[inline]
fn leaf_values<P: Position, K: Knowledge<P>>(
    position: &P,
    setting: &Setting<'_, P, K>,
    known_points: Option<f64>,
    stream: &mut Stream,
    work: &mut Work,
) -> [f64; 2] {
    let constants = setting.constants;
    let of_margin = |margin: i32| {
        let (limit, weight) = (position.margin_limit(), constants.margin_weight);
        Player::ALL.map(|player| value_of_margin(margin * player.sign(), limit, weight))
    };
    if position.outcome().is_some() {
        return of_margin(position.margin());
    }
    let share = constants.evaluation_weight;
    let mut values = [0.0; 2];
    if share < 1.0 {
        let policy = constants.rollout;
        let margin = setting.knowledge.rollout(position, policy, stream, work);
        values = of_margin(margin);
    }
    if share > 0.0 {
        let evaluation = &constants.evaluation;
        let knowledge = setting.knowledge;
        let remaining =
            known_points.unwrap_or_else(|| knowledge.evaluate(position, evaluation, work));
        let mover = position.to_move();
        let ahead = f64::from(position.margin() * mover.sign()) + remaining;
        let value = evaluation.value_of_points(ahead);
        for player in Player::ALL {
            let own = if player == mover { value } else { 1.0 - value };
            let at = player.index();
            values[at] = (1.0 - share) * values[at] + share * own;
        }
    }
    values
}

/// X: the value in 0 to 1 of a final margin for the player whose margin it is.
fn value_of_margin(margin: i32, limit: i32, margin_weight: f64) -> f64 {
    let result = match margin {
        1.. => 1.0,
        0 => 0.5,
        _ => 0.0,
    };
    let share = 0.5 + f64::from(margin) / f64::from(2 * limit);
    (1.0 - margin_weight) * result + margin_weight * share
}

#[cfg(test)]
mod tests;
