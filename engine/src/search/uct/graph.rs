//! UCT on a graph: positions that are reached by several orders of moves are one node.
//!
//! 003_dafe418a6a6d4fd0 leaves open what to do with "the same position by another order"; in Dots
//! and Boxes the order of edges that give nothing never matters. A node is a position; what a
//! parent has spent on a child is a matter of the edge between them, so visits are counted by edge,
//! and a parent's mean is that of its edges: each edge's visits times the child's mean when the
//! edge was last taken. Then a child that others have visited too is known better, and is not
//! visited less for it.
//! CITE: Childs, Brodeur, Kocsis 2008, "Transpositions and move groups in Monte Carlo tree search";
//! Saffidine, Cazenave, Méhat 2012, "UCD: upper confidence bound for rooted directed acyclic
//! graphs".
//!
//! Nodes are told apart by the key of the position, score and side to move included, so that wins
//! and losses are those of the position. Precondition: no position of a game comes twice.

use super::{
    ChildReport, EARLY_STOP_PERIOD, Setting, UNVISITED_FIRST, UctConstants, UctReport, leaf_values,
    select,
};
use crate::eval::{ClassSet, Knowledge, MoveClass, MoveSet, Work};
use crate::game::Position;
use crate::search::{Control, SIMULATIONS_BETWEEN_REPORTS, report_best};
use crate::stream::Stream;

/// Index of the root.
const ROOT: usize = 0;
/// No node.
const NONE: u32 = u32::MAX;

struct Node<S> {
    key: u64,
    /// For First, of all visits: its own evaluations and, by edge, its children's means.
    sum: f64,
    /// Evaluations of the node itself and visits of its edges.
    visits: u32,
    /// Of these the visits of its edges, N of the formula.
    spent: u32,
    untried: S,
    untried_count: u32,
    /// Where its edges begin; tried ones come first.
    first_edge: u32,
    edge_count: u32,
}

impl<S> Node<S> {
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits)
    }

    fn tried(&self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + (self.edge_count - self.untried_count) as usize
    }
}

#[derive(Clone, Copy)]
struct Edge<M> {
    mv: Option<M>,
    class: MoveClass,
    child: u32,
    visits: u32,
    /// The child's mean for First when the edge was last taken.
    mean: f64,
}

/// A graph searcher that keeps its memory from search to search, but nothing of its content.
pub struct GraphUct<P: Position, K: Knowledge<P>> {
    nodes: Vec<Node<K::Moves>>,
    edges: Vec<Edge<P::Move>>,
    /// Of each edge, for the player to move at its parent: mean and bias; one over the root of
    /// the visits. Apart, so that a choice is one pass over consecutive numbers.
    scores: Vec<f64>,
    inverse_roots: Vec<f64>,
    table: Table,
    /// Nodes and edges of the current simulation, and whether First chose.
    path: Vec<(usize, usize, bool)>,
    max_nodes: usize,
}

impl<P: Position, K: Knowledge<P>> GraphUct<P, K> {
    /// A searcher with at most `max_nodes` positions; beyond, leaves stay leaves.
    pub fn new(max_nodes: u32) -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            scores: Vec::new(),
            inverse_roots: Vec::new(),
            table: Table::default(),
            path: Vec::new(),
            max_nodes: max_nodes as usize,
        }
    }

    /// Searches as [`Uct::search`](super::Uct::search) does, with the same kind of report; the
    /// visits of a child are those of the edge from the root.
    /// Precondition: the game is not over.
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
        self.clear();
        self.node_of(root);
        self.expand(ROOT, root, &setting, work);
        let (mut simulations, mut max_depth) = (0, 0);
        if self.nodes[ROOT].edge_count > 1 {
            loop {
                max_depth = max_depth.max(self.simulate(&setting, stream, work));
                simulations += 1;
                let left = control.simulations_left(work, simulations);
                if control.should_stop(work, simulations)
                    || self.may_stop_early(root, constants, simulations, left)
                {
                    break;
                }
                if simulations.is_multiple_of(SIMULATIONS_BETWEEN_REPORTS) {
                    let children = self.tried_children(root, constants);
                    let best = select::final_child(&children, constants.final_move);
                    report_best(root, children[best].mv, control);
                }
            }
        }
        self.report(&setting, stream, simulations, max_depth)
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.scores.clear();
        self.inverse_roots.clear();
        self.table.clear();
    }

    /// The node of a position, made if it is new.
    fn node_of(&mut self, position: &P) -> usize {
        let key = position.key();
        let nodes = &self.nodes;
        let found = self
            .table
            .find(key, |index| nodes[index as usize].key == key);
        if let Some(index) = found {
            return index as usize;
        }
        let index = self.nodes.len();
        self.nodes.push(Node {
            key,
            sum: 0.0,
            visits: 0,
            spent: 0,
            untried: K::Moves::default(),
            untried_count: 0,
            first_edge: 0,
            edge_count: 0,
        });
        let nodes = &self.nodes;
        self.table
            .insert(key, index as u32, |index| nodes[index as usize].key);
        index
    }

    fn expand(&mut self, index: usize, position: &P, setting: &Setting<'_, P, K>, work: &mut Work) {
        let moves = setting
            .knowledge
            .moves(position, setting.constants.move_list);
        let count = moves.count(ClassSet::ALL);
        let node = &mut self.nodes[index];
        node.untried = moves;
        node.untried_count = count;
        node.edge_count = count;
        node.first_edge = self.edges.len() as u32;
        let end = self.edges.len() + count as usize;
        self.edges.resize(
            end,
            Edge {
                mv: None,
                class: MoveClass(0),
                child: NONE,
                visits: 0,
                mean: 0.0,
            },
        );
        self.scores.resize(end, 0.0);
        self.inverse_roots.resize(end, 0.0);
        work.children += u64::from(count);
    }

    /// Selects, expands, evaluates and backs up once; returns the depth of the leaf in plies.
    fn simulate(
        &mut self,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
        work: &mut Work,
    ) -> usize {
        let constants = setting.constants;
        let mut position = setting.root.clone();
        let mut node = ROOT;
        let mut may_expand = true;
        self.path.clear();
        loop {
            if self.nodes[node].edge_count == 0 {
                let is_due = may_expand
                    && self.path.len() < usize::from(constants.depth_plies)
                    && self.nodes[node].visits + 1 >= constants.expand_after_visits
                    && self.nodes.len() < self.max_nodes
                    && position.outcome().is_none();
                if !is_due {
                    break;
                }
                may_expand = false;
                self.expand(node, &position, setting, work);
            }
            let by_first = position.to_move().index() == 0;
            let edge = self.select(node, setting, stream);
            work.tree_levels += 1;
            position.play(self.edges[edge].mv.expect("a tried edge has a move"));
            self.path.push((node, edge, by_first));
            if self.edges[edge].child == NONE {
                let child = self.node_of(&position);
                self.edges[edge].child = child as u32;
            }
            node = self.edges[edge].child as usize;
        }
        let values = leaf_values(&position, setting, None, stream, work);
        self.back_up(node, values[0], constants);
        self.path.len()
    }

    /// The edge to take: an untried move, or the one with the highest UCB.
    fn select(&mut self, index: usize, setting: &Setting<'_, P, K>, stream: &mut Stream) -> usize {
        let constants = setting.constants;
        let node = &self.nodes[index];
        let tried = node.tried();
        let best = (!tried.is_empty()).then(|| {
            let terms = select::VisitTerms::get();
            let factor = constants.exploration * terms.root_of_log(node.spent.max(1));
            let (scores, roots) = (
                &self.scores[tried.clone()],
                &self.inverse_roots[tried.clone()],
            );
            let place = tried.start + select::highest_ucb(scores, roots, factor);
            (
                place,
                self.scores[place] + factor * self.inverse_roots[place],
            )
        });
        if node.untried_count == 0 {
            return best.expect("an expanded node has edges").0;
        }
        let left = |classes: &&ClassSet| node.untried.count(**classes) > 0;
        let classes = setting.preference.iter().find(left);
        let classes = *classes.expect("every class is in one of the sets");
        let mut all = (0..MoveClass::COUNT as u8).map(MoveClass);
        let class = all.find(|&class| classes.contains(class));
        let bias = class.map_or(0.0, |class| constants.bias[class.index()]);
        match best {
            Some((place, ucb))
                if constants.first_visit_value < UNVISITED_FIRST
                    && ucb > constants.first_visit_value + bias =>
            {
                place
            }
            _ => self.try_move(index, classes, stream),
        }
    }

    /// Makes an edge of an untried move of these classes.
    fn try_move(&mut self, index: usize, classes: ClassSet, stream: &mut Stream) -> usize {
        let node = &mut self.nodes[index];
        let edge = node.tried().end;
        let count = node.untried.count(classes);
        let (mv, class) = node.untried.take(classes, stream.below(count));
        node.untried_count -= 1;
        self.edges[edge].mv = Some(mv);
        self.edges[edge].class = class;
        edge
    }

    /// Counts an evaluation, First's value, at the leaf, and one more visit at every edge of the
    /// path, with the mean that its child now has.
    fn back_up(&mut self, leaf: usize, value: f64, constants: &UctConstants) {
        let terms = select::VisitTerms::get();
        self.nodes[leaf].sum += value;
        self.nodes[leaf].visits += 1;
        for &(parent, at, by_first) in self.path.iter().rev() {
            let edge = &mut self.edges[at];
            let mean = self.nodes[edge.child as usize].mean();
            let before = f64::from(edge.visits) * edge.mean;
            edge.visits += 1;
            edge.mean = mean;
            let change = f64::from(edge.visits) * mean - before;
            let own = if by_first { mean } else { 1.0 - mean };
            self.scores[at] = own + constants.bias[edge.class.index()];
            self.inverse_roots[at] = terms.inverse_root(edge.visits);
            self.nodes[parent].sum += change;
            self.nodes[parent].visits += 1;
            self.nodes[parent].spent += 1;
        }
    }

    fn may_stop_early(
        &self,
        root: &P,
        constants: &UctConstants,
        simulations: u64,
        left: u64,
    ) -> bool {
        let stop = constants.early_stop;
        if stop.simulations == 0
            || simulations < u64::from(stop.simulations)
            || !simulations.is_multiple_of(EARLY_STOP_PERIOD)
            || self.nodes[ROOT].untried_count > 0
        {
            return false;
        }
        let children = self.tried_children(root, constants);
        select::may_stop_early(&children, constants, left)
    }

    fn tried_children(&self, root: &P, constants: &UctConstants) -> Vec<ChildReport<P::Move>> {
        let terms = select::VisitTerms::get();
        let by_first = root.to_move().index() == 0;
        let edges = &self.edges[self.nodes[ROOT].tried()];
        let spent = self.nodes[ROOT].spent;
        let factor = constants.exploration * terms.root_of_log(spent.max(1));
        let report = |edge: &Edge<P::Move>| {
            let mean = if by_first { edge.mean } else { 1.0 - edge.mean };
            ChildReport {
                mv: edge.mv.expect("a tried edge has a move"),
                class: edge.class,
                visits: edge.visits,
                mean,
                ucb: mean
                    + constants.bias[edge.class.index()]
                    + factor * terms.inverse_root(edge.visits),
            }
        };
        edges.iter().map(report).collect()
    }

    fn report(
        &mut self,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
        simulations: u64,
        max_depth: usize,
    ) -> UctReport<P::Move> {
        let constants = setting.constants;
        let mut children = self.tried_children(setting.root, constants);
        for classes in setting.preference {
            while self.nodes[ROOT].untried.count(classes) > 0 {
                let edge = self.try_move(ROOT, classes, stream);
                children.push(ChildReport {
                    mv: self.edges[edge].mv.expect("just tried"),
                    class: self.edges[edge].class,
                    visits: 0,
                    mean: 0.0,
                    ucb: f64::INFINITY,
                });
            }
        }
        let best = select::final_child(&children, constants.final_move);
        UctReport {
            best_move: children[best].mv,
            simulations,
            principal_variation: self.principal_variation(best),
            constants: *constants,
            max_depth: max_depth as u16,
            tree_nodes: self.nodes.len(),
            children,
        }
    }

    fn principal_variation(&self, first: usize) -> Vec<(P::Move, u32)> {
        let mut line = Vec::new();
        let mut at = Some(self.nodes[ROOT].first_edge as usize + first);
        while let Some(edge) = at.map(|place| &self.edges[place]) {
            line.extend(edge.mv.map(|mv| (mv, edge.visits)));
            at = match edge.child {
                NONE => None,
                child => {
                    let places = self.nodes[child as usize].tried().rev();
                    // The first of equals: the last one seen from behind.
                    places.max_by_key(|&place| self.edges[place].visits)
                }
            };
        }
        line
    }
}

/// Indices of nodes by key: open addressing, at most half full.
#[derive(Default)]
struct Table {
    slots: Vec<u32>,
    filled: usize,
}

impl Table {
    const FIRST_SLOTS: usize = 1 << 10;

    fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(Self::FIRST_SLOTS, NONE);
        self.filled = 0;
    }

    fn find(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != NONE {
            if is_it(self.slots[slot]) {
                return Some(self.slots[slot]);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// Precondition: the key is not in the table; `key_of` tells the key of every index in it.
    fn insert(&mut self, key: u64, index: u32, key_of: impl Fn(u32) -> u64) {
        if 2 * (self.filled + 1) > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots.resize(2 * old.len(), NONE);
            for index in old.into_iter().filter(|&index| index != NONE) {
                self.place(key_of(index), index);
            }
        }
        self.place(key, index);
        self.filled += 1;
    }

    fn place(&mut self, key: u64, index: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != NONE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::dots::DotsKnowledge;
    use crate::eval::toy::ToyKnowledge;
    use crate::game::GameKind;
    use crate::game::dots::{Board, Dots};
    use crate::game::toy::{ToyMove, ToyPosition};
    use crate::params::uct_defaults;
    use crate::search::SimulationLimit;
    use crate::search::plain::plain_minimax;
    use crate::search::uct::Uct;
    use crate::stream::{Purpose, StreamKey};

    fn stream(seed: u64) -> Stream {
        StreamKey::new(seed, Purpose::Bench).stream()
    }

    fn toy(text: &str, constants: &UctConstants, simulations: u64) -> [UctReport<ToyMove>; 2] {
        let game: ToyPosition = text.parse().expect("a tree");
        let knowledge = ToyKnowledge::new(game.tree());
        let mut limit = SimulationLimit(simulations);
        let graph = GraphUct::new(1 << 16).search(
            &game,
            &knowledge,
            constants,
            &mut stream(1),
            &mut limit,
            &mut Work::default(),
        );
        let tree = Uct::new(1 << 16).search(
            &game,
            &knowledge,
            constants,
            &mut stream(1),
            &mut limit,
            &mut Work::default(),
        );
        [graph, tree]
    }

    #[test]
    fn without_transpositions_a_graph_is_the_tree() {
        // All ends differ in score, so no two nodes are the same position.
        let text = "1(1:1(3:2(9:2,18:1),-5:1(13:2,-29:2)),0:2(6:2(21:1,-40:1)),\
                    2:2(8:2(-37:1,23:1),45:1))";
        for simulations in [1, 2, 5, 20, 100, 500] {
            let [graph, tree] = toy(text, &uct_defaults(GameKind::DotsAndBoxes), simulations);
            let visits = |report: &UctReport<ToyMove>| -> Vec<(ToyMove, u32)> {
                report.children.iter().map(|c| (c.mv, c.visits)).collect()
            };
            assert_eq!(visits(&graph), visits(&tree));
            for (one, other) in graph.children.iter().zip(&tree.children) {
                assert!((one.mean - other.mean).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn positions_by_another_order_are_one_node_with_visits_by_edge() {
        let board = Board::of(2, 2).expect("a board");
        let root = Dots::new(board);
        let constants = uct_defaults(GameKind::DotsAndBoxes);
        let mut work = Work::default();
        let mut graph = GraphUct::new(1 << 20);
        let mut limit = SimulationLimit(20_000);
        let report = graph.search(
            &root,
            &DotsKnowledge,
            &constants,
            &mut stream(2),
            &mut limit,
            &mut work,
        );
        let visits: u32 = report.children.iter().map(|child| child.visits).sum();
        assert_eq!(visits, 20_000);
        // 2x2 has 4,096 edge masks; scores multiply them, orders do not.
        assert!(report.tree_nodes < 9_000, "{}", report.tree_nodes);
        // Every node's sum is that of its own evaluations and its edges: the own ones are each in
        // 0 to 1.
        for node in &graph.nodes {
            let edges = &graph.edges[node.tried()];
            let by_edges: f64 = edges.iter().map(|e| f64::from(e.visits) * e.mean).sum();
            let spent: u32 = edges.iter().map(|edge| edge.visits).sum();
            assert_eq!(node.spent, spent);
            let own = node.visits - spent;
            let rest = node.sum - by_edges;
            assert!(
                (-1e-6..=f64::from(own) + 1e-6).contains(&rest),
                "{rest} of {own}"
            );
        }
    }

    #[test]
    fn a_graph_search_finds_the_best_moves_of_a_small_board() {
        let board = Board::of(2, 2).expect("a board");
        let constants = UctConstants {
            exploration: 0.5,
            margin_weight: 1.0,
            ..uct_defaults(GameKind::DotsAndBoxes)
        };
        let mut graph = GraphUct::new(1 << 20);
        for seed in 0..12 {
            let mut root = Dots::new(board);
            let mut draws = stream(100 + seed);
            for _ in 0..4 {
                let mut moves = Vec::new();
                root.legal_moves(&mut moves);
                root.play(moves[draws.below(moves.len() as u32) as usize]);
            }
            let mut limit = SimulationLimit(20_000);
            let mut work = Work::default();
            let report = graph.search(
                &root,
                &DotsKnowledge,
                &constants,
                &mut draws,
                &mut limit,
                &mut work,
            );
            let best = plain_minimax(&root).optimal_moves;
            assert!(
                best.contains(&report.best_move),
                "{root} {:?}",
                report.best_move
            );
        }
    }
}
