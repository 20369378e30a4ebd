//! Positions as people write them: moves, a board, an opening's name.

use std::str::FromStr;

use thiserror::Error;

use super::names::{NameError, opening_line};
use super::spelled::{spelled_line, tagged_line};
use super::transcript::has_values;
use crate::othello::board::move_text::MoveText;
use crate::othello::board::{
    BoardError, BoardText, Line, LineError, ObfErrorKind, ObfPosition, Placed, board_in,
    looks_like_a_board,
};
use crate::othello::one_line::one_line;

/// A position that a user asks about.
///
/// It is read from moves (`f5d6c3`, `f5 d6 c3`, `1. f5 d6 2. c3`, and as files of games have them), the name of
/// an opening (`tiger`) or a board in any notation that [`board_in`] reads, both with or without moves from there, a
/// line of OBF with its scores, or a game that is made of tags. No text at all is the start position, and so is `start`, as it is called where it is printed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// The moves that lead to it, with the board that they start from.
    pub line: Line,
    /// What a line of OBF says of it.
    pub scores: Option<ObfPosition>,
    /// Whether the text left open whose turn it is on its board, so that Black's was assumed.
    pub is_turn_assumed: bool,
}

impl Asked {
    /// The board with its colours. The side to move may have to pass, or the game may be over.
    pub fn placed(&self) -> Placed {
        self.line.board()
    }

    /// Reads a board, or any other position, and moves that go on from it. Without a board the second text is a
    /// position of its own.
    pub(crate) fn on_board(board: &str, moves: &str) -> Result<Self, AskedError> {
        if board.trim().is_empty() {
            return moves.parse();
        }
        let mut asked: Self = board.parse()?;
        asked.line.read_on(moves)?;
        Ok(asked)
    }

    /// Whether it was given by moves from the start position, of which there may be none.
    pub(crate) fn is_from_the_start(&self) -> bool {
        self.line.start() == Placed::START
    }
}

/// Why a text is no position.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum AskedError {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Obf(#[from] ObfErrorKind),
    #[error(transparent)]
    Line(#[from] LineError),
    /// It looks like a game that is made of tags: what is wrong with it.
    #[error("{0}")]
    Game(String),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(
        "'{word}' is not a move behind '{name}': expected a column a-h and a row 1-8, such as c3"
    )]
    Behind { name: String, word: String },
}

impl FromStr for Asked {
    type Err = AskedError;

    fn from_str(text: &str) -> Result<Self, AskedError> {
        let text = without_number(text.trim());
        if ["start", "the start"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            return Ok(Self::default());
        }
        if let Some(tagged) = tagged_line(text) {
            return Ok(line_alone(tagged.map_err(AskedError::Game)?));
        }
        if let Some(board) = board_in(text) {
            return of_board(&board?);
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
        if let Some(line) = spelled_line(text) {
            return Ok(line_alone(line));
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
    Asked { line, scores: None, is_turn_assumed: false }
}

/// The most characters of a word that are shown.
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

/// The name of an opening, as many words as are one, its line, and the text behind it, whose first
/// word must pass `so`.
fn name_before(text: &str, is_so: impl Fn(&str) -> bool) -> Option<(String, Line, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // No name has more words: a text of thousands is answered as fast.
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

/// A board with the text behind it: scores, or moves with or without a remark behind them.
fn of_board(board: &BoardText<'_>) -> Result<Asked, AskedError> {
    let behind = board.behind.split(['%', '#']).next().unwrap_or_default();
    let behind = behind.trim_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ','));
    let first = behind.split(';').next().unwrap_or_default().trim();
    let has_values = has_values(behind);
    let are_moves = !has_values && begins_as_moves(first);
    // A zero alone may be White or a score.
    if !(behind.is_empty() || has_values || are_moves) || behind == "0" {
        board.placed_as_said()?;
    }
    let placed = board.placed()?;
    let mut line = Line::from_board(placed);
    let mut scores = None;
    if are_moves {
        line.read_on(first)?;
        let more = behind.split(';').skip(1).map(str::trim);
        for field in more.take_while(|field| begins_as_moves(field)) {
            line.read_on(field)?;
        }
    } else {
        let read = ObfPosition::scored(placed, behind, 1)?;
        scores = Some(read).filter(|read| read.best_score().is_some());
    }
    Ok(Asked { line, scores, is_turn_assumed: board.leaves_turn_open() })
}

/// Whether a text begins with a move, the number of one, or a pass.
fn begins_as_moves(text: &str) -> bool {
    MoveText::new(text).take().is_some()
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
    use crate::files::games::{Language, openings_in};

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
            (&format!("{START};X;f5d6"), "f5d6"),
            (&format!("{START};X;f5;d6"), "f5d6"),
            (&format!("{START} X f5d6; as pasted"), "f5d6"),
            (&format!("[8 {START} *] f5d6"), "f5d6"),
            ("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1 f5d6", "f5d6"),
            ("[FEN \"8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1\"]", ""),
            (&format!("BO[8 {START} *]B[f5]W[d6]"), "f5d6"),
            (&format!("(;GM[Othello]BO[8 {START} *];)"), ""),
            ("(;GM[2]AB[d5][e4]AW[d4][e5]PL[B])", ""),
            ("AB[d5][e4]AW[d4][e5]PL[B]", ""),
            (&format!("{START} 黒番 f5"), "f5"),
            ("c4c3e6b4a4a5b2a3 passe f4", "c4c3e6b4a4a5b2a3f4"),
            ("c4c3e6b4a4a5b2a3 Passt f4", "c4c3e6b4a4a5b2a3f4"),
        ] {
            assert_eq!(read(text).line.to_string(), line, "{text}");
            assert!(read(text).is_from_the_start());
        }
        let scored = read(&format!("{START} X; F5:+2; D3:-4;"));
        assert_eq!(scored.scores.and_then(|scores| scores.best_score()), Some(2));
        let scored = read(&format!("{START} X -18"));
        assert_eq!(scored.scores.and_then(|scores| scores.score), Some(-18));
        // Black's turn is assumed, with or without scores or moves behind the squares.
        for (behind, line) in [("", ""), (" -10", ""), (" f5d6", "f5d6"), ("; F5:+2;", "")] {
            let open = read(&format!("{START}{behind}"));
            assert_eq!((open.line.to_string().as_str(), open.is_turn_assumed), (line, true));
        }
        assert!(!scored.is_turn_assumed);
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
        assert!(
            message("-x").starts_with("'-x' is neither a move nor an opening"),
            "{}",
            message("-x")
        );
        assert!(message(&format!("{} X", &START[1..])).starts_with("63 squares, 64 needed"));
        assert!(message(&format!("{START} 0")).ends_with("found '0'"));
        assert!(message(&format!("{START} X +99")).starts_with("'+99'"));
        assert!(message(&format!("{START} X; F5:+99;")).starts_with("'F5:+99'"));
        assert!(message(&format!("{START} X f5f5")).contains("occupied"));
        assert!(message("tiger f5").contains("occupied"), "{}", message("tiger f5"));
        assert_eq!(
            message("Rose v Toth 16 f4"),
            "'16' is not a move behind 'Rose v Toth': expected a column a-h and a row 1-8, such as c3"
        );
        assert!(message("tigher 16").starts_with("unreadable move"), "{}", message("tigher 16"));
        assert!(message("tigher f4").starts_with("unreadable move"), "{}", message("tigher f4"));
        assert!(message("tigher").contains("is neither a move nor an opening"));
        assert!(message("2. f6").starts_with("illegal move f6 at ply 1"), "{}", message("2. f6"));
        assert!(message("8 - -").starts_with("unreadable move '8 '"), "{}", message("8 - -"));
        for other in ["2", "f5d6c3 34-30", "f5d6 c3 9", "Ann 34-30 Bob: f5d6c3", "of ours: f5d6c3"]
        {
            assert!(other.parse::<Asked>().is_err(), "{other}");
        }
        assert!(message("(;GM[2]SZ[8];B[f5];W[a1])").contains("flips no disc"));
    }

    /// A game of each format that starts from a board, with moves or none, is a position again.
    #[test]
    fn what_files_of_games_hold_can_be_asked_for() {
        use crate::files::games::{Game, GameFormat, write};
        let board = "-XXXXXXXOXOOOXOXXXXOOOOXXXOXOOOXOOXOXOOXOXXXOXOXXXXXXOXXXXXXXXXX";
        for text in [format!("{board} O"), format!("{board} X"), format!("{board} X a1")] {
            let asked = read(&text);
            let game = Game::of_line(&asked.line);
            for format in GameFormat::ALL {
                let mut written = Vec::new();
                let done = write(format, [&game], &mut written);
                // Tables and objects are no notations of one position.
                let is_one = !matches!(format, GameFormat::Table | GameFormat::Json);
                if done.is_ok_and(|done| done.games == 1) && is_one {
                    let written = String::from_utf8(written).unwrap();
                    assert_eq!(read(&written).placed(), asked.placed(), "{written}");
                }
            }
        }
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
