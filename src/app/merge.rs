//! Taking other books of ours into a book.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::openbook::propagate::LessSure;
use crate::openbook::verify::check_key;
use crate::openbook::{NodeSource, SourceId, Values};
use crate::othello::board::Key;
use crate::store::{Book, NewNode, Reader, StoreError};

use super::analysis::merge_analyses;
use super::book_file::BookFile;
use super::diff::BookDiff;
use super::facts::{FactReport, merge_facts};
use super::games::{MergedGames, merge_games};
use super::snapshot::RestoreError;
use super::undo::{change_book, try_change};

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MergeReport {
    /// Positions that the book did not have.
    pub new: u64,
    /// Positions of which the other book knew something that this one did not.
    pub replaced: u64,
    /// Positions of which the book knew as much.
    pub kept: u64,
    /// Values that became less sure: a move that looked bad turned out good, and is not as well known, or a
    /// search is due.
    pub less_sure: LessSure,
    /// Positions of which the two books prove what cannot both be true.
    pub conflicts: u64,
    /// The first of these, with both values as proven.
    pub examples: Vec<(Key, Values, Values)>,
    pub facts: FactReport,
    pub games: MergedGames,
}

impl MergeReport {
    /// How many conflicts are listed.
    pub(crate) const EXAMPLES: usize = 20;
}

/// Why books could not be merged. The book is then as it was.
#[derive(Debug, Error)]
pub enum MergeError {
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    #[error("{} is the book itself", .0.display())]
    Itself(PathBuf),
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("nothing was imported from {}: {cause}", file.display())]
    File { file: PathBuf, cause: Box<StoreError> },
    #[error("{0}")]
    Undo(#[from] RestoreError),
}

/// Merges other books into one, with their games and analyses, and commits: all of them or none. With `undo` the
/// book is saved before, for `undo`, which takes no games back. Returns the result of each file.
pub fn merge_files(
    book: &mut Book,
    files: &[PathBuf],
    undo: bool,
) -> Result<Vec<MergeReport>, MergeError> {
    let others = open_others(book, files)?;
    change_book(book, undo, |book| merge_each(book, files, &others))
}

/// As [`merge_files`]; where the book is missing it is created: the second part of the answer is then true. No new
/// book is left where nothing could be merged.
pub(crate) fn merge_into(
    file: &BookFile,
    files: &[PathBuf],
    undo: bool,
) -> Result<(Vec<MergeReport>, bool), MergeError> {
    let (mut book, is_new) = file.open_or_create()?;
    match merge_files(&mut book, files, undo) {
        Ok(reports) => Ok((reports, is_new)),
        Err(error) => {
            if is_new {
                book.remove();
            }
            Err(error)
        }
    }
}

/// Finds out what [`merge_files`] would do, without doing it: the result of each file, and how the book before
/// differs from the book after all of them.
pub(crate) fn try_merge(
    book: &mut Book,
    files: &[PathBuf],
) -> Result<(Vec<MergeReport>, BookDiff), MergeError> {
    let others = open_others(book, files)?;
    try_change(book, |book| merge_each(book, files, &others))
}

fn open_others(book: &Book, files: &[PathBuf]) -> Result<Vec<Reader>, MergeError> {
    let this = book.reader().path().canonicalize().ok();
    let open = |file: &PathBuf| match file.canonicalize() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(MergeError::Missing(file.clone()))
        }
        path if path.is_ok() && path.as_ref().ok() == this.as_ref() => {
            Err(MergeError::Itself(file.clone()))
        }
        _ => Ok(Reader::open(file)?),
    };
    files.iter().map(open).collect()
}

fn merge_each(
    book: &mut Book,
    files: &[PathBuf],
    others: &[Reader],
) -> Result<Vec<MergeReport>, MergeError> {
    let failed = |file: &Path| {
        let file = file.to_owned();
        move |cause| MergeError::File { file, cause: Box::new(cause) }
    };
    let mut reports = Vec::new();
    for (file, other) in files.iter().zip(others) {
        book.take_less_sure();
        let report = merge(book, other).map_err(failed(file))?;
        // The next file is compared with links and values that are right.
        book.settle().map_err(failed(file))?;
        reports.push(MergeReport { less_sure: book.take_less_sure(), ..report });
    }
    Ok(reports)
}

/// Merges another book into one, with its games and analyses, in one transaction that is not committed yet. Links and values
/// follow from the whole.
///
/// # Errors
/// A book cannot be read or written; then everything since the last commit is forgotten.
pub fn merge(book: &mut Book, other: &Reader) -> Result<MergeReport, StoreError> {
    let report = bring_in(book, other);
    if report.is_err() {
        book.rollback();
    }
    report
}

fn bring_in(book: &mut Book, other: &Reader) -> Result<MergeReport, StoreError> {
    let _snapshot = other.snapshot()?;
    let mut renumbered = HashMap::new();
    for known in other.sources()? {
        renumbered.insert(known.id, book.source_id(&known.source)?);
    }
    book.originals().adopt(other, &renumbered)?;
    let mut report = MergeReport::default();
    other.check_layers()?;
    for (discs, _) in other.counts()?.layers {
        let mut layer = Vec::new();
        other.for_each_in_layer(discs, |node| {
            let damage = |what: &str| other.damage(format!("{what}, at {:?}", node.key.position()));
            check_key(node.key).map_err(damage)?;
            if node.key.discs() != discs {
                return Err(damage("the position is among those of other discs"));
            }
            let mut new = NewNode::of(&node, other)?;
            let here = |source: &mut SourceId| {
                *source = source_here(&renumbered, *source)
                    .ok_or_else(|| damage("its source is missing"))?;
                Ok::<_, StoreError>(())
            };
            here(&mut new.searched.source)?;
            if let Some(held) = &mut new.held {
                held.searches_mut().try_for_each(|searched| here(&mut searched.source))?;
                held.bounds.iter_mut().try_for_each(|bounds| here(&mut bounds.source))?;
            }
            if let Some(present) = book.node(&node.key)?
                && contradict(present.values, node.values)
            {
                report.conflicts += 1;
                if report.examples.len() < MergeReport::EXAMPLES {
                    report.examples.push((node.key, present.values, node.values));
                }
            }
            layer.push(new);
            Ok::<_, StoreError>(())
        })?;
        let loaded = book.bulk_load(layer)?;
        report.new += loaded.new;
        report.replaced += loaded.replaced;
        report.kept += loaded.kept;
    }
    other.for_each_held_apart(|key, mut held| {
        for bounds in &mut held.bounds {
            let missing = || other.damage(format!("a source is missing, at {:?}", key.position()));
            bounds.source = source_here(&renumbered, bounds.source).ok_or_else(missing)?;
        }
        book.keep_apart(key, &held).map(drop)
    })?;
    if other.facts().count()? > 0 {
        book.settle()?;
        report.facts = merge_facts(book, other, |id| source_here(&renumbered, id))?;
    }
    report.games = merge_games(book, other)?;
    merge_analyses(book, other)?;
    Ok(report)
}

/// The number that a source of the other book has in this one.
fn source_here(renumbered: &HashMap<SourceId, SourceId>, theirs: SourceId) -> Option<SourceId> {
    renumbered.get(&theirs).copied()
}

/// Whether two proofs exclude each other.
const fn contradict(one: Values, other: Values) -> bool {
    one.lower > other.upper || other.lower > one.upper
}
