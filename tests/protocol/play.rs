//! Games in the terminal, through a pipe, 80 columns wide.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::desk::{Desk, stderr};
use crate::talk::desk_with_book;

/// Plays with these lines typed.
fn play(desk: &Desk, arguments: &[&str], typed: &str) -> Output {
    let mut child = desk
        .command()
        .arg("play")
        .args(arguments)
        .env("COLUMNS", "80")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn printed(desk: &Desk, arguments: &[&str], typed: &str) -> String {
    let output = play(desk, arguments, typed);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines() {
        assert!(line.chars().count() <= 80 && line.trim_end() == line, "{line:?}");
    }
    text
}

#[test]
fn a_game_begins_in_the_book() {
    let desk = desk_with_book();
    let typed = "hint\nf5\nundo\nF5\nhelp\n";
    insta::assert_snapshot!("book", printed(&desk, &["--level", "2"], typed));
}

/// A script reads what is an object a line, and knows from the last one whether to type.
#[test]
fn a_script_plays_with_json() {
    let desk = desk_with_book();
    let output =
        play(&desk, &["--level", "2", "--json"], "f5\nf5\nhint 2\nhelp\nundo\nsave a.pgn\n");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let told: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = told.iter().map(|told| told["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "position", "move", "move", "position", "refused", "hint", "hint", "note", "position",
            "refused"
        ]
    );
    assert_eq!(told[0]["position"], desk.json(&["show"])["position"]);
    assert_eq!((&told[0]["line"], &told[0]["players"]["black"]), (&"".into(), &"you".into()));
    assert_eq!((&told[0]["over"], &told[0]["seconds_left"]), (&false.into(), &Value::Null));
    let (own, reply) = (&told[1], &told[2]);
    assert_eq!(
        (&own["move"], &own["side"], &own["by"]),
        (&"f5".into(), &"black".into(), &"you".into())
    );
    assert_eq!((&own["ply"], &own["values"]), (&1.into(), &Value::Null));
    assert_eq!(
        (&reply["ply"], &reply["side"], &reply["by"]),
        (&2.into(), &"white".into(), &"rosebill".into())
    );
    assert_eq!(reply["known_by"], "book");
    let shown = desk.json(&["show", "f5"]);
    let known =
        shown["moves"].as_array().unwrap().iter().find(|each| each["move"] == reply["move"]);
    assert_eq!(reply["values"], known.unwrap()["values"]);
    assert_eq!(told[3]["line"], reply["line"]);
    assert!(told[4]["message"].as_str().unwrap().contains("f5 cannot be played"), "{}", told[4]);
    assert!(told[5]["values"]["guess"].is_f64() && told[5]["move"].is_string(), "{}", told[5]);
    assert_eq!(told[8]["line"], "");
}

/// To the end: every move, the result, and the file with the game.
#[test]
fn a_script_is_told_the_result() {
    let desk = Desk::new();
    let over = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
    let arguments = ["--json", "--no-book", "--level", "1", "--save", "end.txt", over];
    let output = play(&desk, &arguments, "h8\n");
    let text = String::from_utf8(output.stdout).unwrap();
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = told.iter().map(|told| told["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["position", "move", "position", "result", "saved"], "{text}");
    assert_eq!((&told[2]["over"], &told[3]["result"]), (&true.into(), &"64-0".into()));
    assert_eq!(told[3]["black_discs"], 64);
    assert_eq!((&told[4]["file"], &told[4]["games"]), (&"end.txt".into(), &1.into()));
}

/// Hints are what search, show and the explorer say of the moves, the best first.
#[test]
fn hints_are_in_the_order_of_their_values() {
    let desk = Desk::new();
    let arguments = ["--side", "both", "--no-book", "--level", "9", "f5d6c7f4g3"];
    let text = printed(&desk, &arguments, "hint 8\nquit\n");
    let hints = text.lines().filter(|line| line.contains("  9 plies"));
    let values: Vec<f64> =
        hints.map(|hint| hint.split_whitespace().nth(1).unwrap().parse().unwrap()).collect();
    assert!(values.len() > 4 && values.is_sorted_by(|one, next| one >= next), "{text}");
    let search = ["search", "--level", "9", "--all", "f5d6c7f4g3"];
    assert_eq!(desk.json(&search)["moves"][0]["value"], values[0], "{text}");
}

#[test]
fn what_cannot_be_played_is_told() {
    let desk = Desk::new();
    let typed = "a1\nf5 a1\nxyzzy\nundo\nredo\nredo x\nlevel 0\nopen none.pgn\nhelp xyzzy\npass\nsave\nsave game.doc\nsave game.pgn\nhint 0\n\nquit\nf5\n";
    insta::assert_snapshot!("told", printed(&desk, &["--level", "2", "--no-book"], typed));
    assert!(!desk.path("game.pgn").exists());
}

#[test]
fn passes_are_said_and_the_end_is_told() {
    let desk = Desk::new();
    let board = ["--side", "both", "--no-book", "c4c3e6b4a4a5b2a3"];
    insta::assert_snapshot!("pass", printed(&desk, &board, "f4\nundo\n"));
    let end = ["--side", "both", "--no-book", "e6f4e3f6g5d6e7f5"];
    insta::assert_snapshot!("end", printed(&desk, &end, "c5\nhint\nundo\nnew\nquit\n"));
}

/// The boards that are shown, each as the line that says whose turn it is and the number of moves.
fn turns(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.split("    ").nth(1).filter(|side| side.contains("move")))
        .collect()
}

#[test]
fn moves_are_played_taken_back_and_played_again() {
    let desk = Desk::new();
    let arguments = ["--side", "both", "--no-book", "--level", "1"];
    let typed = "f5 d6 c3\nundo 2\nredo\nredo 5\nundo 9\nredo 9\nf5d6 a1\nd3c4\nmoves\n";
    let text = printed(&desk, &arguments, typed);
    let moves: Vec<&str> =
        turns(&text).into_iter().filter(|turn| turn.starts_with("move ")).collect();
    assert_eq!(
        moves,
        ["move 3: c3", "move 1: f5", "move 2: d6", "move 3: c3", "move 3: c3", "move 5: c4"]
    );
    assert!(text.contains("\nf5 cannot be played: the square is occupied"), "all or none: {text}");
    assert!(text.ends_with("\nf5d6c3d3c4  (Tiger)\n"), "{text}");
    // Rosebill's answers go with one's own moves.
    let text = printed(&desk, &["--no-book", "--level", "1"], "f5\nundo\nredo\nundo\nd3\nredo\n");
    assert!(text.ends_with("nothing was taken back\n"), "another move ends it: {text}");
}

#[test]
fn sides_levels_clocks_and_the_book_change_while_a_game_goes_on() {
    let desk = desk_with_book();
    let typed = "level\nlevel 3\ntime\nclock 5:00/3\ntime\nbook off\nside\nside white\nbook on\ngo\n\
        side both\nlevel off\nclock off\ntime 300ms\nlevel 9\ntime\n";
    let text = printed(&desk, &["--level", "2"], typed);
    let told = [
        "level 2",
        "level 3",
        "no clock: level 3",
        "black 5:00, white 5:00",
        "without a book",
        "you have black",
        "with the book",
        "as deep as time allows",
        "no clock: 1 s a move",
        "no clock: 0.3 s a move",
        "level 9",
        "no clock: level 9, at most 0.3 s a move",
    ];
    let mut rest = text.as_str();
    for told in told {
        let at = rest.find(&format!("\n{told}\n")).unwrap_or_else(|| panic!("{told}: {text}"));
        rest = &rest[at + 1..];
    }
    // As black without the book, for white with it.
    let plays: Vec<&str> =
        text.lines().filter(|line| line.starts_with("rosebill plays ")).collect();
    assert!(plays[0].contains(" for black, 3 plies") && plays[1].contains("book, "), "{plays:?}");
    assert!(plays[2].contains(" for black, "), "{plays:?}");
    assert!(text.contains("O white  you"), "{text}");
    let none = printed(&desk, &["--no-book"], "book on\n");
    assert!(none.ends_with("there is no book\n"), "{none}");
}

#[test]
fn games_and_positions_are_gone_on_with() {
    let desk = Desk::new();
    let arguments = ["--side", "both", "--no-book", "--level", "1", "--save", "all.pgn"];
    let typed = "f5d6c3\nsave my game.pgn\nset tiger\nmoves\nundo\nopen my game.pgn\nmoves\nundo\n\
        set start\nmoves\n";
    let text = printed(&desk, &arguments, typed);
    assert!(
        text.contains("\nf5d6c3d3c4  (Tiger)\nthere is no move of yours to take back\n"),
        "{text}"
    );
    assert!(text.contains("\nf5d6c3  ("), "{text}");
    assert!(text.contains("move 2: d6\n"), "what was opened can be taken back: {text}");
    assert!(text.contains("\nno move was played\n"), "{text}");
    assert!(text.ends_with("3 games are kept in all.pgn\n"), "{text}");
    let board = "set ---------------------------XO------OOO-------------------------- O\nmoves\n";
    let text = printed(&desk, &arguments[..5], board);
    assert!(text.contains("O white  you  4 discs") && text.contains("    white to move"), "{text}");
}

#[test]
fn values_lines_and_the_cost_of_moves_are_shown() {
    let desk = Desk::new();
    let arguments = ["--side", "both", "--no-book", "--level", "4", "f5d6"];
    let text = printed(&desk, &arguments, "hint 2\nvalues\nc3 d3\nanalyze\n");
    let hint = text
        .lines()
        .find(|line| line.ends_with("  4 plies") || line.contains("  4 plies  "))
        .unwrap();
    let words: Vec<&str> = hint.split_whitespace().collect();
    assert!(words[4].starts_with(words[0]) && words[4].len() >= 4, "{hint}");
    let head =
        text.lines().position(|line| line.split_whitespace().collect::<String>() == "abcdefgh");
    let rows: Vec<&str> = text.lines().skip(text.lines().count().min(head.unwrap())).collect();
    let valued = rows.iter().filter(|row| row.len() == 65).flat_map(|row| row.split_whitespace());
    assert_eq!(valued.filter(|cell| cell.contains(['+', '-'])).count(), 5, "{text}");
    assert!(text.contains("ply  side   move  before"), "{text}");
    let over = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
    let json = ["--json", "--no-book", "--level", "1", over];
    let output = play(&desk, &json, "values\nh8\nanalyze\nhint\n");
    let text = String::from_utf8(output.stdout).unwrap();
    let told: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = told.iter().map(|told| told["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["position", "hint", "move", "position", "result", "analysis", "refused"]);
    assert_eq!(told[1]["best_line"], "h8");
    assert_eq!(told[5]["moves"][0]["loss"], 0.0, "{text}");
}

#[test]
fn rosebill_begins_and_plays_to_the_end() {
    let desk = Desk::new();
    let arguments = ["--side", "white", "--level", "1", "--no-book", "--save", "game.ggf"];
    // Whatever is legal: a move of every square, again and again.
    let squares = rosebill::othello::board::Square::all().map(|square| format!("{square}\n"));
    let typed = squares.collect::<String>().repeat(40);
    let text = printed(&desk, &arguments, &typed);
    assert!(text.starts_with("rosebill plays "), "{text}");
    assert!(text.contains("The game is over: "), "{text}");
    assert!(text.ends_with("the game is kept in game.ggf\n"), "{text}");
    let games = desk.ok(&["games", "import", "game.ggf"]);
    assert!(games.contains('1'), "{games}");
    let kept = desk.json(&["games", "list"]);
    assert_eq!(kept["black"], "rosebill (level 1)");
    assert!(kept["black_discs"].is_number() || kept["result"].is_string(), "{kept}");
}

#[test]
fn games_are_saved_when_the_player_leaves() {
    let desk = Desk::new();
    let arguments = ["--level", "1", "--no-book", "--name", "me", "--save", "games.pgn"];
    let text = printed(&desk, &arguments, "f5\nsave one.doc\nsave one.sgf\nnew\nd3\nquit\n");
    assert!(text.contains("\nnot kept: one.doc: expected a name that ends with .pgn"), "{text}");
    assert!(text.contains("\nthe game is kept in one.sgf\n"), "{text}");
    assert!(text.ends_with("2 games are kept in games.pgn\n"), "{text}");
    let pgn = std::fs::read_to_string(desk.path("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Black \"me\"]").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[White \"rosebill (level 1)\"]").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[Date \"2025.11.20\"]").count(), 2, "{pgn}");
    // The input ends without a word, before a move was made.
    let other = ["--level", "1", "--no-book", "--save", "none.pgn"];
    let text = printed(&desk, &other, "save games.pgn\n");
    assert!(text.ends_with("no game was played: nothing is kept\n"), "{text}");
    // What was kept is not written over.
    let text = printed(&desk, &["--level", "1", "--no-book"], "f5\nsave games.pgn\nquit\n");
    assert!(text.contains("not kept: games.pgn already exists"), "{text}");
    let refused = desk.refused(&["play", "--save", "games.pgn"]);
    assert!(refused.contains("give the name of a new file"), "{refused}");
    assert_eq!(std::fs::read_to_string(desk.path("games.pgn")).unwrap(), pgn);
    for (arguments, told) in [
        (&["play", "--save", "game.doc"][..], "expected a name that ends with .pgn"),
        (&["play", "--save", "none/game.pgn"], "cannot write none/game.pgn"),
        (&["play", "f5f5"], "occupied"),
        (&["play", "--time", "x"], "expected for example 500ms"),
        (&["play", "--clock", "x"], "expected main time"),
        (&["play", "--side", "green"], "black"),
    ] {
        let refused = desk.refused(arguments);
        assert!(refused.contains(told), "{refused}");
    }
}

#[test]
fn clocks_are_shown() {
    let desk = Desk::new();
    let text = printed(&desk, &["--clock", "5:00/3", "--level", "1", "--no-book"], "quit\n");
    assert!(text.contains("X black  you                 2 discs   5:00\n"), "{text}");
    assert!(text.contains("O white  rosebill (level 1)  2 discs   5:00\n"), "{text}");
}

/// Two minutes more for each move, so that no machine is too slow to show who has moved.
#[test]
fn what_is_taken_back_gives_its_time_back() {
    let desk = Desk::new();
    let arguments = ["--clock", "5:00/120", "--level", "1", "--no-book"];
    let text = printed(&desk, &arguments, "f5\nundo\nquit\n");
    let clocks = |letter: char| -> Vec<&str> {
        let begins = format!(" {letter} ");
        let seats = text.lines().filter(|line| line.contains(&begins) && line.contains(" disc"));
        seats.filter_map(|line| line.split_whitespace().last()).collect()
    };
    for letter in ['X', 'O'] {
        let seen = clocks(letter);
        assert_eq!((seen.len(), seen[0], seen[2]), (3, "5:00", "5:00"), "{letter}: {seen:?}");
        assert!(seen[1].starts_with("6:"), "{letter} has moved: {seen:?}");
    }
    // A game that began behind an opening counts its own moves only.
    let behind = [&arguments[..], &["f5", "d6", "--side", "both"]].concat();
    let text = printed(&desk, &behind, "c3\nundo\nquit\n");
    assert_eq!(text.matches("   5:00\n").count(), 5, "{text}");
}

/// A game that is going on, and is to be kept in this file.
#[cfg(unix)]
fn begun(desk: &Desk, file: &str) -> std::process::Child {
    let mut play = desk.command();
    play.args(["play", "--level", "1", "--no-book", "--save", file]);
    play.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_says_where_the_game_is_kept() {
    use std::io::{BufRead, BufReader};
    let desk = Desk::new();
    let mut child = begun(&desk, "game.pgn");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"f5\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("rosebill plays")));
    assert!(lines.any(|line| line.starts_with("8 ")));
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    assert_eq!(lines.last().as_deref(), Some("the game is kept in game.pgn"));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(desk.path("game.pgn").exists());
}

/// Whoever reads the output may go: the games stay, also those that were left for new ones.
#[cfg(unix)]
#[test]
fn games_are_kept_when_nobody_reads_any_more() {
    use std::io::{BufRead, BufReader};
    let desk = Desk::new();
    let mut child = begun(&desk, "games.pgn");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"f5\nnew\nf5\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    for _ in 0..2 {
        assert!(lines.any(|line| line.starts_with("rosebill plays")));
    }
    drop(lines);
    // It may have ended already.
    let _ = input.write_all(b"help\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let kept = std::fs::read_to_string(desk.path("games.pgn")).unwrap();
    assert_eq!(kept.matches("1. f5").count(), 2, "{kept}");
}
