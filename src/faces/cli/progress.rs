//! Progress of long work on stderr: lines that are kept up to date on a terminal, plain lines
//! otherwise.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::{folded, stderr_width};

/// Before the first plain line, so that quick work says nothing but its result; every later pause is
/// twice as long, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause between plain lines.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How wide the spinner is, with the blank behind it and one at the end of the line.
const SPINNER: usize = 3;

/// Shows how far a long piece of work has come.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// The last message, or the start.
    shown: Instant,
    every: Duration,
    quiet: bool,
}

impl Progress {
    /// A bar on a terminal; else plain lines, at first more often, then every few seconds; nothing
    /// when quiet.
    pub fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        let every = if bar.is_some() { Duration::ZERO } else { FIRST_PAUSE };
        Self { bar, shown: Instant::now(), every, quiet }
    }

    /// Whether the next message would be shown: spares the work of making it.
    pub fn is_due(&self) -> bool {
        !self.quiet && self.shown.elapsed() >= self.every
    }

    /// Shows a message, if one is due. Its parts, with ` | ` between them, are shown on as many lines
    /// of a terminal as they need.
    pub fn show(&mut self, message: impl FnOnce() -> String) {
        if !self.is_due() {
            return;
        }
        self.shown = Instant::now();
        self.every = (self.every * 2).min(LONGEST_PAUSE);
        match &self.bar {
            Some(bar) => {
                let width = stderr_width().saturating_sub(SPINNER).max(40);
                bar.set_message(folded(&message(), " | ", SPINNER, width).join("\n"));
                bar.tick();
            }
            None => super::output::tell(message()),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
