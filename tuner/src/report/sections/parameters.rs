//! The parameters: start, result, change, and where in its range each stands.

use maud::{Markup, html};

use super::Context;
use crate::report::plot::{Axis, coordinate};
use crate::report::words::{plain, short, signed};
use crate::space::{Parameter, Scale};

/// Size of the picture of a range.
const TRACK: [f64; 2] = [160.0, 18.0];
/// Free room at its ends, for the dots.
const MARGIN: f64 = 7.0;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let rows = context.parameters().iter().enumerate();
    html! {
        table class="stack" {
            thead { tr {
                th { "Parameter" } th class="number" { "Start" } th class="number" { "Result" }
                th class="number" { "Change" } th { "Place in its range" }
            } }
            tbody {
                @for (index, parameter) in rows {
                    (row(parameter, context.start.0[index], context.result.0[index]))
                }
            }
        }
        p class="soft small" {
            "In the range, the ring is the start and the dot the result."
        }
    }
}

fn row(parameter: &Parameter, start: f64, result: f64) -> Markup {
    let is_at_end = result <= parameter.min || result >= parameter.max;
    html! {
        tr {
            td class="first" { code { (parameter.path) } }
            td class="number" data-head="Start" { (start) }
            td class="number" data-head="Result" { b { (result) } }
            td class="number" data-head="Change" { (change(parameter, start, result)) }
            td class="range" data-head="Range" { div class="track" {
                (track(parameter, start, result))
                span class="soft small" {
                    (parameter.min) " to " (parameter.max)
                    @if parameter.scale == Scale::Log { ", logarithmic" }
                    @if is_at_end { " \u{2013} " b { "at the end of its range" } }
                }
            } }
        }
    }
}

/// The difference, and on a logarithmic scale the factor.
fn change(parameter: &Parameter, start: f64, result: f64) -> String {
    if start == result {
        return "none".to_owned();
    }
    match parameter.scale {
        Scale::Log => format!("\u{d7} {}", short(result / start)),
        Scale::Linear => {
            let (difference, range) = (result - start, parameter.max - parameter.min);
            let sign = if difference > 0.0 { "+" } else { "" };
            let share = signed(100.0 * difference / range, 0);
            format!("{sign}{} ({share} % of the range)", short(difference))
        }
    }
}

fn track(parameter: &Parameter, start: f64, result: f64) -> Markup {
    let [width, height] = TRACK;
    let axis = Axis::parameter(parameter);
    let at = |value: f64| coordinate(MARGIN + (width - 2.0 * MARGIN) * axis.share(value));
    let middle = coordinate(0.5 * height);
    let label = format!(
        "{} of {} to {}",
        plain(result, 3),
        parameter.min,
        parameter.max
    );
    let line = |from: &str, to: &str| format!("M{from} {middle}H{to}");
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label) {
            path d=(line(&at(parameter.min), &at(parameter.max))) class="line sg" {}
            path d=(line(&at(start), &at(result))) class="line s1" {}
            circle cx=(at(start)) cy=(middle) r="4.5" class="ring" {}
            circle cx=(at(result)) cy=(middle) r="5" class="f1" {}
        }
    }
}
