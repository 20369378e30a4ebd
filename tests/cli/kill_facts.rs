//! Killing real processes while they take facts in: the book then holds all facts of the file or none,
//! and its positions are as they were.

use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::{Bounds, Source};
use rosebill::othello::board::{Position, Side};
use rosebill::store::{Book, Reader, StoreError};
use tempfile::TempDir;

use crate::dice::{Dice, random_position};

#[test]
fn an_import_of_facts_that_is_killed_leaves_all_or_none() {
    let (killed, _) = kill_at_random(8, 3000);
    assert!(killed >= 4, "{killed} were killed in time");
}

/// The same at length; `ROSEBILL_KILLS` says how many processes (60).
#[test]
#[ignore = "takes minutes: ROSEBILL_KILLS=60 cargo test --test cli -- --ignored many_imports_of_facts"]
fn many_imports_of_facts_that_are_killed_leave_all_or_none() {
    let kills = std::env::var("ROSEBILL_KILLS").map_or(60, |kills| kills.parse().unwrap());
    let (killed, whole) = kill_at_random(kills, 20_000);
    println!("{killed} killed, {whole} of them with all facts in the book");
}

/// Kills so many processes that take in about so many facts; says how many were killed before they were
/// done, and how many of these had come to their commit.
fn kill_at_random(kills: u32, facts: usize) -> (u32, u32) {
    let stage = Stage::prepare(facts);
    let started = Instant::now();
    assert!(is_done(stage.start("full").wait().unwrap()));
    let takes = started.elapsed();
    let (mut dice, mut killed, mut whole) = (Dice(u64::from(kills)), 0, 0);
    // Who is done before it can be killed does not count; on a strange machine it does in the end.
    for attempt in 0..kills * 5 {
        if killed == kills {
            break;
        }
        let durability = ["full", "normal"][attempt as usize % 2];
        let patience = takes * dice.below(1000) as u32 / 1000;
        let (was_killed, is_whole) = stage.kill(durability, patience);
        killed += u32::from(was_killed);
        whole += u32::from(was_killed && is_whole);
    }
    (killed, whole)
}

/// Done, be it that some of so many facts at random are refused.
fn is_done(status: ExitStatus) -> bool {
    matches!(status.code(), Some(0 | 3))
}

/// A book without facts, and a table of them, of positions of the book and of others.
struct Stage {
    folder: TempDir,
    /// Different facts in the table.
    facts: u64,
    nodes: u64,
}

impl Stage {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn prepare(facts: usize) -> Self {
        let mut stage = Self { folder: TempDir::new().unwrap(), facts: 0, nodes: 0 };
        for durability in ["full", "normal"] {
            let text = format!("durability = \"{durability}\"\n");
            fs::write(stage.path(&format!("{durability}.toml")), text).unwrap();
        }
        let mut book = Book::create(stage.path("start.db")).unwrap();
        for number in 0..3 {
            let source = Source { engine: format!("bench {number}"), ..Source::default() };
            book.source_id(&source).unwrap();
        }
        let size = facts as u64;
        grow_scratch(size, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
        book.checkpoint().unwrap();
        stage.nodes = digest(book.reader());
        let mut positions: Vec<Position> = Vec::new();
        let mut dice = Dice(7);
        book.reader()
            .for_each_node(|node| {
                let is_open = node.values.bounds() == Bounds::ALL;
                if is_open && positions.len() < facts / 2 {
                    positions.push(node.key.position());
                }
                Ok::<_, StoreError>(())
            })
            .unwrap();
        drop(book);
        while positions.len() < facts {
            let plies = 20 + dice.below(20);
            let position = random_position(&mut dice, plies);
            if position.can_move() {
                positions.push(position);
            }
        }
        let mut table = "board,side,proven_lower,proven_upper\n".to_owned();
        for position in positions {
            let board = position.squares_text(Side::Black);
            writeln!(table, "{board},X,-62,{}", 62 - 2 * dice.below(2)).unwrap();
        }
        fs::write(stage.path("proven.csv"), table).unwrap();
        // What comes of it when nobody is killed.
        stage.set();
        let done = stage.start("full").wait().unwrap();
        assert!(is_done(done), "the import failed without being killed");
        let reader = Reader::open(stage.path("run.db")).unwrap();
        stage.facts = reader.facts().count().unwrap();
        assert!(stage.facts * 10 > facts as u64 * 9, "{} facts", stage.facts);
        stage
    }

    /// Puts the book in place, with nothing beside it.
    fn set(&self) {
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("run.db") {
                fs::remove_file(path).unwrap();
            }
        }
        fs::copy(self.path("start.db"), self.path("run.db")).unwrap();
    }

    fn start(&self, durability: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command.args(["import", "--quiet"]).arg(self.path("proven.csv"));
        command
            .arg("--book")
            .arg(self.path("run.db"))
            .env("ROSEBILL_CONFIG", self.path(&format!("{durability}.toml")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Whether the process was killed before it was done, and whether the facts are there.
    fn kill(&self, durability: &str, patience: Duration) -> (bool, bool) {
        self.set();
        let reader = Reader::open(self.path("run.db")).unwrap();
        let started = Instant::now();
        let mut child = self.start(durability);
        let mut seen = 0;
        let was_killed = loop {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(is_done(status), "the import failed by itself");
                break false;
            }
            if started.elapsed() >= patience {
                child.kill().unwrap();
                child.wait().unwrap();
                break true;
            }
            sleep(Duration::from_millis(2));
            seen = reader.facts().count().unwrap();
            assert!(seen == 0 || seen == self.facts, "a reader saw {seen} of {}", self.facts);
        };
        drop(reader);
        let book = Book::open(self.path("run.db")).unwrap();
        let found = book.reader().facts().count().unwrap();
        assert!(found == 0 || found == self.facts, "{found} of {} facts are left", self.facts);
        assert!(found >= seen, "facts that were committed are gone");
        assert!(was_killed || found == self.facts);
        let report = book.reader().verify().unwrap();
        assert!(report.is_sound(), "{:?}", report.first);
        assert_eq!(digest(book.reader()), self.nodes, "positions are something else");
        drop(book);
        // The same again completes it.
        assert!(is_done(self.start(durability).wait().unwrap()));
        let reader = Reader::open(self.path("run.db")).unwrap();
        assert_eq!(reader.facts().count().unwrap(), self.facts);
        assert!(reader.verify().unwrap().is_sound());
        (was_killed, found == self.facts)
    }
}

/// A number for all nodes with everything that is searched of them.
fn digest(reader: &Reader) -> u64 {
    let mut hasher = DefaultHasher::new();
    reader
        .for_each_node(|node| {
            (node.key, node.links, node.record, node.searched, node.values).hash(&mut hasher);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    hasher.finish()
}
