//! SQLite's log beside a book whose file was put in its place by another program, and a log that was deleted.

use std::fs;
use std::path::Path;

use rosebill::store::Reader;

use crate::desk::{Desk, is_one_line, stderr};
use crate::gone::growing;

/// How a file comes to another's place.
type Put = fn(&Path, &Path);

fn copied(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

fn renamed(from: &Path, to: &Path) {
    fs::copy(from, from.with_extension("moved")).unwrap();
    fs::rename(from.with_extension("moved"), to).unwrap();
}

fn positions(desk: &Desk, book: &str) -> u64 {
    desk.json(&["info", "--by-discs", "--book", book])["positions"].as_u64().unwrap()
}

/// The logs that were set aside.
fn set_aside(desk: &Desk) -> Vec<String> {
    let names = desk.folder.path().read_dir().unwrap();
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("book.db-wal.")).collect()
}

/// A book of 60 positions with an older copy of 20, and another book of 90.
fn shelf() -> Desk {
    let desk = Desk::grown("20");
    copied(&desk.path("book.db"), &desk.path("old.db"));
    let grow = ["grow", "--level", "2", "--threads", "1", "-q", "--positions"];
    desk.ok(&[&grow[..], &["40"]].concat());
    desk.ok(&[&grow[..], &["90", "--book", "other.db"]].concat());
    desk
}

fn crash(desk: &Desk) -> u64 {
    let mut growth = growing(desk);
    growth.kill().unwrap();
    growth.wait().unwrap();
    assert!(desk.path("book.db-wal").metadata().unwrap().len() > 0);
    let seen = positions(&Desk::copy_of(desk), "book.db");
    assert!(seen > 60);
    seen
}

#[test]
fn a_log_that_a_crash_left_does_not_swallow_what_is_put_there() {
    for (put, backup, count) in [
        (copied as Put, "old.db", 20),
        (renamed, "old.db", 20),
        (copied, "other.db", 90),
        (renamed, "other.db", 90),
    ] {
        let desk = shelf();
        let seen = crash(&desk);
        let crashed = fs::read(desk.path("book.db")).unwrap();
        put(&desk.path(backup), &desk.path("book.db"));
        let bytes = fs::read(desk.path("book.db")).unwrap();
        let output = desk.run(&["info", "--by-discs"]);
        let told = stderr(&output);
        assert!(
            is_one_line(told.trim_end())
                && told.contains("book.db-wal.")
                && output.status.success(),
            "{told}"
        );
        assert_eq!(positions(&desk, "book.db"), count, "{backup}");
        assert!(fs::read(desk.path("book.db")).unwrap() == bytes, "{backup} is as it was");
        assert!(desk.ok(&["verify"]).contains(" 0 violations"));
        let aside = set_aside(&desk);
        assert_eq!(aside.len(), 1, "{aside:?}");
        // Nothing of the book that crashed is lost either.
        fs::write(desk.path("book.db"), crashed).unwrap();
        fs::rename(desk.path(&aside[0]), desk.path("book.db-wal")).unwrap();
        assert_eq!(positions(&desk, "book.db"), seen);
        assert!(desk.ok(&["verify"]).contains(" 0 violations") && set_aside(&desk).is_empty());
    }
}

/// A writer, and `verify --salvage`, which goes without SQLite, look as well.
#[test]
fn whoever_comes_first_sets_a_foreign_log_aside() {
    for arguments in [
        &["grow", "--level", "1", "--threads", "1", "--positions", "1"][..],
        &["verify", "--salvage", "saved.db"],
    ] {
        let desk = shelf();
        crash(&desk);
        copied(&desk.path("other.db"), &desk.path("book.db"));
        let output = desk.run(arguments);
        assert!(stderr(&output).contains("book.db-wal."), "{}", stderr(&output));
        let book = if arguments[0] == "grow" { "book.db" } else { "saved.db" };
        assert!((90..=91).contains(&positions(&desk, book)));
        assert_eq!(set_aside(&desk).len(), 1);
    }
}

#[test]
fn a_copy_made_while_a_book_grows_is_told_from_what_came_later() {
    let desk = Desk::grown("20");
    // A copy of the main file alone, which then holds the beginning of the run.
    let growth = growing(&desk);
    copied(&desk.path("book.db"), &desk.path("early.db"));
    let output = {
        let mut growth = growth;
        growth.kill().unwrap();
        growth.wait_with_output().unwrap()
    };
    assert!(!output.status.success());
    let early = positions(&desk, "early.db");
    assert!(early >= 20);
    // The log goes on from there.
    copied(&desk.path("early.db"), &desk.path("book.db"));
    assert!(positions(&desk, "book.db") > early && set_aside(&desk).is_empty());
    // Not any more.
    crash(&desk);
    copied(&desk.path("early.db"), &desk.path("book.db"));
    assert_eq!(positions(&desk, "book.db"), early);
    assert_eq!(set_aside(&desk).len(), 1);
}

/// As `cat good.db > book.db` does it: the lock, the name and the number of the file stay.
#[test]
fn a_book_that_is_written_over_ends_growth_and_the_new_one_stays_as_it_is() {
    let desk = shelf();
    let growth = growing(&desk);
    copied(&desk.path("other.db"), &desk.path("book.db"));
    let output = growth.wait_with_output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("was deleted or replaced"), "{told}");
    assert_eq!((positions(&desk, "book.db"), set_aside(&desk).len()), (90, 1));
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
}

#[test]
fn a_reader_notices_what_is_put_in_the_place_of_its_book() {
    for (put, log_is_left) in
        [(copied as Put, false), (renamed, false), (copied, true), (renamed, true)]
    {
        let desk = shelf();
        let reader = Reader::open(desk.path("book.db")).unwrap();
        assert!(reader.is_current());
        desk.ok(&["grow", "--level", "2", "--threads", "1", "--positions", "10", "-q"]);
        assert!(reader.is_current() && reader.count_positions().unwrap() == 70);
        if log_is_left {
            crash(&desk);
            assert!(reader.is_current());
        } else {
            assert_eq!(desk.path("book.db-wal").metadata().unwrap().len(), 0, "written back");
        }
        put(&desk.path("other.db"), &desk.path("book.db"));
        assert!(!reader.is_current());
        assert_eq!(positions(&desk, "book.db"), 90);
        drop(reader);
        assert_eq!(Reader::open(desk.path("book.db")).unwrap().count_positions().unwrap(), 90);
        assert!(desk.ok(&["verify"]).contains(" 0 violations"));
        assert_eq!(set_aside(&desk).len(), usize::from(log_is_left));
    }
}

#[test]
fn a_log_that_is_deleted_ends_growth_with_nothing_lost() {
    for gone in [&["-wal"][..], &["-shm"], &["-wal", "-shm"]] {
        let desk = Desk::grown("20");
        let growth = growing(&desk);
        let seen = positions(&desk, "book.db");
        for ending in gone {
            fs::remove_file(desk.path(&format!("book.db{ending}"))).unwrap();
        }
        let output = growth.wait_with_output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(is_one_line(told.trim_end()) && told.contains("-wal or -shm"), "{told}");
        // All of it is in the file itself.
        copied(&desk.path("book.db"), &desk.path("alone.db"));
        let alone = positions(&desk, "alone.db");
        assert!(alone >= seen && positions(&desk, "book.db") == alone, "{alone} of {seen}");
        assert!(desk.ok(&["verify"]).contains(" 0 violations"));
    }
}

/// What an older program, or any other, wrote without a word of where it goes on from.
#[test]
fn a_book_without_a_lineage_is_read_with_its_log() {
    let desk = Desk::grown("20");
    let connection = rusqlite::Connection::open(desk.path("book.db")).unwrap();
    connection.execute("DELETE FROM meta WHERE name = 'lineage'", []).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    connection.execute("INSERT INTO run (asked, started) VALUES ('by hand', '')", []).unwrap();
    let held = rusqlite::Connection::open(desk.path("book.db")).unwrap();
    let runs: i64 = held.query_row("SELECT count(*) FROM run", [], |row| row.get(0)).unwrap();
    assert_eq!(runs, 2);
    assert!(desk.path("book.db-wal").metadata().unwrap().len() > 0);
    assert_eq!(positions(&desk, "book.db"), 20);
    desk.ok(&["grow", "--level", "2", "--threads", "1", "--positions", "5", "-q"]);
    assert_eq!((positions(&desk, "book.db"), set_aside(&desk).len()), (25, 0));
}
