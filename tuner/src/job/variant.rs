//! Learners named on a command line: a kind, and what differs from its defaults.

use std::path::Path;

use sixfold_engine::config::{ConfigError, Document};
use toml_edit::{DocumentMut, Table, Value};

use super::learner::{self, LearnerSettings};

impl LearnerSettings {
    /// Reads `KIND` or `KIND:key=value,...`: the keys, ranges and defaults of a job's `[learner]`.
    /// A value that is no number is a word and needs no quotes.
    ///
    /// # Errors
    /// What a job's reader says of such a table; `option` and the text stand in the place of a
    /// file.
    pub fn variant(option: &str, text: &str) -> Result<Self, ConfigError> {
        let place = format!("{option} {text}");
        let place = Path::new(&place);
        let document = Document::parse(place, &table(place, text)?.to_string())?;
        let settings = learner::read(&document.root().required_section("learner")?);
        // Lines of a table that nobody wrote mean nothing.
        settings.map_err(|error| ConfigError {
            line: None,
            ..error
        })
    }
}

/// The table that a job would have.
fn table(place: &Path, text: &str) -> Result<DocumentMut, ConfigError> {
    let wrong = |problem: String| ConfigError {
        file: place.to_owned(),
        line: None,
        key: None,
        problem,
    };
    let (kind, pairs) = text.split_once(':').unwrap_or((text, ""));
    let mut table = Table::new();
    table.insert("kind", toml_edit::value(kind.trim()));
    for pair in pairs.split(',').filter(|_| text.contains(':')) {
        let split = pair.split_once('=');
        let parts = split.map(|(key, value)| (key.trim(), value.trim()));
        let (key, word) = parts
            .filter(|(key, word)| !key.is_empty() && !word.is_empty())
            .ok_or_else(|| wrong(format!("`{pair}` is no setting; expected key=value")))?;
        if table.contains_key(key) {
            return Err(wrong(format!("`{key}` is given twice")));
        }
        let value = word.parse::<Value>();
        let value = value.unwrap_or_else(|_| Value::from(word));
        table.insert(key, toml_edit::value(value));
    }
    let mut document = DocumentMut::new();
    document.insert("learner", toml_edit::Item::Table(table));
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimiser::paper::PaperSettings;
    use crate::optimiser::pooled::PooledSettings;
    use crate::optimiser::tree::RewardTo;

    fn read(text: &str) -> Result<LearnerSettings, String> {
        LearnerSettings::variant("--learners", text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_kind_alone_has_its_defaults() {
        let pooled = LearnerSettings::Pooled(PooledSettings::default());
        assert_eq!(read("pooled"), Ok(pooled));
        let paper = LearnerSettings::Paper(PaperSettings::default());
        assert_eq!(read("paper"), Ok(paper));
    }

    #[test]
    fn keys_differ_from_the_defaults_and_words_need_no_quotes() {
        let mut settings = PaperSettings::default();
        settings.tree.epsilon = 0.5;
        settings.tree.episodes = 40;
        settings.reward_to = RewardTo::Path;
        let text = "paper:epsilon=0.5, episodes = 40,reward_to=path";
        assert_eq!(read(text), Ok(LearnerSettings::Paper(settings)));
    }

    #[test]
    fn what_is_wrong_is_said_in_the_words_of_a_job() {
        let cases = [
            (
                "pooled:epsilon=7",
                "--learners pooled:epsilon=7: `learner.epsilon` is 7; it must be in [0, 1]",
            ),
            (
                "pooled:epsilon=big",
                "`learner.epsilon` is \"big\" (a string)",
            ),
            (
                "pooled:depth=2",
                "`learner.depth` is not known here; known keys are",
            ),
            ("annealing", "`learner.kind` is \"annealing\"; expected"),
            ("", "`learner.kind` is \"\"; expected"),
            ("pooled:", "`` is no setting; expected key=value"),
            (
                "pooled:epsilon",
                "`epsilon` is no setting; expected key=value",
            ),
            (
                "pooled:epsilon=",
                "`epsilon=` is no setting; expected key=value",
            ),
            ("pooled:c1=1,c1=2", "`c1` is given twice"),
            ("pooled:kind=paper", "`kind` is given twice"),
            ("paper:games_per_episode=0", "it must be in [1, 10000]"),
        ];
        for (text, part) in cases {
            let said = read(text).expect_err(text);
            assert!(said.contains(part), "{text}: {said}");
            assert!(said.starts_with(&format!("--learners {text}: ")), "{said}");
        }
    }

    #[test]
    fn nothing_breaks_out_of_a_value() {
        for text in [
            "pooled:epsilon=0.5\n[run]",
            "pooled:\"\n[x]=1",
            "pooled\n[x]",
        ] {
            read(text).expect_err(text);
        }
    }
}
