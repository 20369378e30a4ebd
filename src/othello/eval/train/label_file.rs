//! Labelled positions on disk.
//!
//! A file of chunks (see `chunk_file`) with the magic "rbLABEL1"; each holds records of 20 bytes,
//! little-endian: mover (u64), opponent (u64), score in centidiscs for the mover (i16), depth of the
//! search in plies (u8; 255 = solved), its selectivity in percent (u8).

use std::io;
use std::path::Path;

use super::chunk_file::{ChunkFile, Magic, has_magic, read_chunks};
use crate::othello::board::{Key, Position};

const MAGIC: Magic = *b"rbLABEL1";
const KIND: &str = "labelled positions";
const RECORD_BYTES: usize = 20;

/// A position with the result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label {
    pub key: Key,
    /// Score in centidiscs for the side to move.
    pub centidiscs: i16,
    /// Plies of the search, [`Label::SOLVED`] for an exact score.
    pub depth: u8,
    /// Selectivity in percent.
    pub selectivity: u8,
}

impl Label {
    /// The depth of an exact score.
    pub(crate) const SOLVED: u8 = 255;

    fn to_bytes(self) -> [u8; RECORD_BYTES] {
        let Position { mover, opponent } = self.key.position();
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&mover.to_le_bytes());
        bytes[8..16].copy_from_slice(&opponent.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.centidiscs.to_le_bytes());
        bytes[18] = self.depth;
        bytes[19] = self.selectivity;
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (mover, rest) = bytes.split_first_chunk::<8>()?;
        let (opponent, rest) = rest.split_first_chunk::<8>()?;
        let &[low, high, depth, selectivity] = rest.first_chunk::<4>()?;
        let (mover, opponent) = (u64::from_le_bytes(*mover), u64::from_le_bytes(*opponent));
        if mover & opponent != 0 {
            return None;
        }
        let key = Key::of(Position { mover, opponent });
        Some(Self { key, centidiscs: i16::from_le_bytes([low, high]), depth, selectivity })
    }
}

/// An open file of labels that can be added to.
pub(crate) struct LabelFile(ChunkFile);

impl LabelFile {
    /// Opens a file, or makes a new one. What a crash left behind its last whole chunk is cut off.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        ChunkFile::open(path, MAGIC, KIND).map(Self)
    }

    pub(crate) const fn chunks(&self) -> usize {
        self.0.chunks()
    }

    pub(crate) fn add(&mut self, labels: &[Label]) -> io::Result<()> {
        let records: Vec<u8> = labels.iter().flat_map(|label| label.to_bytes()).collect();
        self.0.add(&records)
    }
}

/// Whether a file is one of labels.
pub(crate) fn is_label_file(path: &Path) -> bool {
    has_magic(path, MAGIC)
}

/// Reads all labels of a file.
pub(crate) fn read_labels(path: &Path) -> io::Result<Vec<Label>> {
    let mut labels = Vec::new();
    read_chunks(path, MAGIC, KIND, |records| {
        labels.extend(records.chunks_exact(RECORD_BYTES).filter_map(Label::from_bytes));
    })?;
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_grows_and_survives_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels");
        let label = |depth| Label {
            key: Key::of(Position::START),
            centidiscs: -150,
            depth,
            selectivity: 73,
        };
        LabelFile::open(&path).unwrap().add(&[label(1), label(2)]).unwrap();
        LabelFile::open(&path).unwrap().add(&[label(Label::SOLVED)]).unwrap();
        let all = [label(1), label(2), label(255)];
        assert_eq!(read_labels(&path).unwrap(), all);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let mut file = LabelFile::open(&path).unwrap();
        assert_eq!(file.chunks(), 1);
        file.add(&[label(255)]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        std::fs::write(&path, "no labels").unwrap();
        assert!(LabelFile::open(&path).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"no labels");
    }
}
