//! UCT as the formula says it, node by node, and the searcher against it.

use super::*;

type Moves = <ToyKnowledge as Knowledge<ToyPosition>>::Moves;

/// A node with everything it has, compared anew at every choice.
#[derive(Default)]
struct Node {
    visits: u32,
    sum: f64,
    untried: Option<Moves>,
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
        if position.outcome().is_some() || (node.untried.is_none() && !may_expand) {
            return leaf_values(position, &self.setting, &mut self.stream, &mut self.work);
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

    /// The first child that no other exceeds.
    fn best(&self, node: &Node) -> usize {
        let constants = self.setting.constants;
        // This visit does not count yet.
        let factor = constants.exploration * (2.0 * libm::log(f64::from(node.visits - 1))).sqrt();
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
        for _ in 0..700 {
            naive.simulate(&mut root, &game, true);
        }
        let limit = &mut SimulationLimit(700);
        let report = Uct::new(1 << 16).search(
            &game,
            &knowledge,
            &constants,
            &mut stream.clone(),
            limit,
            &mut Work::default(),
        );
        let plain = root
            .children
            .iter()
            .map(|(mv, _, child)| (*mv, child.visits, child.sum));
        let mean = |(mv, visits, sum): (ToyMove, u32, f64)| (mv, visits, sum / f64::from(visits));
        let found = report
            .children
            .iter()
            .map(|child| (child.mv, child.visits, child.mean));
        assert!(found.eq(plain.map(mean)), "{text}");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}
