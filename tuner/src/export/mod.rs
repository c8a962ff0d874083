//! Export: tuned values written into an engine configuration that a person wrote and will go on
//! editing. Only the tokens of changed values and one comment block with the evidence change;
//! every other byte stays: comments, layout, line ends, byte order mark, a missing last line end.
//!
//! `toml_edit` says where a value stands; the new token is put there into the original text.
//! Nothing is printed anew, so nothing can be laid out anew. The result is then parsed, and
//! refused unless it says exactly what it should.

mod evidence;
mod file;
mod values;

use std::io;
use std::path::PathBuf;

pub use evidence::{EVIDENCE_END, EVIDENCE_START};
pub use file::{Exported, export_to_file};

use crate::store::atomic::AtomicWriteError;

/// Byte order mark, kept if the text begins with it.
const BOM: char = '\u{feff}';

/// A value to write.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NewValue {
    /// Of a whole-numbered parameter.
    Integer(i64),
    /// Of any other parameter: written so that TOML reads a float.
    Float(f64),
    /// Of a choice: one of an engine's words, of letters, digits and underscores.
    Word(&'static str),
}

impl NewValue {
    /// How TOML writes it: the shortest text that reads as the same number.
    fn token(self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            // Negative zero is the same number and would print as "-0.0".
            Self::Float(value) => format!("{:?}", value + 0.0),
            Self::Word(word) => format!("\"{word}\""),
        }
    }
}

/// Why values are not exported. The file is as it was, unless [`Self::Write`] says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The configuration cannot be parsed.
    #[error("the configuration is not valid TOML, and was left as it is: {0}")]
    Syntax(String),
    /// A path that cannot be one.
    #[error("`{path}` is not the path of a value: {reason}")]
    BadPath {
        /// The path.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A path that the configuration does not have. Keys are never added silently.
    #[error(
        "the configuration has no `{path}` (nothing at `{missing}`), and was left as it is: write \
         the key with any value where it belongs, then export again"
    )]
    Missing {
        /// The path.
        path: String,
        /// The first part of it that is missing.
        missing: String,
    },
    /// A path on which something else than a number, or of a choice a word, stands.
    #[error(
        "`{at}` in the configuration is {found}, so `{path}` cannot be set; it was left as it is: \
         export to the configuration that was tuned, or name the value that this one refers to"
    )]
    NotANumber {
        /// The path.
        path: String,
        /// Where on it.
        at: String,
        /// What stands there.
        found: String,
    },
    /// A path given twice.
    #[error("`{path}` is to be set twice")]
    Twice {
        /// The path.
        path: String,
    },
    /// No configuration may hold NaN or an infinity.
    #[error("`{path}` would become {value}, which is no value for a parameter")]
    NotFinite {
        /// The path.
        path: String,
        /// The value.
        value: f64,
    },
    /// The block of an earlier export has lost its last line.
    #[error(
        "line {line} opens a block of evidence that is never closed, and the file was left as it \
         is: remove the block, or close it with the line `{EVIDENCE_END}`"
    )]
    UnclosedEvidence {
        /// The line, from 1.
        line: usize,
    },
    /// A slip of ours: the result would not say what it should.
    #[error("the result would not read as intended at `{path}`; the file was left as it is")]
    Unfaithful {
        /// Where it differs.
        path: String,
    },
    /// The file's owner has said that nobody writes to it.
    #[error(
        "{} is read-only; it was left as it is: make it writable, or export to another file",
        path.display()
    )]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The file is not text.
    #[error("{} is not UTF-8 text; it was left as it is", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// The new file could not be put in place for good.
    #[error(transparent)]
    Write(#[from] AtomicWriteError),
    /// The system refused.
    #[error("cannot {action} {}: {source}; the configuration is as it was", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The text with `changes` made, each a path such as `stages.layout.bias.capture` and its value,
/// and with the lines of `evidence` in a comment block that replaces the one of an earlier export
/// (no lines: no block). A value that the text has already keeps its spelling.
///
/// # Errors
/// See [`ExportError`].
pub fn apply(
    text: &str,
    changes: &[(String, NewValue)],
    evidence: &[String],
) -> Result<String, ExportError> {
    let (mark, body) = match text.strip_prefix(BOM) {
        Some(body) => (&text[..BOM.len_utf8()], body),
        None => ("", text),
    };
    let changed = values::with_changes(body, changes)?;
    let result = evidence::with_evidence(&changed, evidence)?;
    values::check_faithful(body, &result, changes)?;
    Ok(format!("{mark}{result}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, token: &str) {
        assert_eq!(NewValue::Float(value).token(), token);
    }

    #[test]
    fn floats_are_short_and_stay_floats() {
        // What was played is what is written, to the last digit: edits are quantised before.
        check(0.1 + 0.2, "0.30000000000000004");
        check(2.0, "2.0");
        check(-0.05, "-0.05");
        check(-0.0, "0.0");
        check(1e-7, "1e-7");
        check(1e20, "1e20");
        check(0.123_456_789_012_345_6, "0.1234567890123456");
        check(1.0 / 3.0, "0.3333333333333333");
        assert_eq!(NewValue::Integer(-12).token(), "-12");
    }
}
