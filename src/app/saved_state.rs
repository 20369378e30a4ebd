//! The books that are saved beside a book for `undo`: which of them are its own, and which are still needed.
//!
//! The names hold the book's identity and the number of the change, so that nothing ever has to make room: a book
//! that is deleted or swapped for another one of its name leaves what was saved of it where it finds it again.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::summed::checksum;
use crate::files::books::snapshot::{SnapshotError, SnapshotReader};
use crate::store::{
    Reader, SAVED_AFTER, SAVED_BEFORE, StoreError, UndoEntry, identity_letters, saved_path,
};

/// Names of what an older program saved, by what follows the name of the book.
const OLD: [&str; 2] = [".undo.new", ".undo"];

/// A book of which states are saved.
pub(super) struct Owner {
    book: PathBuf,
    identity: String,
}

impl Owner {
    /// None of a book that an older program made and that was only read since.
    pub(super) fn of(book: &Reader) -> Result<Option<Self>, StoreError> {
        let identity = book.identity()?;
        Ok(identity.map(|identity| Self { book: book.path().to_owned(), identity }))
    }

    /// Where the book is saved before a change, or as it was when that change was taken back.
    pub(super) fn place(&self, change: u64, is_undone: bool) -> PathBuf {
        saved_path(&self.book, &self.identity, change, is_undone)
    }

    /// Where the saved book lies that a change is taken back with, or done again.
    pub(super) fn find(&self, entry: &UndoEntry) -> io::Result<Option<PathBuf>> {
        let mut places = vec![self.place(entry.number, entry.is_undone)];
        places.extend(self.old_places());
        for place in places {
            match checksum(&place) {
                Ok(found) if Some(&found) == entry.file.as_ref() => return Ok(Some(place)),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Where an older program may have saved the book.
    fn old_places(&self) -> impl Iterator<Item = PathBuf> {
        let letters = identity_letters(&self.identity);
        OLD.iter().flat_map(move |old| {
            [(*old).to_owned(), format!("{old}.{letters}")].map(|end| with_end(&self.book, &end))
        })
    }

    /// Whether this is a saved state of the book.
    fn is_own(&self, path: &Path) -> Result<bool, SnapshotError> {
        let reader = SnapshotReader::new(BufReader::new(File::open(path)?))?;
        Ok(reader.header().book.as_ref() == Some(&self.identity))
    }

    /// Whether a saved state may be written there: nothing else lies there.
    pub(super) fn check_place(&self, place: &Path) -> Result<(), SnapshotError> {
        match self.is_own(place) {
            Err(SnapshotError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            is_own => is_own.map(drop),
        }
    }

    /// Takes away what was saved of the book and no change needs any more.
    pub(super) fn tidy(&self, entries: &[UndoEntry]) {
        let needs = |path: &Path| {
            let of_place = |entry: &UndoEntry| self.place(entry.number, entry.is_undone) == path;
            let with_file = || entries.iter().filter(|entry| entry.file.is_some());
            with_file().any(of_place)
                || (self.old_places().any(|old| old == path)
                    && checksum(path).is_ok_and(|sum| {
                        with_file().any(|entry| entry.file.as_ref() == Some(&sum))
                    }))
        };
        let found = saved_of(&self.book, Some(&self.identity)).into_iter().chain(self.old_places());
        for path in found {
            if !needs(&path)
                && self.is_own(&path).unwrap_or_default()
                && let Err(error) = fs::remove_file(&path)
            {
                tracing::warn!(file = %path.display(), %error, "it is left behind");
            }
        }
    }
}

/// What was saved of a book, the newest first, by the names; what an older program saved comes last. Where the
/// book's identity is not known, all that may be its own.
pub(super) fn saved_of(book: &Path, identity: Option<&str>) -> Vec<PathBuf> {
    let letters = identity.map(identity_letters);
    let folder = book.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(name) = book.file_name() else { return Vec::new() };
    // A folder that cannot be read has nothing for us.
    let names = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let number = |file: &OsString| {
        let rest = file.as_encoded_bytes().strip_prefix(name.as_encoded_bytes())?;
        let rest = std::str::from_utf8(rest).ok()?;
        let (of, number) = [SAVED_BEFORE, SAVED_AFTER]
            .into_iter()
            .find_map(|which| rest.strip_prefix(which))?
            .split_once('.')?;
        let fits = letters.as_ref().is_none_or(|letters| letters == of);
        number.parse::<u64>().ok().filter(|_| fits)
    };
    let mut found: Vec<_> = names
        .filter_map(|entry| {
            Some((number(&entry.file_name())?, book.with_file_name(entry.file_name())))
        })
        .collect();
    found.sort_unstable();
    let is_own = |path: &Path| {
        let header = File::open(path).map_err(SnapshotError::from);
        let header = header.and_then(|file| SnapshotReader::new(BufReader::new(file)));
        let of = header.map(|reader| reader.header().book.clone());
        of.is_ok_and(|of| identity.is_none() || of.as_deref() == identity)
    };
    let old = OLD.iter().map(|old| with_end(book, old)).filter(|old| is_own(old));
    found.into_iter().rev().map(|(_, path)| path).chain(old).collect()
}

/// The number of the change before which a book was saved, by the name of the file.
pub(super) fn change_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let (_, rest) = name.rsplit_once(SAVED_BEFORE)?;
    rest.split_once('.')?.1.parse().ok()
}

fn with_end(book: &Path, end: &str) -> PathBuf {
    let mut name = book.file_name().map_or_else(OsString::new, OsString::from);
    name.push(end);
    book.with_file_name(name)
}
