//! What is kept of a file beside its nodes, and what its program made of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;

use crate::files::books::ntest::{NtestReader, NtestValues, ntest_values};
use crate::files::books::{BookInput, Format, ReadOptions};

/// Files above this many bytes are not kept.
const MOST_KEPT: u64 = 4 << 30;

/// Files above this many bytes, packed, are not kept: a row is written from memory, and a snapshot
/// holds no larger ones.
const MOST_PACKED: usize = 128 << 20;

/// Bytes that are packed at a time.
const PIECE: usize = 1 << 16;

/// How hard a file is packed: it is done once, and most such files are small.
const fn effort(bytes: u64) -> i32 {
    if bytes < 4 << 20 { 12 } else { 3 }
}

/// A file to be kept.
pub(super) struct Original {
    /// The file, compressed.
    pub(super) packed: Vec<u8>,
    /// NTest's own values of an NTest book, for comparison.
    pub(super) values: NtestValues,
}

impl Original {
    /// Keeps bytes whose program has no values of its own.
    pub(super) fn of_bytes(bytes: &[u8]) -> io::Result<Option<Self>> {
        let packed = packed(bytes, bytes.len() as u64)?;
        Ok(packed.map(|packed| Self { packed, values: NtestValues::default() }))
    }
}

/// So many bytes, compressed; none when that is too much to be kept.
fn packed(input: impl Read, bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), effort(bytes))?;
    // Its tables are then no larger than the file needs: most files are small.
    encoder.set_pledged_src_size(Some(bytes))?;
    let mut input = BufReader::with_capacity(PIECE, input);
    loop {
        let piece = input.fill_buf()?;
        if piece.is_empty() {
            let packed = encoder.finish()?;
            return Ok((packed.len() <= MOST_PACKED).then_some(packed));
        }
        encoder.write_all(piece)?;
        let length = piece.len();
        input.consume(length);
        if encoder.get_ref().len() > MOST_PACKED {
            return Ok(None);
        }
    }
}

/// The bytes of a file as they are read, put aside in a temporary file.
pub(super) struct Copy {
    file: File,
    format: Format,
}

impl Copy {
    /// Has all bytes of an input put aside that is to be kept; none where nodes hold all that
    /// matters. The temporary file is made in this folder and vanishes by itself.
    pub(super) fn of(input: &mut BookInput<'_>, folder: &Path) -> io::Result<Option<Self>> {
        if !input.is_worth_keeping() {
            return Ok(None);
        }
        let file = tempfile::tempfile_in(folder)?;
        input.copy_to(Limited { file: file.try_clone()?, left: MOST_KEPT });
        Ok(Some(Self { file, format: input.format() }))
    }

    /// What is kept of a file that has been read to its end; none when it is too large.
    pub(super) fn original(mut self) -> io::Result<Option<Original>> {
        let bytes = self.file.metadata()?.len();
        if bytes == 0 {
            return Ok(None);
        }
        self.file.rewind()?;
        // First, since the values take many times as much memory as the file.
        let Some(packed) = packed(&self.file, bytes)? else { return Ok(None) };
        self.file.rewind()?;
        let values = match self.format {
            Format::Ntest | Format::Ntest1 => match values(BufReader::new(&self.file)) {
                Some(values) => values,
                None => return Ok(None),
            },
            _ => NtestValues::default(),
        };
        Ok(Some(Original { packed, values }))
    }
}

/// Takes so many bytes; of more it keeps nothing.
struct Limited {
    file: File,
    left: u64,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.left.checked_sub(bytes.len() as u64) {
            Some(left) => {
                self.left = left;
                self.file.write_all(bytes)?;
            }
            None => {
                self.left = 0;
                self.file.set_len(0)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn values(file: impl Read) -> Option<NtestValues> {
    let mut reader = NtestReader::new(file, "", ReadOptions::default()).ok()?;
    let next = || Some(reader.next_node().transpose()?.map(|(_, node)| node));
    ntest_values(std::iter::from_fn(next)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_of_a_file_that_is_too_large() {
        let file = tempfile::tempfile().unwrap();
        let mut limited = Limited { file: file.try_clone().unwrap(), left: 5 };
        for (bytes, length) in [("abc", 3), ("de", 5), ("f", 0), ("g", 0)] {
            limited.write_all(bytes.as_bytes()).unwrap();
            assert_eq!(file.metadata().unwrap().len(), length, "{bytes}");
        }
    }
}
