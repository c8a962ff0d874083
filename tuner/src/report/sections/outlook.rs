//! What the games of the tuning say about the values: which parameters matter, what is left to
//! gain, and whether the surface behind these words can be believed.

use maud::{Markup, html};

use super::Context;
use crate::outlook::{ERRORS_MIN, Outlook, ParameterVerdict};
use crate::report::words::{counted, listed, plain};

/// What is said where the games have one vector First throughout.
pub(super) const ONE_SIDED: &str = "No surface and no verdicts on parameters: one vector was First \
    in all games, so that what they say of it cannot be told from what being First is worth.";

/// The paragraphs of the verdict; none before the first game.
pub(super) fn words(context: &Context<'_>) -> Markup {
    // Once the legs are over, the result is none of theirs.
    let legs_are_over = context.story.summary.extrapolation.is_some();
    let dearest = context.material.job.legs.last().filter(|_| legs_are_over);
    match &context.outlook {
        None if context.story.summary.games == 0 => html! {},
        None => html! { p { (ONE_SIDED) } },
        Some(outlook) if outlook.fits => html! {
            @if let Some(dearest) = dearest {
                p {
                    b { "What matters" } " at " (dearest.budget) ": " (matters(context, outlook))
                    ". " b { "What is left" } " is said of each tuned budget under Budgets."
                }
            } @else {
                p { b { "What matters: " } (matters(context, outlook)) "." }
                p { b { "What is left: " } (left(outlook)) "." }
            }
        },
        Some(outlook) => misfits(context, outlook),
    }
}

/// The names of the parameters by their verdicts.
fn matters(context: &Context<'_>, outlook: &Outlook) -> String {
    let verdicts = [
        ParameterVerdict::Measured,
        ParameterVerdict::AtBound,
        ParameterVerdict::NotKnownYet,
        ParameterVerdict::NoMeasurableEffect,
    ];
    let parts = verdicts.into_iter().filter_map(|verdict| {
        let parameters = context.names.iter().zip(&outlook.parameters);
        let alike = parameters.filter(|(_, it)| it.verdict == verdict);
        let names: Vec<String> = alike.map(|(name, _)| name.clone()).collect();
        (!names.is_empty()).then(|| format!("{}: {}", verdict.words(), listed(&names)))
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// What better values would still bring.
pub(super) fn left(outlook: &Outlook) -> String {
    let [expected, at_most] = [
        outlook.remaining_gain.expected,
        outlook.remaining_gain.at_most_95,
    ]
    .map(|elo| plain(elo, 1));
    format!(
        "the best values among those that were played are expected to be {expected} Elo above \
         the result, and at most {at_most} (95 %)"
    )
}

fn misfits(context: &Context<'_>, outlook: &Outlook) -> Markup {
    html! {
        div class="note" {
            p {
                b { "The surface does not fit: " }
                (counted(outlook.misfits.len() as u64, "comparison")) " of games are more than "
                (plain(ERRORS_MIN, 0)) " standard errors away from what it predicts, as steps and "
                "cusps do. The intervals and verdicts on the parameters and the predicted Elo do "
                "not hold; what a verification measured does. The worst:"
            }
            ul {
                @for words in outlook.worst_misfits(&context.material.job.space) {
                    li { (words) }
                }
            }
        }
    }
}
