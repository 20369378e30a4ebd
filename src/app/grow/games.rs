//! Game files whose positions growth is to add.

use std::path::Path;

use thiserror::Error;

use crate::files::games::{OpenError, ReadOptions, open};
use crate::othello::board::{Placed, Square};

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum GamesError {
    #[error("{0}")]
    Open(#[from] OpenError),
    /// No game of it can be used.
    #[error(
        "{file} holds no game from the start position{}",
        first.as_ref().map(|first| format!(" ({first})")).unwrap_or_default()
    )]
    Empty { file: String, first: Option<String> },
}

/// What a file of games gave.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct GameLines {
    /// The moves of its games, without passes.
    pub lines: Vec<Vec<Square>>,
    /// Games that were refused.
    pub refused: u64,
    /// The first of them, with its place and why.
    pub first_refused: Option<String>,
    /// Games from another position than the start, which are left out.
    pub elsewhere: u64,
}

/// The games of a file in any format that `games import` reads. A bad game costs itself only.
pub(crate) fn read_game_lines(path: &Path) -> Result<GameLines, GamesError> {
    let mut found = GameLines::default();
    for read in open(path, &ReadOptions::default())? {
        match read {
            Ok(read) if read.game.start == Placed::START => found.lines.push(read.game.moves),
            Ok(_) => found.elsewhere += 1,
            Err(defect) => {
                found.refused += 1;
                found.first_refused.get_or_insert_with(|| defect.to_string());
            }
        }
    }
    if found.lines.is_empty() {
        let file = path.display().to_string();
        return Err(GamesError::Empty { file, first: found.first_refused });
    }
    Ok(found)
}

impl GameLines {
    /// The note on a file of which not all games are used.
    pub(crate) fn left_out(&self, path: &Path) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(first) = &self.first_refused {
            parts.push(format!("{} cannot be read, first {first}", self.refused));
        }
        if self.elsewhere > 0 {
            parts.push(format!("{} from another position than the start", self.elsewhere));
        }
        let used = self.lines.len() as u64;
        let all = used + self.refused + self.elsewhere;
        let why = parts.join("; ");
        (!parts.is_empty())
            .then(|| format!("{}: {used} of {all} games used: {why}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_in_any_format_and_bad_ones_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_game_lines(&path)
        };
        let found = read("f5d6c3\nf5a1\n# a comment\nc4e3\n").unwrap();
        assert_eq!(found.lines.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
        let told = found.left_out(&path).unwrap();
        assert!(told.contains("games:2 (game 2): move 2 \"a1\""), "{told}");
        assert!(told.contains(": 2 of 3 games used: 1 cannot be read, first "), "{told}");

        let found = read("[Black \"one\"]\n[White \"two\"]\n\n1. f5 d6 2. c3 d3 *\n").unwrap();
        assert_eq!((found.lines.len(), found.left_out(&path)), (1, None));

        let told = read("f5a1\n").unwrap_err().to_string();
        assert!(told.contains("holds no game from the start position ("), "{told}");
        assert!(matches!(read("the quick brown fox"), Err(GamesError::Open(_))));
    }
}
