//! Writing a book as a file for other programs, or as our own complete JSON Lines.
//!
//! The file is written beside its target and takes its name when it is complete.

mod children;
mod edax;
mod egaroucid;
mod few;
mod filter;
mod ntest;
mod original;
mod table;
mod target;
mod zebra;

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::board::{Key, Position};
use crate::book::Node;
use crate::formats::Format;
use crate::formats::ntest::NtestVersion;
use crate::formats::zebra::ZebraEntry;
use crate::search::{Level, Stop};
use crate::store::{Reader, StoreError};

pub use crate::formats::{ExportReport, Loss, not_held};
pub use few::FewReach;
pub use filter::ExportFilter;
pub use target::ExportTarget;

use super::clock::this_second;
use filter::Part;
pub(in crate::ops) use target::Output;

/// What to write.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// Edax and Egaroucid: the level for all records, instead of the one that each was searched at.
    pub level: Option<Level>,
    /// Edax: year, month, day, hour, minute, second for the header.
    pub saved: (i16, i8, i8, i8, i8, i8),
    /// Which part of the book.
    pub filter: ExportFilter,
    /// Raised to stop: the target then stays as it was.
    pub stop: Stop,
}

impl Default for ExportOptions {
    /// Everything, as our own JSON Lines.
    fn default() -> Self {
        Self::new(Format::Json)
    }
}

impl ExportOptions {
    /// Everything, in this format, dated 2000-01-01 where the format has a date.
    #[must_use]
    pub fn new(format: Format) -> Self {
        let (filter, stop) = (ExportFilter::default(), Stop::new());
        Self { format, level: None, saved: (2000, 1, 1, 0, 0, 0), filter, stop }
    }

    /// Everything, in this format, dated now.
    #[must_use]
    pub fn now(format: Format) -> Self {
        let now = this_second();
        let mut parts = now.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
        let mut next = || parts.next().flatten().unwrap_or_default();
        let year: i16 = next();
        let mut small = || i8::try_from(next()).unwrap_or_default();
        let saved = (year, small(), small(), small(), small(), small());
        Self { saved, ..Self::new(format) }
    }
}

/// How far an export has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportProgress {
    /// Positions written.
    pub done: u64,
    /// Positions to write.
    pub of: u64,
}

/// Why an export failed. The target is as it was.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The book.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The target.
    #[error("cannot write {target}")]
    Target {
        /// Its name.
        target: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// What is to be exported from is no position of the book.
    #[error("the position to export from is not in the book")]
    NotInBook,
    /// No position was searched at [`ExportFilter::min_level`] but the one that lines start from.
    #[error("nothing to export: {0}")]
    NothingLeft(FewReach),
    /// The format needs the moves from the start.
    #[error("a Zebra book holds moves, not boards: give the position to export from as a line")]
    NoWay,
    /// [`ExportOptions::stop`] was raised.
    #[error("interrupted: {0} is as it was")]
    Stopped(String),
}

/// Inside an export: the target's name is added at the end.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("not in the book")]
    NotInBook,
    #[error("nothing left")]
    NothingLeft(FewReach),
    #[error("no line from the start")]
    NoWay,
    #[error("stopped")]
    Stopped,
}

impl From<csv::Error> for Failure {
    fn from(error: csv::Error) -> Self {
        Self::Io(error.into())
    }
}

/// As [`export`], of the book of this path. Where fewer than one position in ten was searched at
/// [`ExportFilter::min_level`], it also says what the book has instead.
///
/// # Errors
/// As for [`export`], and when the book cannot be opened.
pub fn export_at(
    path: &Path,
    target: &ExportTarget,
    options: &ExportOptions,
    progress: impl FnMut(ExportProgress),
) -> Result<(ExportReport, Option<FewReach>), ExportError> {
    let book = Reader::open(path)?;
    let report = export(&book, target, options, progress)?;
    let few = match options.filter.min_level {
        Some(level) if report.filtered / 10 >= report.positions => {
            Some(FewReach::of(&book, level, report.positions)?)
        }
        _ => None,
    };
    Ok((report, few))
}

/// Writes a book to a file or to standard output.
///
/// # Errors
/// The target cannot be written, which is found out first, or the book cannot be read.
pub fn export(
    book: &Reader,
    target: &ExportTarget,
    options: &ExportOptions,
    mut progress: impl FnMut(ExportProgress),
) -> Result<ExportReport, ExportError> {
    let failed = |error| ExportError::Target { target: target.name(), error };
    let output = Output::create(target).map_err(failed)?;
    let part = match options.filter.is_empty() {
        true => Ok(None),
        false => Part::of(book, options).map(Some),
    };
    let written = part.and_then(|part| {
        let whole = part.as_ref().map_or(book, |part| part.book.reader());
        let mut report = write(whole, &output, options, &mut progress)?;
        report.filtered = part.as_ref().map_or(0, |part| part.left_out);
        Ok(report)
    });
    let mut report = written.map_err(|error| match error {
        Failure::Store(error) => ExportError::Store(error),
        Failure::Io(error) => failed(error),
        Failure::NotInBook => ExportError::NotInBook,
        Failure::NothingLeft(few) => ExportError::NothingLeft(few),
        Failure::NoWay => ExportError::NoWay,
        Failure::Stopped => ExportError::Stopped(target.name()),
    })?;
    report.bytes = output.finish().map_err(failed)?;
    Ok(report)
}

/// Writes nodes of a Zebra book as they are in another of Zebra's files; returns its size.
///
/// # Errors
/// The target cannot be written.
pub(super) fn write_zebra_nodes(
    target: &ExportTarget,
    format: Format,
    entries: &[ZebraEntry],
) -> Result<u64, ExportError> {
    let write = || -> io::Result<u64> {
        let output = Output::create(target)?;
        zebra::write(output.writer()?, format, entries)?;
        output.finish()
    };
    write().map_err(|error| ExportError::Target { target: target.name(), error })
}

fn write(
    book: &Reader,
    output: &Output,
    options: &ExportOptions,
    progress: &mut dyn FnMut(ExportProgress),
) -> Result<ExportReport, Failure> {
    let _snapshot = book.snapshot()?;
    let writer = output.writer()?;
    let of = book.counts()?.positions;
    let mut steps = Steps { progress, stop: &options.stop, done: 0, of };
    match options.format {
        Format::Json => table::json(book, writer, &mut steps),
        Format::Csv => table::csv(book, writer, &mut steps),
        Format::Egaroucid => egaroucid::book(book, writer, options.level, &mut steps),
        Format::Zebra | Format::ZebraText | Format::ZebraCmp | Format::ZebraCmpZ => {
            zebra::book(book, writer, options.format, &mut steps)
        }
        Format::Ntest => ntest::book(book, writer, NtestVersion::Forest, &mut steps),
        Format::Ntest1 => ntest::book(book, writer, NtestVersion::Records, &mut steps),
        Format::Edax => edax::binary(book, writer, options, &mut steps),
        Format::EdaxText => edax::text(book, writer, options, &mut steps),
    }
}

/// Counts positions, and now and then tells of them and asks whether to go on.
struct Steps<'a> {
    progress: &'a mut dyn FnMut(ExportProgress),
    stop: &'a Stop,
    done: u64,
    of: u64,
}

impl Steps<'_> {
    fn step(&mut self) -> Result<(), Failure> {
        if self.done.is_multiple_of(1 << 14) {
            (self.progress)(ExportProgress { done: self.done, of: self.of });
            if self.stop.is_stopped() {
                return Err(Failure::Stopped);
            }
        }
        self.done += 1;
        Ok(())
    }
}

/// Gives the nodes of a layer in the order of keys. The store's order is the same but for boards
/// whose highest bit is set.
fn for_each_in_key_order(
    book: &Reader,
    discs: u8,
    mut each: impl FnMut(Node) -> Result<(), Failure>,
) -> Result<(), Failure> {
    // Nodes with h8 taken by the mover come first there and last here; there are few.
    let mut last = Vec::new();
    // Of one mover board, those with h8 taken by the opponent come first there.
    let mut same_mover: Vec<Node> = Vec::new();
    book.for_each_in_layer(discs, |node| -> Result<(), Failure> {
        let Position { mover, .. } = node.key.position();
        if mover >> 63 != 0 {
            last.push(node);
            return Ok(());
        }
        if same_mover.first().is_some_and(|first| first.key.position().mover != mover) {
            same_mover.sort_unstable_by_key(|node| node.key);
            same_mover.drain(..).try_for_each(&mut each)?;
        }
        same_mover.push(node);
        Ok(())
    })?;
    same_mover.sort_unstable_by_key(|node| node.key);
    last.sort_unstable_by_key(|node: &Node| node.key);
    same_mover.into_iter().chain(last).try_for_each(each)
}

/// A map that is quick on keys.
type KeyMap<T> = std::collections::HashMap<Key, T, foldhash::fast::FixedState>;
