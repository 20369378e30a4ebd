//! Files of packed, checksummed chunks that can be added to.
//!
//! Layout, little-endian: a magic of eight bytes, then any number of chunks, each
//!
//! ```text
//! 0  4  CRC-32 of the packed bytes
//! 4  4  length of the packed bytes
//! 8  .. zstd: the content
//! ```
//!
//! A last chunk that was cut short by a crash is dropped.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of content in the largest chunk that is read.
const LARGEST_CHUNK: usize = 20 << 20;

/// The first bytes of a file, which tell one kind from another.
pub type Magic = [u8; 8];

/// An open file of chunks that can be added to.
pub struct ChunkFile {
    file: File,
    chunks: usize,
}

impl ChunkFile {
    /// Opens a file, or makes a new one. What a crash left behind its last whole chunk is cut off.
    /// `kind` names the file in the error when its magic is another.
    ///
    /// # Errors
    /// When it cannot be opened, or has another magic.
    pub fn open(path: &Path, magic: Magic, kind: &str) -> io::Result<Self> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() == 0 {
            file.write_all(&magic)?;
        }
        file.rewind()?;
        let mut chunks = 0;
        let end = read(&mut file, magic, kind, |_| chunks += 1)?;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, chunks })
    }

    /// Chunks in the file.
    #[must_use]
    pub const fn chunks(&self) -> usize {
        self.chunks
    }

    /// Adds a chunk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, content: &[u8]) -> io::Result<()> {
        let packed = zstd::bulk::compress(content, 9)?;
        let mut chunk = crc32fast::hash(&packed).to_le_bytes().to_vec();
        chunk.extend((packed.len() as u32).to_le_bytes());
        chunk.extend(packed);
        self.file.write_all(&chunk)?;
        self.chunks += 1;
        Ok(())
    }
}

/// Hands on the content of each whole chunk of a file.
///
/// # Errors
/// When it cannot be read, or has another magic.
pub fn read_chunks(
    path: &Path,
    magic: Magic,
    kind: &str,
    each: impl FnMut(&[u8]),
) -> io::Result<()> {
    read(&mut File::open(path)?, magic, kind, each).map(drop)
}

/// Whether the file starts with this magic.
pub(super) fn has_magic(path: &Path, magic: Magic) -> bool {
    let mut found = Magic::default();
    File::open(path).and_then(|mut file| file.read_exact(&mut found)).is_ok() && found == magic
}

/// Hands on the content of each whole chunk and says where the last one ends.
fn read(file: &mut File, magic: Magic, kind: &str, mut each: impl FnMut(&[u8])) -> io::Result<u64> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let mut rest = bytes.strip_prefix(&magic).ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidData, format!("not a file of {kind}"))
    })?;
    while let Some((content, after)) = next_chunk(rest) {
        each(&content);
        rest = after;
    }
    Ok((bytes.len() - rest.len()) as u64)
}

fn next_chunk(bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (checksum, rest) = bytes.split_first_chunk::<4>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (packed, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    if crc32fast::hash(packed) != u32::from_le_bytes(*checksum) {
        return None;
    }
    Some((zstd::bulk::decompress(packed, LARGEST_CHUNK).ok()?, rest))
}
