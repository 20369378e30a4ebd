//! Imported files kept as they were, for exporting what has not changed since.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};

use crate::openbook::SourceId;
use crate::othello::whole_file::read_to_end;

use super::{Book, Reader, StoreError};

/// The schema version that brought the table.
const SINCE: u32 = 2;

/// The most bytes that a kept file may unpack to: no row of SQLite holds more than 1 GB.
const MOST_UNPACKED: u64 = 4 << 30;

impl Book {
    /// Keeps a file beside the nodes that came from it; `packed` is the file compressed with zstd.
    pub(crate) fn keep_original(
        &mut self,
        source: SourceId,
        packed: &[u8],
    ) -> Result<(), StoreError> {
        self.begin()?;
        self.reader
            .connection
            .execute(
                "INSERT OR REPLACE INTO original (source, content) VALUES (?1, ?2)",
                params![source.0, packed],
            )
            .map(|_| ())
            .map_err(|cause| self.reader.failed(cause))
    }

    /// Keeps what another book keeps; `numbers` says what its sources are here.
    pub(crate) fn adopt_originals(
        &mut self,
        other: &Reader,
        numbers: &HashMap<SourceId, SourceId>,
    ) -> Result<(), StoreError> {
        for source in other.originals()? {
            if let (Some(&number), Some(packed)) =
                (numbers.get(&source), other.packed_original(source)?)
            {
                self.keep_original(number, &packed)?;
            }
        }
        Ok(())
    }
}

impl Reader {
    /// The sources whose files are kept.
    pub fn originals(&self) -> Result<Vec<SourceId>, StoreError> {
        if !self.has_migration(SINCE)? {
            return Ok(Vec::new());
        }
        let list = || -> rusqlite::Result<Vec<SourceId>> {
            let mut statement =
                self.connection.prepare("SELECT source FROM original ORDER BY source")?;
            let rows = statement.query_map([], |row| row.get(0).map(SourceId))?;
            rows.collect()
        };
        list().map_err(|cause| self.failed(cause))
    }

    /// The kept file of a source as it was packed.
    pub(crate) fn packed_original(&self, source: SourceId) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT content FROM original WHERE source = ?1";
        let row = self.connection.query_row(sql, [source.0], |row| row.get(0)).optional();
        row.map_err(|cause| self.failed(cause))
    }

    /// The kept file of a source; none too when what is kept is damaged, or longer than any file that is
    /// kept.
    pub fn original(&self, source: SourceId) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(packed) = self.packed_original(source)? else { return Ok(None) };
        Ok(unpacked(&packed, MOST_UNPACKED))
    }
}

/// A kept file of at most so many bytes; none when it is damaged or longer.
fn unpacked(packed: &[u8], most: u64) -> Option<Vec<u8>> {
    zstd::Decoder::new(packed).and_then(|decoder| read_to_end(decoder, most)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_file_comes_back_whole_or_not_at_all() {
        let packed = zstd::bulk::compress(&[7; 1000], 1).unwrap();
        assert_eq!(unpacked(&packed, 1000), Some(vec![7; 1000]));
        assert_eq!(unpacked(&packed, 999), None);
        assert_eq!(unpacked(&packed[..packed.len() - 1], 1000), None);
    }
}
