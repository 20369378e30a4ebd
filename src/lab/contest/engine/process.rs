//! A program that is talked to line by line, and that ends with us.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::super::fault::{Fault, NoMove};
use crate::othello::one_line::one_line;
use crate::othello::search::Stop;

/// The longest line that is read, in bytes: the rest of it counts as another one.
const LONGEST_LINE: u64 = 1 << 16;

/// Lines that may wait to be read; a program that says more has to wait, too.
const MOST_LINES: usize = 1 << 12;

/// How often a wait looks whether the match is stopped.
const LOOK: Duration = Duration::from_millis(20);

/// How long last words are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The most characters of last words.
const MOST_TOLD: usize = 200;

/// A running engine. It is ended when this is dropped, and when our own process ends in whatever way.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    last_words: Arc<Mutex<Option<String>>>,
    /// Ends with its standard error.
    errors: Receiver<()>,
    #[cfg(unix)]
    guard: Child,
}

impl Process {
    pub(super) fn start(command: &[String]) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        // A group of its own: Ctrl-C is for us, and what the engine starts is ended with it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        #[cfg(unix)]
        let guard = guard(child.id()).inspect_err(|_| end(&mut child))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(error_output)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, lines) = sync_channel(MOST_LINES);
        std::thread::spawn(move || read_lines(output, |line| sender.send(line).is_ok()));
        let last_words = Arc::new(Mutex::new(None));
        let last = Arc::clone(&last_words);
        let (open, errors) = sync_channel(0);
        std::thread::spawn(move || {
            let _open = open;
            read_lines(error_output, |line| {
                if !line.trim().is_empty() {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) =
                        Some(one_line(line.trim(), MOST_TOLD));
                }
                true
            });
        });
        Ok(Self {
            child,
            input,
            lines,
            last_words,
            errors,
            #[cfg(unix)]
            guard,
        })
    }

    pub(super) fn send(&mut self, line: &str) -> Result<(), Fault> {
        let sent = self.input.write_all(format!("{line}\n").as_bytes());
        sent.and_then(|()| self.input.flush()).map_err(|_| self.ended())
    }

    /// The next line without its end.
    pub(super) fn line(&mut self, until: Instant, stop: &Stop) -> Result<String, NoMove> {
        let begun = Instant::now();
        loop {
            if stop.is_stopped() {
                return Err(NoMove::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Silent(begun.elapsed()).into());
            }
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended().into()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn ended(&mut self) -> Fault {
        // What it said last may still be on its way.
        let _ = self.errors.recv_timeout(LAST_WORDS);
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Fault::Ended { last_words }
    }

    /// Processor time that it took so far, with that of children it has waited for. None where the system does not
    /// say.
    #[cfg(target_os = "linux")]
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        /// User and system time of the process and of its children, behind the name in parentheses.
        const TIMES: std::ops::Range<usize> = 11..15;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = fields.get(TIMES)?.iter().filter_map(|field| field.parse::<u64>().ok());
        let second = rustix::param::clock_ticks_per_second().max(1);
        Some(Duration::from_secs_f64(ticks.sum::<u64>() as f64 / second as f64))
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
        #[cfg(unix)]
        end(&mut self.guard);
    }
}

/// Ends a child with its group. Nothing more can be done where that fails.
fn end(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends a group of processes as soon as our own process is gone, be it killed: the pipe that it reads then ends.
#[cfg(unix)]
fn guard(group: u32) -> io::Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", "read -r line; kill -9 \"-$1\"", "sh", &group.to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

fn read_lines(source: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    let mut bytes = Vec::new();
    while matches!((&mut source).take(LONGEST_LINE).read_until(b'\n', &mut bytes), Ok(1..)) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        if !take(line) {
            break;
        }
        bytes.clear();
    }
}
