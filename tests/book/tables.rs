//! The tables that a book is exported to: what they say is what the program itself says, counted otherwise.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use rosebill::app::export::{ExportFilter, ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::games::{GameDatabase, GameFilter, game_stats};
use rosebill::app::{Depth, GrowOptions, ShowOptions, grow, show};
use rosebill::files::books::Format;
use rosebill::files::games::Game;
use rosebill::openbook::Values;
use rosebill::othello::board::{Key, Line, Placed, Position, Square, parse_board};
use rosebill::othello::eval::PatternEvaluator;
use rosebill::othello::search::{Level, Stop};
use rosebill::store::{Book, Reader};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::analysis::{analyse, quick};
use crate::dice::Dice;
use crate::graphs::random_changes;
use crate::random_games::{random_game, take_games};

/// A grown book with other positions and games, some of which are analysed.
struct Desk {
    folder: TempDir,
    book: Reader,
}

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let depth = Depth::Level(Level::new(2).unwrap());
        let grown = GrowOptions { depth, positions: Some(120), ..GrowOptions::default() };
        let evaluator = PatternEvaluator::embedded().unwrap();
        grow(&mut book, &evaluator, &grown, &Stop::new(), &mut |_| ()).unwrap();
        // Below a board of many discs, where there are passes, ends and held moves.
        let source = book.reader().sources().unwrap()[0].id;
        let deep = random_changes(7, 38, 400).into_iter().chain(random_changes(8, 54, 60));
        for mut change in deep {
            change.searched.source = source;
            if change.adds {
                book.insert(change.key, change.rest, change.searched).unwrap();
            }
        }
        book.commit().unwrap();
        let mut dice = Dice(5);
        let games: Vec<Game> = (0..60).map(|_| random_game(&mut dice)).collect();
        take_games(&mut book, "games.jsonl", &games);
        drop(book);
        let book = Reader::open(folder.path().join("book.db")).unwrap();
        analyse(Some(&book), &games[..2], &quick());
        Self { folder, book }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, options: &ExportOptions) -> ExportReport {
        let target = ExportTarget::of(&self.path(name));
        export(&self.book, &target, options, |_| ()).unwrap()
    }

    fn tables(&self) -> Connection {
        self.write("book.sqlite", &ExportOptions::new(Format::Tables));
        Connection::open(self.path("book.sqlite")).unwrap()
    }
}

fn count(tables: &Connection, sql: &str) -> i64 {
    tables.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

#[test]
fn tables_hold_together_and_are_the_same_each_time() {
    let desk = Desk::new();
    let report = desk.write("a.sqlite", &ExportOptions::new(Format::Tables));
    assert_eq!(report.positions, desk.book.count_positions().unwrap());
    let bytes = fs::read(desk.path("a.sqlite")).unwrap();
    assert_eq!(report.bytes, bytes.len() as u64);
    // Another one may take its place, and is the same.
    desk.write("a.sqlite", &ExportOptions::new(Format::Tables));
    assert!(bytes == fs::read(desk.path("a.sqlite")).unwrap());
    let tables = Connection::open(desk.path("a.sqlite")).unwrap();
    let text = |sql: &str| tables.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("PRAGMA integrity_check"), "ok");
    assert!(!tables.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());
    assert_eq!(count(&tables, "PRAGMA user_version"), 1);
    let identity = desk.book.identity().unwrap().unwrap();
    assert_eq!(text("SELECT value FROM about WHERE name = 'book'"), identity);
    for (table, rows) in &report.rows {
        assert_eq!(count(&tables, &format!("SELECT count(*) FROM {table}")), *rows as i64);
        assert!(*rows > 0, "{table}");
    }
    let of_book = count(&tables, "SELECT count(*) FROM positions WHERE in_book = 1");
    assert_eq!(of_book as u64, report.positions);
    assert_eq!(count(&tables, "SELECT count(*) FROM games") as u64, {
        desk.book.games().count().unwrap()
    });
    // A child is null only where it is in no table.
    let lost = "SELECT count(*) FROM game_positions AS one JOIN game_positions AS next
                ON next.game = one.game AND next.ply = one.ply + 1
                JOIN moves ON moves.position = one.position AND moves.move = one.stored_move
                WHERE child IS NOT next.position OR same_side <> (one.side = next.side)";
    assert_eq!(count(&tables, lost), 0);
    assert!(count(&tables, "SELECT count(*) FROM moves WHERE same_side = 1") > 0);
}

#[test]
fn other_files_are_not_replaced() {
    let desk = Desk::new();
    let options = ExportOptions::new(Format::Tables);
    let other = desk.path("other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
    Book::create(desk.path("second.db")).unwrap();
    for name in ["book.db", "second.db", "other.sqlite"] {
        let before = fs::read(desk.path(name)).unwrap();
        let target = ExportTarget::of(&desk.path(name));
        export(&desk.book, &target, &options, |_| ()).unwrap_err();
        assert!(before == fs::read(desk.path(name)).unwrap(), "{name}");
    }
    assert!(Reader::open(desk.path("book.db")).is_ok());
}

#[test]
fn values_and_losses_are_those_that_are_shown() {
    let desk = Desk::new();
    let tables = desk.tables();
    type Row = (String, String, f64, f64, f64, i8, i8, f64);
    let mut of_moves: BTreeMap<i64, Vec<Row>> = BTreeMap::new();
    let sql = "SELECT position, move, known_by, value, draw_seeking, win_seeking, lower, upper, loss FROM moves
               WHERE known_by IS NOT NULL";
    let mut statement = tables.prepare(sql).unwrap();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let found = (
            row.get(1).unwrap(),
            row.get(2).unwrap(),
            row.get(3).unwrap(),
            row.get(4).unwrap(),
            row.get(5).unwrap(),
            row.get(6).unwrap(),
            row.get(7).unwrap(),
            row.get(8).unwrap(),
        );
        of_moves.entry(row.get(0).unwrap()).or_default().push(found);
    }
    let sql =
        "SELECT key, board, guess, draw_seeking, evidence, evidence_plies, upper FROM positions
               WHERE in_book = 1";
    let mut statement = tables.prepare(sql).unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut kinds = HashSet::new();
    while let Some(row) = rows.next().unwrap() {
        let board: String = row.get(1).unwrap();
        let placed = parse_board(&format!("{board} X")).unwrap();
        let shown = show(&desk.book, placed, &ShowOptions::default()).unwrap();
        let node = shown.view.as_ref().unwrap().node.unwrap();
        assert_eq!(node.key.position(), placed.position);
        assert_eq!(row.get::<_, f64>(2).unwrap(), node.values.guess.discs());
        assert_eq!(row.get::<_, f64>(3).unwrap(), node.values.draw_seeking.discs());
        assert_eq!(row.get::<_, f64>(4).unwrap(), node.evidence.discs());
        assert_eq!(row.get::<_, u8>(5).unwrap(), node.evidence.plies(placed.position.empties()));
        assert_eq!(row.get::<_, i8>(6).unwrap(), node.values.upper);
        let mut known = of_moves.remove(&row.get(0).unwrap()).unwrap_or_default();
        let mut expected = BTreeMap::new();
        for found in &shown.moves {
            let Some(values) = found.found.values else { continue };
            let square = node.key.first_image(found.found.square);
            let loss = shown.loss(found).unwrap().discs();
            let Values { guess, draw_seeking, win_seeking, lower, upper } = values;
            let discs = [guess, draw_seeking, win_seeking].map(|value| value.discs());
            expected.entry(square.to_string()).or_insert((discs, lower, upper, loss));
        }
        known.sort_by(|one, other| one.0.cmp(&other.0));
        let known: BTreeMap<_, _> = known
            .into_iter()
            .map(|(square, kind, guess, draw, win, lower, upper, loss)| {
                kinds.insert(kind);
                (square, ([guess, draw, win], lower, upper, loss))
            })
            .collect();
        assert_eq!(known, expected, "{board}");
    }
    assert!(of_moves.is_empty(), "values of moves of no position of the book");
    let named = ["book", "held", "best other"].map(str::to_owned);
    assert!(kinds.is_superset(&HashSet::from(named)), "{kinds:?}");
}

#[test]
fn games_are_counted_as_games_stats_counts_them() {
    let desk = Desk::new();
    let tables = desk.tables();
    let database = GameDatabase::open(&desk.book).unwrap();
    let sql = "SELECT stored_move, count(*), coalesce(sum(winner = side), 0),
                      coalesce(sum(winner = 'draw'), 0), count(winner)
               FROM game_positions JOIN games ON id = game
               WHERE position = ?1 GROUP BY stored_move";
    let mut by_move = tables.prepare(sql).unwrap();
    let mut sum = tables.prepare("SELECT games FROM positions WHERE key = ?1").unwrap();
    let mut own =
        tables.prepare("SELECT games FROM moves WHERE position = ?1 AND move = ?2").unwrap();
    let mut all = tables.prepare("SELECT key, board FROM positions WHERE games > 0").unwrap();
    let mut rows = all.query([]).unwrap();
    let mut shared = 0;
    while let Some(row) = rows.next().unwrap() {
        let (key, board): (i64, String) = (row.get(0).unwrap(), row.get(1).unwrap());
        let placed = parse_board(&format!("{board} X")).unwrap();
        let line = Line::from_board(placed);
        let stats = game_stats(&database, &line, &GameFilter::default()).unwrap().unwrap();
        let expected: BTreeMap<String, [u64; 4]> = stats
            .moves
            .iter()
            .map(|played| {
                let square = Key::of(placed.position).first_image(played.square);
                let tally = &played.tally;
                let known = tally.black + tally.draw + tally.white;
                (square.to_string(), [tally.games, tally.black, tally.draw, known])
            })
            .collect();
        let found: BTreeMap<String, [u64; 4]> = by_move
            .query_map([key], |row| {
                let number = |index| row.get::<_, i64>(index).map(|number| number as u64);
                Ok((row.get(0)?, [number(1)?, number(2)?, number(3)?, number(4)?]))
            })
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(found, expected, "{board}");
        let games: i64 = sum.query_row([key], |row| row.get(0)).unwrap();
        assert_eq!(games as u64, stats.tally.games);
        for (square, [games, ..]) in &expected {
            let counted = own.query_row((key, square), |row| row.get::<_, i64>(0)).unwrap();
            assert_eq!(counted as u64, *games);
        }
        shared += usize::from(games > 1);
    }
    assert!(shared > 20, "{shared}");
}

#[test]
fn moves_of_games_are_as_recorded_and_as_stored() {
    let desk = Desk::new();
    let tables = desk.tables();
    let mut games = tables.prepare("SELECT id, start, line, plies FROM games ORDER BY id").unwrap();
    let sql =
        "SELECT board, side, move, stored_move FROM game_positions JOIN positions ON key = position
               WHERE game = ?1 ORDER BY ply";
    let mut moves = tables.prepare(sql).unwrap();
    let mut all = games.query([]).unwrap();
    let (mut turned, mut from_boards) = (0, 0);
    while let Some(game) = all.next().unwrap() {
        let start: Option<String> = game.get(1).unwrap();
        from_boards += usize::from(start.is_some());
        let mut now = Some(start.map_or(Placed::START, |start| parse_board(&start).unwrap()));
        let (mut line, mut plies) = (String::new(), 0);
        let mut rows = moves.query([game.get::<_, i64>(0).unwrap()]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let before = now.unwrap();
            let board: String = row.get(0).unwrap();
            let stored: Position = parse_board(&format!("{board} X")).unwrap().position;
            let (key, symmetry) = Key::with_symmetry(before.position);
            assert_eq!(stored, key.position());
            assert_eq!(row.get::<_, String>(1).unwrap(), before.side.name());
            let recorded: String = row.get(2).unwrap();
            let square: Square = recorded.parse().unwrap();
            let expected = key.first_image(symmetry.square(square)).to_string();
            assert_eq!(row.get::<_, String>(3).unwrap(), expected);
            turned += usize::from(expected != recorded);
            line += &recorded;
            plies += 1;
            now = before.after(square);
        }
        assert_eq!(game.get::<_, String>(2).unwrap(), line);
        assert_eq!(game.get::<_, i64>(3).unwrap(), plies);
    }
    assert!(turned > 0 && from_boards > 0);
}

#[test]
fn views_of_the_book_say_the_same() {
    let desk = Desk::new();
    let tables = desk.tables();
    tables.execute("ATTACH ?1 AS own", [desk.path("book.db").to_str().unwrap()]).unwrap();
    // Without order: nothing that only one of them has.
    let other = |columns: &str, table: &str, view: &str| {
        let [one, two] = [(table, view), (view, table)].map(|(one, two)| {
            format!("SELECT {columns} FROM {one} EXCEPT SELECT {columns} FROM {two}")
        });
        count(
            &tables,
            &format!("SELECT (SELECT count(*) FROM ({one})) + (SELECT count(*) FROM ({two}))"),
        )
    };
    let of_book = "discs, board, guess, draw_seeking, win_seeking, lower, upper, evidence, \
                   evidence_plies, depth, selectivity, source, search_due";
    let in_book = "(SELECT * FROM positions WHERE in_book = 1)";
    assert_eq!(other(of_book, in_book, "own.book"), 0);
    let of_games = "id, event, round, year, month, day, black, white, black_rating, white_rating, \
                    black_discs, stated, theoretical, theoretical_empties, xot, start, plies, sources, \
                    extra, remarks";
    assert_eq!(other(of_games, "main.games", "own.games"), 0);
    assert_eq!(other("game, ply, move", "game_positions", "own.game_moves"), 0);
    let of_analyses =
        "board, discs, move, value, loss, best_move, exact, depth, selectivity, searcher";
    let analysed =
        "(SELECT analysed.*, board, discs FROM main.analysed JOIN positions ON key = position)";
    let analysed = analysed.replace(
        "analysed.*",
        "move, value, loss, best_move, exact, \
        analysed.depth AS depth, analysed.selectivity AS selectivity, searcher",
    );
    assert_eq!(other(of_analyses, &analysed, "own.analysed"), 0);
    assert!(count(&tables, "SELECT count(*) FROM main.analysed") > 20);
}

#[test]
fn a_part_of_the_book_has_all_games() {
    let desk = Desk::new();
    let filter = ExportFilter { max_discs: Some(8), ..ExportFilter::default() };
    let options = ExportOptions { filter, ..ExportOptions::new(Format::Tables) };
    let report = desk.write("part.sqlite", &options);
    let tables = Connection::open(desk.path("part.sqlite")).unwrap();
    assert_eq!(count(&tables, "SELECT max(discs) FROM positions WHERE in_book = 1"), 8);
    assert!(report.filtered > 0);
    assert_eq!(count(&tables, "SELECT count(*) FROM games"), 60);
    assert_eq!(count(&tables, "SELECT count(*) FROM game_positions"), {
        count(&desk.tables(), "SELECT count(*) FROM game_positions")
    });
}

#[test]
fn a_zip_has_the_same_tables_as_csv() {
    let desk = Desk::new();
    let tables = desk.tables();
    let report = desk.write("book.zip", &ExportOptions::new(Format::TablesCsv));
    let file = fs::File::open(desk.path("book.zip")).unwrap();
    let mut zip = zip::ZipArchive::new(file).unwrap();
    assert_eq!(zip.len(), report.rows.len());
    for (table, rows) in &report.rows {
        let mut text = String::new();
        zip.by_name(&format!("{table}.csv")).unwrap().read_to_string(&mut text).unwrap();
        let mut statement = tables.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let names: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
        let mut csv = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(csv.headers().unwrap().iter().collect::<Vec<_>>(), names);
        let mut expected = statement.query([]).unwrap();
        let mut read = 0;
        for record in csv.records() {
            let row = expected.next().unwrap().unwrap();
            for (column, field) in record.unwrap().iter().enumerate() {
                use rusqlite::types::Value;
                let value = match row.get::<_, Value>(column).unwrap() {
                    Value::Null => String::new(),
                    Value::Integer(number) => number.to_string(),
                    Value::Real(number) => {
                        assert_eq!(field.parse::<f64>().unwrap(), number);
                        continue;
                    }
                    Value::Text(text) => text,
                    Value::Blob(_) => panic!("{table} has bytes"),
                };
                assert_eq!(field, value, "{table}");
            }
            read += 1;
        }
        assert_eq!(read, *rows);
    }
    let left = fs::read_dir(desk.folder.path()).unwrap().flatten();
    let left: Vec<PathBuf> = left.map(|entry| entry.path()).collect();
    assert!(left.iter().all(|path| !is_unfinished(path)), "{left:?}");
}

fn is_unfinished(path: &Path) -> bool {
    path.to_string_lossy().contains("unfinished")
}
