//! Openings of the games in a book.

use thiserror::Error;

use super::pool::Pool;
use crate::openbook::Hint;
use crate::othello::board::{Line, Square, write_from_f5};
use crate::store::{GameId, Reader, StoreError};

/// Why a book gives no openings.
#[derive(Debug, Error)]
pub(crate) enum PlayedError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0} has no games to take openings from")]
    NoGames(String),
    #[error("no game of {book} has {plies} plies from the start position")]
    TooShort { book: String, plies: usize },
}

impl PlayedError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        matches!(self, Self::NoGames(_)).then_some(Hint::ImportGames { file: None })
    }
}

/// The positions after so many plies of all games of a book, each as likely as it was played. Left out
/// are games from another start position, and those whose opening was drawn by lot.
pub(crate) fn played_openings(book: &Reader, plies: usize) -> Result<Pool, PlayedError> {
    let facts = book.games().facts()?;
    let book_name = || book.path().display().to_string();
    if !facts.iter().any(|facts| facts.exists) {
        return Err(PlayedError::NoGames(book_name()));
    }
    let is_free = |game: GameId| facts.get(game.0 as usize).is_some_and(|facts| !facts.xot);
    let mut pool = Pool::default();
    book.games().for_each_moves(GameId(0), |game, start, moves| {
        let Some(opening) = moves.get(..plies).filter(|_| start.is_none() && is_free(game)) else {
            return;
        };
        let mut moves: Vec<Square> =
            opening.iter().filter_map(|&number| Square::try_new(number)).collect();
        write_from_f5(&mut moves);
        let line = Line::default().then(&moves);
        if line.len() == plies {
            pool.add(line);
        }
    })?;
    if pool.is_empty() {
        return Err(PlayedError::TooShort { book: book_name(), plies });
    }
    Ok(pool)
}
