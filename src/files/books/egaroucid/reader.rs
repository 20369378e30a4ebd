//! Reading Egaroucid's books.

use std::io::Read;

use crate::files::books::{
    DefectKind, Defects, Format, FormatError, Place, ReadOptions, Record, RecordReader,
};
use crate::files::bytes::{ByteSource, Fields, quoted};
use crate::openbook::{Rest, Source};
use crate::othello::board::Position;
use crate::othello::score::{MAX_DISCS, Score};
use crate::othello::search::{Level, Proof};

use super::layout::{HEADER_BYTES, MAGIC, NO_LEVEL, NO_VALUE, RECORD_BYTES, TYPED, TYPED_NAME};
use super::{EgaroucidLeaf, EgaroucidRecord};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// `.egbk3`: 25 bytes a record.
    Third,
    /// `.egbk2`: value, level, links.
    Second,
    /// `.egbk`: value for the other side, nothing else.
    First,
}

/// The mark of an `.egbk`, beside its name.
const OLDEST_SIZE: &str = "4 bytes and 17 a record, as an old Egaroucid book (.egbk) has";

/// Reads an `.egbk3`, `.egbk2` or `.egbk` with memory for one record at a time.
pub struct EgaroucidReader<R> {
    bytes: ByteSource<R>,
    layout: Layout,
    count: u64,
    read: u64,
    options: ReadOptions,
    /// One source a level, with its level.
    sources: Vec<Source>,
    levels: Vec<i8>,
    defects: Defects,
    /// The level of records that have none in their layout.
    level: i8,
    done: bool,
}

impl<R: Read> EgaroucidReader<R> {
    /// Reads the header of an `.egbk3` or `.egbk2`.
    pub fn new(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        const START: &str = "'DICUORAGE', a version and a count: the start of an Egaroucid book";
        let mut bytes = ByteSource::new(input, file);
        let mut head = [0; HEADER_BYTES];
        let filled = bytes.fill(&mut head)?;
        let start = head.get(..filled.min(MAGIC.len())).unwrap_or_default();
        if start != MAGIC {
            return Err(bytes.error(0, quoted(start), START));
        }
        if filled < HEADER_BYTES {
            let found = format!("the end of the file after {filled} bytes");
            return Err(bytes.error(filled as u64, found, START));
        }
        let mut fields = Fields(head.get(MAGIC.len()..).unwrap_or_default());
        let layout = match fields.u8() {
            3 => Layout::Third,
            2 => Layout::Second,
            other => {
                return Err(bytes.error(9, format!("version {other}"), "version 2 or 3"));
            }
        };
        Self::of_layout(layout, bytes, fields.i32(), options)
    }

    /// Reads the count at the start of an `.egbk`, which has no other mark than its name and its
    /// size.
    pub fn oldest(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        let mut bytes = ByteSource::new(input, file);
        let count = bytes.header("the count of an old Egaroucid book")?;
        Self::of_layout(Layout::First, bytes, i32::from_le_bytes(count), options)
    }

    fn of_layout(
        layout: Layout,
        bytes: ByteSource<R>,
        count: i32,
        options: ReadOptions,
    ) -> Result<Self, FormatError> {
        let Ok(count) = u64::try_from(count) else {
            let at = bytes.offset() - 4;
            return Err(bytes.error(at, format!("{count} records"), "no negative count"));
        };
        Ok(Self {
            bytes,
            layout,
            count,
            read: 0,
            options,
            sources: Vec::new(),
            levels: Vec::new(),
            defects: Defects::default(),
            level: NO_LEVEL,
            done: false,
        })
    }

    /// Takes the records of an `.egbk`, which says nothing of it, for searched at this level.
    #[must_use]
    pub(crate) fn at_level(self, level: Option<Level>) -> Self {
        let level = level.map_or(NO_LEVEL, |level| level.number().cast_signed());
        Self { level, ..self }
    }

    /// The next record as in the file with its byte offset; none at the end. Fields that the older
    /// layouts have not are empty.
    pub fn next_raw(&mut self) -> Result<Option<(u64, EgaroucidRecord)>, FormatError> {
        if self.done {
            return Ok(None);
        }
        let start = self.bytes.offset();
        if self.read == self.count {
            self.done = true;
            let mut more = [0; 1];
            if self.bytes.fill(&mut more)? != 0 {
                if self.layout == Layout::First && !self.options.lenient {
                    let found = format!("bytes after the last of {} records", self.count);
                    return Err(self.bytes.error(start, found, OLDEST_SIZE));
                }
                self.defects.note(DefectKind::TrailingBytes, || {
                    format!("byte {start}: bytes after the last of {} records", self.count)
                });
            }
            return Ok(None);
        }
        let record = match self.layout {
            Layout::Third => {
                let raw = self.piece::<RECORD_BYTES>(start)?;
                raw.map(|raw| EgaroucidRecord::parse(&raw))
            }
            Layout::Second => self.second(start)?,
            Layout::First => {
                let (raw, level) = (self.piece::<17>(start)?, self.level);
                raw.map(|raw| {
                    let mut fields = Fields(&raw);
                    let position = Position { mover: fields.u64(), opponent: fields.u64() };
                    // 64 + the value for the side that is not to move.
                    let value = 64 - i16::from(fields.u8());
                    let value = i8::try_from(value).unwrap_or(i8::MIN);
                    old(position, value, level)
                })
            }
        };
        if record.is_some() {
            self.read += 1;
        }
        Ok(record.map(|record| (start, record)))
    }

    /// Board, value and level, then links that the program itself ignores.
    fn second(&mut self, start: u64) -> Result<Option<EgaroucidRecord>, FormatError> {
        let Some(raw) = self.piece::<19>(start)? else { return Ok(None) };
        let mut fields = Fields(&raw);
        let position = Position { mover: fields.u64(), opponent: fields.u64() };
        let (value, level, links) = (fields.i8(), fields.i8(), fields.u8());
        for _ in 0..links {
            if self.piece::<2>(start)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(old(position, value, level)))
    }

    /// None where the file ends and that is accepted.
    fn piece<const N: usize>(&mut self, start: u64) -> Result<Option<[u8; N]>, FormatError> {
        let mut bytes = [0; N];
        if self.bytes.fill(&mut bytes)? == N {
            return Ok(Some(bytes));
        }
        self.done = true;
        let found = format!("the end of the file in record {} of {}", self.read + 1, self.count);
        let expected = if self.layout == Layout::First { OLDEST_SIZE } else { "a whole record" };
        let error = self.bytes.error(start, found, expected);
        self.options.tolerate(&mut self.defects, DefectKind::Truncated, error).map(|()| None)
    }

    fn source(&mut self, level: i8) -> u32 {
        if let Some(at) = self.levels.iter().position(|&known| known == level) {
            return at as u32;
        }
        let name = match level {
            NO_LEVEL => String::new(),
            TYPED => TYPED_NAME.to_owned(),
            level => level.to_string(),
        };
        self.levels.push(level);
        self.sources.push(Source {
            engine: "egaroucid".to_owned(),
            level: name,
            format: Format::Egaroucid.name().to_owned(),
            ..Source::default()
        });
        (self.levels.len() - 1) as u32
    }

    /// A record in neutral terms; none where it was skipped.
    fn neutral(
        &mut self,
        start: u64,
        raw: &EgaroucidRecord,
    ) -> Result<Option<Record>, FormatError> {
        let place = Place::Byte(start);
        // The program's own mark: it passes over such records, of which the leaf may still be of use.
        let is_valued = raw.value != NO_VALUE;
        if is_valued && !(-MAX_DISCS..=MAX_DISCS).contains(&raw.value) {
            let error = self.bytes.error(start + 16, format!("value {}", raw.value), "-64..=64");
            self.options.tolerate(&mut self.defects, DefectKind::BadRecord, error)?;
            return Ok(None);
        }
        if let Some((at, found, expected)) = raw.field_out_of_range() {
            let error = self.bytes.error(start + at, found, expected);
            self.options.tolerate(&mut self.defects, DefectKind::BadRecord, error)?;
            return Ok(None);
        }
        if raw.leaf_is_turned() {
            let played = raw.leaf.played;
            self.defects.note(DefectKind::TurnedLeaf, || format!("{place}: leaf {played}"));
        }
        let (depth, selectivity) = raw.searched();
        let mut alone = raw.alone();
        if self.layout == Layout::First && self.level == NO_LEVEL {
            let score = Score::from_discs(raw.value);
            // A value that has no level is one all the same in this layout, even 0.
            alone = alone.or(Some(Rest { square: None, score, proof: Proof::None }));
            self.defects.note(DefectKind::NoLevel, || format!("{place}: value {}", raw.value));
        }
        Ok(Some(Record {
            place,
            position: raw.position,
            links: Vec::new(),
            rest: raw.rest(),
            alone: alone.filter(|_| is_valued),
            depth,
            selectivity,
            source: self.source(raw.level),
            stored: is_valued.then(|| Score::from_discs(raw.value)),
            kept: None,
        }))
    }
}

const fn old(position: Position, value: i8, level: i8) -> EgaroucidRecord {
    EgaroucidRecord { position, value, level, lines: 0, leaf: EgaroucidLeaf::UNKNOWN }
}

impl<R: Read> RecordReader for EgaroucidReader<R> {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        while let Some((start, raw)) = self.next_raw()? {
            if let Some(record) = self.neutral(start, &raw)? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }

    fn is_canonical(&self) -> bool {
        self.layout == Layout::Third
    }
}
