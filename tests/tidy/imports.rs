//! Who may name whom: the direction of dependencies.

use crate::Violation;
use crate::rules::has_word;
use crate::source::Source;

/// Modules of one crate that the files under a place may name.
struct Allowed {
    place: &'static str,
    modules: &'static [&'static str],
}

const ENGINE: [Allowed; 6] = [
    Allowed {
        place: "game",
        modules: &["game"],
    },
    Allowed {
        place: "eval",
        modules: &["eval", "game", "stream"],
    },
    Allowed {
        place: "search",
        modules: &["search", "eval", "game", "stream"],
    },
    Allowed {
        place: "clock",
        modules: &["clock", "search", "eval", "game"],
    },
    Allowed {
        place: "stage",
        modules: &["stage", "search", "eval", "game"],
    },
    Allowed {
        place: "agent",
        modules: &[
            "agent", "config", "params", "stage", "clock", "search", "eval", "game", "stream",
        ],
    },
];
/// What all parts of the tuner may name: plain values, streams and the operating system.
const TUNER_VALUES: [&str; 6] = ["event", "trial", "space", "stats", "stream", "platform"];
/// The parts that only `run` brings together.
const TUNER_PARTS: [&str; 4] = ["optimiser", "evaluator", "store", "observer"];
/// What a report shows and the tuner's parts do not know of each other.
const REPORTED: [&str; 8] = [
    "report",
    "chronicle",
    "job",
    "run",
    "optimiser",
    "store",
    "outlook",
    "surface",
];
/// Words that a search must not know: concrete games, and everything above it.
const UNKNOWN_TO_SEARCH: [&str; 10] = [
    "amazons",
    "Amazons",
    "dots",
    "Dots",
    "DotsKnowledge",
    "toy",
    "Toy",
    "EngineConfig",
    "Stage",
    "Instant",
];

/// All rules of this module.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let rules = [
        engine_directions,
        search_knows_no_game,
        pure_modules,
        tuner_parts,
        engine_users,
    ];
    rules.iter().flat_map(|rule| rule(source)).collect()
}

fn engine_directions(source: &Source) -> Vec<Violation> {
    let Some(own) = module_of(source, "engine/src/") else {
        return Vec::new();
    };
    match ENGINE.iter().find(|allowed| allowed.place == own[0]) {
        Some(allowed) => strangers(source, &own, allowed.modules),
        None => Vec::new(),
    }
}

fn search_knows_no_game(source: &Source) -> Vec<Violation> {
    if !source.is_in(&["engine/src/search/"]) {
        return Vec::new();
    }
    words(source, &UNKNOWN_TO_SEARCH, "which a search does not know")
}

fn pure_modules(source: &Source) -> Vec<Violation> {
    let pure = [
        "engine/src/game/",
        "engine/src/stage.rs",
        "engine/src/stage/",
    ];
    let clock = [
        "engine/src/clock.rs",
        "engine/src/clock/",
        "engine/src/search/",
    ];
    if !source.is_in(&pure) && !source.is_in(&clock) {
        return Vec::new();
    }
    let impure = [
        "std::time",
        "std::fs",
        "std::io",
        "std::env",
        "std::net",
        "std::process",
    ];
    words(source, &impure, "but this module is pure")
}

fn tuner_parts(source: &Source) -> Vec<Violation> {
    let Some(own) = module_of(source, "tuner/src/") else {
        return Vec::new();
    };
    let name = own[0].as_str();
    if TUNER_PARTS.contains(&name) || TUNER_VALUES.contains(&name) {
        // Only learners fit surfaces.
        let below = (name == "optimiser").then_some("surface");
        let own_parts = [name].into_iter().chain(below);
        let allowed: Vec<&str> = TUNER_VALUES.into_iter().chain(own_parts).collect();
        return strangers(source, &own, &allowed);
    }
    if name == "surface" {
        return strangers(source, &own, &["surface", "space", "stream"]);
    }
    if name == "outlook" {
        let below = ["outlook", "surface", "space", "trial", "stats", "stream"];
        return strangers(source, &own, &below);
    }
    if name == "run" {
        let above = ["run", "export", "outlook", "surface"].into_iter();
        let allowed: Vec<&str> = above.chain(TUNER_VALUES).chain(TUNER_PARTS).collect();
        return strangers(source, &own, &allowed);
    }
    if name == "bench" {
        let allowed: Vec<&str> = TUNER_VALUES
            .into_iter()
            .chain(["bench", "optimiser"])
            .collect();
        return strangers(source, &own, &allowed);
    }
    if name == "chronicle" {
        let allowed = TUNER_VALUES.into_iter();
        let allowed: Vec<&str> = allowed.chain(["chronicle", "optimiser", "run"]).collect();
        return strangers(source, &own, &allowed);
    }
    if name == "report" {
        let allowed: Vec<&str> = TUNER_VALUES.into_iter().chain(REPORTED).collect();
        return strangers(source, &own, &allowed);
    }
    Vec::new()
}

fn engine_users(source: &Source) -> Vec<Violation> {
    let users = [
        "tuner/src/evaluator/match_play",
        "tuner/src/job/",
        "tuner/src/cli/",
        "tuner/src/service/",
        "tuner/src/workspace/",
    ];
    if !source.path.starts_with("tuner/src/") || source.is_in(&users) {
        return Vec::new();
    }
    words(
        source,
        &["sixfold_engine"],
        "which only matches, jobs and the program may",
    )
}

fn words(source: &Source, words: &[&str], why: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (number, line) in source.production() {
        for word in words.iter().filter(|word| has_word(line, word)) {
            violations.push(Violation::at(
                source,
                number,
                format!("names `{word}`, {why}"),
            ));
        }
    }
    violations
}

fn strangers(source: &Source, own: &[String], allowed: &[&str]) -> Vec<Violation> {
    named_modules(source, own)
        .into_iter()
        .filter(|(_, module)| !allowed.contains(&module.as_str()))
        .map(|(line, module)| {
            let problem = format!("{} names `{module}`, which lies above or beside it", own[0]);
            Violation::at(source, line, problem)
        })
        .collect()
}

/// The module that a file is, from the crate's root; None for other crates and for the roots.
fn module_of(source: &Source, crate_source: &str) -> Option<Vec<String>> {
    let path = source
        .path
        .strip_prefix(crate_source)?
        .strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let own: Vec<String> = path.split('/').map(str::to_owned).collect();
    let root = matches!(own[0].as_str(), "lib" | "main");
    (!root).then_some(own)
}

/// The modules right below the crate's root that the production code names, with the lines.
fn named_modules(source: &Source, own: &[String]) -> Vec<(usize, String)> {
    let numbered: Vec<(usize, &str)> = source.production().collect();
    let text: String = numbered
        .iter()
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    let line_at = |at: usize| numbered[text[..at].matches('\n').count()].0;
    let mut found = Vec::new();
    let crate_paths = starts_of(&text, "crate::").map(|at| (at, "crate::".len(), own.len()));
    let super_paths = starts_of(&text, "super::").map(|at| {
        let chain = text[at..]
            .split("super::")
            .take_while(|part| part.is_empty())
            .count();
        (at, chain * "super::".len(), chain)
    });
    for (at, skip, levels_up) in crate_paths.chain(super_paths) {
        if levels_up < own.len() {
            // Still inside of the module right below the root.
            found.push((line_at(at), own[0].clone()));
            continue;
        }
        let names = first_names(&text[at + skip..]);
        found.extend(names.into_iter().map(|name| (line_at(at), name)));
    }
    found
}

/// Where `start` begins a path (and does not go on one).
fn starts_of<'a>(text: &'a str, start: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(start).map(|(at, _)| at).filter(|&at| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$')
    })
}

/// The first names of a path's rest: one, or those of a group.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let text = text.trim_start();
        text.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let Some(group) = rest.strip_prefix('{') else {
        return vec![name(rest)];
    };
    let mut names = vec![name(group)];
    let mut depth = 1;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
