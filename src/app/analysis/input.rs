//! The games that are to be analysed.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use crate::app::games::{
    Found, GameDatabase, GameImportError, ListOptions, Stray, chosen, files_of, open_games,
    show_game,
};
use crate::app::same_file::is_same_file;
use crate::files::games::{GameReader, OpenError, ReadGame};
use crate::othello::one_line::shown_name;
use crate::othello::search::Stop;
use crate::store::GameId;

use super::terms::{AnalysisError, GameToAnalyse};

/// The games of files and folders, one after the other. What cannot be read is reported, and the
/// others go their way.
pub(crate) struct FileGames<T> {
    files: IntoIter<Found>,
    current: Option<GameReader<'static>>,
    tell: T,
    /// Ends the waiting for a pipe without a writer.
    stop: Stop,
    /// Games and files that could not be read.
    refused: u64,
    /// Files in folders that hold something else than games.
    skipped: Vec<String>,
}

impl<T: FnMut(&(dyn Error + 'static))> FileGames<T> {
    /// Finds the files; `-` is standard input. `tell` gets why something cannot be read; when
    /// `stop` is raised no more games come.
    pub(crate) fn of(paths: &[PathBuf], stop: &Stop, tell: T) -> Result<Self, GameImportError> {
        let files = files_of(paths)?.into_iter();
        Ok(Self { files, current: None, tell, stop: stop.clone(), refused: 0, skipped: Vec::new() })
    }

    /// The files that are still to be read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.as_slice().iter().flatten().map(|(path, _)| path.as_path())
    }

    /// Whether a file is one of those that are still to be read, by whatever way: what is written there would take
    /// the place of the games. What lies in a folder and holds no games is not read.
    pub(crate) fn will_read(&self, file: &Path) -> bool {
        if !file.is_file() {
            return false;
        }
        let mut same = self.files.as_slice().iter().flatten().filter(|(path, _)| {
            let is_input = path.as_os_str() == "-";
            is_same_file(if is_input { Path::new(STANDARD_INPUT) } else { path }, file)
        });
        same.any(|(path, named)| *named || holds_games(path, &self.stop))
    }

    /// How many games they hold, by reading all of them once; none where one can be read only once.
    pub(crate) fn how_many(&self) -> Option<u64> {
        let mut games = 0;
        for (path, _) in self.files.as_slice().iter().flatten() {
            if !path.is_file() || self.stop.is_stopped() {
                return None;
            }
            let reader = open_games(path, None, &self.stop).ok();
            games += reader.map_or(0, |reader| reader.filter(Result::is_ok).count() as u64);
        }
        Some(games)
    }

    /// How many games and files could not be read so far.
    pub(crate) const fn refused(&self) -> u64 {
        self.refused
    }

    /// The files in folders, of those that were looked at so far, that hold something else than games.
    pub(crate) fn skipped(&self) -> &[String] {
        &self.skipped
    }

    fn refuse(&mut self, why: &(dyn Error + 'static)) {
        self.refused += 1;
        (self.tell)(why);
    }
}

impl<T: FnMut(&(dyn Error + 'static))> Iterator for FileGames<T> {
    type Item = Result<GameToAnalyse, AnalysisError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.current.as_mut().and_then(Iterator::next) {
                Some(Ok(ReadGame { game, .. })) => {
                    return Some(Ok(GameToAnalyse { game, id: None }));
                }
                Some(Err(_)) if self.stop.is_stopped() => return None,
                Some(Err(defect)) => {
                    self.refuse(&defect);
                    continue;
                }
                None => self.current = None,
            }
            let (path, named) = match self.files.next()? {
                Ok(found) => found,
                Err(error) => {
                    self.refuse(&error);
                    continue;
                }
            };
            match open_games(&path, None, &self.stop) {
                Ok(reader) => self.current = Some(reader),
                Err(error) if !named && Stray::of(&path, &error) == Stray::Used => {}
                Err(error) if !named && Stray::of(&path, &error) == Stray::Other => {
                    self.skipped.push(shown_name(&path.display().to_string()));
                }
                Err(_) if self.stop.is_stopped() => return None,
                Err(error) => self.refuse(&error),
            }
        }
    }
}

/// Where the system shows a file that is read as standard input.
const STANDARD_INPUT: &str = "/dev/stdin";

/// Whether a file that was not named is passed over for this error.
const fn is_other_file(error: &OpenError) -> bool {
    matches!(error, OpenError::Unknown { .. } | OpenError::Names { .. })
}

fn holds_games(path: &Path, stop: &Stop) -> bool {
    open_games(path, None, stop).map_or_else(|error| !is_other_file(&error), |_| true)
}

/// The games of the database that are asked for, in the order that is asked for, at most as many as
/// that says.
pub(crate) fn stored_games<'d>(
    database: &'d GameDatabase<'_>,
    options: &ListOptions,
) -> Result<impl Iterator<Item = Result<GameToAnalyse, AnalysisError>> + use<'d>, AnalysisError> {
    let mut ids = chosen(database, options)?;
    ids.truncate(options.limit);
    Ok(numbered_games(database, ids))
}

/// The games with these numbers; those that there are not are left out.
pub(crate) fn numbered_games<'d>(
    database: &'d GameDatabase<'_>,
    ids: Vec<GameId>,
) -> impl Iterator<Item = Result<GameToAnalyse, AnalysisError>> + use<'d> {
    ids.into_iter().filter_map(|id| {
        let listed = show_game(database, id).map_err(AnalysisError::from).transpose()?;
        Some(listed.map(|listed| GameToAnalyse { game: listed.game, id: Some(id) }))
    })
}
