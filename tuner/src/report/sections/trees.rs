//! The 43-node tree of every round: edits, Q-values, visits and where each path leads.

use maud::{Markup, html};

use super::q_values::{EDITS, of_round};
use super::{Context, nothing, stroke};
use crate::chronicle::{RoundTree, way};
use crate::optimiser::tree::{WAYS, parent};
use crate::optimiser::tree_view::{NodeView, TreeView};
use crate::report::looks::TREES_MAX;
use crate::report::plot::{Axis, coordinate};
use crate::report::words::{counted, grouped, plain, short};
use crate::space::{Parameter, Scale};

/// What is said where the learner has no tree.
pub(super) const NO_TREE: &str = "The learner of this run has no tree of edits.";

/// Edited parameters that an action's words name.
const NAMED_MAX: usize = 3;
/// Height of a leaf's line, and of the gap between two groups of leaves.
const LEAF: f64 = 16.0;
const GAP: f64 = 8.0;
/// Room above for the heads of the columns.
const TOP: f64 = 30.0;
/// Width of a drawing, and where the layers and the columns of a leaf's numbers stand.
const WIDTH: f64 = 900.0;
const LAYERS: [f64; 3] = [28.0, 190.0, 352.0];
const COLUMNS: [f64; 4] = [366.0, 566.0, 620.0, 638.0];
/// Characters that the column of edits and that of values have room for.
const EDIT_MAX: usize = 19;
const VALUES_MAX: usize = 40;
/// A change in ranges that is none: what rounding leaves of edits that are orthogonal.
const NEGLIGIBLE: f64 = 1e-6;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let trees = &context.story.growth.trees;
    if !context.story.growth.has_tree {
        return nothing(NO_TREE);
    }
    if trees.is_empty() {
        return nothing("No round has begun yet.");
    }
    let rounds = context.story.rounds.len();
    let last = trees.len() - 1;
    html! {
        p class="soft" {
            "Root, six edits, six again: 36 paths of two edits. A dot's strength is its Q-value "
            "within its layer, a line's width its share of the visits; rings were never visited. "
            "The greedy path is marked: it is what the round proposes. Below each tree: how its "
            "Q-values changed over the updates. The tree of a landing is laid once the games are "
            "used up, on the fitted surface alone. Rounds are numbered from 0, as the journal and "
            code { "tuner replay" } " number them."
        }
        @if rounds > TREES_MAX {
            p class="note" {
                "Of " (grouped(rounds as u64)) " rounds " (TREES_MAX) " are shown, evenly spread, "
                "the first and the last among them: the file would grow too large."
            }
        }
        @for (index, tree) in trees.iter().enumerate() {
            (round(context, tree, index == 0 || index == last))
        }
    }
}

fn round(context: &Context<'_>, tree: &RoundTree, is_open: bool) -> Markup {
    let outcome = outcome(tree);
    let way = way(&tree.view, tree.summary.as_ref());
    html! {
        details open=[is_open.then_some("open")] {
            summary {
                "Round " (tree.view.round) " " span class="soft" { (outcome) }
            }
            (actions(context, &tree.view))
            div class="scroll" { (drawing(context, tree)) }
            (of_round(tree, way))
        }
    }
}

/// What a round came to.
fn outcome(tree: &RoundTree) -> String {
    let Some(summary) = &tree.summary else {
        return "in progress".to_owned();
    };
    let applied = if summary.applied {
        "applied"
    } else {
        "not applied"
    };
    if tree.is_landing {
        return format!("the landing: greedy path {applied}");
    }
    let Some(score) = summary.candidate_score else {
        return format!("greedy path {applied}, without games of its own");
    };
    let (score, games) = (plain(100.0 * score, 1), summary.candidate_games);
    let games = counted(games, "game");
    format!("greedy path {applied}, {score} % of the points in {games}")
}

/// What each action adds in this round, with its line in the plots.
fn actions(context: &Context<'_>, view: &TreeView) -> Markup {
    html! {
        ul class="key edits" {
            @for (index, edit) in view.edits.iter().enumerate() {
                li { (stroke(EDITS[index])) (index + 1) ": " (amounts(context, edit)) }
            }
        }
    }
}

fn amounts(context: &Context<'_>, edit: &[f64]) -> String {
    let parameters = context.parameters().iter().zip(&context.names);
    let changed = parameters.zip(edit).filter(|(_, by)| by.abs() > NEGLIGIBLE);
    let words: Vec<String> = changed
        .map(|((parameter, name), by)| format!("{name} {}", amount(parameter, *by)))
        .collect();
    if words.is_empty() {
        return "nothing".to_owned();
    }
    words.join(", ")
}

/// What a change in unit coordinates is on the parameter's own scale.
fn amount(parameter: &Parameter, by: f64) -> String {
    match parameter.scale {
        Scale::Choice([first, second]) => {
            let word = if by > 0.0 { second } else { first };
            format!("to {word}")
        }
        Scale::Linear => {
            let sign = if by > 0.0 { "+" } else { "" };
            format!("{sign}{}", short(by * (parameter.max - parameter.min)))
        }
        Scale::Log => {
            let factor = libm::pow(parameter.max / parameter.min, by);
            format!("\u{d7} {}", short(factor))
        }
    }
}

/// An edit in a word or two: the signs and names of what it changes.
pub(super) fn edit_words(names: &[String], edit: &[f64]) -> String {
    let changed: Vec<String> = names
        .iter()
        .zip(edit)
        .filter(|(_, by)| by.abs() > NEGLIGIBLE)
        .map(|(name, by)| format!("{}{name}", if *by > 0.0 { '+' } else { '\u{2212}' }))
        .collect();
    match changed.len() {
        0 => "nothing".to_owned(),
        count if count <= NAMED_MAX => changed.join(" "),
        count => format!(
            "{} and {} more",
            changed[..NAMED_MAX - 1].join(" "),
            count + 1 - NAMED_MAX
        ),
    }
}

/// The drawing of one tree.
struct Drawing<'a> {
    context: &'a Context<'a>,
    view: &'a TreeView,
    /// The greedy path's two nodes.
    way: [usize; 2],
    /// What the six edits are called.
    edits: [String; WAYS],
    /// Largest and smallest Q-value of each layer.
    ranges: [Axis; 2],
}

fn drawing(context: &Context<'_>, tree: &RoundTree) -> Markup {
    let view = &tree.view;
    let range = |nodes: &[NodeView]| {
        let q = nodes.iter().map(|node| node.q);
        let ends = q.fold([f64::MAX, f64::MIN], |[low, high], q| {
            [low.min(q), high.max(q)]
        });
        Axis::exact(ends[0], ends[1])
    };
    let drawing = Drawing {
        context,
        view,
        way: way(view, tree.summary.as_ref()),
        edits: labels(context, view),
        ranges: [range(&view.nodes[1..=WAYS]), range(&view.nodes[WAYS + 1..])],
    };
    let height = TOP + 36.0 * LEAF + 6.0 * GAP;
    let label = format!("Tree of round {}", view.round);
    html! {
        svg class="tree" viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(label) {
            (heads())
            @for number in 1..view.nodes.len() { (drawing.edge(number)) }
            (drawing.root())
            @for number in 1..=WAYS { (drawing.second(number)) }
            @for number in WAYS + 1..view.nodes.len() { (drawing.leaf(number)) }
        }
    }
}

/// The edits by their numbers, and in words where all of these are short enough.
fn labels(context: &Context<'_>, view: &TreeView) -> [String; WAYS] {
    let words = view
        .edits
        .each_ref()
        .map(|edit| edit_words(&context.names, edit));
    let fit = words.iter().all(|it| it.chars().count() <= EDIT_MAX);
    std::array::from_fn(|index| match (&words[index], index + 1) {
        (words, number) if fit => format!("{number}: {words}"),
        (_, number) => format!("edit {number}"),
    })
}

fn heads() -> Markup {
    let [edit, q, visits, value] = COLUMNS;
    html! {
        g class="head" {
            text x=(LAYERS[1]) y="14" class="head mid" { "first edit" }
            text x=(edit) y="14" class="head" { "second edit" }
            text x=(q) y="14" class="head end" { "Q" }
            text x=(visits) y="14" class="head end" { "visits" }
            text x=(value) y="14" class="head" { "leads to" }
        }
    }
}

/// Radius of a node's dot.
fn radius(number: usize) -> f64 {
    match number {
        0 => 9.0,
        1..=WAYS => 8.0,
        _ => 5.0,
    }
}

impl Drawing<'_> {
    fn is_on_way(&self, number: usize) -> bool {
        self.way.contains(&number)
    }

    /// Where a node stands.
    fn place(&self, number: usize) -> [f64; 2] {
        let row = |leaf: usize| {
            let index = leaf - WAYS - 1;
            TOP + (index as f64 + 0.5) * LEAF + ((index / WAYS) as f64 + 0.5) * GAP
        };
        match number {
            0 => [LAYERS[0], 0.5 * (row(7) + row(42))],
            1..=WAYS => {
                let first = WAYS * number + 1;
                [LAYERS[1], 0.5 * (row(first) + row(first + WAYS - 1))]
            }
            leaf => [LAYERS[2], row(leaf)],
        }
    }

    fn edge(&self, number: usize) -> Markup {
        let above = parent(number).expect("every node but the root has one above");
        let ([x, y], [to_x, to_y]) = (self.place(above), self.place(number));
        // A dot lets through what is below it: lines end at its rim.
        let (x, to_x) = (x + radius(above), to_x - radius(number));
        let bend = coordinate(0.5 * (x + to_x));
        let all = f64::from(self.view.nodes[0].visits.max(1));
        let share = f64::from(self.view.nodes[number].visits) / all;
        let width = coordinate(0.6 + 9.0 * share.sqrt());
        let line = format!(
            "M{} {}C{bend} {} {bend} {} {} {}",
            coordinate(x),
            coordinate(y),
            coordinate(y),
            coordinate(to_y),
            coordinate(to_x),
            coordinate(to_y)
        );
        let class = if self.is_on_way(number) {
            "edge way"
        } else {
            "edge"
        };
        html! { path d=(line) class=(class) stroke-width=(width) {} }
    }

    fn dot(&self, number: usize) -> Markup {
        let node = &self.view.nodes[number];
        let [x, y] = self.place(number).map(coordinate);
        let strength = self.ranges[usize::from(number > WAYS)].share(node.q);
        let opacity = coordinate(0.1 * libm::round(10.0 * (0.1 + 0.9 * strength)));
        let way = if self.is_on_way(number) { " way" } else { "" };
        let never = if node.visits == 0 { "never" } else { "" };
        html! {
            circle cx=(x) cy=(y) r=(radius(number)) class=(format!("{never}{way}").trim())
                fill-opacity=(opacity) {}
        }
    }

    fn root(&self) -> Markup {
        let [x, y] = self.place(0);
        let visits = grouped(u64::from(self.view.nodes[0].visits));
        html! {
            circle cx=(coordinate(x)) cy=(coordinate(y)) r=(radius(0)) {}
            text x=(coordinate(x)) y=(coordinate(y + 26.0)) class="mid halo" { (visits) }
            text x=(coordinate(x)) y=(coordinate(y + 40.0)) class="mid head halo" { "visits" }
        }
    }

    fn second(&self, number: usize) -> Markup {
        let node = &self.view.nodes[number];
        let [x, y] = self.place(number);
        let edit = &self.edits[number - 1];
        let numbers = format!(
            "Q {}, {}",
            short(node.q),
            counted(node.visits.into(), "visit")
        );
        let way = if self.is_on_way(number) { " way" } else { "" };
        html! {
            (self.dot(number))
            text x=(coordinate(x)) y=(coordinate(y - 14.0)) class=(format!("mid halo{way}")) {
                (edit)
            }
            text x=(coordinate(x)) y=(coordinate(y + 23.0)) class="mid head halo" { (numbers) }
        }
    }

    fn leaf(&self, number: usize) -> Markup {
        let node = &self.view.nodes[number];
        let y = coordinate(self.place(number)[1] + 4.0);
        let edit = &self.edits[(number - 1) % WAYS];
        let [at_edit, at_q, at_visits, at_value] = COLUMNS;
        let way = if self.is_on_way(number) { "way" } else { "" };
        html! {
            (self.dot(number))
            g class=(way) {
                text x=(at_edit) y=(y) { (edit) }
                text x=(at_q) y=(y) class="end" { (short(node.q)) }
                text x=(at_visits) y=(y) class="end" { (node.visits) }
                text x=(at_value) y=(y) { (self.changes(node)) }
            }
        }
    }

    /// The values that a path leads to: those that differ from the root's.
    fn changes(&self, node: &NodeView) -> String {
        let root = &self.view.nodes[0].value;
        let names = self
            .context
            .names
            .iter()
            .zip(root.0.iter().zip(&node.value.0));
        let changed: Vec<String> = names
            .filter(|(_, (before, now))| before != now)
            .map(|(name, (_, now))| format!("{name} {}", short(*now)))
            .collect();
        match changed.len() {
            0 => "unchanged".to_owned(),
            _ => fitting(&changed),
        }
    }
}

/// As many parts as there is room for, and how many there are more.
fn fitting(parts: &[String]) -> String {
    let with = |shown: usize| match (parts[..shown].join(", "), parts.len() - shown) {
        (words, 0) => words,
        (words, more) if words.is_empty() => counted(more as u64, "change"),
        (words, more) => format!("{words} and {more} more"),
    };
    let mut counts = (0..=parts.len()).rev();
    let fits = |shown: &usize| with(*shown).chars().count() <= VALUES_MAX;
    with(counts.find(fits).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named_as_far_as_there_is_room() {
        let parts = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let few = parts(&["capture 0.11", "gives 0.13"]);
        assert_eq!(fitting(&few), "capture 0.11, gives 0.13");
        let many = parts(&["capture 0.11", "gives 0.13", "exploration 0.47", "depth 3"]);
        assert_eq!(fitting(&many), "capture 0.11, gives 0.13 and 2 more");
        assert_eq!(fitting(&["x".repeat(50)]), "1 change");
    }

    #[test]
    fn what_rounding_leaves_of_an_edit_is_no_change() {
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        assert_eq!(
            edit_words(&names, &[0.1, -1e-17, 1e-17, -0.2]),
            "+a \u{2212}d"
        );
        assert_eq!(edit_words(&names, &[0.0; 4]), "nothing");
        assert_eq!(edit_words(&names, &[0.1; 4]), "+a +b and 2 more");
    }
}
