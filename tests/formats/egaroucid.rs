//! Egaroucid books: byte for byte, its known facts, and through the store.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use proptest::prelude::*;
use rosebill::app::export::{ExportOptions, ExportTarget, export};
use rosebill::app::import::{ImportOptions, ImportReport, import};
use rosebill::files::books::egaroucid::{
    EgaroucidLeaf, EgaroucidReader, EgaroucidRecord, EgaroucidWriter,
};
use rosebill::files::books::{DefectKind, Format, ReadOptions, RecordReader};
use rosebill::openbook::NodeSource;
use rosebill::othello::board::{Key, Position};
use rosebill::store::Book;

use crate::made::egaroucid as made;
use crate::shared::shared;

const STRICT: ReadOptions = ReadOptions { lenient: false };

fn read(bytes: &[u8]) -> Vec<EgaroucidRecord> {
    let reader = match bytes.starts_with(b"DICUORAGE") {
        true => EgaroucidReader::new(bytes, "test.egbk3", STRICT),
        false => EgaroucidReader::oldest(bytes, "test.egbk", STRICT),
    };
    let mut reader = reader.unwrap();
    let mut records = Vec::new();
    while let Some((_, record)) = reader.next_raw().unwrap() {
        records.push(record);
    }
    records
}

fn written(records: &[EgaroucidRecord]) -> Vec<u8> {
    let mut writer = EgaroucidWriter::new(Cursor::new(Vec::new())).unwrap();
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn imported(folder: &Path, name: &str, file: &Path) -> (Book, ImportReport) {
    let mut book = Book::create(folder.join(name)).unwrap();
    let report = import(&mut book, &[file.to_owned()], &ImportOptions::default(), |_| {}).unwrap();
    (book, report)
}

#[test]
fn books_come_back_byte_for_byte() {
    for bytes in [made::file(&[]), made::file(&made::wide().0)] {
        assert!(written(&read(&bytes)) == bytes);
    }
}

/// Every field stands where it belongs.
#[test]
fn every_field_of_a_record_is_read() {
    let made = made::wide().0;
    let read = read(&made::file(&made));
    assert_eq!(read.len(), made.len());
    for (found, made) in read.iter().zip(&made) {
        assert_eq!([found.position.mover, found.position.opponent], made.words);
        assert_eq!((found.value, found.level, found.lines), (made.value, made.level, made.lines));
        let EgaroucidLeaf { value, played, level } = found.leaf;
        assert_eq!([value, played, level], made.leaf);
    }
}

/// The start as older versions of the program ship it: 41 and 21 bytes.
#[test]
fn older_layouts_are_read() {
    let [two, one] = [made::start_of_version_2(), made::start_of_version_1()];
    assert_eq!((two.len(), one.len()), (41, 21));
    for bytes in [two, one] {
        let records = read(&bytes);
        assert_eq!((records.len(), records[0].value), (1, 0));
        assert_eq!(records[0].position, Position::START);
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_come_back_byte_for_byte() {
    for name in ["egaroucid-sample.egbk3", "egaroucid-empty.egbk3"] {
        let bytes = fs::read(shared(name)).unwrap();
        assert_eq!(written(&read(&bytes)), bytes, "{name}");
    }
    assert_eq!(fs::read(shared("egaroucid-start.egbk2")).unwrap(), made::start_of_version_2());
    assert_eq!(fs::read(shared("egaroucid-start.egbk")).unwrap(), made::start_of_version_1());
}

/// No leaf that is illegal comes out of the reader: half a turn away it is sought again.
#[test]
fn leaves_half_a_turn_away_are_turned_back() {
    let (records, turned) = made::wide();
    assert!(turned > 10, "{turned}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.egbk3");
    fs::write(&path, made::file(&records)).unwrap();
    let (_, report) = imported(folder.path(), "book.db", &path);
    let defects = &report.files[0].defects;
    assert_eq!(defects.count(DefectKind::TurnedLeaf), turned as u64);
    assert_eq!(defects.count(DefectKind::NotCanonical), 0);
    assert_eq!(defects.count(DefectKind::FinishedGame), 1);
    assert_eq!(report.files[0].new, records.len() as u64 - 1);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_sample_has_its_known_facts() {
    let [path, facts] =
        ["egbk3", "expected.json"].map(|ending| shared(&format!("egaroucid-sample.{ending}")));
    let facts: serde_json::Value = serde_json::from_slice(&fs::read(facts).unwrap()).unwrap();
    let bytes = fs::read(&path).unwrap();
    let records = read(&bytes);
    assert_eq!(facts["records"], records.len());
    let count = |of: &dyn Fn(&EgaroucidRecord) -> String| {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for record in &records {
            *counts.entry(of(record)).or_default() += 1;
        }
        serde_json::to_value(counts).unwrap()
    };
    assert_eq!(facts["by_ply"], count(&|record| (60 - record.position.empties()).to_string()));
    assert_eq!(facts["by_level"], count(&|record| record.level.to_string()));
    assert_eq!(facts["by_leaf_level"], count(&|record| record.leaf.level.to_string()));
    assert_eq!(facts["by_value"], count(&|record| record.value.to_string()));
    let sum: i64 = records.iter().map(|record| i64::from(record.value)).sum();
    assert_eq!(facts["sum_value"], sum);

    // No leaf that is illegal comes out of the reader.
    let folder = tempfile::tempdir().unwrap();
    let (book, report) = imported(folder.path(), "book.db", &path);
    let defects = &report.files[0].defects;
    assert_eq!(defects.count(DefectKind::TurnedLeaf), 102);
    assert_eq!(defects.count(DefectKind::NotCanonical), 0);
    assert_eq!(defects.count(DefectKind::WipeOut), 1);
    assert_eq!(report.files[0].new, 1704);
    drop(book);
}

#[test]
fn a_book_comes_back_from_the_store_with_the_same_facts() {
    let records = made::wide().0;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.egbk3");
    fs::write(&path, made::file(&records)).unwrap();
    assert_comes_back_from_the_store(&path, records.len() as u64 - 1);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_book_comes_back_from_the_store_with_the_same_facts() {
    assert_comes_back_from_the_store(&shared("egaroucid-sample.egbk3"), 1704);
}

fn assert_comes_back_from_the_store(path: &Path, positions: u64) {
    let folder = tempfile::tempdir().unwrap();
    let (book, _) = imported(folder.path(), "one.db", path);
    let target = ExportTarget::of(&folder.path().join("out.egbk3"));
    let options = ExportOptions::new(Format::Egaroucid);
    let report = export(book.reader(), &target, &options, |_| {}).unwrap();
    assert_eq!(report.positions, positions);
    let ExportTarget::File(out) = &target else { return };
    let before: BTreeMap<_, _> = by_board(&read(&fs::read(path).unwrap()));
    let after: BTreeMap<_, _> = by_board(&read(&fs::read(out).unwrap()));
    // Every position with somebody to move, and its level.
    for (board, record) in &before {
        if record.position.can_move() {
            assert_eq!(after[board].level, record.level, "{record:?}");
        }
    }
    // What was written is read as the same book again.
    let (again, _) = imported(folder.path(), "two.db", out);
    for record in after.values().filter(|record| record.position.can_move()) {
        let key = Key::of(record.position);
        let (one, two) = (book.node(&key).unwrap().unwrap(), again.node(&key).unwrap().unwrap());
        assert_eq!((one.values, one.links), (two.values, two.links), "{record:?}");
    }
}

fn by_board(records: &[EgaroucidRecord]) -> BTreeMap<(u64, u64), EgaroucidRecord> {
    records
        .iter()
        .map(|record| ((record.position.mover, record.position.opponent), *record))
        .collect()
}

proptest! {
    #[test]
    fn mutated_books_never_panic(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        cut in any::<usize>(),
    ) {
        let start = EgaroucidRecord {
            position: Position::START,
            value: 0,
            level: 21,
            lines: 1,
            leaf: EgaroucidLeaf { value: 0, played: 19, level: 21 },
        };
        let mut bytes = written(&[start, start]);
        for &(at, value) in &changes {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        let length = bytes.len();
        for bytes in [&bytes[..], &bytes[..cut % length]] {
            for lenient in [false, true] {
                let options = ReadOptions { lenient };
                let with_mark = EgaroucidReader::new(bytes, "x.egbk3", options);
                let without = EgaroucidReader::oldest(bytes, "x.egbk", options);
                for mut reader in with_mark.into_iter().chain(without) {
                    while let Ok(Some(_)) = reader.next_entry("x", options) {}
                }
            }
        }
    }
}

/// What a person typed counts for something, and what has no level for nothing unless one is given.
#[test]
fn levels_that_no_search_has_are_plies_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let level = |file: &str, bytes: &[u8], level: Option<u8>| {
        let path = folder.path().join(file);
        fs::write(&path, bytes).unwrap();
        let mut book = Book::create(folder.path().join(format!("{level:?}{file}.db"))).unwrap();
        let level = level.and_then(rosebill::othello::search::Level::new);
        let options = ImportOptions { level, ..ImportOptions::default() };
        let report = import(&mut book, &[path], &options, |_| {})?;
        let start = book.node(&Key::of(Position::START)).unwrap().unwrap();
        let told = report.files[0].defects.count(DefectKind::NoLevel);
        Ok::<_, rosebill::app::import::ImportError>((
            (start.searched.depth, start.searched.selectivity.percent()),
            told,
        ))
    };
    assert_eq!(level("a.egbk2", &made::start_of_version_2(), None).unwrap(), ((9, 100), 0));
    let old = made::start_of_version_1();
    assert_eq!(level("a.egbk", &old, None).unwrap(), ((0, 100), 1));
    assert_eq!(level("a.egbk", &old, Some(15)).unwrap(), ((15, 73), 0));
    let error = level("b.egbk2", &made::start_of_version_2(), Some(15)).unwrap_err().to_string();
    assert!(error.contains("b.egbk2: its records say how they were searched"), "{error}");
}
