//! How often moves were played in the games of the book. Loading all games takes a while and cannot be
//! stopped: a thread of its own does it, so that callers can give up.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::app::BookFile;
use crate::app::games::{
    FilterError, GameDatabase, GameFilter, GameStats, LoadedGames, game_stats,
};
use crate::othello::board::Line;
use crate::othello::lock::lock;
use crate::othello::search::Stop;
use crate::store::{Reader, StoreError};

/// A waiting caller looks this often whether it is still to wait.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The games of a book, loaded when they are asked for.
pub(super) struct GameCounts {
    file: BookFile,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// What was loaded, and the stamp of the games that it was loaded from.
    games: Option<(u64, Arc<LoadedGames>)>,
    /// The stamp of the games that are being loaded, or could not be.
    loading: Option<u64>,
    failed: Option<u64>,
}

/// Games that are being loaded. When it goes they are there or have failed, also where loading panics: no
/// caller waits for ever.
struct Loading {
    shared: Arc<Shared>,
    stamp: u64,
    games: Option<LoadedGames>,
}

impl Drop for Loading {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        // Other games may have been asked for since.
        if state.loading == Some(self.stamp) {
            state.loading = None;
            match self.games.take() {
                Some(games) => state.games = Some((self.stamp, Arc::new(games))),
                None => state.failed = Some(self.stamp),
            }
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl GameCounts {
    pub(super) fn of(file: BookFile) -> Self {
        Self { file, shared: Arc::default() }
    }

    /// The games of a book, loaded; none where `stop` was raised meanwhile.
    pub(super) fn loaded(
        &self,
        book: &Reader,
        stop: &Stop,
    ) -> Result<Option<Arc<LoadedGames>>, StoreError> {
        let stamp = book.games().stamp()?;
        let mut state = lock(&self.shared.state);
        while !stop.is_stopped() {
            if let Some((known, games)) = &state.games
                && *known == stamp
            {
                return Ok(Some(Arc::clone(games)));
            }
            if state.failed == Some(stamp) {
                // The reader of this thread will say what is wrong.
                drop(state);
                return Ok(Some(Arc::new(LoadedGames::load(book)?)));
            }
            if state.loading != Some(stamp) {
                state.loading = Some(stamp);
                if !self.load(stamp) {
                    state.failed = Some(stamp);
                    continue;
                }
            }
            let waited = self.shared.changed.wait_timeout(state, LOOK_EVERY);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(None)
    }

    /// Starts to load; false where no thread can be started.
    fn load(&self, stamp: u64) -> bool {
        let (file, shared) = (self.file.clone(), Arc::clone(&self.shared));
        let load = move || {
            // Not before there is a thread: a caller holds the lock until then.
            let mut loading = Loading { shared, stamp, games: None };
            let loaded = file.read().and_then(|book| LoadedGames::load(&book));
            loading.games = loaded.ok();
        };
        std::thread::Builder::new().name("games".to_owned()).spawn(load).is_ok()
    }

    /// What was played at the end of a line; none where there are no games or `stop` was raised.
    pub(super) fn at(
        &self,
        book: &Reader,
        line: &Line,
        stop: &Stop,
    ) -> Result<Option<GameStats>, FilterError> {
        let Some(games) = self.loaded(book, stop)? else { return Ok(None) };
        game_stats(&GameDatabase::with(book, games), line, &GameFilter::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loading_that_panics_has_failed() {
        let shared = Arc::<Shared>::default();
        lock(&shared.state).loading = Some(7);
        let loading = Loading { shared: Arc::clone(&shared), stamp: 7, games: None };
        let thread = std::thread::spawn(move || {
            let _loading = loading;
            panic!("as if the games could not be read");
        });
        assert!(thread.join().is_err());
        assert_eq!(lock(&shared.state).failed, Some(7));
    }
}
