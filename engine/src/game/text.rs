//! What the notations of all games share: quoted parts in errors, plain numbers.

use std::ops::RangeInclusive;

use super::NotationError;

/// Longest part of a text that an error repeats, in characters.
const QUOTE_CHARS: usize = 24;

/// The text in quotes, cut if it is long, control characters escaped.
pub(super) fn quote(text: &str) -> String {
    if text.chars().nth(QUOTE_CHARS).is_none() {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(QUOTE_CHARS).collect();
    format!("{start:?}…")
}

/// Reads a decimal number without sign or leading zeros.
pub(super) fn number(
    what: &str,
    text: &str,
    range: &RangeInclusive<u32>,
) -> Result<u32, NotationError> {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    let value = if plain { text.parse().ok() } else { None };
    value.filter(|value| range.contains(value)).ok_or_else(|| {
        let (low, high) = (range.start(), range.end());
        NotationError::new(format!(
            "{what} {} is not a number from {low} to {high}",
            quote(text)
        ))
    })
}
