//! Values that are lists.

use std::ops::RangeInclusive;

use toml_edit::Item;

use super::{ConfigError, Section, kind_of};

impl<'a> Section<'a> {
    /// A list of whole numbers in a range, if the key stands here.
    ///
    /// # Errors
    /// A value that is no list of whole numbers, or a number outside the range.
    pub fn integers(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<Vec<u64>>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        let (first, last) = (range.start(), range.end());
        let allowed = format!("expected a list of whole numbers from {first} to {last}");
        let Some(array) = item.as_array() else {
            return Err(self.error(key, format!("is {}; {allowed}", kind_of(item))));
        };
        let whole = |value: &toml_edit::Value| {
            let number = value.as_integer().and_then(|it| u64::try_from(it).ok());
            number.filter(|it| range.contains(it)).ok_or_else(|| {
                let value = value.to_string();
                self.error(key, format!("holds {}; {allowed}", value.trim()))
            })
        };
        array.iter().map(whole).collect::<Result<_, _>>().map(Some)
    }

    /// A list of texts, if the key stands here.
    ///
    /// # Errors
    /// A value that is no list, or holds anything but texts.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<&'a str>>, ConfigError> {
        let Some(item) = self.ask(key) else {
            return Ok(None);
        };
        let Some(array) = item.as_array() else {
            let problem = format!("is {}; expected a list of strings", kind_of(item));
            return Err(self.error(key, problem));
        };
        let text = |value: &'a toml_edit::Value| {
            value.as_str().ok_or_else(|| {
                let value = value.to_string();
                let problem = format!("holds {}; expected a list of strings", value.trim());
                self.error(key, problem)
            })
        };
        array.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// Whether the value under a key is a list. Does not count as asking for it.
    pub fn is_list(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(Item::is_array)
    }
}
