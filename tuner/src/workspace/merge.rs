//! Tuned values merged into a configuration that somebody else wrote. Only the values change in
//! it, and the result is what the engine's own reader makes of it, or there is none.

use std::path::Path;

use sixfold_engine::config::EngineConfig;
use sixfold_tuner::export::{ExportError, NewValue, apply};
use sixfold_tuner::job::Job;
use sixfold_tuner::run::tuned::changes;

use super::export::Exported;
use super::words::game_in_full;

/// Values on their way into a configuration.
pub(crate) struct Merge<'a> {
    pub(crate) job: &'a Job,
    pub(crate) exported: &'a Exported<'a>,
    /// How messages name the configuration.
    pub(crate) name: &'a Path,
}

/// What a merge comes to.
pub(crate) struct Merged {
    /// The configuration with the tuned values and the evidence.
    pub(crate) text: String,
    /// What was set.
    pub(crate) changes: Vec<(String, NewValue)>,
    /// What the text says.
    pub(crate) config: EngineConfig,
}

/// Why values cannot stand in a configuration.
pub(crate) enum Unmergeable {
    /// It is of another game, or would be none with them; in words.
    Unfit(String),
    /// Its text cannot be changed.
    Text(ExportError),
}

impl Merge<'_> {
    /// The text of a configuration, which `target` is, with the values in it.
    pub(crate) fn merged(&self, target: &EngineConfig, text: &str) -> Result<Merged, Unmergeable> {
        self.check_game(target).map_err(Unmergeable::Unfit)?;
        let config = self.with_tuned(target).map_err(Unmergeable::Unfit)?;
        let changes = changes(&self.job.space, self.exported.values);
        let text = apply(text, &changes, &self.exported.lines).map_err(Unmergeable::Text)?;
        self.check_result(&text, &config)
            .map_err(Unmergeable::Unfit)?;
        Ok(Merged {
            text,
            changes,
            config,
        })
    }

    fn check_game(&self, target: &EngineConfig) -> Result<(), String> {
        let (ours, theirs) = (self.job.engine.config.game, target.game);
        if ours == theirs {
            return Ok(());
        }
        let (ours, theirs) = (game_in_full(ours), game_in_full(theirs));
        let name = self.name.display();
        Err(format!(
            "{name} plays {theirs}, and the values were tuned for {ours}"
        ))
    }

    /// The configuration with the tuned values, which it must take together.
    pub(crate) fn with_tuned(&self, config: &EngineConfig) -> Result<EngineConfig, String> {
        let parameters = self.job.space.parameters.iter();
        let values: Vec<(&str, f64)> = parameters
            .zip(&self.exported.values.0)
            .map(|(parameter, value)| (parameter.path.as_str(), *value))
            .collect();
        let mut config = config.clone();
        let name = self.name.display();
        config
            .set(&values)
            .map_err(|error| format!("{name}: {error}"))?;
        Ok(config)
    }

    /// What will be written says to the engine's own reader exactly what was tuned.
    fn check_result(&self, result: &str, expected: &EngineConfig) -> Result<(), String> {
        match EngineConfig::parse(self.name, result) {
            Ok(written) if written == *expected => Ok(()),
            Ok(_) => Err("the result would not hold the tuned values".to_owned()),
            Err(error) => Err(format!("the result would be invalid: {error}")),
        }
    }
}
