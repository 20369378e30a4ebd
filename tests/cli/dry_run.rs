//! `--dry-run` of merge and import: what it says is what the real thing then does, and it writes nothing.

use std::fs;

use serde_json::Value;

use crate::desk::Desk;

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn desk() -> Desk {
    let desk = Desk::grown("60");
    let other = ["--book", "other.db", "--threads", "1", "-q"];
    desk.ok(&[&["grow", "--positions", "90", "--level", "3"][..], &other].concat());
    desk.ok(&["export", "other.dat", "--book", "other.db", "-q"]);
    desk
}

#[test]
fn says_what_then_happens_and_writes_nothing() {
    for (command, file) in [("import", "other.db"), ("import", "other.dat")] {
        let desk = desk();
        let book = desk.path("book.db");
        fs::copy(&book, desk.path("before.db")).unwrap();
        let bytes = fs::read(&book).unwrap();
        let changes = desk.ok(&["undo", "--list"]);
        let dry = objects(&desk.ok(&[command, file, "--dry-run", "--json"]));
        assert_eq!(fs::read(&book).unwrap(), bytes, "{command}");
        assert!(desk.saved().is_empty(), "{command}");
        assert_eq!(desk.ok(&["undo", "--list"]), changes, "{command}");
        let real = objects(&desk.ok(&[command, file, "--json"]));
        assert_eq!(dry[0], real[0], "{command}");
        let found = &dry[1];
        let diff = objects(&desk.ok(&[
            "diff",
            "before.db",
            "book.db",
            "--by",
            "0",
            "-n",
            "999",
            "--json",
        ]));
        assert_eq!(found["kind"], "dry_run");
        assert_eq!(found["new"], diff[0]["only_b"], "{command}");
        for name in ["both", "best_move_changed", "proof_changed"] {
            assert_eq!(found[name], diff[0][name], "{command}: {name}");
        }
        assert_eq!(found["moved"][0]["values"], diff[0]["moved"], "{command}");
        let changed: Vec<&Value> = diff.iter().filter(|one| one["kind"] == "changed").collect();
        let moved_by = |one: &&Value| one["moved_by"].as_f64().unwrap();
        let by_more_than = |discs: f64| changed.iter().filter(|one| moved_by(one) > discs).count();
        for sizes in found["moved"].as_array().unwrap() {
            let count = by_more_than(sizes["by_more_than"].as_f64().unwrap());
            assert_eq!(sizes["values"], count, "{command}: {sizes}");
        }
        let most = changed.iter().map(moved_by).fold(0.0, f64::max);
        assert_eq!(found["moved_by_at_most"], most, "{command}");
        // What is listed are best moves that change, as the comparison has them.
        let near = found["best_move_changed_near"].as_u64().unwrap();
        assert_eq!(dry[2..].len() as u64, near.min(20), "{command}");
        for listed in &dry[2..] {
            assert_eq!(listed["best_move_changed"], true);
            assert!(changed.contains(&listed), "{command}: {listed}");
        }
    }
}

#[test]
fn makes_no_book_where_there_is_none() {
    let desk = desk();
    let told = desk.ok(&["import", "other.dat", "--dry-run", "--book", "none.db"]);
    assert!(
        told.contains("nothing is written") && told.contains("90 positions would be new"),
        "{told}"
    );
    assert!(!desk.path("none.db").exists());
}
