//! What helps with an error, as facts: a face makes a command, a link or words of it.

use std::path::PathBuf;

use serde::Serialize;

/// What helps with an error. A file that is not given is one that the user has to name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Hint {
    /// Make this book, with the starter in it.
    NewBook {
        book: PathBuf,
    },
    /// Make another book, which can be merged into the one that there is.
    OtherBook,
    /// Save what is sound of a damaged book.
    Salvage {
        book: PathBuf,
    },
    /// Make a book of a snapshot.
    Restore {
        snapshot: PathBuf,
    },
    /// Take in a book of another program, or proven values.
    ImportBook {
        file: Option<PathBuf>,
    },
    ImportGames {
        file: Option<PathBuf>,
    },
    /// Solve, search or show the positions of a file.
    AskPositions {
        file: Option<PathBuf>,
    },
    /// Grow where at least so many games came through.
    GrowPopular {
        least_games: u64,
    },
    ListGames,
    LatestGames,
    ListCollections,
    FindPlayers,
    /// Remove the games of a collection.
    RemoveGames,
    /// List where the positions of the book come from.
    ListSources,
    /// List the changes that can be undone.
    ListChanges,
    /// Start the server so that its page may grow and edit the book.
    ServeGrowing,
    /// Start the server so that a page elsewhere may read its answers.
    AllowOrigin,
}
