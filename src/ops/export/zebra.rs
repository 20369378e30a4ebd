//! A book for Zebra: what is reached from the start position.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufWriter;

use crate::board::{After, Key, Placed};
use crate::book::NodeSource;
use crate::formats::Format;
use crate::formats::zebra::{ZebraEntry, write_zebra};
use crate::store::Reader;

use super::terms::{Failure, Steps};
use crate::formats::ExportReport;

/// All nodes on lines from the start.
pub(super) fn book(
    book: &Reader,
    output: BufWriter<File>,
    format: Format,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let mut report = ExportReport::default();
    let mut entries = Vec::new();
    let mut seen: HashSet<Key, foldhash::fast::FixedState> = HashSet::default();
    let mut stack = vec![Placed::START];
    while let Some(placed) = stack.pop() {
        let (key, symmetry) = Key::with_symmetry(placed.position);
        if !seen.insert(key) {
            continue;
        }
        let Some(node) = book.node(&key)? else { continue };
        steps.step()?;
        report.positions += 1;
        let real = symmetry.inverse();
        entries.push(ZebraEntry::of(&node, placed, &mut report));
        for square in node.linked() {
            let next = match placed.position.after(real.square(square)) {
                Some(After::Opponent(next)) => Placed { position: next, side: placed.side.other() },
                Some(After::Same(next)) => Placed { position: next, side: placed.side },
                _ => continue,
            };
            stack.push(next);
        }
    }
    report.left_out = steps.of - report.positions;
    write(output, format, &entries)?;
    Ok(report)
}

/// Writes nodes in one of Zebra's files.
pub(super) fn write(
    mut output: BufWriter<File>,
    format: Format,
    entries: &[ZebraEntry],
) -> std::io::Result<()> {
    write_zebra(&mut output, format.zebra_shape().unwrap_or_default(), entries)
}
