//! The length and the checksum of what is written, or of a file.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Bytes that went by.
#[derive(Default)]
struct Sum {
    hasher: crc32fast::Hasher,
    length: u64,
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
    }

    fn text(self) -> String {
        format!("{} bytes {:08x}", self.length, self.hasher.finalize())
    }
}

/// A writer that sums up what it is given, so that it need not be read again.
pub(super) struct Summed<W> {
    writer: W,
    sum: Sum,
}

impl<W> Summed<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { writer, sum: Sum::default() }
    }

    /// What [`checksum`] is of a file with all that was written.
    pub(super) fn checksum(self) -> String {
        self.sum.text()
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The length and the checksum of a file.
pub(super) fn checksum(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut piece, mut sum) = (vec![0; 1 << 16], Sum::default());
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(sum.text()),
            read => sum.add(&piece[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_has_the_checksum_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all");
        let mut writer = Summed::new(File::create(&path).unwrap());
        for length in [0, 1, 70_000] {
            writer.write_all(&vec![7; length]).unwrap();
        }
        let known = writer.checksum();
        assert!(known.starts_with("70001 bytes ") && known == checksum(&path).unwrap(), "{known}");
    }
}
