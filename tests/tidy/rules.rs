//! Rules about single files: documentation, forbidden words, lengths, platform mathematics.

use crate::Violation;
use crate::source::Source;

/// Characters of a line.
const LINE_CHARS_MAX: usize = 100;
/// Lines of a function.
const FUNCTION_LINES_MAX: usize = 70;
/// Lines of a file.
const FILE_LINES_MAX: usize = 600;
/// What the programs compute, which must be the same bytes on every machine.
const COMPUTED: [&str; 11] = [
    "engine/src/search/",
    "engine/src/eval/",
    "engine/src/agent/",
    "tuner/src/bench/",
    "tuner/src/optimiser/",
    "tuner/src/stats/",
    "tuner/src/surface/",
    "tuner/src/outlook/",
    "tuner/src/run/",
    "tuner/src/evaluator/",
    "tuner/src/space.rs",
];
/// Functions of the platform's mathematical library: their last digits differ between machines.
/// (The square root is rounded correctly everywhere.)
const TRANSCENDENTALS: [&str; 26] = [
    "ln", "ln_1p", "exp", "exp2", "exp_m1", "powf", "powi", "log", "log2", "log10", "sin", "cos",
    "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "cbrt", "hypot",
];

/// All rules of this module but the one about personal paths, which is for all files.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let rules = [
        module_documentation,
        unfinished_work,
        printing,
        platform_mathematics,
        hash_order,
        long_lines,
        long_functions,
        long_file,
    ];
    rules.iter().flat_map(|rule| rule(source)).collect()
}

fn module_documentation(source: &Source) -> Vec<Violation> {
    let documented = source
        .lines
        .first()
        .is_some_and(|line| line.starts_with("//!"));
    let problem = "does not begin with `//!`: what the module is for";
    if documented {
        Vec::new()
    } else {
        vec![Violation::at(source, 1, problem)]
    }
}

fn unfinished_work(source: &Source) -> Vec<Violation> {
    let words = ["todo!", "unimplemented!", "dbg!", "#[ignore"];
    let lines = source.code.iter().enumerate();
    lines
        .flat_map(|(index, line)| {
            let found = words.iter().filter(|word| line.contains(*word));
            found.map(move |word| Violation::at(source, index + 1, format!("has `{word}`")))
        })
        .collect()
}

fn printing(source: &Source) -> Vec<Violation> {
    let words = ["println!", "eprintln!", "print!", "eprint!"];
    if source.path.contains("/cli/") {
        return Vec::new();
    }
    let problem = "prints, which only cli/ may";
    source
        .production()
        .filter(|(_, line)| words.iter().any(|word| has_word(line, word)))
        .map(|(number, _)| Violation::at(source, number, problem))
        .collect()
}

fn platform_mathematics(source: &Source) -> Vec<Violation> {
    if !source.is_in(&COMPUTED) {
        return Vec::new();
    }
    let names_one = |line: &str| {
        let call = |name: &&str| {
            let (method, path) = (format!(".{name}("), format!("f64::{name}"));
            line.contains(&method) || has_word(line, &path)
        };
        TRANSCENDENTALS.iter().any(call) || line.contains("mul_add")
    };
    let problem = "uses the platform's mathematics; expected libm or a table";
    source
        .production()
        .filter(|(_, line)| names_one(line))
        .map(|(number, _)| Violation::at(source, number, problem))
        .collect()
}

fn hash_order(source: &Source) -> Vec<Violation> {
    if !source.is_in(&COMPUTED) {
        return Vec::new();
    }
    let problem = "names a hash map of std, whose order differs from run to run";
    source
        .production()
        .filter(|(_, line)| has_word(line, "HashMap") || has_word(line, "HashSet"))
        .map(|(number, _)| Violation::at(source, number, problem))
        .collect()
}

fn long_lines(source: &Source) -> Vec<Violation> {
    let lines = source
        .lines
        .iter()
        .map(|line| line.chars().count())
        .enumerate();
    lines
        .filter(|(_, chars)| *chars > LINE_CHARS_MAX)
        .map(|(index, chars)| {
            let problem = format!("has {chars} characters; at most {LINE_CHARS_MAX} are allowed");
            Violation::at(source, index + 1, problem)
        })
        .collect()
}

fn long_file(source: &Source) -> Vec<Violation> {
    let lines = source.lines.len();
    let problem = format!("has {lines} lines; fewer than {FILE_LINES_MAX} are allowed");
    if lines < FILE_LINES_MAX {
        Vec::new()
    } else {
        vec![Violation::at(source, 1, problem)]
    }
}

fn long_functions(source: &Source) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, line) in source.code.iter().enumerate() {
        let Some(name) = function_named(line) else {
            continue;
        };
        let Some(end) = function_end(&source.code[index..]) else {
            continue;
        };
        let lines = end + 1;
        if lines > FUNCTION_LINES_MAX && !is_flat(&source.code[index..=index + end]) {
            let problem = format!("`{name}` has {lines} lines; at most {FUNCTION_LINES_MAX}");
            violations.push(Violation::at(source, index + 1, problem));
        }
    }
    violations
}

fn function_named(line: &str) -> Option<&str> {
    let start = line
        .find("fn ")
        .filter(|&at| at == 0 || line.as_bytes()[at - 1] == b' ')?;
    let name = &line[start + 3..];
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0).then(|| &name[..end])
}

/// Lines from the function's first to the one with its closing brace; None without a body.
fn function_end(code: &[String]) -> Option<usize> {
    let mut braces = 0i32;
    let mut brackets = 0i32;
    for (index, line) in code.iter().enumerate() {
        for byte in line.bytes() {
            match byte {
                b'(' | b'[' => brackets += 1,
                b')' | b']' => brackets -= 1,
                b';' if braces == 0 && brackets == 0 => return None,
                b'{' => braces += 1,
                b'}' => {
                    braces -= 1;
                    if braces == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
    }
    None
}

/// A table may be long: nothing in it decides or repeats, and hardly anything is named.
fn is_flat(code: &[String]) -> bool {
    let decides = ["if", "match", "for", "while", "loop"];
    let any = |line: &String| decides.iter().any(|word| has_word(line, word));
    let names = code.iter().filter(|line| has_word(line, "let")).count();
    !code.iter().any(any) && names <= 2
}

/// Folders of persons, which no file of the house names.
pub(crate) fn personal_paths(source: &Source) -> Vec<Violation> {
    // In two parts each, so that this file is no violation of its own.
    let starts = [
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("/ro", "ot/"),
        concat!("\\Us", "ers\\"),
    ];
    let names_one = |line: &String| {
        starts.iter().any(|start| {
            let before = line.find(start).map(|at| line[..at].chars().next_back());
            before.is_some_and(|c| !c.is_some_and(|c| c.is_alphanumeric() || c == '.'))
        })
    };
    let lines = source.lines.iter().enumerate();
    lines
        .filter(|(_, line)| names_one(line))
        .map(|(index, _)| Violation::at(source, index + 1, "names somebody's folder"))
        .collect()
}

/// Whether `word` stands in `line` on its own.
pub(crate) fn has_word(line: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !part(before.chars().next_back()) && !part(after.chars().next())
    })
}
