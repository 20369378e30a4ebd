//! The server follows its book, and ends soon.

use std::time::Duration;

use crate::desk::Desk;
use crate::site::{Site, until};

fn number(generation: &str) -> u64 {
    generation.rsplit('-').next().unwrap().parse().unwrap()
}

#[test]
fn an_answer_is_sent_again_only_when_the_book_has_changed() {
    let site = Site::new();
    let path = "/api/position?line=f5d6";
    let first = site.get(path);
    let tag = first.header("etag").to_owned();
    let again = |path: &str| site.ask("GET", path, &[("if-none-match", &tag)], b"");
    assert_eq!((again(path).status, again(path).body.len()), (304, 0));
    assert_eq!(again(path).header("etag"), tag);
    let any = |path: &str| site.ask("GET", path, &[("if-none-match", "*")], b"").status;
    assert_eq!((any(path), any("/api/games/999999")), (304, 404), "what is not there nobody has");
    assert_eq!(again("/api/position?line=f5d6c3").status, 200, "another question");
    site.desk.ok(&["grow", "--positions", "5", "--level", "2", "--threads", "1", "-q"]);
    let changed = again(path);
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), tag);
    let generation = |json: serde_json::Value| json["generation"].as_str().unwrap().to_owned();
    assert!(number(&generation(changed.json())) > number(&generation(first.json())));
    assert_eq!(site.json("/api/stats")["positions"], 85);
}

#[test]
fn listeners_hear_of_growth_of_another_process_and_games_are_there_at_once() {
    let site = Site::new();
    let mut events = site.events("/api/events");
    let (name, first) = events.next().unwrap();
    assert_eq!(name, "generation");
    assert_eq!(first, site.json("/api/stats")["generation"].as_str().unwrap());
    site.desk.ok(&["grow", "--positions", "5", "--level", "2", "--threads", "1", "-q"]);
    let (name, next) = events.next().unwrap();
    assert_eq!(name, "generation");
    assert!(number(&next) > number(&first), "{first} {next}");
    assert_eq!(site.json("/api/position")["games"]["games"], 3);
    std::fs::write(site.desk.path("more.txt"), "f5d6c4d3c3\n").unwrap();
    site.desk.ok(&["games", "import", "more.txt"]);
    assert_eq!(site.json("/api/position")["games"]["games"], 4);
    assert_eq!(site.json("/api/games")["of"], 4);
}

#[test]
fn without_a_book_the_starter_is_shown_until_there_is_one() {
    let site = Site::at(Desk::without_a_book(), &[]);
    let stats = site.json("/api/stats");
    assert_eq!(stats["is_starter"], true);
    assert!(stats["positions"].as_u64() > Some(1000));
    let position = site.json("/api/position");
    assert!(position["in_book"] == true && position.get("games").is_none());
    assert!(!site.desk.path("data").exists(), "no book is made");
    site.desk.ok(&["grow", "--positions", "4", "--level", "2", "--threads", "1", "-q"]);
    let stats = site.json("/api/stats");
    assert_eq!((&stats["is_starter"], &stats["positions"]), (&false.into(), &4.into()));
}

#[test]
fn another_book_in_its_place_is_served() {
    let site = Site::new();
    assert_eq!(site.json("/api/stats")["positions"], 80);
    let other = site.desk.path("other.db");
    let path = other.to_str().unwrap();
    site.desk.ok(&[
        "grow",
        "--book",
        path,
        "--positions",
        "7",
        "--level",
        "2",
        "--threads",
        "1",
        "-q",
    ]);
    std::fs::rename(&other, site.desk.path("book.db")).unwrap();
    assert_eq!(site.json("/api/stats")["positions"], 7);
    // What is no book does not take its place.
    std::fs::write(&other, "no book at all").unwrap();
    std::fs::rename(&other, site.desk.path("book.db")).unwrap();
    assert_eq!(site.json("/api/stats")["positions"], 7);
    assert_eq!(site.json("/api/position?line=f5")["in_book"], true);
}

/// By `cp`: the number of the file stays, and SQLite tells nobody.
#[test]
fn a_book_that_is_copied_over_the_one_that_is_served_is_served() {
    let site = Site::new();
    let desk = &site.desk;
    let (book, backup) = (desk.path("book.db"), desk.path("backup.db"));
    std::fs::copy(&book, &backup).unwrap();
    let grow = ["grow", "--level", "2", "--threads", "1", "-q", "--positions"];
    desk.ok(&[&grow[..], &["30", "--book", "other.db"]].concat());
    desk.ok(&[&grow[..], &["200"]].concat());
    let is_served = |positions: u64| {
        until("the book", || site.get("/api/stats").json()["positions"] == positions);
        assert_eq!(desk.json(&["info", "--by-discs"])["positions"], positions);
        assert!(desk.ok(&["verify"]).contains(" 0 violations"));
    };
    is_served(280);
    for by_command_first in [false, true] {
        for (file, positions) in [(&backup, 80), (&desk.path("other.db"), 30)] {
            std::fs::copy(file, &book).unwrap();
            if by_command_first {
                assert_eq!(desk.json(&["info", "--by-discs"])["positions"], positions);
            }
            is_served(positions);
        }
    }
    // What is grown there is seen.
    desk.ok(&[&grow[..], &["10"]].concat());
    is_served(40);
}

/// With the log of a growth that was killed.
#[test]
fn a_log_that_is_left_is_written_back_or_set_aside_beside_the_server() {
    let site = Site::new();
    let desk = &site.desk;
    let (book, backup) = (desk.path("book.db"), desk.path("backup.db"));
    std::fs::copy(&book, &backup).unwrap();
    let log = || desk.path("book.db-wal").metadata().map_or(0, |log| log.len());
    let crash = || {
        let positions = || site.json("/api/stats")["positions"].as_u64().unwrap();
        let before = positions();
        let growth = ["grow", "--level", "1", "--threads", "1", "--time", "60s", "-q"];
        let mut growth = desk.command().args(growth).spawn().unwrap();
        until("growth", || positions() > before);
        growth.kill().unwrap();
        growth.wait().unwrap();
        assert!(log() > 0);
        positions()
    };
    let seen = crash();
    until("the log in the file", || site.get("/api/stats").status == 200 && log() == 0);
    assert_eq!(site.json("/api/stats")["positions"], seen);
    crash();
    std::fs::copy(&backup, &book).unwrap();
    until("the backup", || site.get("/api/stats").json()["positions"] == 80);
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 80);
    let names = desk.folder.path().read_dir().unwrap();
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.starts_with("book.db-wal.")).count(), 1);
}

#[test]
fn nothing_is_written() {
    let site = Site::new();
    let before = std::fs::read(site.desk.path("book.db")).unwrap();
    for path in ["/api/position", "/api/novelties", "/api/lines", "/api/stats", "/api/players"] {
        site.json(path);
    }
    site.lines("POST", "/api/analyze?level=2", b"f5d6c3d3").for_each(drop);
    assert_eq!(std::fs::read(site.desk.path("book.db")).unwrap(), before);
    // Somebody else may write meanwhile.
    site.desk.ok(&["grow", "--positions", "1", "--level", "2", "--threads", "1", "-q"]);
}

#[test]
fn it_ends_within_a_second_with_its_streams_closed() {
    // A busy machine takes its time, but not every time.
    until("an end within a second", || {
        let mut site = Site::new();
        let mut events = site.events("/api/events");
        assert!(events.next().is_some());
        let mut search = site.events("/api/search?level=24");
        assert!(search.next().is_some());
        let (taken, code) = site.terminate();
        assert_eq!(code, Some(130));
        assert!(events.next().is_none(), "the stream has ended");
        let mut left = search.map(|(name, _)| name).filter(|name| name == "done");
        let _ = left.next();
        until("the port", || std::net::TcpStream::connect(&site.address).is_err());
        taken < Duration::from_secs(1)
    });
}
