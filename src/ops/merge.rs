//! Taking other books of ours into a book.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::board::Key;
use crate::book::merge::{Incoming, MergeRule};
use crate::book::propagate::LostProofs;
use crate::book::verify::check_key;
use crate::book::{Node, SourceId, Values};
use crate::store::{Book, NewNode, Reader, StoreError};

use super::analysis::merge_analyses;
use super::facts::{FactReport, merge_facts};
use super::games::{MergedGames, merge_games};
use super::snapshot::RestoreError;
use super::undo::change_book;

/// What came of a merge.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MergeReport {
    /// Positions that the book did not have.
    pub new: u64,
    /// Positions whose search the other book's better one replaced.
    pub replaced: u64,
    /// Positions that the book knew at least as well.
    pub kept: u64,
    /// Positions that the book had of which less is proven than before.
    pub lost_proofs: LostProofs,
    /// Positions of which the two books prove what cannot both be true.
    pub conflicts: u64,
    /// The first of these, with both values as proven.
    pub examples: Vec<(Key, Values, Values)>,
    /// What came of its facts.
    pub facts: FactReport,
    /// What came of its games.
    pub games: MergedGames,
}

impl MergeReport {
    /// How many conflicts are listed.
    pub const EXAMPLES: usize = 20;
}

/// Why books could not be merged. The book is then as it was.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file to take in is not there.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// A file to take in is the book.
    #[error("{} is the book itself", .0.display())]
    Itself(PathBuf),
    /// The book, or one to take in.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file to take in, half-way through.
    #[error("nothing of {}: {cause}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: Box<StoreError>,
    },
    /// The book cannot be saved for undo.
    #[error(transparent)]
    Undo(#[from] RestoreError),
}

/// Merges other books into one, with their games and analyses, and commits: all of them or none. With `undo` the
/// book is saved before, for `undo`, which takes no games back. Returns what came of each file.
///
/// # Errors
/// See [`MergeError`].
pub fn merge_files(
    book: &mut Book,
    files: &[PathBuf],
    undo: bool,
) -> Result<Vec<MergeReport>, MergeError> {
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
    let others: Vec<Reader> = files.iter().map(open).collect::<Result<_, _>>()?;
    let failed = |file: &Path| {
        let file = file.to_owned();
        move |cause| MergeError::File { file, cause: Box::new(cause) }
    };
    change_book(book, undo, |book| {
        let mut reports = Vec::new();
        for (file, other) in files.iter().zip(&others) {
            book.take_lost_proofs();
            let report = merge(book, other).map_err(failed(file))?;
            // The next file is compared with links and values that are right.
            book.settle().map_err(failed(file))?;
            reports.push(MergeReport { lost_proofs: book.take_lost_proofs(), ..report });
        }
        Ok(reports)
    })
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
    book.adopt_originals(other, &renumbered)?;
    let rule = merge_rule(book.reader())?;
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
            let Node { key, links, rest, mut searched, values } = node;
            searched.source = source_here(&renumbered, searched.source)
                .ok_or_else(|| damage("its source is missing"))?;
            layer.push((NewNode { key, rest, searched }, (links, values)));
            Ok::<_, StoreError>(())
        })?;
        let loaded = book.bulk_load_with(layer, |present, record, &(links, theirs)| {
            if contradict(present.values, theirs) {
                report.conflicts += 1;
                if report.examples.len() < MergeReport::EXAMPLES {
                    report.examples.push((present.key, present.values, theirs));
                }
            }
            let &NewNode { rest, searched, .. } = record;
            rule.prefer(present, &Incoming { rest, searched, links }).into()
        })?;
        report.new += loaded.new;
        report.replaced += loaded.replaced;
        report.kept += loaded.kept;
    }
    if other.count_facts()? > 0 {
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

/// The rule for what comes into a book whose sources are known to it already.
pub(super) fn merge_rule(book: &Reader) -> Result<MergeRule, StoreError> {
    Ok(MergeRule::new(book.sources()?.into_iter().map(|known| (known.id, known.source))))
}
