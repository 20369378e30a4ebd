//! What differs between two books, as a user sees it, against what a slow comparison finds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rosebill::openbook::{Node, NodeSource, NodeView, Searched, SourceId, WithFacts};
use rosebill::othello::board::{After, Key, Line, Position, Square};
use rosebill::othello::search::Selectivity;
use rosebill::store::{Book, Reader, StoreError};
use serde_json::Value;

use crate::desk::{Desk, is_one_line};

/// `old.db`, and `book.db` that grew on from it and was searched deeper in parts.
fn desk() -> Desk {
    let desk = Desk::grown("150");
    fs::copy(desk.path("book.db"), desk.path("old.db")).unwrap();
    let one = ["--threads", "1", "-q"];
    desk.ok(&[&["grow", "--positions", "60", "--level", "4"][..], &one].concat());
    desk.ok(
        &[&["grow", "--policy", "deepen", "--level", "6", "--searches", "40"][..], &one].concat()
    );
    desk
}

fn objects(desk: &Desk, arguments: &[&str]) -> Vec<Value> {
    let text = desk.ok(&[arguments, &["--json"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn nodes(path: &std::path::Path) -> BTreeMap<Key, Node> {
    let reader = Reader::open(path).unwrap();
    let with_facts = WithFacts::of(&reader).unwrap();
    let mut all = BTreeMap::new();
    reader
        .for_each_node(|node| {
            all.insert(node.key, with_facts.node(&node.key)?.unwrap());
            Ok::<_, StoreError>(())
        })
        .unwrap();
    all
}

/// The squares of all moves with the best guess.
fn best(reader: &Reader, position: Position) -> BTreeSet<Square> {
    let view = NodeView::of(&WithFacts::of(reader).unwrap(), position).unwrap();
    let guess = |found: &rosebill::openbook::BookMove| found.values.map(|values| values.guess);
    let most = view.moves.iter().filter_map(guess).max();
    view.moves.iter().filter(|found| guess(found) == most).map(|found| found.square).collect()
}

/// As the program counts, position by position.
fn count_slowly(desk: &Desk, by: f64) -> BTreeMap<&'static str, u64> {
    let (a, b) = (nodes(&desk.path("old.db")), nodes(&desk.path("book.db")));
    let readers = ["old.db", "book.db"].map(|name| Reader::open(desk.path(name)).unwrap());
    let mut counts = BTreeMap::new();
    let mut count = |name, yes| *counts.entry(name).or_default() += u64::from(yes);
    for (key, one) in &a {
        let Some(other) = b.get(key) else {
            count("only_a", true);
            continue;
        };
        count("both", true);
        let (from, to) = (one.values, other.values);
        // What follows from other positions alone is no difference, nor is the source.
        let content = |node: &Node| {
            let Searched { depth, selectivity, .. } = node.searched;
            (node.values, node.links, node.record, depth, selectivity)
        };
        let same = content(one) == content(other);
        count("differ", !same);
        let apart = |one: f64, other: f64| (one - other).abs() > by + 1e-9;
        let proof_changed = (from.lower, from.upper) != (to.lower, to.upper);
        // Where no proof changed no bonus did.
        let seeking = !proof_changed
            && (apart(from.draw_seeking.discs(), to.draw_seeking.discs())
                || apart(from.win_seeking.discs(), to.win_seeking.discs()));
        count("moved", apart(from.guess.discs(), to.guess.discs()) || seeking);
        count("proof_changed", proof_changed);
        let moves = readers.each_ref().map(|reader| best(reader, key.position()));
        count("best_move_changed", moves[0].is_disjoint(&moves[1]));
    }
    let new = b.keys().filter(|key| !a.contains_key(key)).count() as u64;
    counts.insert("only_b", new);
    counts
}

#[test]
fn counts_and_lists_what_a_slow_comparison_finds() {
    let desk = desk();
    for by in ["1", "0.25"] {
        let found = objects(&desk, &["diff", "old.db", "book.db", "--by", by, "-n", "100000"]);
        let summary = &found[0];
        assert_eq!((&summary["kind"], &summary["equal"]), (&"summary".into(), &false.into()));
        let slowly = count_slowly(&desk, by.parse().unwrap());
        for name in ["both", "only_b", "differ", "moved", "best_move_changed", "proof_changed"] {
            let expected = slowly.get(name).copied().unwrap_or_default();
            assert_eq!(summary[name].as_u64(), Some(expected), "{name} by {by}");
            let of_layers = summary["layers"].as_array().unwrap().iter();
            let sum: u64 = of_layers.map(|layer| layer[name].as_u64().unwrap()).sum();
            assert_eq!(sum, expected, "{name} by {by}");
        }
        assert!(
            summary["moved"].as_u64() > Some(0) && summary["best_move_changed"].as_u64() > Some(0)
        );
        assert_eq!((&summary["only_a"], &summary["contradicted"]), (&0.into(), &0.into()));
        let listed = |kind: &str| found.iter().filter(|object| object["kind"] == kind).count();
        assert_eq!(listed("only_b") as u64, slowly["only_b"]);
        let changed: Vec<&Value> =
            found.iter().filter(|object| object["kind"] == "changed").collect();
        let counts = |name: &str| changed.iter().filter(|object| object[name] == true).count();
        assert_eq!(counts("moved") as u64, slowly["moved"]);
        assert_eq!(counts("best_move_changed") as u64, slowly["best_move_changed"]);
        for object in &changed {
            let most = object["moved_most"].as_str().unwrap();
            let value = |side: &str| object[side]["values"][most].as_f64().unwrap();
            let moved_by = object["moved_by"].as_f64().unwrap();
            let apart = (value("a") - value("b")).abs();
            assert!(moved_by == 0.0 || (apart - moved_by).abs() < 1e-9, "{object}");
        }
        let order = |object: &&Value| {
            (
                object["ply"].as_u64().unwrap(),
                -(object["moved_by"].as_f64().unwrap() * 100.0) as i64,
            )
        };
        assert!(changed.is_sorted_by_key(order));
    }
    // The other way round.
    let turned = objects(&desk, &["diff", "book.db", "old.db"]);
    assert_eq!(turned[0]["only_a"].as_u64(), Some(count_slowly(&desk, 1.0)["only_b"]));
    // Shorter lists are the first of the long ones.
    let all = objects(&desk, &["diff", "old.db", "book.db", "-n", "100000"]);
    let few = objects(&desk, &["diff", "old.db", "book.db", "-n", "3"]);
    assert_eq!(few[0], all[0]);
    for kind in ["changed", "only_b"] {
        let of = |objects: &[Value]| -> Vec<Value> {
            objects.iter().filter(|object| object["kind"] == kind).cloned().collect()
        };
        assert_eq!(of(&few), of(&all)[..3], "{kind}");
    }
}

#[test]
fn every_line_can_be_given_back_and_shows_the_same() {
    let desk = desk();
    let found = objects(&desk, &["diff", "old.db", "book.db", "--by", "0.5", "-n", "25"]);
    let mut shown = 0;
    for object in &found[1..] {
        let line = object["line"].as_str().unwrap();
        assert_eq!(line.len() as u64, 2 * object["ply"].as_u64().unwrap());
        for (side, book) in [("a", "old.db"), ("b", "book.db")] {
            let Some(said) = object.get(side) else {
                let absent = desk.run(&["show", line, "--book", book]);
                assert_eq!(absent.status.code(), Some(1), "{line} is in {book}");
                continue;
            };
            let there = desk.json(&["show", line, "--book", book]);
            assert_eq!(there["position"], object["position"]);
            assert_eq!(there["values"], said["values"], "{line} in {book}");
            let best = there["moves"].as_array().unwrap().iter();
            let best = best.filter(|one| one["values"]["guess"] == said["values"]["guess"]);
            let best: Vec<&Value> = best.map(|one| &one["move"]).collect();
            assert!(best.contains(&&said["best_move"]), "{line} in {book}: {best:?} {said}");
            shown += 1;
        }
    }
    assert!(shown > 40, "{shown}");
}

#[test]
fn a_book_is_equal_to_itself() {
    let desk = Desk::grown("30");
    let said = desk.ok(&["diff", "book.db", "book.db"]);
    assert!(said.ends_with("other searches that are kept are not compared\n"), "{said}");
    assert_eq!(objects(&desk, &["diff", "book.db", "book.db"]).len(), 1);
    desk.ok(&["snapshot", "whole.snapshot", "-q"]);
    desk.ok(&["snapshot", "restore", "whole.snapshot", "--book", "again.db", "-q"]);
    assert_eq!(objects(&desk, &["diff", "book.db", "again.db"])[0]["equal"], true);
    desk.ok(&["new", "--book", "empty.db"]);
    assert!(desk.ok(&["diff", "empty.db", "empty.db"]).contains("both are empty"));
    assert_eq!(objects(&desk, &["diff", "empty.db", "book.db"])[0]["only_b"], 30);
}

#[test]
fn a_part_is_what_lines_from_its_position_reach_in_either_book() {
    let desk = desk();
    let (a, b) = (nodes(&desk.path("old.db")), nodes(&desk.path("book.db")));
    let line: Line = "f5d6".parse().unwrap();
    let mut reached = BTreeSet::new();
    for book in [&a, &b] {
        let (mut left, mut seen) = (vec![Key::of(line.board().position)], BTreeSet::new());
        while let Some(key) = left.pop() {
            if book.contains_key(&key) && seen.insert(key) {
                let position = key.position();
                let after = |square| position.after(square).and_then(After::position);
                left.extend(position.legal_moves().filter_map(after).map(Key::of));
            }
        }
        reached.append(&mut seen);
    }
    let part = &objects(&desk, &["diff", "old.db", "book.db", "--from", "f5d6"])[0];
    let count = |of: &dyn Fn(&Key) -> bool| reached.iter().filter(|key| of(key)).count() as u64;
    assert_eq!(part["both"], count(&|key| a.contains_key(key) && b.contains_key(key)));
    assert_eq!(part["only_b"], count(&|key| !a.contains_key(key)));
    let whole = &objects(&desk, &["diff", "old.db", "book.db"])[0];
    assert!(part["both"].as_u64() < whole["both"].as_u64(), "{part}");
}

#[test]
fn values_are_those_with_facts() {
    let desk = Desk::grown("30");
    fs::copy(desk.path("book.db"), desk.path("old.db")).unwrap();
    fs::write(desk.path("proven.csv"), "line,proven_lower,proven_upper\nf5,-10,-8\n").unwrap();
    desk.ok(&["import", "proven.csv", "-q"]);
    let found = objects(&desk, &["diff", "old.db", "book.db"]);
    let start = found.iter().find(|object| object["line"] == "").unwrap();
    assert_eq!(start["b"]["values"], desk.json(&["show"])["values"]);
    assert_eq!((&start["moved"], &start["proof_changed"]), (&true.into(), &true.into()));
    assert!(desk.ok(&["diff", "old.db", "book.db"]).contains("+8 to +10"));
}

#[test]
fn what_cannot_be_read_is_told_in_a_line() {
    let desk = Desk::grown("5");
    fs::write(desk.path("text.db"), "no book\n").unwrap();
    for (other, told) in [("none.db", "none.db"), ("text.db", "text.db"), (".", "folder")] {
        let error = desk.refused(&["diff", "book.db", other]);
        assert!(is_one_line(&error) && error.contains(told), "{error}");
    }
    desk.refused(&["diff", "book.db", "book.db", "--by", "-1"]);
    assert!(!desk.path("none.db").exists());
}

#[test]
fn a_book_that_is_written_is_seen_as_it_was_committed() {
    let desk = Desk::grown("20");
    fs::copy(desk.path("book.db"), desk.path("old.db")).unwrap();
    let mut book = Book::open(desk.path("book.db")).unwrap();
    let searched = Searched { depth: 1, selectivity: Selectivity::FULL, source: SourceId(0) };
    let line: rosebill::othello::board::Line = "f5f4f3g4".parse().unwrap();
    for step in line.steps() {
        let key = Key::of(step.before.position);
        if book.node(&key).unwrap().is_none() {
            book.insert(key, None, searched).unwrap();
        }
    }
    let summary = |desk: &Desk| objects(desk, &["diff", "old.db", "book.db"])[0].clone();
    assert_eq!(summary(&desk)["equal"], true);
    book.commit().unwrap();
    assert!(summary(&desk)["only_b"].as_u64() > Some(0));
}

/// Positions that no line of the book leads to are told by their boards.
#[test]
fn a_position_without_a_way_is_told_by_its_board() {
    let desk = Desk::grown("5");
    desk.ok(&["new", "--book", "lone.db"]);
    let board =
        "---------------------O-----XOX-----OOX----O---------------------  X".replace("  ", " ");
    let grown = desk.run(&[
        "grow",
        "--book",
        "lone.db",
        "--from",
        &board,
        "--positions",
        "2",
        "--level",
        "1",
        "-q",
    ]);
    assert!(grown.status.success());
    let found = objects(&desk, &["diff", "book.db", "lone.db"]);
    let lone: Vec<&Value> = found.iter().filter(|object| object["kind"] == "only_b").collect();
    assert_eq!(lone.len(), 2);
    assert!(lone.iter().all(|object| object["line"].is_null()), "{lone:?}");
    let told = lone[0]["position"]["board"].as_str().unwrap().to_owned() + " X";
    desk.ok(&["show", &told, "--book", "lone.db"]);
}
