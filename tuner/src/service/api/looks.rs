//! What there is to see of a run: each resource a view of its reading.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sixfold_tuner::store::lock::RunLock;
use utoipa::{IntoParams, ToSchema};

use super::blocking;
use super::extract::{Options, Parted, RunId};
use super::problem::Problem;
use super::runs::PageOptions;
use crate::service::Service;
use crate::service::reading::Reading;
use crate::service::views::card::{self, CardView};
use crate::service::views::configuration::{self, ConfigurationView};
use crate::service::views::files::{self, FailuresView, LogLineView};
use crate::service::views::games::{self, GameFileView, SampledGameView};
use crate::service::views::page::Page;
use crate::service::views::q_values::{self, QValuesView};
use crate::service::views::rounds::{self, RoundView, TrialView};
use crate::service::views::row::RunRow;
use crate::service::views::statistics::{self, StatisticsView};
use crate::service::views::surface::{self, SurfaceAnswer};
use crate::service::views::trajectories::{self, POINTS, POINTS_MAX, TrajectoriesView};
use crate::service::views::trees::{self, TreeAnswer};
use crate::service::views::warnings::{self, WarningsView};
use crate::workspace::show::View;

/// How long a request may compute trees again before it says how far it came.
const TREES_FOR: Duration = Duration::from_millis(400);

/// A run: its row, and what `tuner status --json` says of it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RunAnswer {
    row: RunRow,
    view: View,
}

/// Looks at a run away from the threads that answer.
pub(super) async fn looked<T: Send + 'static>(
    service: Arc<Service>,
    run: String,
    look: impl FnOnce(&mut Reading) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    blocking(move || service.shelf.look(&run, look)?).await
}

fn unreadable(error: impl std::fmt::Display) -> Problem {
    Problem::conflict(error.to_string())
}

/// Says when it has been computed long enough.
fn patience() -> impl Fn() -> bool {
    let begun = Instant::now();
    move || begun.elapsed() >= TREES_FOR
}

fn is_held(reading: &Reading) -> bool {
    !matches!(RunLock::holder(&reading.folder().lock()), Ok(None))
}

/// A run as it stands.
#[utoipa::path(get, path = "/runs/{id}", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = RunAnswer),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn run(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<RunAnswer>, Problem> {
    blocking(move || {
        let row = service.rows.row(&run)?;
        let view = service.shelf.look(&run, |reading| {
            let outlook = reading.outlook(Instant::now());
            let (folder, job) = (reading.folder(), reading.job());
            let summary = &reading.folds().summary;
            let outlook = outlook.as_ref().as_ref();
            View::with_outlook(folder, job, summary, outlook, is_held(reading))
        })??;
        Ok(Json(RunAnswer { row, view }))
    })
    .await
}

/// What is needed to get the same bytes again.
#[utoipa::path(get, path = "/runs/{id}/card", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = CardView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn card(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<CardView>, Problem> {
    looked(service, run, |it| Ok(Json(card::card(it)))).await
}

/// What should be known and might not be seen.
#[utoipa::path(get, path = "/runs/{id}/warnings", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = WarningsView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn warnings(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<WarningsView>, Problem> {
    looked(service, run, |it| {
        Ok(Json(warnings::warnings(it, Instant::now())))
    })
    .await
}

/// Rounds that are over.
#[utoipa::path(get, path = "/runs/{id}/rounds", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), PageOptions), responses(
    (status = 200, body = Page<RoundView>),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn rounds(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<PageOptions>,
) -> Result<Json<Page<RoundView>>, Problem> {
    let (first, limit) = options.place()?;
    looked(service, run, move |it| {
        Ok(Json(rounds::rounds(it, first, limit)))
    })
    .await
}

/// Trials of the tuning.
#[utoipa::path(get, path = "/runs/{id}/trials", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), PageOptions), responses(
    (status = 200, body = Page<TrialView>),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn trials(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<PageOptions>,
) -> Result<Json<Page<TrialView>>, Problem> {
    let (first, limit) = options.place()?;
    looked(service, run, move |it| {
        Ok(Json(rounds::trials(it, first, limit)?))
    })
    .await
}

/// How fine lines are.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PointsOption {
    /// Points of a line at most, 2 to 2000; 400 unless it is said.
    #[param(minimum = 2, maximum = 2000)]
    points: Option<usize>,
}

/// The way of every parameter.
#[utoipa::path(get, path = "/runs/{id}/trajectories", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), PointsOption), responses(
    (status = 200, body = TrajectoriesView),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn trajectories(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<PointsOption>,
) -> Result<Json<TrajectoriesView>, Problem> {
    let points = options.points.unwrap_or(POINTS);
    if !(2..=POINTS_MAX).contains(&points) {
        let detail = format!("points is {points}; expected 2 to {POINTS_MAX}");
        return Err(Problem::bad_request(detail));
    }
    looked(service, run, move |it| {
        Ok(Json(trajectories::trajectories(it, points)))
    })
    .await
}

/// The learner's tree in progress, or the last one.
#[utoipa::path(get, path = "/runs/{id}/tree", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = TreeAnswer),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn tree(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<TreeAnswer>, Problem> {
    looked(service, run, |it| {
        let is_running = is_held(it);
        Ok(Json(trees::tree(it, is_running, &patience())?))
    })
    .await
}

/// A round in a path.
#[derive(Debug, Deserialize)]
pub(super) struct RoundPath {
    round: usize,
}

/// The tree of a round that is over.
#[utoipa::path(get, path = "/runs/{id}/tree/{round}", tag = "run", params(
    ("id" = String, Path, description = "Name of the run"),
    ("round" = usize, Path, description = "Round, from 0: one of `rounds_drawn`")), responses(
    (status = 200, body = TreeAnswer),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn tree_of(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Parted(RoundPath { round }): Parted<RoundPath>,
) -> Result<Json<TreeAnswer>, Problem> {
    looked(service, run, move |it| {
        Ok(Json(trees::tree_of(it, round, &patience())?))
    })
    .await
}

/// Q-values of all nodes.
#[utoipa::path(get, path = "/runs/{id}/q-values", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = QValuesView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn q_values(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<QValuesView>, Problem> {
    looked(service, run, |it| {
        Ok(Json(q_values::q_values(it, &patience())?))
    })
    .await
}

/// The two parameters of a slice.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct AxesOptions {
    /// Path of the parameter to the right; the first of the job unless it is said.
    x: Option<String>,
    /// Path of the parameter upwards; the next one unless it is said.
    y: Option<String>,
}

/// The fitted surface along two parameters.
#[utoipa::path(get, path = "/runs/{id}/surface", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), AxesOptions), responses(
    (status = 200, body = SurfaceAnswer),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn surface(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<AxesOptions>,
) -> Result<Json<SurfaceAnswer>, Problem> {
    looked(service, run, move |it| {
        let named = [options.x.as_deref(), options.y.as_deref()];
        let pair = surface::axes(it, named).map_err(Problem::bad_request)?;
        Ok(Json(surface::surface(it, pair, Instant::now())))
    })
    .await
}

/// Wins, draws and losses, tests, and strength over time.
#[utoipa::path(get, path = "/runs/{id}/statistics", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = StatisticsView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn statistics(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<StatisticsView>, Problem> {
    looked(service, run, |it| {
        Ok(Json(statistics::statistics(it, Instant::now())))
    })
    .await
}

/// Sampled games.
#[utoipa::path(get, path = "/runs/{id}/games", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), PageOptions), responses(
    (status = 200, body = Page<GameFileView>),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn games(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<PageOptions>,
) -> Result<Json<Page<GameFileView>>, Problem> {
    let (first, limit) = options.place()?;
    looked(service, run, move |it| {
        games::games(it, first, limit).map(Json).map_err(unreadable)
    })
    .await
}

/// A record in a path.
#[derive(Debug, Deserialize)]
pub(super) struct GamePath {
    name: String,
}

/// A sampled game, played again so far as that is quick.
#[utoipa::path(get, path = "/runs/{id}/games/{name}", tag = "run", params(
    ("id" = String, Path, description = "Name of the run"),
    ("name" = String, Path, description = "Name of the record")), responses(
    (status = 200, body = SampledGameView),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn game(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Parted(GamePath { name }): Parted<GamePath>,
) -> Result<Json<SampledGameView>, Problem> {
    blocking(move || {
        let found = service.games.game(&service.shelf, &run, &name)?;
        match found.map_err(unreadable)? {
            Some(game) => Ok(Json((*game).clone())),
            None => Err(Problem::not_found("the run has no such game")),
        }
    })
    .await
}

/// Lines of the log, the oldest first.
#[utoipa::path(get, path = "/runs/{id}/log", tag = "run",
    params(("id" = String, Path, description = "Name of the run"), PageOptions), responses(
    (status = 200, body = Page<LogLineView>),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn log(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<PageOptions>,
) -> Result<Json<Page<LogLineView>>, Problem> {
    let (first, limit) = options.place()?;
    looked(service, run, move |it| {
        files::log(it, first, limit).map(Json).map_err(unreadable)
    })
    .await
}

/// Evidence of failed games.
#[utoipa::path(get, path = "/runs/{id}/failures", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = FailuresView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn failures(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<FailuresView>, Problem> {
    looked(service, run, |it| Ok(Json(files::failures(it)?))).await
}

/// The engine's configuration before and after.
#[utoipa::path(get, path = "/runs/{id}/configuration", tag = "run",
    params(("id" = String, Path, description = "Name of the run")), responses(
    (status = 200, body = ConfigurationView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn configuration(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
) -> Result<Json<ConfigurationView>, Problem> {
    looked(service, run, |it| {
        configuration::configuration(it)
            .map(Json)
            .map_err(unreadable)
    })
    .await
}
