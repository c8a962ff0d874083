//! Who plays: configurations, the parameters that trials change in them, and the bots made of them.

use std::sync::Arc;

use sixfold_engine::agent::{Agent, Bot};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::games::Playable;

use crate::evaluator::EvaluationError;
use crate::space::Vector;

/// One side of the matches: a configuration, and the paths that a trial's vector is written to.
/// A side with no paths is the configuration as it stands, whatever the vector.
#[derive(Clone, Debug)]
pub struct Side {
    /// The configuration.
    pub config: EngineConfig,
    /// Paths of the tuned parameters, in the order of the vectors.
    pub paths: Vec<String>,
}

impl Side {
    /// A side that no trial changes.
    pub fn fixed(config: EngineConfig) -> Side {
        Side {
            config,
            paths: Vec::new(),
        }
    }

    /// The configuration with a vector's values.
    ///
    /// # Errors
    /// A value that the engine refuses.
    pub fn with(&self, vector: &Vector) -> Result<EngineConfig, EvaluationError> {
        let mut config = self.config.clone();
        let values: Vec<(&str, f64)> = self
            .paths
            .iter()
            .map(String::as_str)
            .zip(vector.0.iter().copied())
            .collect();
        config
            .set(&values)
            .map_err(|error| EvaluationError::Refused(error.to_string()))?;
        Ok(config)
    }
}

/// A bot of a game that takes over configurations, one after the other.
pub trait EngineBot<G: Playable>: Bot<G::Position> + Send {
    /// Plays as this configuration says from the next game on.
    fn configure(&mut self, config: &EngineConfig);
}

impl<G: Playable> EngineBot<G> for Agent<G::Position, G::Knowledge> {
    fn configure(&mut self, config: &EngineConfig) {
        Agent::configure(self, config);
    }
}

/// Makes the bots of a match. One is kept from game to game, and made anew after a failure.
pub type MakeBot<G> = Arc<dyn Fn(&EngineConfig) -> Box<dyn EngineBot<G>> + Send + Sync>;

/// Bots that are the engine itself.
pub(super) fn agents<G: Playable>() -> MakeBot<G> {
    Arc::new(|config| {
        let agent: Agent<G::Position, G::Knowledge> = Agent::new(config, G::Knowledge::default());
        Box::new(agent)
    })
}
