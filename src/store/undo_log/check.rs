//! Whether the log can be what takes changes back.

use std::collections::BTreeMap;
use std::fmt;

use rusqlite::types::ValueRef;

use super::SINCE;
use super::capture::TABLES;
use super::image::{Image, unpack};
use crate::store::{StoreError, UndoChanges};

/// What was found in the log of changes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct UndoReport {
    /// How many times it is not what it must be.
    pub violations: u64,
    pub first: Vec<UndoViolation>,
}

/// Something in the log of changes that cannot be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndoViolation {
    pub what: String,
}

impl UndoViolation {
    /// The invariant that does not hold.
    pub(crate) const INVARIANT: &'static str = "U1";
}

impl fmt::Display for UndoViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", Self::INVARIANT, self.what)
    }
}

impl UndoReport {
    /// How many violations are described.
    const DESCRIBED: usize = 100;

    fn note(&mut self, what: String) {
        self.violations += 1;
        if self.first.len() < Self::DESCRIBED {
            self.first.push(UndoViolation { what });
        }
    }
}

/// Whether images are of tables that there are.
fn is_readable(packed: ValueRef<'_>) -> bool {
    let images = unpack(packed.as_blob().unwrap_or_default());
    let is_known = |image: &Image| usize::from(image.table) < TABLES.len();
    images.is_some_and(|images| images.iter().all(is_known))
}

/// Says that images of a change mean nothing.
pub(super) fn meaningless(change: impl fmt::Display) -> String {
    format!("what takes change {change} back means nothing")
}

impl UndoChanges<'_> {
    /// Checks that all images of a change mean something.
    ///
    /// # Errors
    /// One does not, or the book cannot be read.
    pub(crate) fn check_images(&self, number: u64) -> Result<(), StoreError> {
        let sql = "SELECT images FROM undo_image WHERE entry = ?1";
        let number = number.cast_signed();
        let means_something =
            self.reader.rows(sql, [number], |row| Ok(is_readable(row.get_ref(0)?)))?;
        match means_something.contains(&false) {
            true => Err(self.reader.damage(meaningless(number))),
            false => Ok(()),
        }
    }

    /// Checks the log of changes: that all images mean something and are of an entry, as many bytes as it says, and
    /// that what was taken back comes last.
    pub fn verify(&self) -> Result<UndoReport, StoreError> {
        let mut report = UndoReport::default();
        if !self.reader.has_schema(SINCE)? {
            return Ok(report);
        }
        let mut bytes: BTreeMap<u64, u64> = BTreeMap::new();
        let mut look_through = || -> rusqlite::Result<()> {
            let mut statement = self
                .reader
                .connection
                .prepare("SELECT entry, images FROM undo_image ORDER BY entry, number")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let entry = row.get::<_, i64>(0)?.cast_unsigned();
                let packed = row.get_ref(1)?;
                let length = packed.as_blob().map_or(0, <[u8]>::len);
                *bytes.entry(entry).or_default() += length as u64;
                if !is_readable(packed) {
                    report.note(meaningless(entry));
                }
            }
            Ok(())
        };
        look_through().map_err(|cause| self.reader.failed(cause))?;
        let mut was_undone = false;
        for entry in self.changes()? {
            let found = bytes.remove(&entry.number).unwrap_or_default();
            let expected = if entry.file.is_some() { 0 } else { entry.bytes };
            if found != expected {
                let number = entry.number;
                report.note(format!("change {number} has {found} bytes of images, not {expected}"));
            }
            if was_undone && !entry.is_undone {
                report
                    .note(format!("change {} was not undone, and one before it was", entry.number));
            }
            was_undone = entry.is_undone;
        }
        for entry in bytes.into_keys() {
            report.note(format!("there are images of a change {entry} that there is not"));
        }
        Ok(report)
    }
}
