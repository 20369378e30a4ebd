//! Great changes of a whole book: cut, merge, snapshot, restore, undo.

use std::collections::HashMap;
use std::path::Path;

use proptest::prelude::*;

use crate::dice::Dice;
use crate::graphs::{due_in, estimates, nodes, random_changes, random_searched};
use rosebill::app::snapshot::take_snapshot;
use rosebill::app::{
    LossLimit, PruneOptions, RegretLimits, Subtree, check_prune, merge, plan_prune, prune,
    prune_book, prune_to, redo, restore, undo,
};
use rosebill::files::books::snapshot::{SnapshotError, SnapshotReader};
use rosebill::openbook::{Node, NodeSource, Rest, Searched, Source};
use rosebill::othello::board::{Key, Placed, Position};
use rosebill::othello::score::Score;
use rosebill::othello::search::Proof;
use rosebill::store::{Book, Reader};

/// A random book in which no search is due.
fn random_book(path: &Path, seed: u64, plies: usize, count: usize) -> Book {
    let mut book = random_unfinished_book(path, seed, plies, count);
    let mut dice = Dice(seed ^ 1);
    for key in due_in(book.reader()) {
        let square = book.node(&key).unwrap().unwrap().unlinked().next();
        let score = Score::from_centidiscs(dice.below(900) as i16 - 450);
        let rest = Rest { square, score, proof: Proof::None };
        book.set_rest(key, Some(rest), random_searched(&mut dice)).unwrap();
    }
    book.commit().unwrap();
    book
}

/// A random book in which some searches are due.
pub fn random_unfinished_book(path: &Path, seed: u64, plies: usize, count: usize) -> Book {
    let mut book = Book::create(path).unwrap();
    for engine in ["a", "b", "c"] {
        book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
    }
    for change in estimates(random_changes(seed, plies, count)) {
        if change.adds {
            book.insert(change.key, change.rest, change.searched).unwrap();
        }
    }
    book.commit().unwrap();
    book
}

fn assert_sound(book: &Book) -> Result<(), TestCaseError> {
    let report = book.reader().verify().unwrap();
    prop_assert!(report.is_sound(), "{:?}", report.first);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_stays_after_a_cut_is_worth_the_same(
        seed: u64,
        plies in 0usize..54,
        count in 1usize..200,
        discs in 0u8..12,
        black in proptest::option::of(0i32..600),
        white in proptest::option::of(0i32..600),
        window in proptest::option::of(0i32..600),
        unfinished: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let random_book = if unfinished { random_unfinished_book } else { random_book };
        let mut book = random_book(&folder.path().join("a.db"), seed, plies, count);
        let due_before = book.reader().counts().unwrap().search_due;
        let before = nodes(book.reader());
        let by_key: HashMap<Key, Node> = before.iter().map(|node| (node.key, *node)).collect();
        let root = before[0].key;
        let line_loss = LossLimit { black, white };
        let options = PruneOptions {
            max_discs: Some(root.discs() + discs),
            window,
            only: Some(Subtree::at(Placed::black_to_move(root.position()))),
            limits: RegretLimits { line_loss, ..RegretLimits::default() },
            ..PruneOptions::default()
        };
        let kept = plan_prune(book.reader(), &options).unwrap();
        prop_assert_eq!(&prune_book(&mut book, &options, true).unwrap(), &kept);
        let gone = (before.len() - nodes(book.reader()).len()) as u64;
        let after = nodes(book.reader());
        prop_assert_eq!(gone, kept.going());
        prop_assert_eq!(after.len() as u64, kept.staying());
        prop_assert!(after.iter().any(|node| node.key == root));
        prop_assert!(book.reader().counts().unwrap().search_due <= due_before);
        for node in &after {
            prop_assert!(node.key.discs() <= root.discs() + discs);
            let (before, after) = (by_key[&node.key].values, node.values);
            prop_assert_eq!(after.guess, before.guess);
            // Who wins, or holds the draw, is proven as it was; a size may be lost, never invented.
            prop_assert_eq!(after.lower.signum(), before.lower.signum());
            prop_assert_eq!(after.upper.signum(), before.upper.signum());
            prop_assert!(after.lower <= before.lower && before.upper <= after.upper);
            // A search that is due is not forgotten: it is due, or its move is still to be found.
            if by_key[&node.key].is_incomplete() {
                prop_assert!(node.is_incomplete() || node.rest().unwrap().square.is_none());
            }
        }
        assert_sound(&book)?;
        prop_assert_eq!(book.rebuild_links().unwrap(), 0);
        if gone == 0 {
            return Ok(());
        }
        undo(&mut book, None).unwrap();
        prop_assert_eq!(&nodes(book.reader()), &before);
        assert_sound(&book)?;
        redo(&mut book).unwrap();
        prop_assert_eq!(&nodes(book.reader()), &after);
    }

    #[test]
    fn a_merged_book_is_sound_and_holds_both(seed: u64, plies in 0usize..40, count in 1usize..120) {
        let folder = tempfile::tempdir().unwrap();
        let mut book = random_book(&folder.path().join("a.db"), seed, plies, count);
        // The same growth, further and with other searches.
        let other = random_book(&folder.path().join("b.db"), seed, plies, count * 2);
        let (ours, theirs) = (nodes(book.reader()), nodes(other.reader()));
        let report = merge(&mut book, other.reader()).unwrap();
        book.commit().unwrap();
        assert_sound(&book)?;
        let merged = nodes(book.reader());
        prop_assert_eq!(merged.len() as u64, ours.len() as u64 + report.new);
        prop_assert_eq!(report.new + report.replaced + report.kept, theirs.len() as u64);
        for node in ours.iter().chain(&theirs) {
            prop_assert!(book.node(&node.key).unwrap().is_some());
        }
        // Merged again, nothing changes.
        let again = merge(&mut book, other.reader()).unwrap();
        book.commit().unwrap();
        prop_assert_eq!(again.new, 0);
        prop_assert_eq!(nodes(book.reader()).len(), merged.len());
    }

    #[test]
    fn a_snapshot_holds_the_whole_book(seed: u64, plies in 0usize..58, count in 1usize..200, at: prop::sample::Index) {
        let folder = tempfile::tempdir().unwrap();
        let book = random_book(&folder.path().join("a.db"), seed, plies, count);
        let file = folder.path().join("a.snapshot");
        take_snapshot(book.reader(), &file).unwrap();
        let mut copy = Book::create(folder.path().join("b.db")).unwrap();
        restore(&mut copy, &file).unwrap();
        prop_assert_eq!(nodes(copy.reader()), nodes(book.reader()));
        prop_assert_eq!(copy.reader().sources().unwrap(), book.reader().sources().unwrap());
        assert_sound(&copy)?;
        // One changed byte, or an early end, and the book stays as it was.
        let before = nodes(copy.reader());
        let bytes = std::fs::read(&file).unwrap();
        let at = at.index(bytes.len());
        let mut broken = bytes.clone();
        broken[at] ^= 0x40;
        std::fs::write(&file, &broken).unwrap();
        prop_assert!(restore(&mut copy, &file).is_err());
        std::fs::write(&file, &bytes[..at]).unwrap();
        prop_assert!(restore(&mut copy, &file).is_err());
        prop_assert_eq!(nodes(copy.reader()), before);
    }
}

#[test]
fn other_files_are_no_snapshots() {
    let foreign = |bytes: &[u8]| SnapshotReader::new(bytes).unwrap_err();
    assert!(matches!(foreign(b""), SnapshotError::Foreign));
    assert!(matches!(foreign(b"SQLite format 3\0"), SnapshotError::Foreign));
    assert!(matches!(foreign(b"RSBLSNAP\x09\0\0\0"), SnapshotError::Newer { found: 9 }));
    assert!(matches!(foreign(b"RSBLSNAP\x01\0\0\0"), SnapshotError::Io(_)));
}

#[test]
fn without_a_saved_book_there_is_nothing_to_undo() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let message = undo(&mut book, None).unwrap_err().to_string();
    assert!(message.starts_with("there is nothing to undo"), "{message}");
    let options =
        PruneOptions { only: Some(Subtree::at(Placed::START)), ..PruneOptions::default() };
    assert_eq!(plan_prune(book.reader(), &options).unwrap().going(), 0);
}

#[test]
fn a_cut_into_a_new_file_leaves_the_book_alone() {
    let folder = tempfile::tempdir().unwrap();
    let book = random_book(&folder.path().join("a.db"), 7, 0, 150);
    let before = nodes(book.reader());
    let root = before[0].key;
    let options = PruneOptions {
        max_discs: Some(root.discs() + 3),
        only: Some(Subtree::at(Placed::black_to_move(root.position()))),
        ..PruneOptions::default()
    };
    let target = folder.path().join("b.db");
    let kept = prune_to(book.reader(), &options, &target).unwrap();
    assert!(kept.going() > 0 && kept.staying() > 1);
    assert_eq!(nodes(book.reader()), before);
    let mut files: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('b'))
        .collect();
    files.sort();
    assert_eq!(files, ["b.db"]);
    drop(book);
    let cut = nodes(&Reader::open(&target).unwrap());
    assert!(Reader::open(&target).unwrap().verify().unwrap().is_sound());
    let mut same = Book::open(folder.path().join("a.db")).unwrap();
    let kept = plan_prune(same.reader(), &options).unwrap();
    prune(&mut same, &kept).unwrap();
    assert_eq!(nodes(same.reader()), cut);
    // Neither over another file, nor from a position that is not there.
    assert!(prune_to(same.reader(), &options, &target).is_err());
    let nowhere = Placed::black_to_move(Position { mover: 1, opponent: 2 });
    let absent = PruneOptions { only: Some(Subtree::at(nowhere)), ..options };
    let message = check_prune(same.reader(), &absent).unwrap_err().to_string();
    assert_eq!(message, "the position to keep lines from is not in the book");
}

#[test]
fn what_is_kept_from_a_line_keeps_the_way_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = random_book(&folder.path().join("a.db"), 3, 0, 200);
    let inner = nodes(book.reader()).into_iter().rev().find(|node| node.key.discs() == 8).unwrap();
    let others = |node: &Node| node.key.discs() < 8;
    let way: Vec<Key> =
        nodes(book.reader()).into_iter().filter(others).map(|node| node.key).take(3).collect();
    let placed = Placed::black_to_move(inner.key.position());
    let only = Subtree { placed, way: way.clone() };
    let options = PruneOptions { only: Some(only), ..PruneOptions::default() };
    let kept = check_prune(book.reader(), &options).unwrap();
    prune(&mut book, &kept).unwrap();
    let after: Vec<Key> = nodes(book.reader()).into_iter().map(|node| node.key).collect();
    assert!(way.iter().all(|key| after.contains(key)) && after.contains(&inner.key));
    assert_eq!(after.iter().filter(|key| key.discs() <= 8).count(), 4);
    assert!(book.reader().verify().unwrap().is_sound());
}

/// Neither what nobody could search nor who found what comes back from a saved state, so it stays.
#[test]
fn what_a_fleet_noted_outlasts_a_cut_and_its_undo() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = random_book(&folder.path().join("a.db"), 5, 0, 100);
    let keys: Vec<Key> = nodes(book.reader()).into_iter().map(|node| node.key).collect();
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    book.fleet().note_failed(last, "five died of it", "2026-11-20").unwrap();
    [first, last].iter().for_each(|key| book.fleet().note_worker(*key, "a-1").unwrap());
    book.commit().unwrap();
    let options = PruneOptions { max_discs: Some(first.discs()), ..PruneOptions::default() };
    assert!(prune_book(&mut book, &options, true).unwrap().going() > 0);
    undo(&mut book, None).unwrap();
    assert_eq!(nodes(book.reader()).len(), keys.len());
    assert_eq!(book.reader().fleet().failed().unwrap(), [last]);
    // What somebody else has searched since is not the worker's any more.
    let other = keys[1];
    let node = book.reader().node(&other).unwrap().unwrap();
    book.fleet().note_worker(other, "a-1").unwrap();
    let searched = Searched { depth: node.searched.depth + 1, ..node.searched };
    book.set_rest(other, node.rest(), searched).unwrap();
    let mut found = book.fleet().take_from_worker("a-1").unwrap();
    found.sort_by_key(|key| key.discs());
    assert_eq!(found, [first, last]);
}
