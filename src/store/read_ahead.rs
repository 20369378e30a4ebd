//! Asks the system for the pages that nodes are on before SQLite does: a disk brings many pages at once in
//! little more time than one, and SQLite asks for one after the other.
//!
//! Nothing depends on what is found here. A page may be newer in SQLite's log, or damaged: then the wrong page
//! is brought, or none.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use super::open_files::{held_file, read_at};
use super::pages::PAGE_SIZE;
use super::pages::nodes::{DEEPEST, ROOT, RowOrder};
use super::pages::page::{Column, Page, PageKind};
use super::row::storage_order;
use crate::othello::board::Key;

/// A read that takes longer for a node waits for the disk: out of the system's cache it takes a fifth
/// of this.
const WAITS: Duration = Duration::from_micros(40);

/// A single read counts for no more than this: a thread that waits for a processor has not waited for the disk, and
/// on a busy machine that happens all the time, but seldom several times in a row.
const AT_MOST: Duration = Duration::from_micros(80);

/// A read counts for one part in so many of what is usual.
const PART: u32 = 8;

/// For so long after the disk was waited for pages are asked for ahead.
const FOR: Duration = Duration::from_secs(1);

/// Whether to ask ahead.
#[derive(Default, Debug)]
pub(super) struct ReadAhead {
    /// How long a node takes lately.
    usual: Option<Duration>,
    until: Option<Instant>,
}

impl ReadAhead {
    /// Nodes will be read from a book, all of these.
    pub(super) fn ask_for(&self, book: &Path, keys: &[Key]) {
        // Other systems take no hint, and to open the file and to look into it costs time.
        if cfg!(target_os = "linux")
            && keys.len() > 1
            && self.until.is_some_and(|until| Instant::now() < until)
            && let Ok(file) = held_file(book)
        {
            go_down(&file, keys, |number| bring(&file, number));
        }
    }

    /// So many nodes were read in this time.
    pub(super) fn took(&mut self, nodes: usize, time: Duration) {
        let each = (time / u32::try_from(nodes).unwrap_or(u32::MAX).max(1)).min(AT_MOST);
        let usual = self.usual.map_or(each, |usual| (usual * (PART - 1) + each) / PART);
        self.usual = Some(usual);
        if usual > WAITS {
            self.until = Some(Instant::now() + FOR);
        }
    }
}

/// Goes down the tree level by level, and asks for all pages of a level before it looks into one.
fn go_down(file: &File, keys: &[Key], mut ask_for: impl FnMut(u32)) {
    let mut places: Vec<RowOrder> = keys.iter().map(|&key| storage_order(key)).collect();
    places.sort_unstable();
    let mut level: Vec<(u32, Range<usize>)> = vec![(ROOT, 0..places.len())];
    let mut bytes = vec![0; PAGE_SIZE as usize];
    for _ in 0..DEEPEST {
        for &(number, _) in &level {
            ask_for(number);
        }
        let mut next: Vec<(u32, Range<usize>)> = Vec::new();
        for (number, range) in level {
            let Some(at) = place_of(number) else { return };
            if read_at(file, &mut bytes, at).is_err() {
                return;
            }
            match Page::of(number, &bytes) {
                Some(page) if page.kind == PageKind::IndexInterior => {
                    let there = range
                        .filter_map(|index| Some((leads_to(&page, *places.get(index)?)?, index)));
                    for (child, index) in there {
                        match next.last_mut() {
                            Some((last, range)) if *last == child => range.end = index + 1,
                            _ => next.push((child, index..index + 1)),
                        }
                    }
                }
                // All leaves are equally deep, and all of them are asked for.
                _ => return,
            }
        }
        level = next;
    }
}

/// The page below that a node is on; none when it is on this one.
fn leads_to(page: &Page<'_>, (discs, mover, opponent): RowOrder) -> Option<u32> {
    let place = (i64::from(discs), mover, opponent);
    let (mut first, mut end) = (0, page.count());
    while first < end {
        let middle = usize::midpoint(first, end);
        let cell = page.cell(middle)?;
        let there = match cell.columns()?[..] {
            [Column::Integer(discs), Column::Integer(mover), Column::Integer(opponent), ..] => {
                (discs, mover, opponent)
            }
            _ => return None,
        };
        match there.cmp(&place) {
            std::cmp::Ordering::Less => first = middle + 1,
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => end = middle,
        }
    }
    if first == page.count() { page.last() } else { page.cell(first)?.before }
}

/// Where a page starts; books of other page sizes are none of ours.
fn place_of(number: u32) -> Option<u64> {
    Some(u64::from(number.checked_sub(1)?) * u64::from(PAGE_SIZE))
}

#[cfg(target_os = "linux")]
fn bring(file: &File, number: u32) {
    use rustix::fs::{Advice, fadvise};
    let size = std::num::NonZeroU64::new(u64::from(PAGE_SIZE));
    if let Some(at) = place_of(number) {
        // A hint: nothing is lost where it is not taken.
        let _ = fadvise(file, at, size, Advice::WillNeed);
    }
}

#[cfg(not(target_os = "linux"))]
fn bring(_: &File, _: u32) {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::store::Book;
    use crate::store::pages::Pages;
    use crate::store::pages::nodes::NodePage;
    use crate::store::sample::{reachable, unvalued};

    #[test]
    fn the_pages_that_are_asked_for_are_those_that_the_nodes_are_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        let keys = reachable(11);
        book.bulk_load(unvalued(11)).unwrap();
        book.settle().unwrap();
        book.commit().unwrap();
        drop(book);

        let wanted: Vec<Key> = keys.iter().copied().step_by(7).collect();
        let mut asked = Vec::new();
        go_down(&held_file(&path).unwrap(), &wanted, |number| asked.push(number));
        let different: HashSet<u32> = asked.iter().copied().collect();
        assert_eq!(asked.len(), different.len(), "none is asked for twice");
        let pages = Pages::open(&path).unwrap();
        let there: HashSet<Key> = asked
            .iter()
            .flat_map(|&number| NodePage::read(&pages, number).unwrap().nodes)
            .map(|node| node.key)
            .collect();
        assert!(wanted.iter().all(|key| there.contains(key)));
        assert!(asked.len() > 10 && wanted.len() > 100, "{} {}", asked.len(), wanted.len());
    }

    #[test]
    fn pages_are_asked_for_while_the_disk_is_slow() {
        let mut ahead = ReadAhead::default();
        ahead.took(10, WAITS * 10);
        assert_eq!(ahead.until, None);
        ahead.took(10, WAITS * 11);
        assert!(ahead.until.is_some());
    }

    #[test]
    fn who_waits_for_a_processor_does_not_wait_for_the_disk() {
        let mut ahead = ReadAhead::default();
        for number in 0..1000 {
            let is_long = number % 20 == 7;
            let quick = WAITS / 8;
            ahead.took(10, if is_long { Duration::from_millis(4) } else { quick * 10 });
            assert_eq!(ahead.until, None, "{number}");
        }
        // What is slow all the time is the disk.
        (0..8).for_each(|_| ahead.took(1, WAITS * 3));
        assert!(ahead.until.is_some());
    }
}
