//! Progress of long work on stderr: lines that are kept up to date on a terminal, plain lines
//! otherwise.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::duration::show_duration;
use super::terminal::{folded, stderr_width};
use crate::app::time_of_day;
use crate::files::counted::{counted, grouped};
use crate::othello::search::Stop;

/// Between two pictures of the bar of work that says nothing.
const TICK: Duration = Duration::from_millis(200);

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
    /// When the part of the work began that is being done, how far it was, and how much there is of it.
    part: (Instant, u64, Option<u64>),
    /// Ends the thread that writes plain lines of work that reports nothing itself, when it is dropped.
    lines: Option<Sender<()>>,
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
        let now = Instant::now();
        Self {
            bar,
            shown: now,
            trouble: None,
            is_news: false,
            quiet,
            part: (now, 0, None),
            lines: None,
        }
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

    /// Shows how many positions of a book are done, of how many where that is known, in work that reports nothing
    /// itself and reads each position `reads` times.
    pub fn busy(&mut self, what: &str, stop: &Stop, of: Option<u64>, reads: u64) {
        let (stop, before) = (stop.clone(), stop.walked());
        let told = move |elapsed| match (stop.walked() - before) / reads {
            0 => String::new(),
            done => {
                // Work that reads the book once more than was expected has no end that is known.
                let of = of.filter(|&of| done <= of);
                format!(": {}", share(done, (done, of, "position"), elapsed))
            }
        };
        let Some(bar) = &self.bar else {
            if !self.quiet {
                self.lines = Some(write_lines(what.to_owned(), told));
            }
            return;
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}{walked} | {elapsed}") {
            let walked = move |state: &ProgressState, text: &mut dyn Write| {
                let _ = text.write_str(&told(state.elapsed()));
            };
            bar.set_style(style.with_key("walked", walked));
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(TICK);
    }

    /// Shows how much of a part of the work is done, of how much where that is known, how fast, and how long the rest
    /// takes at that rate. `before` is what stands before it.
    pub fn show_share(&mut self, before: &str, done: u64, of: Option<u64>, one: &str) {
        if of != self.part.2 || done < self.part.1 {
            self.part = (Instant::now(), done, of);
        }
        let (began, first, _) = self.part;
        self.show(|| format!("{before}{}", share(done - first, (done, of, one), began.elapsed())));
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
            None => plain(&message()),
        }
    }
}

/// Writes a plain line again and again, until what is returned is dropped.
fn write_lines(what: String, told: impl Fn(Duration) -> String + Send + 'static) -> Sender<()> {
    let (sender, ended) = mpsc::channel();
    let began = Instant::now();
    std::thread::spawn(move || {
        while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            plain(&format!("{what}{}", told(began.elapsed())));
        }
    });
    sender
}

/// A plain line with the time of the day.
fn plain(message: &str) {
    super::output::tell(format_args!("{} {message}", time_of_day()));
}

/// `32,768 of 669,776 rows | 41,000/s, 0:15 left`: `since` of it were done in so long.
fn share(since: u64, (done, of, one): (u64, Option<u64>, &str), elapsed: Duration) -> String {
    let mut text = match of {
        Some(of) => format!("{} of {}", grouped(done), counted(of, one)),
        None => counted(done, one).to_string(),
    };
    let seconds = elapsed.as_secs_f64();
    if since > 0 && seconds >= 1.0 {
        let rate = since as f64 / seconds;
        text += &match rate < 10.0 {
            true => format!(" | {rate:.1}/s"),
            false => format!(" | {}/s", grouped(rate.round() as u64)),
        };
        if let Some(of) = of {
            let left = of.saturating_sub(done) as f64 / rate;
            text += &format!(", {} left", show_duration(Duration::from_secs_f64(left)));
        }
    }
    text
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_says_how_fast_and_how_long_it_takes() {
        let seconds = Duration::from_secs;
        for (since, of, elapsed, text) in [
            (0, Some(9), 0, "0 of 9 rows"),
            (5000, Some(20_000), 10, "5,000 of 20,000 rows | 500/s, 0:30 left"),
            (1, None, 2, "1 row | 0.5/s"),
        ] {
            assert_eq!(share(since, (since, of, "row"), seconds(elapsed)), text);
        }
    }
}
