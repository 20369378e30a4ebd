//! What happens to analyses when something is done to a book as a whole.

use std::path::Path;

use rosebill::app::analysis::AnalysisOptions;
use rosebill::app::snapshot::take_snapshot;
use rosebill::app::{
    PruneOptions, compact, merge_files, prune_book, prune_to, restore, salvage_to, undo,
};
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::Source;
use rosebill::othello::search::{Level, Stop};
use rosebill::store::{Book, Reader};
use tempfile::TempDir;

use crate::analysis::{analyse, kept, quick, whole_games};

/// A book with some positions, and analyses of two games of which one is that of all such books.
fn book_with_analyses(path: &Path, seed: u64, options: &AnalysisOptions) -> Book {
    let mut book = Book::create(path).unwrap();
    for engine in ["a", "b", "c"] {
        book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
    }
    grow_scratch(500, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
    book.commit().unwrap();
    drop(book);
    let reader = Reader::open(path).unwrap();
    let mut games = whole_games(100, 1);
    games.extend(whole_games(seed, 1));
    analyse(Some(&reader), &games, options);
    Book::open(path).unwrap()
}

fn assert_sound(book: &Reader) {
    let (graph, analyses) = (book.verify().unwrap(), book.analyses().verify().unwrap());
    assert!(graph.is_sound(), "{:?}", graph.first);
    assert!(analyses.is_sound() && analyses.moves > 0, "{:?}", analyses.first);
}

#[test]
fn what_changes_positions_leaves_analyses_alone() {
    let folder = TempDir::new().unwrap();
    let mut book = book_with_analyses(&folder.path().join("a.db"), 1, &quick());
    let before = (kept(book.reader()), book.reader().analyses().searchers().unwrap());
    let saved = folder.path().join("a.snapshot");
    take_snapshot(book.reader(), &saved).unwrap();
    let options = PruneOptions { max_discs: Some(9), ..PruneOptions::default() };
    type Step<'s> = (&'s str, &'s dyn Fn(&mut Book));
    let steps: [Step<'_>; 5] = [
        ("prune", &|book| {
            assert!(prune_book(book, &options, true).unwrap().going() > 10);
        }),
        ("compact", &|book| assert!(compact(book).unwrap() > 0)),
        ("undo", &|book| {
            undo(book, None).unwrap();
            assert!(book.reader().count_positions().unwrap() > 400);
        }),
        ("clear", &|book| {
            book.clear().unwrap();
            book.commit().unwrap();
        }),
        ("restore", &|book| {
            let source = Source { engine: "d".into(), ..Source::default() };
            assert!(book.source_id(&source).is_ok());
            assert!(restore(book, &saved).unwrap() > 400);
        }),
    ];
    for (name, step) in steps {
        step(&mut book);
        let after = (kept(book.reader()), book.reader().analyses().searchers().unwrap());
        assert!(after == before, "{name} changed analyses");
        assert_sound(book.reader());
    }
}

#[test]
fn analyses_go_along_into_a_part() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let book = book_with_analyses(&path("a.db"), 1, &quick());
    let options = PruneOptions { max_discs: Some(9), ..PruneOptions::default() };
    prune_to(book.reader(), &options, &path("part.db")).unwrap();
    let part = Reader::open(path("part.db")).unwrap();
    assert!(kept(&part) == kept(book.reader()));
    assert_sound(&part);
}

#[test]
fn a_merge_takes_the_stronger_of_two_analyses() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let deeper = AnalysisOptions { level: Level::new(4).unwrap(), ..quick() };
    for (into, from, one, other) in
        [("a.db", "b.db", &quick(), &deeper), ("c.db", "d.db", &deeper, &quick())]
    {
        let mut book = book_with_analyses(&path(into), 2, one);
        let theirs = book_with_analyses(&path(from), 3, other);
        let (mine, theirs) = (kept(book.reader()), kept(theirs.reader()));
        merge_files(&mut book, &[path(from)], false).unwrap();
        assert_sound(book.reader());
        let merged = kept(book.reader());
        let of = |all: &[(rosebill::othello::board::Key, rosebill::store::PositionAnalysis)],
                  key| {
            all.iter().find(|(known, _)| *known == key).map(|(_, analysis)| analysis.clone())
        };
        let mut both = 0;
        for (key, analysis) in &merged {
            let strongest =
                [of(&mine, *key), of(&theirs, *key)].into_iter().flatten().max_by(|one, other| {
                    let (one, other) = (one.strength(), other.strength());
                    if one > other {
                        std::cmp::Ordering::Greater
                    } else if one == other {
                        std::cmp::Ordering::Equal
                    } else {
                        std::cmp::Ordering::Less
                    }
                });
            let strongest = strongest.unwrap();
            assert_eq!(
                (analysis.depth, analysis.selectivity),
                (strongest.depth, strongest.selectivity)
            );
            assert!(strongest.moves.iter().all(|known| {
                analysis.of(known.square).is_some_and(|kept| kept.score == known.score)
            }));
            both += usize::from(of(&mine, *key).is_some() && of(&theirs, *key).is_some());
        }
        assert!(both >= 40 && merged.len() == mine.len() + theirs.len() - both);
        // Once more changes nothing.
        merge_files(&mut book, &[path(from)], false).unwrap();
        assert!(kept(book.reader()) == merged);
    }
}

#[test]
fn analyses_of_a_damaged_book_are_saved() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut book = book_with_analyses(&path("a.db"), 4, &quick());
    let before = kept(book.reader());
    let moves: usize = before.iter().map(|(_, analysis)| analysis.moves.len()).sum();
    book.checkpoint().unwrap();
    drop(book);
    let saved = salvage_to(&path("a.db"), &path("whole.db"), &Stop::new()).unwrap();
    assert_eq!((saved.analysed_moves, saved.meaningless), (moves as u64, 0));
    let whole = Reader::open(path("whole.db")).unwrap();
    assert!(kept(&whole) == before);
    assert_sound(&whole);
    // Any page may be lost, the first one included: what is saved was there, and makes sense.
    let bytes = std::fs::read(path("a.db")).unwrap();
    let mut least = moves as u64;
    for page in 0..bytes.len() / 4096 {
        let mut torn = bytes.clone();
        torn[4096 * page..4096 * (page + 1)].fill(0);
        std::fs::write(path("torn.db"), torn).unwrap();
        let name = format!("saved-{page}.db");
        let Ok(saved) = salvage_to(&path("torn.db"), &path(&name), &Stop::new()) else {
            panic!("nothing is saved without page {page}");
        };
        least = least.min(saved.analysed_moves);
        let reader = Reader::open(path(&name)).unwrap();
        let report = reader.analyses().verify().unwrap();
        assert!(report.is_sound(), "{page}: {:?}", report.first);
        for (key, analysis) in kept(&reader) {
            let known = before.iter().find(|(known, _)| *known == key).unwrap();
            assert!(analysis.moves.iter().all(|found| known.1.moves.contains(found)));
        }
        std::fs::remove_file(path(&name)).unwrap();
    }
    assert!(least < moves as u64 && least > moves as u64 / 3, "{least} of {moves}");
}

#[test]
fn what_does_not_hold_is_told_with_its_number() {
    for (change, invariant) in [
        ("UPDATE analysis SET mover = mover | opponent", "A1"),
        ("UPDATE analysis SET square = 27 WHERE best = 1 AND discs = 20", "A2"),
        ("UPDATE analysis SET best = 0 WHERE discs = 20", "A2"),
        ("UPDATE analysis SET score = 6500 WHERE discs = 20", "A3"),
        ("UPDATE analysis SET score = 111 WHERE discs = 60", "A3"),
        ("UPDATE analysis SET depth = 1 + best WHERE discs = 20", "A4"),
        ("DELETE FROM searcher", "A4"),
        ("UPDATE analysis SET selectivity = 101 WHERE discs = 20", "A1"),
    ] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        drop(book_with_analyses(&path, 5, &quick()));
        let connection = rusqlite::Connection::open(&path).unwrap();
        assert!(connection.execute(change, []).unwrap() > 0, "{change}");
        drop(connection);
        let reader = Reader::open(&path).unwrap();
        let report = reader.analyses().verify().unwrap();
        let found: Vec<String> = report.first.iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|text| text.starts_with(invariant)), "{change}: {found:?}");
        // Whoever analyses again is not misled for ever, and nothing panics.
        let (games, _) = analyse(Some(&reader), &whole_games(5, 1), &quick());
        assert_eq!(games.len(), 1, "{change}");
    }
}
