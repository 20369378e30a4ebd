//! Killing real processes in the middle of what they do to a book: nothing that was committed may
//! be gone, and the book must be sound.

use std::fs;
use std::hash::{BuildHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;
use thiserror::Error;

use super::scratch::{SOURCES, grow_scratch};
use crate::board::{Key, Position};
use crate::book::{Node, NodeSource, Source};
use crate::ops::snapshot::{RestoreError, restore, take_snapshot, undo_path};
use crate::store::{Book, Durability, Known, Reader, StoreError};

/// What is to be killed.
#[derive(Clone, Debug)]
pub struct KillOptions {
    /// This program.
    pub program: PathBuf,
    /// An empty folder for the books that are killed in.
    pub folder: PathBuf,
    /// Positions of the larger of these.
    pub positions: u64,
    /// How many processes are killed, spread evenly over operations and durabilities.
    pub kills: u32,
    /// The longest that growth is let alone; other operations are killed within the time that they
    /// take.
    pub longest: Duration,
}

/// Something that writes a book.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
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
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Grow, Self::Import, Self::Prune, Self::Merge, Self::Propagate, Self::Restore];

    /// The verb on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grow => "grow",
            Self::Import => "import",
            Self::Prune => "prune",
            Self::Merge => "merge",
            Self::Propagate => "propagate",
            Self::Restore => "restore",
        }
    }
}

/// What came of one kill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Killed {
    /// In what.
    pub operation: Operation,
    /// The word of the configuration for it: "full" or "normal".
    pub durability: &'static str,
    /// The process was done before it could be killed.
    pub finished: bool,
    /// The book was changed by it.
    pub changed: bool,
    /// What is wrong with the book now; empty when all is well.
    pub wrong: Vec<String>,
}

/// Why nothing could be killed.
#[derive(Debug, Error)]
pub enum KillError {
    /// A file or a process.
    #[error("cannot prepare the kills: {0}")]
    System(#[from] io::Error),
    /// A book.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A snapshot.
    #[error(transparent)]
    Snapshot(#[from] RestoreError),
    /// The operation fails also when it is let alone.
    #[error("'{0}' failed without being killed")]
    Failed(&'static str),
}

/// Starts processes, kills them without warning, and looks at what is left; `done` hears of each.
///
/// # Errors
/// The books or processes for it cannot be made. What the kills break is in [`Killed`].
pub fn kill_at_random(
    options: &KillOptions,
    mut done: impl FnMut(&Killed),
) -> Result<(), KillError> {
    let stage = Stage::prepare(options)?;
    let mut dice = 1;
    let trials: Vec<Trial> =
        Operation::ALL.iter().map(|&operation| stage.trial(operation)).collect::<Result<_, _>>()?;
    let mut kills = 0;
    // Who is done before it can be killed does not count; on a strange machine it does in the end.
    let most = options.kills.saturating_mul(5);
    for attempt in 0..most {
        let trial = &trials[kills as usize % trials.len()];
        let durability = ["full", "normal"][kills as usize / trials.len() % 2];
        dice = scatter(dice);
        let killed = stage.kill(trial, durability, (dice % 1000) as u32, attempt)?;
        kills += u32::from(!killed.finished);
        done(&killed);
        if kills == options.kills {
            break;
        }
    }
    Ok(())
}

const fn scatter(dice: u64) -> u64 {
    let mix = dice.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mix ^ mix >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) ^ mix >> 32
}

/// What a reader sees of a book at a glance.
type Glance = (u64, Option<Node>);

/// An operation with the books that it makes when it is let alone.
struct Trial {
    operation: Operation,
    from: PathBuf,
    before: u64,
    /// The first is without, the second with the file written anew.
    after: u64,
    after_glance: Glance,
    takes: Duration,
}

/// The books and files that the operations need.
struct Stage<'a> {
    options: &'a KillOptions,
    small: PathBuf,
    large: PathBuf,
    stale: PathBuf,
    export: PathBuf,
    snapshot: PathBuf,
    run: PathBuf,
}

impl<'a> Stage<'a> {
    fn prepare(options: &'a KillOptions) -> Result<Self, KillError> {
        let file = |name: &str| options.folder.join(name);
        for durability in ["full", "normal"] {
            let text = format!("durability = \"{durability}\"\n");
            fs::write(file(&format!("{durability}.toml")), text)?;
        }
        let stage = Self {
            options,
            small: file("small.db"),
            large: file("large.db"),
            stale: file("stale.db"),
            export: file("large.jsonl"),
            snapshot: file("large.snapshot"),
            run: file("run.db"),
        };
        make_book(&stage.small, options.positions / 3)?;
        make_book(&stage.large, options.positions)?;
        fs::copy(&stage.large, &stage.stale)?;
        let mut stale = Book::open(&stage.stale)?;
        stale.forget_values()?;
        stale.checkpoint()?;
        drop(stale);
        take_snapshot(&Reader::open(&stage.large)?, &stage.snapshot)?;
        let mut export = Command::new(&options.program);
        export.arg("export").arg(&stage.export).arg("--book").arg(&stage.large);
        let exported = stage.quiet(&mut export, "full").status()?;
        if exported.success() { Ok(stage) } else { Err(KillError::Failed("export")) }
    }

    fn quiet<'c>(&self, command: &'c mut Command, durability: &str) -> &'c mut Command {
        let config = self.options.folder.join(format!("{durability}.toml"));
        command
            .env("ROSEBILL_CONFIG", config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
    }

    fn start(
        &self,
        operation: Operation,
        durability: &str,
        compact: bool,
    ) -> Result<Child, KillError> {
        let mut command = Command::new(&self.options.program);
        command.arg(operation.name()).arg("--book").arg(&self.run);
        match operation {
            Operation::Grow => {
                command.args(["--level", "1", "--threads", "2", "--table", "1", "--time", "10m"])
            }
            Operation::Import => command.arg(&self.export),
            Operation::Prune if compact => command.args(["--max-discs", "20", "--compact"]),
            Operation::Prune => command.args(["--max-discs", "20"]),
            Operation::Merge => command.arg(&self.large),
            Operation::Propagate => &mut command,
            Operation::Restore => command.arg(&self.snapshot),
        };
        Ok(self.quiet(&mut command, durability).spawn()?)
    }

    /// Puts the book that an operation starts from in place.
    fn set(&self, from: &Path) -> io::Result<()> {
        for ending in ["", "-wal", "-shm", ".lock", ".undo", ".undo.part"] {
            let mut name = self.run.clone().into_os_string();
            name.push(ending);
            match fs::remove_file(name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::copy(from, &self.run).map(|_| ())
    }

    /// Lets an operation run to its end once, to know what it does.
    fn trial(&self, operation: Operation) -> Result<Trial, KillError> {
        let from = match operation {
            Operation::Prune => &self.large,
            Operation::Propagate => &self.stale,
            _ => &self.small,
        };
        self.set(from)?;
        let before = digest(&Reader::open(&self.run)?)?;
        let mut takes = self.options.longest;
        if operation != Operation::Grow {
            let started = Instant::now();
            if !self.start(operation, "full", false)?.wait()?.success() {
                return Err(KillError::Failed(operation.name()));
            }
            takes = started.elapsed();
        }
        let reader = Reader::open(&self.run)?;
        let (after, after_glance) = (digest(&reader)?, glance(&reader)?);
        Ok(Trial { operation, from: from.clone(), before, after, after_glance, takes })
    }

    fn kill(
        &self,
        trial: &Trial,
        durability: &'static str,
        thousandths: u32,
        attempt: u32,
    ) -> Result<Killed, KillError> {
        let operation = trial.operation;
        self.set(&trial.from)?;
        let reader = Reader::open(&self.run)?;
        let patience = trial.takes * thousandths / 1000;
        let compact = attempt % 3 == 2;
        let started = Instant::now();
        let mut child = self.start(operation, durability, compact)?;
        let mut seen = glance(&reader)?;
        let finished = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status.success());
            }
            if started.elapsed() >= patience {
                child.kill()?;
                child.wait()?;
                break None;
            }
            sleep(Duration::from_millis(2));
            // A reader sees what is committed, and only that.
            seen = glance(&reader)?;
        };
        drop(reader);
        let mut wrong = Vec::new();
        if finished == Some(false) {
            wrong.push("it failed by itself".to_owned());
        }
        let changed = match self.look(trial, &seen, finished.is_some(), &mut wrong) {
            Ok(changed) => changed,
            Err(error) => {
                wrong.push(error.to_string());
                false
            }
        };
        Ok(Killed { operation, durability, finished: finished.is_some(), changed, wrong })
    }

    /// Looks the book through; says whether it was changed.
    fn look(
        &self,
        trial: &Trial,
        seen: &Glance,
        finished: bool,
        wrong: &mut Vec<String>,
    ) -> Result<bool, KillError> {
        let mut book = Book::open(&self.run)?;
        let found = digest(book.reader())?;
        let changed = found != trial.before;
        let stale = trial.operation == Operation::Propagate && !changed;
        let report = book.reader().verify()?;
        if !stale && let Some(first) = report.first.first() {
            wrong.push(format!("{} violations, such as {first}", report.violations));
        }
        if trial.operation == Operation::Grow {
            if book.reader().counts()?.positions < seen.0 {
                wrong.push("positions that were committed are gone".to_owned());
            }
            if !holds_all(book.reader(), &Reader::open(&trial.from)?)? {
                wrong.push("positions from before are gone".to_owned());
            }
        } else {
            if changed && found != trial.after {
                wrong.push("the book is neither as before nor as after".to_owned());
            }
            let done = finished || (*seen == trial.after_glance && trial.before != trial.after);
            if done && !changed {
                wrong.push("a commit that was seen is gone".to_owned());
            }
        }
        if !stale && (book.sweep()?, book.rebuild_links()?) != (0, 0) {
            wrong.push("a sweep changes values or links".to_owned());
        }
        book.rollback();
        let takes_back =
            matches!(trial.operation, Operation::Prune | Operation::Merge | Operation::Restore);
        if changed && takes_back {
            drop(book);
            let path = self.options.folder.join("undone.db");
            let mut undone = Book::create(&path)?;
            restore(&mut undone, &undo_path(&self.run))?;
            if digest(undone.reader())? != trial.before {
                wrong.push("what was saved for undo is not the book before".to_owned());
            }
            undone.remove()?;
        }
        Ok(changed)
    }
}

fn make_book(path: &Path, positions: u64) -> Result<(), StoreError> {
    let mut book = Book::create(path)?;
    book.set_durability(Durability::Normal)?;
    for number in 0..SOURCES {
        book.source_id(&Source { engine: format!("bench {number}"), ..Source::default() })?;
    }
    grow_scratch(positions, |layer| book.bulk_load(layer, |_, _| Known::Keep).map(|_| ()))?;
    book.checkpoint()
}

fn glance(reader: &Reader) -> Result<Glance, StoreError> {
    let reader = reader.snapshot()?;
    Ok((reader.counts()?.positions, reader.node(&Key::of(Position::START))?))
}

/// A number for all nodes of a book with everything that is known of them.
fn digest(reader: &Reader) -> Result<u64, StoreError> {
    let mut hasher = FixedState::default().build_hasher();
    reader.for_each_node(|node| {
        let Node { key, links, rest, searched, values } = node;
        (key, links, rest, searched, values).hash(&mut hasher);
        Ok::<_, StoreError>(())
    })?;
    Ok(hasher.finish())
}

fn holds_all(reader: &Reader, other: &Reader) -> Result<bool, StoreError> {
    let _snapshot = reader.snapshot()?;
    let mut all = true;
    other.for_each_node(|node| {
        all &= reader.node(&node.key)?.is_some();
        Ok::<_, StoreError>(())
    })?;
    Ok(all)
}
