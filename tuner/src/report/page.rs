//! The page around the sections.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::sections::{self, Context};
use super::story::Story;
use super::{Material, PAGE_MARK};

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(material: &Material<'_>, story: &Story) -> String {
    let context = Context::new(material, story);
    let sections = sections::all(&context);
    let title = format!("{}: Sixfold report", material.name);
    let page = html! {
        (DOCTYPE)
        html lang="en" xmlns="http://www.w3.org/1999/xhtml" {
            (head(&title))
            body {
                header class="top" {
                    p class="eyebrow" { "Sixfold tuning report" }
                    h1 { (material.name) (badge(&context)) }
                    nav aria-label="Sections" {
                        @for section in &sections {
                            a href=(format!("#{}", section.id)) { (section.title) } " "
                        }
                    }
                }
                main {
                    @for section in &sections { (framed(section)) }
                }
                footer { p {
                    "Written by Sixfold " (env!("CARGO_PKG_VERSION")) " from the run's journal. "
                    "Intervals are 95 % intervals. This file needs nothing else: keep it, send it, "
                    "print it."
                } }
            }
        }
    };
    page.into_string()
}

/// Elements without content are closed as in XML, which HTML allows too.
fn head(title: &str) -> Markup {
    let viewport = r#"<meta name="viewport" content="width=device-width, initial-scale=1" />"#;
    html! {
        head {
            (PreEscaped(r#"<meta charset="utf-8" />"#))
            (PreEscaped(PAGE_MARK))
            (PreEscaped(viewport))
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

fn framed(section: &sections::Section) -> Markup {
    html! {
        section id=(section.id) {
            h2 { (section.title) }
            (section.body)
        }
    }
}

fn badge(context: &Context<'_>) -> Markup {
    let (word, class) = context.standing().badge(context.material.state);
    html! { " " span class=(format!("badge {class}")) { (word) } }
}
