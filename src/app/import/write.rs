//! Writing the nodes of a file that has been read into a book.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use crate::files::books::{Format, OpenBook};
use crate::openbook::propagate::LessSure;
use crate::openbook::{Node, Source, SourceId};
use crate::store::{Book, Loaded, LoadedFile, NewNode, StoreError};

use super::super::facts::take_facts;
use super::original::Original;
use super::read::{ReadBook, ReadFile};
use super::spool::{Item, Ready, Spool};
use super::table::write_table;
use super::terms::{FileReport, ImportError, ImportOptions, ImportProgress, ImportStage};

/// Nodes between two calls of the progress function.
const STEP: u64 = 1 << 14;

/// Writes the nodes, in a transaction that the caller commits, or rolls back after an error.
pub(super) fn load<E: From<StoreError> + From<io::Error>>(
    book: &mut Book,
    file: &Path,
    opened: &OpenBook<'_>,
    ready: Spool,
    kept: Option<Original>,
    progress: &mut dyn FnMut(u64) -> Result<(), E>,
) -> Result<Loaded, E> {
    let before: HashSet<SourceId> =
        book.reader().sources()?.into_iter().map(|known| known.id).collect();
    let ids = sources_of(book, file, opened)?;
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
            Some(renumbered(item, &ids))
        }
        Err(error) => {
            failed = Some(error.into());
            None
        }
    });
    let LoadedFile { loaded, used } =
        if book.reader().counts()?.positions == 0 && opened.format != Format::Json {
            // What follows from the file alone is then all that there is to follow.
            let mut used = HashSet::new();
            let mut last = None;
            let new = book.fill(items.map(|Ready { node, held }| {
                if last.replace(node.searched.source) != Some(node.searched.source) {
                    used.insert(node.searched.source);
                }
                (node, held)
            }))?;
            LoadedFile { loaded: Loaded { new, ..Loaded::default() }, used }
        } else {
            let records = items.map(|Ready { node, held }| {
                let Node { key, record: rest, searched, left_out, .. } = node;
                NewNode { key, rest, searched, left_out, held }
            });
            book.bulk_load_file(records, opened.format.facts().repeats)?
        };
    if let Some(error) = failed {
        return Err(error);
    }
    // Our own file says itself of what its sources are, facts too.
    let is_used =
        |id: &SourceId| opened.format == Format::Json || before.contains(id) || used.contains(id);
    if let (Some(kept), Some(&source)) = (kept, ids.iter().find(|id| is_used(id))) {
        book.originals().keep(source, &kept.packed)?;
    }
    book.forget_sources(ids.into_iter().filter(|id| !is_used(id)))?;
    Ok(loaded)
}

/// A node with the numbers that the sources of its file have in the book.
fn renumbered(mut item: Ready, ids: &[SourceId]) -> Ready {
    here(&mut item.node.searched.source, ids);
    if let Some(held) = &mut item.held {
        held.searches_mut().for_each(|searched| here(&mut searched.source, ids));
        held.bounds.iter_mut().for_each(|bounds| here(&mut bounds.source, ids));
    }
    item
}

fn here(source: &mut SourceId, ids: &[SourceId]) {
    *source = ids.get(source.0 as usize).copied().unwrap_or(SourceId(0));
}

/// The numbers of a file's sources in a book.
pub(super) fn sources_of(
    book: &mut Book,
    file: &Path,
    opened: &OpenBook<'_>,
) -> Result<Vec<SourceId>, StoreError> {
    let sources = opened.reader.sources().iter();
    sources.map(|facts| book.source_id(&source_row(facts, file, opened))).collect()
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

/// Writes what a file holds; the caller commits, or rolls back after an error. Returns what became of it, and whether
/// the book knows more than before.
pub(super) fn write_file(
    book: &mut Book,
    file: &Path,
    read: ReadFile<'_>,
    options: &ImportOptions,
    progress: &mut dyn FnMut(ImportProgress<'_>),
) -> Result<(FileReport, bool), ImportError> {
    let sources = book.reader().sources()?.len();
    let ReadBook { opened, records, ready, kept, facts, apart, defects } = match read {
        ReadFile::Book(read) => *read,
        ReadFile::Table(read) => {
            let facts = write_table(book, file, &read)?;
            let says_more = facts.new > 0 || book.reader().sources()?.len() != sources;
            let report = FileReport {
                file: file.to_owned(),
                format: Format::Csv,
                records: facts.stated,
                new: 0,
                replaced: 0,
                kept: 0,
                less_sure: LessSure::default(),
                facts: Some(facts),
                defects: read.defects,
            };
            return Ok((report, says_more));
        }
    };
    let mut writing = |done| {
        progress(ImportProgress { file, stage: ImportStage::Writing, done, of: Some(records) });
        options.unless_stopped(file)
    };
    let Loaded { new, replaced, kept } = load(book, file, &opened, ready, kept, &mut writing)?;
    let mut says_more = new + replaced > 0;
    if !apart.is_empty() {
        let ids = sources_of(book, file, &opened)?;
        for (key, mut held) in apart {
            held.bounds.iter_mut().for_each(|bounds| here(&mut bounds.source, &ids));
            says_more |= book.keep_apart(key, &held)?;
        }
    }
    progress(ImportProgress { file, stage: ImportStage::Settling, done: new + replaced, of: None });
    let facts = match facts.is_empty() {
        true => None,
        false => {
            book.settle()?;
            let sources = sources_of(book, file, &opened)?;
            Some(take_facts(book, &facts, &sources)?)
        }
    };
    says_more |= facts.as_ref().is_some_and(|facts| facts.new > 0)
        || book.reader().sources()?.len() != sources;
    let report = FileReport {
        file: file.to_owned(),
        format: opened.format,
        records,
        new,
        replaced,
        kept,
        less_sure: LessSure::default(),
        facts,
        defects,
    };
    Ok((report, says_more))
}
