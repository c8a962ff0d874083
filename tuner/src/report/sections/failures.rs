//! Games that failed: whose they were, and the evidence that the run has kept.

use maud::{Markup, html};

use super::{Context, nothing};
use crate::report::words::counted;
use crate::space::Vector;

/// Vectors and files of evidence that are listed.
const LISTED_MAX: usize = 50;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let summary = &context.story.summary;
    let files = context.material.failures;
    if summary.dropped_pairs == 0 && files.is_empty() {
        return nothing("No game has failed.");
    }
    html! {
        p {
            "A game that panics, breaks the rules or takes too long costs its pair, which is then "
            "played again; no result of it counts. "
            b { (counted(summary.dropped_pairs, "pair")) } " so dropped and replayed."
        }
        @if !summary.dropped_by.is_empty() {
            table {
                thead { tr { th class="number" { "Pairs" } th { "Played with" } } }
                tbody {
                    @for by in summary.dropped_by.iter().take(LISTED_MAX) {
                        tr {
                            td class="number" { (by.pairs) }
                            td { (values(context, by.vector.as_ref())) }
                        }
                    }
                }
            }
        }
        @if !files.is_empty() {
            details {
                summary { "Evidence " span class="soft" { "in the run's folder failures" } }
                ul {
                    @for failed in files.iter().take(LISTED_MAX) {
                        li { code { (failed.file) } ": " (failed.said) }
                    }
                }
            }
        }
        @if files.len() > LISTED_MAX || summary.dropped_by.len() > LISTED_MAX {
            p class="soft" { "The lists end after " (LISTED_MAX) " lines each." }
        }
    }
}

fn values(context: &Context<'_>, vector: Option<&Vector>) -> Markup {
    let vector = vector.unwrap_or(&context.start);
    html! {
        @for (index, value) in vector.0.iter().enumerate() {
            @if index > 0 { ", " }
            code { (context.names[index]) } " = " (value)
        }
    }
}
