//! The search that runs, so that the end of the input can stop it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::faces::protocol::lines::LAST_SEARCH;
use crate::othello::lock::lock;
use crate::othello::search::Stop;

/// Behind the end of the input the search is looked at this often.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The search that runs, if one does; clones share it.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<Option<(Stop, Instant)>>>);

impl Running {
    /// Runs a search, which is given what stops it.
    pub(super) fn search<T>(&self, search: impl FnOnce(&Stop) -> T) -> T {
        let stop = Stop::new();
        *lock(&self.0) = Some((stop.clone(), Instant::now()));
        let found = search(&stop);
        *lock(&self.0) = None;
        found
    }

    /// To be called when the input has ended, by a thread that has nothing else to do: every search that
    /// is still to come to its end has three seconds. Returns when the session is gone.
    pub fn input_has_ended(self) {
        let ended = Instant::now();
        while Arc::strong_count(&self.0) > 1 {
            if let Some((stop, began)) = &*lock(&self.0)
                && ended.max(*began).elapsed() >= LAST_SEARCH
            {
                stop.stop();
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}
