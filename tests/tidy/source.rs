//! A source file as the rules see it: its lines, and the same lines as code alone, that is without
//! comments and without what stands in quotes.

/// A file.
#[derive(Debug)]
pub(crate) struct Source {
    /// Path from the root of the workspace, with slashes.
    pub(crate) path: String,
    /// The lines as they stand.
    pub(crate) lines: Vec<String>,
    /// The lines without comments and quoted texts.
    pub(crate) code: Vec<String>,
    /// Which lines are code for tests only.
    pub(crate) is_test: Vec<bool>,
}

impl Source {
    /// A Rust file.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut code: Vec<String> = code_of(text).lines().map(str::to_owned).collect();
        code.resize(lines.len(), String::new());
        let is_test = test_lines(path, &code);
        let path = path.to_owned();
        Self {
            path,
            lines,
            code,
            is_test,
        }
    }

    /// Any other file: all of it is text.
    pub(crate) fn plain(path: &str, text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (code, is_test) = (lines.clone(), vec![false; lines.len()]);
        let path = path.to_owned();
        Self {
            path,
            lines,
            code,
            is_test,
        }
    }

    /// Lines of code that is part of the programs, with their numbers.
    pub(crate) fn production(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.code.iter().zip(&self.is_test).enumerate();
        lines.filter_map(|(index, (line, is_test))| (!is_test).then_some((index + 1, &**line)))
    }

    /// Whether the file lies in one of these folders, or is one of these files.
    pub(crate) fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }
}

fn test_lines(path: &str, code: &[String]) -> Vec<bool> {
    let all = path.starts_with("tests/")
        || path.contains("/tests/")
        || path.ends_with("tests.rs")
        || path.contains("/benches/");
    let mut is_test = vec![all; code.len()];
    let mut depth = 0i64;
    // Set from `#[cfg(test)]` until the item after it ends.
    let mut until: Option<i64> = None;
    for (index, line) in code.iter().enumerate() {
        if until.is_none() && line.contains("#[cfg(test)]") {
            until = Some(depth);
        }
        is_test[index] |= until.is_some();
        let mut ended = false;
        for byte in line.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    ended |= until.is_some_and(|outer| depth <= outer);
                }
                b';' => ended |= until == Some(depth),
                _ => {}
            }
        }
        if ended {
            until = None;
        }
    }
    is_test
}

/// The text with comments and the insides of quotes replaced by blanks; lines stay lines.
fn code_of(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skip_from(&chars, at);
        if end > at {
            let skipped = &chars[at..end];
            out.extend(skipped.iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// Where the comment or literal that begins at `at` ends; `at` itself when none begins there.
fn skip_from(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match (chars[at], next) {
        ('/', Some('/')) => find(chars, at, |rest| rest[0] == '\n'),
        ('/', Some('*')) => block_comment_end(chars, at),
        ('"', _) => quoted_end(chars, at + 1, '"'),
        ('r', Some('"' | '#')) if !follows_a_word(chars, at) => raw_string_end(chars, at),
        ('b', Some('r')) if !follows_a_word(chars, at) => match raw_string_end(chars, at + 1) {
            end if end > at + 1 => end,
            _ => at,
        },
        ('\'', Some('\\')) => quoted_end(chars, at + 1, '\''),
        // A quote two further on: a character. Otherwise a lifetime.
        ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

fn find(chars: &[char], from: usize, is_end: impl Fn(&[char]) -> bool) -> usize {
    (from..chars.len())
        .find(|&at| is_end(&chars[at..]))
        .unwrap_or(chars.len())
}

fn follows_a_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn quoted_end(chars: &[char], from: usize, quote: char) -> usize {
    let mut at = from;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

fn raw_string_end(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    if chars.get(start + 1 + hashes) != Some(&'"') {
        return start;
    }
    let mut end = vec!['"'];
    end.extend(std::iter::repeat_n('#', hashes));
    let from = start + 2 + hashes;
    (find(chars, from, |rest| rest.starts_with(&end)) + end.len()).min(chars.len())
}
