//! Cutting a book from the command line.

use crate::desk::Desk;

#[test]
fn prune_only_and_export_from_mean_the_same() {
    let desk = Desk::grown("30");
    let line = "f5d6c3d3c4";
    desk.ok(&["grow", "--from", line, "--positions", "20", "--level", "2", "--threads", "1", "-q"]);
    desk.ok(&["export", "part.jsonl", "--from", line, "-q"]);
    let before = desk.json(&["stats"])["positions"].as_u64().unwrap();
    let cut = desk.json(&["prune", "--only", line]);
    let stay = cut["positions"].as_u64().unwrap();
    assert!(stay < before);
    // The way there stays: the start is in the book, and so is each position of the line.
    for plies in 0..=5 {
        desk.ok(&["show", &line[..2 * plies]]);
    }
    desk.ok(&["verify"]);
    // It is what an export of the same part writes.
    desk.ok(&["import", "--book", "part.db", "part.jsonl", "-q"]);
    assert_eq!(desk.json(&["stats", "--book", "part.db"])["positions"].as_u64(), Some(stay));
}

#[test]
fn prune_only_from_a_board_keeps_no_way() {
    let desk = Desk::grown("30");
    let board = "---------------------------OX------XXX-------------------------- O";
    let cut = desk.json(&["prune", &format!("--only={board}")]);
    let stats = desk.json(&["stats"]);
    assert_eq!(stats["positions"], cut["positions"]);
    assert_eq!(desk.run(&["show"]).status.code(), Some(1), "the start is gone");
}
