//! Where a coordinator and its workers sit: a folder with a book, and a server's address.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::client::Stranger;
use crate::server::NatsServer;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Growth whose outcome depends neither on who searches nor on when: every position of up to nine
/// discs, 401 of them, each searched without the moves that lead to others.
pub const EVERYTHING: [&str; 11] = [
    "grow",
    "--policy",
    "deviate",
    "--move-loss",
    "128",
    "--line-loss",
    "1000",
    "--max-discs",
    "9",
    "--table",
    "1",
];
/// How deep; deep enough for a fault to come in the middle.
pub const LEVEL: &str = "7";
/// Jobs of a dead worker come back after this time.
pub const ACK_WAIT: &str = "1s";

/// A folder with a book, and a server's address in the environment.
pub struct Desk {
    folder: TempDir,
    /// The address.
    pub url: String,
}

impl Desk {
    pub fn of(url: &str) -> Self {
        Self { folder: TempDir::new().unwrap(), url: url.to_owned() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command
            .env_remove("ROSEBILL_CONFIG")
            .env("XDG_CONFIG_HOME", self.folder.path())
            .env("ROSEBILL_BOOK", self.path("book.db"))
            .env("ROSEBILL_FLEET", &self.url)
            .env("SOURCE_DATE_EPOCH", "1763600000")
            .current_dir(self.folder.path())
            .args(arguments)
            .stdin(Stdio::null());
        // A file that is named must be there, but where it is made.
        let settings = self.path("config.toml");
        if settings.exists() || arguments.first() == Some(&"config") {
            command.env("ROSEBILL_CONFIG", settings);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs what must succeed and gives its stdout.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", told(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// What must fail with exit code 2 and one line.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", told(&output));
        let text = told(&output);
        let last = text.lines().last().unwrap_or_default().to_owned();
        assert!(last.starts_with("rosebill: "), "{text}");
        last
    }

    /// A worker with one thread at the desk's server.
    pub fn worker(&self) -> Running {
        self.worker_at(&self.url)
    }

    /// A worker with one thread that knows the server by this address.
    pub fn worker_at(&self, url: &str) -> Running {
        let mut command = self.command(&["fleet", "work", "--threads", "1", "-q"]);
        Running::of(command.env("ROSEBILL_FLEET", url))
    }

    /// A coordinator that grows [`EVERYTHING`], with more arguments.
    pub fn coordinator(&self, more: &[&str]) -> Running {
        Running::of(&mut self.command(&[&everything(), more].concat()))
    }

    pub fn export(&self, book: &str, file: &str) -> Vec<u8> {
        self.ok(&["export", file, "--book", book, "--format", "json"]);
        fs::read(self.path(file)).unwrap()
    }

    /// The book is sound, and that of an undisturbed growth of [`EVERYTHING`], but for searches that answer for
    /// nothing any more: whether one is kept depends on what was found first.
    pub fn is_whole(&self) {
        self.ok(&["verify"]);
        let found = self.export("book.db", "found.jsonl");
        let lines = |bytes: &[u8]| -> Vec<Value> {
            let text = std::str::from_utf8(bytes).unwrap();
            let mut lines: Vec<Value> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            for line in &mut lines {
                line.as_object_mut().unwrap().remove("records");
            }
            lines
        };
        let (found, expected) = (lines(&found), lines(undisturbed()));
        let others = found.iter().zip(&expected).filter(|(one, other)| one != other);
        let others: Vec<_> = others.take(3).collect();
        let is_same = found.len() == expected.len() && others.is_empty();
        assert!(is_same, "the book is not that of an undisturbed run: {others:#?}");
    }
}

/// The arguments of growth of [`EVERYTHING`] by a fleet.
pub fn everything() -> Vec<&'static str> {
    [&EVERYTHING[..], &["--level", LEVEL, "--fleet", "--ack-wait", ACK_WAIT]].concat()
}

/// The export of [`EVERYTHING`], grown without a fleet.
fn undisturbed() -> &'static Vec<u8> {
    static EXPORT: OnceLock<Vec<u8>> = OnceLock::new();
    EXPORT.get_or_init(|| {
        let desk = Desk::of("nats://127.0.0.1:1");
        desk.ok(&[&EVERYTHING[..], &["--level", LEVEL, "--threads", "1"]].concat());
        assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 401);
        desk.export("book.db", "undisturbed.jsonl")
    })
}

/// A program that is killed at the end of its test.
pub struct Running(Child);

impl Running {
    pub fn of(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Sends it a signal: `INT`, `STOP`, `CONT`.
    pub fn signal(&self, name: &str) {
        let done =
            Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]).status();
        assert!(done.unwrap().success());
    }

    pub fn interrupt(&self) {
        self.signal("INT");
    }

    /// Ends it without warning.
    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Whether it has not ended by itself.
    pub fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// The exit code of one that nobody listens to, which must end within this time.
    pub fn code_within(mut self, patience: Duration) -> Option<i32> {
        let started = Instant::now();
        while self.runs() {
            assert!(started.elapsed() < patience, "it does not end");
            sleep(Duration::from_millis(20));
        }
        self.0.wait().unwrap().code()
    }

    /// Its end, which must come.
    pub fn ended(self) -> Output {
        self.ended_within(PATIENCE)
    }

    /// Its end, which must come within this time.
    pub fn ended_within(mut self, patience: Duration) -> Output {
        // It must not wait for somebody to read what it says.
        let (stdout, stderr) = (self.0.stdout.take().unwrap(), self.0.stderr.take().unwrap());
        let read = |mut from: Box<dyn Read + Send>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                from.read_to_end(&mut bytes).unwrap();
                bytes
            })
        };
        let (stdout, stderr) = (read(Box::new(stdout)), read(Box::new(stderr)));
        let started = Instant::now();
        while self.runs() {
            assert!(started.elapsed() < patience, "it does not end");
            sleep(Duration::from_millis(20));
        }
        let status = self.0.wait().unwrap();
        Output { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
    }

    /// Its end, which must be a good one; gives all that it said.
    pub fn done(self) -> String {
        let output = self.ended();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        told(&output) + &String::from_utf8(output.stdout).unwrap()
    }
}

impl From<Child> for Running {
    fn from(child: Child) -> Self {
        Self(child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a run said on stderr.
pub fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// How many there are to be, from the environment; else so many.
pub fn count(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// Waits until something is so.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "never: {what}");
        sleep(Duration::from_millis(20));
    }
}

/// Waits until so many results have come to a server since its data were new.
pub fn until_results(server: &NatsServer, count: u64) {
    let mut stranger = Stranger::at(&server.address());
    until(&format!("{count} results"), || stranger.published("ROSEBILL_RESULTS") >= count);
}
