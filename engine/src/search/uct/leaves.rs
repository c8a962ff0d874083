//! UCB over all leaves of the tree at once, for comparison with UCB level by level.
//!
//! 003_dafe418a6a6d4fd0 describes two ways to spend simulations on a tree and asks to try both: the
//! first lists every leaf as an arm of one bandit and plays the one of highest UCB, the second is
//! UCT. Here every leaf has the mean of its own simulations for the player who moved to it, and N
//! counts all simulations. A leaf that is played again gets children, which are leaves then; the
//! choice costs a pass over all leaves.

use super::{ChildReport, Setting, UctConstants, UctReport, leaf_values, select};
use crate::eval::{Knowledge, MoveClass, MoveSet, Work};
use crate::game::Position;
use crate::search::{Control, SIMULATIONS_BETWEEN_REPORTS, report_best};
use crate::stream::Stream;

/// Index of the root.
const ROOT: usize = 0;

/// A pass over so many leaves costs about as much as a level of a tree.
const LEAVES_OF_A_LEVEL: u64 = 30;

struct Node<P: Position> {
    position: P,
    parent: usize,
    /// The move that leads here and its class; the root has none.
    arrival: Option<(P::Move, MoveClass)>,
    /// Index of the player who moved here.
    mover: usize,
    depth: u16,
    visits: u32,
    /// Of the values for `mover`.
    sum: f64,
    has_children: bool,
}

struct Leaves<P: Position> {
    nodes: Vec<Node<P>>,
    /// Nodes without children, in the order of their making.
    leaves: Vec<usize>,
    max_nodes: usize,
}

/// Searches until the control says stop, as [`Uct::search`](super::Uct::search) does: the same
/// report, and at least one simulation unless the root has a single move.
/// Precondition: the game is not over.
pub fn search<P: Position, K: Knowledge<P>>(
    root: &P,
    knowledge: &K,
    constants: &UctConstants,
    stream: &mut Stream,
    control: &mut dyn Control,
    work: &mut Work,
    max_nodes: u32,
) -> UctReport<P::Move> {
    let setting = Setting::new(root, knowledge, constants);
    let mut tree = Leaves {
        nodes: vec![Node {
            position: root.clone(),
            parent: ROOT,
            arrival: None,
            mover: root.to_move().index(),
            depth: 0,
            visits: 0,
            sum: 0.0,
            has_children: false,
        }],
        leaves: Vec::new(),
        max_nodes: max_nodes as usize,
    };
    tree.expand(ROOT, &setting, stream, work);
    let mut simulations = 0;
    while tree.leaves.len() > 1 || simulations > 0 {
        tree.simulate(simulations, &setting, stream, work);
        simulations += 1;
        if control.should_stop(work, simulations) {
            break;
        }
        if simulations.is_multiple_of(SIMULATIONS_BETWEEN_REPORTS) {
            report_best(root, tree.report(constants, simulations).best_move, control);
        }
    }
    tree.report(constants, simulations)
}

impl<P: Position> Leaves<P> {
    /// Gives a node its children in the order in which they are to be tried.
    fn expand<K: Knowledge<P>>(
        &mut self,
        index: usize,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
        work: &mut Work,
    ) {
        let position = self.nodes[index].position.clone();
        let list = setting.constants.move_list;
        let mut moves = setting.knowledge.moves(&position, list);
        for classes in setting.preference {
            let mut left = moves.count(classes);
            while left > 0 {
                let arrival = moves.take(classes, stream.below(left));
                left -= 1;
                let mut child = position.clone();
                child.play(arrival.0);
                self.leaves.push(self.nodes.len());
                work.children += 1;
                self.nodes.push(Node {
                    position: child,
                    parent: index,
                    arrival: Some(arrival),
                    mover: position.to_move().index(),
                    depth: self.nodes[index].depth + 1,
                    visits: 0,
                    sum: 0.0,
                    has_children: false,
                });
            }
        }
        self.nodes[index].has_children = true;
    }

    fn simulate<K: Knowledge<P>>(
        &mut self,
        simulations: u64,
        setting: &Setting<'_, P, K>,
        stream: &mut Stream,
        work: &mut Work,
    ) {
        let constants = setting.constants;
        let mut place = self.best_leaf(simulations, constants);
        // The pass costs as a level for every so many leaves.
        work.tree_levels += 1 + self.leaves.len() as u64 / LEAVES_OF_A_LEVEL;
        let leaf = &self.nodes[self.leaves[place]];
        let may_grow = leaf.visits + 1 >= constants.expand_after_visits.max(2)
            && leaf.depth < constants.depth_plies
            && leaf.position.outcome().is_none()
            && self.nodes.len() < self.max_nodes;
        if may_grow {
            let index = self.leaves.swap_remove(place);
            place = self.leaves.len();
            self.expand(index, setting, stream, work);
        }
        let mut index = self.leaves[place];
        let values = leaf_values(&self.nodes[index].position, setting, None, stream, work);
        loop {
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.sum += values[node.mover];
            if index == ROOT {
                break;
            }
            index = node.parent;
        }
    }

    /// Place of the leaf with the highest UCB, an unvisited one first; the first of equals.
    fn best_leaf(&self, simulations: u64, constants: &UctConstants) -> usize {
        let total = (simulations.max(1)) as f64;
        let factor = constants.exploration * (2.0 * libm::log(total)).sqrt();
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (place, &index) in self.leaves.iter().enumerate() {
            let ucb = self.ucb(index, factor, constants);
            if ucb > highest {
                (best, highest) = (place, ucb);
            }
        }
        best
    }

    fn ucb(&self, index: usize, factor: f64, constants: &UctConstants) -> f64 {
        let node = &self.nodes[index];
        let bias = node
            .arrival
            .map_or(0.0, |(_, class)| constants.bias[class.index()]);
        if node.visits == 0 {
            return constants.first_visit_value + bias;
        }
        let visits = f64::from(node.visits);
        node.sum / visits + bias + factor / visits.sqrt()
    }

    fn report(&self, constants: &UctConstants, simulations: u64) -> UctReport<P::Move> {
        let total = (simulations.max(1)) as f64;
        let factor = constants.exploration * (2.0 * libm::log(total)).sqrt();
        let children = self.children(ROOT).map(|(index, mv, class)| {
            let node = &self.nodes[index];
            ChildReport {
                mv,
                class,
                visits: node.visits,
                mean: if node.visits == 0 {
                    0.0
                } else {
                    node.sum / f64::from(node.visits)
                },
                ucb: self.ucb(index, factor, constants),
            }
        });
        let children: Vec<_> = children.collect();
        let best = &children[select::final_child(&children, constants.final_move)];
        UctReport {
            best_move: best.mv,
            simulations,
            principal_variation: self.principal_variation(best),
            constants: *constants,
            max_depth: self
                .nodes
                .iter()
                .filter(|n| n.visits > 0)
                .map(|n| n.depth)
                .max()
                .unwrap_or(0),
            tree_nodes: self.nodes.len(),
            children,
        }
    }

    /// The children of a node, which stand together.
    fn children(&self, parent: usize) -> impl Iterator<Item = (usize, P::Move, MoveClass)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(move |(index, node)| {
            let (mv, class) = node.arrival?;
            (node.parent == parent).then_some((index, mv, class))
        })
    }

    fn principal_variation(&self, first: &ChildReport<P::Move>) -> Vec<(P::Move, u32)> {
        let mut line = vec![(first.mv, first.visits)];
        let mut at = self.children(ROOT).find(|(_, mv, _)| *mv == first.mv);
        while let Some((index, ..)) = at.filter(|(index, ..)| self.nodes[*index].has_children) {
            let children: Vec<_> = self.children(index).collect();
            // The first of equals: the last one seen from behind.
            let best = children.into_iter().rev();
            at = best.max_by_key(|(child, ..)| self.nodes[*child].visits);
            line.extend(at.map(|(child, mv, _)| (mv, self.nodes[child].visits)));
        }
        let unvisited = line.iter().skip(1).position(|(_, visits)| *visits == 0);
        line.truncate(unvisited.map_or(line.len(), |place| place + 1));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::toy::ToyKnowledge;
    use crate::game::GameKind;
    use crate::game::toy::{ToyMove, ToyPosition};
    use crate::params::uct_defaults;
    use crate::search::SimulationLimit;
    use crate::stream::{Purpose, StreamKey};

    fn run(text: &str, constants: &UctConstants, simulations: u64) -> UctReport<ToyMove> {
        let game: ToyPosition = text.parse().expect("a tree");
        let knowledge = ToyKnowledge::new(game.tree());
        search(
            &game,
            &knowledge,
            constants,
            &mut StreamKey::new(1, Purpose::Bench).stream(),
            &mut SimulationLimit(simulations),
            &mut Work::default(),
            1 << 16,
        )
    }

    #[test]
    fn every_simulation_is_counted_at_its_child_of_the_root() {
        let text = "1(1:1(0:2(2:2,0:1)),0:2(1:2(0:1,-2:1),-1:1(2:2,0:1)),2:2(1:1,0:1))";
        for simulations in 1..80 {
            let report = run(text, &uct_defaults(GameKind::DotsAndBoxes), simulations);
            let visits: u32 = report.children.iter().map(|child| child.visits).sum();
            assert_eq!(u64::from(visits), simulations);
            assert_eq!(report.principal_variation[0].0, report.best_move);
        }
    }

    #[test]
    fn the_leaf_played_is_that_of_the_highest_ucb_of_all() {
        // One winning leaf two plies down, by the same player; everything else is lost. Without
        // exploration the search stays at it once it has been found.
        let text = "1(0:1(-1:2,1:2),-1:2(0:1,0:1),-1:2(0:1,0:1))";
        let constants = UctConstants {
            exploration: 0.0,
            ..uct_defaults(GameKind::DotsAndBoxes)
        };
        let report = run(text, &constants, 200);
        assert_eq!(report.best_move, ToyMove(0));
        assert!(
            report
                .children
                .iter()
                .filter(|child| child.visits > 2)
                .count()
                == 1
        );
        assert_eq!(report.max_depth, 2);
    }

    #[test]
    fn a_leaf_that_the_opponent_likes_draws_the_simulations_to_a_losing_move() {
        // After move 0 the opponent can win or lose, and the leaf of its win has the highest mean
        // of all. Level by level that win would count against move 0.
        let text = "1(0:2(-1:1,1:1),0:2(0:1,0:1))";
        let constants = UctConstants {
            exploration: 0.3,
            ..uct_defaults(GameKind::DotsAndBoxes)
        };
        let report = run(text, &constants, 300);
        let lost = report.children.iter().find(|child| child.mv == ToyMove(0));
        let lost = lost.expect("a child");
        assert!(lost.visits > 200 && lost.mean < 0.1, "{lost:?}");
        assert_eq!(report.best_move, ToyMove(0), "by visits");
    }
}
