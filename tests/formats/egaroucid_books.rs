//! Egaroucid's books through ours: what has not changed comes back as it was and where it was, and
//! what we write is what Egaroucid takes.

use std::collections::BTreeMap;
use std::fs;

use rosebill::app::export::{ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::import::{ImportOptions, import};
use rosebill::app::merge;
use rosebill::files::books::Format;
use rosebill::openbook::{NodeSource, Rest, Searched, Source};
use rosebill::othello::board::{Key, Position};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Level, Proof, Selectivity};
use rosebill::store::Book;
use tempfile::TempDir;

use crate::egaroucid_rules::{Fault, faults, fixed, records};
use crate::made::egaroucid as made;
use crate::shared::shared;
use crate::shelf::Shelf;

struct Taken {
    folder: TempDir,
    book: Book,
}

impl Taken {
    fn of(files: &[&[u8]]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        for (number, bytes) in files.iter().enumerate() {
            let path = folder.path().join(format!("{number}.egbk3"));
            fs::write(&path, bytes).unwrap();
            import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
        }
        Self { folder, book }
    }

    fn export(&self) -> (Vec<u8>, ExportReport) {
        self.export_with(&ExportOptions::new(Format::Egaroucid))
    }

    fn export_with(&self, options: &ExportOptions) -> (Vec<u8>, ExportReport) {
        let path = self.folder.path().join("out.egbk3");
        let report = export(self.book.reader(), &ExportTarget::of(&path), options, |_| {}).unwrap();
        (fs::read(path).unwrap(), report)
    }
}

/// The file with each leaf that stands half a turn away put where it belongs: all that may differ.
fn with_sound_leaves(bytes: &[u8]) -> Vec<u8> {
    let mut sound = bytes.to_vec();
    for (index, ((mover, opponent), (.., [_, played, _]))) in records(bytes).into_iter().enumerate()
    {
        let legal = Position { mover, opponent }.legal_moves();
        let is_legal = |played: i8| legal.clone().any(|at| at.number() == played.cast_unsigned());
        if (0..64).contains(&played) && !is_legal(played) {
            assert!(is_legal(63 - played));
            sound[14 + 25 * index + 23] = (63 - played).cast_unsigned();
        }
    }
    sound
}

/// Leaves whose level is another than the record's, as half of a real book has them.
fn made_book() -> Vec<made::Record> {
    let mut records = made::wide().0;
    for (number, record) in records.iter_mut().enumerate() {
        if record.leaf[2] > 0 && number % 3 != 0 {
            record.leaf[2] -= 2;
        }
    }
    // In an order of its own.
    let mut turned = Vec::new();
    for (number, record) in records.into_iter().enumerate() {
        turned.insert((number * 7919) % (turned.len() + 1), record);
    }
    turned
}

#[test]
fn an_unchanged_book_comes_back_byte_for_byte() {
    let bytes = made::file(&made_book());
    let (written, report) = Taken::of(&[&bytes]).export();
    assert!(written == with_sound_leaves(&bytes));
    assert_ne!(written, bytes, "some leaves are half a turn away");
    let positions = records(&bytes).len() as u64 - 1;
    assert_eq!([report.positions, report.unchanged, report.finished], [positions, positions, 1]);
    assert_eq!(report.unreached, 0);
    // And again: what we wrote is a book of its own.
    let (again, _) = Taken::of(&[&written]).export();
    assert!(again == written);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_unchanged_books_come_back_byte_for_byte() {
    for name in ["egaroucid-sample.egbk3", "egaroucid-empty.egbk3"] {
        let bytes = fs::read(shared(name)).unwrap();
        let (written, _) = Taken::of(&[&bytes]).export();
        assert!(written == with_sound_leaves(&bytes), "{name}");
        let leaves = bytes.iter().zip(&written).filter(|(one, other)| one != other).count();
        assert_eq!(leaves, if name.contains("sample") { 102 } else { 0 }, "{name}");
    }
}

/// The file stays with the book through a merge and a snapshot's contents.
#[test]
fn a_merged_book_comes_back_byte_for_byte_too() {
    let bytes = made::file(&made_book());
    let from = Taken::of(&[&bytes]);
    let mut into = Taken::of(&[]);
    merge(&mut into.book, from.book.reader()).unwrap();
    into.book.commit().unwrap();
    assert!(into.export().0 == with_sound_leaves(&bytes));
}

/// A search of ours below: values and lines above it are new, all levels and leaves else what they
/// were, and what is elsewhere stands as it stood.
#[test]
fn a_change_is_written_and_nothing_else_is() {
    let bytes = made::file(&made_book());
    let mut taken = Taken::of(&[&bytes]);
    let before: BTreeMap<_, _> = records(&with_sound_leaves(&bytes)).into_iter().collect();
    // A position after a leaf of the book becomes one of its own. It is searched deep enough to count.
    let (&board, _) = before
        .iter()
        .find(|((mover, opponent), (.., [_, played, _]))| {
            let position = Position { mover: *mover, opponent: *opponent };
            (20..40).contains(&position.empties()) && (0..64).contains(played)
        })
        .unwrap();
    let position = Position { mover: board.0, opponent: board.1 };
    let played = before[&board].3[1].cast_unsigned();
    let square = rosebill::othello::board::Square::try_new(played).unwrap();
    let next = position.after(square).unwrap().position().unwrap();
    let source = taken.book.source_id(&Source { engine: "test".into(), ..Source::default() });
    let searched = Searched { depth: 30, selectivity: Selectivity::FULL, source: source.unwrap() };
    let key = Key::of(next);
    let rest = Rest {
        square: key.position().legal_moves().next(),
        score: Score::from_discs(-40),
        proof: Proof::None,
    };
    taken.book.insert(key, Some(rest), searched).unwrap();
    taken.book.commit().unwrap();
    let (written, report) = taken.export();
    assert_eq!(faults(&written).into_keys().filter(|&fault| fault != Fault::Lines).count(), 0);
    let after: BTreeMap<_, _> = records(&written).into_iter().collect();
    assert_eq!(after.len(), before.len() + 1);
    let changed: Vec<_> =
        before.iter().filter(|(board, record)| after[board] != **record).collect();
    let total = before.len() as u64 - 1;
    assert!(!changed.is_empty() && (changed.len() as u64) < total / 2, "{}", changed.len());
    assert!((total - 60..total).contains(&report.unchanged));
    // The positions on the way up only, each with the level and the leaf that it had.
    for (other, &(_, level, _, leaf)) in changed {
        let (_, now_level, _, now_leaf) = after[other];
        assert!(64 - (other.0 | other.1).count_ones() >= position.empties().into());
        if *other != board {
            assert_eq!((now_level, now_leaf), (level, leaf), "{other:x?}");
        }
    }
    // The order is the file's; what is new stands before it.
    let order = |bytes: &[u8]| records(bytes).into_iter().map(|(board, _)| board);
    let kept: Vec<_> = order(&written).filter(|board| before.contains_key(board)).collect();
    assert_eq!(kept, order(&bytes).collect::<Vec<_>>());
}

#[test]
fn a_level_for_all_and_a_part_are_what_was_asked_for() {
    let bytes = made::file(&made_book());
    let taken = Taken::of(&[&bytes]);
    let options = ExportOptions { level: Level::new(12), ..ExportOptions::new(Format::Egaroucid) };
    let (written, report) = taken.export_with(&options);
    assert_eq!(report.unchanged, 0);
    assert!(records(&written).iter().all(|(_, (_, level, ..))| [12, 60].contains(level)));
    let mut options = ExportOptions::new(Format::Egaroucid);
    options.filter.max_discs = Some(20);
    let (written, report) = taken.export_with(&options);
    assert_eq!(faults(&written).into_keys().filter(|&fault| fault != Fault::Lines).count(), 0);
    assert_eq!((report.finished, report.unreached), (0, 1));
    let few = records(&written);
    assert!(few.iter().all(|((mover, opponent), _)| (mover | opponent).count_ones() <= 20));
    // A record whose moves are all still there stands as it stood, one that lost some does not.
    assert!(report.unchanged > 0 && report.unchanged < few.len() as u64);
    let node = taken.book.node(&Key::of(Position::START)).unwrap();
    assert!(node.is_some());
}

/// Books written for Egaroucid, checked.
fn table(books: Vec<(&'static str, Shelf)>) {
    let mut all = Vec::new();
    for (name, shelf) in books {
        let (bytes, report) = shelf.written("out.egbk3", Format::Egaroucid);
        let found = faults(&bytes);
        println!("{name} for Egaroucid: {} records, {found:?}", records(&bytes).len());
        // What its "fix" makes of the values is what the report says that it does.
        let changes = [false, true].map(|leaves| fixed(&bytes, leaves));
        println!("  its fix changes {changes:?}, of {} added", report.added);
        assert_eq!(changes[0] as u64, report.fix_changes, "{name}");
        // What is made up at random has scores that no search gives.
        assert!(changes[0] == 0 || !["starter", "own"].contains(&name), "{name}");
        // An unchanged book keeps the lines that Egaroucid gave it, right or not.
        let is_its_own = name.starts_with("egaroucid");
        let found = found.into_iter().filter(|(fault, _)| *fault != Fault::Lines || !is_its_own);
        all.extend(found.map(|(fault, (_, count))| (name, fault, count)));
    }
    assert_eq!(all, []);
}

#[test]
fn egaroucid_takes_all_of_our_books() {
    table(Shelf::of_ours());
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn egaroucid_takes_all_of_other_programs_books() {
    table(Shelf::of_others_for_records());
}
