//! Taking books of other programs, and our own exports, into a book.
//!
//! Each file is one transaction: it comes in whole or not at all. Positions that the book has
//! already keep the better search of the two, by the one merge rule.

mod assemble;
mod bytes;
mod original;
mod spool;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::Key;
use crate::board::Position;
use crate::book::merge::Incoming;
use crate::book::{Node, NodeSource, Searched, Source, SourceId};
use crate::counted::counted;
use crate::formats::{BookInput, DefectKind, Defects, Format, FormatError, OpenBook, ReadOptions};
use crate::search::Stop;
use crate::store::{Book, Loaded, NewNode, RunId, StoreError};
use crate::unfinished::folder_of;

use super::book_file::BookFile;
use super::clock::this_second;
use super::merge::merge_rule;
use assemble::{Surroundings, assemble};
use bytes::bytes_of;
use original::{Copy, Original};
use spool::{Item, Ready, Spool};

/// How files are to be taken.
#[derive(Clone, Default, Debug)]
pub struct ImportOptions {
    /// The format of all files; else each is sniffed.
    pub format: Option<Format>,
    /// Skip bad records with a note instead of refusing their file.
    pub lenient: bool,
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
    /// What was wrong with the file.
    pub defects: Defects,
}

/// What came of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ImportReport {
    /// Each file, in the order given.
    pub files: Vec<FileReport>,
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
    #[error("temporary file beside the book: {0}")]
    Spool(#[from] io::Error),
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
    if is_new && done.is_err() && book.reader().counts()?.positions == 0 {
        report.is_new_book = false;
        book.remove()?;
    }
    done
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
}

impl<'a> ImportRun<'a> {
    fn new(options: &'a ImportOptions) -> Self {
        Self { id: None, started: this_second(), options }
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
        let taken = import_file(book, file, input, self.options, progress).or_else(|error| {
            // A pipe that waits for bytes fails when it is stopped.
            if matches!(error, ImportError::Format(_)) {
                self.options.unless_stopped(file)?;
            }
            Err(error)
        })?;
        report.files.push(taken);
        if let Err(error) = self.note(book, report) {
            book.rollback();
            report.files.pop();
            return Err(error.into());
        }
        Ok(book.commit()?)
    }

    fn note(&mut self, book: &mut Book, report: &ImportReport) -> Result<(), StoreError> {
        let id = match self.id {
            Some(id) => id,
            None => *self.id.insert(book.start_run(&self.options.asked, &self.started)?),
        };
        let sum = |count: fn(&FileReport) -> u64| report.files.iter().map(count).sum::<u64>();
        let (records, new) = (sum(|file| file.records), sum(|file| file.new));
        let replaced = sum(|file| file.replaced);
        let files = counted(report.files.len() as u64, "file");
        book.note_progress(id, &format!("{files}, {}", counted(records, "record")))?;
        book.end_run(id, &this_second(), &format!("{new} positions new, {replaced} replaced"))
    }
}

/// Records between two calls of the progress function.
const STEP: u64 = 1 << 14;

/// Brings a file in; the caller commits. After an error nothing of it is there.
fn import_file(
    book: &mut Book,
    file: &Path,
    mut input: BookInput<'_>,
    options: &ImportOptions,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<FileReport, ImportError> {
    let read_options = ReadOptions { lenient: options.lenient };
    let folder = folder_of(book.reader().path()).to_owned();
    let unless_stopped = || options.unless_stopped(file);
    unless_stopped()?;
    let copy = Copy::of(&mut input, &folder)?;
    let mut opened = input.records(read_options)?;
    let name = file.display().to_string();

    tracing::info!(file = %file.display(), format = %opened.format, "importing");

    let mut spool = Spool::new(folder.clone());
    let mut has_start = false;
    let mut records = 0;
    while let Some(entry) = opened.reader.next_entry(&name, read_options)? {
        has_start |= entry.key.position() == Position::START;
        spool.push(&entry)?;
        records += 1;
        if records % STEP == 0 {
            unless_stopped()?;
            progress(ImportProgress { file, stage: ImportStage::Reading, done: records });
        }
    }
    let mut defects = std::mem::take(opened.reader.defects());
    if !has_start && records > 0 {
        defects.note(DefectKind::NoStart, || "the start position has no record".to_owned());
    }

    let in_book = |key: Key| -> Result<bool, ImportError> { Ok(book.node(&key)?.is_some()) };
    let mut linking = |done| {
        progress(ImportProgress { file, stage: ImportStage::Linking, done });
        unless_stopped()
    };
    let kept = copy.map(Copy::original).transpose()?.flatten();
    let surroundings = Surroundings {
        own_values: kept.as_ref().map(|kept| &kept.values),
        states_links: opened.format.states_links(),
        in_book: &in_book,
        progress: &mut linking,
    };
    let ready = assemble(spool, &folder, surroundings, &mut defects)?;

    let mut writing = |done| {
        progress(ImportProgress { file, stage: ImportStage::Writing, done });
        unless_stopped()
    };
    let loaded = load(book, file, &opened, ready, kept, &mut writing);
    let (new, replaced, kept) = match loaded {
        Ok(counts) => counts,
        Err(error) => {
            book.rollback();
            return Err(error);
        }
    };
    progress(ImportProgress { file, stage: ImportStage::Settling, done: new + replaced });
    Ok(FileReport {
        file: file.to_owned(),
        format: opened.format,
        records,
        new,
        replaced,
        kept,
        defects,
    })
}

/// Writes the nodes; the caller commits.
fn load(
    book: &mut Book,
    file: &Path,
    opened: &OpenBook<'_>,
    ready: Spool,
    kept: Option<Original>,
    progress: &mut dyn FnMut(u64) -> Result<(), ImportError>,
) -> Result<(u64, u64, u64), ImportError> {
    // What was brought in before must not be undone with this file.
    book.commit()?;
    let mut ids = Vec::new();
    for facts in opened.reader.sources() {
        ids.push(book.source_id(&source_row(facts, file, opened))?);
    }
    let mut failed = None;
    let mut done = 0;
    let records = Records { ready, discs: 0, bytes: Vec::new(), at: 0 };
    let items = records.map_while(|item| match item {
        Ok(item) => {
            if done % STEP == 0
                && let Err(error) = progress(done)
            {
                failed = Some(error);
                return None;
            }
            done += 1;
            let source = ids.get(item.source as usize).copied().unwrap_or(SourceId(0));
            let searched = Searched { depth: item.depth, selectivity: item.selectivity, source };
            Some((item, searched))
        }
        Err(error) => {
            failed = Some(error.into());
            None
        }
    });
    let loaded = if book.reader().counts()?.positions == 0 {
        // What follows from the file alone is then all that there is to follow.
        let new = book.fill(items.map(|(item, searched)| Node {
            key: item.key,
            links: item.links,
            rest: item.rest,
            searched,
            values: item.values,
        }))?;
        Loaded { new, replaced: 0, kept: 0 }
    } else {
        let rule = merge_rule(book.reader())?;
        let records = items.map(|(item, searched)| {
            (NewNode { key: item.key, rest: item.rest, searched }, item.links)
        });
        book.bulk_load_with(records, |present, &NewNode { rest, searched, .. }, &links| {
            rule.prefer(present, &Incoming { rest, searched, links }).into()
        })?
    };
    if let (Some(kept), Some(&source)) = (kept, ids.first()) {
        book.keep_original(source, &kept.packed)?;
    }
    match failed {
        Some(error) => Err(error),
        None => Ok((loaded.new, loaded.replaced, loaded.kept)),
    }
}

/// The provenance of a file's records. Our own exports bring theirs along.
fn source_row(facts: &Source, file: &Path, opened: &OpenBook<'_>) -> Source {
    if opened.format == Format::Json {
        return facts.clone();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Source { file: name, checksum: opened.checksum(), ..facts.clone() }
}

/// The nodes in the order of the store.
struct Records {
    ready: Spool,
    /// The next layer to take.
    discs: u8,
    bytes: Vec<u8>,
    at: usize,
}

impl Iterator for Records {
    type Item = io::Result<Ready>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(mut rest) = self.bytes.get(self.at..)
                && let Some(item) = Ready::decode(&mut rest)
            {
                self.at = self.bytes.len() - rest.len();
                return Some(Ok(item));
            }
            if self.discs > 64 {
                return None;
            }
            self.at = 0;
            match self.ready.unload(self.discs) {
                Ok(bytes) => self.bytes = bytes,
                Err(error) => return Some(Err(error)),
            }
            self.discs += 1;
        }
    }
}
