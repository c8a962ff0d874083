//! The verdict in words: what changed, by how much, how sure that is, and what was spent.

use maud::{Markup, html};

use super::{Context, Standing};
use crate::event::{StopReason, Verdict};
use crate::report::words::{counted, grouped, listed, plain, short, signed};
use crate::run::summary::Attempt;
use crate::stats::EloEstimate;

/// Changes that the verdict lists in words; the table has all.
const CHANGES_SHOWN: usize = 4;

pub(super) fn body(context: &Context<'_>) -> Markup {
    html! {
        p class="headline" { (headline(context)) }
        @for sentence in sentences(context) { p { (sentence) } }
        @if context.material.has_torn_tail {
            p class="note" {
                "The last line of the journal was not written whole. What stood in it is not in "
                "this report; the run plays it again when it goes on."
            }
        }
        (super::outlook::words(context))
        (tiles(context))
        (spent(context))
    }
}

fn headline(context: &Context<'_>) -> Markup {
    let last = context.story.summary.last_attempt();
    let measured = last.and_then(measured);
    match context.standing() {
        Standing::Begun => html! { strong { "No round has finished yet." } " The values are those "
        "of the start." },
        Standing::Tuning => {
            html! { strong { "The tuning is not over." } " The values below are in "
            "force so far; nothing has been verified." }
        }
        Standing::Unverified => html! { strong { "The tuning is over, the verification is not." }
        " What has been found still has to win on fresh games." },
        Standing::Unchanged => html! { strong { "Nothing to gain was found." } " The tuning ended "
        "with the values of the start, so there is nothing to verify: the start values stay." },
        Standing::Accepted => html! { strong { (gain(last, measured)) }
        " The result won its verification on fresh games." },
        Standing::Rejected => html! { strong { "No improvement: the start values stay." }
        " The result lost its verification on fresh games. " (aside(measured)) },
        Standing::Undecided => html! { strong { "Not decided: the start values stay." }
        " The verification used up its games without a decision. " (aside(measured)) },
    }
}

fn measured(attempt: &Attempt) -> Option<EloEstimate> {
    attempt.measured.pentanomial.elo().estimate()
}

fn gain(attempt: Option<&Attempt>, estimate: Option<EloEstimate>) -> String {
    let Some(estimate) = estimate else {
        let score = attempt
            .and_then(|it| it.measured.wdl.score())
            .unwrap_or(0.5);
        return format!(
            "Stronger than the start: {} % of the points.",
            plain(100.0 * score, 1)
        );
    };
    let [low, high] = estimate.elo_95.map(|elo| signed(elo, 0));
    let elo = signed(estimate.elo, 0);
    format!("{elo} Elo over the start (95 % interval {low} to {high}).")
}

fn aside(estimate: Option<EloEstimate>) -> String {
    let Some(estimate) = estimate else {
        return String::new();
    };
    let [low, high] = estimate.elo_95.map(|elo| signed(elo, 0));
    format!(
        "Measured: {} Elo, between {low} and {high}.",
        signed(estimate.elo, 0)
    )
}

fn sentences(context: &Context<'_>) -> Vec<Markup> {
    let mut sentences = vec![changes(context)];
    if let Some(attempt) = context.story.summary.last_attempt()
        && attempt.tuned != context.start
    {
        sentences.extend(sureness(context, attempt));
        sentences.extend(against_reference(context, attempt));
    }
    sentences.push(cost(context));
    sentences
}

fn changes(context: &Context<'_>) -> Markup {
    let values = context.start.0.iter().zip(&context.result.0);
    let changed: Vec<(usize, f64, f64)> = values
        .enumerate()
        .filter(|(_, (before, now))| before != now)
        .map(|(index, (before, now))| (index, *before, *now))
        .collect();
    let kept = context.start.0.len() - changed.len();
    if changed.is_empty() {
        return html! { "No parameter has another value than at the start." };
    }
    let more = changed.len().saturating_sub(CHANGES_SHOWN);
    html! {
        b { (if context.keeps_start() { "What was tried and is not kept: " }
            else { "What changed: " }) }
        @for (place, (index, before, now)) in changed.iter().take(CHANGES_SHOWN).enumerate() {
            @if place > 0 { ", " }
            @let parameter = &context.parameters()[*index];
            code { (context.names[*index]) }
            " from " (parameter.text(*before)) " to " (parameter.text(*now))
        }
        @if more > 0 { " and " (counted(more as u64, "more parameter")) }
        "."
        @if kept > 0 { " " (counted(kept as u64, "parameter")) " kept the start value." }
    }
}

/// What the test and the measurement of a verification say.
fn sureness(context: &Context<'_>, attempt: &Attempt) -> Option<Markup> {
    let plan = &context.material.job.verification;
    let verdict = match attempt.verdict? {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "did not decide on",
    };
    let test = plan
        .test(attempt.attempt)
        .expect("a job's test was checked");
    let [alpha, beta] = test.error_rates().map(|rate| short(100.0 * rate));
    let [low, high] = plan.bounds_nelo.map(|bound| plain(bound, 0));
    let games = counted(attempt.decision.wdl.games(), "game");
    let estimate = measured(attempt);
    Some(html! {
        b { "How sure: " }
        "a sequential test of " (low) " against " (high) " normalised Elo, with error rates "
        (alpha) "\u{a0}% and " (beta) "\u{a0}%, " (verdict) " it after " (games) ". "
        @if let Some(estimate) = estimate {
            "Then " (counted(attempt.measured.wdl.games(), "further game")) " measured the strength"
            ", without the luck of where the test stopped: the probability that the result is "
            "stronger is " (percent(estimate.los)) "."
        }
    })
}

/// A probability for people: never 0 or 100 % by rounding.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 99.99 => "above 99.99\u{a0}%".to_owned(),
        percent if percent < 0.01 => "below 0.01\u{a0}%".to_owned(),
        percent => format!(
            "{}\u{a0}%",
            plain(percent, if percent > 99.0 { 2 } else { 1 })
        ),
    }
}

fn against_reference(context: &Context<'_>, attempt: &Attempt) -> Option<Markup> {
    let name = &context.material.job.reference.as_ref()?.source.name;
    let start = attempt
        .start_against_reference
        .pentanomial
        .elo()
        .estimate()?;
    let tuned = attempt
        .tuned_against_reference
        .pentanomial
        .elo()
        .estimate()?;
    Some(html! {
        b { "Against the reference " } code { (name) } ": the start is at "
        (signed(start.elo, 0)) " Elo, the result at " (signed(tuned.elo, 0)) "."
    })
}

fn cost(context: &Context<'_>) -> Markup {
    let summary = &context.story.summary;
    let parts: Vec<String> = spending(context)
        .into_iter()
        .filter(|(_, games, _)| *games > 0)
        .map(|(word, games, _)| format!("{} {word}", counted(games, "game")))
        .collect();
    let rounds = counted(summary.rounds.len() as u64, "round");
    let reason = match summary.stop_reason {
        None => "",
        Some(StopReason::Rounds) => " The tuning ended because its rounds were played.",
        Some(StopReason::Converged) => {
            " The tuning ended because the learner saw nothing more to gain."
        }
        Some(StopReason::SmallGain) => {
            " The tuning ended because less was still to be gained than the job's stop_gain_elo."
        }
        Some(StopReason::Games) => " The tuning ended because its games were used up.",
    };
    if parts.is_empty() {
        return html! { "No game has been stored yet." };
    }
    html! { b { "What was spent: " } (listed(&parts)) ", in " (rounds) "." (reason) }
}

/// Games by what they were for, with the class of their colour.
fn spending(context: &Context<'_>) -> [(&'static str, u64, &'static str); 4] {
    let spent = context.story.summary.spent();
    [
        ("of tuning", spent.tuning, "b1"),
        ("of the sequential test", spent.decision, "b2"),
        ("of measurement", spent.measurement, "b3"),
        ("against the reference", spent.reference, "b4"),
    ]
}

fn spent(context: &Context<'_>) -> Markup {
    let parts = spending(context);
    if parts.iter().all(|(_, games, _)| *games == 0) {
        return html! {};
    }
    let segments: Vec<_> = parts
        .iter()
        .map(|&(_, games, class)| (games, class))
        .collect();
    html! {
        h3 { "Where the games went" }
        (super::matches::bar(&segments))
        ul class="key" {
            @for (word, games, class) in parts {
                @if games > 0 {
                    li { span class=(format!("chip {class}")) {} (grouped(games)) " " (word) }
                }
            }
        }
    }
}

fn tiles(context: &Context<'_>) -> Markup {
    let summary = &context.story.summary;
    let last = summary.last_attempt();
    let estimate = last.and_then(measured);
    let games = summary.spent().total();
    let planned = context.material.job.stop.rounds;
    let planned = planned.map_or_else(String::new, |rounds| format!("of {rounds} "));
    html! {
        div class="tiles" {
            div class="tile" {
                @match estimate {
                    Some(it) => { b { (signed(it.elo, 1)) } span {
                        "Elo over the start, [" (signed(it.elo_95[0], 1)) ", "
                        (signed(it.elo_95[1], 1)) "]" } },
                    None => { b { "\u{2013}" } span { "Elo over the start: not measured" } },
                }
            }
            div class="tile" { b { (grouped(games)) } span { "games in all" } }
            div class="tile" { b { (summary.rounds.len()) } span { (planned) "rounds" } }
            div class="tile" {
                b { (summary.attempts.len()) }
                span { "verification" @if summary.attempts.len() != 1 { "s" } }
            }
        }
    }
}
