//! Games explained move by move, as a user meets it.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use rosebill::files::games::{self, Game, ReadOptions};
use rosebill::othello::board::Line;
use rosebill::store::Book;
use serde_json::{Value, json};

use crate::desk::{Desk, is_one_line, stderr};
use crate::dice::Dice;
use crate::random_games::{random_game, write_games};

/// Quick searches and quick exact ends.
const QUICK: [&str; 4] = ["--level", "2", "--exact-from", "10"];

/// A whole game: always the first move of the board, after an opening.
fn whole_game(opening: &str) -> String {
    let mut line: Line = opening.parse().unwrap();
    while let Some(placed) = line.end() {
        assert!(line.push(placed.position.legal_moves().next().unwrap()));
    }
    line.to_string()
}

/// A desk with an empty book and a file of three games.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.ok(&["new"]);
    let games = ["f5d6c3d3c4", "f5d6c3d3c4f4", "f5f6e6f4"].map(whole_game);
    let text =
        format!("Ann - Bob : {}\nAnn - Cyd : {}\nDan - Ann : {}\n", games[0], games[1], games[2]);
    fs::write(desk.path("club.txt"), text).unwrap();
    desk
}

fn analyze(desk: &Desk, arguments: &[&str]) -> std::process::Output {
    desk.run(&[&["analyze"], arguments, &QUICK].concat())
}

fn text(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_game_is_explained_move_by_move() {
    let desk = desk();
    let moves = whole_game("f5d6c3d3c4");
    let output = analyze(&desk, &[&moves]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 game: "), "{}", stderr(&output));
    let table = text(&output);
    for part in ["Tiger", "exact", "depth 2", "worst: ", "exact from move ", "a move"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    // The line above the table can be typed again.
    let line = table.lines().find(|line| line.starts_with("f5d6")).unwrap();
    assert_eq!(line.parse::<Line>().unwrap().to_string(), moves);
    let again = analyze(&desk, &[line]);
    assert!(stderr(&again).contains("nothing had to be searched"), "{}", stderr(&again));
    assert_eq!(text(&again), table);

    let object = desk.json(&[&["analyze", &moves][..], &QUICK].concat());
    let first = &object["moves"][0];
    assert_eq!(
        (&first["ply"], &first["move"], &first["side"], &first["loss"], &first["known_by"]),
        (&1.into(), &"f5".into(), &"black".into(), &0.0.into(), &"search".into())
    );
    assert_eq!((&first["depth"], &first["selectivity"]), (&2.into(), &100.into()));
    let plies = object["moves"].as_array().unwrap();
    assert_eq!(plies.len() * 2, moves.len());
    for side in ["black", "white"] {
        let losses = plies.iter().filter(|played| played["side"] == side);
        let sum: f64 = losses.map(|played| played["loss"].as_f64().unwrap()).sum();
        assert!((object[side]["loss"].as_f64().unwrap() - sum).abs() < 1e-9);
    }
    for played in plies {
        let (before, value) =
            (played["best_value"].as_f64().unwrap(), played["value"].as_f64().unwrap());
        assert!(
            (before - value - played["loss"].as_f64().unwrap()).abs() < 1e-9 && before >= value
        );
        assert_eq!(played["loss"] == 0.0, played["best_move"] == played["move"]);
    }
    assert_eq!((&object["complete"], &object["left_book_at"]), (&true.into(), &Value::Null));
    assert_eq!(object["worst"].as_array().unwrap().len(), 3);
    // From a board, with a pass, and an opening by its name.
    let board = "---------------------------OX------XO--------------------------- X f5d6";
    assert!(analyze(&desk, &[board]).status.success());
    assert!(analyze(&desk, &["tiger"]).status.success());
    let verified = desk.ok(&["verify"]);
    assert!(verified.contains(" analyzed moves, 0 violations"), "{verified}");
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let desk = desk();
    for width in ["80", "120"] {
        let run = |arguments: &[&str]| {
            let mut command = desk.command();
            let output =
                command.args(arguments).args(QUICK).env("COLUMNS", width).output().unwrap();
            let text = text(&output);
            let most: usize = width.parse().unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= most, "{arguments:?} at {width}: {line}");
            }
            text
        };
        run(&["analyze", "club.txt"]);
        let one = run(&["analyze", &whole_game("f5d6c3d3c4")]);
        assert!(one.lines().count() > 60, "{one}");
        run(&["analyze", "club.txt", "--moves"]);
        // What does not fit on the line of a game goes on below it.
        let event = "The championship of a country with a very long name, played far in the north";
        let pgn = format!("[Event \"{event}\"]\n[Date \"2024.05.01\"]\n\n1. f5 d6 *\n\n").repeat(2);
        fs::write(desk.path("long.pgn"), pgn).unwrap();
        let words = run(&["analyze", "long.pgn"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words.matches(event).count(), 2, "{words}");
    }
}

#[test]
fn several_games_are_a_line_each_and_come_back_from_pgn() {
    let desk = desk();
    let output = analyze(&desk, &["club.txt", "--pgn", "explained.pgn", "--threads", "2"]);
    let lines = text(&output);
    assert!(
        lines.contains("Ann - Bob") || lines.contains("Ann 64-0 Bob") || lines.contains("Ann "),
        "{lines}"
    );
    assert!(lines.contains("3 games: a move costs black"), "{lines}");
    let read = |name: &str| -> Vec<Game> {
        let reader = games::open(&desk.path(name), &ReadOptions::default()).unwrap();
        reader.map(|read| read.unwrap().game).collect()
    };
    let (before, after) = (read("club.txt"), read("explained.pgn"));
    assert_eq!(before.len(), after.len());
    for (one, other) in before.iter().zip(&after) {
        assert_eq!(
            (&one.moves, &one.black, &one.white),
            (&other.moves, &other.black, &other.white)
        );
    }
    let pgn = fs::read_to_string(desk.path("explained.pgn")).unwrap();
    let on_one_line = pgn.replace('\n', " ");
    let objects = desk.ok(&[&["analyze", "club.txt", "--json"][..], &QUICK].concat());
    let mut costly = 0;
    for object in objects.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        for played in object["moves"].as_array().unwrap() {
            let loss = played["loss"].as_f64().unwrap();
            if loss > 0.0 && loss.fract() == 0.0 {
                let best = played["best_move"].as_str().unwrap();
                let comment =
                    format!("{} {{-{loss}; best {best}}}", played["move"].as_str().unwrap());
                assert!(on_one_line.contains(&comment), "{comment}: {pgn}");
                costly += 1;
            }
        }
    }
    assert!(costly > 5, "{costly}");
    // On standard output the PGN is alone.
    let alone = analyze(&desk, &["club.txt", "--pgn", "-"]);
    assert_eq!(text(&alone), pgn);
    // One after the other on standard input.
    let mut command = desk.command();
    command.args(["analyze", "-", "--json"]).args(QUICK);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(pgn.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output).lines().count(), 3);
}

#[test]
fn what_cannot_be_analysed_is_told() {
    let desk = desk();
    for (arguments, told) in [
        (&[][..], "nothing to analyze: give a game such as f5d6c3"),
        (&["missing.pgn"], "no file missing.pgn"),
        (&["f5d6a1"], "illegal move a1 at ply 3"),
        (&["f5", "--player", "ann"], "conditions choose games of the database"),
        (&["f5", "--level", "0"], "expected a number from 1 to 60"),
        (&["f5", "--pgn", "no/such/file.pgn"], "cannot write no/such/file.pgn"),
        (&["club.txt", "missing.pgn"], "missing.pgn"),
    ] {
        let output = desk.run(&[&["analyze"], arguments].concat());
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(is_one_line(error.trim_end()) && error.contains(told), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty());
    }
    let told = desk.not_there(&["analyze", "--game", "7"]);
    assert_eq!(told, "rosebill: no game 7\n  try: rosebill games list");
    let nobody = desk.run(&["analyze", "--player", "ann"]);
    assert!(stderr(&nobody).contains("try: rosebill games import FILE"), "{nobody:?}");
    assert_eq!(nobody.status.code(), Some(1));
    fs::write(desk.path("mixed.txt"), "f5d6c3d3c4\nf5d6a1\n").unwrap();
    let output = analyze(&desk, &["mixed.txt"]);
    assert_eq!(output.status.code(), Some(3));
    let error = stderr(&output);
    assert!(error.contains("rosebill: mixed.txt:2 (game 2): move 3 \"a1\""), "{error}");
    fs::write(desk.path("bad.txt"), "f5d6a1\n").unwrap();
    assert_eq!(analyze(&desk, &["bad.txt"]).status.code(), Some(2));
    let none = analyze(&desk, &["--all"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("import games first"), "{}", stderr(&none));
}

#[test]
fn without_a_book_games_are_explained_by_that_of_the_program_and_nothing_is_stored() {
    let desk = Desk::new();
    let mut command = desk.command();
    command.env_remove("ROSEBILL_BOOK").env("XDG_DATA_HOME", desk.path("data"));
    let output = command.env("HOME", desk.path("home")).args(["analyze", "f5d6"]).args(QUICK);
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the one that comes with rosebill"), "{}", stderr(&output));
    assert!(text(&output).contains("Perpendicular Opening"));
    assert!(text(&output).contains("book \u{b1}"), "{}", text(&output));
    assert!(!desk.path("data").exists());
    // A book that was named must be there.
    assert!(desk.refused(&["analyze", "f5", "--book", "none.db"]).contains("no book at"));
}

#[test]
fn a_book_that_is_written_by_another_is_only_read() {
    let desk = desk();
    let book = Book::open(desk.path("book.db")).unwrap();
    let output = analyze(&desk, &["f5d6c3"]);
    assert_eq!(output.status.code(), Some(0));
    let told = format!("not stored: process {} writes the book; 3 positions", std::process::id());
    assert!(stderr(&output).contains(&told), "{}", stderr(&output));
    assert!(text(&output).contains("depth 2"));
    drop(book);
    assert!(stderr(&analyze(&desk, &["f5d6c3"])).contains("3 positions searched"));
}

/// How much of a year is valued can be seen.
#[test]
fn a_year_has_valued_moves_and_others() {
    let desk = Desk::new();
    let table = "black,white,year,moves\nAnn,Bob,2001,f5d6c3d3c4\nAnn,Bob,2001,f5f4e3f6\n\
                 Ann,Bob,2002,f5d6\nAnn,Bob,2003,\n";
    fs::write(desk.path("club.csv"), table).unwrap();
    desk.run(&["games", "import", "club.csv", "-q"]);
    assert_eq!(analyze(&desk, &["--game", "0"]).status.code(), Some(0));
    let report = desk.json(&["games", "report"]);
    let numbers = ["games", "moves_valued", "moves"];
    let years: Vec<_> = report["years"].as_array().unwrap().iter().collect();
    let of = |year: &Value| numbers.map(|name| year[name].as_u64().unwrap());
    assert_eq!(years.iter().map(|year| of(year)).collect::<Vec<_>>(), [[2, 6, 9], [1, 2, 2]]);
    let told = desk.ok(&["games", "player", "ann", "--losses"]);
    let row = told.lines().find(|line| line.trim_start().starts_with("2001")).unwrap();
    let row: Vec<&str> = row.split_whitespace().take(4).collect();
    assert_eq!(row, ["2001", "2", "4", "5"], "{told}");
}

#[test]
fn losses_of_many_games_are_added_up() {
    let desk = desk();
    desk.ok(&["games", "import", "club.txt", "-q"]);
    let nothing = desk.run(&["games", "report"]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(stderr(&nothing).contains("nothing is known of these games: "));
    let listed = analyze(&desk, &["--player", "bob"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
    let part = desk.run(&["games", "player", "ann", "--losses"]);
    assert_eq!(part.status.code(), Some(0));
    assert!(stderr(&part).contains("  try: rosebill analyze --player Ann\n"), "{part:?}");
    let all = analyze(&desk, &["--all", "--json"]);
    let objects: Vec<Value> =
        text(&all).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    let sum = |of: &str, side: &str| -> f64 {
        let games = objects.iter().filter(|game| of.is_empty() || game["players"][side] == of);
        games.map(|game| game[side]["loss"].as_f64().unwrap()).sum()
    };
    let report = desk.json(&["games", "report"]);
    assert_eq!((&report["games"], &report["games_valued"]), (&3.into(), &3.into()));
    let close = |value: &Value, expected: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < 1e-6, "{value} {expected}");
    };
    close(&report["all"]["loss"], sum("", "black") + sum("", "white"));
    close(&report["white"]["loss"], sum("", "white"));
    let ann = desk.json(&["games", "player", "ann", "--losses"]);
    assert_eq!((&ann["player"], &ann["games"]), (&json!("Ann"), &3.into()));
    close(&ann["all"]["loss"], sum("Ann", "black") + sum("Ann", "white"));
    close(&ann["black"]["loss"], sum("Ann", "black"));
    let phases =
        ["opening", "midgame", "endgame"].map(|phase| ann[phase]["loss"].as_f64().unwrap());
    close(&ann["all"]["loss"], phases.iter().sum());
    let against: Vec<&str> =
        ann["players"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(against, ["Bob", "Cyd", "Dan"]);
    // What was played twice at one position, with a line that leads there.
    for mistake in report["recurring"].as_array().unwrap() {
        let line: Line = mistake["line"].as_str().unwrap().parse().unwrap();
        let legal = line.end().unwrap().position.legal_moves();
        for what in ["move", "best_move"] {
            let square = mistake[what].as_str().unwrap().parse().unwrap();
            assert!(legal.contains(square), "{mistake}");
        }
        assert!(mistake["times"].as_u64().unwrap() > 1 && mistake["loss"].as_f64().unwrap() > 0.0);
        let shown = desk.json(
            &[&["analyze", &format!("{line}{}", mistake["move"].as_str().unwrap())][..], &QUICK]
                .concat(),
        );
        assert_eq!(shown["moves"].as_array().unwrap().last().unwrap()["loss"], mistake["loss"]);
    }
    assert!(!stderr(&desk.run(&["games", "report"])).contains("without a value"));
    let told = desk.ok(&["games", "report", "--player", "ann"]);
    assert!(told.contains("opening") && told.contains("a move"), "{told}");
    let nobody = desk.run(&["games", "player", "zzz", "--losses"]);
    assert_eq!(nobody.status.code(), Some(1));
}

#[test]
fn every_file_has_a_name_of_its_own() {
    let desk = desk();
    for (files, told) in [
        (["--pgn", "a", "--svg", "a"], "would write a"),
        (["--svg", "a", "--html", "a"], "would write a"),
        (["--pgn", "-", "--html", "-"], "standard output"),
    ] {
        let message = desk.refused(&[&["analyze", "f5d6c3", "--level", "1"][..], &files].concat());
        assert!(message.contains(told), "{message}");
        assert!(!desk.path("a").exists());
    }
}

#[test]
fn without_a_game_files_stay_as_they_were() {
    let desk = desk();
    fs::write(desk.path("none.txt"), "").unwrap();
    for file in ["a.pgn", "a.html"] {
        fs::write(desk.path(file), "mine").unwrap();
    }
    let files = ["--pgn", "a.pgn", "--html", "a.html"];
    let nothing = desk.run(&[&["analyze", "none.txt"][..], &files].concat());
    assert_eq!(nothing.status.code(), Some(1), "{}", stderr(&nothing));
    for file in ["a.pgn", "a.html"] {
        assert_eq!(fs::read_to_string(desk.path(file)).unwrap(), "mine");
    }
}

#[test]
fn a_snapshot_says_that_it_holds_no_analyses() {
    let desk = Desk::grown("20");
    let moves = whole_game("f5d6c3d3c4");
    analyze(&desk, &[&moves]);
    let output = desk.run(&["snapshot", "a.snapshot"]);
    assert!(stderr(&output).contains("holds no analyses: the "), "{}", stderr(&output));
    desk.ok(&["snapshot", "restore", "a.snapshot"]);
    desk.ok(&["undo"]);
    assert!(stderr(&analyze(&desk, &[&moves])).contains("nothing had to be searched"));
    let text = desk.ok(&["verify", "--salvage", "saved.db"]);
    assert!(text.contains(" analyzed moves saved"), "{text}");
}

#[test]
fn a_folder_is_walked_and_other_files_are_left_alone() {
    let desk = desk();
    fs::create_dir(desk.path("games")).unwrap();
    let mut dice = Dice(5);
    let games: Vec<Game> = (0..4).map(|_| random_game(&mut dice)).collect();
    write_games(&desk.path("games/a.jsonl"), &games);
    fs::write(desk.path("games/picture.png"), [0x89, b'P', b'N', b'G', 0, 1, 2]).unwrap();
    let output = analyze(&desk, &["games", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(text(&output).lines().count(), 4);
}

/// Who reads no further has seen enough: no failure, and what was found is stored.
#[test]
fn a_closed_pipe_is_no_failure() {
    let desk = desk();
    let mut command = desk.command();
    command.args(["analyze", "club.txt", "--moves"]).args(QUICK).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let verified = desk.ok(&["verify"]);
    assert!(verified.contains(" analyzed moves, 0 violations"), "{verified}");
}

/// What is to be read is not written over: what could not be read, and comments, would be lost.
#[test]
fn files_that_are_read_are_not_written() {
    let desk = desk();
    fs::create_dir(desk.path("games")).unwrap();
    for name in ["own.txt", "games/own.txt", "two-2.svg"] {
        fs::copy(desk.path("club.txt"), desk.path(name)).unwrap();
    }
    fs::write(desk.path("games/page.html"), "<html></html>").unwrap();
    for words in [
        &["own.txt", "--pgn", "own.txt"][..],
        &["own.txt", "--pgn", "games/../own.txt"],
        &["club.txt", "own.txt", "--svg", "own.txt"],
        &["own.txt", "--html", "own.txt"],
        &["games", "--pgn", "games/own.txt"],
        &["club.txt", "two-2.svg", "--svg", "two.svg"],
    ] {
        let told = desk.refused(&[&["analyze"], words].concat());
        assert!(is_one_line(&told) && told.contains("is one of the files to be read"), "{told}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("own.txt", desk.path("link.txt")).unwrap();
        desk.refused(&["analyze", "own.txt", "--pgn", "link.txt"]);
        desk.refused(&["analyze", "link.txt", "--pgn", "own.txt"]);
    }
    let before = fs::read(desk.path("club.txt")).unwrap();
    for name in ["own.txt", "games/own.txt", "two-2.svg"] {
        assert_eq!(fs::read(desk.path(name)).unwrap(), before, "{name}");
    }
    // What holds no games is not read.
    let output = analyze(&desk, &["games", "--html", "games/page.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// A single game is shown whole, wherever it comes from.
#[test]
fn the_only_game_of_a_file_is_shown_whole() {
    let desk = desk();
    let moves = whole_game("f5d6c3d3c4");
    let whole = text(&analyze(&desk, &[&moves]));
    fs::write(desk.path("one.txt"), format!("{moves}\n")).unwrap();
    assert_eq!(text(&analyze(&desk, &["one.txt"])), whole);
    let mut command = desk.command();
    command.args(["analyze", "-"]).args(QUICK).stdin(fs::File::open(desk.path("one.txt")).unwrap());
    assert_eq!(text(&command.output().unwrap()), whole);
    // One that cannot be read beside it makes no list of it.
    fs::write(desk.path("one.txt"), format!("{moves}\nf5a1\n")).unwrap();
    let output = analyze(&desk, &["one.txt"]);
    assert_eq!((text(&output), output.status.code()), (whole, Some(3)));
    let several = text(&analyze(&desk, &["club.txt"]));
    assert!(!several.contains(" ply  side") && several.lines().count() < 10, "{several}");
}
