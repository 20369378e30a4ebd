//! A damaged book as a user meets it: no command writes into it, and what is left can be saved.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::Source;
use rosebill::store::Book;

use crate::desk::{Desk, is_one_line, stderr};

const PAGE: usize = 4096;

/// Overwrites some pages of a book.
fn zero(desk: &Desk, pages: impl IntoIterator<Item = usize>) {
    let path = desk.path("book.db");
    let mut bytes = fs::read(&path).unwrap();
    for page in pages {
        bytes[(page - 1) * PAGE..page * PAGE].fill(0);
    }
    fs::write(path, bytes).unwrap();
}

fn positions(desk: &Desk, book: &str) -> u64 {
    desk.json(&["info", "--by-discs", "--book", book])["positions"].as_u64().unwrap()
}

#[test]
fn no_command_writes_into_a_damaged_book() {
    let desk = Desk::grown("1500");
    desk.ok(&["export", "all.jsonl", "-q"]);
    desk.ok(&["snapshot", "all.snapshot", "-q"]);
    fs::copy(desk.path("book.db"), desk.path("other.db")).unwrap();
    desk.ok(&["prune", "--max-discs", "60", "-q"]);
    let sound = fs::read(desk.path("book.db")).unwrap();
    let pages = sound.len() / PAGE;
    assert!(pages > 15, "{pages}");
    // Two that lead to no others.
    let is_leaf = |page: &usize| sound[(page - 1) * PAGE] == 10;
    zero(&desk, (pages / 2..=pages).filter(is_leaf).take(2));
    let before = fs::read(desk.path("book.db")).unwrap();
    let writers: [&[&str]; 8] = [
        &["grow", "--positions", "100", "--level", "1"],
        &["import", "all.jsonl"],
        &["import", "other.db"],
        &["verify", "--recompute"],
        &["verify", "--recompute", "--links"],
        &["prune", "--max-discs", "9"],
        &["undo"],
        &["snapshot", "restore", "all.snapshot"],
    ];
    for writer in writers {
        let text = desk.refused(writer);
        assert!(is_one_line(&text), "{text}");
        assert!(text.contains("is damaged") && text.contains("--salvage NEWFILE"), "{text}");
        assert!(fs::read(desk.path("book.db")).unwrap() == before, "{writer:?} wrote");
    }
    let said = desk.ok(&["verify", "--salvage", "saved.db"]);
    assert!(said.contains("positions saved") && said.contains(" 2 of "), "{said}");
    assert!(desk.ok(&["verify", "--book", "saved.db"]).contains(" 0 violations"));
    desk.ok(&["grow", "--book", "saved.db", "--positions", "5", "--level", "1", "-q"]);
}

/// Changes a book behind our back.
fn change(desk: &Desk, sql: &str) {
    let connection = rusqlite::Connection::open(desk.path("book.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Whatever the counts of positions say, no command asks for memory by them or loses positions.
#[test]
fn wrong_counts_are_damage() {
    let commands: [&[&str]; 5] = [
        &["snapshot", "all.snapshot"],
        &["verify", "--recompute", "--threads", "2"],
        &["prune", "--max-discs", "9"],
        &["import", "other.db"],
        &["import", "book.db", "--book", "other.db"],
    ];
    let desk = Desk::grown("300");
    fs::copy(desk.path("book.db"), desk.path("whole.db")).unwrap();
    fs::copy(desk.path("book.db"), desk.path("other.db")).unwrap();
    for count in ["positions = -5", "positions = 1 << 40", "positions = 0", "discs = 63"] {
        fs::copy(desk.path("whole.db"), desk.path("book.db")).unwrap();
        change(&desk, &format!("UPDATE layer SET {count} WHERE discs = 7"));
        for command in commands {
            let text = desk.refused(command);
            assert!(is_one_line(&text), "{count} {command:?} {text}");
            assert!(text.contains("book.db is damaged") && text.contains("discs"), "{text}");
        }
        let verified = desk.run(&["verify"]);
        assert_ne!(verified.status.code(), Some(0), "{count}");
        assert!(!desk.path("all.snapshot").exists() && desk.saved().is_empty());
    }
    assert_eq!(positions(&desk, "other.db"), 300);
}

/// A snapshot of such a book could not be read, so that there would be no way back.
#[test]
fn a_count_that_is_wrong_by_one_makes_no_snapshot() {
    let desk = Desk::grown("300");
    change(&desk, "UPDATE layer SET positions = positions + 1 WHERE discs = 9");
    for command in [&["snapshot", "all.snapshot"][..], &["prune", "--max-discs", "9"]] {
        let text = desk.refused(command);
        assert!(is_one_line(&text) && text.contains("positions of 9 discs are found"), "{text}");
    }
    assert!(!desk.path("all.snapshot").exists());
}

#[test]
fn a_damaged_book_is_not_merged() {
    let desk = Desk::grown("300");
    fs::write(desk.path("games.txt"), "f5d6c3d3c4\nf5d6c3\n").unwrap();
    desk.ok(&["games", "import", "games.txt"]);
    fs::copy(desk.path("book.db"), desk.path("whole.db")).unwrap();
    desk.ok(&["new", "--book", "other.db"]);
    let harm = [
        ("UPDATE node SET mover = mover << 1 WHERE discs = 7", "the column opponent"),
        ("UPDATE node SET mover = mover | 1 WHERE discs = 4", "other discs"),
        (
            "UPDATE node SET mover = opponent, opponent = mover WHERE discs = 4",
            "canonical orientation",
        ),
        ("UPDATE node SET rest = rest | (7 << 44) WHERE discs = 9", "source is missing"),
        ("UPDATE game SET moves = x'0000' WHERE id = 0", "game 0: "),
        ("UPDATE game SET moves = zeroblob(5000000) WHERE id = 0", "5000000 moves"),
        ("UPDATE game SET black_discs = 40 WHERE id = 1", "game 1: the result"),
        ("UPDATE game SET fingerprint = 5 WHERE id = 1", "game 1: the fingerprint"),
        ("UPDATE game SET start = 'here' WHERE id = 1", "character 1 of the board"),
    ];
    for (sql, found) in harm {
        fs::copy(desk.path("whole.db"), desk.path("book.db")).unwrap();
        change(&desk, sql);
        let text = desk.refused(&["import", "book.db", "--book", "other.db"]);
        assert!(is_one_line(&text), "{sql}: {text}");
        assert!(
            text.contains("nothing was imported from book.db") && text.contains(found),
            "{sql}: {text}"
        );
        assert_eq!(positions(&desk, "other.db"), 0, "{sql}");
        let games = desk.run(&["games", "list", "--book", "other.db"]);
        assert_eq!(games.status.code(), Some(1), "{sql}");
    }
    desk.ok(&["import", "whole.db", "--book", "other.db"]);
    assert_eq!(positions(&desk, "other.db"), 300);
}

/// Moves that no game has are told, not replayed.
#[test]
fn a_game_of_a_million_moves_is_damage() {
    let desk = Desk::new();
    fs::write(desk.path("games.txt"), "f5d6c3d3c4\n").unwrap();
    desk.ok(&["games", "import", "games.txt"]);
    change(&desk, "UPDATE game SET moves = zeroblob(1000000)");
    for command in [&["games", "show", "0"][..], &["analyze", "--game", "0", "--level", "1"]] {
        let text = desk.refused(command);
        assert!(is_one_line(&text) && text.contains("a game of 1000000 moves"), "{text}");
    }
    assert!(desk.run(&["verify"]).status.code() == Some(1));
}

/// Damage that comes while the book grows ends growth as soon as it is met.
#[test]
fn damage_that_is_met_ends_growth() {
    let desk = Desk::new();
    // So large that growth goes on to pages that it did not see before.
    let mut book = Book::create(desk.path("book.db")).unwrap();
    for engine in ["a", "b", "c"] {
        book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
    }
    grow_scratch(60_000, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
    book.checkpoint().unwrap();
    drop(book);
    let before = positions(&desk, "book.db");
    let mut growth = desk
        .command()
        .args(["grow", "--level", "1", "--threads", "1", "--time", "60s", "-q"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while positions(&desk, "book.db") == before {
        assert!(growth.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(20));
    }
    // The tree and all that it leads to, in the file and in the log; as a failing disk does.
    for name in ["book.db", "book.db-wal"] {
        let length = fs::metadata(desk.path(name)).unwrap().len() as usize;
        let mut file = fs::File::options().write(true).open(desk.path(name)).unwrap();
        file.write_all(&vec![0; length]).unwrap();
    }
    let output = growth.wait_with_output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(is_one_line(text.trim_end()) && text.contains("is damaged"), "{text}");
    assert!(output.stdout.is_empty());
}

#[test]
fn salvage_says_what_is_lost_and_leaves_no_empty_book() {
    let desk = Desk::grown("1500");
    let whole = fs::read(desk.path("book.db")).unwrap();
    for percent in [10, 50, 90] {
        fs::write(desk.path("book.db"), &whole[..whole.len() * percent / 100]).unwrap();
        desk.refused(&["verify"]);
        let _ = fs::remove_file(desk.path("saved.db"));
        let report = desk.json(&["verify", "--salvage", "saved.db"]);
        let number = |name: &str| report[name].as_u64().unwrap();
        assert_eq!(positions(&desk, "saved.db"), number("positions"));
        assert_eq!(number("pages"), (whole.len() / PAGE) as u64, "{report}");
        assert!(number("lost_pages") * 100 >= number("pages") * (100 - percent as u64), "{report}");
        if let Some(lost) = report["lost_positions"].as_u64() {
            assert_eq!(lost + number("positions"), 1500, "{report}");
        }
        assert!(desk.ok(&["verify", "--book", "saved.db"]).contains(" 0 violations"));
    }
    fs::write(desk.path("book.db"), &whole[..PAGE]).unwrap();
    fs::remove_file(desk.path("saved.db")).unwrap();
    let text = desk.refused(&["verify", "--salvage", "saved.db"]);
    assert!(is_one_line(&text) && text.contains("no position can be saved"), "{text}");
    assert!(!desk.path("saved.db").exists());
    // A name that is taken stays as it is.
    fs::write(desk.path("saved.db"), "mine").unwrap();
    desk.refused(&["verify", "--salvage", "saved.db"]);
    assert_eq!(fs::read(desk.path("saved.db")).unwrap(), b"mine");
}

/// Facts as the table of the book holds them: enough for several pages.
fn take_facts(desk: &Desk, count: usize) {
    let json = desk.ok(&["export", "-", "--format", "json"]);
    let nodes = json.lines().skip(1).take(count).map(|line| {
        let node: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{},-62,62\n", node["board"].as_str().unwrap())
    });
    let table: String = nodes.collect();
    fs::write(desk.path("facts.csv"), format!("board,lower,upper\n{table}")).unwrap();
    desk.ok(&["import", "facts.csv", "-q"]);
}

#[test]
fn salvage_says_what_facts_are_lost() {
    let desk = Desk::grown("400");
    let saved = |told: Option<u64>, text: &str| -> u64 {
        let _ = fs::remove_file(desk.path("saved.db"));
        let said = desk.ok(&["verify", "--salvage", "saved.db"]);
        assert!(said.contains(text), "{said}");
        fs::remove_file(desk.path("saved.db")).unwrap();
        let report = desk.json(&["verify", "--salvage", "saved.db"]);
        assert_eq!(report["lost_facts"].as_u64(), told, "{report}");
        let facts = report["facts"].as_u64().unwrap();
        assert_eq!(desk.json(&["info", "--book", "saved.db"])["facts"].as_u64(), Some(facts));
        facts
    };
    saved(Some(0), "positions saved, 0 lost");
    take_facts(&desk, 300);
    assert_eq!(saved(Some(0), "300 facts saved, 0 lost\n"), 300);
    let whole = fs::read(desk.path("book.db")).unwrap();
    let path = desk.path("book.db");
    let of_three = "(mover, opponent) IN (SELECT mover, opponent FROM fact LIMIT 3)";
    change(&desk, &format!("UPDATE fact SET lower = 99 WHERE {of_three}"));
    assert_eq!(saved(Some(3), "297 facts saved, 3 lost\n"), 297);
    // A page of facts, and the list of the tables: nobody counts what stood there.
    fs::write(&path, &whole).unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'fact'";
    let connection = rusqlite::Connection::open(&path).unwrap();
    let root: u32 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    drop(connection);
    let last = &whole[(root as usize - 1) * PAGE..][8..12];
    let last = u32::from_be_bytes(last.try_into().unwrap()) as usize;
    let unknown = "facts saved, how many are lost is not known\n";
    zero(&desk, [last]);
    assert!((1..300).contains(&saved(None, unknown)));
    fs::write(&path, &whole).unwrap();
    zero(&desk, [1]);
    assert_eq!(saved(None, unknown), 300);
}

/// Killed at any moment, salvage and `new` leave nothing under the name that was asked for, or all.
#[cfg(unix)]
#[test]
fn a_new_book_appears_when_it_is_complete() {
    let desk = Desk::grown("1500");
    fs::copy(desk.path("book.db"), desk.path("small.db")).unwrap();
    zero(&desk, [12]);
    let started = Instant::now();
    desk.ok(&["verify", "--salvage", "whole.db"]);
    let takes = started.elapsed();
    let complete = positions(&desk, "whole.db");
    let makers: [(&[&str], u64); 2] =
        [(&["verify", "--salvage", "new.db"], complete), (&["new", "--book", "new.db"], 0)];
    let (mut killed, mut whole) = (0, 0);
    for round in 0..24 {
        let (arguments, expected) = makers[round % 2];
        let mut maker = desk
            .command()
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(takes * round as u32 / 20);
        killed += u32::from(maker.try_wait().unwrap().is_none());
        maker.kill().unwrap();
        maker.wait().unwrap();
        if desk.path("new.db").exists() {
            whole += 1;
            assert_eq!(positions(&desk, "new.db"), expected, "{arguments:?}");
            assert!(desk.ok(&["verify", "--book", "new.db"]).contains(" 0 violations"));
        }
        for ending in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(desk.path(&format!("new.db{ending}")));
        }
    }
    assert!(killed > 0 && whole > 0, "{killed} killed, {whole} whole");
}

/// What a killed process had committed stands in the log beside the file, and is saved with it.
#[cfg(unix)]
#[test]
fn what_a_killed_writer_committed_is_saved() {
    let desk = Desk::grown("300");
    let mut growth = desk
        .command()
        .args(["grow", "--level", "1", "--threads", "1", "--time", "60s", "-q"])
        .spawn()
        .unwrap();
    while positions(&desk, "book.db") == 300 {
        sleep(Duration::from_millis(20));
    }
    growth.kill().unwrap();
    growth.wait().unwrap();
    fs::create_dir(desk.path("copy")).unwrap();
    for ending in ["", "-wal"] {
        let name = format!("book.db{ending}");
        fs::copy(desk.path(&name), desk.path("copy").join(&name)).unwrap();
    }
    let report = desk.json(&["verify", "--salvage", "saved.db", "--book", "copy/book.db"]);
    let committed = positions(&desk, "book.db");
    assert!(committed > 300);
    assert_eq!(report["positions"], committed, "{report}");
    assert_eq!(report["lost_positions"], 0, "{report}");
    assert!(desk.ok(&["verify", "--book", "saved.db"]).contains(" 0 violations"));
}

#[test]
fn a_name_that_is_lost_is_told_as_damage() {
    let desk = Desk::new();
    fs::write(desk.path("one.txt"), "Ann 40-24 Bob: f5d6c3d3c4\nEve 40-24 Kim: f5d6c3\n").unwrap();
    desk.ok(&["games", "import", "one.txt"]);
    change(&desk, "DELETE FROM player WHERE id = 1");
    fs::write(desk.path("two.txt"), "Lee 40-24 Ray: f5d6\n").unwrap();
    let text = desk.refused(&["games", "import", "two.txt"]);
    assert!(is_one_line(&text) && text.contains("3 names are there"), "{text}");
}

/// A row of the log for undo takes more than half of a small book.
#[test]
fn all_of_a_sound_book_can_be_read() {
    let desk = Desk::new();
    let grow =
        ["grow", "--policy", "best", "--level", "1", "--threads", "1", "--positions", "4000"];
    desk.ok(&[&grow[..], &["-q"]].concat());
    let report = desk.json(&["verify", "--salvage", "saved.db"]);
    assert_eq!(
        (&report["positions"], &report["lost_pages"]),
        (&4000.into(), &0.into()),
        "{report}"
    );
}
