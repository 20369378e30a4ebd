//! A book for Egaroucid: every position, deepest first, since a record counts the lines below it;
//! then those that came from its own files, as they were there.
//!
//! Egaroucid's own "fix" takes for the value of a record the best of those that its moves lead to,
//! whatever its leaf says. So the position after a leaf that is better than all of them becomes a record, and
//! a layer is gone through twice: first for those, then for the records themselves.

use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::BufWriter;

use super::layout::MAGIC;
use super::{
    EgaroucidDeviation, EgaroucidLevels, EgaroucidReader, EgaroucidRecord, EgaroucidWriter,
    MOST_LINES, Moves, whole_discs,
};
use crate::files::books::format::{
    BookFacts, BookFormat, BookSource, Head, Levels, Mark, ReadResult,
};
use crate::files::books::not_held::{BY_HAND, ONE_LEVEL, SEEKING, SIGNS, WHOLE_DISCS};
use crate::files::books::{ExportReport, NotHeld};
use crate::openbook::{Node, deepest_first};
use crate::othello::board::{After, Bitboard, Key, Position, Square, Squares};
use crate::othello::score::Score;
use crate::store::Repeats;

use super::files::{EgaroucidFacts, EgaroucidFiles, Unchanged};
use crate::files::books::children::{Child, LayerMaker, each_with_links};
use crate::files::books::write::{KeyMap, Steps, WriteError, WriteJob, WriteResult};

/// What [`ExportReport::fix_changes`] counts.
pub(crate) const FIX_CHANGES: &str =
    "positions whose value Egaroucid's 'fix' would change (its 'fix (Edax)' would not)";

pub(crate) struct EgaroucidBook;

/// The ending of what is written.
const NEWEST: &str = "egbk3";
/// The ending of the oldest layout, which has no other mark.
const OLDEST: &str = "egbk";

impl BookFormat for EgaroucidBook {
    fn facts(&self) -> BookFacts {
        const LINKS: NotHeld = NotHeld::of("links", "every move to another record is one");
        let in_unit = |score| Score::from_discs(whole_discs(score));
        BookFacts {
            not_held: &[WHOLE_DISCS, ONE_LEVEL, SIGNS, SEEKING, BY_HAND, LINKS],
            wants_start: true,
            levels: Levels::Ours,
            written_as: Some(NEWEST),
            has_sure_ending: true,
            repeats: Some(Repeats { in_unit, of_values: false }),
            ..BookFacts::of("egaroucid", "Egaroucid book", &[NEWEST, "egbk2", OLDEST])
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        match head.bytes.starts_with(MAGIC) {
            true => Some(Mark::Bytes),
            false => (!self.has_levels(head)).then_some(Mark::Ending),
        }
    }

    fn has_levels(&self, head: &Head<'_>) -> bool {
        head.ending() != OLDEST || head.bytes.starts_with(MAGIC)
    }

    fn is_worth_keeping(&self, head: &Head<'_>) -> bool {
        head.bytes.strip_prefix(MAGIC).is_some_and(|rest| rest.first() == Some(&3))
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        let BookSource { input, file, options, has_levels, level } = source;
        Ok(Box::new(match has_levels {
            true => EgaroucidReader::new(input, &file, options)?,
            false => EgaroucidReader::oldest(input, &file, options)?.at_level(level),
        }))
    }

    /// All nodes.
    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, output, level, .. } = job;
        // One level for all is none that a record came with.
        let files =
            if level.is_some() { Ok(EgaroucidFiles::default()) } else { EgaroucidFiles::of(book) };
        let mut maker = Maker {
            files: files?,
            levels: EgaroucidLevels::new(level, &book.sources()?),
            writer: EgaroucidWriter::new(output)?,
            report: ExportReport::default(),
            here: KeyMap::default(),
            below: Layer::default(),
            after_next: Layer::default(),
            wanted: KeyMap::default(),
        };
        let layers = book.counts()?.layers.into_iter().map(|(discs, _)| discs);
        deepest_first(layers, |discs, below: Option<KeyMap<EgaroucidFacts>>| {
            let records = below.unwrap_or_default();
            let next = Layer { records, ends: KeyMap::default() };
            maker.after_next = match next.records.is_empty() {
                true => Layer::default(),
                false => std::mem::take(&mut maker.below),
            };
            maker.below = next;
            // Each position counts once.
            let done = steps.done;
            each_with_links(book, discs, &mut Seeker(&mut maker), steps)?;
            steps.done = done;
            maker.add_wanted()?;
            each_with_links(book, discs, &mut maker, steps)?;
            Ok::<_, WriteError>(std::mem::take(&mut maker.here))
        })?;
        let Maker { files, mut writer, mut report, .. } = maker;
        report.unreached = files.left();
        files.write(|record| writer.write(record))?;
        writer.finish()?;
        Ok(report)
    }
}

/// Records with equally many discs.
#[derive(Default)]
struct Layer {
    /// By position, those that are no nodes too.
    records: KeyMap<EgaroucidFacts>,
    /// Finished games, as one of the sides sees them.
    ends: KeyMap<()>,
}

impl Layer {
    fn has_end(&self, end: Position) -> bool {
        !self.ends.is_empty()
            && [end, end.passed()].into_iter().any(|end| self.ends.contains_key(&Key::of(end)))
    }

    /// Whether a move leads from a position to one of these.
    fn follows(&self, key: Key) -> bool {
        let position = key.position();
        position.legal_moves().any(|square| match position.after(square) {
            Some(After::Over(_)) => position.play(square).is_some_and(|end| self.has_end(end)),
            Some(After::Opponent(next) | After::Same(next)) => {
                self.records.contains_key(&Key::of(next))
            }
            None => false,
        })
    }
}

/// What Egaroucid sees of the moves of a record.
struct Seen {
    linked: Bitboard,
    lines: u64,
    /// The best of them by its "fix", in discs for the side to move.
    best: Option<i8>,
    /// The best of those that are no links of the node.
    best_added: Option<i8>,
}

impl Seen {
    fn of(links: &[Child<EgaroucidFacts>]) -> Self {
        let mut seen = Self { linked: 0, lines: 1, best: None, best_added: None };
        for link in links {
            if let Some(known) = link.known {
                seen.take(link.square, known, link.same_side);
            }
        }
        seen
    }

    fn take(&mut self, square: Square, known: EgaroucidFacts, same_side: bool) -> i8 {
        let value = if same_side { known.fixed } else { -known.fixed };
        self.linked |= square.bit();
        self.lines += known.lines;
        self.best = self.best.max(Some(value));
        value
    }

    fn take_end(&mut self, square: Square, discs: i8) {
        self.linked |= square.bit();
        self.lines += 1;
        self.best = self.best.max(Some(discs));
    }
}

struct Maker {
    files: EgaroucidFiles,
    levels: EgaroucidLevels,
    writer: EgaroucidWriter<BufWriter<File>>,
    report: ExportReport,
    /// Records of the layer being written.
    here: KeyMap<EgaroucidFacts>,
    /// Records a disc further down, and two.
    below: Layer,
    after_next: Layer,
    /// Best moves out of the book that are to have a record, by position.
    wanted: KeyMap<EgaroucidDeviation>,
}

/// Finds the positions that must have a record though they are no nodes.
struct Seeker<'a>(&'a mut Maker);

impl LayerMaker for Seeker<'_> {
    type Facts = EgaroucidFacts;

    fn below(&self) -> &KeyMap<EgaroucidFacts> {
        &self.0.below.records
    }

    fn node(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<EgaroucidFacts>],
    ) -> Result<(), WriteError> {
        let position = node.key.position();
        let mut seen = Seen::of(links);
        // A finished game has a record where no rest covers it, or where it came with one.
        let is_covered = node.rest().is_some();
        if !is_covered || self.0.files.has_ends(node.key.discs() + 1) {
            for square in Squares(legal.0 & !seen.linked) {
                if let Some(After::Over(discs)) = position.after(square)
                    && self.0.finished(position, square, !is_covered)?
                {
                    seen.take_end(square, discs);
                }
            }
        }
        self.0.want(node, legal, links, &seen)
    }
}

impl LayerMaker for Maker {
    type Facts = EgaroucidFacts;

    fn below(&self) -> &KeyMap<EgaroucidFacts> {
        &self.below.records
    }

    fn node(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<EgaroucidFacts>],
    ) -> Result<(), WriteError> {
        let mut seen = Seen::of(links);
        self.see_others(node.key.position(), legal, &mut seen);
        let leaf = node.rest().map(|rest| whole_discs(rest.values().guess));
        let Seen { linked, lines, best, best_added } = seen;
        let place = self.files.place(node);
        self.files.count(node.key);
        let unchanged = place.and_then(|place| self.files.unchanged(node, links, place));
        // With a move to a record that the file did not have it is not what it was.
        let unchanged = unchanged.map(|unchanged| match best_added {
            Some(_) => Unchanged { as_in: None, ..unchanged },
            None => unchanged,
        });
        let as_in = unchanged.as_ref().and_then(|unchanged| unchanged.as_in);
        let holds_leaf = best_added.is_some_and(|best| leaf.is_some_and(|leaf| leaf <= best));
        let moves = Moves { legal, linked, lines, holds_leaf };
        let Some(record) = self.record(node, moves, unchanged) else { return Ok(()) };
        match place {
            Some(place) => self.files.put(place, record),
            None => self.writer.write(&record)?,
        }
        let fixed = best.unwrap_or(record.value);
        self.report.fix_changes += u64::from(fixed != record.value);
        let lines = lines.min(MOST_LINES);
        self.here.insert(node.key, EgaroucidFacts { lines, as_in, fixed });
        Ok(())
    }
}

impl Maker {
    /// The moves of a position that lead to records and are no links.
    fn see_others(&self, position: Position, legal: Squares, seen: &mut Seen) {
        for square in Squares(legal.0 & !seen.linked) {
            match position.after(square) {
                Some(After::Over(discs))
                    if position.play(square).is_some_and(|end| self.below.has_end(end)) =>
                {
                    seen.take_end(square, discs);
                }
                Some(after @ (After::Opponent(next) | After::Same(next))) => {
                    let known = self.below.records.get(&Key::of(next));
                    if let Some(&known) = known {
                        let same_side = matches!(after, After::Same(_));
                        let value = seen.take(square, known, same_side);
                        seen.best_added = seen.best_added.max(Some(value));
                    }
                }
                Some(After::Over(_)) | None => {}
            }
        }
    }

    /// Makes the leaf of a node a record of its own, or asks for it, where it is better than all moves that
    /// have one; not where it is as in its file.
    fn want(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<EgaroucidFacts>],
        seen: &Seen,
    ) -> Result<(), WriteError> {
        let (Some(rest), Some(best)) = (node.rest(), seen.best) else { return Ok(()) };
        if whole_discs(rest.values().guess) <= best {
            return Ok(());
        }
        let place = self.files.place(node);
        if place.is_some_and(|place| self.files.unchanged(node, links, place).is_some()) {
            return Ok(());
        }
        let position = node.key.position();
        let left = legal.0 & !seen.linked;
        if let Some(square) = rest.square
            && matches!(position.after(square), Some(After::Over(_)))
        {
            return self.finished(position, square, true).map(drop);
        }
        // The fix would give a record the value of what follows it.
        let is_free =
            |key: Key| !self.below.records.contains_key(&key) && !self.after_next.follows(key);
        let Some(deviation) = EgaroucidDeviation::of(node, rest, left, is_free) else {
            return Ok(());
        };
        // Two positions may lead to the same: the deeper search of the two counts.
        match self.wanted.entry(deviation.key) {
            Entry::Vacant(free) => _ = free.insert(deviation),
            Entry::Occupied(mut known) => {
                self.report.disagree += u64::from(known.get().value != deviation.value);
                if known.get().strength() < deviation.strength() {
                    known.insert(deviation);
                }
            }
        }
        Ok(())
    }

    /// Writes the records that were asked for, in the order of their positions.
    fn add_wanted(&mut self) -> Result<(), WriteError> {
        let mut wanted: Vec<EgaroucidDeviation> =
            self.wanted.drain().map(|(_, deviation)| deviation).collect();
        wanted.sort_unstable_by_key(|deviation| deviation.key);
        for deviation in wanted {
            let record = deviation.record(&mut self.levels);
            self.writer.write(&record)?;
            self.report.added += 1;
            let facts = EgaroucidFacts { lines: 1, as_in: None, fixed: record.value };
            self.below.records.insert(deviation.key, facts);
        }
        Ok(())
    }

    /// The record of a node: with all below it unchanged, as in its file; else with the leaf that it
    /// had there while that is unchanged. A leaf half a turn away goes where it belongs.
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
        let is_left = |record: &EgaroucidRecord| {
            record.leaf_square().is_none_or(|square| moves.linked & square.bit() == 0)
        };
        let unchanged = unchanged.map(|unchanged| unchanged.record.with_sound_leaf());
        Some(match unchanged.filter(is_left) {
            Some(record) => EgaroucidRecord { leaf: record.leaf, ..made },
            None => made,
        })
    }

    /// Writes the record of a finished game where it came with one or is to have one; whether it has.
    fn finished(
        &mut self,
        position: Position,
        square: Square,
        is_wanted: bool,
    ) -> Result<bool, WriteError> {
        let Some(end) = position.play(square) else { return Ok(false) };
        let known = self.files.end(end);
        if !is_wanted && known.is_none() {
            return Ok(false);
        }
        if self.below.ends.insert(Key::of(end), ()).is_none() {
            self.report.finished += 1;
            match known {
                Some((record, place)) => self.files.put(place, record),
                None => self.writer.write(&EgaroucidRecord::finished(Key::of(end).position()))?,
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::files::books::sniff;
    use crate::othello::board::Position;

    #[test]
    fn the_oldest_layout_is_recognized_by_its_ending() {
        let start = |count: u8| {
            let mut bytes = vec![count, 0, 0, 0];
            bytes.extend(Position::START.mover.to_le_bytes());
            bytes.extend(Position::START.opponent.to_le_bytes());
            bytes.push(64);
            bytes
        };
        let (one, two) = (start(1), start(2));
        for (name, head) in [("x.dat", &b"DICUORAGE\x03"[..]), ("x.egbk", &one), ("x.EGBK", &two)] {
            assert_eq!(sniff(Path::new(name), head).unwrap().name(), "egaroucid", "{name}");
        }
    }
}
