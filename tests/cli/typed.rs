//! Commands that are printed can be typed back, and a word too many or a file of another kind is told as such.

use std::fs;

use crate::desk::{Desk, is_one_line, stderr};

const PGN: &str = "[Event \"Cup\"]\n[Date \"2024.05.01\"]\n[Black \"Hassan Imre\"]\n[White \"Ito\"]\n\
                   [Result \"40-24\"]\n\n1. f5 d6 2. c3 d3 3. c4 *\n";

/// A book that was named with --book is named in every command that is printed for it.
#[test]
fn what_is_to_be_typed_names_the_book() {
    let desk = Desk::new();
    let other = ["--book", "other.db"];
    let with = |words: &[&str]| desk.run(&[words, &other[..]].concat());
    let grown = with(&["grow", "--positions", "5", "--level", "2", "--threads", "1"]);
    let text = String::from_utf8(grown.stdout).unwrap();
    assert!(text.contains("look at it: rosebill show --book other.db; go on: the same"), "{text}");
    let text = stderr(&with(&["games", "sources"]));
    assert!(text.contains("'rosebill games import --book other.db FILE' takes them in"), "{text}");
    let text = stderr(&with(&["discover", "traps"]));
    assert!(text.contains("'rosebill games import --book other.db FILE'"), "{text}");
    let takes_in = "the book has no games yet: 'rosebill games import --book other.db FILE' takes";
    for words in [
        &["games", "stats", "tiger"][..],
        &["games", "list"],
        &["games", "report"],
        &["games", "player", "x"],
        &["games", "players"],
        &["lines", "--by", "games"],
    ] {
        let output = with(words);
        let text = String::from_utf8(output.stdout.clone()).unwrap() + &stderr(&output);
        assert!(text.contains(takes_in), "{words:?}: {text}");
        assert!(!text.contains(" of 0 ") && !text.contains("has a name"), "{words:?}: {text}");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
    }
    fs::write(desk.path("cup.pgn"), PGN).unwrap();
    assert!(with(&["games", "import", "cup.pgn"]).status.success());
    let text = String::from_utf8(with(&["analyze", "f5d6c3d3", "--level", "1"]).stdout).unwrap();
    assert!(text.contains("rosebill games show 0 --book other.db"), "{text}");
    for words in [&["games", "player", "zzz"][..], &["discover", "mistakes", "zzz"]] {
        let text = stderr(&with(words));
        assert!(text.contains("'rosebill games players --book other.db PREFIX'"), "{text}");
    }
    let text = stderr(&with(&["games", "show", "9"]));
    assert!(text.contains("'rosebill games list --book other.db' tells"), "{text}");
    // The book of the environment needs no name.
    desk.ok(&["new"]);
    let text = stderr(&desk.run(&["games", "sources"]));
    assert!(text.contains("'rosebill games import FILE' takes them in"), "{text}");
}

/// What is wrong may be a file that is not the book: commands name the right one, as it can be typed.
#[test]
fn what_is_to_be_typed_names_the_file_that_it_is_about() {
    let desk = Desk::grown("40");
    desk.ok(&["export", "edax.dat", "-q"]);
    desk.ok(&["snapshot", "book.snapshot", "-q"]);
    fs::copy(desk.path("edax.dat"), desk.path("-e.dat")).unwrap();
    let mut bytes = fs::read(desk.path("book.db")).unwrap();
    fs::write(desk.path("other.db"), &bytes).unwrap();
    fs::write(desk.path("-x.db"), &bytes).unwrap();
    // The pages of the positions and of their index.
    bytes[4096..].fill(0);
    fs::write(desk.path("bad.db"), bytes).unwrap();
    let salvages = "'rosebill verify --book bad.db --salvage OUT'";
    for (words, command) in [
        (&["show", "--book", "no.db", "f5"][..], "'rosebill new --book no.db --starter' makes"),
        (&["diff", "other.db", "no.db"], "'rosebill new --book no.db --starter' makes"),
        (&["show", "--games-from", "no.db"], "'rosebill new --book no.db --starter' makes"),
        (&["show", "--book", "edax.dat"], "'rosebill import edax.dat' reads"),
        (&["show", "--book=-e.dat"], "'rosebill import ./-e.dat' reads"),
        (&["show", "--book", "other.db", "./-e.dat"], "'rosebill import --book other.db ./-e.dat'"),
        (&["diff", "other.db", "book.snapshot"], "'rosebill restore --book FILE book.snapshot'"),
        (&["show", "--book", "book.snapshot"], "'rosebill restore --book FILE book.snapshot'"),
        (&["merge", "--book", "other.db", "bad.db"], salvages),
        (&["diff", "other.db", "bad.db"], salvages),
        (&["show", "--book", "bad.db"], salvages),
    ] {
        let told = desk.refused(words);
        assert!(is_one_line(&told) && told.contains(command), "{words:?}: {told}");
    }
    for words in [&["import", "./-e.dat", "--book=-new.db"][..], &["games", "list", "--book=-x.db"]]
    {
        let told = stderr(&desk.run(words));
        assert!(!told.contains("--book -"), "{words:?}: {told}");
    }
    let told = stderr(&desk.run(&["games", "list", "--book=-x.db"]));
    assert!(told.contains("'rosebill games import --book=-x.db FILE' takes"), "{told}");
}

#[test]
fn growth_that_is_done_is_not_said_to_go_on() {
    let desk = Desk::grown("20");
    let done = desk.ok(&["grow", "--policy", "fill", "--level", "2", "--threads", "1"]);
    let done = match done.contains("nothing is left") {
        true => done,
        false => desk.ok(&["grow", "--policy", "fill", "--level", "2", "--threads", "1"]),
    };
    assert!(done.contains("rosebill show; more: another --policy, or wider bounds"), "{done}");
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
    let had = format!("until now it had {}", grown["positions"]);
    let told = stderr(&undone);
    assert!(told.contains(&had), "{told}");
    assert!(told.contains("'rosebill undo --book u.db --redo' brings them back"), "{told}");
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
        for command in ["show", "search", "eval"] {
            let told = desk.refused(&[command, name]);
            assert!(is_one_line(&told) && told.contains("is a file of games ("), "{told}");
            assert!(told.contains(&format!("'rosebill analyze {name}'")), "{told}");
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
        for words in [&["import"][..], &["games", "import"], &["analyze"], &["merge"]] {
            let told = stderr(&desk.run(&[words, &[name]].concat()));
            let begins =
                format!("rosebill: {name} is a file of positions: 'rosebill solve {name}'");
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
