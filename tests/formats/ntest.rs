//! NTest books: byte for byte, and NTest's own values against ours.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use proptest::prelude::*;
use rosebill::app::export::{ExportOptions, ExportTarget, export};
use rosebill::app::import::{ImportOptions, import};
use rosebill::app::snapshot::take_snapshot;
use rosebill::app::{BookFile, restore, restore_file, undo};
use rosebill::files::books::ntest::{
    NtestKind, NtestNode, NtestReader, NtestVersion, canonical, write_ntest,
};
use rosebill::files::books::snapshot::SnapshotReader;
use rosebill::files::books::{DefectKind, Format, ReadOptions, RecordReader};
use rosebill::openbook::{MoveMask, NodeSource, Record, Rest, Searched, Source};
use rosebill::othello::board::{After, Key, Position};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Proof, Selectivity};
use rosebill::store::{Book, Wreck, salvage};

use crate::made::ntest as made;
use crate::ntest_rules;
use crate::shared::shared;
use crate::shelf::Shelf;

const STRICT: ReadOptions = ReadOptions { lenient: false };

fn read(bytes: &[u8]) -> Vec<NtestNode> {
    let mut reader = NtestReader::new(bytes, "test.book", STRICT).unwrap();
    let mut nodes = Vec::new();
    while let Some((_, node)) = reader.next_node().unwrap() {
        nodes.push(node);
    }
    // NTest's own files of format 1 have junk in their padding.
    let other = reader.defects().counts().find(|&(kind, _)| kind != DefectKind::Padding);
    assert_eq!(other, None);
    nodes
}

fn written(version: NtestVersion, nodes: &[NtestNode]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_ntest(&mut bytes, version, nodes).unwrap();
    bytes
}

/// NTest's h, m and o of every node, from the rules of its book.
fn values(nodes: &[NtestNode]) -> HashMap<Position, [i32; 3]> {
    let solved = |v: i32| match v {
        1.. => [v, v + 10_000, v + 10_000],
        0 => [0, 10_000, -10_000],
        _ => [v, v - 10_000, v - 10_000],
    };
    let mut sorted: Vec<_> = nodes.iter().collect();
    sorted.sort_by_key(|node| node.position.empties());
    let mut values: HashMap<Position, [i32; 3]> = HashMap::new();
    for node in sorted {
        let number = i32::from(node.number);
        let value = match node.kind() {
            NtestKind::Leaf => [number; 3],
            NtestKind::Solved => solved(number),
            NtestKind::Branch => node
                .position
                .legal_moves()
                .filter_map(|square| match node.position.after(square).unwrap() {
                    After::Opponent(next) => {
                        values.get(&canonical(next)).map(|&[h, m, o]| [-h, -o, -m])
                    }
                    After::Same(next) => values.get(&canonical(next)).copied(),
                    After::Over(discs) => Some(solved(i32::from(discs) * 100)),
                })
                .fold([-16_400; 3], |best, value| {
                    [0, 1, 2].map(|index| std::cmp::max(best[index], value[index]))
                }),
        };
        values.insert(node.position, value);
    }
    values
}

/// The three values of a made node, for the records of format 1.
fn three_values(nodes: &[made::Node]) -> impl Fn(&made::Node) -> [i32; 3] {
    let values = values(&read(&made::forest(nodes)));
    move |node| values[&node.board]
}

#[test]
fn the_book_of_a_short_game_is_as_ntest_wrote_it() {
    let bytes = made::forest(&made::tiny());
    assert_eq!((bytes.len(), &bytes[83..]), (87, &0xb2f5_d71f_u32.to_le_bytes()[..]));
    let nodes = read(&bytes);
    assert_eq!(nodes.len(), 6);
    let found = values(&nodes);
    assert_eq!(found[&Position::START], [-130; 3]);
    assert_eq!(nodes[0].kind(), NtestKind::Branch);
    assert_eq!((nodes[0].games, nodes[0].height, nodes[0].prune), ([0, 1], 4, 4));

    // NTest's file of format 1 has 348 bytes and junk in its padding.
    let raw = made::records(&made::tiny(), three_values(&made::tiny()), 0xaa);
    assert_eq!(raw.len(), 348);
    let of_records = read(&raw);
    assert_eq!(written(NtestVersion::Forest, &of_records), bytes);
    let clean = made::records(&made::tiny(), three_values(&made::tiny()), 0);
    assert_eq!(written(NtestVersion::Records, &nodes), clean);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_tiny_book_is_the_made_one() {
    assert_eq!(fs::read(shared("ntest-tiny.book")).unwrap(), made::forest(&made::tiny()));
}

#[test]
fn every_field_of_a_node_is_read() {
    let made = made::wide();
    let read = read(&made::forest(&made));
    assert_eq!(read.len(), made.len());
    let by_board: HashMap<_, _> = read.iter().map(|node| (node.position, node)).collect();
    for node in &made {
        let found = by_board[&node.board];
        assert_eq!(
            (found.games, found.height, found.prune, found.number),
            (node.games, node.height as u8, node.prune as u8, node.number)
        );
        assert_eq!(
            (found.wld, found.known, found.proven, found.root),
            (node.wld, node.known, node.proven, node.root)
        );
    }
    for kind in [NtestKind::Leaf, NtestKind::Branch, NtestKind::Solved] {
        assert!(read.iter().filter(|node| node.kind() == kind).count() > 3, "{kind:?}");
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_sample_has_its_known_facts() {
    let nodes = read(&fs::read(shared("ntest-sample.book")).unwrap());
    let count = |kind| nodes.iter().filter(|node| node.kind() == kind).count();
    assert_eq!(nodes.len(), 41_966);
    assert_eq!(
        [NtestKind::Leaf, NtestKind::Branch, NtestKind::Solved].map(count),
        [17_101, 12_329, 12_536]
    );
    assert_eq!(nodes.iter().map(|node| node.games[0]).sum::<u32>(), 35_082);
    let values = values(&nodes);
    let sums = values.values().fold([0i64; 3], |sums, value| {
        [0, 1, 2].map(|index| sums[index] + i64::from(value[index]))
    });
    assert_eq!(sums, [4_414_074, 38_429_396, -17_967_712]);
    assert_eq!(values[&Position::START], [-62, -62, -215]);
}

#[test]
fn books_come_back_byte_for_byte() {
    for nodes in [made::tiny(), made::wide()] {
        let forest = made::forest(&nodes);
        assert!(written(NtestVersion::Forest, &read(&forest)) == forest);
        let raw = made::records(&nodes, three_values(&nodes), 0);
        assert!(written(NtestVersion::Records, &read(&raw)) == raw);
        // Garbage in the padding changes nothing but itself.
        let garbage = made::records(&nodes, three_values(&nodes), 0x5a);
        assert!(written(NtestVersion::Records, &read(&garbage)) == raw);
        assert!(written(NtestVersion::Forest, &read(&garbage)) == forest);
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_come_back_byte_for_byte() {
    for name in ["ntest-tiny.book", "ntest-sample.book", "ntest-pass.book"] {
        let bytes = fs::read(shared(name)).unwrap();
        assert_eq!(written(NtestVersion::Forest, &read(&bytes)), bytes, "{name}");
    }
    let nodes = read(&fs::read(shared("ntest-sample-v1.book")).unwrap());
    // NTest itself wrote this book again in format 2.
    let forest = written(NtestVersion::Forest, &nodes);
    assert_eq!(forest.len(), 3_177);
    assert_eq!(forest[forest.len() - 4..], 0x3515_0eef_u32.to_le_bytes());
    // Raw records: all but the padding, so read again.
    let raw = written(NtestVersion::Records, &nodes);
    assert_eq!(raw.len(), 17_652);
    let again = read(&raw);
    let by_position: HashMap<_, _> = nodes.iter().map(|node| (node.position, node)).collect();
    for node in &again {
        // A leaf's cutoff means nothing; everything else comes back, the values recomputed.
        assert_eq!(by_position[&node.position], node);
    }
}

/// How many of our values differ from NTest's, and why; and what the start is worth.
fn differing_values(name: &str, bytes: &[u8]) -> ([usize; 4], [i32; 3]) {
    let nodes = read(bytes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let report = import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
    let values = values(&nodes);
    let ours = |position| {
        let node = book.node(&Key::of(position)).unwrap().unwrap();
        let values = node.values;
        let three = [values.guess, values.draw_seeking, values.win_seeking];
        (three.map(|score| i32::from(score.centidiscs())), node)
    };
    let mut reasons = [0; 4];
    for node in &nodes {
        let (three, stored) = ours(node.position);
        if three == values[&node.position] {
            continue;
        }
        let below_differs = stored.linked().any(|square| {
            let (After::Opponent(next) | After::Same(next)) =
                stored.key.position().after(square).unwrap()
            else {
                return false;
            };
            ours(next).0 != values[&canonical(next)]
        });
        let solved = node.kind() == NtestKind::Solved;
        let reason = match () {
            // A win or loss of less than 2 discs: no result has that size.
            () if solved && node.number.abs() < 200 => 0,
            // NTest keeps the value of a solved node or a leaf whatever lies below it.
            () if node.kind() != NtestKind::Branch && stored.linked().next().is_some() => 1,
            // A move below differs.
            () if below_differs => 2,
            // The guess is held within what is proven.
            () => 3,
        };
        reasons[reason] += 1;
    }
    let noted = report.files[0].defects.count(DefectKind::OtherValue);
    assert_eq!(reasons.iter().sum::<usize>() as u64, noted, "{name}");
    (reasons, ours(Position::START).0)
}

#[test]
fn imported_values_are_ntests() {
    let tiny = made::forest(&made::tiny());
    assert_eq!(differing_values("tiny.book", &tiny), ([0; 4], [-130; 3]));
    let wide = made::forest(&made::wide());
    let expected = values(&read(&wide))[&Position::START];
    assert_eq!(differing_values("wide.book", &wide), ([0; 4], expected));
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_have_ntests_values_or_explained_ones() {
    for (name, root, expected) in [
        ("ntest-tiny.book", [-130, -130, -130], [0; 4]),
        ("ntest-pass.book", [-60, -60, -60], [0; 4]),
        ("ntest-sample-v1.book", [-135, -135, -135], [0; 4]),
        ("ntest-sample.book", [-62, -62, -215], [87, 66, 245, 0]),
    ] {
        let found = differing_values(name, &fs::read(shared(name)).unwrap());
        assert_eq!(found, (expected, root), "{name}");
    }
}

/// Through the store and out again. Format 1 holds garbage in its padding: NTest's own format 2 of
/// it, and all its fields, come back.
fn assert_comes_back_through_the_store(name: &str, bytes: &[u8], forest: Option<&[u8]>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
    let exported = |format| {
        let file = folder.path().join("out.book");
        let options = ExportOptions::new(format);
        let target = ExportTarget::File(file.clone());
        export(book.reader(), &target, &options, |_| {}).unwrap();
        fs::read(file).unwrap()
    };
    let nodes = read(bytes);
    if let Some(forest) = forest {
        assert!(exported(Format::Ntest) == forest, "{name}");
    }
    let raw = exported(Format::Ntest1);
    let mut reader = NtestReader::new(raw.as_slice(), "raw.book", STRICT).unwrap();
    while reader.next_node().unwrap().is_some() {}
    assert!(reader.defects().is_empty(), "{name}: junk was written again");
    let records = read(&raw);
    assert_eq!(records.len(), nodes.len());
    let by_position: HashMap<_, _> = nodes.iter().map(|node| (node.position, node)).collect();
    for mut node in records {
        let before = by_position[&node.position];
        if before.stored.is_none() {
            node.stored = None;
        }
        assert_eq!(&node, before, "{name}");
    }
}

#[test]
fn books_come_back_through_the_store_byte_for_byte() {
    for nodes in [made::tiny(), made::wide()] {
        let forest = made::forest(&nodes);
        assert_comes_back_through_the_store("forest.book", &forest, Some(&forest));
        let raw = made::records(&nodes, three_values(&nodes), 0x5a);
        assert_comes_back_through_the_store("raw.book", &raw, Some(&forest));
    }
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn shared_books_come_back_through_the_store_byte_for_byte() {
    for name in ["ntest-tiny.book", "ntest-pass.book", "ntest-sample.book"] {
        let bytes = fs::read(shared(name)).unwrap();
        assert_comes_back_through_the_store(name, &bytes, Some(&bytes));
    }
    let bytes = fs::read(shared("ntest-sample-v1.book")).unwrap();
    assert_comes_back_through_the_store("ntest-sample-v1.book", &bytes, None);
}

/// A book that changed is written anew where it changed, as far up as NTest's rules reach, and as
/// it was elsewhere, with the games.
#[test]
fn a_changed_book_still_exports() {
    let folder = tempfile::tempdir().unwrap();
    let exported = |book: &Book| {
        let file = folder.path().join("out.book");
        let target = ExportTarget::File(file.clone());
        let ntest_level = Some("s18".parse().unwrap());
        let options = ExportOptions { ntest_level, ..ExportOptions::new(Format::Ntest) };
        let report = export(book.reader(), &target, &options, |_| {}).unwrap();
        (read(&fs::read(file).unwrap()), report)
    };
    // A book that keeps NTest's rules, with games.
    let (mut nodes, _) = exported(&Shelf::starter().book);
    for (number, node) in (1..).zip(&mut nodes) {
        node.games =
            if node.kind() == NtestKind::Leaf { [0, 0] } else { [number % 5, number % 60_000] };
    }
    let path = folder.path().join("in.book");
    fs::write(&path, written(NtestVersion::Forest, &nodes)).unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    import(&mut book, &[path], &ImportOptions::default(), |_| {}).unwrap();
    let same = exported(&book).0;
    assert_eq!(same.len(), nodes.len());
    for (same, node) in same.iter().zip(&nodes) {
        assert_eq!(same, node);
    }

    // A leaf is searched anew, one that nobody goes to, and fewer still then: no value before it changes. It is as
    // deep as the level wants, and far from the end of the game.
    let is_common = |node: &&NtestNode| node.height == 18 && node.position.empties() >= 38;
    let leaves = nodes.iter().filter(|node| node.kind() == NtestKind::Leaf).filter(is_common);
    let leaf = leaves.filter(|node| node.number < 3123).max_by_key(|node| node.number).unwrap();
    let key = Key::of(leaf.position);
    let square = key.position().legal_moves().next().unwrap();
    let rest =
        Rest { square: Some(square), score: Score::from_centidiscs(3123), proof: Proof::None };
    let source = book.source_id(&Source { engine: "test".into(), ..Source::default() }).unwrap();
    let searched = Searched { depth: 16, selectivity: Selectivity::FULL, source };
    // It is no deeper than what is there: a person took that out.
    let record = Record { rest, searched, left_out: MoveMask::NONE };
    assert!(book.change(key, |held| held.records = vec![record]).unwrap());
    book.commit().unwrap();
    let (again, report) = exported(&book);
    let before: HashMap<Position, &NtestNode> =
        nodes.iter().map(|node| (node.position, node)).collect();
    let was_there = |node: &&NtestNode| before.contains_key(&node.position);
    let (old, new): (Vec<&NtestNode>, Vec<_>) = again.iter().partition(was_there);
    assert_eq!((old.len(), new.len() as u64), (nodes.len(), report.added));
    let changed: Vec<_> = old.into_iter().filter(|&node| before[&node.position] != node).collect();
    // A branch is as deep as what is below it; nothing else changes before the leaf.
    let others: Vec<_> = changed
        .iter()
        .map(|&node| (before[&node.position], node))
        .filter(|(old, node)| {
            let as_deep = NtestNode { height: old.height, ..**node };
            node.position != leaf.position && (as_deep != **old || node.height > old.height)
        })
        .collect();
    assert!(others.is_empty(), "{leaf:?}: {others:?}");
    let (branches, unchanged) = (changed.len() as u64 - 1, (nodes.len() - changed.len()) as u64);
    let changed = changed.iter().find(|node| node.position == leaf.position).unwrap();
    // Sixteen plies are one less than the level wants below a branch.
    let seen = (changed.number, changed.height, changed.games);
    assert_eq!(seen, (3123, 17, [0, 0]), "{leaf:?} {changed:?}");
    // A branch that is made anew may come out as it was.
    let made_anew = report.ntest.made_anew;
    assert!(report.ntest.claimed == 1 && made_anew >= branches, "{report:?}");
    assert_eq!(report.unchanged + made_anew, unchanged + branches);
    for node in &again {
        if let Some(before) = before.get(&node.position) {
            assert_eq!(node.games, before.games);
        }
    }
}

/// What a name or the user says the level is goes before what the book supports.
#[test]
fn a_book_is_for_the_level_that_is_asked_for() {
    let Shelf { folder, book, .. } = Shelf::starter();
    let few = book.reader().counts().unwrap().positions / 20;
    let exported = |name: &str, level: Option<&str>| {
        let file = folder.path().join(name);
        let options = ExportOptions {
            ntest_level: level.map(|level| level.parse().unwrap()),
            ..ExportOptions::new(Format::Ntest)
        };
        let report = export(book.reader(), &ExportTarget::File(file.clone()), &options, |_| {});
        let losses = report.unwrap().ntest;
        let level = losses.level.unwrap().to_string();
        let check = ntest_rules::check(
            &fs::read(file).unwrap(),
            Some(ntest_rules::NtestLevel(level[1..].parse().unwrap())),
        );
        assert_eq!(check.unwrap().counts(), []);
        (level, losses.claimed)
    };
    // What is claimed are ends of the main lines, where NTest's levels look further than ours.
    for (name, asked, expected) in [
        ("out.book", None, &["s17", "s18"][..]),
        ("JA_s16.book", None, &["s16"]),
        ("JA_s16.book", Some("s17"), &["s17"]),
    ] {
        let (level, claimed) = exported(name, asked);
        assert!(
            expected.contains(&&level[..]) && claimed < few,
            "{name}: {level}, {claimed} of {few}"
        );
    }
    // Every branch and every leaf below one.
    let (level, claimed) = exported("JA_s20.book", None);
    assert_eq!(level, "s20");
    assert!(claimed > 3000, "{claimed}");
}

/// The kept file goes wherever the book goes: into a snapshot and back, through an undo, and out of
/// a book that is salvaged.
#[test]
fn the_games_of_a_book_survive_its_copies() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bytes = made::forest(&made::tiny());
    fs::write(at("in.book"), &bytes).unwrap();
    let mut book = Book::create(at("book.db")).unwrap();
    import(&mut book, &[at("in.book")], &ImportOptions::default(), |_| {}).unwrap();
    let exported = |book: &Book| {
        let target = ExportTarget::File(at("out.book"));
        export(book.reader(), &target, &ExportOptions::new(Format::Ntest), |_| {}).unwrap();
        fs::read(at("out.book")).unwrap()
    };
    assert!(exported(&book) == bytes);

    take_snapshot(book.reader(), &at("book.snapshot")).unwrap();
    let mut restored = Book::create(at("restored.db")).unwrap();
    restore(&mut restored, &at("book.snapshot")).unwrap();
    assert!(exported(&restored) == bytes);

    drop(book);
    let mut salvaged = Book::create(at("salvaged.db")).unwrap();
    salvage(&Wreck::open(at("book.db")).unwrap(), &mut salvaged, BTreeMap::new()).unwrap();
    assert!(exported(&salvaged) == bytes);

    let book = Book::open(at("book.db")).unwrap();
    let empty = Book::create(at("empty.db")).unwrap();
    take_snapshot(empty.reader(), &at("empty.snapshot")).unwrap();
    drop(book);
    restore_file(&BookFile::at(at("book.db")), &at("empty.snapshot"), true).unwrap();
    let mut book = Book::open(at("book.db")).unwrap();
    assert!(exported(&book) != bytes);
    undo(&mut book, None).unwrap();
    assert!(exported(&book) == bytes);

    // A file cut off within the kept one is no snapshot.
    let whole = fs::read(at("book.snapshot")).unwrap();
    let mut reader = SnapshotReader::new(&whole[..]).unwrap();
    let (_, kept) = reader.next_original().unwrap().unwrap();
    let end = whole.windows(kept.len()).position(|part| part == kept).unwrap() + kept.len();
    fs::write(at("cut.snapshot"), &whole[..end - 1]).unwrap();
    assert!(restore(&mut book, &at("cut.snapshot")).is_err());
    assert!(exported(&book) == bytes);
}

/// As of any other format, what stands before the damage is sound.
#[test]
fn leniently_all_nodes_before_the_damage_are_kept() {
    let wide = made::wide();
    let lenient = ReadOptions { lenient: true };
    let read = |bytes: &[u8]| {
        let mut reader = NtestReader::new(bytes, "x.book", lenient).unwrap();
        let mut nodes = Vec::new();
        while let Some((_, node)) = reader.next_node().unwrap() {
            nodes.push(node);
        }
        let noted: Vec<_> = reader.defects().counts().map(|(kind, _)| kind).collect();
        (nodes, noted)
    };
    for bytes in [made::forest(&wide), made::records(&wide, |_| [0; 3], 0)] {
        let (all, noted) = read(&bytes);
        assert_eq!((all.len(), &noted[..]), (wide.len(), &[][..]));
        for length in [8, 9, bytes.len() / 2, bytes.len() - 5, bytes.len() - 4, bytes.len() - 1] {
            let (nodes, noted) = read(&bytes[..length]);
            assert_eq!(nodes, all[..nodes.len()]);
            // The checksum alone may be cut.
            let is_whole = nodes.len() == all.len();
            let expected = [DefectKind::CountDiffers, DefectKind::Truncated];
            assert_eq!(noted, expected[usize::from(is_whole)..], "{length}");
            assert!(nodes.len() * 3 >= all.len() || length < 10, "{length}: {}", nodes.len());
        }
    }
    // A move that nobody can make, behind two nodes.
    let mut bytes = made::forest(&wide);
    let second_child = 8 + 16 + 8 + 1 + 8;
    bytes[second_child] = 64;
    let (nodes, noted) = read(&bytes);
    assert_eq!((nodes.len(), noted), (2, vec![DefectKind::CountDiffers, DefectKind::BadRecord]));
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
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        cut in any::<usize>(),
    ) {
        let tiny = made::tiny();
        let books = [made::forest(&tiny), made::records(&tiny, |_| [0; 3], 0)];
        for bytes in books {
            for cut in [cut, 0] {
                let bytes = mutate(bytes.clone(), &changes, cut);
                for lenient in [false, true] {
                    let options = ReadOptions { lenient };
                    let Ok(mut reader) = NtestReader::new(bytes.as_slice(), "x.book", options)
                    else {
                        continue;
                    };
                    while let Ok(Some(_)) = reader.next_entry("x.book", options) {}
                }
            }
        }
    }
}
