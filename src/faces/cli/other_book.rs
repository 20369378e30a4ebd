//! Books beside the one of the settings.

use std::path::Path;

use anyhow::{Error, anyhow};

use crate::app::{BookFile, Reader, StoreError};
use crate::store::shell_words::book_named;

/// Opens a book that an option or an argument names, to ask it only: what the error of a missing book says is of
/// the book of the settings.
pub fn read_other_book(path: &Path, option: Option<&str>) -> anyhow::Result<Reader> {
    BookFile::at(path).read().map_err(|error| {
        let error = match error {
            StoreError::Missing(_) => anyhow!(
                "no book at {}: 'rosebill new {} --starter' makes one to begin with",
                path.display(),
                book_named(path)
            ),
            error => Error::new(error),
        };
        match option {
            Some(option) => error.context(option.to_owned()),
            None => error,
        }
    })
}
