//! Taking other books of ours into a book.

use std::collections::HashMap;

use crate::board::Key;
use crate::book::merge::{Evidence, Preferred, prefer};
use crate::book::{Node, NodeSource, Rest, Searched, Source, SourceId, Values, child_of};
use crate::store::{Book, Known, Reader, Record, StoreError};

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
    let report = take(book, other);
    if report.is_err() {
        book.rollback();
    }
    report
}

fn take(book: &mut Book, other: &Reader) -> Result<MergeReport, StoreError> {
    let _snapshot = other.snapshot()?;
    let mut renumbered = HashMap::new();
    for known in other.sources()? {
        renumbered.insert(known.id, book.source_id(&known.source)?);
    }
    book.adopt_originals(other, &renumbered)?;
    let sources: HashMap<SourceId, Source> =
        book.reader().sources()?.into_iter().map(|known| (known.id, known.source)).collect();
    let mut report = MergeReport::default();
    for (discs, _) in other.counts()?.layers {
        let mut layer = Vec::new();
        let mut values = HashMap::new();
        other.for_each_in_layer(discs, |node| {
            let Node { key, rest, searched, .. } = node;
            let source = renumbered.get(&searched.source).copied().unwrap_or(searched.source);
            layer.push(Record { key, rest, searched: Searched { source, ..searched } });
            if book.node(&key)?.is_some_and(|present| contradict(present.values, node.values)) {
                values.insert(key, node.values);
            }
            Ok::<_, StoreError>(())
        })?;
        let mut failure = None;
        let loaded = book.bulk_load(layer, |present, incoming| {
            if let Some(&theirs) = values.get(&present.key) {
                report.conflicts += 1;
                if report.examples.len() < MergeReport::EXAMPLES {
                    report.examples.push((present.key, present.values, theirs));
                }
            }
            choose(present, incoming, other, &sources).unwrap_or_else(|error| {
                failure = Some(error);
                Known::Keep
            })
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
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

/// Which search of a position that both books hold stays. A rest that is a link in the other book
/// says nothing about the moves that are left once the two are one.
fn choose(
    present: &Node,
    incoming: &Record,
    other: &Reader,
    sources: &HashMap<SourceId, Source>,
) -> Result<Known, StoreError> {
    let position = present.key.position();
    let links = present.links.squares(present.key);
    let incoming_fits = usable(incoming.rest, |square| links & square.bit() == 0);
    let mut present_fits = present.rest.is_some();
    if let Some(child) = present.rest.and_then(|rest| child_of(position, rest.square?)) {
        present_fits = other.node(&child.0)?.is_none();
    }
    match (present_fits, incoming_fits) {
        (true, false) => return Ok(Known::Keep),
        (false, true) => return Ok(Known::Replace),
        _ => {}
    }
    let source = |searched: Searched| sources.get(&searched.source);
    let evidence = |rest, searched| Evidence {
        rest,
        searched,
        own: source(searched).is_none_or(Source::is_own),
    };
    let day = |searched| source(searched).map_or("", |source| source.day.as_str());
    let preferred = prefer(
        &evidence(present.rest, present.searched),
        &evidence(incoming.rest, incoming.searched),
        position.empties(),
        day(incoming.searched) > day(present.searched),
    );
    Ok(match preferred {
        Preferred::Present => Known::Keep,
        Preferred::Incoming => Known::Replace,
    })
}

fn usable(rest: Option<Rest>, is_free: impl Fn(crate::board::Square) -> bool) -> bool {
    rest.is_some_and(|rest| rest.square.is_none_or(is_free))
}
