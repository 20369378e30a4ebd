//! Positions by their discs, each as often as it was met: in a file for each number of discs, so that those of one
//! number only are in memory.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::othello::board::{Key, Square};

/// A position, and the move that a game made there, on the board of its key.
pub(super) type Met = (Key, Option<Square>);

/// In place of a move where none was made.
const NO_MOVE: u8 = 64;
const SIZE: usize = Key::SIZE + 1;

pub(super) struct Spool {
    /// What the files are called but for their endings.
    path: PathBuf,
    layers: [Option<BufWriter<File>>; 65],
    /// How many there are in all.
    pub(super) count: u64,
}

impl Spool {
    pub(super) fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), layers: [const { None }; 65], count: 0 }
    }

    fn file(&self, discs: usize) -> PathBuf {
        self.path.with_extension(format!("layer{discs}"))
    }

    pub(super) fn add(&mut self, (key, square): Met) -> io::Result<()> {
        let discs = usize::from(key.discs());
        let file = match &mut self.layers[discs] {
            Some(file) => file,
            None => {
                let file = File::create_new(self.file(discs))?;
                self.layers[discs].insert(BufWriter::new(file))
            }
        };
        file.write_all(&key.to_bytes())?;
        file.write_all(&[square.map_or(NO_MOVE, Square::number)])?;
        self.count += 1;
        Ok(())
    }

    /// Takes those with so many discs out, in the order of keys and moves.
    pub(super) fn take(&mut self, discs: u8) -> io::Result<Vec<Met>> {
        let discs = usize::from(discs);
        let Some(mut file) = self.layers[discs].take() else { return Ok(Vec::new()) };
        file.flush()?;
        let bytes = fs::read(self.file(discs))?;
        fs::remove_file(self.file(discs))?;
        let (rows, _) = bytes.as_chunks::<SIZE>();
        let met = |row: &[u8; SIZE]| {
            let (key, square) = row.split_first_chunk()?;
            Some((Key::from_bytes(*key)?, square.first().copied().and_then(Square::try_new)))
        };
        let mut all: Vec<Met> = rows.iter().filter_map(met).collect();
        all.sort_unstable();
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn positions_come_back_in_order_and_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::at(&folder.path().join("spool"));
        let start = Position::START;
        let first = start.legal_moves().next();
        let next = Key::of(first.and_then(|square| start.play(square)).unwrap());
        let start = Key::of(start);
        for met in [(next, first), (start, first), (start, None), (start, first)] {
            spool.add(met).unwrap();
        }
        assert_eq!(spool.count, 4);
        assert_eq!(spool.take(4).unwrap(), [(start, None), (start, first), (start, first)]);
        assert_eq!(spool.take(5).unwrap(), [(next, first)]);
        assert!(spool.take(5).unwrap().is_empty() && spool.take(6).unwrap().is_empty());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
