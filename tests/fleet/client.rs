//! A stranger on the server who speaks its text protocol and no more: who publishes what nobody asked
//! for, takes jobs and lies about them, and looks at what waits.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::frames::{Frame, Frames};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many there are: each has answers of its own.
static STRANGERS: AtomicU64 = AtomicU64::new(0);

/// A connection.
pub struct Stranger {
    stream: TcpStream,
    frames: Frames,
    /// Where answers go.
    inbox: String,
}

impl Stranger {
    /// At this host and port.
    pub fn at(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        let inbox = format!("_INBOX.{}", STRANGERS.fetch_add(1, Ordering::Relaxed));
        let greeting = format!("CONNECT {{\"verbose\":false}}\r\nSUB {inbox} 1\r\nPING\r\n");
        let mut stranger = Self { stream, frames: Frames::default(), inbox };
        stranger.send(&greeting);
        stranger.wait_for(|frame| frame.verb() == "PONG", PATIENCE).unwrap();
        stranger
    }

    fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The first frame from now on that is meant, if it comes in time.
    fn wait_for(&mut self, is_it: impl Fn(&Frame) -> bool, time: Duration) -> Option<Frame> {
        let end = Instant::now() + time;
        let mut bytes = [0; 4096];
        loop {
            while let Some(frame) = self.frames.next() {
                if frame.verb() == "PING" {
                    self.send("PONG\r\n");
                }
                if is_it(&frame) {
                    return Some(frame);
                }
            }
            let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            self.stream.set_read_timeout(Some(left)).unwrap();
            match self.stream.read(&mut bytes) {
                Ok(0) => panic!("the server has gone"),
                Ok(count) => self.frames.push(&bytes[..count]),
                Err(_) => return None,
            }
        }
    }

    /// Publishes.
    pub fn publish(&mut self, subject: &str, body: &[u8]) {
        self.send(&format!("PUB {subject} {}\r\n", body.len()));
        self.stream.write_all(body).unwrap();
        self.send("\r\n");
    }

    /// Asks; none when no answer comes in time.
    fn ask(&mut self, subject: &str, body: &[u8], time: Duration) -> Option<Frame> {
        self.send(&format!("PUB {subject} {} {}\r\n", self.inbox, body.len()));
        self.stream.write_all(body).unwrap();
        self.send("\r\n");
        self.wait_for(|frame| matches!(frame.verb(), "MSG" | "HMSG"), time)
    }

    /// What the server says to a request of its own.
    pub fn api(&mut self, what: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.ask(&format!("$JS.API.{what}"), body.as_bytes(), PATIENCE).unwrap();
        serde_json::from_slice(answer.body()).unwrap()
    }

    /// How many messages a stream holds; none where there is no such stream.
    pub fn waiting(&mut self, stream: &str) -> Option<u64> {
        self.api(&format!("STREAM.INFO.{stream}"), &Value::Null)["state"]["messages"].as_u64()
    }

    /// How many messages a stream has taken since it was made; none where there is no such stream.
    pub fn published(&mut self, stream: &str) -> u64 {
        let info = self.api(&format!("STREAM.INFO.{stream}"), &Value::Null);
        info["state"]["last_seq"].as_u64().unwrap_or_default()
    }

    /// The names of the consumers of a stream.
    pub fn consumers(&mut self, stream: &str) -> Vec<String> {
        let answer = self.api(&format!("CONSUMER.NAMES.{stream}"), &Value::Null);
        let names = answer["consumers"].as_array().cloned().unwrap_or_default();
        names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }

    /// Hears all that is published under a subject from now on.
    pub fn listen(&mut self, subject: &str) {
        self.send(&format!("SUB {subject} 2\r\nPING\r\n"));
        self.wait_for(|frame| frame.verb() == "PONG", PATIENCE).unwrap();
    }

    /// The next message that was heard: subject and body.
    pub fn hear(&mut self) -> (String, Vec<u8>) {
        let heard = self.wait_for(|frame| frame.subject().is_some(), PATIENCE).unwrap();
        (heard.subject().unwrap().to_owned(), heard.body().to_vec())
    }

    /// Takes a message from a consumer, without acknowledging it.
    pub fn take(&mut self, stream: &str, consumer: &str, time: Duration) -> Option<Frame> {
        let wanted = json!({ "batch": 1, "expires": time.as_nanos() as u64 }).to_string();
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
        // A message that says that there is none has no acknowledgement.
        let taken = self.ask(&subject, wanted.as_bytes(), time + PATIENCE)?;
        taken.reply().is_some().then_some(taken)
    }
}
