//! Taking a change back, or doing it again, by the images of its rows.

use rusqlite::{Connection, params, params_from_iter};

use super::capture::{Columns, TABLES, columns_of};
use super::check::meaningless;
use super::image::{Image, unpack};
use crate::store::{StoreError, UndoChangesMut};

/// Images that wait are written when there are so many bytes of them.
const WRITE_AT: usize = 1 << 20;

impl UndoChangesMut<'_> {
    /// Puts the images of a change in place of the rows that it touched; what these were becomes its images. So
    /// what was done is taken back, and what was taken back is done again. Commits before and after. What was changed
    /// since must have been taken back, or done again, before.
    ///
    /// # Errors
    /// There is no such change, its images cannot be read, or the book cannot be written; then it is as it was.
    pub(crate) fn swap_images(&mut self, number: u64) -> Result<(), StoreError> {
        self.book.commit()?;
        self.book.forget_nodes();
        self.book.begin()?;
        let swapped = self.swap(number.cast_signed());
        self.book.whole_or_nothing(swapped)?;
        self.book.reader.forget_order();
        self.book.log.end_entry();
        self.book.commit()
    }

    fn swap(&mut self, entry: i64) -> Result<(), StoreError> {
        self.book.log.capture.forget();
        let failed = |book: &Self, cause| book.book.reader.failed(cause);
        let columns: rusqlite::Result<Vec<Columns>> = TABLES
            .iter()
            .map(|table| columns_of(&self.book.reader.connection, table.name))
            .collect();
        let columns = columns.map_err(|cause| failed(self, cause))?;
        let last = self.piece_before(entry, i64::MAX)?.map(|(number, _)| number);
        let mut before = i64::MAX;
        // The earliest image of a row counts.
        while let Some((number, packed)) = self.piece_before(entry, before)? {
            self.book.reader.heed_stop()?;
            let images = unpack(&packed);
            let images = images.ok_or_else(|| self.book.reader.damage(meaningless(entry)))?;
            for image in images.iter().rev() {
                put(&self.book.reader.connection, image, &columns)
                    .map_err(|cause| failed(self, cause))?;
            }
            if self.book.log.capture.len() >= WRITE_AT {
                self.write_waiting(entry)?;
            }
            before = number;
        }
        self.write_waiting(entry)?;
        self.book.execute(
            "DELETE FROM undo_image WHERE entry = ?1 AND number <= ?2",
            params![entry, last],
        )?;
        self.book.execute(
            "UPDATE undo_entry SET bytes = \
             (SELECT total(length(images)) FROM undo_image WHERE entry = ?1) WHERE id = ?1",
            params![entry],
        )?;
        self.turn(entry)?;
        self.keep_small(entry)
    }

    /// The last images of an entry before those of a number.
    fn piece_before(&self, entry: i64, number: i64) -> Result<Option<(i64, Vec<u8>)>, StoreError> {
        let sql = "SELECT number, images FROM undo_image WHERE entry = ?1 AND number < ?2 \
                   ORDER BY number DESC LIMIT 1";
        self.book.reader.first(sql, [entry, number], |row| Ok((row.get(0)?, row.get(1)?)))
    }
}

/// Makes a row what an image says.
fn put(connection: &Connection, image: &Image, columns: &[Columns]) -> rusqlite::Result<()> {
    let table = usize::from(image.table);
    let found = TABLES.get(table).zip(columns.get(table));
    let Some((table, columns)) = found else { return Err(rusqlite::Error::InvalidQuery) };
    let sql = match image.was_there {
        true => {
            let values = vec!["?"; image.values.len()].join(", ");
            format!("INSERT OR REPLACE INTO {} VALUES ({values})", table.name)
        }
        false => {
            let key = columns.key.iter().filter_map(|&place| columns.names.get(place));
            let key: Vec<String> = key.map(|column| format!("\"{column}\" = ?")).collect();
            format!("DELETE FROM {} WHERE {}", table.name, key.join(" AND "))
        }
    };
    connection.prepare_cached(&sql)?.execute(params_from_iter(&image.values)).map(|_| ())
}
