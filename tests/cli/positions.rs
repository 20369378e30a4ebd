//! Positions as people give them, one or many.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::desk::{Desk, is_one_line, stderr};

const START: &str = "---------------------------OX------XO--------------------------- X";

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn fed(desk: &Desk, arguments: &[&str], input: &str) -> Output {
    let mut command = desk.command();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_position_needs_no_quotes() {
    let desk = Desk::grown("20");
    let board = |words: &[&str]| {
        let output = desk.run(&[&["show", "--json"], words].concat());
        assert!(output.status.code() != Some(2), "{words:?}: {}", stderr(&output));
        objects(&output)[0]["position"]["board"].clone()
    };
    let glued = board(&["f5d6c3"]);
    for words in [
        &["f5", "d6", "c3"][..],
        &["1.", "f5", "d6", "2.", "c3"],
        &["1. f5 d6 2. c3"],
        &[START, "f5d6c3"],
        &["---------------------------OX------XO---------------------------", "X", "f5", "d6c3"],
    ] {
        assert_eq!(board(words), glued, "{words:?}");
    }
    assert_eq!(board(&["tiger"]), board(&["f5d6c3d3c4"]));
    assert_eq!(board(&["Rose", "v", "Toth"]), board(&["f5f6e6d6c5e3d3"]));
    assert_eq!(board(&[&format!("{START}; F5:+2; D3:-4;")]), board(&[]));
    // Flags may follow the words.
    assert_eq!(objects(&desk.run(&["show", "f5", "d6", "--json"]))[0]["line"], "f5d6");
}

#[test]
fn what_is_no_position_is_said_with_what_would_be() {
    let desk = Desk::grown("5");
    for (words, parts) in [
        (&["f5d6g1"][..], &["illegal move g1 at ply 3", "black can play c3 c4 c5 c6 c7"][..]),
        (&["no-"], &["may mean No-Cat", ": give the moves, or the whole name"]),
        (&["tiger", "16"], &["'16' is not a move behind 'tiger'"]),
        (&["2"], &["unreadable move '2'"]),
        (&["2.", "f6"], &["illegal move f6 at ply 1 of '2. f6'"]),
        (&["f5 -- d6"], &["illegal pass after ply 1"]),
        (&["zzz"], &["neither a move nor an opening", "expected moves such as f5d6c3"]),
        (&[&START[1..]], &["63 squares, 64 needed"]),
        (&["none.obf"], &["no file none.obf"]),
        (&["."], &["is a folder"]),
    ] {
        for command in [&["show"][..], &["lines"], &["search", "--static"], &["search"], &["solve"]]
        {
            let told = desk.refused(&[command, words].concat());
            assert!(is_one_line(&told), "{told}");
            for part in parts {
                assert!(told.contains(part), "{command:?} {words:?}: {told}");
            }
        }
    }
    desk.ok(&["show", "f5", "--search", "4"]);
    for position in ["f5", "tiger"] {
        let told = desk.refused(&["show", position, "16"]);
        assert!(!told.contains("--search"), "{told}");
    }
    // Flags that there are not are no positions.
    let told = desk.refused(&["show", "--jso"]);
    assert!(told.contains("--jso") && told.contains("--json"), "{told}");
}

#[test]
fn one_bad_line_of_many_is_told_and_the_others_are_answered() {
    let desk = Desk::grown("20");
    let mut lines = ["f5"; 12];
    lines[4] = "f5f5";
    lines[6] = "% a comment";
    lines[7] = "";
    let obf = format!("{START}; F5:+2;");
    lines[9] = &obf;
    let text = lines.join("\n");
    std::fs::write(desk.path("lines.txt"), &text).unwrap();
    for command in
        [&["show"][..], &["search", "--depth", "1"], &["search", "--static"], &["lines", "-n", "1"]]
    {
        for output in [
            desk.run(&[command, &["lines.txt", "--json"]].concat()),
            fed(&desk, &[command, &["-", "--json"]].concat(), &text),
        ] {
            assert_eq!(output.status.code(), Some(3), "{command:?}");
            let told = stderr(&output);
            assert!(is_one_line(told.trim_end()), "{told}");
            assert!(told.contains(", line 5: illegal move f5"), "{told}");
            let answers = objects(&output);
            assert_eq!(answers.len(), 9, "{command:?}");
            let numbers: Vec<u64> =
                answers.iter().map(|answer| answer["index"].as_u64().unwrap()).collect();
            assert_eq!(numbers, [1, 2, 3, 4, 6, 7, 8, 9, 10], "{command:?}");
            assert!(!command.contains(&"--static") || answers[0]["line"] == "f5", "{}", answers[0]);
        }
    }
    assert_eq!(fed(&desk, &["show", "-"], "f5\nd3\n").status.code(), Some(0));
    let none = fed(&desk, &["show", "-"], "f5f5\nzzz\n");
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("standard input holds no position"), "{}", stderr(&none));
}

/// What a user copies from a screen or a score sheet is one position, whether it is a file, standard input or an argument.
#[test]
fn a_drawn_board_and_numbered_moves_are_one_position() {
    let desk = Desk::grown("5");
    let shown = |output: &Output, of: &str| {
        assert_eq!(stderr(output), "", "{of}");
        let answers = objects(output);
        assert_eq!(answers.len(), 1, "{of}");
        let position = &answers[0]["position"];
        format!("{} {}", position["board"].as_str().unwrap(), position["side"].as_str().unwrap())
    };
    let tiger = shown(&desk.run(&["search", "--static", "tiger", "--json"]), "tiger");
    let own = String::from_utf8(desk.run(&["show", "tiger"]).stdout).unwrap();
    let rows: Vec<&str> = (0..8).map(|row| &tiger[8 * row..][..8]).collect();
    let rows = rows.join("\n");
    let drawn = format!("  A B C D E F G H\n{rows}\n\nWhite to move\n");
    for text in
        [&own, &drawn, "1. f5\n2. d6\n3. c3\n4. d3\n5. c4\n", "1. f5 d6\r\n2. c3 d3\r\n3. c4"]
    {
        std::fs::write(desk.path("board.txt"), text).unwrap();
        for command in [&["show"][..], &["search", "--static"]] {
            let with = |what| [command, &["--json", what]].concat();
            assert_eq!(shown(&desk.run(&with("board.txt")), text), tiger, "{text}");
            assert_eq!(shown(&fed(&desk, &with("-"), text), text), tiger, "{text}");
            assert_eq!(shown(&desk.run(&with(text)), text), tiger, "{text}");
        }
        desk.ok(&["search", "--depth", "1", "board.txt"]);
        desk.ok(&["grow", "--dry-run", "--from", text]);
    }
    // Nothing says whose turn it is, and nine discs do not suggest it.
    std::fs::write(desk.path("board.txt"), &rows).unwrap();
    for words in [&["show", "board.txt"][..], &["show", &rows], &["solve", "board.txt"]] {
        let told = desk.refused(words);
        assert!(
            is_one_line(&told)
                && told.contains("9 discs: expected X or O behind the board, or a line such as"),
            "{told}"
        );
    }
    std::fs::write(desk.path("board.txt"), "1. f5\n2. f6\n3. a1\n").unwrap();
    let told = desk.refused(&["show", "board.txt"]);
    assert!(told.contains("board.txt: illegal move a1 at ply 3"), "{told}");
    for text in [&drawn, &own] {
        std::fs::write(desk.path("board.txt"), text).unwrap();
        let told = desk.refused(&["analyze", "board.txt"]);
        assert!(told.contains("board.txt is a file of positions"), "{told}");
    }
    // A file of games stays one, also where each is on a line.
    std::fs::write(desk.path("games.sgf"), "(;GM[2]FF[4];B[f5];W[d6])\n").unwrap();
    let told = desk.refused(&["show", "games.sgf"]);
    assert!(told.contains("games.sgf is a file of games (sgf)"), "{told}");
}

/// A line ends behind its passes: who had to pass is told.
#[test]
fn a_pass_behind_a_line_is_told() {
    let desk = Desk::grown("3");
    for (line, passed) in [("c4c3f5b4a4a5c2a3", true), ("c4c3f5b4a4a5c2", false)] {
        let text = desk.run(&["show", line]);
        let text = String::from_utf8_lossy(&text.stdout);
        assert_eq!(text.contains("black must pass"), passed, "{text}");
        assert!(text.contains("white to move"), "{text}");
        assert_eq!(objects(&desk.run(&["show", line, "--json"]))[0]["passed"], passed, "{line}");
    }
}

#[test]
fn a_printed_line_can_be_given_back() {
    let desk = Desk::grown("40");
    for start in [&["f5d6"][..], &[], &["tiger"], &[START, "f5"]] {
        let output = desk.run(&[&["lines", "-n", "3", "--json"], start].concat());
        for line in objects(&output) {
            let (whole, moves) =
                (line["line"].as_str().unwrap(), line["continuation"].as_str().unwrap());
            assert!(whole.ends_with(moves) && !moves.is_empty());
            // The last move may leave the book.
            let shown = objects(&desk.run(&["show", whole, "--json"]));
            assert_eq!(shown[0]["line"], whole);
        }
    }
    let text = desk.ok(&["lines", "f5d6", "-n", "3"]);
    for row in text.lines().skip(1) {
        let line = row.split_whitespace().last().unwrap();
        assert!(line.starts_with("f5d6"), "{text}");
        assert!(desk.run(&["show", line]).status.code() != Some(2), "{text}");
    }
    // From a board that no line leads to, the board stands before the moves.
    let shown = desk.json(&["show", "f5d6"]);
    let squares = shown["position"]["board"].as_str().unwrap();
    let swapped = squares.replace('O', "o").replace('X', "O").replace('o', "X");
    let board = format!("{swapped} O");
    for line in objects(&desk.run(&["lines", &board, "-n", "2", "--json"])) {
        let whole = line["line"].as_str().unwrap();
        assert!(
            whole.starts_with(&board) && whole.ends_with(line["continuation"].as_str().unwrap())
        );
        assert!(desk.run(&["show", whole]).status.code() != Some(2), "{whole}");
    }
}

/// The words of the command that a text ends with, without the program's name.
fn printed_command(text: &str) -> Vec<&str> {
    let command = text.lines().find_map(|line| line.split_once("rosebill grow")).unwrap().1;
    command.split_whitespace().collect()
}

#[test]
fn a_miss_says_what_to_do() {
    let desk = Desk::grown("10");
    let line = "f5f4c3c4d3";
    let output = desk.run(&["show", line]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("not in the book\n  try: rosebill grow --from f5f4c3c4d3"), "{text}");
    let missed = desk.run(&["lines", line]);
    assert!(stderr(&missed).contains("try: rosebill grow"), "{}", stderr(&missed));
    let searched = desk.json(&["show", line, "--search=2"]);
    let moves = searched["moves"].as_array().unwrap();
    assert_eq!(searched["in_book"], false);
    assert!(moves.len() > 3 && searched["other_moves"].as_array().unwrap().is_empty());
    for found in moves {
        assert_eq!((&found["known_by"], &found["in_book"]), (&"search".into(), &false.into()));
        assert!(found["values"]["guess"].is_number() && found["depth"].is_number());
    }
    assert!(searched["best_line"].as_str().unwrap().len() >= 4);
    // What it says does what it says.
    let command = printed_command(&text);
    desk.ok(&[&["grow", "--level", "2", "-q"], &command[..]].concat());
    assert_eq!(desk.json(&["show", line])["in_book"], true);
}

#[test]
fn info_says_where_the_book_is_thin() {
    let desk = Desk::grown("60");
    let text = desk.ok(&["info"]);
    let thin = desk.json(&["info"])["thin"].as_array().unwrap().clone();
    assert_eq!(thin.len(), 5);
    assert!(thin.iter().all(|thin| thin["regret"].as_f64().unwrap() <= 4.0));
    let command = printed_command(&text);
    assert_eq!(command[1], thin[0]["line"]);
    desk.ok(&[&["grow", "--level", "2", "-q"], &command[..]].concat());
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 80);
}

#[cfg(unix)]
#[test]
fn a_device_that_never_ends_is_no_file_of_positions() {
    let desk = Desk::grown("20");
    for command in
        [&["show", "/dev/zero"][..], &["search", "--static", "f5", "--evaluator", "/dev/zero"]]
    {
        let told = desk.refused(command);
        assert!(told.contains("/dev/zero") && told.contains("longer than 256 MiB"), "{told}");
    }
}

#[test]
fn several_files_are_answered_one_after_the_other() {
    let desk = Desk::grown("20");
    std::fs::write(desk.path("a.txt"), "f5d6\nnonsense\nf5f6\n").unwrap();
    std::fs::write(desk.path("b.txt"), "f5f4\n").unwrap();
    let output = desk.run(&["show", "a.txt", "b.txt", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("a.txt, line 2: "), "{}", stderr(&output));
    let shown = objects(&output);
    let shown: Vec<_> = shown.iter().map(|shown| (&shown["index"], &shown["line"])).collect();
    let expected =
        [(1, "f5d6"), (3, "f5f6"), (4, "f5f4")].map(|(index, line)| (index.into(), line.into()));
    let expected: Vec<_> =
        expected.iter().map(|(index, line): &(Value, Value)| (index, line)).collect();
    assert_eq!(shown, expected);
    assert!(desk.refused(&["show", "a.txt", "none.txt"]).ends_with("no file none.txt"));
    // What makes a line is one, whatever lies there.
    std::fs::write(desk.path("f5"), "f5f4\n").unwrap();
    assert_eq!(desk.json(&["show", "f5", "d6"])["line"], "f5d6");
}
