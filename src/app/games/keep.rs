//! A single game into a book.

use super::row::NAME_RULES;
use super::take::{Taken, Taker};
use crate::files::games::Game;
use crate::store::{Book, GameStore, StoreError};

/// Keeps a game in a book as one of a collection; whether it was not there before. Commits.
pub(in crate::app) fn keep_game(
    book: &mut Book,
    game: &Game,
    collection: &str,
    day: &str,
) -> Result<bool, StoreError> {
    let mut store = GameStore::open(book, NAME_RULES)?;
    let collection = store.collection(collection, day)?;
    let taken = Taker::default().take(&mut store, game, &[collection])?;
    store.finish()?;
    book.commit()?;
    Ok(taken == Taken::New)
}
