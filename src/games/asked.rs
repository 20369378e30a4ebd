//! Positions as people write them: moves, a board, an opening's name.

use std::str::FromStr;

use thiserror::Error;

use super::diagram::{DiagramError, read_diagram};
use super::names::{NameError, opening_line};
use super::spelled::spelled_line;
use crate::board::{
    BoardError, Line, LineError, ObfErrorKind, ObfPosition, Placed, looks_like_a_board,
    parse_board, parse_obf_line,
};
use crate::one_line::one_line;

/// A position that somebody asks about.
///
/// It is read from moves (`f5d6c3`, `f5 d6 c3`, `1. f5 d6 2. c3`, and as files of games have them), the name of
/// an opening (`tiger`) or 64 squares and the side to move, both with or without moves from there, a line of OBF
/// with its scores, or a board that is drawn in eight rows. No text at all is the start position, and so is `start`, as it is called where it is printed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// The moves that lead to it, with the board that they start from.
    pub line: Line,
    /// What a line of OBF says of it.
    pub scores: Option<ObfPosition>,
}

impl Asked {
    /// The board with its colours. The side to move may have to pass, or the game may be over.
    #[must_use]
    pub fn placed(&self) -> Placed {
        self.line.board()
    }

    /// Whether it was given by moves from the start position, of which there may be none.
    #[must_use]
    pub fn is_from_the_start(&self) -> bool {
        self.line.start() == Placed::START
    }
}

/// Why a text is no position.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum AskedError {
    /// It looks like a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// It looks like a line of OBF.
    #[error(transparent)]
    Obf(#[from] ObfErrorKind),
    /// It looks like a drawn board.
    #[error(transparent)]
    Diagram(#[from] DiagramError),
    /// It looks like moves.
    #[error(transparent)]
    Line(#[from] LineError),
    /// It looks like a game of GGF, SGF or PGN: what is wrong with it.
    #[error("{0}")]
    Game(String),
    /// It looks like a name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The name of an opening, and no move behind it.
    #[error("'{word}' is no move behind '{name}': expected a column a-h and a row 1-8, such as c3")]
    Behind {
        /// The name.
        name: String,
        /// The word.
        word: String,
    },
}

impl FromStr for Asked {
    type Err = AskedError;

    fn from_str(text: &str) -> Result<Self, AskedError> {
        if let Some(drawn) = drawn(text) {
            return drawn;
        }
        let text = without_number(text.trim());
        if ["start", "the start"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            return Ok(Self::default());
        }
        if looks_like_a_board(text) {
            return read_board(text);
        }
        let error = match text.parse() {
            Ok(line) => return Ok(line_alone(line)),
            Err(error) => error,
        };
        let unknown = match opening_line(text) {
            Ok(line) => return Ok(line_alone(line)),
            Err(unknown @ NameError::Unknown { .. }) => unknown,
            Err(error) => return Err(error.into()),
        };
        if let Some(spelled) = spelled_line(text) {
            return Ok(line_alone(spelled.map_err(AskedError::Game)?));
        }
        if let Some(read) = name_and_moves(text) {
            return Ok(line_alone(read?));
        }
        if let Some(error) = name_and_more(text) {
            return Err(error);
        }
        // Names with digits are few, and each is known.
        Err(match text.contains(|c: char| c.is_ascii_digit()) {
            true => error.into(),
            false => unknown.into(),
        })
    }
}

/// A line of which no more is known.
const fn line_alone(line: Line) -> Asked {
    Asked { line, scores: None }
}

/// The board that a text of several lines draws; none where there is none.
fn drawn(text: &str) -> Option<Result<Asked, AskedError>> {
    let drawn = text.trim().contains(['\n', '\r']).then(|| read_diagram(text))??;
    Some(match drawn {
        Ok(placed) => Ok(line_alone(Line::from_board(placed))),
        // A board may have line breaks in it, and moves or scores behind it.
        Err(error) => match looks_like_a_board(text).then(|| read_board(text.trim())) {
            Some(Ok(asked)) => Ok(asked),
            _ => Err(error.into()),
        },
    })
}

/// The most characters of a word that are told again.
const MOST_TOLD: usize = 40;

/// More words than the name of any opening has.
const MOST_NAME_WORDS: usize = 16;

/// The name of an opening, as many words as are one, and moves behind it; none where a text is not so.
fn name_and_moves(text: &str) -> Option<Result<Line, LineError>> {
    let begins_as_a_move = |word: &str| {
        let mut letters = word.bytes();
        let column = letters.next().is_some_and(|column| column.is_ascii_alphabetic());
        column && letters.next().is_some_and(|row| row.is_ascii_digit())
    };
    let (_, mut line, moves) = name_before(text, begins_as_a_move)?;
    Some(line.read_on(&moves).map(|()| line))
}

/// What is wrong with a number behind the name of an opening; none where a text is not so.
fn name_and_more(text: &str) -> Option<AskedError> {
    let begins_as_a_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let (name, _, behind) = name_before(text, begins_as_a_number)?;
    let word = behind.split(' ').next().unwrap_or_default();
    Some(AskedError::Behind { name: one_line(&name, MOST_TOLD), word: one_line(word, MOST_TOLD) })
}

/// The name of an opening, as many words as are one, its line, and what stands behind it, of which the
/// first word must be so.
fn name_before(text: &str, is_so: impl Fn(&str) -> bool) -> Option<(String, Line, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // No name has more words: whoever sends thousands is answered as fast.
    let most = words.len().min(MOST_NAME_WORDS + 1);
    (1..most).rev().find_map(|count| {
        let (name, behind) = words.split_at_checked(count)?;
        behind.first().filter(|word| is_so(word))?;
        let name = name.join(" ");
        let line = opening_line(&name).ok()?;
        Some((name, line, behind.join(" ")))
    })
}

/// A board without the number that it has in a list.
fn without_number(text: &str) -> &str {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let board = behind.strip_prefix(['.', ')', ':']).map(str::trim_start);
    board.filter(|board| behind.len() < text.len() && looks_like_a_board(board)).unwrap_or(text)
}

/// What stands before the passes at the end of a text, and these.
fn before_passes(text: &str) -> (&str, &str) {
    let mut before = text.trim_end();
    while let Some((rest, word)) = before.rsplit_once(char::is_whitespace)
        && ["pass", "ps", "pa", "--"].iter().any(|pass| word.eq_ignore_ascii_case(pass))
    {
        before = rest.trim_end();
    }
    text.split_at(before.len())
}

/// A board, and what stands behind it: moves, or scores.
fn read_board(text: &str) -> Result<Asked, AskedError> {
    let without_scores = text.split([';', '%', '#']).next().unwrap_or_default();
    let (before, passes) = before_passes(without_scores);
    if !passes.trim().is_empty() {
        let mut line = Line::from_board(parse_board(before)?);
        line.read_on(passes)?;
        return Ok(Asked { line, scores: None });
    }
    let digit = without_scores.find(|c: char| ('1'..='9').contains(&c));
    let Some(digit) = digit else {
        let scores = parse_obf_line(text, 1).map_err(|error| match error.kind {
            ObfErrorKind::Board(error) => AskedError::Board(error),
            kind => AskedError::Obf(kind),
        })?;
        let placed = scores.as_ref().map_or(Placed::START, |scores| scores.placed);
        return Ok(Asked { line: Line::from_board(placed), scores });
    };
    if let Some(board) = without_scores[..digit].strip_suffix(['+', '-']) {
        let placed = parse_board(board)?;
        let score = without_scores.get(board.len()..).unwrap_or_default();
        let text = format!("{}; {score}", placed.position.board_text(placed.side));
        let scores = parse_obf_line(&text, 1).map_err(|error| AskedError::Obf(error.kind))?;
        return Ok(Asked { line: Line::from_board(placed), scores });
    }
    // The digit is a row behind its column, or numbers a move.
    let column = without_scores[..digit].ends_with(|c: char| c.is_ascii_alphabetic());
    let (board, _) = before_passes(&without_scores[..digit - usize::from(column)]);
    let moves = &without_scores[board.len()..];
    let mut line = Line::from_board(parse_board(board)?);
    line.read_on(moves)?;
    Ok(Asked { line, scores: None })
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_name_has_more_words_than_are_looked_at() {
        let words = |name: &str| name.split_whitespace().count();
        let openings = Language::ALL.into_iter().flat_map(openings_in);
        let longest = openings.flat_map(|opening| opening.names().map(words)).max().unwrap();
        assert!((4..=super::MOST_NAME_WORDS).contains(&longest), "{longest}");
    }

    use super::*;
    use crate::games::{Language, openings_in};

    const START: &str = "---------------------------OX------XO---------------------------";

    fn read(text: &str) -> Asked {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn reads_moves_names_and_boards() {
        for (text, line) in [
            ("", ""),
            ("start", ""),
            ("The start", ""),
            ("f5d6c3", "f5d6c3"),
            ("f5 d6 c3", "f5d6c3"),
            ("1. f5 d6 2. c3", "f5d6c3"),
            ("tiger", "f5d6c3d3c4"),
            ("ｆ５ｄ６ｃ３", "f5d6c3"),
            ("f5 → d6 > c3", "f5d6c3"),
            ("f5;d6/c3", "f5d6c3"),
            ("f5\u{a0}d6\u{a0}c3", "f5d6c3"),
            ("c4c3e6b4a4a5b2a3 0000 f4", "c4c3e6b4a4a5b2a3f4"),
            ("8-shot", "f5d6c5f4e3c6d3g5"),
            ("tiger f4", "f5d6c3d3c4f4"),
            ("Rose v Toth f4 e7", "f5f6e6d6c5e3d3f4e7"),
            ("tigre f4", "f5d6c3d3c4f4"),
            ("f5d6c3d3c4.", "f5d6c3d3c4"),
            ("f5 d6 c3 ...", "f5d6c3"),
            ("f5 d6 c3...", "f5d6c3"),
            ("[f5d6c3]", "f5d6c3"),
            ("(f5d6c3)", "f5d6c3"),
            ("\"f5 d6 c3\"", "f5d6c3"),
            ("f5!d6?c3", "f5d6c3"),
            ("f5! d6?? c3!?", "f5d6c3"),
            ("1. f5 (d6) 2. c3 (d3)", "f5d6c3d3"),
            (";b[f5];w[d6]", "f5d6"),
            (";B[f5];W[d6]", "f5d6"),
            ("(;GM[2]SZ[8]PB[Ann];B[f5];W[d6])", "f5d6"),
            (&format!("{START} X"), ""),
            (&format!("{START} X f5 d6 c3"), "f5d6c3"),
            (&format!("{START} X 1. f5 d6 2. c3"), "f5d6c3"),
            (&format!("{START} X; F5:+2; D3:-4; % as pasted"), ""),
            (&format!("12. {START} X"), ""),
            (&format!("{START} X +18"), ""),
        ] {
            assert_eq!(read(text).line.to_string(), line, "{text}");
            assert!(read(text).is_from_the_start());
        }
        let scored = read(&format!("{START} X; F5:+2; D3:-4;"));
        assert_eq!(scored.scores.and_then(|scores| scores.best_score()), Some(2));
        let scored = read(&format!("{START} X -18"));
        assert_eq!(scored.scores.and_then(|scores| scores.score), Some(-18));
        let turned = START.replace('O', "o").replace('X', "O").replace('o', "X");
        let board = read(&format!("{turned} O f5d6"));
        assert!(!board.is_from_the_start());
        assert_eq!(read(&board.line.whole_text()), board, "what is printed can be given back");
    }

    #[test]
    fn says_what_it_takes_a_text_for() {
        let message = |text: &str| text.parse::<Asked>().unwrap_err().to_string();
        assert!(message("f5d6x9").starts_with("unreadable move 'x9'"));
        assert!(message("f5f5").contains("occupied"));
        assert!(message("-x").starts_with("'-x' is no move and no opening"), "{}", message("-x"));
        assert!(message(&format!("{} X", &START[1..])).starts_with("63 squares, 64 needed"));
        let missing = "the side to move is missing after the 64 squares: expected X or O, found ''";
        assert_eq!(message(&format!("{START} -10")), missing);
        assert!(message(&format!("{START} 0")).ends_with("found '0'"));
        assert!(message(&format!("{START} X +99")).starts_with("'+99'"));
        assert!(message(&format!("{START} X; F5:+99;")).starts_with("'F5:+99'"));
        assert!(message(&format!("{START} X f5f5")).contains("occupied"));
        assert!(message("tiger f5").contains("occupied"), "{}", message("tiger f5"));
        assert_eq!(
            message("Rose v Toth 16 f4"),
            "'16' is no move behind 'Rose v Toth': expected a column a-h and a row 1-8, such as c3"
        );
        assert!(message("tigher 16").starts_with("unreadable move"), "{}", message("tigher 16"));
        assert!(message("tigher f4").starts_with("unreadable move"), "{}", message("tigher f4"));
        assert!(message("tigher").contains("is no move and no opening"));
        assert!(message("2. f6").starts_with("illegal move f6 at ply 1"), "{}", message("2. f6"));
        assert!(message("8 - -").starts_with("unreadable move '8 '"), "{}", message("8 - -"));
        for other in ["2", "f5d6c3 34-30", "f5d6 c3 9", "Ann 34-30 Bob: f5d6c3", "of ours: f5d6c3"]
        {
            assert!(other.parse::<Asked>().is_err(), "{other}");
        }
        assert!(message("(;GM[2]SZ[8];B[f5];W[a1])").contains("turns no disc"));
    }

    #[test]
    fn a_pass_may_stand_behind_a_board() {
        let board = "-XXXXXXXOXOOOXOXXXXOOOOXXXOXOOOXOOXOXOOXOXXXOXOXXXXXXOXXXXXXXXXX";
        // A pass that must follow goes without saying.
        let unsaid = read(&format!("{board} O"));
        for pass in ["O pass", "O  PS ", "o pa", "O pass; X must move"] {
            assert_eq!(read(&format!("{board} {pass}")).placed(), unsaid.placed(), "{pass}");
        }
        let played = read(&format!("{board} X a1"));
        for moves in ["O a1", "O pass a1", "O ps a1", "O passa1"] {
            assert_eq!(read(&format!("{board} {moves}")).placed(), played.placed(), "{moves}");
        }
        let message = format!("{START} X pass f5").parse::<Asked>().unwrap_err().to_string();
        assert!(message.contains("pass"), "{message}");
    }
}
