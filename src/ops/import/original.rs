//! What is kept of a file beside its nodes, and what its program made of it.

use std::fs;
use std::io;
use std::path::Path;

use crate::board::Key;
use crate::formats::ntest::{NtestReader, ntest_values};
use crate::formats::{Format, OpenBook, ReadOptions};

use super::assemble::OwnValues;

/// Files above this many bytes, packed, are not kept: no row of SQLite holds more than 1 GB.
const MOST_PACKED: usize = 512 << 20;

/// How hard the file is packed: it is done once, and such files are small.
const EFFORT: i32 = 12;

/// A file to be kept.
pub(super) struct Original {
    /// The file, compressed.
    pub(super) packed: Vec<u8>,
    /// Its program's values, for comparison.
    pub(super) values: OwnValues,
}

/// Takes a file that has been read to its end; none where nodes hold all that matters, or when the
/// file cannot be taken again.
pub(super) fn original(file: &Path, opened: &OpenBook) -> io::Result<Option<Original>> {
    if !matches!(opened.format, Format::Ntest | Format::Ntest1) {
        return Ok(None);
    }
    let Ok(bytes) = fs::read(file) else { return Ok(None) };
    // It is another file by now, or a pipe.
    if format!("crc32:{:08x}", crc32fast::hash(&bytes)) != opened.checksum() {
        return Ok(None);
    }
    let Some(values) = values(&bytes) else { return Ok(None) };
    let packed = zstd::encode_all(bytes.as_slice(), EFFORT)?;
    Ok((packed.len() <= MOST_PACKED).then_some(Original { packed, values }))
}

fn values(bytes: &[u8]) -> Option<OwnValues> {
    let mut reader = NtestReader::new(bytes, "", ReadOptions::default()).ok()?;
    let mut nodes = Vec::new();
    while let Some((_, node)) = reader.next_node().ok()? {
        nodes.push(node);
    }
    let of_board = ntest_values(&nodes);
    Some(of_board.into_iter().map(|(position, values)| (Key::of(position), values)).collect())
}
