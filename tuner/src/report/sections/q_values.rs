//! Q-values: across the rounds as they stood at the end of each, and over the updates of one.

use maud::{Markup, html};

use super::trees::{NO_TREE, edit_words};
use super::{Context, figure, key, nothing};
use crate::chronicle::{Look, RoundTree, TreeEnd};
use crate::optimiser::tree::{NODES, WAYS, child, parent};
use crate::report::plot::{Axis, Frame, coordinate, outline};

/// Classes of the six first edits: colours, and strokes for who does not see these.
pub(super) const EDITS: [&str; WAYS] = ["s1", "s2", "s3", "s4 dash", "s5 dash", "s6 dash"];
/// Classes of the paths that are followed: the greedy one, and those visited most besides.
const PATHS: [&str; 3] = ["s2", "s1", "s3 dash"];
/// Most rounds whose ends are marked with a dot.
const ROUNDS_MARKED: usize = 120;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let ends = &context.story.growth.ends;
    if !context.story.growth.has_tree {
        return nothing(NO_TREE);
    }
    if ends.len() < 2 {
        return nothing(
            "Q-values across the rounds begin with the second; those of the first stand with its \
             tree.",
        );
    }
    let mut entries: Vec<(&str, String)> = (0..WAYS)
        .map(|index| (EDITS[index], action(context, index)))
        .collect();
    entries.push(("ink", "leaf of the greedy path".to_owned()));
    entries.push(("wide", "all 36 leaves".to_owned()));
    html! {
        p class="soft" {
            "A Q-value is what the learner expects of an edit, in units of its reward. Here are "
            "those at the end of each round, when the greedy path was taken and the tree reset; "
            "how they came about, update by update, stands with the tree of the round."
        }
        div class="plots" {
            (figure(
                &html! {
                    "The six first edits "
                    span class="soft" { "by number: what they add may differ by round" }
                },
                &first_edits(ends)
            ))
            (figure(
                &html! {
                    "The leaf of the greedy path "
                    span class="soft" { "dot: applied; ring: not applied" }
                },
                &greedy_leaves(ends)
            ))
        }
        (key(&entries))
    }
}

/// What an action does, where it does the same in every tree of the report.
fn action(context: &Context<'_>, index: usize) -> String {
    let trees = &context.story.growth.trees;
    let mut trees = trees.iter().map(|tree| &tree.view.edits[index]);
    let number = index + 1;
    let words = |edit: &[f64]| edit_words(&context.names, edit);
    match trees.next() {
        Some(first) if trees.all(|other| words(other) == words(first)) => {
            format!("{number}: {}", words(first))
        }
        _ => format!("edit {number}"),
    }
}

fn rounds_axis(ends: &[TreeEnd]) -> Axis {
    Axis::count(ends.last().map_or(0, |end| end.round as u64))
}

fn first_edits(ends: &[TreeEnd]) -> Markup {
    let values = ends.iter().flat_map(|end| end.q[1..=WAYS].iter().copied());
    let frame = Frame::new(rounds_axis(ends), Axis::around(values));
    let line = |number: usize| {
        let points = ends.iter().map(|end| [end.round as f64, end.q[number]]);
        outline(points.map(|point| frame.at(point)))
    };
    let marks = html! {
        @for (index, class) in EDITS.iter().enumerate() {
            path d=(line(index + 1)) class=(format!("thin {class}")) {}
        }
    };
    let label = "Q-values of the first edits across the rounds";
    frame.plot(label, ["round", "Q-value"], &marks)
}

/// The Q-value of the leaf that was proposed, among those of all leaves.
fn greedy_leaves(ends: &[TreeEnd]) -> Markup {
    let range = |end: &TreeEnd| {
        let leaves = end.q[WAYS + 1..].iter();
        leaves.fold([f64::MAX, f64::MIN], |[low, high], q| {
            [low.min(*q), high.max(*q)]
        })
    };
    let frame = Frame::new(rounds_axis(ends), Axis::around(ends.iter().flat_map(range)));
    let at = |end: &TreeEnd, q: f64| frame.at([end.round as f64, q]);
    let lower = ends.iter().map(|end| at(end, range(end)[0]));
    let upper = ends.iter().rev().map(|end| at(end, range(end)[1]));
    let greedy = |end: &TreeEnd| at(end, end.q[end.greedy_leaf]);
    let marks = html! {
        path d=(format!("{}Z", outline(lower.chain(upper)))) class="band" {}
        path d=(outline(ends.iter().map(greedy))) class="thin ink" {}
        @if ends.len() <= ROUNDS_MARKED {
            @for end in ends {
                @let [x, y] = greedy(end).map(coordinate);
                circle cx=(x) cy=(y) r="3" class=(if end.applied { "inkfill" } else { "ring" }) {}
            }
        }
    };
    let label = "Q-value of the leaf of the greedy path across the rounds";
    frame.plot(label, ["round", "Q-value"], &marks)
}

/// The lines of one round: its first edits, the greedy path and those visited most besides.
pub(super) fn of_round(tree: &RoundTree, way: [usize; 2]) -> Markup {
    if tree.looks.len() < 2 {
        return html! {};
    }
    let first: Vec<(usize, &str)> = (1..=WAYS).zip(EDITS).collect();
    let chosen: Vec<(usize, &str)> = followed(tree, way[1]).into_iter().zip(PATHS).collect();
    let entries: Vec<(&str, String)> = chosen
        .iter()
        .map(|(leaf, class)| {
            let [first, second] = edits_to(*leaf);
            let greedy = if *leaf == way[1] {
                ", the greedy path"
            } else {
                ""
            };
            (*class, format!("{first}, then {second}{greedy}"))
        })
        .collect();
    let round = tree.view.round;
    html! {
        div class="plots" {
            (figure(&html! { "First edits over the updates" },
                &over_updates(tree, &first, &format!("First edits of round {round}"))))
            div {
                (figure(&html! { "Paths over the updates" },
                    &over_updates(tree, &chosen, &format!("Paths of round {round}"))))
                (key(&entries))
            }
        }
    }
}

/// The greedy leaf, and the most visited of the others, the first among equals.
fn followed(tree: &RoundTree, greedy: usize) -> Vec<usize> {
    let visits = |leaf: &usize| tree.view.nodes[*leaf].visits;
    let mut others: Vec<usize> = (WAYS + 1..NODES)
        .filter(|leaf| *leaf != greedy && visits(leaf) > 0)
        .collect();
    others.sort_by_key(|leaf| std::cmp::Reverse(visits(leaf)));
    others.truncate(PATHS.len() - 1);
    std::iter::once(greedy).chain(others).collect()
}

/// The two actions that lead to a leaf.
fn edits_to(leaf: usize) -> [usize; 2] {
    let first = parent(leaf).expect("a leaf has a node above");
    [first, leaf - child(first, 0)]
}

fn over_updates(tree: &RoundTree, lines: &[(usize, &str)], label: &str) -> Markup {
    let looks = &tree.looks;
    let values = looks
        .iter()
        .flat_map(|look| lines.iter().map(|(number, _)| look.q[*number]));
    let updates = looks.last().map_or(0, |look| look.updates);
    let frame = Frame::new(Axis::count(updates.into()), Axis::around(values));
    let at = |look: &Look, number: usize| frame.at([f64::from(look.updates), look.q[number]]);
    let line = |number: usize| outline(looks.iter().map(|look| at(look, number)));
    let marks = html! {
        @for (number, class) in lines {
            path d=(line(*number)) class=(format!("thin {class}")) {}
        }
    };
    frame.plot(label, ["updates of the tree", "Q-value"], &marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimiser::tree::nodes_of;

    #[test]
    fn the_edits_to_a_leaf_are_those_of_its_path() {
        for first in 1..=6 {
            for second in 1..=6 {
                let [_, leaf] = nodes_of([first, second]);
                assert_eq!(edits_to(leaf), [first, second].map(usize::from));
            }
        }
    }
}
