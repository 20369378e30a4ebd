//! Every command that writes a book is as durable as the settings say, also on a book that exists.

use std::fs;

use crate::desk::{Desk, stderr};

#[test]
fn every_writer_is_as_durable_as_the_settings_say() {
    let desk = Desk::grown("40");
    desk.ok(&["export", "all.jsonl", "-q"]);
    desk.ok(&["snapshot", "all.snapshot", "-q"]);
    fs::copy(desk.path("book.db"), desk.path("other.db")).unwrap();
    let writers: [&[&str]; 8] = [
        &["grow", "--positions", "1", "--level", "1"],
        &["import", "all.jsonl"],
        &["import", "other.db"],
        &["verify", "--recompute"],
        &["prune", "--max-discs", "9"],
        &["undo"],
        &["snapshot", "restore", "all.snapshot"],
        &["new", "--book", "new.db"],
    ];
    for (name, level) in [("full", "Full"), ("normal", "Normal")] {
        fs::write(desk.path("config.toml"), format!("durability = \"{name}\"\n")).unwrap();
        let _ = fs::remove_file(desk.path("new.db"));
        for writer in writers {
            let output = desk.run(&[writer, &["-v"]].concat());
            let log = stderr(&output);
            assert!(output.status.success(), "{writer:?}: {log}");
            let said: Vec<&str> =
                log.lines().filter(|line| line.contains("durability: ")).collect();
            let as_asked =
                said.last().is_some_and(|line| line.contains(&format!("durability: {level}")));
            assert!(as_asked, "{writer:?} with {name}: {log}");
        }
    }
}
