//! Checkpoints: how values moved while the book grew.
//!
//! When one is due is a matter of how many searches were done, so that the same growth keeps the same
//! checkpoints; only a run that hardly comes forward keeps one by the clock, too. Processor time is that of
//! this process: what a fleet's workers spend is not known.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::files::games::openings;
use crate::openbook::{NodeSource, Values, child_of};
use crate::othello::board::{Key, Placed, Position};
use crate::othello::search::CpuTime;
use crate::store::{Book, HistoryPoint, RunId, StoreError, storage_order};

use crate::app::clock::this_second;

/// Of all positions with at most so many discs values are kept.
const MOST_DISCS: u8 = 8;
/// Of no more positions than this are values kept.
const MOST_WATCHED: usize = 512;
/// Checkpoints of the whole history.
const MOST_POINTS: usize = 64;
/// Values of the whole history, at some 20 bytes each.
const MOST_VALUES: u64 = 8_000;
/// A checkpoint is due when so many searches were done since the last one,
const LEAST_SEARCHES: u64 = 50;
/// and the book, or all work on it, has become larger by one part in so many;
const PART: u64 = 20;
/// or when so much time has passed.
const LONGEST: Duration = Duration::from_secs(600);

/// Keeps the checkpoints of a run.
pub(super) struct Recorder {
    run: RunId,
    /// The positions whose values are kept, with their values at the last checkpoint.
    watched: Vec<(Key, Option<Values>)>,
    /// Work of the runs before this one.
    searches_before: u64,
    milliseconds_before: u64,
    cpu: CpuTime,
    last: Option<(u64, u64)>,
    next: u64,
    at: Instant,
}

impl Recorder {
    /// At the start of a run of growth from these positions. Keeps a checkpoint where the book is
    /// something else than at the last one. A history that means nothing is begun anew.
    pub(crate) fn start(
        book: &mut Book,
        run: RunId,
        roots: &[Placed],
        positions: u64,
    ) -> Result<Self, StoreError> {
        // New checkpoints must not take over what old ones left behind.
        if let Some(violation) = book.reader().history().verify()?.first.first() {
            tracing::warn!(%violation, "the history of growth is damaged, and begun anew");
            book.history().forget()?;
        }
        let points = book.reader().history().points()?;
        let last = points.last().map(|(_, point)| point);
        let searches = last.map_or(0, |point| point.searches);
        let mut recorder = Self {
            run,
            watched: watched(book, roots)?,
            searches_before: searches,
            milliseconds_before: last.map_or(0, |point| point.milliseconds),
            cpu: CpuTime::now(),
            last: last.map(|point| (point.positions, point.searches)),
            next: 0,
            at: Instant::now(),
        };
        recorder.plan(positions, searches);
        if positions > 0 {
            recorder.end(book, positions, 0)?;
        }
        Ok(recorder)
    }

    /// Keeps a checkpoint if one is due. `searches` are those of this run.
    pub(crate) fn note(
        &mut self,
        book: &mut Book,
        positions: u64,
        searches: u64,
    ) -> Result<(), StoreError> {
        let all = self.searches_before.saturating_add(searches);
        let has_moved = self.last.is_none_or(|(_, last)| last < all);
        if all >= self.next || (has_moved && self.at.elapsed() >= LONGEST) {
            self.end(book, positions, searches)?;
        }
        Ok(())
    }

    /// Keeps a checkpoint if anything is something else than at the last one.
    pub(crate) fn end(
        &mut self,
        book: &mut Book,
        positions: u64,
        searches: u64,
    ) -> Result<(), StoreError> {
        let searches = self.searches_before.saturating_add(searches);
        let keys: Vec<Key> = self.watched.iter().map(|&(key, _)| key).collect();
        let mut moved = Vec::new();
        for ((key, last), node) in self.watched.iter_mut().zip(book.nodes(&keys)?) {
            let values = node.map(|node| node.values);
            if *last != values {
                *last = values;
                moved.push((*key, values));
            }
        }
        if self.last != Some((positions, searches)) || !moved.is_empty() {
            let milliseconds = (self.cpu.seconds() * 1000.0) as u64;
            let point = HistoryPoint {
                run: self.run,
                positions,
                searches,
                milliseconds: self.milliseconds_before.saturating_add(milliseconds),
                taken: this_second(),
            };
            book.history().keep(&point, &moved)?;
            thin(book)?;
        }
        self.last = Some((positions, searches));
        self.plan(positions, searches);
        Ok(())
    }

    fn plan(&mut self, positions: u64, searches: u64) {
        let more = (positions.max(searches) / PART).max(LEAST_SEARCHES);
        self.next = searches.saturating_add(more);
        self.at = Instant::now();
    }
}

/// The positions whose values are kept: those that were before, those of the first moves, named openings
/// and where growth starts; with their values at the last checkpoint.
fn watched(book: &Book, roots: &[Placed]) -> Result<Vec<(Key, Option<Values>)>, StoreError> {
    let reader = book.reader();
    let mut keys = reader.history().positions()?;
    let mut known: BTreeSet<Key> = keys.iter().copied().collect();
    let mut watched = Vec::new();
    keys.truncate(MOST_WATCHED);
    for &key in &keys {
        let values = reader.history().of(key)?.unwrap_or_default();
        watched.push((key, values.last().and_then(|&(_, values)| values)));
    }
    keys = first_positions();
    keys.extend(roots.iter().map(|root| Key::of(root.position)));
    let mut named: Vec<Key> =
        openings().iter().map(|opening| Key::of(opening.placed().position)).collect();
    named.sort_unstable_by_key(|&key| storage_order(key));
    keys.extend(named);
    for key in keys {
        if watched.len() < MOST_WATCHED && known.insert(key) {
            watched.push((key, None));
        }
    }
    Ok(watched)
}

/// All positions of the first moves, layer by layer.
fn first_positions() -> Vec<Key> {
    let mut all = vec![Key::of(Position::START)];
    let mut layer = all.clone();
    for _ in Position::START.discs()..MOST_DISCS {
        let next: BTreeSet<Key> = layer
            .iter()
            .flat_map(|key| {
                let position = key.position();
                position.legal_moves().filter_map(move |square| child_of(position, square))
            })
            .map(|(child, _)| child)
            .collect();
        layer = next.into_iter().collect();
        all.extend(&layer);
    }
    all
}

/// Forgets checkpoints that lie closest to their neighbours, until there are no more than there may be.
/// Each step of work counts by how much it adds to all work before it, so that the first thousand
/// searches keep as many as those from the tenth to the hundredth thousand.
fn thin(book: &mut Book) -> Result<(), StoreError> {
    loop {
        let points = book.reader().history().points()?;
        let is_full =
            points.len() > MOST_POINTS || book.reader().history().count_values()? > MOST_VALUES;
        let Some((_, first)) = points.first() else { return Ok(()) };
        let work =
            |point: &HistoryPoint| (1.0 + first.positions as f64 + point.searches as f64).ln();
        let gaps = points.windows(3).filter_map(|three| match three {
            [(_, before), (id, _), (next, after)] => Some((work(after) - work(before), *id, *next)),
            _ => None,
        });
        let closest = gaps.min_by(|one, other| one.0.total_cmp(&other.0));
        match closest.filter(|_| is_full) {
            Some((_, id, next)) => book.history().forget_point(id, next)?,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However long a book grows: the first checkpoint and the last stay, and what those that stay say
    /// of a position is what was said when they were kept.
    #[test]
    fn a_history_stays_small_and_true() {
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::create(folder.path().join("a.db")).unwrap();
        let run = book.start_run("grow", "2026-11-23T02:00:00Z").unwrap();
        let keys: Vec<Key> = first_positions();
        let value = |discs: u64| {
            let discs = (discs % 9) as i8 - 4;
            Some(Values::of_search(
                crate::othello::score::Score::from_discs(discs),
                crate::othello::search::Proof::None,
            ))
        };
        // Each position has another value every so many checkpoints, and is away for a while.
        let said = |at: u64, step: u64| match (at + step) % 50 {
            0..5 => None,
            _ => value(step / (at % 7 + 1)),
        };
        let mut last = vec![None; keys.len()];
        let mut positions = 10;
        for step in 0..700_u64 {
            let mut moved = Vec::new();
            for (at, (&key, last)) in keys.iter().zip(&mut last).enumerate() {
                let values = said(at as u64, step);
                if *last != values {
                    *last = values;
                    moved.push((key, values));
                }
            }
            positions += positions / 20 + 1;
            let (searches, taken) = (positions, step.to_string());
            let point = HistoryPoint { run, positions, searches, milliseconds: step, taken };
            book.history().keep(&point, &moved).unwrap();
            thin(&mut book).unwrap();
        }
        book.commit().unwrap();
        let points = book.reader().history().points().unwrap();
        assert!((40..=MOST_POINTS).contains(&points.len()), "{}", points.len());
        assert!(book.reader().history().count_values().unwrap() <= MOST_VALUES);
        let steps: Vec<u64> =
            points.iter().map(|(_, point)| point.taken.parse().unwrap()).collect();
        assert_eq!((steps.first(), steps.last()), (Some(&0), Some(&699)));
        // Evenly spread, as the work on the book doubles.
        let widest = steps.windows(2).map(|two| two[1] - two[0]).max();
        assert!(widest <= Some(40), "{steps:?}");
        for (at, &key) in keys.iter().enumerate() {
            let kept = book.reader().history().of(key).unwrap().unwrap();
            for ((id, _), &step) in points.iter().zip(&steps) {
                let standing = kept.iter().rev().find(|(from, _)| from <= id);
                let standing = standing.and_then(|&(_, values)| values);
                assert_eq!(standing, said(at as u64, step), "{key:?} at {step}");
            }
        }
    }

    #[test]
    fn the_first_moves_have_so_many_positions() {
        let count = |discs: u8| first_positions().iter().filter(|key| key.discs() == discs).count();
        assert_eq!([4, 5, 6, 7, 8, 9].map(count), [1, 1, 3, 14, 60, 0]);
    }
}
