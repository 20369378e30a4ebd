//! Writing `.egbk3`.

use std::io::{self, Seek, SeekFrom, Write};

use super::EgaroucidRecord;
use super::layout::MAGIC;

/// Writes a header and then records; their number is put into the header at the end.
pub struct EgaroucidWriter<W> {
    output: W,
    count: i32,
}

const VERSION: u8 = 3;
const COUNT_AT: u64 = 10;

impl<W: Write + Seek> EgaroucidWriter<W> {
    /// Writes the header.
    pub fn new(mut output: W) -> io::Result<Self> {
        output.write_all(MAGIC)?;
        output.write_all(&[VERSION])?;
        output.write_all(&0i32.to_le_bytes())?;
        Ok(Self { output, count: 0 })
    }

    /// Writes one record.
    pub fn write(&mut self, record: &EgaroucidRecord) -> io::Result<()> {
        self.count = self
            .count
            .checked_add(1)
            .ok_or_else(|| io::Error::other("more records than an Egaroucid book can count"))?;
        record.write(&mut self.output)
    }

    /// Completes the header and hands back the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.seek(SeekFrom::Start(COUNT_AT))?;
        self.output.write_all(&self.count.to_le_bytes())?;
        self.output.seek(SeekFrom::End(0))?;
        self.output.flush()?;
        Ok(self.output)
    }
}
