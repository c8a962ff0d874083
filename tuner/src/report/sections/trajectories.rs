//! The way of every parameter over the games of the tuning.

use maud::{Markup, html};

use super::{Context, figure, key, nothing};
use crate::report::plot::{Axis, Frame, POINTS_MAX, coordinate, outline, spread, steps};
use crate::space::Parameter;

pub(super) fn body(context: &Context<'_>) -> Markup {
    if context.story.summary.games == 0 {
        return nothing("No trial has been stored yet.");
    }
    let parameters = context.parameters().iter().enumerate();
    let entries = [
        ("s1", "value in force".to_owned()),
        ("sg dash", "start".to_owned()),
        ("sg dot", "values tried".to_owned()),
    ];
    html! {
        p class="soft" {
            "The height of each plot is the parameter's range. The value in force changes at the "
            "end of a round at most."
        }
        (key(&entries))
        div class="plots" {
            @for (index, parameter) in parameters { (trajectory(context, index, parameter)) }
        }
    }
}

fn trajectory(context: &Context<'_>, index: usize, parameter: &Parameter) -> Markup {
    let story = context.story;
    let (start, result) = (context.start.0[index], context.result.0[index]);
    let frame = Frame::new(Axis::count(story.summary.games), Axis::parameter(parameter))
        .with_room_right(76.0);
    let ends = spread(story.rounds.len(), POINTS_MAX).into_iter();
    let mut points = vec![[0.0, start]];
    points.extend(ends.map(|at| {
        let end = &story.rounds[at];
        [end.games as f64, end.summary.incumbent.0[index]]
    }));
    points.push([story.summary.games as f64, result]);
    let line = outline(steps(&points).into_iter().map(|point| frame.at(point)));
    let [left, _, right, _] = frame.area();
    let base = coordinate(frame.at_y(start));
    let end = frame.at_y(result);
    let marks = html! {
        path d=(format!("M{} {base}H{}", coordinate(left), coordinate(right)))
            class="thin sg dash" {}
        @for (games, vector) in &story.tried {
            circle cx=(coordinate(frame.at_x(*games as f64)))
                cy=(coordinate(frame.at_y(vector.0[index]))) r="1.6" class="tried" {}
        }
        path d=(line) class="line s1" {}
        circle cx=(coordinate(right)) cy=(coordinate(end)) r="4" class="f1" {}
        text x=(coordinate(right + 8.0)) y=(coordinate(end + 4.0)) class="t1" {
            (parameter.text(result))
        }
    };
    let [start, result] = [start, result].map(|value| parameter.text(value));
    let label = format!(
        "{} over the games, from {start} to {result}",
        parameter.path
    );
    let name = &context.names[index];
    let caption = html! { (name) " " span class="soft" { (start) " \u{2192} " (result) } };
    figure(
        &caption,
        &frame.plot(&label, ["games of tuning", name], &marks),
    )
}
