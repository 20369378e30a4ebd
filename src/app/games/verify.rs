//! Looking all games of a book through.

use super::row::made_of;
use crate::store::{GameReport, Reader, StoreError};

/// Checks every invariant on every game of a book: moves and results by the rules, fingerprints,
/// collections, and what was made from the games to answer questions.
pub fn verify_games(book: &Reader) -> Result<GameReport, StoreError> {
    book.games().verify(made_of)
}
