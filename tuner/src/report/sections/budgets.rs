//! A tuning at several budgets: what each leg came to, and the lines that lead to matches.

use maud::{Markup, html};

use super::{Context, figure};
use crate::event::{Drift, Extrapolation, LegSummary};
use crate::outlook::Outlook;
use crate::report::plot::{Axis, Frame, coordinate};
use crate::report::words::{grouped, plain, short};
use crate::run::drift_words;
use crate::space::{Parameter, Scale};
use crate::surface::Coordinates;

/// Room on either side of the budgets of a plot, as a factor.
const ROOM: f64 = 1.3;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let job = context.material.job;
    let summary = &context.story.summary;
    let outlooks = summary.leg_outlooks(&job.space);
    let legs: Vec<_> = summary.legs.iter().zip(&outlooks).collect();
    let dearest = job.legs.last().map(|leg| leg.budget.amount.number());
    let words = job.legs_in_words().unwrap_or_default();
    html! {
        p { "Tuned at " (words) ", for matches at " (job.budget) "." }
        table class="stack" {
            thead { tr {
                th { "Budget" } th class="number" { "Games" }
                @for name in &context.names { th { (name) } }
                th { "Still to be gained" }
            } }
            tbody {
                @for (leg, outlook) in &legs { (row(context, leg, outlook.as_ref())) }
            }
        }
        p class="soft small" {
            "Each leg has a learner of its own and starts at the values of the one before. In "
            "brackets where the best value of the range is with a probability of 95 %, as "
            "far as the games of the leg tell: the narrower, the more the leg weighs in the line."
        }
        @match &summary.extrapolation {
            None => p class="note" { "The legs are not over: nothing is extrapolated yet." },
            Some(found) => {
                ul {
                    @for line in drift_words::drifts(&job.space, found) { li { (line) } }
                    @if let Some(dearest) = dearest {
                        li { (drift_words::reach(dearest, found.budget)) }
                    }
                }
                div class="plots" {
                    @for index in 0..context.names.len() { (line(context, found, index)) }
                }
            }
        }
    }
}

fn row(context: &Context<'_>, leg: &LegSummary, outlook: Option<&Outlook>) -> Markup {
    let intervals = drift_words::leg_intervals(&context.material.job.space, leg);
    let outlook = outlook.filter(|it| it.fits);
    html! {
        tr {
            td class="first" { (grouped(leg.budget)) }
            td class="number" data-head="Games" { (grouped(leg.games)) }
            @for (index, name) in context.names.iter().enumerate() {
                // One box: cells lie side by side with their heads on a narrow page.
                td data-head=(name) { div {
                    b { (leg.values.0[index]) }
                    @if let Some(known) = &intervals {
                        " [" (short(known[index][0])) ", " (short(known[index][1])) "]"
                    }
                    @if let Some(outlook) = outlook {
                        br; span class="soft small" {
                            (outlook.parameters[index].verdict.words())
                        }
                    }
                } }
            }
            td data-head="Still to be gained" {
                @match outlook {
                    Some(outlook) => {
                        (plain(outlook.remaining_gain.expected, 1)) " Elo, at most "
                        (plain(outlook.remaining_gain.at_most_95, 1))
                    },
                    None => "\u{2013}",
                }
            }
        }
    }
}

/// The legs' values of a parameter and the line through them, against the budget.
fn line(context: &Context<'_>, found: &Extrapolation, index: usize) -> Markup {
    let space = &context.material.job.space;
    let legs = &context.story.summary.legs;
    let coordinates = Coordinates::new(space);
    let drift = &found.drifts[index];
    let first = legs.first().map_or(found.budget, |leg| leg.budget) as f64;
    let last = legs
        .last()
        .map_or(found.budget, |leg| leg.budget)
        .max(found.budget) as f64;
    let frame = Frame::new(
        budgets(first, last),
        Axis::parameter(&space.parameters[index]),
    );
    let at = |budget: u64, unit: f64| {
        let shown = [frame.x.share(budget as f64), unit.clamp(0.0, 1.0)];
        frame.at_share(shown).map(coordinate)
    };
    let bar = |budget: u64, [low, high]: [f64; 2]| {
        let ([x, low], [_, high]) = (at(budget, low), at(budget, high));
        html! { path d=(format!("M{x} {low}V{high}")) class="line sg" {} }
    };
    let around = |unit: f64, deviation: f64| [-1.96, 1.96].map(|times| unit + times * deviation);
    let [x1, y1] = at(first as u64, on_line(drift, found.budget, first));
    let [x2, y2] = at(found.budget, drift.coordinate);
    let marks = html! {
        @if drift.is_measured { path d=(format!("M{x1} {y1}L{x2} {y2}")) class="line s1" {} }
        @for leg in legs {
            @let unit = coordinates.to_unit(&leg.values)[index];
            @if let Some(known) = &leg.deviations {
                (bar(leg.budget, around(unit, known[index])))
            }
            @let [x, y] = at(leg.budget, unit);
            circle cx=(x) cy=(y) r="4.5" class="f1" {}
        }
        (bar(found.budget, around(drift.coordinate, drift.deviation)))
        circle cx=(x2) cy=(y2) r="4.5" class="f2" {}
    };
    let name = &context.names[index];
    let caption = html! {
        (name) " against the budget "
        span class="soft" { "the orange dot is for matches" }
    };
    let label = format!(
        "Values of {} against the budget",
        space.parameters[index].path
    );
    figure(&caption, &frame.plot(&label, ["budget", name], &marks))
}

/// The unit coordinate of the line at a budget.
fn on_line(drift: &Drift, match_budget: u64, budget: f64) -> f64 {
    drift.coordinate - drift.slope * libm::log(match_budget as f64 / budget)
}

/// A logarithmic axis with some room around the budgets.
fn budgets(first: f64, last: f64) -> Axis {
    Axis::parameter(&Parameter {
        path: String::new(),
        scale: Scale::Log,
        integer: false,
        step: 2.0,
        min: first / ROOM,
        max: last * ROOM,
        start: first,
    })
}
