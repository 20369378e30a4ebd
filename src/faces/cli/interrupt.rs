//! The wish to stop.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::signals::Ignored;
use crate::files::counted::counted;
use crate::othello::lock::lock;
use crate::othello::search::Stop;

/// Signals that follow the first one this soon are the same wish: a user who presses Ctrl-C twice,
/// or whose shell passes it on to a whole group, still reads the result of the run.
const ONE_WISH: Duration = Duration::from_secs(1);

/// What a long piece of work looks at, and what is printed in case it is ended at once.
#[derive(Clone)]
pub struct Interrupt {
    /// Raised by the first Ctrl-C.
    pub stop: Stop,
    kept: Arc<AtomicU64>,
}

/// Nothing to be printed.
const UNKNOWN: u64 = u64::MAX;

impl Interrupt {
    /// Listens for Ctrl-C, and for the wish of the system to end, unless this process was started with those
    /// signals ignored. A second one, a while after the
    /// first, ends the program at once.
    pub fn listen() -> anyhow::Result<Self> {
        Self::listen_unless(|| false)
    }

    /// As [`Self::listen`]; what is `taken` for something else is no wish to end.
    fn listen_unless(taken: impl Fn() -> bool + Send + 'static) -> anyhow::Result<Self> {
        let interrupt = Self { stop: Stop::new(), kept: Arc::new(AtomicU64::new(UNKNOWN)) };
        let Self { stop, kept } = interrupt.clone();
        let mut first = None;
        let ignored = Ignored::now();
        ctrlc::set_handler(move || {
            if taken() {
                return;
            }
            stop.stop();
            if first.get_or_insert_with(Instant::now).elapsed() >= ONE_WISH {
                super::output::tell(at_once(kept.load(Ordering::Relaxed)));
                std::process::exit(130);
            }
        })
        .context("cannot listen for Ctrl-C")?;
        // A night's growth goes on when its terminal is closed.
        ignored.restore();
        Ok(interrupt)
    }

    /// Prints how many positions the book keeps if the program ends now.
    pub fn keeps(&self, positions: u64) {
        self.kept.store(positions, Ordering::Relaxed);
    }
}

fn at_once(kept: u64) -> String {
    match kept {
        UNKNOWN => "stopped at once: what was not complete is not kept".to_owned(),
        kept => format!("stopped at once: the book keeps {}", counted(kept, "position")),
    }
}

/// Ctrl-C in a console: it ends the search that runs, where one does, and else the program. Where no user types it
/// always ends both.
pub struct ConsoleInterrupt {
    /// Raised when the program is to end.
    pub leave: Stop,
    search: Arc<Mutex<Option<Stop>>>,
    is_typed: bool,
}

impl ConsoleInterrupt {
    pub fn listen(is_typed: bool) -> anyhow::Result<Self> {
        let search = Arc::<Mutex<Option<Stop>>>::default();
        let running = Arc::clone(&search);
        let taken = move || lock(&running).take().map(|search| search.stop()).is_some();
        Ok(Self { leave: Interrupt::listen_unless(taken)?.stop, search, is_typed })
    }

    /// Runs a search, which is given what Ctrl-C raises.
    pub fn search<T>(&self, search: impl FnOnce(&Stop) -> T) -> T {
        if !self.is_typed {
            return search(&self.leave);
        }
        let stop = Stop::new();
        *lock(&self.search) = Some(stop.clone());
        let found = search(&stop);
        *lock(&self.search) = None;
        found
    }
}

/// A flag that Ctrl-C raises.
pub fn stop_on_interrupt() -> anyhow::Result<Stop> {
    Ok(Interrupt::listen()?.stop)
}

/// What is printed where a measurement is ended.
pub const MEASURED: &str = "stopped: what was measured until then is above";

/// Ends the program at the first Ctrl-C, and prints this: for what writes nothing, so that there is nothing to
/// be taken back.
pub fn end_at_once_on_interrupt(told: &'static str) -> anyhow::Result<()> {
    let ignored = Ignored::now();
    let ended = move || {
        super::output::tell(told);
        std::process::exit(130);
    };
    ctrlc::set_handler(ended).context("cannot listen for Ctrl-C")?;
    ignored.restore();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_says_what_is_kept() {
        assert_eq!(at_once(1), "stopped at once: the book keeps 1 position");
        assert!(at_once(UNKNOWN).contains("not complete"));
    }
}
