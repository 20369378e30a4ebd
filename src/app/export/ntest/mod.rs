//! A book for NTest, such that it searches nothing when it loads it.

mod layer;
mod level;
mod part;

use std::convert::Infallible;
use std::fs::File;
use std::io::BufWriter;

use crate::files::books::ExportReport;
use crate::files::books::ntest::{
    NtestKind, NtestLevel, NtestNode, NtestVersion, ntest_values, write_ntest,
};
use crate::store::Reader;

use super::original::Originals;
use super::terms::{Failure, Steps};
use part::{layers, three_values};

/// All nodes with at least 9 empties, at a level or at the best that the book supports.
///
/// A node that came from an NTest file and has not changed is written as it was there, so that a
/// book that is only NTest's comes back byte for byte.
pub(super) fn book(
    book: &Reader,
    mut output: BufWriter<File>,
    version: NtestVersion,
    level: Option<NtestLevel>,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
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
    write_ntest(&mut output, version, &nodes)?;
    Ok(report)
}

/// The nodes of a book in which nothing has changed since it came from NTest; none of another book.
fn as_it_stood(
    book: &Reader,
    originals: &Originals,
    level: Option<NtestLevel>,
    steps: &mut Steps<'_>,
) -> Result<Option<(Vec<NtestNode>, ExportReport)>, Failure> {
    if originals.is_empty() {
        return Ok(None);
    }
    let (mut nodes, mut ours) = (Vec::new(), Vec::new());
    let mut changed = false;
    for discs in layers(book)? {
        let found = book.for_each_in_layer(discs, |node| -> Result<(), Failure> {
            steps.step()?;
            match originals.unchanged(&node) {
                Some(original) => {
                    nodes.push(original);
                    ours.push(three_values(&node));
                }
                None => changed = true,
            }
            // Ends the walk; the flag holds what was wrong.
            if changed { Err(Failure::Stopped) } else { Ok(()) }
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
