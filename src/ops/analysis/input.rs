//! The games that are to be analysed.

use std::path::PathBuf;
use std::vec::IntoIter;

use crate::games::{GameReader, OpenError, ReadGame};
use crate::ops::games::{
    Found, GameDatabase, GameImportError, ListOptions, chosen, files_of, open_games, show_game,
};
use crate::search::Stop;
use crate::store::GameId;

use super::terms::{AnalysisError, GameToAnalyse};

/// The games of files and folders, one after the other. What cannot be read is told, and the others go
/// their way.
pub struct FileGames<T> {
    files: IntoIter<Found>,
    current: Option<GameReader<'static>>,
    tell: T,
    /// Ends the waiting for a pipe that nobody writes to.
    stop: Stop,
    /// Games and files that could not be read.
    refused: u64,
    /// Games that could.
    read: u64,
}

impl<T: FnMut(&str)> FileGames<T> {
    /// Finds the files; `-` is standard input. `tell` hears what cannot be read, in one line; when
    /// `stop` is raised no more games come.
    ///
    /// # Errors
    /// A path does not exist.
    pub fn of(paths: &[PathBuf], stop: &Stop, tell: T) -> Result<Self, GameImportError> {
        let files = files_of(paths)?.into_iter();
        Ok(Self { files, current: None, tell, stop: stop.clone(), refused: 0, read: 0 })
    }

    /// How many games and files could not be read so far.
    pub const fn refused(&self) -> u64 {
        self.refused
    }

    /// How many games could be read so far.
    pub const fn read(&self) -> u64 {
        self.read
    }

    fn refuse(&mut self, what: &str) {
        self.refused += 1;
        (self.tell)(what);
    }
}

impl<T: FnMut(&str)> Iterator for FileGames<T> {
    type Item = Result<GameToAnalyse, AnalysisError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.current.as_mut().and_then(Iterator::next) {
                Some(Ok(ReadGame { game, .. })) => {
                    self.read += 1;
                    return Some(Ok(GameToAnalyse { game, id: None }));
                }
                Some(Err(_)) if self.stop.is_stopped() => return None,
                Some(Err(defect)) => {
                    self.refuse(&defect.to_string());
                    continue;
                }
                None => self.current = None,
            }
            let (path, named) = match self.files.next()? {
                Ok(found) => found,
                Err(error) => {
                    self.refuse(&error.to_string());
                    continue;
                }
            };
            match open_games(&path, None, &self.stop) {
                Ok(reader) => self.current = Some(reader),
                // A folder may hold other files, too.
                Err(OpenError::Unknown { .. } | OpenError::Names { .. }) if !named => {}
                Err(_) if self.stop.is_stopped() => return None,
                Err(error) => self.refuse(&error.to_string()),
            }
        }
    }
}

/// The games of the database that are asked for, in the order that is asked for, at most as many as
/// that says.
///
/// # Errors
/// The book cannot be read, or the filter asks for a name that no game has.
pub fn stored_games<'d>(
    database: &'d GameDatabase<'_>,
    options: &ListOptions,
) -> Result<impl Iterator<Item = Result<GameToAnalyse, AnalysisError>> + use<'d>, AnalysisError> {
    let mut ids = chosen(database, options)?;
    ids.truncate(options.limit);
    Ok(numbered_games(database, ids))
}

/// The games with these numbers; those that there are not are left out.
pub fn numbered_games<'d>(
    database: &'d GameDatabase<'_>,
    ids: Vec<GameId>,
) -> impl Iterator<Item = Result<GameToAnalyse, AnalysisError>> + use<'d> {
    ids.into_iter().filter_map(|id| {
        let listed = show_game(database, id).map_err(AnalysisError::from).transpose()?;
        Some(listed.map(|listed| GameToAnalyse { game: listed.game, id: Some(id) }))
    })
}
