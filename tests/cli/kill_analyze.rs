//! Killing and interrupting real processes while they analyse a folder of games: what was stored stays,
//! and nothing is searched twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::files::games::Game;
use rosebill::othello::board::Key;
use rosebill::store::{Book, PositionAnalysis, Reader, StoreError};
use tempfile::TempDir;

use crate::desk::{Desk, stderr};
use crate::dice::Dice;
use crate::random_games::{random_game, write_games};

#[test]
fn an_analysis_that_is_killed_loses_nothing_that_was_stored() {
    let told = kill_at_random(4, 60, 4);
    assert!(told >= 2, "{told} were killed");
}

/// The same at length; `ROSEBILL_KILLS` says how many processes (30).
#[test]
#[ignore = "takes minutes: ROSEBILL_KILLS=30 cargo test --test cli -- --ignored many_analyses"]
fn many_analyses_that_are_killed_lose_nothing_that_was_stored() {
    let kills = std::env::var("ROSEBILL_KILLS").map_or(30, |kills| kills.parse().unwrap());
    let told = kill_at_random(6, 200, kills);
    println!("{told} were killed");
}

type Kept = BTreeMap<[u8; 16], PositionAnalysis>;

fn kept(path: &std::path::Path) -> Kept {
    let reader = Reader::open(path).unwrap();
    let mut all = Kept::new();
    reader
        .analyses()
        .for_each(|key: Key, analysis| {
            all.insert(key.to_bytes(), analysis);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    all
}

struct Stage {
    folder: TempDir,
}

impl Stage {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_rosebill"))
            .args(["analyze", "games", "--level", "4", "--exact-from", "12", "--book", "book.db"])
            .env_remove("ROSEBILL_CONFIG")
            .env("XDG_CONFIG_HOME", self.path("settings"))
            .env("SOURCE_DATE_EPOCH", "1763600000")
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn look(&self) -> Kept {
        let path = self.path("book.db");
        let reader = Reader::open(&path).unwrap();
        let report = reader.analyses().verify().unwrap();
        assert!(report.is_sound(), "{:?}", report.first);
        kept(&path)
    }
}

/// How many positions a run says it searched.
fn searched(stderr: &str) -> usize {
    let line = stderr.lines().find(|line| line.contains(" searched")).unwrap();
    line.split(": ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .replace(',', "")
        .parse()
        .unwrap_or(0)
}

/// Kills one run after the other, each where the one before was killed; tells how many were.
fn kill_at_random(files: usize, games: usize, kills: u32) -> u32 {
    let stage = Stage { folder: TempDir::new().unwrap() };
    fs::create_dir(stage.path("games")).unwrap();
    let mut dice = Dice(u64::from(kills));
    for number in 0..files {
        let games: Vec<Game> = (0..games / files).map(|_| random_game(&mut dice)).collect();
        write_games(&stage.path(&format!("games/{number}.jsonl")), &games);
    }
    let fresh = || {
        for ending in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(stage.path(&format!("book.db{ending}")));
        }
        drop(Book::create(stage.path("book.db")).unwrap());
    };
    fresh();
    let started = Instant::now();
    let whole = stage.start().wait_with_output().unwrap();
    assert!(whole.status.success(), "{}", stderr(&whole));
    let takes = started.elapsed();
    let all = stage.look();
    assert_eq!(searched(&stderr(&whole)), all.len());
    let mut killed = 0;
    let mut attempts = 0;
    while killed < kills && attempts < 3 * kills {
        attempts += 1;
        // Several kills of one analysis, then the rest of it.
        fresh();
        let mut before = stage.look();
        for _ in 0..3.min(kills - killed) {
            let patience = takes * dice.below(1000) as u32 / 1500;
            let mut run = stage.start();
            let started = Instant::now();
            let mut seen = before.clone();
            while run.try_wait().unwrap().is_none() && started.elapsed() < patience {
                sleep(Duration::from_millis(20));
                // What somebody saw is committed.
                seen = kept(&stage.path("book.db"));
            }
            let is_killed = run.try_wait().unwrap().is_none();
            run.kill().unwrap();
            run.wait().unwrap();
            killed += u32::from(is_killed);
            let after = stage.look();
            for (key, analysis) in before.iter().chain(&seen) {
                let now = after.get(key).unwrap_or_else(|| panic!("a position is gone"));
                assert!(analysis.moves.iter().all(|found| now.moves.contains(found)));
            }
            before = after;
        }
        let rest = stage.start().wait_with_output().unwrap();
        assert!(rest.status.success(), "{}", stderr(&rest));
        assert_eq!(rest.stdout, whole.stdout, "the games are told as if nothing had happened");
        let after = stage.look();
        assert!(after == all);
        // Only what was not there, or not with all its moves, was searched again.
        let missing =
            all.iter().filter(|(key, analysis)| before.get(*key) != Some(analysis)).count();
        assert_eq!(searched(&stderr(&rest)), missing);
    }
    killed
}

/// Ctrl-C: what was found is stored, the games that are done were told, and it goes on from there.
#[cfg(unix)]
#[test]
fn an_analysis_that_is_interrupted_keeps_what_it_found() {
    let desk = Desk::new();
    desk.ok(&["new"]);
    let mut dice = Dice(3);
    let games: Vec<Game> = (0..400).map(|_| random_game(&mut dice)).collect();
    write_games(&desk.path("games.jsonl"), &games);
    let run = desk
        .command()
        .args(["analyze", "games.jsonl", "--level", "6", "--exact-from", "14", "--pgn", "out.pgn"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while kept(&desk.path("book.db")).len() < 50 {
        assert!(started.elapsed() < Duration::from_secs(120), "nothing is stored");
        sleep(Duration::from_millis(20));
    }
    let process = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("the same command with --force goes on where it was"), "{told}");
    let stored = kept(&desk.path("book.db"));
    assert_eq!(stored.len(), searched(&told));
    // The games that were done are in the PGN.
    let done = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|line| {
            line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && !line.contains("games:")
        })
        .count();
    let pgn = fs::read_to_string(desk.path("out.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), done);
    assert!(desk.ok(&["verify"]).contains(" analyzed moves, 0 violations"));
}
