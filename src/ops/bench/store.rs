//! The book file at the size that people really have.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use super::scratch::{SOURCES, grow_scratch};
use super::{CpuTime, scratch};
use crate::board::{Key, Placed};
use crate::book::policy::{Best, Policy, Request};
use crate::book::regret::RegretLimits;
use crate::book::{Node, NodeSource, NodeView, Rest, child_of};
use crate::score::Score;
use crate::store::{Book, Durability, Known, Reader, Source, StoreError};

/// One measured piece of work.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// What was done.
    pub name: &'static str,
    /// How many positions, rows or questions it was.
    pub count: u64,
    /// Processor time, in seconds.
    pub seconds: f64,
    /// Time on the wall, in seconds.
    pub wall: f64,
    /// Half of the questions took at most so many microseconds of processor time; none where it was
    /// one piece of work.
    pub median: Option<f64>,
    /// 99 of 100 took at most so many.
    pub percentile_99: Option<f64>,
    /// What else there is to say.
    pub note: String,
}

/// Fills a new book with so many positions and measures what a store does all day.
///
/// # Errors
/// The book exists already, or cannot be written.
pub fn measure_store(
    path: &Path,
    positions: u64,
    mut done: impl FnMut(&Measure),
) -> Result<(), StoreError> {
    let mut book = Book::create(path)?;
    for number in 0..SOURCES {
        book.source_id(&Source { engine: format!("bench {number}"), ..Source::default() })?;
    }
    book.set_durability(Durability::Normal)?;
    let filled = fill(&mut book, positions)?;
    let count = filled.count;
    done(&filled);
    done(&whole("sweep, links found, all rows written", count, || book.settle())?);
    done(&whole("commit", count, || book.commit())?);
    book.checkpoint()?;
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    done(&Measure {
        name: "file",
        count,
        seconds: 0.0,
        wall: 0.0,
        median: None,
        percentile_99: None,
        note: format!("{:.1} bytes a position", bytes as f64 / count.max(1) as f64),
    });
    measure_book(&mut book, done)
}

/// Measures a book that is there; it is left with the values that it had.
///
/// # Errors
/// The book cannot be read or written.
pub fn measure_book(book: &mut Book, mut done: impl FnMut(&Measure)) -> Result<(), StoreError> {
    let counts = book.reader().counts()?;
    done(&whole("sweep, nothing changed", counts.positions, || {
        let changed = book.sweep()?;
        book.commit()?;
        Ok(changed)
    })?);
    done(&whole("verify", counts.positions, || {
        book.reader().verify().map(|report| report.violations)
    })?);
    let sample = sample(book.reader(), 20_000)?;
    let reader = Reader::open(book.reader().path())?;
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
    let inner = &sample[..sample.len().min(5_000)];
    done(&each("change a rest, values up to the root", inner, |node| {
        let Some(rest) = node.rest else { return Ok(()) };
        let score = Score::from_centidiscs(rest.score.centidiscs() / 2 + 37);
        book.set_rest(node.key, Some(Rest { score, ..rest }), node.searched)?;
        book.settle().map(|_| ())
    })?);
    done(&each("add a position, its links and values up to the root", inner, |node| {
        let child = node.rest.and_then(|rest| child_of(node.key.position(), rest.square?));
        let Some((child, _)) = child else { return Ok(()) };
        book.insert(child, first_move(child), node.searched)?;
        book.settle().map(|_| ())
    })?);
    done(&whole("sweep after that", counts.positions, || book.sweep())?);
    book.rollback();
    Ok(())
}

fn fill(book: &mut Book, positions: u64) -> Result<Measure, StoreError> {
    let mut loaded = 0;
    let (mut seconds, mut wall) = (0.0, 0.0);
    grow_scratch(positions, |layer| {
        let (start, began) = (CpuTime::now(), Instant::now());
        loaded += book.bulk_load(layer, |_, _| Known::Keep)?.new;
        seconds += start.seconds();
        wall += began.elapsed().as_secs_f64();
        Ok::<_, StoreError>(())
    })?;
    Ok(Measure {
        name: "load, sorted",
        count: loaded,
        seconds,
        wall,
        median: None,
        percentile_99: None,
        note: String::new(),
    })
}

/// A rest for a new node; what it is worth does not matter here.
fn first_move(key: Key) -> Option<Rest> {
    let square = key.position().legal_moves().next();
    Some(Rest { square, score: Score::ZERO, proof: crate::search::Proof::None })
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
    nodes.sort_by_key(|node| scratch::mixed(node.key));
    Ok(nodes)
}

fn whole<T: std::fmt::Debug>(
    name: &'static str,
    count: u64,
    work: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Measure, StoreError> {
    let (start, began) = (CpuTime::now(), Instant::now());
    let result = work()?;
    Ok(Measure {
        name,
        count,
        seconds: start.seconds(),
        wall: began.elapsed().as_secs_f64(),
        median: None,
        percentile_99: None,
        note: format!("{result:?} rows differed"),
    })
}

fn each(
    name: &'static str,
    sample: &[Node],
    mut work: impl FnMut(&Node) -> Result<(), StoreError>,
) -> Result<Measure, StoreError> {
    let mut times = Vec::with_capacity(sample.len());
    let (start, began) = (CpuTime::now(), Instant::now());
    for node in sample {
        let asked = CpuTime::now();
        work(node)?;
        times.push(asked.seconds() * 1e6);
    }
    let (seconds, wall) = (start.seconds(), began.elapsed().as_secs_f64());
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied();
    Ok(Measure {
        name,
        count: sample.len() as u64,
        seconds,
        wall,
        median: at(0.5),
        percentile_99: at(0.99),
        note: String::new(),
    })
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
    };
    let (start, began) = (CpuTime::now(), Instant::now());
    let mut found = 0;
    for _ in 0..times {
        let _snapshot = reader.snapshot()?;
        found = Best::default().next(reader, &request)?.len();
    }
    Ok(Measure {
        name,
        count: u64::from(times),
        seconds: start.seconds(),
        wall: began.elapsed().as_secs_f64(),
        median: None,
        percentile_99: None,
        note: format!("{found} leaves"),
    })
}
