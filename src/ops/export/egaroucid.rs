//! A book for Egaroucid: every position, deepest first, since a record counts the lines below it.

use std::fs::File;
use std::io::BufWriter;

use crate::board::{After, Key, Square, Squares};
use crate::book::{Node, deepest_first};
use crate::formats::egaroucid::{EgaroucidLevels, EgaroucidRecord, EgaroucidWriter};
use crate::search::Level;
use crate::store::Reader;

use super::children::{Child, LayerMaker, each_with_links};
use super::terms::{Failure, KeyMap, Steps};
use crate::formats::ExportReport;

/// All nodes.
pub(super) fn book(
    book: &Reader,
    output: BufWriter<File>,
    level: Option<Level>,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let mut maker = Maker {
        levels: EgaroucidLevels::new(level, &book.sources()?),
        writer: EgaroucidWriter::new(output)?,
        report: ExportReport::default(),
        here: KeyMap::default(),
        below: KeyMap::default(),
        finished: KeyMap::default(),
    };
    let layers = book.counts()?.layers.into_iter().map(|(discs, _)| discs);
    deepest_first(layers, |discs, below| {
        maker.below = below.unwrap_or_default();
        maker.finished.clear();
        each_with_links(book, discs, &mut maker, steps)?;
        Ok::<_, Failure>(std::mem::take(&mut maker.here))
    })?;
    maker.writer.finish()?;
    Ok(maker.report)
}

struct Maker {
    levels: EgaroucidLevels,
    writer: EgaroucidWriter<BufWriter<File>>,
    report: ExportReport,
    /// Lines of the records of the layer being written.
    here: KeyMap<u64>,
    /// Lines of the records of the layer below.
    below: KeyMap<u64>,
    /// Finished games of the layer below that have a record.
    finished: KeyMap<()>,
}

impl LayerMaker for Maker {
    type Facts = u64;

    fn below(&self) -> &KeyMap<u64> {
        &self.below
    }

    fn node(&mut self, node: &Node, links: &[Child<u64>]) -> Result<(), Failure> {
        let position = node.key.position();
        let linked = links.iter().fold(0, |linked, link| linked | link.square.bit());
        let mut lines = 1 + links.iter().filter_map(|link| link.known).sum::<u64>();
        if node.rest.is_none() {
            for square in Squares(position.legal_moves().0 & !linked) {
                if matches!(position.after(square), Some(After::Over(_))) {
                    self.finished(node, square)?;
                    lines += 1;
                }
            }
        }
        let level = self.levels.of(node);
        let report = &mut self.report;
        if let Some(record) = EgaroucidRecord::of(node, linked, lines, level, report) {
            self.writer.write(&record)?;
            self.here.insert(node.key, u64::from(record.lines));
        }
        Ok(())
    }
}

impl Maker {
    /// The record of a finished game.
    fn finished(&mut self, node: &Node, square: Square) -> Result<(), Failure> {
        let Some(end) = node.key.position().play(square).map(Key::of) else { return Ok(()) };
        if self.finished.insert(end, ()).is_none() {
            self.report.finished += 1;
            self.writer.write(&EgaroucidRecord::finished(end.position()))?;
        }
        Ok(())
    }
}
