//! Egaroucid's files that the book was made from: what has not changed since is written as it was,
//! and where it was.

use std::collections::HashMap;
use std::io;

use foldhash::fast::FixedState;

use super::{EgaroucidReader, EgaroucidRecord};
use crate::files::books::{Format, ReadOptions};
use crate::openbook::{Node, SourceId, child_of};
use crate::othello::board::{Key, Position, Square};
use crate::store::Reader;

use crate::files::books::children::Child;
use crate::files::books::kept_files::kept_files;
use crate::files::books::write::{KeyMap, WriteError};
use crate::openbook::ending::rest_with_ending;

/// The kept files of a book.
#[derive(Default)]
pub(super) struct EgaroucidFiles {
    files: Vec<File>,
    of_source: HashMap<SourceId, usize, FixedState>,
}

/// What a record must know of those that it links to.
#[derive(Clone, Copy)]
pub(super) struct EgaroucidFacts {
    pub(super) lines: u64,
    /// What Egaroucid's "fix" makes of its value, in discs for its side to move.
    pub(super) fixed: i8,
    /// The file in which it and all below it is as in the book.
    pub(super) as_in: Option<usize>,
}

/// A record of a file.
#[derive(Clone, Copy)]
pub(super) struct Place {
    file: usize,
    slot: usize,
}

/// A record whose own search and links are what they were.
pub(super) struct Unchanged {
    pub(super) record: EgaroucidRecord,
    /// The file, when all below is as it was, too.
    pub(super) as_in: Option<usize>,
}

struct File {
    /// The records in their order, and whether each has been given its new content.
    records: Vec<(EgaroucidRecord, bool)>,
    /// Where the first record of a position is.
    index: KeyMap<usize>,
    /// How many positions it has by number of discs, and how many of them the book has.
    counts: [[u64; 2]; 65],
    /// A bit for each number of discs that a finished game has.
    ends: u128,
}

impl EgaroucidFiles {
    pub(super) fn of(book: &Reader) -> Result<Self, WriteError> {
        let mut all = Self::default();
        for kept in kept_files(book, Format::Egaroucid)? {
            // A file that cannot be read any more is as good as none.
            let Some(file) = File::read(&kept.bytes) else { continue };
            let number = all.files.len();
            all.files.push(file);
            for source in kept.sources {
                all.of_source.entry(source).or_insert(number);
            }
        }
        Ok(all)
    }

    /// The place of a node's record: in the file that it came from, else in the first that has one.
    pub(super) fn place(&self, node: &Node) -> Option<Place> {
        let own = self.of_source.get(&node.searched.source).copied();
        let mut place = None;
        for (number, file) in self.files.iter().enumerate() {
            let Some(&slot) = file.index.get(&node.key) else { continue };
            if place.is_none() || own == Some(number) {
                place = Some(Place { file: number, slot });
            }
        }
        place
    }

    /// Notes that the book has a position: each once, the deepest first.
    pub(super) fn count(&mut self, key: Key) {
        for file in self.files.iter_mut().filter(|file| file.index.contains_key(&key)) {
            let [_, in_book] = &mut file.counts[usize::from(key.discs())];
            *in_book += 1;
        }
    }

    /// The record of a node, when neither its search nor its links changed since it came. All positions that the
    /// book has below it have been counted.
    pub(super) fn unchanged(
        &self,
        node: &Node,
        links: &[Child<EgaroucidFacts>],
        place: Place,
    ) -> Option<Unchanged> {
        if self.of_source.get(&node.searched.source) != Some(&place.file) {
            return None;
        }
        let file = &self.files[place.file];
        let (record, _) = file.records[place.slot];
        let is_same_search = record.searched() == (node.searched.depth, node.searched.selectivity);
        if !is_same_search || !file.has_links(node, links) || !has_rest(node, &record) {
            return None;
        }
        let is_below = |link: &Child<EgaroucidFacts>| {
            link.known.is_some_and(|known| known.as_in == Some(place.file))
        };
        Some(Unchanged { record, as_in: links.iter().all(is_below).then_some(place.file) })
    }

    /// Whether a game that is finished with so many discs may have a record.
    pub(super) fn has_ends(&self, discs: u8) -> bool {
        self.files.iter().any(|file| file.ends >> discs & 1 != 0)
    }

    /// The record of a finished game, as either side may see it.
    pub(super) fn end(&self, end: Position) -> Option<(EgaroucidRecord, Place)> {
        let keys = [end, end.passed()].map(Key::of);
        self.files.iter().enumerate().find_map(|(number, file)| {
            let slot = keys.iter().find_map(|key| file.index.get(key).copied())?;
            let (record, _) = file.records[slot];
            Some((record, Place { file: number, slot }))
        })
    }

    pub(super) fn put(&mut self, place: Place, record: EgaroucidRecord) {
        self.files[place.file].records[place.slot] = (record, true);
    }

    /// Gives away all records that have been put, in the order of the files.
    pub(super) fn write(
        &self,
        mut sink: impl FnMut(&EgaroucidRecord) -> io::Result<()>,
    ) -> io::Result<()> {
        let all = self.files.iter().flat_map(|file| &file.records);
        all.filter(|(_, is_put)| *is_put).try_for_each(|(record, _)| sink(record))
    }

    /// How many records of finished games and forced passes have not been put.
    pub(super) fn left(&self) -> u64 {
        let all = self.files.iter().flat_map(|file| &file.records);
        let left = all.filter(|(record, is_put)| !is_put && !record.position.can_move());
        left.count() as u64
    }
}

impl File {
    fn read(bytes: &[u8]) -> Option<Self> {
        let options = ReadOptions { lenient: true };
        let mut reader = EgaroucidReader::new(bytes, "", options).ok()?;
        let mut file =
            Self { records: Vec::new(), index: KeyMap::default(), counts: [[0; 2]; 65], ends: 0 };
        while let Some((_, record)) = reader.next_raw().ok()? {
            let position = record.position;
            // Egaroucid takes a board as it is stored.
            if let Some(key) = Key::from_canonical(position) {
                let slot = file.records.len();
                let is_first = *file.index.entry(key).or_insert(slot) == slot;
                if is_first
                    && position.can_move()
                    && let Some([in_file, _]) = file.counts.get_mut(usize::from(key.discs()))
                {
                    *in_file += 1;
                }
                if !position.can_move() && !position.passed().can_move() {
                    file.ends |= 1 << key.discs();
                }
            }
            file.records.push((record, false));
        }
        Some(file)
    }

    /// Whether the links of a node are what the records of this file make of it.
    fn has_links(&self, node: &Node, links: &[Child<EgaroucidFacts>]) -> bool {
        if !links.iter().all(|link| self.index.contains_key(&link.key)) {
            return false;
        }
        // Where the book has every position of the file, no link was lost.
        let below = usize::from(node.key.discs()) + 1;
        let is_whole = self.counts.get(below).is_none_or(|[in_file, in_book]| in_file == in_book);
        let leads_there = |square: Square| {
            child_of(node.key.position(), square)
                .is_some_and(|(child, _)| self.index.contains_key(&child))
        };
        is_whole || !node.unlinked().any(leads_there)
    }
}

/// Whether a node still has the rest that it got from its record.
fn has_rest(node: &Node, record: &EgaroucidRecord) -> bool {
    let rest = match record.alone() {
        Some(alone) if node.links.is_empty() => Some(alone),
        _ => record.rest(),
    };
    let mut then = Node { record: rest, ..*node };
    then.drop_linked_rest();
    then.record == node.rest() || rest_with_ending(then.record, node) == node.rest()
}
