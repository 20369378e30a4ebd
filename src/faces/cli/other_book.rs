//! Books beside the one of the settings.

use std::path::Path;

use anyhow::Context as _;

use crate::app::{BookFile, Reader};

/// Opens a book that an option or an argument names, to ask it only.
pub fn read_other_book(path: &Path, option: Option<&str>) -> anyhow::Result<Reader> {
    let read = BookFile::at(path).read();
    Ok(match option {
        Some(option) => read.context(option.to_owned())?,
        None => read?,
    })
}
