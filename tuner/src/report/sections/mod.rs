//! The sections of the report, each a file of its own.

mod board;
mod budgets;
mod configuration;
mod failures;
mod matches;
mod outlook;
mod parameters;
mod q_values;
mod reproduction;
mod source_figures;
mod standing;
mod strength;
mod surface;
mod trajectories;
mod trees;
mod verdict;
mod verification;

use maud::{Markup, html};

use super::Material;
use super::story::Story;
use super::words::short_names;
use crate::outlook::Outlook;
use crate::run::drift_words;
use crate::space::{Parameter, Space, Vector};

pub(super) use standing::Standing;

/// What the sections are made from.
pub(super) struct Context<'a> {
    pub(super) material: &'a Material<'a>,
    pub(super) story: &'a Story,
    /// Short names of the parameters.
    pub(super) names: Vec<String>,
    pub(super) start: Vector,
    /// The values in force at the end of what the journal tells.
    pub(super) result: Vector,
    /// What the games of the tuning say of the result; None where none compare two vectors. With
    /// legs it is that of the dearest, but its intervals are those of the values for matches.
    pub(super) outlook: Option<Outlook>,
}

/// A section.
pub(super) struct Section {
    /// The target of links.
    pub(super) id: &'static str,
    /// Its title.
    pub(super) title: &'static str,
    /// What follows the title.
    pub(super) body: Markup,
}

/// All sections, in their order.
pub(super) fn all(context: &Context<'_>) -> Vec<Section> {
    let section = |id, title, body| Section { id, title, body };
    let mut sections = vec![
        section("verdict", "Verdict", verdict::body(context)),
        section("parameters", "Parameters", parameters::body(context)),
        section("trajectories", "Trajectories", trajectories::body(context)),
        section("strength", "Elo over time", strength::body(context)),
        section("surface", "Surface", surface::body(context)),
        section("matches", "Wins, draws and losses", matches::body(context)),
        section("verification", "Verification", verification::body(context)),
        section("q-values", "Q-values", q_values::body(context)),
        section("trees", "Trees", trees::body(context)),
        section("failures", "Failed games", failures::body(context)),
        section(
            "configuration",
            "Configuration",
            configuration::body(context),
        ),
        section("reproduction", "Reproduction", reproduction::body(context)),
    ];
    if let Some(sampled) = &context.material.sampled {
        let at = sections.iter().position(|it| it.id == "failures");
        let body = board::body(sampled);
        sections.insert(
            at.unwrap_or(sections.len()),
            section("board", "A game of the last round", body),
        );
    }
    if let Some(trace) = &context.story.source_trace {
        let at = sections.iter().position(|it| it.id == "trees");
        let body = source_figures::body(context, trace);
        sections.insert(
            at.map_or(sections.len(), |trees| trees + 1),
            section("source-figures", "The source's figures", body),
        );
    }
    if !context.material.job.legs.is_empty() {
        sections.insert(2, section("budgets", "Budgets", budgets::body(context)));
    }
    sections
}

impl<'a> Context<'a> {
    pub(super) fn new(material: &'a Material<'a>, story: &'a Story) -> Self {
        let start = material.job.space.start();
        let space = &material.job.space;
        let result = story.summary.incumbent().unwrap_or(&start).clone();
        Self {
            names: short_names(space),
            outlook: outlook(space, story),
            result,
            start,
            material,
            story,
        }
    }

    /// How far the run has come.
    pub(super) fn standing(&self) -> Standing {
        Standing::of(&self.story.summary, &self.start)
    }

    /// Whether verifications were finished and the start's values stay all the same.
    fn keeps_start(&self) -> bool {
        self.story.summary.standing().keeps_start()
    }

    fn parameters(&self) -> &[Parameter] {
        &self.material.job.space.parameters
    }
}

/// What the games say of the values, with the intervals that the lines through the legs lead to.
fn outlook(space: &Space, story: &Story) -> Option<Outlook> {
    let mut outlook = story.summary.outlook(space)?;
    if let Some(found) = &story.summary.extrapolation {
        let intervals = drift_words::intervals(space, found);
        let parameters = space.parameters.iter().zip(intervals);
        for (known, (parameter, interval)) in outlook.parameters.iter_mut().zip(parameters) {
            if !parameter.is_choice() {
                known.best_95 = interval;
            }
        }
    }
    Some(outlook)
}

/// A sentence where a section has nothing to show.
fn nothing(text: &str) -> Markup {
    html! { p class="soft" { (text) } }
}

/// What stands in the place of a surface where no games compare two vectors.
fn without_outlook(context: &Context<'_>) -> Markup {
    nothing(if context.story.summary.games == 0 {
        "No trial has been stored yet."
    } else {
        outlook::ONE_SIDED
    })
}

/// A plot with its caption.
fn figure(caption: &Markup, plot: &Markup) -> Markup {
    html! { figure { figcaption { (caption) } (plot) } }
}

/// A line of a plot's key: a stroke of these classes, and what it is.
fn key(entries: &[(&str, String)]) -> Markup {
    html! {
        ul class="key" {
            @for (classes, word) in entries {
                li { (stroke(classes)) (word) }
            }
        }
    }
}

/// A short line of these classes, as a plot has it.
fn stroke(classes: &str) -> Markup {
    html! {
        svg viewBox="0 0 26 10" aria-hidden="true" {
            path d="M1 5H25" class=(format!("line {classes}")) {}
        }
    }
}
