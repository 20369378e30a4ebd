//! Progress of long work on stderr: lines that are kept up to date on a terminal, plain lines
//! otherwise.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::{folded, stderr_width};
use crate::app::time_of_day;

/// Between plain lines, and before the first one: they go into logs, and quick work says nothing but its result.
const PAUSE: Duration = Duration::from_mins(1);

/// How wide the spinner is, with the blank behind it and one at the end of the line.
const SPINNER: usize = 3;

/// Shows how far a long piece of work has come.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// The last message, or the start.
    shown: Instant,
    trouble: Option<&'static str>,
    /// Whether the next message says of a trouble that it is there, or is over.
    is_news: bool,
    quiet: bool,
}

impl Progress {
    /// A bar on a terminal; else plain lines with the time of the day, UTC; nothing when quiet.
    pub fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, shown: Instant::now(), trouble: None, is_news: false, quiet }
    }

    /// Whether the next message would be shown: spares the work of making it.
    pub fn is_due(&self) -> bool {
        !self.quiet && (self.bar.is_some() || self.is_news || self.shown.elapsed() >= PAUSE)
    }

    /// What keeps the work from going on, if anything does: a change is due at once.
    pub fn in_trouble(&mut self, trouble: Option<&'static str>) -> &mut Self {
        self.is_news |= trouble != self.trouble;
        self.trouble = trouble;
        self
    }

    /// Prints results above the bar.
    pub fn above<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Shows a message, if one is due. Its parts, with ` | ` between them, are shown on as many lines
    /// of a terminal as they need.
    pub fn show(&mut self, message: impl FnOnce() -> String) {
        if !self.is_due() {
            return;
        }
        self.shown = Instant::now();
        self.is_news = false;
        match &self.bar {
            Some(bar) => {
                let width = stderr_width().saturating_sub(SPINNER).max(40);
                bar.set_message(folded(&message(), " | ", SPINNER, width).join("\n"));
                bar.tick();
            }
            None => super::output::tell(format_args!("{} {}", time_of_day(), message())),
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
