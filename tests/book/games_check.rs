//! The tables of games as other programs see them, and what `verify` says of them. The index is
//! compared with what a slow replay by other code finds.

use std::collections::{BTreeMap, BTreeSet};

use rosebill::app::games::verify_games;
use rosebill::app::{merge_files, salvage_to};
use rosebill::files::games::{Entry, Game, Identity};
use rosebill::othello::board::{Line, Placed, Side, Square};
use rosebill::store::{Book, Reader};
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::random_games::{all_games, random_game, random_line, remove_games, take_games};

/// A folder with a book of random games, four of them gone again.
fn book_of(games: &[Game]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let (one, other) = games.split_at(games.len() / 3);
    take_games(&mut book, "one.jsonl", one);
    take_games(&mut book, "other.jsonl", other);
    remove_games(&mut book, &[0, 7, 8, 40]);
    // Not in the index.
    let mut dice = Dice(77);
    take_games(&mut book, "late.jsonl", &[random_game(&mut dice), random_game(&mut dice)]);
    folder
}

fn random_games(seed: u64, count: usize) -> Vec<Game> {
    let mut dice = Dice(seed);
    (0..count).map(|_| random_game(&mut dice)).collect()
}

/// As another program does.
fn open(folder: &TempDir) -> Connection {
    let path = folder.path().join("book.db");
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// A board of 64 characters `X`, `O` and `-`, and a move by its index; all slow and plain.
type Board = Vec<char>;

fn flips(board: &Board, at: usize, own: char, other: char) -> Vec<usize> {
    let (column, row) = ((at % 8) as i32, (at / 8) as i32);
    let mut all = vec![];
    if board[at] != '-' {
        return all;
    }
    for (right, down) in [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)] {
        let mut run = vec![];
        for step in 1..8 {
            let (x, y) = (column + right * step, row + down * step);
            if !(0..8).contains(&x) || !(0..8).contains(&y) {
                break;
            }
            let square = (y * 8 + x) as usize;
            if board[square] == other {
                run.push(square);
            } else {
                if board[square] == own {
                    all.extend(run);
                }
                break;
            }
        }
    }
    all
}

fn can_move(board: &Board, own: char, other: char) -> bool {
    (0..64).any(|at| !flips(board, at, own, other).is_empty())
}

/// Where a square goes in each of the eight orientations.
fn turned(at: usize, orientation: usize) -> usize {
    let (mut x, mut y) = (at % 8, at / 8);
    if orientation & 1 != 0 {
        x = 7 - x;
    }
    if orientation & 2 != 0 {
        y = 7 - y;
    }
    if orientation & 4 != 0 {
        (x, y) = (y, x);
    }
    y * 8 + x
}

/// The positions of a game with its moves: discs, the two boards in the orientation with the smallest
/// numbers, the move there (of several the first), and whether Black made it.
fn slow_replay(start: &str, moves: &[u8]) -> Vec<((u32, u64, u64), u8, bool)> {
    let mut board: Board = start.chars().take(64).collect();
    let (mut own, mut other) = if start.ends_with('X') { ('X', 'O') } else { ('O', 'X') };
    let mut all = vec![];
    for &at in moves {
        let at = usize::from(at);
        if !can_move(&board, own, other) {
            (own, other) = (other, own);
        }
        let flipped = flips(&board, at, own, other);
        assert!(!flipped.is_empty(), "{board:?} {at}");
        let images = (0..8).map(|orientation| {
            let set = |which: char| -> u64 {
                (0..64)
                    .filter(|&at| board[at] == which)
                    .map(|at| 1 << turned(at, orientation))
                    .sum()
            };
            ((set(own), set(other)), turned(at, orientation) as u8)
        });
        let ((mover, opponent), square) = images.min().unwrap();
        let discs = mover.count_ones() + opponent.count_ones();
        all.push(((discs, mover, opponent), square, own == 'X'));
        board[at] = own;
        flipped.into_iter().for_each(|at| board[at] = own);
        (own, other) = (other, own);
    }
    all
}

const START: &str = "---------------------------OX------XO---------------------------X";

fn start_text(start: Placed) -> String {
    let (x, o) = match start.side {
        Side::Black => (start.position.mover, start.position.opponent),
        Side::White => (start.position.opponent, start.position.mover),
    };
    let disc = |at: u32| match (x >> at & 1, o >> at & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    };
    let side = if start.side == Side::Black { 'X' } else { 'O' };
    (0..64).map(disc).chain([side]).collect()
}

type Visits = BTreeMap<((u32, u64, u64), u8), Vec<(u32, bool)>>;

/// What the index must hold: moves at positions that two games or more came through.
fn slow_index(games: &[Game]) -> Visits {
    let (mut visits, mut here) = (Visits::new(), BTreeMap::<_, BTreeSet<u32>>::new());
    for (number, game) in games.iter().enumerate().filter(|(at, _)| ![0, 7, 8, 40].contains(at)) {
        let moves: Vec<u8> = game.moves.iter().map(|square| square.number()).collect();
        let number = number as u32;
        for (place, square, black) in slow_replay(&start_text(game.start), &moves) {
            visits.entry((place, square)).or_default().push((number, black));
            here.entry(place).or_default().insert(number);
        }
    }
    visits.retain(|(place, _), _| here[place].len() > 1);
    visits
}

/// The index as it is stored, unpacked by other code.
fn stored_index(connection: &Connection) -> Visits {
    let mut statement = connection
        .prepare("SELECT discs, mover, opponent, square, games, list FROM game_move")
        .unwrap();
    let rows = statement.query_map([], |row| {
        let (mover, opponent): (i64, i64) = (row.get(1)?, row.get(2)?);
        let place = ((row.get(0)?, mover as u64, opponent as u64), row.get(3)?);
        let (games, list): (i64, Vec<u8>) = (row.get(4)?, row.get(5)?);
        let (mut last, mut number, mut shift, mut found) = (0u64, 0u64, 0, vec![]);
        for byte in list {
            number += u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                last += number;
                found.push(((last / 2) as u32, last % 2 == 1));
                (number, shift) = (0, 0);
            }
        }
        assert!(found.is_sorted_by(|one, next| one.0 < next.0), "{found:?}");
        assert_eq!(found.len() as i64, games);
        Ok((place, found))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

#[test]
fn the_index_is_what_a_slow_replay_finds() {
    let games = random_games(21, 300);
    let folder = book_of(&games);
    let (stored, expected) = (stored_index(&open(&folder)), slow_index(&games));
    assert!(expected.len() > 500, "{}", expected.len());
    let passes = games.iter().filter(|game| {
        let sides: Vec<bool> = slow_replay(
            &start_text(game.start),
            &game.moves.iter().map(|at| at.number()).collect::<Vec<_>>(),
        )
        .iter()
        .map(|visit| visit.2)
        .collect();
        sides.windows(2).any(|two| two[0] == two[1])
    });
    assert!(passes.count() > 20);
    assert_eq!(start_text(Placed::START), START);
    assert!(stored == expected, "{} rows, {} expected", stored.len(), expected.len());
    let reader = Reader::open(folder.path().join("book.db")).unwrap();
    let report = verify_games(&reader).unwrap();
    assert!(report.is_sound() && report.games == 298, "{:?}", report.first);
}

/// Each kind of damage that SQLite knows nothing of is named.
#[test]
fn what_does_not_hold_is_told() {
    let games = random_games(22, 120);
    for (sql, expected) in [
        ("UPDATE game SET moves = x'0000' WHERE id = 20", "G1"),
        ("UPDATE game SET moves = CAST(x'7f' || moves AS BLOB) WHERE id = 20", "G1"),
        ("UPDATE game SET black_discs = 65 - black_discs WHERE id > 20", "G1"),
        ("UPDATE game SET year = 99999 WHERE id = 20", "G1"),
        ("UPDATE game SET start = 'none' WHERE id = 20", "G1"),
        ("UPDATE game SET fingerprint = fingerprint + 1 WHERE id = 20", "G2"),
        ("DELETE FROM game_source WHERE game = 20", "G3"),
        ("INSERT INTO game_source (collection, game) VALUES (1, 5000)", "G3"),
        ("DELETE FROM collection WHERE id = 2", "G3"),
        ("DELETE FROM player WHERE id = 1", "G4"),
        ("UPDATE game SET event = 77 WHERE id = 20", "G4"),
        ("DELETE FROM game WHERE id = 20", "G5"),
        ("UPDATE game SET year = 1066 WHERE id = 20", "G5"),
        ("UPDATE game_facts SET games = games + 1", "G5"),
        ("UPDATE game_facts SET facts = zeroblob(length(facts))", "G5"),
        ("UPDATE game_facts SET block = 4000000000", "G5"),
        ("DELETE FROM game_facts", "G5"),
        ("DELETE FROM game_move WHERE discs = 4", "G6"),
        ("UPDATE game_move SET square = 63 WHERE discs = 4", "G6"),
        ("INSERT INTO game_move VALUES (64, 1, 2, 3, 1, x'02')", "G6"),
        ("UPDATE meta SET value = '60' WHERE name = 'games_indexed'", "G6"),
        ("UPDATE game_move SET list = substr(list, 2) WHERE discs = 4", "G7"),
        ("UPDATE game_move SET list = CAST(x'0400' || list AS BLOB) WHERE discs = 4", "G7"),
        ("UPDATE game_move SET games = games + 1 WHERE discs = 5", "G7"),
    ] {
        let folder = book_of(&games);
        let path = folder.path().join("book.db");
        let changed = Connection::open(&path).unwrap().execute(sql, []).unwrap();
        assert!(changed > 0, "{sql} changed nothing");
        let report = verify_games(&Reader::open(&path).unwrap()).unwrap();
        let found: BTreeSet<String> =
            report.first.iter().map(|violation| violation.invariant.to_string()).collect();
        assert!(found.contains(expected), "{sql}: {:?}", report.first);
        assert!(!report.is_sound());
    }
}

/// A program that knows nothing of ours reads games with their names, and moves as they were
/// recorded.
#[test]
fn other_programs_read_games_and_their_moves() {
    let games = random_games(23, 60);
    let folder = book_of(&games);
    let connection = open(&folder);
    let mut moves = connection
        .prepare("SELECT ply, move FROM game_moves WHERE game = ?1 ORDER BY ply")
        .unwrap();
    let mut passes = 0;
    for (number, game) in games.iter().enumerate().filter(|(at, _)| ![0, 7, 8, 40].contains(at)) {
        let found: Vec<(usize, String)> = moves
            .query_map([number as i64], |row| Ok((row.get::<_, i64>(0)? as usize, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let expected: Vec<(usize, String)> =
            (1..).zip(game.moves.iter().map(|square| square.to_string())).collect();
        assert_eq!(found, expected, "{number}");
        passes += usize::from(game.moves.len() < 60);
        let row = connection
            .query_row(
                "SELECT black, white, year, event, plies, black_discs, black_rating, sources, start, xot \
                 FROM games WHERE id = ?1",
                [number as i64],
                |row| {
                    Ok((
                        (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?),
                        (row.get::<_, i64>(4)?, row.get(5)?, row.get::<_, Option<f64>>(6)?),
                        row.get::<_, String>(7)?,
                        row.get::<_, Option<String>>(8)?,
                        row.get::<_, bool>(9)?,
                    ))
                },
            )
            .unwrap();
        let (names, (plies, discs, rating), sources, start, xot) = row;
        let year = game.date.map(rosebill::files::games::Date::year);
        assert_eq!(
            names,
            (game.black.name.clone(), game.white.name.clone(), year, game.event.clone())
        );
        assert_eq!((plies, discs), (game.moves.len() as i64, game.black_discs));
        assert_eq!(rating, game.black.rating);
        assert!(sources.ends_with(if number < 20 { "one.jsonl" } else { "other.jsonl" }));
        let expected = game.xot.then(|| start_text(game.start));
        let start = start.map(|start| start.replace(' ', ""));
        assert_eq!((start, xot), (expected, game.xot));
    }
    assert!(passes > 3, "{passes}");
    // What a user asks in SQL: all at once, too.
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let late = "SELECT sum(plies) FROM games WHERE id >= 60";
    let all: usize = games
        .iter()
        .enumerate()
        .filter(|(at, _)| ![0, 7, 8, 40].contains(at))
        .map(|(_, game)| game.moves.len())
        .sum();
    assert_eq!(count("SELECT count(*) FROM game_moves"), all as i64 + count(late));
    assert_eq!(count("SELECT count(*) FROM games"), 58);
    connection.execute("DELETE FROM game", []).unwrap_err();
}

/// A book of schema 7: there a game that was mirrored at a symmetric position was another one.
#[test]
fn fingerprints_of_an_older_book_become_those_of_today() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let diagonal: Line = "e6f6f5f4e3c5c4e7c6e2".parse().unwrap();
    let rest = random_line(&mut Dice(5), diagonal.end().unwrap(), 40);
    let of_moves = |moves: Vec<Square>| {
        let entries: Vec<Entry> = moves.into_iter().map(Entry::from).collect();
        let mut game = Game { source: "old".to_owned(), ..Game::default() };
        game.set_moves(&entries).unwrap();
        game
    };
    let stored = of_moves(diagonal.squares().chain(rest).collect());
    let twin = of_moves(Identity::of(&stored).moves().collect());
    assert!(twin.moves.len() >= 40 && twin.moves[3] == "f4".parse().unwrap());
    let ordinary = random_games(9, 3);
    let mut book = Book::create(path("book.db")).unwrap();
    take_games(&mut book, "old.jsonl", std::slice::from_ref(&stored));
    take_games(&mut book, "others.jsonl", &ordinary);
    let today: Vec<u64> =
        all_games(book.reader()).values().map(|(row, _)| row.fingerprint).collect();
    book.checkpoint().unwrap();
    drop(book);
    let older = Identity::older_fingerprint(Placed::START, &stored.moves).cast_signed();
    let connection = Connection::open(path("book.db")).unwrap();
    connection.execute_batch("DROP TABLE undo_entry; DROP TABLE undo_image").unwrap();
    connection.execute_batch("DROP VIEW games; ALTER TABLE game DROP COLUMN remarks").unwrap();
    connection.pragma_update(None, "user_version", 7).unwrap();
    connection.execute("UPDATE game SET fingerprint = ?1 WHERE id = 0", [older]).unwrap();
    // Damage stays what it is.
    connection.execute("UPDATE game SET fingerprint = 5 WHERE id = 2", []).unwrap();
    connection.close().unwrap();
    std::fs::copy(path("book.db"), path("damaged.db")).unwrap();
    let connection = Connection::open(path("book.db")).unwrap();
    let whole = today[2].cast_signed();
    connection.execute("UPDATE game SET fingerprint = ?1 WHERE id = 2", [whole]).unwrap();
    connection.close().unwrap();
    let fingerprints = |book: &Reader| -> Vec<u64> {
        all_games(book).values().map(|(row, _)| row.fingerprint).collect()
    };

    // Who only reads finds it sound, and takes its games for what they are.
    let reader = Reader::open(path("book.db")).unwrap();
    let report = verify_games(&reader).unwrap();
    assert!(report.is_sound() && report.games == 4, "{:?}", report.first);
    drop(reader);
    let mut other = Book::create(path("other.db")).unwrap();
    take_games(&mut other, "twin.jsonl", std::slice::from_ref(&twin));
    merge_files(&mut other, &[path("book.db")], false).unwrap();
    assert_eq!(other.reader().games().count().unwrap(), 4);
    let saved =
        salvage_to(&path("book.db"), &path("saved.db"), &rosebill::othello::search::Stop::new())
            .unwrap();
    assert_eq!(saved.games, 4);
    assert_eq!(fingerprints(&Reader::open(path("saved.db")).unwrap()), today);

    // Who writes brings the fingerprints of today, and the game is there however it is turned.
    let mut book = Book::open(path("book.db")).unwrap();
    assert_eq!(fingerprints(book.reader()), today);
    for again in [&stored, &twin] {
        let report = take_games(&mut book, "again.jsonl", std::slice::from_ref(again));
        assert_eq!((report.files[0].new, report.files[0].known), (0, 1));
    }
    let kept = all_games(book.reader());
    assert_eq!((kept.len(), &kept[&0].0.moves[..4]), (4, &[44, 45, 37, 29][..]));
    assert!(verify_games(book.reader()).unwrap().is_sound());
    let damaged = Book::open(path("damaged.db")).unwrap();
    let report = verify_games(damaged.reader()).unwrap();
    let found: Vec<String> = report.first.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&found[..], [one] if one.starts_with("G2") && one.ends_with("game 2")),
        "{found:?}"
    );
}
