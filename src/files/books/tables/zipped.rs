//! The tables as CSV files in a zip.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::write::{Steps, WriteError};
use super::writer::table_names;

/// Rows between two looks at the stop.
const STEP: u64 = 1 << 14;

/// Writes each table under a row of its names; null is an empty field.
pub(super) fn zip_tables(
    tables: &Path,
    output: BufWriter<File>,
    steps: &mut Steps<'_>,
) -> Result<(), WriteError> {
    let connection = Connection::open(std::path::absolute(tables)?)?;
    let mut zip = ZipWriter::new(output);
    let options = SimpleFileOptions::default().large_file(true);
    for name in table_names(&connection)? {
        zip.start_file(format!("{name}.csv"), options).map_err(io::Error::from)?;
        let mut table = csv::Writer::from_writer(&mut zip);
        let mut all = connection.prepare(&format!("SELECT * FROM {name}"))?;
        table.write_record(all.column_names())?;
        let columns = all.column_count();
        let (mut rows, mut count) = (all.query([])?, 0_u64);
        let mut text = Vec::new();
        while let Some(row) = rows.next()? {
            if count.is_multiple_of(STEP) && steps.stop.is_stopped() {
                return Err(WriteError::Stopped);
            }
            count += 1;
            for column in 0..columns {
                table.write_field(field(row, column, &mut text)?)?;
            }
            table.write_record(None::<&[u8]>)?;
        }
        table.flush()?;
    }
    let mut output = zip.finish().map_err(io::Error::from)?;
    Ok(output.flush()?)
}

/// A field of a row, numbers in `text`.
fn field<'a>(
    row: &'a Row<'_>,
    column: usize,
    text: &'a mut Vec<u8>,
) -> Result<&'a [u8], WriteError> {
    text.clear();
    match row.get_ref(column)? {
        ValueRef::Null => {}
        ValueRef::Integer(number) => write!(text, "{number}")?,
        ValueRef::Real(number) => write!(text, "{number}")?,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => return Ok(bytes),
    }
    Ok(text)
}
