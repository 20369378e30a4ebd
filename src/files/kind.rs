//! What a file is, of all kinds that are read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::books::snapshot::begins_as_snapshot;
use super::books::{Format, book_format, is_our_book};
use super::games::{self, GameFormat, ReadOptions, are_positions, read_positions, text_of};
use crate::othello::board::read_diagram;
use crate::store::{begins_as_database, begins_as_foreign_database, begins_as_tables};

/// How much of a file is looked at.
const HEAD: u64 = 64 << 10;

/// What a file is, as far as its first bytes and its name show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileKind {
    Book,
    /// Another program's SQLite file.
    Database,
    /// A snapshot of a book of ours.
    Snapshot,
    /// A book of another program, or one of ours for others.
    OtherBook(Format),
    Games(GameFormat),
    /// Positions, OBF or boards alone, or a drawn board.
    Positions,
    /// No text, and nothing that is known.
    Bytes,
    /// Any other text, or nothing at all.
    Text,
}

impl FileKind {
    /// Whether it is what cannot be made again: games, a book in any form, another program's database. Tables of
    /// a book can.
    pub(crate) const fn is_games_or_book(self) -> bool {
        match self {
            Self::OtherBook(Format::Tables) | Self::Positions | Self::Bytes | Self::Text => false,
            Self::Book | Self::Database | Self::Snapshot | Self::OtherBook(_) | Self::Games(_) => {
                true
            }
        }
    }

    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        // A pipe can be read only once.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        Ok(Self::of(path, &head))
    }

    /// What a file with this name is that begins with these bytes.
    pub(crate) fn of(path: &Path, head: &[u8]) -> Self {
        if begins_as_tables(head) {
            return Self::OtherBook(Format::Tables);
        }
        if begins_as_database(head) {
            return if begins_as_foreign_database(head) { Self::Database } else { Self::Book };
        }
        if begins_as_snapshot(head) {
            return Self::Snapshot;
        }
        let games = games::read(head, "", &ReadOptions::default());
        let games = games.ok().filter(|_| !head.is_empty());
        // Any text may be moves, and any bytes a database of games, until they are played.
        let games = games.and_then(|mut games| {
            let format = games.format();
            games.any(|game| game.is_ok()).then_some(format)
        });
        if games == Some(GameFormat::Wthor) {
            return Self::Games(GameFormat::Wthor);
        }
        match book_format(path, head) {
            // Both kinds of files have objects on their lines; those of a book say so.
            Some(Format::Json) if !is_our_book(&String::from_utf8_lossy(head)) => {}
            // A table of facts has lines, too, but no games.
            Some(Format::Csv) => return Self::Text,
            // A packed book has no mark.
            Some(Format::ZebraCmp | Format::ZebraCmpZ) if games.is_some() => {}
            Some(format) => return Self::OtherBook(format),
            None => {}
        }
        match (games, text_of(head)) {
            (Some(GameFormat::Transcript) | None, Some(text)) if draws_a_board(&text) => {
                Self::Positions
            }
            (Some(format), _) => Self::Games(format),
            (None, Some(text)) if are_positions(&text) => Self::Positions,
            (None, Some(_)) => Self::Text,
            (None, None) => Self::Bytes,
        }
    }
}

/// Whether a text is a drawn board with something beside it, such as the best line, and does not begin with moves.
fn draws_a_board(text: &str) -> bool {
    let begins_with_moves = || read_positions(text).next().is_some_and(|(_, first)| first.is_ok());
    matches!(read_diagram(text), Some(Ok(_))) && !begins_with_moves()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_is_packed_is_told_by_what_is_inside() {
        for (name, inside, kind) in [
            ("x.pgn.gz", &b"[Event \"x\"]\n\n1. f5 d6 *\n"[..], FileKind::Games(GameFormat::Pgn)),
            ("x.dat.gz", b"EDAXBOOK\x04", FileKind::OtherBook(Format::Edax)),
            ("x.cmp.z", &[1, 0, 0, 0, 0, 0, 0, 0], FileKind::OtherBook(Format::ZebraCmpZ)),
            ("x.gz", b"nothing that is known", FileKind::Bytes),
        ] {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(inside).unwrap();
            let packed = packed.finish().unwrap();
            assert_eq!(FileKind::of(Path::new(name), &packed), kind, "{name}");
        }
    }

    #[test]
    fn files_are_told_by_their_first_bytes() {
        for (name, head, kind) in [
            ("my.db", &b"SQLite format 3\0..."[..], FileKind::Book),
            ("x.db", &[&b"SQLite format 3\0"[..], &[0; 84]].concat(), FileKind::Database),
            (
                "x.sqlite",
                &[&b"SQLite format 3\0"[..], &[0; 52], b"RSBT", &[0; 28]].concat(),
                FileKind::OtherBook(Format::Tables),
            ),
            ("x", b"RSBLSNAP\x03\0\0\0", FileKind::Snapshot),
            ("x", b"EDAXBOOK\x04", FileKind::OtherBook(Format::Edax)),
            ("x.json", b"{\"format\":\"rosebill-book\"", FileKind::OtherBook(Format::Json)),
            ("x.json", b"{\"moves\":\"f5d6\"}", FileKind::Games(GameFormat::Json)),
            ("x.cmp", &[1, 0, 0, 0, 0, 0, 0, 0], FileKind::OtherBook(Format::ZebraCmp)),
            ("x", b"[Event \"x\"]\n\n1. f5 d6 *\n", FileKind::Games(GameFormat::Pgn)),
            ("x.txt", b"\n% depth 3\n", FileKind::Text),
            ("x.csv", b"black,moves\none,f5d6\n", FileKind::Games(GameFormat::Table)),
            ("x.csv", b"line,proven_value\nf5d6,0\n", FileKind::Text),
            ("x", &[1, 2, 0, 3], FileKind::Bytes),
            ("x", b"tiger\n", FileKind::Text),
            (
                "x.obf",
                b"---------------------------OX------XO--------------------------- X; F5:+0; D3:-2;\n",
                FileKind::Positions,
            ),
            (
                "x",
                b"% 40\n% 1 2\n---------------------------OX------XO--------------------------- X\n%\n",
                FileKind::Positions,
            ),
            ("x.txt", b"t\0i\0g\0e\0r\0\n\0", FileKind::Text),
            ("x.txt", b"\x01\0\x02\0\x03\0\x04\0\n\0", FileKind::Bytes),
            ("x.cmp", b"f5d6c3d3c4f4c5b3c2\n", FileKind::Games(GameFormat::Transcript)),
            ("junk.bin", &[0xfa, 1, 2, 0x80, 3, 0, 9, 9, 1], FileKind::Bytes),
            ("junk.gz", &[0xfa, 1, 2, 0x80, 3, 0, 9, 9, 1], FileKind::Bytes),
            ("x", b"", FileKind::Text),
        ] {
            assert_eq!(FileKind::of(Path::new(name), head), kind, "{name} {head:?}");
        }
    }
}
