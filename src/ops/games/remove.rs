//! Taking games out of a book.

use super::database::GameDatabase;
use super::filter::{FilterError, GameFilter};
use super::list::{ListOptions, chosen};
use super::row::NAME_RULES;
use crate::store::{Book, GameStore};

/// Removes the games that a filter takes; returns how many. Commits.
///
/// # Errors
/// The book cannot be read or written, or the filter asks for a name that no game has.
pub fn remove_games(book: &mut Book, filter: &GameFilter) -> Result<u64, FilterError> {
    let games = {
        let database = GameDatabase::open(book.reader())?;
        let options = ListOptions { filter: filter.clone(), ..ListOptions::default() };
        chosen(&database, &options)?
    };
    let mut store = GameStore::open(book, NAME_RULES)?;
    let removed = store.remove(&games)?;
    store.finish()?;
    book.commit()?;
    Ok(removed)
}
