//! The API: what is asked for over HTTP, and how it is answered.

mod configurations;
mod events;
pub(crate) mod extract;
mod looks;
pub(crate) mod problem;
mod runs;
mod session;
mod submission;
mod texts;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Service, assets};
use problem::Problem;

/// What the API says of itself beside its routes.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sixfold",
        description = "A queue of tuning jobs and everything that their runs come to. Every \
                       request carries `Authorization: Bearer TOKEN`; requests that only look may \
                       carry the cookie of `POST /api/v1/session` instead."
    ),
    // What only options and paths name is not found by itself.
    components(schemas(runs::Action, submission::Start)),
    modifiers(&Bearer),
    security(("token" = []))
)]
struct Description;

/// The token in the description.
struct Bearer;

impl utoipa::Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        openapi
            .components
            .get_or_insert_default()
            .add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The routes of the API and their description, from the same functions.
fn described() -> (Router<Arc<Service>>, utoipa::openapi::OpenApi) {
    let v1 = OpenApiRouter::new()
        .routes(routes!(session::service))
        .routes(routes!(session::session))
        .routes(routes!(session::description))
        .routes(routes!(runs::list, runs::submit))
        .routes(routes!(runs::check))
        .routes(routes!(runs::act))
        .routes(routes!(configurations::list))
        .routes(routes!(configurations::text))
        .routes(routes!(configurations::parameters))
        .routes(routes!(events::of_all))
        .routes(routes!(events::of_run))
        .merge(of_a_run());
    let (routes, mut document) = OpenApiRouter::with_openapi(Description::openapi())
        .nest("/api/v1", v1)
        .split_for_parts();
    describe_guard(&mut document);
    (routes, document)
}

/// Adds to every route what the guard answers before it.
fn describe_guard(document: &mut utoipa::openapi::OpenApi) {
    for item in document.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            let refusal = responses.get("401").expect("every route needs a token");
            let refusal = refusal.clone();
            for status in ["403", "421", "429"] {
                let response = responses.entry(status.to_owned());
                response.or_insert_with(|| refusal.clone());
            }
        }
    }
}

/// What there is to see of a run.
fn of_a_run() -> OpenApiRouter<Arc<Service>> {
    OpenApiRouter::new()
        .routes(routes!(looks::run))
        .routes(routes!(looks::card))
        .routes(routes!(looks::warnings))
        .routes(routes!(looks::rounds))
        .routes(routes!(looks::trials))
        .routes(routes!(looks::trajectories))
        .routes(routes!(looks::tree))
        .routes(routes!(looks::tree_of))
        .routes(routes!(looks::q_values))
        .routes(routes!(looks::surface))
        .routes(routes!(looks::statistics))
        .routes(routes!(looks::games))
        .routes(routes!(looks::game))
        .routes(routes!(looks::log))
        .routes(routes!(looks::failures))
        .routes(routes!(looks::configuration))
        .routes(routes!(texts::job))
        .routes(routes!(texts::report))
        .routes(routes!(texts::export, texts::export_into))
}

/// The description of the API, as JSON with a line for each path and each schema, so that a change
/// of one is a change of one line.
pub(crate) fn openapi() -> String {
    let (_, document) = described();
    let document = serde_json::to_value(document).expect("the description is plain data");
    let mut text = lines_of(&document, 2);
    text.push('\n');
    text
}

/// JSON with its entries down to `depth` levels on lines of their own.
fn lines_of(value: &serde_json::Value, depth: usize) -> String {
    let serde_json::Value::Object(entries) = value else {
        return value.to_string();
    };
    if depth == 0 || entries.is_empty() {
        return value.to_string();
    }
    let lines = entries.iter().map(|(key, entry)| {
        let key = serde_json::Value::from(key.as_str());
        // Schemas are one level deeper than paths.
        let depth = if key == "components" {
            depth
        } else {
            depth - 1
        };
        format!("{key}:{}", lines_of(entry, depth))
    });
    let lines: Vec<String> = lines.collect();
    format!("{{\n{}\n}}", lines.join(",\n"))
}

/// All routes of the service.
pub(super) fn router(service: Arc<Service>) -> Router {
    let (routes, _) = described();
    routes
        .route("/", get(assets::index))
        .route("/assets/{*path}", get(assets::asset))
        .route("/healthz", get(|| async { "ok\n" }))
        .fallback(|| async { Problem::not_found("there is nothing at this address") })
        .method_not_allowed_fallback(|| async {
            let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
            Problem::new(status, "this address does not take that method")
        })
        .layer(DefaultBodyLimit::max(extract::BODY_BYTES_MAX))
        .with_state(service)
}

/// Does what may wait for the disk or compute, away from the threads that answer.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => {
            tracing::error!(%error, "a request was not answered");
            let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
            Err(Problem::new(
                status,
                "the service made a mistake; its log says more",
            ))
        }
    }
}
