//! The transposition table: what was already found out about a position.
//!
//! Every entry holds the whole board, so another position never answers for the one asked. Each
//! entry is a small sequence lock: a reader that meets a writer, or whose entry changed while it
//! read, takes it for a miss. So threads share a table without locks and without torn reads.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use super::huge_pages;
use crate::othello::board::Position;

/// No move, in [`TableHit::moves`].
pub(super) const NO_MOVE: u8 = 64;

/// Entries that compete for one place.
const WAYS: usize = 4;

const ENTRY_BYTES: usize = size_of::<Entry>();

/// What the table knows of a position. Scores are centidiscs for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableHit {
    pub lower: i16,
    pub upper: i16,
    /// Plies.
    pub depth: u8,
    /// The number of the selectivity level; more is surer.
    pub sureness: u8,
    /// The move that was best last, and the one before it; [`NO_MOVE`] where there is none.
    pub moves: [u8; 2],
}

impl TableHit {
    const fn pack(self) -> u64 {
        (self.lower as u16 as u64)
            | (self.upper as u16 as u64) << 16
            | (self.depth as u64) << 32
            | (self.sureness as u64) << 40
            | (self.moves[0] as u64) << 48
            | (self.moves[1] as u64) << 56
    }

    const fn unpack(word: u64) -> Self {
        Self {
            lower: word as u16 as i16,
            upper: (word >> 16) as u16 as i16,
            depth: (word >> 32) as u8,
            sureness: (word >> 40) as u8,
            moves: [(word >> 48) as u8, (word >> 56) as u8],
        }
    }

    /// How much work the entry stands for, roughly: the less, the sooner it gives way.
    const fn worth(self) -> u64 {
        (self.depth as u64) << 8 | self.sureness as u64
    }
}

/// One search result to be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub depth: u8,
    pub sureness: u8,
    /// The window, centidiscs.
    pub alpha: i32,
    pub beta: i32,
    /// The result, fail-soft, centidiscs.
    pub score: i32,
    /// The best move, or [`NO_MOVE`].
    pub best: u8,
}

#[derive(Default)]
struct Entry {
    /// Low half: a counter, odd while the entry is written. High half: the generation.
    version: AtomicU64,
    mover: AtomicU64,
    opponent: AtomicU64,
    found: AtomicU64,
}

impl Entry {
    #[inline]
    fn generation(&self) -> u32 {
        (self.version.load(Ordering::Relaxed) >> 32) as u32
    }

    #[inline]
    fn holds(&self, position: Position) -> bool {
        self.mover.load(Ordering::Relaxed) == position.mover
            && self.opponent.load(Ordering::Relaxed) == position.opponent
    }
}

#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; WAYS]);

/// A table of fixed size. Entries of an earlier generation are invisible, so that a new search
/// starts from nothing without clearing.
pub(super) struct Table {
    /// Grows when a search first needs more; a power of two, or empty before the first search.
    buckets: Vec<Bucket>,
    /// The most buckets: a power of two.
    most: usize,
    generation: u32,
    /// Buckets in use by this generation, less one: a power of two less one.
    mask: usize,
    /// Whether a deeper result stays where a shallower one of the same position follows.
    keeps_deeper: bool,
}

/// So many empty buckets, or as many as there is memory for.
fn buckets(mut count: usize) -> Vec<Bucket> {
    let mut buckets = Vec::new();
    while buckets.try_reserve_exact(count).is_err() && count > 1 {
        count /= 2;
    }
    huge_pages::advise(buckets.spare_capacity_mut());
    buckets.resize_with(count, Bucket::default);
    buckets
}

impl Table {
    /// A table of at most this many megabytes (rounded down to a power of two, but at least 64 KiB).
    pub(crate) fn new(megabytes: usize) -> Self {
        let wanted = megabytes.saturating_mul(1 << 20) / (ENTRY_BYTES * WAYS);
        let count = wanted.max(512);
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { buckets: Vec::new(), most: count, generation: 0, mask: 0, keeps_deeper: false }
    }

    /// Forgets everything, and uses no more than this many entries (a small search runs faster in
    /// a table that fits into the cache).
    pub(crate) fn start(&mut self, entries: usize) {
        self.start_within(entries, usize::MAX);
    }

    /// As [`Self::start`], with time to fill no more than about so many entries: what was filled
    /// before is used all the same.
    pub(crate) fn start_within(&mut self, entries: usize, fillable: usize) {
        let most = self.most;
        let buckets_of = |entries: usize| {
            let wanted = (entries / WAYS).max(64).checked_next_power_of_two();
            wanted.unwrap_or(usize::MAX).min(most)
        };
        let count = buckets_of(entries).min(buckets_of(fillable).max(self.buckets.len()));
        match self.generation.checked_add(1) {
            Some(next) if count <= self.buckets.len() => self.generation = next,
            _ => {
                self.buckets = Vec::new();
                self.buckets = buckets(count);
                self.generation = 1;
            }
        }
        self.mask = count.min(self.buckets.len()) - 1;
    }

    /// Whether a deeper result, at least as sure, stays where a shallower one of the same position follows.
    /// It saves nodes in deep searches of the midgame, and costs some in searches to the end.
    pub(crate) fn keep_deeper(&mut self, keeps_deeper: bool) {
        self.keeps_deeper = keeps_deeper;
    }

    /// How many entries are filled.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> usize {
        self.buckets.len() * WAYS
    }

    #[inline]
    fn bucket(&self, position: Position) -> &Bucket {
        &self.buckets[hash(position) as usize & self.mask]
    }

    #[inline]
    pub(crate) fn probe(&self, position: Position) -> Option<TableHit> {
        for entry in &self.bucket(position).0 {
            if !entry.holds(position) {
                continue;
            }
            let before = entry.version.load(Ordering::Acquire);
            let mover = entry.mover.load(Ordering::Relaxed);
            let opponent = entry.opponent.load(Ordering::Relaxed);
            let found = entry.found.load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            let intact = before & 1 == 0 && entry.version.load(Ordering::Relaxed) == before;
            let current = (before >> 32) as u32 == self.generation;
            if intact && current && mover == position.mover && opponent == position.opponent {
                return Some(TableHit::unpack(found));
            }
        }
        None
    }

    /// Keeps a result. Bounds of the same depth and selectivity are joined; see [`Self::keep_deeper`] for others.
    #[inline]
    pub(crate) fn store(&self, position: Position, finding: &Finding) {
        let bucket = self.bucket(position);
        let mut place = &bucket.0[0];
        let mut least = u64::MAX;
        for entry in &bucket.0 {
            let current = entry.generation() == self.generation;
            if current && entry.holds(position) {
                place = entry;
                break;
            }
            let kept = TableHit::unpack(entry.found.load(Ordering::Relaxed));
            let worth = if current { kept.worth() + 1 } else { 0 };
            if worth < least {
                least = worth;
                place = entry;
            }
        }
        let version = place.version.load(Ordering::Relaxed);
        let (taken, order) = (version | 1, Ordering::Acquire);
        if version & 1 != 0
            || place.version.compare_exchange(version, taken, order, Ordering::Relaxed).is_err()
        {
            // Another thread writes here: its result is as good as ours.
            return;
        }
        fence(Ordering::Release);
        let same = (version >> 32) as u32 == self.generation && place.holds(position);
        let known = same.then(|| TableHit::unpack(place.found.load(Ordering::Relaxed)));
        place.mover.store(position.mover, Ordering::Relaxed);
        place.opponent.store(position.opponent, Ordering::Relaxed);
        place.found.store(join(known, finding, self.keeps_deeper).pack(), Ordering::Relaxed);
        let counter = (version as u32).wrapping_add(2);
        let done = u64::from(self.generation) << 32 | u64::from(counter);
        place.version.store(done, Ordering::Release);
    }
}

fn join(known: Option<TableHit>, finding: &Finding, keeps_deeper: bool) -> TableHit {
    let score = finding.score as i16;
    let (lower, upper) = (
        if finding.score > finding.alpha { score } else { -i16::MAX },
        if finding.score < finding.beta { score } else { i16::MAX },
    );
    let mut next = TableHit {
        lower,
        upper,
        depth: finding.depth,
        sureness: finding.sureness,
        moves: [finding.best, NO_MOVE],
    };
    let Some(known) = known else { return next };
    if (known.depth, known.sureness) == (next.depth, next.sureness) {
        // Selective searches contradict themselves now and then: the newer result is kept.
        if known.lower <= next.upper {
            next.lower = next.lower.max(known.lower);
        }
        if known.upper >= next.lower {
            next.upper = next.upper.min(known.upper);
        }
    } else if keeps_deeper && known.depth >= next.depth && known.sureness >= next.sureness {
        let mut kept = known;
        if next.moves[0] != NO_MOVE && next.moves[0] != known.moves[0] {
            kept.moves[1] = next.moves[0];
        }
        return kept;
    }
    if next.moves[0] == NO_MOVE || next.moves[0] == known.moves[0] {
        next.moves = known.moves;
    } else {
        next.moves[1] = known.moves[0];
    }
    next
}

/// A hash whose low bits depend on every bit of the position.
#[inline(always)]
pub(super) fn hash(position: Position) -> u64 {
    let left = u128::from(position.mover ^ 0x9e37_79b9_7f4a_7c15);
    let right = u128::from(position.opponent ^ 0xc2b2_ae3d_27d4_eb4f);
    let product = left * right;
    let folded = (product as u64) ^ (product >> 64) as u64;
    let more = u128::from(folded) * 0xd6e8_feb8_6659_fd93;
    (more as u64) ^ (more >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(depth: u8, alpha: i32, score: i32, best: u8) -> Finding {
        Finding { depth, sureness: 5, alpha, beta: alpha + 1, score, best }
    }

    #[test]
    fn a_table_that_was_filled_is_not_filled_again() {
        let mut table = Table::new(1);
        table.start(usize::MAX);
        let place = table.buckets.as_ptr();
        for entries in [64, 4096, usize::MAX] {
            table.start(entries);
            assert_eq!(table.buckets.as_ptr(), place);
        }
        assert_eq!(table.mask + 1, table.buckets.len());
    }

    #[test]
    fn no_more_is_filled_than_there_is_time_for() {
        let mut table = Table::new(64);
        table.start_within(usize::MAX, 10_000);
        assert_eq!(table.buckets.len(), 4096);
        table.start_within(usize::MAX, 0);
        assert_eq!((table.buckets.len(), table.mask), (4096, 4095), "it is there");
        table.start(100_000);
        assert_eq!(table.buckets.len(), 32_768);
        table.start_within(400, usize::MAX);
        assert_eq!((table.buckets.len(), table.mask), (32_768, 127));
    }

    #[test]
    fn joins_bounds_and_keeps_two_moves() {
        let mut table = Table::new(1);
        table.start(usize::MAX);
        let position = Position::START;
        assert_eq!(table.probe(position), None);
        table.store(position, &finding(7, 100, 300, 19));
        table.store(position, &finding(7, 500, 400, 26));
        let found = table.probe(position).unwrap();
        assert_eq!((found.lower, found.upper, found.moves), (300, 400, [26, 19]));
        table.store(position, &finding(8, 0, -100, NO_MOVE));
        let found = table.probe(position).unwrap();
        assert_eq!((found.lower, found.upper, found.moves), (-i16::MAX, -100, [26, 19]));
        // A shallower result replaces a deeper one, or adds no more than its move.
        for (keeps_deeper, depth, moves) in [(true, 8, [26, 37]), (false, 5, [37, 26])] {
            table.keep_deeper(keeps_deeper);
            table.store(position, &finding(5, 0, 100, 37));
            let found = table.probe(position).unwrap();
            assert_eq!((found.depth, found.moves), (depth, moves));
        }
        assert_eq!(table.probe(position.passed()), None);
    }

    #[test]
    fn a_new_generation_sees_nothing() {
        let mut table = Table::new(1);
        for _ in 0..3 {
            table.start(1000);
            assert_eq!(table.probe(Position::START), None);
            table.store(Position::START, &finding(7, 100, 300, 19));
            assert!(table.probe(Position::START).is_some());
        }
    }

    #[test]
    fn deep_entries_outlive_shallow_ones() {
        let mut table = Table::new(0);
        table.start(0);
        table.store(Position::START, &finding(30, 0, 100, 19));
        for bits in 1..10_000 {
            let other = Position { mover: bits << 40, opponent: 0 };
            table.store(other, &finding(3, 0, 100, 0));
        }
        assert!(table.probe(Position::START).is_some());
    }

    /// Threads that write the same few places all the time: what is found of a position is always what one of them
    /// stored of it, never a part of one and a part of another.
    #[test]
    fn threads_never_read_a_torn_entry() {
        let mut table = Table::new(0);
        table.start(0);
        let position = |number: u64| Position { mover: number << 8 | 1, opponent: !number << 24 };
        let kept_of = |number: u64| {
            let kept = number as i16;
            (kept, kept, number as u8 % 61, [number as u8 % 60, number as u8 % 60])
        };
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let table = &table;
                scope.spawn(move || {
                    for step in 0..200_000_u64 {
                        let number = (step * 7 + thread * 31) % 256;
                        let (score, _, depth, [best, _]) = kept_of(number);
                        if let Some(hit) = table.probe(position(number)) {
                            let known = (hit.lower, hit.upper, hit.depth, hit.moves);
                            let (lower, upper, depth, moves) = kept_of(number);
                            assert_eq!(known.2, depth, "{number}");
                            assert!(known.0 == lower || known.0 == -i16::MAX, "{number} {hit:?}");
                            assert!(known.1 == upper || known.1 == i16::MAX, "{number} {hit:?}");
                            let is_move = |found: u8, own: u8| found == own || found == NO_MOVE;
                            assert!(is_move(known.3[0], moves[0]) && is_move(known.3[1], moves[1]));
                        }
                        let score = i32::from(score);
                        let alpha = if step % 2 == 0 { score - 1 } else { score };
                        let finding =
                            Finding { depth, sureness: 5, alpha, beta: alpha + 1, score, best };
                        table.store(position(number), &finding);
                    }
                });
            }
        });
    }
}
