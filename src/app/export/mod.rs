//! Writing a book as a file for other programs, or as our own complete JSON Lines.
//!
//! The file is written beside its target and takes its name when it is complete.

mod complete;
mod copy;
mod document;
mod few;
mod filter;
mod held;
mod terms;

use std::io;
use std::path::Path;

use crate::files::books::zebra::{ZebraEntry, write_zebra};
use crate::files::books::{Format, Steps, WriteJob};
use crate::openbook::NodeSource;
use crate::othello::board::{Key, Position};
use crate::store::{Reader, StoreError};

use super::output::Output;

pub use super::output::ExportTarget;
pub(crate) use super::output::write_file;
pub use crate::files::books::{ExportProgress, ExportReport};
pub(crate) use document::Document;
pub use few::FewReach;
pub use terms::{ExportError, ExportFilter, ExportOptions};

use complete::Completed;
use filter::Part;
use held::{Cut, WithoutHeld};

/// As [`export`], of the book of this path. Where fewer than one position in ten that would be written
/// without [`ExportFilter::min_level`] is written with it, it also says what the book has instead.
pub(crate) fn export_at(
    path: &Path,
    target: &ExportTarget,
    options: &ExportOptions,
    progress: impl FnMut(ExportProgress),
) -> Result<(ExportReport, Option<FewReach>), ExportError> {
    let mut book = Reader::open(path)?;
    book.stop_by(&options.stop);
    export_part(&book, target, options, progress)
}

/// Writes a book to a file or to standard output.
pub fn export(
    book: &Reader,
    target: &ExportTarget,
    options: &ExportOptions,
    progress: impl FnMut(ExportProgress),
) -> Result<ExportReport, ExportError> {
    export_part(book, target, options, progress).map(|(report, _)| report)
}

fn export_part(
    book: &Reader,
    target: &ExportTarget,
    options: &ExportOptions,
    mut progress: impl FnMut(ExportProgress),
) -> Result<(ExportReport, Option<FewReach>), ExportError> {
    let failed = |error| ExportError::of_target(target, error);
    let output = Output::create(target).map_err(failed)?;
    let part = match options.filter.is_empty() {
        true => Ok(None),
        false => Part::of(book, target, options).map(Some),
    };
    let written = part.and_then(|part| {
        let whole = part.as_ref().map_or(book, |part| part.book.reader());
        let of = whole.counts()?.positions;
        let mut steps = Steps { progress: &mut progress, stop: &options.stop, done: 0, of };
        let complete = |complete| Completed::of(whole, target, complete, &mut steps);
        let completed = options.complete.map(complete).transpose()?;
        let whole = completed.as_ref().map_or(whole, |completed| completed.book.reader());
        // Our own formats hold everything.
        let cut = match options.format {
            Format::Json | Format::Csv | Format::Tables | Format::TablesCsv => None,
            _ => Cut::of(whole, target)?,
        };
        let counting = cut.as_ref().map_or(whole, |cut| cut.book.reader());
        let mut report = write(counting, target, &output, options, &mut progress)?;
        if let Some(WithoutHeld { only_held, seen_otherwise }) = cut.map(|cut| cut.report) {
            (report.only_held, report.seen_otherwise) = (only_held, seen_otherwise);
        }
        report.filtered = part.as_ref().map_or(0, |part| part.left_out);
        report.completed = completed.as_ref().map_or(0, |completed| completed.searches);
        Ok((report, part.and_then(|part| part.few)))
    });
    let (mut report, few) = written.map_err(|error| match error {
        ExportError::Store(StoreError::Stopped(_)) => ExportError::Stopped(target.name()),
        error => error,
    })?;
    report.bytes = output.finish().map_err(failed)?;
    Ok((report, few))
}

/// Writes nodes of a Zebra book as they are in another of Zebra's files; returns its size.
pub(super) fn write_zebra_nodes(
    target: &ExportTarget,
    format: Format,
    entries: &[ZebraEntry],
) -> Result<u64, ExportError> {
    let write = || -> io::Result<u64> {
        let output = Output::create(target)?;
        let shape = format.zebra_shape().unwrap_or_default();
        write_zebra(&mut output.writer()?, shape, entries)?;
        output.finish()
    };
    write().map_err(|error| ExportError::of_target(target, error))
}

fn write(
    book: &Reader,
    target: &ExportTarget,
    output: &Output,
    options: &ExportOptions,
    progress: &mut dyn FnMut(ExportProgress),
) -> Result<ExportReport, ExportError> {
    let _snapshot = book.snapshot()?;
    let of = book.counts()?.positions;
    let mut steps = Steps { progress, stop: &options.stop, done: 0, of };
    let format = options.format;
    let has_no_start =
        format.facts().wants_start && book.node(&Key::of(Position::START))?.is_none();
    let job = WriteJob {
        book,
        output: output.writer().map_err(|error| ExportError::of_target(target, error))?,
        path: output.path(),
        level: options.level,
        ntest_level: options.ntest_level.or_else(|| target.ntest_level()),
        saved: options.saved,
        max_discs: options.filter.max_discs,
        no_games: options.no_games,
    };
    let report = format
        .room()
        .write(job, &mut steps)
        .map_err(|error| ExportError::of_writing(target, error))?;
    Ok(ExportReport { has_no_start, ..report })
}
