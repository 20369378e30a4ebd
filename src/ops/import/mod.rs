//! Taking books of other programs, and our own exports, into a book.
//!
//! Each file is one transaction: it comes in whole or not at all. Positions that the book has
//! already keep the better search of the two, by the one merge rule.

mod aside;
mod assemble;
mod original;
mod repeats;
mod spool;
mod table;
mod write;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::{Key, Position};
use crate::book::NodeSource;
use crate::book::propagate::LostProofs;
use crate::counted::counted;
use crate::formats::{
    BookInput, DefectKind, Defects, Format, FormatError, OpenBook, ReadOptions, StatedFact,
};
use crate::search::Stop;
use crate::store::{Book, Loaded, Reader, RunId, StoreError};
use crate::system_error::in_words;
use crate::unfinished::folder_of;

use super::book_file::BookFile;
use super::bytes::bytes_of;
use super::clock::this_second;
use super::facts::{FactReport, RefusedFact, refused_facts, take_facts};
use super::snapshot::RestoreError;
use super::undo::{change_book, check_undo_place};
use aside::Aside;
use assemble::{Surroundings, assemble};
use original::{Copy, Original};
use repeats::Repeats;
use spool::Spool;
use table::{ReadTable, read_table, write_table};
use write::{load, sources_of};

/// How files are to be taken.
#[derive(Clone, Default, Debug)]
pub struct ImportOptions {
    /// The format of all files; else each is sniffed.
    pub format: Option<Format>,
    /// Skip bad records with a note instead of refusing their file.
    pub lenient: bool,
    /// Save the book for `undo` as it is before the first file.
    pub undo: bool,
    /// The command, as the book's list of runs shows it.
    pub asked: String,
    /// Raised to stop: the file that is being read then leaves nothing behind, unless all of it is
    /// in the book and only links and values are still to be found.
    pub stop: Stop,
}

/// How far an import has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportProgress<'a> {
    /// The file.
    pub file: &'a Path,
    /// What is being done.
    pub stage: ImportStage,
    /// Records that this stage has done.
    pub done: u64,
}

/// What an import is doing with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportStage {
    /// Reading and checking its records.
    Reading,
    /// Finding links and values among them.
    Linking,
    /// Writing nodes into the book.
    Writing,
    /// Bringing links and values of the whole book up to date.
    Settling,
}

impl ImportReport {
    /// How many facts were refused.
    #[must_use]
    pub fn refused_facts(&self) -> u64 {
        self.files.iter().filter_map(|file| file.facts.as_ref()).map(|facts| facts.refused).sum()
    }
}

impl ImportStage {
    /// In a word or two.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Linking => "linking",
            Self::Writing => "writing",
            Self::Settling => "computing values",
        }
    }
}

/// What came of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileReport {
    /// The file.
    pub file: PathBuf,
    /// Its format.
    pub format: Format,
    /// Records read.
    pub records: u64,
    /// Positions that the book did not have.
    pub new: u64,
    /// Positions whose search was replaced by the file's better one.
    pub replaced: u64,
    /// Positions that the book knew at least as well.
    pub kept: u64,
    /// Positions that the book had of which less is proven than before.
    pub lost_proofs: LostProofs,
    /// What came of its facts, if it has some.
    pub facts: Option<FactReport>,
    /// What was wrong with the file.
    pub defects: Defects,
}

/// What came of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ImportReport {
    /// Each file, in the order given.
    pub files: Vec<FileReport>,
    /// Facts of the book that are not believed, because of what the files prove.
    pub not_believed: Vec<RefusedFact>,
    /// [`import_at`]: whether the book was made for it.
    pub is_new_book: bool,
}

/// Why an import failed. Files before the one that failed are in the book; nothing of that one is.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The book.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Temporary files.
    #[error("temporary file beside the book: {}", in_words(.0))]
    Spool(#[from] io::Error),
    /// The book cannot be saved for undo.
    #[error(transparent)]
    Undo(#[from] RestoreError),
    /// [`ImportOptions::stop`] was raised.
    #[error("interrupted: nothing of {} was taken", .0.display())]
    Stopped(PathBuf),
}

/// Takes files into a book, one transaction each. A file is read once, from its first byte to its
/// last: named pipes will do.
///
/// # Errors
/// The first file that cannot be read or taken; what it is in [`ImportError`].
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

/// As [`import`], but the report holds what came of the files before one that failed, too.
///
/// # Errors
/// As for [`import`].
pub fn import_into(
    book: &mut Book,
    files: &[PathBuf],
    options: &ImportOptions,
    report: &mut ImportReport,
    mut progress: impl FnMut(ImportProgress<'_>),
) -> Result<(), ImportError> {
    let mut run = ImportRun::new(options);
    for file in files {
        let input = open_input(file, options)?;
        run.import(book, file, input, report, &mut progress)?;
    }
    Ok(())
}

/// As [`import_into`], into the book of this file. A missing one is made, and goes again when
/// nothing could be taken.
///
/// # Errors
/// As for [`import`].
pub fn import_at(
    book: &BookFile,
    files: &[PathBuf],
    options: &ImportOptions,
    report: &mut ImportReport,
    progress: impl FnMut(ImportProgress<'_>),
) -> Result<(), ImportError> {
    let (mut book, is_new) = book.open_or_create()?;
    let done = import_into(&mut book, files, options, report, progress);
    report.is_new_book = is_new;
    if is_new && done.is_err() && is_empty(book.reader())? {
        report.is_new_book = false;
        book.remove()?;
    }
    done
}

fn is_empty(book: &Reader) -> Result<bool, StoreError> {
    Ok(book.counts()?.positions == 0 && book.count_facts()? == 0)
}

/// Takes one book file from any reader into a book, in one transaction. The name stands for it in
/// messages and in the book; its ending may tell the format.
///
/// # Errors
/// As for [`import`].
pub fn import_from(
    book: &mut Book,
    name: &Path,
    input: impl Read,
    options: &ImportOptions,
    mut progress: impl FnMut(ImportProgress<'_>),
) -> Result<ImportReport, ImportError> {
    let mut report = ImportReport::default();
    let input = BookInput::new(input, name, options.format)?;
    ImportRun::new(options).import(book, name, input, &mut report, &mut progress)?;
    Ok(report)
}

/// As [`import_from`], of an input whose format is known by now.
///
/// # Errors
/// As for [`import`].
pub(super) fn import_input(
    book: &mut Book,
    name: &Path,
    input: BookInput<'_>,
    options: &ImportOptions,
    report: &mut ImportReport,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<(), ImportError> {
    ImportRun::new(options).import(book, name, input, report, progress)
}

/// Opens a file and finds out its format; a stop ends the waiting for its first bytes.
///
/// # Errors
/// As for [`import`].
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

impl ImportOptions {
    fn unless_stopped(&self, file: &Path) -> Result<(), ImportError> {
        match self.stop.is_stopped() {
            true => Err(ImportError::Stopped(file.to_owned())),
            false => Ok(()),
        }
    }
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
            check_undo_place(book.reader().path())?;
        }
        let ready = read_file(book, file, input, self.options, progress).or_else(|error| {
            // A pipe that waits for bytes fails when it is stopped.
            if matches!(error, ImportError::Format(_)) {
                self.options.unless_stopped(file)?;
            }
            Err(error)
        })?;
        let files = report.files.len();
        let undo = self.is_unsaved;
        let done =
            change_book(book, undo, |book| self.bring_in(book, file, ready, report, progress));
        match done {
            Ok(()) => self.is_unsaved = false,
            Err(_) => report.files.truncate(files),
        }
        done
    }

    /// Writes what a file holds; nothing is committed.
    fn bring_in(
        &mut self,
        book: &mut Book,
        file: &Path,
        ready: ReadFile<'_>,
        report: &mut ImportReport,
        progress: &mut dyn FnMut(ImportProgress<'_>),
    ) -> Result<(), ImportError> {
        book.take_lost_proofs();
        report.files.push(write_file(book, file, ready, self.options, progress)?);
        self.note(book, report)?;
        book.settle()?;
        if let Some(taken) = report.files.last_mut() {
            taken.lost_proofs = book.take_lost_proofs();
        }
        report.not_believed = refused_facts(book.reader())?;
        Ok(())
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
            &format!("{new} positions new, {replaced} replaced{facts}"),
        )
    }
}

/// Records between two calls of the progress function.
const STEP: u64 = 1 << 14;

/// A file that has been read to its end.
enum ReadFile<'a> {
    Book(Box<ReadBook<'a>>),
    Table(ReadTable),
}

/// A book that has been read to its end.
struct ReadBook<'a> {
    opened: OpenBook<'a>,
    records: u64,
    ready: Spool,
    kept: Option<Original>,
    facts: Vec<StatedFact>,
    defects: Defects,
}

/// Reads a file and finds the links and values in it. The book is only asked.
fn read_file<'a>(
    book: &Book,
    file: &Path,
    mut input: BookInput<'a>,
    options: &ImportOptions,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<ReadFile<'a>, ImportError> {
    let read_options = ReadOptions { lenient: options.lenient };
    let folder = folder_of(book.reader().path()).to_owned();
    let unless_stopped = || options.unless_stopped(file);
    unless_stopped()?;
    if input.format() == Format::Csv {
        let step = |done: u64| -> Result<(), ImportError> {
            if done.is_multiple_of(STEP) {
                unless_stopped()?;
                progress(ImportProgress { file, stage: ImportStage::Reading, done });
            }
            Ok(())
        };
        return read_table(input, read_options, step).map(ReadFile::Table);
    }
    let copy = Copy::of(&mut input, &folder)?;
    let mut opened = input.records(read_options)?;
    let name = file.display().to_string();

    tracing::info!(file = %file.display(), format = %opened.format, "importing");

    let mut spool = Spool::new(folder.clone());
    let mut has_start = false;
    let mut records = 0;
    let mut repeats = Repeats::new();
    while let Some(entry) = opened.reader.next_entry(&name, read_options)? {
        has_start |= entry.key.position() == Position::START;
        if let Some(count) = repeats.too_many_with(entry.key) {
            let found = format!("{count} records of positions that have one already");
            return Err(FormatError::repeated(&name, found).into());
        }
        spool.push(&entry)?;
        records += 1;
        if records % STEP == 0 {
            unless_stopped()?;
            progress(ImportProgress { file, stage: ImportStage::Reading, done: records });
        }
    }
    let facts = opened.reader.take_facts();
    let mut defects = std::mem::take(opened.reader.defects());
    if !has_start && records > 0 {
        defects.note(DefectKind::NoStart, || "the start position has no record".to_owned());
    }

    let in_book = |key: Key| -> Result<bool, ImportError> { Ok(book.node(&key)?.is_some()) };
    let mut linking = |done| {
        progress(ImportProgress { file, stage: ImportStage::Linking, done });
        unless_stopped()
    };
    let is_copied = copy.is_some();
    let kept = copy.map(Copy::original).transpose()?.flatten();
    if is_copied && kept.is_none() {
        defects.note(DefectKind::NotKept, || name.clone());
    }
    let OpenBook { format, reader, .. } = &opened;
    let mut aside = Aside::of(*format, reader.head(), reader.sources());
    let surroundings = Surroundings {
        own_values: kept.as_ref().map(|kept| &kept.values),
        states_links: opened.format.states_links(),
        in_book: &in_book,
        aside: aside.as_mut(),
        progress: &mut linking,
    };
    let ready = assemble(spool, &folder, surroundings, &mut defects)?;
    defects.log(&name);
    let kept = match aside.and_then(Aside::into_bytes) {
        Some(bytes) => Original::of_bytes(&bytes)?,
        None => kept,
    };
    let read = ReadBook { opened, records, ready, kept, facts, defects };
    Ok(ReadFile::Book(Box::new(read)))
}

/// Writes what a file holds; the caller commits, or rolls back after an error.
fn write_file(
    book: &mut Book,
    file: &Path,
    read: ReadFile<'_>,
    options: &ImportOptions,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<FileReport, ImportError> {
    let ReadBook { opened, records, ready, kept, facts, defects } = match read {
        ReadFile::Book(read) => *read,
        ReadFile::Table(read) => {
            let facts = write_table(book, file, &read)?;
            return Ok(FileReport {
                file: file.to_owned(),
                format: Format::Csv,
                records: facts.stated,
                new: 0,
                replaced: 0,
                kept: 0,
                lost_proofs: LostProofs::default(),
                facts: Some(facts),
                defects: read.defects,
            });
        }
    };
    let mut writing = |done| {
        progress(ImportProgress { file, stage: ImportStage::Writing, done });
        options.unless_stopped(file)
    };
    let Loaded { new, replaced, kept } = load(book, file, &opened, ready, kept, &mut writing)?;
    progress(ImportProgress { file, stage: ImportStage::Settling, done: new + replaced });
    let facts = match facts.is_empty() {
        true => None,
        false => {
            book.settle()?;
            let sources = sources_of(book, file, &opened)?;
            Some(take_facts(book, &facts, &sources)?)
        }
    };
    Ok(FileReport {
        file: file.to_owned(),
        format: opened.format,
        records,
        new,
        replaced,
        kept,
        lost_proofs: LostProofs::default(),
        facts,
        defects,
    })
}
