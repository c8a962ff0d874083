//! The source's figures, drawn from a run of its learner: Q-values of the nodes that it follows,
//! and the parameters over the rounds.

use maud::{Markup, html};

use super::trees::edit_words;
use super::{Context, figure, key, nothing};
use crate::optimiser::tree::{ROOT, child, nodes_of, parent};
use crate::report::plot::{Axis, Frame, POINTS_MAX, coordinate, outline, spread};
use crate::report::source_trace::{BEGINNING, SourceTrace, TRACED, TracedLook};
use crate::report::story::RoundEnd;
use crate::report::words::{counted, grouped, plain};
use crate::space::Parameter;

/// Classes of the traced nodes: colours, and strokes for who does not see these.
const CURVES: [&str; TRACED.len()] = ["s1", "s2", "s3", "s4 dash", "s5 dash", "s6 dash"];
/// Most rounds whose values are marked with a dot.
const ROUNDS_MARKED: usize = 120;
/// Most rounds whose paths are written beside their dots.
const PATHS_WRITTEN: usize = 8;
/// Most rounds that the table lists.
const ROWS_MAX: usize = 100;

pub(super) fn body(context: &Context<'_>, trace: &SourceTrace) -> Markup {
    if trace.updates() == 0 {
        return nothing("No trial has been stored yet.");
    }
    html! {
        p class="soft" {
            "The source of this learner (Qiu, Wang and Wang, on tuning an Amazons evaluation) "
            "follows six nodes of its first round and its parameters over the rounds. These are "
            "the same figures of this run. Nodes are numbered as there: 0 is the root, 1 to 6 are "
            "the first edits, and the children of k are 6k + 1 to 6k + 6."
        }
        div class="plots" { (of_nodes(trace)) }
        (key(&entries(context)))
        @if context.story.rounds.is_empty() {
            p class="note" {
                "Its figures 5 and 6, the parameters over the rounds, begin with the end of the "
                "first round."
            }
        } @else {
            div class="plots" {
                @for (index, parameter) in context.parameters().iter().enumerate() {
                    (over_rounds(context, index, parameter))
                }
            }
            (rounds(context))
        }
    }
}

/// Figures 3 and 4; one where the round has no more updates than figure 3 shows.
fn of_nodes(trace: &SourceTrace) -> Markup {
    let all = u64::from(trace.updates());
    let updates = counted(all, "update");
    if trace.updates() as usize <= BEGINNING {
        let caption = html! {
            "Figures 3 and 4: Q-values of six nodes "
            span class="soft" { "first round, " (updates) }
        };
        return figure(
            &caption,
            &curves(
                &trace.beginning,
                "Source's figures 3 and 4: Q-values of six nodes",
            ),
        );
    }
    let beginning = grouped(BEGINNING as u64);
    html! {
        (figure(
            &html! {
                "Figure 3: Q-values of six nodes "
                span class="soft" { "first round, its first " (beginning) " updates" }
            },
            &curves(&trace.beginning, "Source's figure 3: Q-values of six nodes")
        ))
        (figure(
            &html! {
                "Figure 4: Q-values of six nodes "
                span class="soft" { "first round, all of its " (updates) }
            },
            &curves(&trace.whole, "Source's figure 4: Q-values of six nodes")
        ))
    }
}

fn curves(looks: &[TracedLook], label: &str) -> Markup {
    let values = looks.iter().flat_map(|look| look.q);
    let updates = looks.last().map_or(0, |look| look.updates);
    let frame = Frame::new(Axis::count(updates.into()), Axis::around(values));
    let line = |at: usize| {
        let points = looks.iter().map(|it| [f64::from(it.updates), it.q[at]]);
        outline(points.map(|point| frame.at(point)))
    };
    let marks = html! {
        @for (at, class) in CURVES.iter().enumerate() {
            path d=(line(at)) class=(format!("thin {class}")) {}
        }
    };
    frame.plot(label, ["updates of the tree", "Q-value"], &marks)
}

/// What each traced node does.
fn entries(context: &Context<'_>) -> Vec<(&'static str, String)> {
    let first = context.story.growth.trees.first();
    let edits = first.map(|tree| &tree.view.edits);
    let words = |action: usize| match edits {
        Some(edits) => edit_words(&context.names, &edits[action - 1]),
        None => format!("action {action}"),
    };
    let entry = |number: usize| match parent(number) {
        Some(above) if above != ROOT => {
            let last = number - child(above, 0);
            format!("node {number}: {}, then {}", words(above), words(last))
        }
        _ => format!("node {number}: {}", words(number)),
    };
    CURVES.into_iter().zip(TRACED.map(entry)).collect()
}

/// Figure 5 or 6: a parameter at the start and after each round.
fn over_rounds(context: &Context<'_>, index: usize, parameter: &Parameter) -> Markup {
    let ends = &context.story.rounds;
    let start = context.start.0[index];
    let mut points = vec![[0.0, start]];
    points.extend(spread(ends.len(), POINTS_MAX).into_iter().map(|at| {
        let value = ends[at].summary.incumbent.0[index];
        [(at + 1) as f64, value]
    }));
    let values = points.iter().map(|[_, value]| *value);
    let frame = Frame::new(Axis::count(ends.len() as u64), Axis::around(values));
    let marks = html! {
        path d=(outline(points.iter().map(|point| frame.at(*point)))) class="line s1" {}
        @if ends.len() <= ROUNDS_MARKED {
            @for point in &points {
                @let [x, y] = frame.at(*point).map(coordinate);
                circle cx=(x) cy=(y) r="3" class="f1" {}
            }
        }
        @if ends.len() <= PATHS_WRITTEN {
            @for (end, point) in ends.iter().zip(&points[1..]) {
                @let [x, y] = frame.at(*point);
                text x=(coordinate(x)) y=(coordinate(y - 9.0)) class="end halo" {
                    (nodes_words(end))
                }
            }
        }
    };
    let result = ends
        .last()
        .map_or(start, |it| it.summary.incumbent.0[index]);
    let [start, result] = [start, result].map(|value| parameter.text(value));
    let name = &context.names[index];
    let label = format!(
        "Source's figures 5 and 6: {} over the rounds",
        parameter.path
    );
    let figure_of = match (index, context.parameters().len()) {
        (0, 2) => "Figure 5: ",
        (1, 2) => "Figure 6: ",
        _ => "Figures 5 and 6: ",
    };
    let caption = html! {
        (figure_of) (name) " over the rounds "
        span class="soft" { (start) " \u{2192} " (result) }
    };
    figure(&caption, &frame.plot(&label, ["rounds", name], &marks))
}

/// The path of a round by its nodes, in brackets where it was not applied.
fn nodes_words(end: &RoundEnd) -> String {
    let Some(path) = end.summary.greedy_path else {
        return "no path".to_owned();
    };
    let [first, second] = nodes_of(path);
    let words = format!("{first} \u{2192} {second}");
    if end.summary.applied {
        words
    } else {
        format!("({words})")
    }
}

/// The rounds with their paths and the values after them.
fn rounds(context: &Context<'_>) -> Markup {
    let ends = &context.story.rounds;
    let listed = spread(ends.len(), ROWS_MAX);
    html! {
        @if listed.len() < ends.len() {
            p class="note" {
                "Of " (grouped(ends.len() as u64)) " rounds " (listed.len()) " are listed, evenly "
                "spread, the first and the last among them."
            }
        }
        div class="scroll" { table {
            thead { tr {
                th { "Round" } th { "Path" }
                @for name in &context.names { th class="number" { (name) } }
                th class="number" { "its games" } th class="number" { "score" }
            } }
            tbody {
                @let start = context.parameters().iter().zip(&context.start.0);
                tr {
                    td { "start" } td {}
                    @for (parameter, value) in start {
                        td class="number" { (parameter.text(*value)) }
                    }
                    td {} td {}
                }
                @for at in listed { (row(context, at, &ends[at])) }
            }
        } }
        p class="soft small" {
            "A row has the values after its round; a path in brackets was not applied. Its games "
            "are those of the candidate that the path led to, its score their points."
        }
    }
}

fn row(context: &Context<'_>, number: usize, end: &RoundEnd) -> Markup {
    let summary = &end.summary;
    let score = summary.candidate_score;
    let score = score.map(|score| format!("{} %", plain(100.0 * score, 1)));
    html! {
        tr {
            td { (number) }
            td { (nodes_words(end)) }
            @for (parameter, value) in context.parameters().iter().zip(&summary.incumbent.0) {
                td class="number" { (parameter.text(*value)) }
            }
            td class="number" { (grouped(summary.candidate_games)) }
            td class="number" { (score.unwrap_or_default()) }
        }
    }
}
