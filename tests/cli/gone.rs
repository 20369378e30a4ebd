//! A book that is taken away from under growth.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::desk::{Desk, is_one_line, stderr};

/// Growth of the desk's book that has committed something.
pub fn growing(desk: &Desk) -> Child {
    let positions = || desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    let before = positions();
    let mut growth = desk
        .command()
        .args(["grow", "--level", "1", "--threads", "1", "--time", "60s", "-q"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while positions() == before {
        assert!(growth.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(20));
    }
    growth
}

fn assert_noticed(growth: Child) {
    let output = growth.wait_with_output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(is_one_line(text.trim_end()), "{text}");
    assert!(text.contains("was deleted or replaced while it was being written"), "{text}");
}

fn names(desk: &Desk) -> Vec<String> {
    let files = desk.folder.path().read_dir().unwrap();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_book_that_is_deleted_ends_growth() {
    let desk = Desk::grown("20");
    let growth = growing(&desk);
    fs::remove_file(desk.path("book.db")).unwrap();
    assert_noticed(growth);
    assert_eq!(names(&desk), ["book.db.lock"]);
    desk.ok(&["new"]);
}

/// All that was committed moves with it.
#[test]
fn a_book_that_is_renamed_ends_growth_and_is_whole() {
    let desk = Desk::grown("20");
    let growth = growing(&desk);
    let committed = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    fs::rename(desk.path("book.db"), desk.path("moved.db")).unwrap();
    assert_noticed(growth);
    assert_eq!(names(&desk), ["book.db.lock", "moved.db"]);
    let positions =
        desk.json(&["info", "--by-discs", "--book", "moved.db"])["positions"].as_u64().unwrap();
    assert!(positions >= committed);
    assert!(desk.ok(&["verify", "--book", "moved.db"]).contains(" 0 violations"));
}

#[test]
fn a_book_that_is_replaced_ends_growth_and_the_new_one_stays_as_it_is() {
    let desk = Desk::grown("20");
    desk.ok(&["grow", "--book", "new.db", "--positions", "50", "--level", "2", "-q"]);
    let new = fs::read(desk.path("new.db")).unwrap();
    let growth = growing(&desk);
    fs::rename(desk.path("new.db"), desk.path("book.db")).unwrap();
    assert_noticed(growth);
    assert!(fs::read(desk.path("book.db")).unwrap() == new);
    assert_eq!(names(&desk), ["book.db", "book.db.lock", "new.db.lock"]);
    assert!(desk.ok(&["verify"]).starts_with("50 positions, 0 violations"));
}

/// With the lock gone as well another writer may be at work: what it wrote stays, log and all.
#[test]
fn another_book_of_the_same_name_keeps_its_log() {
    let desk = Desk::grown("20");
    let growth = growing(&desk);
    for ending in ["", "-wal", "-shm", ".lock"] {
        fs::remove_file(desk.path(&format!("book.db{ending}"))).unwrap();
    }
    let mut second = desk
        .command()
        .args(["grow", "--level", "1", "--threads", "1", "--time", "60s", "-q"])
        .spawn()
        .unwrap();
    assert_noticed(growth);
    let positions = || desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    while !desk.path("book.db").exists() || positions() < 3 {
        assert!(second.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(20));
    }
    let seen = positions();
    second.kill().unwrap();
    second.wait().unwrap();
    assert!(positions() >= seen);
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
}

/// SQLite would take what is in it for changes of the new book.
#[test]
fn the_log_of_a_lost_book_is_in_the_way_of_a_new_one() {
    let desk = Desk::new();
    fs::write(desk.path("book.db-wal"), "left over").unwrap();
    let text = desk.refused(&["new"]);
    assert!(
        is_one_line(&text) && text.contains("book.db-wal belongs to a book that is gone"),
        "{text}"
    );
    assert!(!desk.path("book.db").exists());
    assert_eq!(fs::read(desk.path("book.db-wal")).unwrap(), b"left over");
}
