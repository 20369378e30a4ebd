//! The book file as a program uses it.

use crate::graphs::nodes;
use rosebill::app::{PruneOptions, check_prune};
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::{
    Evidence, Inserted, MoveMask, NodeSource, Rest, Searched, Source, SourceId,
};
use rosebill::othello::board::{Key, Position};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Proof, Selectivity};
use rosebill::store::{Book, NewNode, Reader, StoreError};

fn searched() -> Searched {
    Searched { depth: 10, selectivity: Selectivity::FULL, source: SourceId(0) }
}

fn rest(square: &str, centidiscs: i16) -> Option<Rest> {
    Some(Rest {
        square: Some(square.parse().unwrap()),
        score: Score::from_centidiscs(centidiscs),
        proof: Proof::None,
    })
}

#[test]
fn what_is_committed_is_there_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let start = Key::of(Position::START);
    let first = start.position().legal_moves().next().unwrap();
    let (child, _) = rosebill::openbook::child_of(start.position(), first).unwrap();
    let other = child.position().legal_moves().next().unwrap();
    {
        let mut book = Book::create(&path).unwrap();
        assert_eq!(book.source_id(&Source::default()).unwrap(), SourceId(0));
        let inserted = book.insert(start, rest(&first.to_string(), 50), searched()).unwrap();
        assert_eq!(inserted, Inserted::New);
        book.commit().unwrap();
        // All four first moves lead to one node: the start has no move left for a rest.
        let reader = Reader::open(&path).unwrap();
        book.insert(child, rest(&other.to_string(), 125), searched()).unwrap();
        assert_eq!(reader.counts().unwrap().positions, 1);
        book.commit().unwrap();
        assert_eq!(reader.counts().unwrap().positions, 2);
        let node = reader.node(&start).unwrap().unwrap();
        assert_eq!(node.values.guess, Score::from_centidiscs(-125));
        assert_eq!((node.rest(), node.links.bits(), node.is_incomplete()), (None, 0b1111, false));
        let locked = Book::open(&path).err();
        assert!(matches!(&locked, Some(StoreError::Locked { .. })));
        assert!(locked.is_some_and(|error| error.is_busy()));
        book.set_rest(child, rest(&other.to_string(), -300), searched()).unwrap();
    }
    let mut book = Book::open(&path).unwrap();
    let node = book.node(&start).unwrap().unwrap();
    assert_eq!(node.values.guess, Score::from_centidiscs(-125));
    assert_eq!(book.sweep().unwrap(), 0);
    assert_eq!(book.rebuild_links().unwrap(), 0);
}

fn error(result: Result<Book, StoreError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn a_missing_book_is_not_made_by_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    let message = error(Book::open(&path));
    assert!(message.contains("no book at"), "{message}");
    assert!(Reader::open(&path).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let nowhere = folder.path().join("no/such/folder.db");
    assert!(error(Book::create(&nowhere)).starts_with("cannot create"));
}

#[test]
fn foreign_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
    let text = folder.path().join("text.db");
    std::fs::write(&text, "EDAX but not ours").unwrap();
    let snapshot = folder.path().join("snapshot.db");
    std::fs::write(&snapshot, "RSBLSNAP").unwrap();
    let empty = folder.path().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    let cases = [
        (other.as_path(), "it is another program's SQLite file"),
        (text.as_path(), "it is not an SQLite file"),
        (snapshot.as_path(), "it is a snapshot of one"),
        (empty.as_path(), "the file is empty"),
        (folder.path(), "it is a folder"),
    ];
    for (path, expected) in cases {
        let before = std::fs::read(path).ok();
        for message in [error(Book::open(path)), Reader::open(path).err().unwrap().to_string()] {
            assert!(message.contains(expected), "{message}");
        }
        assert!(error(Book::create(path)).ends_with("exists already"));
        assert_eq!(std::fs::read(path).ok(), before);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn newer_unreleased_and_broken_books_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(Book::create(&path).unwrap());
    for version in (1..=6).chain([99]) {
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
        connection.close().unwrap();
        for message in [error(Book::open(&path)), Reader::open(&path).err().unwrap().to_string()] {
            let expected = match version {
                99 => "was made by a newer rosebill (version 99".to_owned(),
                _ => format!("has schema {version}, which no released rosebill made"),
            };
            assert!(message.contains(&expected), "{message}");
        }
    }
    let short = folder.path().join("short.db");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&short, &bytes[..60]).unwrap();
    let message = error(Book::open(&short));
    assert!(message.contains("is damaged: the file ends after 60 bytes"), "{message}");
}

#[test]
fn the_second_writer_hears_of_the_first_and_readers_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    let key = Key::of(Position::START);
    book.insert(key, rest("d3", 0), searched()).unwrap();
    let message = error(Book::open(&path));
    let expected = format!("is being written by process {}", std::process::id());
    assert!(message.ends_with(&expected), "{message}");
    assert_eq!(Reader::open(&path).unwrap().counts().unwrap().positions, 0);
    book.commit().unwrap();
    drop(book);
    assert_eq!(Book::open(&path).unwrap().reader().counts().unwrap().positions, 1);
}

#[test]
fn what_no_book_may_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let key = Key::of(Position::START);
    let illegal = book.insert(key, rest("a1", 0), searched()).unwrap_err().to_string();
    assert!(illegal.contains("the best move a1"), "{illegal}");
    let full = Key::of(Position { mover: u64::MAX, opponent: 0 });
    assert!(book.insert(full, None, searched()).unwrap_err().to_string().contains("no move"));
    // A bulk load that fails takes nothing.
    let new = |key, rest| NewNode {
        key,
        rest,
        searched: searched(),
        left_out: MoveMask::NONE,
        held: None,
    };
    let good = new(key, rest("d3", 0));
    let bad = new(key, rest("a1", 0));
    assert!(book.bulk_load([good, bad]).is_err());
    book.commit().unwrap();
    assert_eq!(book.reader().counts().unwrap().positions, 0);
}

#[test]
fn runs_sources_and_facts_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    let source = Source { engine: "edax".into(), format: "edax".into(), ..Source::default() };
    assert_eq!(book.source_id(&Source::default()).unwrap(), SourceId(0));
    assert_eq!(book.source_id(&source).unwrap(), SourceId(1));
    assert_eq!(book.source_id(&source).unwrap(), SourceId(1));
    let run = book.start_run("grow --time 60s", "2026-11-20T19:30:00Z").unwrap();
    book.note_progress(run, "12 positions").unwrap();
    book.end_run(run, "2026-11-20T19:31:00Z", "done").unwrap();
    book.set_meta("name", "a").unwrap();
    book.set_meta("name", "b").unwrap();
    book.commit().unwrap();
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.meta("name").unwrap().as_deref(), Some("b"));
    assert_eq!(reader.sources().unwrap()[1].source, source);
    let runs = reader.runs().unwrap();
    assert_eq!(
        (runs[0].progress.as_str(), runs[0].result.as_deref()),
        ("12 positions", Some("done"))
    );
}

/// The view counts plies by itself: it has no function of ours.
#[test]
fn the_view_says_which_search_is_as_sure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(Book::create(&path).unwrap());
    let connection = rusqlite::Connection::open(&path).unwrap();
    let insert = "INSERT INTO node (discs, mover, opponent, guess, rest, links) VALUES (?1, ?2, 0, 0, ?3, 0)";
    let errors = || (0..=1_023_u16).filter(|error| *error < 300 || error % 17 == 0);
    for discs in [4_u8, 18, 19, 44, 45, 56, 60, 63] {
        for error in errors() {
            let rest = i64::MIN | i64::from(error) << 40 | 64;
            connection.execute(insert, (discs, error, rest)).unwrap();
        }
    }
    let sql = "SELECT discs, CAST(round(evidence * 100) AS INTEGER), evidence_plies FROM book";
    let mut asked = connection.prepare(sql).unwrap();
    let rows = asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let mut found = 0;
    for row in rows {
        let (discs, error, plies): (u8, u16, u8) = row.unwrap();
        let expected = Evidence::of_hundredths(error).unwrap().plies(64 - discs);
        assert_eq!(plies, expected, "{discs} discs, {error}");
        found += 1;
    }
    assert_eq!(found, 8 * errors().count());
}

/// Any SQLite tool can ask the book; what it says of the columns is tested where they are packed.
#[test]
fn the_view_draws_boards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    book.insert(Key::of(Position::START), rest("d3", 0), searched()).unwrap();
    book.commit().unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT discs || ' ' || mover || ' ' || opponent || ' ' || board FROM book";
    let text: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    let board = "---------------------------OX------XO---------------------------";
    assert_eq!(text, format!("4 0000000810000000 0000001008000000 {board}"));
}

/// Readers go on with what they saw, and nothing is left beside the book.
#[test]
fn a_book_is_written_anew_beside_those_who_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    for engine in ["a", "b", "c"] {
        book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
    }
    grow_scratch(20_000, |layer| book.bulk_load(layer).map(drop)).unwrap();
    book.checkpoint().unwrap();
    let size = || std::fs::metadata(&path).unwrap().len();
    let (before, whole) = (nodes(book.reader()), size());
    let reader = Reader::open(&path).unwrap();
    let seen = reader.snapshot().unwrap();
    assert_eq!(seen.counts().unwrap().positions, before.len() as u64);
    let few = PruneOptions { max_discs: Some(9), ..PruneOptions::default() };
    let kept = check_prune(book.reader(), &few).unwrap();
    book.retain(&kept).unwrap();
    let after = nodes(book.reader());
    assert!(after.len() * 2 < before.len(), "{} of {}", after.len(), before.len());
    book.compact().unwrap();
    assert!(nodes(&seen) == before, "a reader's view changed");
    drop(seen);
    assert!(nodes(&reader) == after && nodes(book.reader()) == after);
    // The log goes into the file when nobody reads what was before.
    book.checkpoint().unwrap();
    assert!(size() * 2 < whole, "{} of {whole}", size());
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("a.db"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    drop((reader, book));
    let mut book = Book::open(&path).unwrap();
    assert!(book.reader().verify().unwrap().is_sound());
    book.set_meta("name", "still written").unwrap();
    book.commit().unwrap();
    assert!(nodes(&Reader::open(&path).unwrap()) == after);
}

/// Who looks at a book that cannot be written leaves files of the same mode beside it.
#[cfg(unix)]
#[test]
fn a_book_made_writable_again_can_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    drop(Book::create(&path).unwrap());
    let left = folder.path().join("a.db-shm");
    std::fs::write(&left, b"").unwrap();
    std::fs::set_permissions(&left, std::fs::Permissions::from_mode(0o444)).unwrap();
    let book = Book::open(&path).unwrap();
    assert!(!left.metadata().unwrap().permissions().readonly());
    drop(book);
}
