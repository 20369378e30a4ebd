//! Edax books: files byte for byte, damaged ones, and mutated bytes.

use std::collections::HashMap;
use std::fs;

use proptest::prelude::*;
use rosebill::files::books::edax::{
    EdaxChild, EdaxHeader, EdaxLink, EdaxMove, EdaxReader, EdaxRecord, EdaxTextReader, EdaxWriter,
    Errors, negamax, text_line,
};
use rosebill::files::books::{DefectKind, Defects, FormatError, ReadOptions, RecordReader, open};
use rosebill::othello::board::{Key, Position, Square};
use rosebill::othello::search::Level;

use crate::made::edax as made;
use crate::odd::{ODD, odd};
use crate::shared::shared;

const STRICT: ReadOptions = ReadOptions { lenient: false };
const LENIENT: ReadOptions = ReadOptions { lenient: true };

fn read_raw(bytes: &[u8]) -> Result<(EdaxHeader, Vec<EdaxRecord>), FormatError> {
    let mut reader = EdaxReader::new(bytes, "test.dat", STRICT)?;
    let mut records = Vec::new();
    while let Some((_, record)) = reader.next_raw()? {
        records.push(record);
    }
    Ok((*reader.header(), records))
}

fn written(header: &EdaxHeader, records: &[EdaxRecord]) -> Vec<u8> {
    let mut writer = EdaxWriter::new(Vec::new(), header).unwrap();
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap()
}

/// Number of entries, what was noted, and the error that ended the reading.
fn read_entries(bytes: &[u8], options: ReadOptions) -> (usize, Defects, Option<String>) {
    let mut reader = match EdaxReader::new(bytes, "test.dat", options) {
        Ok(reader) => reader,
        Err(error) => return (0, Defects::default(), Some(error.to_string())),
    };
    let mut count = 0;
    let error = loop {
        match reader.next_entry("test.dat", options) {
            Ok(Some(_)) => count += 1,
            Ok(None) => break None,
            Err(error) => break Some(error.to_string()),
        }
    };
    (count, reader.defects().clone(), error)
}

/// Books made by hand, with the number of their records.
fn made_books() -> [(&'static str, Vec<u8>, usize); 4] {
    let [line, wide] = [made::line(), made::wide()];
    [
        ("tiny", made::tiny(), 2),
        ("fresh", made::fresh(), 1),
        ("line", made::file(1, &line), line.len()),
        ("wide", made::file(21, &wide), wide.len()),
    ]
}

fn assert_comes_back(name: &str, bytes: &[u8]) {
    let (header, records) = read_raw(bytes).unwrap();
    assert_eq!(header.count as usize, records.len(), "{name}");
    assert_eq!(written(&header, &records), bytes, "{name}");
    let (count, defects, error) = read_entries(bytes, STRICT);
    assert_eq!((count, error), (records.len(), None), "{name}");
    assert!(defects.is_empty(), "{name}: {defects:?}");
}

#[test]
fn books_come_back_byte_for_byte() {
    for (name, bytes, count) in made_books() {
        assert_comes_back(name, &bytes);
        assert_eq!(read_raw(&bytes).unwrap().1.len(), count, "{name}");
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_come_back_byte_for_byte() {
    for name in ["tiny2", "fresh1", "line38", "ray95", "ray1941", "ray1941-unlinked"] {
        assert_comes_back(name, &fs::read(shared(&format!("edax-{name}.dat"))).unwrap());
    }
}

/// The text of a book is that text, and is read as its records again.
fn assert_text(book: &[u8], text: &str) {
    let (_, records) = read_raw(book).unwrap();
    let ours: String = records.iter().map(|record| text_line(record) + "\n").collect();
    assert_eq!(ours, text);
    let mut reader = EdaxTextReader::new(text.as_bytes(), "test.txt", STRICT);
    let mut count = 0;
    while reader.next_entry("test.txt", STRICT).unwrap().is_some() {
        count += 1;
    }
    assert_eq!(count, records.len());
}

#[test]
fn a_portable_text_is_as_edax_writes_it() {
    let wide = made::wide();
    assert_text(&made::file(21, &wide), &made::text(&wide));
    // These two lines are known of Edax itself.
    let known = "---------------------------OX------XO--------------------------- X,21,--,-127\n\
                 ---------------------------XO------OOO-------------------------- X,21,F4,1\n";
    assert_text(&made::tiny(), known);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_texts_are_as_edax_writes_them() {
    for name in ["line38", "ray1941"] {
        let text = fs::read_to_string(shared(&format!("edax-{name}.txt"))).unwrap();
        assert_text(&fs::read(shared(&format!("edax-{name}.dat"))).unwrap(), &text);
    }
}

/// Every value, bound and counter follows from leaves and links.
fn assert_settled(name: &str, book: &[u8]) {
    let (header, mut records) = read_raw(book).unwrap();
    let errors = Errors::from(&header);
    // Deepest first; a pass after the position that it leads to.
    records.sort_by_key(|record| (record.position.empties(), !record.position.can_move()));
    let mut done: HashMap<Position, EdaxChild> = HashMap::new();
    for record in &records {
        let children: Vec<_> = record
            .links
            .iter()
            .map(|link| {
                let next = match link.played {
                    EdaxMove::Square(square) => record.position.play(square).unwrap(),
                    EdaxMove::Pass => record.position.passed(),
                    EdaxMove::None => panic!("a link without move"),
                };
                (link.played, done[&Key::of(next).position()])
            })
            .collect();
        let level = Level::new(record.level).unwrap();
        let mut ours = negamax(record.position, level, record.leaf, &children, errors);
        let mut theirs = record.clone();
        ours.links.sort_by_key(|link| link.played);
        theirs.links.sort_by_key(|link| link.played);
        assert_eq!(ours, theirs, "{name}");
        done.insert(record.position, EdaxChild::from(&ours));
    }
}

#[test]
fn negamax_finds_nothing_to_change_in_settled_books() {
    for (name, bytes, _) in made_books() {
        // The start of a new book is not settled yet.
        if name != "fresh" {
            assert_settled(name, &bytes);
        }
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_are_settled() {
    for name in ["tiny2", "line38", "ray95", "ray1941"] {
        assert_settled(name, &fs::read(shared(&format!("edax-{name}.dat"))).unwrap());
    }
}

/// What comes out of an odd file: records read strictly, and a part of the refusal or what is noted.
fn assert_read_as_expected(name: &str, bytes: &[u8], truncated: &str) {
    use DefectKind as D;
    type Expected = (usize, Result<&'static [(D, u64)], &'static str>);
    let (records, expected): Expected = match name {
        "00-good" | "17-leaf-missing" | "18-stale-values" | "20-mixed-levels" => (38, Ok(&[])),
        "01-version3" => (0, Err("byte 8: found book version 3, expected version 4")),
        "02-truncated" => (37, Err("found the end of the file")),
        "03-dangling-link" | "22-no-root" => (37, Ok(&[])),
        "04-noncanonical" => (38, Ok(&[(D::NotCanonical, 1)])),
        "05-duplicate" | "19-missing-link" => (39, Ok(&[])),
        "06-count-too-big" | "07-count-zero" | "21-count-2147483647" | "25-negative-count" => {
            (38, Ok(&[(D::CountDiffers, 1)]))
        }
        "08-illegal-link" => (0, Err("illegal link d4")),
        "09-illegal-leaf" => (0, Err("illegal leaf e4")),
        "10-overlap" => (0, Err("discs of both colors on")),
        "11-trailing-junk" => (38, Ok(&[(D::TrailingBytes, 1)])),
        "12-swapped-magic" => (0, Err("byte 0: found 'EDAXBOOK', expected 'XADEKOOB'")),
        "13-empty" => (0, Err("byte 0: found an empty file, expected an Edax header")),
        "14-header-only" => (0, Ok(&[])),
        "15-links-past-end" => (0, Err("byte 80: found 255 links of a board with")),
        "16-leaf-is-a-link" => (38, Ok(&[(D::LeafIsLink, 1)])),
        "23-level-77" => (0, Err("found level 77, expected 0..=60")),
        "24-duplicate-link" => (38, Ok(&[(D::DuplicateLink, 1)])),
        _ => panic!("nothing is expected of {name}"),
    };
    let (count, defects, error) = read_entries(bytes, STRICT);
    match expected {
        Ok(noted) => {
            assert_eq!(error, None, "{name}");
            assert_eq!(count, records, "{name}");
            assert_eq!(defects.counts().collect::<Vec<_>>(), noted, "{name}");
        }
        Err(part) => {
            let error = error.unwrap_or_else(|| panic!("{name} was not refused"));
            assert!(error.contains(part), "{name}: {error}");
            assert!(!error.contains('\n'), "{name}: {error}");
            assert!(name != "02-truncated" || error.contains(truncated), "{name}: {error}");
        }
    }
    // The name leads to the same reader, whatever the content.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.dat");
    fs::write(&path, bytes).unwrap();
    let opened = open(&path, None, STRICT).map(|book| book.format.name());
    assert!(opened.is_err() || opened.is_ok_and(|name| name == "edax"), "{name}");
}

/// A lenient reader passes over bad records, and over a bad move alone where its record is sound.
fn assert_read_leniently(name: &str, bytes: &[u8]) {
    let (kind, sound) = match name {
        "02-truncated" => (DefectKind::Truncated, 37),
        "08-illegal-link" | "09-illegal-leaf" => (DefectKind::BadMove, 38),
        "10-overlap" | "23-level-77" => (DefectKind::BadRecord, 37),
        _ => return,
    };
    let (count, defects, error) = read_entries(bytes, LENIENT);
    assert_eq!((count, error), (sound, None), "{name}");
    assert_eq!(defects.count(kind), 1, "{name}: {defects:?}");
}

#[test]
fn damaged_books_are_refused_with_one_clear_line_or_repaired_with_a_note() {
    for name in ODD {
        let bytes = odd(name);
        // 42 bytes of header, 37 records of 42 and their 40 links; 17 of the last 42 are cut off.
        let truncated = "byte 1676: found the end of the file 25 bytes into record 38";
        assert_read_as_expected(name, &bytes, truncated);
        assert_read_leniently(name, &bytes);
    }
}

/// Where a record has no end that can be known, those before it are sound.
#[test]
fn leniently_what_stands_before_an_impossible_count_is_kept() {
    let mut bytes = odd("00-good");
    let mut reader = EdaxReader::new(&bytes[..], "test.dat", STRICT).unwrap();
    let third = std::iter::from_fn(|| reader.next_raw().unwrap()).nth(2).unwrap().0 as usize;
    bytes[third + 38] = 255;
    let (_, _, error) = read_entries(&bytes, STRICT);
    let error = error.unwrap();
    assert!(error.contains(&format!("byte {}: found 255 links", third + 38)), "{error}");
    let (count, defects, error) = read_entries(&bytes, LENIENT);
    assert_eq!((count, error), (2, None));
    let noted: Vec<_> = defects.counts().collect();
    assert_eq!(noted, [(DefectKind::CountDiffers, 1), (DefectKind::BadRecord, 1)]);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_damaged_books_are_refused_or_repaired() {
    for name in ODD {
        let bytes = fs::read(shared(&format!("edax-odd/{name}.dat"))).unwrap();
        let truncated = "byte 1676: found the end of the file 27 bytes into record 38";
        assert_read_as_expected(name, &bytes, truncated);
        assert_read_leniently(name, &bytes);
    }
}

/// The start position with a link for each first move, and the position after one.
fn small_book() -> Vec<u8> {
    let header = EdaxHeader {
        release: 4,
        saved: (2026, 1, 2, 3, 4, 5),
        level: 21,
        empties: 24,
        midgame_error: 2,
        endcut_error: 1,
        verbosity: 0,
        count: 2,
    };
    let level = Level::new(21).unwrap();
    let square = |name: &str| EdaxMove::Square(name.parse::<Square>().unwrap());
    let leaf = EdaxLink { score: 1, played: square("f4") };
    let below = Key::of(Position::START.play("f5".parse().unwrap()).unwrap()).position();
    let child = negamax(below, level, leaf, &[], Errors::default());
    let moves = ["d3", "c4", "f5", "e6"].map(|name| (square(name), EdaxChild::from(&child)));
    let start = negamax(Position::START, level, EdaxRecord::NO_LEAF, &moves, Errors::default());
    written(&header, &[start, child])
}

#[test]
fn an_own_book_equals_the_one_made_by_hand() {
    // The order of links with equal scores is free: the file lists d3 c4 f5 e6.
    let (header, mut records) = read_raw(&made::tiny()).unwrap();
    for record in &mut records {
        record.links.sort_by_key(|link| link.played);
    }
    assert_eq!(written(&header, &records), small_book());
}

/// Reads everything in every way; what comes out does not matter, only that it ends.
fn survive(bytes: &[u8]) {
    for options in [STRICT, LENIENT] {
        let _ = read_entries(bytes, options);
        let mut reader = EdaxTextReader::new(bytes, "test.txt", options);
        while let Ok(Some(_)) = reader.next_entry("test.txt", options) {}
    }
}

fn mutate(mut bytes: Vec<u8>, changes: &[(usize, u8)], cut: usize) -> Vec<u8> {
    for &(at, value) in changes {
        let length = bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(at % length) {
            *byte = value;
        }
    }
    let length = bytes.len();
    bytes.truncate(length - cut % (length + 1));
    bytes
}

proptest! {
    #[test]
    fn mutated_books_never_panic(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..8),
        cut in any::<usize>(),
    ) {
        survive(&mutate(small_book(), &changes, cut));
        survive(&mutate(small_book(), &changes, 0));
        let line = made::line();
        survive(&mutate(made::file(1, &line), &changes, 0));
        survive(&mutate(made::text(&line).into_bytes(), &changes, 0));
    }

    #[test]
    fn any_record_comes_back(
        words: (u64, u64),
        counters: (u32, u32, u32, u32),
        scores: (i16, i16, i16),
        level: u8,
        leaf: (i8, u8),
    ) {
        let header = read_raw(&small_book()).unwrap().0;
        let record = EdaxRecord {
            position: Position { mover: words.0, opponent: words.1 },
            wins: counters.0,
            draws: counters.1,
            losses: counters.2,
            lines: counters.3,
            value: scores.0,
            lower: scores.1,
            upper: scores.2,
            level,
            links: Vec::new(),
            leaf: EdaxLink {
                score: leaf.0,
                played: EdaxMove::from_number(leaf.1 % 66).unwrap(),
            },
        };
        let header = EdaxHeader { count: 1, ..header };
        let (_, back) = read_raw(&written(&header, std::slice::from_ref(&record))).unwrap();
        prop_assert_eq!(back, vec![record]);
    }
}
