//! Errors as `application/problem+json` (RFC 9457).

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sixfold_tuner::queue::Refusal;
use sixfold_tuner::store::folder::FolderError;
use utoipa::ToSchema;

use crate::workspace::exit::{Exit, Failure};
use crate::workspace::tickets::StepError;

/// What went wrong with a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The status.
    #[schema(example = 422)]
    status: u16,
    /// What is wrong and what to do, in a line for people.
    detail: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("problem"),
            status: status.as_u16(),
            detail: detail.into(),
        }
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// A body that is well-formed and cannot be used.
    pub(crate) fn unusable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

impl From<FolderError> for Problem {
    fn from(error: FolderError) -> Self {
        match &error {
            FolderError::InvalidName { .. }
            | FolderError::Missing { .. }
            | FolderError::NotARun { .. } => Self::not_found("there is no such run"),
            FolderError::Exists { .. } => Self::conflict(error.to_string()),
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

impl From<StepError> for Problem {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Refused(refusal) => refusal.into(),
            StepError::Folder(error) => error.into(),
            StepError::Held { .. } | StepError::Unreadable(_) => Self::conflict(error.to_string()),
            StepError::Ticket(_) => Self::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string()),
        }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        if let Some(FolderError::InvalidName { .. } | FolderError::Missing { .. }) =
            failure.error.downcast_ref()
        {
            return Self::not_found("there is no such run");
        }
        let status = match failure.exit {
            Exit::BadInput => StatusCode::UNPROCESSABLE_ENTITY,
            // What is stored cannot be shown as it is: a state of the run, not of the service.
            Exit::Refused | Exit::NotAccepted | Exit::Interrupted => StatusCode::CONFLICT,
            Exit::Success | Exit::Failure => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, failure.text())
    }
}
