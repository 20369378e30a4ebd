//! Games from files into a book.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::super::BookFile;
use super::super::bytes::{bytes_of, bytes_of_standard_input};
use super::folder::Stray;
use super::row::NAME_RULES;
use super::take::{Taken, Taker};
use crate::files::games::{
    GameFormat, GameReader, OpenError, ReadGame, ReadOptions, RefusedGame, open, read,
};
use crate::openbook::Hint;
use crate::othello::one_line::shown_name;
use crate::othello::search::Stop;
use crate::othello::system_error::in_words;
use crate::store::{Book, GameStore, StoreError, book_beside};

#[derive(Clone, Default, Debug)]
pub struct GameImportOptions {
    /// The format of all files, instead of what their content says.
    pub format: Option<GameFormat>,
    /// A file with a game that is refused is refused as a whole.
    pub strict: bool,
    /// The day for new collections, as 2026-11-22.
    pub day: String,
    /// Raised to stop: the file that is being read then leaves nothing.
    pub stop: Stop,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameFile {
    pub file: String,
    /// Its format, when that is known.
    pub format: Option<GameFormat>,
    /// Games in it, those that were refused counted.
    pub games: u64,
    /// Games that were not there before.
    pub new: u64,
    /// Games that were there.
    pub known: u64,
    /// Games that were there, and of which the file knew more.
    pub richer: u64,
    /// Games that were refused.
    pub refused: u64,
    /// Games with a note.
    pub notes: u64,
    /// Why nothing of it was kept.
    pub failed: Option<String>,
    /// What helps where it failed.
    pub hint: Option<Hint>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameImportReport {
    pub files: Vec<GameFile>,
    /// Files in folders that hold something else than games.
    pub skipped: Vec<String>,
    /// [`GameImportOptions::stop`] was raised.
    pub stopped: bool,
}

/// What happens during an import.
#[derive(Debug)]
pub enum GameImportEvent<'a> {
    /// A game was refused.
    Refused(&'a RefusedGame),
    /// A note on a game that was taken: `FILE:LINE (game N): note`.
    Note(&'a str),
    /// So many games of a file have been read, which is the first, second, ... of so many.
    Progress(&'a str, u64, (u64, u64)),
    File(&'a GameFile),
    /// The index of positions is being made.
    Indexing,
}

/// Why an import failed.
#[derive(Debug, Error)]
pub enum GameImportError {
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{file}: {}", in_words(error))]
    Walk { file: String, error: std::io::Error },
}

/// Games between two looks at the time and the stop.
const STEP: u64 = 512;

/// Refused games of a file that may hold something else that are kept until it is known.
const MOST_HELD: usize = 10;

/// As [`import_games`] into the book of this path, which is made when there is none; returns whether
/// it was.
///
/// # Errors
/// As there, and when the book cannot be opened; nothing is read then. A book that was made for
/// nothing is gone again.
pub(crate) fn import_games_at(
    book: &BookFile,
    paths: &[PathBuf],
    options: &GameImportOptions,
    event: impl FnMut(GameImportEvent<'_>),
) -> Result<(GameImportReport, bool), GameImportError> {
    let (mut book, is_new) = book.open_or_create()?;
    let done = import_games(&mut book, paths, options, event);
    if !is_new {
        return done.map(|report| (report, false));
    }
    // Files before one that failed are committed.
    book.rollback();
    let kept = book.reader().games().count().map_or(true, |games| games > 0);
    if !kept {
        book.remove();
    }
    done.map(|report| (report, kept))
}

/// Imports games from files and folders; `-` is standard input. Each file is one transaction.
///
/// # Errors
/// The book cannot be written, or a path does not exist. What is wrong with a file is in the
/// report, and costs that file or a game of it.
pub fn import_games(
    book: &mut Book,
    paths: &[PathBuf],
    options: &GameImportOptions,
    mut event: impl FnMut(GameImportEvent<'_>),
) -> Result<GameImportReport, GameImportError> {
    let files = files_of(paths)?;
    let mut report = GameImportReport::default();
    let mut store = GameStore::open(book, NAME_RULES)?;
    let mut taker = Taker::default();
    let of = files.len() as u64;
    for (number, found) in (1..).zip(files) {
        let (path, named) = match found {
            Ok(found) => found,
            Err(error) => {
                let (file, failed) = match &error {
                    GameImportError::Walk { file, .. } => (file.clone(), Some(error.to_string())),
                    GameImportError::Store(_) => return Err(error),
                };
                let file = GameFile { file, failed, ..GameFile::default() };
                event(GameImportEvent::File(&file));
                report.files.push(file);
                continue;
            }
        };
        let name = shown(&path);
        let mut file = GameFile { file: name.clone(), ..GameFile::default() };
        let opened = open_games(&path, options.format, &options.stop);
        let outcome = match opened {
            Err(OpenError::Io { .. }) if options.stop.is_stopped() => Err(Ended::Stopped),
            Err(error) if !named && Stray::of(&path, &error) == Stray::Used => continue,
            Err(error) if !named && Stray::of(&path, &error) == Stray::Other => {
                report.skipped.push(name);
                continue;
            }
            Err(error) => {
                file.failed = Some(error.to_string());
                file.hint = error.hint();
                event(GameImportEvent::File(&file));
                report.files.push(file);
                continue;
            }
            Ok(mut reader) => {
                file.format = Some(reader.format());
                taker.next_source();
                let into = (&mut store, &mut taker);
                take_file(into, &mut reader, options, (&mut file, number, of), named, &mut event)
            }
        };
        match outcome {
            Ok(Kept::Games) => store.commit()?,
            Ok(Kept::Stray) => {
                report.skipped.push(name);
                continue;
            }
            Ok(Kept::Nothing) => {
                store.rollback()?;
                taker.forget();
            }
            Err(Ended::Store(error)) => return Err(error.into()),
            Err(Ended::Stopped) => {
                store.rollback()?;
                report.stopped = true;
                break;
            }
        }
        event(GameImportEvent::File(&file));
        report.files.push(file);
    }
    if store.wants_index() {
        event(GameImportEvent::Indexing);
    }
    store.finish()?;
    book.commit()?;
    Ok(report)
}

enum Ended {
    Store(StoreError),
    Stopped,
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What is kept of a file.
enum Kept {
    Games,
    Nothing,
    /// It was found in a folder and holds something else.
    Stray,
}

/// Takes the games of a file, which was named itself or lies in a folder.
fn take_file(
    (store, taker): (&mut GameStore<'_>, &mut Taker),
    reader: &mut GameReader<'_>,
    options: &GameImportOptions,
    (file, number, of): (&mut GameFile, u64, u64),
    named: bool,
    event: &mut impl FnMut(GameImportEvent<'_>),
) -> Result<Kept, Ended> {
    // Any program may have written these.
    let mut may_be_stray =
        !named && matches!(reader.format(), GameFormat::Json | GameFormat::Table);
    let mut held = Vec::new();
    for found in reader.by_ref() {
        if file.games.is_multiple_of(STEP) {
            if file.games > 0 || of > 1 {
                event(GameImportEvent::Progress(&file.file, file.games, (number, of)));
            }
            if options.stop.is_stopped() {
                return Err(Ended::Stopped);
            }
        }
        let is_of_no_game = found.as_ref().is_err_and(|defect| defect.why.is_of_no_game());
        if !is_of_no_game {
            may_be_stray = false;
            held.drain(..).for_each(|defect| event(GameImportEvent::Refused(&defect)));
        }
        match found {
            // A pipe that waits for bytes fails when it is stopped.
            Err(defect) if defect.is_fatal() && options.stop.is_stopped() => {
                return Err(Ended::Stopped);
            }
            Err(defect) => {
                // What is wrong with the file as a whole is no game.
                file.games += u64::from(defect.game.is_some());
                file.refused += 1;
                match may_be_stray {
                    true if held.len() < MOST_HELD => held.push(defect),
                    true => {}
                    false => event(GameImportEvent::Refused(&defect)),
                }
            }
            Ok(ReadGame { number, place, game, notes, .. }) => {
                file.games += 1;
                file.notes += u64::from(!notes.is_empty());
                for note in notes {
                    let text = format!("{} (game {number}): {note}", place.in_file(&file.file));
                    event(GameImportEvent::Note(&text));
                }
                let collections: Vec<u32> = game
                    .sources()
                    .map(|source| store.collection(source, &options.day))
                    .collect::<Result<_, _>>()?;
                match taker.take(store, &game, &collections)? {
                    Taken::New => file.new += 1,
                    Taken::Known => file.known += 1,
                    Taken::Richer => file.richer += 1,
                }
            }
        }
    }
    if may_be_stray && file.refused > 0 {
        return Ok(Kept::Stray);
    }
    if options.strict && file.refused > 0 {
        file.failed = Some(format!("{}: refused as a whole (--strict)", file.file));
        (file.new, file.known, file.richer) = (0, 0, 0);
        return Ok(Kept::Nothing);
    }
    Ok(Kept::Games)
}

fn shown(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => shown_name(&path.display().to_string()),
    }
}

/// Opens a file, or `-`; a stop ends the waiting for a pipe without a writer.
pub(in crate::app) fn open_games(
    path: &Path,
    format: Option<GameFormat>,
    stop: &Stop,
) -> Result<GameReader<'static>, OpenError> {
    let mut options = ReadOptions { format, ..ReadOptions::default() };
    let name = shown(path);
    let failed = |error| OpenError::Io { file: name.clone(), error };
    if path.as_os_str() == "-" {
        return read(bytes_of_standard_input(stop).map_err(failed)?, &name, &options);
    }
    if std::fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
        options.source = path.file_name().map(|name| shown(Path::new(name)));
        return read(bytes_of(path, stop).map_err(failed)?, &name, &options);
    }
    open(path, &options)
}

/// A file and whether it was named itself, or a folder that cannot be read.
pub(in crate::app) type Found = Result<(PathBuf, bool), GameImportError>;

/// All files, those in folders in the order of their names.
pub(in crate::app) fn files_of(paths: &[PathBuf]) -> Result<Vec<Found>, GameImportError> {
    let mut found = Vec::new();
    for path in paths {
        let is_folder = path.as_os_str() != "-"
            && std::fs::metadata(path).map_err(|error| unreadable(path, error))?.is_dir();
        if is_folder {
            walk(path, &mut found);
        } else {
            found.push(Ok((path.clone(), true)));
        }
    }
    Ok(found)
}

fn unreadable(path: &Path, error: std::io::Error) -> GameImportError {
    GameImportError::Walk { file: shown(path), error }
}

/// What cannot be read costs the rest of its folder nothing.
fn walk(folder: &Path, found: &mut Vec<Found>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(unreadable(folder, error))),
    };
    let mut known = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) => known.push(entry),
            Err(error) => found.push(Err(unreadable(folder, error))),
        }
    }
    known.sort_by_key(std::fs::DirEntry::file_name);
    for entry in known {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, found),
            // Links to files are followed; those to folders might lead round in a circle.
            // A book may lie among its games, with its log.
            Ok(_) if book_beside(&path).is_some() => {}
            Ok(_) if std::fs::metadata(&path).is_ok_and(|target| target.is_file()) => {
                found.push(Ok((path, false)));
            }
            Ok(_) => {}
            Err(error) => found.push(Err(unreadable(&path, error))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::write;

    /// Imports files of a folder; what became of each, and which hold something else.
    fn import_all(book: &mut Book, paths: &[PathBuf]) -> (Vec<[u64; 4]>, usize) {
        let options = GameImportOptions::default();
        let report = import_games(book, paths, &options, |_| {}).unwrap();
        let counts = |file: &GameFile| [file.new, file.known, file.richer, file.refused];
        (report.files.iter().map(counts).collect(), report.skipped.len())
    }

    #[test]
    fn what_other_programs_write_is_passed_over_in_folders() {
        let folder = tempfile::tempdir().unwrap();
        let others = [
            ("a.json", "{\"name\":\"x\",\n\"games\":[\"a\"],\n\"scripts\":{}}\n"),
            ("b.geojson", "{\"type\":\"Feature\",\"position\":[1,2]}\n"),
            ("c.json", "[{\"white\":\"x\",\"moves\":\"e4 e5 Nf3\"},{\"moves\":[\"e2e4\"]}]\n"),
            ("d.json", "{\"fen\":\"8/8/8/8/8/8/8/K6k w - - 0 1\",\"moves\":\"a1a2\"}\n"),
            ("e.csv", "FEN,Moves\nr6k/pp5p/8/3p4/8/8/PPP/7K b - - 0 24,f2g3 e6e7\n"),
            ("f.json", "{\n// a comment\n\"a\":{}\n}\n"),
        ];
        for (name, text) in others {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let place = tempfile::tempdir().unwrap();
        let mut book = Book::create(place.path().join("book.db")).unwrap();
        let paths = [folder.path().to_owned()];
        assert_eq!(import_all(&mut book, &paths), (vec![], others.len()));
        // What is named itself is told, and so is a file with one game that is ours.
        let (files, skipped) = import_all(&mut book, &[folder.path().join("c.json")]);
        assert_eq!((files, skipped), (vec![[0, 0, 0, 2]], 0));
        std::fs::write(folder.path().join("c.json"), "{\"x\":1}\n{\"moves\":\"f5d6\"}\n").unwrap();
        std::fs::write(folder.path().join("d.json"), "{\"moves\":\"f5d6c3a1\"}\n").unwrap();
        let (files, skipped) = import_all(&mut book, &paths);
        assert_eq!((files, skipped), (vec![[1, 0, 0, 1], [0, 0, 0, 1]], others.len() - 2));
    }

    #[test]
    fn a_source_with_a_game_with_and_without_names_has_two() {
        let folder = tempfile::tempdir().unwrap();
        let named = r#"{"source":"x","black":"Ann","white":"Bob","date":"2004","result":"40-24","moves":"f5d6"}"#;
        let other = r#"{"source":"x","date":"2004","result":"40-24","moves":"f5d6"}"#;
        for (number, lines) in [[named, other], [other, named]].iter().enumerate() {
            let file = folder.path().join(format!("{number}.json"));
            std::fs::write(&file, lines.join("\n")).unwrap();
            let mut book = Book::create(folder.path().join(format!("{number}.db"))).unwrap();
            for counts in [[2, 0, 0, 0], [0, 2, 0, 0]] {
                assert_eq!(
                    import_all(&mut book, std::slice::from_ref(&file)).0,
                    [counts],
                    "{lines:?}"
                );
            }
        }
    }

    /// In any order, and short games, too, of which the line alone tells nothing.
    #[test]
    fn games_of_wthor_with_and_without_names_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[Date \"2004.01.01\"]\n[Black \"Ann Lee\"]\n[White \"Bob Ray\"]\n[Result \"40-24\"]\n\n1. f5 d6 *\n\n";
        let text =
            [text, &text.replace("40-24", "33-31"), &text.replace("40-24", "20-44")].concat();
        let games: Vec<_> =
            crate::files::games::read(text.as_bytes(), "x", &ReadOptions::default())
                .unwrap()
                .map(|read| read.unwrap().game)
                .collect();
        let mut bytes = Vec::new();
        let names = write(GameFormat::Wthor, &games, &mut bytes).unwrap().side_files.unwrap();
        for place in ["with", "without"] {
            std::fs::create_dir(folder.path().join(place)).unwrap();
            std::fs::write(folder.path().join(place).join("x.wtb"), &bytes).unwrap();
        }
        std::fs::write(folder.path().join("with/x.jou"), names.players).unwrap();
        std::fs::write(folder.path().join("with/x.trn"), names.tournaments).unwrap();
        let path = |place: &str| folder.path().join(place).join("x.wtb");
        for (number, places) in [["with", "without"], ["without", "with"]].iter().enumerate() {
            let mut book = Book::create(folder.path().join(format!("{number}.db"))).unwrap();
            let import =
                |book: &mut Book, place: &str| import_all(book, &[path(place)]).0.remove(0);
            assert_eq!(import(&mut book, places[0])[0], 3, "{places:?}");
            let [new, known, richer, refused] = import(&mut book, places[1]);
            assert_eq!((new, known + richer, refused), (0, 3, 0), "{places:?}");
            for place in ["with", "without", "without"] {
                assert_eq!(import(&mut book, place), [0, 3, 0, 0], "{places:?} {place}");
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_and_costs_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        std::fs::write(folder.path().join("a.txt"), "f5\n").unwrap();
        std::fs::write(folder.path().join("b/c.txt"), "f5\n").unwrap();
        let mut found = Vec::new();
        walk(&folder.path().join("gone"), &mut found);
        walk(folder.path(), &mut found);
        let gone = found.remove(0).map_err(|error| error.to_string()).unwrap_err();
        assert!(gone.contains("gone: there is no such file"), "{gone}");
        let files: Vec<_> = found.into_iter().map(Result::unwrap).collect();
        let names = ["a.txt", "b/c.txt"].map(|name| (folder.path().join(name), false));
        assert_eq!(files, names);
        // What was named itself must exist.
        assert!(files_of(&[folder.path().to_owned(), folder.path().join("gone")]).is_err());
    }
}
