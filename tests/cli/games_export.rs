//! Games that are written into files, and what stands there already.

use std::fs;

use serde_json::Value;

use crate::desk::{is_one_line, stderr};
use crate::games::desk;

#[test]
fn what_is_exported_comes_back() {
    let desk = desk();
    for name in ["all.jsonl", "all.pgn", "all.ggf", "all.sgf", "all.txt", "all.csv"] {
        let told = desk.ok(&["games", "export", name]);
        assert!(told.starts_with(&format!("{name}: 3 games\n")), "{told}");
        let other = ["--book", "other.db"];
        desk.ok(&[&["games", "import", name][..], &other].concat());
        let count = desk.json(&[&["games", "stats"][..], &other].concat());
        assert_eq!(count["games"], 3, "{name}");
        fs::remove_file(desk.path("other.db")).unwrap();
    }
    let wthor = desk.ok(&["games", "export", "mine.wtb", "--player", "hassan"]);
    assert!(wthor.starts_with("mine.wtb, mine.jou, mine.trn: 1 game"), "{wthor}");
    desk.ok(&["games", "import", "mine.wtb", "--book", "other.db"]);
    let again = desk.json(&["games", "list", "--book", "other.db"]);
    assert_eq!((&again["black"], &again["event"]), (&"Hassan Imre".into(), &"Open".into()));
    assert!(desk.refused(&["games", "export", "all.xyz"]).contains("--format"));
    // Where no game is asked for, the file of the last time stays.
    let before = fs::read(desk.path("all.pgn")).unwrap();
    let none = desk.run(&["games", "export", "all.pgn", "--years", "2021-", "--force"]);
    assert_eq!((none.status.code(), &none.stdout[..]), (Some(1), &[][..]));
    assert!(stderr(&none).ends_with("no game to write: all.pgn is as it was\n"), "{none:?}");
    assert_eq!(fs::read(desk.path("all.pgn")).unwrap(), before);
}

/// What a user has under the name is replaced by games only where that loses nothing else.
#[test]
fn games_take_the_place_of_games_only() {
    let desk = desk();
    let before = fs::read(desk.path("book.db")).unwrap();
    let text = desk.refused(&["games", "export", "book.db", "--format", "pgn"]);
    assert!(is_one_line(&text) && text.contains("never replaced"), "{text}");
    assert_eq!(fs::read(desk.path("book.db")).unwrap(), before);
    // Typed for 'games import' it loses nothing.
    let games = "F5D6C3\n";
    let text = "no games, and no book\n";
    for (arguments, name, content) in [
        (&["games", "export", "club.pgn"][..], "club.pgn", games),
        (&["analyze", "f5d6", "--level", "1", "--pgn", "club.pgn"], "club.pgn", games),
        (&["analyze", "f5d6", "--level", "1", "--html", "club.pgn"], "club.pgn", games),
        (&["export", "club.dat"], "club.dat", games),
        (&["snapshot", "club.dat"], "club.dat", games),
    ] {
        fs::write(desk.path(name), content).unwrap();
        let told = desk.refused(arguments);
        let first = told.lines().next().unwrap();
        let why =
            format!("{name} is a file of games (transcript), and is replaced only with --force");
        assert!(first.ends_with(&why), "{arguments:?}: {told}");
        assert_eq!(fs::read_to_string(desk.path(name)).unwrap(), content);
        desk.ok(&[arguments, &["--force"]].concat());
        assert_ne!(fs::read_to_string(desk.path(name)).ok().as_deref(), Some(content));
        fs::write(desk.path(name), text).unwrap();
        desk.ok(arguments);
        assert_ne!(fs::read_to_string(desk.path(name)).ok().as_deref(), Some(text));
    }
    let hint = "try: rosebill games import club.pgn";
    fs::write(desk.path("club.pgn"), games).unwrap();
    assert!(desk.refused(&["games", "export", "club.pgn"]).ends_with(hint));
    for name in ["mine.jou", "mine.TRN"] {
        let text = desk.refused(&["games", "export", name, "--format", "wthor"]);
        assert!(is_one_line(&text) && text.contains("the name of the .wtb file"), "{text}");
        assert!(!desk.path(name).exists());
    }
    fs::create_dir(desk.path("mine.trn")).unwrap();
    let text = desk.refused(&["games", "export", "mine.wtb"]);
    assert!(is_one_line(&text) && text.contains("mine.trn: it is a folder"), "{text}");
    assert!(!desk.path("mine.wtb").exists() && !desk.path("mine.jou").exists());
}

/// Lists of names that other games have their names from stay; one's own are written again.
#[test]
fn an_export_takes_no_names_from_others() {
    let desk = desk();
    desk.ok(&["games", "export", "WTH.wtb"]);
    desk.ok(&["games", "export", "WTH.wtb", "--player", "ann", "--force"]);
    for (own, upper) in
        [("WTH.wtb", "WTH_1977.wtb"), ("WTH.jou", "WTH.JOU"), ("WTH.trn", "WTH.TRN")]
    {
        fs::rename(desk.path(own), desk.path(upper)).unwrap();
    }
    let before = fs::read(desk.path("WTH.JOU")).unwrap();
    let told = desk.refused(&["games", "export", "WTH.wtb", "--player", "hassan"]);
    assert!(is_one_line(&told) && told.contains("another name or another folder"), "{told}");
    fs::rename(desk.path("WTH.JOU"), desk.path("WTH_19.jou")).unwrap();
    let told = desk.refused(&["games", "export", "WTH_197.wtb", "--player", "hassan"]);
    assert!(is_one_line(&told) && told.contains("WTH_1977.wtb would lose its names"), "{told}");
    assert_eq!(fs::read(desk.path("WTH_19.jou")).unwrap(), before);
    assert!(!desk.path("WTH_197.wtb").exists() && !desk.path("WTH_197.jou").exists());
    desk.ok(&["games", "export", "hassan.wtb", "--player", "hassan"]);
    // Without its games nobody knows whose a list is, and that is what is said.
    fs::remove_file(desk.path("hassan.wtb")).unwrap();
    let told = desk.refused(&["games", "export", "hassan.wtb", "--player", "hassan"]);
    let reason = "hassan.jou has names of games that are not here (hassan.wtb is missing)";
    assert!(is_one_line(&told) && told.contains(reason), "{told}");
    fs::remove_file(desk.path("hassan.jou")).unwrap();
    fs::remove_file(desk.path("hassan.trn")).unwrap();
    desk.ok(&["games", "export", "hassan.wtb", "--player", "hassan"]);
}

/// A game that the format cannot hold is told by the number that shows it.
#[test]
fn what_cannot_be_exported_is_told_by_its_number() {
    let desk = desk();
    let board = "X--------------------------OX------XO---------------------------";
    let from = format!("{{\"start\":\"{board} X\",\"moves\":\"d3c3c4\"}}\n");
    fs::write(desk.path("board.jsonl"), from).unwrap();
    desk.ok(&["games", "import", "board.jsonl"]);
    let listed = desk.ok(&["games", "list", "--source", "board.jsonl", "--json"]);
    let id = serde_json::from_str::<Value>(&listed).unwrap()["id"].clone();
    let output = desk.run(&["games", "export", "all.wtb"]);
    assert_eq!(output.status.code(), Some(3));
    let told = format!("game {id}: WTHOR holds games from the start position only");
    assert!(stderr(&output).contains(&told), "{output:?}");
    assert!(desk.path("all.wtb").exists());
    let json = desk.run(&["games", "export", "all.wtb", "--force", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&json["games"], &json["refused"]), (&3.into(), &1.into()));
    desk.ok(&["new", "--book", "empty.db"]);
    let none = desk.not_there(&["games", "export", "no.pgn", "--book", "empty.db"]);
    assert!(none.contains("rosebill games import --book empty.db FILE"), "{none}");
}

/// A device is written into, a link stays one, and what only its owner could read stays so.
#[cfg(unix)]
#[test]
fn files_stay_what_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = desk();
    desk.ok(&["games", "export", "/dev/null", "--format", "pgn"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let text = desk.refused(&["games", "export", "/dev/null", "--format", "wthor"]);
    assert!(text.contains("three files"), "{text}");
    fs::write(desk.path("own.pgn"), "old").unwrap();
    fs::set_permissions(desk.path("own.pgn"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink(desk.path("own.pgn"), desk.path("link.pgn")).unwrap();
    desk.ok(&["games", "export", "link.pgn"]);
    assert!(fs::symlink_metadata(desk.path("link.pgn")).unwrap().is_symlink());
    let own = fs::metadata(desk.path("own.pgn")).unwrap();
    assert!(own.len() > 100 && own.permissions().mode() & 0o777 == 0o600, "{own:?}");
}
