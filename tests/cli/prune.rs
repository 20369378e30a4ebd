//! Cutting a book from the command line.

use std::fs;

use serde_json::Value;

use crate::desk::Desk;

#[test]
fn prune_only_and_export_from_mean_the_same() {
    let desk = Desk::grown("30");
    let line = "f5d6c3d3c4";
    desk.ok(&["grow", "--from", line, "--positions", "20", "--level", "2", "--threads", "1", "-q"]);
    desk.ok(&["export", "part.jsonl", "--from", line, "-q"]);
    let before = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    let cut = desk.json(&["prune", "--from", line]);
    let stay = cut["positions"].as_u64().unwrap();
    assert!(stay < before);
    // The way there stays: the start is in the book, and so is each position of the line.
    for plies in 0..=5 {
        desk.ok(&["show", &line[..2 * plies]]);
    }
    desk.ok(&["verify"]);
    // It is what an export of the same part writes.
    desk.ok(&["import", "--book", "part.db", "part.jsonl", "-q"]);
    assert_eq!(
        desk.json(&["info", "--by-discs", "--book", "part.db"])["positions"].as_u64(),
        Some(stay)
    );
}

#[test]
fn prune_only_from_a_board_keeps_no_way() {
    let desk = Desk::grown("30");
    let board = "---------------------------OX------XXX-------------------------- O";
    let cut = desk.json(&["prune", &format!("--only={board}")]);
    let stats = desk.json(&["info", "--by-discs"]);
    assert_eq!(stats["positions"], cut["positions"]);
    assert_eq!(desk.run(&["show"]).status.code(), Some(1), "the start is gone");
}

/// Positions of the book at `file`.
fn positions(desk: &Desk, file: &str) -> u64 {
    desk.json(&["info", "--by-discs", "--book", file])["positions"].as_u64().unwrap()
}

#[test]
fn prune_by_games_keeps_the_start_and_what_enough_games_reach() {
    let desk = Desk::new();
    let games = "f5d6c3d3c4\nf5d6c3d3\nf5d6c3\nf5f6e6f4\n";
    fs::write(desk.path("games.txt"), games).unwrap();
    let grow = ["grow", "--policy", "popular", "--games", "games.txt", "--least-games", "1"];
    desk.ok(&[&grow[..], &["--level", "1", "--threads", "1", "-q"]].concat());
    // By games of its own, of which it has none yet.
    let told = desk.refused(&["prune", "--least-games", "2"]);
    assert!(told.contains("games import FILE"), "{told}");
    desk.ok(&["games", "import", "games.txt", "-q"]);
    let before = positions(&desk, "book.db");
    // The start, f5, f5d6, f5d6c3 and f5d6c3d3: the ends of games are reached, too.
    let prune = ["prune", "--least-games", "2"];
    let would = desk.json(&[&prune[..], &["--dry-run"]].concat());
    assert_eq!((&would["positions"], positions(&desk, "book.db")), (&5.into(), before));
    let told = desk.ok(&[&prune[..], &["--dry-run"]].concat());
    assert!(told.ends_with("would go, 5 would stay\n"), "{told}");
    assert_eq!(desk.json(&prune)["positions"], 5);
    assert_eq!(desk.json(&["show", "f5d6c3d3"])["in_book"], true);
    assert_eq!(desk.run(&["show", "f5f6"]).status.code(), Some(1));
    desk.ok(&["verify"]);
    desk.ok(&["undo"]);
    assert_eq!(positions(&desk, "book.db"), before);
    // With other terms both must hold; where nothing is played so often the start is left.
    let both = ["prune", "--least-games", "2", "--max-discs", "6", "--dry-run"];
    assert_eq!(desk.json(&both)["positions"], 3);
    let none = ["prune", "--least-games", "9", "--to", "start.db"];
    assert_eq!(desk.json(&none)["positions"], 1);
}

/// "My best move only, all of theirs within 3 discs", in a book and in what is written of it.
#[test]
fn losses_differ_by_side() {
    let desk = Desk::new();
    let everything = ["--move-loss", "128", "--line-loss", "1000", "--max-discs", "8"];
    let grow = ["grow", "--policy", "deviate", "--level", "1", "--threads", "1", "-q"];
    desk.ok(&[&grow[..], &everything].concat());
    let stay = |losses: &[&str]| {
        let prune = [&["prune", "--dry-run"], losses].concat();
        desk.json(&prune)["positions"].as_u64().unwrap()
    };
    let all = positions(&desk, "book.db");
    let [none, black, white, both] = ["0", "black:0,white:3", "black:3,white:0", "3"]
        .map(|losses| stay(&["--move-loss", losses]));
    assert!(
        none < black && none < white && black < both && both <= all,
        "{none} {black} {white} {both}"
    );
    // One that is left out has no limit, and along a line no more is given away than at its moves.
    assert!(stay(&["--move-loss", "black:0"]) >= black);
    assert_eq!(stay(&["--move-loss", "128"]), all);
    assert_eq!(stay(&["--line-loss", "0"]), none);
    let line = stay(&["--move-loss", "black:0,white:3", "--line-loss", "white:3"]);
    assert!(none < line && line <= black, "{line}");
    // What is exported, converted and listed goes by the same limits.
    let losses = ["--move-loss", "black:0,white:3"];
    let written = desk.json(&[&["export", "part.jsonl"], &losses[..]].concat());
    assert_eq!(written["positions"].as_u64(), Some(black));
    desk.ok(&["export", "all.jsonl", "-q"]);
    desk.ok(&[&["convert", "all.jsonl", "again.jsonl", "-q"], &losses[..]].concat());
    desk.ok(&["import", "--book", "again.db", "again.jsonl", "-q"]);
    assert_eq!(positions(&desk, "again.db"), black);
    let listed = desk.ok(&[&["lines", "-n", "1000", "--json"], &losses[..]].concat());
    let lines: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // From the start the side to move is Black.
    assert!(lines.iter().all(|line| line["own_regret"] == 0.0), "{listed}");
    assert!(lines.iter().any(|line| line["other_regret"].as_f64() > Some(0.0)), "{listed}");
    let json = desk.ok(&[&["grow", "--dry-run", "--json"], &losses[..]].concat());
    for line in json.lines() {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["black_regret"], 0.0, "{line}");
    }
}
