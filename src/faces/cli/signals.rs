//! Signals that this process is not to hear of.

#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "how a signal is dealt with is set by a call that no type can make safe"
    )
)]

#[cfg(unix)]
use nix::sys::signal::{SigHandler, Signal, signal};

/// Those that end a program, and that its parent may have told it to ignore.
#[cfg(unix)]
const ENDING: [Signal; 3] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM];

/// The signals that were ignored when this was made: by `nohup`, by a shell that has put a program of a script
/// into the background.
pub struct Ignored {
    #[cfg(unix)]
    signals: Vec<Signal>,
}

impl Ignored {
    /// Finds out which they are, before a handler is set for them.
    pub fn now() -> Self {
        Self {
            #[cfg(unix)]
            signals: ENDING.into_iter().filter(|&signal| is_ignored(signal)).collect(),
        }
    }

    /// Ignores them again.
    pub fn restore(&self) {
        #[cfg(unix)]
        self.signals.iter().copied().for_each(ignore);
    }
}

/// Makes a limit of the size of files an error of the write, in place of the end of the program.
pub fn ignore_limits_of_files() {
    #[cfg(unix)]
    ignore(Signal::SIGXFSZ);
}

#[cfg(unix)]
fn is_ignored(which: Signal) -> bool {
    // SAFETY: both calls set a handler that runs no code of ours, for a moment in which no other thread of
    // this program sets one; then the one that was there is set again.
    let before = unsafe { signal(which, SigHandler::SigIgn) };
    match before {
        Ok(SigHandler::SigIgn) => true,
        Ok(before) => {
            // SAFETY: as above.
            let _ = unsafe { signal(which, before) };
            false
        }
        Err(_) => false,
    }
}

#[cfg(unix)]
fn ignore(which: Signal) {
    // SAFETY: nothing runs when the signal comes.
    let _ = unsafe { signal(which, SigHandler::SigIgn) };
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_was_ignored_is_ignored_again_and_nothing_else() {
        // No other test sends or hears of these two.
        assert!(!is_ignored(Signal::SIGUSR1) && !is_ignored(Signal::SIGUSR1), "left as it was");
        ignore(Signal::SIGUSR2);
        assert!(is_ignored(Signal::SIGUSR2) && is_ignored(Signal::SIGUSR2));
    }
}
