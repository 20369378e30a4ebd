//! What is sound in a damaged book.

use std::collections::HashMap;
use std::path::Path;

use crate::book::verify::check_key;
use crate::book::{Node, Source, SourceId, check_node};

use super::row::{self, RowError, storage_order};
use super::{Book, Known, Reader, Record, StoreError};

/// What was saved of a damaged book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Salvaged {
    /// Positions that are in the new book.
    pub positions: u64,
    /// Rows that could be read but meant nothing.
    pub dropped: u64,
    /// Layers of which a part could not be read.
    pub torn_layers: u32,
}

/// Saves every node that can be read and makes sense into an empty book; links and values are
/// found anew. Rows are read from both ends of each layer, so that one broken page costs little
/// more than itself. Commits.
///
/// # Errors
/// The damaged file cannot be opened at all, or the new book not be written.
pub fn salvage(damaged: &Path, to: &mut Book) -> Result<Salvaged, StoreError> {
    let from = Reader::open(damaged)?;
    let mut salvaged = Salvaged::default();
    let mut numbers = HashMap::new();
    // Without its sources a position is still worth having.
    for known in from.sources().unwrap_or_default() {
        numbers.insert(known.id, to.source_id(&known.source)?);
    }
    // Nor does it need the file that it came from.
    for id in from.originals().unwrap_or_default() {
        if let (Some(&number), Ok(Some(packed))) = (numbers.get(&id), from.packed_original(id)) {
            to.keep_original(number, &packed)?;
        }
    }
    for discs in 4..64 {
        let (nodes, torn) = readable(&from, discs, &mut salvaged.dropped);
        salvaged.torn_layers += u32::from(torn);
        let mut records = Vec::with_capacity(nodes.len());
        for Node { key, rest, mut searched, .. } in nodes {
            if key.discs() != discs || check_key(key).is_err() {
                salvaged.dropped += 1;
                continue;
            }
            searched.source = match numbers.get(&searched.source) {
                Some(&number) => number,
                None => unknown_source(to, &mut numbers, searched.source)?,
            };
            let rest = rest.filter(|&rest| check_node(key, Some(rest)).is_ok());
            records.push(Record { key, rest, searched });
        }
        salvaged.positions += to.bulk_load(records, |_, _| Known::Keep)?.new;
    }
    to.commit()?;
    Ok(salvaged)
}

fn unknown_source(
    to: &mut Book,
    numbers: &mut HashMap<SourceId, SourceId>,
    old: SourceId,
) -> Result<SourceId, StoreError> {
    let engine = format!("unknown source {} of a damaged book", old.0);
    let number = to.source_id(&Source { engine, ..Source::default() })?;
    numbers.insert(old, number);
    Ok(number)
}

/// The rows of a layer that can be read, each once, in storage order; and whether some cannot.
fn readable(from: &Reader, discs: u8, dropped: &mut u64) -> (Vec<Node>, bool) {
    let mut nodes = Vec::new();
    let torn = read(from, discs, "ASC", dropped, &mut nodes).is_err();
    if torn {
        // From the other end, up to where the damage is: this too ends in an error.
        let mut from_end = Vec::new();
        let _ = read(from, discs, "DESC", &mut 0, &mut from_end);
        nodes.extend(from_end);
    }
    nodes.sort_by_key(|node| storage_order(node.key));
    nodes.dedup_by_key(|node| node.key);
    (nodes, torn)
}

fn read(
    from: &Reader,
    discs: u8,
    order: &str,
    dropped: &mut u64,
    nodes: &mut Vec<Node>,
) -> rusqlite::Result<()> {
    let columns = row::COLUMNS;
    let mut statement = from.connection.prepare(&format!(
        "SELECT {columns} FROM node WHERE discs = ?1 ORDER BY mover {order}, opponent {order}"
    ))?;
    let mut rows = statement.query([discs])?;
    while let Some(row) = rows.next()? {
        match row::node(row) {
            Ok((node, _)) => nodes.push(node),
            Err(RowError::Meaningless(_) | RowError::Database(_)) => *dropped += 1,
        }
    }
    Ok(())
}
