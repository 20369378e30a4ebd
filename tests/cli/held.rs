//! Moves that are held, values that a person sets, and what takes both back.

use serde_json::Value;

use crate::desk::Desk;

/// A book with a move to a position that was searched less than the one before it.
fn with_held_move() -> Desk {
    let desk = Desk::new();
    let quiet = ["--threads", "1", "-q"];
    desk.ok(
        &[&["grow", "--policy", "lines", "--line", "f5d6", "--level", "10"], &quiet[..]].concat()
    );
    desk.ok(
        &[&["grow", "--from", "f5d6c3", "--level", "2", "--positions", "1"], &quiet[..]].concat()
    );
    desk
}

fn move_of(shown: &Value, square: &str) -> Value {
    let moves = shown["moves"].as_array().unwrap();
    moves.iter().find(|found| found["move"] == square).unwrap().clone()
}

#[test]
fn the_command_that_is_shown_makes_a_held_move_count() {
    let desk = with_held_move();
    let held = move_of(&desk.json(&["show", "f5d6"]), "c3");
    assert_eq!((&held["known_by"], &held["in_book"]), (&"held".into(), &true.into()));
    let why = &held["held"];
    // Both values are there, each with how sure it is.
    assert!(why["values"]["guess"].is_f64() && why["answer"].is_f64(), "{held}");
    let evidence = |of: &Value| of["evidence"].as_f64().unwrap();
    assert!(evidence(why) > why["answer_evidence"].as_f64().unwrap(), "{held}");
    assert_eq!(why["evidence_plies"], 2);
    let text = desk.ok(&["show", "f5d6"]);
    let command = why["command"].as_str().unwrap();
    assert!(text.contains("held: c3 leads to ") && text.contains(command), "{text}");
    let verified = desk.json(&["verify"]);
    assert_eq!((&verified["held"], &verified["violations"]), (&1.into(), &0.into()));
    assert_eq!(desk.json(&["info", "--by-discs"])["held"], 1);

    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let before = desk.json(&["info", "--by-discs"])["positions"].clone();
    desk.ok(&[words.as_slice(), &["--threads", "1", "-q"]].concat());
    let counts = move_of(&desk.json(&["show", "f5d6"]), "c3");
    assert_eq!((&counts["known_by"], &counts["held"]), (&"book".into(), &Value::Null), "{counts}");
    let stats = desk.json(&["info", "--by-discs"]);
    assert_eq!((&stats["positions"], &stats["held"]), (&before, &0.into()));
    // Nothing is left to do: the command comes to its end.
    desk.ok(&[words.as_slice(), &["--threads", "1", "-q"]].concat());
}

/// The line to a position need not be in the book as a whole: nothing on it is added.
#[test]
fn a_held_move_is_raised_from_a_board_where_the_line_is_not_in_the_book() {
    let desk = with_held_move();
    desk.ok(&["edit", "remove", "start", "-q"]);
    let held = move_of(&desk.json(&["show", "f5d6"]), "c3");
    let command = held["held"]["command"].as_str().unwrap().to_owned();
    let (words, board) = command.split_once(" '").unwrap();
    let words: Vec<&str> = words.split(' ').skip(1).chain([board.trim_end_matches('\'')]).collect();
    desk.ok(&[words.as_slice(), &["--threads", "1", "-q"]].concat());
    assert_eq!(move_of(&desk.json(&["show", "f5d6"]), "c3")["known_by"], "book");
    assert_eq!(desk.run(&["show"]).status.code(), Some(1), "the start came back");
}

#[test]
fn a_value_that_a_person_sets_is_shown_as_theirs_and_taken_back() {
    let desk = Desk::grown("10");
    let before = desk.json(&["show", "f5"]);
    desk.ok(&["edit", "set", "f5", "-1.5", "--author", "anna", "-q"]);
    let after = desk.json(&["show", "f5"]);
    assert_eq!(after["values"]["guess"], -1.5);
    let said = &after["judgement"];
    assert_eq!((&said["value"], &said["author"]), (&(-1.5).into(), &"anna".into()));
    assert!(desk.ok(&["show", "f5"]).contains("set by hand    -1.50 by anna, "), "{after}");
    assert_eq!(desk.json(&["info"])["judgements"], 1);
    desk.ok(&["undo", "-q"]);
    assert_eq!(desk.json(&["show", "f5"]), before);
    // A change of a few rows needs no copy of the book.
    assert_eq!(desk.saved(), [""; 0]);

    let positions = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    let removed = desk.json(&["edit", "remove", "f5d6"]);
    assert_eq!(removed["removed"], 1);
    // The search here left it out, so nothing answers for it.
    assert_eq!(desk.json(&["show", "f5"])["unsearched_moves"], serde_json::json!(["d6"]));
    assert!(desk.ok(&["show", "f5"]).contains("\nmoves not searched yet: d6\n"));
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"].as_u64(), Some(positions - 1));
    assert_eq!(desk.json(&["verify"])["violations"], 0);
    desk.ok(&["undo", "-q"]);
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"].as_u64(), Some(positions));
    assert_eq!(desk.json(&["show", "f5"]), before);
}

#[test]
fn what_came_from_a_file_is_counted_before_it_is_removed() {
    let desk = Desk::grown("10");
    desk.ok(&["export", "b.dat", "-q"]);
    let of = |words: &[&str]| desk.json(&[words, &["--book", "other.db"]].concat());
    of(&["import", "b.dat"]);
    let before = of(&["info", "--by-discs"]);
    let remove = ["edit", "remove", "--source", "b.dat"];
    let told = of(&[&remove[..], &["--dry-run"]].concat());
    assert_eq!(of(&["info", "--by-discs"]), before);
    let removed = of(&remove);
    assert_eq!(removed["removed"], before["positions"]);
    for name in ["removed", "changed", "search_due"] {
        assert_eq!(told[name], removed[name]);
    }
}
