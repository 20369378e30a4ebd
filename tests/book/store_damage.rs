//! Damaged books: they are noticed before they are written, and what can be read of them is saved
//! with the values that it had.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use rosebill::app::snapshot::take_snapshot;
use rosebill::app::{
    PruneOptions, SalvageError, SalvageReport, check_prune, prune, restore, salvage_to, saved_path,
};
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::{Node, Source, Values};
use rosebill::othello::board::Key;
use rosebill::othello::search::Stop;
use rosebill::store::{Book, Reader, StoreError, Wreck};
use tempfile::TempDir;

use crate::dice::Dice;

fn salvage(damaged: &Path, target: &Path) -> Result<SalvageReport, SalvageError> {
    salvage_to(damaged, target, &Stop::new())
}

const PAGE: usize = 4096;

/// A folder with a book of some thousand positions.
struct Shelf {
    folder: TempDir,
    nodes: HashMap<Key, Node>,
}

impl Shelf {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        for engine in ["a", "b", "c"] {
            book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
        }
        let load = |layer| book.bulk_load(layer).map(|_| ());
        grow_scratch(20_000, load).unwrap();
        book.checkpoint().unwrap();
        let nodes = nodes(book.reader());
        Self { folder, nodes }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path("book.db")).unwrap()
    }

    /// Puts a damaged copy in place and saves what is left of it; the new book is sound, and every
    /// position has the guess that it had, and the winner that was proven.
    fn saves(&self, name: &str, bytes: &[u8]) -> HashMap<Key, Node> {
        let (damaged, saved) =
            (self.path(&format!("{name}.db")), self.path(&format!("{name}-saved.db")));
        fs::write(&damaged, bytes).unwrap();
        let report = salvage(&damaged, &saved).unwrap();
        assert!(fs::read(&damaged).unwrap() == bytes, "{name}: the damaged book was touched");
        let reader = Reader::open(&saved).unwrap();
        let verified = reader.verify().unwrap();
        assert!(verified.is_sound(), "{name}: {:?}", verified.first);
        let found = nodes(&reader);
        assert_eq!(found.len() as u64, report.positions, "{name}");
        let mut moved = 0;
        for (key, node) in &found {
            let before = self.nodes.get(key).unwrap_or_else(|| panic!("{name}: made {key:?} up"));
            let (values, expected) = (node.values, before.values);
            assert_eq!(values.guess, expected.guess, "{name}: {key:?}");
            let winner = |values: Values| (values.lower.signum(), values.upper.signum());
            assert_eq!(winner(values), winner(expected), "{name}: {key:?}");
            if before.record.is_some() {
                assert_eq!(node.searched, before.searched, "{name}: {key:?}");
            }
            moved += usize::from(values != expected);
        }
        // A rest has one score and one proof: it cannot stand for all that was lost.
        assert!(moved * 50 <= found.len(), "{name}: {moved} of {}", found.len());
        if let Some(lost) = report.lost_positions {
            assert_eq!(lost + report.positions, self.nodes.len() as u64, "{name}: {report:?}");
            // No page holds more.
            assert!(lost <= report.lost_pages * 130, "{name}: {report:?}");
        }
        found
    }
}

fn nodes(reader: &Reader) -> HashMap<Key, Node> {
    let mut nodes = HashMap::new();
    reader
        .for_each_node(|node| {
            nodes.insert(node.key, node);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    nodes
}

fn zero(bytes: &mut [u8], page: usize) {
    bytes[(page - 1) * PAGE..page * PAGE].fill(0);
}

#[test]
fn what_is_left_of_a_damaged_book_is_saved_with_its_values() {
    let shelf = Shelf::new();
    let whole = shelf.bytes();
    let pages = whole.len() / PAGE;
    assert!(pages > 150, "{pages}");
    // A sound book is copied as a whole, to the last link.
    let all = shelf.saves("sound", &whole);
    assert!(all == shelf.nodes);
    for percent in [30, 50, 90] {
        // Not at the end of a page.
        let cut = whole.len() * percent / 100 + 1000;
        let saved = shelf.saves(&format!("cut-{percent}"), &whole[..cut]);
        // At the start of a file stand the small tables and those of games.
        let most = shelf.nodes.len() * percent / 100;
        assert!(saved.len() + 4000 > most, "{percent} %: {} of {most}", saved.len());
    }
    // Behind the small tables: without the sources nodes have others.
    const SMALL: usize = 40;
    let mut dice = Dice(3);
    for count in [1, 5, 50] {
        let mut bytes = whole.clone();
        (0..count).for_each(|_| zero(&mut bytes, SMALL + dice.below(pages - SMALL)));
        let saved = shelf.saves(&format!("zeroed-{count}"), &bytes);
        assert!(saved.len() + count * 130 >= shelf.nodes.len(), "{count}: {}", saved.len());
    }
    // The header and the list of the tables, then the root of the tree as well, then every page that
    // leads to others: each costs only what it holds itself.
    let mut bytes = whole.clone();
    zero(&mut bytes, 1);
    assert!(shelf.saves("no-header", &bytes) == shelf.nodes);
    zero(&mut bytes, 2);
    assert!(shelf.saves("no-root", &bytes).len() + 130 > shelf.nodes.len());
    let interior = |bytes: &[u8], page: usize| matches!(bytes[(page - 1) * PAGE], 2 | 5);
    let led: Vec<usize> = (2..=pages).filter(|&page| interior(&whole, page)).collect();
    assert!(led.len() > 2, "{led:?}");
    let mut bytes = whole;
    for &page in &led {
        bytes[(page - 1) * PAGE..page * PAGE].fill(0x5a);
    }
    let saved = shelf.saves("no-interior", &bytes);
    assert!(saved.len() + led.len() * 130 >= shelf.nodes.len(), "{}", saved.len());
}

/// Bits that flip inside pages cost the rows that they are in.
#[test]
fn what_means_nothing_is_left_out() {
    let shelf = Shelf::new();
    let mut bytes = shelf.bytes();
    let pages = bytes.len() / PAGE;
    let mut dice = Dice(8);
    for _ in 0..40 {
        let place = 2 * PAGE + dice.below((pages - 2) * PAGE);
        bytes[place..][..4].fill(0xff);
    }
    fs::write(shelf.path("bits.db"), bytes).unwrap();
    let report = salvage(&shelf.path("bits.db"), &shelf.path("saved.db")).unwrap();
    assert!(report.meaningless > 0, "{report:?}");
    assert!(report.positions + 40 * 130 > shelf.nodes.len() as u64, "{report:?}");
    let verified = Reader::open(shelf.path("saved.db")).unwrap().verify().unwrap();
    assert!(verified.is_sound(), "{:?}", verified.first);
}

/// What was taken out of a book lies in free pages of its file, and stays out.
#[test]
fn what_was_pruned_does_not_come_back() {
    let mut shelf = Shelf::new();
    let mut book = Book::open(shelf.path("book.db")).unwrap();
    let options = PruneOptions { max_discs: Some(20), ..PruneOptions::default() };
    let kept = check_prune(book.reader(), &options).unwrap();
    assert!(prune(&mut book, &kept).unwrap() > 5000);
    book.checkpoint().unwrap();
    shelf.nodes = nodes(book.reader());
    drop(book);
    let whole = shelf.bytes();
    assert!(shelf.saves("pruned", &whole).len() == shelf.nodes.len());
    let mut bytes = whole;
    zero(&mut bytes, 1);
    assert!(shelf.saves("pruned-no-header", &bytes).len() == shelf.nodes.len());
}

/// Of what cannot be read the snapshot of before the last great change may know something.
#[test]
fn the_snapshot_helps_where_nothing_can_be_read() {
    let shelf = Shelf::new();
    let book = Reader::open(shelf.path("book.db")).unwrap();
    fs::create_dir(shelf.path("with")).unwrap();
    let damaged = shelf.path("with/book.db");
    let saved = saved_path(&damaged, &book.identity().unwrap().unwrap(), 3, false);
    take_snapshot(&book, &saved).unwrap();
    let mut bytes = shelf.bytes();
    let pages = bytes.len() / PAGE;
    // Not the last pages, which hold the small tables when the snapshot is to be read beside them.
    (20..60).for_each(|page| zero(&mut bytes, page));
    fs::write(&damaged, &bytes).unwrap();
    let report = salvage(&damaged, &shelf.path("saved.db")).unwrap();
    assert_eq!(report.positions, shelf.nodes.len() as u64, "{report:?}");
    assert!(report.from_snapshot > 900, "{report:?}");
    assert_eq!((report.lost_positions, report.lost_pages), (Some(0), 40));
    assert_eq!(report.pages, pages as u64);
    let reader = Reader::open(shelf.path("saved.db")).unwrap();
    assert!(reader.verify().unwrap().is_sound());
    let values = |nodes: &HashMap<Key, Node>| -> HashMap<Key, Values> {
        nodes.iter().map(|(&key, node)| (key, node.values)).collect()
    };
    assert!(values(&nodes(&reader)) == values(&shelf.nodes));
    // Nor is anything taken from what was saved of another book, which had this name.
    let other = Reader::open(shelf.path("saved.db")).unwrap();
    assert_eq!(other.identity().unwrap(), book.identity().unwrap());
    let mut other = Book::create(shelf.path("other.db")).unwrap();
    restore(&mut other, &saved).unwrap();
    let theirs = saved_path(&damaged, &other.reader().identity().unwrap().unwrap(), 4, false);
    take_snapshot(other.reader(), &theirs).unwrap();
    // As an older program left it.
    take_snapshot(other.reader(), &shelf.path("with/book.db.undo")).unwrap();
    fs::remove_file(&saved).unwrap();
    let report = salvage(&damaged, &shelf.path("alone.db")).unwrap();
    assert_eq!(report.from_snapshot, 0, "{report:?}");
    assert!(report.lost_positions > Some(1000), "{report:?}");
    // Of a sound book nothing is asked of it.
    fs::write(&damaged, shelf.bytes()).unwrap();
    let report = salvage(&damaged, &shelf.path("again.db")).unwrap();
    assert_eq!((report.from_snapshot, report.lost_pages), (0, 0));
}

#[test]
fn where_nothing_can_be_saved_there_is_no_file() {
    let shelf = Shelf::new();
    let whole = shelf.bytes();
    let cases: [(&str, &[u8]); 4] =
        [("head", &whole[..PAGE]), ("stub", &whole[..60]), ("none", &[]), ("text", b"no book")];
    for (name, bytes) in cases {
        fs::write(shelf.path(name), bytes).unwrap();
        let refused = salvage(&shelf.path(name), &shelf.path("saved.db")).unwrap_err();
        assert!(matches!(refused, SalvageError::Nothing { .. }), "{name}: {refused}");
        assert!(refused.to_string().starts_with("no position can be saved from "), "{refused}");
    }
    let mut names: Vec<_> =
        shelf.folder.path().read_dir().unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["book.db", "book.db.lock", "head", "none", "stub", "text"]);
    // Nor is a file of the user's touched.
    let refused = salvage(&shelf.path("book.db"), &shelf.path("text")).unwrap_err();
    assert!(matches!(refused, SalvageError::Store(StoreError::Exists(_))), "{refused}");
    assert_eq!(fs::read(shelf.path("text")).unwrap(), b"no book");
    assert!(matches!(Wreck::open(shelf.path("gone")), Err(StoreError::Missing(_))));
}

/// What a writer committed and no checkpoint moved into the file yet.
#[test]
fn the_log_beside_the_file_counts() {
    let shelf = Shelf::new();
    let mut book = Book::open(shelf.path("book.db")).unwrap();
    let options = PruneOptions { max_discs: Some(24), ..PruneOptions::default() };
    let kept = check_prune(book.reader(), &options).unwrap();
    prune(&mut book, &kept).unwrap();
    assert!(matches!(Wreck::open(shelf.path("book.db")), Err(StoreError::Locked { .. })));
    fs::create_dir(shelf.path("copy")).unwrap();
    for name in ["book.db", "book.db-wal"] {
        fs::copy(shelf.path(name), shelf.path("copy").join(name)).unwrap();
    }
    let log = shelf.path("copy/book.db-wal");
    assert!(fs::metadata(&log).unwrap().len() > 100_000);
    // A commit that was never finished does not count.
    let mut torn = fs::read(&log).unwrap();
    torn.extend_from_within(32..32 + 3000);
    fs::write(&log, torn).unwrap();
    let now = nodes(book.reader());
    let shelf = Shelf { nodes: now, ..shelf };
    let saved = shelf.path("copy/saved.db");
    let report = salvage(&shelf.path("copy/book.db"), &saved).unwrap();
    assert_eq!((report.lost_positions, report.lost_pages), (Some(0), 0));
    assert!(nodes(&Reader::open(&saved).unwrap()) == shelf.nodes);
}

/// What belongs to a book lies beside the book, wherever the link is by which it is named.
#[test]
#[cfg(unix)]
fn a_book_named_by_a_link_is_saved_with_all_that_lies_beside_it() {
    let shelf = Shelf::new();
    let mut book = Book::open(shelf.path("book.db")).unwrap();
    take_snapshot(book.reader(), &shelf.path("book.db.undo")).unwrap();
    let options = PruneOptions { max_discs: Some(24), ..PruneOptions::default() };
    let kept = check_prune(book.reader(), &options).unwrap();
    prune(&mut book, &kept).unwrap();
    let now = nodes(book.reader());
    for folder in ["links", "copy"] {
        fs::create_dir(shelf.path(folder)).unwrap();
    }
    let link = |to: &str| {
        let name = shelf.path(&format!("links/{}", to.replace('/', "-")));
        std::os::unix::fs::symlink(shelf.path(to), &name).unwrap();
        name
    };
    let written = link("book.db");
    assert!(matches!(Wreck::open(&written), Err(StoreError::Locked { .. })));
    for name in ["book.db", "book.db-wal", "book.db.undo"] {
        fs::copy(shelf.path(name), shelf.path("copy").join(name)).unwrap();
    }
    let copied = link("copy/book.db");
    let report = salvage(&copied, &shelf.path("saved.db")).unwrap();
    assert_eq!((report.lost_positions, report.lost_pages), (Some(0), 0));
    assert!(nodes(&Reader::open(shelf.path("saved.db")).unwrap()) == now);
    // What cannot be read any more is in what was saved for 'undo'.
    fs::remove_file(shelf.path("copy/book.db-wal")).unwrap();
    let whole = shelf.bytes();
    fs::write(shelf.path("copy/book.db"), &whole[..whole.len() / 2]).unwrap();
    let report = salvage(&copied, &shelf.path("again.db")).unwrap();
    assert!(report.from_snapshot > 900, "{report:?}");
}

/// A second name is a second place for a lock and a log: two processes would write the same file.
#[test]
#[cfg(unix)]
fn a_book_with_two_names_is_not_written() {
    let shelf = Shelf::new();
    let (one, other) = (shelf.path("book.db"), shelf.path("other.db"));
    fs::hard_link(&one, &other).unwrap();
    for name in [&one, &other] {
        let message = Book::open(name).unwrap_err().to_string();
        assert!(message.ends_with("beside its name: write to a copy of it"), "{message}");
        assert!(message.contains("the file has 2 names (hard links)"), "{message}");
        assert!(nodes(&Reader::open(name).unwrap()) == shelf.nodes);
    }
    assert!(!shelf.path("other.db.lock").exists());
    fs::remove_file(&other).unwrap();
    Book::open(&one).unwrap();
}

fn refusal(path: &Path) -> String {
    match Book::open(path) {
        Err(error @ StoreError::Damaged { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_book_is_not_opened_for_writing() {
    let shelf = Shelf::new();
    let whole = shelf.bytes();
    let path = shelf.path("damaged.db");
    let pages = whole.len() / PAGE;
    let mut dice = Dice(5);
    for _ in 0..20 {
        let mut bytes = whole.clone();
        zero(&mut bytes, 2 + dice.below(pages - 1));
        fs::write(&path, &bytes).unwrap();
        refusal(&path);
        assert!(fs::read(&path).unwrap() == bytes, "it was written");
    }
    fs::write(&path, &whole[..whole.len() - 5 * PAGE]).unwrap();
    refusal(&path);
    fs::write(&path, &whole).unwrap();
    Book::open(&path).unwrap();
}

/// A copy is made by a connection that writes nothing, or by one that goes on writing.
#[test]
fn a_book_that_was_copied_can_still_be_written() {
    let shelf = Shelf::new();
    let mut book = Book::open(shelf.path("book.db")).unwrap();
    book.reader().copy_to(&shelf.path("copy.db")).unwrap();
    book.set_meta("name", "still written").unwrap();
    book.commit().unwrap();
    assert_eq!(book.reader().meta("name").unwrap().as_deref(), Some("still written"));
    // A reader stays one.
    let reader = Reader::open(shelf.path("copy.db")).unwrap();
    reader.copy_to(&shelf.path("second.db")).unwrap();
    assert!(nodes(&Reader::open(shelf.path("second.db")).unwrap()) == shelf.nodes);
}

#[test]
fn a_page_that_is_not_in_use_is_not_lost() {
    let shelf = Shelf::new();
    let raw = rusqlite::Connection::open(shelf.path("book.db")).unwrap();
    raw.execute_batch("CREATE TABLE other(x); DROP TABLE other").unwrap();
    let free: u32 = raw.query_row("PRAGMA freelist_count", [], |row| row.get(0)).unwrap();
    drop(raw);
    assert_eq!(free, 1);
    let report = salvage(&shelf.path("book.db"), &shelf.path("saved.db")).unwrap();
    assert_eq!(report.lost_pages, 0, "{report:?}");
}
