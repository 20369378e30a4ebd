//! Reading the binary book, record after record.

use std::io::Read;

use crate::files::books::OTHER_EDAX_WRITER;
use crate::files::books::{
    DefectKind, Defects, Format, FormatError, Place, ReadOptions, Record, RecordReader, StatedLink,
};
use crate::files::bytes::{ByteSource, Fields, quoted};
use crate::openbook::{Rest, Source};
use crate::othello::board::{Position, legal_moves};
use crate::othello::score::{MAX_DISCS, Score};
use crate::othello::search::{Level, Proof};

use super::layout::{FIXED_BYTES, LINK_BYTES, MAGIC, NO_SCORE, VERSION};
use super::negamax::is_error;
use super::{EdaxHeader, EdaxLink, EdaxMove, EdaxRecord, HEADER_BYTES};

/// A move puts a disc of its side: the side that moved last has one.
pub(super) const NO_OPPONENT: &str = "no disc of the side that moved last";
pub(super) const ONE_DISC: &str = "one at least";

/// Reads an Edax `.dat` with memory for one record at a time.
///
/// The count in the header is compared, never used to reserve memory or to stop.
pub struct EdaxReader<R> {
    bytes: ByteSource<R>,
    raw_header: [u8; HEADER_BYTES],
    header: EdaxHeader,
    options: ReadOptions,
    sources: Sources,
    defects: Defects,
    records: u64,
    /// The bytes of links and leaf of the record at hand.
    tail: Vec<u8>,
    done: bool,
}

impl<R: Read> EdaxReader<R> {
    pub fn new(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        let mut bytes = ByteSource::new(input, file);
        let raw = bytes.header::<HEADER_BYTES>("an Edax header of 42 bytes")?;
        if !raw.starts_with(&MAGIC) {
            let found = quoted(raw.get(..MAGIC.len()).unwrap_or_default());
            return Err(bytes.error(0, found, "'XADEKOOB', the start of an Edax book"));
        }
        if let Some(&version) = raw.get(8).filter(|&&version| version != VERSION) {
            return Err(bytes.error(
                8,
                format!("book version {version}"),
                format!("version {VERSION} (Edax 4)"),
            ));
        }
        let header = EdaxHeader::parse(&raw);
        let mut defects = Defects::default();
        if Level::new(u8::try_from(header.level).unwrap_or(u8::MAX)).is_none() {
            defects.note(DefectKind::HeaderField, || format!("header level {}", header.level));
        }
        for (name, error) in [("midgame", header.midgame_error), ("endcut", header.endcut_error)] {
            if !is_error(error) {
                defects.note(DefectKind::HeaderField, || format!("{name} error {error}"));
            }
        }
        let sources = Sources::new(&header);
        Ok(Self {
            bytes,
            raw_header: raw,
            header,
            options,
            sources,
            defects,
            records: 0,
            tail: Vec::new(),
            done: false,
        })
    }

    /// What the book says of itself.
    pub const fn header(&self) -> &EdaxHeader {
        &self.header
    }

    /// The next record as in the file with its byte offset; none at the end.
    pub fn next_raw(&mut self) -> Result<Option<(u64, EdaxRecord)>, FormatError> {
        while !self.done {
            let start = self.bytes.offset();
            let mut fixed = [0; FIXED_BYTES];
            let filled = self.bytes.fill(&mut fixed)?;
            if filled == 0 {
                self.finish();
                break;
            }
            if filled < FIXED_BYTES {
                return self.cut_short(start, filled);
            }
            let (mut record, links) = parse_fixed(&fixed);
            if let Some(error) = self.link_count_error(start, &record, links) {
                // Where the next record starts depends on this count: nothing after it is readable.
                self.done = true;
                self.skip_or::<()>(error)?;
                self.finish();
                break;
            }
            let tail_length = LINK_BYTES * (usize::from(links) + 1);
            self.tail.resize(tail_length, 0);
            let filled = self.bytes.fill(&mut self.tail)?;
            if filled < tail_length {
                return self.cut_short(start, FIXED_BYTES + filled);
            }
            self.records += 1;
            match self.parse_moves(start, &mut record) {
                Ok(()) => return Ok(Some((start, record))),
                Err(error) => drop(self.skip_or::<()>(error)?),
            }
        }
        Ok(None)
    }

    /// The links and the leaf.
    fn parse_moves(&self, start: u64, record: &mut EdaxRecord) -> Result<(), FormatError> {
        let parse = |pair: &[u8], at: usize| {
            let mut fields = Fields(pair);
            let (score, number) = (fields.i8(), fields.u8());
            let Some(played) = EdaxMove::from_number(number) else {
                return Err(self.bytes.error(
                    start + (FIXED_BYTES + at + 1) as u64,
                    format!("move {number}"),
                    "0..=63 for a square, 64 for a pass or 65 for none",
                ));
            };
            Ok(EdaxLink { score, played })
        };
        let (links, leaf) = self.tail.split_at(self.tail.len().saturating_sub(LINK_BYTES));
        for (index, pair) in links.chunks_exact(LINK_BYTES).enumerate() {
            record.links.push(parse(pair, index * LINK_BYTES)?);
        }
        record.leaf = parse(leaf, links.len())?;
        Ok(())
    }

    fn link_count_error(&self, start: u64, record: &EdaxRecord, links: u8) -> Option<FormatError> {
        // A damaged record may well state a move twice; more than that is no record.
        const ALWAYS: u8 = 2;
        if links <= ALWAYS {
            return None;
        }
        let legal = legal_moves(record.position.mover, record.position.opponent).count_ones();
        let most = u32::from(ALWAYS) * legal.max(1);
        (u32::from(links) > most).then(|| {
            self.bytes.error(
                start + 38,
                format!("{links} links of a board with {legal} legal moves"),
                "no more links than moves",
            )
        })
    }

    /// The file ends inside a record. Past the promised count it is junk; before, it was cut.
    fn cut_short(
        &mut self,
        start: u64,
        left: usize,
    ) -> Result<Option<(u64, EdaxRecord)>, FormatError> {
        let promised = u64::from(self.header.count);
        if self.records >= promised {
            self.defects.note(DefectKind::TrailingBytes, || {
                format!("byte {start}: {left} bytes after the last record")
            });
        } else if self.options.lenient {
            self.defects.note(DefectKind::Truncated, || {
                format!("byte {start}: the file ends {left} bytes into a record")
            });
        } else {
            self.done = true;
            let found = format!(
                "the end of the file {left} bytes into record {} of {promised}",
                self.records + 1
            );
            return Err(self.bytes.error(start, found, "a whole record"));
        }
        self.finish();
        Ok(None)
    }

    fn finish(&mut self) {
        self.done = true;
        self.defects.compare_counts("records", self.header.count.into(), self.records);
    }

    fn neutral(&mut self, start: u64, raw: EdaxRecord) -> Result<Option<Record>, FormatError> {
        let error = |of: &Self, at: u64, found: String, expected: &'static str| {
            FormatError::content(of.bytes.file(), Place::Byte(start + at), found, expected)
        };
        let Some(level) = Level::new(raw.level) else {
            return self.skip_or(error(self, 39, format!("level {}", raw.level), "0..=60"));
        };
        if raw.position.opponent == 0 {
            return self.skip_or(error(self, 8, NO_OPPONENT.into(), ONE_DISC));
        }
        let leaf_at = (FIXED_BYTES + LINK_BYTES * raw.links.len()) as u64;
        // A leaf without a move has a meaning only at a finished game; another program gives it -126.
        let to_move = raw.position.can_move();
        let no_leaf = raw.leaf.score == NO_SCORE || (to_move && raw.leaf.played == EdaxMove::None);
        let mut leaf_score = (!no_leaf).then_some(raw.leaf.score);
        if leaf_score.is_some_and(|score| !(-MAX_DISCS..=MAX_DISCS).contains(&score)) {
            let found = format!("leaf score {}", raw.leaf.score);
            let error = error(self, leaf_at, found, "-64..=64, or -127 for none");
            self.options.tolerate(&mut self.defects, DefectKind::BadMove, error)?;
            leaf_score = None;
        }
        if to_move && leaf_score.is_some() && raw.leaf.played == EdaxMove::Pass {
            let error = error(self, leaf_at, "a pass as leaf".into(), "a legal move");
            self.options.tolerate(&mut self.defects, DefectKind::BadMove, error)?;
            leaf_score = None;
        }
        if raw.links.iter().any(|link| link.played == EdaxMove::None) {
            return self.skip_or(error(
                self,
                FIXED_BYTES as u64,
                "a link without move".into(),
                "a move",
            ));
        }
        let (depth, selectivity) = level.edax_plan(raw.position.empties());
        let place = Place::Byte(start);
        let rest = leaf_score.map(|discs| Rest {
            square: raw.leaf.played.square(),
            score: Score::from_discs(discs),
            proof: self.sources.proof(level, raw.position, discs, place, &mut self.defects),
        });
        Ok(Some(Record {
            place,
            position: raw.position,
            links: raw.links.iter().map(stated_link).collect(),
            rest,
            alone: None,
            depth,
            selectivity,
            source: self.sources.of_level(level),
            stored: i8::try_from(raw.value)
                .ok()
                .filter(|value| (-MAX_DISCS..=MAX_DISCS).contains(value))
                .map(Score::from_discs),
            kept: None,
        }))
    }

    /// Leniently a bad record is passed over.
    fn skip_or<T>(&mut self, error: FormatError) -> Result<Option<T>, FormatError> {
        self.options.tolerate(&mut self.defects, DefectKind::BadRecord, error).map(|()| None)
    }
}

fn stated_link(link: &EdaxLink) -> StatedLink {
    let sound = (-MAX_DISCS..=MAX_DISCS).contains(&link.score);
    StatedLink { square: link.played.square(), score: sound.then(|| Score::from_discs(link.score)) }
}

#[inline]
fn parse_fixed(bytes: &[u8; FIXED_BYTES]) -> (EdaxRecord, u8) {
    let mut fields = Fields(bytes);
    let position = Position { mover: fields.u64(), opponent: fields.u64() };
    let (wins, draws, losses, lines) = (fields.u32(), fields.u32(), fields.u32(), fields.u32());
    let (value, lower, upper) = (fields.i16(), fields.i16(), fields.i16());
    let (count, level) = (fields.u8(), fields.u8());
    let record = EdaxRecord {
        position,
        wins,
        draws,
        losses,
        lines,
        value,
        lower,
        upper,
        level,
        links: Vec::with_capacity(usize::from(count)),
        leaf: EdaxRecord::NO_LEAF,
    };
    (record, count)
}

impl<R: Read> RecordReader for EdaxReader<R> {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        while let Some((start, raw)) = self.next_raw()? {
            if let Some(record) = self.neutral(start, raw)? {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    fn is_canonical(&self) -> bool {
        true
    }

    fn head(&self) -> &[u8] {
        &self.raw_header
    }

    fn sources(&self) -> &[Source] {
        self.sources.list()
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }
}

/// One source a level, made when it is first met.
pub(super) struct Sources {
    engine: String,
    format: Format,
    day: String,
    /// Index into the list by level.
    of_level: [Option<u32>; 61],
    list: Vec<Source>,
    /// Levels of books that another program wrote were set, not searched.
    proves: bool,
}

impl Sources {
    fn new(header: &EdaxHeader) -> Self {
        // Edax's errors are never both 0 unless set so; another program writes its books that way, with
        // one level for all records whatever they were searched at.
        let proves = header.midgame_error != 0 || header.endcut_error != 0;
        let engine = if proves {
            format!("edax 4.{}", header.release)
        } else {
            format!("{OTHER_EDAX_WRITER}, edax book")
        };
        Self {
            engine,
            format: Format::Edax,
            day: header.date().unwrap_or_default(),
            of_level: [None; 61],
            list: Vec::new(),
            proves,
        }
    }

    /// The sources of a text book, which says nothing about its program.
    pub(super) fn of_text() -> Self {
        Self {
            engine: "edax".to_owned(),
            format: Format::EdaxText,
            day: String::new(),
            of_level: [None; 61],
            list: Vec::new(),
            proves: true,
        }
    }

    pub(super) fn list(&self) -> &[Source] {
        &self.list
    }

    pub(super) fn of_level(&mut self, level: Level) -> u32 {
        let next = self.list.len() as u32;
        let Some(slot) = self.of_level.get_mut(usize::from(level.number())) else { return 0 };
        *slot.get_or_insert_with(|| {
            self.list.push(Source {
                engine: self.engine.clone(),
                level: level.to_string(),
                format: self.format.name().to_owned(),
                day: self.day.clone(),
                ..Source::default()
            });
            next
        })
    }

    /// What a leaf score proves: exact where the level solves at full width and the score can be a
    /// result.
    pub(super) fn proof(
        &self,
        level: Level,
        position: Position,
        discs: i8,
        place: Place,
        defects: &mut Defects,
    ) -> Proof {
        let empties = position.empties();
        let (depth, selectivity) = level.edax_plan(empties);
        if !self.proves || depth != empties || !selectivity.is_full() {
            return Proof::None;
        }
        if discs % 2 != 0 {
            defects.note(DefectKind::OddExactScore, || {
                format!("{place}: score {discs} at {empties} empties, level {level}")
            });
            return Proof::None;
        }
        Proof::Exact
    }
}
