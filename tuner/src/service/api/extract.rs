//! What requests bring, read strictly: whatever is wrong becomes a problem of the one form.

use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use sixfold_tuner::store::folder::validate_name;

use super::problem::Problem;

/// Largest body.
pub(crate) const BODY_BYTES_MAX: usize = 1 << 20;

/// The options behind the `?`; unknown ones are refused by the type.
pub(crate) struct Options<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Options<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        match read {
            Ok(Query(options)) => Ok(Self(options)),
            Err(rejection) => Err(Problem::bad_request(rejection.body_text())),
        }
    }
}

/// Parts of a path.
pub(crate) struct Parted<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Parted<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read: Result<Path<T>, PathRejection> = Path::from_request_parts(parts, state).await;
        match read {
            Ok(Path(found)) => Ok(Self(found)),
            Err(rejection) => Err(Problem::bad_request(rejection.body_text())),
        }
    }
}

/// The name of a run in a path: nothing else ever becomes a part of a path on the disk.
pub(crate) struct RunId(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for RunId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Parted(all) =
            Parted::<std::collections::BTreeMap<String, String>>::from_request_parts(parts, state)
                .await?;
        let name = all.get("id").cloned().unwrap_or_default();
        match validate_name(&name) {
            Ok(()) => Ok(Self(name)),
            Err(_) => Err(Problem::not_found("there is no such run")),
        }
    }
}

/// A body of text with its kind.
pub(crate) struct Body {
    /// The kind without its parameters, in lower case; empty where the request says none.
    pub(crate) kind: String,
    /// The text.
    pub(crate) text: String,
}

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|it| it.to_str().ok()).unwrap_or("");
        let kind = kind.split(';').next().unwrap_or("").trim();
        let kind = kind.to_ascii_lowercase();
        let read: Result<axum::body::Bytes, BytesRejection> =
            axum::body::Bytes::from_request(request, state).await;
        let bytes = read.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("a body has at most {BODY_BYTES_MAX} bytes"),
            ),
            status => Problem::new(status, rejection.body_text()),
        })?;
        let text = String::from_utf8(bytes.into())
            .map_err(|_| Problem::bad_request("the body is not UTF-8"))?;
        Ok(Self { kind, text })
    }
}
