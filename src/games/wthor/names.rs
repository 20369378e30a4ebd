//! The names that belong to a game file: those of players and tournaments are in files of their own.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::file::{WthorError, read_names};

use crate::system_error::in_words;

/// No list of names is longer: their number has two bytes.
const LONGEST: u64 = 4 << 20;

/// Players and tournaments by their numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WthorNames {
    pub(super) players: Option<Arc<[String]>>,
    pub(super) tournaments: Option<Arc<[String]>>,
}

/// A file of names that cannot be used.
#[derive(Debug, Error)]
pub enum WthorNamesError {
    /// It cannot be read.
    #[error("cannot read {}: {}", file.display(), in_words(error))]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is none.
    #[error("{}: {error}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Why.
        error: WthorError,
    },
}

impl WthorNames {
    /// Names from lists.
    #[must_use]
    pub fn new(players: Vec<String>, tournaments: Vec<String>) -> Self {
        Self { players: Some(players.into()), tournaments: Some(tournaments.into()) }
    }

    /// The names beside a game file: of the files that end in `.jou` and `.trn`, in either case, the
    /// one of the same name, else the first. Those that are not there are left out. What is no regular
    /// file, as a pipe that might never end, is a list without names: each game tells that.
    ///
    /// # Errors
    /// When one of them cannot be read: games without their names would be of little use.
    pub fn beside(games: &Path) -> Result<Self, WthorNamesError> {
        let folder = games.parent().filter(|folder| !folder.as_os_str().is_empty());
        let entries =
            fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let find = |ending: &str| {
            let fits = |file: &&PathBuf| {
                file.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
            };
            let is_own = |file: &&PathBuf| file.file_stem() == games.file_stem();
            files.iter().filter(fits).find(is_own).or_else(|| files.iter().find(fits))
        };
        let read = |ending: &str| find(ending).map(|file| read(file)).transpose();
        Ok(Self { players: read("jou")?, tournaments: read("trn")? })
    }
}

fn read(file: &Path) -> Result<Arc<[String]>, WthorNamesError> {
    if fs::metadata(file).is_ok_and(|kind| !kind.is_file()) {
        return Ok(Arc::default());
    }
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|input| input.take(LONGEST).read_to_end(&mut bytes))
        .map_err(|error| WthorNamesError::Io { file: file.to_owned(), error })?;
    let names = read_names(&bytes);
    let names = names.map_err(|error| WthorNamesError::Content { file: file.to_owned(), error })?;
    Ok(names.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_is_a_list_without_names() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("WTH.JOU")).unwrap();
        let names = WthorNames::beside(&folder.path().join("WTH_2010.wtb")).unwrap();
        assert_eq!(names, WthorNames { players: Some(Arc::default()), tournaments: None });
    }
}
