//! The service over a folder of runs, as commands on the same machine reach it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::service::{Place, ServiceFolder, Tokens};
use crate::workspace::exit::{Failure, bad_input, refused};

/// A command waits so long for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A service that runs.
pub(super) struct Remote {
    agent: ureq::Agent,
    place: Place,
    token: String,
}

impl Remote {
    /// The service over a folder of runs; None when there is none.
    ///
    /// # Errors
    /// One that this user may not ask.
    pub(super) fn find(runs: &Path) -> Result<Option<Remote>, Failure> {
        let folder = ServiceFolder::of(runs);
        let Some(place) = folder.running()? else {
            return Ok(None);
        };
        let tokens = Tokens::load(&folder.tokens()).map_err(refused)?;
        let tokens = tokens.ok_or_else(|| refused(anyhow!("the service's tokens are gone")))?;
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            // Never through a proxy: the service is on this machine.
            .proxy(None)
            .build();
        Ok(Some(Remote {
            agent: agent.into(),
            place,
            token: tokens.write,
        }))
    }

    /// Where the service answers.
    pub(super) fn url(&self) -> &str {
        &self.place.url
    }

    /// Asks for something to be done; `body` is TOML.
    ///
    /// # Errors
    /// What the service says against it, or that it does not answer.
    pub(super) fn post<T: DeserializeOwned>(&self, path: &str, body: &str) -> Result<T, Failure> {
        let url = format!("{}/api/v1{path}", self.place.url);
        let mut response = self
            .agent
            .post(&url)
            .header("Authorization", format!("Bearer {}", self.token))
            .content_type("application/toml")
            .send(body)
            .with_context(|| format!("the service at {} does not answer", self.place.url))?;
        let status = response.status().as_u16();
        let text = response
            .body_mut()
            .read_to_string()
            .context("the service's answer cannot be read")?;
        if (200..300).contains(&status) {
            return Ok(serde_json::from_str(&text).context("the service's answer is no JSON")?);
        }
        let problem: Option<Value> = serde_json::from_str(&text).ok();
        let detail = problem.as_ref().and_then(|it| it["detail"].as_str());
        let error = anyhow!("{}", detail.unwrap_or("the service refused without a word"));
        Err(match status {
            400 | 404 | 413 | 415 | 422 => bad_input(error),
            401 | 403 | 409 | 421 | 429 => refused(error),
            _ => error.into(),
        })
    }
}
