//! What is kept of a file beside its nodes, and what its program made of it.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use crate::board::Key;
use crate::formats::ntest::{NtestReader, ntest_values};
use crate::formats::{BookInput, Format, ReadOptions};

use super::assemble::OwnValues;

/// Files above this many bytes are not kept.
const MOST_KEPT: u64 = 4 << 30;

/// Files above this many bytes, packed, are not kept: no row of SQLite holds more than 1 GB.
const MOST_PACKED: usize = 512 << 20;

/// How hard the file is packed: it is done once, and such files are small.
const EFFORT: i32 = 12;

/// A file to be kept.
pub(super) struct Original {
    /// The file, compressed.
    pub(super) packed: Vec<u8>,
    /// Its program's values, for comparison.
    pub(super) values: OwnValues,
}

/// The bytes of a file as they are read, put aside in a temporary file.
pub(super) struct Copy(File);

impl Copy {
    /// Has all bytes of an input put aside that is to be kept; none where nodes hold all that
    /// matters. The temporary file is made in this folder and vanishes by itself.
    pub(super) fn of(input: &mut BookInput<'_>, folder: &Path) -> io::Result<Option<Self>> {
        if !matches!(input.format(), Format::Ntest | Format::Ntest1) {
            return Ok(None);
        }
        let file = tempfile::tempfile_in(folder)?;
        input.copy_to(Limited { file: file.try_clone()?, left: MOST_KEPT });
        Ok(Some(Self(file)))
    }

    /// What is kept of a file that has been read to its end; none when it is too large.
    pub(super) fn original(mut self) -> io::Result<Option<Original>> {
        self.0.rewind()?;
        let Some(values) = values(BufReader::new(&self.0)) else { return Ok(None) };
        self.0.rewind()?;
        let packed = zstd::encode_all(&self.0, EFFORT)?;
        Ok((packed.len() <= MOST_PACKED).then_some(Original { packed, values }))
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

fn values(file: impl Read) -> Option<OwnValues> {
    let mut reader = NtestReader::new(file, "", ReadOptions::default()).ok()?;
    let mut nodes = Vec::new();
    while let Some((_, node)) = reader.next_node().ok()? {
        nodes.push(node);
    }
    let of_board = ntest_values(&nodes);
    Some(of_board.into_iter().map(|(position, values)| (Key::of(position), values)).collect())
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
