//! Which state of a book a file holds, and from which states on a log continues.
//!
//! Every commit of a writer gives the book a stamp: the run that wrote it, a random number, and the number of
//! the commit. Besides that the book names the stamps that its main file may have, read alone, while the
//! commits after it wait in SQLite's log: from the one that the main file had when the commit was made up
//! to that of the commit itself. A main file with any other stamp was put in place of the one that the
//! log belongs to.

use std::fmt;
use std::str::FromStr;

/// The name under which a book keeps its identity.
pub(super) const IDENTITY: &str = "identity";

/// The name under which a book keeps its lineage.
pub(super) const LINEAGE: &str = "lineage";

/// More runs than this follow one another without the log ever getting into the main file only where
/// a reader holds it up all the time. Their row stays on one page.
const MOST_RUNS: usize = 32;

/// A state of a book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Stamp {
    /// The run that wrote it; 0 is none: a book that has no lineage yet.
    run: u64,
    /// Commits since the first run, counted from 1.
    commit: u64,
}

/// The stamp of a commit, and the stamps that the main file may have beside a log that ends with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lineage {
    /// The main file may say anything: the place of its tables is about to change, so that it cannot be read
    /// alone while a part of the log is in it.
    any: bool,
    /// The runs since the oldest stamp that the main file may have, each with its first commit, ascending.
    /// Never empty.
    runs: Vec<Stamp>,
    commit: u64,
}

impl Default for Lineage {
    /// That of a book without one.
    fn default() -> Self {
        Self { any: false, runs: vec![Stamp::default()], commit: 0 }
    }
}

impl Lineage {
    /// A book of its own that begins with this run.
    pub(super) fn of_new(run: u64) -> Self {
        Self { any: false, runs: vec![Stamp { run, commit: 1 }], commit: 1 }
    }

    /// The stamp of the latest commit.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp { run: self.runs.last().map_or(0, |last| last.run), commit: self.commit }
    }

    /// How many commits led to it.
    pub(super) const fn commits(&self) -> u64 {
        self.commit
    }

    /// Whether the main file may have this stamp.
    pub(super) fn holds(&self, stamp: Stamp) -> bool {
        self.any || self.place(stamp).is_some()
    }

    /// The run of a stamp among those named.
    fn place(&self, stamp: Stamp) -> Option<usize> {
        let ends = self.runs.iter().skip(1).map(|next| next.commit - 1);
        let ends = ends.chain(std::iter::once(self.commit));
        let is_in = |(run, end): (&Stamp, u64)| {
            run.run == stamp.run && (run.commit..=end).contains(&stamp.commit)
        };
        self.runs.iter().zip(ends).position(is_in)
    }

    /// Goes on to the next commit.
    pub(super) fn commit(&mut self) {
        self.commit += 1;
    }

    /// Goes on to the first commit of a run.
    pub(super) fn begin(&mut self, run: u64) {
        self.commit += 1;
        if self.runs.len() < MOST_RUNS {
            self.runs.push(Stamp { run, commit: self.commit });
        }
    }

    /// Says that the main file has come so far: it never goes back from there.
    pub(super) fn reached(&mut self, main: Stamp) {
        if let Some(place) = self.place(main) {
            self.runs.drain(..place);
            if let Some(first) = self.runs.first_mut() {
                *first = main;
            }
        }
    }

    /// Says whether the main file can be read alone.
    pub(super) const fn set_any(&mut self, any: bool) {
        self.any = any;
    }
}

impl fmt::Display for Lineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.commit)?;
        self.runs.iter().try_for_each(|Stamp { run, commit }| write!(f, " {run:x}:{commit}"))?;
        if self.any { write!(f, " any") } else { Ok(()) }
    }
}

impl FromStr for Lineage {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words: Vec<&str> = text.split(' ').collect();
        let any = words.pop_if(|last| *last == "any").is_some();
        let (commit, runs) = words.split_first().ok_or(())?;
        let commit = commit.parse().map_err(|_| ())?;
        let stamp = |word: &&str| {
            let (run, commit) = word.split_once(':')?;
            let run = u64::from_str_radix(run, 16).ok()?;
            Some(Stamp { run, commit: commit.parse().ok()? })
        };
        let runs: Vec<Stamp> = runs.iter().map(stamp).collect::<Option<_>>().ok_or(())?;
        let ascends = runs.is_sorted_by(|one, next| one.commit < next.commit);
        let ends = runs.last().is_some_and(|last| last.commit <= commit);
        if ascends && ends { Ok(Self { any, runs, commit }) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What happens to a book.
    #[derive(Clone, Copy, Debug)]
    enum Event {
        Run,
        Commit,
        /// So much of the log, of 100, is written into the main file.
        Checkpoint(usize),
    }

    proptest! {
        /// A naive book that keeps all its stamps: those from the main file's on are held, no others are.
        #[test]
        fn the_main_file_may_be_what_it_was_and_what_came_since(
            events in prop::collection::vec(
                prop_oneof![
                    1 => Just(Event::Run),
                    3 => Just(Event::Commit),
                    1 => (0..=100_usize).prop_map(Event::Checkpoint),
                ],
                1..60,
            )
        ) {
            let mut lineage = Lineage::default();
            // The state of the main file when the latest commit was made is `floor`.
            let (mut all, mut main, mut floor) = (vec![lineage.stamp()], 0, 0);
            for (event, run) in events.into_iter().zip(1..) {
                match event {
                    Event::Checkpoint(part) => {
                        main += (all.len() - 1 - main) * part / 100;
                        continue;
                    }
                    Event::Run => {
                        lineage.reached(all[main]);
                        lineage.begin(run);
                    }
                    Event::Commit => {
                        lineage.reached(all[main]);
                        lineage.commit();
                    }
                }
                floor = main;
                all.push(lineage.stamp());
                lineage = lineage.to_string().parse().unwrap();
                prop_assert!(lineage.to_string().len() < 900);
                for (at, &stamp) in all.iter().enumerate() {
                    prop_assert_eq!(lineage.holds(stamp), at >= floor, "{} {:?}", lineage, stamp);
                }
                // A branch of the same book with as many commits.
                let other = Stamp { run: 1 << 40, ..lineage.stamp() };
                prop_assert!(!lineage.holds(other));
            }
            prop_assert!(floor <= main);
        }
    }

    #[test]
    fn what_is_no_lineage_is_none() {
        for text in ["", "any", "3", "3 any", "x a:1", "3 a", "3 a:4", "3 a:2 b:2", "3 a:1 any b:2"]
        {
            assert!(text.parse::<Lineage>().is_err(), "{text}");
        }
        let any: Lineage = "7 0:0 ff:5 any".parse().unwrap();
        assert!(any.holds(Stamp { run: 9, commit: 9 }) && any.stamp().run == 255);
        assert_eq!(any.to_string(), "7 0:0 ff:5 any");
    }
}
