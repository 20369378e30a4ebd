//! Games that are saved as they are played.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use thiserror::Error;

use super::export::{ExportTarget, Output};
use crate::games::{Game, GameFormat, GameWriter, Written};

/// Why games are not saved. The file is as it was.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The ending names no format.
    #[error("{0}: expected a name that ends with .pgn, .ggf, .sgf, .txt, .csv or .json")]
    Ending(String),
    /// The file cannot be written.
    #[error("cannot write {file}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        #[source]
        error: io::Error,
    },
}

/// A file of games that is there when it is complete.
pub struct SavedGames {
    name: String,
    output: Output,
    writer: GameWriter<BufWriter<File>>,
}

impl SavedGames {
    /// Finds out whether the file can be written, before any game is played.
    ///
    /// # Errors
    /// It cannot, or its ending names no format for games as they are played.
    pub fn create(path: &Path) -> Result<Self, SaveError> {
        let name = path.display().to_string();
        let format = GameFormat::of_ending(path).filter(|&format| format != GameFormat::Wthor);
        let format = format.ok_or_else(|| SaveError::Ending(name.clone()))?;
        let failed = |error| SaveError::Io { file: name.clone(), error };
        let output = Output::create(&ExportTarget::File(path.to_owned())).map_err(failed)?;
        let writer = GameWriter::new(format, output.writer().map_err(failed)?).map_err(failed)?;
        Ok(Self { name, output, writer })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &Game) -> Result<(), SaveError> {
        self.writer.write(game).map_err(|error| SaveError::Io { file: self.name.clone(), error })
    }

    /// Puts the file in its place; tells what was written, and what its format cannot hold.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<Written, SaveError> {
        let Self { name, output, writer } = self;
        let failed = |error| SaveError::Io { file: name.clone(), error };
        let written = writer.finish().map_err(failed)?;
        output.finish().map_err(failed)?;
        Ok(written)
    }
}
