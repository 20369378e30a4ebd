//! A book file holds what a book in memory holds.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use crate::graphs::{Change, grown, nodes, random_changes};
use rosebill::app::DEFAULT_LEVEL;
use rosebill::openbook::policy::{Fill, GiveUp, Policy, Request};
use rosebill::openbook::regret::{Judge, RegretLimits};
use rosebill::openbook::verify::Invariant;
use rosebill::openbook::{MemoryBook, Node, NodeSource, Source};
use rosebill::othello::board::{Placed, Side};
use rosebill::othello::search::Depth;
use rosebill::store::{Book, NewNode, Reader, Wreck, salvage, storage_order};

fn in_storage_order(book: &MemoryBook) -> Vec<Node> {
    let mut nodes: Vec<Node> = book.nodes().copied().collect();
    nodes.sort_by_key(|node| storage_order(node.key));
    nodes
}

fn add_sources(book: &mut Book) {
    for engine in ["a", "b", "c"] {
        book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn file_and_memory_agree(seed: u64, plies in 0usize..58, count in 1usize..200, every in 1usize..30) {
        let changes = random_changes(seed, plies, count);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        let mut memory = MemoryBook::new();
        let mut book = Book::create(&path).unwrap();
        add_sources(&mut book);
        for (index, change) in changes.iter().enumerate() {
            let &Change { key, rest, searched, adds } = change;
            if adds {
                let one = memory.insert(key, rest, searched).unwrap();
                prop_assert_eq!(book.insert(key, rest, searched).unwrap(), one);
            } else {
                memory.set_rest(key, rest, searched).unwrap();
                book.set_rest(key, rest, searched).unwrap();
            }
            if index % every == 0 {
                book.commit().unwrap();
            }
            if index == count / 2 {
                book.commit().unwrap();
                drop(book);
                book = Book::open(&path).unwrap();
            }
        }
        memory.settle();
        book.commit().unwrap();
        let expected = in_storage_order(&memory);
        prop_assert_eq!(&nodes(book.reader()), &expected);
        prop_assert_eq!(book.sweep().unwrap(), 0);
        let report = book.reader().verify().unwrap();
        prop_assert!(report.is_sound(), "{:?}", report.first);
        let due = expected.iter().filter(|node| node.is_incomplete()).count() as u64;
        let counts = book.reader().counts().unwrap();
        prop_assert_eq!((counts.positions, counts.search_due), (expected.len() as u64, due));
        prop_assert_eq!((report.positions, report.search_due), (expected.len() as u64, due));
        drop(book);
        let reader = Reader::open(&path).unwrap();
        prop_assert_eq!(&nodes(&reader), &expected);

        // The same nodes loaded at once, the first half and then all over it.
        let records: Vec<NewNode> = expected.iter().map(|node| NewNode::of(node, &reader).unwrap()).collect();
        let mut bulk = Book::create(folder.path().join("bulk.db")).unwrap();
        add_sources(&mut bulk);
        let half = expected.len() / 2;
        bulk.bulk_load(records.iter().take(half).cloned()).unwrap();
        bulk.commit().unwrap();
        let loaded = bulk.bulk_load(records).unwrap();
        prop_assert_eq!((loaded.new, loaded.kept), ((expected.len() - half) as u64, half as u64));
        bulk.commit().unwrap();
        prop_assert_eq!(&nodes(bulk.reader()), &expected);
        prop_assert_eq!(bulk.rebuild_links().unwrap(), 0);
        prop_assert!(bulk.reader().verify().unwrap().is_sound());
    }
}

/// Each invariant is broken once, behind the store's back.
#[test]
fn verify_finds_what_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::create(&path).unwrap();
    add_sources(&mut book);
    for change in random_changes(7, 4, 80) {
        if change.adds {
            book.insert(change.key, change.rest, change.searched).unwrap();
        }
    }
    book.commit().unwrap();
    drop(book);
    let broken = [
        (
            Invariant::Key,
            "UPDATE node SET mover = mover << 8, opponent = opponent << 8 WHERE discs = 10",
        ),
        // One position with fewer discs than the others of its layer.
        (
            Invariant::Key,
            "UPDATE node SET opponent = opponent & (opponent - 1) WHERE (mover, opponent) = \
             (SELECT mover, opponent FROM node WHERE discs = 10 ORDER BY mover DESC LIMIT 1)",
        ),
        (Invariant::Record, "UPDATE node SET rest = rest & ~127 WHERE rest & 127 < 64"),
        (Invariant::Evidence, "UPDATE node SET rest = rest | (511 << 35) WHERE discs = 10"),
        (Invariant::Moves, "UPDATE node SET links = links & (links - 1) WHERE links <> 0"),
        (Invariant::Values, "UPDATE node SET guess = guess + 1 WHERE discs = 10"),
        (Invariant::Order, "UPDATE node SET win_seeking = guess + 100 WHERE discs = 10"),
        (Invariant::Source, "DELETE FROM source WHERE engine = 'b'"),
        (Invariant::Layers, "UPDATE layer SET positions = positions + 1 WHERE discs = 10"),
    ];
    for (invariant, sql) in broken {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).unwrap();
        let connection = rusqlite::Connection::open(&copy).unwrap();
        assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
        connection.close().unwrap();
        let report = Reader::open(&copy).unwrap().verify().unwrap();
        assert!(report.first.iter().any(|found| found.invariant == invariant), "{report:?}");
        std::fs::remove_file(&copy).unwrap();
    }
}

/// A page in the middle of the nodes is overwritten: most of the book can be saved.
#[test]
fn what_is_sound_in_a_damaged_book_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::create(&path).unwrap();
    add_sources(&mut book);
    for change in random_changes(5, 2, 1500) {
        book.insert(change.key, change.rest, change.searched).unwrap();
    }
    book.commit().unwrap();
    let whole = book.reader().counts().unwrap().positions;
    book.checkpoint().unwrap();
    drop(book);
    // After the pages that every book has from the start.
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT max(rootpage) FROM sqlite_schema";
    let first: u32 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    drop(connection);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = (bytes.len() / 4096 + first as usize) / 2 * 4096;
    bytes[middle..middle + 4096].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    let found = Reader::open(&path).unwrap().verify();
    assert!(!matches!(found, Ok(report) if report.is_sound()));
    let mut saved = Book::create(folder.path().join("saved.db")).unwrap();
    let salvaged = salvage(&Wreck::open(&path).unwrap(), &mut saved, BTreeMap::new()).unwrap();
    assert!(salvaged.positions >= whole / 2, "{salvaged:?} of {whole}");
    assert!(salvaged.positions < whole, "{salvaged:?} of {whole}");
    let report = saved.reader().verify().unwrap();
    assert!(report.is_sound(), "{:?}", report.first);
    assert_eq!(report.positions, salvaged.positions);
}

/// A file gives a set of all nodes to who asks for very many positions: those that are not committed yet
/// are in it, even where a layer has no others.
#[test]
fn what_is_missing_is_found_in_a_file_as_in_memory() {
    let changes = random_changes(3, 6, 3000);
    let whole = grown(&changes, 1);
    let last = whole.nodes().map(|node| node.key.discs()).max().unwrap();
    let (late, early): (Vec<Node>, Vec<Node>) = in_storage_order(&whole)
        .into_iter()
        .enumerate()
        .filter(|(index, node)| node.links.is_empty() || index % 7 != 3)
        .map(|(_, node)| node)
        .partition(|node| node.key.discs() == last);
    let folder = tempfile::tempdir().unwrap();
    let mut memory = MemoryBook::new();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    add_sources(&mut book);
    for (nodes, commits) in [(early, true), (late, false)] {
        for Node { key, record: rest, searched, .. } in nodes {
            memory.insert(key, rest, searched).unwrap();
            book.insert(key, rest, searched).unwrap();
        }
        memory.settle();
        book.settle().unwrap();
        if commits {
            book.commit().unwrap();
        }
    }
    let nothing = HashSet::default();
    let request = Request {
        roots: &[Placed { position: changes[0].key.position(), side: Side::Black }],
        count: 100_000,
        in_flight: &nothing,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Level(DEFAULT_LEVEL),
        give_up: GiveUp::default(),
    };
    let Ok(expected) = Fill.next(&memory, &request);
    assert!(expected.len() > 20, "{} are missing", expected.len());
    assert_eq!(Fill.next(book.reader(), &request).unwrap(), expected);

    let filter = book.reader().filter(1_000_000).unwrap().unwrap();
    assert!(memory.nodes().all(|node| filter.may_contain(node.key)));
    assert!(book.reader().filter(10).unwrap().is_none());
}
