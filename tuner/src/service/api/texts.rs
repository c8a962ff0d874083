//! Texts of a run: its job, its report, and its values as an engine configuration.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::lock::RunLock;
use utoipa::IntoParams;

use super::blocking;
use super::extract::{Body, Options, RunId};
use super::looks::looked;
use super::problem::Problem;
use crate::service::Service;
use crate::service::reading::Reading;
use crate::workspace::export::{ExportSource, Exported};
use crate::workspace::merge::{Merge, Unmergeable};
use crate::workspace::report::page;

/// What a report may load: nothing; its style stands in it.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
                             frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

fn text(kind: &'static str, body: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

/// The job as resolved.
#[utoipa::path(get, path = "/runs/{id}/job", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn job(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Response, Problem> {
    let job = looked(service, run, |it| Ok(it.job_text().to_owned())).await?;
    Ok(text("text/plain; charset=utf-8", job))
}

/// The report as it would be written now.
#[utoipa::path(get, path = "/runs/{id}/report", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = String, content_type = "text/html"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn report(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Response, Problem> {
    let page = blocking(move || {
        let folder = RunFolder::open_named(&service.settings.runs, &run)?;
        let is_held = !matches!(RunLock::holder(&folder.lock()), Ok(None));
        Ok(page(&folder, is_held)?)
    })
    .await?;
    let mut response = text("text/html; charset=utf-8", page);
    let policy = HeaderValue::from_static(REPORT_POLICY);
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// Which values are exported.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ExportOptions {
    /// Values that no verification has accepted, too.
    #[serde(default)]
    force: bool,
    /// The values of the leg at this budget, where the tuning was at several.
    at: Option<u64>,
}

/// The values as an engine configuration: the file that `tuner export RUN --to NEWFILE` writes.
#[utoipa::path(get, path = "/runs/{id}/export", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), ExportOptions), responses(
    (status = 200, body = String, content_type = "application/toml"),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
    (status = 422, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn export(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<ExportOptions>,
) -> Result<Response, Problem> {
    let exported = looked(service, run.clone(), move |it| {
        let exported = values(it, &run, &options)?;
        let text = exported.text(it.job());
        text.map_err(|error| Problem::new(StatusCode::CONFLICT, error.to_string()))
            .map(|text| (run, text))
    });
    let (run, text) = exported.await?;
    Ok(attached(&run, text))
}

/// How messages name a configuration that came in a body.
const BODY: &str = "configuration";

/// The values merged into the configuration in the body: what `tuner export RUN --to FILE` makes
/// of that file. Whatever else stands in it stays.
#[utoipa::path(post, path = "/runs/{id}/export", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), ExportOptions),
    request_body(content = String, content_type = "application/toml"), responses(
    (status = 200, body = String, content_type = "application/toml"),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 403, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
    (status = 413, body = Problem, content_type = "application/problem+json"),
    (status = 415, body = Problem, content_type = "application/problem+json"),
    (status = 422, body = Problem, content_type = "application/problem+json"),
    (status = 429, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn export_into(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<ExportOptions>,
    body: Body,
) -> Result<Response, Problem> {
    if !matches!(body.kind.as_str(), "application/toml" | "text/plain" | "") {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Problem::new(status, "a configuration is application/toml"));
    }
    let merged = looked(service, run.clone(), move |it| {
        let exported = values(it, &run, &options)?;
        let name = Path::new(BODY);
        let target = EngineConfig::parse(name, &body.text)
            .map_err(|error| Problem::unusable(error.to_string()))?;
        let merge = Merge {
            job: it.job(),
            exported: &exported,
            name,
        };
        match merge.merged(&target, &body.text) {
            Ok(merged) => Ok((run, merged.text)),
            Err(Unmergeable::Unfit(problem)) => Err(Problem::unusable(problem)),
            Err(Unmergeable::Text(error)) => Err(Problem::unusable(error.to_string())),
        }
    });
    let (run, text) = merged.await?;
    Ok(attached(&run, text))
}

/// The values that are asked for.
fn values<'a>(
    reading: &'a Reading,
    run: &str,
    options: &ExportOptions,
) -> Result<Exported<'a>, Problem> {
    let source = ExportSource {
        argument: run.to_owned(),
        name: run.to_owned(),
        job: reading.job(),
        summary: &reading.folds().summary,
    };
    Ok(source.values(options.at, options.force)?)
}

/// A configuration to be kept as a file.
fn attached(run: &str, configuration: String) -> Response {
    let mut response = text("application/toml", configuration);
    // A name of a run has no character that a header cannot have.
    if let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"{run}.toml\"")) {
        response
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, file);
    }
    response
}
