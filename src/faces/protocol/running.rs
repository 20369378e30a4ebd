//! The search that runs, so that a line behind its command and the end of the input can stop it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::lines::{Input, LAST_SEARCH};
use crate::othello::lock::lock;
use crate::othello::search::Stop;

/// Behind the end of the input the search is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The search that runs, if one does; clones share it.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    search: Option<(Stop, Instant)>,
    /// Lines that were read, and those that were answered or are being answered.
    read: u64,
    answered: u64,
    /// Searches for lines up to this one are to end at once.
    interrupted: u64,
}

impl Running {
    /// Runs a search, which is given what stops it.
    pub(super) fn search<T>(&self, search: impl FnOnce(&Stop) -> T) -> T {
        let stop = Stop::new();
        {
            let mut state = lock(&self.0);
            if state.answered > 0 && state.answered <= state.interrupted {
                stop.stop();
            }
            state.search = Some((stop.clone(), Instant::now()));
        }
        let found = search(&stop);
        lock(&self.0).search = None;
        found
    }

    /// Whether a search runs.
    pub(super) fn is_searching(&self) -> bool {
        lock(&self.0).search.is_some()
    }

    /// The next line is being answered.
    pub(super) fn begin_answer(&self) {
        lock(&self.0).answered += 1;
    }

    /// To be called with each line by the thread that reads: one that interrupts ends the searches of all before it.
    pub fn line_was_read(&self, input: &Input, interrupts: impl Fn(&str) -> bool) {
        let mut state = lock(&self.0);
        if matches!(input, Input::Line(line) if interrupts(line.trim())) {
            state.interrupted = state.read;
            if let Some((stop, _)) = &state.search {
                stop.stop();
            }
        }
        state.read += 1;
    }

    /// To be called when the input has ended, by a thread that has nothing else to do: every search that
    /// is still to come to its end has three seconds. Returns when the session is gone.
    pub fn input_has_ended(self) {
        let ended = Instant::now();
        while Arc::strong_count(&self.0) > 1 {
            if let Some((stop, began)) = &lock(&self.0).search
                && ended.max(*began).elapsed() >= LAST_SEARCH
            {
                stop.stop();
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::protocol::gtp::is_interrupt;

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn an_interrupt_ends_the_searches_of_commands_before_it_only() {
        let running = Running::default();
        let is_stopped = || {
            running.begin_answer();
            running.search(|stop| stop.is_stopped())
        };
        ["genmove b", "genmove w", "# interrupt", "genmove b"]
            .iter()
            .for_each(|text| running.line_was_read(&line(text), is_interrupt));
        assert!(is_stopped() && is_stopped());
        running.begin_answer();
        assert!(!is_stopped());
        running.line_was_read(&line("genmove w"), is_interrupt);
        running.begin_answer();
        let ended = running.search(|stop| {
            running.line_was_read(&line("  #interrupt "), is_interrupt);
            stop.is_stopped()
        });
        assert!(ended);
    }
}
