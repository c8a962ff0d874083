//! Configurations that requests may name, and what can be tuned in them.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sixfold_engine::config::{Choice, EngineConfig, Parameter};
use utoipa::{IntoParams, ToSchema};

use super::blocking;
use super::extract::{Options, Parted};
use super::problem::Problem;
use crate::service::Service;
use crate::service::configurations::{FindError, Kind, Listed};
use crate::workspace::words::game_words;

impl From<FindError> for Problem {
    fn from(error: FindError) -> Self {
        let status = match &error {
            FindError::Missing { .. } => StatusCode::NOT_FOUND,
            FindError::Io { .. } => StatusCode::CONFLICT,
        };
        Self::new(status, error.to_string())
    }
}

/// The configurations of the service.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConfigurationList {
    /// Engines first, each kind by name.
    items: Vec<Listed>,
}

/// The configurations that jobs may name.
#[utoipa::path(get, path = "/configurations", tag = "configurations", responses(
    (status = 200, body = ConfigurationList),
    (status = 401, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn list(
    State(service): State<Arc<Service>>,
) -> Result<Json<ConfigurationList>, Problem> {
    blocking(move || {
        let listed = service.configurations.list();
        let items = listed.map_err(|error| {
            let detail = format!("the configurations cannot be listed: {error}");
            Problem::new(StatusCode::CONFLICT, detail)
        })?;
        Ok(Json(ConfigurationList { items }))
    })
    .await
}

/// Which kind of configuration is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct KindOption {
    /// `engine` (the default) or `job`.
    kind: Option<Kind>,
}

/// The text of a configuration.
#[utoipa::path(get, path = "/configurations/{name}", tag = "configurations",
    params(("name" = String, Path, description = "Name in the list"), KindOption), responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn text(
    State(service): State<Arc<Service>>,
    Parted(name): Parted<String>,
    Options(options): Options<KindOption>,
) -> Result<Response, Problem> {
    let kind = options.kind.unwrap_or(Kind::Engine);
    let found = move || Ok(service.configurations.text(kind, &name)?);
    let text = blocking(found).await?;
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((kind, text).into_response())
}

/// Whose parameters are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EngineOption {
    /// Name of an engine configuration.
    engine: String,
}

/// What can be tuned in an engine.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ParameterTable {
    /// Name of its configuration.
    engine: String,
    /// Its game.
    #[schema(example = "dots and boxes 5x5")]
    game: String,
    /// In the order of the file.
    items: Vec<ParameterRow>,
}

/// A parameter. What a choice does not have is null.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ParameterRow {
    /// Path in the file.
    #[schema(example = "stages.layout.bias.capture")]
    path: String,
    /// `float`, `integer` or `choice`.
    kind: &'static str,
    /// Its value: a number, or a choice's word.
    value: serde_json::Value,
    /// Smallest allowed value.
    min: Option<f64>,
    /// Largest allowed value.
    max: Option<f64>,
    /// One step of an edit: a difference (linear) or a factor (log).
    step: Option<f64>,
    /// `linear` or `log`.
    scale: Option<&'static str>,
    /// Unit of the value.
    unit: Option<&'static str>,
    /// What it does, in a sentence.
    meaning: Option<&'static str>,
    /// The words of a choice.
    words: Option<Vec<&'static str>>,
}

impl From<Parameter> for ParameterRow {
    fn from(it: Parameter) -> Self {
        Self {
            path: it.path,
            kind: it.spec.kind(),
            value: it.value.into(),
            min: Some(it.spec.min),
            max: Some(it.spec.max),
            step: Some(it.spec.step),
            scale: Some(it.spec.scale.name()),
            unit: Some(it.spec.unit),
            meaning: Some(it.spec.meaning),
            words: None,
        }
    }
}

impl From<Choice> for ParameterRow {
    fn from(it: Choice) -> Self {
        Self {
            value: it.words[it.place].into(),
            path: it.path,
            kind: "choice",
            min: None,
            max: None,
            step: None,
            scale: None,
            unit: None,
            meaning: None,
            words: Some(it.words),
        }
    }
}

/// What can be tuned in an engine.
#[utoipa::path(get, path = "/parameters", tag = "configurations", params(EngineOption), responses(
    (status = 200, body = ParameterTable),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 422, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn parameters(
    State(service): State<Arc<Service>>,
    Options(EngineOption { engine }): Options<EngineOption>,
) -> Result<Json<ParameterTable>, Problem> {
    blocking(move || {
        let text = service.configurations.text(Kind::Engine, &engine)?;
        let file = format!("{engine}.toml");
        let config = EngineConfig::parse(Path::new(&file), &text)
            .map_err(|error| Problem::unusable(error.to_string()))?;
        let parameters = config.parameters().into_iter().map(ParameterRow::from);
        let choices = config.choices().into_iter().map(ParameterRow::from);
        Ok(Json(ParameterTable {
            engine,
            game: game_words(config.game),
            items: parameters.chain(choices).collect(),
        }))
    })
    .await
}
