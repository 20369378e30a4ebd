//! Imported files kept as they were, for exporting what has not changed since.

use std::collections::HashMap;

use rusqlite::params;

use crate::openbook::SourceId;
use crate::othello::whole_file::read_to_end;

use super::{Originals, OriginalsMut, Reader, StoreError};

/// The most bytes that a kept file may unpack to: no row of SQLite holds more than 1 GB.
const MOST_UNPACKED: u64 = 4 << 30;

impl OriginalsMut<'_> {
    /// Keeps a file beside the nodes that came from it; `packed` is the file compressed with zstd.
    pub(crate) fn keep(&mut self, source: SourceId, packed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO original (source, content) VALUES (?1, ?2)";
        self.book.execute(sql, params![source.0, packed])
    }

    /// Keeps what another book keeps; `numbers` says what its sources are here.
    pub(crate) fn adopt(
        &mut self,
        other: &Reader,
        numbers: &HashMap<SourceId, SourceId>,
    ) -> Result<(), StoreError> {
        for source in other.originals().sources()? {
            if let (Some(&number), Some(packed)) =
                (numbers.get(&source), other.originals().packed(source)?)
            {
                self.keep(number, &packed)?;
            }
        }
        Ok(())
    }
}

impl Originals<'_> {
    /// The sources whose files are kept.
    pub fn sources(&self) -> Result<Vec<SourceId>, StoreError> {
        let sql = "SELECT source FROM original ORDER BY source";
        self.reader.rows(sql, [], |row| Ok(SourceId(row.get(0)?)))
    }

    /// The kept file of a source as it was packed.
    pub(crate) fn packed(&self, source: SourceId) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT content FROM original WHERE source = ?1";
        self.reader.first(sql, [source.0], |row| Ok(row.get(0)?))
    }

    /// The kept file of a source; none too when what is kept is damaged, or longer than any file that is
    /// kept.
    pub fn unpacked(&self, source: SourceId) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(packed) = self.packed(source)? else { return Ok(None) };
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
