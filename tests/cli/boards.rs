//! Boards in every notation that files have, as positions of commands.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::desk::{Desk, is_one_line, stderr};

/// After f5 d6 c3 d3, Black to move.
const LINE: &str = "f5d6c3d3";
const SQUARES: &str = "------------------XO-------OX------OXX-----O--------------------";

/// The board of `LINE` as files of all kinds have it.
fn notations() -> Vec<String> {
    let squares: String = SQUARES.to_owned();
    let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..][..8]).collect();
    let with = |black: &str, white: &str, empty: &str| {
        let sign = |square| match square {
            'X' => black,
            'O' => white,
            _ => empty,
        };
        squares.chars().map(sign).collect::<String>()
    };
    let stars = with("*", "O", "-");
    let ggs: Vec<&str> = (0..8).map(|row| &stars[8 * row..][..8]).collect();
    let ggs = ggs.join(" ");
    vec![
        format!("{squares} X"),
        format!("{squares};X"),
        format!("{squares};X;"),
        format!("[8 {ggs} *]"),
        format!("8 {ggs} *"),
        format!("BO[8 {ggs} *]"),
        format!("(;GM[Othello]TY[8]BO[8 {ggs} *];)"),
        "8/8/3P4/3Ppp2/3Pp3/2pP4/8/8 b - - 0 1".to_owned(),
        "[FEN \"8/8/3P4/3Ppp2/3Pp3/2pP4/8/8 b - - 0 1\"]".to_owned(),
        "(;GM[2]AB[c3][e4][e5][f5]AW[d3][d4][d5][d6]PL[B])".to_owned(),
        format!("{} 1", with("1", "2", "0")),
        format!("{} 黒番", with("●", "○", "・")),
        format!("{}\nBlack to move", rows.join("\n")),
    ]
}

/// The board of a position in JSON, as boards are written.
pub fn board_text(position: &Value) -> String {
    let side = if position["side"] == "black" { "X" } else { "O" };
    format!("{} {side}", position["board"].as_str().unwrap())
}

/// The board that an answer is about.
fn board(answer: &Value) -> String {
    board_text(&answer["position"])
}

#[test]
fn every_notation_is_a_position() {
    let desk = Desk::grown("20");
    let expected = board(&desk.json(&["search", "--static", LINE]));
    let mut list = String::new();
    for text in notations() {
        let output = desk.run(&["search", "--static", "--json", &text]);
        assert_eq!(stderr(&output), "", "{text}");
        let answer = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(board(&answer), expected, "{text}");
        desk.ok(&["grow", "--dry-run", "--from", &text]);
        if !text.contains('\n') {
            list.push_str(&text);
            list.push('\n');
        }
    }
    // In words, as they are pasted without quotes.
    for text in notations() {
        let words: Vec<&str> = text.split([' ', '\n']).collect();
        let answer = desk.json(&[&["search", "--static"], &words[..]].concat());
        assert_eq!(board(&answer), expected, "{text}");
        let output = desk.run(&[&["grow", "--dry-run", "--from"], &words[..]].concat());
        assert!(output.status.success(), "{text}: {}", stderr(&output));
    }
    fs::write(desk.path("boards.obf"), list).unwrap();
    let output = desk.run(&["search", "--static", "boards.obf", "--json"]);
    assert_eq!(stderr(&output), "");
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), notations().len() - 1);
    assert!(answers.lines().all(|line| board(&serde_json::from_str(line).unwrap()) == expected));
    // Moves go on from any of them.
    let after = board(&desk.json(&["search", "--static", &format!("{LINE}c4")]));
    for text in [
        &format!("{SQUARES};X;c4"),
        "8/8/3P4/3Ppp2/3Pp3/2pP4/8/8 b - - 0 1 c4",
        &format!("BO[8 {SQUARES} X]B[c4]"),
    ] {
        assert_eq!(board(&desk.json(&["search", "--static", text])), after, "{text}");
    }
}

#[test]
fn a_board_without_a_side_is_blacks_turn_and_a_note_says_so() {
    let desk = Desk::grown("20");
    let output = desk.run(&["show", SQUARES, "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(board(&answer), format!("{SQUARES} X"));
    assert_eq!(answer["turn_assumed"], true);
    let told = stderr(&output);
    assert!(is_one_line(told.trim_end()) && told.contains("Black's turn is assumed"), "{told}");
    assert_eq!(stderr(&desk.run(&["show", SQUARES, "--json", "-q"])), "");
    let from = stderr(&desk.run(&["grow", "--dry-run", "--from", SQUARES]));
    assert!(from.contains("Black's turn is assumed"), "{from}");
    assert_eq!(desk.json(&["show", "f5"])["turn_assumed"], Value::Null);
    let odd = SQUARES.replacen("--", "X-", 1);
    let told = desk.refused(&["show", &odd]);
    assert!(is_one_line(&told) && told.contains("9 discs: expected X or O"), "{told}");
}

#[test]
fn wrong_boards_are_refused_in_a_line() {
    let desk = Desk::grown("5");
    for (text, part) in [
        ("8/8/3P4/3Ppp2/3Pp3/2pP4/8 b", "a board of 7 rows: expected 8 rows"),
        ("8/8/8/3pP3/3Pp4/8/8/8 b", "row 4 of the FEN is '3Pp4': expected 8 squares"),
        ("[10 ---------- ---------- *]", "a board of size 10: expected 8"),
        (&SQUARES[1..], "63 squares, 64 needed"),
        (&SQUARES.replacen('X', "Q", 1), "'Q' at character 19 of the board: expected X"),
        (&format!("{SQUARES} Z"), "expected X or O, found 'Z'"),
    ] {
        let told = desk.refused(&["show", text]);
        assert!(is_one_line(&told) && told.contains(part), "{text}: {told}");
    }
}

#[test]
fn a_set_up_board_is_printed_whole() {
    let desk = Desk::grown("5");
    let text = String::from_utf8(desk.run(&["show", SQUARES, "X", "c4"]).stdout).unwrap();
    assert!(text.contains("set-up board, then c4"), "{text}");
    assert!(text.contains(&format!("board: {SQUARES} X c4")), "{text}");
}

#[test]
fn a_number_behind_search_is_its_level() {
    let desk = Desk::grown("5");
    let depth = |words: &[&str]| {
        let answer = desk.json(&[&["show"], words].concat());
        assert_eq!(answer["line"], "f5f4", "{words:?}");
        answer["moves"][0]["depth"].clone()
    };
    for words in
        [&["--search", "3", "f5f4"][..], &["f5f4", "--search", "3"], &["f5", "f4", "--search=3"]]
    {
        assert_eq!(depth(words), 3, "{words:?}");
    }
    assert!(desk.refused(&["show", "--search", "99", "f5f4"]).contains("--search"));
}

#[test]
fn growth_that_is_only_listed_names_lines_once() {
    let desk = Desk::new();
    desk.ok(&["new", "-q"]);
    fs::write(desk.path("games.txt"), "f5d6c3d3c4\nf5d6c4d3\nf5f6e6\n").unwrap();
    for words in [
        &["--policy", "lines", "--line", "f5d6c3"][..],
        &["--policy", "popular", "--least-games", "1", "--games", "games.txt"],
    ] {
        let text = desk.ok(&[&["grow", "--dry-run"], words].concat());
        let places: Vec<&str> =
            text.lines().skip(1).map(|line| line.split(' ').next_back().unwrap()).collect();
        assert_eq!(places.iter().filter(|place| **place == "start").count(), 1, "{text}");
        assert!(places.contains(&"f5d6c3"), "{text}");
        assert!(!text.contains("---"), "{text}");
    }
}

#[test]
fn files_of_folders_that_should_hold_games_are_named() {
    let desk = Desk::new();
    fs::create_dir(desk.path("all")).unwrap();
    // A file of WTHOR with the names beside it.
    fs::write(desk.path("own.txt"), "Ann 33-31 Bob: f5d6c3d3c4\n").unwrap();
    desk.ok(&["games", "import", "own.txt"]);
    desk.ok(&["games", "export", "all/own.wtb"]);
    assert!(desk.path("all/own.jou").exists());
    for (name, content) in [
        ("club.txt", &b"f5d6c3d3c4\n"[..]),
        ("broken.pgn", b"no game at all"),
        ("noise.wtb", &[7; 100]),
        ("packed.ggf", b"7z\xbc\xaf\x27\x1c\x00\x04"),
        ("README", b"Some words.\n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0"),
    ] {
        fs::write(desk.path("all").join(name), content).unwrap();
    }
    for command in [&["games", "import", "all"][..], &["analyze", "--level", "1", "all"]] {
        let output = desk.run(command);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{told}");
        for name in ["all/broken.pgn", "all/noise.wtb", "all/packed.ggf"] {
            assert_eq!(told.matches(name).count(), 1, "{told}");
        }
        assert!(told.contains("7z archive: unpack it"), "{told}");
        let others = "2 files in the folders hold no games: all/README, all/picture.png";
        assert!(told.contains(others) && !told.contains(".jou"), "{told}");
    }
}

#[test]
fn games_on_standard_input_are_given_back_to_it() {
    let desk = Desk::grown("5");
    let mut command = desk.command();
    command.args(["show", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let game = b"[Event \"x\"]\n[Black \"a\"]\n[White \"b\"]\n\n1. f5 d6 *\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), game).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = stderr(&output);
    assert!(told.contains("try: rosebill analyze -\n") && !told.contains("'standard"), "{told}");
}
