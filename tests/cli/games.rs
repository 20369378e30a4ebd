//! The game database as a user meets it.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use rosebill::othello::board::Line;
use serde_json::Value;

use crate::boards::board_text;
use crate::desk::{Desk, is_one_line, stderr};

/// f5d6c3 as it looks from another side.
const TURNED: &str = "c4e3f6";

/// A whole game: always the first move of the board, after an opening.
fn whole_game() -> String {
    let mut line: Line = "f5d6c3d3c4f4".parse().unwrap();
    while let Some(placed) = line.end() {
        assert!(line.push(placed.position.legal_moves().next().unwrap()));
    }
    line.to_string()
}

/// A desk with three short games and a whole one.
pub fn desk() -> Desk {
    let desk = Desk::new();
    fs::write(desk.path("club.txt"), "Ann 30-34 Bob : f5d6c3d3c4\nBob 40-24 Ann : f5f6e6f4\n")
        .unwrap();
    let pgn = format!(
        "[Event \"Open\"]\n[Date \"2020.05.01\"]\n[Black \"Hassan Imre\"]\n[White \"Rose Brian\"]\n\n{}\n",
        pairs(&whole_game())
    );
    fs::write(desk.path("open.pgn"), pgn).unwrap();
    let output = desk.run(&["games", "import", "club.txt", "open.pgn"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    desk
}

/// Numbered moves.
fn pairs(moves: &str) -> String {
    let moves: Vec<&str> =
        moves.as_bytes().chunks(2).map(|two| std::str::from_utf8(two).unwrap()).collect();
    let numbered = moves
        .chunks(2)
        .enumerate()
        .map(|(number, two)| format!("{}. {}", number + 1, two.join(" ")));
    numbered.collect::<Vec<_>>().join(" ")
}

fn games(desk: &Desk, position: &str, more: &[&str]) -> Value {
    desk.json(&[&["games", "stats", position][..], more].concat())
}

/// Nothing was played where a game broke off: its last move tells that it was there.
#[test]
fn a_game_that_breaks_off_is_found_at_its_last_position() {
    let desk = Desk::new();
    let text = "Ann - Bob : f5d6c3d3c4\nBob - Eve : f5d6c3d3c4f4c5\nEve - Ann : f5f6e6f4\n";
    fs::write(desk.path("club.txt"), text).unwrap();
    assert_eq!(desk.run(&["games", "import", "club.txt"]).status.code(), Some(0));
    let through = |line: &str| desk.ok(&["games", "list", line, "--json"]).lines().count();
    assert_eq!((through("f5d6c3d3"), through("f5d6c3d3c4")), (2, 2));
    // The same move of another orientation.
    assert_eq!((through("c4e3f6e6f5"), through("f5d6c3d3c4f4c5")), (2, 1));
    assert_eq!(through("f5d6c3d3c4f4"), 1);
}

/// A page of games as people copy it together, which comes in whole.
#[test]
fn games_as_people_write_them_are_imported() {
    let desk = Desk::new();
    let text = "Black: Ann (1500)\r\nWhite: Bob\r\nDate: 4 May 2019\r\n\r\n1. F5 (D6) 2. C3 (D3) 3. C4\r\n\
        40-24 on time\r\n----------\r\n○Kim 40 - 24 ●Eve\r\n2019-05-05\r\nf5 > f6 > e6\r\n\r\n\
        c4c3e6b4a4a5b2a3 ... f4\r\nWhite resigned\r\n";
    let text: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(desk.path("club.txt"), text).unwrap();
    let output = desk.run(&["games", "import", "club.txt"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let games = desk.ok(&["games", "export", "-", "--format", "json"]);
    for part in [
        r#""date":"2019-05-04","black":"Ann","white":"Bob","black_rating":1500.0,"moves":"f5d6c3d3c4","result":"40-24 (time)""#,
        r#""date":"2019-05-05","black":"Eve","white":"Kim","moves":"f5f6e6","result":"24-40""#,
        r#""moves":"c4c3e6b4a4a5b2a3f4","result":"1-0 (resigned)""#,
    ] {
        let told = games.replace("\": ", "\":").replace(", \"", ",\"");
        assert!(told.contains(part), "{part}: {told}");
    }
    fs::write(desk.path("bad.txt"), "f5d6c3\nf5 ... d6 c3\n").unwrap();
    let output = desk.run(&["games", "import", "bad.txt"]);
    assert_eq!(output.status.code(), Some(3));
    let told = "bad.txt:2 (game 2): move 2 \"pass\": a pass, but white can move";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

#[test]
fn games_are_imported_counted_and_found() {
    let desk = desk();
    let all = games(&desk, "", &[]);
    assert_eq!((&all["games"], &all["moves"][0]["move"]), (&3.into(), &"f5".into()));
    assert_eq!(desk.json(&["info"])["games"], 3);
    assert!(desk.ok(&["info"]).contains("\ngames      3\n"));
    // The same opening turned, and told in the asker's orientation.
    let turned = games(&desk, TURNED, &[]);
    assert_eq!((&turned["games"], &turned["moves"][0]["move"]), (&2.into(), &"e6".into()));
    let f5d6 = games(&desk, "f5d6", &[]);
    assert_eq!(f5d6["games"], 2);
    assert_eq!(f5d6["this_order"], 2);
    assert_eq!(f5d6["moves"][0]["move"], "c3");
    let by = games(&desk, "f5d6", &["--player", "hassan"]);
    assert_eq!((&by["games"], &by["moves"][0]["first_year"]), (&1.into(), &2020.into()));
    assert_eq!(games(&desk, "f5", &["--black", "ann", "--result", "white"])["games"], 1);

    let text = desk.ok(&["games", "stats", "f5d6c3"]);
    assert!(
        text.contains("2 games; white to move; results and scores from Black's side"),
        "{text}"
    );
    // Who was here, who chose what, and the games.
    let f5 = games(&desk, "f5", &[]);
    assert_eq!(f5["different_players"], 4);
    let ann = serde_json::json!({"name": "Ann", "games": 2, "percent": 0.0});
    assert_eq!(f5["players"][0], ann, "{f5}");
    let moves = f5["moves"].as_array().unwrap();
    let chose = |square: &str| {
        &moves.iter().find(|played| played["move"] == square).unwrap()["players"][0]["name"]
    };
    assert_eq!(chose("f6"), "Ann");
    assert_eq!(f5["latest"].as_array().unwrap().len(), 3);
    assert_eq!(f5["highest_rated"], serde_json::json!([]));
    let who = desk.ok(&["games", "stats", "f5", "--players"]);
    for line in [
        "f6  Ann 1 (scored 0 %)",
        "most often here, of 4 players: Ann 2 (scored 0 %), Bob 2 (scored 100 %)",
        "Hassan Imre",
    ] {
        assert!(who.contains(line), "{line}: {who}");
    }
    // Of several the answers are told apart.
    fs::write(desk.path("lines.txt"), "f5d6\nf5d6c3\n").unwrap();
    let several = desk.ok(&["games", "stats", "lines.txt", "--json"]);
    let several: Vec<Value> =
        several.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = several.iter().map(|each| (each["index"].clone(), each["line"].clone()));
    assert!(told.eq([(1.into(), "f5d6".into()), (2.into(), "f5d6c3".into())]), "{several:?}");
    assert!(f5.get("index").is_none(), "{f5}");
    let few = desk.ok(&["games", "stats", "f5", "--least-games", "9"]);
    assert!(few.contains("no move has 9 games or more (--least-games)"), "{few}");

    let miss = desk.run(&["games", "stats", "f5f4"]);
    assert_eq!(miss.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&miss.stdout).contains("try fewer moves"));
    let nobody = desk.not_there(&["games", "stats", "--player", "zzz"]);
    assert!(nobody.contains("rosebill games players PREFIX"), "{nobody}");
}

/// A board without a name is no start.
#[test]
fn a_board_is_told_as_it_can_be_typed() {
    let desk = desk();
    let told = desk.json(&["games", "stats", "f5d6c3d3c4f4"])["position"].clone();
    assert_eq!(told, desk.json(&["search", "--static", "f5d6c3d3c4f4"])["position"]);
    let board = board_text(&told);
    let end = whole_game()[..60].parse::<Line>().unwrap().board();
    let end = end.position.board_text(end.side);
    let first = |board: &str| {
        let told = desk.ok(&["games", "stats", board]);
        told.lines().next().unwrap().to_owned()
    };
    assert_eq!(first(&end), end);
    assert!(first(&board).starts_with(&board));
    assert_eq!(first(""), "the start");
}

#[test]
fn tables_of_positions_are_no_games() {
    let desk = Desk::new();
    let rows = "board,side,proven_lower,proven_upper,line\n,X,0,0,f5d6c3\n";
    fs::write(desk.path("facts.csv"), rows).unwrap();
    desk.ok(&["new", "--starter"]);
    desk.ok(&["export", "own.csv"]);
    for name in ["facts.csv", "own.csv"] {
        let told = stderr(&desk.run(&["games", "import", name]));
        assert!(
            told.contains(&format!("{name}: no games that rosebill can read (a table of")),
            "{told}"
        );
        assert!(
            told.contains(&format!("try: rosebill import {name}")) && is_one_line(told.trim_end()),
            "{told}"
        );
    }
    assert_eq!(desk.json(&["info"])["games"], 0);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_costs_itself_only() {
    use std::os::unix::fs::PermissionsExt;

    let desk = Desk::new();
    fs::create_dir_all(desk.path("games/closed")).unwrap();
    fs::write(desk.path("games/club.txt"), "f5d6c3d3c4\n").unwrap();
    let mode = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(desk.path("games/closed"), permissions).unwrap();
    };
    mode(0o000);
    // The system lets its administrator in everywhere.
    if fs::read_dir(desk.path("games/closed")).is_err() {
        let output = desk.run(&["games", "import", "games"]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("games/closed: Permission denied"), "{told}");
        assert_eq!(desk.json(&["info"])["games"], 1);
    }
    mode(0o700);
}

#[test]
fn a_bad_game_costs_itself_only_and_a_second_import_nothing() {
    let desk = Desk::new();
    fs::write(desk.path("mixed.txt"), "f5d6c3d3c4\nf5d6a1\nf5f6e6f4\n").unwrap();
    let output = desk.run(&["games", "import", "mixed.txt"]);
    assert_eq!(output.status.code(), Some(3));
    let told = stderr(&output);
    let line = "rosebill: mixed.txt:2 (game 2): move 3 \"a1\": flips no disc; expected one of";
    assert!(told.starts_with(line), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "mixed.txt: 3 games, 2 new, 1 refused\n");
    let output = desk.run(&["games", "import", "mixed.txt", "--json"]);
    let lines: Vec<Value> = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        assert_eq!(
            (&line["new"], &line["known"], &line["refused"]),
            (&0.into(), &2.into(), &1.into())
        );
    }
    assert_eq!(lines[1]["files"], 1);

    // Strictly, the file is refused; nothing at all can then be read.
    let strict = Desk::new();
    fs::write(strict.path("mixed.txt"), "f5d6c3d3c4\nf5d6a1\n").unwrap();
    let output = strict.run(&["games", "import", "--strict", "mixed.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!strict.path("book.db").exists());
    // So is what is not a file of games.
    fs::write(strict.path("noise.bin"), [7; 100]).unwrap();
    let output = strict.run(&["games", "import", "noise.bin"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(is_one_line(stderr(&output).trim_end()), "{}", stderr(&output));
}

#[test]
fn two_sources_of_a_game_make_one() {
    let desk = desk();
    fs::write(desk.path("again.txt"), format!("Imre H. - B. Rose : {}\n", whole_game())).unwrap();
    let first = desk.ok(&["games", "import", "again.txt"]);
    assert!(first.starts_with("again.txt: 1 game, 0 new, 1 "), "{first}");
    let second = desk.ok(&["games", "import", "again.txt"]);
    assert_eq!(second, "again.txt: 1 game, 0 new, 1 known\n");
    let listed = desk.json(&["games", "list", "--player", "hassan"]);
    assert_eq!(listed["sources"], serde_json::json!(["open.pgn", "again.txt"]));
    let shown = desk.ok(&["games", "show", &listed["id"].to_string()]);
    assert!(shown.contains("Hassan Imre - Rose Brian"), "{shown}");
    assert!(shown.contains("from       open.pgn, again.txt"), "{shown}");
}

#[test]
fn standard_input_and_folders_are_read() {
    let desk = Desk::new();
    fs::create_dir_all(desk.path("all/more")).unwrap();
    fs::write(desk.path("all/one.txt"), "f5d6c3\n").unwrap();
    fs::write(desk.path("all/more/two.txt"), "f5f6e6\n").unwrap();
    fs::write(desk.path("all/picture.png"), [0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0])
        .unwrap();
    // A link is the file that it leads to.
    #[cfg(unix)]
    std::os::unix::fs::symlink("two.txt", desk.path("all/more/link.txt")).unwrap();
    let text = desk.ok(&["games", "import", "all"]);
    #[cfg(unix)]
    assert!(text.ends_with("3 files: 3 games, 2 new, 1 known\n"), "{text}");
    let mut child = desk
        .command()
        .args(["games", "import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"f5d6c4\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "standard input: 1 game, 1 new\n");
    // Where there is no game, that is said.
    fs::create_dir(desk.path("none")).unwrap();
    let output = desk.run(&["games", "import", "none"]);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(1), "no file in the folders\n".into())
    );
    fs::write(desk.path("none/empty.txt"), " \n").unwrap();
    let output = desk.run(&["games", "import", "none"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "none/empty.txt: no games\n");
}

#[cfg(unix)]
#[test]
fn a_name_of_a_file_stays_on_its_line() {
    let desk = Desk::new();
    let name = "two\nlines\u{1b}[2J.txt";
    fs::write(desk.path(name), "f5d6c3\n").unwrap();
    let shown = "two lines\\u{1b}[2J.txt";
    assert_eq!(desk.ok(&["games", "import", name]), format!("{shown}: 1 game, 1 new\n"));
    assert!(desk.ok(&["games", "sources"]).contains(shown));
    let told = desk.ok(&["games", "export", "all.csv"]);
    assert!(told.starts_with("all.csv: 1 game\n"), "{told}");
}

#[test]
fn lists_have_pages_and_an_order() {
    let desk = desk();
    let page = |more: &[&str]| -> Vec<Value> {
        let text = desk.ok(&[&["games", "list", "--json"][..], more].concat());
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let whole = page(&[]);
    assert_eq!(whole.len(), 3);
    assert_eq!(whole[0]["black"], "Hassan Imre", "a date comes before none");
    let mut by_pages = page(&["--limit", "2"]);
    by_pages.extend(page(&["--limit", "2", "--after", &by_pages[1]["id"].to_string()]));
    assert_eq!(by_pages, whole);
    let players: Vec<_> =
        page(&["--sort", "player"]).iter().map(|game| game["black"].clone()).collect();
    assert_eq!(players, ["Ann", "Bob", "Hassan Imre"]);
    fs::write(desk.path("nameless.txt"), "f5f4\n").unwrap();
    desk.ok(&["games", "import", "nameless.txt"]);
    let players: Vec<_> =
        page(&["--sort", "player", "--reverse"]).iter().map(|game| game["black"].clone()).collect();
    assert_eq!(players[..], ["Hassan Imre".into(), "Bob".into(), "Ann".into(), Value::Null]);
    desk.ok(&["games", "remove", "--source", "nameless.txt"]);
    assert_eq!(page(&["f5d6c3d3"]).len(), 2);
    // A whole game finds itself.
    assert_eq!(page(&[&whole_game()]), page(&["--black", "hassan"]));
    let over = desk.run(&["games", "stats", &whole_game()]);
    assert!(String::from_utf8_lossy(&over.stdout).contains("rosebill games list"), "{over:?}");
    let none = desk.run(&["games", "list", "--years", "2021-"]);
    assert_eq!(none.status.code(), Some(1));
    // A page that is just full is the last one, and behind the last game there is nothing.
    let last = whole[2]["id"].to_string();
    let full = desk.run(&["games", "list", "--limit", "3"]);
    assert!(full.stderr.is_empty(), "{full:?}");
    let all = desk.run(&["games", "list", "--limit", "2"]);
    let told = format!("3 games in all; the next page: --after {}\n", whole[1]["id"]);
    assert_eq!(stderr(&all), told);
    let behind = desk.not_there(&["games", "list", "--after", &last]);
    assert_eq!(behind, "no game behind that one: it is the last of 3 games");
    assert_eq!(page(&["f5d6c3"])[0]["name"], "Tiger");
    // A page behind a game that is not there is not the first page again.
    let lost = desk.refused(&["games", "list", "--after", "77"]);
    assert!(lost.contains("game 77 is not in this list"), "{lost}");
}

#[test]
fn players_have_reports_and_games_are_taken_out() {
    let desk = desk();
    let found = desk.ok(&["games", "players"]);
    assert!(found.contains(" Ann") && found.contains(" Hassan Imre"), "{found}");
    let ann = desk.json(&["games", "player", "ann"]);
    assert_eq!(
        (&ann["games"], &ann["lost"], &ann["black"]["games"]),
        (&2.into(), &2.into(), &1.into())
    );
    assert_eq!(desk.run(&["games", "player", "nobody"]).status.code(), Some(1));

    assert!(desk.refused(&["games", "remove"]).contains("--all"));
    let would = desk.ok(&["games", "remove", "--source", "club", "--dry-run"]);
    assert_eq!(would, "club.txt: 2 games would be removed\n");
    assert_eq!(desk.ok(&["games", "remove", "--source", "club"]), "club.txt: 2 games removed\n");
    assert!(!desk.ok(&["games", "sources"]).contains("club.txt"));
    assert_eq!(games(&desk, "", &[])["games"], 1);
    // Numbers are not given again.
    desk.ok(&["games", "import", "club.txt"]);
    let ids: Vec<Value> = desk
        .ok(&["games", "list", "--json"])
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [2, 3, 4]);
    desk.ok(&["verify"]);
}

/// A whole name means that source, and a game that others gave stays.
#[test]
fn a_source_goes_alone() {
    let desk = Desk::new();
    for (name, line) in
        [("games1.txt", "f5d6c3d3c4"), ("games10.txt", "f5f6e6f4"), ("anna.txt", "f5d6c4d3c3")]
    {
        fs::write(desk.path(name), format!("{line}\n")).unwrap();
        desk.ok(&["games", "import", name]);
    }
    let dry = |source: &str| desk.ok(&["games", "remove", "--source", source, "--dry-run"]);
    assert_eq!(dry("games1.txt"), "games1.txt: 1 game would be removed\n");
    assert_eq!(dry("games1"), "games1.txt, games10.txt: 2 games would be removed\n");
    let removed = desk.ok(&["games", "remove", "--source", "games1.txt"]);
    assert_eq!(removed, "games1.txt: 1 game removed\n");

    fs::write(desk.path("both.txt"), "f5f6e6f4\nf5d6c4d3c3\nf5f4e3\n").unwrap();
    assert!(desk.ok(&["games", "import", "both.txt"]).contains("1 new, 2 known"));
    let told = "both.txt: 1 game would be removed, 2 would stay, since others gave them, too\n";
    assert_eq!(dry("both.txt"), told);
    let removed = desk.json(&["games", "remove", "--source", "both.txt"]);
    let expected = serde_json::json!(
        {"removed": 1, "kept": 2, "sources": ["both.txt"], "dry_run": false}
    );
    assert_eq!(removed, expected);
    let sources = desk.ok(&["games", "sources"]);
    assert!(!sources.contains("both.txt") && sources.contains("games10.txt"), "{sources}");
    assert_eq!(desk.json(&["info"])["games"], 2);
    desk.ok(&["verify"]);
    // An emptied source may come again.
    desk.ok(&["games", "import", "both.txt"]);
    assert!(desk.ok(&["games", "sources"]).contains("both.txt"));
    desk.ok(&["games", "remove", "--all"]);
    let none = desk.run(&["games", "remove", "--player", "x"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("rosebill games import"), "{none:?}");
}

/// Where games are chosen a whole name means that one; where names are looked for it comes first.
#[test]
fn a_whole_name_means_that_player() {
    let desk = Desk::new();
    let games = "Chen Xu 34-30 Zebra (andersson) : f5d6c3d3c4\n\
        Chen Xun 34-30 Anders Andersson : f5f6e6f4\nChen Xun 34-30 Smith John : f5d6c4d3\n";
    fs::write(desk.path("club.txt"), games).unwrap();
    desk.ok(&["games", "import", "club.txt"]);
    for (name, games, players) in
        [("chen xu", 1, 2), ("chen x", 3, 2), ("Andersson Anders", 1, 1), ("anders", 2, 2)]
    {
        let list = desk.ok(&["games", "list", "--player", name, "--json"]);
        assert_eq!(list.lines().count(), games, "{name}: {list}");
        let found = desk.ok(&["games", "players", name, "--json"]);
        assert_eq!(found.lines().count(), players, "{name}: {found}");
        assert!(name != "chen xu" || found.starts_with("{\"name\":\"Chen Xu\""), "{found}");
    }
    for arguments in [&["games", "list", "--player", "joe"][..], &["games", "players", "joe"]] {
        assert!(!desk.not_there(arguments).is_empty());
    }
    // Who has no games left takes nobody's place.
    desk.ok(&["games", "remove", "--player", "chen xu"]);
    assert_eq!(desk.ok(&["games", "list", "--player", "chen xu", "--json"]).lines().count(), 2);
}

/// One rule for all commands, and for whoever writes the name.
#[test]
fn a_name_means_the_same_everywhere() {
    let desk = Desk::new();
    let games = "Anna 34-30 Müller, Peter : f5d6c3d3c4\nPETER MULLER 34-30 anna : f5f6e6f4\n\
        Helgesson Anna 34-30 Muller Isabelle : f5d6c4d3\nAnnalisa 30-34 Zoe : f5d6c3d3c4f4\n";
    fs::write(desk.path("club.txt"), games).unwrap();
    desk.ok(&["games", "import", "club.txt"]);
    let told =
        "means the player \"Anna\", and none of the others of that name: \"Helgesson Anna\"\n";
    for name in ["anna", "Anna", "ÄNNA"] {
        let list = desk.run(&["games", "list", "--player", name, "--json"]);
        assert_eq!(list.stdout.iter().filter(|&&byte| byte == b'\n').count(), 2, "{name}");
        assert_eq!(stderr(&list), format!("\"{name}\" {told}"));
        let report = desk.run(&["games", "player", name, "--json"]);
        let json: Value = serde_json::from_slice(&report.stdout).unwrap();
        assert_eq!((&json["games"], &json["won"]), (&2.into(), &1.into()), "{name}: {json}");
        assert_eq!(stderr(&report), format!("\"{name}\" {told}"));
        // Names are looked for by beginnings.
        let found = desk.ok(&["games", "players", name, "--json"]);
        assert_eq!(found.lines().count(), 4, "{found}");
    }
    let against = desk.json(&["games", "player", "peter müller", "--against", "anna"]);
    assert_eq!((&against["games"], &against["won"]), (&2.into(), &1.into()));
    let same = desk.not_there(&["games", "player", "anna", "--against", "Anna"]);
    assert!(same.contains("asked for twice"), "{same}");
    // Names have commas.
    let several = desk.not_there(&["games", "player", "müller"]);
    assert!(several.contains("3 players have a name like \"müller\": "), "{several}");
    assert!(several.contains("\"Müller, Peter\", "), "{several}");
    assert!(several.ends_with("; give the whole name"), "{several}");
}

/// The worst openings are none of the best, in JSON too.
#[test]
fn a_player_has_best_and_worst_openings() {
    let desk = Desk::new();
    let games =
        "Ann 40-24 Bob : f5d6c3d3c4\nAnn 24-40 Bob : f5f6e6f4\nAnn 32-32 Bob : f5d6c4d3c5\n";
    fs::write(desk.path("club.txt"), games).unwrap();
    desk.ok(&["games", "import", "club.txt"]);
    let told = desk.ok(&["games", "player", "ann", "--least-games", "1"]);
    let (best, worst) = told.split_once("worst openings").unwrap();
    assert!(best.contains("100.0 %") && worst.contains(" 0.0 %"), "{told}");
    assert!(!best.split_once("best openings").unwrap().1.contains(" 0.0 %"), "{told}");
    let openings = |more: &[&str]| {
        let json = desk.json(&[&["games", "player", "ann"][..], more].concat());
        let openings = json["openings"].as_array().unwrap();
        openings.iter().map(|of| of["percent"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(openings(&[]), [0.0; 0]);
    assert_eq!(openings(&["--least-games", "1"]), [100.0, 50.0, 0.0]);
    assert_eq!(openings(&["--least-games", "1", "--limit", "1"]), [100.0, 0.0]);
    let cut = desk.ok(&["games", "player", "ann", "--least-games", "1", "--limit", "1"]);
    assert!(cut.contains("1 between them: --limit 2"), "{cut}");
    // What is printed can be typed, whatever the name.
    fs::write(desk.path("odd.txt"), "O'Brien \"Nick\" 40-24 Bob : f5d6c3d3\n").unwrap();
    desk.ok(&["games", "import", "odd.txt"]);
    let told = desk.run(&["games", "player", "o'brien", "--losses"]);
    let command = r#"rosebill analyze --player 'O'\''Brien "Nick"'"#;
    assert!(stderr(&told).contains(command), "{told:?}");
}

#[test]
fn games_stand_beside_the_values_of_the_book() {
    let desk = desk();
    desk.ok(&["grow", "--positions", "12", "--level", "2", "--threads", "1", "-q"]);
    let shown = desk.json(&["show", "f5"]);
    assert_eq!(shown["games"]["games"], 3);
    let text = desk.ok(&["show", "f5"]);
    assert!(text.contains("games          3, black "), "{text}");
    let guess = games(&desk, "f5", &[])["moves"][0]["guess"].clone();
    assert!(guess.is_number(), "{guess}");
    // A move's value is that of who makes it, as everywhere.
    let moves = desk.json(&["show", "f5"])["moves"].clone();
    let played = &games(&desk, "f5", &[])["moves"][0];
    let same = moves.as_array().unwrap().iter().find(|known| known["move"] == played["move"]);
    assert_eq!(same.unwrap()["values"]["guess"], guess, "{moves}");
    // Games of another book.
    desk.ok(&[
        "grow",
        "--positions",
        "5",
        "--level",
        "1",
        "--threads",
        "1",
        "-q",
        "--book",
        "b.db",
    ]);
    let other = ["--book", "b.db", "--games-from", "book.db"];
    assert_eq!(desk.json(&[&["show", "f5"][..], &other].concat())["games"]["games"], 3);
    assert_eq!(desk.json(&["show", "f5", "--book", "b.db"])["games"], Value::Null);
}

#[test]
fn games_lead_growth_and_lines() {
    let desk = desk();
    desk.ok(&[
        "grow",
        "--policy",
        "popular",
        "--least-games",
        "2",
        "--level",
        "1",
        "--positions",
        "3",
        "-q",
    ]);
    // What two games share: the start, f5, f5d6 and so on.
    desk.ok(&["show", "f5d6"]);
    let lines = desk.ok(&["lines", "--by", "games", "--least-games", "2"]);
    assert!(lines.contains("100 %") && lines.contains("f5d6c3d3c4"), "{lines}");
    let none = Desk::grown("3").refused(&["grow", "--policy", "popular"]);
    assert!(none.contains("rosebill games import"), "{none}");
}

/// A name stands for another one where games are counted and found; doubles that it shows are joined, and taken
/// apart again.
#[test]
fn names_stand_for_others_and_doubles_are_joined() {
    let desk = Desk::new();
    let whole = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";
    let table = format!(
        "source,date,black,white,moves\na,2011,LeeAnn,Bob Ray,{whole}\nb,2011,Lee Ann,Bob Ray,{whole}\n"
    );
    fs::write(desk.path("two.csv"), table).unwrap();
    desk.ok(&["games", "import", "two.csv"]);
    let suggested = desk.json(&["games", "alias", "--suggest"]);
    assert_eq!((&suggested["alias"], &suggested["name"]), (&"LeeAnn".into(), &"Lee Ann".into()));
    desk.ok(&["games", "alias", "LeeAnn", "Lee Ann"]);
    assert_eq!(desk.json(&["games", "player", "leeann"])["games"], 2);
    assert_eq!(desk.ok(&["games", "list", "--black", "lee ann", "--json"]).lines().count(), 2);
    let before = desk.ok(&["games", "export", "-", "--format", "json"]);
    let doubles = desk.run(&["games", "verify"]);
    assert_eq!(doubles.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&doubles.stdout).contains("games 0 and 1 are the same game"));
    desk.ok(&["games", "join", "0", "1"]);
    assert_eq!(desk.ok(&["games", "list", "--json"]).lines().count(), 1);
    desk.ok(&["games", "split", "0"]);
    assert_eq!(desk.ok(&["games", "export", "-", "--format", "json"]), before);
    desk.ok(&["games", "alias", "--export", "names.txt"]);
    assert_eq!(fs::read_to_string(desk.path("names.txt")).unwrap(), "LeeAnn\tLee Ann\n");
    desk.ok(&["games", "alias", "--remove", "LeeAnn"]);
    desk.ok(&["games", "verify"]);
}

/// Engines play one line again and again, of which a source may have a copy that is cut short.
#[test]
fn a_copy_that_is_made_whole_hides_no_game_of_its_line() {
    let desk = Desk::new();
    let whole = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";
    let names = ["Uno", "Dos", "Tres", "Cuatro", "Cinco", "Seis"];
    let others: String =
        names.iter().map(|name| format!("2011-05-02,{name},White {name},{whole}\n")).collect();
    let cut = format!("2011-05-01,Ann Lee,Bob Ray,{}\n", &whole[..90]);
    let head = "date,black,white,moves\n";
    fs::write(desk.path("one.csv"), format!("{head}{cut}{others}")).unwrap();
    let more = format!("2011-05-03,New,Newer,{whole}\n2011-05-01,Ann Lee,Bob Ray,{whole}\n");
    fs::write(desk.path("two.csv"), format!("{head}{more}{others}")).unwrap();
    desk.ok(&["games", "import", "one.csv"]);
    let text = desk.ok(&["games", "import", "two.csv", "--json"]);
    let report: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&report["games"], &report["new"]), (&8.into(), &1.into()), "{report}");
    // What came behind a join stays when it is taken back.
    desk.ok(&["games", "join", "1", "2"]);
    fs::write(desk.path("three.csv"), format!("{head}2011-05-02,Uno,White Uno,{whole}\n")).unwrap();
    desk.ok(&["games", "import", "three.csv"]);
    desk.ok(&["games", "split", "1"]);
    assert!(desk.ok(&["games", "sources"]).contains("three.csv"));
}
