//! A piece of work that was measured.

use std::time::Instant;

use super::CpuTime;
use crate::openbook::Node;
use crate::store::{Reader, StoreError};

/// One measured piece of work.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measure {
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

/// Something that is no work.
pub(super) fn fact(name: &'static str, count: u64, note: String) -> Measure {
    Measure { name, count, seconds: 0.0, wall: 0.0, median: None, percentile_99: None, note }
}

/// One piece of work, which returns its result.
pub(super) fn whole(
    name: &'static str,
    count: u64,
    work: impl FnOnce() -> Result<String, StoreError>,
) -> Result<Measure, StoreError> {
    let (start, began) = (CpuTime::now(), Instant::now());
    let note = work()?;
    let (seconds, wall) = (start.seconds(), began.elapsed().as_secs_f64());
    Ok(Measure { seconds, wall, ..fact(name, count, note) })
}

/// Work on each of some nodes.
pub(super) fn each(
    name: &'static str,
    sample: &[Node],
    mut work: impl FnMut(&Node) -> Result<(), StoreError>,
) -> Result<Measure, StoreError> {
    each_but(name, sample, |node| work(node).map(|()| 0.0))
}

/// As [`each`], for work that says how many seconds of it do not count.
pub(super) fn each_but(
    name: &'static str,
    sample: &[Node],
    mut work: impl FnMut(&Node) -> Result<f64, StoreError>,
) -> Result<Measure, StoreError> {
    let mut times = Vec::with_capacity(sample.len());
    let began = Instant::now();
    for node in sample {
        let asked = CpuTime::now();
        let not_counted = work(node)?;
        times.push(asked.seconds() - not_counted);
    }
    let wall = began.elapsed().as_secs_f64();
    Ok(Measure { wall, ..of_times(name, times) })
}

/// What times in seconds come to.
pub(super) fn of_times(name: &'static str, mut times: Vec<f64>) -> Measure {
    times.sort_by(f64::total_cmp);
    let seconds: f64 = times.iter().sum();
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).map(|&seconds| seconds * 1e6);
    let mean = seconds * 1e6 / times.len().max(1) as f64;
    Measure {
        seconds,
        wall: seconds,
        median: at(0.5),
        percentile_99: at(0.99),
        ..fact(name, times.len() as u64, format!("mean {mean:.1}"))
    }
}

/// An error once the answer is no longer wanted.
pub(super) fn heed_stop(book: &Reader) -> Result<(), StoreError> {
    match book.stop().is_stopped() {
        true => Err(StoreError::Stopped(book.path().to_owned())),
        false => Ok(()),
    }
}
