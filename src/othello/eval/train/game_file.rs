//! Games of our own on disk.
//!
//! A file of chunks (see `chunk_file`) with the magic "rbGAMES1". Each holds games, one after
//! another:
//!
//! ```text
//! 0  1  number of moves
//! 1  1  number of empties from which on both sides played perfectly
//! 2  .. a byte for each move: the square (bits 0-5), and bit 6 for a random move
//! ```
//!
//! Passes are left out.

use std::io;
use std::path::Path;

use super::TrainingGame;
use super::chunk_file::{ChunkFile, Magic, has_magic, read_chunks};
use super::labels::OwnPlay;
use crate::othello::board::Square;

const MAGIC: Magic = *b"rbGAMES1";
const KIND: &str = "training games";
const RANDOM: u8 = 0x40;

/// A finished game of our own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OwnGame {
    /// The moves from the start position, each with whether it was random.
    pub moves: Vec<(Square, bool)>,
    /// From so many empties on both sides played perfectly.
    pub perfect_from: u8,
}

impl OwnGame {
    fn add_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.moves.len() as u8, self.perfect_from]);
        bytes.extend(
            self.moves
                .iter()
                .map(|&(square, random)| square.number() | if random { RANDOM } else { 0 }),
        );
    }

    fn take_from(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[count, perfect_from], rest) = bytes.split_first_chunk()?;
        let (moves, rest) = rest.split_at_checked(usize::from(count))?;
        let read = |&byte: &u8| Some((Square::try_new(byte & 0x3f)?, byte & RANDOM != 0));
        let moves = moves.iter().map(read).collect::<Option<_>>()?;
        Some((Self { moves, perfect_from }, rest))
    }
}

/// What comes after the last random move can be learned from.
impl From<OwnGame> for TrainingGame {
    fn from(game: OwnGame) -> Self {
        let last_random = game.moves.iter().rposition(|&(_, random)| random);
        Self {
            moves: game.moves.iter().map(|&(square, _)| square).collect(),
            theory: None,
            own: Some(OwnPlay {
                learn_from: last_random.map_or(0, |last| last + 1),
                perfect_from: game.perfect_from,
            }),
        }
    }
}

/// An open file of games that can be added to.
pub struct GameFile(ChunkFile);

impl GameFile {
    /// Opens a file, or makes a new one. What a crash left behind its last whole chunk is cut off.
    pub fn open(path: &Path) -> io::Result<Self> {
        ChunkFile::open(path, MAGIC, KIND).map(Self)
    }

    pub(crate) const fn chunks(&self) -> usize {
        self.0.chunks()
    }

    pub(crate) fn add(&mut self, games: &[OwnGame]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for game in games {
            game.add_to(&mut bytes);
        }
        self.0.add(&bytes)
    }
}

/// Whether the file holds games of our own.
pub(crate) fn is_game_file(path: &Path) -> bool {
    has_magic(path, MAGIC)
}

/// Reads all games of a file. What follows a damaged game in its chunk is left out.
pub(crate) fn read_own_games(path: &Path) -> io::Result<Vec<OwnGame>> {
    let mut games = Vec::new();
    read_chunks(path, MAGIC, KIND, |mut bytes| {
        while let Some((game, rest)) = OwnGame::take_from(bytes) {
            games.push(game);
            bytes = rest;
        }
    })?;
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let square = |name: &str| name.parse::<Square>().unwrap();
        let game = OwnGame {
            moves: vec![(square("f5"), true), (square("d6"), true), (square("h8"), false)],
            perfect_from: 14,
        };
        let games = [game.clone(), OwnGame::default(), game.clone()];
        GameFile::open(&path).unwrap().add(&games).unwrap();
        assert!(is_game_file(&path));
        assert_eq!(read_own_games(&path).unwrap(), games);
        let learned = TrainingGame::from(game);
        assert_eq!(learned.moves.len(), 3);
        assert_eq!(learned.own, Some(OwnPlay { learn_from: 2, perfect_from: 14 }));
    }
}
