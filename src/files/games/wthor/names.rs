//! The names that belong to a game file: those of players and tournaments are in files of their own.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::file::{WthorError, read_names};
use crate::files::games::refused::Note;
use crate::othello::one_line::one_line;
use crate::othello::system_error::in_words;

/// The most characters of a note that are names of files.
const MOST_SHOWN: usize = 200;

/// No list of names is longer: their number has two bytes.
const LONGEST: u64 = 4 << 20;

/// Players and tournaments by their numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WthorNames {
    pub(super) players: Option<Arc<[String]>>,
    pub(super) tournaments: Option<Arc<[String]>>,
    /// A note for the first game.
    pub(super) notes: Vec<Note>,
}

/// A file of names that cannot be used.
#[derive(Debug, Error)]
pub enum WthorNamesError {
    #[error("cannot read {}: {}", file.display(), in_words(error))]
    Io { file: PathBuf, error: io::Error },
    #[error("{}: {error}", file.display())]
    Content { file: PathBuf, error: WthorError },
}

impl WthorNames {
    /// Names from lists.
    pub fn new(players: Vec<String>, tournaments: Vec<String>) -> Self {
        Self {
            players: Some(players.into()),
            tournaments: Some(tournaments.into()),
            notes: Vec::new(),
        }
    }

    /// The names beside a game file: of the files that end in `.jou` and `.trn`, in either case, the one
    /// whose name most of the game file's begins with (`WTH.JOU` of `WTH_2010.wtb`), else the only one.
    /// Those that are not there are left out, and so are several of which none is named like it, since
    /// numbers mean other players in each; the first game has a note of that. What is no regular file,
    /// as a pipe that might never end, is a list without names: each game has a note of that.
    pub fn beside(games: &Path) -> Result<Self, WthorNamesError> {
        let files = files_beside(games);
        let (mut names, mut names_unknown) = (Self::default(), Vec::new());
        let mut missing = Vec::new();
        for (ending, slot) in [("jou", &mut names.players), ("trn", &mut names.tournaments)] {
            let lists: Vec<&PathBuf> = files.iter().filter(|file| ends_in(file, ending)).collect();
            match (list_of(games, &lists), &lists[..]) {
                (Some(list), _) => *slot = Some(read(list)?),
                (None, []) => missing.push(ending),
                (None, several) => {
                    let names = several.iter().filter_map(|list| list.file_name());
                    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
                    names_unknown
                        .push(Note::WhichNames { files: one_line(&names.join(", "), MOST_SHOWN) });
                }
            }
        }
        names_unknown.extend(match missing[..] {
            [] => None,
            ["jou"] => Some(Note::NamesMissing { of: "players", files: ".jou" }),
            ["trn"] => Some(Note::NamesMissing { of: "tournaments", files: ".trn" }),
            _ => Some(Note::NamesMissing { of: "players and tournaments", files: ".jou and .trn" }),
        });
        names.notes = names_unknown;
        Ok(names)
    }
}

/// Another file of games beside this one that would have its names from other lists if this one came
/// with lists of its own, as `games.jou` and `games.trn`; none when it replaces none.
pub(crate) fn gets_names_of(games: &Path) -> Option<PathBuf> {
    let files = files_beside(games);
    let is_changed = |other: &&PathBuf| {
        ENDINGS.iter().any(|ending| {
            let own = games.with_extension(ending);
            let is_own = |list: &Path| list.file_name() == own.file_name();
            let before: Vec<&PathBuf> = files.iter().filter(|file| ends_in(file, ending)).collect();
            let mut after: Vec<&PathBuf> =
                before.iter().copied().filter(|list| !is_own(list)).collect();
            after.push(&own);
            after.sort_by_key(|list| list.file_name());
            let (before, after) = (list_of(other, &before), list_of(other, &after));
            // Games that had names before have others then, or none.
            after.is_some_and(|list| is_own(list)) || (before.is_some() && after.is_none())
        })
    };
    let is_other = |file: &&PathBuf| ends_in(file, "wtb") && file.file_name() != games.file_name();
    files.iter().filter(is_other).find(is_changed).cloned()
}

/// A list of names that is called like a file of games, in either case, when those games are not there:
/// then it is none that was written with them.
pub(crate) fn names_without_games(games: &Path) -> Option<PathBuf> {
    let files = files_beside(games);
    let is_called_so = |file: &&PathBuf| {
        let stems = [file.file_stem(), games.file_stem()];
        let [one, other] = stems.map(|stem| stem.map(|stem| stem.to_string_lossy().to_lowercase()));
        one == other
    };
    let called_so: Vec<&PathBuf> = files.iter().filter(is_called_so).collect();
    if called_so.iter().any(|file| ends_in(file, "wtb") || file.file_name() == games.file_name()) {
        return None;
    }
    let is_list =
        |file: &&&PathBuf| file.is_file() && ENDINGS.iter().any(|ending| ends_in(file, ending));
    called_so.iter().find(is_list).map(|list| (*list).clone())
}

/// What lists of names end in: those of players, and those of tournaments.
const ENDINGS: [&str; 2] = ["jou", "trn"];

/// The files of the folder of a file, sorted; none where it cannot be read.
fn files_beside(games: &Path) -> Vec<PathBuf> {
    let folder = games.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn ends_in(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

/// Of lists that one that a game file has its names from.
fn list_of<'l>(games: &Path, lists: &[&'l PathBuf]) -> Option<&'l PathBuf> {
    let named = lists.iter().copied().max_by_key(|list| named_alike(games, list));
    named.filter(|list| lists.len() == 1 || named_alike(games, list) > 0)
}

/// How many letters of a list's name a game file's begins with; none unless all of them.
fn named_alike(games: &Path, list: &Path) -> usize {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let (games, list) = (stem(games), stem(list));
    if games.starts_with(&list) { list.len() } else { 0 }
}

fn read(file: &Path) -> Result<Arc<[String]>, WthorNamesError> {
    if fs::metadata(file).is_ok_and(|kind| !kind.is_file()) {
        return Ok(Arc::default());
    }
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|input| input.take(LONGEST).read_to_end(&mut bytes))
        .map_err(|error| WthorNamesError::Io { file: file.to_owned(), error })?;
    let names = read_names(&bytes);
    let names = names.map_err(|error| WthorNamesError::Content { file: file.to_owned(), error })?;
    Ok(names.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::wthor::file::{HEADER_BYTES, PLAYER_BYTES, TOURNAMENT_BYTES};

    #[test]
    fn what_is_no_regular_file_is_a_list_without_names() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("WTH.JOU")).unwrap();
        let names = WthorNames::beside(&folder.path().join("WTH_2010.wtb")).unwrap();
        assert_eq!(names.players, Some(Arc::default()));
    }

    #[test]
    fn a_list_is_taken_whose_name_is_the_beginning_of_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let list = |name: &str, first: &str, each: usize| {
            let mut bytes = vec![20, 26, 11, 20, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
            bytes.extend(first.as_bytes());
            bytes.resize(HEADER_BYTES + each, 0);
            fs::write(folder.path().join(name), bytes).unwrap();
        };
        let beside = |games: &str| {
            let names = WthorNames::beside(&folder.path().join(games)).unwrap();
            let first = |list: Option<Arc<[String]>>| list.map(|list| list[0].clone());
            let notes: Vec<String> = names.notes.iter().map(ToString::to_string).collect();
            (first(names.players).unwrap_or_default(), first(names.tournaments), notes)
        };
        let (_, _, notes) = beside("WTH_2010.wtb");
        assert!(notes.concat().starts_with("no names of players and tournaments"), "{notes:?}");
        list("Players.jou", "only", PLAYER_BYTES);
        let (players, tournaments, notes) = beside("WTH_2010.wtb");
        assert_eq!((&players[..], tournaments), ("only", None));
        assert!(notes.concat().starts_with("no names of tournaments"), "{notes:?}");
        list("QUEST.JOU", "quest", PLAYER_BYTES);
        list("WTH.JOU", "wthor", PLAYER_BYTES);
        list("WTH.TRN", "cup", TOURNAMENT_BYTES);
        let cup = Some("cup".to_owned());
        assert_eq!(beside("wth_2010.wtb"), ("wthor".to_owned(), cup.clone(), vec![]));
        assert_eq!(beside("QUEST_2023.wtb"), ("quest".to_owned(), cup.clone(), vec![]));
        let note = "none of the lists Players.jou, QUEST.JOU, WTH.JOU is named like the file of games: \
                    their names are left out";
        assert_eq!(beside("PLAYOK_2023.wtb"), (String::new(), cup.clone(), vec![note.to_owned()]));
        list("WTH_2010.JOU", "year", PLAYER_BYTES);
        assert_eq!(beside("WTH_2010.wtb"), ("year".to_owned(), cup, vec![]));
    }

    #[test]
    fn lists_of_a_new_file_may_take_the_names_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| fs::write(folder.path().join(name), "").unwrap();
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let of = |games: &str| gets_names_of(&folder.path().join(games)).map(name);
        let without = |games: &str| names_without_games(&folder.path().join(games)).map(name);
        put("WTH.JOU");
        put("WTH.trn");
        assert_eq!((of("wth.wtb"), without("wth.wtb")), (None, Some("WTH.JOU".to_owned())));
        assert_eq!((of("club.wtb"), without("club.wtb")), (None, None));
        put("WTH_1977.wtb");
        let other = Some("WTH_1977.wtb".to_owned());
        for games in ["WTH.wtb", "WTH_19.wtb", "wth_1977.wtb"] {
            assert_eq!(of(games), other, "{games}");
        }
        assert_eq!(of("WTH_1977.wtb"), None, "its own, from now on");
        assert_eq!(of("WTH_2.wtb"), None);
        // The only list is that of all, whatever it is called.
        put("club.wtb");
        assert_eq!(of("mine.wtb"), Some("club.wtb".to_owned()));
        put("club.jou");
        put("club.trn");
        assert_eq!((of("mine.wtb"), of("club.wtb"), without("club.wtb")), (None, None, None));
    }
}
