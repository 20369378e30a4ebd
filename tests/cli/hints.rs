//! A mistake is told in one short line that says what to do.

use std::fs;

use crate::desk::{Desk, is_one_line, stderr};

fn told(arguments: &[&str]) -> String {
    let told = Desk::new().refused(arguments);
    assert!(is_one_line(&told), "{told}");
    told
}

#[test]
fn a_mistake_is_answered_with_a_hint() {
    for (arguments, hint) in [
        (&["lines", "--by", "games", "--move-loss", "1"][..], "does not go with --by games"),
        (&["grow", "--line", "f5"], "--policy lines"),
        (&["grow", "--policy", "popular"], "--games FILE"),
        (
            &["grow", "--policy", "lines", "--line", "f5", "--line-loss", "0"],
            "--line-loss needs --policy best",
        ),
        (
            &["grow", "--policy", "popular", "--games", "x", "--from", "f5"],
            "--from needs --policy best",
        ),
        (&["man", "shwo"], "no command 'shwo': did you mean 'show'?"),
        (&["help", "games", "lst"], "no command 'lst': did you mean 'list'?"),
        (&["man", "xqzt"], "no command 'xqzt': see 'rosebill --help'"),
        (&["snapshot", "restore", "no.snapshot"], "no.snapshot: there is no such file"),
        (&["import", "no.dat"], "no.dat: there is no such file"),
        (&["import", "-"], "a book is not read from standard input"),
        (&["games", "import", "no.pgn"], "no.pgn: there is no such file"),
        (&["analyze", "132146"], "--game 132146"),
        (&["show"], "try: rosebill new --starter"),
        (&["tiger"], "no command 'tiger'\n  try: rosebill show tiger"),
    ] {
        let told = told(arguments);
        assert!(told.contains(hint), "{arguments:?}: {told}");
    }
    let desk = Desk::grown("3");
    std::fs::write(desk.path("lines.txt"), "f5d6\n").unwrap();
    let told = desk.refused(&["grow", "--from", "lines.txt"]);
    assert!(told.contains("--policy lines --games lines.txt"), "{told}");
    let told = desk.refused(&["import", "nonexist.db"]);
    assert_eq!(told, "rosebill: nonexist.db: there is no such file or folder");
    assert!(desk.refused(&["import", "./book.db"]).contains("is the book itself"));
    let told = desk.not_there(&["export", "out.jsonl", "--from", "f5d6c7"]);
    assert!(told.ends_with("\n  try: rosebill grow --from f5d6c7 --positions 4"), "{told}");
    assert!(!desk.not_there(&["prune", "--from", "f5d6c7", "--dry-run"]).is_empty());
}

#[test]
fn an_empty_book_says_what_to_do_next() {
    let desk = Desk::new();
    desk.ok(&["new"]);
    for arguments in [
        &["info", "--by-discs"][..],
        &["info"],
        &["info", "--by-discs", "--json"],
        &["info", "--json"],
    ] {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(0));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("  try: rosebill grow --time 10s\n"), "{arguments:?}: {told}");
    }
    desk.ok(&["grow", "--positions", "1", "--level", "1", "-q"]);
    assert!(
        desk.run(&["info", "--by-discs"]).stderr.is_empty()
            && desk.run(&["info"]).stderr.is_empty()
    );
}

#[test]
fn long_nonsense_is_not_told_in_full() {
    let long = "x".repeat(8000);
    for arguments in [
        &["show", &long][..],
        &["config", "set", "level", &long],
        &["config", "set", &long, "3"],
        &["search", "--static", "f5", "--evaluator", &long],
    ] {
        let told = told(arguments);
        assert!(told.chars().count() < 500, "{} characters: {told}", told.chars().count());
    }
}

#[test]
fn threads_are_as_many_as_there_is_use_for() {
    let desk = Desk::new();
    let grow = ["grow", "--positions", "1", "--level", "1", "--threads", "1000"];
    let output = desk.run(&grow);
    assert!(stderr(&output).contains("threads are used, not 1000"), "{}", stderr(&output));
    assert!(output.status.success());
}

/// Files that another command takes: the one that was asked names it.
#[test]
fn a_file_for_another_command_is_told_which() {
    let desk = Desk::grown("3");
    desk.ok(&["snapshot", "book.snapshot"]);
    desk.ok(&["export", "edax.dat"]);
    fs::write(desk.path("games.zip"), b"PK\x03\x04\x14\0club.pgn").unwrap();
    fs::copy(desk.path("book.db"), desk.path("other.db")).unwrap();
    fs::write(desk.path("club.pgn"), "[Event \"x\"]\n\n1. f5 d6 2. c3 d3 *\n").unwrap();
    fs::write(desk.path("bytes"), [1, 2, 0, 3]).unwrap();
    let book = "rosebill show --book other.db";
    for (arguments, command) in [
        (&["import", "club.pgn"][..], "rosebill games import club.pgn"),
        (&["import", "book.snapshot"], "rosebill snapshot restore book.snapshot"),
        (&["games", "import", "edax.dat", "-q"], "rosebill import edax.dat"),
        (&["games", "import", "games.zip", "-q"], "a zip archive: unpack it"),
        (&["import", "games.zip"], "a zip archive: unpack it"),
        (&["analyze", "other.db"], book),
        (&["snapshot", "restore", "other.db"], "rosebill import other.db"),
        (&["show", "other.db"], book),
        (&["show", "edax.dat"], "rosebill import edax.dat"),
        (&["show", "bytes"], "bytes is not text"),
        (&["info", "other.db"], "rosebill info --book other.db"),
    ] {
        let told = desk.refused(arguments);
        assert!(is_one_line(&told) && told.contains(command), "{arguments:?}: {told}");
    }
    assert!(desk.refused(&["new", "--starter"]).contains("try: rosebill import FILE"));
}

/// Files that come after a bad one are not looked at, and that is said.
#[test]
fn files_that_were_not_tried_are_told() {
    let desk = Desk::grown("3");
    desk.ok(&["export", "a.dat", "-q"]);
    fs::write(desk.path("b.dat"), "no book").unwrap();
    let import = |files: &[&str]| {
        let output = desk.run(&[&["import", "--book", "new.db", "-q"], files].concat());
        assert_eq!(output.status.code(), Some(2), "{files:?}");
        stderr(&output)
    };
    let told = import(&["a.dat", "b.dat", "a.dat", "c.dat"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("rosebill: b.dat, "), "{told}");
    assert_eq!(lines[1..], ["not tried: a.dat, c.dat"]);
    assert_eq!(desk.json(&["info", "--book", "new.db"])["positions"], 3, "the first is in");
    assert!(is_one_line(import(&["a.dat", "b.dat"]).trim_end()), "nothing came after it");
    assert!(import(&["c.dat", "a.dat"]).ends_with("not tried: a.dat\n"));
}

/// A file of Edax that was cut off between records says so only by its count: both numbers are told.
#[test]
fn a_count_that_differs_is_told_with_both_numbers() {
    let desk = Desk::grown("3");
    desk.ok(&["export", "a.dat", "-q"]);
    let mut bytes = fs::read(desk.path("a.dat")).unwrap();
    // The count is what the header ends with.
    bytes[38] += 2;
    fs::write(desk.path("a.dat"), bytes).unwrap();
    let said = desk.ok(&["import", "a.dat", "--book", "new.db"]);
    assert!(said.contains("the header counts 5 records, the file holds 3"), "{said}");
}

/// A file that is one bad line has one fault.
#[test]
fn a_single_bad_line_is_told_once() {
    let desk = Desk::new();
    fs::write(desk.path("bad.obf"), format!("{} Z;\n", "-".repeat(64))).unwrap();
    let told = desk.refused(&["solve", "bad.obf"]);
    assert!(is_one_line(&told) && told.contains("bad.obf, line 1: "), "{told}");
    fs::write(desk.path("bad.obf"), "nothing\nhere\n").unwrap();
    let told = desk.refused(&["solve", "bad.obf"]);
    assert_eq!(told.lines().count(), 3, "{told}");
    assert!(told.ends_with("bad.obf holds no position: expected one on each line"), "{told}");
}

/// What is not there is no bad input: the exit code is 1.
#[test]
fn what_is_not_there_is_told_so() {
    let desk = Desk::grown("3");
    fs::write(desk.path("club.txt"), "f5d6c3d3c4\n").unwrap();
    desk.ok(&["games", "import", "club.txt"]);
    desk.ok(&["undo"]);
    for (arguments, told) in [
        (&["undo"][..], "nothing to undo"),
        (&["undo", "2"], "nothing to undo"),
        (&["games", "show", "999999"], "games list"),
        (&["games", "remove", "--source", "zzz"], "games sources"),
        (&["games", "list", "--event", "zzz"], "zzz"),
        (&["games", "export", "x.pgn", "--player", "zzz"], "games players PREFIX"),
        (&["analyze", "--player", "zzz"], "games players PREFIX"),
    ] {
        let text = desk.not_there(arguments);
        assert!(is_one_line(&text) && text.contains(told), "{arguments:?}: {text}");
    }
}

/// A name that differs from another one in case only is the one that is spelled so; moves may stand
/// behind a name.
#[test]
fn openings_are_taken_as_they_are_spelled() {
    let desk = Desk::new();
    let position = |words: &[&str]| {
        let told = desk.ok(&[&["search", "--static", "--json"][..], words].concat());
        serde_json::from_str::<serde_json::Value>(&told).unwrap()["position"].clone()
    };
    for (words, line) in [
        (&["F.a.t. Draw"][..], "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6"),
        (&["F.A.T.", "draw"], "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7"),
        (&["tiger", "f4"], "f5d6c3d3c4f4"),
    ] {
        assert_eq!(position(words), position(&[line]), "{words:?}");
    }
    // Who spells it otherwise is told the lines of both, and that capitals decide.
    let told = desk.refused(&["search", "--static", "f.a.t. draw"]);
    assert!(told.contains("F.a.t. Draw (f5d6c3") && told.contains("F.A.T. draw (f5d6c3"), "{told}");
    assert!(told.ends_with("with its own capitals") && is_one_line(&told), "{told}");
}

/// A command that is proposed is one that is not refused.
#[test]
fn nothing_is_proposed_for_a_board_that_no_book_holds() {
    let desk = Desk::grown("3");
    let full = format!("{}{} X", "X".repeat(40), "O".repeat(24));
    let empty = format!("{} X", "-".repeat(64));
    let one_side = format!("{}{} O", "-".repeat(40), "X".repeat(24));
    let no_centre = format!("{}XO{} X", "-".repeat(18), "-".repeat(44));
    for (board, why) in [
        (&full, "the game is over"),
        (&empty, "the game is over"),
        (&one_side, "the game is over"),
        (&no_centre, "no disc on d4"),
    ] {
        desk.refused(&["grow", "--from", board, "--positions", "1"]);
        for command in [&["lines"][..], &["discover", "draws"], &["show"], &["info", "--history"]] {
            let output = desk.run(&[command, &[board]].concat());
            let told = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
            assert!(!told.contains("rosebill grow"), "{command:?} {board}: {told}");
            let is_scored = command == ["show"] && why == "the game is over";
            assert!(is_scored || told.contains(why), "{command:?} {board}: {told}");
        }
    }
}

/// A page of the web is told in one line, our own as well.
#[test]
fn a_page_is_no_file_of_games() {
    let desk = Desk::grown("3");
    desk.ok(&["analyze", "f5d6c3d3c4", "--level", "1", "--html", "page.html", "-q"]);
    fs::write(desk.path("other.htm"), "\n<HTML><body>\n<p>f5 d6 c3</p>\nf5d6c3\n</body>").unwrap();
    for page in ["page.html", "other.htm"] {
        for command in [&["games", "import"][..], &["analyze"]] {
            let output = desk.run(&[command, &[page]].concat());
            let told = stderr(&output);
            assert!(
                is_one_line(told.trim_end()) && told.contains("a page of HTML: save"),
                "{told}"
            );
            assert_eq!(output.status.code(), Some(2), "{command:?}");
        }
    }
}
