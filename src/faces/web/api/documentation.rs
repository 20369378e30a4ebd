//! `/api`: what can be asked, for people.

use axum::http::header;
use axum::response::IntoResponse;

use crate::faces::guides::Guide;

pub async fn documentation() -> impl IntoResponse {
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, Guide::of("http").map_or("", |guide| guide.markdown))
}
