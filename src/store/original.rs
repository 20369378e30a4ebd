//! Imported files kept as they were, for exporting what has not changed since.

use std::collections::HashMap;
use std::io::Read;

use rusqlite::{OptionalExtension, params};

use crate::book::SourceId;

use super::{Book, Reader, StoreError};

/// The schema version that brought the table.
const SINCE: u32 = 2;

/// The most bytes that a kept file may unpack to: no row of SQLite holds more than 1 GB.
const MOST_UNPACKED: u64 = 4 << 30;

impl Book {
    /// Keeps a file beside the nodes that came from it; `packed` is the file compressed with zstd.
    ///
    /// # Errors
    /// The book cannot be written.
    pub fn keep_original(&mut self, source: SourceId, packed: &[u8]) -> Result<(), StoreError> {
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
    ///
    /// # Errors
    /// A book cannot be read or written.
    pub fn adopt_originals(
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
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn originals(&self) -> Result<Vec<SourceId>, StoreError> {
        let list = || -> rusqlite::Result<Vec<SourceId>> {
            let connection = &self.connection;
            let version: u32 = connection.pragma_query_value(None, "user_version", |r| r.get(0))?;
            if version < SINCE {
                return Ok(Vec::new());
            }
            let mut statement =
                connection.prepare("SELECT source FROM original ORDER BY source")?;
            let rows = statement.query_map([], |row| row.get(0).map(SourceId))?;
            rows.collect()
        };
        list().map_err(|cause| self.failed(cause))
    }

    /// The kept file of a source as it was packed.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn packed_original(&self, source: SourceId) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT content FROM original WHERE source = ?1";
        let row = self.connection.query_row(sql, [source.0], |row| row.get(0)).optional();
        row.map_err(|cause| self.failed(cause))
    }

    /// The kept file of a source; none too when what is kept is damaged.
    ///
    /// # Errors
    /// The book cannot be read.
    pub fn original(&self, source: SourceId) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(packed) = self.packed_original(source)? else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = zstd::Decoder::new(packed.as_slice())
            .and_then(|decoder| decoder.take(MOST_UNPACKED).read_to_end(&mut bytes));
        Ok(read.is_ok().then_some(bytes))
    }
}
