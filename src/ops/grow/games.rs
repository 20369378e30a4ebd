//! Game files whose positions growth is to add.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::{Line, LineError, Square};
use crate::games::wthor::{self, WthorError};

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum GamesError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no WTHOR file.
    #[error("{path}")]
    Wthor {
        /// The file.
        path: PathBuf,
        /// Why.
        source: WthorError,
    },
    /// A line is no game.
    #[error("{path}, line {line}")]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Why.
        source: LineError,
    },
    /// It holds no game.
    #[error("{0} holds no game")]
    Empty(PathBuf),
}

/// The moves of all games of a file: a WTHOR database (`.wtb`), or a text with a game a line such
/// as `f5d6c3`, where lines that start with `#` or `%` are comments.
///
/// # Errors
/// When it cannot be read or holds something else, with the line of a text.
pub fn read_game_lines(path: &Path) -> Result<Vec<Vec<Square>>, GamesError> {
    let path_buf = || path.to_owned();
    let bytes =
        std::fs::read(path).map_err(|source| GamesError::Read { path: path_buf(), source })?;
    let is_wthor = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb"));
    let games: Vec<Vec<Square>> = if is_wthor {
        let file = wthor::read_games(&bytes)
            .map_err(|source| GamesError::Wthor { path: path_buf(), source })?;
        file.games.into_iter().map(|game| game.moves).collect()
    } else {
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(['#', '%']))
            .map(|(index, line)| {
                let game: Line = line.parse().map_err(|source| GamesError::Line {
                    path: path_buf(),
                    line: index + 1,
                    source,
                })?;
                Ok(game.squares().collect())
            })
            .collect::<Result<_, GamesError>>()?
    };
    if games.is_empty() {
        return Err(GamesError::Empty(path_buf()));
    }
    Ok(games)
}
