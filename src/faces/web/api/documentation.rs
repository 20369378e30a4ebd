//! `/api`: what can be asked, for people.

use axum::http::header;
use axum::response::IntoResponse;

const TEXT: &str = include_str!("documentation.md");

pub async fn documentation() -> impl IntoResponse {
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, TEXT)
}
