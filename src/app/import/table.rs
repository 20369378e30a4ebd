//! Tables of facts, which are no books.

use std::path::Path;

use crate::app::facts::{FactReport, take_facts};
use crate::files::books::{BookInput, Defects, FormatError, ReadOptions, StatedFact};
use crate::openbook::Source;
use crate::store::{Book, StoreError};

/// The format of a source that is a table of facts.
const FACTS: &str = "facts";

/// A table of facts that has been read to its end.
pub(super) struct ReadTable {
    facts: Vec<StatedFact>,
    checksum: String,
    /// What was wrong with it.
    pub(super) defects: Defects,
}

/// Reads a table of facts; `step` hears after each how many there are.
pub(super) fn read_table<E: From<FormatError>>(
    input: BookInput<'_>,
    options: ReadOptions,
    mut step: impl FnMut(u64) -> Result<(), E>,
) -> Result<ReadTable, E> {
    let (mut facts, mut defects) = (Vec::new(), Defects::default());
    let checksum = input.facts(options, &mut defects, |fact| {
        facts.push(fact);
        step(facts.len() as u64)
    })?;
    Ok(ReadTable { facts, checksum, defects })
}

/// Takes the facts of a table; the caller commits, or rolls back after an error.
pub(super) fn write_table(
    book: &mut Book,
    file: &Path,
    read: &ReadTable,
) -> Result<FactReport, StoreError> {
    let source = book.source_id(&Source {
        engine: "proofs of others".to_owned(),
        format: FACTS.to_owned(),
        file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        checksum: read.checksum.clone(),
        ..Source::default()
    })?;
    take_facts(book, &read.facts, &[source])
}
