//! A `nats-server` of a test's own: on a free port of this machine, with a folder of its own, to be
//! killed, started again and robbed of its data.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long it may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that runs, unless it was killed; it ends with this.
pub struct NatsServer {
    folder: TempDir,
    arguments: Vec<String>,
    port: u16,
    child: Option<Child>,
}

impl NatsServer {
    /// One that asks for no credentials; none, said loudly, where there is no such program.
    pub fn start(test: &str) -> Option<Self> {
        Self::with(test, |_| Vec::new())
    }

    /// One with more arguments, which may name files that were put into its folder.
    pub fn with(test: &str, arguments: impl FnOnce(&Path) -> Vec<String>) -> Option<Self> {
        if !is_there() {
            // Past the harness, which shows nothing of a test that passes.
            let mut stderr = std::io::stderr().lock();
            let _ = writeln!(stderr, "\n*** SKIPPED {test}: no nats-server here ***");
            return None;
        }
        let folder = TempDir::new().unwrap();
        let arguments = arguments(folder.path());
        let mut server = Self { folder, arguments, port: 0, child: None };
        // Somebody else may take the free port before the server does.
        let starts = (0..5).any(|_| {
            server.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            server.try_to_run()
        });
        assert!(starts, "nats-server does not start: {}", server.log());
        Some(server)
    }

    /// Host and port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// As `--fleet` takes it, without credentials.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    /// Ends it without warning.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Starts it again on the same port, with what it has kept.
    pub fn restart(&mut self) {
        self.kill();
        assert!(self.try_to_run(), "nats-server does not start again: {}", self.log());
    }

    /// Starts it again on the same port, with what it has kept and with other arguments.
    pub fn restart_with(&mut self, arguments: &[&str]) {
        self.arguments = arguments.iter().map(ToString::to_string).collect();
        self.restart();
    }

    /// Starts it again on the same port, with nothing.
    pub fn restart_wiped(&mut self) {
        self.kill();
        fs::remove_dir_all(self.folder.path().join("data")).unwrap();
        self.restart();
    }

    /// What it said.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Whether it came to answer.
    fn try_to_run(&mut self) -> bool {
        let data = self.folder.path().join("data");
        let mut child = Command::new("nats-server")
            .args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"])
            .arg(data)
            .arg("-l")
            .arg(self.folder.path().join("log"))
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while started.elapsed() < PATIENCE && child.try_wait().unwrap().is_none() {
            if self.answers() {
                self.child = Some(child);
                return true;
            }
            sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
        false
    }

    /// Whether it greets who connects.
    fn answers(&self) -> bool {
        let Ok(stream) = TcpStream::connect(self.address()) else { return false };
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut greeting = String::new();
        let read = BufReader::new(stream).read_line(&mut greeting);
        read.is_ok() && greeting.starts_with("INFO ")
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn is_there() -> bool {
    let mut command = Command::new("nats-server");
    let quiet = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}
