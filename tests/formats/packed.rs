//! Books and tables that come packed, or in UTF-16.

use std::path::Path;

use rosebill::files::books::{
    BookInput, Defects, Format, FormatError, ReadOptions, book_format, read_facts,
};
use rosebill::files::games;
use rosebill::othello::board::{Key, Line};

use crate::made::{edax, gzip, ntest};

const OPTIONS: ReadOptions = ReadOptions { lenient: false };

/// An `.egbk` of three positions. With less it could be an NTest book by its first bytes.
fn old_egaroucid() -> Vec<u8> {
    let mut bytes = vec![3, 0, 0, 0];
    for line in ["", "f5", "f5d6"] {
        let board = Key::of(line.parse::<Line>().unwrap().board().position).position();
        bytes.extend(board.mover.to_le_bytes());
        bytes.extend(board.opponent.to_le_bytes());
        bytes.push(64);
    }
    bytes
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// The format of a file, and how many records or facts it has.
fn read(name: &str, bytes: &[u8]) -> Result<(Format, usize), FormatError> {
    read_as(name, bytes, None)
}

/// The same, where the format is named.
fn read_as(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
) -> Result<(Format, usize), FormatError> {
    let input = BookInput::new(bytes, Path::new(name), format)?;
    let format = input.format();
    let mut count = 0;
    if format == Format::Csv {
        input.facts(OPTIONS, &mut Defects::default(), |_| {
            count += 1;
            Ok::<_, FormatError>(())
        })?;
        return Ok((format, count));
    }
    let mut book = input.records(OPTIONS)?;
    while book.reader.next_entry(name, OPTIONS)?.is_some() {
        count += 1;
    }
    Ok((format, count))
}

#[test]
fn whatever_can_be_read_may_be_packed() {
    let facts = b"line,proven_value\n\"\",0\nf5d6,0\n";
    for (name, bytes, format, records) in [
        ("a.dat", edax::file(1, &edax::line()), Format::Edax, 38),
        ("a.txt", edax::text(&edax::line()).into_bytes(), Format::EdaxText, 37),
        ("a.book", ntest::forest(&ntest::tiny()), Format::Ntest, 6),
        ("a.EGBK", old_egaroucid(), Format::Egaroucid, 3),
        ("a.csv", facts.to_vec(), Format::Csv, 2),
    ] {
        let plain = read(name, &bytes).unwrap();
        assert_eq!((plain.0, plain.1 >= records), (format, true), "{name}: {}", plain.1);
        for (ending, packed) in [("gz", gzip(&bytes)), ("zst", zstd(&bytes))] {
            let name = format!("{name}.{ending}");
            assert_eq!(read(&name, &packed).unwrap(), plain, "{name}");
            assert_eq!(book_format(Path::new(&name), &packed), Some(format), "{name}");
            assert_eq!(read_as(&name, &packed, Some(format)).unwrap(), plain, "{name}");
        }
    }
}

/// What filled the blocks of a medium costs neither a book nor a game.
#[test]
fn zeros_behind_packed_data_say_nothing() {
    let facts = b"line,proven_value\n\"\",0\nf5d6,0\n";
    for zeros in [1, 512, 100_000] {
        for pack in [gzip, zstd] {
            let padded = |bytes| [pack(bytes), vec![0; zeros]].concat();
            assert_eq!(read("a.csv.gz", &padded(facts)).unwrap(), (Format::Csv, 2));
            let twice = [padded(b"f5d6c3d3c4f4\n"), padded(b"f5f6e6f4\n")].concat();
            let reader = games::read(&twice[..], "x.gz", &games::ReadOptions::default()).unwrap();
            let games: Vec<_> = reader.collect();
            assert!(games.len() == 2 && games.iter().all(Result::is_ok), "{games:?}");
            let longer = [&twice[..], b"x"].concat();
            let reader = games::read(&longer[..], "x.gz", &games::ReadOptions::default()).unwrap();
            let (games, faults): (Vec<_>, Vec<_>) = reader.partition(Result::is_ok);
            let told = faults[0].as_ref().unwrap_err().to_string();
            let place = format!("x.gz, byte {}: found bytes after the end", twice.len());
            assert!(games.len() == 2 && told.starts_with(&place), "{told}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_packed_file_is_told_under_its_name() {
    let book = zstd(&edax::file(1, &edax::line()));
    for (name, bytes, told) in [
        ("a.dat.zst", &book[..book.len() - 3], "the end of the file inside the compressed data"),
        ("a.zst", &zstd(&[7; 100]), "neither content nor ending fits"),
        ("a.dat.bz2", b"BZh91AY&SY..", "the end of the file inside the compressed data"),
        ("a.dat.xz", b"\xfd7zXZ\0..", "packed by xz: unpack it, and name the file"),
    ] {
        let error = read(name, bytes).unwrap_err().to_string();
        assert!(error.starts_with(name) && error.contains(told), "{error}");
    }
}

#[test]
fn text_may_be_utf_16() {
    let facts = "\u{feff}line,proven_value,note\r\n\"\",0,Forêt\r\nf5d6,0,村上\r\n";
    let little: Vec<u8> = facts.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = facts.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let edax: Vec<u8> =
        edax::text(&edax::line()).encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [&little[..], &big, &little[2..], &gzip(&little), &zstd(&big)] {
        for name in ["facts.csv", "facts"] {
            assert_eq!(read(name, bytes).unwrap(), (Format::Csv, 2), "{name}");
        }
    }
    assert_eq!(read("x", &edax).unwrap().0, Format::EdaxText);
}

/// A byte that is no text costs its line, and no other.
#[test]
fn leniently_letters_of_other_encodings_cost_their_line() {
    let line = edax::text(&edax::line());
    let second = line.lines().next().unwrap().len() + 1;
    let mut bytes = line.clone().into_bytes();
    bytes[second] = 0xe9;
    let count = |options| {
        let mut book = BookInput::new(&bytes[..], Path::new("a.txt"), None)?.records(options)?;
        let mut count = 0;
        while book.reader.next_entry("a.txt", options)?.is_some() {
            count += 1;
        }
        Ok::<_, FormatError>(count)
    };
    let error = count(OPTIONS).unwrap_err().to_string();
    assert!(error.starts_with("a.txt, line 2: found byte e9 behind 0 others"), "{error}");
    assert_eq!(count(ReadOptions { lenient: true }).unwrap(), line.lines().count() - 1);
    // Of a table the letters are known.
    let mut facts = 0;
    let table = &b"line,exact,by\nf5,0,For\xeat\n"[..];
    read_facts(table, "a.csv", OPTIONS, &mut Defects::default(), |_| {
        facts += 1;
        Ok::<_, FormatError>(())
    })
    .unwrap();
    assert_eq!(facts, 1);
}
