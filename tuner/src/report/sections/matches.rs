//! Wins, draws and losses, and game pairs by their points, as bars.

use maud::{Markup, html};

use super::{Context, nothing};
use crate::report::words::{counted, grouped};
use crate::run::tuned::strength;
use crate::trial::TrialResult;

/// Share of a bar from which on a segment has room for its number.
const ROOM_FOR_NUMBER: f64 = 0.07;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let rows = rows(context);
    if rows.is_empty() {
        return nothing("No game has been stored yet.");
    }
    let pairs = rows
        .iter()
        .any(|(_, result)| result.pentanomial.pairs() > 0);
    html! {
        p class="soft" {
            "Seen from the side named first. Trials of the tuning pair a candidate with what its "
            "learner put against it: their balance says nothing about strength."
        }
        @for (name, result) in &rows { (row(name, result)) }
        ul class="key" {
            li { span class="chip win" {} "won" }
            li { span class="chip draw" {} "drawn" }
            li { span class="chip loss" {} "lost" }
        }
        @if pairs {
            p class="soft small" {
                "The second bar of each counts game pairs (one opening, both sides) by the points "
                "of the side named first: 2, 1\u{bd}, 1, \u{bd} and 0 from left to right."
            }
        }
    }
}

/// What was played, with games in it.
fn rows<'a>(context: &'a Context<'_>) -> Vec<(String, &'a TrialResult)> {
    let mut rows = vec![("All trials of the tuning".to_owned(), &context.story.trials)];
    for attempt in &context.story.summary.attempts {
        let number = attempt.attempt;
        let contests = [
            ("sequential test, result against start", &attempt.decision),
            ("measurement, result against start", &attempt.measured),
            ("start against reference", &attempt.start_against_reference),
            ("result against reference", &attempt.tuned_against_reference),
        ];
        let named = |(name, result)| (format!("Verification {number}: {name}"), result);
        rows.extend(contests.map(named));
    }
    rows.retain(|(_, result)| result.wdl.games() > 0);
    rows
}

fn row(name: &str, result: &TrialResult) -> Markup {
    let wdl = result.wdl;
    let [zero, half, one, more, two] = result.pentanomial.0;
    let is_trials = name.starts_with("All");
    let is_test = name.contains("sequential");
    html! {
        h3 { (name) }
        (bar(&[(wdl.wins, "win"), (wdl.draws, "draw"), (wdl.losses, "loss")]))
        @if result.pentanomial.pairs() > 0 {
            (bar(&[(two, "p4"), (more, "p3"), (one, "p2"), (half, "p1"), (zero, "p0")]))
        }
        p class="small soft" {
            (counted(wdl.games(), "game")) ": " (grouped(wdl.wins)) " won, " (grouped(wdl.draws))
            " drawn, " (grouped(wdl.losses)) " lost"
            @if !is_trials && !is_test { "; " (strength(result)) }
            @if is_test { "; its strength, corrected for where it stopped, is below" }
            "."
        }
    }
}

/// A bar of parts by their counts, each with the class of its colour.
pub(super) fn bar(parts: &[(u64, &str)]) -> Markup {
    let all: u64 = parts.iter().map(|(count, _)| count).sum();
    html! {
        div class="bar" {
            @for (count, class) in parts {
                @if *count > 0 {
                    div class=(class) style=(format!("flex-grow:{count}")) {
                        @if *count as f64 >= ROOM_FOR_NUMBER * all as f64 { (grouped(*count)) }
                    }
                }
            }
        }
    }
}
