//! The bytes of an `.egbk3` record.

use std::io::{self, Write};

use crate::files::bytes::Fields;
use crate::othello::board::Position;

/// The first nine bytes of `.egbk3` and `.egbk2`.
pub(super) const MAGIC: &[u8; 9] = b"DICUORAGE";

/// Bytes of the header: magic, version, count.
pub(super) const HEADER_BYTES: usize = 14;

/// Bytes of a record.
pub(super) const RECORD_BYTES: usize = 25;

/// A leaf value that is not known.
pub(super) const NO_VALUE: i8 = -126;
/// A leaf move where every legal move is in the book.
pub(super) const NO_MOVE: i8 = 65;
/// A leaf move that was never computed.
pub(super) const NOT_COMPUTED: i8 = 125;
/// A level that is none.
pub(super) const NO_LEVEL: i8 = -1;
/// A level that a person typed the value for.
pub(super) const TYPED: i8 = 70;
/// The name of that level as the level of a source.
pub(super) const TYPED_NAME: &str = "typed";

/// The best move that is not in the book, as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EgaroucidLeaf {
    /// In discs; -126 is not known.
    pub value: i8,
    /// The bit number of the square in the stored board; 65 none is left, 125 not computed.
    pub played: i8,
    /// The level that it was searched at; -1 is none.
    pub level: i8,
}

impl EgaroucidLeaf {
    /// No move is left outside the book.
    pub(crate) const fn exhausted(level: i8) -> Self {
        Self { value: NO_VALUE, played: NO_MOVE, level }
    }

    /// Never computed: a search is due.
    pub const UNKNOWN: Self = Self { value: NO_VALUE, played: NOT_COMPUTED, level: NO_LEVEL };
}

/// One record as in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EgaroucidRecord {
    /// The two board words as they are: a1 is bit 63 there, so this is the board after half a turn.
    pub position: Position,
    /// In discs, -64..=64.
    pub value: i8,
    /// The level that gave the value; -1 is none, 70 was typed in by a person.
    pub level: i8,
    /// Lines below: derived data.
    pub lines: u32,
    /// The best move that is not in the book.
    pub leaf: EgaroucidLeaf,
}

impl EgaroucidRecord {
    pub(super) fn parse(bytes: &[u8; RECORD_BYTES]) -> Self {
        let mut fields = Fields(bytes);
        Self {
            position: Position { mover: fields.u64(), opponent: fields.u64() },
            value: fields.i8(),
            level: fields.i8(),
            lines: fields.u32(),
            leaf: EgaroucidLeaf { value: fields.i8(), played: fields.i8(), level: fields.i8() },
        }
    }

    /// A field that no record has: where it is in the record, what was found, and what was expected. The value is
    /// looked at by the reader.
    pub(super) fn field_out_of_range(&self) -> Option<(u64, String, &'static str)> {
        const LEVELS: &str = "a level from 0 to 60, -1 or 70";
        let is_level = |level: i8| matches!(level, NO_LEVEL..=60 | TYPED);
        let EgaroucidLeaf { value, played, level } = self.leaf;
        let fields = [
            (17, "level", self.level, is_level(self.level), LEVELS),
            (22, "leaf value", value, matches!(value, NO_VALUE | -64..=64), "-64 to 64, or -126"),
            (
                23,
                "leaf move",
                played,
                matches!(played, 0..=63 | NO_MOVE | NOT_COMPUTED),
                "0 to 63, 65 or 125",
            ),
            (24, "leaf level", level, is_level(level), LEVELS),
        ];
        let wrong = fields.into_iter().find(|(.., is_sound, _)| !is_sound);
        wrong.map(|(at, name, found, _, expected)| (at, format!("{name} {found}"), expected))
    }

    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(RECORD_BYTES);
        bytes.extend_from_slice(&self.position.mover.to_le_bytes());
        bytes.extend_from_slice(&self.position.opponent.to_le_bytes());
        bytes.extend_from_slice(&[self.value.cast_unsigned(), self.level.cast_unsigned()]);
        bytes.extend_from_slice(&self.lines.to_le_bytes());
        let EgaroucidLeaf { value, played, level } = self.leaf;
        bytes.extend_from_slice(&[value, played, level].map(i8::cast_unsigned));
        output.write_all(&bytes)
    }
}
