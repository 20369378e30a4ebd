//! What the book keeps of Edax books that it was made from: their settings, their records of
//! finished games and forced passes, and leaves that the end of a game beats.

use std::collections::hash_map::Entry;

use super::{EdaxHeader, EdaxLeaf, EdaxReader, EdaxRecord, Errors};
use crate::files::books::{Format, ReadOptions};
use crate::othello::board::Key;
use crate::othello::score::MAX_DISCS;
use crate::othello::search::Level;
use crate::store::Reader;

use crate::files::books::kept_files::kept_files;
use crate::files::books::write::{KeyMap, WriteError};

/// A kept record of a finished game or of a forced pass.
struct Kept {
    level: Option<Level>,
    is_written: bool,
}

/// What is kept of all of them; of two records of one position the first.
#[derive(Default)]
pub(super) struct Aside {
    header: Option<EdaxHeader>,
    /// By position: neither side moves there, or the side to move must pass.
    records: KeyMap<Kept>,
    /// A bit for each number of discs that a finished game has.
    ends: u128,
    leaves: KeyMap<EdaxLeaf>,
}

impl Aside {
    pub(super) fn of(book: &Reader) -> Result<Self, WriteError> {
        let mut aside = Self::default();
        for format in [Format::Edax, Format::EdaxText] {
            for file in kept_files(book, format)? {
                aside.take(&file.bytes, format);
            }
        }
        Ok(aside)
    }

    /// What cannot be read any more is as good as not kept.
    fn take(&mut self, bytes: &[u8], format: Format) {
        let Ok(mut reader) = EdaxReader::new(bytes, "", ReadOptions::default()) else { return };
        if format == Format::Edax {
            self.header.get_or_insert(*reader.header());
        }
        while let Ok(Some((_, record))) = reader.next_raw() {
            let EdaxRecord { position, level, leaf, .. } = record;
            let key = Key::of(position);
            if position.can_move() {
                // A lenient import passed over others.
                if (-MAX_DISCS..=MAX_DISCS).contains(&leaf.score) {
                    self.leaves.entry(key).or_insert(leaf);
                }
                continue;
            }
            if let Entry::Vacant(free) = self.records.entry(key) {
                free.insert(Kept { level: Level::new(level), is_written: false });
                if !position.passed().can_move() {
                    self.ends |= 1 << key.discs();
                }
            }
        }
    }

    /// The settings of the first book.
    pub(super) const fn header(&self) -> Option<EdaxHeader> {
        self.header
    }

    /// How wrong its searches may be. Another program writes books without errors, which says that
    /// all of its values are proven.
    pub(super) fn errors(&self) -> Errors {
        let stated = self.header.as_ref().map(Errors::from);
        let is_stated = |errors: &Errors| *errors != Errors { midgame: 0, endcut: 0 };
        stated.filter(is_stated).unwrap_or_default()
    }

    /// Whether a game that is finished with so many discs may have a record.
    pub(super) const fn has_ends(&self, discs: u8) -> bool {
        self.ends >> discs & 1 != 0
    }

    /// Whether this finished game, or the position of this forced pass, has a record.
    pub(super) fn has_record(&self, key: Key) -> bool {
        self.records.contains_key(&key)
    }

    /// The level of a record that is to be written, where it is known.
    pub(super) fn write(&mut self, key: Key) -> Option<Level> {
        let kept = self.records.get_mut(&key)?;
        kept.is_written = true;
        kept.level
    }

    /// The leaf of a position whose best other move ends the game.
    pub(super) fn leaf(&self, key: Key) -> Option<EdaxLeaf> {
        self.leaves.get(&key).copied()
    }

    /// How many records were not written.
    pub(super) fn left(&self) -> u64 {
        self.records.values().filter(|kept| !kept.is_written).count() as u64
    }
}
