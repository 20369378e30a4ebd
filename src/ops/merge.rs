//! Taking other books of ours into a book.

use std::collections::HashMap;

use crate::board::Key;
use crate::book::merge::{Incoming, MergeRule};
use crate::book::{Node, NodeSource, Values};
use crate::store::{Book, Reader, Record, StoreError};

/// What came of a merge.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MergeReport {
    /// Positions that the book did not have.
    pub new: u64,
    /// Positions whose search the other book's better one replaced.
    pub replaced: u64,
    /// Positions that the book knew at least as well.
    pub kept: u64,
    /// Positions of which the two books prove what cannot both be true.
    pub conflicts: u64,
    /// The first of these, with both values as proven.
    pub examples: Vec<(Key, Values, Values)>,
}

impl MergeReport {
    /// How many conflicts are listed.
    pub const EXAMPLES: usize = 20;
}

/// Merges another book into one, in one transaction that is not committed yet. Links and values
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
    for (discs, _) in other.counts()?.layers {
        let mut layer = Vec::new();
        let mut values = HashMap::new();
        other.for_each_in_layer(discs, |node| {
            let Node { key, links, rest, mut searched, .. } = node;
            searched.source = renumbered.get(&searched.source).copied().unwrap_or(searched.source);
            layer.push((Record { key, rest, searched }, links));
            if book.node(&key)?.is_some_and(|present| contradict(present.values, node.values)) {
                values.insert(key, node.values);
            }
            Ok::<_, StoreError>(())
        })?;
        let loaded = book.bulk_load_with(layer, |present, record, &links| {
            if let Some(&theirs) = values.get(&present.key) {
                report.conflicts += 1;
                if report.examples.len() < MergeReport::EXAMPLES {
                    report.examples.push((present.key, present.values, theirs));
                }
            }
            let &Record { rest, searched, .. } = record;
            rule.prefer(present, &Incoming { rest, searched, links }).into()
        })?;
        report.new += loaded.new;
        report.replaced += loaded.replaced;
        report.kept += loaded.kept;
    }
    Ok(report)
}

/// Whether two proofs exclude each other.
const fn contradict(one: Values, other: Values) -> bool {
    one.lower > other.upper || other.lower > one.upper
}

/// The rule for what comes into a book whose sources are known to it already.
pub(super) fn merge_rule(book: &Reader) -> Result<MergeRule, StoreError> {
    Ok(MergeRule::new(book.sources()?.into_iter().map(|known| (known.id, known.source))))
}
