//! The comment block that says where tuned values come from: between two marker lines at the top
//! of the file, or wherever its owner has moved it, and replaced by the next export.

use super::ExportError;
use super::values::all_values;

/// The line that opens the block.
pub const EVIDENCE_START: &str = "# --- sixfold: tuned values ---";

/// The line that closes it.
pub const EVIDENCE_END: &str = "# --- sixfold: end ---";

/// The text with a block of `evidence` in the place of the one it has, or at the top.
pub(super) fn with_evidence(text: &str, evidence: &[String]) -> Result<String, ExportError> {
    let line_end = if text
        .split_once('\n')
        .is_some_and(|(line, _)| line.ends_with('\r'))
    {
        "\r\n"
    } else {
        "\n"
    };
    let block = block(evidence, line_end);
    let (before, replaced, after) = match existing(text)? {
        Some((start, end)) => (&text[..start], &text[start..end], &text[end..]),
        None => ("", "", text),
    };
    // The block ended the file without a line end, and so does the one in its place.
    let unended = !replaced.is_empty() && !replaced.ends_with('\n');
    let block = if unended {
        block.trim_end_matches(line_end)
    } else {
        &block
    };
    Ok(format!("{before}{block}{after}"))
}

/// The block with its last line end; empty when there is nothing to say.
fn block(evidence: &[String], line_end: &str) -> String {
    if evidence.is_empty() {
        return String::new();
    }
    let mut block = format!("{EVIDENCE_START}{line_end}");
    let lines = evidence
        .iter()
        .flat_map(|text| text.trim_end_matches(['\r', '\n']).split('\n'));
    for line in lines {
        block.push_str(&comment(line));
        block.push_str(line_end);
    }
    block.push_str(EVIDENCE_END);
    block.push_str(line_end);
    block
}

/// A line as a comment: TOML forbids control characters there, and no line may pose as a marker.
fn comment(line: &str) -> String {
    let clean: String = line
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    let clean = clean.trim_end();
    match format!("# {clean}") {
        empty if clean.is_empty() => empty.trim_end().to_owned(),
        marker if marker == EVIDENCE_START || marker == EVIDENCE_END => format!("#  {clean}"),
        plain => plain,
    }
}

/// Where the block begins and ends, its last line end included.
fn existing(text: &str) -> Result<Option<(usize, usize)>, ExportError> {
    let mut opened: Option<(usize, usize)> = None;
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = offset + line.len();
        match (opened, line.trim_end()) {
            (Some((start, _)), EVIDENCE_END) => return Ok(Some((start, end))),
            // What a person has written below a block without an end is not ours to replace.
            (Some(_), inside) if !inside.starts_with('#') => break,
            (None, EVIDENCE_START) if is_comment(text, offset, end)? => {
                opened = Some((offset, number + 1));
            }
            _ => {}
        }
        offset = end;
    }
    match opened {
        Some((_, line)) => Err(ExportError::UnclosedEvidence { line }),
        None => Ok(None),
    }
}

/// Whether a line that looks like a comment is one, and not part of a text over several lines:
/// only then do the values stay the same without it.
fn is_comment(text: &str, start: usize, end: usize) -> Result<bool, ExportError> {
    let without = format!("{}{}", &text[..start], &text[end..]);
    let same = match all_values(&without) {
        Ok(values) => values == all_values(text)?,
        Err(_) => false,
    };
    Ok(same)
}
