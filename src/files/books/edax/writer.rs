//! Writing the binary book.

use std::io::{self, Write};

use super::{EdaxHeader, EdaxRecord};

/// Writes a header and then records in the order given. Edax takes any order.
pub struct EdaxWriter<W> {
    output: W,
}

impl<W: Write> EdaxWriter<W> {
    /// Writes the header, whose count must be that of the records to come.
    pub fn new(mut output: W, header: &EdaxHeader) -> io::Result<Self> {
        header.write(&mut output)?;
        Ok(Self { output })
    }

    /// Writes one record.
    pub fn write(&mut self, record: &EdaxRecord) -> io::Result<()> {
        record.write(&mut self.output)
    }

    /// Flushes and hands back the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}
