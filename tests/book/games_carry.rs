//! What happens to the games of a book when something is done to the book as a whole.

use std::path::Path;

use rosebill::app::games::verify_games;
use rosebill::app::snapshot::take_snapshot;
use rosebill::app::{PruneOptions, compact, merge_files, prune_book, prune_to, restore, undo};
use rosebill::files::games::{Game, Player};
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::Source;
use rosebill::store::{Book, Reader};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::random_games::{AllGames, all_games, random_game, remove_games, take_games};

/// A book of some positions and games, of which two are gone again; so it has an index.
fn book_with_games(path: &Path, seed: u64, games: usize) -> Book {
    let mut book = Book::create(path).unwrap();
    add_positions(&mut book, 2000);
    let mut dice = Dice(seed);
    let games: Vec<Game> = (0..games).map(|_| random_game(&mut dice)).collect();
    let (one, other) = games.split_at(games.len() / 2);
    take_games(&mut book, "one.jsonl", one);
    take_games(&mut book, "other.jsonl", other);
    remove_games(&mut book, &[3, 17]);
    book
}

fn add_positions(book: &mut Book, positions: u64) {
    for engine in ["a", "b", "c"] {
        book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
    }
    let load = |layer| book.bulk_load(layer).map(|_| ());
    grow_scratch(positions, load).unwrap();
    book.commit().unwrap();
}

fn assert_sound(book: &Reader) {
    let (graph, games) = (book.verify().unwrap(), verify_games(book).unwrap());
    assert!(graph.is_sound(), "{:?}", graph.first);
    assert!(games.is_sound(), "{:?}", games.first);
}

#[test]
fn what_changes_positions_leaves_games_alone() {
    let folder = TempDir::new().unwrap();
    let mut book = book_with_games(&folder.path().join("a.db"), 1, 120);
    let before = all_games(book.reader());
    assert_eq!(before.len(), 118);
    let saved = folder.path().join("a.snapshot");
    take_snapshot(book.reader(), &saved).unwrap();
    let options = PruneOptions { max_discs: Some(12), ..PruneOptions::default() };
    type Step<'s> = (&'s str, &'s dyn Fn(&mut Book));
    let steps: [Step<'_>; 7] = [
        ("prune", &|book| {
            assert!(prune_book(book, &options, true).unwrap().going() > 100);
        }),
        ("compact", &|book| assert!(compact(book).unwrap() > 0)),
        ("undo", &|book| {
            undo(book, None).unwrap();
            assert!(book.reader().count_positions().unwrap() > 1000);
        }),
        ("restore", &|book| assert!(restore(book, &saved).unwrap() > 1000)),
        ("propagate", &|book| {
            book.forget_values().unwrap();
            assert!(book.rebuild_links().unwrap() > 0);
            book.commit().unwrap();
        }),
        ("clear", &|book| {
            book.clear().unwrap();
            book.commit().unwrap();
        }),
        ("load", &|book| {
            let source = Source { engine: "d".into(), ..Source::default() };
            (0..3).for_each(|_| assert!(book.source_id(&source).is_ok()));
            assert!(restore(book, &saved).unwrap() > 1000);
        }),
    ];
    for (name, step) in steps {
        step(&mut book);
        assert!(all_games(book.reader()) == before, "{name}");
        assert_sound(book.reader());
    }
    // A snapshot holds none.
    let mut copy = Book::create(folder.path().join("b.db")).unwrap();
    restore(&mut copy, &saved).unwrap();
    assert_eq!(copy.reader().games().count().unwrap(), 0);
}

#[test]
fn a_part_of_a_book_has_all_its_games() {
    let folder = TempDir::new().unwrap();
    let book = book_with_games(&folder.path().join("a.db"), 2, 90);
    let part = folder.path().join("part.db");
    let options = PruneOptions { max_discs: Some(12), ..PruneOptions::default() };
    prune_to(book.reader(), &options, &part).unwrap();
    let part = Reader::open(part).unwrap();
    assert!(part.counts().unwrap().positions < book.reader().counts().unwrap().positions);
    assert!(all_games(&part) == all_games(book.reader()));
    assert_sound(&part);
}

fn without_numbers(games: AllGames) -> Vec<String> {
    let mut games: Vec<_> = games.into_values().map(|game| format!("{game:?}")).collect();
    games.sort();
    games
}

#[test]
fn merging_brings_games_with_their_collections_and_none_twice() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut dice = Dice(7);
    let mut games: Vec<Game> = Vec::new();
    while games.len() < 200 {
        let game = random_game(&mut dice);
        // Lines that are long enough to tell one game from another.
        if game.moves.len() >= 50 && !games.iter().any(|known| known.moves == game.moves) {
            games.push(game);
        }
    }
    let mut book = Book::create(path("a.db")).unwrap();
    take_games(&mut book, "both.jsonl", &games[..120]);
    let mut other = Book::create(path("b.db")).unwrap();
    // The other book knows who played a game of which nobody here knows it.
    let mut known = games.clone();
    for game in &mut known {
        game.black = Player { name: Some("Murakami Takeshi".to_owned()), rating: None };
    }
    let unnamed = games[..120].iter().filter(|game| game.black.name.is_none()).count();
    assert!(unnamed > 5, "{unnamed}");
    let theirs: Vec<Game> = (100..200)
        .map(|at| if games[at].black.name.is_none() { &known[at] } else { &games[at] }.clone())
        .collect();
    take_games(&mut other, "both.jsonl", &theirs[..50]);
    take_games(&mut other, "theirs.jsonl", &theirs);
    let (before, of_other) = (all_games(book.reader()), all_games(other.reader()));
    drop(other);
    let report = merge_files(&mut book, &[path("b.db")], true).unwrap();
    let merged = report[0].games;
    let richer = games[100..120].iter().filter(|game| game.black.name.is_none()).count() as u64;
    assert!(richer > 0);
    assert_eq!((merged.new, merged.known, merged.richer), (80, 20 - richer, richer));
    let all = all_games(book.reader());
    assert_eq!(all.len(), 200);
    for (number, (row, sources)) in &all {
        match before.get(number) {
            // What was there keeps its number and its moves.
            Some((known, _)) => assert_eq!((&known.moves, known.start), (&row.moves, row.start)),
            None => assert!(of_other.values().any(|(other, _)| other == row), "{row:?}"),
        }
        let of_both = (100..150).contains(number);
        let expected: &[&str] = match number {
            0..100 => &["both.jsonl"],
            _ if of_both => &["both.jsonl", "theirs.jsonl"],
            _ => &["theirs.jsonl"],
        };
        assert_eq!(sources, expected, "{number}");
    }
    assert_sound(book.reader());
    // Once more brings nothing, and undo takes no games back.
    let again = merge_files(&mut book, &[path("b.db")], true).unwrap();
    let again = again[0].games;
    assert_eq!((again.new, again.known, again.richer), (0, 100, 0));
    assert!(all_games(book.reader()) == all);
    undo(&mut book, None).unwrap();
    assert!(all_games(book.reader()) == all);
    // Into an empty book: the same games from the same collections.
    let mut empty = Book::create(path("c.db")).unwrap();
    merge_files(&mut empty, &[path("a.db"), path("b.db")], false).unwrap();
    let merged = all_games(empty.reader());
    assert_eq!(without_numbers(merged), without_numbers(all));
    assert_sound(empty.reader());
}

/// A merge that fails brings no games either.
#[test]
fn a_merge_is_whole_or_nothing() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut book = book_with_games(&path("a.db"), 4, 40);
    drop(book_with_games(&path("b.db"), 5, 60));
    drop(book_with_games(&path("c.db"), 6, 60));
    let mut bytes = std::fs::read(path("c.db")).unwrap();
    let pages = bytes.len() / 4096;
    bytes[4096 * 2..4096 * (pages - 2)].fill(0);
    std::fs::write(path("c.db"), bytes).unwrap();
    let before = all_games(book.reader());
    merge_files(&mut book, &[path("b.db"), path("c.db")], false).unwrap_err();
    assert!(all_games(book.reader()) == before);
    assert_sound(book.reader());
}
