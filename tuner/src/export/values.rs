//! Values in a TOML text: where they stand, putting others in their place, and proof that nothing
//! else changed.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{Document, Item, Key, TableLike, Value};

use super::{ExportError, NewValue};

/// The text with the tokens of changed values replaced.
pub(super) fn with_changes(
    text: &str,
    changes: &[(String, NewValue)],
) -> Result<String, ExportError> {
    let document = parse(text)?;
    let mut replacements: Vec<(Range<usize>, String)> = Vec::new();
    for (path, new) in changes {
        if let NewValue::Float(value) = *new
            && !value.is_finite()
        {
            return Err(ExportError::NotFinite {
                path: path.clone(),
                value,
            });
        }
        let value = find(&document, path, *new)?;
        let span = value
            .span()
            .ok_or_else(|| ExportError::Unfaithful { path: path.clone() })?;
        // A value that is there already keeps its spelling: the token is replaced by itself.
        let token = if says(value, *new) {
            text[span.clone()].to_owned()
        } else {
            new.token()
        };
        if replacements.iter().any(|(other, _)| *other == span) {
            return Err(ExportError::Twice { path: path.clone() });
        }
        replacements.push((span, token));
    }
    // From the end, so that the places still to come do not move.
    replacements.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut result = text.to_owned();
    for (span, token) in replacements {
        result.replace_range(span, &token);
    }
    Ok(result)
}

/// Refuses a `result` that differs from `text` in any value but those of `changes`, or in which
/// one of these is not as asked.
pub(super) fn check_faithful(
    text: &str,
    result: &str,
    changes: &[(String, NewValue)],
) -> Result<(), ExportError> {
    let unfaithful = |path: &str| ExportError::Unfaithful {
        path: path.to_owned(),
    };
    let document = parse(result)?;
    for (path, new) in changes {
        if !says(find(&document, path, *new)?, *new) {
            return Err(unfaithful(path));
        }
    }
    let changed = changes
        .iter()
        .map(|(path, _)| Ok(joined(&parts(path)?)))
        .collect::<Result<Vec<_>, ExportError>>()?;
    let (mut before, mut after) = (all_values(text)?, all_values(result)?);
    for path in &changed {
        before.remove(path);
        after.remove(path);
    }
    let differs = |(path, value): &(&String, &String), other: &BTreeMap<String, String>| {
        other.get(*path) != Some(*value)
    };
    let lost = before.iter().find(|entry| differs(entry, &after));
    let gained = after.iter().find(|entry| differs(entry, &before));
    match lost.or(gained) {
        Some((path, _)) => Err(unfaithful(path)),
        None => Ok(()),
    }
}

/// Every value of the text by its path, as TOML writes it.
pub(super) fn all_values(text: &str) -> Result<BTreeMap<String, String>, ExportError> {
    let document = parse(text)?.into_mut();
    let mut values = BTreeMap::new();
    for (key, item) in document.iter() {
        collect(item, quoted(key), &mut values);
    }
    Ok(values)
}

fn collect(item: &Item, path: String, values: &mut BTreeMap<String, String>) {
    if let Some(table) = item.as_table_like() {
        for (key, item) in table.iter() {
            collect(item, format!("{path}.{}", quoted(key)), values);
        }
        // So that a table without values does not come and go unseen.
        values.insert(path, "table".to_owned());
    } else if let Some(tables) = item.as_array_of_tables() {
        for (number, table) in tables.iter().enumerate() {
            for (key, item) in table.iter() {
                collect(item, format!("{path}[{number}].{}", quoted(key)), values);
            }
        }
        values.insert(path, format!("{} tables", tables.len()));
    } else {
        values.insert(path, item.to_string());
    }
}

fn parse(text: &str) -> Result<Document<&str>, ExportError> {
    Document::parse(text).map_err(|error| ExportError::Syntax(error.to_string()))
}

/// The keys of a dotted path; quotes as in TOML.
fn parts(path: &str) -> Result<Vec<Key>, ExportError> {
    Key::parse(path).map_err(|error| ExportError::BadPath {
        path: path.to_owned(),
        reason: error.message().to_owned(),
    })
}

fn joined(keys: &[Key]) -> String {
    let keys: Vec<_> = keys.iter().map(|key| quoted(key.get())).collect();
    keys.join(".")
}

fn quoted(key: &str) -> String {
    Key::new(key).display_repr().into_owned()
}

/// The value at `path` that `new` is to replace: a number, or a text for a word.
fn find<'a>(
    document: &'a Document<&str>,
    path: &str,
    new: NewValue,
) -> Result<&'a Value, ExportError> {
    let keys = parts(path)?;
    let mut table: &dyn TableLike = document.as_table();
    for (depth, key) in keys.iter().enumerate() {
        let at = || joined(&keys[..=depth]);
        let item = table.get(key.get()).ok_or_else(|| ExportError::Missing {
            path: path.to_owned(),
            missing: at(),
        })?;
        let wrong = || ExportError::NotANumber {
            path: path.to_owned(),
            at: at(),
            found: described(item),
        };
        if depth + 1 == keys.len() {
            let is_kind = |value: &&Value| match new {
                NewValue::Word(_) => value.is_str(),
                NewValue::Integer(_) | NewValue::Float(_) => value.is_integer() || value.is_float(),
            };
            return item.as_value().filter(is_kind).ok_or_else(wrong);
        }
        table = item.as_table_like().ok_or_else(wrong)?;
    }
    // A parsed key has at least one part.
    Err(ExportError::BadPath {
        path: path.to_owned(),
        reason: "it is empty".to_owned(),
    })
}

/// What an item is, for messages; a string with its text, as it may name another value.
fn described(item: &Item) -> String {
    match item.as_str() {
        Some(text) => format!("the text \"{}\"", text.escape_debug()),
        None => format!("of the type {}", item.type_name()),
    }
}

/// Whether a value of the text is `new` already. An integer in the text may stand for
/// a float parameter.
fn says(value: &Value, new: NewValue) -> bool {
    if let NewValue::Word(word) = new {
        return value.as_str() == Some(word);
    }
    match (value.as_integer(), value.as_float(), new) {
        (Some(old), _, NewValue::Integer(new)) => old == new,
        (Some(old), _, NewValue::Float(new)) => old as f64 == new,
        (_, Some(old), NewValue::Float(new)) => old == new,
        _ => false,
    }
}
