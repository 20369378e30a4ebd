//! The formats of games.

use std::fmt;
use std::path::Path;

/// A format of games that can be read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameFormat {
    /// The database of the French federation, with names in files beside it.
    Wthor,
    /// The format of GGS and NBoard.
    Ggf,
    /// Tags and numbered moves.
    Pgn,
    /// Game 2 of SGF.
    Sgf,
    /// A game a line.
    Transcript,
    /// CSV, or with tabs or semicolons.
    Table,
    /// Our JSON Lines; read are games of Othello Quest, too.
    Json,
}

impl GameFormat {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Wthor, Self::Ggf, Self::Pgn, Self::Sgf, Self::Transcript, Self::Table, Self::Json];

    /// Its name, as users give it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wthor => "wthor",
            Self::Ggf => "ggf",
            Self::Pgn => "pgn",
            Self::Sgf => "sgf",
            Self::Transcript => "transcript",
            Self::Table => "csv",
            Self::Json => "json",
        }
    }

    /// The format that files of this ending are written in.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "wtb" => Self::Wthor,
            "ggf" => Self::Ggf,
            "pgn" => Self::Pgn,
            "sgf" => Self::Sgf,
            "txt" => Self::Transcript,
            "csv" => Self::Table,
            "json" | "jsonl" => Self::Json,
            _ => return None,
        })
    }
}

impl fmt::Display for GameFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
