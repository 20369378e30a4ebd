//! Whether the log can be what takes changes back.

use std::collections::BTreeMap;
use std::fmt;

use super::SINCE;
use super::capture::TABLES;
use super::image::unpack;
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

impl UndoChanges<'_> {
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
                let packed = row.get_ref(1)?.as_blob().unwrap_or_default();
                *bytes.entry(entry).or_default() += packed.len() as u64;
                let is_known = |table: u8| usize::from(table) < TABLES.len();
                let images = unpack(packed);
                if !images.is_some_and(|images| images.iter().all(|image| is_known(image.table))) {
                    report.note(format!("what takes change {entry} back means nothing"));
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
