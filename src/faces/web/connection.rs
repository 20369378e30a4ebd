//! One connection: how long a client may take, and how it ends.

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_io_timeout::TimeoutStream;

/// How long a client may take for the head of a request, and be silent between two.
const HEAD: Duration = Duration::from_secs(10);
/// How long a client may take none of an answer.
const TAKING: Duration = Duration::from_secs(15);
/// The largest head of a request, with its address.
const LARGEST_HEAD: usize = 32 << 10;
/// The most headers of a request.
const MOST_HEADERS: usize = 64;

/// Answers the requests of a connection, until either side ends it.
pub async fn serve(stream: TcpStream, router: Router, mut ending: watch::Receiver<bool>) {
    // Small answers should not wait for company.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(TAKING));
    let io = TokioIo::new(Box::pin(stream));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .half_close(false);
    let connection = builder.serve_connection(io, TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    let outcome = tokio::select! {
        outcome = connection.as_mut() => outcome,
        () = ended(&mut ending) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!("connection: {error}");
    }
}

/// Waits until the server ends.
pub async fn ended(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|&ending| ending).await;
}

/// What a client gets when there is no room.
pub const NO_ROOM: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    content-type: application/json\r\ncontent-length: 45\r\nconnection: close\r\n\r\n\
    {\"message\":\"too many connections are open\"}\r\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_right() {
        let text = std::str::from_utf8(NO_ROOM).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
