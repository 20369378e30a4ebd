//! Answers as JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::error::WebError;

pub fn json(answer: &impl Serialize) -> Result<Vec<u8>, WebError> {
    Ok(serde_json::to_vec(answer).map_err(std::io::Error::from)?)
}

/// What is said of a request, not of the book: it is not to be cached.
pub fn of_the_moment(status: StatusCode, answer: &impl Serialize) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    // What is written as JSON always can be.
    (status, headers, json(answer).unwrap_or_default()).into_response()
}
