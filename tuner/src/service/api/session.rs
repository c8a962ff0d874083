//! The service itself: how it stands, its description, and the cookie that lets a browser look.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::problem::Problem;
use crate::service::Service;

/// How the service stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct ServiceView {
    /// Of the program.
    version: &'static str,
    /// Runs at work at a time.
    running_max: usize,
    /// Threads of each of them.
    threads: u16,
    /// The disk that the runs are on.
    disk: DiskView,
    /// Whether runs are only shown.
    read_only: bool,
}

/// The disk that the runs are on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct DiskView {
    /// MiB that are free; null where the file system does not tell.
    free_mib: Option<u64>,
    /// MiB below which nothing runs.
    reserve_mib: u64,
    /// Whether nothing runs because of it.
    low: bool,
}

impl ServiceView {
    pub(super) fn of(service: &Service) -> Self {
        let disk = service.dispatcher.disk();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            running_max: service.settings.running_max,
            threads: service.settings.threads,
            disk: DiskView {
                free_mib: disk.free.map(|bytes| bytes >> 20),
                reserve_mib: service.settings.reserve >> 20,
                low: disk.low,
            },
            read_only: service.is_read_only,
        }
    }
}

/// How the service stands.
#[utoipa::path(get, path = "/service", tag = "service", responses(
    (status = 200, body = ServiceView),
    (status = 401, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn service(State(service): State<Arc<Service>>) -> Json<ServiceView> {
    Json(ServiceView::of(&service))
}

/// Lets a browser look by a cookie, which event streams and downloads carry.
#[utoipa::path(post, path = "/session", tag = "service", responses(
    (status = 204, description = "The cookie is set."),
    (status = 401, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn session(State(service): State<Arc<Service>>) -> Response {
    let (name, token) = (service.cookie_name(), &service.tokens.read);
    let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

/// This description.
#[utoipa::path(get, path = "/openapi.json", tag = "service", responses(
    (status = 200, content_type = "application/json", body = Object),
    (status = 401, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn description() -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, super::openapi()).into_response()
}
