//! Killing real processes in the middle of what they do to a book: nothing that was committed may
//! be gone, and the book must be sound.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::app::snapshot::take_snapshot;
use rosebill::app::{BookFile, redo, restore_file, undo};
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::{Node, NodeSource, Source};
use rosebill::othello::board::{Key, Position};
use rosebill::store::{Book, Durability, Reader, StoreError};
use tempfile::TempDir;

use crate::dice::Dice;

/// What is to be killed.
struct Plan {
    /// Positions of the larger of the books that are killed in.
    positions: u64,
    /// How many processes are killed, spread evenly over operations and durabilities.
    kills: u32,
    /// The longest that growth is let alone; other operations are killed within the time that they
    /// take.
    longest: Duration,
}

/// Each of the seven operations with both durabilities.
#[test]
fn processes_that_are_killed_lose_nothing() {
    let plan = Plan { positions: 3000, kills: 14, longest: Duration::from_millis(700) };
    let all = kill_at_random(plan);
    let killed = all.iter().filter(|killed| !killed.finished).count();
    assert!(killed >= 5, "{killed} of {} were killed in time", all.len());
}

/// The same at length; `ROSEBILL_KILLS` says how many processes (60).
#[test]
#[ignore = "takes minutes: ROSEBILL_KILLS=60 cargo test --release --test cli -- --ignored kill"]
fn many_processes_that_are_killed_lose_nothing() {
    let kills = std::env::var("ROSEBILL_KILLS").map_or(60, |kills| kills.parse().unwrap());
    let plan = Plan { positions: 50_000, kills, longest: Duration::from_secs(4) };
    let all = kill_at_random(plan);
    let count = |which: fn(&Killed) -> bool| all.iter().filter(|killed| which(killed)).count();
    let finished = count(|killed| killed.finished);
    println!(
        "{} processes, {} killed, {finished} done before that; the book was changed in {}",
        all.len(),
        all.len() - finished,
        count(|killed| killed.changed),
    );
}

/// Something that writes a book.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Operation {
    /// Commits every second.
    Grow,
    /// All or nothing, as are those below.
    Import,
    /// Cutting, every other time with the file written anew.
    Prune,
    /// Another book is taken in.
    Merge,
    /// All values are computed anew.
    Propagate,
    /// The book becomes another one.
    Restore,
    /// The book becomes what it was before.
    Undo,
}

impl Operation {
    const ALL: [Self; 7] = [
        Self::Grow,
        Self::Import,
        Self::Prune,
        Self::Merge,
        Self::Propagate,
        Self::Restore,
        Self::Undo,
    ];

    /// The words on the command line.
    const fn words(self) -> &'static str {
        match self {
            Self::Grow => "grow",
            Self::Import => "import",
            Self::Prune => "prune",
            Self::Merge => "import",
            Self::Propagate => "verify --recompute",
            Self::Restore => "snapshot restore",
            Self::Undo => "undo",
        }
    }
}

/// What came of one kill.
struct Killed {
    /// The process was done before it could be killed.
    finished: bool,
    /// The book was changed by it.
    changed: bool,
}

/// Starts processes, kills them without warning, and looks at what is left.
fn kill_at_random(plan: Plan) -> Vec<Killed> {
    let kills = plan.kills;
    let stage = Stage::prepare(plan);
    let trials: Vec<Trial> =
        Operation::ALL.iter().map(|&operation| stage.trial(operation)).collect();
    let mut dice = Dice(1);
    let mut all: Vec<Killed> = Vec::new();
    let mut done = 0;
    // Who is done before it can be killed does not count; on a strange machine it does in the end.
    for attempt in 0..kills.saturating_mul(5) {
        let trial = &trials[done as usize % trials.len()];
        let durability = ["full", "normal"][done as usize / trials.len() % 2];
        let killed = stage.kill(trial, durability, dice.below(1000) as u32, attempt);
        done += u32::from(!killed.finished);
        all.push(killed);
        if done == kills {
            break;
        }
    }
    all
}

/// What a reader sees of a book at a glance.
type Glance = (u64, Option<Node>);

/// An operation with the books that it makes when it is let alone.
struct Trial {
    operation: Operation,
    from: PathBuf,
    before: u64,
    after: u64,
    after_glance: Glance,
    takes: Duration,
}

/// The books and files that the operations need.
struct Stage {
    plan: Plan,
    folder: TempDir,
}

impl Stage {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn prepare(plan: Plan) -> Self {
        let stage = Self { plan, folder: tempfile::tempdir().unwrap() };
        for durability in ["full", "normal"] {
            let text = format!("durability = \"{durability}\"\n");
            fs::write(stage.file(&format!("{durability}.toml")), text).unwrap();
        }
        make_book(&stage.file("part.db"), stage.plan.positions / 3);
        make_book(&stage.file("large.db"), stage.plan.positions);
        fs::copy(stage.file("large.db"), stage.file("stale.db")).unwrap();
        let mut stale = Book::open(stage.file("stale.db")).unwrap();
        stale.forget_values().unwrap();
        stale.checkpoint().unwrap();
        drop(stale);
        let large = Reader::open(stage.file("large.db")).unwrap();
        take_snapshot(&large, &stage.file("large.snapshot")).unwrap();
        let part = Reader::open(stage.file("part.db")).unwrap();
        take_snapshot(&part, &stage.file("part.snapshot")).unwrap();
        fs::copy(stage.file("large.db"), stage.file("small.db")).unwrap();
        let small = BookFile::at(stage.file("small.db"));
        restore_file(&small, &stage.file("part.snapshot"), true).unwrap();
        let mut export = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        export.arg("export").arg(stage.file("large.jsonl"));
        export.arg("--book").arg(stage.file("large.db"));
        assert!(stage.quiet(&mut export, "full").status().unwrap().success());
        stage
    }

    fn quiet<'c>(&self, command: &'c mut Command, durability: &str) -> &'c mut Command {
        command
            .env("ROSEBILL_CONFIG", self.file(&format!("{durability}.toml")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
    }

    fn start(&self, operation: Operation, durability: &str, compact: bool) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command.args(operation.words().split(' ')).arg("--book").arg(self.file("run.db"));
        match operation {
            Operation::Grow => {
                command.args(["--level", "1", "--threads", "2", "--table", "1", "--time", "10m"])
            }
            Operation::Import => command.arg(self.file("large.jsonl")),
            Operation::Prune if compact => command.args(["--max-discs", "20", "--compact"]),
            Operation::Prune => command.args(["--max-discs", "20"]),
            Operation::Merge => command.arg(self.file("large.db")),
            Operation::Propagate | Operation::Undo => &mut command,
            Operation::Restore => command.arg(self.file("large.snapshot")),
        };
        self.quiet(&mut command, durability).spawn().unwrap()
    }

    /// Puts the book that an operation starts from in place, with nothing beside it.
    fn set(&self, from: &Path) {
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_string_lossy().starts_with("run.db") {
                fs::remove_file(path).unwrap();
            }
        }
        fs::copy(from, self.file("run.db")).unwrap();
        // With what was saved of it.
        let saved = format!("{}.undo.", from.file_name().unwrap().to_str().unwrap());
        for entry in fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if let Some(of) = name.strip_prefix(&saved) {
                fs::copy(entry.path(), self.file(&format!("run.db.undo.{of}"))).unwrap();
            }
        }
    }

    /// Lets an operation run to its end once, to know what it does.
    fn trial(&self, operation: Operation) -> Trial {
        let from = self.file(match operation {
            Operation::Prune => "large.db",
            Operation::Propagate => "stale.db",
            _ => "small.db",
        });
        self.set(&from);
        let run = self.file("run.db");
        let before = digest(&Reader::open(&run).unwrap());
        let mut takes = self.plan.longest;
        if operation != Operation::Grow {
            let started = Instant::now();
            let done = self.start(operation, "full", false).wait().unwrap();
            assert!(done.success(), "'{}' failed without being killed", operation.words());
            takes = started.elapsed();
        }
        let reader = Reader::open(&run).unwrap();
        let (after, after_glance) = (digest(&reader), glance(&reader));
        Trial { operation, from, before, after, after_glance, takes }
    }

    fn kill(&self, trial: &Trial, durability: &str, thousandths: u32, attempt: u32) -> Killed {
        let name = format!("{} with durability {durability}", trial.operation.words());
        self.set(&trial.from);
        let reader = Reader::open(self.file("run.db")).unwrap();
        let patience = trial.takes * thousandths / 1000;
        let started = Instant::now();
        let mut child = self.start(trial.operation, durability, attempt % 3 == 2);
        let mut seen = glance(&reader);
        let finished = loop {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{name} failed by itself");
                break true;
            }
            if started.elapsed() >= patience {
                child.kill().unwrap();
                child.wait().unwrap();
                break false;
            }
            sleep(Duration::from_millis(2));
            // A reader sees what is committed, and only that.
            seen = glance(&reader);
        };
        drop(reader);
        let changed = self.look(trial, &name, &seen, finished);
        Killed { finished, changed }
    }

    /// Looks the book through; says whether it was changed.
    fn look(&self, trial: &Trial, name: &str, seen: &Glance, finished: bool) -> bool {
        let mut book = Book::open(self.file("run.db")).unwrap();
        let found = digest(book.reader());
        let changed = found != trial.before;
        let stale = trial.operation == Operation::Propagate && !changed;
        let report = book.reader().verify().unwrap();
        assert!(stale || report.first.is_empty(), "{name}: {:?}", report.first);
        if trial.operation == Operation::Grow {
            let positions = book.reader().counts().unwrap().positions;
            assert!(positions >= seen.0, "{name}: positions that were committed are gone");
            let before = Reader::open(&trial.from).unwrap();
            assert!(holds_all(book.reader(), &before), "{name}: positions from before are gone");
        } else {
            let whole = !changed || found == trial.after;
            assert!(whole, "{name}: the book is neither as before nor as after");
            let done = finished || (*seen == trial.after_glance && trial.before != trial.after);
            assert!(!done || changed, "{name}: a commit that was seen is gone");
        }
        if !stale {
            let changes = (book.sweep().unwrap(), book.rebuild_links().unwrap());
            assert_eq!(changes, (0, 0), "{name}: a sweep changes values or links");
        }
        book.rollback();
        if changed && trial.operation != Operation::Propagate {
            match trial.operation {
                Operation::Undo => drop(redo(&mut book).unwrap()),
                _ => drop(undo(&mut book, None).unwrap()),
            }
            let saved = digest(book.reader());
            assert_eq!(saved, trial.before, "{name}: what was saved for undo is another book");
            assert_eq!(book.reader().undo_log().verify().unwrap().violations, 0, "{name}");
            assert!(book.reader().verify().unwrap().is_sound(), "{name}");
        }
        if !changed && trial.operation == Operation::Undo {
            undo(&mut book, None).unwrap();
            assert_eq!(digest(book.reader()), trial.after, "{name}: what was saved is gone");
        }
        changed
    }
}

fn make_book(path: &Path, positions: u64) {
    let mut book = Book::create(path).unwrap();
    book.set_durability(Durability::Normal).unwrap();
    for number in 0..3 {
        let source = Source { engine: format!("bench {number}"), ..Source::default() };
        book.source_id(&source).unwrap();
    }
    grow_scratch(positions, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
    book.checkpoint().unwrap();
}

fn glance(reader: &Reader) -> Glance {
    let reader = reader.snapshot().unwrap();
    let start = reader.node(&Key::of(Position::START)).unwrap();
    (reader.counts().unwrap().positions, start)
}

/// A number for all nodes of a book with everything that is known of them.
fn digest(reader: &Reader) -> u64 {
    let mut hasher = DefaultHasher::new();
    reader
        .for_each_node(|node| {
            format!("{node:?}").hash(&mut hasher);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    hasher.finish()
}

fn holds_all(reader: &Reader, other: &Reader) -> bool {
    let _snapshot = reader.snapshot().unwrap();
    let mut all = true;
    other
        .for_each_node(|node| {
            all &= reader.node(&node.key)?.is_some();
            Ok::<_, StoreError>(())
        })
        .unwrap();
    all
}
