//! What the guide on SQL says of the tables of a book, tried.

use rosebill::files::games::Game;
use rosebill::store::Book;
use rusqlite::{Connection, Row};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::dice::Dice;
use crate::random_games::{random_game, take_games};

const GUIDE: &str = include_str!("../../src/faces/guides/sql.md");

/// A section of the guide.
fn section(heading: &str) -> &'static str {
    let section = GUIDE.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    section.split("\n## ").next().unwrap()
}

/// The blocks of SQL in a section.
fn queries(heading: &str) -> Vec<&'static str> {
    let blocks = section(heading).split("```sql\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

/// A book with games, one of them analysed, and its tables.
fn desk_with_tables() -> Desk {
    let desk = Desk::grown("200");
    let mut book = Book::open(desk.path("book.db")).unwrap();
    let mut dice = Dice(1);
    let games: Vec<Game> = (0..20).map(|_| random_game(&mut dice)).collect();
    take_games(&mut book, "games.jsonl", &games);
    drop(book);
    let line = games[0].moves.iter().map(|square| square.to_string()).collect::<String>();
    desk.ok(&["analyze", &line, "--level", "1"]);
    let report: Value =
        serde_json::from_str(&desk.ok(&["export", "book.sqlite", "--json"])).unwrap();
    assert_eq!((&report["format"], &report["tables"]["games"]), (&json!("tables"), &json!(20)));
    desk
}

#[test]
fn the_questions_of_the_guide_are_answered_as_by_the_program() {
    let desk = desk_with_tables();
    let [tables, book] =
        ["book.sqlite", "book.db"].map(|name| Connection::open(desk.path(name)).unwrap());
    let questions = queries("Questions");
    assert_eq!(questions.len(), 12);
    let own = queries("The book file itself");
    let asked = questions
        .iter()
        .map(|query| (&tables, query))
        .chain(own.iter().map(|query| (&book, query)));
    for (file, query) in asked {
        let mut statement = file.prepare(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let mut rows = statement.query([]).unwrap();
        let mut count = 0;
        while rows.next().unwrap().is_some() {
            count += 1;
        }
        assert!(count > 0, "no answer to {query}");
    }
    let json = |arguments: &[&str]| serde_json::from_str::<Value>(&desk.ok(arguments)).unwrap();
    for (name, line) in [("Tiger", "f5d6c3d3c4"), ("Perpendicular Opening", "f5d6")] {
        let shown = json(&["show", line, "--json"]);
        let read = |row: &Row<'_>| {
            let values: [Option<f64>; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
            Ok(values)
        };
        let value = questions[0].replace("Tiger", name);
        let found: [Option<f64>; 3] = tables.query_row(&value, [], read).unwrap();
        let values =
            ["guess", "draw_seeking", "win_seeking"].map(|of| shown["values"][of].as_f64());
        assert_eq!(found, values, "{name}");
        let sql = format!(
            "SELECT key, board FROM positions WHERE key = {}",
            shown["stored"]["key"].as_str().unwrap()
        );
        let board: String = tables.query_row(&sql, [], |row| row.get(1)).unwrap();
        assert_eq!(shown["stored"]["board"], json!(board));
    }
    let stats = json(&["games", "stats", "f5d6", "--json"]);
    let mut played = tables.prepare(questions[2]).unwrap();
    let played: Vec<[i64; 3]> = played
        .query_map([], |row| {
            Ok([
                row.get(1)?,
                row.get::<_, Option<i64>>(2)?.unwrap_or(0),
                row.get::<_, Option<i64>>(3)?.unwrap_or(0),
            ])
        })
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let sum = |index: usize| played.iter().map(|row| row[index]).sum::<i64>();
    // Black is to move there.
    assert_eq!(
        [stats["games"].as_i64(), stats["black"].as_i64(), stats["draw"].as_i64()],
        [0, 1, 2].map(|index| Some(sum(index)))
    );
    assert_eq!(stats["moves"].as_array().unwrap().len(), played.len());
}

#[test]
fn every_column_of_the_tables_and_views_is_explained() {
    let desk = desk_with_tables();
    let names = |file: &str, name: &str| -> Vec<String> {
        let file = Connection::open(desk.path(file)).unwrap();
        let statement = file.prepare(&format!("SELECT * FROM {name}")).unwrap();
        statement.column_names().into_iter().map(str::to_owned).collect()
    };
    let explained = |text: &str, column: &str| {
        assert!(text.contains(&format!("`{column}`")), "{column} is not explained");
    };
    for table in [
        "about",
        "sources",
        "positions",
        "moves",
        "games",
        "game_positions",
        "openings",
        "analysed",
    ] {
        explained(section("Tables"), table);
        names("book.sqlite", table).iter().for_each(|column| explained(section("Tables"), column));
    }
    for view in ["book", "facts", "games", "game_moves", "analysed"] {
        explained(section("The book file itself"), view);
        names("book.db", view).iter().for_each(|column| explained(GUIDE, column));
    }
}

/// Of the eight images the one with the smallest numbers, the mover's first.
#[test]
fn positions_are_stored_in_the_orientation_that_the_guide_names() {
    let desk = Desk::grown("20");
    let book = Connection::open(desk.path("book.db")).unwrap();
    let mut statement = book.prepare("SELECT mover, opponent FROM book").unwrap();
    let boards = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let mut count = 0;
    for board in boards {
        let (mover, opponent): (String, String) = board.unwrap();
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
        let (mover, opponent) = (number(&mover), number(&opponent));
        // Mirrored top to bottom the bytes change places, mirrored left to right their bits, and
        // mirrored at the diagonal from a1 to h8 rows become columns.
        let transposed = |bits: u64| {
            (0..64)
                .filter(|at| bits >> at & 1 != 0)
                .fold(0u64, |all, at| all | 1 << (at % 8 * 8 + at / 8))
        };
        let mut images = vec![(mover, opponent)];
        let add = |images: &mut Vec<(u64, u64)>, turn: &dyn Fn(u64) -> u64| {
            let turned: Vec<_> = images.iter().map(|&(a, b)| (turn(a), turn(b))).collect();
            images.extend(turned);
        };
        add(&mut images, &u64::swap_bytes);
        add(&mut images, &|bits| bits.reverse_bits().swap_bytes());
        add(&mut images, &transposed);
        assert_eq!(images.len(), 8);
        assert_eq!(images.iter().min(), Some(&(mover, opponent)));
        count += 1;
    }
    assert_eq!(count, 20);
}

#[test]
fn the_manual_has_exit_codes_environment_files_and_guides() {
    let page = Desk::new().ok(&["man"]);
    for part in [".SH EXIT STATUS", ".SH ENVIRONMENT", "ROSEBILL_BOOK", ".SH FILES", ".SH SEE ALSO"]
    {
        assert!(page.contains(part), "{part} is missing");
    }
    let page = Desk::new().ok(&["man", "sql"]);
    assert!(page.contains("FROM positions JOIN openings"), "{page}");
    assert!(!page.contains('`'), "marks of Markdown are left");
}

#[test]
fn help_prints_guides_and_the_help_of_commands() {
    let desk = Desk::new();
    let guide = desk.ok(&["help", "book", "formats"]);
    assert!(guide.starts_with("Book formats of other programs\n"), "{guide}");
    assert!(guide.lines().all(|line| line.chars().count() <= 80 || line.starts_with("    ")));
    assert_eq!(desk.ok(&["help", "games", "list"]), desk.ok(&["games", "list", "--help"]));
    assert!(desk.ok(&["help"]).contains("Guides (rosebill help TOPIC): values, growing"));
}
