//! The engine's configuration before and after, and the job as resolved.

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use super::Context;
use crate::run::tuned::TunedFile;

/// Unchanged lines shown around a change.
const AROUND: usize = 2;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let job = context.material.job;
    let mut tuned = TunedFile::new(
        "tuned.toml".into(),
        job.engine.text.clone(),
        job.provenance(),
    );
    tuned.replay(context.material.events);
    html! {
        @match tuned.text(&context.result) {
            Ok(after) => {
                p class="soft" {
                    code { (job.engine.name) } " as the run began, and " code { "tuned.toml" }
                    " as it stands: lines with \u{2212} went, lines with + came."
                }
                (difference(&job.engine.text, &after))
                (not_shipped(context, &tuned))
            },
            // A job whose values have no place in the configuration is refused at its start.
            Err(error) => p class="note" { "There is no tuned configuration: " (error) },
        }
        details {
            summary { "The job as resolved " span class="soft" { "with every default" } }
            pre { (context.material.job_text) }
        }
    }
}

/// What was found and is not in `tuned.toml`, because no verification has accepted it.
fn not_shipped(context: &Context<'_>, tuned: &TunedFile) -> Markup {
    if !context.keeps_start() || context.result == context.start {
        return html! {};
    }
    let job = context.material.job;
    html! {
        h3 { "Found and not shipped" }
        @match tuned.found(&context.result) {
            Ok(found) => {
                p class="soft" {
                    "What the tuning has found and no verification has accepted: the values that "
                    code { "tuner export --force" } " would write."
                }
                (difference(&job.engine.text, &found))
            },
            Err(error) => p class="note" { "There is no such configuration: " (error) },
        }
    }
}

fn difference(before: &str, after: &str) -> Markup {
    let difference = TextDiff::from_lines(before, after);
    let groups = difference.grouped_ops(AROUND);
    html! {
        pre class="diff" {
            @for (index, group) in groups.iter().enumerate() {
                @if index > 0 { span class="gap" { "\u{22ee}" } }
                @for change in group.iter().flat_map(|op| difference.iter_changes(op)) {
                    @let (class, sign) = match change.tag() {
                        ChangeTag::Delete => ("minus", '\u{2212}'),
                        ChangeTag::Insert => ("plus", '+'),
                        ChangeTag::Equal => ("same", ' '),
                    };
                    span class=(class) { (sign) " " (change.value().trim_end()) }
                }
            }
        }
    }
}
