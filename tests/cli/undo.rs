//! Taking an import back.

use std::fs;

use rosebill::store::Reader;

use crate::desk::{Desk, is_one_line};

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
    let originals = || Reader::open(desk.path("book.db")).unwrap().originals().unwrap().len();
    assert_eq!(originals(), 0);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), after);
    assert_eq!(originals(), 2);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
    desk.ok(&["verify"]);
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
    let saved = fs::read(desk.path("book.db.undo")).unwrap();
    // A file that is refused, and a book that nothing comes into.
    desk.refused(&["import", "bad.dat"]);
    assert_eq!(fs::read(desk.path("book.db.undo")).unwrap(), saved);
    desk.refused(&["import", "bad.dat", "--book", "none.db"]);
    assert!(!desk.path("none.db.undo").exists());
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
    desk.ok(&["import", "other.dat", "--no-undo"]);
    assert!(!desk.path("book.db.undo").exists());
    fs::write(desk.path("book.db.undo"), "dear diary").unwrap();
    let before = content(&desk);
    let told = desk.refused(&["import", "third.book"]);
    assert!(is_one_line(&told) && told.contains("book.db.undo") && told.contains("--no-undo"));
    assert_eq!(content(&desk), before);
    desk.ok(&["import", "third.book", "--no-undo"]);
    assert_ne!(content(&desk), before);
    // Who undoes cannot do without.
    let told = desk.refused(&["undo"]);
    assert!(is_one_line(&told) && told.contains("book.db.undo holds no saved book"), "{told}");
    assert!(!told.contains("--no-undo"), "{told}");
    assert_eq!(fs::read_to_string(desk.path("book.db.undo")).unwrap(), "dear diary");
}

#[test]
fn is_still_of_the_last_change_when_another_one_failed() {
    let desk = desk();
    let before = content(&desk);
    desk.ok(&["snapshot", "cut.snap", "--book", "other.db"]);
    let whole = fs::read(desk.path("cut.snap")).unwrap();
    fs::write(desk.path("cut.snap"), &whole[..whole.len() - 9]).unwrap();
    desk.ok(&["import", "other.dat"]);
    let (after, saved) = (content(&desk), fs::read(desk.path("book.db.undo")).unwrap());
    assert!(desk.refused(&["restore", "cut.snap"]).contains("cut.snap"));
    assert_eq!(content(&desk), after);
    assert_eq!(fs::read(desk.path("book.db.undo")).unwrap(), saved);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), before);
}
