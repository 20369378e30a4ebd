//! The router: whatever a request says, its answer is no failure of the server.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use rosebill::app::BookFile;
use rosebill::faces::web::{ServeOptions, Server};

/// On the book that comes with the program, with nobody listening.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let listen = "127.0.0.1:0".parse().expect("an address");
        let options = ServeOptions { listen, origins: Vec::new(), grow: None };
        Server::start(BookFile::at("no.db"), &options).expect("a free port")
    })
}

fuzz_target!(|data: &[u8]| {
    // Most bytes should go into what is asked, not into finding a method and a host.
    for start in ["", "GET /api/", "POST /api/"] {
        let end = if start.is_empty() { "" } else { " HTTP/1.1\r\nhost: localhost\r\n\r\n" };
        let (address, body) = data.split_at(data.len().min(60));
        let request = match start {
            "" => data.to_vec(),
            start => [start.as_bytes(), address, end.as_bytes(), body].concat(),
        };
        if let Some(reply) = server().ask(&request) {
            let text = String::from_utf8_lossy(&reply.body);
            let is_busy = reply.status == 503;
            assert!(reply.status < 500 || is_busy, "{}: {text}", reply.status);
            assert!(reply.status < 400 || text.starts_with("{\"error\":"), "{text}");
        }
    }
});
