//! The three kinds of files of WTHOR. All numbers are little-endian.

use thiserror::Error;

use crate::othello::board::Square;

/// Bytes of the header of all three kinds of file.
pub(super) const HEADER_BYTES: usize = 16;
pub(super) const GAME_BYTES: usize = 68;
pub(super) const MOST_MOVES: usize = 60;
/// What fills the record of a shorter game: zero, and from Edax its own number of no move (65), counted
/// as a square.
const NO_MOVE: [u8; 2] = [0, 92];
/// Bytes of a player's name.
pub(super) const PLAYER_BYTES: usize = 20;
/// Bytes of a tournament's name.
pub(super) const TOURNAMENT_BYTES: usize = 26;

/// The fields of the header of a game file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) games: u32,
    pub(super) year: u16,
    pub(super) theory_empties: u8,
}

impl Header {
    pub(super) fn read(header: &[u8; HEADER_BYTES]) -> Result<Self, WthorError> {
        if !matches!(header[12], 0 | 8) {
            return Err(WthorError::BoardSize(header[12]));
        }
        if header[13] != 0 {
            return Err(WthorError::Kind(header[13]));
        }
        Ok(Self {
            games: u32::from_le_bytes([header[4], header[5], header[6], header[7]]),
            year: u16::from_le_bytes([header[10], header[11]]),
            theory_empties: header[14],
        })
    }
}

/// A year's games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WthorFile {
    /// The year the games were played in.
    pub year: u16,
    /// Empties of the position that the theoretical scores are for.
    pub theory_empties: u8,
    /// The games, in the order of the file.
    pub games: Vec<WthorGame>,
}

/// A game as it is recorded. Nothing says that its moves are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WthorGame {
    /// Number of the tournament's record in the `.trn` file.
    pub tournament: u16,
    /// Number of Black's record in the `.jou` file.
    pub black: u16,
    /// Number of White's record in the `.jou` file.
    pub white: u16,
    /// Black's discs at the end, 0..=64, the empties given to the winner; none where the record has more,
    /// as Edax writes for games that it has no result of.
    pub black_discs: Option<u8>,
    /// Black's discs after perfect play from the position with [`WthorFile::theory_empties`]
    /// empties, 0..=64; none where the record has more.
    pub theoretical_discs: Option<u8>,
    /// The moves; passes are not recorded.
    pub moves: Vec<Square>,
}

/// A file that is no WTHOR file, or a damaged one.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum WthorError {
    #[error("{found} bytes: too short for a WTHOR file, whose header alone has 16")]
    TooShort { found: usize },
    /// The length does not fit the count in the header.
    #[error(
        "{found} bytes, but its header announces {records} records of {each} bytes: expected {expected} bytes"
    )]
    Length {
        found: usize,
        /// The length that the header asks for.
        expected: u64,
        records: u64,
        /// Bytes of a record.
        each: usize,
    },
    #[error("byte 12: a board of size {0}; only 8 x 8 can be read")]
    BoardSize(u8),
    #[error("byte 13: kind {0} of records; only games (0) can be read")]
    Kind(u8),
    #[error("record {record}, move {ply}: {found} is not a square (10 x row + column, 11 to 88)")]
    Move {
        /// Number of the record, from 1.
        record: usize,
        /// From 1.
        ply: usize,
        found: u8,
    },
    #[error("record {record}, move {ply}: none, but moves follow")]
    Gap {
        /// Number of the record, from 1.
        record: usize,
        /// From 1.
        ply: usize,
    },
}

impl WthorGame {
    /// The theoretical score as a disc difference for Black, when the game has the moves that lead
    /// to the position it is for.
    pub(crate) fn theory(&self, theory_empties: u8) -> Option<i8> {
        let played = MOST_MOVES.checked_sub(usize::from(theory_empties))?;
        let discs = self.theoretical_discs.filter(|_| self.moves.len() >= played)?;
        Some(2 * (discs as i8 - 32))
    }
}

/// Reads the games of a `.wtb` file.
pub(crate) fn read_games(bytes: &[u8]) -> Result<WthorFile, WthorError> {
    let header = bytes.first_chunk::<HEADER_BYTES>();
    let header = header.ok_or(WthorError::TooShort { found: bytes.len() })?;
    let games = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    let body = records_of(bytes, u64::from(games), GAME_BYTES)?;
    let Header { year, theory_empties, .. } = Header::read(header)?;
    let (records, _) = body.as_chunks::<GAME_BYTES>();
    let games = records.iter().enumerate().map(|(index, record)| read_game(record, index + 1));
    Ok(WthorFile { year, theory_empties, games: games.collect::<Result<_, _>>()? })
}

/// Reads the names of a `.jou` (players) or `.trn` (tournaments) file; a game's number is an index
/// into them.
pub fn read_names(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    let header = bytes.first_chunk::<HEADER_BYTES>();
    let header = header.ok_or(WthorError::TooShort { found: bytes.len() })?;
    let records = u16::from_le_bytes([header[8], header[9]]);
    let tournaments = HEADER_BYTES + usize::from(records) * TOURNAMENT_BYTES == bytes.len();
    let each = if tournaments { TOURNAMENT_BYTES } else { PLAYER_BYTES };
    let body = records_of(bytes, u64::from(records), each)?;
    // ISO-8859-1: a byte is its character.
    let name = |record: &[u8]| {
        record.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect()
    };
    Ok(body.chunks_exact(each).map(name).collect())
}

fn records_of(bytes: &[u8], records: u64, each: usize) -> Result<&[u8], WthorError> {
    let expected = HEADER_BYTES as u64 + records * each as u64;
    if bytes.len() as u64 == expected {
        Ok(&bytes[HEADER_BYTES..])
    } else {
        Err(WthorError::Length { found: bytes.len(), expected, records, each })
    }
}

/// Reads a record; its number, from 1, is for messages.
pub(super) fn read_game(record: &[u8; GAME_BYTES], number: usize) -> Result<WthorGame, WthorError> {
    let word = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let discs = |at: usize| Some(record[at]).filter(|&discs| discs <= 64);
    let recorded = record[8..].iter().take_while(|byte| !NO_MOVE.contains(byte));
    let count = recorded.clone().count();
    let behind = &record[8 + count..];
    if behind.iter().any(|byte| Some(byte) != behind.first()) {
        return Err(WthorError::Gap { record: number, ply: count + 1 });
    }
    let moves = recorded.enumerate().map(|(i, &byte)| {
        let (row, column) = (byte / 10, byte % 10);
        if (1..=8).contains(&row) && (1..=8).contains(&column) {
            Ok(Square::new((row - 1) * 8 + column - 1))
        } else {
            Err(WthorError::Move { record: number, ply: i + 1, found: byte })
        }
    });
    Ok(WthorGame {
        tournament: word(0),
        black: word(2),
        white: word(4),
        black_discs: discs(6),
        theoretical_discs: discs(7),
        moves: moves.collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{After, Position};

    fn file(record: &[u8; GAME_BYTES]) -> Vec<u8> {
        let mut bytes = vec![20, 26, 11, 20, 1, 0, 0, 0, 0, 0, 0xda, 7, 8, 0, 24, 0];
        bytes.extend(record);
        bytes
    }

    fn record() -> [u8; GAME_BYTES] {
        let mut record = [0; GAME_BYTES];
        record[..11].copy_from_slice(&[1, 0, 2, 0, 3, 1, 40, 33, 56, 64, 33]);
        record
    }

    #[test]
    fn reads_a_record() {
        let read = read_games(&file(&record())).unwrap();
        assert_eq!((read.year, read.theory_empties), (2010, 24));
        let game = &read.games[0];
        assert_eq!((game.tournament, game.black, game.white), (1, 2, 259));
        assert_eq!((game.black_discs, game.theoretical_discs), (Some(40), Some(33)));
        let moves: Vec<_> = game.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["f5", "d6", "c3"]);
        assert_eq!(game.theory(24), None);
        assert_eq!(game.theory(57), Some(2));
    }

    #[test]
    fn says_what_is_wrong() {
        let good = file(&record());
        let message = |bytes: &[u8]| read_games(bytes).unwrap_err().to_string();
        assert!(message(&good[..10]).starts_with("10 bytes: too short"));
        assert!(message(&good[..80]).contains("expected 84 bytes"));
        for (at, value, part) in [
            (12, 10, "a board of size 10"),
            (13, 1, "kind 1"),
            (25, 90, "record 1, move 2: 90 is not a square"),
        ] {
            let mut bad = good.clone();
            bad[at] = value;
            assert!(message(&bad).contains(part), "{}", message(&bad));
        }
    }

    /// Edax has a square of its own where there is no move, and a score below zero without a result.
    #[test]
    fn reads_what_edax_writes_of_a_game_without_an_end() {
        let mut edax = record();
        (edax[6], edax[7]) = (225, 225);
        edax[11..].fill(92);
        let game = read_games(&file(&edax)).unwrap().games.remove(0);
        assert_eq!((game.moves.len(), game.black_discs, game.theory(57)), (3, None, None));
        edax[20] = 0;
        let gap = WthorError::Gap { record: 1, ply: 4 };
        assert_eq!(read_games(&file(&edax)), Err(gap));
    }

    /// Names end at a zero byte or fill their field; each byte is a character.
    #[test]
    fn reads_names() {
        let names = |each: usize, names: &[&[u8]]| {
            let mut bytes =
                vec![20, 26, 11, 20, 0, 0, 0, 0, names.len() as u8, 0, 0, 0, 0, 0, 0, 0];
            for name in names {
                bytes.extend(*name);
                bytes.extend(vec![0; each - name.len()]);
            }
            read_names(&bytes)
        };
        let long = [b'x'; 26];
        assert_eq!(names(20, &[b"???", b"Andr\xe9", &long[..20]]).unwrap()[1], "Andr\u{e9}");
        assert_eq!(names(26, &[b"Paris", &long]).unwrap(), ["Paris", &"x".repeat(26)]);
        assert!(names(21, &[b"?", b"??"]).is_err());
    }

    /// Every game of a real year is legal, and its score fits the board.
    #[test]
    #[ignore = "needs ../shared/data/wthor"]
    fn shared_games_are_legal() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/wthor");
        let bytes = std::fs::read(folder.join("WTH_2010.wtb")).unwrap();
        let file = read_games(&bytes).unwrap();
        assert_eq!((file.year, file.games.len()), (2010, 2172));
        for game in &file.games {
            let (mut position, mut black) = (Position::START, true);
            for &square in &game.moves {
                match position.after(square).unwrap() {
                    After::Opponent(next) => (position, black) = (next, !black),
                    After::Same(next) => position = next,
                    After::Over(score) => {
                        let score = if black { score } else { -score };
                        assert_eq!(score, 2 * (game.black_discs.unwrap() as i8 - 32));
                    }
                }
            }
        }
        let players = read_names(&std::fs::read(folder.join("WTH.JOU")).unwrap()).unwrap();
        assert_eq!((players.len(), players[0].as_str()), (4448, "???"));
        let tournaments = read_names(&std::fs::read(folder.join("WTH.TRN")).unwrap()).unwrap();
        assert_eq!(tournaments.len(), 492);
    }
}
