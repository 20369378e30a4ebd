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
    refused("book.db.undo", b"dear diary", &["prune", "--max-discs", "6"]);
    refused("book.db.undo.new", b"dear diary", &["prune", "--max-discs", "6"]);
    refused("book.db.lock", b"dear diary", &["prune", "--max-discs", "6"]);
    refused("book.db.lock", b"\xff\xfe", &["grow", "--positions", "1"]);
    refused("other.db-wal", b"dear diary", &["new", "--book", "other.db"]);
    assert!(!desk.path("other.db").exists());
    assert_eq!(desk.json(&["stats"])["positions"], 20);
    // What is ours is replaced.
    desk.ok(&["prune", "--max-discs", "7"]);
    desk.ok(&["prune", "--max-discs", "6"]);
    desk.ok(&["undo"]);
}

#[test]
fn of_a_book_are_no_names_for_anything_new() {
    let desk = Desk::grown("20");
    desk.ok(&["export", "other.jsonl"]);
    for ending in ["-wal", "-shm", "-journal", ".undo", ".undo.new"] {
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
            &["train", "games", "--count", "1", "--out", &name],
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
    let saved = fs::read(desk.path("book.db.undo")).unwrap();
    fs::remove_file(desk.path("book.db")).unwrap();
    desk.ok(&["new"]);
    let output = desk.run(&["undo"]);
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(is_one_line(told.trim_end()) && told.contains("saved of another book"), "{told}");
    assert_eq!(fs::read(desk.path("book.db.undo")).unwrap(), saved);
    let output = desk.run(&["import", "all.jsonl"]);
    let told = stderr(&output);
    assert!(output.status.success() && is_one_line(told.trim_end()), "{told}");
    let (file, _) = told.split_once(" was saved of another book").unwrap();
    assert!(std::path::Path::new(file).ends_with("book.db.undo"), "{told}");
    let (_, aside) = told.split_once("kept as ").unwrap();
    let (aside, _) = aside.split_once(": 'undo' of that book").unwrap();
    let aside = std::path::Path::new(aside);
    assert_eq!(fs::read(aside).unwrap(), saved);
    let name = aside.file_name().unwrap().to_str().unwrap();
    assert!(
        told.contains(&format!("'rosebill restore --book FILE {}'", aside.display())),
        "{told}"
    );
    desk.ok(&["restore", "--book", "back.db", name]);
    assert_eq!(desk.json(&["stats", "--book", "back.db"])["positions"], 20);
    // What was saved now is the book's own.
    desk.ok(&["undo"]);
    assert_eq!(desk.json(&["stats"])["positions"], 0);
    let output = desk.run(&["import", "all.jsonl"]);
    assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
    assert_eq!(fs::read(aside).unwrap(), saved);
}

#[test]
#[cfg(unix)]
fn a_snapshot_goes_through_a_link_and_into_a_device() {
    let desk = Desk::grown("5");
    fs::write(desk.path("there"), "").unwrap();
    std::os::unix::fs::symlink("there", desk.path("link")).unwrap();
    desk.ok(&["snapshot", "link"]);
    assert!(desk.path("link").symlink_metadata().unwrap().is_symlink());
    assert!(fs::metadata(desk.path("there")).unwrap().len() > 100);
    desk.ok(&["snapshot", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    assert!(desk.refused(&["snapshot", "."]).contains("folder"));
}

/// Also where it comes through a pipe, or is said to be games in JSON.
#[test]
fn a_book_as_json_is_no_file_of_games() {
    let desk = Desk::grown("10");
    desk.ok(&["export", "own.json"]);
    for more in [&[][..], &["--format", "json"]] {
        let told = desk.refused(&[&["games", "import", "own.json"][..], more].concat());
        let right =
            "own.json is a book of rosebill as JSON: 'rosebill import own.json' takes it in";
        assert!(is_one_line(&told) && told.contains(right), "{told}");
    }
    let mut command = desk.command();
    command.args(["games", "import", "-"]).stdin(fs::File::open(desk.path("own.json")).unwrap());
    let output = command.output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(is_one_line(told.trim_end()) && told.contains("'rosebill import FILE'"), "{told}");
    // In a folder it costs nothing.
    fs::create_dir(desk.path("all")).unwrap();
    fs::rename(desk.path("own.json"), desk.path("all/own.json")).unwrap();
    fs::write(desk.path("all/club.txt"), "f5d6c3d3c4\n").unwrap();
    assert!(desk.ok(&["games", "import", "all"]).contains("club.txt: 1 game, 1 new"));
}
