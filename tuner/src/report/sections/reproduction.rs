//! What is needed to get the same bytes again.

use maud::{Markup, html};

use super::Context;
use crate::job::digest;

pub(super) fn body(context: &Context<'_>) -> Markup {
    let (job, identity) = (context.material.job, context.material.identity);
    let name = context.material.name;
    let kind = if job.budget.is_reproducible() {
        "the same on every machine, with any number of threads, through kills and resumptions"
    } else {
        "not reproducible: the budget is a time, so that the speed of the machine decides"
    };
    html! {
        dl class="facts" {
            dt { "Seed" } dd { (job.seed) }
            dt { "Results version" } dd { (identity.results_version) }
            dt { "Program version" } dd { (identity.program_version) }
            dt { "Digest of the job" } dd { code { (digest(context.material.job_text)) } }
            dt { "Started" } dd { (identity.started) }
            dt { "Budget" } dd { (job.budget.to_string()) }
            dt { "Results" } dd { (kind) }
        }
        p { "The whole run again, from the job in its folder (the journals are then the same "
            "bytes), and any single game of it:" }
        pre {
            "tuner run runs/" (name) "/job.toml --name " (name) "-again\n"
            "tuner replay " (name) " --round 0 --trial 0 --game 0"
        }
    }
}
