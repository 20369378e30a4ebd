//! Questions to a book that were not asked before, and beside a writer.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::measure::{Measure, heed_stop, of_times};
use crate::openbook::{Node, NodeView, Rest};
use crate::othello::score::Score;
use crate::store::{Book, Reader, StoreError};

/// A question is asked this often.
const PACE: Duration = Duration::from_micros(500);
/// So many are asked.
const QUESTIONS: usize = 6_000;

/// Positions with all their moves while nothing of the file is in memory, by the time on the wall;
/// none where the system cannot be asked to forget a file.
pub(super) fn cold(path: &Path, sample: &[Node]) -> Result<Option<Measure>, StoreError> {
    let mut times = Vec::with_capacity(sample.len());
    for node in sample {
        if !forget(path) {
            return Ok(None);
        }
        let reader = Reader::open(path)?;
        let start = Instant::now();
        let _snapshot = reader.snapshot()?;
        NodeView::of(&reader, node.key.position())?;
        times.push(start.elapsed().as_secs_f64());
    }
    Ok(Some(of_times("a position with all its moves, cold (wall)", times)))
}

/// Asks the system to keep nothing of a file in memory.
#[cfg(target_os = "linux")]
fn forget(path: &Path) -> bool {
    use rustix::fs::{Advice, fadvise};
    let file = std::fs::File::open(path);
    file.is_ok_and(|file| fadvise(&file, 0, None, Advice::DontNeed).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn forget(_: &Path) -> bool {
    false
}

/// Positions with all their moves, by the time on the wall: alone, and beside a writer that changes
/// rests as fast as it can and commits every second. The changes stay: they are taken back at the
/// end.
pub(super) fn beside_a_writer(
    book: &mut Book,
    sample: &[Node],
) -> Result<(Measure, Measure), StoreError> {
    let mut reader = Reader::open(book.reader().path())?;
    reader.stop_by(book.reader().stop());
    let ask = |reader: &Reader| -> Result<Vec<f64>, StoreError> {
        let mut times = Vec::with_capacity(QUESTIONS);
        for node in sample.iter().cycle().take(QUESTIONS) {
            heed_stop(reader)?;
            std::thread::sleep(PACE);
            let start = Instant::now();
            let _snapshot = reader.snapshot()?;
            NodeView::of(reader, node.key.position())?;
            times.push(start.elapsed().as_secs_f64());
        }
        Ok(times)
    };
    let alone = of_times("a position with all its moves, reader alone (wall)", ask(&reader)?);
    let stop = AtomicBool::new(false);
    let (written, asked) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| write_until(book, sample, &stop));
        let asked = ask(&reader);
        stop.store(true, Ordering::Relaxed);
        (writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), asked)
    });
    let written = written?;
    let mut beside = of_times("the same beside a writer (wall)", asked?);
    let ratio = match (alone.percentile_99, beside.percentile_99) {
        (Some(alone), Some(beside)) => beside / alone.max(1e-9),
        _ => 0.0,
    };
    beside.note = format!("{}, p99 {ratio:.2} times, {written} changes", beside.note);
    Ok((alone, beside))
}

/// Changes rests until it is stopped, then changes them back; returns how many it changed.
fn write_until(book: &mut Book, sample: &[Node], stop: &AtomicBool) -> Result<usize, StoreError> {
    let mut committed = Instant::now();
    let with_rest = || sample.iter().filter_map(|node| Some((node, node.rest()?)));
    let mut changed = 0;
    for (node, rest) in with_rest() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let score = Score::from_centidiscs(rest.score.centidiscs() / 2 + 11);
        book.set_rest(node.key, Some(Rest { score, ..rest }), node.searched)?;
        book.settle()?;
        changed += 1;
        // As fast as searches come in, not as fast as a processor goes.
        std::thread::sleep(Duration::from_millis(1));
        if committed.elapsed() >= Duration::from_secs(1) {
            book.commit()?;
            committed = Instant::now();
        }
    }
    for (node, rest) in with_rest().take(changed) {
        book.set_rest(node.key, Some(rest), node.searched)?;
    }
    book.commit()?;
    Ok(changed)
}
