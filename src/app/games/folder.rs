//! Files in folders of games that could not be opened as games.

use std::path::Path;

use crate::app::FileKind;
use crate::files::games::{GameFormat, OpenError};

/// What to make of such a file, which was not named itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) enum Stray {
    /// The names of a WTHOR file, which are read with it.
    Used,
    /// It holds something else, as its name and its content say.
    Other,
    /// By its name it should hold games, or it cannot be read at all.
    Faulty,
}

impl Stray {
    /// Judges a file by the error of opening it, by its ending, and where that is one of all kinds of texts, by
    /// its content.
    pub(in crate::app) fn of(path: &Path, error: &OpenError) -> Self {
        match error {
            OpenError::Names { .. } => Self::Used,
            OpenError::Unknown { .. } => match GameFormat::of_ending(&without_packing(path)) {
                None => Self::Other,
                // Files of all kinds have these endings.
                Some(
                    GameFormat::Transcript | GameFormat::Table | GameFormat::Json | GameFormat::Xof,
                ) => match FileKind::of_file(path) {
                    Ok(FileKind::Bytes) | Err(_) => Self::Faulty,
                    Ok(_) => Self::Other,
                },
                Some(_) => Self::Faulty,
            },
            _ => Self::Faulty,
        }
    }
}

fn without_packing(path: &Path) -> std::path::PathBuf {
    let is_packed = path.extension().is_some_and(|ending| {
        ["gz", "zst", "bz2"].iter().any(|packing| ending.eq_ignore_ascii_case(packing))
    });
    if is_packed { path.with_extension("") } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_judged_by_their_endings_and_contents() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content, expected) in [
            ("a.pgn", &b"nothing of games"[..], Stray::Faulty),
            ("a.PGN.gz", b"nothing of games", Stray::Faulty),
            ("a.wtb", b"\x00\x01\x02", Stray::Faulty),
            ("a.txt", b"\x00\x01\x02", Stray::Faulty),
            ("a.txt", b"Some words about these games.\n", Stray::Other),
            ("a.json", b"{\"format\":\"rosebill-book\",\"version\":1}\n", Stray::Other),
            ("a.png", b"\x89PNG\r\n\x1a\n\x00", Stray::Other),
            ("README", b"Some words.", Stray::Other),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let error = OpenError::Unknown { file: name.to_owned(), found: "", hint: None };
            assert_eq!(Stray::of(&path, &error), expected, "{name}");
        }
        let names = OpenError::Names { file: "a.jou".to_owned() };
        assert_eq!(Stray::of(Path::new("a.jou"), &names), Stray::Used);
    }
}
