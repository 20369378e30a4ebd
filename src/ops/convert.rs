//! From one book file to another without a book of one's own.

use std::path::PathBuf;

use thiserror::Error;

use crate::store::{Book, StoreError};

use super::export::{ExportError, ExportOptions, ExportReport, ExportTarget, export};
use super::import::{ImportError, ImportOptions, ImportReport, import};

/// Why a conversion failed. The target is as it was.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The files read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The file written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The book in between.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder for the book in between.
    #[error("temporary folder: {0}")]
    Folder(#[from] std::io::Error),
}

/// Reads files, merges them by the one rule, and writes another, through a temporary book.
/// `progress` gets the number of records or positions done.
///
/// # Errors
/// Those of import and export.
pub fn convert(
    files: &[PathBuf],
    target: &ExportTarget,
    reading: &ImportOptions,
    writing: &ExportOptions,
    mut progress: impl FnMut(u64),
) -> Result<(ImportReport, ExportReport), ConvertError> {
    let folder = tempfile::tempdir()?;
    let mut book = Book::create(folder.path().join("convert.db"))?;
    let taken = import(&mut book, files, reading, |now| progress(now.done))?;
    let written = export(book.reader(), target, writing, |now| progress(now.done))?;
    Ok((taken, written))
}
