//! A book for Edax, such that its own `book fix` finds nothing to change.
//!
//! Layer after layer from the deepest, since a record's values need those of its children. Records
//! come out in that order; Edax takes any.

use std::collections::{BTreeMap, HashSet};
use std::io::{Seek, SeekFrom, Write};

use super::{
    EdaxChild, EdaxHeader, EdaxLeaf, EdaxLevels, EdaxMove, EdaxReader, EdaxRecord, EdaxTextReader,
    Errors, leaf_of, negamax, text_line,
};
use crate::openbook::{Node, deepest_first};
use crate::othello::board::{After, Key, Position, Square, Squares, parse_board};
use crate::othello::search::Level;
use crate::store::Reader;

use super::aside::Aside;
use crate::files::books::children::{Child, LayerMaker, each_with_links};
use crate::files::books::format::{
    BookFacts, BookFormat, BookSource, Head, Levels, Mark, ReadResult,
};
use crate::files::books::not_held::{BY_HAND, ONE_LEVEL, SEEKING, SIGNS, WHOLE_DISCS};
use crate::files::books::write::{KeyMap, Steps, WriteError, WriteJob, WriteResult};
use crate::files::books::{ExportReport, NotHeld};
use crate::openbook::ending::best_ending;
use crate::othello::text_lines::lines_of;

/// The binary book.
pub(crate) struct EdaxBook;

impl BookFormat for EdaxBook {
    fn facts(&self) -> BookFacts {
        BookFacts {
            not_held: &[WHOLE_DISCS, ONE_LEVEL, SIGNS, SEEKING, BY_HAND],
            states_links: true,
            wants_start: true,
            levels: Levels::Ours,
            ..BookFacts::of("edax", "Edax book", &["dat", "store"])
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        let marks = [b"XADEKOOB", b"EDAXBOOK"];
        marks.iter().any(|mark| head.bytes.starts_with(*mark)).then_some(Mark::Bytes)
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        Ok(Box::new(EdaxReader::new(source.input, &source.file, source.options)?))
    }

    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, mut output, level, saved, max_discs, .. } = job;
        // Count, level and empties are known at the end.
        EdaxHeader::new(saved).write(&mut output)?;
        let written = records(book, level, steps, &mut |record| record.write(&mut output))?;
        output.seek(SeekFrom::Start(0))?;
        written.header(saved, level, max_discs).write(&mut output)?;
        output.flush()?;
        Ok(written.report)
    }
}

/// The portable text.
pub(crate) struct EdaxText;

impl BookFormat for EdaxText {
    fn facts(&self) -> BookFacts {
        const LINKS: NotHeld =
            NotHeld::of("links, values of positions with links", "Edax finds them on import");
        BookFacts {
            not_held: &[WHOLE_DISCS, ONE_LEVEL, SIGNS, SEEKING, BY_HAND, LINKS],
            wants_start: true,
            levels: Levels::Ours,
            ..BookFacts::of("edax-text", "Edax text book", &["txt"])
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        let text = head.text();
        let line = lines_of(&text).find(|line| !line.starts_with(['%', '#']))?;
        let (board, _) = line.split_once(',')?;
        parse_board(board).is_ok().then_some(Mark::Content)
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        Ok(Box::new(EdaxTextReader::new(source.input, &source.file, source.options)))
    }

    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, mut output, level, .. } = job;
        let mut line = |record: &EdaxRecord| writeln!(output, "{}", text_line(record));
        let written = records(book, level, steps, &mut line)?;
        output.flush()?;
        Ok(written.report)
    }
}

/// What came out.
struct Written {
    report: ExportReport,
    count: u64,
    fewest_empties: u8,
    by_level: BTreeMap<Level, u64>,
    errors: Errors,
    /// What the book that this one came from said of itself.
    before: Option<EdaxHeader>,
}

impl Written {
    /// As the book that this one came from had it, as far as that still holds.
    fn header(
        &self,
        saved: (i16, i8, i8, i8, i8, i8),
        level: Option<Level>,
        max_discs: Option<u8>,
    ) -> EdaxHeader {
        let new = EdaxHeader::new(saved);
        EdaxHeader {
            saved: new.saved,
            level: i32::from(level.unwrap_or(self.common_level()).number()),
            empties: self.empties(max_discs),
            midgame_error: i32::from(self.errors.midgame),
            endcut_error: i32::from(self.errors.endcut),
            count: u32::try_from(self.count).unwrap_or(u32::MAX),
            ..self.before.unwrap_or(new)
        }
    }

    /// How far down the book is to be grown: as its first book was, while no record is further
    /// down than the moves of positions that are; no further than it is written.
    fn empties(&self, max_discs: Option<u8>) -> i32 {
        let fewest = i32::from(self.fewest_empties);
        let is_within = |stated: &i32| (0..=fewest + 1).contains(stated);
        let before = self.before.map(|header| header.empties);
        let whole = before.filter(is_within).unwrap_or(fewest);
        whole.max(max_discs.map_or(0, |most| 64 - i32::from(most)))
    }

    fn common_level(&self) -> Level {
        let common = self.by_level.iter().max_by_key(|&(&level, &count)| (count, level));
        // An empty book: the level that Edax itself starts with.
        common.map(|(&level, _)| level).or(Level::new(21)).unwrap_or(Level::MAX)
    }
}

/// Where records go.
type Sink<'a> = &'a mut dyn FnMut(&EdaxRecord) -> std::io::Result<()>;

fn records(
    book: &Reader,
    level: Option<Level>,
    steps: &mut Steps<'_>,
    sink: Sink<'_>,
) -> Result<Written, WriteError> {
    let sources = book.sources()?;
    let aside = Aside::of(book)?;
    let errors = aside.errors();
    let mut maker = Maker {
        levels: EdaxLevels::new(level, &sources),
        sink,
        written: Written {
            report: ExportReport::default(),
            count: 0,
            fewest_empties: 60,
            by_level: BTreeMap::new(),
            errors,
            before: aside.header(),
        },
        forced: level,
        errors,
        aside,
        here: KeyMap::default(),
        below: KeyMap::default(),
        passes: KeyMap::default(),
        only_values: Vec::new(),
    };
    let layers = book.counts()?.layers.into_iter().map(|(discs, _)| discs);
    deepest_first(layers, |discs, below: Option<KeyMap<EdaxChild>>| {
        if below.is_none() {
            // Nothing reaches what was left over.
            maker.place_values(&Reach::default())?;
        }
        maker.below = below.unwrap_or_default();
        maker.passes.clear();
        let reach = if maker.only_values.is_empty() {
            Reach::default()
        } else {
            Reach::of_layer(book, discs)?
        };
        maker.place_values(&reach)?;
        each_with_links(book, discs, &mut maker, steps)?;
        Ok::<_, WriteError>(std::mem::take(&mut maker.here))
    })?;
    maker.place_values(&Reach::default())?;
    maker.written.report.unreached = maker.aside.left();
    let by_level = maker.written.by_level.values();
    maker.written.report.other_levels =
        by_level.clone().sum::<u64>() - by_level.max().copied().unwrap_or(0);
    Ok(maker.written)
}

/// How the parents in a layer reach the positions below.
#[derive(Default)]
struct Reach {
    directly: HashSet<Key>,
    by_pass: HashSet<Key>,
}

impl Reach {
    fn of_layer(book: &Reader, discs: u8) -> Result<Self, WriteError> {
        let mut reach = Self::default();
        book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
            for square in node.linked() {
                match node.key.position().after(square) {
                    Some(After::Opponent(next)) => reach.directly.insert(Key::of(next)),
                    Some(After::Same(next)) => reach.by_pass.insert(Key::of(next)),
                    _ => false,
                };
            }
            Ok(())
        })?;
        Ok(reach)
    }
}

/// Makes records of nodes, layer after layer.
struct Maker<'a> {
    levels: EdaxLevels,
    /// The level of all records, where one is wanted.
    forced: Option<Level>,
    errors: Errors,
    aside: Aside,
    sink: Sink<'a>,
    written: Written,
    /// Records of the layer being written.
    here: KeyMap<EdaxChild>,
    /// Records of the layer below.
    below: KeyMap<EdaxChild>,
    /// Positions of the layer below whose side to move must pass.
    passes: KeyMap<EdaxChild>,
    /// Nodes of the layer below that have nothing but a value. Reached by a pass only, they are
    /// the pass record's leaf.
    only_values: Vec<Node>,
}

impl LayerMaker for Maker<'_> {
    type Facts = EdaxChild;

    fn below(&self) -> &KeyMap<EdaxChild> {
        &self.below
    }

    fn node(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<EdaxChild>],
    ) -> Result<(), WriteError> {
        let only_value = node.rest().is_some_and(|rest| rest.square.is_none())
            && node.links.is_empty()
            && !node.key.position().passed().can_move();
        if only_value {
            self.only_values.push(*node);
        } else if let Some(child) = self.record(node, legal, links)? {
            self.here.insert(node.key, child);
        }
        Ok(())
    }
}

impl Maker<'_> {
    fn write(&mut self, record: &EdaxRecord, level: Level) -> Result<EdaxChild, WriteError> {
        (self.sink)(record)?;
        self.written.count += 1;
        *self.written.by_level.entry(level).or_default() += 1;
        let fewest = &mut self.written.fewest_empties;
        *fewest = (*fewest).min(record.position.empties());
        Ok(EdaxChild::from(record))
    }

    /// Decides about the nodes of the layer below that have only a value.
    fn place_values(&mut self, reach: &Reach) -> Result<(), WriteError> {
        for node in std::mem::take(&mut self.only_values) {
            let key = Key::of(node.key.position().passed());
            let by_pass = reach.by_pass.contains(&node.key) || self.aside.has_record(key);
            if by_pass && !reach.directly.contains(&node.key) {
                let level = self.levels.of(&node);
                let level = self.level_aside(key, level);
                let Some(rest) = node.rest() else { continue };
                let report = &mut self.written.report;
                let record = EdaxRecord::passing(key.position(), level, rest, self.errors, report);
                let child = self.write(&record, level)?;
                self.passes.insert(key, child);
                self.written.report.passes += 1;
            } else if let Some(child) =
                self.record(&node, node.key.position().legal_moves(), &[])?
            {
                self.below.insert(node.key, child);
            }
        }
        Ok(())
    }

    /// Writes the record of a node; none when nothing is known of its value.
    fn record(
        &mut self,
        node: &Node,
        legal: Squares,
        links: &[Child<EdaxChild>],
    ) -> Result<Option<EdaxChild>, WriteError> {
        let position = node.key.position();
        let level = self.levels.of(node);
        let mut children = Vec::with_capacity(links.len());
        let mut open = legal.0;
        for link in links {
            let child = if link.same_side { self.pass(link, level)? } else { link.known };
            if let Some(child) = child {
                children.push((EdaxMove::Square(link.square), child));
                open &= !link.square.bit();
            }
        }
        let kept_leaf = self.kept_leaf(node);
        // A move that is no link has a record only where it ends the game and no rest covers it, or
        // where the game's end came with a record of its own.
        if node.rest().is_none() || self.aside.has_ends(node.key.discs() + 1) {
            let is_rest = |square| node.rest().is_some_and(|rest| rest.square == Some(square));
            for square in Squares(open) {
                let is_end = matches!(position.after(square), Some(After::Over(_)));
                let is_free = !is_rest(square) || kept_leaf.is_some();
                if is_end && is_free && (node.rest().is_none() || self.has_end(position, square)) {
                    let child = self.finished(position, square, level)?;
                    children.push((EdaxMove::Square(square), child));
                    open &= !square.bit();
                }
            }
        }
        let leaf = kept_leaf.unwrap_or_else(|| leaf_of(node, open, &mut self.written.report));
        if children.is_empty() && leaf == EdaxRecord::NO_LEAF {
            self.written.report.left_out += 1;
            return Ok(None);
        }
        if leaf == EdaxRecord::NO_LEAF && open != 0 {
            self.written.report.count_open(node);
        }
        let record = negamax(position, level, leaf, &children, self.errors);
        self.written.report.positions += 1;
        self.write(&record, level).map(Some)
    }

    /// The leaf that came with a record whose best other move ends the game, where that end is
    /// written as a record, too.
    fn kept_leaf(&self, node: &Node) -> Option<EdaxLeaf> {
        let leaf = self.aside.leaf(node.key)?;
        let position = node.key.position();
        let ending = best_ending(position)?;
        let is_linked = ending.square.is_some_and(|square| self.has_end(position, square));
        let is_free = |square: Square| {
            node.unlinked().any(|unlinked| unlinked == square) && !self.has_end(position, square)
        };
        // What the ending proves depends on the leaf: its move decides.
        let is_ending = node.rest().is_some_and(|rest| rest.square == ending.square);
        let is_unchanged = is_ending && leaf.played.square().is_some_and(is_free);
        (is_unchanged && is_linked).then_some(leaf)
    }

    /// Whether the finished game after a move came with a record.
    fn has_end(&self, position: Position, square: Square) -> bool {
        position.play(square).is_some_and(|end| self.aside.has_record(Key::of(end)))
    }

    /// The level of the record of a pass or a finished game: the one that it came with.
    fn level_aside(&mut self, key: Key, level: Level) -> Level {
        let kept = self.aside.write(key);
        self.forced.or(kept).unwrap_or(level)
    }

    /// The record of the position whose side to move must pass before the link's.
    fn pass(
        &mut self,
        link: &Child<EdaxChild>,
        level: Level,
    ) -> Result<Option<EdaxChild>, WriteError> {
        let key = Key::of(link.key.position().passed());
        if let Some(&known) = self.passes.get(&key) {
            return Ok(Some(known));
        }
        let Some(after) = link.known else { return Ok(None) };
        let children = [(EdaxMove::Pass, after)];
        let leaf = EdaxRecord::NO_LEAF;
        let level = self.level_aside(key, level);
        let record = negamax(key.position(), level, leaf, &children, self.errors);
        let child = self.write(&record, level)?;
        self.passes.insert(key, child);
        self.written.report.passes += 1;
        Ok(Some(child))
    }

    /// The record of a finished game.
    fn finished(
        &mut self,
        position: Position,
        square: Square,
        level: Level,
    ) -> Result<EdaxChild, WriteError> {
        // Legal: the caller has seen what follows the move.
        let end = Key::of(position.play(square).unwrap_or(position));
        if let Some(&known) = self.passes.get(&end) {
            return Ok(known);
        }
        let level = self.level_aside(end, level);
        let child = self.write(&EdaxRecord::finished(end.position(), level, self.errors), level)?;
        self.passes.insert(end, child);
        self.written.report.finished += 1;
        Ok(child)
    }
}
