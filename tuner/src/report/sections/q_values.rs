//! Q-values over the games: the second layer's six, and the leaf that the largest ones lead to.

use maud::{Markup, html};

use super::trees::{NO_TREE, edit_words};
use super::{Context, figure, key, nothing};
use crate::report::plot::{Axis, Frame, coordinate, outline};
use crate::report::story::QSample;

/// Classes of the six lines: colours, and strokes for who does not see these.
const LINES: [&str; 6] = ["s1", "s2", "s3", "s4 dash", "s5 dash", "s6 dash"];
/// Most rounds whose ends are marked.
const ROUNDS_MARKED: usize = 60;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let samples = &context.story.samples;
    if !context.has_trees() {
        return nothing(NO_TREE);
    }
    if samples.is_empty() {
        return nothing("No trial has been stored yet.");
    }
    let entries: Vec<(&str, String)> = LINES
        .into_iter()
        .enumerate()
        .map(|(index, class)| (class, action(context, index)))
        .collect();
    let second: Vec<Line<'_>> = (0..LINES.len())
        .map(|index| {
            (
                LINES[index],
                Box::new(move |it: &QSample| it.second[index]) as Of<'_>,
            )
        })
        .collect();
    let leaf: Line<'_> = ("ink", Box::new(|it: &QSample| it.greedy_leaf));
    html! {
        p class="soft" {
            "A Q-value is what the learner expects of an edit, in units of its reward. The tree is "
            "reset after every round, so the lines begin anew there."
        }
        div class="plots" {
            (figure(&html! { "Second layer: the first edit of a path" },
                &chart(context, "Q-values of the second layer", &second)))
            (figure(&html! { "Leaf at the end of the greedy path" },
                &chart(context, "Q-value of the greedy leaf", &[leaf])))
        }
        (key(&entries))
    }
}

type Of<'a> = Box<dyn Fn(&QSample) -> f64 + 'a>;
type Line<'a> = (&'static str, Of<'a>);

/// What an action does, where it does the same in every tree of the report.
fn action(context: &Context<'_>, index: usize) -> String {
    let mut trees = context
        .story
        .trees
        .iter()
        .map(|tree| &tree.view.edits[index]);
    let number = index + 1;
    let words = |edit: &[f64]| edit_words(&context.names, edit);
    match trees.next() {
        Some(first) if trees.all(|other| words(other) == words(first)) => {
            format!("{number}: {}", words(first))
        }
        _ => format!("action {number}"),
    }
}

fn chart(context: &Context<'_>, label: &str, lines: &[Line<'_>]) -> Markup {
    let story = context.story;
    let values = story
        .samples
        .iter()
        .flat_map(|it| lines.iter().map(|(_, of)| of(it)));
    let frame = Frame::new(Axis::count(story.summary.games), Axis::around(values));
    let [_, top, _, bottom] = frame.area().map(coordinate);
    let marks = html! {
        @if story.rounds.len() <= ROUNDS_MARKED {
            @for end in &story.rounds {
                @let x = coordinate(frame.at_x(end.games as f64));
                path d=(format!("M{x} {top}V{bottom}")) class="thin sg dot" {}
            }
        }
        @for (class, of) in lines {
            path d=(line(&frame, &story.samples, of)) class=(format!("thin {class}")) {}
        }
    };
    frame.plot(label, ["games of tuning", "Q-value"], &marks)
}

/// One line, broken where a round ends.
fn line(frame: &Frame, samples: &[QSample], of: &Of<'_>) -> String {
    let rounds = samples.chunk_by(|a, b| a.round == b.round);
    let outlines = rounds.map(|round| {
        let points = round.iter().map(|it| frame.at([it.games as f64, of(it)]));
        outline(points)
    });
    outlines.collect()
}
