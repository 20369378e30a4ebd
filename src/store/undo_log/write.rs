//! Writing the log, and keeping it small.

use rusqlite::params;

use super::{Pause, Title};
use crate::store::{RunId, StoreError, UndoChangesMut};

/// Images are written without waiting for the commit when there are so many bytes of them.
const WRITE_AT: usize = 4 << 20;

/// The log is no larger than this, or than one part of the book in so many where that is more.
const MOST_BYTES: u64 = 64 << 20;
const PART: u64 = 4;

/// What is appended to the result of a run that was taken back.
const UNDONE: &str = ", undone";
/// The result of a run that was killed.
const NOT_ENDED: &str = "not ended";

impl UndoChangesMut<'_> {
    /// Says what changes are called that are no run of their own, and when they began, as [`super::UndoEntry`] has it.
    pub(crate) fn name_changes(&mut self, asked: &str, started: &str) {
        let (asked, started) = (asked.to_owned(), Some(started.to_owned()));
        self.book.log.others = Title { asked, started, run: None };
    }

    /// Notes no row until the next commit: for changes of much of the book. If something is changed and the
    /// transaction makes no entry of its own for it ([`Self::add_saved`]), what came after the last bulk operation
    /// that has one can no longer be taken back.
    pub(crate) fn pause(&mut self) -> Result<(), StoreError> {
        let connection = &self.book.reader.connection;
        self.book.log.pause(connection).map_err(|cause| self.book.reader.failed(cause))
    }

    /// Makes the entry of a bulk operation, which [`Self::pause`] has begun; committed with it. The book as it
    /// was, with so many positions, lies in a file of this length and checksum. What could be done again cannot any
    /// more.
    pub(crate) fn add_saved(
        &mut self,
        positions_before: u64,
        file: &str,
        bytes: u64,
    ) -> Result<(), StoreError> {
        self.book.begin()?;
        let number = self.add_entry(positions_before.cast_signed(), Some(file), bytes)?;
        let added: i64 = self.book.added.values().sum();
        self.book.execute(
            "UPDATE undo_entry SET positions_after = (SELECT total(positions) FROM layer) + ?2 WHERE id = ?1",
            params![number, added],
        )?;
        self.book.log.is_recorded = true;
        self.keep_small(number)
    }

    /// Says that what [`Self::pause`] has begun changes nothing that can be taken back: entries stay as they are.
    pub(crate) fn stays(&mut self) {
        self.book.log.is_recorded = true;
    }

    /// Notes how many positions there are after one more part of the bulk operation that was saved last.
    pub(crate) fn goes_on(&mut self) -> Result<(), StoreError> {
        let added: i64 = self.book.added.values().sum();
        self.book.execute(
            "UPDATE undo_entry SET positions_after = (SELECT total(positions) FROM layer) + ?1 \
             WHERE id = (SELECT max(id) FROM undo_entry)",
            params![added],
        )
    }

    /// Notes that the change of this number, of a bulk operation, was taken back or done again in the transaction that
    /// [`Self::pause`] has begun; the book as it was until then lies in a file of this length and checksum.
    pub(crate) fn note_swapped(
        &mut self,
        number: u64,
        file: &str,
        bytes: u64,
    ) -> Result<(), StoreError> {
        let number = number.cast_signed();
        self.book.execute(
            "UPDATE undo_entry SET file = ?2, bytes = ?3 WHERE id = ?1",
            params![number, file, bytes.cast_signed()],
        )?;
        self.turn(number)?;
        self.book.log.is_recorded = true;
        self.keep_small(number)
    }

    /// Forgets a change and all after it: for one that was taken back and cannot be done again.
    pub(crate) fn forget_from(&mut self, number: u64) -> Result<(), StoreError> {
        self.book.begin()?;
        self.drop_entries("id >= ?1", number.cast_signed())?;
        self.book.log.is_recorded = true;
        Ok(())
    }

    /// Empties the log: for a copy of a book, which has none of the files that were saved of it.
    pub(crate) fn forget(&mut self) -> Result<(), StoreError> {
        self.book.begin()?;
        self.drop_entries("id > ?1", -1)?;
        Ok(())
    }

    /// Keeps the entry of a saved state, under its number, for what is left of a book: all others are lost.
    pub(crate) fn keep_saved(
        &mut self,
        number: u64,
        positions: u64,
        file: &str,
        bytes: u64,
    ) -> Result<(), StoreError> {
        self.pause()?;
        self.add_saved(positions, file, bytes)?;
        self.book.execute("UPDATE undo_entry SET id = ?1", params![number.cast_signed()])
    }

    /// Forgets the images of rows that a migration has changed.
    pub(in crate::store) fn forget_old_images(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM undo_entry, pragma_user_version \
                   WHERE file IS NULL AND schema <> user_version)";
        if self.ask(sql, &[])? == 0 {
            return Ok(());
        }
        self.book.begin()?;
        let forgotten = self.forget_images();
        self.book.whole_or_nothing(forgotten)?;
        self.book.commit()
    }

    /// Writes the images that wait, where there are many.
    pub(in crate::store) fn write_many_images(&mut self) -> Result<(), StoreError> {
        match self.book.log.pause.is_none() && self.book.log.capture.len() >= WRITE_AT {
            true => self.write_images(0),
            false => Ok(()),
        }
    }

    /// Writes what is to be known of this transaction before it is committed.
    pub(in crate::store) fn write_transaction(&mut self) -> Result<(), StoreError> {
        let is_changed =
            || self.book.reader.connection.total_changes() > self.book.log.changed_before;
        match self.book.log.pause {
            None if self.book.log.capture.is_too_much() => self.give_up_change(),
            None => self.write_images(self.book.added.values().sum()),
            Some(_) if !self.book.log.is_recorded && is_changed() => self.forget_images(),
            Some(_) => Ok(()),
        }
    }

    /// Adds the images that wait to the entry of the change, which is made if there is none. So many positions were
    /// counted since the last commit.
    fn write_images(&mut self, counted: i64) -> Result<(), StoreError> {
        if !self.book.log.capture.has_searches() {
            return Ok(());
        }
        let entry = match self.book.log.entry {
            Some(entry) => entry,
            None => {
                let positions = self.ask("SELECT total(positions) FROM layer", &[])?;
                let entry = self.add_entry(positions - counted, None, 0)?;
                *self.book.log.entry.insert(entry)
            }
        };
        let written = self.write_waiting(entry)?;
        self.book.execute(
            "UPDATE undo_entry SET bytes = bytes + ?2, \
             positions_after = (SELECT total(positions) FROM layer) WHERE id = ?1",
            params![entry, written.cast_signed()],
        )?;
        match self.book.log.room.map(|room| room.checked_sub(written)) {
            Some(Some(room)) => {
                self.book.log.room = Some(room);
                Ok(())
            }
            Some(None) | None => self.keep_small(entry),
        }
    }

    /// Writes the images that wait behind those of an entry; returns how many bytes.
    pub(super) fn write_waiting(&mut self, entry: i64) -> Result<u64, StoreError> {
        let images = self.book.log.capture.take();
        if images.is_empty() {
            return Ok(0);
        }
        self.book.execute(
            "INSERT INTO undo_image (entry, number, images) \
             SELECT ?1, coalesce(max(number) + 1, 0), ?2 FROM undo_image WHERE entry = ?1",
            params![entry, images],
        )?;
        Ok(images.len() as u64)
    }

    /// Adds the entry of a change; what could be done again cannot any more.
    fn add_entry(
        &mut self,
        positions_before: i64,
        file: Option<&str>,
        bytes: u64,
    ) -> Result<i64, StoreError> {
        self.drop_entries("is_undone = ?1", 1)?;
        let title = self.book.log.run.as_ref().unwrap_or(&self.book.log.others);
        let Title { asked, started, run } = title.clone();
        self.book.execute(
            "INSERT INTO undo_entry (id, is_undone, schema, asked, started, run, positions_before, \
             positions_after, bytes, file) \
             SELECT coalesce((SELECT max(id) FROM undo_entry), 0) + 1, 0, user_version, ?1, \
             coalesce(?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), ?3, ?4, ?4, ?5, ?6 \
             FROM pragma_user_version",
            params![
                asked,
                started,
                run.map(|RunId(run)| run),
                positions_before,
                bytes.cast_signed(),
                file
            ],
        )?;
        self.ask("SELECT max(id) FROM undo_entry", &[])
    }

    /// The other way round from now on: a change is taken back, or done again, and its run says so.
    pub(super) fn turn(&mut self, number: i64) -> Result<(), StoreError> {
        self.book.execute(
            "UPDATE undo_entry SET is_undone = 1 - is_undone WHERE id = ?1",
            params![number],
        )?;
        let of_entry = "id = (SELECT run FROM undo_entry WHERE id = ?1)";
        let is_undone = "(SELECT is_undone FROM undo_entry WHERE id = ?1)";
        self.book.execute(
            &format!(
                "UPDATE run SET result = CASE {is_undone} WHEN 1 THEN coalesce(result, ?2) || ?3 \
                 ELSE nullif(replace(result, ?3, ''), ?2) END WHERE {of_entry}"
            ),
            params![number, NOT_ENDED, UNDONE],
        )
    }

    /// Takes the oldest changes out of the log while it is too large, and logs that. If only this one is left, and
    /// has no file, it goes, too, with what else is done by the same change.
    pub(super) fn keep_small(&mut self, newest: i64) -> Result<(), StoreError> {
        loop {
            let total = self.ask("SELECT total(bytes) FROM undo_entry", &[])?.cast_unsigned();
            let images = "SELECT total(bytes) FROM undo_entry WHERE file IS NULL";
            let images = self.ask(images, &[])?.cast_unsigned();
            let book = self.book.reader.file_size()?.saturating_sub(images);
            let most = (book / PART).max(MOST_BYTES);
            self.book.log.room = most.checked_sub(total);
            if self.book.log.room.is_some() {
                return Ok(());
            }
            let oldest = self.ask("SELECT min(id) FROM undo_entry", &[])?;
            if oldest == newest {
                let has_file = "SELECT file IS NOT NULL FROM undo_entry WHERE id = ?1";
                return match self.ask(has_file, &[&newest])? {
                    0 => self.give_up_change(),
                    _ => Ok(()),
                };
            }
            self.tell_lost(oldest)?;
            self.drop_entries("id = ?1", oldest)?;
        }
    }

    /// Logs that a change can no longer be taken back, because the log is full.
    fn tell_lost(&self, number: i64) -> Result<(), StoreError> {
        let sql = "SELECT asked, started FROM undo_entry WHERE id = ?1";
        let told = self
            .book
            .reader
            .first(sql, [number], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        let Some((asked, started)) = told else { return Ok(()) };
        tracing::warn!(
            "change {number} ('{asked}', {started}) can no longer be undone: what is kept for that is limited to a \
             quarter of the book, and to {} MB at the least",
            MOST_BYTES >> 20
        );
        Ok(())
    }

    /// Notes no more of a change that is larger than the log may be.
    fn give_up_change(&mut self) -> Result<(), StoreError> {
        tracing::warn!(
            "this change cannot be undone: more is changed than is kept for that, a quarter of the book, and {} MB \
             at the least",
            MOST_BYTES >> 20
        );
        self.pause()?;
        self.book.log.pause = Some(Pause::Change);
        self.book.log.entry = None;
        self.forget_images()
    }

    /// Forgets what images could take back, and what could be done again: rows were changed that were not noted.
    /// What the last bulk operation has saved is a whole book, and can still be brought back.
    fn forget_images(&mut self) -> Result<(), StoreError> {
        let saved =
            "SELECT coalesce(max(id), 0) FROM undo_entry WHERE file IS NOT NULL AND NOT is_undone";
        let saved = self.ask(saved, &[])?;
        let lost =
            "SELECT count(*) FROM undo_entry WHERE id > ?1 AND NOT is_undone AND id IS NOT ?2";
        self.book.log.lost += self.ask(lost, &[&saved, &self.book.log.entry])?;
        self.drop_entries("id > ?1", saved)?;
        (self.book.log.entry, self.book.log.committed) = (None, None);
        Ok(())
    }

    fn drop_entries(&mut self, which: &str, value: i64) -> Result<(), StoreError> {
        let images = format!(
            "DELETE FROM undo_image WHERE entry IN (SELECT id FROM undo_entry WHERE {which})"
        );
        self.book.execute(&images, params![value])?;
        self.book.execute(&format!("DELETE FROM undo_entry WHERE {which}"), params![value])
    }

    /// The number that a statement gives.
    fn ask(&self, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Result<i64, StoreError> {
        // A sum is no integer to SQLite.
        let number = self.book.reader.first(sql, values, |row| Ok(row.get::<_, f64>(0)?))?;
        Ok(number.unwrap_or_default() as i64)
    }
}
