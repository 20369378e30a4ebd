//! Commands that are printed can be typed back, and a word too many or a file of another kind is told as such.

use std::fs;

use crate::desk::{Desk, is_one_line, stderr};

const PGN: &str = "[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Black \"Hassan Imre\"]\n[White \"Ito\"]\n\
                   [Result \"40-24\"]\n\n1. f5 d6 2. c3 d3 3. c4 *\n";

/// A book that was named with --book is named in the commands below a message, and a file that is not the book
/// as what it is; what each hint means is tried beside its type.
#[test]
fn what_is_to_be_typed_names_the_book_and_the_file() {
    let desk = Desk::grown("40");
    desk.ok(&["export", "edax.dat", "-q"]);
    let mut bytes = fs::read(desk.path("book.db")).unwrap();
    fs::write(desk.path("other.db"), &bytes).unwrap();
    // The pages of the positions and of their index.
    bytes[4096..].fill(0);
    fs::write(desk.path("bad.db"), bytes).unwrap();
    let salvages = "\n  try: rosebill verify --book bad.db --salvage NEWFILE";
    for (words, told) in [
        (&["games", "list"][..], "no games yet\n  try: rosebill games import FILE"),
        (
            &["games", "stats", "--book", "other.db"],
            "no games yet\n  try: rosebill games import --book other.db FILE",
        ),
        (&["show", "--book", "no.db", "f5"], "\n  try: rosebill new --book no.db --starter"),
        (&["diff", "other.db", "no.db"], "\n  try: rosebill new --book no.db --starter"),
        (&["show", "--book", "edax.dat"], "\n  try: rosebill import edax.dat"),
        (&["import", "--book", "other.db", "bad.db"], salvages),
        (&["show", "--book", "bad.db"], salvages),
    ] {
        let output = desk.run(words);
        let text = String::from_utf8(output.stdout.clone()).unwrap() + &stderr(&output);
        assert!(text.contains(told), "{words:?}: {text}");
        assert!(!output.status.success(), "{words:?}");
    }
    let grow = ["grow", "--positions", "5", "--level", "2", "--threads", "1"];
    let grown = desk.ok(&[&grow[..], &["--book", "other.db"]].concat());
    assert!(grown.contains("\n  look at it: rosebill show --book other.db\n"), "{grown}");
}

/// What a user typed is told as it was typed, whatever it looks like.
#[test]
fn a_name_that_looks_like_a_command_is_told_as_it_is() {
    let desk = Desk::new();
    fs::write(desk.path("cup.pgn"), PGN).unwrap();
    desk.ok(&["games", "import", "cup.pgn", "--book", "t.db", "-q"]);
    let name = "O'rosebill import x";
    let told = desk.not_there(&["--book", "t.db", "games", "list", "--player", name]);
    let says =
        format!("has a name like \"{name}\"\n  try: rosebill games players --book t.db PREFIX");
    assert!(told.ends_with(&says), "{told}");
}

#[test]
fn growth_that_is_done_is_not_said_to_go_on() {
    let desk = Desk::grown("20");
    let done = desk.ok(&["grow", "--policy", "fill", "--level", "2", "--threads", "1"]);
    let done = match done.contains("nothing is left") {
        true => done,
        false => desk.ok(&["grow", "--policy", "fill", "--level", "2", "--threads", "1"]),
    };
    assert!(done.contains("more: another --policy, or wider limits"), "{done}");
}

#[test]
fn undo_tells_what_it_takes_away() {
    let desk = Desk::grown("20");
    desk.ok(&["export", "other.dat", "-q"]);
    desk.ok(&["import", "other.dat", "--book", "u.db"]);
    let grow = ["grow", "--positions", "5", "--level", "2", "--threads", "1", "--book", "u.db"];
    let grown = desk.json(&[&grow[..], &["-q"]].concat());
    let undone = desk.run(&["undo", "1", "--book", "u.db"]);
    let said = String::from_utf8_lossy(&undone.stdout);
    let import =
        "0 positions, as before change 1 (import other.dat --book u.db) and 1 change after it\n";
    assert_eq!(said, import);
    let had = format!("the {} it had until now", grown["positions"]);
    let told = stderr(&undone);
    assert!(told.contains(&had), "{told}");
    assert!(told.contains("\n  try: rosebill undo --book u.db --redo"), "{told}");
    desk.ok(&["undo", "--redo", "--book", "u.db"]);
    let again = desk.json(&["undo", "--redo", "--book", "u.db"]);
    assert_eq!(
        (&again["positions"], &again["positions_before"]),
        (&grown["positions"], &20.into())
    );
}

#[test]
fn games_where_a_position_is_expected_are_told_once() {
    let desk = Desk::grown("3");
    fs::write(desk.path("cup.pgn"), PGN).unwrap();
    fs::write(desk.path("cup.csv"), "black,white,moves\nHassan,Ito,f5d6c3\n").unwrap();
    for name in ["cup.pgn", "cup.csv"] {
        for command in ["show", "search", "solve"] {
            let told = desk.refused(&[command, name]);
            assert!(is_one_line(&told) && told.contains("is a file of games ("), "{told}");
            assert!(told.contains(&format!("try: rosebill analyze {name}\n")), "{told}");
        }
    }
    // Lines of moves are positions, whatever else the file holds.
    fs::write(desk.path("lines.txt"), "f5d6\nnothing\nf5f6\n").unwrap();
    let shown = desk.run(&["show", "lines.txt"]);
    assert!(!shown.stdout.is_empty() && stderr(&shown).contains("line 2"), "{shown:?}");
}

/// A board with what its moves are worth, or alone, is a position and no game.
#[test]
fn positions_where_games_are_expected_are_told_once() {
    const BOARD: &str = "---------------------------OX------XO--------------------------- X";
    let desk = Desk::grown("3");
    let obf = format!("% of our club\n{BOARD}; F5:+0; D3:-2;\n{BOARD}; +0;\n").repeat(40);
    fs::write(desk.path("e60.obf"), obf).unwrap();
    fs::write(desk.path("script.txt"), format!("% 40\n% 1 2\n{BOARD}\n%\n")).unwrap();
    for name in ["e60.obf", "script.txt"] {
        for words in [&["import"][..], &["games", "import"], &["analyze"]] {
            let told = stderr(&desk.run(&[words, &[name]].concat()));
            let begins =
                format!("rosebill: {name} is a file of positions\n  try: rosebill solve {name}\n");
            assert!(told.starts_with(&begins) && is_one_line(told.trim_end()), "{words:?}: {told}");
        }
        let forced = desk.run(&["games", "import", "--format", "transcript", name]);
        assert!(!stderr(&forced).contains("no such square"), "{forced:?}");
        assert!(desk.ok(&["show", name]).contains("black to move"));
    }
    // What is written of games from other boards is games still.
    fs::write(desk.path("games.txt"), format!("{BOARD} f5d6\n{BOARD} f5f6\n")).unwrap();
    assert!(desk.ok(&["games", "import", "games.txt"]).contains("2 games"));
}

#[test]
fn a_wrong_line_is_told_as_a_line() {
    let desk = Desk::new();
    for (words, told) in [
        (&["openings", "find", "f5d6c3", "f5"][..], "f5"),
        (&["openings", "find", "f5d6c3q"], "q"),
        (&["analyze", "--player", "takizawa", "masaki"], "'masaki' is no game and no file"),
        (&["config", "set", "book", ""], "expected a value"),
    ] {
        let text = desk.refused(words);
        assert!(is_one_line(&text) && text.contains(told), "{words:?}: {text}");
        assert!(!text.contains("no opening has a name"), "{text}");
    }
    assert!(desk.not_there(&["openings", "find", "nobody"]).contains("no opening has a name"));
}
