//! Transcripts of refusals: command lines, exit codes and what the programs said, in files that
//! people read; and which messages of the code no transcript shows. Used by both programs' tests.
//!
//! `SIXFOLD_BLESS=1` writes the transcripts anew instead of comparing them; read the difference.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a transcript that one still reads.
const LINES_MAX: usize = 200;

/// A transcript: what was said, in the order of its cases.
pub(crate) struct Transcript(String);

impl Transcript {
    /// An empty one with a line about its theme.
    pub(crate) fn new(theme: &str) -> Self {
        Self(format!("# {theme}\n"))
    }

    /// Adds what a program said to `arguments`, which it must have refused. `folder` is where it
    /// was started and becomes `.`; `before` says how the folder differs from a good one.
    #[track_caller]
    pub(crate) fn add(
        &mut self,
        before: &str,
        arguments: &[&str],
        said: (Option<i32>, &str, &str),
        folder: &Path,
    ) {
        let (code, out, err) = said;
        let code = code.expect("the program ended by itself");
        assert_ne!(code, 0, "{before}: {arguments:?} was accepted: {out}");
        assert!(!err.contains("panicked"), "{err}");
        let quoted = |argument: &&str| {
            let plain = |c: char| c.is_ascii_graphic() && !"\"'\\".contains(c);
            match !argument.is_empty() && argument.chars().all(plain) {
                true => (*argument).to_owned(),
                false => format!("{argument:?}"),
            }
        };
        let line: Vec<String> = arguments.iter().map(quoted).collect();
        let said = err.replace(&folder.display().to_string(), ".");
        let said = said.trim_end();
        let note = if before.is_empty() {
            String::new()
        } else {
            format!("   # {before}")
        };
        let _ = write!(self.0, "\n$ {}{note}\n[{code}] {said}\n", line.join(" "));
    }

    /// Compares with the file at `path`, or writes it.
    #[track_caller]
    pub(crate) fn check(&self, path: &Path) {
        if std::env::var_os("SIXFOLD_BLESS").is_some_and(|value| value == "1") {
            fs::write(path, &self.0).unwrap();
            return;
        }
        assert!(self.0.lines().count() < LINES_MAX, "{}", path.display());
        let committed = fs::read_to_string(path).unwrap_or_default();
        let mut lines = committed.lines();
        for line in self.0.lines() {
            let name = path.display();
            let hint = "SIXFOLD_BLESS=1 writes it anew";
            assert_eq!(Some(line), lines.next(), "{name}: {hint}; now:\n{}", self.0);
        }
        assert_eq!(lines.next(), None, "{}: now:\n{}", path.display(), self.0);
    }
}

/// A message of the code: an error's variant with the text of its attribute.
struct Message {
    name: String,
    text: String,
}

/// Every message of the errors that are derived in `sources`, but for those that only pass on.
fn messages(sources: &Path) -> Vec<Message> {
    let mut list = Vec::new();
    for file in rust_files(sources) {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        // Who may use an error does not matter here.
        let text = text
            .replace("pub(crate) ", "pub ")
            .replace("pub(super) ", "pub ");
        let mut item = String::new();
        for (at, _) in text.match_indices("#[error(") {
            // The type: the nearest one above, or, of a struct, the one below.
            let above = |word: &'static str| text[..at].rfind(word).map(|start| (start, word));
            let begun = above("#[derive").map_or(0, |(start, _)| start);
            let rest = &text[at + 8..];
            if let Some((start, word)) = above("pub enum ").filter(|(start, _)| *start > begun) {
                item = first_word(&text[start + word.len()..]);
            }
            let is_struct = begun > text[..at].rfind("pub enum ").unwrap_or(0)
                && !text[begun..at].contains("pub enum ");
            let Some(message) = literal(rest) else {
                continue;
            };
            let behind = &rest[rest.find(")]\n").map_or(0, |end| end + 3)..];
            let name = if is_struct {
                let start = behind.find("pub struct ").map_or(0, |start| start + 11);
                first_word(&behind[start..])
            } else {
                format!("{item}::{}", first_word(behind.trim_start()))
            };
            list.push(Message {
                name,
                text: message,
            });
        }
    }
    list
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// The string that an attribute begins with, its line breaks taken out; none of `transparent`.
fn literal(rest: &str) -> Option<String> {
    let rest = rest.trim_start().strip_prefix('"')?;
    let mut text = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(text),
            '\\' => match chars.next()? {
                '\n' => {
                    let left = chars.as_str().trim_start();
                    chars = left.chars();
                }
                escaped => text.push(escaped),
            },
            c => text.push(c),
        }
    }
    None
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut list = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            list.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            list.push(path);
        }
    }
    list
}

impl Message {
    /// The longest part between placeholders.
    fn fixed_part(&self) -> String {
        let mut parts = vec![String::new()];
        let mut depth = 0;
        for c in self.text.chars() {
            match c {
                '{' => {
                    depth += 1;
                    parts.push(String::new());
                }
                '}' => depth -= 1,
                c if depth == 0 => parts.last_mut().expect("never empty").push(c),
                _ => {}
            }
        }
        let longest = parts.into_iter().max_by_key(String::len);
        longest.unwrap_or_default().trim().to_owned()
    }
}

/// Every message of `sources` is in one of the transcripts in `folder`, or in `unseen` with the
/// reason why nobody can provoke it there, and never in both.
#[track_caller]
pub(crate) fn check_coverage(sources: &Path, folder: &Path, unseen: &[(&str, &str)]) {
    let mut shown = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("messages_") {
            shown += &fs::read_to_string(&path).unwrap();
        }
    }
    let mut problems = Vec::new();
    let messages = messages(sources);
    assert!(!messages.is_empty(), "{}", sources.display());
    for message in &messages {
        let part = message.fixed_part();
        let is_shown = part.len() > 3 && shown.contains(&part);
        let is_listed = unseen.iter().any(|(name, _)| *name == message.name);
        match (is_shown, is_listed) {
            (false, false) => problems.push(format!("{} is never shown: {part}", message.name)),
            (true, true) => problems.push(format!("{} is shown, yet listed", message.name)),
            _ => {}
        }
    }
    for (name, reason) in unseen {
        if !messages.iter().any(|message| message.name == *name) || reason.is_empty() {
            problems.push(format!(
                "{name} is listed as unseen and is no message, or has no reason"
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
