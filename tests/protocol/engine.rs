//! The program as an engine behind pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::desk::Desk;

/// A running engine; it goes with its value.
pub struct Engine {
    child: Option<Child>,
    input: Option<ChildStdin>,
    lines: Option<Receiver<String>>,
}

impl Engine {
    pub fn start(desk: &Desk, arguments: &[&str]) -> Self {
        let mut command = desk.command();
        // The long tests measure: another build than that of the tests may be meant.
        if let Some(program) = std::env::var_os("ROSEBILL_PROGRAM") {
            let mut other = Command::new(program);
            let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
            other.envs(variables).current_dir(desk.folder.path());
            command = other;
        }
        let mut child =
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child: Some(child), lines: Some(lines) }
    }

    pub fn say(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next line.
    pub fn line(&self) -> String {
        match self.lines.as_ref().unwrap().recv_timeout(Duration::from_secs(120)) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has left"),
        }
    }

    /// The next line that is the one waited for.
    pub fn until(&self, is_it: impl Fn(&str) -> bool) -> String {
        loop {
            let line = self.line();
            if is_it(&line) {
                return line;
            }
        }
    }

    /// Asks by GTP; what is refused is a failure of the test.
    pub fn ask(&mut self, command: &str) -> String {
        self.say(command);
        let first = self.line();
        let answer = first.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {first}"));
        let mut answer = answer.trim_start().to_owned();
        loop {
            match self.line().as_str() {
                "" => return answer,
                more => {
                    answer.push('\n');
                    answer.push_str(more);
                }
            }
        }
    }

    /// Whether it leaves by itself within a time.
    pub fn leaves_within(&mut self, time: Duration) -> Option<i32> {
        let end = std::time::Instant::now() + time;
        while std::time::Instant::now() < end {
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }

    /// Closes its input.
    pub fn hang_up(mut self) -> (Child, Receiver<String>) {
        drop(self.input.take());
        (self.child.take().unwrap(), self.lines.take().unwrap())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have left by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
