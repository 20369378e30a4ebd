//! Saving a whole book in a small file, and reading such a file.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::clock::this_second;
use super::output::{ExportTarget, Output};
use super::summed::Summed;
use crate::files::books::snapshot::{
    SnapshotError, SnapshotHeader, SnapshotNode, SnapshotReader, SnapshotWriter,
};
use crate::openbook::{Held, Hint, Node, SourceId};
use crate::othello::board::Key;
use crate::othello::search::Stop;
use crate::store::{Book, Fact, NewNode, Reader, StoreError};

/// Why a snapshot could not be taken or restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    #[error("snapshot {}: {cause}", path.display())]
    Snapshot { path: PathBuf, cause: SnapshotError },
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A file of a user's has a name under which the book is saved for [`super::undo()`].
    #[error(
        "{} is where the book is saved for 'undo', and is something else ({cause}): move it away, \
         or go on with --no-undo", path.display()
    )]
    UndoTaken { path: PathBuf, cause: SnapshotError },
    /// The saved book that a change is taken back with, or done again, is not there any more, or another one is.
    #[error(
        "change {change} ('{asked}') cannot be {}: the saved book {} is missing, or is not the one that was saved",
        if *is_undone { "done again" } else { "undone" }, path.display()
    )]
    SavedIsMissing {
        change: u64,
        asked: String,
        /// Whether it was to be done again.
        is_undone: bool,
        path: PathBuf,
    },
    /// There is nothing to take back.
    #[error(
        "there is nothing to undo for {}: growth, imports and other changes of its positions can be undone, \
         changes of its games cannot", book.display()
    )]
    NothingToUndo { book: PathBuf, has_games: bool },
    #[error("there is nothing to do again for {}: nothing was undone since the last change", .0.display())]
    NothingToRedo(PathBuf),
    #[error("there is no change {change} to undo for {}", book.display())]
    NoSuchChange { book: PathBuf, change: u64 },
    #[error("stopped while the book was being saved")]
    GivenUp,
}

impl RestoreError {
    pub(crate) fn hint(&self) -> Option<Hint> {
        match self {
            Self::NothingToUndo { has_games, .. } => has_games.then_some(Hint::RemoveGames),
            Self::NoSuchChange { .. } => Some(Hint::ListChanges),
            _ => None,
        }
    }

    /// Whether the output's reader has gone.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Snapshot { cause: SnapshotError::Io(error), .. }
            if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Writes a book as a snapshot into a file, and says how many positions there are: see
/// [`take_snapshot_to`].
pub fn take_snapshot(book: &Reader, path: &Path) -> Result<u64, RestoreError> {
    let taken = take_snapshot_to(book, &ExportTarget::File(path.to_owned()));
    taken.map(|(positions, _)| positions)
}

/// Writes a book as a snapshot, as it is at one moment; returns the number of positions and of
/// bytes. A file appears, or is replaced, only when it is complete.
pub(crate) fn take_snapshot_to(
    book: &Reader,
    target: &ExportTarget,
) -> Result<(u64, u64), RestoreError> {
    let (output, (positions, _)) = write_to(book, target, &Stop::new())?;
    let bytes = output.finish().map_err(|cause| failed_at(target, cause))?;
    Ok((positions, bytes))
}

/// Writes a book as a snapshot that is not in its place yet; its checksum.
pub(super) fn write_snapshot(
    book: &Reader,
    path: &Path,
    stop: &Stop,
) -> Result<(Output, String), RestoreError> {
    let (output, (_, checksum)) = write_to(book, &ExportTarget::File(path.to_owned()), stop)?;
    Ok((output, checksum))
}

fn write_to(
    book: &Reader,
    target: &ExportTarget,
    stop: &Stop,
) -> Result<(Output, (u64, String)), RestoreError> {
    let failed = |cause: io::Error| failed_at(target, cause);
    let output = Output::create_any(target).map_err(failed)?;
    let written = write_all(book, output.writer().map_err(failed)?, stop, &failed)?;
    Ok((output, written))
}

fn failed_at(target: &ExportTarget, cause: io::Error) -> RestoreError {
    RestoreError::Snapshot { path: target.name().into(), cause: cause.into() }
}

/// Writes all of a book; how many positions there are, and the checksum of what was written.
fn write_all(
    book: &Reader,
    file: BufWriter<File>,
    stop: &Stop,
    failed: &dyn Fn(io::Error) -> RestoreError,
) -> Result<(u64, String), RestoreError> {
    let _snapshot = book.snapshot()?;
    book.check_layers()?;
    let counts = book.counts()?;
    let sources = book.sources()?.into_iter().map(|known| (known.id.0, known.source));
    let originals = book.originals().sources()?;
    let held = book.all_held()?;
    let header = SnapshotHeader {
        sources: sources.collect(),
        taken: this_second(),
        positions: counts.positions,
        originals: originals.iter().map(|source| source.0).collect(),
        facts: book.facts().count()?,
        held: held.len() as u64,
        book: book.identity()?,
    };
    let mut writer = SnapshotWriter::new(Summed::new(file), &header).map_err(failed)?;
    for source in originals {
        let packed = book.originals().packed(source)?.unwrap_or_default();
        writer.original(&packed).map_err(failed)?;
    }
    if header.facts > 0 {
        let mut facts = Vec::new();
        book.facts().for_each(|fact| {
            facts.push(fact);
            Ok::<_, StoreError>(())
        })?;
        writer.facts(&facts).map_err(failed)?;
    }
    if !held.is_empty() {
        writer.held(&held).map_err(failed)?;
    }
    for (discs, count) in counts.layers {
        let mut layer: Vec<Node> = Vec::with_capacity(count as usize);
        book.for_each_in_layer(discs, |node| {
            layer.push(node);
            if stop.is_stopped() { Err(RestoreError::GivenUp) } else { Ok(()) }
        })?;
        writer.layer(discs, &layer).map_err(failed)?;
    }
    let file = writer.finish().map_err(failed)?;
    Ok((counts.positions, file.checksum()))
}

/// Fills a book anew; nothing is committed.
pub(super) fn refill(book: &mut Book, input: impl Read, path: &Path) -> Result<u64, RestoreError> {
    let failed = |cause: SnapshotError| RestoreError::Snapshot { path: path.to_owned(), cause };
    let mut reader = SnapshotReader::new(input).map_err(failed)?;
    book.clear()?;
    let mut sources = HashMap::new();
    for (number, source) in &reader.header().sources {
        // A change that is taken back has rows with the numbers that these sources had.
        sources.insert(*number, book.source_numbered(SourceId(*number), source)?);
    }
    while let Some((number, packed)) = reader.next_original().map_err(failed)? {
        let missing = || failed(SnapshotError::Damaged("a source is missing"));
        let source = sources.get(&number).copied().ok_or_else(missing)?;
        book.originals().keep(source, &packed)?;
    }
    for fact in reader.facts().map_err(failed)? {
        let missing = || failed(SnapshotError::Damaged("a source is missing"));
        let source = sources.get(&fact.source.0).copied().ok_or_else(missing)?;
        book.facts().keep(Fact { source, ..fact })?;
    }
    let mut held = held_here(&mut reader, &sources).map_err(failed)?;
    let mut positions = 0;
    while let Some(layer) = reader.next_layer().map_err(failed)? {
        positions += layer.len() as u64;
        let known = layer.iter().all(|node| sources.contains_key(&node.searched.source.0));
        if !known {
            return Err(failed(SnapshotError::Damaged("a source is missing")));
        }
        let record = |node| new_node(node, &sources, &mut held);
        book.bulk_load(layer.into_iter().map(record).collect::<Vec<_>>())?;
    }
    for (key, held) in held {
        book.keep_apart(key, &held)?;
    }
    Ok(positions)
}

/// What a snapshot keeps of positions beside their search, with the numbers of sources in a book.
fn held_here(
    reader: &mut SnapshotReader<impl Read>,
    sources: &HashMap<u32, SourceId>,
) -> Result<HashMap<Key, Held>, SnapshotError> {
    let here = |source: &mut SourceId| match sources.get(&source.0) {
        Some(&number) => {
            *source = number;
            Ok(())
        }
        None => Err(SnapshotError::Damaged("a source is missing")),
    };
    let mut all = HashMap::new();
    for (key, mut held) in reader.held()? {
        held.searches_mut().try_for_each(|searched| here(&mut searched.source))?;
        held.bounds.iter_mut().try_for_each(|bounds| here(&mut bounds.source))?;
        all.insert(key, held);
    }
    Ok(all)
}

/// A node of a snapshot as a book takes it.
fn new_node(
    node: SnapshotNode,
    sources: &HashMap<u32, SourceId>,
    held: &mut HashMap<Key, Held>,
) -> NewNode {
    let SnapshotNode { key, rest, mut searched, left_out } = node;
    searched.source = sources.get(&searched.source.0).copied().unwrap_or(searched.source);
    NewNode { key, rest, searched, left_out, held: held.remove(&key).map(Box::new) }
}

/// The records of a snapshot that are wanted, by discs; their sources are made known to a book.
pub(super) fn spare_records(
    book: &mut Book,
    path: &Path,
    wanted: impl Fn(Key) -> bool,
) -> Result<BTreeMap<u8, Vec<NewNode>>, RestoreError> {
    let failed = |cause: SnapshotError| RestoreError::Snapshot { path: path.to_owned(), cause };
    let file = File::open(path).map_err(|cause| failed(cause.into()))?;
    let mut reader = SnapshotReader::new(BufReader::new(file)).map_err(failed)?;
    let mut sources = HashMap::new();
    for (number, source) in &reader.header().sources {
        sources.insert(*number, book.source_id(source)?);
    }
    let mut held = held_here(&mut reader, &sources).map_err(failed)?;
    let mut records: BTreeMap<u8, Vec<NewNode>> = BTreeMap::new();
    while let Some(layer) = reader.next_layer().map_err(failed)? {
        for node in layer {
            if sources.contains_key(&node.searched.source.0) && wanted(node.key) {
                let new = new_node(node, &sources, &mut held);
                records.entry(new.key.discs()).or_default().push(new);
            }
        }
    }
    Ok(records)
}

/// How many positions a snapshot says that it has; none where it is no file, or cannot be read.
pub(crate) fn positions_of_snapshot(path: &Path) -> Option<u64> {
    // What comes through a pipe comes once.
    path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let reader = SnapshotReader::new(BufReader::new(File::open(path).ok()?)).ok()?;
    Some(reader.header().positions)
}

/// Reads a snapshot and makes nothing of it; returns the number of positions.
pub(crate) fn check_snapshot(path: &Path) -> Result<u64, RestoreError> {
    let failed = |cause: SnapshotError| RestoreError::Snapshot { path: path.to_owned(), cause };
    let file = File::open(path).map_err(|cause| failed(cause.into()))?;
    let mut reader = SnapshotReader::new(BufReader::new(file)).map_err(failed)?;
    let mut positions = 0;
    while let Some(layer) = reader.next_layer().map_err(failed)? {
        positions += layer.len() as u64;
    }
    Ok(positions)
}
