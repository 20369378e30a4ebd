//! From one book file to another without a book of one's own.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::books::zebra::{ZebraLosses, ZebraReader};
use crate::files::books::{Format, ReadOptions, RecordReader};
use crate::othello::board::Position;
use crate::store::{Book, StoreError};

use super::export::{
    ExportError, ExportOptions, ExportReport, ExportTarget, export, write_zebra_nodes,
};
use super::import::{
    FileReport, ImportError, ImportOptions, ImportProgress, ImportReport, import_input,
    import_into, open_input,
};
use super::output::folder_for;
use crate::openbook::propagate::LessSure;

/// Why a conversion failed. The target is as it was.
#[derive(Debug, Error)]
pub enum ConvertError {
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("cannot make a temporary folder for {target}")]
    Folder {
        target: String,
        #[source]
        error: std::io::Error,
    },
}

/// Reads files, merges them by the one rule, and writes another, through a temporary book. One of
/// Zebra's files becomes another one as it is, node for node. `progress` gets the number of records or positions done.
pub fn convert(
    files: &[PathBuf],
    target: &ExportTarget,
    reading: &ImportOptions,
    writing: &ExportOptions,
    mut progress: impl FnMut(u64),
) -> Result<(ImportReport, ExportReport), ConvertError> {
    let mut opened = None;
    if let [file] = files
        && writing.format.zebra_shape().is_some()
        && writing.filter.is_empty()
    {
        let input = open_input(file, reading)?;
        let format = input.format();
        let options = ReadOptions { lenient: reading.lenient };
        match input.into_zebra(options).map_err(ImportError::from)? {
            Ok(reader) => return repack(file, format, reader, target, writing.format),
            // It is not opened again: a pipe is read once.
            Err(input) => opened = Some((file, input)),
        }
    }
    let read = files.first().map_or(Path::new(""), PathBuf::as_path);
    let folder = folder_for(target, read)
        .map_err(|error| ConvertError::Folder { target: target.name(), error })?;
    let part = folder.path("convert.db");
    let mut book = Book::create(&part)
        .map_err(|error| error.of_copy(&part, read, Path::new(&target.name())))?;
    let mut taken = ImportReport::default();
    let mut reading_on = |now: ImportProgress<'_>| progress(now.done);
    match opened {
        Some((file, input)) => {
            import_input(&mut book, file, input, reading, &mut taken, &mut reading_on)?;
        }
        None => import_into(&mut book, files, reading, &mut taken, reading_on)?,
    }
    let written = export(book.reader(), target, writing, |now| progress(now.done))?;
    Ok((taken, written))
}

/// Between Zebra's own files nothing has to change but the packing.
fn repack(
    file: &Path,
    format: Format,
    mut reader: ZebraReader,
    target: &ExportTarget,
    to: Format,
) -> Result<(ImportReport, ExportReport), ConvertError> {
    let entries = reader.entries().map_err(ImportError::from)?;
    let defects = std::mem::take(reader.defects());
    if !entries.iter().any(|entry| entry.board == Position::START) {
        return Err(ExportError::NoStart.into());
    }
    let records = entries.len() as u64;
    let bytes = write_zebra_nodes(target, to, &entries)?;
    let taken = FileReport {
        file: file.to_owned(),
        format,
        records,
        new: records,
        replaced: 0,
        kept: 0,
        less_sure: LessSure::default(),
        facts: None,
        defects,
    };
    let zebra = ZebraLosses { nodes: records, ..ZebraLosses::default() };
    let written = ExportReport { positions: records, bytes, zebra, ..ExportReport::default() };
    Ok((ImportReport { files: vec![taken], ..ImportReport::default() }, written))
}
