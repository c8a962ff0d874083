//! Alpha-beta to a growing depth with the static evaluation: the searcher that the staged UCT is
//! compared with.
//!
//! Values are estimates in points, for the side to move, of what is still to be won. An iteration
//! searches the root's moves in the order of what the iteration before found, so that an iteration
//! cut short is of use as soon as its first move is through.

use super::{Control, Step, report_best};
use crate::eval::{Evaluation, Knowledge, MoveList, Work};
use crate::game::Position;

/// The constants of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DeepeningConstants {
    /// Largest depth in plies, at least 1.
    pub depth_plies: u16,
    /// Which moves are searched.
    pub move_list: MoveList,
    /// How a position at the depth limit is valued.
    pub evaluation: Evaluation,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DeepeningReport<M> {
    /// The best move of the deepest iteration that got so far as to compare.
    pub best_move: M,
    /// Its value in points for the side to move, what is already won not counted.
    pub value: f64,
    /// Depth of that iteration in plies; 0 if the search was stopped before the first ended.
    pub depth_plies: u16,
    /// Positions valued.
    pub evaluations: u64,
}

/// What a search needs at every node.
struct Descent<'a, P: Position, K> {
    knowledge: &'a K,
    constants: &'a DeepeningConstants,
    control: &'a mut dyn Control,
    work: &'a mut Work,
    evaluations: u64,
    /// Whether some line was cut at the depth limit: otherwise going deeper changes nothing.
    cut: bool,
    buffers: Vec<Vec<P::Move>>,
}

/// Searches deeper and deeper until the control says stop, asked with the number of evaluations in
/// place of simulations, or the depth limit or the end of all lines is reached.
/// Precondition: the game is not over.
pub fn search<P: Position, K: Knowledge<P>>(
    root: &P,
    knowledge: &K,
    constants: &DeepeningConstants,
    control: &mut dyn Control,
    work: &mut Work,
) -> DeepeningReport<P::Move> {
    assert!(root.outcome().is_none(), "a finished game has no best move");
    let mut descent = Descent::<P, K> {
        knowledge,
        constants,
        control,
        work,
        evaluations: 0,
        cut: false,
        buffers: Vec::new(),
    };
    let mut moves = Vec::new();
    append_moves(knowledge, constants.move_list, root, &mut moves);
    let mut report = DeepeningReport {
        best_move: moves[0],
        value: 0.0,
        depth_plies: 0,
        evaluations: 0,
    };
    for depth in 1..=constants.depth_plies.max(1) {
        descent.cut = false;
        let finished = descent.iterate(root, depth, &mut moves, &mut report);
        if !finished || !descent.cut || moves.len() == 1 {
            break;
        }
    }
    report.evaluations = descent.evaluations;
    report
}

fn append_moves<P: Position, K: Knowledge<P>>(
    knowledge: &K,
    list: MoveList,
    position: &P,
    out: &mut Vec<P::Move>,
) {
    match list {
        MoveList::All => position.legal_moves(out),
        MoveList::Sufficient => knowledge.sufficient_moves(position, out),
    }
}

impl<P: Position, K: Knowledge<P>> Descent<'_, P, K> {
    /// Searches every move of the root to this depth and moves the best ones to the front; false
    /// when stopped. What was found until then is in the report all the same.
    fn iterate(
        &mut self,
        root: &P,
        depth: u16,
        moves: &mut [P::Move],
        report: &mut DeepeningReport<P::Move>,
    ) -> bool {
        let mut alpha = f64::NEG_INFINITY;
        for index in 0..moves.len() {
            let mv = moves[index];
            let Some(value) = self.value_of_move(root, mv, (alpha, f64::INFINITY), depth) else {
                return false;
            };
            if value > alpha {
                alpha = value;
                moves[..=index].rotate_right(1);
                *report = DeepeningReport {
                    best_move: mv,
                    value,
                    depth_plies: depth,
                    ..*report
                };
                report_best(root, mv, self.control);
            }
        }
        true
    }

    /// The value of a move whose child is searched `depth - 1` deep; `None` when stopped.
    fn value_of_move(
        &mut self,
        parent: &P,
        mv: P::Move,
        window: (f64, f64),
        depth: u16,
    ) -> Option<f64> {
        let mut child = parent.clone();
        child.play(mv);
        self.work.alpha_beta_edges += 1;
        let step = Step::between(parent, &child);
        let value = self.value(&child, step.interval_for_child(window), depth - 1)?;
        Some(step.estimate_of(value))
    }

    /// The value of a position, exact inside the window and a bound outside (fail-soft).
    fn value(&mut self, position: &P, window: (f64, f64), depth: u16) -> Option<f64> {
        if position.outcome().is_some() {
            return Some(self.knowledge.final_points(position));
        }
        if depth == 0 {
            return self.evaluate(position);
        }
        let level = usize::from(depth);
        if self.buffers.len() <= level {
            self.buffers.resize_with(level + 1, Vec::new);
        }
        let mut moves = std::mem::take(&mut self.buffers[level]);
        moves.clear();
        append_moves(
            self.knowledge,
            self.constants.move_list,
            position,
            &mut moves,
        );
        let mut best = f64::NEG_INFINITY;
        for &mv in &moves {
            let inner = (window.0.max(best), window.1);
            let Some(value) = self.value_of_move(position, mv, inner, depth) else {
                self.buffers[level] = moves;
                return None;
            };
            best = best.max(value);
            if best >= window.1 {
                break;
            }
        }
        self.buffers[level] = moves;
        Some(best)
    }

    fn evaluate(&mut self, position: &P) -> Option<f64> {
        self.cut = true;
        self.evaluations += 1;
        let evaluation = &self.constants.evaluation;
        let value = self.knowledge.evaluate(position, evaluation, self.work);
        let stop = self.control.should_stop(self.work, self.evaluations);
        (!stop).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::toy::ToyKnowledge;
    use crate::eval::{Correction, EvaluationForm};
    use crate::game::toy::{ToyMove, ToyPosition, Tree, TreeShape};
    use crate::search::plain::plain_minimax;
    use crate::search::{SimulationLimit, Unlimited};
    use crate::stream::{Purpose, Stream, StreamKey};

    fn random_tree(stream: &mut Stream) -> ToyPosition {
        let shape = TreeShape {
            plies: 5,
            branching: 3,
            leaf_percent: 10,
            stay_percent: 40,
            max_gain: 3,
            gain_unit: 1,
        };
        Tree::random(&shape, &mut |bound| stream.below(bound)).start()
    }

    const CONSTANTS: DeepeningConstants = DeepeningConstants {
        depth_plies: 20,
        move_list: MoveList::All,
        evaluation: Evaluation {
            form: EvaluationForm(0),
            weights: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            noise: 0.0,
            correction: Correction {
                rollouts: 0,
                points: 0.0,
            },
        },
    };

    fn run(
        root: &ToyPosition,
        constants: &DeepeningConstants,
        control: &mut dyn Control,
    ) -> DeepeningReport<ToyMove> {
        let knowledge = ToyKnowledge::new(root.tree());
        search(root, &knowledge, constants, control, &mut Work::default())
    }

    /// The same to a fixed depth without windows.
    fn plain(position: &ToyPosition, knowledge: &ToyKnowledge, depth: u16) -> f64 {
        if position.outcome().is_some() {
            return 0.0;
        }
        if depth == 0 {
            let evaluation = &CONSTANTS.evaluation;
            return knowledge.evaluate(position, evaluation, &mut Work::default());
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let values = moves.into_iter().map(|mv| {
            let mut child = position.clone();
            child.play(mv);
            Step::between(position, &child).estimate_of(plain(&child, knowledge, depth - 1))
        });
        values.fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn every_depth_finds_the_value_of_plain_minimax_whoever_moves() {
        let mut stream = StreamKey::new(42, Purpose::Bench).stream();
        for _ in 0..300 {
            let root = random_tree(&mut stream);
            let knowledge = ToyKnowledge::new(root.tree());
            for depth_plies in 1..6 {
                let constants = DeepeningConstants {
                    depth_plies,
                    ..CONSTANTS
                };
                let found = run(&root, &constants, &mut Unlimited);
                assert_eq!(found.value, plain(&root, &knowledge, found.depth_plies));
            }
            let deep = run(&root, &CONSTANTS, &mut Unlimited);
            // With a single move there is nothing to look deeper for.
            if root.tree().children(root.node()).len() > 1 {
                assert_eq!(deep.value, f64::from(plain_minimax(&root).value.0));
            }
        }
    }

    #[test]
    fn a_search_stops_after_so_many_evaluations_with_a_move() {
        let mut stream = StreamKey::new(43, Purpose::Bench).stream();
        for _ in 0..100 {
            let root = random_tree(&mut stream);
            let all = run(&root, &CONSTANTS, &mut Unlimited).evaluations;
            for limit in 1..all {
                let found = run(&root, &CONSTANTS, &mut SimulationLimit(limit));
                assert_eq!(found.evaluations, limit);
                assert!(root.is_legal(found.best_move));
            }
        }
    }
}
