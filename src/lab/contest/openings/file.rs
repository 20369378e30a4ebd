//! Openings from a file: positions or lines, one on each line, or games in any format.

use std::io::ErrorKind;
use std::path::Path;

use thiserror::Error;

use super::pool::Pool;
use crate::files::games::{Asked, AskedError, GameFormat, OpenError, ReadOptions, open, text_of};
use crate::othello::board::Line;
use crate::othello::text_lines::lines_of;
use crate::othello::whole_file::read_whole;

#[derive(Debug)]
pub(crate) struct OpeningFile {
    pub pool: Pool,
    /// Games of which only the first plies were taken.
    pub games: u64,
    /// What could not be read, with its place; no more than 20 of them.
    pub faults: Vec<String>,
    /// How many could not be read, or are over at their end.
    pub refused: u64,
}

/// Why a file gives no openings.
#[derive(Debug, Error)]
pub(crate) enum OpeningFileError {
    #[error("{0}")]
    Open(#[from] OpenError),
    /// Nothing of it can be played on.
    #[error(
        "{file} holds no opening: expected a position on each line, such as f5d6c3 or tiger, or \
         games{}",
        first.as_ref().map(|first| format!(" ({first})")).unwrap_or_default()
    )]
    Empty { file: String, first: Option<String> },
}

/// A line of more moves is a game: no opening is so long.
const LONGEST: usize = 30;

/// The most faults that are kept in words.
const MOST_TOLD: usize = 20;

/// The most bytes of a list of positions.
const MOST_BYTES: u64 = 1 << 26;

/// Reads openings. Of games, which are lines of more than 30 moves, the first `plies` are taken; lines
/// that are shorter are openings as they are, unless `cut_all`.
pub(crate) fn read_openings(
    path: &Path,
    plies: usize,
    cut_all: bool,
) -> Result<OpeningFile, OpeningFileError> {
    let rule = Rule { plies, cut_all };
    let games = read_games(path, &rule);
    let found = match games {
        // What is not recognized by its content can still be names, or boards.
        Err(OpenError::Unknown { .. }) => better(None, read_list(path, &rule)),
        Ok((true, games)) => better(Some(games), read_list(path, &rule)),
        Ok((false, games)) => Ok(Some(games)),
        Err(error) => Err(error),
    }?;
    match found {
        Some(found) if !found.pool.is_empty() => Ok(found),
        found => Err(OpeningFileError::Empty {
            file: path.display().to_string(),
            first: found.and_then(|found| found.faults.into_iter().next()),
        }),
    }
}

/// The reading of which more can be used.
fn better(
    games: Option<OpeningFile>,
    list: Result<OpeningFile, OpenError>,
) -> Result<Option<OpeningFile>, OpenError> {
    let list = list?;
    let used = |file: &OpeningFile| file.pool.added();
    Ok(Some(match games {
        Some(games) if used(&games) > used(&list) => games,
        _ => list,
    }))
}

struct Rule {
    plies: usize,
    cut_all: bool,
}

impl OpeningFile {
    const fn new(pool: Pool) -> Self {
        Self { pool, games: 0, faults: Vec::new(), refused: 0 }
    }

    fn take(&mut self, mut line: Line, rule: &Rule, place: impl FnOnce() -> String) {
        let is_game = line.len() > LONGEST;
        if is_game || rule.cut_all {
            self.games += u64::from(is_game);
            while line.len() > rule.plies {
                line.pop();
            }
        }
        if !self.pool.add(line) {
            self.refuse(|| format!("{}: the game is over there", place()));
        }
    }

    fn refuse(&mut self, fault: impl FnOnce() -> String) {
        self.refused += 1;
        if self.faults.len() < MOST_TOLD {
            self.faults.push(fault());
        }
    }
}

/// The games of a file, and whether there is something in it that no game is: names of openings may be.
fn read_games(path: &Path, rule: &Rule) -> Result<(bool, OpeningFile), OpenError> {
    let mut reader = open(path, &ReadOptions::default())?;
    let mut found = OpeningFile::new(Pool::default());
    for read in reader.by_ref() {
        match read {
            Ok(read) => {
                let place = || format!("{} (game {})", path.display(), read.number);
                found.take(read.game.line(), rule, place);
            }
            Err(defect) => found.refuse(|| defect.to_string()),
        }
    }
    let is_list = reader.format() == GameFormat::Transcript
        && (found.refused > 0 || found.pool.is_empty() || reader.has_words());
    Ok((is_list, found))
}

fn read_list(path: &Path, rule: &Rule) -> Result<OpeningFile, OpenError> {
    let name = path.display().to_string();
    let failed = |error| OpenError::Io { file: name.clone(), error };
    let bytes = read_whole(path, MOST_BYTES).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            let found = "longer than any list of positions";
            OpenError::Unknown { file: name.clone(), found, hint: None }
        }
        _ => failed(error),
    })?;
    let Some(text) = text_of(&bytes) else {
        let found = "expected games, or a text with a position on each line";
        return Err(OpenError::Unknown { file: name, found, hint: None });
    };
    let mut found = OpeningFile::new(Pool::default());
    for (index, line) in lines_of(&text).enumerate() {
        let is_blank = !line.contains(char::is_alphanumeric);
        if is_blank || line.starts_with(['%', '#']) {
            continue;
        }
        let place = || format!("{name}, line {}", index + 1);
        match position(line) {
            Ok(asked) => found.take(asked.line, rule, place),
            Err(error) => found.refuse(|| format!("{}: {error}", place())),
        }
    }
    Ok(found)
}

/// A line that is a position, or has one among its columns.
fn position(line: &str) -> Result<Asked, AskedError> {
    line.parse().or_else(|error| {
        let columns = line.split('\t').filter_map(|column| column.parse().ok());
        let mut positions = columns.filter(|asked: &Asked| !asked.line.is_empty());
        positions.next().ok_or(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const GAME: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";

    fn read(text: &str, plies: usize, cut_all: bool) -> Result<OpeningFile, OpeningFileError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings");
        fs::write(&path, text).unwrap();
        read_openings(&path, plies, cut_all)
    }

    fn lines(file: &OpeningFile) -> Vec<String> {
        file.pool.draw(usize::MAX, 0).iter().map(crate::othello::board::Line::whole_text).collect()
    }

    #[test]
    fn lists_are_read_in_all_spellings() {
        let board = "---------------------------OX------XO--------------------------- X";
        let text = format!(
            "# ours\nf5d6c3\nTiger\n12\tf5f6\tsmall\n\n{board} f5f4; as pasted\nrose v toth\n"
        );
        let file = read(&text, 8, false).unwrap();
        let found = ["f5d6c3", "f5d6c3d3c4", "f5f6", "f5f4", "f5f6e6d6c5e3d3"];
        assert_eq!(lines(&file), found, "{:?}", file.faults);
        assert_eq!((file.refused, file.games), (0, 0));
        assert_eq!(lines(&read(&text, 2, true).unwrap()), ["f5d6", "f5f6", "f5f4"]);
        let names = read("tiger\nf5d6\ntigher\n", 8, false).unwrap();
        assert_eq!((lines(&names).len(), names.refused), (2, 1));
        assert!(names.faults[0].contains(", line 3: 'tigher' is neither"), "{:?}", names.faults);
    }

    #[test]
    fn games_are_cut_to_their_openings() {
        let text = format!("one 25-39 two : {GAME}\nf5f6e6\nf5a1\n");
        let file = read(&text, 8, false).unwrap();
        assert_eq!(lines(&file), [&GAME[..16], "f5f6e6"]);
        assert_eq!((file.games, file.refused), (1, 1));
        let pgn = format!("[Event \"x\"]\n[Result \"*\"]\n\n{GAME} *\n");
        assert_eq!(lines(&read(&pgn, 4, false).unwrap()), ["f5f4f3f6"]);
    }

    #[test]
    fn what_holds_nothing_is_refused() {
        for text in ["", "# nothing\n", "hello\nworld\n", " \t-\n", "f5a1\n"] {
            let error = read(text, 8, false).unwrap_err().to_string();
            assert!(error.contains("holds no opening"), "{text}: {error}");
        }
        let binary = read("tiger\n\0\u{1}\u{2}", 8, false).unwrap_err().to_string();
        assert!(binary.contains("expected games, or a text"), "{binary}");
        let missing = read_openings(Path::new("none.txt"), 8, false).unwrap_err();
        assert!(missing.to_string().starts_with("none.txt: "), "{missing}");
    }
}
