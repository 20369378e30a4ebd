//! The names under which files beside a book are set aside that belong to another one.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Written in a name for an identity that is not known.
const UNKNOWN: &str = "other";

/// So much of an identity distinguishes books of one name; what is there is looked at in any case.
const LETTERS: usize = 8;

/// No folder has so many files of books that begin with the same letters.
const MOST_ASIDE: usize = 1_000;

/// The names for what belongs under a name, and is of the book with this identity, in the order in which they
/// are taken. An identity is read from a file: nothing in it may lead elsewhere.
fn names_aside(place: &Path, identity: Option<&str>) -> impl Iterator<Item = PathBuf> + use<> {
    let is_letter = |letter: &char| letter.is_ascii_alphanumeric();
    let identity = identity.unwrap_or(UNKNOWN);
    let letters: String = identity.chars().filter(is_letter).take(LETTERS).collect();
    let place = place.to_owned();
    let name = place.file_name().map_or_else(OsString::new, OsString::from);
    (1..=MOST_ASIDE).map(move |number| {
        let mut name = name.clone();
        name.push(format!(".{letters}"));
        if number > 1 {
            name.push(format!("-{number}"));
        }
        place.with_file_name(name)
    })
}

/// Renames what lies under a name to the first of its names aside that is free, which is returned.
pub(super) fn put_aside(place: &Path, identity: Option<&str>) -> io::Result<PathBuf> {
    let free = names_aside(place, identity).find(|path| path.symlink_metadata().is_err());
    let free = free.ok_or_else(|| io::Error::other("too many files lie set aside beside it"))?;
    fs::rename(place, &free)?;
    Ok(free)
}
