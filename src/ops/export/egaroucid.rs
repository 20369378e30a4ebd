//! A book for Egaroucid: every position, deepest first, since a record counts the lines below it;
//! then those that came from its own files, as they stood there.

use std::fs::File;
use std::io::BufWriter;

use crate::board::{After, Key, Square, Squares};
use crate::book::{Node, deepest_first};
use crate::formats::egaroucid::{
    EgaroucidLevels, EgaroucidRecord, EgaroucidWriter, MOST_LINES, Moves,
};
use crate::search::Level;
use crate::store::Reader;

use super::children::{Child, LayerMaker, each_with_links};
use super::egaroucid_files::{EgaroucidFacts, EgaroucidFiles, Unchanged};
use super::terms::{Failure, KeyMap, Steps};
use crate::formats::ExportReport;

/// All nodes.
pub(super) fn book(
    book: &Reader,
    output: BufWriter<File>,
    level: Option<Level>,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    // One level for all is none that a record came with.
    let files =
        if level.is_some() { Ok(EgaroucidFiles::default()) } else { EgaroucidFiles::of(book) };
    let mut maker = Maker {
        files: files?,
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
    let Maker { files, mut writer, mut report, .. } = maker;
    report.unreached = files.left();
    files.write(|record| writer.write(record))?;
    writer.finish()?;
    Ok(report)
}

struct Maker {
    files: EgaroucidFiles,
    levels: EgaroucidLevels,
    writer: EgaroucidWriter<BufWriter<File>>,
    report: ExportReport,
    /// Records of the layer being written.
    here: KeyMap<EgaroucidFacts>,
    /// Records of the layer below.
    below: KeyMap<EgaroucidFacts>,
    /// Finished games of the layer below that have a record.
    finished: KeyMap<()>,
}

impl LayerMaker for Maker {
    type Facts = EgaroucidFacts;

    fn below(&self) -> &KeyMap<EgaroucidFacts> {
        &self.below
    }

    fn node(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<EgaroucidFacts>],
    ) -> Result<(), Failure> {
        let position = node.key.position();
        // The moves whose positions are written.
        let (mut linked, mut lines) = (0, 1);
        for link in links {
            let Some(known) = link.known else { continue };
            linked |= link.square.bit();
            lines += known.lines;
        }
        // A finished game has a record where no rest covers it, or where it came with one.
        if node.rest().is_none() || self.files.has_ends(node.key.discs() + 1) {
            for square in Squares(legal.0 & !linked) {
                let is_end = matches!(position.after(square), Some(After::Over(_)));
                if is_end && self.finished(node, square)? {
                    linked |= square.bit();
                    lines += 1;
                }
            }
        }
        let place = self.files.place(node);
        let unchanged = place.and_then(|place| self.files.unchanged(node, links, place));
        let as_in = unchanged.as_ref().and_then(|unchanged| unchanged.as_in);
        let moves = Moves { legal, linked, lines };
        let Some(record) = self.record(node, moves, unchanged) else { return Ok(()) };
        match place {
            Some(place) => self.files.put(place, record),
            None => self.writer.write(&record)?,
        }
        self.here.insert(node.key, EgaroucidFacts { lines: lines.min(MOST_LINES), as_in });
        Ok(())
    }
}

impl Maker {
    /// The record of a node: with all below it unchanged, as it stood in its file; else with the leaf
    /// that it had there while that is unchanged. A leaf half a turn away goes where it belongs.
    fn record(
        &mut self,
        node: &Node,
        moves: Moves,
        unchanged: Option<Unchanged>,
    ) -> Option<EgaroucidRecord> {
        let report = &mut self.report;
        if let Some(Unchanged { record, as_in: Some(_) }) = unchanged {
            report.positions += 1;
            report.unchanged += 1;
            report.search_due += u64::from(node.is_incomplete());
            return Some(record.with_sound_leaf());
        }
        let made = EgaroucidRecord::of(node, moves, self.levels.of(node), report)?;
        Some(match unchanged {
            Some(Unchanged { record, .. }) => {
                EgaroucidRecord { leaf: record.with_sound_leaf().leaf, ..made }
            }
            None => made,
        })
    }

    /// Writes the record of a finished game where it has one; whether it has.
    fn finished(&mut self, node: &Node, square: Square) -> Result<bool, Failure> {
        let Some(end) = node.key.position().play(square) else { return Ok(false) };
        let known = self.files.end(end);
        if node.rest().is_some() && known.is_none() {
            return Ok(false);
        }
        if self.finished.insert(Key::of(end), ()).is_none() {
            self.report.finished += 1;
            match known {
                Some((record, place)) => self.files.put(place, record),
                None => self.writer.write(&EgaroucidRecord::finished(Key::of(end).position()))?,
            }
        }
        Ok(true)
    }
}
