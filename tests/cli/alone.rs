//! Two that write one book, in spite of the lock: the book stays sound, and who is in the wrong is told. And
//! pages that do not lead any more to what is below them: no command takes a part for the whole.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::Connection;

use crate::desk::{Desk, is_one_line, stderr};
use crate::gone::growing;

fn assert_refused(growth: Child, sign: &str) {
    let output = growth.wait_with_output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(is_one_line(text.trim_end()), "{text}");
    assert!(text.contains("another program writes") && text.contains(sign), "{text}");
}

/// A transaction of another program, between two of growth.
fn begun(desk: &Desk) -> Connection {
    let connection = Connection::open(desk.path("book.db")).unwrap();
    connection.busy_timeout(Duration::ZERO).unwrap();
    // Growth holds the book nearly always: who sleeps for long in between would hardly find it free.
    while connection.execute_batch("BEGIN IMMEDIATE").is_err() {
        sleep(Duration::from_micros(200));
    }
    connection
}

#[test]
fn growth_whose_lock_was_deleted_leaves_the_book_to_the_next() {
    let desk = Desk::grown("20");
    let growth = growing(&desk);
    fs::remove_file(desk.path("book.db.lock")).unwrap();
    desk.ok(&["grow", "--level", "1", "--searches", "300", "--policy", "deviate", "-q"]);
    assert_refused(growth, "its lock file is gone");
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
}

#[test]
fn growth_ends_where_another_program_has_changed_the_book() {
    let desk = Desk::grown("20");
    let growth = growing(&desk);
    begun(&desk).execute_batch("INSERT INTO meta VALUES ('seen', 'by others'); COMMIT").unwrap();
    assert_refused(growth, "it has been changed");
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
}

#[test]
fn growth_waits_for_who_only_holds_the_book() {
    let desk = Desk::grown("20");
    let mut growth = growing(&desk);
    let connection = begun(&desk);
    // Longer than any other command waits.
    sleep(Duration::from_secs(7));
    assert!(growth.try_wait().unwrap().is_none());
    let positions = || desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    let before = positions();
    connection.execute_batch("ROLLBACK").unwrap();
    while positions() == before {
        assert!(growth.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(20));
    }
    let id = growth.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(growth.wait().unwrap().code(), Some(130));
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
}

#[test]
fn what_was_started_to_ignore_the_end_of_its_terminal_does() {
    let desk = Desk::new();
    desk.ok(&["new", "-q"]);
    let program = desk.command();
    // The same as 'nohup' does.
    let script = "trap '' HUP; exec \"$0\" grow --level 1 --threads 1 --time 3s -q";
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(program.get_program()).current_dir(desk.folder.path());
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let growth = shell.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_millis(1500));
    let id = growth.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    let output = growth.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
}

#[test]
fn nothing_takes_a_part_of_a_layer_for_the_whole() {
    let desk = Desk::grown("400");
    let before = desk.json(&["info", "--by-discs"]);
    let discs = 8;
    let connection = Connection::open(desk.path("book.db")).unwrap();
    // Behind our back: what a page that leads nowhere does.
    let sql = format!("DELETE FROM node WHERE discs = {discs} AND mover % 3 = 0");
    let gone = connection.execute(&sql, []).unwrap();
    assert!(gone > 0 && before["positions"] == 400, "{gone}");
    drop(connection);
    fs::copy(desk.path("book.db"), desk.path("other.db")).unwrap();
    let bytes = fs::read(desk.path("book.db")).unwrap();
    desk.ok(&["new", "--book", "new.db", "-q"]);
    let commands: [&[&str]; 10] = [
        &["import", "other.db", "--book", "new.db"],
        &["export", "x.dat"],
        &["export", "x.jsonl"],
        &["export", "x.csv"],
        &["prune", "--max-discs", "60", "--to", "part.db"],
        &["prune", "--max-discs", "9", "--no-undo"],
        &["verify", "--recompute"],
        &["info", "--by-discs"],
        &["diff", "book.db", "new.db"],
        &["snapshot", "x.snapshot"],
    ];
    for command in commands {
        let told = desk.refused(command);
        assert!(is_one_line(&told), "{told}");
        let count = format!("positions of {discs} discs are found, and ");
        assert!(told.contains("is damaged") && told.contains(&count), "{command:?}: {told}");
        // What is named can be looked at.
        assert!(!told.contains("unfinished"), "{told}");
        assert!(fs::read(desk.path("book.db")).unwrap() == bytes, "{command:?} wrote");
    }
    assert_eq!(desk.json(&["info", "--by-discs", "--book", "new.db"])["positions"], 0);
    assert_eq!(desk.run(&["verify"]).status.code(), Some(1));
}

#[test]
fn a_pipe_that_nobody_writes_to_is_given_up() {
    let desk = Desk::grown("20");
    let made = Command::new("mkfifo").arg(desk.path("pipe")).status().unwrap();
    assert!(made.success());
    for arguments in [&["snapshot", "restore", "pipe"][..], &["games", "import", "pipe"]] {
        let mut waiting = desk
            .command()
            .args(arguments)
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(700));
        assert!(waiting.try_wait().unwrap().is_none(), "{arguments:?}");
        let id = waiting.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let output = waiting.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {output:?}");
    }
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 20);
}
