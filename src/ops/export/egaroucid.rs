//! A book for Egaroucid: every position with its value, level, lines and leaf.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;

use foldhash::fast::FixedState;

use crate::board::{After, Key, Square, Squares};
use crate::book::{Node, Rest, deepest_first};
use crate::formats::egaroucid::{EgaroucidLeaf, EgaroucidRecord, EgaroucidWriter, level_of};
use crate::score::{CENTIDISCS, Score};
use crate::search::{Level, Proof};
use crate::store::{KnownSource, Reader};

use super::children::{Child, LayerMaker, each_with_links};
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
        levels: HashMap::default(),
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
    sources: Vec<KnownSource>,
    /// The level for all records, where one is wanted.
    level: Option<Level>,
    /// Levels found before, by empties, depth, confidence and whether it is exact.
    levels: HashMap<(u8, u8, u8, bool), i8, FixedState>,
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
    type Known = u64;

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
        let lines = lines.min(MOST_LINES);
        let incomplete = node.is_incomplete();
        if incomplete && node.links.is_empty() {
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
            Some(Rest { square: None, score, .. }) if !node.links.is_empty() => {
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
}

impl Maker {
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

    fn level(&mut self, node: &Node) -> i8 {
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
            || node.rest.is_some_and(|rest| rest.proof == Proof::Exact && node.links.is_empty());
        let facts = (empties, searched.depth, searched.selectivity.percent(), exact);
        *self
            .levels
            .entry(facts)
            .or_insert_with(|| level_of(empties, searched.depth, searched.selectivity, exact) as i8)
    }
}

/// The bit number in the stored words: they are written as they are, and so are their squares.
fn number(square: Square) -> i8 {
    square.number() as i8
}
