//! Games that are saved as they are played.
//!
//! Each is in the file, under the name that was asked for, as soon as it is over: what took hours
//! outlasts a full disk and the end of this process, and can be found.

use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::counted::counted;
use crate::files::games::{Game, GameFormat, GameWriter, SAVED_ENDINGS, Written};
use crate::store::check_of_no_book;
use crate::store::unfinished::sync_folder;

/// Why games are not saved.
#[derive(Debug, Error)]
pub(crate) enum SaveError {
    #[error("{0}: expected a name that ends with {SAVED_ENDINGS}")]
    Ending(String),
    #[error("cannot write {file}")]
    Io {
        file: String,
        #[source]
        error: io::Error,
    },
    #[error("cannot write all games: {file} holds the first {}", counted(*games, "game"))]
    Cut {
        file: String,
        games: u64,
        #[source]
        error: io::Error,
    },
}

/// A new file of games, which holds whole games at any time.
pub(crate) struct SavedGames {
    file: NewFile,
    // Not buffered: a game that is over is written.
    writer: GameWriter<File>,
    games: u64,
}

/// A file that goes again unless something came into it.
struct NewFile {
    path: PathBuf,
    file: File,
    /// The end of what is whole.
    whole: u64,
    is_kept: bool,
}

impl NewFile {
    fn create(path: &Path) -> io::Result<Self> {
        check_of_no_book(path)?;
        let file = File::create_new(path)?;
        Ok(Self { path: path.to_owned(), file, whole: 0, is_kept: false })
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Nothing more can be done where this fails, too.
        let _ = match self.is_kept {
            true => Ok(()),
            false => fs::remove_file(&self.path),
        };
    }
}

impl SavedGames {
    /// Makes the file before any game is played. It goes again if there is no game.
    pub(crate) fn create(path: &Path) -> Result<Self, SaveError> {
        let name = path.display().to_string();
        let format = GameFormat::of_ending(path).filter(|&format| format != GameFormat::Wthor);
        let format = format.ok_or_else(|| SaveError::Ending(name.clone()))?;
        let failed = |error| SaveError::Io { file: name.clone(), error };
        let file = NewFile::create(path).map_err(failed)?;
        let writer = file.file.try_clone().and_then(|output| GameWriter::new(format, output));
        Ok(Self { file, writer: writer.map_err(failed)?, games: 0 })
    }

    pub(crate) fn add(&mut self, game: &Game) -> Result<(), SaveError> {
        let written = self.writer.write(game).and_then(|()| self.file.file.stream_position());
        self.file.whole = written.map_err(|error| self.cut(error))?;
        self.file.is_kept = true;
        self.games += 1;
        Ok(())
    }

    /// Makes the file last; returns what was written, and what its format cannot hold.
    pub(crate) fn finish(self) -> Result<Written, SaveError> {
        let Self { mut file, writer, games } = self;
        file.is_kept = true;
        let written = writer.finish().and_then(|written| {
            file.file.sync_all()?;
            sync_folder(&file.path);
            Ok(written)
        });
        let name = file.path.display().to_string();
        written.map_err(|error| SaveError::Cut { file: name, games, error })
    }

    /// Takes away what came into the file of a game that did not fit.
    fn cut(&self, error: io::Error) -> SaveError {
        let file = self.file.path.display().to_string();
        if self.games == 0 {
            return SaveError::Io { file, error };
        }
        // It frees room, and what stays is as it was in any case.
        let _ = self.file.file.set_len(self.file.whole);
        SaveError::Cut { file, games: self.games, error }
    }
}
