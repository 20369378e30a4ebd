//! Taking books of other programs, and our own exports, into a book.
//!
//! Each file is one transaction: it comes in whole or not at all. Positions that the book has
//! already keep the better search of the two, by the one merge rule.

mod aside;
mod assemble;
mod original;
mod read;
mod repeats;
mod spool;
mod table;
mod terms;
mod write;

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::files::books::{BookInput, FormatError};
use crate::files::counted::{counted, grouped};
use crate::store::{Book, Reader, RunId, StoreError};

use super::book_file::BookFile;
use super::bytes::bytes_of;
use super::clock::this_second;
use super::facts::refused_facts;
use super::undo::{change_book_perhaps, check_undo_place, try_change};
use read::{ReadFile, read_file};
use write::write_file;

pub use terms::{
    FileReport, ImportError, ImportOptions, ImportProgress, ImportReport, ImportStage,
};

/// Takes files into a book, one transaction each. A file is read once, from its first byte to its
/// last: named pipes will do.
pub fn import(
    book: &mut Book,
    files: &[PathBuf],
    options: &ImportOptions,
    progress: impl FnMut(ImportProgress<'_>),
) -> Result<ImportReport, ImportError> {
    let mut report = ImportReport::default();
    import_into(book, files, options, &mut report, progress)?;
    Ok(report)
}

/// As [`import`], but the report holds the result of the files before one that failed, too.
pub(crate) fn import_into(
    book: &mut Book,
    files: &[PathBuf],
    options: &ImportOptions,
    report: &mut ImportReport,
    mut progress: impl FnMut(ImportProgress<'_>),
) -> Result<(), ImportError> {
    let mut run = ImportRun::new(options);
    if options.dry_run {
        let (refused, differs) = try_change(book, |book| {
            for file in files {
                let input = open_input(file, options)?;
                let ready = run.read(book, file, input, &mut progress)?;
                let _: bool = run.bring_in(book, file, ready, report, &mut progress)?;
            }
            Ok::<_, ImportError>(refused_facts(book.reader())?)
        })?;
        (report.not_believed, report.would_change) = (refused, Some(differs));
        return Ok(());
    }
    let done = files.iter().try_for_each(|file| {
        let input = open_input(file, options)?;
        run.import(book, file, input, report, &mut progress)
    });
    // Once for all of them, since all facts are looked at, and also where one of them failed.
    let refused = refused_facts(book.reader());
    done?;
    report.not_believed = refused?;
    Ok(())
}

/// As [`import_into`], into the book of this file. A missing one is made, and goes again when
/// nothing could be taken.
pub(crate) fn import_at(
    book: &BookFile,
    files: &[PathBuf],
    options: &ImportOptions,
    report: &mut ImportReport,
    progress: impl FnMut(ImportProgress<'_>),
) -> Result<(), ImportError> {
    let (mut book, is_new) = book.open_or_create()?;
    let done = import_into(&mut book, files, options, report, progress);
    report.is_new_book = is_new;
    if is_new && (done.is_err() || options.dry_run) && is_empty(book.reader()).unwrap_or_default() {
        report.is_new_book = false;
        book.remove();
    }
    done
}

fn is_empty(book: &Reader) -> Result<bool, StoreError> {
    Ok(book.counts()?.positions == 0 && book.facts().count()? == 0)
}

/// Reads one book file from any reader into a book, in one transaction. The name stands for it in
/// messages and in the book; its ending may give the format.
pub fn import_from(
    book: &mut Book,
    name: &Path,
    input: impl Read,
    options: &ImportOptions,
    mut progress: impl FnMut(ImportProgress<'_>),
) -> Result<ImportReport, ImportError> {
    let mut report = ImportReport::default();
    let input = BookInput::new(input, name, options.format)?;
    import_input(book, name, input, options, &mut report, &mut progress)?;
    Ok(report)
}

/// As [`import_from`], of an input whose format is known by now.
pub(super) fn import_input(
    book: &mut Book,
    name: &Path,
    input: BookInput<'_>,
    options: &ImportOptions,
    report: &mut ImportReport,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<(), ImportError> {
    ImportRun::new(options).import(book, name, input, report, progress)?;
    report.not_believed = refused_facts(book.reader())?;
    Ok(())
}

/// Opens a file and finds out its format; a stop ends the waiting for its first bytes.
pub(super) fn open_input(
    file: &Path,
    options: &ImportOptions,
) -> Result<BookInput<'static>, ImportError> {
    let opened = || -> Result<_, FormatError> {
        let input = bytes_of(file, &options.stop)
            .map_err(|error| FormatError::io(&file.display().to_string(), error))?;
        BookInput::new(input, file, options.format)
    };
    options.unless_stopped(file)?;
    opened().or_else(|error| {
        options.unless_stopped(file)?;
        Err(error.into())
    })
}

/// The note of an import in the book, brought up to date in the transaction of every file.
struct ImportRun<'a> {
    id: Option<RunId>,
    started: String,
    options: &'a ImportOptions,
    /// Whether the book is still to be saved for undo.
    is_unsaved: bool,
}

impl<'a> ImportRun<'a> {
    fn new(options: &'a ImportOptions) -> Self {
        Self { id: None, started: this_second(), options, is_unsaved: options.undo }
    }

    /// Brings a file in with the note of it, and commits.
    fn import(
        &mut self,
        book: &mut Book,
        file: &Path,
        input: BookInput<'_>,
        report: &mut ImportReport,
        progress: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<(), ImportError> {
        if self.is_unsaved {
            check_undo_place(book)?;
        }
        let ready = self.read(book, file, input, progress)?;
        let files = report.files.len();
        let undo = self.is_unsaved;
        let goes_on = self.options.undo && !undo;
        let done = change_book_perhaps(book, undo, |book| {
            let says_more = self.bring_in(book, file, ready, report, progress)?;
            if goes_on {
                book.undo_log().goes_on()?;
            }
            Ok((says_more, says_more))
        });
        match &done {
            Ok(says_more) => self.is_unsaved &= !says_more,
            Err(_) => report.files.truncate(files),
        }
        done.map(drop)
    }

    /// Reads a file wholly and checks it.
    fn read<'i>(
        &self,
        book: &Book,
        file: &Path,
        input: BookInput<'i>,
        progress: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<ReadFile<'i>, ImportError> {
        read_file(book, file, input, self.options, progress).or_else(|error| {
            // A pipe that waits for bytes fails when it is stopped.
            if matches!(error, ImportError::Format(_)) {
                self.options.unless_stopped(file)?;
            }
            Err(error)
        })
    }

    /// Writes what a file holds; nothing is committed. Returns whether the book knows more than before.
    fn bring_in(
        &mut self,
        book: &mut Book,
        file: &Path,
        ready: ReadFile<'_>,
        report: &mut ImportReport,
        progress: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<bool, ImportError> {
        book.take_less_sure();
        let (file, says_more) = write_file(book, file, ready, self.options, progress)?;
        report.files.push(file);
        self.note(book, report)?;
        book.settle()?;
        if let Some(taken) = report.files.last_mut() {
            taken.less_sure = book.take_less_sure();
        }
        Ok(says_more)
    }

    fn note(&mut self, book: &mut Book, report: &ImportReport) -> Result<(), StoreError> {
        let id = match self.id {
            Some(id) => id,
            None => *self.id.insert(book.start_run(&self.options.asked, &self.started)?),
        };
        let sum = |count: fn(&FileReport) -> u64| report.files.iter().map(count).sum::<u64>();
        let (records, new) = (sum(|file| file.records), sum(|file| file.new));
        let replaced = sum(|file| file.replaced);
        let facts = sum(|file| file.facts.as_ref().map_or(0, |facts| facts.new));
        let facts =
            if facts > 0 { format!(", {} new", counted(facts, "fact")) } else { String::new() };
        let files = counted(report.files.len() as u64, "file");
        book.note_progress(id, &format!("{files}, {}", counted(records, "record")))?;
        book.end_run(
            id,
            &this_second(),
            &format!("{} new, {} replaced{facts}", counted(new, "position"), grouped(replaced)),
        )
    }
}
