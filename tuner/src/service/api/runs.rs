//! Runs as a whole: their list, new ones, and what can be asked of one.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use sixfold_tuner::queue::Step;
use sixfold_tuner::store::folder::RunFolder;
use utoipa::{IntoParams, ToSchema};

use super::blocking;
use super::extract::{Body, Options, Parted, RunId};
use super::problem::Problem;
use super::submission::{self, Submission, SubmissionOptions};
use crate::service::Service;
use crate::service::views::row::RunRow;
use crate::workspace::plan::PlanView;
use crate::workspace::session::create_folder;
use crate::workspace::show::run_name;
use crate::workspace::tickets::plays_alone;

/// Runs in a folder beyond which no more are taken in.
const RUNS_MAX: usize = 10_000;
/// Most items of a page.
const PAGE_MAX: usize = 500;
/// Items of a page unless it is said.
const PAGE: usize = 100;

/// A part of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageOptions {
    /// Items, 1 to 500; 100 unless it is said.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// Index of the last item that is known; from the beginning unless it is said.
    #[param(minimum = -1)]
    after: Option<i64>,
}

impl PageOptions {
    /// Where the page begins and how many items it may have.
    ///
    /// # Errors
    /// An option out of range.
    pub(crate) fn place(&self) -> Result<(usize, usize), Problem> {
        let limit = self.limit.unwrap_or(PAGE);
        if !(1..=PAGE_MAX).contains(&limit) {
            let detail = format!("limit is {limit}; expected 1 to {PAGE_MAX}");
            return Err(Problem::bad_request(detail));
        }
        let after = self.after.unwrap_or(-1);
        let first = after.checked_add(1).and_then(|it| usize::try_from(it).ok());
        let first = first.ok_or_else(|| {
            Problem::bad_request(format!("after is {after}; expected -1 or an index"))
        })?;
        Ok((first, limit))
    }
}

/// A part of the list of runs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunPage {
    /// Those begun last first.
    items: Vec<RunRow>,
    /// Runs in all.
    total: usize,
    /// Give this as `after` for the next page; null at the end.
    next: Option<usize>,
}

/// The runs.
#[utoipa::path(get, path = "/runs", tag = "runs", params(PageOptions), responses(
    (status = 200, body = RunPage),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn list(
    State(service): State<Arc<Service>>,
    Options(options): Options<PageOptions>,
) -> Result<Json<RunPage>, Problem> {
    let (first, limit) = options.place()?;
    blocking(move || {
        let names = service.rows.names()?;
        let total = names.len();
        let chosen = names.iter().skip(first).take(limit);
        // A folder may go between the list and the look.
        let items: Vec<RunRow> = chosen
            .filter_map(|name| service.rows.row(name).ok())
            .collect();
        let end = first.saturating_add(limit);
        let next = (end < total).then(|| end - 1);
        Ok(Json(RunPage { items, total, next }))
    })
    .await
}

/// Takes in a job: the run waits for its turn.
#[utoipa::path(post, path = "/runs", tag = "runs", params(SubmissionOptions),
    request_body(content((Submission = "application/json"), (String = "application/toml"))),
    responses(
    (status = 201, body = RunRow, headers(("Location" = String, description = "The run"))),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 403, body = Problem, content_type = "application/problem+json"),
    (status = 413, body = Problem, content_type = "application/problem+json"),
    (status = 415, body = Problem, content_type = "application/problem+json"),
    (status = 422, body = Problem, content_type = "application/problem+json"),
    (status = 429, body = Problem, content_type = "application/problem+json"),
    (status = 507, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn submit(
    State(service): State<Arc<Service>>,
    Options(options): Options<SubmissionOptions>,
    body: Body,
) -> Result<Response, Problem> {
    let row = blocking(move || take_in(&service, options, &body)).await?;
    let location = [(header::LOCATION, format!("/api/v1/runs/{}", row.id))];
    Ok((StatusCode::CREATED, location, Json(row)).into_response())
}

fn take_in(service: &Service, options: SubmissionOptions, body: &Body) -> Result<RunRow, Problem> {
    let submitted = submission::read(body, options, &service.configurations)?;
    if service.dispatcher.disk().low {
        let detail = "the disk is nearly full: nothing is taken in until there is room";
        return Err(Problem::new(StatusCode::INSUFFICIENT_STORAGE, detail));
    }
    let runs = &service.settings.runs;
    if service.rows.names()?.len() >= RUNS_MAX {
        let detail = format!("the folder has {RUNS_MAX} runs: move some of them elsewhere first");
        return Err(Problem::conflict(detail));
    }
    let job = &submitted.job;
    let stem = job.engine.name.trim_end_matches(".toml");
    let label = submitted
        .label
        .as_deref()
        .filter(|it| !it.trim().is_empty());
    let base = run_name(label.unwrap_or(stem));
    let words: Vec<&str> = base.split('-').filter(|word| !word.is_empty()).collect();
    let base = words.join("-");
    let alone = plays_alone(job);
    let ticket = service
        .dispatcher
        .new_ticket(label.unwrap_or(&base), alone, submitted.paused);
    let (folder, lock) = create_folder(job, runs, &base, None, Some(&ticket))?;
    drop(lock);
    let name = folder.name();
    service.dispatcher.take_in(&name, ticket);
    tracing::info!(run = name, "taken in");
    Ok(service.rows.row(&name)?)
}

/// What a job comes to.
#[utoipa::path(post, path = "/check", tag = "runs", params(SubmissionOptions),
    request_body(content((Submission = "application/json"), (String = "application/toml"))),
    responses(
    (status = 200, body = PlanView),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 403, body = Problem, content_type = "application/problem+json"),
    (status = 413, body = Problem, content_type = "application/problem+json"),
    (status = 415, body = Problem, content_type = "application/problem+json"),
    (status = 422, body = Problem, content_type = "application/problem+json"),
    (status = 429, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn check(
    State(service): State<Arc<Service>>,
    Options(options): Options<SubmissionOptions>,
    body: Body,
) -> Result<Json<PlanView>, Problem> {
    blocking(move || {
        let submitted = submission::read(&body, options, &service.configurations)?;
        Ok(Json(PlanView::of(&submitted.job)))
    })
    .await
}

/// What can be asked of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    /// Stand still.
    Pause,
    /// Go on.
    Resume,
    /// Leave the queue; nothing is deleted.
    Cancel,
    /// Play another verification.
    Verify,
}

/// A run and what is asked of it.
#[derive(Debug, Deserialize)]
pub(super) struct ActionPath {
    action: Action,
}

/// Asks something of a run. Asking twice is asking once.
#[utoipa::path(post, path = "/runs/{id}/{action}", tag = "runs", params(
    ("id" = String, Path, description = "Name of the run"),
    ("action" = Action, Path, description = "What is asked of it"),
    ), responses(
    (status = 200, body = RunRow),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 403, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
    (status = 429, body = Problem, content_type = "application/problem+json"),
    (status = 507, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn act(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Parted(ActionPath { action }): Parted<ActionPath>,
) -> Result<Json<RunRow>, Problem> {
    let step = match action {
        Action::Pause => Step::Pause,
        Action::Resume => Step::Resume,
        Action::Cancel => Step::Cancel,
        Action::Verify => Step::Verify,
    };
    blocking(move || {
        RunFolder::open_named(&service.settings.runs, &run)?;
        service.dispatcher.step(&run, step)?;
        Ok(Json(service.rows.row(&run)?))
    })
    .await
}
