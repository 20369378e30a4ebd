//! Exports of what was searched well enough, when hardly anything was.

use std::process::{Command, Output};

use tempfile::TempDir;

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rosebill"))
        .current_dir(folder.path())
        .env_remove("ROSEBILL_CONFIG")
        .env("XDG_CONFIG_HOME", folder.path())
        .env("ROSEBILL_BOOK", "book.db")
        .args(arguments)
        .output()
        .unwrap()
}

/// A file of 12 positions at level 3, below a start at level 3 too.
fn book() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let grown = run(&folder, &["grow", "--positions=12", "--level=3", "--threads=1", "-q"]);
    assert!(grown.status.success(), "{grown:?}");
    folder
}

#[test]
fn a_level_that_the_book_has_not_is_told_and_nothing_is_written() {
    let folder = book();
    let target = folder.path().join("x.dat");
    std::fs::write(&target, "what was there").unwrap();
    for arguments in
        [&["export", "x.dat", "--min-level=4"][..], &["export", "x.dat", "--min-level=4", "-q"]]
    {
        let done = run(&folder, arguments);
        assert_eq!(done.status.code(), Some(1), "{done:?}");
        let said = String::from_utf8(done.stderr).unwrap();
        let expected = "rosebill: nothing to export: none of 12 positions but the first was searched \
                        at level 4 or more; the book's levels: 3 (11 positions)\n";
        assert!(said.ends_with(expected), "{said}");
        assert!(done.stdout.is_empty());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "what was there");
    }
    let all = run(&folder, &["export", "x.dat", "--min-level=3", "--json"]);
    let all: serde_json::Value = serde_json::from_slice(&all.stdout).unwrap();
    assert_eq!((&all["positions"], &all["filtered"]), (&12.into(), &0.into()));
    // One position is what is asked for here.
    let start = run(&folder, &["export", "x.dat", "--max-discs=4", "--force"]);
    assert!(start.status.success(), "{start:?}");
    assert!(
        String::from_utf8(start.stdout).unwrap().contains("11 positions left out, as asked for")
    );
    // A conversion tells it the same way.
    assert!(run(&folder, &["export", "x.jsonl"]).status.success());
    let done = run(&folder, &["convert", "x.jsonl", "y.dat", "--min-level=4"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
}

/// Of the start and the position after it all moves are in the book: no search says anything of them.
#[test]
fn positions_that_only_their_moves_are_worth_something_are_nothing_to_export() {
    let folder = tempfile::tempdir().unwrap();
    let grown = run(&folder, &["grow", "--positions=150", "--level=1", "--threads=1", "-q"]);
    assert!(grown.status.success(), "{grown:?}");
    let done = run(&folder, &["export", "x.dat", "--min-level=20"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let said = String::from_utf8(done.stderr).unwrap();
    let expected = "nothing to export: none of 150 positions was searched at level 20 or more";
    assert!(said.contains(expected), "{said}");
    assert!(!folder.path().join("x.dat").exists());
}

#[test]
fn a_level_that_few_positions_have_is_noted() {
    let folder = book();
    // The start and one more are searched deeper.
    assert!(run(&folder, &["export", "x.jsonl"]).status.success());
    let text = std::fs::read_to_string(folder.path().join("x.jsonl")).unwrap();
    let deep = text.lines().enumerate().map(|(index, line)| match index {
        1 | 2 => line.replace("\"depth\":3", "\"depth\":9") + "\n",
        _ => line.to_owned() + "\n",
    });
    std::fs::write(folder.path().join("y.jsonl"), deep.collect::<String>()).unwrap();
    std::fs::remove_file(folder.path().join("book.db")).unwrap();
    let grown = run(&folder, &["import", "y.jsonl"]);
    assert!(grown.status.success(), "{grown:?}");
    let done = run(&folder, &["export", "x.dat", "--min-level=9"]);
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.contains("10 positions left out, as asked for"), "{said}");
    let noted = String::from_utf8(done.stderr).unwrap();
    assert!(!noted.contains("positions were searched"), "2 of 12 are not few: {noted}");
}

/// What other filters leave out was searched at any level.
#[test]
fn only_the_level_is_blamed_for_what_the_level_leaves_out() {
    let folder = book();
    for other in ["--max-discs=5", "--from=f5", "--max-discs=4"] {
        let done = run(&folder, &["export", "x.dat", "--min-level=3", "--force", other]);
        assert_eq!(done.status.code(), Some(0), "{other}: {done:?}");
        let noted = String::from_utf8(done.stderr).unwrap();
        assert!(!noted.contains("searched at level"), "{other}: {noted}");
    }
    let done = run(&folder, &["export", "x.dat", "--min-level=4", "--max-discs=6", "--force"]);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("positions but the first was searched at level 4 or more"), "{said}");
}

/// Edax and Egaroucid reckon from the start.
#[test]
fn a_book_without_the_start_is_told() {
    let folder = book();
    let board = "---------------------------OX------XXX-------------------------- O";
    for (target, arguments) in [("x.dat", "--format=edax"), ("x.egbk3", "--format=egaroucid")] {
        let done = run(&folder, &["export", target, arguments, "--from", board]);
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(said.contains("the start position is not in it"), "{said}");
        let whole = run(&folder, &["export", target, arguments, "--force"]);
        assert!(!String::from_utf8(whole.stdout).unwrap().contains("the start position is not"));
    }
}
