//! Files of the user's whose names look like those that the program could make up.

use std::fs;

use crate::desk::{Desk, is_one_line, stderr};

/// Makes files of these names, runs `arguments`, and looks whether they are as they were.
fn keeps(desk: &Desk, names: &[&str], arguments: &[&str]) {
    for name in names {
        fs::write(desk.path(name), format!("letters of {name}")).unwrap();
    }
    desk.ok(arguments);
    for name in names {
        let letters = fs::read_to_string(desk.path(name)).unwrap_or_default();
        assert_eq!(letters, format!("letters of {name}"), "after {arguments:?}");
    }
}

/// Nothing unfinished stays behind.
fn left_behind(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.folder.path()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with('.')).collect()
}

#[test]
fn are_never_taken_for_unfinished_ones() {
    let desk = Desk::grown("20");
    keeps(
        &desk,
        &["z.starter.jsonl", "z.db.new", "z.db.part", "z.new"],
        &["new", "--starter", "--book", "z.db"],
    );
    keeps(&desk, &["s.part", "s.tmp", "s.new"], &["snapshot", "s"]);
    keeps(&desk, &["e.jsonl.part", "e.part"], &["export", "e.jsonl"]);
    keeps(
        &desk,
        &["p.db.part", "p.db.part-wal", "p.db.part-shm", "p.db.part.lock", "p.db.new"],
        &["prune", "--max-discs", "6", "--to", "p.db"],
    );
    let undo = ["book.db.undo.part", "book.db.undo.now", "book.db.undo.now.part"];
    keeps(&desk, &undo, &["prune", "--max-discs", "6"]);
    keeps(&desk, &undo, &["undo"]);
    keeps(&desk, &["g.db.new"], &["grow", "--book", "g.db", "--positions", "2", "--level", "1"]);
    assert_eq!(left_behind(&desk), [""; 0]);
    desk.ok(&["verify"]);
}

#[test]
fn in_the_place_of_a_book_s_own_are_refused() {
    let desk = Desk::grown("20");
    let refused = |name: &str, letters: &[u8], arguments: &[&str]| {
        fs::write(desk.path(name), letters).unwrap();
        let told = desk.refused(arguments);
        assert!(is_one_line(&told) && told.contains(name), "{told}");
        assert_eq!(fs::read(desk.path(name)).unwrap(), letters, "{told}");
        fs::remove_file(desk.path(name)).unwrap();
    };
    desk.ok(&["prune", "--max-discs", "20"]);
    let saved = desk.saved_name(2);
    refused(&saved, b"dear diary", &["prune", "--max-discs", "6"]);
    refused("book.db.lock", b"dear diary", &["prune", "--max-discs", "6"]);
    refused("book.db.lock", b"\xff\xfe", &["grow", "--positions", "1"]);
    refused("other.db-wal", b"dear diary", &["new", "--book", "other.db"]);
    assert!(!desk.path("other.db").exists());
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 20);
    // What is ours is replaced.
    desk.ok(&["prune", "--max-discs", "7"]);
    desk.ok(&["undo"]);
    desk.ok(&["prune", "--max-discs", "6"]);
    desk.ok(&["undo"]);
}

#[test]
fn of_a_book_are_no_names_for_anything_new() {
    let desk = Desk::grown("20");
    desk.ok(&["export", "other.jsonl"]);
    for ending in ["-wal", "-shm", "-journal", ".undo", ".undo.new", ".undo.0123abcd.1"] {
        let name = format!("book.db{ending}");
        let commands: [&[&str]; 9] = [
            &["new", "--book", &name],
            &["new", "--starter", "--book", &name],
            &["grow", "--positions", "1", "--level", "1", "--book", &name],
            &["import", "other.jsonl", "--book", &name],
            &["prune", "--max-discs", "6", "--to", &name],
            &["verify", "--salvage", &name],
            &["export", &name, "--format", "edax"],
            &["snapshot", &name],
            &["lab", "train", "games", "--count", "1", "--out", &name],
        ];
        for command in commands {
            let told = desk.refused(command);
            assert!(is_one_line(&told) && told.contains("belongs to the book book.db"), "{told}");
            let left = [name.clone(), format!("{name}.lock")];
            assert!(left.iter().all(|name| !desk.path(name).exists()), "{command:?}");
        }
    }
}

/// Who deleted a book by mistake has nothing else left of it.
#[test]
fn what_a_deleted_book_saved_is_neither_brought_back_nor_written_over() {
    let desk = Desk::grown("20");
    desk.ok(&["export", "all.jsonl"]);
    desk.ok(&["prune", "--max-discs", "6"]);
    let name = desk.saved_name(2);
    let saved = || fs::read(desk.path(&name)).unwrap();
    let before = saved();
    fs::remove_file(desk.path("book.db")).unwrap();
    desk.ok(&["new"]);
    let told = desk.not_there(&["undo"]);
    assert!(is_one_line(&told) && told.contains("nothing to undo"), "{told}");
    let output = desk.run(&["import", "all.jsonl"]);
    assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
    // What was saved now is the book's own.
    assert_eq!(desk.saved().len(), 2);
    desk.ok(&["undo"]);
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 0);
    assert!(saved() == before);
    desk.ok(&["snapshot", "restore", "--book", "back.db", &name]);
    assert_eq!(desk.json(&["info", "--by-discs", "--book", "back.db"])["positions"], 20);
}
