//! A book for NTest, such that it searches nothing when it loads it.

use std::convert::Infallible;

use super::reader::looks_like_ntest;
use super::{
    NtestKind, NtestLevel, NtestNode, NtestReader, NtestVersion, ntest_values, write_ntest,
};
use crate::files::books::format::{
    BookFacts, BookFormat, BookSource, Head, Levels, Mark, ReadResult,
};
use crate::files::books::not_held::BY_HAND;
use crate::files::books::{ExportReport, NotHeld};
use crate::store::{Reader, Repeats};

use super::layer;
use super::originals::Originals;
use super::part::{layers, three_values};
use crate::files::books::write::{Steps, WriteError, WriteJob, WriteResult};

pub(crate) struct NtestBook(pub(crate) NtestVersion);

const NOT_HELD: &[NotHeld] = &[
    NotHeld::of("best move out of the book", "a position of its own"),
    NotHeld::of("positions with fewer than 9 empties", "left out"),
    NotHeld::of("program, day", "nothing"),
    NotHeld::of("confidence", "one of NTest's six"),
    BY_HAND,
];

impl BookFormat for NtestBook {
    fn facts(&self) -> BookFacts {
        let facts = match self.0 {
            NtestVersion::Forest => BookFacts::of("ntest", "NTest book", &["book"]),
            NtestVersion::Records => BookFacts::of("ntest-1", "NTest book of format 1", &[]),
        };
        BookFacts {
            not_held: NOT_HELD,
            levels: Levels::Ntest,
            repeats: Some(Repeats { in_unit: |score| score, of_values: true }),
            ..facts
        }
    }

    /// A file of either version is read under the name of the newer one.
    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        let is_named = || self.facts().endings.contains(&head.ending().as_str());
        let looks_like_one = self.0 == NtestVersion::Forest && looks_like_ntest(head.bytes);
        looks_like_one.then(|| if is_named() { Mark::Ending } else { Mark::Content })
    }

    fn is_worth_keeping(&self, _head: &Head<'_>) -> bool {
        true
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        let BookSource { input, file, options, .. } = source;
        Ok(Box::new(match self.0 {
            NtestVersion::Forest => NtestReader::new(input, &file, options)?,
            NtestVersion::Records => NtestReader::first(input, &file, options)?,
        }))
    }

    /// All nodes with at least 9 empties, at a level or at the best that the book supports.
    ///
    /// A node that came from an NTest file and has not changed is written as it was there, so that a
    /// book that is only NTest's comes back byte for byte.
    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, mut output, ntest_level: level, .. } = job;
        let originals = Originals::of(book)?;
        let (nodes, mut report) = match as_it_stood(book, &originals, level, steps)? {
            Some(all) => all,
            None => {
                steps.done = 0;
                layer::nodes(book, &originals, level, steps)?
            }
        };
        report.left_out = steps.of - report.positions;
        report.ntest.nodes = nodes.len() as u64;
        write_ntest(&mut output, self.0, &nodes)?;
        Ok(report)
    }
}

/// The nodes of a book in which nothing has changed since it came from NTest; none of another book.
fn as_it_stood(
    book: &Reader,
    originals: &Originals,
    level: Option<NtestLevel>,
    steps: &mut Steps<'_>,
) -> Result<Option<(Vec<NtestNode>, ExportReport)>, WriteError> {
    if originals.is_empty() {
        return Ok(None);
    }
    let (mut nodes, mut ours) = (Vec::new(), Vec::new());
    let mut changed = false;
    for discs in layers(book)? {
        let found = book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
            steps.step()?;
            match originals.unchanged(&node) {
                Some(original) => {
                    nodes.push(original);
                    ours.push(three_values(&node));
                }
                None => changed = true,
            }
            // Ends the walk; the flag holds what was wrong.
            if changed { Err(WriteError::Stopped) } else { Ok(()) }
        });
        if changed {
            return Ok(None);
        }
        found?;
    }
    let mut report = ExportReport { positions: nodes.len() as u64, ..ExportReport::default() };
    report.unchanged = report.positions;
    report.ntest.level = originals.level();
    report.ntest.higher = level.filter(|level| Some(*level) > report.ntest.level).map(|level| {
        let is_less = |node: &&NtestNode| {
            node.kind() == NtestKind::Branch && node.search() < level.least(node.position.empties())
        };
        (level, nodes.iter().filter(is_less).count() as u64)
    });
    let Ok(theirs) = ntest_values(nodes.iter().map(|node| Ok::<_, Infallible>(*node)));
    let differences = &mut report.ntest.differences;
    for (node, ours) in nodes.iter().zip(ours) {
        let theirs = theirs.get(&node.position).copied().unwrap_or(ours);
        differences.as_in_file += u64::from(differences.count(ours, theirs));
    }
    Ok(Some((nodes, report)))
}
