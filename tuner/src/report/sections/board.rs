//! The last position of a sampled game, and its record.

use maud::{Markup, PreEscaped, html};

use crate::report::SampledBoard;

pub(super) fn body(sampled: &SampledBoard) -> Markup {
    html! {
        p class="soft" {
            "The first game of the last round that kept one, at its end: " code {
                "games/" (sampled.file)
            } ". In it the candidate of the round's first trial sits as First."
        }
        (PreEscaped(&sampled.svg))
        ul class="key" {
            li { span class="chip b1" {} "First" }
            li { span class="chip b2" {} "Second" }
            li { span class="chip arrowed" {} "arrow" }
            li { "tinted: squares that one side alone still reaches" }
        }
        details {
            summary { "Its record" }
            pre { (sampled.record) }
        }
    }
}
