//! Parts of a snapshot: bytes with their length and a checksum.

use std::io::{self, Read, Write};

use thiserror::Error;

use crate::othello::system_error::in_words;

/// The newest version that is known.
pub(super) const VERSION: u32 = 4;
/// The version that brought what searches left out, and what is kept beside them.
pub(super) const WITH_EVIDENCE: u32 = 4;
/// The most bytes of an imported file as it is kept: some more than an import keeps.
pub(super) const MOST_OF_ORIGINAL: u32 = 256 << 20;
/// The most bytes of all facts: 48 million even if they could not be packed.
pub(super) const MOST_OF_FACTS: u32 = 1 << 30;

/// A snapshot that cannot be read or written.
#[derive(Debug, Error)]
pub enum SnapshotError {
    #[error("it is not a snapshot of a rosebill book")]
    Foreign,
    /// It was written by a program that knows more.
    #[error(
        "it was made by a newer rosebill (version {found} of the format, this program knows {VERSION})"
    )]
    Newer { found: u32 },
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    #[error("{}", in_words(.0))]
    Io(#[from] io::Error),
}

pub(super) fn length(length: usize) -> io::Result<u32> {
    u32::try_from(length)
        .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "a layer is too large"))
}

pub(super) fn number(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Bytes after their length and checksum: no more than are read again.
pub(super) fn write_guarded(target: &mut impl Write, content: &[u8], most: u32) -> io::Result<()> {
    let length = length(content.len())?;
    if length > most {
        let error = format!("a part of {length} bytes is larger than a snapshot can have");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    target.write_all(&length.to_le_bytes())?;
    target.write_all(&crc32fast::hash(content).to_le_bytes())?;
    target.write_all(content)
}

/// As they were written by [`write_guarded`].
pub(super) fn read_guarded(file: &mut impl Read, most: u32) -> Result<Vec<u8>, SnapshotError> {
    let (size, crc) = (number(file)?, number(file)?);
    if size > most {
        return Err(SnapshotError::Damaged("a part is larger than any such part"));
    }
    bytes(file, size, crc)
}

/// What was packed by zstd; more than `most` bytes of it are not unpacked.
pub(super) fn unpacked(packed: &[u8], most: u32) -> Result<Vec<u8>, SnapshotError> {
    let mut raw = Vec::new();
    zstd::Decoder::new(packed)?.take(u64::from(most) + 1).read_to_end(&mut raw)?;
    if raw.len() as u64 > u64::from(most) {
        return Err(SnapshotError::Damaged("a part unpacks to more than it may"));
    }
    Ok(raw)
}

/// So many bytes with this checksum. Memory is taken as the bytes come, not as they are promised.
pub(super) fn bytes(file: &mut impl Read, size: u32, crc: u32) -> Result<Vec<u8>, SnapshotError> {
    let mut bytes = Vec::new();
    file.take(u64::from(size)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != u64::from(size) {
        return Err(SnapshotError::Damaged("the file ends too early"));
    }
    if crc32fast::hash(&bytes) != crc {
        return Err(SnapshotError::Damaged("a checksum is wrong"));
    }
    Ok(bytes)
}

/// Bytes that a checksum goes with.
pub(super) struct Guarded<R> {
    input: R,
    hasher: crc32fast::Hasher,
}

impl<R: Read> Guarded<io::Take<R>> {
    pub(crate) fn new(input: io::Take<R>) -> Self {
        Self { input, hasher: crc32fast::Hasher::new() }
    }

    /// Takes what is left, and compares.
    pub(crate) fn check(mut self, crc: u32) -> Result<(), SnapshotError> {
        io::copy(&mut self, &mut io::sink())?;
        if self.input.limit() > 0 {
            return Err(SnapshotError::Damaged("the file ends too early"));
        }
        if self.hasher.finalize() != crc {
            return Err(SnapshotError::Damaged("a checksum is wrong"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hasher.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}
