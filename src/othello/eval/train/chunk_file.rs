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
//! A last chunk that was cut short by a crash is dropped. What is damaged before it is refused: nothing
//! behind it is lost.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of content in the largest chunk that is read.
const LARGEST_CHUNK: usize = 20 << 20;

/// How hard zstd packs a chunk.
const LEVEL: i32 = 9;

/// Bytes of a chunk before its content.
const HEAD: usize = 8;

/// The first bytes of a file, which are different for each kind.
pub(crate) type Magic = [u8; 8];

/// An open file of chunks that can be added to. One that was made goes again when its first chunk cannot be
/// written.
pub(crate) struct ChunkFile {
    file: File,
    chunks: usize,
    /// Where the last whole chunk ends.
    end: u64,
    /// The path of a file that was made and has no chunk yet.
    made: Option<PathBuf>,
}

impl ChunkFile {
    /// Opens a file, or makes a new one, for this process alone. What a crash left behind its last whole
    /// chunk is cut off, and a magic that it left unfinished is finished. `kind` names the file in the error when its magic is another.
    pub(crate) fn open(path: &Path, magic: Magic, kind: &str) -> io::Result<Self> {
        let open = |is_new: bool| {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).create_new(is_new).truncate(false);
            options.open(path)
        };
        let (file, made) = match open(true) {
            Ok(file) => (file, Some(path.to_owned())),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => (open(false)?, None),
            Err(error) => return Err(error),
        };
        let begun = Self::begin(file, made.clone(), magic, kind);
        if let (Err(_), Some(made)) = (&begun, made) {
            remove_made(&made);
        }
        begun
    }

    fn begin(mut file: File, made: Option<PathBuf>, magic: Magic, kind: &str) -> io::Result<Self> {
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
        }
        match file.try_lock() {
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(ErrorKind::ResourceBusy, "another process adds to it"));
            }
        }
        let mut head = Vec::new();
        (&file).take(magic.len() as u64).read_to_end(&mut head)?;
        file.rewind()?;
        if head.len() < magic.len() && magic.starts_with(&head) {
            file.write_all(&magic)?;
            file.rewind()?;
        }
        let mut chunks = 0;
        let end = read(&mut file, magic, kind, |_| chunks += 1)?;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, chunks, end, made })
    }

    pub(crate) const fn chunks(&self) -> usize {
        self.chunks
    }

    /// Adds a chunk.
    ///
    /// # Errors
    /// When it cannot be written; then the file is as it was before.
    pub(crate) fn add(&mut self, content: &[u8]) -> io::Result<()> {
        let packed = zstd::bulk::compress(content, LEVEL)?;
        let mut chunk = crc32fast::hash(&packed).to_le_bytes().to_vec();
        chunk.extend((packed.len() as u32).to_le_bytes());
        chunk.extend(packed);
        if let Err(error) = self.file.write_all(&chunk) {
            // It frees room, and what stays is read as it was in any case.
            let _ = self.file.set_len(self.end);
            let _ = self.file.seek(SeekFrom::Start(self.end));
            if let Some(made) = self.made.take() {
                remove_made(&made);
            }
            return Err(error);
        }
        self.made = None;
        self.end += chunk.len() as u64;
        self.chunks += 1;
        Ok(())
    }
}

/// Takes a file away that was made for nothing. What cannot be removed has no chunk, and matters less than
/// why there is none.
fn remove_made(path: &Path) {
    let _ = std::fs::remove_file(path);
}

/// Hands on the content of each whole chunk of a file.
pub(crate) fn read_chunks(
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
    let mut rest = bytes
        .strip_prefix(&magic)
        .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, format!("not a file of {kind}")))?;
    while !rest.is_empty() {
        let at = bytes.len() - rest.len();
        let damaged = |what| io::Error::new(ErrorKind::InvalidData, format!("byte {at}: {what}"));
        match next_chunk(rest) {
            Chunk::Whole(content, after) => {
                each(&content);
                rest = after;
            }
            // A crash leaves a part of one chunk, not of several.
            Chunk::Cut if !holds_another(rest) => break,
            Chunk::Cut => return Err(damaged("the length of a chunk is damaged")),
            Chunk::Damaged => return Err(damaged("a chunk is damaged")),
        }
    }
    Ok((bytes.len() - rest.len()) as u64)
}

/// Whether another chunk begins behind the head of the first one, by how zstd begins what it packs.
fn holds_another(bytes: &[u8]) -> bool {
    const BEGINNING: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
    let behind = bytes.get(HEAD + BEGINNING.len()..).unwrap_or_default();
    behind.array_windows().any(|window| *window == BEGINNING)
}

/// What is at an offset of a file.
enum Chunk<'a> {
    /// The content of a chunk, and what follows it.
    Whole(Vec<u8>, &'a [u8]),
    /// The file ends inside the chunk.
    Cut,
    /// More follows a chunk that is not as it was written.
    Damaged,
}

fn next_chunk(bytes: &[u8]) -> Chunk<'_> {
    let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() else { return Chunk::Cut };
    let [checksum, length] = [0, 4].map(|at| {
        head.get(at..at + 4).and_then(|number| number.try_into().ok()).map_or(0, u32::from_le_bytes)
    });
    let Some((packed, after)) = rest.split_at_checked(length as usize) else { return Chunk::Cut };
    let content = (crc32fast::hash(packed) == checksum)
        .then(|| zstd::bulk::decompress(packed, LARGEST_CHUNK).ok());
    match content.flatten() {
        Some(content) => Chunk::Whole(content, after),
        // Its length was written before its content was.
        None if after.is_empty() => Chunk::Cut,
        None => Chunk::Damaged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: Magic = *b"rbTESTS1";

    #[test]
    fn what_is_damaged_is_refused_and_what_is_cut_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chunks");
        let mut file = ChunkFile::open(&path, MAGIC, "tests").unwrap();
        assert!(
            ChunkFile::open(&path, MAGIC, "tests").is_err(),
            "two would write into one another"
        );
        (0..4u8).for_each(|number| file.add(&[number; 100]).unwrap());
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        for at in MAGIC.len()..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 64;
            std::fs::write(&path, &damaged).unwrap();
            match ChunkFile::open(&path, MAGIC, "tests") {
                Err(_) => assert_eq!(std::fs::read(&path).unwrap(), damaged, "byte {at}"),
                // The last chunk, which a crash may have left so.
                Ok(file) => assert_eq!(file.chunks(), 3, "byte {at}"),
            }
        }
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let file = ChunkFile::open(&path, MAGIC, "tests").unwrap();
            let kept = std::fs::read(&path).unwrap();
            assert!(whole.starts_with(&kept) && file.chunks() < 4, "{length} bytes");
            assert!(kept.starts_with(&MAGIC), "{length} bytes");
        }
        for foreign in [&b"rbX"[..], b"rbTESTS2", b"x"] {
            std::fs::write(&path, foreign).unwrap();
            assert!(ChunkFile::open(&path, MAGIC, "tests").is_err());
            assert_eq!(std::fs::read(&path).unwrap(), foreign);
        }
    }
}
