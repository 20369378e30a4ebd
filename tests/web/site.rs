//! A server that runs, and a client that says no more than it must.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::desk::Desk;

/// Games of a club evening, one of them whole.
const GAMES: &str = "\
[Event \"Club\"]\n[Date \"2019.05.04\"]\n[Black \"Ann Lee\"]\n[White \"Bo Ek\"]\n[Result \"*\"]\n\n\
1. f5 d6 2. c3 d3 3. c4 f4 *\n\n\
[Event \"Club\"]\n[Date \"2021.05.04\"]\n[Black \"Bo Ek\"]\n[White \"Cy Orr\"]\n[Result \"*\"]\n\n\
1. f5 f6 2. e6 f4 *\n\n\
[Event \"Cup\"]\n[Date \"2020.01.02\"]\n[Black \"Ann Lee\"]\n[White \"Cy Orr\"]\n[Result \"13-0\"]\n\n\
1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5 *\n\n";

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server at work on a book of its own.
pub struct Site {
    pub desk: Desk,
    pub child: Child,
    /// Host and port.
    pub address: String,
    /// All of the first line that it printed.
    pub url: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in small letters.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn error(&self) -> String {
        self.json()["message"].as_str().unwrap().to_owned()
    }
}

impl Site {
    /// On a small book with games.
    pub fn new() -> Self {
        let desk = Desk::grown("80");
        std::fs::write(desk.path("club.pgn"), GAMES).unwrap();
        desk.ok(&["games", "import", "club.pgn"]);
        Self::at(desk, &[])
    }

    /// On the book of a desk, if it has one.
    pub fn at(desk: Desk, arguments: &[&str]) -> Self {
        let mut command: Command = desk.command();
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        let address = url.split_once("http://").unwrap().1.split('/').next().unwrap();
        Self { desk, address: address.to_owned(), url: url.trim().to_owned(), child }
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// What comes back for these bytes until the server ends the connection.
    pub fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // A server that has read enough may close before all is written.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        answer_of(&self.raw(&self.request(method, path, headers, body)))
    }

    /// The bytes of a request after which the server closes.
    pub fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Vec<u8> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            text += &format!("host: {}\r\n", self.address);
        }
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        if method == "POST" {
            text += &format!("content-length: {}\r\n", body.len());
        }
        [text.as_bytes(), b"\r\n", body].concat()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    /// What must be answered, as JSON.
    pub fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("content-type"), "application/json");
        answer.json()
    }

    /// The lines of an answer that is streamed, as they come. HTTP/1.0 knows no pieces.
    pub fn lines(
        &self,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> impl Iterator<Item = String> + use<> {
        let request = self.request(method, path, &[], body);
        let request = String::from_utf8(request).unwrap().replacen("HTTP/1.1", "HTTP/1.0", 1);
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.skip_while(|line| !line.is_empty()).skip(1)
    }

    /// The events of a stream, as they come: name and data.
    pub fn events(&self, path: &str) -> impl Iterator<Item = (String, String)> + use<> {
        let mut lines = self.lines("GET", path, b"");
        std::iter::from_fn(move || {
            let name = lines.find_map(|line| line.strip_prefix("event: ").map(str::to_owned))?;
            let data = lines.next()?.strip_prefix("data: ")?.to_owned();
            Some((name, data))
        })
    }

    /// Ends it as the system does, and tells how long that took and how it ended.
    pub fn terminate(&mut self) -> (Duration, Option<i32>) {
        let started = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        (started.elapsed(), status.code())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn answer_of(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    Answer { status, headers, body: bytes[end + 4..].to_vec() }
}

/// Waits for what must come soon.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}
