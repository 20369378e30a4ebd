//! Taking an import back.

use std::fs;

use rosebill::store::Reader;

use crate::desk::{Desk, is_one_line, stderr};

/// A desk with a book of our own growth, and books of other growth as Edax's and NTest's files.
fn desk() -> Desk {
    let desk = Desk::grown("60");
    let other = ["--book", "other.db", "--threads", "1", "-q"];
    desk.ok(&[&["grow", "--positions", "90", "--level", "3"][..], &other].concat());
    desk.ok(&["export", "other.dat", "--book", "other.db", "-q"]);
    desk.ok(&["grow", "--positions", "40", "--level", "4", "--from", "f5d6", "--book", "third.db"]);
    desk.ok(&["export", "third.book", "--book", "third.db", "-q"]);
    desk
}

/// All that the book holds, as JSON Lines.
fn content(desk: &Desk) -> String {
    desk.ok(&["export", "-", "--format", "json"])
}

#[test]
fn brings_the_very_same_book_back() {
    let desk = desk();
    let before = content(&desk);
    desk.ok(&["import", "other.dat", "third.book"]);
    let after = content(&desk);
    assert_ne!(after, before);
    // Both files, with what is kept of them.
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
    let originals =
        || Reader::open(desk.path("book.db")).unwrap().originals().sources().unwrap().len();
    assert_eq!(originals(), 0);
    desk.ok(&["undo", "--redo"]);
    assert_eq!(content(&desk), after);
    assert_eq!(originals(), 2);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
    desk.ok(&["verify"]);
    assert_eq!(desk.json(&["undo"])["positions"], 0);
    assert!(desk.not_there(&["undo"]).contains("nothing to undo"));
}

/// Growth and bulk operations, back to the empty book and forth again.
#[test]
fn takes_growth_and_bulk_operations_back_in_their_order() {
    let desk = desk();
    let grow = |level: &str| {
        desk.ok(&["grow", "--positions", "12", "--level", level, "--threads", "1", "-q"]);
    };
    let mut states = vec![content(&desk)];
    let steps: [&dyn Fn(); 6] = [
        &|| grow("2"),
        &|| drop(desk.ok(&["import", "other.dat", "-q"])),
        &|| grow("4"),
        &|| drop(desk.ok(&["prune", "--max-discs", "12", "-q"])),
        &|| drop(desk.ok(&["import", "third.db", "-q"])),
        &|| grow("1"),
    ];
    for step in steps {
        step();
        states.push(content(&desk));
    }
    let sound = || assert!(desk.ok(&["verify"]).contains(" 0 violations"));
    for state in states.iter().rev().skip(1) {
        desk.ok(&["undo", "-q"]);
        assert!(content(&desk) == *state);
        sound();
    }
    assert_eq!(desk.json(&["undo"])["positions"], 0);
    desk.ok(&["undo", "--redo", "-q"]);
    for state in states.iter().skip(1) {
        desk.ok(&["undo", "--redo", "-q"]);
        assert!(content(&desk) == *state);
        sound();
    }
    assert!(desk.not_there(&["undo", "--redo"]).contains("nothing to do again"));
    let list = desk.json(&["undo", "--list"]);
    let numbers = list["changes"].as_array().unwrap().iter().map(|change| &change["change"]);
    assert!(numbers.eq([1, 2, 3, 4, 5, 6, 7].iter()), "{list}");
    let undone = desk.json(&["undo", "4"]);
    assert_eq!(undone["changes"].as_array().unwrap().len(), 4);
    assert!(content(&desk) == states[2]);
    // What could be done again cannot any more, and its files go.
    assert_eq!(desk.saved().len(), 3);
    grow("3");
    assert!(desk.not_there(&["undo", "--redo"]).contains("nothing to do again"));
    assert_eq!(desk.json(&["undo", "--list"])["changes"].as_array().unwrap().len(), 4);
    desk.ok(&["prune", "--max-discs", "8", "-q"]);
    assert_eq!(desk.saved().len(), 2);
    assert!(desk.not_there(&["undo", "9"]).contains("no change 9"));
    // A copy of the book knows what was grown, and misses what was saved.
    fs::copy(desk.path("book.db"), desk.path("copy.db")).unwrap();
    let told = desk.refused(&["undo", "--book", "copy.db"]);
    assert!(is_one_line(&told) && told.contains("copy.db.undo."), "{told}");
    // A cut copy has no log of its own.
    desk.ok(&["prune", "--max-discs", "7", "--to", "cut.db", "-q"]);
    assert!(desk.not_there(&["undo", "--book", "cut.db"]).contains("nothing to undo"));
}

/// What is listed, on a terminal of 80 columns.
#[test]
fn lists_what_can_be_taken_back() {
    let desk = desk();
    let list = || {
        let output = desk.command().env("COLUMNS", "80").args(["undo", "--list"]).output().unwrap();
        assert!(output.stderr.is_empty(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        text
    };
    desk.ok(&["import", "other.dat", "-q"]);
    let grow = ["grow", "--positions", "5", "--level", "2", "--threads", "1", "-q"];
    desk.ok(&[&grow[..], &["--from", "f5d6c3d3c4f4f6f3e6e7d7g6"]].concat());
    desk.ok(&["prune", "--max-discs", "9", "-q"]);
    desk.ok(&["undo", "3", "-q"]);
    // What is saved is packed with the time, so its size is not the same every time.
    let json = desk.json(&["undo", "--list"]);
    let changes = json["changes"].as_array().unwrap();
    let sizes = changes.iter().map(|change| match change["bytes"].as_u64().unwrap() {
        few @ ..1024 => format!("{few} bytes"),
        bytes => format!("{:.0} KiB", bytes as f64 / 1024.0),
    });
    let text = sizes.fold(list(), |text, bytes| text.replace(&bytes, &"#".repeat(bytes.len())));
    insta::assert_snapshot!("undo_list_80", text);
    let other = desk.run(&["undo", "--list", "--book", "none.db"]);
    assert_eq!(other.status.code(), Some(2));
    desk.ok(&["new", "--book", "none.db"]);
    assert!(
        desk.not_there(&["undo", "--list", "--book", "none.db"]).contains("nothing was changed")
    );
}

/// Where a saved book is missing, the changes after it stay, too.
#[test]
fn takes_several_changes_back_or_none() {
    let desk = desk();
    desk.ok(&["import", "other.dat", "-q"]);
    desk.ok(&["grow", "--positions", "5", "--level", "2", "--threads", "1", "-q"]);
    fs::copy(desk.path("book.db"), desk.path("copy.db")).unwrap();
    let list = |book: &str| desk.ok(&["undo", "--list", "--book", book]);
    let told = desk.refused(&["undo", "1", "--book", "copy.db"]);
    assert!(told.contains("change 2 (") && told.contains("is missing"), "{told}");
    assert_eq!(list("copy.db"), list("book.db"));
    let told = stderr(&desk.run(&["undo", "1"]));
    assert!(told.contains("'undo --redo', 3 times, brings back the "), "{told}");
}

#[test]
fn empties_a_book_that_another_one_was_imported_into() {
    let desk = desk();
    desk.ok(&["import", "third.db", "--empty", "--book", "new.db", "-q"]);
    assert_eq!(desk.json(&["undo", "--book", "new.db"])["positions"], 0);
    let told = desk.not_there(&["undo", "--book", "new.db"]);
    assert!(told.contains("nothing to undo") && !told.contains("games remove"), "{told}");
}

#[test]
fn empties_a_book_that_was_made_for_it() {
    let desk = desk();
    fs::remove_file(desk.path("book.db")).unwrap();
    desk.ok(&["new"]);
    let empty = content(&desk);
    fs::remove_file(desk.path("book.db")).unwrap();
    desk.ok(&["import", "other.dat"]);
    assert_ne!(content(&desk), empty);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), empty);
    desk.ok(&["verify"]);
}

#[test]
fn is_of_the_last_import_that_took_something() {
    let desk = desk();
    let before = content(&desk);
    desk.ok(&["import", "other.dat"]);
    fs::write(desk.path("bad.dat"), "XADEKOOB").unwrap();
    let saved = desk.saved();
    // A file that is refused, and a book that nothing comes into.
    desk.refused(&["import", "bad.dat"]);
    assert_eq!(desk.saved(), saved);
    desk.refused(&["import", "bad.dat", "--book", "none.db"]);
    assert_eq!(desk.saved(), saved);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
    // The first file is in the book, the second one is not.
    desk.run(&["import", "other.dat", "bad.dat"]);
    assert_ne!(content(&desk), before);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
}

#[test]
fn is_done_without_where_that_is_asked_or_another_file_is_in_the_way() {
    let desk = desk();
    let told = desk.run(&["import", "other.dat", "--no-undo"]);
    // The growth before it cannot be taken back any more, either.
    assert!(stderr(&told).contains("can no longer be undone"), "{told:?}");
    assert!(desk.saved().is_empty());
    assert!(desk.not_there(&["undo"]).contains("nothing to undo"));
    let place = desk.saved_name(1);
    fs::write(desk.path(&place), "dear diary").unwrap();
    let before = content(&desk);
    let told = desk.refused(&["import", "third.book"]);
    assert!(is_one_line(&told) && told.contains(&place) && told.contains("--no-undo"));
    assert_eq!(content(&desk), before);
    desk.ok(&["import", "third.book", "--no-undo"]);
    assert_ne!(content(&desk), before);
    assert_eq!(fs::read_to_string(desk.path(&place)).unwrap(), "dear diary");
}

#[test]
fn is_still_of_the_last_change_when_another_one_failed() {
    let desk = desk();
    let before = content(&desk);
    desk.ok(&["snapshot", "cut.snap", "--book", "other.db"]);
    let whole = fs::read(desk.path("cut.snap")).unwrap();
    fs::write(desk.path("cut.snap"), &whole[..whole.len() - 9]).unwrap();
    desk.ok(&["import", "other.dat"]);
    let (after, saved) = (content(&desk), desk.saved());
    assert!(desk.refused(&["snapshot", "restore", "cut.snap"]).contains("cut.snap"));
    assert_eq!(content(&desk), after);
    assert_eq!(desk.saved(), saved);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
}
