//! Progress of long work on stderr: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Between the first two plain lines; every later pause is twice as long, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause between plain lines.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Shows how far a long piece of work has come.
pub struct Progress {
    bar: Option<ProgressBar>,
    shown: Option<Instant>,
    every: Duration,
    quiet: bool,
}

impl Progress {
    /// A bar on a terminal; else plain lines, at first more often, then every few seconds; nothing
    /// when quiet.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        let every = if bar.is_some() { Duration::ZERO } else { FIRST_PAUSE };
        Self { bar, shown: None, every, quiet }
    }

    /// Whether the next message would be shown: spares the work of making it.
    #[must_use]
    pub fn is_due(&self) -> bool {
        !self.quiet && self.shown.is_none_or(|at| at.elapsed() >= self.every)
    }

    /// Shows a message, if one is due.
    pub fn show(&mut self, message: impl FnOnce() -> String) {
        if !self.is_due() {
            return;
        }
        if self.shown.replace(Instant::now()).is_some() {
            self.every = (self.every * 2).min(LONGEST_PAUSE);
        }
        match &self.bar {
            Some(bar) => {
                bar.set_message(message());
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
