//! The page: files within the program. A development build reads them from the source tree.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use super::api::problem::Problem;

#[derive(RustEmbed)]
#[folder = "web/"]
struct Assets;

/// The page itself.
pub(super) async fn index(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// A file of the page, by its path below `/assets/`.
pub(super) async fn asset(
    axum::extract::Path(path): axum::extract::Path<String>,
    headers: HeaderMap,
) -> Response {
    file(&path, &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(found) = Assets::get(path) else {
        return Problem::not_found("there is no such file").into_response();
    };
    let hash = found.metadata.sha256_hash();
    let tag: String = hash[..12].iter().map(|it| format!("{it:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let is_known = headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let fresh = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, fresh).into_response();
    }
    let kind = [(header::CONTENT_TYPE, kind_of(path))];
    (fresh, kind, found.data.into_owned()).into_response()
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}
