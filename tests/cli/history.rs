//! Checkpoints of growth, as a user sees them, and what happens to them.

use std::fs;

use rusqlite::Connection;
use serde_json::Value;

use crate::desk::{Desk, stderr};

fn grow(desk: &Desk, more: &[&str]) {
    desk.ok(&[&["grow", "--level", "1", "--threads", "1", "-q"][..], more].concat());
}

/// A book of some hundred positions with a history.
fn desk() -> Desk {
    let desk = Desk::new();
    grow(&desk, &["--positions", "400"]);
    desk
}

fn checkpoints(desk: &Desk, place: &[&str]) -> Vec<Value> {
    let history = desk.json(&[&["info", "--history"][..], place].concat());
    history["checkpoints"].as_array().unwrap().clone()
}

/// Without what depends on the machine.
fn without_time(checkpoints: &[Value]) -> Vec<Value> {
    let mut all = checkpoints.to_vec();
    for point in &mut all {
        let point = point.as_object_mut().unwrap();
        point.remove("cpu_seconds").unwrap();
        point.remove("taken").unwrap();
    }
    all
}

fn numbers(checkpoints: &[Value], name: &str) -> Vec<u64> {
    checkpoints.iter().map(|point| point[name].as_u64().unwrap()).collect()
}

#[test]
fn growth_keeps_checkpoints_and_ends_with_what_show_says() {
    let desk = desk();
    let first = checkpoints(&desk, &[]);
    assert!((5..=64).contains(&first.len()), "{}", first.len());
    let searches = numbers(&first, "searches");
    // A piece of work may be two searches.
    assert!(searches.is_sorted() && (50..52).contains(&searches[0]), "{searches:?}");
    let last = first.last().unwrap();
    assert_eq!(last["positions"], 400);
    assert_eq!(last["values"], desk.json(&["show"])["values"]);
    assert!(first.iter().all(|point| point["taken"] == "2025-11-20T00:53:20Z"));
    let seconds: Vec<f64> =
        first.iter().map(|point| point["cpu_seconds"].as_f64().unwrap()).collect();
    assert!(seconds.is_sorted() && seconds[0] > 0.0, "{seconds:?}");
    // A named opening, by its name, by any order of moves.
    let tiger = checkpoints(&desk, &["tiger"]);
    assert_eq!(tiger, checkpoints(&desk, &["f5", "d6", "c3", "d3", "c4"]));
    assert_eq!(tiger.len(), first.len());
    let known = tiger.iter().filter(|point| !point["values"].is_null()).count();
    assert!((1..=tiger.len()).contains(&known));
    assert_eq!(tiger.last().unwrap()["values"], desk.json(&["show", "tiger"])["values"]);
    // The next run goes on.
    grow(&desk, &["--searches", "200"]);
    let both = checkpoints(&desk, &[]);
    assert_eq!(both[..first.len()], first);
    let end = numbers(&both, "searches").last().unwrap() - searches.last().unwrap();
    assert!((200..202).contains(&end), "{end}");
}

#[test]
fn equal_runs_keep_equal_checkpoints_and_export_the_same() {
    let [one, other] = [desk(), desk()];
    for place in [&[][..], &["f5"], &["f5d6c4"], &["tiger"]] {
        let of = |desk: &Desk| without_time(&checkpoints(desk, place));
        assert_eq!(of(&one), of(&other), "{place:?}");
    }
    let export = |desk: &Desk| desk.ok(&["export", "-", "--format", "json"]);
    assert_eq!(export(&one), export(&other));
    assert!(!export(&one).contains("history"));
}

#[test]
fn a_position_without_history_is_told_what_to_do() {
    let desk = desk();
    let lines = desk.ok(&["lines", "--limit", "50", "--json"]);
    let deep = lines.lines().find_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let moves = line["line"].as_str().unwrap().get(..16)?.to_owned();
        let found = desk.run(&["info", "--history", &moves, "--json"]);
        let found: Value = serde_json::from_slice(&found.stdout).unwrap();
        (found["kept"] == false && found["in_book"] == true).then_some(moves)
    });
    let deep = deep.unwrap();
    let output = desk.run(&["info", "--history", &deep]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("no values are kept"), "{said}");
    let command = said.lines().last().unwrap().trim();
    assert_eq!(command, format!("try: rosebill grow --from {deep} --positions 20"));
    let words: Vec<&str> = command.split(' ').skip(2).collect();
    desk.ok(&[&words[..], &["--level", "1", "-q"]].concat());
    let kept = checkpoints(&desk, &[&deep]);
    assert_eq!(kept.last().unwrap()["values"], desk.json(&["show", &deep])["values"]);

    let missing = desk.run(&["info", "--history", "f5f4g3"]);
    assert_eq!(missing.status.code(), Some(1));
    let said = String::from_utf8(missing.stdout).unwrap();
    assert!(said.contains("not in the book\n  try: rosebill grow --from f5f4g3"), "{said}");
    let refused = desk.refused(&["info", "--history", "f5f5"]);
    assert!(refused.contains("f5"), "{refused}");
}

#[test]
fn the_history_is_of_the_file() {
    let desk = desk();
    let before = checkpoints(&desk, &[]);
    let same = |book: &str| {
        let history = desk.json(&["info", "--history", "--book", book]);
        let points = history["checkpoints"].as_array().unwrap().clone();
        points.get(..before.len()).is_some_and(|points| points == before)
    };
    // A snapshot has none.
    desk.ok(&["snapshot", "whole.snapshot", "-q"]);
    desk.ok(&["snapshot", "restore", "whole.snapshot", "--book", "new.db", "-q"]);
    assert_eq!(desk.run(&["info", "--history", "--book", "new.db"]).status.code(), Some(1));
    // A merge brings none, and takes none away.
    desk.ok(&["import", "book.db", "--book", "new.db", "-q"]);
    assert_eq!(desk.run(&["info", "--history", "--book", "new.db"]).status.code(), Some(1));
    desk.ok(&["import", "new.db", "-q"]);
    assert!(same("book.db"));
    // What is saved of a damaged book has its history.
    desk.ok(&["verify", "--salvage", "saved.db", "-q"]);
    assert!(same("saved.db"));
    desk.ok(&["verify", "--book", "saved.db"]);
    // A part has that of the whole, and then what became of its own positions.
    desk.ok(&["prune", "--from", "f5d6", "--max-discs", "9", "--to", "part.db"]);
    assert!(same("part.db"));
    let only = ["prune", "--from", "f5f6", "--max-discs", "9", "-q"];
    desk.ok(&only);
    assert!(same("book.db"));
    let gone = checkpoints(&desk, &["f5d6"]);
    assert_eq!(gone.len(), before.len() + 1, "now is something else");
    assert!(gone.last().unwrap()["values"].is_null() && gone.last().unwrap()["taken"].is_null());
    assert!(!gone[gone.len() - 2]["values"].is_null());
    grow(&desk, &["--from", "f5f6", "--searches", "60"]);
    let gone = checkpoints(&desk, &["f5d6"]);
    assert!(numbers(&gone, "searches").is_sorted());
    assert!(gone[before.len()]["values"].is_null() && !gone[before.len()]["taken"].is_null());
    // Growth, and the cut before it.
    desk.ok(&["undo", "-q"]);
    desk.ok(&["undo", "-q"]);
    assert!(same("book.db"));
    let back = checkpoints(&desk, &["f5d6"]);
    assert!(!back.last().unwrap()["values"].is_null());
    desk.ok(&["verify"]);
}

/// A book whose history means nothing is no worse for it.
#[test]
fn a_history_that_means_nothing_is_told_or_passed_over() {
    let desk = desk();
    fs::copy(desk.path("book.db"), desk.path("sound.db")).unwrap();
    assert!(desk.ok(&["verify"]).ends_with(" checkpoints, 0 violations\n"));
    for (harm, invariant) in [
        ("UPDATE history_value SET guess = 100000", "H3"),
        ("UPDATE history_value SET bounds = -7", "H3"),
        ("UPDATE history_value SET position = position + 1000", "H3"),
        ("DELETE FROM history_point", "H3"),
        ("DELETE FROM history_position", "H3"),
        ("UPDATE history_position SET mover = -1, opponent = -1", "H2"),
        ("UPDATE history_position SET mover = opponent, opponent = mover WHERE id = 5", "H2"),
        (
            "UPDATE history_position SET (discs, mover, opponent) = \
             (SELECT discs, mover, opponent FROM history_position WHERE id = 1) WHERE id = 2",
            "H2: position 2 is there twice",
        ),
        ("UPDATE history_point SET searches = -1, positions = -1, milliseconds = -1", "H1"),
        ("UPDATE history_point SET searches = 1 WHERE id = 3", "H1: checkpoint 3 has less"),
        ("UPDATE history_point SET milliseconds = 1000000 WHERE id = 3", "H1: checkpoint 4"),
        ("UPDATE history_point SET taken = char(27) || '[31m'", "H1"),
        ("UPDATE history_point SET taken = CAST(x'ff' AS TEXT)", "H1"),
    ] {
        fs::copy(desk.path("sound.db"), desk.path("book.db")).unwrap();
        let book = Connection::open(desk.path("book.db")).unwrap();
        book.execute_batch(harm).unwrap();
        drop(book);
        let verified = desk.run(&["verify"]);
        let told = String::from_utf8(verified.stdout).unwrap();
        assert_eq!(verified.status.code(), Some(1), "{harm}: {told}");
        assert!(told.lines().any(|line| line.starts_with(invariant)), "{harm}: {told}");
        desk.ok(&["verify", "--salvage", "saved.db", "-q"]);
        desk.ok(&["verify", "--book", "saved.db"]);
        for arguments in [
            &["info", "--history", "--json"][..],
            &["info", "--history"],
            &["info", "--history", "f5d6"],
            &["show"],
            &["grow", "--searches", "60", "--level", "1", "--threads", "1", "-q"],
            &["info", "--history"],
        ] {
            let output = desk.run(arguments);
            let code = output.status.code().unwrap();
            assert!(code <= 2 && !stderr(&output).contains("panicked"), "{harm}: {output:?}");
            assert!(arguments[0] != "grow" || code == 0, "{harm}: {output:?}");
            assert!(!output.stdout.contains(&27), "{harm}: {arguments:?}");
        }
        // Growth has begun a new one.
        let healed: Value = desk.json(&["verify"]);
        assert!(healed["violations"] == 0 && healed["checkpoints"].as_u64() > Some(0), "{harm}");
        fs::remove_file(desk.path("saved.db")).unwrap();
        let _ = fs::remove_file(desk.path("saved.db.lock"));
    }
}

#[test]
fn nothing_is_grown_from_what_is_solved() {
    let desk = Desk::new();
    let board = "XXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOO- X";
    desk.ok(&["grow", "--from", board, "--level", "2", "--threads", "1", "-q"]);
    let told = String::from_utf8(desk.run(&["info", "--history", board]).stdout).unwrap();
    assert!(told.contains("it is solved") && !told.contains("rosebill grow"), "{told}");
}

#[test]
fn runs_are_listed_as_they_are_typed() {
    let desk = Desk::new();
    let few = ["--positions=1", "--level", "1", "--threads", "1", "-q"];
    desk.ok(&[&["grow", "--book", "my book.db", "--from", "f5 d6"][..], &few].concat());
    let told = desk.ok(&["info", "--book", "my book.db"]);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let command = "grow --book 'my book.db' --from 'f5 d6' --positions=1 --level 1";
    assert!(told.contains(command), "{told}");
}
