//! The book file at the size that people really have.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use super::CpuTime;
use super::measure::{Measure, each, each_but, fact, heed_stop, of_times, whole};
use super::scratch::{SOURCES, grow_scratch};
use crate::app::BookFile;
use crate::app::grow::{DEFAULT_LEVEL, Depth, stand_in};
use crate::app::snapshot::{RestoreError, check_snapshot, take_snapshot};
use crate::openbook::policy::{Best, GiveUp, Policy, Request};
use crate::openbook::regret::{Judge, RegretLimits};
use crate::openbook::{Node, NodeSource, NodeView, Rest, Source, child_of};
use crate::othello::board::{Key, Placed};
use crate::othello::score::Score;
use crate::othello::search::Stop;
use crate::store::unfinished::{Unfinished, folder_of};
use crate::store::{Book, Durability, NewNode, Reader, StoreError};

/// Makes a book of so many positions and measures what a store does all day. One that is named stays when
/// all is measured; none does where there is no name for it.
pub(crate) fn measure_store(
    kept: Option<&BookFile>,
    positions: u64,
    stop: &Stop,
    done: impl FnMut(&Measure),
) -> Result<(), StoreError> {
    let Some(file) = kept else {
        let beside = std::env::temp_dir();
        let folder = Unfinished::temporary().map_err(|cause| no_room(&beside, cause))?;
        let file = BookFile { stop: stop.clone(), ..BookFile::at(folder.path(SCRATCH)) };
        return measure_new(&mut file.create()?, positions, done);
    };
    let mut book = file.create()?;
    let measured = measure_new(&mut book, positions, done);
    if measured.is_err() {
        // Half of it is of no use, and in the way of the next one.
        book.remove();
    }
    measured
}

/// Measures a copy of a book that is there: what is killed in the middle of it has changed nothing.
pub(crate) fn measure_copy(file: &BookFile, done: impl FnMut(&Measure)) -> Result<(), StoreError> {
    let book = file.read()?;
    let beside = folder_of(&file.path);
    let folder = Unfinished::beside(&file.path).map_err(|cause| no_room(beside, cause))?;
    let copy = folder.path(SCRATCH);
    let measured = book.copy_to(&copy).and_then(|()| {
        drop(book);
        measure_book(&mut BookFile { path: copy.clone(), ..file.clone() }.open()?, done)
    });
    measured.map_err(|error| error.of_copy(&copy, &file.path, &file.path))
}

/// The name of a book that is made to be measured.
const SCRATCH: &str = "scratch.db";

fn no_room(folder: &Path, cause: std::io::Error) -> StoreError {
    StoreError::File { action: "measure in", path: folder.to_owned(), cause }
}

fn measure_new(
    book: &mut Book,
    positions: u64,
    mut done: impl FnMut(&Measure),
) -> Result<(), StoreError> {
    for number in 0..SOURCES {
        book.source_id(&Source { engine: format!("bench {number}"), ..Source::default() })?;
    }
    book.set_durability(Durability::Normal)?;
    let (filled, held_back) = fill(book, positions)?;
    let count = filled.count;
    done(&filled);
    done(&whole("sweep, links found, all rows written", count, || book.settle().map(differed))?);
    done(&whole("commit", count, || book.commit().map(nothing))?);
    let more = held_back.len() as u64;
    done(&whole("insert into that book, sorted", more, || {
        book.bulk_load(held_back).map(|loaded| format!("{} new", loaded.new))
    })?);
    let count = count + more;
    done(&whole("sweep, links found, some rows written", count, || book.settle().map(differed))?);
    done(&whole("commit", more, || book.commit().map(nothing))?);
    book.checkpoint()?;
    let bytes = std::fs::metadata(book.reader().path()).map_or(0, |file| file.len());
    let each = bytes as f64 / count.max(1) as f64;
    done(&fact("file", count, format!("{each:.1} bytes a position")));
    measure_book(book, done)
}

/// Measures a book, which is left with the values that it had when nothing fails.
fn measure_book(book: &mut Book, mut done: impl FnMut(&Measure)) -> Result<(), StoreError> {
    let counts = book.reader().counts()?;
    let count = counts.positions;
    let sweep = whole("sweep, nothing changed", count, || book.sweep().map(differed))?;
    done(&sweep);
    book.rollback();
    let mut on_two =
        whole("sweep, nothing changed, 2 threads", count, || book.sweep_on(2).map(differed))?;
    let faster = sweep.wall / on_two.wall.max(1e-9);
    on_two.note = format!("{}, {faster:.2} times as fast on the wall", on_two.note);
    done(&on_two);
    book.rollback();
    book.forget_values()?;
    done(&whole("sweep, all rows written", count, || book.sweep().map(differed))?);
    book.rollback();
    done(&whole("verify", count, || {
        book.reader().verify().map(|report| format!("{} violations", report.violations))
    })?);
    if let Some(megabytes) = peak_megabytes() {
        done(&fact("memory", count, format!("{megabytes} MB at the most so far")));
    }
    snapshot(book.reader(), count, &mut done)?;
    let sample = sample(book.reader(), 20_000)?;
    let path = book.reader().path().to_owned();
    let mut reader = Reader::open(&path)?;
    reader.stop_by(book.reader().stop());
    done(&each("look up a position", &sample, |node| {
        let _snapshot = reader.snapshot()?;
        reader.node(&node.key).map(|_| ())
    })?);
    done(&each("a position with all its moves", &sample, |node| {
        let _snapshot = reader.snapshot()?;
        NodeView::of(&reader, node.key.position()).map(|_| ())
    })?);
    done(&frontier("next leaf", &reader, 1, 50)?);
    done(&frontier("next 1,000 leaves", &reader, 1000, 5)?);
    drop(reader);
    if let Some(cold) = super::readers::cold(&path, &sample[..sample.len().min(200)])? {
        done(&cold);
    }
    let (alone, beside) = super::readers::beside_a_writer(book, &sample)?;
    done(&alone);
    done(&beside);
    let inner = &sample[..sample.len().min(5_000)];
    done(&each("change a rest, values up to the root", inner, |node| {
        heed_stop(book.reader())?;
        let Some(rest) = node.rest() else { return Ok(()) };
        let score = Score::from_centidiscs(rest.score.centidiscs() / 2 + 37);
        book.set_rest(node.key, Some(Rest { score, ..rest }), node.searched)?;
        book.settle().map(|_| ())
    })?);
    let mut settled = Vec::with_capacity(inner.len());
    done(&each_but("add a position with all its links", inner, |node| {
        heed_stop(book.reader())?;
        let child = node.rest().and_then(|rest| child_of(node.key.position(), rest.square?));
        let Some((child, _)) = child else { return Ok(0.0) };
        book.insert(child, first_move(child), node.searched)?;
        let start = CpuTime::now();
        book.settle()?;
        settled.push(start.seconds());
        Ok(start.seconds())
    })?);
    done(&of_times("values up to the root after that", settled));
    done(&whole("sweep after that", count, || book.sweep().map(differed))?);
    book.rollback();
    Ok(())
}

/// Takes a snapshot in a folder beside the book that is then deleted, and reads it back.
fn snapshot(book: &Reader, count: u64, done: &mut impl FnMut(&Measure)) -> Result<(), StoreError> {
    let beside = folder_of(book.path());
    let refused = |cause| no_room(beside, cause);
    let folder = Unfinished::beside(book.path()).map_err(refused)?;
    let path = folder.path("snapshot");
    let failed = |error| match error {
        RestoreError::Store(error) => error,
        error => refused(std::io::Error::other(error)),
    };
    done(&whole("take a snapshot", count, || {
        take_snapshot(book, &path).map_err(failed)?;
        let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
        Ok(format!("{:.2} bytes a position", bytes as f64 / count.max(1) as f64))
    })?);
    done(&whole("decode it", count, || {
        check_snapshot(&path).map(|positions| format!("{positions} positions")).map_err(failed)
    })?);
    Ok(())
}

/// Loads a book, and gives back some records that were left out of it, in storage order.
fn fill(book: &mut Book, positions: u64) -> Result<(Measure, Vec<NewNode>), StoreError> {
    let mut loaded = 0;
    let (mut seconds, mut wall) = (0.0, 0.0);
    let mut held_back = Vec::new();
    grow_scratch(positions, |layer| {
        heed_stop(book.reader())?;
        let (later, now): (Vec<_>, Vec<_>) = layer.into_iter().partition(|record| {
            record.key.discs() > 4 && stand_in::mixed(record.key).is_multiple_of(HELD_BACK)
        });
        held_back.extend(later);
        let (start, began) = (CpuTime::now(), Instant::now());
        loaded += book.bulk_load(now)?.new;
        seconds += start.seconds();
        wall += began.elapsed().as_secs_f64();
        Ok::<_, StoreError>(())
    })?;
    let filled = Measure { seconds, wall, ..fact("load, sorted", loaded, String::new()) };
    Ok((filled, held_back))
}

/// One of so many positions comes into the book later.
const HELD_BACK: u64 = 10;

fn differed(rows: impl std::fmt::Display) -> String {
    format!("{rows} rows differed")
}

fn nothing((): ()) -> String {
    String::new()
}

/// The most memory that this process ever had in MB, where the system says it.
pub(crate) fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

/// A rest for a new node; what it is worth does not matter here.
fn first_move(key: Key) -> Option<Rest> {
    let square = key.position().legal_moves().next();
    Some(Rest { square, score: Score::ZERO, proof: crate::othello::search::Proof::None })
}

/// Nodes spread evenly over the book, in an order that has nothing to do with theirs.
fn sample(reader: &Reader, count: u64) -> Result<Vec<Node>, StoreError> {
    let step = (reader.counts()?.positions / count).max(1);
    let mut nodes = Vec::new();
    let mut number = 0;
    reader.for_each_node(|node| {
        if number % step == 0 {
            nodes.push(node);
        }
        number += 1;
        Ok::<_, StoreError>(())
    })?;
    nodes.sort_by_key(|node| stand_in::mixed(node.key));
    Ok(nodes)
}

fn frontier(
    name: &'static str,
    reader: &Reader,
    count: usize,
    times: u32,
) -> Result<Measure, StoreError> {
    let nothing = HashSet::default();
    let request = Request {
        roots: &[Placed::START],
        count,
        in_flight: &nothing,
        max_discs: None,
        limits: RegretLimits::default(),
        judge: Judge::default(),
        depth: Depth::Level(DEFAULT_LEVEL),
        give_up: GiveUp::default(),
    };
    let (start, began) = (CpuTime::now(), Instant::now());
    let mut found = 0;
    for _ in 0..times {
        let _snapshot = reader.snapshot()?;
        found = Best::default().next(reader, &request)?.len();
    }
    let (seconds, wall) = (start.seconds(), began.elapsed().as_secs_f64());
    Ok(Measure { seconds, wall, ..fact(name, u64::from(times), format!("{found} leaves")) })
}
