//! Reading TOML so that every complaint names file, line, key and what is allowed.
//!
//! A [`Document`] is parsed once; a [`Section`] is one of its tables. Keys are asked for by name,
//! and [`Section::finish`] refuses whatever nobody asked for, so an unknown or mistyped key is
//! never silently ignored.

mod lists;

use std::cell::RefCell;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use toml_edit::{Item, TableLike};

/// Largest configuration file that is read, in bytes; real ones have a few thousand.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// A configuration that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    /// The file, as the user named it.
    pub file: PathBuf,
    /// Line, from 1, where it is known.
    pub line: Option<usize>,
    /// The key's full path, where there is one.
    pub key: Option<String>,
    /// What is wrong and what is allowed.
    pub problem: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        match &self.key {
            Some(key) => write!(f, ": `{key}` {}", self.problem),
            None => write!(f, ": {}", self.problem),
        }
    }
}

impl std::error::Error for ConfigError {}

/// A parsed file.
#[derive(Debug)]
pub struct Document {
    file: PathBuf,
    tree: toml_edit::Document<String>,
}

impl Document {
    /// Reads and parses a file.
    ///
    /// # Errors
    /// A file that is missing, unreadable, larger than 1 MiB, not UTF-8 or not TOML.
    pub fn load(path: &Path) -> Result<Document, ConfigError> {
        let failed = |problem: String| ConfigError {
            file: path.to_owned(),
            line: None,
            key: None,
            problem,
        };
        let facts =
            std::fs::metadata(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
        if !facts.is_file() {
            return Err(failed("is not a file".into()));
        }
        if facts.len() > FILE_BYTES_MAX {
            return Err(failed(format!(
                "has {} bytes; a configuration has at most {FILE_BYTES_MAX}",
                facts.len()
            )));
        }
        let bytes =
            std::fs::read(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes)
            .map_err(|error| failed(format!("is not a text in UTF-8: {error}")))?;
        Document::parse(path, &text)
    }

    /// Parses a text; `file` is only named in errors.
    ///
    /// # Errors
    /// A text that is not TOML.
    pub fn parse(file: &Path, text: &str) -> Result<Document, ConfigError> {
        match toml_edit::Document::parse(text.to_owned()) {
            Ok(tree) => Ok(Document {
                file: file.to_owned(),
                tree,
            }),
            Err(error) => Err(ConfigError {
                file: file.to_owned(),
                line: error.span().map(|span| line_of(text, span.start)),
                key: None,
                problem: format!("is not valid TOML: {}", error.message().replace('\n', "; ")),
            }),
        }
    }

    /// The text as it was read.
    pub fn text(&self) -> &str {
        self.tree.raw()
    }

    /// The table of the whole file.
    pub fn root(&self) -> Section<'_> {
        Section {
            document: self,
            table: self.tree.as_table(),
            path: String::new(),
            asked: RefCell::default(),
        }
    }

    fn error_at(&self, span: Option<Range<usize>>, key: &str, problem: String) -> ConfigError {
        ConfigError {
            file: self.file.clone(),
            line: span.map(|span| line_of(self.text(), span.start)),
            key: Some(key.to_owned()),
            problem,
        }
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    let end = offset.min(text.len());
    1 + text.as_bytes()[..end]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
}

/// One table of a document. Every key that is asked for is remembered.
pub struct Section<'a> {
    document: &'a Document,
    table: &'a dyn TableLike,
    path: String,
    asked: RefCell<Vec<String>>,
}

impl fmt::Debug for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Section({})", self.path)
    }
}

impl<'a> Section<'a> {
    /// The file's name, for errors about other files that it names.
    pub fn file(&self) -> &Path {
        &self.document.file
    }

    /// Full path of a key of this table; of no key the table's own.
    pub fn path_of(&self, key: &str) -> String {
        match (self.path.as_str(), key) {
            ("", key) => key.to_owned(),
            (path, "") => path.to_owned(),
            (path, key) => format!("{path}.{key}"),
        }
    }

    /// The keys of this table, in the order of the file.
    pub fn keys(&self) -> Vec<String> {
        self.table.iter().map(|(key, _)| key.to_owned()).collect()
    }

    /// Whether the key stands here. Does not count as asking for it.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// An error about a key of this table, at its line (or the table's, where the key is missing).
    pub fn error(&self, key: &str, problem: impl Into<String>) -> ConfigError {
        let item = self.table.get(key);
        let mut problem = problem.into();
        let names_neighbours = item.is_none() && problem.starts_with("is missing");
        if names_neighbours && !self.table.is_empty() {
            // A misspelt key is found faster when its neighbours are named.
            problem += &format!(" (the keys here are {})", self.keys().join(", "));
        }
        let span = item
            .and_then(|item| self.span_of(key, item))
            .or_else(|| self.own_span());
        self.document.error_at(span, &self.path_of(key), problem)
    }

    fn span_of(&self, key: &str, item: &Item) -> Option<Range<usize>> {
        let key_span = self
            .table
            .get_key_value(key)
            .and_then(|(key, _)| key.span());
        key_span.or_else(|| item.span())
    }

    fn own_span(&self) -> Option<Range<usize>> {
        let mut item = self.document.tree.as_item();
        for part in self.path.split('.').filter(|part| !part.is_empty()) {
            let (name, index) = part.split_once('[').unwrap_or((part, ""));
            item = item.get(name)?;
            if let Ok(index) = index.trim_end_matches(']').parse::<usize>() {
                item = item.get(index)?;
            }
        }
        item.span()
    }

    fn ask(&self, key: &str) -> Option<&'a Item> {
        self.asked.borrow_mut().push(key.to_owned());
        self.table.get(key)
    }

    fn missing(&self, key: &str, expected: &str) -> ConfigError {
        self.error(key, format!("is missing; expected {expected}"))
    }

    /// A sub-table, if it stands here.
    ///
    /// # Errors
    /// A value that is no table.
    pub fn section(&self, key: &str) -> Result<Option<Section<'a>>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        match item.as_table_like() {
            Some(table) => Ok(Some(Section {
                document: self.document,
                table,
                path: self.path_of(key),
                asked: RefCell::default(),
            })),
            None => Err(self.error(key, format!("is {}; expected a table", kind_of(item)))),
        }
    }

    /// A sub-table that must be there.
    ///
    /// # Errors
    /// A missing key, or a value that is no table.
    pub fn required_section(&self, key: &str) -> Result<Section<'a>, ConfigError> {
        self.section(key)?
            .ok_or_else(|| self.missing(key, "a table"))
    }

    /// An array of tables (`[[key]]`), empty when the key is missing.
    ///
    /// # Errors
    /// A value that is no array of tables.
    pub fn sections(&self, key: &str) -> Result<Vec<Section<'a>>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(Vec::new());
        };
        let document = self.document;
        let section = |number: usize, table: &'a dyn TableLike| Section {
            document,
            table,
            path: format!("{}[{number}]", self.path_of(key)),
            asked: RefCell::default(),
        };
        if let Some(tables) = item.as_array_of_tables() {
            let listed = tables.iter().enumerate();
            return Ok(listed
                .map(|(number, table)| section(number, table))
                .collect());
        }
        let inline = item
            .as_array()
            .map(|array| array.iter().map(|value| value.as_inline_table()));
        match inline.map(|tables| tables.collect::<Option<Vec<_>>>()) {
            Some(Some(tables)) => Ok(tables
                .into_iter()
                .enumerate()
                .map(|(number, table)| section(number, table as &dyn TableLike))
                .collect()),
            _ => Err(self.error(
                key,
                format!("is {}; expected tables [[{key}]]", kind_of(item)),
            )),
        }
    }

    /// A text, if it stands here.
    ///
    /// # Errors
    /// A value that is no string.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        match item.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(self.error(key, format!("is {}; expected a string", kind_of(item)))),
        }
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// A missing key, or a value that is no string.
    pub fn required_text(&self, key: &str) -> Result<&'a str, ConfigError> {
        self.text(key)?.ok_or_else(|| self.missing(key, "a string"))
    }

    /// One of a few words, if the key stands here.
    ///
    /// # Errors
    /// A value that is none of the words; the error lists them.
    pub fn choice<T: Copy>(
        &self,
        key: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        let found = choices
            .iter()
            .find(|(name, _)| item.as_str() == Some(*name));
        if let Some((_, value)) = found {
            return Ok(Some(*value));
        }
        let names: Vec<String> = choices
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        Err(self.error(
            key,
            format!(
                "is {}; expected one of {}",
                word_or_kind(item),
                names.join(", ")
            ),
        ))
    }

    /// A truth value, if it stands here.
    ///
    /// # Errors
    /// A value that is neither `true` nor `false`.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        match item.as_bool() {
            Some(flag) => Ok(Some(flag)),
            None => Err(self.error(key, format!("is {}; expected true or false", kind_of(item)))),
        }
    }

    /// A number in a range, if it stands here; whole numbers may be written without a point.
    ///
    /// # Errors
    /// A value that is no number, not finite, or outside the range.
    pub fn number(
        &self,
        key: &str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        let allowed = if range == (-f64::MAX..=f64::MAX) {
            "expected a finite number".to_owned()
        } else {
            format!(
                "expected a number from {} to {}",
                range.start(),
                range.end()
            )
        };
        let value = item
            .as_float()
            .or_else(|| item.as_integer().map(|whole| whole as f64));
        match value {
            None => Err(self.error(key, format!("is {}; {allowed}", kind_of(item)))),
            Some(value) if !range.contains(&value) => {
                Err(self.error(key, format!("is {value}; {allowed}")))
            }
            Some(value) => Ok(Some(value)),
        }
    }

    /// A whole number in a range, if it stands here.
    ///
    /// # Errors
    /// A value that is no whole number, or outside the range.
    pub fn integer(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        let allowed = match *range.end() {
            u64::MAX => format!("expected a whole number from {}", range.start()),
            last => format!("expected a whole number from {} to {last}", range.start()),
        };
        match item.as_integer() {
            None => Err(self.error(key, format!("is {}; {allowed}", kind_of(item)))),
            Some(value) => match u64::try_from(value) {
                Ok(whole) if range.contains(&whole) => Ok(Some(whole)),
                _ => Err(self.error(key, format!("is {value}; {allowed}"))),
            },
        }
    }

    /// The value under a key, whatever its type, as TOML writes it. Counts as asking for it.
    pub fn raw(&self, key: &str) -> Option<String> {
        self.ask(key).map(|item| item.to_string().trim().to_owned())
    }

    /// Whether the value under a key is a string. Does not count as asking for it.
    pub fn is_text(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(Item::is_str)
    }

    /// Whether the value under a key is a table. Does not count as asking for it.
    pub fn is_section(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(Item::is_table_like)
    }

    /// Refuses every key that nobody asked for.
    ///
    /// # Errors
    /// The first such key, with the keys that are known here.
    pub fn finish(self) -> Result<(), ConfigError> {
        self.check_no_strangers()
    }

    /// As [`Section::finish`], for a borrowed section.
    ///
    /// # Errors
    /// The first key that nobody asked for.
    pub fn check_no_strangers(&self) -> Result<(), ConfigError> {
        let mut known = self.asked.borrow().clone();
        known.sort();
        known.dedup();
        let stranger = self.table.iter().map(|(key, _)| key).find(|&key| {
            known
                .binary_search_by(|candidate| candidate.as_str().cmp(key))
                .is_err()
        });
        match stranger {
            None => Ok(()),
            Some(key) => Err(self.error(
                key,
                format!("is not known here; known keys are {}", known.join(", ")),
            )),
        }
    }
}

fn kind_of(item: &Item) -> String {
    let name = item.type_name();
    let article = if name.starts_with(['a', 'i']) {
        "an"
    } else {
        "a"
    };
    match name {
        "string" | "integer" | "float" | "boolean" | "datetime" => {
            format!("{} ({article} {name})", item.to_string().trim())
        }
        _ => format!("{article} {name}"),
    }
}

/// A word as it stands; of anything else its kind too.
fn word_or_kind(item: &Item) -> String {
    match item.as_str() {
        Some(word) => format!("\"{word}\""),
        None => kind_of(item),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(Path::new("a.toml"), text).expect("valid TOML")
    }

    #[test]
    fn an_unknown_key_is_refused_with_file_line_and_the_known_keys() {
        let document = document("a = 1\n\n[b]\nc = 2\nd = 3\n");
        let root = document.root();
        root.integer("a", 0..=9).unwrap();
        let section = root.required_section("b").unwrap();
        section.integer("c", 0..=9).unwrap();
        let error = section.finish().unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.toml:5: `b.d` is not known here; known keys are c"
        );
        root.finish().unwrap();
    }

    #[test]
    fn a_number_must_be_finite_and_in_range() {
        let document = document("x = nan\ny = inf\nz = 3\nw = '1'\n");
        let root = document.root();
        let message = |key| root.number(key, 0.0..=2.0).unwrap_err().to_string();
        assert_eq!(
            message("x"),
            "a.toml:1: `x` is NaN; expected a number from 0 to 2"
        );
        assert_eq!(
            message("y"),
            "a.toml:2: `y` is inf; expected a number from 0 to 2"
        );
        assert_eq!(
            message("z"),
            "a.toml:3: `z` is 3; expected a number from 0 to 2"
        );
        assert_eq!(
            message("w"),
            "a.toml:4: `w` is \"1\" (a string); expected a number from 0 to 2"
        );
    }

    #[test]
    fn a_whole_number_must_be_whole_and_in_range() {
        let document = document("x = 1.5\ny = -1\n");
        let root = document.root();
        assert!(
            root.integer("x", 0..=9)
                .unwrap_err()
                .problem
                .contains("whole number from 0 to 9")
        );
        assert!(
            root.integer("y", 0..=9)
                .unwrap_err()
                .problem
                .starts_with("is -1")
        );
    }

    #[test]
    fn a_syntax_error_names_its_line() {
        let error = Document::parse(Path::new("a.toml"), "x = 1\ny = = 2\n").unwrap_err();
        assert_eq!(error.line, Some(2));
    }

    #[test]
    fn a_missing_key_names_what_was_expected() {
        let document = document("[s]\n");
        let error = document
            .root()
            .required_section("s")
            .unwrap()
            .required_text("t")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.toml:1: `s.t` is missing; expected a string"
        );
    }
}
