//! What the guide on SQL says of the tables of a book, tried.

use rosebill::files::games::Game;
use rosebill::store::Book;
use rusqlite::Connection;

use crate::desk::Desk;
use crate::dice::Dice;
use crate::random_games::{random_game, take_games};

const GUIDE: &str = include_str!("../../src/faces/guides/sql.md");

/// The blocks of SQL in the guide.
fn queries() -> Vec<&'static str> {
    let blocks = GUIDE.split("```sql\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn the_queries_of_the_guide_answer() {
    let desk = Desk::grown("200");
    let mut book = Book::open(desk.path("book.db")).unwrap();
    let mut dice = Dice(1);
    let games: Vec<Game> = (0..20).map(|_| random_game(&mut dice)).collect();
    take_games(&mut book, "games.jsonl", &games);
    drop(book);
    let line = games[0].moves.iter().map(|square| square.to_string()).collect::<String>();
    desk.ok(&["analyze", &line, "--level", "1"]);
    let book = Connection::open(desk.path("book.db")).unwrap();
    assert_eq!(queries().len(), 6);
    for query in queries() {
        let mut statement = book.prepare(query).unwrap_or_else(|error| panic!("{query}: {error}"));
        let mut rows = statement.query([]).unwrap();
        let mut count = 0;
        while rows.next().unwrap().is_some() {
            count += 1;
        }
        assert!(count > 0, "no answer to {query}");
    }
}

#[test]
fn every_column_of_the_views_is_explained() {
    let desk = Desk::grown("5");
    let book = Connection::open(desk.path("book.db")).unwrap();
    for (view, section) in [
        ("book", "## Positions"),
        ("facts", "## Positions"),
        ("games", "## Games"),
        ("game_moves", "## Games"),
        ("analysed", "## Analyses"),
    ] {
        let statement = book.prepare(&format!("SELECT * FROM {view}")).unwrap();
        let section = GUIDE.split(section).nth(1).unwrap();
        let section = section.split("\n## ").next().unwrap();
        for column in statement.column_names() {
            assert!(section.contains(&format!("`{column}`")), "{column} is not explained");
        }
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
    assert!(page.contains("FROM book GROUP BY discs"), "{page}");
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
