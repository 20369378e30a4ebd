//! Our own books through the files of other programs and back into themselves: nothing moves, and every search
//! stays whose it is.

use std::collections::BTreeMap;
use std::fs;

use rosebill::app::Completion;
use rosebill::app::export::{ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::import::{FileReport, ImportOptions, import};
use rosebill::files::books::Format;
use rosebill::openbook::Source;
use rosebill::othello::board::Key;
use rosebill::othello::search::{Level, Proof};
use rosebill::store::{Book, Reader};

use crate::edax_rules::{EdaxBook, plan};
use crate::made::egaroucid as made;
use crate::shelf::{Shelf, nodes};

/// What a position says: values, and the search of it with its source.
type Said = (rosebill::openbook::Values, Option<rosebill::openbook::Rest>, (u8, u8), Source);

fn all_said(book: &Reader) -> BTreeMap<Key, Said> {
    let sources: BTreeMap<_, _> =
        book.sources().unwrap().into_iter().map(|known| (known.id, known.source)).collect();
    let said = |node: &rosebill::openbook::Node| {
        let searched = (node.searched.depth, node.searched.selectivity.percent());
        (node.values, node.rest(), searched, sources[&node.searched.source].clone())
    };
    nodes(book).iter().map(|node| (node.key, said(node))).collect()
}

fn write(shelf: &Shelf, name: &str, format: Format) -> ExportReport {
    let target = ExportTarget::of(&shelf.folder.path().join(name));
    export(shelf.book.reader(), &target, &ExportOptions::new(format), |_| {}).unwrap()
}

fn take(book: &mut Book, shelf: &std::path::Path, name: &str) -> FileReport {
    let options = ImportOptions::default();
    import(book, &[shelf.join(name)], &options, |_| {}).unwrap().files.remove(0)
}

#[test]
fn our_books_come_back_into_themselves_and_nothing_moves() {
    for (name, format) in [
        ("back.dat", Format::Edax),
        ("back.egbk3", Format::Egaroucid),
        ("back.book", Format::Ntest),
        ("back.cmp.z", Format::ZebraCmpZ),
    ] {
        let mut shelf = Shelf::starter();
        let before = all_said(shelf.book.reader());
        write(&shelf, name, format);
        let folder = shelf.folder.path().to_owned();
        let report = take(&mut shelf.book, &folder, name);
        println!("{name}: {} new, {} replaced, {} kept", report.new, report.replaced, report.kept);
        let after = all_said(shelf.book.reader());
        // Of equal proofs the surer search is kept: what a cut has proven may be less sure than a solve, whose move
        // the file may not know.
        let is_same = |said: &Said, now: &Said| match said.1.map(|rest| rest.proof) {
            Some(Proof::Exact) => said.0 == now.0,
            _ => said == now,
        };
        let stays = |key, said| after.get(key).is_some_and(|now| is_same(said, now));
        let moved = before.iter().filter(|(key, said)| !stays(*key, *said)).count();
        let example = before.iter().find(|(key, said)| !stays(*key, *said));
        let example = example.map(|(key, said)| (key, said, after.get(key)));
        assert_eq!(moved, 0, "{name}: {example:?}");
        assert!(report.new * 1_000 <= before.len() as u64, "{name}: {} new", report.new);
    }
}

/// What is exact is exact to Edax, too, and no level says more than the search had.
#[test]
fn edax_is_told_what_is_exact_and_no_more() {
    let shelf = Shelf::starter();
    write(&shelf, "levels.dat", Format::Edax);
    let written = EdaxBook::of(&fs::read(shelf.folder.path().join("levels.dat")).unwrap());
    let mut exact = 0;
    for node in nodes(shelf.book.reader()) {
        let position = node.key.position();
        let Some(rest) = node.rest() else { continue };
        let Some(record) = written.records.get(&(position.mover, position.opponent)) else {
            continue;
        };
        let (depth, is_full) = plan(record.level, position.empties());
        let is_solved = is_full && depth == position.empties();
        assert_eq!(is_solved, rest.proof == Proof::Exact, "{position:?}");
        assert!(depth <= node.searched.depth || is_solved, "{position:?}");
        exact += usize::from(is_solved);
    }
    assert!(exact > 10, "{exact}");
    let mut again = Shelf::made_of(&[]);
    take(&mut again.book, shelf.folder.path(), "levels.dat");
    let is_exact = |book: &Reader| nodes(book).iter().filter(|n| n.values.is_exact()).count();
    assert_eq!(is_exact(again.book.reader()), is_exact(shelf.book.reader()));
}

/// A file of which nothing is taken leaves nothing behind.
#[test]
fn what_brings_nothing_is_no_source() {
    let mut shelf = Shelf::made_of(&[]);
    let folder = shelf.folder.path().to_owned();
    let bytes = made::file(&made::wide().0);
    fs::write(folder.join("one.egbk3"), &bytes).unwrap();
    let first = take(&mut shelf.book, &folder, "one.egbk3");
    let before = shelf.book.reader().sources().unwrap();
    // The same searches under another name and of less use: their levels are lower.
    let mut lower = made::wide().0;
    for record in &mut lower {
        record.level = if record.level == 60 { 60 } else { 1 };
        record.leaf[2] = record.leaf[2].min(1);
    }
    fs::write(folder.join("two.egbk3"), made::file(&lower)).unwrap();
    let second = take(&mut shelf.book, &folder, "two.egbk3");
    assert!(first.new > 0 && second.new == 0);
    if second.replaced == 0 {
        assert_eq!(shelf.book.reader().sources().unwrap().len(), before.len());
    }
}

/// Nothing is left for Edax to search, and the book stays as it is.
#[test]
fn a_book_is_completed_before_it_is_written() {
    let mut shelf = Shelf::made_of(&[]);
    let folder = shelf.folder.path().to_owned();
    fs::write(folder.join("in.egbk3"), made::file(&made::wide().0)).unwrap();
    take(&mut shelf.book, &folder, "in.egbk3");
    let before = all_said(shelf.book.reader());
    let due = write(&shelf, "due.dat", Format::Edax).search_due;
    let level = Level::new(2).unwrap();
    let completion = Completion { level, threads: 1, table_megabytes: 1 };
    let options = ExportOptions { complete: Some(completion), ..ExportOptions::new(Format::Edax) };
    let target = ExportTarget::of(&folder.join("complete.dat"));
    let report = export(shelf.book.reader(), &target, &options, |_| {}).unwrap();
    assert!(due > 0 && report.completed >= due, "{due} {}", report.completed);
    assert_eq!((report.search_due, report.only_held, report.seen_otherwise), (0, 0, 0));
    let written = EdaxBook::of(&fs::read(folder.join("complete.dat")).unwrap());
    assert!(written.records.keys().all(|&board| !written.is_due(board)));
    assert_eq!(all_said(shelf.book.reader()), before);
}
