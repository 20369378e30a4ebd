//! Requests that do not come over a network: for tests, and for programs that embed the server.

use axum::body::{Body, to_bytes};
use axum::http::header;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::router::router;
use super::server::Server;

/// What the server answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    pub status: u16,
    /// The answer; nothing of one that is streamed.
    pub body: Vec<u8>,
}

/// The most of an answer that is taken.
const MOST: usize = 64 << 20;

impl Server {
    /// Answers a request as in HTTP/1.1: `GET /api/stats HTTP/1.1`, headers, an empty line, a body.
    /// The version and the lengths are not looked at. None when it is no request.
    pub fn ask(&self, request: &[u8]) -> Option<Reply> {
        let end = request.windows(4).position(|four| four == b"\r\n\r\n")?;
        let (head, body) = (request.get(..end)?, request.get(end + 4..)?);
        let mut lines = std::str::from_utf8(head).ok()?.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let mut builder = axum::http::Request::builder().method(first.next()?).uri(first.next()?);
        for line in lines {
            let (name, value) = line.split_once(':')?;
            builder = builder.header(name.trim(), value.trim());
        }
        let request = builder.body(Body::from(body.to_vec())).ok()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        let reply = runtime.block_on(async {
            let service = TowerToHyperService::new(router(self.app()));
            let Ok(response) = service.call(request).await;
            let status = response.status().as_u16();
            let kind = response.headers().get(header::CONTENT_TYPE);
            let kind = kind.map(|kind| kind.as_bytes()).unwrap_or_default();
            if [&b"text/event-stream"[..], b"application/x-ndjson"].contains(&kind) {
                return Reply { status, body: Vec::new() };
            }
            let body = to_bytes(response.into_body(), MOST).await;
            Reply { status, body: body.map(|bytes| bytes.to_vec()).unwrap_or_default() }
        });
        runtime.shutdown_background();
        Some(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{BookFile, unpacked_starter};
    use crate::faces::web::ServeOptions;
    use tempfile::TempDir;

    /// On the book that comes with the program.
    fn server() -> (TempDir, Server) {
        let options = ServeOptions {
            listen: "127.0.0.1:0".parse().unwrap(),
            origins: Vec::new(),
            grow: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let starter = unpacked_starter(folder.path()).unwrap();
        let book =
            BookFile { instead: Some(starter), ..BookFile::at(folder.path().join("none.db")) };
        (folder, Server::start(book, &options).unwrap())
    }

    #[test]
    fn requests_need_no_network() {
        let (_folder, server) = server();
        let ask = |request: &str| {
            let reply = server.ask(format!("{request}\r\n\r\n").as_bytes());
            reply.map(|reply| (reply.status, String::from_utf8(reply.body).unwrap()))
        };
        let (status, stats) = ask("GET /api/stats HTTP/1.1\r\nhost: localhost").unwrap();
        assert!(status == 200 && stats.contains("\"is_starter\":true"), "{stats}");
        let (status, error) = ask("GET /api/stats HTTP/1.1\r\nhost: evil.example").unwrap();
        assert!(status == 403 && error.starts_with("{\"message\":"), "{error}");
        let events = ask("GET /api/events HTTP/1.1\r\nhost: localhost").unwrap();
        assert_eq!(events, (200, String::new()));
        assert_eq!((ask("GET"), ask("GET / HTTP/1.1\r\nx")), (None, None));
    }

    #[test]
    fn it_can_be_asked_by_many_threads() {
        fn shared<T: Send + Sync + 'static>(_: &T) {}
        shared(&server().1);
    }
}
