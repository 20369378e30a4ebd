//! Rows that no book of ours writes, and names that mean something else to others: told, never believed, and
//! nothing runs for ever.

use std::fs;

use crate::desk::{Desk, is_one_line, stderr};

/// Changes a book behind our back.
fn change(desk: &Desk, book: &str, sql: &str) {
    let connection = rusqlite::Connection::open(desk.path(book)).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Gives the rests of a layer a score of 70 discs, which is proven: no game ends so.
const IMPOSSIBLE: &str = "UPDATE node SET rest = (rest & ~(131071 << 18)) | (1 << 18) | ((7000 + 8192) << 21) \
                          WHERE discs = 6 AND rest & 127 < 64";

#[test]
fn a_score_that_no_game_has_comes_into_no_book() {
    let desk = Desk::grown("30");
    fs::copy(desk.path("book.db"), desk.path("other.db")).unwrap();
    change(&desk, "other.db", IMPOSSIBLE);
    let before = desk.ok(&["export", "-", "--format", "json"]);
    let told = desk.refused(&["import", "other.db"]);
    assert!(is_one_line(&told) && told.contains("other.db is damaged"), "{told}");
    assert_eq!(desk.ok(&["export", "-", "--format", "json"]), before);
    desk.ok(&["verify"]);
    // What a book was before comes back even where what it is cannot be saved.
    desk.ok(&["export", "all.dat", "-q"]);
    desk.ok(&["prune", "--max-discs", "6", "-q"]);
    change(&desk, "book.db", IMPOSSIBLE);
    desk.ok(&["undo", "-q"]);
    assert_eq!(desk.ok(&["export", "-", "--format", "json"]), before);
}

#[test]
fn bounds_and_values_the_wrong_way_round_are_told() {
    let desk = Desk::grown("30");
    change(&desk, "book.db", "UPDATE node SET bounds = 128 * 129 WHERE discs = 5");
    let verified = desk.run(&["verify"]);
    let said = String::from_utf8_lossy(&verified.stdout).into_owned() + &stderr(&verified);
    assert_eq!(verified.status.code(), Some(1), "{said}");
    assert!(said.contains("B5") && !said.contains("panicked"), "{said}");
    desk.ok(&["verify", "--recompute", "-q"]);
    desk.ok(&["verify"]);
    change(&desk, "book.db", "UPDATE node SET draw_seeking = -5000, win_seeking = 5000");
    let shown = desk.run(&["show", "--contempt", "0"]);
    assert!(shown.status.success() && !stderr(&shown).contains("panicked"), "{shown:?}");
}

#[test]
fn a_search_deeper_than_a_board_is_told() {
    let desk = Desk::grown("30");
    change(&desk, "book.db", "UPDATE node SET rest = rest | (63 << 12) WHERE discs = 6");
    let verified = desk.run(&["verify"]);
    let told = String::from_utf8(verified.stdout).unwrap();
    assert_eq!(verified.status.code(), Some(1), "{told}");
    assert!(told.contains("B6: no search is 63 plies deep"), "{told}");
    let saved = desk.run(&["verify", "--salvage", "saved.db"]);
    assert_ne!(saved.status.code(), Some(2), "{saved:?}");
    desk.ok(&["verify", "--book", "saved.db"]);
}

/// A link that is lost is found again when growth comes to it, which ends as it was asked to.
#[test]
fn growth_heals_links_that_are_lost() {
    let desk = Desk::grown("30");
    change(&desk, "book.db", "UPDATE node SET links = 0 WHERE discs = 5");
    let grow = ["grow", "--positions", "8", "--searches", "5000", "--level", "1", "--threads", "1"];
    let grown = desk.json(&[&grow[..], &["-q"]].concat());
    assert_eq!(grown["new_positions"], 8, "{grown}");
}

#[test]
fn a_header_that_promises_millions_of_pages_is_saved_as_fast() {
    let desk = Desk::grown("30");
    let path = desk.path("book.db");
    let mut bytes = fs::read(&path).unwrap();
    bytes[28..32].copy_from_slice(&[0xff; 4]);
    fs::write(&path, bytes).unwrap();
    let saved = desk.run(&["verify", "--salvage", "saved.db"]);
    assert_ne!(saved.status.code(), Some(2), "{saved:?}");
    assert_eq!(desk.json(&["info", "--by-discs", "--book", "saved.db"])["positions"], 30);
}

/// To SQLite a name that begins so is an address.
#[test]
fn a_name_is_a_name() {
    let desk = Desk::grown("30");
    desk.ok(&["export", "all.dat", "-q"]);
    let before = fs::read(desk.path("book.db")).unwrap();
    for name in ["file:book.db", "file:x.db?mode=memory", ":memory:"] {
        desk.ok(&["import", "all.dat", "--book", name]);
        assert!(desk.path(name).exists(), "{name}");
        assert_eq!(desk.json(&["info", "--by-discs", "--book", name])["positions"], 30, "{name}");
    }
    assert_eq!(fs::read(desk.path("book.db")).unwrap(), before);
}

#[test]
fn what_belongs_to_a_book_is_no_target() {
    let desk = Desk::grown("30");
    for name in ["book.db-wal", "book.db-shm", "book.db.lock", "book.db.undo"] {
        let was = fs::read(desk.path(name)).ok();
        for words in [&["export", name, "--format", "edax"][..], &["snapshot", name]] {
            let told = desk.refused(words);
            assert!(is_one_line(&told) && told.contains("belongs to the book"), "{told}");
            assert_eq!(fs::read(desk.path(name)).ok(), was, "{words:?}");
        }
    }
    // Nor is it a file of games.
    fs::write(desk.path("one.txt"), "f5d6c3\n").unwrap();
    fs::write(desk.path("book.db.undo"), "f5d6\n").unwrap();
    let told = desk.ok(&["games", "import", ".", "--book", "games.db"]);
    assert!(told.contains("1 game, 1 new"), "{told}");
}

#[test]
fn games_that_are_cut_off_are_told() {
    let desk = Desk::new();
    for (text, games) in [
        ("[{\"moves\":\"f5d6\"},\n{\"moves\":\"f5f6\"},\n", 2),
        ("{\"games\":[{\"moves\":\"f5d6\"},", 1),
        ("{\"games\":[{\"moves\":\"f5d6\"}]", 1),
        ("[", 0),
    ] {
        fs::write(desk.path("cut.json"), text).unwrap();
        let run = desk.run(&["games", "import", "--strict", "cut.json"]);
        let told = stderr(&run);
        assert!(matches!(run.status.code(), Some(1 | 2)) && told.contains("cut.json"), "{run:?}");
        if games > 0 {
            assert!(told.contains("ends"), "{told}");
        }
    }
    let whole = "[{\"moves\":\"f5d6\"},\n{\"moves\":\"f5f6\"}]\n";
    fs::write(desk.path("whole.json"), whole).unwrap();
    assert!(desk.ok(&["games", "import", "--strict", "whole.json"]).contains("2 games, 2 new"));
}

/// What was only estimated is not proven by an end of the game that is better, nor by what was proven of other
/// moves when a link leads nowhere. (After c3 the game is over at -24; b2 is worth -22.)
#[test]
fn an_import_proves_no_more_than_its_file() {
    let head = "{\"format\":\"rosebill-book\",\"version\":1,\"positions\":1,\"sources\":[{\"id\":0,\
                \"engine\":\"other\",\"evaluator\":\"x\",\"level\":\"2\",\"format\":\"\",\"file\":\"\",\
                \"day\":\"2026-11-26\",\"checksum\":\"\"}]}\n";
    let board = "XOXOXOOOO-OXXXXXOO-OOOOXOOOXOOOOOOOOXOOOOOOOOXOOOOOOOOXOOOOOOOOX";
    let node = |values: &str, links: &str, rest: &str| {
        format!(
            "{{\"board\":\"{board}\",\"discs\":62,\"values\":{values},\"links\":[{links}],\
             \"rest\":{rest},\"depth\":1,\"selectivity\":73,\"source\":0}}\n"
        )
    };
    let estimate =
        "{\"guess\":-26,\"draw_seeking\":-26,\"win_seeking\":-26,\"lower\":-64,\"upper\":64}";
    let exact =
        "{\"guess\":-22,\"draw_seeking\":-122,\"win_seeking\":-122,\"lower\":-22,\"upper\":-22}";
    for (name, line) in [
        ("end.jsonl", node(estimate, "", "{\"move\":\"b2\",\"score\":-26,\"proof\":\"none\"}")),
        (
            "link.jsonl",
            node(exact, "\"b2\"", "{\"move\":\"c3\",\"score\":-24,\"proof\":\"exact\"}"),
        ),
    ] {
        let desk = Desk::new();
        fs::write(desk.path(name), format!("{head}{line}")).unwrap();
        desk.ok(&["import", name, "-q"]);
        let shown = desk.json(&["show", &format!("{board}X")]);
        let values = &shown["values"];
        assert_eq!(values["guess"], -24.0, "{name}: {shown}");
        assert!(values["upper"].as_i64().unwrap() >= -22, "{name}: {shown}");
        desk.ok(&["verify"]);
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_told() {
    let desk = Desk::grown("3");
    desk.ok(&["export", "all.dat", "-q"]);
    std::os::unix::fs::symlink("nowhere/none.db", desk.path("link.db")).unwrap();
    let told = desk.refused(&["import", "all.dat", "--book", "link.db"]);
    assert!(is_one_line(&told) && told.contains("nothing is where it leads"), "{told}");
}

/// A value that no board has is told, and costs its row alone.
#[test]
fn values_beyond_the_board_are_damage_and_not_the_end_of_all() {
    for guess in [20_000, -32_768, 6_401] {
        let desk = Desk::grown("60");
        let sql = format!("UPDATE node SET guess = {guess} WHERE discs = 6");
        change(&desk, "book.db", &sql);
        let told = desk.refused(&["show", "f5d6"]);
        assert!(is_one_line(&told) && told.contains("column guess"), "{told}");
        let saved = desk.run(&["verify", "--salvage", "saved.db"]);
        assert!(matches!(saved.status.code(), Some(0 | 1)), "{saved:?}");
        let positions =
            desk.json(&["info", "--by-discs", "--book", "saved.db"])["positions"].as_u64().unwrap();
        assert!((1..60).contains(&positions), "{positions}");
        assert!(desk.ok(&["verify", "--book", "saved.db"]).contains(" 0 violations"));
    }
}

/// Games are numbered by what is said of them for filters: where some of that is lost, none takes the place of
/// another.
#[test]
fn no_game_takes_the_place_of_one_that_is_not_counted() {
    let desk = Desk::grown("5");
    fs::write(desk.path("two.txt"), "f5d6c3d3c4\nf5f6e6f4\n").unwrap();
    fs::write(desk.path("one.txt"), "f5f4e3\n").unwrap();
    desk.ok(&["games", "import", "two.txt", "-q"]);
    change(&desk, "book.db", "DELETE FROM game_facts");
    let told = desk.refused(&["games", "import", "one.txt"]);
    assert!(is_one_line(&told) && told.contains("game_facts does not know of it"), "{told}");
    let connection = rusqlite::Connection::open(desk.path("book.db")).unwrap();
    let games: u32 =
        connection.query_row("SELECT count(*) FROM game", [], |row| row.get(0)).unwrap();
    assert_eq!(games, 2);
}
