//! What somebody pasted or dropped: a position, or games.

use thiserror::Error;

use crate::games::{
    Asked, AskedError, Game, GameFormat, OpenError, Place, ReadGame, ReadOptions, read,
};

/// The most games, and the most defects, that are told of a file.
const MOST: usize = 200;
/// No position is longer, in bytes.
const LONGEST_POSITION: usize = 4096;
/// How pasted games name their source.
const NAME: &str = "pasted";

/// What was pasted.
#[derive(Debug)]
pub enum Pasted {
    /// A position, or a line that goes on.
    Position(Asked),
    /// Games, whole or not.
    Games(PastedGames),
}

/// Games of a text or file.
#[derive(Debug)]
pub struct PastedGames {
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
pub enum PastedError {
    /// Nothing at all.
    #[error("nothing was pasted: expected moves, a board, the name of an opening, or games")]
    Nothing,
    /// A line that is no position and no game.
    #[error(transparent)]
    Position(#[from] AskedError),
    /// A file of no format that is known.
    #[error("this is no position and no game that rosebill can read: {0}")]
    Unknown(&'static str),
    /// A file that cannot be unpacked, or the like.
    #[error(transparent)]
    Open(OpenError),
}

/// Tells what was pasted, and reads it. A line of moves that ends a game is a game.
///
/// # Errors
/// It is nothing that can be read.
pub fn read_pasted(bytes: &[u8]) -> Result<Pasted, PastedError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(PastedError::Nothing);
    }
    let text = std::str::from_utf8(bytes).ok().filter(|_| bytes.len() <= LONGEST_POSITION);
    let one_line = text.map(str::trim).filter(|text| !text.contains('\n'));
    let asked = one_line.map(str::parse::<Asked>);
    if let Some(Ok(asked)) = &asked
        && (asked.line.end().is_some() || asked.line.is_empty())
    {
        return Ok(Pasted::Position(asked.clone()));
    }
    let reader = match (read(bytes, NAME, &ReadOptions::default()), &asked) {
        (Ok(reader), _) => reader,
        (Err(OpenError::Unknown { .. }), Some(Err(error))) => return Err(error.clone().into()),
        (Err(OpenError::Unknown { hint, .. }), _) => return Err(PastedError::Unknown(hint)),
        (Err(error), _) => return Err(PastedError::Open(error)),
    };
    let mut pasted = PastedGames {
        format: reader.format(),
        games: Vec::new(),
        refused: Vec::new(),
        more: false,
    };
    for found in reader {
        if pasted.games.len() >= MOST || pasted.refused.len() >= MOST {
            pasted.more = true;
            break;
        }
        match found {
            Ok(ReadGame { game, .. }) => pasted.games.push(game),
            Err(defect) => {
                let place = match defect.place {
                    Place::Line(line) => format!("line {line}"),
                    Place::Byte(byte) => format!("byte {byte}"),
                };
                pasted.refused.push((place, defect.why.to_string()));
            }
        }
    }
    // What bears the marks of a format is no position, even where no game in it can be read.
    let is_marked = !matches!(pasted.format, GameFormat::Transcript | GameFormat::Table);
    match asked {
        // One line without a game was meant as a position.
        Some(Err(error)) if pasted.games.is_empty() && !is_marked => Err(error.into()),
        _ => Ok(Pasted::Games(pasted)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Option<String> {
        match read_pasted(text.as_bytes()) {
            Ok(Pasted::Position(asked)) => Some(asked.line.whole_text()),
            _ => None,
        }
    }

    #[test]
    fn positions_are_told_from_games() {
        assert_eq!(position(" f5 d6 c3\n").as_deref(), Some("f5d6c3"));
        assert_eq!(position("tiger").as_deref(), Some("f5d6c3d3c4"));
        let board = "---------------------------OX------XO--------------------------- O";
        assert_eq!(position(board).as_deref(), Some(board));
        let pgn =
            "[Event \"x\"]\n[Black \"A\"]\n[White \"B\"]\n[Result \"*\"]\n\n1. f5 d6 2. c3 *\n";
        for (text, format) in
            [(pgn, GameFormat::Pgn), ("e6f4e3f6g5d6e7f5c5", GameFormat::Transcript)]
        {
            let Ok(Pasted::Games(games)) = read_pasted(text.as_bytes()) else { panic!("{text}") };
            assert_eq!((games.format, games.games.len(), games.more), (format, 1, false), "{text}");
        }
        let two = "f5d6c3d3c4\nf5f5\nf5f6e6f4\n";
        let Ok(Pasted::Games(games)) = read_pasted(two.as_bytes()) else { panic!("{two}") };
        assert_eq!((games.games.len(), games.refused.len()), (2, 1));
        assert_eq!(games.refused[0].0, "line 2");
        assert!(games.refused[0].1.contains("f5"), "{:?}", games.refused);
    }

    #[test]
    fn what_is_neither_is_told() {
        let message = |bytes: &[u8]| match read_pasted(bytes) {
            Err(error) => error.to_string(),
            Ok(pasted) => panic!("{pasted:?}"),
        };
        assert!(message(b" \n ").contains("nothing was pasted"));
        assert!(message(b"f5d6x9").contains("unreadable move 'x9'"), "{}", message(b"f5d6x9"));
        assert!(message(b"f5f5").contains("occupied"), "{}", message(b"f5f5"));
        assert!(!message(&[0, 159, 146, 150]).is_empty());
        let many = "f5d6c3\n".repeat(300);
        let Ok(Pasted::Games(games)) = read_pasted(many.as_bytes()) else { panic!() };
        assert!(games.more && games.games.len() == MOST);
    }

    #[test]
    fn what_bears_the_marks_of_games_is_refused_by_their_reader() {
        for (text, format, why) in [
            ("(;GM[Othello]TY[8]BO[8 x]B[f5];)", GameFormat::Ggf, "start position"),
            ("(;GM[2]SZ[10];B[f5])", GameFormat::Sgf, "10"),
            ("{\"moves\":\"f5x9\"}", GameFormat::Json, "x9"),
        ] {
            let Ok(Pasted::Games(games)) = read_pasted(text.as_bytes()) else { panic!("{text}") };
            assert_eq!((games.format, games.games.len()), (format, 0), "{text}");
            assert!(games.refused[0].1.contains(why), "{text}: {:?}", games.refused);
        }
    }
}
