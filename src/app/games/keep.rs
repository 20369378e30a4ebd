//! Games into a book that come from no file.

use super::row::NAME_RULES;
use super::take::{Taken, Taker};
use crate::app::BookFile;
use crate::files::games::Game;
use crate::store::{Book, GameStore, StoreError};

/// Keeps games in a book, which is made if there is none, as those of a collection; how many were not there before.
#[cfg(feature = "workshop")]
pub(crate) fn keep_games_at(
    book: &BookFile,
    games: &[Game],
    collection: &str,
    day: &str,
) -> Result<u64, StoreError> {
    let (mut book, is_new) = book.open_or_create()?;
    let kept = keep_games(&mut book, games, collection, day);
    if is_new && kept.is_err() {
        book.remove();
    }
    kept
}

/// Keeps games in a book as those of a collection; how many were not there before. Commits.
pub(in crate::app) fn keep_games(
    book: &mut Book,
    games: &[Game],
    collection: &str,
    day: &str,
) -> Result<u64, StoreError> {
    let mut store = GameStore::open(book, NAME_RULES)?;
    let collection = store.collection(collection, day)?;
    let (mut taker, mut new) = (Taker::default(), 0);
    for game in games {
        new += u64::from(taker.take(&mut store, game, &[collection])? == Taken::New);
    }
    store.finish()?;
    book.commit()?;
    Ok(new)
}
