//! The bytes of an Edax book: a header of 42 bytes, then records of 42 bytes and 2 a link.

use std::io::{self, Write};

use crate::files::bytes::Fields;
use crate::othello::board::{Position, Square};

/// The first eight bytes.
pub(super) const MAGIC: [u8; 8] = *b"XADEKOOB";

/// The only version of the layout.
pub(super) const VERSION: u8 = 4;

/// Bytes of the header.
pub(crate) const HEADER_BYTES: usize = 42;

/// Bytes of a record up to its links.
pub(super) const FIXED_BYTES: usize = 40;

/// Bytes of a link or a leaf.
pub(super) const LINK_BYTES: usize = 2;

/// A value that was not computed, and the score of a leaf that is none.
pub(super) const NO_SCORE: i8 = -127;

const PASS: u8 = 64;
const NO_MOVE: u8 = 65;

/// What a book says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdaxHeader {
    /// The minor version of the program, such as 4 for Edax 4.4.
    pub release: u8,
    /// Year, month, day, hour, minute, second of the save, local time.
    pub saved: (i16, i8, i8, i8, i8, i8),
    /// Level for new searches.
    pub level: i32,
    /// The book is grown down to this many empties.
    pub empties: i32,
    /// Error of midgame searches in discs, for the bounds.
    pub midgame_error: i32,
    /// Error of selective searches to the end in discs, for the bounds.
    pub endcut_error: i32,
    /// How talkative the program was.
    pub verbosity: i32,
    /// Number of records. Edax reads to the end of the file whatever it says.
    pub count: u32,
}

impl EdaxHeader {
    /// Takes the fields that follow magic and version.
    pub(super) fn parse(bytes: &[u8; HEADER_BYTES]) -> Self {
        let mut fields = Fields(bytes);
        let _magic_and_version = (fields.u64(), fields.u8());
        let release = fields.u8();
        let saved = (fields.i16(), fields.i8(), fields.i8(), fields.i8(), fields.i8(), fields.i8());
        let _padding = fields.u8();
        Self {
            release,
            saved,
            level: fields.i32(),
            empties: fields.i32(),
            midgame_error: fields.i32(),
            endcut_error: fields.i32(),
            verbosity: fields.i32(),
            count: fields.u32(),
        }
    }

    /// Writes the 42 bytes; the padding is zero.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let (year, month, day, hour, minute, second) = self.saved;
        output.write_all(&MAGIC)?;
        output.write_all(&[VERSION, self.release])?;
        output.write_all(&year.to_le_bytes())?;
        for part in [month, day, hour, minute, second, 0] {
            output.write_all(&part.to_le_bytes())?;
        }
        for number in
            [self.level, self.empties, self.midgame_error, self.endcut_error, self.verbosity]
        {
            output.write_all(&number.to_le_bytes())?;
        }
        output.write_all(&self.count.to_le_bytes())
    }

    /// The day of the save as `YYYY-MM-DD`, when it is one.
    pub(crate) fn date(&self) -> Option<String> {
        let (year, month, day, ..) = self.saved;
        let sound =
            (1990..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        sound.then(|| format!("{year:04}-{month:02}-{day:02}"))
    }
}

/// A move as Edax numbers it: a square as here (a1 = 0), 64 a pass, 65 none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdaxMove {
    Square(Square),
    Pass,
    /// No move.
    None,
}

impl EdaxMove {
    /// The byte that stands for it.
    pub const fn number(self) -> u8 {
        match self {
            Self::Square(square) => square.number(),
            Self::Pass => PASS,
            Self::None => NO_MOVE,
        }
    }

    /// The move of a byte; none above 65.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            PASS => Some(Self::Pass),
            NO_MOVE => Some(Self::None),
            _ => match Square::try_new(number) {
                Some(square) => Some(Self::Square(square)),
                None => None,
            },
        }
    }

    /// The square, unless it is a pass or none.
    pub const fn square(self) -> Option<Square> {
        match self {
            Self::Square(square) => Some(square),
            Self::Pass | Self::None => None,
        }
    }
}

/// A move with its score in discs for the side to move of the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdaxLink {
    /// In discs.
    pub score: i8,
    pub played: EdaxMove,
}

/// The best move that is no link. [`EdaxMove::None`] with -127 is none; without a move but with a
/// score it is a finished game.
pub(crate) type EdaxLeaf = EdaxLink;

/// One record as in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdaxRecord {
    pub position: Position,
    /// Line ends below, won by the side to move here.
    pub wins: u32,
    /// Line ends below, drawn.
    pub draws: u32,
    /// Line ends below, lost by the side to move here.
    pub losses: u32,
    /// All line ends below, solved or not.
    pub lines: u32,
    /// Value in discs; -127 is not computed.
    pub value: i16,
    /// Lower bound in discs; -127 is not computed.
    pub lower: i16,
    /// Upper bound in discs; +127 is not computed.
    pub upper: i16,
    /// Level that the record was searched at.
    pub level: u8,
    /// Moves to other records.
    pub links: Vec<EdaxLink>,
    /// The best other move.
    pub leaf: EdaxLeaf,
}

impl EdaxRecord {
    /// A record of which nothing is computed.
    pub(crate) fn bare(
        position: Position,
        level: u8,
        link: Option<EdaxLink>,
        leaf: EdaxLeaf,
    ) -> Self {
        let none = i16::from(NO_SCORE);
        Self {
            position,
            wins: 0,
            draws: 0,
            losses: 0,
            lines: 0,
            value: none,
            lower: none,
            upper: -none,
            level,
            links: link.into_iter().collect(),
            leaf,
        }
    }

    pub const NO_LEAF: EdaxLeaf = EdaxLink { score: NO_SCORE, played: EdaxMove::None };

    /// Writes the record. More links than 255 cannot occur: a board has 64 squares and a pass.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(FIXED_BYTES + LINK_BYTES * (self.links.len() + 1));
        bytes.extend_from_slice(&self.position.mover.to_le_bytes());
        bytes.extend_from_slice(&self.position.opponent.to_le_bytes());
        for count in [self.wins, self.draws, self.losses, self.lines] {
            bytes.extend_from_slice(&count.to_le_bytes());
        }
        for score in [self.value, self.lower, self.upper] {
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes.push(u8::try_from(self.links.len()).unwrap_or(u8::MAX));
        bytes.push(self.level);
        for link in self.links.iter().take(usize::from(u8::MAX)).chain([&self.leaf]) {
            bytes.extend_from_slice(&[link.score.cast_unsigned(), link.played.number()]);
        }
        output.write_all(&bytes)
    }
}
