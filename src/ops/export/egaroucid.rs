//! A book for Egaroucid: every position with its value, level, lines and leaf.

use std::fs::File;
use std::io::BufWriter;

use crate::board::{After, Key, Square};
use crate::book::{Node, Rest};
use crate::formats::egaroucid::{EgaroucidLeaf, EgaroucidRecord, EgaroucidWriter, level_of};
use crate::score::{CENTIDISCS, Score};
use crate::search::{Level, Proof};
use crate::store::{KnownSource, Reader};

use super::{ExportReport, Failure, KeyMap, Steps, likeliest};

/// Egaroucid stops counting lines here.
const MOST_LINES: u64 = 4_000_000_000;

/// All nodes, deepest first: a record counts the lines below it.
pub(super) fn book(
    book: &Reader,
    output: BufWriter<File>,
    level: Option<Level>,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let mut maker = Maker {
        sources: book.sources()?,
        level,
        writer: EgaroucidWriter::new(output)?,
        report: ExportReport::default(),
        here: KeyMap::default(),
        below: KeyMap::default(),
        finished: KeyMap::default(),
    };
    let mut last = u8::MAX;
    for (discs, _) in book.counts()?.layers.into_iter().rev() {
        if last != discs + 1 {
            maker.below.clear();
        }
        book.for_each_in_layer(discs, |node| {
            steps.step();
            maker.node(&node)
        })?;
        maker.below = std::mem::take(&mut maker.here);
        maker.finished.clear();
        last = discs;
    }
    maker.writer.finish()?;
    Ok(maker.report)
}

struct Maker {
    sources: Vec<KnownSource>,
    /// The level for all records, where one is wanted.
    level: Option<Level>,
    writer: EgaroucidWriter<BufWriter<File>>,
    report: ExportReport,
    /// Lines of the records of the layer being written.
    here: KeyMap<u64>,
    /// Lines of the records of the layer below.
    below: KeyMap<u64>,
    /// Finished games of the layer below that have a record.
    finished: KeyMap<()>,
}

impl Maker {
    fn node(&mut self, node: &Node) -> Result<(), Failure> {
        let position = node.key.position();
        let linked = node.links.squares(node.key);
        let mut lines = 1u64;
        for square in position.legal_moves() {
            match position.after(square) {
                Some(After::Opponent(next) | After::Same(next)) if linked & square.bit() != 0 => {
                    lines += self.below.get(&Key::of(next)).copied().unwrap_or_default();
                }
                Some(After::Over(_)) if node.rest.is_none() => {
                    self.finished(node, square)?;
                    lines += 1;
                }
                _ => {}
            }
        }
        let lines = lines.min(MOST_LINES);
        let incomplete = node.is_incomplete();
        if incomplete && node.links.0 == 0 {
            self.report.left_out += 1;
            return Ok(());
        }
        let level = self.level(node);
        let leaf = match node.rest {
            Some(Rest { square: Some(square), score, .. }) => {
                EgaroucidLeaf { value: self.discs(score), played: number(square), level }
            }
            // A value of all moves that are no links must not be lost; without links the record's own
            // value says it.
            Some(Rest { square: None, score, .. }) if node.links.0 != 0 => {
                let open = position.legal_moves().0 & !linked;
                match likeliest(position, open) {
                    Some(square) => {
                        self.report.likely_moves += 1;
                        EgaroucidLeaf { value: self.discs(score), played: number(square), level }
                    }
                    None => EgaroucidLeaf::UNKNOWN,
                }
            }
            None if !incomplete => EgaroucidLeaf::exhausted(level),
            _ => {
                self.report.search_due += u64::from(incomplete);
                EgaroucidLeaf::UNKNOWN
            }
        };
        let value = self.discs(node.values.guess);
        self.write(&EgaroucidRecord { position, value, level, lines: lines as u32, leaf })?;
        self.report.positions += 1;
        self.here.insert(node.key, lines);
        Ok(())
    }

    /// The record of a finished game.
    fn finished(&mut self, node: &Node, square: Square) -> Result<(), Failure> {
        let Some(end) = node.key.position().play(square).map(Key::of) else { return Ok(()) };
        if self.finished.insert(end, ()).is_some() {
            return Ok(());
        }
        self.report.finished += 1;
        let leaf = EgaroucidLeaf::exhausted(60);
        let (position, value) = (end.position(), end.position().final_score());
        self.write(&EgaroucidRecord { position, value, level: 60, lines: 0, leaf })
    }

    fn write(&mut self, record: &EgaroucidRecord) -> Result<(), Failure> {
        Ok(self.writer.write(record)?)
    }

    /// Whole discs, halves towards zero.
    fn discs(&mut self, score: Score) -> i8 {
        let centidiscs = score.centidiscs();
        self.report.rounded += u64::from(centidiscs % CENTIDISCS != 0);
        let half = if centidiscs < 0 { -49 } else { 49 };
        ((centidiscs + half) / CENTIDISCS) as i8
    }

    fn level(&self, node: &Node) -> i8 {
        if let Some(level) = self.level {
            return level.number() as i8;
        }
        let empties = node.key.position().empties();
        let searched = node.searched;
        let source = self.sources.iter().find(|known| known.id == searched.source);
        if let Some(source) = source.map(|known| &known.source)
            && source.format == crate::formats::Format::Egaroucid.name()
        {
            match source.level.as_str() {
                "" => return -1,
                "typed" => return 70,
                level => {
                    if let Ok(level) = level.parse() {
                        return level;
                    }
                }
            }
        }
        let exact = node.values.is_exact()
            || node.rest.is_some_and(|rest| rest.proof == Proof::Exact && node.links.0 == 0);
        level_of(empties, searched.depth, searched.selectivity, exact) as i8
    }
}

/// The bit number in the stored words: they are written as they are, and so are their squares.
fn number(square: Square) -> i8 {
    square.number() as i8
}
