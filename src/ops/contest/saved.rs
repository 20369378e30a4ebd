//! The games of a match as files.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use thiserror::Error;

use super::pair::{Pair, PairGame};
use crate::board::Line;
use crate::games::{Date, Game, GameFormat, GameWriter, Player, Written};
use crate::ops::export::{ExportTarget, Output};

/// Who played, and when.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchNames<'a> {
    /// The first player.
    pub first: &'a str,
    /// The second player.
    pub second: &'a str,
    /// The day.
    pub date: Option<Date>,
    /// The openings are those of XOT.
    pub xot: bool,
}

impl MatchNames<'_> {
    /// The two games of a pair; the number of the opening, from 1, is their round.
    #[must_use]
    pub fn games(&self, pair: &Pair, opening: &Line) -> [Game; 2] {
        let Self { first, second, .. } = *self;
        let player = |name: &str| Player { name: Some(name.to_owned()), rating: None };
        let game = |played: &PairGame, [black, white]: [&str; 2], black_by: i32| {
            let line = opening.then(&played.moves);
            Game {
                event: Some(format!("match {first} - {second}")),
                round: Some((pair.opening + 1).to_string()),
                date: self.date,
                black: player(black),
                white: player(white),
                start: line.start(),
                moves: line.squares().collect(),
                black_discs: u8::try_from(32 + black_by / 2).ok(),
                xot: self.xot,
                ..Game::default()
            }
        };
        let Pair { as_black, as_white, .. } = pair;
        [
            game(as_black, [first, second], as_black.discs),
            game(as_white, [second, first], -as_white.discs),
        ]
    }
}

/// Why games are not saved. The file is as it was.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The ending names no format.
    #[error("--save {0}: expected a name that ends with .pgn, .ggf, .sgf, .txt, .csv or .json")]
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
    /// It cannot, or its ending names no format for matches.
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
