//! Verifications: every attempt with its test, the way of its LLR, and what was measured.

use maud::{Markup, html};

use super::{Context, figure, nothing};
use crate::event::Verdict;
use crate::report::plot::{Axis, Frame, POINTS_MAX, coordinate, outline, spread};
use crate::report::words::{counted, elo_with_interval, plain};
use crate::run::summary::Attempt;
use crate::run::tuned::{SAME_AS_START, strength};
use crate::stats::Sprt;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let attempts = &context.story.summary.attempts;
    if attempts.is_empty() {
        return nothing("No verification has begun: the tuning comes first.");
    }
    html! {
        p class="soft" {
            "Fresh games on fresh openings, never those that made a path win. Each further attempt "
            "has half the error rates of the one before, and all of them stand here: nobody passes "
            "by trying again."
        }
        @for (index, attempt) in attempts.iter().enumerate() {
            (one(context, attempt, &context.story.tests.attempts()[index]))
        }
    }
}

fn one(context: &Context<'_>, attempt: &Attempt, points: &[[f64; 2]]) -> Markup {
    let verdict = match attempt.verdict {
        None => "not finished",
        Some(Verdict::Accepted) => "accepted",
        Some(Verdict::Rejected) => "rejected",
        Some(Verdict::Undecided) => "undecided",
    };
    let title = html! { h3 { "Verification " (attempt.attempt) ": " (verdict) } };
    if attempt.tuned == context.start {
        return html! { (title) p { "Not played: " (SAME_AS_START) "." } };
    }
    let plan = &context.material.job.verification;
    let test = plan
        .test(attempt.attempt)
        .expect("a job's test was checked");
    html! {
        (title)
        div class="plots" {
            (llr(attempt, &test, points))
            (facts(context, attempt, &test))
        }
    }
}

fn facts(context: &Context<'_>, attempt: &Attempt, test: &Sprt) -> Markup {
    let plan = &context.material.job.verification;
    let decision = &attempt.decision;
    let corrected = match test.corrected_of_pairs(&decision.pentanomial, plan.looks()) {
        Ok(found) => elo_with_interval(found.elo, found.elo_95),
        Err(reason) => reason.to_string(),
    };
    let [alpha, beta] = test.error_rates();
    let [low, high] = plan.bounds_nelo;
    let bounds = test.bounds();
    let llr = plain(test.llr_of_pairs(&decision.pentanomial), 2);
    let reference = [
        (
            "Start against the reference",
            &attempt.start_against_reference,
        ),
        (
            "Result against the reference",
            &attempt.tuned_against_reference,
        ),
    ];
    html! {
        dl {
            dt { "Test" } dd { (low) " against " (high) " normalised Elo" }
            dt { "Error rates" } dd { (alpha) " and " (beta) }
            dt { "LLR" }
            dd { (llr) " between " (plain(bounds.lower, 2)) " and " (plain(bounds.upper, 2)) }
            dt { "Games of the test" } dd { (counted(decision.wdl.games(), "game")) }
            dt { "Strength by the test" }
            dd { (corrected) span class="soft" { ", corrected for where it stopped" } }
            dt { "Strength measured" } dd { b { (strength(&attempt.measured)) } }
            @for (name, result) in reference {
                @if result.wdl.games() > 0 { dt { (name) } dd { (strength(result)) } }
            }
        }
    }
}

/// The LLR after each batch, between the bounds of the test.
fn llr(attempt: &Attempt, test: &Sprt, points: &[[f64; 2]]) -> Markup {
    let bounds = test.bounds();
    let ends = [bounds.lower, bounds.upper, 0.0];
    let values = points.iter().map(|[_, llr]| *llr).chain(ends);
    let games = attempt.decision.wdl.games();
    let frame = Frame::new(Axis::count(games), Axis::around(values));
    let few = spread(points.len(), POINTS_MAX)
        .into_iter()
        .map(|at| points[at]);
    let line = outline(
        std::iter::once([0.0, 0.0])
            .chain(few)
            .map(|point| frame.at(point)),
    );
    let [left, _, right, _] = frame.area();
    let level = |value: f64| {
        let y = coordinate(frame.at_y(value));
        format!("M{} {y}H{}", coordinate(left), coordinate(right))
    };
    let word = |value: f64, above: f64| coordinate(frame.at_y(value) + above);
    let last = points.last().copied().unwrap_or_default();
    let [x, y] = frame.at(last).map(coordinate);
    let marks = html! {
        path d=(level(bounds.upper)) class="line s3 dash" {}
        path d=(level(bounds.lower)) class="line s2 dash" {}
        path d=(level(0.0)) class="thin sg" {}
        text x=(coordinate(left + 6.0)) y=(word(bounds.upper, 15.0)) class="t3 halo" {
            "accept above " (plain(bounds.upper, 2)) }
        text x=(coordinate(left + 6.0)) y=(word(bounds.lower, -7.0)) class="t2 halo" {
            "reject below " (plain(bounds.lower, 2)) }
        path d=(line) class="line s1" {}
        circle cx=(x) cy=(y) r="4" class="f1" {}
    };
    let label = format!("LLR over the games of verification {}", attempt.attempt);
    let caption = html! { "Log-likelihood ratio of the test" };
    figure(
        &caption,
        &frame.plot(&label, ["games of the test", "LLR"], &marks),
    )
}
