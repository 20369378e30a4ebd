//! A book for NTest: which nodes there are; what they say is NTest's own affair.

use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::BufWriter;

use crate::board::Key;
use crate::formats::ntest::{Encoded, FEWEST_EMPTIES, NtestNode, NtestVersion, write_ntest};
use crate::store::Reader;

use super::original::Originals;
use super::terms::{Failure, KeyMap, Steps};
use crate::formats::ExportReport;

/// All nodes with at least 9 empties.
///
/// A node that came from an NTest file and has not changed is written as it stood there, so that a
/// book that is only NTest's comes back byte for byte.
pub(super) fn book(
    book: &Reader,
    mut output: BufWriter<File>,
    version: NtestVersion,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let originals = Originals::of(book)?;
    let mut report = ExportReport::default();
    let mut nodes = Vec::new();
    // Positions after a best move that is in no book, and their place among the nodes.
    let mut added = KeyMap::default();
    for (discs, _) in book.counts()?.layers {
        if 64 - discs < FEWEST_EMPTIES {
            continue;
        }
        book.for_each_in_layer(discs, |node| -> Result<(), Failure> {
            steps.step()?;
            report.positions += 1;
            if let Some(original) = originals.unchanged(&node) {
                nodes.push(original);
                report.unchanged += 1;
                return Ok(());
            }
            let Some(Encoded { node, best }) = Encoded::of(&node, &mut report) else {
                return Ok(());
            };
            let played = |made: NtestNode| NtestNode {
                games: originals.games(Key::of(made.position)),
                ..made
            };
            if let Some(best) = best {
                add(played(best), &mut nodes, &mut added, &mut report);
            }
            nodes.push(played(node));
            Ok(())
        })?;
    }
    report.left_out = steps.of - report.positions;
    write_ntest(&mut output, version, &nodes)?;
    Ok(report)
}

/// Adds the position after a best move. Two positions may lead there: the deeper search of the two
/// counts.
fn add(
    made: NtestNode,
    nodes: &mut Vec<NtestNode>,
    added: &mut KeyMap<usize>,
    report: &mut ExportReport,
) {
    match added.entry(Key::of(made.position)) {
        Entry::Vacant(entry) => {
            entry.insert(nodes.len());
            nodes.push(made);
            report.added += 1;
        }
        Entry::Occupied(entry) => {
            if let Some(known) = nodes.get_mut(*entry.get()) {
                report.disagree += u64::from(known.number != made.number);
                if known.height < made.height {
                    *known = made;
                }
            }
        }
    }
}
