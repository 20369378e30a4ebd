//! What a file is, for whoever gave it to a command that takes others.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::formats::snapshot::begins_as_snapshot;
use crate::formats::{Format, sniff};
use crate::games::{GameFormat, ReadOptions, text_of};
use crate::store::begins_as_database;

/// How much of a file is looked at.
const HEAD: u64 = 64 << 10;

/// What a file is, as far as its first bytes and its name tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A book of ours, or another SQLite file.
    Book,
    /// A snapshot of a book of ours.
    Snapshot,
    /// A book of another program, or one of ours for others.
    OtherBook(Format),
    /// Games.
    Games,
    /// No text, and nothing that is known.
    Bytes,
    /// Any other text, or nothing at all.
    Text,
}

impl FileKind {
    /// What a regular file is.
    ///
    /// # Errors
    /// It cannot be read, or is none.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        // A pipe can be read only once.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        Ok(Self::of(path, &head))
    }

    /// What a file with this name is that begins with these bytes.
    #[must_use]
    pub fn of(path: &Path, head: &[u8]) -> Self {
        if begins_as_database(head) {
            return Self::Book;
        }
        if begins_as_snapshot(head) {
            return Self::Snapshot;
        }
        let games = crate::games::read(head, "", &ReadOptions::default());
        let mut games = games.ok().filter(|_| !head.is_empty());
        // Any text may be moves, and any bytes a database of games, until they are played.
        let has_games = games.as_mut().is_some_and(|games| games.any(|game| game.is_ok()));
        if has_games && games.is_some_and(|games| games.format() == GameFormat::Wthor) {
            return Self::Games;
        }
        match sniff(Path::new(""), head) {
            // Both kinds of files have objects on their lines; those of a book say so.
            Ok(Format::Json) if !String::from_utf8_lossy(head).contains("\"rosebill-book\"") => {}
            // A table of facts has lines, too, but no games.
            Ok(Format::Csv) => return Self::Text,
            Err(_) => {}
            Ok(format) => return Self::OtherBook(format),
        }
        let is_text = text_of(head).is_some();
        match (has_games, Format::of_ending(path)) {
            (true, _) => Self::Games,
            (false, Some(format)) if !is_text => Self::OtherBook(format),
            _ if is_text => Self::Text,
            _ => Self::Bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_first_bytes() {
        for (name, head, kind) in [
            ("my.db", &b"SQLite format 3\0..."[..], FileKind::Book),
            ("x", b"RSBLSNAP\x03\0\0\0", FileKind::Snapshot),
            ("x", b"EDAXBOOK\x04", FileKind::OtherBook(Format::Edax)),
            ("x.json", b"{\"format\":\"rosebill-book\"", FileKind::OtherBook(Format::Json)),
            ("x.json", b"{\"moves\":\"f5d6\"}", FileKind::Games),
            ("x.cmp", &[1, 0, 0, 0, 0, 0, 0, 0], FileKind::OtherBook(Format::ZebraCmp)),
            ("x", b"[Event \"x\"]\n\n1. f5 d6 *\n", FileKind::Games),
            ("x.txt", b"\n% depth 3\n", FileKind::Text),
            ("x.csv", b"black,moves\none,f5d6\n", FileKind::Games),
            ("x.csv", b"line,proven_value\nf5d6,0\n", FileKind::Text),
            ("x", &[1, 2, 0, 3], FileKind::Bytes),
            ("x", b"tiger\n", FileKind::Text),
            ("x.txt", b"t\0i\0g\0e\0r\0\n\0", FileKind::Text),
            ("x.txt", b"\x01\0\x02\0\x03\0\x04\0\n\0", FileKind::OtherBook(Format::EdaxText)),
            ("x", b"", FileKind::Text),
        ] {
            assert_eq!(FileKind::of(Path::new(name), head), kind, "{name} {head:?}");
        }
    }
}
