//! What the commands for whole books say of games.

use rosebill::files::games::Game;
use rosebill::store::Book;

use std::fs;

use crate::desk::{Desk, stderr};
use crate::dice::Dice;
use crate::random_games::{random_game, take_games};

/// A desk with a small book and games in it.
fn desk_with_games(book: &str, seed: u64) -> Desk {
    let desk = Desk::grown("40");
    add_games(&desk, book, seed);
    desk
}

fn add_games(desk: &Desk, book: &str, seed: u64) {
    let path = desk.path(book);
    let mut book = if path.exists() { Book::open(path) } else { Book::create(path) }.unwrap();
    let mut dice = Dice(seed);
    let games: Vec<Game> = (0..30).map(|_| random_game(&mut dice)).collect();
    take_games(&mut book, "games.jsonl", &games);
}

#[test]
fn a_snapshot_says_that_it_holds_no_games() {
    let desk = desk_with_games("book.db", 1);
    let output = desk.run(&["snapshot", "a.snapshot"]);
    let told = stderr(&output);
    assert!(output.status.success());
    assert!(told.contains("holds no games: the 30 games of the book are not in it"), "{told}");
    let object = desk.json(&["snapshot", "b.snapshot"]);
    assert_eq!(object["games_left_out"], 30);
    // Restoring and taking that back leave them where they are.
    desk.ok(&["snapshot", "restore", "a.snapshot"]);
    desk.ok(&["undo"]);
    desk.ok(&["prune", "--max-discs", "6"]);
    desk.ok(&["export", "all.jsonl", "-q"]);
    desk.ok(&["import", "all.jsonl", "-q"]);
    assert_eq!(desk.json(&["verify"])["games"], 30);
    // A book without any says nothing.
    let output = desk.run(&["snapshot", "c.snapshot", "--book", "restored.db"]);
    assert_eq!(output.status.code(), Some(2));
    desk.ok(&["snapshot", "restore", "a.snapshot", "--book", "restored.db"]);
    let output = desk.run(&["snapshot", "c.snapshot", "--book", "restored.db"]);
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn what_becomes_of_games_is_told() {
    let desk = desk_with_games("book.db", 1);
    add_games(&desk, "other.db", 2);
    let text = desk.ok(&["import", "other.db"]);
    assert!(text.contains("30 games: 30 new, 0 known, 0 with new details"), "{text}");
    let object = desk.json(&["import", "other.db"]);
    assert_eq!(object["games"], serde_json::json!({"new": 0, "known": 30, "richer": 0}));
    let text = desk.ok(&["verify"]);
    assert!(text.contains("40 positions, 0 violations"), "{text}");
    assert!(text.contains("60 games, 0 violations"), "{text}");
    desk.ok(&["prune", "--max-discs", "6", "--to", "part.db"]);
    assert_eq!(desk.json(&["verify", "--book", "part.db"])["games"], 60);
    let text = desk.ok(&["verify", "--salvage", "saved.db"]);
    assert!(text.contains("60 games saved, 0 lost"), "{text}");
    let object = desk.json(&["verify", "--salvage", "again.db"]);
    assert_eq!((&object["games"], &object["lost_games"]), (&60.into(), &0.into()));
    assert_eq!(desk.json(&["verify", "--book", "saved.db"])["games"], 60);
}

#[test]
fn a_violation_of_games_is_told_with_its_number() {
    let desk = desk_with_games("book.db", 1);
    let connection = rusqlite::Connection::open(desk.path("book.db")).unwrap();
    connection.execute("UPDATE game SET year = 1066 WHERE id = 7", []).unwrap();
    drop(connection);
    let output = desk.run(&["verify"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("G5: the facts for filters are others, game 7\n"), "{text}");
    assert!(text.contains("40 positions, 0 violations\n"), "{text}");
    assert!(text.contains("\n30 games, 1 violation\n"), "{text}");
    let output = desk.run(&["verify", "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&object["violations"], &object["first"][0]["game"]), (&1.into(), &7.into()));
}

/// What is said of moves, the names that stand for others, and what takes a join back go wherever the games go.
#[test]
fn what_is_said_of_games_goes_with_them() {
    let desk = Desk::new();
    let head = "[Event \"Cup\"]\n[Date \"2011.05.06\"]\n[White \"Bob Ray\"]\n";
    let moves = "1. f5! {good} d6 (1... f4 {or this} 2. e3) 2. c3 {[%eval -1.5]} *\n";
    let text =
        format!("[Black \"Ann Lee\"]\n{head}\n{moves}\n[Black \"Ann L\"]\n{head}\n1. f5 f6 *\n");
    fs::write(desk.path("said.pgn"), text).unwrap();
    fs::write(desk.path("two.txt"), "f5d6c3d3\nf5d6c3d3\n").unwrap();
    desk.ok(&["games", "import", "said.pgn", "two.txt"]);
    desk.ok(&["games", "alias", "Ann L", "Ann Lee"]);
    desk.ok(&["games", "join", "2", "0"]);
    desk.ok(&["games", "split", "2"]);
    desk.ok(&["games", "join", "2", "0"]);
    let check = |book: &str| {
        let games = |words: &[&str]| desk.ok(&[&["games"], words, &["--book", book]].concat());
        let listed = games(&["list", "--json"]);
        let said = listed.lines().find(|line| line.contains("or this")).expect(&listed);
        let number = serde_json::from_str::<serde_json::Value>(said).unwrap()["id"].to_string();
        let shown = games(&["show", &number]);
        assert!(shown.contains("1. f5! {good}"), "{shown}");
        assert!(shown.contains("1... d6 (1... f4 {or this} 2. e3)"), "{shown}");
        assert!(games(&["alias"]).contains("Ann L"), "{book}");
        for (format, part) in [
            ("pgn", "(1... f4 {or this} 2. e3)"),
            ("sgf", "(;W[f4]C[or this];B[e3])"),
            ("json", "\"comments\":[\"or this\"]"),
        ] {
            let text = games(&["export", "-", "--format", format]);
            assert!(text.contains(part), "{text}");
        }
        number
    };
    let number = check("book.db");
    let text = stderr(&desk.run(&["games", "export", "-", "--format", "transcript"]));
    assert!(text.contains("variations: moves that were not made (1 game)"), "{text}");
    desk.ok(&["verify", "--salvage", "saved.db"]);
    desk.ok(&["prune", "--max-discs", "6", "--to", "part.db"]);
    for book in ["saved.db", "part.db"] {
        assert_eq!(check(book), number);
        desk.ok(&["games", "split", &number, "--book", book]);
        assert_eq!(desk.json(&["verify", "--book", book])["games"], 3);
    }
    desk.ok(&["new", "--book", "other.db"]);
    desk.ok(&["import", "book.db", "--book", "other.db"]);
    let number = check("other.db");
    desk.ok(&["games", "split", &number, "--book", "other.db"]);
    assert_eq!(desk.json(&["verify", "--book", "other.db"])["games"], 3);
}
