//! What was pasted or dropped: a position, or games.

use std::io::{self, Read};

use thiserror::Error;

use crate::files::games::{
    Asked, AskedError, Game, GameFormat, GameReader, OpenError, ReadGame, ReadOptions, read,
};
use crate::files::packed::unpack_at_most;
use crate::openbook::Hint;
use crate::othello::board::{board_in, looks_like_a_board};
use crate::othello::search::Stop;

/// The most games, and the most defects, that are shown of a file.
const MOST: usize = 200;
/// No position is longer, in bytes.
const LONGEST_POSITION: usize = 4096;
/// What is pasted or dropped may unpack to so many bytes: more is for an import.
const MOST_UNPACKED: u64 = 64 << 20;
/// How pasted games name their source.
const NAME: &str = "pasted";

#[derive(Debug)]
pub(crate) enum Pasted {
    /// A position, or a line that goes on.
    Position(Asked),
    /// Games, whole or not.
    Games(PastedGames),
}

/// Games of a text or file.
#[derive(Debug)]
pub(crate) struct PastedGames {
    /// The format that they were in.
    pub format: GameFormat,
    /// At most 200 of them.
    pub games: Vec<Game>,
    /// Where something was that is no game, and what is wrong with it; at most 200.
    pub refused: Vec<(String, String)>,
    /// Whether there are more games or faults than these.
    pub more: bool,
}

/// Why it is neither.
#[derive(Debug, Error)]
pub(crate) enum PastedError {
    #[error("nothing was pasted: expected moves, a board, the name of an opening, or games")]
    Nothing,
    #[error(transparent)]
    Position(#[from] AskedError),
    #[error("neither a position nor a game that rosebill can read: {found}")]
    Unknown { found: &'static str, hint: Option<Hint> },
    #[error(transparent)]
    Open(OpenError),
}

/// Recognizes what was pasted, and reads it. A line of moves that ends a game is a game. Nothing is read
/// behind a raised `stop`.
pub(crate) fn read_pasted(bytes: &[u8], stop: &Stop) -> Result<Pasted, PastedError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(PastedError::Nothing);
    }
    let text = std::str::from_utf8(bytes).ok().filter(|_| bytes.len() <= LONGEST_POSITION);
    let text = text.map(str::trim);
    // Text in brackets says more than its moves, unless it is a board alone.
    let is_marked =
        text.is_some_and(|text| text.starts_with(['(', '[', '{']) && !looks_like_a_board(text));
    let is_one_line = text.is_some_and(|text| !text.contains('\n'));
    // Games may have boards in their comments.
    let board = text.filter(|_| !is_marked && !is_one_line).and_then(board_in);
    let is_board = matches!(&board, Some(Ok(board)) if board.behind.trim().is_empty());
    let asked = text.filter(|_| is_one_line || is_board).map(str::parse::<Asked>);
    if let Some(Ok(asked)) = &asked
        && !is_marked
        && (asked.line.end().is_some() || asked.line.is_empty())
    {
        return Ok(Pasted::Position(asked.clone()));
    }
    // What it was meant as, should there be no game in it.
    let meant = match (asked, board) {
        (Some(Err(error)), _) => Some(error),
        (_, Some(Err(error))) => Some(AskedError::from(error)),
        _ => None,
    };
    let meant = meant.map(PastedError::from);
    let failed = |error| OpenError::Io { file: NAME.to_owned(), error };
    let input = unpack_at_most(Stoppable { bytes, stop }, MOST_UNPACKED).map_err(failed);
    let reader = match input.and_then(|input| read(input, NAME, &ReadOptions::default())) {
        Ok(reader) => reader,
        Err(OpenError::Unknown { found, hint, .. }) => {
            return Err(meant.unwrap_or(PastedError::Unknown { found, hint }));
        }
        Err(error) => return Err(PastedError::Open(error)),
    };
    // What bears the marks of a format is no position, even where no game in it can be read.
    let is_marked = !matches!(reader.format(), GameFormat::Transcript | GameFormat::Table);
    let pasted = read_games(reader, stop);
    match meant {
        Some(error) if pasted.games.is_empty() && !is_marked => Err(error),
        _ => Ok(Pasted::Games(pasted)),
    }
}

fn read_games(reader: GameReader<'_>, stop: &Stop) -> PastedGames {
    let mut pasted = PastedGames {
        format: reader.format(),
        games: Vec::new(),
        refused: Vec::new(),
        more: false,
    };
    for found in reader {
        let is_full = pasted.games.len() >= MOST || pasted.refused.len() >= MOST;
        if is_full || stop.is_stopped() {
            pasted.more = true;
            break;
        }
        match found {
            Ok(ReadGame { game, .. }) => pasted.games.push(game),
            Err(defect) => {
                pasted.refused.push((defect.place.to_string(), defect.why.to_string()));
            }
        }
    }
    pasted
}

/// Bytes that end with an error once the result is no longer waited for.
struct Stoppable<'a> {
    bytes: &'a [u8],
    stop: &'a Stop,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_stopped() {
            return Err(io::Error::other("it is not waited for any more"));
        }
        self.bytes.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Pasted, PastedError> {
        read_pasted(bytes, &Stop::new())
    }

    fn position(text: &str) -> Option<String> {
        match read(text.as_bytes()) {
            Ok(Pasted::Position(asked)) => Some(asked.line.whole_text()),
            _ => None,
        }
    }

    #[test]
    fn positions_are_told_from_games() {
        assert_eq!(position(" f5 d6 c3\n").as_deref(), Some("f5d6c3"));
        assert_eq!(position("tiger").as_deref(), Some("f5d6c3d3c4"));
        assert_eq!(position("f5! d6? c3 ...").as_deref(), Some("f5d6c3"));
        assert_eq!(position(";b[f5];w[d6]").as_deref(), Some("f5d6"));
        assert_eq!(position("(;GM[2]PB[Ann];B[f5];W[d6])"), None, "a game with names");
        let board = "---------------------------OX------XO--------------------------- O";
        assert_eq!(position(board).as_deref(), Some(board));
        let pgn =
            "[Event \"x\"]\n[Black \"A\"]\n[White \"B\"]\n[Result \"*\"]\n\n1. f5 d6 2. c3 *\n";
        for (text, format) in
            [(pgn, GameFormat::Pgn), ("e6f4e3f6g5d6e7f5c5", GameFormat::Transcript)]
        {
            let Ok(Pasted::Games(games)) = read(text.as_bytes()) else { panic!("{text}") };
            assert_eq!((games.format, games.games.len(), games.more), (format, 1, false), "{text}");
        }
        let two = "f5d6c3d3c4\nf5f5\nf5f6e6f4\n";
        let Ok(Pasted::Games(games)) = read(two.as_bytes()) else { panic!("{two}") };
        assert_eq!((games.games.len(), games.refused.len()), (2, 1));
        assert_eq!(games.refused[0].0, "line 2");
        assert!(games.refused[0].1.contains("f5"), "{:?}", games.refused);
    }

    #[test]
    fn what_is_neither_is_told() {
        let message = |bytes: &[u8]| match read(bytes) {
            Err(error) => error.to_string(),
            Ok(pasted) => panic!("{pasted:?}"),
        };
        assert!(message(b" \n ").contains("nothing was pasted"));
        assert!(message(b"f5d6x9").contains("unreadable move 'x9'"), "{}", message(b"f5d6x9"));
        assert!(message(b"f5f5").contains("occupied"), "{}", message(b"f5f5"));
        assert!(!message(&[0, 159, 146, 150]).is_empty());
        let many = "f5d6c3\n".repeat(300);
        let Ok(Pasted::Games(games)) = read(many.as_bytes()) else { panic!() };
        assert!(games.more && games.games.len() == MOST);
    }

    #[test]
    fn what_bears_the_marks_of_games_is_refused_by_their_reader() {
        for (text, format, why) in [
            ("(;GM[Othello]TY[8]BO[8 x]B[f5];)", GameFormat::NBOARD.0, "start position"),
            ("(;GM[2]SZ[10];B[f5])", GameFormat::Sgf, "10"),
            ("{\"moves\":\"f5x9\"}", GameFormat::Json, "x9"),
        ] {
            let Ok(Pasted::Games(games)) = read(text.as_bytes()) else { panic!("{text}") };
            assert_eq!((games.format, games.games.len()), (format, 0), "{text}");
            assert!(games.refused[0].1.contains(why), "{text}: {:?}", games.refused);
        }
    }

    #[test]
    fn a_drawn_board_is_a_position() {
        let start = "---------------------------OX------XO--------------------------- X";
        let rows: Vec<&str> = (0..8).map(|row| &start[8 * row..][..8]).collect();
        let rows = rows.join("\n");
        assert_eq!(position(&format!("\n{rows}\n\nBlack to move\n")).as_deref(), Some(""));
        let is_assumed = |text: &str| match read(text.as_bytes()) {
            Ok(Pasted::Position(asked)) => asked.is_turn_assumed,
            other => panic!("{text}: {other:?}"),
        };
        assert!(is_assumed(&rows) && is_assumed(&start[..64]));
        assert!(!is_assumed(&format!("[8 {}\n{}]", &start[..32], &start[32..])));
        assert!(!is_assumed("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"));
        let odd = rows.replacen("---OX---", "---OXO--", 1);
        let text = read(odd.as_bytes()).unwrap_err().to_string();
        assert!(text.starts_with("nothing says whose turn it is with 5 discs: expected"), "{text}");
        // A game with a board in its comment stays one.
        let pgn =
            format!("[Event \"x\"]\n[Result \"*\"]\n\n1. f5 {{\n{rows}\nX to move\n}} d6 *\n");
        assert!(matches!(read(pgn.as_bytes()), Ok(Pasted::Games(games)) if games.games.len() == 1));
    }

    #[test]
    fn what_unpacks_to_too_much_or_for_nobody_is_not_read() {
        let line = format!("# {}\n", "x".repeat(1 << 16));
        let long = line.repeat((MOST_UNPACKED >> 16) as usize + 1);
        let packed = zstd::encode_all(long.as_bytes(), 1).unwrap();
        let Ok(Pasted::Games(games)) = read(&packed) else { panic!() };
        assert!(games.refused[0].1.contains("more than 64 MiB"), "{:?}", games.refused);
        let twice = zstd::encode_all(&packed[..], 1).unwrap();
        let error = read(&twice).unwrap_err().to_string();
        assert!(error.contains("packed twice"), "{error}");
        let stop = Stop::new();
        stop.stop();
        assert!(read_pasted(b"f5d6c3\nf5f6\n", &stop).is_err());
    }
}
