//! Names of openings: listed, found, and given wherever a position is.

use serde_json::Value;

use crate::desk::{Desk, stderr};

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Runs what finds nothing and gives what it says.
fn missed(desk: &Desk, arguments: &[&str]) -> String {
    let output = desk.run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty());
    stderr(&output)
}

#[test]
fn openings_are_listed_and_found() {
    let desk = Desk::new();
    insta::assert_snapshot!("openings_beyond", desk.ok(&["openings", "list", "leader's", "tiger"]));
    insta::assert_snapshot!("openings_found", desk.ok(&["openings", "find", "tamenori"]));
    insta::assert_snapshot!(
        "openings_along",
        desk.ok(&["openings", "find", "f5d6c3d3c4f4c5b3c2e3g4"])
    );
    let all = objects(&desk.ok(&["openings", "list", "--json"]));
    assert!(all.len() > 130, "{}", all.len());
    for opening in &all {
        // What is listed can be given back.
        let line = opening["line"].as_str().unwrap();
        assert_eq!(line.len() as u64 / 2 + 4, opening["position"]["discs"].as_u64().unwrap());
    }
    let part = |name: &str| all[20]["position"][name].as_str().unwrap();
    let board = format!("{} {}", part("board"), part("side"));
    let along = objects(&desk.ok(&["openings", "find", &board, "--json"]));
    assert_eq!((&along[0]["name"], &along[0]["ply"]), (&all[20]["name"], &0.into()));
}

#[test]
fn a_miss_says_what_to_do_next() {
    let desk = Desk::new();
    let told = missed(&desk, &["openings", "find", "tigher"]);
    assert!(told.contains("(maybe Tiger?)") && told.contains("rosebill openings list"), "{told}");
    let told = missed(&desk, &["openings", "find", "zzzz", "--json"]);
    assert!(told.contains("no opening has a name with 'zzzz'\n  try: rosebill"), "{told}");
    let told = missed(&desk, &["openings", "find", "f5"]);
    assert!(told.contains("no position of this line has a name"), "{told}");
    let told = missed(&desk, &["openings", "list", "f5d6c3d3c4b5"]);
    assert!(told.contains("rosebill openings find f5d6c3d3c4b5"), "{told}");
    assert!(desk.refused(&["openings", "list", "tigher"]).contains("(maybe Tiger?)"));
    let told = desk.refused(&["openings", "find", &format!("{} X", "-".repeat(63))]);
    assert!(told.contains("63 squares"), "{told}");
}

/// Names in other languages are understood and found; positions are called by those in English.
#[test]
fn names_may_be_french_or_japanese() {
    let desk = Desk::new();
    let line = |name: &str| desk.json(&["search", "--static", name])["line"].clone();
    for name in ["tigre", "虎", "虎定石"] {
        assert_eq!(line(name), "f5d6c3d3c4", "{name}");
    }
    let listed = objects(&desk.ok(&["openings", "list", "--language", "ja", "--json"]));
    assert!(listed.len() > 340 && listed.iter().all(|opening| opening["language"] == "ja"));
    let found = desk.ok(&["openings", "find", "tigre centrale"]);
    assert!(found.lines().next().unwrap().contains("language"), "{found}");
    assert!(found.contains(" fr ") && !found.contains(" en "), "{found}");
    let found = desk.ok(&["openings", "find", "tamenori", "--language", "fr"]);
    assert!(found.contains("defense tamenori"), "{found}");
    let along = objects(&desk.ok(&["openings", "find", "f5d6c3d3c4", "--json"]));
    assert!(along.iter().all(|opening| opening["language"] == "en"));
    assert!(desk.refused(&["openings", "list", "--language", "de"]).contains("expected one of en"));
}

/// A name of several words, with and without quotes, in every command that takes a position.
#[test]
fn a_name_stands_wherever_a_position_does() {
    let desk = Desk::grown("30");
    let line = "f5d6c3d3c4f4c5";
    for before in [
        &["show", "--json"][..],
        &["search", "--static", "--json"],
        &["search", "--depth=1", "--json"],
        &["games", "stats", "--json"],
        &["lines", "--json"],
        &["openings", "list", "--json"],
        &["grow", "--dry-run", "--json", "--from"],
        &["prune", "--dry-run", "--json", "--from"],
        &["lab", "bench", "perft", "--depth=2", "--json", "--from"],
        &["export", "-", "--format", "json", "--from"],
    ] {
        let answer = |words: &[&str]| {
            let output = desk.run(&[before, words].concat());
            assert!(output.status.code() != Some(2), "{before:?} {words:?}: {}", stderr(&output));
            let mut lines = objects(&String::from_utf8_lossy(&output.stdout));
            // What differs from run to run.
            for object in lines.iter_mut().filter_map(Value::as_object_mut) {
                for name in ["seconds", "cpu_seconds", "nodes_per_second"] {
                    object.remove(name);
                }
            }
            lines
        };
        let by_line = answer(&[line]);
        for words in [
            &["central tiger"][..],
            &["Central", "Tiger"],
            &["f5", "d6", "c3", "d3", "c4", "f4", "c5"],
        ] {
            assert_eq!(answer(words), by_line, "{before:?} {words:?}");
        }
    }
    let told = desk.refused(&["grow", "central", "tiger"]);
    assert!(told.ends_with("rosebill grow --from 'central tiger'"), "{told}");
    let told = desk.refused(&["grow", "--from", "centrl", "tiger"]);
    assert!(
        told.contains(
            "--from: 'centrl tiger' is neither a move nor an opening (maybe Central Tiger"
        ),
        "{told}"
    );
}
