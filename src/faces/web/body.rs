//! Bodies: those that are streamed piece by piece, and those of requests, read within limits.

use std::convert::Infallible;
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::http::{HeaderMap, StatusCode, header};
use http_body::Frame;
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::error::WebError;

/// An answer whose pieces come from elsewhere; it ends when all senders are gone.
struct Streamed(Receiver<Bytes>);

impl HttpBody for Streamed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// Pieces that wait to be taken; a sender of more waits.
const WAITING: usize = 16;

/// A streamed answer, and where its pieces are handed in. The sender sees when the client has gone.
pub fn stream() -> (Sender<Bytes>, Body) {
    let (sender, receiver) = channel(WAITING);
    (sender, Body::new(Streamed(receiver)))
}

/// An event of a stream of them; data is one line.
pub fn event(name: &str, data: &str) -> Bytes {
    format!("event: {name}\ndata: {data}\n\n").into()
}

/// The object that a request brings. A list would be taken for the fields in their order.
pub fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WebError> {
    let unreadable =
        |error: serde_json::Error| WebError::bad(format!("unreadable request: {error}"));
    let value: serde_json::Value = serde_json::from_slice(bytes).map_err(unreadable)?;
    let is_list = value.is_array();
    let value = if is_list { serde_json::Value::Null } else { value };
    T::deserialize(value).map_err(|error| match is_list {
        true => {
            let told = error.to_string().replace("invalid type: null", "found a list");
            WebError::bad(format!("unreadable request: {told}"))
        }
        false => unreadable(error),
    })
}

/// The most bytes that a request brings.
pub const MOST_BYTES: usize = 4 << 20;
/// How long a request may take to bring them.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reads what a request brings.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, WebError> {
    let too_large = || {
        let text = format!("at most {} MiB can be sent", MOST_BYTES >> 20);
        WebError::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    };
    let told = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let told = told.and_then(|length| length.parse::<u64>().ok());
    if told.is_some_and(|length| length > MOST_BYTES as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => match error.source().is_some_and(<dyn Error>::is::<LengthLimitError>) {
            true => Err(too_large()),
            false => Err(WebError::bad("the request breaks off, or its pieces are malformed")),
        },
        Err(_) => Err(WebError::new(StatusCode::REQUEST_TIMEOUT, "the request came too slowly")),
    }
}
