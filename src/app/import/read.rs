//! A file read to its end, with the links and values in it.

use std::path::Path;

use crate::files::books::{
    BookInput, DefectKind, Defects, Format, FormatError, OpenBook, ReadOptions, StatedFact,
};
use crate::openbook::{Held, NodeSource};
use crate::othello::board::{Key, Position};
use crate::store::Book;
use crate::store::unfinished::folder_of;

use super::aside::Aside;
use super::assemble::{Surroundings, assemble};
use super::original::{Copy, Original};
use super::repeats::Repeats;
use super::spool::Spool;
use super::table::{ReadTable, read_table};
use super::terms::{ImportError, ImportOptions, ImportProgress, ImportStage};

/// Records between two calls of the progress function.
const STEP: u64 = 1 << 14;

/// A file that has been read to its end.
pub(super) enum ReadFile<'a> {
    Book(Box<ReadBook<'a>>),
    Table(ReadTable),
}

/// A book that has been read to its end.
pub(super) struct ReadBook<'a> {
    pub(super) opened: OpenBook<'a>,
    pub(super) records: u64,
    pub(super) ready: Spool,
    pub(super) kept: Option<Original>,
    pub(super) facts: Vec<StatedFact>,
    /// What is proven of positions that are no records.
    pub(super) apart: Vec<(Key, Held)>,
    pub(super) defects: Defects,
}

/// Reads a file and finds the links and values in it. The book is only asked.
pub(super) fn read_file<'a>(
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
    if options.level.is_some() && !input.is_without_levels() {
        return Err(ImportError::HasLevels(file.to_owned()));
    }
    if input.format() == Format::Csv {
        let step = |done: u64| -> Result<(), ImportError> {
            if done.is_multiple_of(STEP) {
                unless_stopped()?;
                progress(ImportProgress { file, stage: ImportStage::Reading, done, of: None });
            }
            Ok(())
        };
        return read_table(input, read_options, step).map(ReadFile::Table);
    }
    let copy = Copy::of(&mut input, &folder)?;
    let mut opened = input.at_level(options.level).records(read_options)?;
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
            progress(ImportProgress { file, stage: ImportStage::Reading, done: records, of: None });
        }
    }
    let facts = opened.reader.take_facts();
    let apart = opened.reader.take_apart();
    let mut defects = std::mem::take(opened.reader.defects());
    if !has_start && records > 0 {
        defects.note(DefectKind::NoStart, || "the start position has no record".to_owned());
    }

    let in_book = |key: Key| -> Result<bool, ImportError> { Ok(book.node(&key)?.is_some()) };
    let mut linking = |done| {
        progress(ImportProgress { file, stage: ImportStage::Linking, done, of: Some(records) });
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
        states_links: opened.format.facts().states_links,
        keeps_valueless: opened.format == Format::Json,
        in_book: &in_book,
        aside: aside.as_mut(),
        progress: &mut linking,
    };
    let ready = assemble(spool, &folder, surroundings, &mut defects)?;
    if aside.as_ref().is_some_and(Aside::is_too_much) {
        defects.note(DefectKind::NotKept, || name.clone());
    }
    defects.log(&name);
    let kept = match aside.and_then(Aside::into_bytes) {
        Some(bytes) => Original::of_bytes(&bytes)?,
        None => kept,
    };
    let read = ReadBook { opened, records, ready, kept, facts, apart, defects };
    Ok(ReadFile::Book(Box::new(read)))
}
