//! UCT as the formula says it, node by node, and the searcher against it.

use super::*;

type Moves = <ToyKnowledge as Knowledge<ToyPosition>>::Moves;

/// A node with everything it has, compared anew at every choice.
#[derive(Default)]
struct Node {
    visits: u32,
    sum: f64,
    untried: Option<Moves>,
    /// With widening, the moves in the order of their trial.
    line: Vec<(ToyMove, MoveClass)>,
    children: Vec<(ToyMove, MoveClass, Node)>,
}

struct Naive<'a> {
    setting: Setting<'a, ToyPosition, ToyKnowledge>,
    stream: Stream,
    work: Work,
}

impl Naive<'_> {
    /// Simulates from a node; the values of the leaf for First and for Second.
    fn simulate(&mut self, node: &mut Node, position: &ToyPosition, may_expand: bool) -> [f64; 2] {
        node.visits += 1;
        if self.setting.constants.widening.is_on() {
            return self.simulate_widened(node, position, may_expand);
        }
        if position.outcome().is_some() || (node.untried.is_none() && !may_expand) {
            return leaf_values(
                position,
                &self.setting,
                None,
                &mut self.stream,
                &mut self.work,
            );
        }
        let is_new = node.untried.is_none();
        let list = self.setting.constants.move_list;
        let knowledge = self.setting.knowledge;
        let moves = (node.untried).get_or_insert_with(|| knowledge.moves(position, list));
        let chosen = if moves.count(ClassSet::ALL) > 0 {
            let sets = self.setting.preference.into_iter();
            let mut sets = sets.filter(|&classes| moves.count(classes) > 0);
            let classes = sets.next().expect("every class is in a set");
            let index = self.stream.below(moves.count(classes));
            let (mv, class) = moves.take(classes, index);
            node.children.push((mv, class, Node::default()));
            node.children.len() - 1
        } else {
            self.best(node)
        };
        let (mv, _, child) = &mut node.children[chosen];
        let mut after = position.clone();
        after.play(*mv);
        let values = self.simulate(child, &after, !is_new && may_expand);
        child.sum += values[position.to_move().index()];
        values
    }

    /// As [`Self::simulate`], after the visit is counted, with children that come into play one by
    /// one. A node that nobody expanded has an empty line.
    fn simulate_widened(
        &mut self,
        node: &mut Node,
        position: &ToyPosition,
        mut may_expand: bool,
    ) -> [f64; 2] {
        if position.outcome().is_some() {
            return leaf_values(
                position,
                &self.setting,
                None,
                &mut self.stream,
                &mut self.work,
            );
        }
        if node.line.is_empty() {
            let within_turn = self.setting.knowledge.is_within_turn(position);
            if !may_expand && !within_turn {
                return leaf_values(
                    position,
                    &self.setting,
                    None,
                    &mut self.stream,
                    &mut self.work,
                );
            }
            may_expand &= within_turn;
            node.line = self.line_of(position);
        }
        let constants = self.setting.constants;
        let before = f64::from((node.visits - 1).max(1));
        let Widening { first, exponent } = constants.widening;
        let allowed = (f64::from(first) * libm::pow(before, exponent)).floor() as usize;
        let tried = node.children.len();
        let chosen = if tried < node.line.len() && tried < allowed.max(1) {
            let (mv, class) = node.line[tried];
            node.children.push((mv, class, Node::default()));
            tried
        } else {
            self.best(node)
        };
        let (mv, _, child) = &mut node.children[chosen];
        let mut after = position.clone();
        after.play(*mv);
        let values = self.simulate(child, &after, may_expand);
        child.sum += values[position.to_move().index()];
        values
    }

    /// The moves of a position, those with the best value as it stands after them first.
    fn line_of(&mut self, position: &ToyPosition) -> Vec<(ToyMove, MoveClass)> {
        let constants = self.setting.constants;
        let mut moves = Vec::new();
        let knowledge = self.setting.knowledge;
        knowledge.classed_moves(position, MoveList::All, &mut moves);
        let mover = position.to_move();
        let mut valued: Vec<(f64, (ToyMove, MoveClass))> = Vec::new();
        for (mv, class) in moves {
            let mut child = position.clone();
            child.play(mv);
            let remaining = match child.outcome() {
                Some(_) => 0.0,
                None => knowledge.evaluate(&child, &constants.evaluation, &mut self.work),
            };
            let own = if child.to_move() == mover { 1.0 } else { -1.0 };
            let points = f64::from(child.margin() * mover.sign()) + own * remaining;
            let value = constants.evaluation.value_of_points(points);
            valued.push((-value - constants.bias[class.index()], (mv, class)));
        }
        valued.sort_by(|a, b| a.0.total_cmp(&b.0));
        valued.into_iter().map(|(_, arrival)| arrival).collect()
    }

    /// The first child that no other exceeds.
    fn best(&self, node: &Node) -> usize {
        let constants = self.setting.constants;
        // This visit does not count yet.
        let before = f64::from((node.visits - 1).max(1));
        let factor = constants.exploration * (2.0 * libm::log(before)).sqrt();
        let ucb = |child: &(ToyMove, MoveClass, Node)| {
            let visits = f64::from(child.2.visits);
            child.2.sum / visits + constants.bias[child.1.index()] + factor * (1.0 / visits.sqrt())
        };
        let values: Vec<f64> = node.children.iter().map(ucb).collect();
        let is_best = |&k: &usize| values.iter().all(|&other| other <= values[k]);
        (0..values.len()).find(is_best).expect("a child")
    }
}

/// A random tree: whose turn, gains and children; up to twenty children a node near the root.
fn random_tree(stream: &mut Stream, depth: u32, text: &mut String) {
    text.push(if stream.below(2) == 0 { '1' } else { '2' });
    if depth == 0 || stream.below(8) == 0 {
        return;
    }
    text.push('(');
    for child in 0..=stream.below(5 * depth) {
        if child > 0 {
            text.push(',');
        }
        text.push_str(["-2:", "-1:", "0:", "1:", "2:"][stream.below(5) as usize]);
        random_tree(stream, depth - 1, text);
    }
    text.push(')');
}

#[test]
fn the_searcher_visits_what_the_formula_chooses() {
    compare(PLAIN.widening, 0.0);
}

#[test]
fn a_widened_searcher_visits_what_the_formula_chooses() {
    for (first, exponent) in [(1, 0.5), (2, 0.3), (3, 0.0), (1000, 0.0)] {
        for evaluation_weight in [0.0, 0.4, 1.0] {
            compare(Widening { first, exponent }, evaluation_weight);
        }
    }
}

fn compare(widening: Widening, evaluation_weight: f64) {
    let mut random = StreamKey::new(28, Purpose::Bench).stream();
    let mut compared = 0;
    for number in 0..60 {
        let mut text = String::new();
        random_tree(&mut random, 4, &mut text);
        let game: ToyPosition = text.parse().expect("a tree");
        let knowledge = ToyKnowledge::new(game.tree());
        let constants = UctConstants {
            exploration: [0.2, 0.7, 1.4][number % 3],
            bias: [[0.0; 4], [0.05, 0.0, -0.1, 0.0]][number % 2],
            widening,
            evaluation_weight,
            ..PLAIN
        };
        let moves = knowledge.moves(&game, MoveList::All);
        if game.outcome().is_some() || moves.count(ClassSet::ALL) < 2 {
            continue;
        }
        let stream = StreamKey::new(number as u64, Purpose::Bench).stream();
        let mut naive = Naive {
            setting: Setting {
                root: &game,
                knowledge: &knowledge,
                constants: &constants,
                preference: ClassSet::by_descending_bias(&constants.bias),
            },
            stream: stream.clone(),
            work: Work::default(),
        };
        let mut root = Node {
            untried: Some(moves),
            ..Node::default()
        };
        if widening.is_on() {
            root.line = naive.line_of(&game);
        }
        for _ in 0..700 {
            naive.simulate(&mut root, &game, true);
        }
        let limit = &mut SimulationLimit(700);
        let mut work = Work::default();
        let report = Uct::new(1 << 16).search(
            &game,
            &knowledge,
            &constants,
            &mut stream.clone(),
            limit,
            &mut work,
        );
        if widening.is_on() {
            assert!(work.evaluations <= naive.work.evaluations + 20, "{text}");
        }
        let plain = root
            .children
            .iter()
            .map(|(mv, _, child)| (*mv, child.visits, child.sum));
        let mean = |(mv, visits, sum): (ToyMove, u32, f64)| (mv, visits, sum / f64::from(visits));
        let found = report
            .children
            .iter()
            .filter(|child| child.visits > 0)
            .map(|child| (child.mv, child.visits, child.mean));
        assert!(found.eq(plain.map(mean)), "{text}");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}
