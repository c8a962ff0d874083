//! The parameters: start, result, change, where the best value is and what the verdict on each is.

use maud::{Markup, html};

use super::Context;
use crate::outlook::{ParameterOutlook, ParameterVerdict};
use crate::report::plot::{Axis, coordinate};
use crate::report::words::{plain, short, signed};
use crate::space::{Parameter, Scale};

/// Size of the picture of a range.
const TRACK: [f64; 2] = [160.0, 18.0];
/// Free room at its ends, for the dots.
const MARGIN: f64 = 7.0;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let rows = context.parameters().iter().enumerate();
    let found = if context.keeps_start() {
        "Tried"
    } else {
        "Result"
    };
    html! {
        @if context.keeps_start() {
            p class="note" {
                b { "The start values stay. " }
                "What was tried has not won its verification, and " code { "tuned.toml" }
                " has the values of the start."
            }
        }
        table class="stack" {
            thead { tr {
                th { "Parameter" } th class="number" { "Start" } th class="number" { (found) }
                th class="number" { "Change" } th { "Best value (95 %)" } th { "Verdict" }
            } }
            tbody {
                @for (index, parameter) in rows { (row(context, index, parameter, found)) }
            }
        }
        (legend(context))
    }
}

/// What the pictures and the verdicts mean.
fn legend(context: &Context<'_>) -> Markup {
    html! {
        p class="soft small" {
            "In the range, the ring is the start and the dot the "
            (if context.keeps_start() { "value that was tried" } else { "result" })
            @if let Some(outlook) = &context.outlook {
                @if context.story.summary.extrapolation.is_some() {
                    "; the wide band is where the best value for matches is with a probability of "
                    "95 %, as far as the line through the tuned budgets is one. Verdicts are those "
                    "of the dearest tuned budget. "
                } @else {
                    "; the wide band is where the best value among those played is with a "
                    "probability of 95 %. "
                }
                "No measurable effect: these games do not tell its values apart. Not known yet: "
                "more games may. At its bound: a better value may lie outside of the range."
                @if !outlook.fits {
                    " " b { "The surface does not fit the games, so these intervals and verdicts "
                    "do not hold." }
                }
            } @else { "." }
        }
    }
}

fn row(context: &Context<'_>, index: usize, parameter: &Parameter, found: &str) -> Markup {
    let [start, result] = [&context.start, &context.result].map(|vector| vector.0[index]);
    let outlook = context.outlook.as_ref().map(|it| &it.parameters[index]);
    html! {
        tr {
            td class="first" { code { (parameter.path) } }
            td class="number" data-head="Start" { (parameter.text(start)) }
            td class="number" data-head=(found) { b { (parameter.text(result)) } }
            td class="number change" data-head="Change" { (change(parameter, start, result)) }
            td class="range" data-head="Best value (95 %)" { div class="track" {
                @if let Some(ParameterOutlook { best_95: [low, high], .. }) = outlook {
                    span { (best(parameter, *low, *high)) }
                }
                (track(parameter, [start, result], outlook))
                span class="soft small" {
                    @if let Scale::Choice([first, second]) = parameter.scale {
                        "choice of " (first) " and " (second)
                    } @else {
                        "range " (parameter.min) " to " (parameter.max)
                    }
                    @if parameter.scale == Scale::Log { ", logarithmic" }
                }
            } }
            td data-head="Verdict" { (verdict(parameter, result, outlook)) }
        }
    }
}

fn verdict(parameter: &Parameter, result: f64, outlook: Option<&ParameterOutlook>) -> &'static str {
    let is_at_end = result <= parameter.min || result >= parameter.max;
    match outlook {
        Some(outlook) => outlook.verdict.words(),
        None if is_at_end && !parameter.is_choice() => ParameterVerdict::AtBound.words(),
        None => "\u{2013}",
    }
}

/// Where the best value is.
fn best(parameter: &Parameter, low: f64, high: f64) -> String {
    match (parameter.word(low), parameter.word(high)) {
        (Some(one), Some(other)) if one == other => one.to_owned(),
        (Some(one), Some(other)) => format!("{one} or {other}"),
        _ => format!("{} to {}", short(low), short(high)),
    }
}

/// The difference, and on a logarithmic scale the factor.
fn change(parameter: &Parameter, start: f64, result: f64) -> String {
    if start == result {
        return "none".to_owned();
    }
    match parameter.scale {
        Scale::Choice(_) => "the other word".to_owned(),
        Scale::Log => format!("\u{d7} {}", short(result / start)),
        Scale::Linear => {
            let (difference, range) = (result - start, parameter.max - parameter.min);
            let sign = if difference > 0.0 { "+" } else { "" };
            let share = signed(100.0 * difference / range, 0);
            format!("{sign}{} ({share} % of the range)", short(difference))
        }
    }
}

fn track(
    parameter: &Parameter,
    [start, result]: [f64; 2],
    outlook: Option<&ParameterOutlook>,
) -> Markup {
    let [width, height] = TRACK;
    let axis = Axis::parameter(parameter);
    let at = |value: f64| coordinate(MARGIN + (width - 2.0 * MARGIN) * axis.share(value));
    let middle = coordinate(0.5 * height);
    let label = match parameter.word(result) {
        Some(word) => word.to_owned(),
        None => format!(
            "{} of {} to {}",
            plain(result, 3),
            parameter.min,
            parameter.max
        ),
    };
    let line = |from: &str, to: &str| format!("M{from} {middle}H{to}");
    html! {
        svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label) {
            path d=(line(&at(parameter.min), &at(parameter.max))) class="line sg" {}
            @if let Some(ParameterOutlook { best_95: [low, high], .. }) = outlook {
                path d=(line(&at(*low), &at(*high))) class="best" {}
            }
            path d=(line(&at(start), &at(result))) class="line s1" {}
            circle cx=(at(start)) cy=(middle) r="4.5" class="ring" {}
            circle cx=(at(result)) cy=(middle) r="5" class="f1" {}
        }
    }
}
